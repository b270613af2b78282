"""Makes a winning line shorter where that is cheap; it need not become shortest."""

from __future__ import annotations

import numpy as np

from boulanger.engine.packed.jit import kernel
from boulanger.engine.packed.layout import Layout
from boulanger.engine.packed.packing import State
from boulanger.engine.packed.state import is_won, move_masks, play

Line = list[tuple[int, int]]
"""Plies from a state: (bit index of the card, kind of destination); foundation moves unsaid."""


@kernel
def _play_without(layout, num_cells, start, cards, destinations, length, skipped, kept):
    """Plays a line without one of its plies, leaving out also what thereby becomes impossible.

    Writes the indices of the plies made to `kept` (int64). Returns their number, or -1 if the
    line does not win any more.
    """
    cells, bottoms, depths = start[0], start[1], start[2]
    num_kept = 0
    for i in range(length):
        if i == skipped:
            continue
        if is_won(cells, bottoms, depths):
            return num_kept
        masks = move_masks(layout, num_cells, cells, bottoms, depths)
        if masks[destinations[i]] >> np.uint64(cards[i]) & np.uint64(1):
            cells, bottoms, depths = play(layout, cells, bottoms, depths, cards[i], destinations[i])
            kept[num_kept] = i
            num_kept += 1
    return num_kept if is_won(cells, bottoms, depths) else -1


@kernel(nogil=True)
def drop_plies(layout, num_cells, start, cards, destinations):
    """Drops plies from the line in place for as long as it still wins; returns its length."""
    length = cards.size
    kept = np.empty(length, np.int64)
    skipped = 0
    while skipped < length:
        num_kept = _play_without(
            layout, num_cells, start, cards, destinations, length, skipped, kept
        )
        if num_kept < 0:
            skipped += 1
            continue
        for i in range(num_kept):
            cards[i] = cards[kept[i]]
            destinations[i] = destinations[kept[i]]
        # One that was needed may have become superfluous: from the front again.
        skipped = 0
        length = num_kept
    return length


def shorten_line(layout: Layout, num_cells: int, state: State, line: Line) -> Line:
    """A winning line without the plies that it also wins without.

    Args:
        layout: of the deal.
        num_cells: 0..8.
        state: where the line starts.
        line: wins when played from there.
    """
    cards = np.array([card for card, _ in line], np.int64)
    destinations = np.array([destination for _, destination in line], np.int64)
    start = np.array(state, np.uint64)
    length = int(drop_plies(layout, np.int64(num_cells), start, cards, destinations))
    return list(zip(cards[:length].tolist(), destinations[:length].tolist(), strict=True))
