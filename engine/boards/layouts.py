"""From lines of cards to eight columns: four readings, each tried on its own.

    columns       eight lines, each a column from the buried card to the exposed one
    rows          lines that run across the columns, as one sees the board from above
    rows under a top row
                  the same below a first line with the cells and the foundations
    deal order    52 cards in the order in which they are dealt, 13 a line or all on one

A reading gives candidates. `engine.boards.judge` keeps those that come to 52 different cards and
says which of them is meant, if that can be said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from math import gcd
from typing import Final

from boulanger.engine.boards.parsed import DECISIVE, num_unplayable_columns
from boulanger.engine.boards.sheet import BoardLine, Entry, Sheet
from boulanger.engine.boards.tokens import quote
from boulanger.engine.cards import NUM_CARDS, card_text, rank_of, suit_of
from boulanger.engine.errors import BoardError
from boulanger.engine.notes import Note
from boulanger.engine.position import NUM_COLUMNS, Position
from boulanger.engine.words import joined

COLUMNS: Final = "columns"
ROWS: Final = "rows"
DEAL_ORDER: Final = "deal order"

_ROWS_NOTE: Final = Note("note.rows")
_DEAL_ORDER_NOTE: Final = Note("note.deal_order")
_NUM_TOP_FOUNDATIONS: Final = 4
_MAX_TOP_CELLS: Final = 8


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the lines may mean.

    Attributes:
        reading: `COLUMNS`, `ROWS` or `DEAL_ORDER`.
        columns: eight columns.
        notes: what the reader should be told.
        cells, foundations: those of an unlabelled line above the tableau; None if there is none.
        told_cells: how many cells that line says there are.
        has_drawn_gap: whether blanks show where a column has ended, each below its column.
        is_bold: whether lines were taken for something that nothing in them tells.
    """

    reading: str
    columns: tuple[tuple[int, ...], ...]
    notes: tuple[Note, ...] = ()
    cells: tuple[int | None, ...] | None = None
    foundations: tuple[int, ...] | None = None
    told_cells: int | None = None
    has_drawn_gap: bool = False
    is_bold: bool = False


# Columns.


def column_candidates(sheet: Sheet, is_told: bool = False) -> Iterator[Candidate]:
    """The lines as columns, with empty ones for blank lines if there are fewer than eight.

        : 4C 2C 9C 8C QS JD
        :
        : 5H QH 3C

    Lines with a blank as wide as a card are no columns, unless the caller says so (`is_told`).
    """
    lines = sheet.lines
    if any(line.has_gap and line.cards for line in lines) and not _are_filled_up(lines):
        return
    if not is_told and _have_drawn_blanks(lines):
        return
    if len(lines) == NUM_COLUMNS:
        yield Candidate(COLUMNS, tuple(line.cards for line in lines))
        yield from _cells_above_a_blank_line(sheet)
    elif len(lines) < NUM_COLUMNS:
        yield from _with_empty_columns(sheet)
    else:
        yield from _below_unlabelled_lines(sheet)


def _are_filled_up(lines: list[BoardLine]) -> bool:
    """Whether gaps stand only at the ends of lines, and fill all of them up to one length."""
    if len({len(line.entries) for line in lines}) != 1:
        return False
    for line in lines:
        cards = [i for i, entry in enumerate(line.entries) if entry.card is not None]
        if any(entry.card is None for entry in line.entries[: cards[-1] if cards else 0]):
            return False
    return True


def _have_drawn_blanks(lines: list[BoardLine]) -> bool:
    """Whether a blank in a line, or before it, has room for a card that is not there."""
    entries = [entry for line in lines for entry in line.entries]
    if not entries:
        return False
    width = min(entry.end - entry.start for entry in entries)
    blanks = [
        b.start - a.end
        for line in lines
        for a, b in zip(line.entries, line.entries[1:], strict=False)
    ]
    indents = [line.entries[0].start - line.base for line in lines if line.entries]
    is_wide = bool(blanks) and max(blanks) > min(blanks) + width
    return is_wide or max(indents) > min(indents) + width


