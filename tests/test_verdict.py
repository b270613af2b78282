"""The verdict search against known truth, the plain search and the oracle."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from boulanger.engine.deals.dealers import MS
from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.errors import BoardError
from boulanger.engine.packed import runs
from boulanger.engine.packed.packing import PackedPosition, pack_position
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_ply
from boulanger.solver import spaces
from boulanger.solver.line import corridor
from boulanger.solver.optimal.solve import solve
from boulanger.solver.verdict import classes, dealt, decide, lattice
from boulanger.solver.verdict import classify as classify_module
from boulanger.solver.verdict.classes import ALL_RULES, WITH_EVENTS, WITH_LATTICE
from boulanger.solver.verdict.classify import (
    Boards,
    boards_of_deals,
    boards_of_positions,
    classify,
    classify_positions,
    run_boards,
)
from boulanger.solver.verdict.decide import (
    UNDECIDED,
    UNWINNABLE,
    WINNABLE,
)
from tests import oracle
from tests.bridge import to_board, to_position
from tests.plain import (
    PlainSearch,
    boards_of_units,
    digging_walk,
    packed_or_none,
    random_deal,
)
from tests.strategies import board
from tests.truth import unwinnable_deals

# How many boards are compared with the plain search: in a plain run, in CI, and in all.
_DEALS_BY_DEFAULT, _DEALS_IN_CI, _DEALS_IN_ALL = 1_500, 8_000, 50_000
_POSITIONS_BY_DEFAULT, _POSITIONS_IN_CI, _POSITIONS_IN_ALL = 800, 4_000, 21_000
_UNITS_BY_DEFAULT, _UNITS_IN_CI, _UNITS_IN_ALL = 3_000, 20_000, 150_000


def _ms_deals(first: int, last: int) -> np.ndarray:
    return deal_many("ms", np.arange(first, last + 1))


@pytest.mark.kernel
def test_nodes_that_differ_in_one_word_are_two() -> None:
    """Where a run stands can be all that tells a node that wins from one that was met."""
    seen = np.zeros((16, 4), np.uint64)
    generation, parent = np.uint64(1), np.uint64(0)
    nodes = [(5, 6, 2), (5, 6, 4), (5, 2, 2), (1, 6, 2)]
    words = [tuple(map(np.uint64, node)) for node in nodes]
    slots = [int(decide._meet(seen, generation, node, parent)) for node in words]
    assert len({slot for slot in slots if slot >= 0}) == len(nodes)
    again = [int(decide._meet(seen, generation, node, parent)) for node in words]
    assert all(slot < 0 for slot in again)


@pytest.mark.parametrize("num_cells", range(1, 7))
def test_the_truth_lists(num_cells: int) -> None:
    verdicts, _ = classify(_ms_deals(1, 10_000), num_cells)
    assert set((np.nonzero(verdicts == UNWINNABLE)[0] + 1).tolist()) == unwinnable_deals(num_cells)
    assert (verdicts != UNDECIDED).all()


def test_no_deal_is_won_without_cells_there() -> None:
    verdicts, _ = classify(_ms_deals(1, 10_000), 0)
    assert (verdicts == UNWINNABLE).all()


@pytest.mark.parametrize(
    ("deal", "num_cells"),
    [
        (915, 4),
        (1556, 3),
        (2678, 3),
        (4268, 3),
        (8833, 3),
        (815, 2),
        (5609, 1),
        (2549, 5),
        (5782, 5),
    ],
)
def test_deals_that_need_a_run_split_in_time(deal: int, num_cells: int) -> None:
    """Won only by splitting a run, or lifting a single card, while there is a space for it."""
    assert classify(_ms_deals(deal, deal), num_cells)[0].tolist() == [WINNABLE]


@pytest.mark.parametrize(("deal", "num_cells"), [(61156, 4), (91861, 5)])
def test_deals_that_need_a_run_split_once_it_is_dug_for(deal: int, num_cells: int) -> None:
    """As `_RUNS_UNDER_SINGLE_CARDS`: so rare that no list of truth has one."""
    assert classify(_ms_deals(deal, deal), num_cells)[0].tolist() == [WINNABLE]


@pytest.mark.parametrize(("deal", "num_cells"), [(31, 2), (65, 2), (645, 2), (1057, 2)])
def test_deals_that_need_a_card_known_to_stand(deal: int, num_cells: int) -> None:
    """Lost, but won by a search that lets the last card of a column choose its space."""
    assert classify(_ms_deals(deal, deal), num_cells)[0].tolist() == [UNWINNABLE]


def _check_against_plain(positions: list[PackedPosition], max_undecided: int = 0) -> Counter[int]:
    """Verdicts equal the plain search's; returns how many of each there were."""
    plain = PlainSearch()
    counts: Counter[int] = Counter()
    by_cells: dict[int, list[PackedPosition]] = {}
    for packed in positions:
        by_cells.setdefault(packed.position.num_cells, []).append(packed)
    for num_cells, group in by_cells.items():
        verdicts, _ = classify_positions(group, num_cells)
        for packed, found in zip(group, verdicts.tolist(), strict=True):
            expected = plain.verdict(packed)
            counts[expected] += 1
            assert found == expected or expected == UNDECIDED, packed.position
    assert counts[UNDECIDED] <= max_undecided
    return counts


