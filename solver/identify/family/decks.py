"""The unshuffled deck, and the order in which the shuffled one is dealt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from types import MappingProxyType
from typing import Final

from boulanger.engine.cards import NUM_CARDS, NUM_RANKS, SUIT_LETTERS, SUIT_NAMES, make_card
from boulanger.engine.position import NUM_COLUMNS

SUIT_BY_SUIT: Final = "suit-by-suit"
RANK_BY_RANK: Final = "rank-by-rank"
GROUPINGS: Final = MappingProxyType({SUIT_BY_SUIT: "suit by suit", RANK_BY_RANK: "rank by rank"})
ACE_UP: Final = "ace-up"
KING_DOWN: Final = "king-down"
RANK_ORDERS: Final = MappingProxyType({ACE_UP: "ace to king", KING_DOWN: "king to ace"})
# The suits in each of their orders, as letters; SHDC first.
SUIT_ORDERS: Final = tuple("".join(letters) for letters in permutations(SUIT_LETTERS))


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck in order.

    Attributes:
        suits: the letters of the suits in their order.
        grouping: `suit-by-suit`, or `rank-by-rank` (the four aces, then the twos, and so on).
        ranks: `ace-up` or `king-down`.
    """

    suits: str = SUIT_LETTERS
    grouping: str = SUIT_BY_SUIT
    ranks: str = ACE_UP

    @property
    def cards(self) -> tuple[int, ...]:
        """The 52 cards, the first one first."""
        return _cards(self)

    @property
    def description(self) -> str:
        """For a sentence."""
        suits = ", ".join(SUIT_NAMES[SUIT_LETTERS.index(letter)] for letter in self.suits)
        return f"suits {suits}, {GROUPINGS[self.grouping]}, {RANK_ORDERS[self.ranks]}"


def all_decks() -> Iterator[Deck]:
    """Every deck, 96 of them."""
    for grouping, ranks, suits in product(GROUPINGS, RANK_ORDERS, SUIT_ORDERS):
        yield Deck(suits, grouping, ranks)


@lru_cache
def _cards(deck: Deck) -> tuple[int, ...]:
    suits = [SUIT_LETTERS.index(letter) for letter in deck.suits]
    ranks = list(range(1, NUM_RANKS + 1))
    if deck.ranks == KING_DOWN:
        ranks.reverse()
    if deck.grouping == SUIT_BY_SUIT:
        return tuple(make_card(suit, rank) for suit in suits for rank in ranks)
    return tuple(make_card(suit, rank) for rank in ranks for suit in suits)


@dataclass(frozen=True, slots=True)
class Dealing:
    """The order of dealing.

    Attributes:
        description: a phrase without a full stop.
        places: for each card in deal order (card m goes to column m mod 8) its place in the
            shuffled deck.
    """

    description: str
    places: tuple[int, ...]


def _column_places() -> tuple[int, ...]:
    """Places when each column is dealt in turn, from the buried card to the exposed one."""
    by_column = sorted(range(NUM_CARDS), key=lambda m: (m % NUM_COLUMNS, m // NUM_COLUMNS))
    return tuple(by_column.index(m) for m in range(NUM_CARDS))


def _from_the_last(places: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(NUM_CARDS - 1 - place for place in places)


_ROWS: Final = tuple(range(NUM_CARDS))

DEALINGS: Final = MappingProxyType(
    {
        "rows": Dealing("dealt row by row from the first card", _ROWS),
        "columns": Dealing("dealt column by column from the first card", _column_places()),
        "rows-from-last": Dealing("dealt row by row from the last card", _from_the_last(_ROWS)),
        "columns-from-last": Dealing(
            "dealt column by column from the last card", _from_the_last(_column_places())
        ),
    }
)
