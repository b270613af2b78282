"""Verdicts of the plain search, the oracle of the fast one, deal after deal in the same memory."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.packing import PackedPosition, pack_position
from engine.position import Position
from engine.rules import apply_ply, legal_plies
from solver.search import EXHAUSTED, FULL, PAUSED, WON, SearchMemory, run_slice
from solver.verdict import UNDECIDED, UNWINNABLE, WINNABLE

_MAX_BYTES = 3 << 30


class PlainSearch:
    """Decides packed positions without any narrowing but closure and the order of places."""

    def __init__(self, max_nodes: int = 3_000_000) -> None:
        self._memory = SearchMemory()
        self._max_nodes = max_nodes

    def verdict(self, packed: PackedPosition) -> int:
        """WINNABLE or UNWINNABLE; UNDECIDED if that takes more than `max_nodes`."""
        self._memory.begin()
        while True:
            outcome = run_slice(
                self._memory,
                packed.layout,
                packed.position.num_cells,
                packed.state,
                self._max_nodes,
            )
            if outcome == WON:
                return WINNABLE
            if outcome == EXHAUSTED:
                return UNWINNABLE
            if outcome == PAUSED or (outcome == FULL and not self._memory.grow(_MAX_BYTES)):
                return UNDECIDED


def random_deal(rng: random.Random, num_cells: int) -> Position:
    """A uniform deal."""
    cards = list(range(52))
    rng.shuffle(cards)
    return Position.from_deal(cards, num_cells)


def digging_walk(rng: random.Random, start: Position, num_plies: int) -> Iterator[Position]:
    """Positions of a random walk that likes to empty short columns and to build.

    Left to chance a walk fills the cells and stays there; this one also meets emptied columns, runs
    in them, and units of several cards.
    """
    position = start
    for _ in range(num_plies):
        plies = legal_plies(position)
        if not plies:
            return
        weights = []
        for ply in plies:
            weight = 1.0
            if ply.destination.zone == 2:
                weight = 6.0
            elif ply.destination.zone == 0 and position.columns[ply.destination.index]:
                weight = 4.0
            if ply.source.zone == 0:
                weight *= 1.0 + 3.0 / len(position.columns[ply.source.index])
            weights.append(weight)
        position = apply_ply(position, rng.choices(plies, weights)[0])
        yield position


def packed_or_none(position: Position) -> PackedPosition | None:
    """The packed position, or None if it is won once it is closed."""
    packed = pack_position(position)
    return None if packed.position.is_won else packed
