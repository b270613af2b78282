"""Winnable or not: the search over classes of positions, and its memory.

Depth first over the nodes of `solver.verdict.classes`, cheapest successors first, each node once,
with the relaxed lattice asked for each as it is taken up: a dead end is left at once. Every move of
a node can be played on the board, and every way to win has a counterpart among them, so the search
ends with a win or with a proof that there is none.

A search works in memory that the caller owns; one that needs more is started again in larger
arrays, up to a limit of bytes. It can be paused and gone on with. The same deal always takes the
same nodes, whatever ran before it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.splitmix import FIRST_MULTIPLIER, GAMMA, SECOND_MULTIPLIER
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.jit import compile_inner
from boulanger.solver.verdict.classes import (
    FRONT,
    NODE_WORDS,
    NUM_COSTS,
    ROOTS,
    STANDING,
    WITH_LATTICE,
    Successors,
    make_successors,
    settle_node,
    strongest_front,
    successors,
)
from boulanger.solver.verdict.dealt import DEALT_SHAPE, start_front
from boulanger.solver.verdict.lattice import Labels, is_alive, make_labels

# What a search ends with; the first three are the values of `classify`.
UNWINNABLE: Final = 0
WINNABLE: Final = 1
UNDECIDED: Final = 2
MEMORY_FULL: Final = 3
PAUSED: Final = 4

# Fields of the `seen` table: the words of a node, and above SLOT_BITS the generation, below it the
# slot of the node that this one was reached from.
LINK: Final = NODE_WORDS
_SEEN_WORDS: Final = NODE_WORDS + 1
_SLOT_BITS: Final = np.uint64(32)
NO_SLOT: Final = (1 << int(_SLOT_BITS)) - 1
_SLOT_MASK: Final = np.uint64(NO_SLOT)
NO_LIMIT: Final = (1 << 63) - 1

# Counters of a search.
NUM_EXPANDED: Final = 0
NUM_SEEN: Final = 1
GOAL: Final = 2
HEIGHT: Final = 3  # of the stack; 0 unless the search is paused
_NUM_COUNTERS: Final = 4

# What `_take_up` says instead of a slot.
_IS_KNOWN: Final = -1
_IS_FULL: Final = -2

# Powers of two, in entries: what few deals need more than, so that it stays in a core's cache.
FIRST_SEEN: Final = 1 << 12
_FIRST_MARKS: Final = 1 << 13
GROWTH: Final = 4
# Of both tables and the stack, for each entry of the first table.
BYTES_PER_SEEN: Final = 8 * _SEEN_WORDS + 16 * _FIRST_MARKS // FIRST_SEEN + 8 * _SEEN_WORDS

_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)
_MULTIPLIER_1: Final = np.uint64(GAMMA)
_MULTIPLIER_2: Final = np.uint64(FIRST_MULTIPLIER)
_MULTIPLIER_3: Final = np.uint64(SECOND_MULTIPLIER)
_SHIFT: Final = np.uint64(32)


class Memory(NamedTuple):
    """Everything that a search writes to; the caller owns it.

    Attributes:
        dealt: uint64 `DEALT_SHAPE`, the tables of the deal, to be filled first.
        bits: int64 (52,), scratch to fill them from.
        seen: uint64 (power of two, 4), the nodes met.
        stack: uint64 (n, 4), the nodes to take up, the next one last.
        out: the successors of the node at hand.
        labels: of the relaxed lattice.
        places: int64 (NUM_COSTS,), scratch.
        counters: int64 (4,), see above.
        generation: uint64 (1,), of the tables; another one for each search.
    """

    dealt: npt.NDArray[np.uint64]
    bits: npt.NDArray[np.int64]
    seen: npt.NDArray[np.uint64]
    stack: npt.NDArray[np.uint64]
    out: Successors
    labels: Labels
    places: npt.NDArray[np.int64]
    counters: npt.NDArray[np.int64]
    generation: npt.NDArray[np.uint64]


def make_memory(num_seen: int) -> Memory:
    """Memory with this many entries in the table of nodes met (a power of two, at least 4,096)."""
    out = make_successors()
    return Memory(
        np.zeros(DEALT_SHAPE, np.uint64),
        np.zeros(NUM_CARDS, np.int64),
        np.zeros((num_seen, _SEEN_WORDS), np.uint64),
        np.empty((num_seen + len(out.nodes), NODE_WORDS + 1), np.uint64),
        out,
        make_labels(num_seen // FIRST_SEEN * _FIRST_MARKS, out.reach),
        np.empty(NUM_COSTS, np.int64),
        np.zeros(_NUM_COUNTERS, np.int64),
        np.zeros(1, np.uint64),
    )


def compile_classes() -> None:
    """Compiles the half of `decide` that makes nodes, by itself."""
    memory, none = make_memory(FIRST_SEEN), np.int64(0)
    dealt, node = memory.dealt, (_NONE, _NONE, _NONE)
    compile_inner(settle_node, dealt, none, *node)
    compile_inner(successors, dealt, none, node, _NONE, _NONE, none, memory.out)


def compile_lattice() -> None:
    """Compiles the other half, which knows dead ends."""
    memory, none = make_memory(FIRST_SEEN), np.int64(0)
    compile_inner(is_alive, memory.dealt, none, _NONE, _NONE, none, memory.labels)


@kernel
def begin(memory, roots):
    """Begins a search of the deal in `memory.dealt`, with the cards of a mask in cells."""
    memory.generation[0] += _ONE
    memory.counters[:] = 0
    memory.counters[GOAL] = -1
    memory.labels.num_labelled[0] = 0
    stack = memory.stack
    stack[0, FRONT] = start_front(memory.dealt)
    stack[0, ROOTS] = roots
    stack[0, STANDING] = _NONE
    stack[0, LINK] = _SLOT_MASK
    memory.counters[HEIGHT] = 1


@kernel
def decide(num_cells, max_nodes, pause_at, rules, memory):
    """Goes on with a search that `begin` has begun.

    Args:
        num_cells: int64, 0..8.
        max_nodes: int64, at most this many are expanded and labelled.
        pause_at: int64, the search is paused once this many have been.
        rules: int64, the rules that save work, ALL_RULES outside of tests.
        memory: a `Memory`.

    Returns:
        int64: UNWINNABLE, WINNABLE, UNDECIDED at max_nodes, MEMORY_FULL, or PAUSED.
    """
    counters, num_labelled = memory.counters, memory.labels.num_labelled
    height = counters[HEIGHT]
    counters[HEIGHT] = 0
    while height > 0:
        if counters[NUM_EXPANDED] + num_labelled[0] >= pause_at:
            counters[HEIGHT] = height
            return PAUSED
        height -= 1
        slot, node, intact, tops = _take_up(num_cells, height, memory)
        if slot == _IS_FULL:
            return MEMORY_FULL
        if slot == _IS_KNOWN:
            continue
        if tops == _NONE:
            counters[GOAL] = slot
            return WINNABLE
        if rules & WITH_LATTICE:
            answer = _ask_lattice(num_cells, node, tops, max_nodes, memory)
            if answer != WINNABLE:
                if answer == UNWINNABLE:
                    continue
                return answer
        if counters[NUM_EXPANDED] + num_labelled[0] >= max_nodes:
            return UNDECIDED
        counters[NUM_EXPANDED] += 1
        count = successors(memory.dealt, num_cells, node, intact, tops, rules, memory.out)
        if height + count > memory.stack.shape[0]:
            return MEMORY_FULL
        _push_cheapest_last(memory, height, np.uint64(slot), count)
        height += count
    return UNWINNABLE


@kernel(forceinline=True)
def _take_up(num_cells, height, memory):
    """Settles the node at a height of the stack and enters it in the table of nodes met.

    Returns:
        int64: its slot there, _IS_KNOWN or _IS_FULL; the node, its masks of intact and top cards.
    """
    front, roots, standing, intact, tops = settle_node(
        memory.dealt, num_cells,
        memory.stack[height, FRONT], memory.stack[height, ROOTS], memory.stack[height, STANDING],
    )  # fmt: skip
    node = (front, roots, standing)
    slot = np.int64(_IS_FULL)
    if memory.counters[NUM_SEEN] < memory.seen.shape[0] // 2:
        slot = _meet(memory.seen, memory.generation[0], node, memory.stack[height, LINK])
        memory.counters[NUM_SEEN] += slot >= 0
    return slot, node, intact, tops


@kernel
def _meet(seen, generation, node, parent):
    """Enters a node in the table; its slot, or _IS_KNOWN if it was there."""
    front, roots, standing = node
    slot_mask = np.uint64(seen.shape[0] - 1)
    slot = _hash_node(front, roots, standing) & slot_mask
    while seen[slot, LINK] >> _SLOT_BITS == generation:
        if (
            seen[slot, FRONT] == front
            and seen[slot, ROOTS] == roots
            and seen[slot, STANDING] == standing
        ):
            return np.int64(_IS_KNOWN)
        slot = (slot + _ONE) & slot_mask
    seen[slot, FRONT] = front
    seen[slot, ROOTS] = roots
    seen[slot, STANDING] = standing
    seen[slot, LINK] = (generation << _SLOT_BITS) | parent
    return np.int64(slot)


@kernel(forceinline=True)
def _hash_node(front, roots, standing):
    h = front * _MULTIPLIER_1 ^ (roots ^ (roots >> _SHIFT)) * _MULTIPLIER_2
    h ^= standing * _MULTIPLIER_3
    return (h ^ (h >> _SHIFT)) * _MULTIPLIER_1 >> _SHIFT


@kernel(forceinline=True)
def _ask_lattice(num_cells, node, tops, max_nodes, memory):
    """UNWINNABLE for a dead end, WINNABLE for what may be won; UNDECIDED or MEMORY_FULL."""
    front, roots, standing = node
    labels = memory.labels
    highest = strongest_front(memory.dealt, num_cells, front, roots, standing, tops)
    max_labelled = labels.marks.shape[0] * 3 // 4
    most = min(max_labelled, max_nodes - memory.counters[NUM_EXPANDED])
    alive = is_alive(memory.dealt, num_cells, highest, memory.generation[0], most, labels)
    if alive < 0:
        return MEMORY_FULL if labels.num_labelled[0] >= max_labelled else UNDECIDED
    return WINNABLE if alive else UNWINNABLE


@kernel
def _push_cheapest_last(memory, height, slot, count):
    """Moves successors to the stack, by falling cost: a counting sort."""
    stack, nodes, costs, places = memory.stack, memory.out.nodes, memory.out.costs, memory.places
    for cost in range(NUM_COSTS):
        places[cost] = 0
    for i in range(count):
        places[costs[i]] += 1
    # Where the nodes of each cost begin: above all the dearer ones.
    above = height
    for cost in range(NUM_COSTS - 1, -1, -1):
        number = places[cost]
        places[cost] = above
        above += number
    for i in range(count):
        at = places[costs[i]]
        places[costs[i]] += 1
        for word in range(NODE_WORDS):
            stack[at, word] = nodes[i, word]
        stack[at, LINK] = slot