def _random_deals(first: int, last: int) -> list[PackedPosition]:
    deals = []
    for seed in range(first, last):
        rng = random.Random(f"deal {seed}")
        deals.append(pack_position(random_deal(rng, seed % 7)))
    return deals


def test_random_deals_equal_the_plain_search() -> None:
    counts = _check_against_plain(_random_deals(0, _DEALS_BY_DEFAULT))
    assert min(counts[WINNABLE], counts[UNWINNABLE]) > _DEALS_BY_DEFAULT // 4


@pytest.mark.slow
@pytest.mark.ci
def test_more_random_deals_equal_the_plain_search() -> None:
    _check_against_plain(_random_deals(_DEALS_BY_DEFAULT, _DEALS_IN_CI))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(6))
def test_all_random_deals_equal_the_plain_search(block: int) -> None:
    size = (_DEALS_IN_ALL - _DEALS_IN_CI) // 6
    first = _DEALS_IN_CI + block * size
    _check_against_plain(_random_deals(first, first + size), max_undecided=2)


def _mid_game_positions(first: int, last: int) -> list[PackedPosition]:
    """Positions of walks that dig, and positions along solutions with some plies of chance."""
    positions: list[PackedPosition] = []
    for seed in range(first, last):
        rng = random.Random(f"walk {seed}")
        num_cells = rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6))
        start = random_deal(rng, num_cells)
        here = start
        if seed % 2:
            result = solve(start)
            if result.solution is not None:
                for ply in result.solution.plies[: rng.randrange(len(result.solution.plies))]:
                    here = apply_ply(here, ply)
                for position in digging_walk(rng, here, rng.randrange(6)):
                    here = position
        if here == start:
            for position in digging_walk(rng, start, rng.randint(5, 60)):
                here = position
        packed = packed_or_none(here)
        if packed is not None:
            positions.append(packed)
    return positions


def test_mid_game_positions_equal_the_plain_search() -> None:
    counts = _check_against_plain(_mid_game_positions(0, _POSITIONS_BY_DEFAULT))
    assert min(counts[WINNABLE], counts[UNWINNABLE]) > _POSITIONS_BY_DEFAULT // 8


@pytest.mark.slow
@pytest.mark.ci
def test_more_mid_game_positions_equal_the_plain_search() -> None:
    _check_against_plain(_mid_game_positions(_POSITIONS_BY_DEFAULT, _POSITIONS_IN_CI))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_all_mid_game_positions_equal_the_plain_search(block: int) -> None:
    size = (_POSITIONS_IN_ALL - _POSITIONS_IN_CI) // 4
    first = _POSITIONS_IN_CI + block * size
    _check_against_plain(_mid_game_positions(first, first + size), max_undecided=2)


