"""`review` against the oracle's plain searches, and `boulanger review`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from boulanger.engine.game import Game
from boulanger.engine.rules import legal_actions
from boulanger.solver.advice.hints import hint
from boulanger.solver.advice.review import review
from boulanger.solver.limits import Limits
from boulanger.solver.optimal.solve import solve
from boulanger.solver.result import Measure, Verdict
from tests import oracle
from tests.bridge import to_position
from tests.command import answer_json, run, unwrapped
from tests.games import games_with_their_loss, ms, random_game, small_endgame, true_distance


@pytest.mark.parametrize("measure", list(Measure))
def test_distances_are_those_of_plain_search(measure: Measure) -> None:
    num_wasted = 0
    for seed in range(40):
        rng = random.Random(seed)
        game = random_game(to_position(small_endgame(seed)), rng, rng.randint(1, 6))
        try:
            distances = [true_distance(board, measure) for board in game.positions()]
        except oracle.BoardTooLargeError:
            continue
        reviewed = review(game, measure)
        assert reviewed.shortest == distances[0]
        assert [action.distance_before for action in reviewed.actions] == distances[:-1]
        assert [action.distance_after for action in reviewed.actions] == distances[1:]
        assert all((action.num_wasted or 0) >= 0 for action in reviewed.actions)
        num_wasted += reviewed.num_wasted
    assert num_wasted > 3


def test_the_losing_action_is_that_of_plain_search() -> None:
    num_lost = 0
    for game, num_won in games_with_their_loss():
        reviewed = review(game)
        was_lost = num_won is not None and num_won <= len(game.history)
        assert reviewed.losing_number == (num_won if was_lost else None)
        assert [action.number for action in reviewed.actions if action.is_losing] == (
            [num_won] if was_lost else []
        )
        assert reviewed.score == game.score
        num_lost += was_lost
    assert num_lost > 10


@pytest.mark.parametrize("measure", list(Measure))
def test_a_won_game_is_as_long_as_the_shortest_and_what_was_wasted(measure: Measure) -> None:
    solution = solve(ms(1)).solution
    assert solution is not None
    game = Game(ms(1))
    for action in solution.actions:
        game.apply(action)
    reviewed = review(game, measure)
    assert reviewed.is_won
    assert reviewed.shortest is not None
    assert reviewed.length == reviewed.shortest + reviewed.num_wasted
    assert (reviewed.score, reviewed.losing_number) == (solution.score, None)


def test_a_game_that_follows_hints_wastes_nothing() -> None:
    game = Game(ms(2))
    for step in hint(game, 100).steps:
        game.apply(step.action)
    reviewed = review(game)
    assert (reviewed.is_won, reviewed.num_wasted) == (True, 0)
    assert reviewed.length == reviewed.shortest


def test_limits_leave_it_open() -> None:
    game = Game(ms(69))
    game.apply(legal_actions(game.position)[0])
    reviewed = review(game, limits=Limits(max_nodes=5))
    assert (reviewed.verdict, reviewed.shortest) == (Verdict.UNDECIDED, None)
    assert reviewed.actions[0].num_wasted is None


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("72 7a 1b 1c 1d")
    text = run("review", "ms:1", "--played", str(path))
    document = answer_json("review", "ms:1", "--played", str(path))
    assert list(document) == [
        "deal", "dealer", "notes", "cells", "measure", "verdict", "final_verdict", "won", "length",
        "shortest", "wasted", "mistakes", "lost_by", "score", "actions",
    ]  # fmt: skip
    assert text.code == 1
    assert (document["final_verdict"], document["won"]) == ("unwinnable", False)
    number = document["lost_by"]
    losing = document["actions"][number - 1]
    assert losing["losing"]
    sentence = f"Lost by action {number}, {losing['notation']} ({losing['text']}): undo "
    assert sentence in unwrapped(text.out)
    better = losing["better"]
    assert f"better: {better['notation']}, {better['text']}: " in text.out
    before = [action["notation"] for action in document["actions"][: number - 1]]
    instead = answer_json("check", "ms:1", "--played", " ".join([*before, better["notation"]]))
    assert instead["verdict"] == "winnable"
    assert document["mistakes"] == sum(each["better"] is not None for each in document["actions"])
    assert text.out.count("LOSES THE GAME") == 1
    assert run("verify", "ms:1", "--moves", "-", stdin=text.out).code == 0


def test_a_bad_game() -> None:
    answer = run("review", "ms:1", "--played", "1a 1h")
    assert (answer.code, answer.out) == (2, "")
    assert "--played: move 2, '1h' (line 1, column 4): " in answer.err
    assert run("review", "ms:1").code == 2
