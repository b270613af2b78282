"""Moves: places on the board, actions as the app has them, and single-card plies.

An action is one gesture in the app: a card or a run goes from one place to another. A ply is one
card moved once. An action of `length` 1 is one ply; a supermove is several.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from boulanger.engine.cards import SUIT_LETTERS
from boulanger.engine.position import CELL_LETTERS
from boulanger.engine.words import place_name


class Zone(IntEnum):
    """The three kinds of places."""

    COLUMN = 0
    CELL = 1
    FOUNDATION = 2


class Place(NamedTuple):
    """A place on the board.

    Attributes:
        zone: which kind.
        index: column 0..7, cell 0..7, or the suit of a foundation, 0..3.
    """

    zone: Zone
    index: int  # type: ignore[assignment]  # hides tuple.index, which no place needs

    @property
    def code(self) -> str:
        """For facts: `1` to `8` a column, `a` to `g` and `i` a cell, a suit's letter a foundation.

        A cell that no board has is `#9` or more.
        """
        zone, index = self
        if zone == Zone.CELL:
            is_lettered = 0 <= index < len(CELL_LETTERS)
            return CELL_LETTERS[index] if is_lettered else f"#{index + 1}"
        if zone == Zone.FOUNDATION and 0 <= index < len(SUIT_LETTERS):
            return SUIT_LETTERS[index]
        return str(index + 1)

    def __str__(self) -> str:
        """In words: `column 3`, `cell a` or `the hearts foundation`."""
        return place_name(self.code)


@dataclass(frozen=True, slots=True)
class Action:
    """One gesture: the last `length` cards of `source`, in order, go to `destination`."""

    source: Place
    destination: Place
    length: int = 1


@dataclass(frozen=True, slots=True)
class Ply:
    """One card moved once."""

    card: int
    source: Place
    destination: Place

    @property
    def action(self) -> Action:
        """The action of length 1 that does the same."""
        return Action(self.source, self.destination)


def column_place(index: int) -> Place:
    """Column `index`, 0..7."""
    return Place(Zone.COLUMN, index)


def cell_place(index: int) -> Place:
    """Cell `index`, 0..7."""
    return Place(Zone.CELL, index)


def foundation_place(suit: int) -> Place:
    """The foundation of `suit`, 0..3."""
    return Place(Zone.FOUNDATION, suit)