# Won only by splitting a run that single cards still cover, once they are dug and before anything
# else happens: its last card into a column to take the next lower one, or its lower part into a
# column for its upper part to go elsewhere. Found among boards of units and made smaller.
_RUNS_UNDER_SINGLE_CARDS = (
    board(
        "7D QC JD TD 9D KH", "QS 7H QD QH JH TH KC", "8D", "KD", "JC", "KS TC 8H 9H",
        cells="", home=(11, 6, 6, 9),
    ),
    board(
        "JC 8H QD 8S JS TS KH", "9C JH QS 9S", "KS", "QC 9H", "8C QH TH TC", "KC 7C KD",
        cells="", home=(7, 7, 11, 6),
    ),
    board(
        "TS KH", "8H QH 8S QS JS JH TH 9H JC", "4C 9C 7C 6C 5C KS", "8C TC QC KC", "9S",
        cells="", home=(7, 7, 13, 3),
    ),
    board(
        "4D JS KS QS QD 9D", "JH", "9H 8D JD TD KD", "JC", "7D QH KC TH", "TC QC 6D 5D KH",
        cells="", home=(10, 8, 3, 9),
    ),
    board(
        "8H 7H", "", "9C 8C TS 9H QH JH", "QD KS", "QS KH 7C JS", "6H TH KD 5C QC JC 6C",
        "KC JD TC", cells="", home=(9, 5, 10, 4),
    ),
    board(
        "7S 7D QH JH KH KS", "8D 9C", "TC KC 8C QD JD TD TH", "8S JC", "9S QS QC 9H 6D JS TS 9D KD",
        cells="", home=(6, 8, 5, 7),
    ),
    board(
        "9C JS 3D 7D 9D KD", "8H TS", "4D 5D 8D", "TC TH", "7H 9H 6D QD JD TD QH",
        "8C JH 9S QC JC KC KH KS", cells="QS", home=(8, 6, 2, 7),
    ),
)  # fmt: skip


@pytest.mark.parametrize("position", _RUNS_UNDER_SINGLE_CARDS)
@pytest.mark.parametrize("rules", (ALL_RULES, ALL_RULES & ~WITH_LATTICE))
def test_runs_that_are_split_once_they_are_dug_for(position: Position, rules: int) -> None:
    assert oracle.winnable(to_board(position), max_positions=400_000)
    boards = boards_of_positions([pack_position(position)])
    verdicts, _ = run_boards(boards, position.num_cells, rules=rules)
    assert verdicts.tolist() == [WINNABLE]


def test_boards_of_units_equal_the_plain_search() -> None:
    counts = _check_against_plain(boards_of_units(0, _UNITS_BY_DEFAULT))
    assert min(counts[WINNABLE], counts[UNWINNABLE]) > _UNITS_BY_DEFAULT // 10


@pytest.mark.slow
@pytest.mark.ci
def test_more_boards_of_units_equal_the_plain_search() -> None:
    _check_against_plain(boards_of_units(_UNITS_BY_DEFAULT, _UNITS_IN_CI))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(5))
def test_all_boards_of_units_equal_the_plain_search(block: int) -> None:
    size = (_UNITS_IN_ALL - _UNITS_IN_CI) // 5
    first = _UNITS_IN_CI + block * size
    _check_against_plain(boards_of_units(first, first + size), max_undecided=2)