def _with_empty_columns(sheet: Sheet) -> Iterator[Candidate]:
    """Every way to take as many blank lines as there are columns missing.

    Blank lines between other lines come first: where they make eight, none at an end is meant.
    """
    lines = sheet.lines
    if not lines:
        return
    first, last = lines[0].number, lines[-1].number
    inner = [n for n in sheet.blank_lines if first < n < last]
    missing = NUM_COLUMNS - len(lines)
    outer = [n for n in sheet.blank_lines if not first < n < last]
    labels = [n for numbers in sheet.label_lines.values() for n in numbers]
    above = [n for n in labels if n < first]
    if above:
        outer = [n for n in outer if n > max(above)]
    below = [n for n in labels if n > last]
    if below:
        outer = [n for n in outer if n < min(below)]
    if len(inner) > missing or len(inner) + len(outer) > 2 * NUM_COLUMNS:
        return
    if len(inner) == missing:
        yield _with_blanks(lines, inner)
        return
    seen = set()
    for chosen in combinations(outer, missing - len(inner)):
        candidate = replace(_with_blanks(lines, sorted([*inner, *chosen])), is_bold=True)
        if candidate.columns not in seen:
            seen.add(candidate.columns)
            yield candidate


def _with_blanks(lines: list[BoardLine], blank_lines: list[int]) -> Candidate:
    by_number = {line.number: line.cards for line in lines} | dict.fromkeys(blank_lines, ())
    columns = tuple(by_number[number] for number in sorted(by_number))
    numbers = joined([str(number) for number in blank_lines], "join.and")
    note = Note("note.blank_lines", number=len(blank_lines), lines=numbers)
    return Candidate(COLUMNS, columns, (note,))


def _below_unlabelled_lines(sheet: Sheet) -> Iterator[Candidate]:
    """Nine or ten lines: above the columns the cells, or foundations, or both, unlabelled."""
    lines = sheet.lines
    num_above = len(lines) - NUM_COLUMNS
    columns = tuple(line.cards for line in lines[num_above:])
    above = [line.entries for line in lines[:num_above]]
    if num_above == 1:
        for top in _tops(above[0]):
            yield Candidate(
                COLUMNS, columns, (top.note,), top.cells, top.foundations, top.told, is_bold=True
            )
    elif num_above == 2 and max(map(len, above)) <= _MAX_TOP_CELLS:
        for cells, homes in (above, above[::-1]):
            foundations = _home_ranks(homes)
            if foundations is None:
                continue
            held = tuple(entry.card for entry in cells)
            note = Note("note.first_two")
            told = len(held) if None in held else None
            yield Candidate(COLUMNS, columns, (note,), held, foundations, told, is_bold=True)


def _cells_above_a_blank_line(sheet: Sheet) -> Iterator[Candidate]:
    """Eight lines of which the first may hold the cells, since a blank one may be a column."""
    lines = sheet.lines
    inner = [n for n in sheet.blank_lines if lines[0].number < n < lines[-1].number]
    is_told = sheet.cells is not None or any(line.has_colon for line in lines)
    if len(inner) == 1 and len(lines[0].entries) <= _NUM_TOP_FOUNDATIONS and not is_told:
        below = _with_blanks(lines[1:], inner)
        note = Note("note.first_cells")
        cells = _cards(lines[0].entries)
        yield Candidate(COLUMNS, below.columns, (note, *below.notes), cells, is_bold=True)


# The line above the tableau.


@dataclass(frozen=True, slots=True)
class _Top:
    cells: tuple[int | None, ...]
    foundations: tuple[int, ...] | None
    told: int | None
    note: Note


