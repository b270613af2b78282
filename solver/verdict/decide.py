"""Winnable or not: the search over classes of positions, and `classify` for arrays of deals.

Depth first over the nodes of `solver.verdict.classes`, cheapest successors first, each node once,
with the relaxed lattice asked for each as it is taken up: a dead end is left at once. Every move of
a node can be played on the board, and every way to win has a counterpart among them, so the search
ends with a win or with a proof that there is none.

A kernel call decides one deal in memory that the caller owns; a deal that needs more is started
again in larger arrays, up to a limit of bytes. The same deal always takes the same nodes, whatever
ran before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.errors import BoardError
from boulanger.engine.packed.bits import popcount
from boulanger.engine.packed.jit import bare_kernel, kernel
from boulanger.engine.packed.layout import LANE_CARDS, NUM_COLUMNS, SPARE_BITS
from boulanger.engine.packed.packing import PackedPosition
from boulanger.engine.position import check_num_cells
from boulanger.solver.result import DEFAULT_MAX_MEMORY, Limits, Reason, Verdict
from boulanger.solver.verdict.classes import (
    FRONT,
    MAX_SUCCESSORS,
    NODE_WORDS,
    NUM_COSTS,
    ROOTS,
    STANDING,
    settle_node,
    strongest_front,
    successors,
)
from boulanger.solver.verdict.dealt import DEALT_SHAPE, fill_dealt, start_front
from boulanger.solver.verdict.lattice import MAX_LEVELS, MAX_STEPS, is_alive

# What a search ends with; the first three are the values of `classify`.
UNWINNABLE: Final = 0
WINNABLE: Final = 1
UNDECIDED: Final = 2
MEMORY_FULL: Final = 3

# Fields of the `seen` table: the words of a node, and above SLOT_BITS the generation, below it the
# slot of the node that this one was reached from.
_LINK: Final = NODE_WORDS
_SEEN_WORDS: Final = NODE_WORDS + 1
_SLOT_BITS: Final = np.uint64(32)
NO_SLOT: Final = (1 << int(_SLOT_BITS)) - 1
_SLOT_MASK: Final = np.uint64(NO_SLOT)
NO_LIMIT: Final = (1 << 63) - 1

# Counters of a search.
_NUM_EXPANDED: Final = 0
_NUM_LABELLED: Final = np.int64(1)  # typed, since the lattice is given it
_NUM_SEEN: Final = 2
_GOAL: Final = 3
_NUM_COUNTERS: Final = 4

# Powers of two, in entries: what few deals need more than, so that it stays in a core's cache.
_FIRST_SEEN: Final = 1 << 12
_FIRST_MARKS: Final = 1 << 13
_GROWTH: Final = 4
# Of both tables and the stack, for each entry of the first table.
_BYTES_PER_SEEN: Final = 8 * _SEEN_WORDS + 16 * _FIRST_MARKS // _FIRST_SEEN + 8 * _SEEN_WORDS
# Expanded and labelled nodes before the clock is looked at for the first time.
_FIRST_SLICE: Final = 200_000

_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)
_MULTIPLIER_1: Final = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIER_2: Final = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_3: Final = np.uint64(0x94D049BB133111EB)
_SHIFT: Final = np.uint64(32)


@bare_kernel
def _hash_node(front, roots, standing):
    h = front * _MULTIPLIER_1 ^ (roots ^ (roots >> _SHIFT)) * _MULTIPLIER_2
    h ^= standing * _MULTIPLIER_3
    return (h ^ (h >> _SHIFT)) * _MULTIPLIER_1 >> _SHIFT


@bare_kernel
def _meet(seen, generation, front, roots, standing, parent):
    """Enters a node in the table; its slot, or -1 if it was there."""
    slot_mask = np.uint64(seen.shape[0] - 1)
    slot = _hash_node(front, roots, standing) & slot_mask
    while seen[slot, _LINK] >> _SLOT_BITS == generation:
        if (
            seen[slot, FRONT] == front
            and seen[slot, ROOTS] == roots
            and seen[slot, STANDING] == standing
        ):
            return np.int64(-1)
        slot = (slot + _ONE) & slot_mask
    seen[slot, FRONT] = front
    seen[slot, ROOTS] = roots
    seen[slot, STANDING] = standing
    seen[slot, _LINK] = (generation << _SLOT_BITS) | parent
    return np.int64(slot)


@bare_kernel
def decide(
    dealt, num_cells, roots, generation, max_nodes, use_lattice, use_events,
    seen, marks, stack,
    scratch_nodes, scratch_steps, scratch_path, scratch_costs, reach, places, counters,
):  # fmt: skip
    """Decides the deal in `dealt`.

    Args:
        dealt: uint64 `DEALT_SHAPE`, filled.
        num_cells: int64, 0..8.
        roots: uint64, mask of the cards that are in cells at the start.
        generation: uint64, another one for each call with the same tables, at least 1.
        max_nodes: int64, at most so many are expanded and labelled.
        use_lattice: bool, whether dead ends are cut; use_events: bool, whether quiet digs wait for
            events. Off in tests alone.
        seen: uint64 (power of two, 4); marks: uint64 (power of two, 2); stack: uint64 (n, 4).
        scratch_nodes: uint64 (MAX_SUCCESSORS, 3); scratch_steps: uint64 (MAX_LEVELS * MAX_STEPS,);
        scratch_path: uint64 (MAX_LEVELS, 5); scratch_costs: int64 (MAX_SUCCESSORS,);
        reach: int64 (8,); places: int64 (NUM_COSTS,); counters: int64 (4,), written.

    Returns:
        int64: UNWINNABLE, WINNABLE, UNDECIDED at max_nodes, or MEMORY_FULL.
    """
    counters[_NUM_EXPANDED] = counters[_NUM_LABELLED] = counters[_NUM_SEEN] = 0
    counters[_GOAL] = -1
    max_seen = seen.shape[0] // 2
    max_labelled = marks.shape[0] * 3 // 4
    stack[0, FRONT] = start_front(dealt)
    stack[0, ROOTS] = roots
    stack[0, STANDING] = _NONE
    stack[0, _LINK] = _SLOT_MASK
    height = 1
    while height > 0:
        height -= 1
        parent = stack[height, _LINK]
        front, roots, standing, intact, tops = settle_node(
            dealt, num_cells, stack[height, FRONT], stack[height, ROOTS], stack[height, STANDING]
        )
        if counters[_NUM_SEEN] >= max_seen:
            return MEMORY_FULL
        slot = _meet(seen, generation, front, roots, standing, parent)
        if slot < 0:
            continue
        counters[_NUM_SEEN] += 1
        if tops == _NONE:
            counters[_GOAL] = slot
            return WINNABLE
        if use_lattice:
            highest = strongest_front(dealt, num_cells, front, roots, standing, tops)
            alive = is_alive(
                dealt, num_cells, highest, marks, generation,
                scratch_path, scratch_steps, scratch_costs, reach, counters, _NUM_LABELLED,
                min(max_labelled, max_nodes - counters[_NUM_EXPANDED]),
            )  # fmt: skip
            if alive < 0:
                return MEMORY_FULL if counters[_NUM_LABELLED] >= max_labelled else UNDECIDED
            if alive == 0:
                continue
        if counters[_NUM_EXPANDED] + counters[_NUM_LABELLED] >= max_nodes:
            return UNDECIDED
        counters[_NUM_EXPANDED] += 1
        count = successors(
            dealt, num_cells, front, roots, standing, intact, tops, use_events, reach,
            scratch_nodes, scratch_costs,
        )  # fmt: skip
        if height + count > stack.shape[0]:
            return MEMORY_FULL
        _push_cheapest_last(
            stack, height, np.uint64(slot), scratch_nodes, scratch_costs, count, places
        )
        height += count
    return UNWINNABLE


@bare_kernel
def _push_cheapest_last(stack, height, slot, nodes, costs, count, places):
    """Moves successors to the stack, by falling cost: a counting sort, with scratch `places`."""
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
        stack[at, _LINK] = slot


@kernel(nogil=True)
def _decide_all(
    cards, order, lengths, held, num_cells, max_nodes, max_seen, use_lattice, use_events,
    verdicts, nodes,
):  # fmt: skip
    """Decides board after board.

    Args:
        cards: uint8 (N, 52), in each row card numbers; order: int64 (52,), where they stand there,
            column after column, each from its buried card.
        lengths: int64 (N or 1, 8) and held: uint64 (N or 1,); one row serves all boards.

    Returns:
        int64: -1, or the first row of `cards` with a card that is none or is there twice.
    """
    dealt = np.zeros(DEALT_SHAPE, np.uint64)
    seen, marks, stack = _new_tables(np.int64(_FIRST_SEEN))
    scratch_nodes, scratch_steps, scratch_path, scratch_costs, reach, places = _new_scratch()
    counters = np.zeros(_NUM_COUNTERS, np.int64)
    bits = np.empty(NUM_CARDS, np.int64)
    for i in range(cards.shape[0]):
        row = min(i, lengths.shape[0] - 1)
        if not _read_cards(cards, i, order, lengths, row, bits):
            return i
        fill_dealt(dealt, bits, lengths, row)
        outcome = decide(
            dealt, num_cells, held[row], np.uint64(i + 1), max_nodes, use_lattice, use_events,
            seen, marks, stack,
            scratch_nodes, scratch_steps, scratch_path, scratch_costs, reach, places, counters,
        )  # fmt: skip
        size = _FIRST_SEEN
        while outcome == MEMORY_FULL and size * _GROWTH <= max_seen:
            size *= _GROWTH
            larger_seen, larger_marks, larger_stack = _new_tables(size)
            outcome = decide(
                dealt, num_cells, held[row], _ONE, max_nodes, use_lattice, use_events,
                larger_seen, larger_marks, larger_stack,
                scratch_nodes, scratch_steps, scratch_path, scratch_costs, reach, places, counters,
            )  # fmt: skip
        verdicts[i] = min(outcome, UNDECIDED)
        nodes[i] = counters[_NUM_EXPANDED] + counters[_NUM_LABELLED]
    return -1


@bare_kernel
def _read_cards(cards, i, order, lengths, row, bits):
    """Writes the bit indices of one board's cards; False if one is none or is there twice."""
    num_cards = 0
    for column in range(NUM_COLUMNS):
        num_cards += lengths[row, column]
    there = _NONE
    for m in range(num_cards):
        card = np.int64(cards[i, order[m]])
        bits[m] = card + SPARE_BITS * (card // LANE_CARDS)
        there |= _ONE << np.uint64(bits[m])
        if card >= NUM_CARDS:
            return False
    return popcount(there) == num_cards


@kernel
def _new_scratch():
    """What `decide` takes besides tables: nodes, steps, path, costs, reach, places."""
    return (
        np.empty((MAX_SUCCESSORS, NODE_WORDS), np.uint64),
        np.empty(MAX_LEVELS * MAX_STEPS, np.uint64),
        np.empty((MAX_LEVELS, 5), np.uint64),
        np.empty(MAX_SUCCESSORS, np.int64),
        np.empty(NUM_COLUMNS, np.int64),
        np.empty(NUM_COSTS, np.int64),
    )


@kernel
def _new_tables(size):
    """The table of nodes met, that of labelled fronts, and the stack, for a size of the first."""
    return (
        np.zeros((size, _SEEN_WORDS), np.uint64),
        np.zeros((size // _FIRST_SEEN * _FIRST_MARKS, 2), np.uint64),
        np.empty((size + MAX_SUCCESSORS, NODE_WORDS + 1), np.uint64),
    )


def make_search_memory(
    num_seen: int,
) -> tuple[npt.NDArray[np.uint64] | npt.NDArray[np.int64], ...]:
    """Everything that `decide` takes from `seen` to `counters`.

    Args:
        num_seen: entries of the table of nodes met: a power of two, at least 4,096.
    """
    return (*_new_tables(num_seen), *_new_scratch(), np.zeros(_NUM_COUNTERS, np.int64))


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on one position, with the way that the search went if it is won.

    Attributes:
        verdict: exact, unless it is UNDECIDED.
        reason: the limit that was met, for UNDECIDED alone.
        num_nodes: expanded and labelled.
        dealt: uint64 `DEALT_SHAPE`, the tables of the position taken as a new deal.
        fronts: uint64 (n,), the fronts along a way to win, falling; empty unless WINNABLE.
    """

    verdict: Verdict
    reason: Reason | None
    num_nodes: int
    dealt: npt.NDArray[np.uint64]
    fronts: npt.NDArray[np.uint64]


def decide_position(
    packed: PackedPosition, limits: Limits, seconds_left: Callable[[], float]
) -> Decision:
    """Decides one position, with a look at the clock now and then.

    The search cannot be halted and resumed, so it runs with an allowance of nodes and, if that is
    spent and time is left, once more with four times as much.

    Args:
        packed: the position.
        limits: of nodes and memory.
        seconds_left: how much time is left, infinite if there is no limit.
    """
    cards, lengths, held = _columns_of([packed])
    dealt = np.zeros(DEALT_SHAPE, np.uint64)
    bits = np.zeros(NUM_CARDS, np.int64)
    _read_cards(cards, np.int64(0), np.arange(NUM_CARDS), lengths, np.int64(0), bits)
    fill_dealt(dealt, bits, lengths, np.int64(0))
    size, allowance, generation = _FIRST_SEEN, _FIRST_SLICE, 0
    tables = _new_tables(size)
    scratch = _new_scratch()
    counters = np.zeros(_NUM_COUNTERS, np.int64)
    most = NO_LIMIT if limits.max_nodes is None else limits.max_nodes
    while True:
        generation += 1
        outcome = decide(
            dealt,
            np.int64(packed.position.num_cells),
            held[0],
            np.uint64(generation),
            np.int64(min(allowance, most)),
            True,
            True,
            *tables,
            *scratch,
            counters,
        )
        num_nodes = int(counters[_NUM_EXPANDED] + counters[_NUM_LABELLED])
        fronts = np.zeros(0, np.uint64)
        if outcome == UNWINNABLE:
            return Decision(Verdict.UNWINNABLE, None, num_nodes, dealt, fronts)
        if outcome == WINNABLE:
            fronts = _fronts_to(tables[0], int(counters[_GOAL]))
            return Decision(Verdict.WINNABLE, None, num_nodes, dealt, fronts)
        reason = None
        if outcome == UNDECIDED and num_nodes >= most:
            reason = Reason.NODES
        elif seconds_left() <= 0:
            reason = Reason.SECONDS
        elif outcome == MEMORY_FULL:
            size *= _GROWTH
            if size * _BYTES_PER_SEEN > limits.max_memory:
                reason = Reason.MEMORY
        if reason is not None:
            return Decision(Verdict.UNDECIDED, reason, num_nodes, dealt, fronts)
        if outcome == MEMORY_FULL:
            del tables
            tables = _new_tables(size)
        else:
            allowance *= _GROWTH


def _fronts_to(seen: npt.NDArray[np.uint64], slot: int) -> npt.NDArray[np.uint64]:
    """The fronts of the nodes on the way to the one in `slot`, from the start on."""
    fronts = []
    while slot != NO_SLOT:
        fronts.append(seen[slot, FRONT])
        slot = int(seen[slot, _LINK]) & NO_SLOT
    return np.array(fronts[::-1], np.uint64)


def classify(
    deals: npt.NDArray[np.uint8],
    num_cells: int,
    *,
    max_nodes: int | None = None,
    max_memory: int = DEFAULT_MAX_MEMORY,
    use_lattice: bool = True,
    use_events: bool = True,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Which deals can be won with so many cells. Releases the GIL.

    Args:
        deals: uint8 (N, 52), cards 0..51 in deal order: card m goes to column m mod 8.
        num_cells: 0..8.
        max_nodes: for each deal; a deal that needs more is UNDECIDED. None for no limit.
        max_memory: bytes of the tables, for the rare deal that needs much.
        use_lattice, use_events: whether dead ends are cut, and whether quiet digs wait for events
            (`solver.verdict.classes`); off only to test that neither changes a verdict.

    Returns:
        verdicts: uint8 (N,), UNWINNABLE, WINNABLE or UNDECIDED (0, 1, 2);
        nodes: int64 (N,), expanded and labelled, the same each time.

    Raises:
        BoardError: if an array does not have that shape, or a row is not the 52 cards.
    """
    check_num_cells(num_cells)
    deals = np.asarray(deals)
    if deals.ndim != 2 or deals.shape[1] != NUM_CARDS:
        raise BoardError(f"deals of shape {deals.shape}: must be (N, {NUM_CARDS})")
    if deals.size and (deals.min() < 0 or deals.max() >= NUM_CARDS):
        raise BoardError("the deals hold numbers that are no card; cards are 0..51")
    order = [m for c in range(NUM_COLUMNS) for m in range(c, NUM_CARDS, NUM_COLUMNS)]
    lengths = [len(range(c, NUM_CARDS, NUM_COLUMNS)) for c in range(NUM_COLUMNS)]
    return _classify(
        deals,
        order,
        np.array([lengths]),
        np.zeros(1, np.uint64),
        num_cells,
        max_nodes,
        max_memory,
        use_lattice,
        use_events,
    )


def classify_positions(
    positions: Sequence[PackedPosition],
    num_cells: int,
    *,
    max_nodes: int | None = None,
    max_memory: int = DEFAULT_MAX_MEMORY,
    use_lattice: bool = True,
    use_events: bool = True,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """`classify` for packed positions, each taken as a new deal."""
    cards, lengths, held = _columns_of(positions)
    order = range(NUM_CARDS)
    return _classify(
        cards, order, lengths, held, num_cells, max_nodes, max_memory, use_lattice, use_events
    )


def _columns_of(
    positions: Sequence[PackedPosition],
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """Cards column after column, column lengths and masks of held cards, for `_decide_all`."""
    cards = np.zeros((len(positions), NUM_CARDS), np.uint8)
    lengths = np.zeros((len(positions), NUM_COLUMNS), np.int64)
    held = np.zeros(len(positions), np.uint64)
    for i, packed in enumerate(positions):
        columns = packed.position.columns
        flat = [card for column in columns for card in column]
        cards[i, : len(flat)] = flat
        lengths[i] = [len(column) for column in columns]
        held[i] = packed.state[0]
    return cards, lengths, held


def _classify(
    cards: npt.NDArray[np.uint8],
    order: Sequence[int],
    lengths: npt.NDArray[np.int64],
    held: npt.NDArray[np.uint64],
    num_cells: int,
    max_nodes: int | None,
    max_memory: int,
    use_lattice: bool,
    use_events: bool,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Settles the types for `_decide_all` and calls it.

    Raises:
        BoardError: for a row of `cards` in which a card is there twice.
    """
    verdicts = np.empty(len(cards), np.uint8)
    nodes = np.empty(len(cards), np.int64)
    if len(cards) == 0:
        return verdicts, nodes
    row = _decide_all(
        np.ascontiguousarray(cards, np.uint8),
        np.array(order, np.int64),
        np.ascontiguousarray(lengths, np.int64),
        held,
        np.int64(num_cells),
        np.int64(NO_LIMIT if max_nodes is None else max_nodes),
        np.int64(max_memory // _BYTES_PER_SEEN),
        bool(use_lattice),
        bool(use_events),
        verdicts,
        nodes,
    )
    if row >= 0:
        raise BoardError(f"row {row} of the deals is not a permutation of the cards 0..51")
    return verdicts, nodes
