"""`find_shortest` against independent truth, replayed by the oracle; its limits and its slices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from boulanger.engine.deals.dealers import MS
from boulanger.engine.errors import BoardError
from boulanger.engine.position import Position
from boulanger.solver.limits import MIN_MEMORY, Limits, Reason
from boulanger.solver.line.search import FULL, GOAL, NUM_EXPANDED, NUM_NODES, bytes_needed
from boulanger.solver.optimal import shortest as shortest_module
from boulanger.solver.optimal.astar import CEILING, SETTLED, ShortestMemory, make_task, run_slice
from boulanger.solver.optimal.digs import ACTIONS, PLIES, make_digs
from boulanger.solver.optimal.shortest import find_shortest
from boulanger.solver.result import Measure, Progress, ShortestResult, Verdict
from tests import oracle
from tests.bridge import packed, to_board, to_position
from tests.distances import small_board, true_length
from tests.strategies import board
from tests.truth import shortest_lengths, unwinnable_deals

BOTH = tuple(Measure)
KERNEL_MEASURE = {Measure.PLIES: PLIES, Measure.ACTIONS: ACTIONS}

# Microsoft deals with 4 cells: some hundred thousand positions, and none to be found.
LONG_DEAL = 27
LOST_DEAL = 10


def ms_deal(number: int, num_cells: int = 4) -> Position:
    return Position.from_deal(MS.deal(number), num_cells)


def check_result(result: ShortestResult) -> None:
    """What a result says fits together, and the oracle wins in as many steps as claimed."""
    assert result.is_proven == (result.verdict == Verdict.WINNABLE and result.reason is None)
    assert (result.solution is None) == (result.length is None)
    assert (result.length is not None) == (result.verdict == Verdict.WINNABLE)
    assert (result.lower_bound is None) == (result.verdict == Verdict.UNWINNABLE)
    if result.length is None or result.solution is None or result.lower_bound is None:
        return
    assert result.lower_bound <= result.length
    if result.is_proven:
        assert result.lower_bound == result.length
    start = to_board(result.position)
    end, score = oracle.replay(start, result.solution.notation)
    assert oracle.is_won(end)
    assert score == result.solution.score
    if result.measure == Measure.ACTIONS:
        assert len(result.solution.notation) == result.length
        return
    for ply in result.solution.plies:
        source = oracle.COLUMN_PLACES + oracle.CELL_PLACES
        place = ply.source.index + 8 * (ply.source.zone == 1)
        goal = ply.destination.index + 8 * (ply.destination.zone == 1)
        destination = oracle.HOME if ply.destination.zone == 2 else source[goal]
        start = oracle.apply_move(start, source[place], destination)
    assert oracle.is_won(start)
    assert len(result.solution.plies) == result.length


# ------------------------------------------------------------------------------- Microsoft deals


@pytest.mark.parametrize("num_cells", [2, 4])
@pytest.mark.parametrize("first", [1, 51])
def test_shortest_solutions_of_microsoft_deals(num_cells: int, first: int) -> None:
    lengths = shortest_lengths(num_cells)
    for deal in range(first, first + 50):
        result = find_shortest(ms_deal(deal, num_cells), Measure.PLIES)
        check_result(result)
        assert result.length == lengths.get(deal), deal
        assert result.is_proven == (deal in lengths)
        assert (result.verdict == Verdict.UNWINNABLE) == (deal in unwinnable_deals(num_cells))


@pytest.mark.parametrize("num_cells", [2, 4])
def test_actions_are_no_more_than_plies(num_cells: int) -> None:
    """And the shortest solution in either measure is no better in the other than its shortest."""
    for deal in range(1, 41):
        plies, actions = (find_shortest(ms_deal(deal, num_cells), measure=m) for m in BOTH)
        check_result(actions)
        assert plies.verdict == actions.verdict
        if plies.solution is not None and actions.solution is not None:
            assert len(actions.solution.actions) <= len(plies.solution.actions)
            assert len(plies.solution.plies) <= len(actions.solution.plies)


@pytest.mark.parametrize("deal", [2144, 2271])
def test_with_many_cells(deal: int) -> None:
    """The two deals of 10000 that six cells do not win; eight make the lattice large."""
    for measure in BOTH:
        assert find_shortest(ms_deal(deal, 6), measure).verdict == Verdict.UNWINNABLE
        for num_cells in (7, 8):
            result = find_shortest(ms_deal(deal, num_cells), measure)
            check_result(result)
            assert result.is_proven


# -------------------------------------------------------------------------------------- endgames


def endgames(
    first: int, num_wanted: int
) -> Iterator[tuple[oracle.Board, dict[Measure, int | None]]]:
    """Boards with their true shortest lengths, as far as the oracle can tell within reason."""
    seed = first
    while num_wanted:
        start = small_board(seed)
        seed += 1
        try:
            yield start, {m: true_length(start, KERNEL_MEASURE[m], 1500) for m in BOTH}
        except oracle.BoardTooLargeError:
            continue
        num_wanted -= 1


def check_endgames(first: int, num_wanted: int) -> Counter[tuple[int, bool]]:
    """Compares that many boards, and counts them by number of cells and verdict."""
    compared: Counter[tuple[int, bool]] = Counter()
    for start, lengths in endgames(first, num_wanted):
        for measure in BOTH:
            result = find_shortest(to_position(start), measure=measure)
            check_result(result)
            assert result.length == lengths[measure], (measure, start)
            assert result.reason is None
        compared[start.num_cells, lengths[Measure.PLIES] is not None] += 1
    return compared


@pytest.mark.kernel
@pytest.mark.parametrize("block", range(6))
def test_endgames(block: int) -> None:
    compared = check_endgames(10_000 * block, 100)
    for num_cells in range(5):
        assert compared[num_cells, True] >= 1, compared
        assert compared[num_cells, False] >= 1, compared


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_more_endgames(block: int) -> None:
    check_endgames(1_000_000 + 10_000 * block, 100)


# -------------------------------------------------------------------------------- special starts


def test_a_won_position_needs_nothing() -> None:
    for measure in BOTH:
        result = find_shortest(board(home=(13, 13, 13, 13)), measure=measure)
        check_result(result)
        assert (result.length, result.is_proven) == (0, True)


def test_pending_foundation_moves_count() -> None:
    """9H then TH, from a column and a cell, are due; the king is in the queen's way."""
    position = board("QH KH 9H", "JH", cells="TH -", home=(13, 8, 13, 13))
    for measure in BOTH:
        result = find_shortest(position, measure=measure)
        check_result(result)
        assert result.length == 6


