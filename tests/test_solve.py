"""`solve` against independent truth: verdicts, solutions, limits. The oracle replays every win."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any

import pytest

from boulanger.engine.deals.codes import parse_code
from boulanger.engine.deals.dealers import BK1, MS
from boulanger.engine.errors import BoardError
from boulanger.engine.moves import Zone
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_ply, close
from boulanger.solver.limits import MIN_MEMORY, Limits, Reason
from boulanger.solver.line import solve as line_module
from boulanger.solver.line.search import SearchMemory, no_corridor
from boulanger.solver.line.solve import first_solution
from boulanger.solver.optimal import shortest as shortest_module
from boulanger.solver.optimal.shortest import find_shortest
from boulanger.solver.optimal.solve import solve
from boulanger.solver.result import SolveResult, Verdict
from boulanger.solver.verdict import classify as verdict_module
from tests import oracle
from tests.board_samples import BOARDS, EXPECTED
from tests.bridge import to_board, to_position
from tests.strategies import board
from tests.truth import shortest_lengths, unwinnable_deals

# Microsoft deals with 4 cells: winnable and unwinnable, each in some thousand nodes, and winnable
# in some hundred thousand, more than one slice of the search.
EASY_DEAL = 1
LOST_DEAL = 10
LONG_DEAL = 69

SAMPLE_CODE = "BK1-C4-AAAAA24"
SAMPLE_DEAL = """\
3C 5H AS QS JC 5S 6C
2C 7D 8C 9D 4D AC JH
3D 8H 7C 4S 8S 7S 4H
QC 9C TC TD TH 3H AH
6D 8D 9H QD KD 2S
2H 4C TS AD 6S 5C
5D KH 7H 9S 2D KC
KS JS 3S 6H QH JD
"""


def ms_deal(number: int, num_cells: int = 4) -> Position:
    return Position.from_deal(MS.deal(number), num_cells)


def is_winnable(position: Position) -> bool:
    """The verdict of `solve` without limits; a win counts only after its replay."""
    result = solve(position)
    check_result(result)
    return result.verdict == Verdict.WINNABLE


def check_result(result: SolveResult) -> None:
    """Verdict, reason and solution fit together, and the oracle wins with the solution."""
    assert (result.reason is not None) == (result.verdict == Verdict.UNDECIDED)
    assert (result.solution is not None) == (result.verdict == Verdict.WINNABLE)
    if result.solution is None:
        return
    start = to_board(result.position)
    end, score = oracle.replay(start, result.solution.notation)
    assert oracle.is_won(end)
    assert score == result.solution.score
    check_plies(result)


def check_plies(result: SolveResult) -> None:
    """The plies win too, and no run moves twice in a row if the solution is proven shortest."""
    assert result.solution is not None
    end = result.position
    for ply in result.solution.plies:
        end = apply_ply(end, ply)
    assert end.is_won
    if not result.is_shortest:
        return
    for step, following in pairwise(result.solution.steps):
        assert step.action.destination != following.action.source or (
            step.action.length != following.action.length
        )


def check_first(result: SolveResult) -> None:
    """A first solution wins, and no card moves twice in a row: one of the two moves would do."""
    check_result(result)
    if result.solution is not None:
        cards = [ply.card for ply in result.solution.plies]
        assert all(card != following for card, following in pairwise(cards))


# ------------------------------------------------------------------------------- Microsoft deals


def _in_ci(value: int) -> Any:
    """A value that is left to the slow tests, since `classify` has the whole list in every run."""
    return pytest.param(value, marks=[pytest.mark.slow, pytest.mark.ci])


@pytest.mark.parametrize("num_cells", [1, 2, 4])
@pytest.mark.parametrize("first", [1, *(_in_ci(first) for first in (501, 1001, 1501))])
def test_microsoft_deals_1_to_2000(num_cells: int, first: int) -> None:
    check_deals(range(first, first + 500), num_cells)


@pytest.mark.parametrize("num_cells", [0, 3, _in_ci(5), _in_ci(6)])
def test_microsoft_deals_1_to_300(num_cells: int) -> None:
    check_deals(range(1, 301), num_cells)


def check_deals(deals: range, num_cells: int) -> None:
    """The deals that cannot be won are exactly those of the independent list."""
    lost = [deal for deal in deals if not is_winnable(ms_deal(deal, num_cells))]
    assert lost == [deal for deal in deals if deal in unwinnable_deals(num_cells)]


@pytest.mark.parametrize("deal", [2144, 2271])
def test_the_two_deals_that_six_cells_do_not_win(deal: int) -> None:
    """Known among 10000; one more cell wins them."""
    assert unwinnable_deals(6) == {2144, 2271}
    assert [is_winnable(ms_deal(deal, num_cells)) for num_cells in (6, 7)] == [False, True]


@pytest.mark.parametrize("num_cells", [2, 4])
def test_no_solution_is_shorter_than_the_shortest(num_cells: int) -> None:
    lengths = shortest_lengths(num_cells)
    assert set(lengths) == set(range(1, 101)) - unwinnable_deals(num_cells)
    for deal, length in lengths.items():
        solution = solve(ms_deal(deal, num_cells)).solution
        assert solution is not None
        assert len(solution.plies) >= length


@pytest.mark.parametrize("num_cells", [2, 4])
def test_first_solutions_and_short_ones(num_cells: int) -> None:
    """The verdicts are the same; short solutions are short: proven, as `find_shortest` has them."""
    num_first = num_short = 0
    for deal in range(1, 31):
        first, short = first_solution(ms_deal(deal, num_cells)), solve(ms_deal(deal, num_cells))
        check_first(first)
        check_result(short)
        assert (first.verdict, first.num_nodes) == (short.verdict, short.num_nodes)
        if short.solution is None or first.solution is None or short.shortest is None:
            continue
        assert short.is_shortest
        assert short.shortest.length == find_shortest(ms_deal(deal, num_cells)).length
        assert short.shortest.length == len(short.solution.actions)
        num_first += len(first.solution.actions)
        num_short += len(short.solution.actions)
    assert num_short < num_first


def test_a_short_solution_that_is_not_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without enough nodes for a proof, one with a weight is a few actions longer, and says so."""
    monkeypatch.setattr(shortest_module, "MAX_SHORT_NODES", 3000)
    for deal in (EASY_DEAL, 4, 27):
        result = solve(ms_deal(deal))
        check_result(result)
        assert result.shortest is not None and not result.is_shortest
        assert result.shortest.reason == Reason.NODES
        shortest = find_shortest(ms_deal(deal)).length
        assert shortest is not None and result.shortest.length is not None
        assert result.shortest.lower_bound is not None
        assert result.shortest.lower_bound <= shortest <= result.shortest.length <= shortest + 8


