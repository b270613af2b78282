"""The fewest digs to the end from each vector of column depths: a relaxed lattice, swept whole.

A *dig* is a step, other than a foundation move, that takes an intact card from its column. Depths
never rise but by renaming (a card back where it was dealt counts as intact again), so a game walks
down a lattice of depth vectors: digs, and foundation moves in between, which cost no dig. The
relaxation forgets where loose cards are and keeps only what `_space_demand` says: how many spaces
they take at the least. What the relaxation can do is more than what the game can, so

- the fewest digs that empty the columns in the lattice are no more than those of any solution;
- a vector from which the lattice cannot empty the columns is a dead end for every position.

In *plies* a dig takes one card. In *actions* a run that was dealt in order may be dug at once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.packed.bits import highest_bit, lowest_bit, popcount
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import (
    ALL_CARDS,
    DEALT_ON_PARENT,
    LANE_CARDS,
    NUM_COLUMNS,
    Layout,
)
from boulanger.engine.packed.runs import run_down
from boulanger.engine.packed.state import close, column_masks, depth_of, home_mask, lower_depth

# The measures of a solution's length, as kernels take them.
PLIES: Final = 0
ACTIONS: Final = 1

# No number of digs: none empty the columns.
DEAD_END: Final = 254

# An entry of the table is one more than the number of digs, and this while it is not known.
_UNKNOWN: Final = 0

_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)

# A path in the lattice takes an intact card away with each step, and each column has as many
# successors as the run on top of it is long.
_MAX_PATH: Final = 53
_MAX_SUCCESSORS: Final = 52

# How many segments there are of each length, in fields of so many bits: at most 4 a suit.
_FIELD_BITS: Final = 5
_FIELD_MASK: Final = np.uint64((1 << _FIELD_BITS) - 1)


class Digs(NamedTuple):
    """The counts of one deal, number of cells and measure, and room to work them out.

    Attributes:
        counts: uint8, an entry for each depth index.
        path: uint64 (53,), the depth vectors of the path that is being walked.
        successors: uint64 (53, 52), the successors of each that have not been tried.
        num_successors: int64 (53,), how many those are.
        best: int64 (53,), the fewest digs found from each.
    """

    counts: npt.NDArray[np.uint8]
    path: npt.NDArray[np.uint64]
    successors: npt.NDArray[np.uint64]
    num_successors: npt.NDArray[np.int64]
    best: npt.NDArray[np.int64]


def make_digs(layout: Layout) -> Digs:
    """Counts for a deal, all unknown; `count_digs` fills them."""
    return Digs(
        np.zeros(num_vectors(layout), np.uint8),
        np.zeros(_MAX_PATH, np.uint64),
        np.zeros((_MAX_PATH, _MAX_SUCCESSORS), np.uint64),
        np.zeros(_MAX_PATH, np.int64),
        np.zeros(_MAX_PATH, np.int64),
    )


def num_vectors(layout: Layout) -> int:
    """How many depth vectors a deal has: the bytes of its table, 9,834,496 at the most."""
    return int(np.prod(np.diff(layout.start)))


@kernel(forceinline=True)
def depth_index(layout, depths):
    """The place of a depth vector in `Digs.counts`, int64."""
    index = 0
    for c in range(NUM_COLUMNS):
        index += layout.stride[c] * depth_of(depths, c)
    return index


@kernel(forceinline=True)
def count_digs(layout, num_cells, measure, digs, depths):
    """The fewest digs to the end from the depths of a closed position; DEAD_END if none do.

    Fills in the counts of all vectors that can be reached from there, once a deal; after that it
    is a look at the table. They are walked depth first, and a vector's count is settled when all
    its successors' are.

    Admissible for its measure. Number the cards that were dealt to a column by hand and take a card
    that has been dug as loose for good, even if it comes back to where it was. The steps of any
    solution from a position then lower the depths one dig at a time (in actions: one run at a
    time), with foundation moves in between; each dig passes `_diggable`, which asks only what every
    position must satisfy; and taking the foundation moves at once, as the lattice does, never hurts
    (see `engine.packed.state`). So the digs of a solution are a path in the lattice. Other steps,
    such as loose cards going from space to space, are not counted at all.
    """
    first = np.int64(digs.counts[depth_index(layout, depths)])
    if first != _UNKNOWN:
        return first - 1
    level = 0
    _enter(layout, num_cells, measure, digs, level, depths)
    while True:
        if digs.num_successors[level] == 0:
            digs.counts[depth_index(layout, digs.path[level])] = digs.best[level] + 1
            if level == 0:
                return digs.best[0]
            level -= 1
            digs.best[level] = min(digs.best[level], _one_more(digs.best[level + 1]))
            continue
        digs.num_successors[level] -= 1
        after = digs.successors[level, digs.num_successors[level]]
        _, _, after = close(layout, _NONE, _NONE, after)
        entry = np.int64(digs.counts[depth_index(layout, after)])
        if entry == _UNKNOWN:
            level += 1
            _enter(layout, num_cells, measure, digs, level, after)
        else:
            digs.best[level] = min(digs.best[level], _one_more(entry - 1))


@kernel(forceinline=True)
def _one_more(count):
    return count + 1 if count < DEAD_END else DEAD_END


@kernel(forceinline=True)
def _enter(layout, num_cells, measure, digs, level, depths):
    """Begins with a vector at a level of the path: writes down its successors."""
    digs.path[level] = depths
    digs.best[level] = 0 if depths == _NONE else DEAD_END
    num_successors = 0
    diggable = _diggable(layout, num_cells, depths)
    for c in range(NUM_COLUMNS):
        if not diggable >> c & 1:
            continue
        after = depths
        while True:
            entry = layout.start[c] + depth_of(after, c)
            after = lower_depth(after, c)
            digs.successors[level, num_successors] = after
            num_successors += 1
            # In actions the card's parent may come along if it was dealt under it.
            if measure == PLIES or not layout.top[entry] & layout.marks[DEALT_ON_PARENT]:
                break
            if not _diggable(layout, num_cells, after) >> c & 1:
                break
    digs.num_successors[level] = num_successors


@kernel(forceinline=True)
def _diggable(layout, num_cells, depths):
    """The columns whose top card may be dug, as a bit mask (int64): bit c for column c.

    Just before a card is dug nothing lies on it, so the loose cards below it in its suit take
    spaces. So does the card itself, unless its parent takes it: an exposed card of another
    column, at the end of a run on one, or in an emptied column. All that is in a space then must
    fit (see `_space_demand`); if it does not, no position allows that dig.
    """
    intact, tops, num_emptied = column_masks(layout, depths)
    gone = ALL_CARDS & ~intact
    loose = gone & ~home_mask(gone)
    hanging = run_down(loose & (tops >> _ONE), loose)
    apart = loose & ~hanging
    lengths = _segment_lengths(apart)
    num_apart = popcount(apart)
    num_spaces = num_cells + num_emptied
    diggable = 0
    for c in range(NUM_COLUMNS):
        entry = layout.start[c] + depth_of(depths, c)
        top = layout.top[entry]
        if top == _NONE:
            continue
        # The segment below the card, which hangs on it now or could.
        length = layout.card[entry] - 1 - highest_bit(~loose & (top - _ONE))
        demand = num_apart + length
        if num_emptied > 0:
            segments = lengths
            if length > 1:
                segments += _ONE << np.uint64(_FIELD_BITS * (length - 2))
            demand -= _saving(segments, num_emptied)
        parent = top << _ONE
        has_parent = parent & (tops | hanging) or (parent & apart and num_emptied > 0)
        if not has_parent:
            demand += 1
        if demand <= num_spaces:
            diggable |= 1 << c
    return diggable


@kernel(forceinline=True)
def _segment_lengths(apart):
    """How many segments of each length 2..13 a mask has, a field each; single cards are left out.

    A segment is a maximal stretch of consecutive ranks of a suit.
    """
    lengths = _NONE
    heads = apart & ~(apart >> _ONE) & (apart << _ONE)
    while heads != _NONE:
        head = lowest_bit(heads)
        heads &= heads - _ONE
        length = head - highest_bit(~apart & ((_ONE << np.uint64(head)) - _ONE))
        lengths += _ONE << np.uint64(_FIELD_BITS * (length - 2))
    return lengths


@kernel(forceinline=True)
def _saving(lengths, num_emptied):
    """How many spaces emptied columns save at the most: the largest segments stand in them.

    A position's loose cards that do not hang on an intact top take a cell each, but a segment of
    m cards in an emptied column takes one space. So the demand on spaces is the number of such
    cards, less m - 1 for as many of the largest segments as columns are emptied.
    """
    saving = 0
    for length in range(LANE_CARDS, 1, -1):
        num_segments = np.int64(lengths >> np.uint64(_FIELD_BITS * (length - 2)) & _FIELD_MASK)
        num_standing = min(num_segments, num_emptied)
        saving += num_standing * (length - 1)
        num_emptied -= num_standing
        if num_emptied == 0:
            break
    return saving
