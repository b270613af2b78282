"""`check`, `hint` and `mark_actions` against the oracle's plain searches, and chains of hints."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings

from boulanger.engine.game import Game
from boulanger.engine.moves import Action, cell_place, column_place
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action, legal_actions, pending_home
from boulanger.solver.advice.hints import check, hint, mark_actions
from boulanger.solver.advice.reasons import describe_gains, gains_of
from boulanger.solver.advice.review import review
from boulanger.solver.limits import Clock, Limits
from boulanger.solver.line.replay import rest_of
from boulanger.solver.optimal.solve import solve
from boulanger.solver.result import Measure, Verdict
from tests import oracle
from tests.bridge import to_board, to_position
from tests.games import (
    MAX_POSITIONS,
    games_with_their_loss,
    ms,
    random_game,
    small_endgame,
    true_distance,
)
from tests.strategies import SEEDS, board

# check.


def test_check_agrees_with_plain_search() -> None:
    verdicts = set()
    for seed in range(150):
        position = to_position(small_endgame(seed))
        try:
            is_winnable = oracle.winnable(to_board(position), MAX_POSITIONS)
        except oracle.BoardTooLargeError:
            continue
        checked = check(Game(position))
        assert checked.verdict == (Verdict.WINNABLE if is_winnable else Verdict.UNWINNABLE)
        assert checked.has_legal_move == bool(legal_actions(position))
        verdicts.add(checked.verdict)
    assert len(verdicts) == 2


def test_check_at_a_limit_is_undecided() -> None:
    checked = check(ms(69), limits=Limits(max_nodes=5))
    assert (checked.verdict, checked.reason) == (Verdict.UNDECIDED, "nodes")


# hint.


@pytest.mark.parametrize("measure", list(Measure))
def test_distances_are_those_of_plain_search(measure: Measure) -> None:
    num_compared = 0
    for seed in range(30):
        position = to_position(small_endgame(seed))
        try:
            distance = true_distance(position, measure)
        except oracle.BoardTooLargeError:
            continue
        given = hint(position, 3, measure)
        assert given.distance == distance
        if distance is None:
            assert given.verdict == Verdict.UNWINNABLE
            assert given.steps == ()
            continue
        assert given.is_proven
        assert len(given.steps) == min(3, len(given.solution.actions) if given.solution else 0)
        for step in given.steps:
            assert step.action in legal_actions(position, all_places=True)
            position = apply_action(position, step.action)
            assert true_distance(position, measure) == step.distance < distance
            if measure == Measure.ACTIONS:
                assert step.distance == distance - 1
            distance = step.distance
            num_compared += 1
    assert num_compared > 15


@pytest.mark.parametrize(("number", "num_cells"), [(1, 4), (1, 5)])
def test_a_chain_of_hints_wins(number: int, num_cells: int) -> None:
    game = Game(ms(number, num_cells))
    given = hint(game)
    while given.steps:
        assert given.is_proven
        assert given.distance == given.steps[0].distance + 1
        before = given.distance
        game.apply(given.steps[0].notation)
        given = hint(game)
        assert given.distance == before - 1
    assert game.is_won


@pytest.mark.parametrize("measure", list(Measure))
def test_pending_foundation_moves_come_first(measure: Measure) -> None:
    """They count, too: the distance is one more than after them."""
    for number in (2, 3, 6):
        position = ms(number)
        pending = pending_home(position)
        assert pending
        given = hint(position, 1, measure)
        step = given.steps[0]
        assert step.action in pending
        assert step.describe_gains().startswith("goes home")
        after = hint(apply_action(position, step.action), 1, measure)
        assert given.distance == step.distance + 1 == (after.distance or 0) + 1


def test_unproven_hints_come_with_a_whole_solution_and_do_not_loop() -> None:
    limits = Limits(max_nodes=2_000)
    game = Game(ms(27))
    given = hint(game, limits=limits)
    assert not given.is_proven
    assert given.reason == "nodes"
    num_unproven = 0
    while not game.is_won:
        assert given.solution is not None
        assert oracle.is_won(oracle.replay(to_board(game.position), given.solution.notation)[0])
        num_unproven += not given.is_proven
        before = given.distance
        game.apply(given.steps[0].action)
        given = hint(game, limits=limits, known=given.solution)
        assert given.distance is not None
        assert before is not None
        assert given.distance < before
    assert num_unproven > 1


def test_a_run_counts_as_all_its_cards() -> None:
    """In plies, the distance falls by more than one where a run moves."""
    given = hint(ms(8), 200, Measure.PLIES)
    assert given.solution is not None
    plies = [len(step.plies) for step in given.solution.steps]
    assert max(plies) > 1
    left = [sum(plies[index + 1 :]) for index in range(len(plies))]
    assert [step.distance for step in given.steps] == left


def test_what_is_left_of_a_solution() -> None:
    solution = solve(ms(1)).solution
    assert solution is not None
    game = Game(ms(1))
    for index, action in enumerate(solution.actions):
        rest = rest_of(solution, game.position)
        assert rest is not None
        assert rest.actions == solution.actions[index:]
        assert rest.score == solution.score - game.score
        game.apply(action)
    assert rest_of(solution, ms(2)) is None


def test_an_undecided_position_has_no_hint() -> None:
    given = hint(ms(69), limits=Limits(max_nodes=5))
    assert (given.verdict, given.steps, given.loss) == (Verdict.UNDECIDED, (), None)


def test_a_won_game_needs_no_hint() -> None:
    given = hint(Game(board(home=(13, 13, 13, 13))))
    assert (given.verdict, given.distance, given.is_proven) == (Verdict.WINNABLE, 0, True)
    assert (given.steps, given.has_legal_move) == ((), False)


def test_a_hint_is_at_least_one_action() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        hint(ms(1), 0)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_random_games_of_whole_deals(seed: int) -> None:
    """Hints keep the win, and a lost game leads back to the last win."""
    rng = random.Random(seed)
    game = random_game(ms(rng.randint(1, 3000)), rng, rng.randint(0, 40))
    given = hint(game, limits=Limits(max_nodes=20_000))
    assert given.verdict == check(game).verdict
    for step in given.steps:
        assert check(apply_action(game.position, step.action)).verdict == Verdict.WINNABLE
    if given.loss is not None and given.loss.num_undos is not None:
        lost_by = None
        for _ in range(given.loss.num_undos):
            assert check(game).verdict == Verdict.UNWINNABLE
            lost_by = game.undo()
        assert check(game).verdict == Verdict.WINNABLE
        assert given.loss.action == lost_by


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_hints_and_losses_in_random_endgames_are_those_of_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(to_position(small_endgame(seed)), rng, rng.randint(1, 8))
    boards = game.positions()
    try:
        wins = [oracle.winnable(to_board(board), MAX_POSITIONS) for board in boards]
    except oracle.BoardTooLargeError:
        assume(False)
    for position, is_won in zip(boards, wins, strict=True):
        given = hint(position)
        assert given.verdict == (Verdict.WINNABLE if is_won else Verdict.UNWINNABLE)
        for step in given.steps:
            after = to_board(apply_action(position, step.action))
            assert oracle.winnable(after)
        assert bool(given.steps) == (is_won and not position.is_won)
    loss = hint(game).loss
    losing = review(game).losing_number
    assert losing == (wins.index(False) if wins[0] and not wins[-1] else None)
    assert (loss.number if loss is not None else None) == losing


# A lost game.


def test_the_losing_action_is_that_of_plain_search() -> None:
    num_lost = 0
    for game, num_won in games_with_their_loss():
        loss = hint(game).loss
        if num_won == len(game.history) + 1:
            assert loss is None
            continue
        assert loss is not None
        assert loss.number == num_won
        assert loss.is_lost_from_start == (num_won is None)
        if num_won is not None:
            num_lost += 1
            assert loss.action == game.history[num_won - 1]
            assert loss.num_undos == len(game.history) + 1 - num_won
            assert loss.is_within_undo
    assert num_lost > 10


def lost_game() -> Game:
    """A game that was lost although it has legal moves left."""
    for seed in range(500):
        game = random_game(ms(1), random.Random(seed), 25)
        if check(game).verdict == Verdict.UNWINNABLE and game.has_legal_move:
            return game
    raise AssertionError("no game was lost")


def test_a_loss_that_the_app_no_longer_keeps() -> None:
    game = lost_game()
    num_undos = hint(game).loss.num_undos  # type: ignore[union-attr]
    assert num_undos is not None
    # Between two cells to and fro, to no end.
    while None in game.position.cells[1:]:
        game.apply(next(a for a in legal_actions(game.position) if a.destination.zone == 1))
    game.undo()
    free = game.position.cells.index(None)
    action = Action(cell_place(1 if free == 0 else 0), cell_place(free))
    back = Action(action.destination, action.source)
    while len(game.history) < 130:
        game.apply(action)
        action, back = back, action
    loss = hint(game).loss
    assert loss is not None
    assert loss.num_undos is not None
    assert loss.num_undos > 100
    assert not loss.is_within_undo
    assert loss.action is not None


def is_home(action: Action) -> bool:
    return action.destination.zone == 2


def test_lost_is_not_without_a_legal_move() -> None:
    given = hint(lost_game())
    assert given.verdict == Verdict.UNWINNABLE
    assert given.has_legal_move


def test_an_undecided_stretch_names_no_action(monkeypatch: pytest.MonkeyPatch) -> None:
    from boulanger.solver.advice import hints

    game = lost_game()
    while check(game).verdict == Verdict.UNWINNABLE:
        last = game.undo()
    unsure = apply_action(game.position, last)
    game.apply(last)
    game.apply(next(a for a in legal_actions(game.position) if not is_home(a)))
    known = hint(game).loss
    assert known is not None
    assert (known.num_undos, known.action) == (2, last)
    checked = hints.check_within

    def check_but_one(position: Position, clock: Clock) -> hints.Check:
        if position == unsure:
            return checked(ms(69), Clock(Limits(max_nodes=5)))
        return checked(position, clock)

    monkeypatch.setattr(hints, "check_within", check_but_one)
    loss = hint(game).loss
    assert loss is not None
    assert (loss.num_undos, loss.action, loss.is_lost_from_start) == (2, None, False)


# mark_actions.


@pytest.mark.parametrize("measure", list(Measure))
def test_marks_are_those_of_plain_search(measure: Measure) -> None:
    verdicts = []
    for seed in range(40):
        position = to_position(small_endgame(seed))
        outcomes = [apply_action(position, action) for action in legal_actions(position)]
        try:
            distances = [true_distance(outcome, measure) for outcome in outcomes]
        except oracle.BoardTooLargeError:
            continue
        marked = mark_actions(position, with_distance=True, measure=measure)
        assert [mark.action for mark in marked] == legal_actions(position)
        for mark, distance in zip(marked, distances, strict=True):
            assert mark.distance == distance
            assert mark.is_proven == (distance is not None)
            verdicts.append(mark.verdict)
    assert {Verdict.WINNABLE, Verdict.UNWINNABLE} == set(verdicts)


def test_the_best_mark_is_the_hint() -> None:
    marked = mark_actions(ms(1), with_distance=True)
    best = min(mark.distance for mark in marked if mark.distance is not None)
    assert best == hint(ms(1)).steps[0].distance


def test_marks_without_distances() -> None:
    assert all(mark.distance is None for mark in mark_actions(Game(ms(1))))


# Reasons.


def test_reasons() -> None:
    position = board(
        "KH QH JH TH 2S 9H", "8H", "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S", "KD QD 9D", "TC KC 8D JC",
        cells="TD JD QC -", home=(1, 7, 7, 9),
    )  # fmt: skip

    def reason(source: object, destination: object) -> str:
        return describe_gains(gains_of(position, Action(source, destination)))  # type: ignore[arg-type]

    home = next(a for a in pending_home(position) if a.source == column_place(1))
    assert describe_gains(gains_of(position, home)) == "goes home and empties column 2"
    assert reason(column_place(1), column_place(0)) == "builds on 9H and empties column 2"
    assert reason(column_place(0), cell_place(3)) == "digs out the 2 of spades"
    assert reason(column_place(4), cell_place(3)) == "digs out the 8 of diamonds"
    assert reason(cell_place(0), column_place(7)) == "frees cell a"
    assert reason(column_place(3), cell_place(3)) == "uncovers QD, which can be built on"
    assert reason(column_place(2), column_place(7)) == "makes room"