def _tops(entries: Sequence[Entry | None]) -> Iterator[_Top]:
    """What a line with the cells and the foundations may mean; None is a blank place.

    Four foundations at its right end or at its left one and cells in the rest; cells alone; or
    foundations alone.
    """
    num_cells = len(entries) - _NUM_TOP_FOUNDATIONS
    if 0 < num_cells <= _MAX_TOP_CELLS:
        for homes, held, key in (
            (entries[num_cells:], entries[:num_cells], "note.top_foundations_last"),
            (
                entries[:_NUM_TOP_FOUNDATIONS],
                entries[_NUM_TOP_FOUNDATIONS:],
                "note.top_foundations_first",
            ),
        ):
            foundations = _home_ranks(homes)
            if foundations is not None:
                yield _Top(_cards(held), foundations, num_cells, Note(key, cells=str(num_cells)))
    if len(entries) <= _MAX_TOP_CELLS:
        cells = _cards(entries)
        told = len(cells) if None in cells else None
        yield _Top(cells, None, told, Note("note.first_cells"))
    if len(entries) <= _NUM_TOP_FOUNDATIONS:
        foundations = _home_ranks(entries)
        if foundations is not None and any(foundations):
            yield _Top((), foundations, None, Note("note.first_foundations"))


def _cards(entries: Sequence[Entry | None]) -> tuple[int | None, ...]:
    return tuple(None if entry is None else entry.card for entry in entries)


def _home_ranks(entries: Sequence[Entry | None]) -> tuple[int, ...] | None:
    """The ranks of foundations with these top cards; None if a suit is there twice."""
    ranks = [0] * 4
    for card in _cards(entries):
        if card is not None:
            if ranks[suit_of(card)]:
                return None
            ranks[suit_of(card)] = rank_of(card)
    return tuple(ranks)


# Rows.


def row_candidates(sheet: Sheet) -> Iterator[Candidate]:
    """The lines as rows, with or without a top row.

        -- 8H -- -- AS 4H -- AC
        4C 5H QC 5D 2D 7H AH 7S
        2H QH 9S    KD JS    6C

    Raises:
        BoardError: if they look like rows, but some entry stands under no column, or below a gap.
    """
    lines = list(sheet.lines)
    while lines and not lines[-1].entries:
        lines.pop()
    if not lines or any(not line.entries for line in lines):
        return
    error: BoardError | None = None
    for tops in _top_choices(lines):
        rows = lines[len(tops) :]
        if not rows or max(len(row.entries) for row in rows) > NUM_COLUMNS:
            continue
        try:
            grids = _grids(rows)
            for grid in grids:
                yield from _below(tops, rows, grid)
        except BoardError as caught:
            error = error or caught
    if error is not None:
        raise error


