"""Codes with the boards that an app shows for them."""

from __future__ import annotations

from dataclasses import dataclass

from boulanger.engine.deals.codes import GameCode


@dataclass(frozen=True, slots=True)
class Pair:
    """A code and the board for it, its 52 cards in deal order."""

    code: GameCode
    cards: tuple[int, ...]
