"""Boards as text, the way people and programs write them: `parse_board`.

What `writing` writes is read back as it was. Of these readers, in this order, the first that knows
the text by its signs reads it:

| reader | signs | module |
|---|---|---|
| KPatience | `<` at the start | `kpatience` |
| PDDL | `(define` at the start | `pddl` |
| JSON | `{` or `[` at the start, and it is JSON, or Python's or JavaScript's | `json_board` |
| transcript | a solver's rulers or its `Move ...` lines: its first state, as text | `transcript` |
| text, strict | cards as `7H`, labels, comments, nothing else | `sheet` |
| text, lenient | headings, numbers, brackets, suit first | `sheet` |
| text in a language | French, German, Hungarian, Croatian, Hebrew | `decks` |

A text is then read as columns, as rows, or in deal order: see `layouts`, and `judge` for which of
them is meant. What was guessed or ignored is in the notes.
"""

from __future__ import annotations

import re
from typing import Final

from boulanger.engine.boards.decks import DECKS, ENGLISH
from boulanger.engine.boards.decoding import MAX_BOARD_BYTES, decoded, lines_of
from boulanger.engine.boards.json_board import one_language, parse_json_board
from boulanger.engine.boards.judge import judged
from boulanger.engine.boards.kpatience import is_kpatience, read_kpatience
from boulanger.engine.boards.layouts import COLUMNS, ROWS
from boulanger.engine.boards.parsed import (
    ParsedBoard,
    finished,
)
from boulanger.engine.boards.pddl import is_pddl, read_pddl
from boulanger.engine.boards.sheet import Sheet, read_sheet
from boulanger.engine.boards.transcript import first_state, is_transcript
from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.errors import BoardError
from boulanger.engine.notes import Note
from boulanger.engine.position import (
    NUM_COLUMNS,
    check_num_cells,
)
from boulanger.engine.words import message

__all__ = ["MAX_BOARD_BYTES", "ParsedBoard", "parse_board"]

_MAX_LENIENT_CHARACTERS: Final = 16 * 1024  # what is around 52 cards is not longer
_GIVEN_TWICE: Final = {
    "cells": "reading.cells_twice",
    "foundations": "reading.foundations_twice",
}
_ABOUT_TWO_WAYS: Final = frozenset(
    {
        *("reading.several", "reading.column_or_cells", "reading.top_or_row"),
        *("reading.rows_or_columns", "reading.languages", "reading.two_boards"),
    }
)
_GROUP_SEPARATOR: Final = re.compile(r"\s*(?:/|\||;|\]\s*,?\s*\[)\s*")


def parse_board(
    text: str | bytes, num_cells: int | None = None, layout: str | None = None
) -> ParsedBoard:
    """The board in `text`, whatever its format.

    Args:
        text: the whole file; bytes are UTF-8 or UTF-16.
        num_cells: how many cells are in play, 0..8; None leaves it to the board, and to four.
        layout: `"columns"` or `"rows"` if the caller knows what the lines are; None if not.

    Raises:
        BoardError: one sentence about the first thing that is wrong, with its line and column
            from 1 where it has any; or about the two ways in which the text can be read.
    """
    if num_cells is not None:
        check_num_cells(num_cells)
    if layout not in (None, COLUMNS, ROWS):
        raise BoardError("reading.no_layout", layout=repr(layout))
    plain = decoded(text)
    if is_kpatience(plain):
        return finished(read_kpatience(plain), num_cells, "KPatience")
    if is_pddl(plain):
        return finished(read_pddl(plain), num_cells, "PDDL")
    if plain.lstrip()[:1] in ("{", "["):
        try:
            return parse_json_board(plain, num_cells, layout)
        except BoardError as error:
            if plain.lstrip()[:1] == "{" or not _is_drawn_in_brackets(plain):
                raise
            first_error: BoardError | None = error
    else:
        first_error = None
    if is_transcript(plain):
        state, num_states = first_state(plain)
        board = _parse_text(state, num_cells, layout)
        if num_states == 1:
            return board
        return board.with_notes(Note("note.first_state", number=num_states))
    try:
        return _parse_text(plain, num_cells, layout)
    except BoardError:
        if first_error is not None and plain.count("[") == 1:
            raise first_error from None
        raise