@pytest.mark.parametrize(
    "seeds",
    [range(100), pytest.param(range(100, 300), marks=[pytest.mark.slow, pytest.mark.ci])],
)
def test_few_cards_left_equal_the_oracle(seeds: range) -> None:
    """Independent of the engine's kernels: the oracle forces nothing and packs nothing."""
    counts: Counter[bool] = Counter()
    for seed in seeds:
        rng = random.Random(f"endgame {seed}")
        board = oracle.random_endgame(rng, seed % 4, rng.randint(20, 36))
        try:
            expected = oracle.winnable(board, max_positions=20_000)
        except oracle.BoardTooLargeError:
            continue
        packed = packed_or_none(to_position(board))
        counts[expected] += 1
        if packed is not None:
            verdicts, _ = classify_positions([packed], packed.position.num_cells)
            assert verdicts[0] == (WINNABLE if expected else UNWINNABLE), board
        else:
            assert expected
    assert min(counts[True], counts[False]) >= 0.1 * len(seeds)


def _without(rule: int, boards: Boards, num_cells: int) -> tuple[np.ndarray, np.ndarray]:
    """Verdicts and nodes with one of the rules that only save time left out."""
    return run_boards(boards, num_cells, rules=ALL_RULES & ~rule)


@pytest.mark.parametrize("num_cells", (1, 2, 3, 4, 5))
def test_the_lattice_only_saves_time(num_cells: int) -> None:
    """The dead-end oracle on and off: the same verdicts, and it cuts what it can."""
    deals = _ms_deals(20_001, 20_600)
    verdicts, _ = classify(deals, num_cells)
    without, _ = _without(WITH_LATTICE, boards_of_deals(deals), num_cells)
    assert (verdicts == without).all()


@pytest.mark.parametrize("num_cells", range(7))
def test_waiting_for_events_only_saves_time(num_cells: int) -> None:
    """Each quiet dig a successor of its own: the same verdicts, also where events once lost one."""
    numbers = np.array([*range(30_001, 30_121), 61156, 91861, 5609, 815, 1556, 915, 2549])
    deals = deal_many("ms", numbers)
    verdicts, nodes = classify(deals, num_cells)
    without, more_nodes = _without(WITH_EVENTS, boards_of_deals(deals), num_cells)
    assert (verdicts == without).all()
    # Without cells the first dig is an event anyway.
    assert more_nodes.sum() > nodes.sum() or num_cells == 0


def test_waiting_for_events_only_saves_time_onboards_of_units() -> None:
    literal = [pack_position(position) for position in _RUNS_UNDER_SINGLE_CARDS]
    for packed in [*literal, *boards_of_units(200_000, 201_500)]:
        num_cells = packed.position.num_cells
        verdicts, _ = classify_positions([packed], num_cells)
        assert verdicts == _without(WITH_EVENTS, boards_of_positions([packed]), num_cells)[0]


def test_the_lattice_only_saves_time_in_mid_game() -> None:
    for packed in _mid_game_positions(90_000, 90_300):
        num_cells = packed.position.num_cells
        verdicts, _ = classify_positions([packed], num_cells)
        assert verdicts == _without(WITH_LATTICE, boards_of_positions([packed]), num_cells)[0]


def test_the_same_deal_takes_the_same_nodes() -> None:
    deals = _ms_deals(1, 300)
    verdicts, nodes = classify(deals, 4)
    backwards, backwards_nodes = classify(deals[::-1], 4)
    assert (backwards_nodes[::-1] == nodes).all() and (backwards[::-1] == verdicts).all()
    for row in (0, 9, 222, 299):
        assert classify(deals[row : row + 1], 4)[1][0] == nodes[row]


def test_tables_that_must_grow() -> None:
    """These deals need larger tables than the first; beside others, and with a limit."""
    numbers = np.array([223, 222, 1164, 1])
    verdicts, nodes = classify(deal_many("ms", numbers), 4)
    assert verdicts.tolist() == [UNWINNABLE, WINNABLE, UNWINNABLE, WINNABLE]
    limited, _ = classify(deal_many("ms", numbers), 4, max_memory=1 << 20)
    assert limited.tolist() == [UNDECIDED, WINNABLE, UNDECIDED, WINNABLE]
    assert (classify(deal_many("ms", numbers[::-1]), 4)[1] == nodes[::-1]).all()


