"""Boards as text, the way people write and post them.

Written:

    Foundations: H-4 C-A D-A S-A
    Freecells: 6S 8H - -
    : 4C 2C 9C 8C QS JD
    :
    ...

with eight column lines, each from the buried card to the exposed one.

Read, besides: ten as `10`, any case, suit symbols; no colons; the first two lines anywhere, empty
or not there at all (nothing on the foundations, nothing in the cells); comments from `#` or `//`
to the end of a line and lines that start with `;`; commas; blank lines. An empty column is a line
with `:` or `-` alone. With eight column lines blank lines mean nothing; with fewer, blank lines
between them are empty columns if that makes eight. A board seen from above, in rows, is read too
if it cannot be eight columns (`engine.boards.tableau`), and so is JSON
(`engine.boards.json_board`).

There are four cells unless the caller says otherwise; a Freecells line with more entries than that,
some of them `-`, says otherwise itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from boulanger.engine.boards.json_board import parse_json_board
from boulanger.engine.boards.tableau import BoardLine, Entry, read_tableau, second_board_line
from boulanger.engine.boards.tokens import (
    gather_foundations,
    is_gap,
    quote,
    read_card,
    read_foundation,
)
from boulanger.engine.cards import RANK_LETTERS, SUIT_LETTERS, card_text
from boulanger.engine.errors import BoardError
from boulanger.engine.position import DEFAULT_CELLS, MAX_CELLS, Position, check_num_cells

# A board has some 200 characters; this leaves room for a long comment.
MAX_BOARD_BYTES: Final = 64 * 1024

_WRITTEN_SUIT_ORDER: Final = "HCDS"  # Freecell Solver's

# What web pages and word processors leave between words without showing it counts as blank.
_TOKEN: Final = re.compile(r"[^\s,\u200b\u200e\u200f\u2060\ufeff]+")
_COMMENT: Final = re.compile(r"^\s*;.*|(?:#|//).*")
_LABEL: Final = re.compile(
    r"\s*(?:(?P<foundations>foundations?|founds)|(?P<cells>(?:free[ -]?)?cells?))(?:\s*:|\b)",
    re.IGNORECASE,
)
_COLON: Final = re.compile(r"\s*:")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class ParsedBoard:
    """A board that was read.

    Attributes:
        position: the legal position.
        notes: what the reader should be told about how it was read, each without a full stop.
    """

    position: Position
    notes: tuple[str, ...] = ()


def parse_board(text: str | bytes, num_cells: int | None = None) -> ParsedBoard:
    """The board in `text`, whatever its format.

    Args:
        text: the whole file; bytes are UTF-8 with or without a byte-order mark.
        num_cells: how many cells are in play, 0..8; None leaves it to the board, and to four.

    Raises:
        BoardError: one sentence about the first thing that is wrong, with its line and column
            from 1 where it has any.
    """
    if num_cells is not None:
        check_num_cells(num_cells)
    decoded = _decoded(text)
    if decoded.lstrip()[:1] in ("{", "["):
        return ParsedBoard(*parse_json_board(decoded, num_cells))
    return _parse_text_board(decoded, num_cells)


def format_board(position: Position) -> str:
    """The written form above, with all ten lines and a newline at the end.

    The Freecells line has one entry a cell. That is all that tells the number of cells, so a reader
    who must get back the very position gives `parse_board` that number.
    """
    ranks = dict(zip(SUIT_LETTERS, position.foundations, strict=True))
    foundations = (
        f"{s}-{RANK_LETTERS[ranks[s] - 1] if ranks[s] else 0}" for s in _WRITTEN_SUIT_ORDER
    )
    cells = ("-" if card is None else card_text(card) for card in position.cells)
    lines = [
        ("Foundations:", *foundations),
        ("Freecells:", *cells),
        *((":", *map(card_text, column)) for column in position.columns),
    ]
    return "".join(" ".join(line) + "\n" for line in lines)


def _decoded(text: str | bytes) -> str:
    """`text` as text without a byte-order mark; refuses quickly what cannot be a board."""
    if len(text) > MAX_BOARD_BYTES:
        raise BoardError(
            f"more than {MAX_BOARD_BYTES // 1024} KiB: too long for a board, which is 52 cards"
        )
    decoded = text if isinstance(text, str) else _from_bytes(text)
    decoded = decoded.removeprefix("\ufeff")
    control = _CONTROL.search(decoded)
    if control is not None:
        line, column = _line_and_column(decoded, control.start())
        raise BoardError(
            f"line {line}, column {column}: binary data ({ord(control[0]):#04x}); "
            "a board is plain text"
        )
    if not decoded.strip():
        raise BoardError("the board is empty; eight column lines or JSON expected")
    return decoded


def _from_bytes(data: bytes) -> str:
    if data.startswith(_UTF_16_MARKS) or _looks_like_utf_16(data):
        raise BoardError("the board is in UTF-16; save it as UTF-8")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _line_and_column(data[: error.start].decode("utf-8"), error.start)
        raise BoardError(
            f"line {line}, column {column}: byte {data[error.start]:#04x} is not UTF-8 text; "
            "save the board as plain text in UTF-8"
        ) from None


def _looks_like_utf_16(data: bytes) -> bool:
    """Plain letters in UTF-16 leave every other byte zero, and no byte between them."""
    zeros = sorted((data[::2].count(0), data[1::2].count(0)))
    return zeros[0] == 0 and 4 * zeros[1] > len(data) >= 8


def _line_and_column(text: str, index: int) -> tuple[int, int]:
    lines = _lines(text[:index])
    return len(lines), len(lines[-1]) + 1


def _lines(text: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", text)


def _parse_text_board(text: str, num_cells: int | None) -> ParsedBoard:
    sheet = _read_sheet(text)
    _check_one_board(sheet)
    if not sheet.column_lines and sheet.foundations is None and sheet.cells is None:
        raise BoardError("the board has comments only; eight column lines or JSON expected")
    tableau = read_tableau(sheet.column_lines, sheet.blank_lines)
    if (tableau.cells or tableau.foundations) and (sheet.cells or sheet.foundations):
        raise BoardError(
            "the cells and foundations are given twice: in the first row and in lines of their own"
        )
    foundations = gather_foundations(sheet.foundations or tableau.foundations)
    cells = sheet.cells or tableau.cells
    try:
        position = Position(tableau.columns, cells, foundations)
        position.check()
        position = position.with_num_cells(
            _cells_in_play(cells) if num_cells is None else num_cells
        )
    except BoardError as error:
        # The places in the message are meant in columns, so say what was taken for one.
        raise BoardError(f"{tableau.notes[0]}; {error}" if tableau.notes else str(error)) from None
    return ParsedBoard(position, tableau.notes)


def _cells_in_play(cells: Sequence[int | None]) -> int:
    """How many cells a line with these entries means. More cards than four are rather a slip."""
    return max(DEFAULT_CELLS, len(cells)) if None in cells else DEFAULT_CELLS


@dataclass(slots=True)
class _Sheet:
    """The lines of a text by what they are; `label_lines` has the lines of each label."""

    column_lines: list[BoardLine] = field(default_factory=list)
    blank_lines: list[int] = field(default_factory=list)
    foundations: tuple[tuple[int, int], ...] | None = None
    cells: tuple[int | None, ...] | None = None
    label_lines: dict[str, list[int]] = field(default_factory=dict)


def _read_sheet(text: str) -> _Sheet:
    """Every line read, none yet compared with another."""
    sheet = _Sheet()
    for number, raw in enumerate(_lines(text), start=1):
        line = _COMMENT.sub("", raw)
        label = _LABEL.match(line)
        if label is not None:
            _read_label_line(sheet, number, line, label)
        elif _TOKEN.search(line):
            sheet.column_lines.append(_read_column_line(number, line))
        elif line == raw:
            sheet.blank_lines.append(number)
    return sheet


def _read_label_line(sheet: _Sheet, number: int, line: str, label: re.Match[str]) -> None:
    name = str(label.lastgroup)
    sheet.label_lines.setdefault(name, []).append(number)
    tokens = list(_TOKEN.finditer(line, label.end()))
    if name == "cells":
        sheet.cells = tuple(_read_entry(number, token).card for token in tokens)
        if len(tokens) > MAX_CELLS:
            raise BoardError(f"line {number}: {len(tokens)} cells; there can be 0 to {MAX_CELLS}")
        return
    pairs: list[tuple[int, int]] = []
    for token in tokens:
        if is_gap(token[0]):
            continue
        try:
            pairs.append(read_foundation(token[0]))
            gather_foundations(pairs)
        except BoardError as error:
            raise BoardError(f"{_place(number, token)}: {error}") from None
    sheet.foundations = tuple(pairs)


def _read_column_line(number: int, line: str) -> BoardLine:
    colon = _COLON.match(line)
    tokens = _TOKEN.finditer(line, colon.end() if colon else 0)
    entries = tuple(_read_entry(number, token) for token in tokens)
    return BoardLine(number, line, entries, has_colon=colon is not None)


def _read_entry(number: int, token: re.Match[str]) -> Entry:
    if is_gap(token[0]):
        return Entry(None, token[0], token.start())
    if token[0][:-1].isalpha() and token[0].endswith(":"):
        raise BoardError(
            f"{_place(number, token)}: {quote(token[0])} is not known here; the lines that start "
            "with a word are Foundations: and Freecells:"
        )
    try:
        return Entry(read_card(token[0]), token[0], token.start())
    except BoardError as error:
        raise BoardError(f"{_place(number, token)}: {error}") from None


def _place(number: int, token: re.Match[str]) -> str:
    return f"line {number}, column {token.start() + 1}"


def _check_one_board(sheet: _Sheet) -> None:
    """Raises BoardError if a second board follows, or the cells or foundations come twice."""
    second = second_board_line(sheet.column_lines)
    if second is not None:
        first_end = max(line.number for line in sheet.column_lines if line.number < second)
        # A label between the two is the second board's, unless its like follows that board too.
        labels = [lines[:2][-1] for lines in sheet.label_lines.values()]
        start = min([second, *(number for number in labels if number > first_end)])
        raise BoardError(f"two boards in one file: the second starts at line {start}")
    for name, lines in sheet.label_lines.items():
        if len(lines) > 1:
            raise BoardError(
                f"line {lines[1]}: the {name} are given twice, first in line {lines[0]}"
            )
