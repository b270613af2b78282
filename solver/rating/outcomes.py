"""The verdict on any packed state of a deal, inside compiled code.

`solver.verdict` takes a position as a new deal. Here the tables of that deal are filled from the
packed state itself, so that a rating can ask for thousands of verdicts without leaving compiled
code.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.packed.bits import lowest_bit
from boulanger.engine.packed.jit import bare_kernel, compile_inner
from boulanger.engine.packed.layout import ALL_CARDS, NUM_COLUMNS, make_layout
from boulanger.engine.packed.state import depth_of, home_mask
from boulanger.solver.verdict.classes import ALL_RULES
from boulanger.solver.verdict.dealt import fill_dealt
from boulanger.solver.verdict.decide import (
    FIRST_SEEN,
    NO_LIMIT,
    Memory,
    begin,
    decide,
    make_memory,
)

# Typed, so that kernels see them as one type.
_RULES: Final = np.int64(ALL_RULES)
_NEVER: Final = np.int64(NO_LIMIT)
_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)


class Workbench(NamedTuple):
    """Memory that verdicts on states are worked out in; one for each thread.

    Attributes:
        lengths: int64 (1, 8), of the columns of the state asked about.
        search: the memory of a search.
    """

    lengths: npt.NDArray[np.int64]
    search: Memory


def make_workbench(num_seen: int) -> Workbench:
    """A workbench with room for this many nodes of a search (a power of two, at least 4,096)."""
    return Workbench(np.zeros((1, NUM_COLUMNS), np.int64), make_memory(num_seen))


def compile_outcomes() -> None:
    """Compiles `decide_state` by itself."""
    word, number, layout = np.uint64(0), np.int64(0), make_layout(((),) * NUM_COLUMNS)
    bench = make_workbench(FIRST_SEEN)
    compile_inner(decide_state, bench, layout, number, word, word, word, number)


@bare_kernel
def decide_state(bench, layout, num_cells, cells, bottoms, depths, max_nodes):
    """The verdict on a closed, normalised state.

    Args:
        bench: a `Workbench`.
        num_cells, max_nodes: int64.

    Returns:
        int64: UNWINNABLE, WINNABLE, UNDECIDED at `max_nodes`, or MEMORY_FULL.
    """
    memory = bench.search
    _fill_columns(memory.bits, bench.lengths, layout, cells, bottoms, depths)
    fill_dealt(memory.dealt, memory.bits, bench.lengths, np.int64(0))
    begin(memory, cells)
    return decide(num_cells, max_nodes, _NEVER, _RULES, memory)


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
