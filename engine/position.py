"""`Position`: a board as a person sees it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any, Final

from boulanger.engine.cards import (
    NUM_CARDS,
    NUM_RANKS,
    NUM_SUITS,
    SUIT_LETTERS,
    card_text,
    make_card,
)
from boulanger.engine.errors import ArgumentError, BoardError
from boulanger.engine.words import count, joined, message

if TYPE_CHECKING:
    from boulanger.engine.deals.dealers import Dealer

NUM_COLUMNS: Final = 8
MAX_CELLS: Final = 8
DEFAULT_CELLS: Final = 4
CELL_LETTERS: Final = "abcdefgi"  # `h` means home


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """The tableau, the cells and the foundations; immutable and hashable.

    Attributes:
        columns: eight columns, each from the buried card to the exposed one, as card numbers.
        cells: one entry a cell, a card number or None; its length is the number of cells in play.
        foundations: the rank on top of each foundation, 0 (empty) to 13, in suit order
            spades, hearts, diamonds, clubs.

    The constructor takes what it is given; `check` tells whether it is a legal position, and
    whatever reads boards from outside calls it.

    >>> Position.from_ms(1)
    <Position, 4 cells>
    Foundations: H-0 C-0 D-0 S-0
    Freecells: - - - -
    : JD KD 2S 4C 3S 6D 6S
    : 2D KC KS 5C TD 8S 9C
    : 9H 9S 9D TS 4S 8D 2H
    : JC 5S QD QH TH QS 6H
    : 5D AD JS 4H 8H 6C
    : 7H QC AS AC 2C 3D
    : 7C KH AH 4D JH 8C
    : 5H 3H 3C 7S 7D TC
    """

    columns: tuple[tuple[int, ...], ...]
    cells: tuple[int | None, ...] = (None,) * DEFAULT_CELLS
    foundations: tuple[int, ...] = (0,) * NUM_SUITS

    @classmethod
    def from_deal(cls, cards: Sequence[int], num_cells: int = DEFAULT_CELLS) -> Position:
        """The start of a game: card m of `cards` (52, in deal order) goes to column m mod 8.

        Raises:
            BoardError: if `cards` is not the 52 cards, or `num_cells` is outside 0..8.
        """
        columns = tuple(tuple(int(card) for card in cards[c::NUM_COLUMNS]) for c in range(8))
        position = cls(columns, (None,) * check_num_cells(num_cells))
        position.check()
        return position

    @classmethod
    def from_ms(cls, number: int, num_cells: int = DEFAULT_CELLS) -> Position:
        """The Microsoft FreeCell deal of that number, 1 to 2**33 - 1.

        Raises:
            DealError: if the number is not a whole one in that range.

        >>> Position.from_ms(617, num_cells=2).num_cells
        2
        """
        from boulanger.engine.deals.dealers import MS

        return cls.from_deal(MS.deal(_whole(number)), num_cells)

    @classmethod
    def from_code(
        cls, code: str, num_cells: int | None = None, *, dealer: Dealer | None = None
    ) -> Position:
        """The deal of a game code.

        Args:
            code: such as "BK1-C4-AAAAA24".
            num_cells: cells in play; those of the code if None.
            dealer: what deals the code's number; `BK1`, the project's own dealer, if None. The
                app's is not published: with BK1 the board is most likely not that of the app.

        Raises:
            CodeError: if it is not a game code; says what may have been meant.

        >>> Position.from_code("BK1-C4-AAAAA24").columns[0] == Position.from_ms(1).columns[0]
        False
        """
        from boulanger.engine.deals.codes import parse_code
        from boulanger.engine.deals.dealers import BK1

        if not isinstance(code, str):
            raise ArgumentError("api.not_a_text", value=type(code).__name__)
        parsed = parse_code(code)
        cells = parsed.num_cells if num_cells is None else num_cells
        return cls.from_deal((dealer or BK1).deal(parsed.number), cells)

    @classmethod
    def from_text(cls, text: str | bytes, num_cells: int | None = None) -> Position:
        """The board in `text`, in any format that `engine.boards.text.parse_board` reads.

        Raises:
            BoardError: says what is wrong with it, and where.

        >>> Position.from_text(Position.from_ms(1).to_text()) == Position.from_ms(1)
        True
        """
        from boulanger.engine.boards.text import parse_board

        return parse_board(text, num_cells).position

    @classmethod
    def from_json(cls, board: object, num_cells: int | None = None) -> Position:
        """The board that `json.loads` returned, in a form that `engine.boards.json_board` names.

        Raises:
            BoardError: says what is wrong with it, and where.
        """
        from boulanger.engine.boards.json_board import position_from_json

        return position_from_json(board, num_cells)

    def to_text(self) -> str:
        """Ten lines, see `engine.boards.text`; `from_text` reads them back, given `num_cells`."""
        from boulanger.engine.boards.writing import format_board

        return format_board(self)

    def __repr__(self) -> str:
        """The board as text, below a line that says what it is."""
        return f"<Position, {count(self.num_cells, 'cells')}>\n{self.to_text().rstrip()}"

    def _repr_svg_(self) -> str:
        """A picture, for notebooks."""
        from boulanger.engine.boards.svg import board_svg

        return board_svg(self)

    def to_json(self) -> dict[str, object]:
        """A value for `json.dumps`, see `engine.boards.json_board`; `from_json` reads it back."""
        from boulanger.engine.boards.writing import position_to_json

        return position_to_json(self)

    @property
    def num_cells(self) -> int:
        """How many cells are in play, full ones included."""
        return len(self.cells)

    @property
    def num_free_cells(self) -> int:
        """How many cells hold nothing."""
        return self.cells.count(None)

    @property
    def num_empty_columns(self) -> int:
        """How many columns hold nothing."""
        return sum(not column for column in self.columns)

    @property
    def is_won(self) -> bool:
        """Whether all 52 cards are home."""
        return sum(self.foundations) == NUM_CARDS

    def with_num_cells(self, num_cells: int) -> Position:
        """The same board with that many cells; cards in cells move up to fit.

        Raises:
            BoardError: if more cards are in cells than that, or the number is outside 0..8.
        """
        check_num_cells(num_cells)
        if num_cells == len(self.cells):
            return self
        cells = self.cells[:num_cells]
        if any(card is not None for card in self.cells[num_cells:]):
            held = [card for card in self.cells if card is not None]
            if len(held) > num_cells:
                raise BoardError(
                    "position.full_cells",
                    held=len(held),
                    cards=[card_text(card) for card in held],
                    num_cells=num_cells,
                )
            cells = tuple(held)
        cells += (None,) * (num_cells - len(cells))
        return Position(self.columns, cells, self.foundations)

    def check(self) -> None:
        """Returns if all 52 cards are there once each, in eight columns and at most eight cells.

        Raises:
            BoardError: names every missing, duplicate and misplaced card with its places.
        """
        if len(self.columns) != NUM_COLUMNS:
            raise BoardError("position.num_columns", found=len(self.columns))
        check_num_cells(len(self.cells))
        if len(self.foundations) != NUM_SUITS or not all(
            0 <= rank <= NUM_RANKS for rank in self.foundations
        ):
            raise BoardError("position.foundations", given=str(self.foundations))
        on_board = [*(card for column in self.columns for card in column), *_held(self.cells)]
        if any(not 0 <= card < NUM_CARDS for card in on_board):
            raise BoardError("position.card_numbers")
        faults = _card_faults(self)
        if faults:
            raise BoardError("position.faults", faults=faults)


def check_num_cells(num_cells: int) -> int:
    """`num_cells` itself if it is 0..8.

    Raises:
        BoardError: quotes the number.
    """
    if not 0 <= num_cells <= MAX_CELLS:
        raise BoardError("position.num_cells", number=int(num_cells), most=MAX_CELLS)
    return num_cells


def _whole(number: object) -> int:
    """A whole number, of Python or of NumPy.

    Raises:
        ArgumentError: for anything else.
    """
    try:
        return index(number)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentError("api.not_whole", value=type(number).__name__) from None


def _held(cells: Iterable[int | None]) -> list[int]:
    return [card for card in cells if card is not None]


def _board_places(position: Position, card: int) -> list[str]:
    """The code of every column and cell where `card` is (see `engine.moves.Place.code`)."""
    columns = [
        str(c + 1) for c, column in enumerate(position.columns) for _ in range(column.count(card))
    ]
    cells = [CELL_LETTERS[i] for i, held in enumerate(position.cells) if held == card]
    return columns + cells


def _card_faults(position: Position) -> list[dict[str, Any]]:
    """A message for the missing cards, one for each duplicate, one for each clash with a suit's
    foundation.
    """
    missing: list[str] = []
    duplicates: list[dict[str, Any]] = []
    clashes: list[dict[str, Any]] = []
    for suit, home_rank in enumerate(position.foundations):
        not_home: list[dict[str, Any]] = []
        for rank in range(1, NUM_RANKS + 1):
            card = make_card(suit, rank)
            places, name = _board_places(position, card), card_text(card)
            if len(places) > 1:
                duplicate = message(
                    "position.duplicate", card=name, times=len(places), places=places
                )
                duplicates.append(duplicate)
            if rank > home_rank and not places:
                missing.append(name)
            elif rank <= home_rank and places:
                not_home.append(message("position.card_in", card=name, place=places[0]))
        if not_home:
            top = card_text(make_card(suit, home_rank))
            cards = joined(not_home, "join.and")
            place = SUIT_LETTERS[suit]
            clashes.append(message("position.clash", place=place, top=top, cards=cards))
    if not missing:
        return duplicates + clashes
    lack = message("position.missing", number=len(missing), cards=missing)
    return [lack, *duplicates, *clashes]


def deal_order(columns: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
    """The 52 cards in the order in which they were dealt; None if this is not a fresh deal."""
    lengths = [len(range(c, NUM_CARDS, NUM_COLUMNS)) for c in range(NUM_COLUMNS)]
    if [len(column) for column in columns] != lengths:
        return None
    cards = tuple(columns[m % NUM_COLUMNS][m // NUM_COLUMNS] for m in range(NUM_CARDS))
    return cards if len(set(cards)) == NUM_CARDS else None
