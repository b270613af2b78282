"""A* on exact positions: the kernel, its memory, and the line that it found.

Lengths are counted here in steps other than foundation moves: the latter are as many in every
solution as there are cards to put home, and they are played at once.

Positions wait in buckets by the fewest steps that a solution through them could have: those made
and a lower bound on those to come (`solver.optimal.bounds`). The lowest bucket comes first, within
it the latest. So all positions of a bucket are done before the next one begins, and the number of
the bucket is a proven lower bound on the steps of any solution.

A position that is met again on a shorter way is taken out of its bucket and put into a better
one, even if it has been expanded: nothing here depends on the bound being consistent.

With a *weight*, the lower bound counts for more in the number of a bucket than it is worth, so
that positions near the end come sooner. Such a search ends with the first solution that it finds,
a short one after few positions, and proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.packed.bits import lowest_bit
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import Layout
from boulanger.engine.packed.packing import State
from boulanger.engine.packed.state import depth_index, is_won, look_at, make_key, read_key, words_of
from boulanger.solver.line.search import (
    BEST_BUCKET,
    FULL,
    GOAL,
    MOVE_CARD_BITS,
    NO_MOVE,
    NO_NODE,
    NUM_EXPANDED,
    NUM_NODES,
    PAUSED,
    SearchMemory,
)
from boulanger.solver.line.table import find_or_add
from boulanger.solver.optimal.bounds import NO_SOLUTION, WHOLE_BOUND, other_steps
from boulanger.solver.optimal.digs import Digs, sweep
from boulanger.solver.optimal.steps import STEP_KINDS, board_steps, play_board_step

# What a call of the kernel ended with, apart from PAUSED and FULL: no solution has fewer steps than
# the ceiling, which are those of the goal, or of a solution that was known before.
SETTLED: Final = 4

# Counters in addition to those of the plain search.
CEILING: Final = 4  # positions of this bucket or above are dropped
NUM_DROPPED: Final = 5
_NUM_COUNTERS: Final = 6

# Weights are in parts of this: a bound of 8 with a weight of 3 counts 11. Without one, the search
# proves what it finds.
WEIGHT_UNIT: Final = 8
NO_WEIGHT: Final = 0

# Some 30 steps apart from the foundation moves are common, 100 are not.
NUM_BUCKETS: Final = 1024

_UNCOUNTED: Final = 0  # in `Digs.counts`
_EXPANDED: Final = -2  # in `preceding`: the node is in no bucket
_FIRST_CAPACITY: Final = 1 << 14
_MAX_SUCCESSORS: Final = 128
_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)


class Nodes(NamedTuple):
    """The arrays of a `ShortestMemory`, as the kernels take them."""

    slots: npt.NDArray[np.uint64]
    keys: npt.NDArray[np.uint64]
    parents: npt.NDArray[np.int32]
    moves: npt.NDArray[np.uint8]
    following: npt.NDArray[np.int32]
    preceding: npt.NDArray[np.int32]
    costs: npt.NDArray[np.int16]
    heads: npt.NDArray[np.int32]
    counters: npt.NDArray[np.int64]


class Task(NamedTuple):
    """What is searched, and how.

    Attributes:
        layout: of the deal.
        num_cells: int64, 0..8.
        measure: int64, PLIES or ACTIONS.
        parts: int64, of the lower bound; see `solver.optimal.bounds`.
        digs: of this deal, number of cells and measure.
        weight: int64, that the lower bound has beyond its worth; see above.
    """

    layout: Layout
    num_cells: np.int64
    measure: np.int64
    parts: np.int64
    digs: Digs
    weight: np.int64


@kernel(nogil=True)
def find_shortest_on(task, start, nodes, generation, max_expanded):
    """Starts or goes on with a search; all it knows is in the arrays, so it can be called again.

    Args:
        task: a `Task`.
        start: uint64 (3,), the state to start from.
        nodes: the memory; the ceiling is in its counters and may be lowered between calls.
        generation: int64, of the table.
        max_expanded: int64, pause when this many nodes have been expanded in all.

    Returns:
        int64: SETTLED, PAUSED, or FULL if the arrays must grow first. With a weight, SETTLED says
        no more than that a solution was found or that there is none below the ceiling.
    """
    counters, heads = nodes.counters, nodes.heads
    if counters[NUM_NODES] == 0:
        board = look_at(task.layout, start[0], start[1], start[2])
        _meet(task, nodes, generation, np.int64(NO_NODE), np.int64(NO_MOVE), np.int64(0), board)
    while True:
        bucket, end = counters[BEST_BUCKET], counters[CEILING]
        if task.weight != NO_WEIGHT:
            end = np.int64(NUM_BUCKETS) if counters[GOAL] == NO_NODE else np.int64(0)
        while bucket < end and heads[bucket] == NO_NODE:
            bucket += 1
        counters[BEST_BUCKET] = bucket
        if bucket >= end:
            return SETTLED
        if counters[NUM_EXPANDED] >= max_expanded:
            return PAUSED
        if counters[NUM_NODES] + _MAX_SUCCESSORS > nodes.keys.shape[0]:
            return FULL
        node = np.int64(heads[bucket])
        _take_out(nodes, node, bucket)
        counters[NUM_EXPANDED] += 1
        _expand(task, nodes, generation, node)


@kernel(nogil=True)
def sweep_on(task, start, num_more):
    """Counts the digs from all vectors that can be reached, a slice of them at a time.

    Returns:
        bool: whether all are counted. (The search itself would count what is missing.)
    """
    board = look_at(task.layout, start[0], start[1], start[2])
    if task.digs.counts[depth_index(task.layout, board.depths)] != _UNCOUNTED:
        return True
    return sweep(task.layout, task.num_cells, task.measure, task.digs, board, num_more)


@kernel(forceinline=True)
def _expand(task, nodes, generation, node):
    """Meets all successors of a node."""
    layout = task.layout
    cells, bottoms, depths = read_key(layout, nodes.keys[node, 0], nodes.keys[node, 1])
    board = look_at(layout, cells, bottoms, depths)
    cost = np.int64(nodes.costs[node]) + 1
    masks = board_steps(layout, task.num_cells, task.measure, board)
    for destination in STEP_KINDS:
        cards = masks[destination]
        while cards != _NONE:
            card = lowest_bit(cards)
            cards &= cards - _ONE
            after = play_board_step(layout, task.measure, board, card, destination)
            move = card | (destination << MOVE_CARD_BITS)
            _meet(task, nodes, generation, node, move, cost, after)


@kernel(forceinline=True)
def _meet(task, nodes, generation, parent, move, cost, board):
    """Puts a position in its bucket, unless that is no use or a way as short was met before."""
    counters, layout = nodes.counters, task.layout
    bound = other_steps(layout, task.num_cells, task.measure, task.parts, task.digs, board)
    if bound == NO_SOLUTION:
        return
    if cost + bound >= counters[CEILING]:
        counters[NUM_DROPPED] += 1
        return
    cells, bottoms, depths = words_of(board)
    num_nodes = counters[NUM_NODES]
    first, second = make_key(layout, cells, bottoms, depths)
    node = find_or_add(nodes.slots, nodes.keys, generation, num_nodes, first, second)
    if node == num_nodes:
        counters[NUM_NODES] += 1
    else:
        if nodes.costs[node] <= cost:
            return
        if nodes.preceding[node] != _EXPANDED:
            _take_out(nodes, node, _bucket(task, np.int64(nodes.costs[node]), bound))
    nodes.parents[node] = parent
    nodes.moves[node] = move
    nodes.costs[node] = cost
    if is_won(cells, bottoms, depths):
        counters[GOAL] = node
        counters[CEILING] = cost
        nodes.preceding[node] = _EXPANDED
        return
    _put_in(nodes, node, _bucket(task, cost, bound))


@kernel(forceinline=True)
def _bucket(task, cost, bound):
    """The number of the bucket for positions so many steps from the start, with this bound."""
    return min(cost + bound + bound * task.weight // WEIGHT_UNIT, np.int64(NUM_BUCKETS - 1))


@kernel(forceinline=True)
def _put_in(nodes, node, bucket):
    """Makes a node the first of a bucket."""
    head = nodes.heads[bucket]
    nodes.following[node] = head
    nodes.preceding[node] = NO_NODE
    if head != NO_NODE:
        nodes.preceding[head] = node
    nodes.heads[bucket] = node
    nodes.counters[BEST_BUCKET] = min(nodes.counters[BEST_BUCKET], bucket)


@kernel(forceinline=True)
def _take_out(nodes, node, bucket):
    """Removes a node from the middle of its bucket."""
    before, after = nodes.preceding[node], nodes.following[node]
    if before == NO_NODE:
        nodes.heads[bucket] = after
    else:
        nodes.following[before] = after
    if after != NO_NODE:
        nodes.preceding[after] = before
    nodes.preceding[node] = _EXPANDED


@dataclass(slots=True)
class ShortestMemory(SearchMemory):
    """The arrays of a search for shortest solutions.

    In addition to those of the plain search: the node before it in its bucket (or that it is in
    none), and the fewest steps known to it from the start.
    """

    node_arrays: ClassVar[tuple[str, ...]] = (*SearchMemory.node_arrays, "preceding", "costs")
    bytes_per_node: ClassVar[int] = SearchMemory.bytes_per_node + 4 + 2

    preceding: npt.NDArray[np.int32] = field(
        default_factory=lambda: np.empty(_FIRST_CAPACITY, np.int32)
    )
    costs: npt.NDArray[np.int16] = field(
        default_factory=lambda: np.empty(_FIRST_CAPACITY, np.int16)
    )
    heads: npt.NDArray[np.int32] = field(
        default_factory=lambda: np.full(NUM_BUCKETS, NO_NODE, np.int32)
    )
    counters: npt.NDArray[np.int64] = field(
        default_factory=lambda: np.zeros(_NUM_COUNTERS, np.int64)
    )

    def begin(self) -> None:
        """Forgets all nodes, in constant time, and any solution."""
        SearchMemory.begin(self)
        self.counters[CEILING] = NUM_BUCKETS

    @property
    def num_bytes(self) -> int:
        """Bytes of the arrays."""
        return sum(array.nbytes for array in self.nodes)

    @property
    def nodes(self) -> Nodes:
        """The arrays for the kernels; to be asked for anew after they have grown."""
        return Nodes(
            self.slots,
            self.keys,
            self.parents,
            self.moves,
            self.following,
            self.preceding,
            self.costs,
            self.heads,
            self.counters,
        )


def make_task(
    layout: Layout,
    num_cells: int,
    measure: int,
    digs: Digs,
    parts: int = WHOLE_BOUND,
    weight: int = NO_WEIGHT,
) -> Task:
    """A task with its types settled."""
    return Task(
        layout,
        np.int64(num_cells),
        np.int64(measure),
        np.int64(parts),
        digs,
        np.int64(weight),
    )


def sweep_slice(task: Task, state: State, num_more: int) -> bool:
    """One call of the kernel with its types settled; see `sweep_on`."""
    return bool(sweep_on(task, np.array(state, np.uint64), np.int64(num_more)))


def run_slice(memory: ShortestMemory, task: Task, state: State, max_expanded: int) -> int:
    """One call of the kernel with its types settled; see `find_shortest_on`."""
    return int(
        find_shortest_on(
            task,
            np.array(state, np.uint64),
            memory.nodes,
            np.int64(memory.generation),
            np.int64(max_expanded),
        )
    )
