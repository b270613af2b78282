"""Codes with the boards that an app shows for them."""

from __future__ import annotations

from dataclasses import dataclass

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.codes import GameCode
from boulanger.engine.position import NUM_COLUMNS


@dataclass(frozen=True, slots=True)
class Pair:
    """A code and the board for it, its 52 cards in deal order."""

    code: GameCode
    cards: tuple[int, ...]

    def upside_down(self) -> Pair:
        """The same with each column from its exposed card to the buried one."""
        columns = [self.cards[c::NUM_COLUMNS][::-1] for c in range(NUM_COLUMNS)]
        cards = (columns[m % NUM_COLUMNS][m // NUM_COLUMNS] for m in range(NUM_CARDS))
        return Pair(self.code, tuple(cards))