def _is_drawn_in_brackets(text: str) -> bool:
    """Whether brackets are drawn around cards or numbers, as in `[JD] [2D]` or `[1,] JD`."""
    return re.match(r"\s*\[[^\[\]{}\",]{0,4},?[^\[\]{}\",]{0,4}\][^\n]*\n", text) is not None


def _parse_text(text: str, num_cells: int | None, layout: str | None) -> ParsedBoard:
    try:
        sheet = read_sheet(text, ENGLISH)
        strict_error: BoardError | None = None
    except BoardError as error:
        sheet, strict_error = Sheet(), error
    if strict_error is None:
        try:
            return _read(sheet, num_cells, layout, "English")
        except BoardError as error:
            strict_error = error
    lenient = _parse_leniently(text, num_cells, layout)
    if isinstance(lenient, ParsedBoard):
        return lenient
    raise lenient or strict_error


def _read(sheet: Sheet, num_cells: int | None, layout: str | None, language: str) -> ParsedBoard:
    if not sheet.lines and sheet.foundations is None and sheet.cells is None:
        if sheet.passed_over:
            raise BoardError("reading.no_cards")
        raise BoardError("reading.comments_only")
    _check_one_board(sheet)
    return judged(sheet, num_cells, layout, language)


def _parse_leniently(
    text: str, num_cells: int | None, layout: str | None
) -> ParsedBoard | BoardError | None:
    """The board in what is no strict text; an error if it can be read in two ways; else None."""
    if len(text) > _MAX_LENIENT_CHARACTERS:
        return None
    text = _without_groups(text)
    found: list[ParsedBoard] = []
    two_ways: BoardError | None = None
    for deck in DECKS:
        try:
            sheet = read_sheet(text, deck, is_lenient=True)
            board = _read(sheet, num_cells, layout, deck.language)
        except BoardError as error:
            if error.key in _ABOUT_TWO_WAYS:
                two_ways = two_ways or error
            continue
        if deck is ENGLISH:
            return board
        found.append(board)
    if not found:
        return two_ways
    try:
        return one_language(found)
    except BoardError as error:
        return error


def _without_groups(text: str) -> str:
    """A text of one line with eight groups of cards, `4C 2C .. / 5H QH ..`, as eight lines."""
    lines = [line for line in lines_of(text) if line.strip()]
    if len(lines) != 1:
        return text
    groups = [group for group in _GROUP_SEPARATOR.split(lines[0]) if group.strip()]
    return "\n".join(f": {group}" for group in groups) if len(groups) == NUM_COLUMNS else text


def _check_one_board(sheet: Sheet) -> None:
    """Raises BoardError if a second board follows, or the cells or foundations come twice."""
    second = _second_board_line(sheet)
    if second is not None:
        first_end = max(line.number for line in sheet.lines if line.number < second)
        # A label between the two is the second board's, unless its like follows that board too.
        labels = [lines[:2][-1] for lines in sheet.label_lines.values()]
        start = min([second, *(number for number in labels if number > first_end)])
        raise BoardError("reading.two_boards", line=start)
    for name, lines in sheet.label_lines.items():
        if len(lines) > 1:
            where = message("where.line", line=lines[1])
            raise BoardError(_GIVEN_TWICE[name], first=lines[0]).at(where)


def _second_board_line(sheet: Sheet) -> int | None:
    """The number of the line where a second board starts after a first one; None if none does."""
    lines = sheet.lines
    num_cards = sum(len(line.cards) for line in lines)
    if len(lines) <= NUM_COLUMNS and num_cards <= NUM_CARDS:
        return None
    everything = {card for line in lines for card in line.cards}
    seen: set[int] = set()
    num_before = 0
    for line in lines:
        # One or two repeated lines are a typing error; half a board repeated is a second board.
        if line.cards and seen == everything and num_cards >= 1.5 * num_before:
            return line.number
        seen.update(line.cards)
        num_before += len(line.cards)
    if num_cards > len(everything) and len(lines) >= 2 * NUM_COLUMNS:
        return lines[NUM_COLUMNS].number
    return None
