"""`classify` for arrays of deals and lists of positions, and the verdict on one position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.errors import ArgumentError, BoardError, LimitsError
from boulanger.engine.packed.bits import popcount
from boulanger.engine.packed.jit import bare_kernel, is_compiled
from boulanger.engine.packed.layout import LANE_CARDS, NUM_COLUMNS, SPARE_BITS
from boulanger.engine.packed.packing import PackedPosition
from boulanger.engine.position import check_num_cells
from boulanger.solver.limits import DEFAULT_MAX_MEMORY, Limits, Reason
from boulanger.solver.result import Verdict
from boulanger.solver.verdict.classes import ALL_RULES, FRONT
from boulanger.solver.verdict.dealt import fill_dealt
from boulanger.solver.verdict.decide import (
    BYTES_PER_SEEN,
    FIRST_SEEN,
    GOAL,
    GROWTH,
    HEIGHT,
    LINK,
    MEMORY_FULL,
    NO_LIMIT,
    NO_SLOT,
    NUM_EXPANDED,
    PAUSED,
    UNDECIDED,
    UNWINNABLE,
    WINNABLE,
    Memory,
    begin,
    decide,
    make_memory,
)

# In the place of a verdict, for a moment: the row is not a deck.
_NO_DECK: Final = 5

# Nodes, expanded and labelled, between two looks at clock and keyboard: a tenth of a second.
NODES_PER_SLICE: Final = 300_000

_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)


class Boards(NamedTuple):
    """Boards to decide, and what comes out.

    Attributes:
        cards: uint8 (N, 52), in each row card numbers.
        order: int64 (52,), where they stand there, column after column, each from its buried card.
        lengths: int64 (N or 1, 8), of the columns, and
        held: uint64 (N or 1,), masks of the cards in cells; one row serves all boards.
        verdicts: uint8 (N,) and nodes: int64 (N,), written.
    """

    cards: npt.NDArray[np.uint8]
    order: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    held: npt.NDArray[np.uint64]
    verdicts: npt.NDArray[np.uint8]
    nodes: npt.NDArray[np.int64]


def boards_of_deals(deals: npt.NDArray[np.uint8]) -> Boards:
    """The boards of an array of deals; see `classify`.

    Raises:
        BoardError: if the array does not have that shape, or holds numbers that are no card.
    """
    deals = np.asarray(deals)
    if deals.ndim != 2 or deals.shape[1] != NUM_CARDS:
        raise BoardError("api.deals_shape", shape=str(deals.shape))
    if deals.size and (deals.min() < 0 or deals.max() >= NUM_CARDS):
        raise BoardError("api.no_cards")
    columns = [range(c, NUM_CARDS, NUM_COLUMNS) for c in range(NUM_COLUMNS)]
    return Boards(
        np.ascontiguousarray(deals, np.uint8),
        np.array([m for column in columns for m in column], np.int64),
        np.array([[len(column) for column in columns]], np.int64),
        np.zeros(1, np.uint64),
        np.empty(len(deals), np.uint8),
        np.empty(len(deals), np.int64),
    )


def boards_of_positions(positions: Sequence[PackedPosition]) -> Boards:
    """The boards of packed positions, each taken as a new deal."""
    cards = np.zeros((len(positions), NUM_CARDS), np.uint8)
    lengths = np.zeros((len(positions), NUM_COLUMNS), np.int64)
    held = np.zeros(len(positions), np.uint64)
    for i, packed in enumerate(positions):
        columns = packed.position.columns
        flat = [card for column in columns for card in column]
        cards[i, : len(flat)] = flat
        lengths[i] = [len(column) for column in columns]
        held[i] = packed.state[0]
    return Boards(
        cards,
        np.arange(NUM_CARDS),
        lengths,
        held,
        np.empty(len(positions), np.uint8),
        np.empty(len(positions), np.int64),
    )


@bare_kernel(nogil=True)
def decide_boards(boards, first, last, num_cells, max_nodes, num_more, rules, memory):
    """Decides board after board; goes on with one that was paused.

    Args:
        boards: `Boards`; first, last: int64, rows: where to begin or go on, where to stop.
        num_cells, max_nodes, rules: as `decide` has them.
        num_more: int64, pauses after this many nodes.
        memory: a `Memory`.

    Returns:
        int64: `last` if all are decided; or the row at which it stopped, whose verdict
        is PAUSED, MEMORY_FULL or _NO_DECK then.
    """
    bits = memory.bits
    for i in range(first, last):
        if memory.counters[HEIGHT] == 0:
            row = min(i, boards.lengths.shape[0] - 1)
            if not _read_cards(boards, i, row, bits):
                boards.verdicts[i] = _NO_DECK
                return i
            fill_dealt(memory.dealt, bits, boards.lengths, row)
            begin(memory, boards.held[row])
        before = memory.counters[NUM_EXPANDED] + memory.labels.num_labelled[0]
        outcome = decide(num_cells, max_nodes, before + num_more, rules, memory)
        num_nodes = memory.counters[NUM_EXPANDED] + memory.labels.num_labelled[0]
        boards.verdicts[i] = outcome
        boards.nodes[i] = num_nodes
        num_more -= num_nodes - before
        if outcome > UNDECIDED:
            return i
    return last


@bare_kernel
def _read_cards(boards, i, row, bits):
    """Writes the bit indices of one board's cards; False if one is not a card or is there twice."""
    num_cards = 0
    for column in range(NUM_COLUMNS):
        num_cards += boards.lengths[row, column]
    there = _NONE
    for m in range(num_cards):
        card = np.int64(boards.cards[i, boards.order[m]])
        bits[m] = card + SPARE_BITS * (card // LANE_CARDS)
        there |= _ONE << np.uint64(bits[m])
        if card >= NUM_CARDS:
            return False
    return popcount(there) == num_cards


def classify(
    deals: npt.NDArray[np.uint8],
    num_cells: int,
    *,
    max_nodes: int | None = None,
    max_memory: int = DEFAULT_MAX_MEMORY,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Which deals can be won with this many cells. Releases the GIL; heeds Ctrl-C in the meantime.

    Args:
        deals: uint8 (N, 52), cards 0..51 in deal order: card m goes to column m mod 8.
        num_cells: 0..8.
        max_nodes: for each deal; a deal that needs more is UNDECIDED. None for no limit.
        max_memory: bytes of the tables, for the rare deal that needs much.

    Returns:
        verdicts: uint8 (N,), UNWINNABLE, WINNABLE or UNDECIDED (0, 1, 2);
        nodes: int64 (N,), expanded and labelled, the same each time.

    Raises:
        BoardError: if an array does not have that shape, or a row is not the 52 cards.
        ArgumentError: if the deals are not whole numbers.
        LimitsError: if `max_nodes` is not at least 1.

    >>> from boulanger.engine.deals.dealers import MS
    >>> verdicts, _ = classify([MS.deal(number) for number in range(1, 11)], 4)
    >>> [Verdict(int(verdict)).word for verdict in verdicts[-2:]], int((verdicts == 1).sum())
    (['winnable', 'unwinnable'], 9)
    """
    check_num_cells(num_cells)
    deals = np.asarray(deals)
    if deals.size and not np.issubdtype(deals.dtype, np.integer):
        raise ArgumentError("api.deals_not_whole", kind=str(deals.dtype))
    if max_nodes is not None and max_nodes < 1:
        raise LimitsError("limits.max_nodes", value=max_nodes)
    return run_boards(boards_of_deals(deals), num_cells, max_nodes, max_memory)


def classify_positions(
    positions: Sequence[PackedPosition],
    num_cells: int,
    *,
    max_nodes: int | None = None,
    max_memory: int = DEFAULT_MAX_MEMORY,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """`classify` for packed positions, each taken as a new deal."""
    return run_boards(boards_of_positions(positions), num_cells, max_nodes, max_memory)


def prepare() -> None:
    """Compiles what `classify` needs, once a machine, or loads it; no call waits for it then."""
    classify(np.arange(NUM_CARDS, dtype=np.uint8)[None], 0)


def is_ready() -> bool:
    """Whether `prepare` has nothing to compile; a good guess."""
    return is_compiled(decide_boards)


def run_boards(
    boards: Boards,
    num_cells: int,
    max_nodes: int | None = None,
    max_memory: int = DEFAULT_MAX_MEMORY,
    rules: int = ALL_RULES,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Decides boards, in slices; see `classify`. Only tests leave rules out.

    Raises:
        BoardError: for a row in which a card is there twice.
    """
    most = NO_LIMIT if max_nodes is None else max_nodes
    memory = first_memory = make_memory(FIRST_SEEN)
    row, last = 0, len(boards.cards)
    while row < len(boards.cards):
        row = _run_slice(boards, row, last, num_cells, most, rules, memory)
        if row < last and boards.verdicts[row] == PAUSED:
            continue
        if row < last and boards.verdicts[row] == _NO_DECK:
            raise BoardError("api.no_permutation", row=int(row))
        size = GROWTH * len(memory.seen)
        is_full = row < last  # of what is left
        memory, last = first_memory, len(boards.cards)
        if is_full and size * BYTES_PER_SEEN <= max_memory:
            # In larger tables this board is alone.
            memory, last = make_memory(size), row + 1
        elif is_full:
            boards.verdicts[row] = UNDECIDED
            row += 1
    return boards.verdicts, boards.nodes


def _run_slice(
    boards: Boards,
    row: int,
    last: int,
    num_cells: int,
    max_nodes: int,
    rules: int,
    memory: Memory,
) -> int:
    """One call of `decide_boards` with its types settled."""
    return int(
        decide_boards(
            boards,
            np.int64(row),
            np.int64(last),
            np.int64(num_cells),
            np.int64(max_nodes),
            np.int64(NODES_PER_SLICE),
            np.int64(rules),
            memory,
        )
    )


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on one position, with the way that the search went if it is won.

    Attributes:
        verdict: exact, unless it is UNDECIDED.
        reason: the limit that was met, for UNDECIDED only.
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
    """Decides one position, with a look at the clock every tenth of a second.

    Args:
        packed: the position.
        limits: of nodes and memory.
        seconds_left: how much time is left, infinite if there is no limit.
    """
    boards = boards_of_positions([packed])
    memory = make_memory(FIRST_SEEN)
    most = NO_LIMIT if limits.max_nodes is None else limits.max_nodes
    reason, outcome = None, PAUSED
    while reason is None and outcome in (PAUSED, MEMORY_FULL):
        _run_slice(boards, 0, 1, packed.position.num_cells, most, ALL_RULES, memory)
        outcome = int(boards.verdicts[0])
        size = GROWTH * len(memory.seen)
        if outcome == UNDECIDED:
            reason = Reason.NODES
        elif outcome in (PAUSED, MEMORY_FULL) and seconds_left() <= 0:
            reason = Reason.SECONDS
        elif outcome == MEMORY_FULL and size * BYTES_PER_SEEN > limits.max_memory:
            reason = Reason.MEMORY
        elif outcome == MEMORY_FULL:
            del memory
            memory = make_memory(size)
    num_nodes, fronts = int(boards.nodes[0]), np.zeros(0, np.uint64)
    if outcome == WINNABLE:
        fronts = _fronts_to(memory.seen, int(memory.counters[GOAL]))
    verdict = {WINNABLE: Verdict.WINNABLE, UNWINNABLE: Verdict.UNWINNABLE}.get(
        outcome, Verdict.UNDECIDED
    )
    return Decision(verdict, reason, num_nodes, memory.dealt, fronts)


def _fronts_to(seen: npt.NDArray[np.uint64], slot: int) -> npt.NDArray[np.uint64]:
    """The fronts of the nodes on the way to the one in `slot`, from the start on."""
    fronts = []
    while slot != NO_SLOT:
        fronts.append(seen[slot, FRONT])
        slot = int(seen[slot, LINK]) & NO_SLOT
    return np.array(fronts[::-1], np.uint64)
