"""The parts of a rating against the oracle's brute force, and the simulated players' honesty."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings

from boulanger.engine.cards import parse_card
from boulanger.engine.packed import runs
from boulanger.engine.packed.layout import bit_card, card_bit
from boulanger.engine.packed.packing import pack_position, unpack_state
from boulanger.engine.packed.state import TO_CELL, TO_COLUMN, TO_PARENT
from boulanger.engine.position import Position
from boulanger.solver import spaces
from boulanger.solver.rating import forgiveness, outcomes, players
from boulanger.solver.rating.outcomes import decide_state, make_workbench
from boulanger.solver.rating.parts import (
    NUM_GAMES,
    OPENING,
    Forgiveness,
    Measurer,
    Parts,
    find_min_cells,
)
from boulanger.solver.rating.players import (
    CAREFUL,
    GREEDY,
    MAX_ACTIONS,
    NUM_PLAYERS,
    PLANNER,
    RANDOM,
    count_wins,
    make_scratch,
)
from boulanger.solver.verdict import classes, dealt, decide, lattice
from boulanger.solver.verdict.classify import classify_positions
from boulanger.solver.verdict.decide import NO_LIMIT
from tests import oracle
from tests.bridge import as_words, to_board, to_position
from tests.distances import states_of_walk
from tests.strategies import SEEDS, random_deal, random_runs_board

MAX_POSITIONS = 3_000
FEW_GAMES = (3, 3, 3, 3)

Step = tuple[str, int]
"""Highest card that moves, kind of destination."""


def steps_of(board: oracle.Board) -> dict[Step, oracle.Board]:
    """The board after each legal action but for foundation moves, two like places counting once.

    Moving all of a column to an empty one changes nothing and is left out.
    """
    found: dict[Step, oracle.Board] = {}
    for source, destination, length in oracle.legal_actions(board):
        if destination == oracle.HOME:
            continue
        if source in oracle.CELL_PLACES:
            head, is_whole = oracle.card_at(board, source), False
        else:
            column = oracle.column_at(board, source)
            head, is_whole = column[-length], len(column) == length
        assert head is not None
        if destination in oracle.CELL_PLACES:
            kind = TO_CELL
        else:
            kind = TO_PARENT if oracle.card_at(board, destination) else TO_COLUMN
        if kind == TO_COLUMN and is_whole:
            continue
        suffix = f"v{length:x}" if length > 1 or (kind == TO_COLUMN and head) else ""
        is_between_columns = source in oracle.COLUMN_PLACES and kind != TO_CELL
        move = source + destination + (suffix if is_between_columns else "")
        found.setdefault((head, kind), oracle.apply_action(board, move))
    return found


def liked_by_greedy(steps: dict[Step, oracle.Board]) -> list[Step]:
    for kind in (TO_PARENT, TO_COLUMN):
        liked = [step for step in steps if step[1] == kind]
        if liked:
            return liked
    return list(steps)


def brute_forgiveness(position: Position, notation: tuple[str, ...]) -> Forgiveness:
    """Forgiveness along a solution, by plain search of what comes of every action."""
    board = to_board(position)
    shares, first_trap, fewest, first = [], None, 99, (0, 0)
    for move in notation:
        if move[1] != oracle.HOME:
            assert all(place != oracle.HOME for _, place in oracle.legal_moves(board))
            steps = steps_of(board)
            keeping = {step for step, after in steps.items() if oracle.winnable(after)}
            if not shares:
                first = (len(steps), len(keeping))
            liked = liked_by_greedy(steps)
            if first_trap is None and 2 * len(set(liked) - keeping) >= len(liked):
                first_trap = len(shares)
            shares.append(len(keeping) / len(steps))
            fewest = min(fewest, board.cells.count(None) + board.columns.count([]))
        board = oracle.apply_action(board, move)
    assert oracle.is_won(board)
    if not shares:
        return Forgiveness(0, 0, 1.0, 1.0, None, 0, 0)
    opening = shares[:OPENING]
    return Forgiveness(
        *first,
        sum(opening) / len(opening),
        sum(shares) / len(shares),
        first_trap,
        len(shares),
        fewest,
    )


def endgame(seed: int) -> oracle.Board:
    """A random small board: with many cards and little room, with few cards, or cut into runs."""
    rng = random.Random(seed)
    if seed % 4 < 2:
        return oracle.random_endgame(rng, seed // 4 % 3, rng.randint(24, 42))
    if seed % 4 == 2:
        return to_board(random_runs_board(rng, seed // 4 % 3))
    return oracle.random_endgame(rng, seed % 5, rng.randint(4, 12))


def parts_of(position: Position, seed: int = 0) -> Parts | None:
    return Measurer().measure(position, seed, FEW_GAMES).parts


@pytest.mark.kernel
def test_verdicts_on_states_are_those_on_their_boards() -> None:
    """Along walks from deals and endgames, as deep as loose runs and emptied columns come."""
    bench = make_workbench(1 << 14)
    seen: Counter[tuple[int, int]] = Counter()
    for seed in range(40):
        num_cells = seed % 5
        board = to_board(random_deal(seed, num_cells)) if seed % 2 else endgame(seed)
        layout, states = states_of_walk(board, seed, 40)
        num_cells = board.num_cells
        for state, _ in states:
            outcome = decide_state(
                bench, layout, np.int64(num_cells), *as_words(state), np.int64(NO_LIMIT)
            )
            packed = pack_position(unpack_state(layout, state, num_cells))
            verdicts, _ = classify_positions([packed], num_cells)
            assert outcome == verdicts[0]
            seen[num_cells, int(outcome)] += 1
    assert len(seen) == 10
    assert min(seen.values()) > 5


@pytest.mark.slow
@pytest.mark.ci
def test_forgiveness_is_that_of_brute_force() -> None:
    num_compared = num_traps = num_losing = 0
    for seed in range(360):
        board = endgame(seed)
        try:
            is_winnable = oracle.winnable(board, MAX_POSITIONS)
        except oracle.BoardTooLargeError:
            continue
        parts = parts_of(to_position(board))
        assert (parts is not None) == is_winnable
        if parts is None:
            continue
        assert parts.actions.solution is not None
        expected = brute_forgiveness(to_position(board), parts.actions.solution.notation)
        given = parts.forgiveness
        assert given.opening == pytest.approx(expected.opening)
        assert given.whole == pytest.approx(expected.whole)
        assert given.num_first == expected.num_first
        assert given.num_first_keeping == expected.num_first_keeping
        assert given.first_trap == expected.first_trap
        assert given.num_decisions == expected.num_decisions
        assert given.fewest_free == expected.fewest_free
        num_compared += 1
        num_traps += expected.first_trap is not None
        num_losing += expected.whole < 1
    assert num_compared > 80
    assert num_losing > 15
    assert num_traps > 8


def test_the_smallest_number_of_cells_is_that_of_brute_force() -> None:
    found: Counter[int | None] = Counter()
    for seed in range(120):
        board = endgame(seed)
        position = to_position(board)
        num_held = sum(card is not None for card in position.cells)
        try:
            wins = [
                oracle.winnable(to_board(position.with_num_cells(n)), MAX_POSITIONS)
                for n in range(num_held, position.num_cells + 1)
            ]
        except oracle.BoardTooLargeError:
            continue
        expected = num_held + wins.index(True) if True in wins else None
        assert find_min_cells(position, position.num_cells) == (expected, True)
        found[expected] += 1
    assert len(found) > 3


def play(position: Position, player: int, seed: int) -> tuple[bool, list[Step]]:
    """A game of one player, and its actions."""
    packed = pack_position(position)
    num_games = np.zeros(NUM_PLAYERS, np.int64)
    num_games[player] = 1
    wins = np.zeros(NUM_PLAYERS, np.int64)
    scratch = make_scratch()
    count_wins(
        packed.layout,
        np.int64(position.num_cells),
        as_words(packed.state),
        num_games,
        np.uint64(seed),
        scratch,
        make_workbench(4096),
        wins,
    )
    trace = scratch.trace[: scratch.trace[MAX_ACTIONS, 0]]
    names = [oracle.CARDS[bit_card(int(bit))] for bit, _ in trace]
    return bool(wins.sum()), list(zip(names, trace[:, 1].tolist(), strict=True))


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_players_make_legal_moves_and_win_what_they_say(seed: int) -> None:
    rng = random.Random(seed)
    player, num_cells = seed % NUM_PLAYERS, rng.randint(0, 8)
    make = random_runs_board(rng, num_cells) if rng.random() < 0.7 else random_deal(seed, num_cells)
    is_won, steps = play(make, player, seed)
    board = oracle.close(to_board(make))
    for step in steps:
        legal = steps_of(board)
        assert step in legal
        if player == GREEDY:
            assert step in liked_by_greedy(legal)
        board = oracle.close(legal[step])
    assert oracle.is_won(board) == is_won
    if not is_won and player in (RANDOM, GREEDY):
        assert len(steps) == MAX_ACTIONS or not steps_of(board)


@pytest.mark.parametrize("player", [PLANNER, CAREFUL])
def test_planners_go_nowhere_twice(player: int) -> None:
    position = random_deal(5)
    board = oracle.close(to_board(position))
    met = {oracle.physical_key(board)}
    for step in play(position, player, 1)[1]:
        board = oracle.close(steps_of(board)[step])
        key = oracle.physical_key(board)
        assert key not in met
        met.add(key)
    assert len(met) > 10


def test_the_careful_player_does_not_lose_what_a_small_search_can_save() -> None:
    """In small endgames its search proves all there is to prove: it never loses a won game."""
    num_played = 0
    for seed in range(60):
        board = endgame(seed)
        try:
            if not oracle.winnable(board, MAX_POSITIONS):
                continue
            board = oracle.close(board)
            for step in play(to_position(board), CAREFUL, seed)[1]:
                board = oracle.close(steps_of(board)[step])
                assert oracle.winnable(board, 10 * MAX_POSITIONS)
                num_played += 1
        except oracle.BoardTooLargeError:
            continue
    assert num_played > 100


def test_games_repeat_under_a_seed_and_differ_under_another() -> None:
    position = random_deal(0)
    assert play(position, PLANNER, 7) == play(position, PLANNER, 7)
    assert len({tuple(play(position, PLANNER, seed)[1]) for seed in range(5)}) == 5
    measurer = Measurer()
    first = measurer.measure(position, 3).parts
    assert first is not None
    assert first.num_wins == Measurer().measure(position, 3).parts.num_wins  # type: ignore[union-attr]
    assert first.num_games == NUM_GAMES


def test_players_rise_in_skill() -> None:
    measurer = Measurer()
    wins = np.zeros(NUM_PLAYERS)
    for seed in range(25):
        parts = measurer.measure(random_deal(seed), num_games=(20, 20, 20, 20)).parts
        if parts is not None:
            wins += parts.num_wins
    assert wins[RANDOM] <= wins[GREEDY] < wins[PLANNER] < wins[CAREFUL]


@pytest.mark.kernel
def test_each_kernel_sees_one_signature() -> None:
    """Those of the search too, which is called from here as from elsewhere."""
    classify_positions([pack_position(random_deal(0))], 4)
    assert parts_of(random_deal(0)) is not None
    modules = (forgiveness, outcomes, players, classes, dealt, decide, lattice, runs, spaces)
    kernels = [
        (module.__name__, name, compiled)
        for module in modules
        for name, compiled in vars(module).items()
        if hasattr(compiled, "py_func") and compiled.py_func.__module__ == module.__name__
    ]
    assert len(kernels) > 50
    for module_name, name, compiled in kernels:
        assert len(compiled.signatures) <= 1, (module_name, name, compiled.signatures)


def test_a_lost_position_has_no_parts() -> None:
    stuck = Position.from_deal(tuple(range(52)), 0)
    assert classify_positions([pack_position(stuck)], 0)[0][0] == 0
    assert parts_of(stuck) is None


def test_card_bits_name_the_cards_of_the_oracle() -> None:
    assert [bit_card(card_bit(parse_card(card))) for card in oracle.CARDS] == list(range(52))
