"""Lower bounds on the steps that a solution needs, each for its measure, from one packed state.

Every solution puts each card home with a step of its own, the card's last. So lengths differ only
in the *other* steps, and these are what is bounded here. Two kinds are counted, and add up:

- digs, which take intact cards away: the fewest that the relaxed lattice allows
  (`solver.optimal.digs`);
- in plies, steps of loose cards that lie over a lower card of their suit (`num_blocked`).

The sum is consistent: a step lowers it by one at most.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boulanger.engine.packed.bits import highest_bit, lowest_bit
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import LANE_BITS
from boulanger.engine.packed.state import depth_of, loose_cards
from boulanger.solver.optimal.digs import DEAD_END, PLIES, count_digs

# The parts of the bound, as bits.
WITH_DIGS: Final = 1
WITH_BLOCKED: Final = 2
WHOLE_BOUND: Final = WITH_DIGS | WITH_BLOCKED

# Instead of a number of steps: nothing wins from here.
NO_SOLUTION: Final = -1

_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)


@kernel(forceinline=True)
def other_steps(layout, num_cells, measure, parts, digs, board):
    """A lower bound on the remaining steps, foundation moves not counted.

    Args:
        layout, board: a closed, normalised state.
        measure: int64, PLIES or ACTIONS.
        parts: int64, which parts to count: WITH_DIGS and WITH_BLOCKED, added.
        digs: of this deal, number of cells and measure.

    Returns:
        int64; NO_SOLUTION for a dead end.
    """
    bound = np.int64(0)
    if parts & WITH_DIGS:
        bound = count_digs(layout, num_cells, measure, digs, board)
        if bound == DEAD_END:
            return np.int64(NO_SOLUTION)
    if parts & WITH_BLOCKED and measure == PLIES:
        bound += num_blocked(layout, board)
    return bound


@kernel(forceinline=True)
def num_blocked(layout, board):
    """How many loose cards lie, in a run on an intact card, over a lower card of their suit.

    Admissible in plies, digs not counted: the lower card goes home first, so the loose
    card must leave its column before it could go home itself. That is a step of a loose card.

    In actions it is not: the whole run goes with the card that it lies on, and the dig of that
    one is counted.
    """
    on_parent = loose_cards(board)
    carriers = board.tops & (on_parent << _ONE)
    blocked = np.int64(0)
    while carriers != _NONE:
        carrier = lowest_bit(carriers)
        carriers &= carriers - _ONE
        column = layout.column_of[carrier]
        under = layout.intact[layout.start[column] + depth_of(board.depths, column)]
        below = (_ONE << np.uint64(carrier)) - _ONE
        lane = carrier & ~(LANE_BITS - 1)
        lower = under & below & ~((_ONE << np.uint64(lane)) - _ONE)
        if lower != _NONE:
            last = highest_bit(~on_parent & below)
            blocked += carrier - 1 - max(last, lowest_bit(lower))
    return blocked