def test_a_run_is_one_action() -> None:
    """The three cards on the two must leave; the king's column is empty for them."""
    position = board("2H 9H 8H 7H", "6H 5H 4H 3H TH", "KH QH JH", home=(13, 1, 13, 13))
    plies, actions = (find_shortest(position, measure=m) for m in BOTH)
    check_result(plies)
    check_result(actions)
    assert plies.length == 12 + 4
    assert actions.length == 12 + 2


def test_num_cells_may_be_overridden() -> None:
    assert find_shortest(ms_deal(1, 1)).verdict == Verdict.UNWINNABLE
    assert (
        find_shortest(ms_deal(1).with_num_cells(1).with_num_cells(4), Measure.PLIES).length
        == shortest_lengths(4)[1]
    )
    with pytest.raises(BoardError, match="0 to 8"):
        find_shortest(ms_deal(1).with_num_cells(9))


# -------------------------------------------------------------------------------- limits, slices


@pytest.mark.parametrize("measure", BOTH)
def test_a_limit_of_nodes_claims_nothing(measure: Measure) -> None:
    full = find_shortest(ms_deal(LONG_DEAL), measure=measure)
    assert full.length is not None
    bounds = []
    for max_nodes in (1, 10, 1000, 5000, 20_000):
        limited = find_shortest(ms_deal(LONG_DEAL), measure=measure, limits=Limits(max_nodes))
        check_result(limited)
        assert limited.reason == Reason.NODES
        assert not limited.is_proven
        assert limited.num_nodes <= max_nodes
        assert limited.lower_bound is not None
        assert limited.lower_bound <= full.length <= (limited.length or 1000)
        bounds.append(limited.lower_bound)
    assert bounds == sorted(bounds)
    assert bounds[0] >= 52
    assert limited.length is not None


@pytest.mark.parametrize("measure", BOTH)
def test_a_limit_of_nodes_that_suffices_suffices(measure: Measure) -> None:
    """With the nodes of the unlimited search it is the same search; with one less it ends."""
    for deal in (1, 2, 3, 5, LONG_DEAL, LOST_DEAL, 69):
        full = find_shortest(ms_deal(deal), measure=measure)
        limits = Limits(max(1, full.num_nodes))
        enough = find_shortest(ms_deal(deal), measure=measure, limits=limits)
        assert (enough.verdict, enough.length, enough.reason, enough.num_nodes) == (
            full.verdict, full.length, None, full.num_nodes,
        )  # fmt: skip
        if full.num_nodes > 1:
            fewer = Limits(full.num_nodes - 1)
            less = find_shortest(ms_deal(deal), measure=measure, limits=fewer)
            assert less.reason == Reason.NODES and not less.is_proven


