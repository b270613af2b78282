"""What the command's DEAL argument stands for: a code, `ms:NUMBER`, a random deal, or a board."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from boulanger.engine.boards.text import MAX_BOARD_BYTES, ParsedBoard, parse_board
from boulanger.engine.deals.codes import GameCode, looks_like_code, parse_code
from boulanger.engine.deals.dealers import (
    MS,
    RANDOM_PREFIX,
    Dealer,
    parse_ms_number,
    parse_random_deal,
)
from boulanger.engine.errors import BoardError, BoulangerError, CodeError, DealError
from boulanger.engine.position import DEFAULT_CELLS, Position
from boulanger.engine.words import quoted
from boulanger.solver.cli.reading import STANDARD_INPUT, read_input, shown_name
from boulanger.solver.deals.code_dealer import CodeDealer, code_dealer
from boulanger.solver.identify import pairs

_MS_PREFIX: Final = re.compile(r"\s*ms\s*:", re.IGNORECASE)
_RANDOM_PREFIX: Final = re.compile(r"\s*random\s*:", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\s*[0-9]+\s*")
_EXPECTED: Final = (
    "a game code (such as BK1-C4-AAAAA24), ms:NUMBER, random:NUMBER@SEED, a file with a board, or "
    "- for standard input"
)
# A code or an ms: number with whatever is wrong with it; a board is longer.
_MAX_NAME_BYTES: Final = 80


class DealKind(StrEnum):
    """The ways to say which deal."""

    CODE = "code"
    MS = "ms"
    RANDOM = "random"
    BOARD = "board"


@dataclass(frozen=True, slots=True)
class DealSource:
    """A deal, or any other position, and where it came from.

    Attributes:
        kind: what was given.
        name: the canonical code, `ms:NUMBER`, `random:NUMBER@SEED`, or the board's file as it was
            given (`-` for standard input).
        position: the board, with the number of cells to play with.
        notes: what the reader should be told about how it was read, each without a full stop.
        number: of the deal; None for a board.
        code: the game code, with its own number of cells; None for anything else.
        dealer: which dealer dealt it, by name; None for a board.
        code_dealer: what dealt the code; None for anything else.
    """

    kind: DealKind
    name: str
    position: Position
    notes: tuple[str, ...] = ()
    number: int | None = None
    code: GameCode | None = None
    dealer: str | None = None
    code_dealer: CodeDealer | None = None


def read_deal(text: str, num_cells: int | None = None, dealer: str | None = None) -> DealSource:
    """The deal that `text` stands for.

    A code goes before a file of that name; `./` before the name means the file. A file or standard
    input may hold a code, `ms:NUMBER` or `random:NUMBER@SEED` instead of a board.

    Args:
        text: the DEAL argument.
        num_cells: cells in play, 0..8, whatever a code or a board says; if None, what those say,
            else four.
        dealer: the name of the dealer for a code; if None, the one in use.

    Raises:
        BoulangerError: says what is wrong with the code, the number, the file or the board in it,
            or what was expected if it is none of these; or what is wrong with the dealer.
    """
    if dealer is None:
        return _read_any(text, num_cells, None)
    code_dealer(dealer)  # a wrong name is an error even where it has no part
    source = _read_any(text, num_cells, dealer)
    if source.kind == DealKind.CODE:
        return source
    note = f"--dealer {dealer} has no part in this: only game codes are dealt by it"
    return replace(source, notes=(*source.notes, note))


def _read_any(text: str, num_cells: int | None, dealer: str | None) -> DealSource:
    if text == STANDARD_INPUT:
        return _read_file(text, num_cells, dealer)
    try:
        return read_name(text, num_cells, dealer)
    except CodeError:
        if os.path.exists(text):
            return _read_file(text, num_cells, dealer)
        if looks_like_code(text):
            raise
    raise DealError(_what_was_expected(text))


def read_name(text: str, num_cells: int | None = None, dealer: str | None = None) -> DealSource:
    """The deal of a code, `ms:NUMBER` or `random:NUMBER@SEED`; no file is looked for.

    Args:
        text, num_cells, dealer: as `read_deal` has them.

    Raises:
        BoulangerError: says what is wrong with the code or the number.
    """
    if _MS_PREFIX.match(text):
        return _ms_deal(text, num_cells)
    if _RANDOM_PREFIX.match(text):
        return _random_deal(text, num_cells)
    return _code_deal(text, num_cells, dealer)


def is_name(text: str) -> bool:
    """Whether someone who typed `text` meant a name for `read_name`, if perhaps a wrong one."""
    has_prefix = _MS_PREFIX.match(text) or _RANDOM_PREFIX.match(text)
    return has_prefix is not None or looks_like_code(text)


def read_dealt_board(name: str) -> ParsedBoard:
    """The board in a file, or in standard input for `-`, with all cards as they were dealt.

    Raises:
        BoulangerError: if it cannot be read, or a game is under way on it.
    """
    data = read_input(name, MAX_BOARD_BYTES, "board")
    try:
        board = parse_board(data)
        if deal_order(board.position) is None:
            raise BoardError(
                "a game is under way on this board; all 52 cards expected in the columns, seven "
                "in each of the first four and six in each of the others"
            )
    except BoulangerError as error:
        raise BoardError(f"{shown_name(name)}: {error}") from None
    return board


def deal_order(position: Position) -> tuple[int, ...] | None:
    """The 52 cards in the order in which they were dealt; None if this is not a fresh deal."""
    return pairs.deal_order(position.columns)


def _code_deal(text: str, num_cells: int | None, dealer_name: str | None) -> DealSource:
    code = parse_code(text)
    notes: tuple[str, ...] = ()
    if num_cells is None:
        num_cells = code.num_cells
    elif num_cells != code.num_cells:
        notes = (f"played with --cells {num_cells}, not with the {code.num_cells} of the code",)
    dealer = code_dealer(dealer_name)
    position = Position.from_deal(dealer.deal(code), num_cells)
    return DealSource(
        DealKind.CODE, code.text, position, notes, code.number, code, dealer.name, dealer
    )


def _ms_deal(text: str, num_cells: int | None) -> DealSource:
    number = parse_ms_number(text)
    return _numbered_deal(DealKind.MS, f"ms:{number}", MS, number, num_cells)


def _random_deal(text: str, num_cells: int | None) -> DealSource:
    dealer, number = parse_random_deal(text)
    seed = dealer.name.removeprefix(RANDOM_PREFIX)
    return _numbered_deal(DealKind.RANDOM, f"random:{number}@{seed}", dealer, number, num_cells)


def _numbered_deal(
    kind: DealKind, name: str, dealer: Dealer, number: int, num_cells: int | None
) -> DealSource:
    if num_cells is None:
        num_cells = DEFAULT_CELLS
    position = Position.from_deal(dealer.deal(number), num_cells)
    return DealSource(kind, name, position, number=number, dealer=dealer.name)


def _read_file(name: str, num_cells: int | None, dealer: str | None) -> DealSource:
    data = read_input(name, MAX_BOARD_BYTES, "board")
    try:
        if len(data) <= _MAX_NAME_BYTES:
            text = data.decode("utf-8-sig", "replace").strip()
            if is_name(text):
                return read_name(text, num_cells, dealer)
        board = parse_board(data, num_cells)
    except BoulangerError as error:
        raise BoardError(f"{shown_name(name)}: {error}") from None
    return DealSource(DealKind.BOARD, name, board.position, board.notes)


def _what_was_expected(text: str) -> str:
    if not text.strip():
        return f"{quoted(text)} is no deal; {_EXPECTED} expected"
    if _DIGITS.fullmatch(text):
        number = text.strip()
        return (
            f"{quoted(text)} is a number only; write ms:{number} for the Microsoft deal, or see "
            f"`boulanger code {number}` for the game code"
        )
    if "\n" in text or text.lstrip()[0] in "{[:":
        return f"{quoted(text)} is no deal; a board goes into a file or to standard input (-)"
    return f"{quoted(text)} is neither a deal nor a file that exists; {_EXPECTED} expected"