@pytest.mark.parametrize(
    "limits", [{"MAX_WEIGHTED_NODES": 5, "MAX_SHORT_NODES": 5}, {"MAX_SHORT_VECTORS": 1}]
)
def test_a_hard_deal_has_a_first_solution(
    limits: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the search for a short solution gives up, the line to the win is there all the same."""
    for name, value in limits.items():
        monkeypatch.setattr(shortest_module, name, value)
    monkeypatch.setattr(shortest_module, "_VECTORS_PER_SLICE", 100)
    result, first = solve(ms_deal(EASY_DEAL)), first_solution(ms_deal(EASY_DEAL))
    check_result(result)
    assert result.solution == first.solution and result.reason is None
    assert result.shortest is not None and result.solution is not None
    assert result.shortest.length == len(result.solution.actions)
    assert result.shortest.lower_bound is not None and not result.is_shortest
    assert 52 <= result.shortest.lower_bound <= 83


def test_a_small_limit_of_nodes_still_shortens() -> None:
    """The limit holds for the search for a short solution by itself, and leaves the verdict."""
    result = solve(ms_deal(EASY_DEAL), limits=Limits(max_nodes=600))
    check_result(result)
    assert result.verdict == Verdict.WINNABLE and result.reason is None
    assert result.shortest is not None and result.shortest.num_nodes <= 600


# ----------------------------------------------------------------------------------- other boards


def test_the_sample_code() -> None:
    code = parse_code(SAMPLE_CODE)
    position = Position.from_deal(BK1.deal(code.number), code.num_cells)
    assert position == Position.from_text(SAMPLE_DEAL)
    verdicts = [is_winnable(position.with_num_cells(num_cells)) for num_cells in range(5)]
    assert verdicts == [False, False, True, True, True]


BOARD_VERDICTS = [
    (name, int(num_cells), verdict)
    for name, entry in EXPECTED.items()
    for num_cells, verdict in entry.get("verdicts", {}).items()
]


def test_the_boards_have_verdicts() -> None:
    assert len(BOARD_VERDICTS) > 40


@pytest.mark.parametrize(("name", "num_cells", "verdict"), BOARD_VERDICTS)
def test_boards_as_people_post_them(name: str, num_cells: int, verdict: str) -> None:
    position = Position.from_text((BOARDS / name).read_bytes(), num_cells)
    assert is_winnable(position) == (verdict == "WINNABLE")


def endgames() -> Iterator[tuple[int, oracle.Board]]:
    """The number of cells, 0 to 4, and a random board with 6 to 52 cards left.

    Boards of 20 cards are nearly always winnable, so half have 42 or more: with much in the way,
    many of them reach few positions too.
    """
    for seed in range(1000):
        num_cells, size = seed % 5, seed // 5
        num_left = 6 + size % 13 if size % 2 else 42 + size % 11
        yield num_cells, oracle.random_endgame(random.Random(seed), num_cells, num_left)


@pytest.mark.kernel
def test_exhaustive_endgames() -> None:
    """Verdicts equal those of a search that forces no foundation move and prunes nothing.

    So this compares the solver's forced foundation moves (they never hurt, see
    `engine.packed.state`) with the same game without them, besides the packed state and its moves.
    """
    decided: Counter[tuple[int, bool]] = Counter()
    for num_cells, start in endgames():
        try:
            winnable = oracle.winnable(start, max_positions=1000)
        except oracle.BoardTooLargeError:
            continue
        decided[num_cells, winnable] += 1
        assert is_winnable(to_position(start)) == winnable, start
    assert decided.total() >= 650, decided
    for num_cells in range(5):
        assert min(decided[num_cells, True], decided[num_cells, False]) >= 40, decided


@pytest.mark.kernel
def test_games_under_way() -> None:
    """On random walks from endgames: boards with loose cards, taken as new deals."""
    decided: Counter[bool] = Counter()
    for _, start in islice(endgames(), 160):
        walk = list(oracle.random_walk(random.Random(0), start, steps=24))
        for here in walk[::8]:
            try:
                winnable = oracle.winnable(here, max_positions=1000)
            except oracle.BoardTooLargeError:
                continue
            decided[winnable] += 1
            assert is_winnable(to_position(here)) == winnable, here
    assert min(decided[True], decided[False]) >= 50, decided


def test_nothing_wins_on_the_way_from_a_lost_deal() -> None:
    for deal in sorted(unwinnable_deals(4))[:12]:
        for num_cells in (2, 4):
            start = oracle.ms_deal(deal, num_cells)
            walk = list(oracle.random_walk(random.Random(deal), start, steps=30))
            for here in walk[::5]:
                assert not is_winnable(to_position(here)), here


def test_a_solution_stays_winnable_all_the_way() -> None:
    for deal in (1, 2, 3):
        solution = solve(ms_deal(deal)).solution
        assert solution is not None
        position = solution.start
        for ply in solution.plies:
            position = apply_ply(position, ply)
            assert is_winnable(position), position.to_text()


# -------------------------------------------------------------------------------- special starts


def test_a_won_position_needs_nothing() -> None:
    result = solve(board(home=(13, 13, 13, 13)))
    assert result.verdict == Verdict.WINNABLE
    assert result.solution is not None
    assert (result.solution.plies, result.solution.notation, result.solution.score) == ((), (), 0)


def test_pending_foundation_moves_open_the_solution() -> None:
    """9H then TH, from a column and a cell, are due; the king is in the queen's way."""
    position = board("QH KH 9H", "JH", cells="TH -", home=(13, 8, 13, 13))
    result = solve(position)
    check_result(result)
    assert result.solution is not None
    _, pending = close(position)
    assert [action.source.zone for action in pending] == [Zone.COLUMN, Zone.CELL, Zone.COLUMN]
    assert result.solution.actions[:3] == pending
    assert result.solution.notation == ("1h", "ah", "2h", "12", "1h", "2h")
    assert result.solution.score == 50
    assert result.solution.start == position


