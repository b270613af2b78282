"""The steps of a measure: single cards for plies, runs too for actions.

A step is named by its highest card and the kind of its destination. That says how many cards move,
too: the highest and all that lie on it. Foundation moves are no steps here; states are closed.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boulanger.engine.packed.bits import lowest_bit, popcount
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import ALL_CARDS, DEALT_ON_PARENT, FIRST_CARDS, KINGS
from boulanger.engine.packed.state import (
    TO_CELL,
    TO_COLUMN,
    TO_PARENT,
    close,
    column_masks,
    depth_of,
    home_mask,
    lower_depth,
    move_masks,
    normalise,
    play,
)
from boulanger.solver.optimal.digs import PLIES

_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)


@kernel(forceinline=True)
def step_masks(layout, num_cells, measure, cells, bottoms, depths):
    """All steps of a state, as three masks of the highest cards: to parent, cell, empty column.

    Left out is what changes nothing: steps between cells, or of a whole column to an empty one.
    """
    to_parent, to_cell, to_column = move_masks(layout, num_cells, cells, bottoms, depths)
    if measure == PLIES:
        return to_parent, to_cell, to_column
    intact, tops, num_emptied = column_masks(layout, depths)
    gone = ALL_CARDS & ~(intact | cells | bottoms)
    loose = gone & ~home_mask(gone)
    # Cards that lie on their parents, loose or as dealt.
    linked = loose | (intact & layout.marks[DEALT_ON_PARENT])
    exposed = (tops | bottoms | loose) & ~(loose << _ONE)
    alone = bottoms | (layout.marks[FIRST_CARDS] & intact)
    num_free = num_cells - popcount(cells)
    num_empty = num_emptied - popcount(bottoms)
    limit = (num_free + 1) << num_empty
    ends = exposed & linked
    while ends != _NONE:
        end = lowest_bit(ends)
        ends &= ends - _ONE
        head = lowest_bit(~linked & ~((_ONE << np.uint64(end)) - _ONE))
        length = head - end + 1
        head_bit = _ONE << np.uint64(head)
        # Onto a card goes only the whole run: the parents of the others are in it.
        if length <= limit and head_bit & ~KINGS & (exposed >> _ONE):
            to_parent |= head_bit
        if num_empty > 0:
            # A destination that is empty does not count, which halves the limit.
            longest = min(length, limit >> 1)
            for card in range(end + 1, end + longest):
                to_column |= (_ONE << np.uint64(card)) & ~alone
    return to_parent, to_cell, to_column


@kernel(forceinline=True)
def play_step(layout, measure, cells, bottoms, depths, card, destination):
    """The closed, normalised state after a step.

    Args:
        card: bit index, int64, of a card that `step_masks` gives for this destination.
        destination: TO_PARENT, TO_CELL or TO_COLUMN.
    """
    bit = _ONE << np.uint64(card)
    if measure == PLIES or bit & cells:
        return play(layout, cells, bottoms, depths, card, destination)
    column = layout.column_of[card]
    if bit & bottoms:
        bottoms &= ~bit
    elif column >= 0:
        # The intact cards that lie on it go along, and are loose on their parents then.
        start = layout.start[column]
        while layout.intact[start + depth_of(depths, column)] & bit:
            depths = lower_depth(depths, column)
    if destination == TO_CELL:
        cells |= bit
    elif destination == TO_COLUMN:
        bottoms |= bit
    cells, bottoms, depths = close(layout, cells, bottoms, depths)
    return normalise(layout, cells, bottoms, depths)


STEP_KINDS: Final = (TO_COLUMN, TO_CELL, TO_PARENT)
