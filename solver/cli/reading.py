"""Deals and boards from files and standard input, read no further than they can be long.

The readers of boards are imported once there is a board: a code need not wait for them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from boulanger.engine.boards.decoding import MAX_BOARD_BYTES, from_bytes
from boulanger.engine.deals.codes import looks_like_code
from boulanger.engine.deals.dealers import MS
from boulanger.engine.deals.joke import joke_deal
from boulanger.engine.deals.names import CODE, is_name, spell
from boulanger.engine.errors import (
    BoardError,
    BoulangerError,
    CodeError,
    DealError,
    NotationError,
)
from boulanger.engine.notes import Note
from boulanger.engine.position import DEFAULT_CELLS, deal_order
from boulanger.engine.words import message
from boulanger.solver.cli.arguments import voice
from boulanger.solver.cli.terminal import remark
from boulanger.solver.deals.code_dealer import code_dealer
from boulanger.solver.deals.source import DealKind, DealSource, read_name

STANDARD_INPUT: Final = "-"

MAX_MOVES_BYTES: Final = 1 << 20  # a long solution with its comments has some 30,000

# Deal 24 as PySolFC writes its number, and the two deals of Microsoft's game that are jokes.
_PYSOL_MS: Final = re.compile(r"\s*ms[ #]?([0-9]{1,10})\s*", re.IGNORECASE)
_JOKE: Final = re.compile(r"\s*ms\s*:?\s*(-[12])\s*", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\s*[0-9]+\s*")
# A name with whatever is wrong with it; a board is longer.
_MAX_NAME_BYTES: Final = 80


def read_deal(
    text: str,
    num_cells: int | None = None,
    dealer: str | None = None,
    layout: str | None = None,
) -> DealSource:
    """The deal that the command's DEAL stands for: a name, a file with a board, or `-`.

    A code goes before a file of that name; `./` before the name means the file. A file or standard
    input may hold a name instead of a board.

    Args:
        text: the DEAL argument.
        num_cells: cells in play, 0..8, whatever a code or a board says; if None, what those say,
            else four.
        dealer: the name of the dealer for a code; if None, the one in use.
        layout: "rows" or "columns" if it is known what the lines of a board are.

    Raises:
        BoulangerError: says what is wrong with the name, the file or the board in it, or what was
            expected if it is not one of these; or what is wrong with the dealer.
    """
    if dealer is None:
        return _read_any(text, num_cells, None, layout)
    code_dealer(dealer)  # a wrong name is an error even where it is ignored
    source = _read_any(text, num_cells, dealer, layout)
    if source.kind == DealKind.CODE:
        return source
    note = Note("note.dealer_ignored", dealer=dealer)
    return replace(source, notes=(*source.notes, note))


def read_dealt_board(
    name: str, layout: str | None = None
) -> tuple[tuple[int, ...], tuple[Note, ...]]:
    """The 52 cards of a board in deal order, from a file or standard input (`-`).

    Returns:
        the cards, and notes on how the board was read.

    Raises:
        BoulangerError: if it cannot be read, or a game is under way on it.
    """
    from boulanger.engine.boards.text import parse_board

    data = read_input(name, MAX_BOARD_BYTES, "board")
    try:
        board = parse_board(data, layout=layout)
        cards = deal_order(board.position.columns)
        if cards is None:
            raise BoardError("file.not_dealt")
    except BoulangerError as error:
        raise BoardError("error.at", where=shown_name(name), error=error.message) from None
    return cards, board.notes


def read_deals(
    data: bytes, name: str, num_cells: int | None = None, dealer: str | None = None
) -> list[DealSource]:
    """The deals in a file, in order.

    A name or a board in JSON takes a line of its own; a board as text ends before an empty line or
    one of these. Lines that begin with `#`, and what follows a name and a `#`, are ignored; a
    number alone is that of a game code. A board is named after the file and its
    line, such as `deals.txt:7`.

    Args:
        data: the file.
        name: of the file, for boards and errors.
        num_cells, dealer: as `read_deal` takes them.

    Raises:
        BoulangerError: names the line and says what is wrong there; or if there is no deal at all.
    """
    try:
        text = from_bytes(data).removeprefix("\ufeff")
    except BoardError:
        raise BoardError("file.not_utf8", name=shown_name(name)) from None
    deals = []
    for number, entry in _entries(text):
        try:
            deals.append(_read_entry(entry, f"{name}:{number}", num_cells, dealer))
        except BoulangerError as error:
            where = message("where.from_line", name=shown_name(name), line=number)
            raise BoardError("error.at", where=where, error=error.message) from None
    if not deals:
        raise BoardError("file.no_deals", name=shown_name(name))
    return deals


def read_input(name: str, max_bytes: int, what: str) -> bytes:
    """The bytes of the file `name`, or of standard input if that is `-`.

    Args:
        name: a path or `-`.
        max_bytes: of anything longer, only one byte more is read.
        what: what the file should hold: "board", "moves", "deals" or "proof".

    Raises:
        BoulangerError: quotes the name and says what is in the way.
    """
    try:
        data = _read(name, max_bytes + 1, what)
    except FileNotFoundError:
        raise BoulangerError("file.missing", name=name) from None
    except IsADirectoryError:
        raise BoulangerError("file.directory", name=repr(name)) from None
    except BoulangerError:
        raise
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise BoulangerError("file.unreadable", name=shown_name(name), reason=reason) from None
    if len(data) > max_bytes:
        kib = max_bytes // 1024
        raise BoulangerError("file.too_long", name=shown_name(name), kib=kib, what=what)
    return data


def shown_name(name: str) -> Any:
    """A file's name as a fact: in quotes, or what standard input is called."""
    return message("answer.standard_input") if name == STANDARD_INPUT else repr(name)


