"""The verdict on any packed state of a deal, inside compiled code.

`solver.verdict` takes a position as a new deal. Here the tables of that deal are filled from the
packed state itself, so that a rating can ask for thousands of verdicts without leaving compiled
code.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.packed.bits import lowest_bit
from boulanger.engine.packed.jit import bare_kernel
from boulanger.engine.packed.layout import ALL_CARDS, NUM_COLUMNS
from boulanger.engine.packed.state import depth_of, home_mask
from boulanger.solver.verdict.dealt import DEALT_SHAPE, fill_dealt
from boulanger.solver.verdict.decide import decide, make_search_memory

# A plain True is a literal to Numba, which would compile a second copy of the search for it.
_ON: Final = np.bool_(True)
_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)


class Workbench(NamedTuple):
    """Memory that verdicts on states are worked out in; one for each thread.

    Attributes:
        dealt: uint64 `DEALT_SHAPE`, the tables of the state asked about.
        bits: int64 (52,) and lengths: int64 (1, 8), its columns.
        generation: uint64 (1,), of the tables; raised by each verdict.
        search: the tables and scratch arrays of `solver.verdict.decide.decide`.
    """

    dealt: npt.NDArray[np.uint64]
    bits: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    generation: npt.NDArray[np.uint64]
    search: tuple[npt.NDArray[np.uint64] | npt.NDArray[np.int64], ...]


def make_workbench(num_seen: int) -> Workbench:
    """A workbench with room for so many nodes of a search (a power of two, at least 4,096)."""
    return Workbench(
        np.zeros(DEALT_SHAPE, np.uint64),
        np.zeros(NUM_CARDS, np.int64),
        np.zeros((1, NUM_COLUMNS), np.int64),
        np.zeros(1, np.uint64),
        make_search_memory(num_seen),
    )


@bare_kernel
def decide_state(bench, layout, num_cells, cells, bottoms, depths, max_nodes):
    """The verdict on a closed, normalised state.

    Args:
        bench: a `Workbench`.
        num_cells, max_nodes: int64.

    Returns:
        int64: UNWINNABLE, WINNABLE, UNDECIDED at `max_nodes`, or MEMORY_FULL.
    """
    _fill_columns(bench.bits, bench.lengths, layout, cells, bottoms, depths)
    fill_dealt(bench.dealt, bench.bits, bench.lengths, np.int64(0))
    bench.generation[0] += _ONE
    return decide(
        bench.dealt, num_cells, cells, bench.generation[0], max_nodes, _ON, _ON,
        bench.search[0], bench.search[1], bench.search[2], bench.search[3], bench.search[4],
        bench.search[5], bench.search[6], bench.search[7], bench.search[8], bench.search[9],
    )  # fmt: skip


@bare_kernel
def _fill_columns(bits, lengths, layout, cells, bottoms, depths):
    """Writes the columns of a state, card by card from the buried end, as `fill_dealt` has them."""
    gone = ALL_CARDS
    for column in range(NUM_COLUMNS):
        gone &= ~layout.intact[layout.start[column] + depth_of(depths, column)]
    gone &= ~(cells | bottoms)
    on_parent = gone & ~home_mask(gone)
    left = bottoms
    count = np.int64(0)
    for column in range(NUM_COLUMNS):
        first = count
        depth = depth_of(depths, column)
        for entry in range(layout.start[column] + 1, layout.start[column] + 1 + depth):
            bits[count] = layout.card[entry]
            count += 1
        if depth == 0 and left != _NONE:
            bits[count] = lowest_bit(left)
            count += 1
            left &= left - _ONE
        if count > first:
            under = _ONE << np.uint64(bits[count - 1])
            while (under >> _ONE) & on_parent:
                under >>= _ONE
                bits[count] = lowest_bit(under)
                count += 1
        lengths[0, column] = count - first