def test_a_limit_of_nodes_is_never_a_no() -> None:
    deals = _ms_deals(1, 200)
    verdicts, nodes = classify(deals, 4)
    for max_nodes in (1, 50, 200):
        limited, limited_nodes = classify(deals, 4, max_nodes=max_nodes)
        assert (limited_nodes <= max_nodes).all()
        enough = nodes <= max_nodes
        assert (limited[enough] == verdicts[enough]).all()
        assert (limited[~enough] == UNDECIDED).all()


def test_bad_arrays() -> None:
    deals = _ms_deals(1, 3)
    for wrong, words in (
        (deals[:, :51], r"\(3, 51\)"),
        (deals[0], r"\(52,\)"),
        (np.zeros((2, 52), np.uint8), "row 0"),
        (np.where(deals == 51, 0, deals), "row 0"),
        (deals + 1, "no card"),
        (deals.astype(int) - 1, "no card"),
    ):
        with pytest.raises(BoardError, match=words):
            classify(wrong, 4)
    with pytest.raises(BoardError, match="9 cells"):
        classify(deals, 9)
    verdicts, nodes = classify(np.zeros((0, 52), np.uint8), 4)
    assert len(verdicts) == len(nodes) == 0


@pytest.mark.parametrize(("num_cells", "expected"), [(0, UNWINNABLE), (7, WINNABLE), (8, WINNABLE)])
def test_the_ends_of_the_range_of_cells(num_cells: int, expected: int) -> None:
    verdicts, _ = classify(_ms_deals(1, 100), num_cells)
    assert (verdicts == expected).all()


@pytest.mark.slow
@pytest.mark.parametrize("num_cells", (1, 2, 4))
def test_no_deal_of_a_hundred_thousand_is_undecided(num_cells: int) -> None:
    verdicts, _ = classify(_ms_deals(1, 100_000), num_cells)
    assert (verdicts != UNDECIDED).all()


@pytest.mark.kernel
def test_within_the_arrays_bounds() -> None:
    """Small, for the run under NUMBA_BOUNDSCHECK=1; boards with long columns and held cards too."""
    for num_cells in (1, 2, 4):
        classify(_ms_deals(1, 40), num_cells)
    for packed in _mid_game_positions(50_000, 50_060):
        classify_positions([packed], packed.position.num_cells)
    ladder = tuple(card for suit in range(4) for card in range(13 * suit + 12, 13 * suit - 1, -1))
    for columns in ((ladder, *((),) * 7), (*((),) * 7, ladder[::-1])):
        verdicts, _ = classify_positions([pack_position(Position(columns))], 4)
        assert verdicts[0] == WINNABLE


def test_a_deal_is_decided_as_its_position_is() -> None:
    for number in range(1, 40):
        position = Position.from_deal(MS.deal(number), 3)
        alone, nodes = classify_positions([pack_position(position)], 3)
        verdicts, batch_nodes = classify(_ms_deals(number, number), 3)
        assert (alone[0], nodes[0]) == (verdicts[0], batch_nodes[0])


@pytest.mark.kernel
def test_each_kernel_sees_one_signature() -> None:
    """Literals and counts are int64 and words uint64 wherever kernels call each other."""
    classify(_ms_deals(1, 30), 4)
    kernels = [
        (module.__name__, name, compiled)
        for module in (
            classes,
            classify_module,
            corridor,
            dealt,
            decide,
            lattice,
            runs,
            spaces,
        )
        for name, compiled in vars(module).items()
        if hasattr(compiled, "py_func") and compiled.py_func.__module__ == module.__name__
    ]
    assert len(kernels) > 40
    for module_name, name, compiled in kernels:
        assert len(compiled.signatures) <= 1, (module_name, name, compiled.signatures)
