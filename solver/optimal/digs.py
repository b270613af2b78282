"""The fewest digs to the end from each vector of column depths: a relaxed lattice, swept whole.

A *dig* is a step, other than a foundation move, that takes an intact card from its column. Depths
never rise but by renaming (a card back where it was dealt counts as intact again), so a game walks
down a lattice of depth vectors: digs, and foundation moves in between, which cost no dig. The
relaxation forgets where loose cards are and keeps only what `solver.spaces` says: how many spaces
they take at least. What the relaxation can do is more than what the game can, so

- the fewest digs that empty the columns in the lattice are no more than those of any solution;
- a vector from which the lattice cannot empty the columns is a dead end for every position.

In the example of `engine.packed.layout` three cards must be dug, JH, KH and KS; all others can go
home from where they lie.

    : 9H KH JH        JH onto QH:  : 9H KH        KH to the cell,  :
    : QS QH                        : QS QH JH     9H goes home:    : QS QH JH
    : TH KS                        : TH KS                         : TH KS       cell: KH

    >>> from boulanger.engine.packed.example import worked_example
    >>> layout, boards = worked_example()
    >>> digs = make_digs(layout)
    >>> [count_digs(layout, np.int64(1), np.int64(PLIES), digs, board) for board in boards]
    [3, 2, 1]

In *plies* a dig takes one card. In *actions* a run that was dealt in order may be dug at once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import DEALT_ON_PARENT, NUM_COLUMNS, Layout
from boulanger.engine.packed.runs import hanging_on
from boulanger.engine.packed.state import Board, close_board, depth_index, depth_of, dig
from boulanger.solver.spaces import demand_of, unit_can_leave

# The measures of a solution's length, as kernels take them.
PLIES: Final = 0
ACTIONS: Final = 1

# No number of digs: none empty the columns.
DEAD_END: Final = 254

# An entry of the table is one more than the number of digs, and this while it is not known.
_UNKNOWN: Final = 0
_ALL_VECTORS: Final = np.int64(1 << 40)

_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)

# A path in the lattice takes an intact card away with each step, and each column has as many
# successors as the run on top of it is long.
_MAX_PATH: Final = 53
_MAX_SUCCESSORS: Final = 52

# The words of a successor: its depths, and the masks of its intact and its top cards.
_DEPTHS: Final = 0
_INTACT: Final = 1
_TOPS: Final = 2
_VECTOR_WORDS: Final = 3


class Digs(NamedTuple):
    """The counts of one deal, number of cells and measure, and room to work them out.

    Attributes:
        counts: uint8, an entry for each depth index.
        path: uint64 (53,), the depth indices of the path that is being walked.
        successors: uint64 (53, 52, 3), the successors of each that have not been tried.
        num_successors: int64 (53,), how many those are.
        best: int64 (53,), the fewest digs found from each.
        level: int64 (1,), of the path, while a sweep is paused; else -1.
    """

    counts: npt.NDArray[np.uint8]
    path: npt.NDArray[np.uint64]
    successors: npt.NDArray[np.uint64]
    num_successors: npt.NDArray[np.int64]
    best: npt.NDArray[np.int64]
    level: npt.NDArray[np.int64]


def make_digs(layout: Layout) -> Digs:
    """Counts for a deal, all unknown; `count_digs` fills them."""
    return Digs(
        np.zeros(num_vectors(layout), np.uint8),
        np.zeros(_MAX_PATH, np.uint64),
        np.zeros((_MAX_PATH, _MAX_SUCCESSORS, _VECTOR_WORDS), np.uint64),
        np.zeros(_MAX_PATH, np.int64),
        np.zeros(_MAX_PATH, np.int64),
        np.full(1, -1, np.int64),
    )


def num_vectors(layout: Layout) -> int:
    """How many depth vectors a deal has: the bytes of its table, 9,834,496 at most."""
    return int(np.prod(np.diff(layout.start)))


@kernel(forceinline=True)
def count_digs(layout, num_cells, measure, digs, board):
    """The fewest digs to the end from the depths of a closed position; DEAD_END if none do.

    Fills in the counts of all vectors that can be reached from there, once a deal; after that it
    is a look at the table.

    Admissible for its measure. Proof: count each column's depth by its dealt cards, and treat a
    card that has been dug as loose for ever, even if it is back where it was. The steps of any
    solution from a position then lower the depths one dig at a time (in actions: one run at a
    time), with foundation moves in between. Each dig passes `unit_can_leave`, which asks only what
    every position must satisfy; and taking the foundation moves at once, as the lattice does, never
    hurts (see `engine.packed.state`). So the digs of a solution are a path in the lattice. Other
    steps, such as loose cards going from space to space, are not counted at all.
    """
    index = depth_index(layout, board.depths)
    if digs.counts[index] == _UNKNOWN:
        sweep(layout, num_cells, measure, digs, board, _ALL_VECTORS)
    return np.int64(digs.counts[index]) - 1


@kernel
def sweep(layout, num_cells, measure, digs, board, num_more):
    """Counts all vectors below that of a board, depth first; goes on with a sweep that was paused.

    A vector's count is settled when those of all its successors are.

    Args:
        num_more: int64, pause after this many vectors.

    Returns:
        bool: whether all are counted.
    """
    level = digs.level[0]
    if level < 0:
        level = np.int64(0)
        _enter(layout, num_cells, measure, digs, level, depth_index(layout, board.depths), board)
    while num_more > 0:
        if digs.num_successors[level] == 0:
            digs.counts[digs.path[level]] = digs.best[level] + 1
            level -= 1
            if level < 0:
                break
            digs.best[level] = min(digs.best[level], digs.best[level + 1] + 1)
            continue
        digs.num_successors[level] -= 1
        after = digs.successors[level, digs.num_successors[level]]
        vector = close_board(
            layout, Board(_NONE, _NONE, after[_DEPTHS], after[_INTACT], after[_TOPS])
        )
        index = depth_index(layout, vector.depths)
        count = np.int64(digs.counts[index])
        if count == _UNKNOWN:
            level += 1
            num_more -= 1
            _enter(layout, num_cells, measure, digs, level, index, vector)
        else:
            digs.best[level] = min(digs.best[level], count)
    digs.level[0] = level
    return level < 0


@kernel
def _enter(layout, num_cells, measure, digs, level, index, vector):
    """Begins with a vector at a level of the path: writes down its successors."""
    digs.path[level] = index
    digs.best[level] = 0 if vector.depths == _NONE else DEAD_END
    count = np.int64(0)
    demand = demand_of(num_cells, vector.depths, vector.intact, vector.tops)
    for column in range(NUM_COLUMNS):
        depths, intact, tops = vector.depths, vector.intact, vector.tops
        here = demand
        while True:
            top = layout.top[layout.start[column] + depth_of(depths, column)]
            if top == _NONE or not _can_be_dug(here, top):
                break
            depths, intact, tops = dig(layout, depths, intact, tops, column)
            digs.successors[level, count, _DEPTHS] = depths
            digs.successors[level, count, _INTACT] = intact
            digs.successors[level, count, _TOPS] = tops
            count += 1
            # In actions the card's parent may come along if it was dealt under it.
            if measure == PLIES or not top & layout.marks[DEALT_ON_PARENT]:
                break
            here = demand_of(num_cells, depths, intact, tops)
    digs.num_successors[level] = count


@kernel(forceinline=True)
def _can_be_dug(demand, top):
    """Whether a top card (a mask) can be dug from a vector; see `solver.spaces`."""
    return unit_can_leave(
        top, hanging_on(top, demand.loose), demand.held, demand.spaces - demand.free,
        demand.open_parents, demand.num_emptied, demand.spaces,
    )  # fmt: skip
