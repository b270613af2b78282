"""Codes with the boards that an app shows for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.codes import GameCode
from boulanger.engine.position import NUM_COLUMNS


@dataclass(frozen=True, slots=True)
class Pair:
    """A code and the board for it, its 52 cards in deal order."""

    code: GameCode
    cards: tuple[int, ...]


def deal_order(columns: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
    """The 52 cards in the order in which they were dealt; None if this is not a fresh deal."""
    lengths = [len(range(c, NUM_CARDS, NUM_COLUMNS)) for c in range(NUM_COLUMNS)]
    if [len(column) for column in columns] != lengths:
        return None
    cards = tuple(columns[m % NUM_COLUMNS][m // NUM_COLUMNS] for m in range(NUM_CARDS))
    return cards if len(set(cards)) == NUM_CARDS else None