def _top_choices(lines: list[BoardLine]) -> Iterator[list[BoardLine]]:
    """No top row, and the first line as one."""
    if lines[0].cards:
        yield []
    if len(lines) > 1:
        yield lines[:1]


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where the columns stand on the screen; None if the rows are not drawn in a grid.

    Attributes:
        spans: (start, end) of each column.
        left: where a row begins.
        widest: the widest blank between the entries of a full row.
        columns: the index of the column of each span.
    """

    spans: tuple[tuple[int, int], ...] | None
    left: int
    widest: int
    columns: tuple[int, ...] = tuple(range(NUM_COLUMNS))


def _grids(rows: list[BoardLine]) -> list[_Grid]:
    full = [row for row in rows if len(row.entries) == NUM_COLUMNS]
    if not full:
        return _grids_without_full_rows(rows)
    left = min(row.entries[0].start for row in full)
    widest = max(
        b.start - a.end for row in full for a, b in zip(row.entries, row.entries[1:], strict=False)
    )
    spans = tuple(
        (min(row.entries[c].start for row in full), max(row.entries[c].end for row in full))
        for c in range(NUM_COLUMNS)
    )
    is_grid = all(a[1] <= b[0] for a, b in pairwise(spans))
    return [_Grid(spans if is_grid else None, left, widest)]


def _grids_without_full_rows(rows: list[BoardLine]) -> list[_Grid]:
    """The grids that rows may be drawn in of which none has an entry in every column."""
    spans = _merged_spans(rows)
    left = min(max(0, row.entries[0].start - row.base) for row in rows)
    blanks = [
        b.start - a.end for row in rows for a, b in zip(row.entries, row.entries[1:], strict=False)
    ]
    width = min(entry.end - entry.start for row in rows for entry in row.entries)
    # A blank with room for a card is a gap, so that without a grid nothing can be told.
    widest = min(blanks, default=0) + width - 1
    grids = []
    for pitch, places in _pitches(rows, spans):
        num_places = places[-1] + 1
        # Where the empty columns at the ends are: by the indent, if that is whole columns.
        is_indent_whole = left % pitch in (0, 1)
        shifts = [left // pitch] if is_indent_whole else range(NUM_COLUMNS - num_places + 1)
        grids += [
            _Grid(tuple(spans), left, widest, tuple(place + shift for place in places))
            for shift in shifts
            if num_places + shift <= NUM_COLUMNS
        ]
    return grids or [_Grid(None, left, widest)]


def _pitches(
    rows: list[BoardLine], spans: list[tuple[int, int]]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The distances that neighbouring columns can have; how far right of the first each span is.

    Cards are written flush left or flush right, so their starts or their ends are a whole number
    of columns apart. A `10` below or above other cards tells which.
    """
    widest = max(end - start for start, end in spans)
    for edges in _edges(rows, spans):
        apart = gcd(*(edge - edges[0] for edge in edges))
        if not apart:  # all in one column
            yield widest + 1, (0,) * len(edges)
            continue
        for pitch in range(widest, apart + 1):
            if apart % pitch == 0 and (pitch > widest or pitch == apart):
                yield pitch, tuple((edge - edges[0]) // pitch for edge in edges)


def _edges(rows: list[BoardLine], spans: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """The starts of the columns, or their ends, or both, by how the cards in them are aligned."""
    entries = [entry for row in rows for entry in row.entries]
    starts, ends = tuple(start for start, _ in spans), tuple(end for _, end in spans)
    is_left = {entry.start for entry in entries} <= set(starts)
    is_right = {entry.end for entry in entries} <= set(ends)
    if is_left != is_right:
        return [starts] if is_left else [ends]
    return [starts, ends]


def _merged_spans(rows: list[BoardLine]) -> list[tuple[int, int]]:
    """Where the entries of all rows stand, those that overlap as one."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted((e.start, e.end) for row in rows for e in row.entries):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _columns_of_rows(
    rows: list[BoardLine], grid: _Grid
) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """The columns that rows make, and whether blanks show where one has ended."""
    columns: tuple[list[int], ...] = tuple([] for _ in range(NUM_COLUMNS))
    ended = [False] * NUM_COLUMNS
    has_drawn_gap = False
    for row in rows:
        slots, is_drawn = _slots(row, grid)
        has_drawn_gap |= is_drawn
        for c in range(NUM_COLUMNS):
            entry = slots.get(c)
            if entry is None or entry.card is None:
                ended[c] = True
            elif ended[c]:
                fault = BoardError(
                    "reading.below_gap", card=card_text(entry.card), place=str(c + 1)
                )
                raise fault.at(row.place(entry))
            else:
                columns[c].append(entry.card)
    return tuple(map(tuple, columns)), has_drawn_gap


def _slots(row: BoardLine, grid: _Grid) -> tuple[dict[int, Entry], bool]:
    """Column index -> the entry in that column; and whether a blank shows an ended column.

    Raises:
        BoardError: if an entry does not stand under exactly one column.
    """
    in_order = dict(enumerate(row.entries))
    if len(row.entries) == NUM_COLUMNS:
        return in_order, False
    if grid.spans is None:
        if _has_wide_blank(row, grid):
            raise _not_under_one_column(row, row.entries[0])
        return in_order, False
    slots: dict[int, Entry] = {}
    for entry in row.entries:
        under = [
            column
            for column, (left, right) in zip(grid.columns, grid.spans, strict=False)
            if entry.start < right and left < entry.end
        ]
        if len(under) != 1 or under[0] in slots:
            raise _not_under_one_column(row, entry)
        slots[under[0]] = entry
    return slots, list(slots) != list(grid.columns[: len(slots)])


def _has_wide_blank(row: BoardLine, grid: _Grid) -> bool:
    """Whether a blank in `row` is wider than any in a full row."""
    if row.entries[0].start > grid.left + 1:
        return True
    return any(
        b.start - a.end > grid.widest for a, b in zip(row.entries, row.entries[1:], strict=False)
    )


def _not_under_one_column(row: BoardLine, entry: Entry) -> BoardError:
    fault = BoardError("reading.not_under_one_column", word=quote(entry.text))
    return fault.at(row.place(entry))


def _below(tops: list[BoardLine], rows: list[BoardLine], grid: _Grid) -> Iterator[Candidate]:
    """The candidates for these rows below a top row, if there is one."""
    columns, has_drawn_gap = _columns_of_rows(rows, grid)
    has_written_gap = any(row.has_gap for row in rows)
    if not tops:
        if has_drawn_gap or has_written_gap or _are_rows_by_shape(rows, columns):
            yield Candidate(ROWS, columns, (_ROWS_NOTE,), has_drawn_gap=has_drawn_gap)
        return
    if not tops[0].cards and len(tops[0].entries) <= NUM_COLUMNS + _MAX_TOP_CELLS:
        yield Candidate(ROWS, columns, (_ROWS_NOTE,), has_drawn_gap=has_drawn_gap)
        return
    for entries in _top_places(tops[0], grid):
        for top in _tops(entries):
            yield Candidate(
                ROWS, columns, (_ROWS_NOTE, top.note), top.cells, top.foundations, top.told,
                has_drawn_gap,
            )  # fmt: skip


def _are_rows_by_shape(rows: list[BoardLine], columns: tuple[tuple[int, ...], ...]) -> bool:
    """Whether rows without any gap may be rows: fewer than eight lines may be columns left out.

    Full rows and one that is shorter are rows, if they cannot be columns of a game; and more than
    eight lines, if they begin with a full row or make columns of a game.
    """
    lengths = [len(row.entries) for row in rows]
    if len(rows) >= NUM_COLUMNS:
        is_full = lengths[0] == NUM_COLUMNS or len(rows) == NUM_COLUMNS
        is_falling = lengths == sorted(lengths, reverse=True)
        return is_falling and (is_full or not num_unplayable_columns(Position(columns)))
    if lengths[:-1] != [NUM_COLUMNS] * (len(rows) - 1):
        return False
    lines = tuple(row.cards for row in rows)
    return num_unplayable_columns(Position(lines)) >= min(DECISIVE, len(lines) - 1)


def _top_places(top: BoardLine, grid: _Grid) -> Iterator[list[Entry | None]]:
    """The entries of a top row by the columns they stand over, and as they are written."""
    if grid.spans is not None and len(top.entries) < NUM_COLUMNS:
        try:
            slots, is_drawn = _slots(top, grid)
        except BoardError:
            is_drawn = False
        if is_drawn:
            yield [slots.get(c) for c in range(NUM_COLUMNS)]
            return
    yield list(top.entries)


# Deal order.


def deal_order_candidates(sheet: Sheet) -> Iterator[Candidate]:
    """52 cards in a run: all on one line, or a fixed number a line.

    JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD
    QC KH 3H 2S KS 9D QD JS AS AH 3C 4C 5C
    """
    lines = sheet.lines
    if any(line.has_colon or line.has_gap for line in lines):
        return
    cards = [card for line in lines for card in line.cards]
    if len(cards) != NUM_CARDS or len(lines) == NUM_COLUMNS:
        return
    lengths = {len(line.cards) for line in lines[:-1]} or {NUM_CARDS}
    width = max(lengths)
    if len(lengths) != 1 or len(lines[-1].cards) > width or 1 < width <= NUM_COLUMNS:
        return
    first, last = lines[0].number, lines[-1].number
    if any(first < number < last for number in sheet.blank_lines):
        return
    columns = tuple(tuple(cards[c::NUM_COLUMNS]) for c in range(NUM_COLUMNS))
    yield Candidate(DEAL_ORDER, columns, (_DEAL_ORDER_NOTE,))
