"""From lines of cards to eight columns: are the lines columns, or rows seen from above?

Lines are columns whenever they can be: eight of them, of cards only. Otherwise they are rows if
they look like it: no colon, eight entries in the first row and no more in any other, and

- a gap that is written (`--`) or left blank where a column has ended; or
- the shape of a new deal, six rows of eight and a shorter one; or
- more than eight rows, none longer than the one before.

Without that, fewer than eight lines might as well be columns of which some were left out.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from boulanger.engine.cards import card_text, rank_of, suit_of
from boulanger.engine.errors import BoardError
from boulanger.engine.position import NUM_COLUMNS

_FULL_ROWS_DEALT: Final = 6
_TOP_ROW_CELLS: Final = 4
_NO_VARIATION_SELECTORS: Final = {0xFE0E: None, 0xFE0F: None}


@dataclass(frozen=True, slots=True)
class Entry:
    """A card, or None where a gap is written, and where it stands in its line, from 0."""

    card: int | None
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One line of the tableau: its number from 1, its text, what it holds."""

    number: int
    text: str
    entries: tuple[Entry, ...]
    has_colon: bool = False

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards of the line, in its order."""
        return tuple(entry.card for entry in self.entries if entry.card is not None)

    @property
    def has_gap(self) -> bool:
        """Whether a gap is written in it."""
        return any(entry.card is None for entry in self.entries)

    def place(self, entry: Entry) -> str:
        """Where `entry` is, in words."""
        return f"line {self.number}, column {entry.start + 1}"


@dataclass(frozen=True, slots=True)
class Tableau:
    """What the lines were read as.

    Attributes:
        columns: eight columns, each from the buried card to the exposed one.
        notes: what the reader should be told.
        cells, foundations: what a row above the tableau holds, as in `Position` and as pairs
            (suit, rank); empty if there is none.
        is_rows: whether the lines were rows.
    """

    columns: tuple[tuple[int, ...], ...]
    notes: tuple[str, ...] = ()
    cells: tuple[int | None, ...] = ()
    foundations: tuple[tuple[int, int], ...] = ()
    is_rows: bool = False


def read_tableau(lines: list[BoardLine], blank_lines: list[int]) -> Tableau:
    """The eight columns in `lines`.

    Args:
        lines: the lines that hold entries or a colon, in order.
        blank_lines: the numbers of the lines that hold nothing at all.

    Raises:
        BoardError: if they are neither eight columns nor rows.
    """
    misplaced_gap = next((line for line in lines if line.has_gap and len(line.entries) > 1), None)
    if misplaced_gap is None:
        if len(lines) == NUM_COLUMNS:
            return Tableau(tuple(line.cards for line in lines))
        inside = [n for n in blank_lines if lines and lines[0].number < n < lines[-1].number]
        if len(lines) < NUM_COLUMNS == len(lines) + len(inside):
            return _with_empty_columns(lines, inside)
    if _are_rows(lines):
        return _read_rows(lines)
    if misplaced_gap is not None:
        gap = next(entry for entry in misplaced_gap.entries if entry.card is None)
        raise BoardError(
            f"{misplaced_gap.place(gap)}: {gap.text!r} among the cards of a column; "
            "an empty column is a line with - alone"
        )
    raise BoardError(f"{NUM_COLUMNS} columns expected, {len(lines)} found{_advice(lines)}")


def second_board_line(lines: list[BoardLine]) -> int | None:
    """The number of the line where a second board starts after a first one; None if none does."""
    if len(lines) <= NUM_COLUMNS:
        return None
    everything = {card for line in lines for card in line.cards}
    num_cards = sum(len(line.cards) for line in lines)
    seen: set[int] = set()
    num_before = 0
    for line in lines:
        # A line or two that are there twice are a slip, half as much again is another board.
        if line.cards and seen == everything and num_cards >= 1.5 * num_before:
            return line.number
        seen.update(line.cards)
        num_before += len(line.cards)
    if num_cards > len(everything) and len(lines) >= 2 * NUM_COLUMNS:
        return lines[NUM_COLUMNS].number
    return None


def _with_empty_columns(lines: list[BoardLine], blank_lines: list[int]) -> Tableau:
    by_number = {line.number: line.cards for line in lines} | dict.fromkeys(blank_lines, ())
    columns = tuple(by_number[number] for number in sorted(by_number))
    names = " and ".join(map(str, blank_lines))
    what = "line {} is blank: read as an empty column"
    if len(blank_lines) > 1:
        what = "lines {} are blank: read as empty columns"
    return Tableau(columns, (what.format(names),))


def _advice(lines: list[BoardLine]) -> str:
    if len(lines) > NUM_COLUMNS or not lines:
        return ""
    advice = "; an empty column is a line with : alone"
    if len(lines[0].entries) == NUM_COLUMNS and not any(line.has_colon for line in lines):
        advice += " (or, if the lines are rows, write -- where a column has ended)"
    return advice


def _are_rows(lines: list[BoardLine]) -> bool:
    lengths = [len(line.entries) for line in lines]
    if not lines or any(line.has_colon for line in lines) or max(lengths) > NUM_COLUMNS:
        return False
    rows = _below_top_row(lines)
    if not rows or len(rows[0].entries) != NUM_COLUMNS:
        return False
    if any(line.has_gap for line in lines):
        return True
    widest = _widest_blank(rows)
    if any(_has_blank_gap(row, widest) for row in rows):
        return True
    if lengths[:-1] == [NUM_COLUMNS] * _FULL_ROWS_DEALT:
        return True
    return len(lines) > NUM_COLUMNS and lengths == sorted(lengths, reverse=True)


def _read_rows(lines: list[BoardLine]) -> Tableau:
    notes = ["read as rows: the lines run across the columns"]
    rows = _below_top_row(lines)
    cells: tuple[int | None, ...] = ()
    foundations: tuple[tuple[int, int], ...] = ()
    if _is_top_row(rows):
        top = rows.pop(0).entries
        cells = tuple(entry.card for entry in top[:_TOP_ROW_CELLS])
        tops = [entry.card for entry in top[_TOP_ROW_CELLS:] if entry.card is not None]
        foundations = tuple((suit_of(card), rank_of(card)) for card in tops)
        notes.append("the first row read as four cells and four foundations")
    columns: tuple[list[int], ...] = tuple([] for _ in range(NUM_COLUMNS))
    ended = [False] * NUM_COLUMNS
    widest = _widest_blank(rows)
    spans = _column_spans(rows)
    for row in rows:
        slots = _slots(row, spans) if _has_blank_gap(row, widest) else dict(enumerate(row.entries))
        for c in range(NUM_COLUMNS):
            entry = slots.get(c)
            if entry is None or entry.card is None:
                ended[c] = True
            elif ended[c]:
                raise BoardError(
                    f"{row.place(entry)}: {card_text(entry.card)} stands below a gap in column "
                    f"{c + 1}; read as rows, a column has no gap before its last card"
                )
            else:
                columns[c].append(entry.card)
    return Tableau(tuple(map(tuple, columns)), tuple(notes), cells, foundations, is_rows=True)


def _below_top_row(lines: list[BoardLine]) -> list[BoardLine]:
    """The lines without a first one of gaps only: nothing in the cells and on the foundations."""
    return list(lines[1:] if not lines[0].cards else lines)


def _is_top_row(rows: list[BoardLine]) -> bool:
    """Whether the first row holds cells and foundations: it has a gap above a card."""
    if len(rows) < 2 or len(rows[1].entries) != NUM_COLUMNS:
        return False
    return any(
        above.card is None and below.card is not None
        for above, below in zip(rows[0].entries, rows[1].entries, strict=True)
    )


# Where an entry stands on the screen, for rows in which ended columns are left blank.


def _span(row: BoardLine, entry: Entry) -> tuple[int, int]:
    """Where `entry` starts and ends on the screen: tabs expanded, nothing of no width."""
    before = row.text[: entry.start].translate(_NO_VARIATION_SELECTORS)
    start = len(before.expandtabs())
    return start, start + len(entry.text.translate(_NO_VARIATION_SELECTORS))


def _blanks(row: BoardLine) -> Iterable[int]:
    """The width of the blank before each entry; the line starts as if after an entry."""
    last_end = 0
    for entry in row.entries:
        start, end = _span(row, entry)
        yield start - last_end
        last_end = end


def _widest_blank(rows: list[BoardLine]) -> int:
    """The widest blank in a row that has all its entries."""
    full_rows = [row for row in rows if len(row.entries) == NUM_COLUMNS]
    return max((blank for row in full_rows for blank in _blanks(row)), default=0)


def _has_blank_gap(row: BoardLine, widest: int) -> bool:
    return len(row.entries) < NUM_COLUMNS and any(blank > widest for blank in _blanks(row))


def _column_spans(rows: list[BoardLine]) -> list[tuple[int, int]]:
    """Where each column starts and ends on the screen, over the rows that have all entries."""
    full_rows = [row for row in rows if len(row.entries) == NUM_COLUMNS]
    spans = [[_span(row, row.entries[c]) for row in full_rows] for c in range(NUM_COLUMNS)]
    return [(min(s for s, _ in column), max(e for _, e in column)) for column in spans if column]


def _slots(row: BoardLine, spans: list[tuple[int, int]]) -> dict[int, Entry]:
    """Column index -> the entry that stands under that column.

    Raises:
        BoardError: if an entry does not stand under exactly one column.
    """
    slots: dict[int, Entry] = {}
    for entry in row.entries:
        start, end = _span(row, entry)
        under = [c for c, (left, right) in enumerate(spans) if start < right and left < end]
        if len(under) != 1 or under[0] in slots:
            raise BoardError(
                f"{row.place(entry)}: {entry.text!r} does not stand under one column; "
                "read as rows, write -- where a column has ended"
            )
        slots[under[0]] = entry
    return slots
