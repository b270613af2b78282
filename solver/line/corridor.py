"""A search kept to the fronts along a way that the class search has found.

The class search says that a position is won and which fronts (`solver.verdict.dealt`) a win goes
through, not which cell or column each card takes. Somewhere between the fronts of that way there is
a real line of play, so the plain search, kept to positions whose front lies between two that follow
each other, finds it without having to look elsewhere.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import NUM_COLUMNS
from boulanger.engine.packed.state import depth_of
from boulanger.solver.verdict.dealt import below, is_last_unit, unit_of, with_entry

# The top bit of each byte: entries stay below it, so a byte-wise comparison needs no borrow.
_TOP_BITS: Final = np.uint64(0x8080_8080_8080_8080)


@kernel
def front_of(layout, dealt, depths):
    """The front of a packed state; columns with their last unit exposed count as emptied."""
    front = np.uint64(0)
    for column in range(NUM_COLUMNS):
        entry = layout.start[column] + depth_of(depths, column)
        if entry > layout.start[column]:
            entry = unit_of(dealt, layout.card[entry])
            if is_last_unit(dealt, entry):
                entry = below(dealt, entry)
        front = with_entry(front, column, entry)
    return front


@kernel
def is_in_corridor(corridor, front):
    """Whether a front lies between two that follow each other; any front if there are none.

    Args:
        corridor: uint64 (n, 2): upper and lower front of each stretch.
    """
    for i in range(corridor.shape[0]):
        under = (corridor[i, 0] | _TOP_BITS) - front
        above = (front | _TOP_BITS) - corridor[i, 1]
        if under & above & _TOP_BITS == _TOP_BITS:
            return True
    return corridor.shape[0] == 0