def test_num_cells_may_be_overridden() -> None:
    position = ms_deal(EASY_DEAL)
    assert solve(position.with_num_cells(1)).verdict == Verdict.UNWINNABLE
    assert solve(position.with_num_cells(1)).num_cells == 1
    assert solve(position.with_num_cells(1).with_num_cells(4)).verdict == Verdict.WINNABLE
    held = board("QH KH", cells="JH TH -", home=(13, 9, 13, 13))
    assert solve(held.with_num_cells(2)).position.cells == held.cells[:2]
    with pytest.raises(BoardError, match="at least 2 needed"):
        solve(held.with_num_cells(1))
    with pytest.raises(BoardError, match="0 to 8"):
        solve(position.with_num_cells(9))


def test_a_position_that_is_none_is_refused() -> None:
    with pytest.raises(BoardError, match="missing"):
        solve(Position(((0, 1),) + ((),) * 7))


# ----------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize("deal", [EASY_DEAL, 2, 3, LOST_DEAL, 14, 22])
def test_a_limit_of_nodes_never_says_no(deal: int) -> None:
    """One node fewer than the verdict takes leaves it undecided, that many do not."""
    full = solve(ms_deal(deal))
    for max_nodes in (1, 2, 10, 100, 500, full.num_nodes - 1, full.num_nodes, 10**12):
        limited = solve(ms_deal(deal), limits=Limits(max_nodes=max_nodes))
        check_result(limited)
        if max_nodes < full.num_nodes:
            assert (limited.verdict, limited.reason) == (Verdict.UNDECIDED, Reason.NODES)
            assert limited.num_nodes == max_nodes
        else:
            assert (limited.verdict, limited.num_nodes) == (full.verdict, full.num_nodes)


