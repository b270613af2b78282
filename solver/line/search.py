"""The plain search: each position that can be reached, once, until one is won or none is left.

It works on exact positions and narrows nothing but two things, both proven in
`engine.packed.state`: foundation moves are played at once, and positions that differ in the order
of columns or cells are one. So when it runs dry, the deal is unwinnable. That makes it the oracle
of any faster search.

Positions wait in buckets by how far from home they look and are taken best bucket first, the latest
first within a bucket: depth-first as long as that does not lead away from the goal. The order only
decides how soon a win is found; it never drops a position.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.packed.bits import lowest_bit, popcount
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import NUM_COLUMNS, Layout
from boulanger.engine.packed.packing import State
from boulanger.engine.packed.state import (
    TO_CELL,
    TO_COLUMN,
    TO_PARENT,
    board_moves,
    depth_of,
    is_won,
    look_at,
    make_key,
    play_board,
    read_key,
    words_of,
)
from boulanger.solver.line.corridor import front_of, is_in_corridor
from boulanger.solver.line.table import MAX_GENERATION, MAX_NODES, find_or_add, refill
from boulanger.solver.verdict.dealt import DEALT_SHAPE

# A move that led to a node: bit index of the card, and the kind of destination above it.
MOVE_CARD_BITS: Final = 6
NO_MOVE: Final = 255

NO_NODE: Final = -1
# Typed, so that kernels see them as one type.
_NO_PARENT: Final = np.int64(NO_NODE)
_NO_MOVE: Final = np.int64(NO_MOVE)

# What a call of the kernel ended with.
WON: Final = 0
EXHAUSTED: Final = 1
PAUSED: Final = 2
FULL: Final = 3

# Entries of the counters that outlive a call.
NUM_NODES: Final = 0  # positions met
NUM_EXPANDED: Final = 1
BEST_BUCKET: Final = 2  # no bucket below it holds a node
GOAL: Final = 3
_NUM_COUNTERS: Final = 4

# Distance at most: 52 intact cards at DEPTH_WEIGHT, 8 cells, 8 bottoms.
DEPTH_WEIGHT: Final = 2
NUM_BUCKETS: Final = 256

# A node makes at most this many successors: 8 columns and 8 cells, three kinds of destination.
_MAX_SUCCESSORS: Final = 48
_BYTES_PER_NODE: Final = 16 + 4 + 4 + 1
_SLOTS_PER_NODE: Final = 2
_FIRST_CAPACITY: Final = 1 << 14


class Nodes(NamedTuple):
    """The arrays of a `SearchMemory`, as the kernels take them.

    Attributes:
        slots: uint64 (power of two,), at least twice as many as `keys` has rows.
        keys: uint64 (n, 2), parents: int32 (n,), moves: uint8 (n,), following: int32 (n,) (the next
            node in the bucket): of the nodes.
        heads: int32 (NUM_BUCKETS,), the first node of each bucket; all NO_NODE at the beginning.
        counters: int64 (4,), see above; no nodes at the beginning.
    """

    slots: npt.NDArray[np.uint64]
    keys: npt.NDArray[np.uint64]
    parents: npt.NDArray[np.int32]
    moves: npt.NDArray[np.uint8]
    following: npt.NDArray[np.int32]
    heads: npt.NDArray[np.int32]
    counters: npt.NDArray[np.int64]


class Corridor(NamedTuple):
    """Keeps a search to positions near a way known; see `solver.line.corridor`.

    Attributes:
        dealt: uint64 `DEALT_SHAPE`, the tables of the deal.
        stretches: uint64 (n, 2); an empty corridor does not restrict the search.
    """

    dealt: npt.NDArray[np.uint64]
    stretches: npt.NDArray[np.uint64]


def no_corridor() -> Corridor:
    """A corridor that does not restrict the search."""
    return Corridor(np.zeros(DEALT_SHAPE, np.uint64), np.zeros((0, 2), np.uint64))


@kernel(forceinline=True)
def distance_estimate(cells, bottoms, depths):
    """How far from home a position looks, 0..NUM_BUCKETS-1: intact cards and occupied spaces."""
    distance = popcount(cells) + popcount(bottoms)
    for c in range(NUM_COLUMNS):
        distance += DEPTH_WEIGHT * depth_of(depths, c)
    return distance


@kernel
def _meet(layout, corridor, nodes, generation, parent, move, board):
    """Puts a position in its bucket unless it was met before; says whether it is won."""
    cells, bottoms, depths = words_of(board)
    counters = nodes.counters
    stretches = corridor.stretches
    if stretches.size > 0 and not is_in_corridor(
        stretches, front_of(layout, corridor.dealt, depths)
    ):
        return False
    num_nodes = counters[NUM_NODES]
    first, second = make_key(layout, cells, bottoms, depths)
    node = find_or_add(nodes.slots, nodes.keys, generation, num_nodes, first, second)
    if node < num_nodes:
        return False
    counters[NUM_NODES] += 1
    nodes.parents[node] = parent
    nodes.moves[node] = move
    bucket = distance_estimate(cells, bottoms, depths)
    nodes.following[node] = nodes.heads[bucket]
    nodes.heads[bucket] = node
    counters[BEST_BUCKET] = min(counters[BEST_BUCKET], bucket)
    if is_won(cells, bottoms, depths):
        counters[GOAL] = node
        return True
    return False


@kernel
def _expand(layout, num_cells, corridor, nodes, generation, node):
    """Meets all successors of a node; says whether one is won."""
    cells, bottoms, depths = read_key(layout, nodes.keys[node, 0], nodes.keys[node, 1])
    board = look_at(layout, cells, bottoms, depths)
    masks = board_moves(layout, num_cells, board)
    for destination in (TO_COLUMN, TO_CELL, TO_PARENT):
        cards = masks[destination]
        while cards != np.uint64(0):
            card = lowest_bit(cards)
            cards &= cards - np.uint64(1)
            after = play_board(layout, board, card, destination)
            move = card | (destination << MOVE_CARD_BITS)
            if _meet(layout, corridor, nodes, generation, node, move, after):
                return True
    return False


@kernel(nogil=True)
def search_on(layout, num_cells, start, corridor, nodes, generation, max_expanded):
    """Starts or goes on with a search; all it knows is in the arrays, so it can be called again.

    Args:
        layout: of the deal.
        num_cells: int64, 0..8.
        start: uint64 (3,), the state to start from.
        corridor: a `Corridor`; nodes: the memory.
        generation: int64, of the table.
        max_expanded: int64, pause when this many nodes have been expanded in all.

    Returns:
        int64: WON, EXHAUSTED, PAUSED, or FULL if the arrays must grow first.
    """
    counters, heads = nodes.counters, nodes.heads
    if counters[NUM_NODES] == 0:
        board = look_at(layout, start[0], start[1], start[2])
        if _meet(layout, corridor, nodes, generation, _NO_PARENT, _NO_MOVE, board):
            return WON
    while True:
        bucket = counters[BEST_BUCKET]
        while bucket < NUM_BUCKETS and heads[bucket] == NO_NODE:
            bucket += 1
        counters[BEST_BUCKET] = bucket
        if bucket == NUM_BUCKETS:
            return EXHAUSTED
        if counters[NUM_EXPANDED] >= max_expanded:
            return PAUSED
        if counters[NUM_NODES] + _MAX_SUCCESSORS > nodes.keys.shape[0]:
            return FULL
        node = np.int64(heads[bucket])
        heads[bucket] = nodes.following[node]
        counters[NUM_EXPANDED] += 1
        if _expand(layout, num_cells, corridor, nodes, generation, node):
            return WON


@dataclass(slots=True)
class SearchMemory:
    """The arrays of a search; they grow, and serve one search after another.

    A search that keeps more of a node derives from it.
    """

    # The arrays with an entry for each node, and their bytes a node.
    node_arrays: ClassVar[tuple[str, ...]] = ("keys", "parents", "moves", "following")
    bytes_per_node: ClassVar[int] = _BYTES_PER_NODE

    slots: npt.NDArray[np.uint64] = field(
        default_factory=lambda: np.zeros(_FIRST_CAPACITY * _SLOTS_PER_NODE, np.uint64)
    )
    keys: npt.NDArray[np.uint64] = field(
        default_factory=lambda: np.empty((_FIRST_CAPACITY, 2), np.uint64)
    )
    parents: npt.NDArray[np.int32] = field(
        default_factory=lambda: np.empty(_FIRST_CAPACITY, np.int32)
    )
    moves: npt.NDArray[np.uint8] = field(
        default_factory=lambda: np.empty(_FIRST_CAPACITY, np.uint8)
    )
    following: npt.NDArray[np.int32] = field(
        default_factory=lambda: np.empty(_FIRST_CAPACITY, np.int32)
    )
    heads: npt.NDArray[np.int32] = field(
        default_factory=lambda: np.full(NUM_BUCKETS, NO_NODE, np.int32)
    )
    counters: npt.NDArray[np.int64] = field(
        default_factory=lambda: np.zeros(_NUM_COUNTERS, np.int64)
    )
    generation: int = 0

    @property
    def line_nodes(self) -> Nodes:
        """The arrays for the kernels; to be asked for anew after they have grown."""
        return Nodes(
            self.slots,
            self.keys,
            self.parents,
            self.moves,
            self.following,
            self.heads,
            self.counters,
        )

    def begin(self) -> None:
        """Forgets all nodes, in constant time."""
        if self.generation == MAX_GENERATION:
            self.slots.fill(0)
            self.generation = 0
        self.generation += 1
        self.heads.fill(NO_NODE)
        self.counters.fill(0)
        self.counters[BEST_BUCKET] = len(self.heads)
        self.counters[GOAL] = NO_NODE

    def grow(self, max_bytes: int) -> bool:
        """Doubles the room for nodes; False, and nothing done, if that would exceed `max_bytes`."""
        capacity = 2 * len(self.keys)
        # While it grows, the old arrays of the nodes are still there, but one at a time.
        if bytes_needed(capacity, self.bytes_per_node) > max_bytes or capacity > MAX_NODES:
            return False
        num_nodes = int(self.counters[NUM_NODES])
        # The slots are made anew, so the old ones are let go first.
        self.slots = np.zeros(0, np.uint64)
        for name in self.node_arrays:
            old = getattr(self, name)
            larger = np.empty((capacity, *old.shape[1:]), old.dtype)
            larger[:num_nodes] = old[:num_nodes]
            setattr(self, name, larger)
            # Or one old array would still be there beside the new slots.
            del old, larger
        self.slots = np.zeros(capacity * _SLOTS_PER_NODE, np.uint64)
        self.generation = 1
        refill(self.slots, self.keys, self.generation, num_nodes)
        return True


def bytes_needed(capacity: int, bytes_per_node: int = _BYTES_PER_NODE) -> int:
    """Bytes of the arrays for that many nodes, the largest moment of growing included."""
    return capacity * (bytes_per_node + 8 * _SLOTS_PER_NODE)


def run_slice(
    memory: SearchMemory,
    layout: Layout,
    num_cells: int,
    state: State,
    max_expanded: int,
    corridor: Corridor | None = None,
) -> int:
    """One call of the kernel with its types settled; see `search_on` for what comes back."""
    return int(
        search_on(
            layout,
            np.int64(num_cells),
            np.array(state, np.uint64),
            corridor or no_corridor(),
            memory.line_nodes,
            np.int64(memory.generation),
            np.int64(max_expanded),
        )
    )


def line_to(memory: SearchMemory, node: int) -> list[tuple[int, int]]:
    """The plies that led to a node: (bit index of the card, kind of destination) each."""
    line = []
    while memory.parents[node] != NO_NODE:
        move = int(memory.moves[node])
        line.append((move & ((1 << MOVE_CARD_BITS) - 1), move >> MOVE_CARD_BITS))
        node = int(memory.parents[node])
    return line[::-1]
