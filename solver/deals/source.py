"""A deal from its name, or a position from elsewhere, and who dealt it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from boulanger.engine.deals.codes import GameCode
from boulanger.engine.deals.dealers import BK1, get_dealer
from boulanger.engine.deals.names import CODE, DealName, parse_name
from boulanger.engine.errors import DealError
from boulanger.engine.notes import Note
from boulanger.engine.position import DEFAULT_CELLS, Position
from boulanger.solver.deals.code_dealer import CodeDealer, code_dealer


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
        name: as `engine.deals.names` spells it; for a board, its file as it was given (`-` for
            standard input).
        position: the board, with the number of cells to play with.
        notes: how it was read, each without a full stop.
        number: of the deal; None for a board.
        code: the game code, with its own number of cells; None for anything else.
        dealer: which dealer dealt it, by name; None for a board.
        code_dealer: what dealt the code; None for anything else.
    """

    kind: DealKind
    name: str
    position: Position
    notes: tuple[Note, ...] = ()
    number: int | None = None
    code: GameCode | None = None
    dealer: str | None = None
    code_dealer: CodeDealer | None = None

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """The notes, and what is to be known about the dealer of a code."""
        dealt = () if self.code_dealer is None else (self.code_dealer.note,)
        return (*self.notes, *dealt)


def read_name(text: str, num_cells: int | None = None, dealer: str | None = None) -> DealSource:
    """The deal of a name (`engine.deals.names`); no file is looked for.

    Args:
        text: the name.
        num_cells: cells in play, 0..8, whatever a code says; if None, what it says, else four.
        dealer: the name of the dealer for a code; if None, the one in use.

    Raises:
        BoulangerError: says what is wrong with the name, or with the dealer.
    """
    name = parse_name(text)
    return _coded(name, num_cells, dealer) if name.is_coded else _numbered(name, num_cells)


def _coded(name: DealName, num_cells: int | None, dealer_name: str | None) -> DealSource:
    """The deal of a game code, or of the number in one."""
    notes: tuple[Note, ...] = ()
    if name.num_cells is None or num_cells is None:
        num_cells = _first_known(num_cells, name.num_cells)
    elif num_cells != name.num_cells:
        notes = (Note("note.cells_of_code", used=num_cells, told=name.num_cells),)
    asked_for = BK1.name if name.dealer == BK1.name else name.learned_dealer
    if None not in (asked_for, dealer_name) and asked_for != dealer_name:
        raise DealError("deal.other_dealer", name=name.text, dealer=asked_for, asked=dealer_name)
    dealer = code_dealer(asked_for or dealer_name, is_told=dealer_name is not None)
    code = GameCode(name.number, _first_known(name.num_cells, num_cells))
    if name.dealer == CODE:
        name = DealName(CODE, code.number, code.num_cells)
    position = Position.from_deal(dealer.deal(code), num_cells)
    return DealSource(
        DealKind.CODE, name.text, position, notes, code.number, code, dealer.name, dealer
    )


def _numbered(name: DealName, num_cells: int | None) -> DealSource:
    """A deal of a built-in dealer that has no game code."""
    dealer = get_dealer(name.dealer)
    kind = DealKind(dealer.name.partition("@")[0])
    position = Position.from_deal(dealer.deal(name.number), _first_known(num_cells))
    return DealSource(kind, name.text, position, number=name.number, dealer=dealer.name)


def _first_known(*numbers: int | None) -> int:
    """The first number of cells that is given; four if none is."""
    return next((n for n in numbers if n is not None), DEFAULT_CELLS)