def test_a_limit_of_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    limited = solve(ms_deal(LONG_DEAL), limits=Limits(max_seconds=1e-9))
    assert limited.reason == Reason.SECONDS and limited.solution is None
    assert limited.verdict in (Verdict.WINNABLE, Verdict.UNDECIDED)
    assert limited.seconds < 1
    # The verdict itself, if it takes longer than its first allowance of nodes.
    monkeypatch.setattr(verdict_module, "NODES_PER_SLICE", 10)
    limited = solve(ms_deal(LONG_DEAL), limits=Limits(max_seconds=1e-9))
    assert (limited.verdict, limited.reason) == (Verdict.UNDECIDED, Reason.SECONDS)
    assert solve(ms_deal(LONG_DEAL)).verdict == Verdict.WINNABLE


def test_a_limit_of_memory_leaves_the_verdict_open() -> None:
    """Microsoft 223 needs larger tables than fit in a MiB."""
    deal = ms_deal(223)
    limited = solve(deal, limits=Limits(max_memory=MIN_MEMORY))
    assert (limited.verdict, limited.reason) == (Verdict.UNDECIDED, Reason.MEMORY)
    assert solve(deal, limits=Limits(max_memory=4 * MIN_MEMORY)).verdict == Verdict.UNWINNABLE


def test_a_limit_of_memory_holds_for_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its corridor the search for a line needs more than there is; the verdict stands."""
    used: list[SearchMemory] = []

    def recorded() -> SearchMemory:
        used.append(SearchMemory())
        return used[-1]

    monkeypatch.setattr(line_module, "SearchMemory", recorded)
    monkeypatch.setattr(line_module, "Corridor", lambda *_: no_corridor())
    for max_memory in (MIN_MEMORY, 3 * MIN_MEMORY, 8 * MIN_MEMORY):
        limited = solve(ms_deal(LONG_DEAL), limits=Limits(max_memory=max_memory))
        assert (limited.verdict, limited.reason) == (Verdict.WINNABLE, Reason.MEMORY)
        assert limited.solution is None
        memory = used[-1]
        arrays = (memory.slots, memory.keys, memory.parents, memory.moves, memory.following)
        num_bytes = sum(array.nbytes for array in (*arrays, memory.heads, memory.counters))
        # It holds a power of two of nodes, so a limit may leave up to half of itself unused.
        assert max_memory / 2 < num_bytes + MIN_MEMORY / 2
        assert num_bytes <= max_memory


def test_a_deal_always_takes_the_same_nodes() -> None:
    for deal in (EASY_DEAL, LOST_DEAL):
        results = [solve(ms_deal(deal)) for _ in range(2)]
        assert len({result.num_nodes for result in results}) == 1
        assert len({result.solution for result in results}) == 1
