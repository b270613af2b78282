"""What every reader of boards gives back, and the check that all 52 cards are there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from boulanger.engine.cards import (
    NUM_CARDS,
    NUM_RANKS,
    NUM_SUITS,
    SUIT_LETTERS,
    card_text,
    make_card,
    rank_of,
    suit_of,
)
from boulanger.engine.errors import BoardError
from boulanger.engine.notes import Note
from boulanger.engine.position import DEFAULT_CELLS, Position
from boulanger.engine.words import message

# A game deals at most seven cards to a column; what lies above them was played there.
_MOST_DEALT: Final = 7
_FRESH_LENGTHS: Final = (7, 7, 7, 7, 6, 6, 6, 6)
_MAX_NAMED: Final = 8  # cards in a note


@dataclass(frozen=True, slots=True)
class ParsedBoard:
    """A board that was read.

    Attributes:
        position: the legal position.
        notes: what the reader should be told about how it was read, each without a full stop.
        told_cells: how many cells the board says are in play; None if it does not.
        reader: the name of the reader that read it, such as "columns" or "JSON".
        language: of the names of the cards, such as "French"; "English" for `7H`.
    """

    position: Position
    notes: tuple[Note, ...] = ()
    told_cells: int | None = None
    reader: str = ""
    language: str = "English"

    def with_notes(self, *notes: Note) -> ParsedBoard:
        """The same board with further notes, which come first."""
        return replace(self, notes=(*notes, *self.notes))


@dataclass(frozen=True, slots=True)
class Draft:
    """The cards that a reader found, before they are known to be a board.

    Attributes:
        columns: from the buried card to the exposed one.
        cells: one entry a cell that was told of, a card or None.
        foundations: pairs (suit, rank); None if the board says nothing of them.
        told_cells: how many cells the board says are in play; None if it does not.
        notes: as `ParsedBoard` has them.
        may_be_home: whether missing aces, twos .. may be taken to be home.
    """

    columns: tuple[tuple[int, ...], ...]
    cells: tuple[int | None, ...] = ()
    foundations: tuple[int, ...] | None = None
    told_cells: int | None = None
    notes: tuple[Note, ...] = ()
    may_be_home: bool = True


def finished(
    draft: Draft, num_cells: int | None, reader: str, language: str = "English"
) -> ParsedBoard:
    """The board that `draft` stands for.

    Without foundations, low cards that are missing are taken to be home, and a note says so.

    Args:
        draft: what was read.
        num_cells: how many cells are in play, whatever the board says; None leaves it to the board.
        reader, language: for the answer.

    Raises:
        BoardError: names the cards that are missing, duplicate or on the wrong foundation, or says
            that the cells hold too many cards.
    """
    notes = draft.notes
    foundations = draft.foundations
    if foundations is None:
        foundations, home_notes = _missing_at_home(draft)
        notes += home_notes
    position = Position(draft.columns, draft.cells, foundations)
    try:
        position.check()
    except BoardError as error:
        advice = _home_advice(draft, foundations)
        if advice is None:
            raise
        raise BoardError("reading.with_advice", error=error.message, advice=advice) from None
    held = [card for card in draft.cells if card is not None]
    in_play = num_cells
    if in_play is None:
        in_play = draft.told_cells
        if in_play is None:
            in_play = DEFAULT_CELLS
            if 0 < len(draft.cells) < DEFAULT_CELLS and len(held) == len(draft.cells):
                notes += (Note("note.cells_assumed", number=in_play),)
        elif in_play != DEFAULT_CELLS:
            notes += (Note("note.cells_told", number=in_play),)
    elif draft.told_cells not in (None, num_cells):
        told = draft.told_cells or 0
        notes += (Note("note.cells_replaced", told=told, used=num_cells),)
    position = position.with_num_cells(in_play)
    return ParsedBoard(position, notes, draft.told_cells, reader, language)


DECISIVE: Final = 3
"""So many columns that no game leads to are no accident of the wrong reading; one can be."""


def is_fresh(position: Position) -> bool:
    """Whether this is a deal on which nothing was played: 7 7 7 7 6 6 6 6 cards."""
    return tuple(map(len, position.columns)) == _FRESH_LENGTHS


def num_unplayable_columns(position: Position) -> int:
    """How many columns no game can have led to.

    A game deals at most seven cards to a column, and puts a card only on one that is one rank
    higher (or into an empty column). So from the eighth card on, each lies on the next rank.
    """
    return sum(
        any(rank_of(a) != rank_of(b) + 1 for a, b in pairwise(column[6:]))
        for column in position.columns
        if len(column) > _MOST_DEALT
    )


def _missing_at_home(draft: Draft) -> tuple[tuple[int, ...], tuple[Note, ...]]:
    """The foundations, if all missing cards are an ace, two .. of their suits; else empty ones."""
    missing = _missing(draft)
    ranks = [0] * NUM_SUITS
    for card in missing:
        ranks[suit_of(card)] += 1
    home = [
        make_card(suit, rank) for suit in range(NUM_SUITS) for rank in range(1, ranks[suit] + 1)
    ]
    if not missing or sorted(missing) != sorted(home) or not draft.may_be_home:
        return (0,) * NUM_SUITS, ()
    names = [*map(card_text, home[:_MAX_NAMED]), *(["..."] if len(home) > _MAX_NAMED else [])]
    return tuple(ranks), (Note("note.home", number=len(home), cards=" ".join(names)),)


def _missing(draft: Draft) -> list[int]:
    present = {card for column in draft.columns for card in column} | set(draft.cells)
    return [card for card in range(NUM_CARDS) if card not in present]


def _home_advice(draft: Draft, foundations: Sequence[int]) -> dict[str, Any] | None:
    """What to write if low cards that are missing are home; None if there is nothing to say."""
    missing = [c for c in _missing(draft) if rank_of(c) > foundations[suit_of(c)]]
    if not missing:
        return None
    tops = list(foundations)
    for card in missing:
        if rank_of(card) == tops[suit_of(card)] + 1:
            tops[suit_of(card)] += 1
    if tops == list(foundations) or all(rank_of(card) == 1 for card in missing):
        home_alone = [c for c in missing if rank_of(c) <= tops[suit_of(c)]]
        if not home_alone or len(missing) == len(home_alone) == 1:
            return None
    ranks = " ".join(f"{SUIT_LETTERS[suit]}-{_rank(tops[suit])}" for suit in (1, 3, 2, 0))
    left = [c for c in missing if rank_of(c) > tops[suit_of(c)]]
    if left:
        return message("reading.advice_low_home", ranks=ranks)
    return message("reading.advice_home", ranks=ranks)


def _rank(rank: int) -> str:
    return card_text(rank - 1)[0] if 0 < rank <= NUM_RANKS else "0"