def test_a_limit_of_nodes_never_says_no() -> None:
    """A deal that only the search proves unwinnable."""
    full = find_shortest(ms_deal(LOST_DEAL, 5).with_num_cells(4))
    assert full.verdict == Verdict.UNWINNABLE
    for deal in sorted(unwinnable_deals(4))[:20]:
        full = find_shortest(ms_deal(deal))
        for max_nodes in {1, 2, full.num_nodes // 2, full.num_nodes - 1} - {0, -1}:
            limited = find_shortest(ms_deal(deal), limits=Limits(max_nodes))
            check_result(limited)
            if limited.verdict != Verdict.UNWINNABLE:
                assert (limited.verdict, limited.reason) == (Verdict.UNDECIDED, Reason.NODES)


def test_a_limit_of_seconds() -> None:
    limited = find_shortest(ms_deal(LONG_DEAL), Measure.PLIES, limits=Limits(max_seconds=1e-9))
    check_result(limited)
    assert (limited.verdict, limited.reason) == (Verdict.UNDECIDED, Reason.SECONDS)
    limited = find_shortest(ms_deal(LONG_DEAL), Measure.PLIES, limits=Limits(max_seconds=0.05))
    check_result(limited)
    assert limited.seconds < 1


def test_a_limit_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[ShortestMemory] = []

    def recorded() -> ShortestMemory:
        used.append(ShortestMemory())
        return used[-1]

    # The dataclass has taken the class itself, so its field is what must change.
    original = shortest_module._Search.__init__
    monkeypatch.setattr(
        shortest_module._Search,
        "__init__",
        lambda self, *args: original(self, *args, memory=recorded()),
    )
    for max_memory in (MIN_MEMORY, 12 * MIN_MEMORY, 14 * MIN_MEMORY):
        limited = find_shortest(
            ms_deal(LONG_DEAL), Measure.PLIES, limits=Limits(max_memory=max_memory)
        )
        check_result(limited)
        assert limited.reason == Reason.MEMORY
        num_digs = 9_834_496 if max_memory > MIN_MEMORY else 0
        assert used[-1].num_bytes + num_digs <= max_memory
        is_solved = limited.verdict == Verdict.WINNABLE
        assert is_solved or max_memory == MIN_MEMORY
    assert find_shortest(ms_deal(LONG_DEAL)).is_proven


def test_growing_stays_within_the_bytes_that_it_announces() -> None:
    memory = ShortestMemory()
    memory.begin()
    capacity = 2 * len(memory.keys)
    num_bytes = bytes_needed(capacity, ShortestMemory.bytes_per_node)
    assert not memory.grow(num_bytes - 1)
    assert memory.grow(num_bytes)
    fixed = memory.heads.nbytes + memory.counters.nbytes
    assert memory.num_bytes == num_bytes + fixed


@pytest.mark.kernel
@pytest.mark.parametrize("measure", BOTH)
def test_slices_change_nothing(measure: Measure) -> None:
    layout, state = packed(oracle.ms_deal(2))
    seen = []
    for slice_size in (10**9, 1000, 7):
        memory = ShortestMemory()
        memory.begin()
        task = make_task(layout, 4, KERNEL_MEASURE[measure], make_digs(layout))
        outcome = -1
        while outcome != SETTLED:
            budget = int(memory.counters[NUM_EXPANDED]) + slice_size
            outcome = run_slice(memory, task, state, budget)
            if outcome == FULL:
                assert memory.grow(1 << 30)
        num_nodes = int(memory.counters[NUM_NODES])
        seen.append(
            (memory.counters.tolist(), memory.parents[:num_nodes].tolist(), memory.num_bytes)
        )
        # A finished search stays finished.
        before = memory.counters.tolist()
        run_slice(memory, task, state, 10**9)
        assert memory.counters.tolist() == before
    assert seen[0] == seen[1] == seen[2]
    assert memory.counters[GOAL] >= 0


def test_a_lower_ceiling_drops_only_what_is_longer() -> None:
    layout, state = packed(oracle.ms_deal(3))
    steps = shortest_lengths(4)[3] - 52
    for ceiling in (steps, steps + 1):
        memory = ShortestMemory()
        memory.begin()
        memory.counters[CEILING] = ceiling
        task = make_task(layout, 4, PLIES, make_digs(layout))
        while run_slice(memory, task, state, 10**9) != SETTLED:
            assert memory.grow(1 << 30)
        assert (memory.counters[GOAL] >= 0) == (ceiling > steps)
        assert memory.counters[CEILING] == steps


def test_progress_is_told() -> None:
    told: list[Progress] = []
    result = find_shortest(ms_deal(LONG_DEAL), Measure.PLIES, on_progress=told.append)
    assert len(told) >= 2
    bounds = [progress.lower_bound for progress in told]
    assert bounds == sorted(bounds)
    assert bounds[-1] <= (result.length or 0)
    assert all(progress.length and progress.length >= bounds[-1] for progress in told)
    assert told[-1].num_nodes <= result.num_nodes
    assert told[-1].num_bytes >= np.int64(told[0].num_bytes)


def test_a_position_always_takes_the_same_nodes() -> None:
    results = [find_shortest(ms_deal(1)) for _ in range(2)]
    assert len({result.num_nodes for result in results}) == 1
    assert len({result.solution for result in results}) == 1