def _read(name: str, max_bytes: int, what: str) -> bytes:
    if name != STANDARD_INPUT:
        with open(name, "rb") as file:
            return file.read(max_bytes)
    if sys.stdin is None:
        raise BoulangerError("file.closed_input")
    if sys.stdin.isatty():
        remark(voice().say("file.paste", what=what))
    return sys.stdin.buffer.read(max_bytes)


def read_moves_text(name: str) -> str:
    """The text of a file with moves, or of standard input.

    Raises:
        BoulangerError: if it cannot be read, or is not text.
    """
    data = read_input(name, MAX_MOVES_BYTES, "moves")
    try:
        return from_bytes(data).removeprefix("\ufeff")
    except BoardError:
        raise NotationError("file.moves_not_utf8", name=shown_name(name)) from None


def _read_any(
    text: str, num_cells: int | None, dealer: str | None, layout: str | None
) -> DealSource:
    if text == STANDARD_INPUT:
        return _read_file(text, num_cells, dealer, layout)
    joke = _JOKE.fullmatch(text)
    if joke is not None:
        return _joke_deal(int(joke[1]), num_cells)
    pysol = _PYSOL_MS.fullmatch(text)
    if pysol is not None and not os.path.exists(text):
        return read_name(f"ms:{pysol[1]}", num_cells, dealer)
    try:
        return read_name(text, num_cells, dealer)
    except CodeError:
        if os.path.exists(text):
            return _read_file(text, num_cells, dealer, layout)
        if looks_like_code(text):
            raise
    raise _no_deal(text)


def _joke_deal(number: int, num_cells: int | None) -> DealSource:
    """Deal -1 or -2 of Microsoft's game."""
    position = joke_deal(number).with_num_cells(DEFAULT_CELLS if num_cells is None else num_cells)
    note = Note("note.joke", number=str(number))
    name = f"ms:{number}"
    return DealSource(DealKind.MS, name, position, (note,), number, dealer=MS.name)


def _read_file(
    name: str, num_cells: int | None, dealer: str | None, layout: str | None
) -> DealSource:
    from boulanger.engine.boards.text import parse_board

    data = read_input(name, MAX_BOARD_BYTES, "board")
    try:
        if len(data) <= _MAX_NAME_BYTES:
            text = from_bytes(data).removeprefix("\ufeff").strip()
            if is_name(text):
                return read_name(text, num_cells, dealer)
        board = parse_board(data, num_cells, layout)
    except BoulangerError as error:
        raise BoardError("error.at", where=shown_name(name), error=error.message) from None
    return DealSource(DealKind.BOARD, name, board.position, board.notes)


def _no_deal(text: str) -> DealError:
    """The error for what is neither a deal nor a file."""
    if not text.strip():
        return DealError("deal.none", text=text)
    if _DIGITS.fullmatch(text):
        return DealError("deal.number_only", text=text, number=text.strip())
    if "\n" in text or text.lstrip()[0] in "{[:":
        return DealError("deal.board_as_argument", text=text)
    return DealError("deal.neither", text=text)


def _entries(text: str) -> Iterator[tuple[int, str]]:
    """Each deal's text, with the number of its first line."""
    block: list[str] = []
    first = 0
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        stripped = line.strip()
        if stripped.startswith("#"):
            continue
        # As in the lists of `classify`: what follows a # is a comment, a number is that of a code.
        body = stripped.partition("#")[0].strip()
        if is_name(body):
            stripped = body
        elif not block and body.isascii() and body.isdigit():
            stripped = spell(CODE, body)
        is_alone = is_name(stripped) or stripped[:1] in ("{", "[")
        if block and (is_alone or not stripped):
            yield first, "\n".join(block)
            block = []
        if is_alone:
            yield number, stripped
        elif stripped:
            first = first if block else number
            block.append(line)


def _read_entry(entry: str, name: str, num_cells: int | None, dealer: str | None) -> DealSource:
    if is_name(entry):
        return read_name(entry, num_cells, dealer)
    from boulanger.engine.boards.text import parse_board

    board = parse_board(entry, num_cells)
    return DealSource(DealKind.BOARD, name, board.position, board.notes)
