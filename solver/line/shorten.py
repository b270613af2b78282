"""Makes a winning line shorter where that is cheap; it need not become shortest."""

from __future__ import annotations

import numpy as np

from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import Layout
from boulanger.engine.packed.packing import State
from boulanger.engine.packed.state import board_moves, is_won, look_at, play_board

Line = list[tuple[int, int]]
"""Plies from a state: (bit index of the card, kind of destination); foundation moves unsaid."""


@kernel
def _play_without(layout, num_cells, start, plies, length, skipped, kept):
    """Plays a line without one of its plies, leaving out also what thereby becomes impossible.

    Writes the indices of the plies made to `kept` (int64). Returns their number, or -1 if the
    line does not win any more.
    """
    board = look_at(layout, start[0], start[1], start[2])
    num_kept = 0
    for i in range(length):
        if i == skipped:
            continue
        if is_won(board.cells, board.bottoms, board.depths):
            return num_kept
        card, destination = plies[i, 0], plies[i, 1]
        masks = board_moves(layout, num_cells, board)
        if masks[destination] >> np.uint64(card) & np.uint64(1):
            board = play_board(layout, board, card, destination)
            kept[num_kept] = i
            num_kept += 1
    return num_kept if is_won(board.cells, board.bottoms, board.depths) else -1


@kernel(nogil=True)
def drop_plies(layout, num_cells, start, plies, kept):
    """Drops plies from the line in place for as long as it still wins; returns its length.

    Args:
        start: uint64 (3,), where the line starts.
        plies: int64 (n, 2), card (bit index) and kind of destination; kept: int64 (n,), scratch.
    """
    length = plies.shape[0]
    skipped = np.int64(0)
    while skipped < length:
        num_kept = _play_without(layout, num_cells, start, plies, length, skipped, kept)
        if num_kept < 0:
            skipped += 1
            continue
        for i in range(num_kept):
            plies[i, 0] = plies[kept[i], 0]
            plies[i, 1] = plies[kept[i], 1]
        # One that was needed may have become superfluous: from the front again.
        skipped = np.int64(0)
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
    plies = np.array(line, np.int64).reshape(len(line), 2)
    kept = np.empty(len(line), np.int64)
    start = np.array(state, np.uint64)
    length = int(drop_plies(layout, np.int64(num_cells), start, plies, kept))
    return [(card, destination) for card, destination in plies[:length].tolist()]
