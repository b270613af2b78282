"""Which reading of a tableau is meant: columns, rows or deal order.

A reading counts only if it comes to 52 different cards and a legal board. If one board is left,
that is it. If rows and columns both are, these speak for one of them, in this order:

1. the caller's word (`--rows`, `--columns`), or labels such as "Column 1:";
2. blanks that show where a column has ended, each below its column, or `--` there: rows;
3. a fresh deal one way and, the other way, columns that no game leads to: the fresh deal;
4. a colon before each line: columns (unless no game leads to them, but to the rows, and there are
   no foundations and cells above them);
5. columns that no game can have led to, three of them at least, and none the other way.

Otherwise the board is refused, with both readings named and how to make it plain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from boulanger.engine.boards.layouts import (
    COLUMNS,
    DEAL_ORDER,
    ROWS,
    Candidate,
    column_candidates,
    deal_order_candidates,
    row_candidates,
)
from boulanger.engine.boards.parsed import (
    DECISIVE,
    Draft,
    ParsedBoard,
    finished,
    is_fresh,
    num_unplayable_columns,
)
from boulanger.engine.boards.sheet import Sheet
from boulanger.engine.boards.tokens import quote
from boulanger.engine.errors import BoardError
from boulanger.engine.notes import Note
from boulanger.engine.position import DEFAULT_CELLS, NUM_COLUMNS
from boulanger.engine.words import joined, message

_GIVEN_TWICE: Final = "reading.top_twice"


@dataclass(frozen=True, slots=True)
class Reading:
    """A candidate that came to a legal board."""

    candidate: Candidate
    board: ParsedBoard


def judged(sheet: Sheet, num_cells: int | None, layout: str | None, language: str) -> ParsedBoard:
    """The board that the lines of `sheet` mean.

    Args:
        sheet: the lines.
        num_cells: as `finished` takes it.
        layout: `COLUMNS` or `ROWS` if the caller says which; None if not.
        language: of the cards.

    Raises:
        BoardError: if no reading is a board, or two are and nothing says which is meant.
    """
    if layout is None and sheet.has_column_labels:
        layout = COLUMNS
    faults: list[tuple[str, BoardError]] = []
    readings: list[Reading] = []
    # Missing cards are taken to be home only if no reading needs that.
    for may_be_home in (False, True):
        for candidate in _candidates(sheet, layout, faults):
            try:
                board = _board(sheet, candidate, num_cells, language, may_be_home)
            except BoardError as error:
                if error.key == _GIVEN_TWICE or not candidate.is_bold:
                    faults.append((candidate.reading, error))
            else:
                readings.append(Reading(candidate, board))
        if readings:
            break
    if not readings:
        raise _fault(sheet, faults, layout)
    return _chosen(sheet, readings)


def _candidates(
    sheet: Sheet, layout: str | None, faults: list[tuple[str, BoardError]]
) -> Iterator[Candidate]:
    readers: tuple[tuple[str, Callable[[Sheet], Iterator[Candidate]]], ...] = (
        (COLUMNS, partial(column_candidates, is_told=layout == COLUMNS)),
        (ROWS, row_candidates),
        (DEAL_ORDER, deal_order_candidates),
    )
    found: list[Candidate] = []
    for name, reader in readers:
        if layout not in (None, name) or (name == DEAL_ORDER and found):
            continue
        try:
            for candidate in reader(sheet):
                found.append(candidate)
                yield candidate
        except BoardError as error:
            faults.append((name, error))


def _board(
    sheet: Sheet, candidate: Candidate, num_cells: int | None, language: str, may_be_home: bool
) -> ParsedBoard:
    is_twice = (candidate.cells is not None and sheet.cells is not None) or (
        candidate.foundations is not None and sheet.foundations is not None
    )
    if is_twice:
        raise BoardError(_GIVEN_TWICE)
    from_top = candidate.cells is not None
    draft = Draft(
        candidate.columns,
        (candidate.cells if from_top else sheet.cells) or (),
        sheet.foundations if candidate.foundations is None else candidate.foundations,
        candidate.told_cells if from_top else sheet.told_cells,
        (*candidate.notes, *sheet.notes, *sheet.passed_over_notes()),
        may_be_home,
    )
    return finished(draft, num_cells, candidate.reading, language)


def _chosen(sheet: Sheet, readings: list[Reading]) -> ParsedBoard:
    readings = _with_or_without_top_row(sheet, readings)
    if any(reading.candidate.foundations is not None for reading in readings):
        # Five to eight cards above a board are cells and foundations rather than that many cells.
        readings = [reading for reading in readings if not _is_many_cells(reading)]
    columns = [reading for reading in readings if reading.candidate.reading == COLUMNS]
    rows = [reading for reading in readings if reading.candidate.reading == ROWS]
    if not columns or not rows:
        return _the_one(readings)
    if len({reading.board.position for reading in readings}) == 1:
        return rows[0].board
    return _rows_or_columns(sheet, columns, rows)


def _with_or_without_top_row(sheet: Sheet, readings: list[Reading]) -> list[Reading]:
    """The readings with a top row or those without, where both come to a board.

    A blank line below the first line alone speaks for a top row. Without one, four aces in the
    first line may be home, or not.

    Raises:
        BoardError: if that cannot be told.
    """
    plain = [reading for reading in readings if _is_plain(reading)]
    topped = [reading for reading in readings if not _is_plain(reading)]
    if not plain or not topped:
        return readings
    numbers = [line.number for line in sheet.lines]
    inner = [n for n in sheet.blank_lines if numbers[0] < n < numbers[-1]]
    if any(r.candidate.reading == COLUMNS and r.candidate.cells for r in topped):
        raise BoardError("reading.column_or_cells")
    is_apart = bool(inner) and len(numbers) > 1 and all(n < numbers[1] for n in inner)
    if is_apart:
        return topped
    of_rows = [r for r in topped if r.candidate.reading == ROWS and r.candidate.foundations]
    if of_rows and not any(is_fresh(reading.board.position) for reading in plain):
        raise BoardError("reading.top_or_row")
    return plain


def _is_plain(reading: Reading) -> bool:
    """Whether nothing needed an unlabelled line to be taken for cells or foundations."""
    return reading.candidate.cells is None and reading.candidate.foundations is None


def _is_many_cells(reading: Reading) -> bool:
    cells = reading.candidate.cells or ()
    return reading.candidate.foundations is None and len(cells) > DEFAULT_CELLS


def _the_one(readings: list[Reading]) -> ParsedBoard:
    """The board of readings of one kind.

    Raises:
        BoardError: if they are not all the same board.
    """
    if len({reading.board.position for reading in readings}) == 1:
        return readings[0].board
    ways: list[Any] = [
        [note.message for note in notes]
        for notes in dict.fromkeys(reading.candidate.notes for reading in readings)
    ]
    advice = message("reading.advice_colon")
    if readings[0].candidate.reading == ROWS:
        advice = message("reading.advice_gaps")
        if len(ways) == 1:
            ways = [message("reading.which_is_empty")]
    shown = joined(ways[:3], "join.comma_or")
    raise BoardError("reading.several", ways=shown, advice=advice)


def _rows_or_columns(sheet: Sheet, columns: list[Reading], rows: list[Reading]) -> ParsedBoard:
    """The one that is meant, by the order that the module tells."""
    of_columns = min(num_unplayable_columns(reading.board.position) for reading in columns)
    of_rows = min(num_unplayable_columns(reading.board.position) for reading in rows)
    is_fresh_in_rows = any(is_fresh(reading.board.position) for reading in rows)
    is_fresh_in_columns = any(is_fresh(reading.board.position) for reading in columns)
    has_colons = all(line.has_colon for line in sheet.lines)
    if any(reading.candidate.has_drawn_gap for reading in rows):
        return _the_one([reading for reading in rows if reading.candidate.has_drawn_gap])
    has_written_gap = any(line.has_gap and line.cards for line in sheet.lines)
    if has_written_gap and not (of_rows >= DECISIVE and not of_columns):
        return _the_one(rows)
    if is_fresh_in_rows and of_columns >= DECISIVE:
        return _the_one([reading for reading in rows if is_fresh(reading.board.position)])
    if is_fresh_in_columns and (has_colons or of_rows >= DECISIVE):
        return _the_one([reading for reading in columns if is_fresh(reading.board.position)])
    has_labels = sheet.foundations is not None and sheet.cells is not None
    if has_colons and (has_labels or not of_columns or of_rows):
        return _the_one(columns)
    if of_columns >= DECISIVE and not of_rows and not has_colons:
        return _the_one(rows)
    if of_rows >= DECISIVE and not of_columns:
        return _the_one(columns).with_notes(Note("note.no_game_as_rows"))
    raise BoardError("reading.rows_or_columns")


def _fault(sheet: Sheet, faults: list[tuple[str, BoardError]], layout: str | None) -> BoardError:
    """The error of the reading that comes nearest."""
    by_reading: dict[str, BoardError] = {}
    for reading, error in faults:
        if error.key != _GIVEN_TWICE:
            by_reading.setdefault(reading, error)
    twice = [error for _, error in faults if error.key == _GIVEN_TWICE]
    looks_like_rows = _look_like_rows(sheet)
    if twice and looks_like_rows and sheet.lines[0].has_gap and sheet.lines[0].cards:
        return twice[0]
    if COLUMNS in by_reading and not looks_like_rows:
        return by_reading[COLUMNS]
    if ROWS in by_reading and looks_like_rows:
        return _row_fault(by_reading[ROWS])
    inner = next(
        (
            (line, entry)
            for line in sheet.lines
            for entry in line.entries
            if entry.card is None and len(line.entries) > 1
        ),
        None,
    )
    if inner is not None and layout != ROWS:
        line, entry = inner
        fault = BoardError("reading.gap_in_column", word=quote(entry.text))
        return fault.at(line.place(entry))
    if layout == ROWS and ROWS in by_reading:
        return _row_fault(by_reading[ROWS])
    fault = BoardError("position.num_columns", found=len(sheet.lines))
    advice = _advice(sheet)
    if advice is None:
        return fault
    return BoardError("reading.then_advice", error=fault.message, advice=message(advice))


def _row_fault(error: BoardError) -> BoardError:
    if error.key == "error.at":
        return error
    return BoardError("reading.as_rows", error=error.message)


def _look_like_rows(sheet: Sheet) -> bool:
    """Whether the lines are rather rows: eight entries in the first, gaps, no colon."""
    lines = [line for line in sheet.lines if line.entries]
    lengths = [len(line.entries) for line in lines]
    if not lines or any(line.has_colon for line in lines) or max(lengths) > NUM_COLUMNS:
        return False
    if NUM_COLUMNS not in lengths[:2]:
        return False
    if any(line.has_gap and len(line.entries) > 1 for line in lines):
        return True
    is_indented = any(line.entries[0].start > lines[0].entries[0].start + 1 for line in lines)
    is_falling = lengths == sorted(lengths, reverse=True)
    if len(lines) == NUM_COLUMNS:
        return is_indented
    return (
        is_indented or lengths[:6] == [NUM_COLUMNS] * 6 or (len(lines) > NUM_COLUMNS and is_falling)
    )


def _advice(sheet: Sheet) -> str | None:
    """The key of what to write where there are too few or too many lines; None for nothing."""
    lines = sheet.lines
    if not lines:
        return None
    if len(lines) > NUM_COLUMNS:
        first = lines[0]
        if len(lines) == NUM_COLUMNS + 1 and len(first.entries) <= NUM_COLUMNS:
            return "reading.advice_cells"
        return None
    has_colons = any(line.has_colon for line in lines)
    if not has_colons and max(len(line.entries) for line in lines) <= NUM_COLUMNS:
        return "reading.advice_colon_or_rows"
    return "reading.advice_colon"
