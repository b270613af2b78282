"""A session as the app has it: taps, undo, score; and replays."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boulanger.engine.errors import IllegalMoveError, NotationError
from boulanger.engine.game import MAX_UNDO, Game, points_for, replay
from boulanger.engine.moves import Action, Zone, cell_place, column_place, foundation_place
from boulanger.engine.notation import MoveToken, format_action
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action, legal_actions
from tests.strategies import (
    SEEDS,
    board,
    cards,
    positions,
    random_deal,
    random_runs_board,
    random_walk,
)

C1, C2, C3, C4, C5, C6, C7, C8 = map(column_place, range(8))
A, B = cell_place(0), cell_place(1)
SPADES, HEARTS = foundation_place(0), foundation_place(1)


# Hearts from 3 up are in play; columns 5 to 8 and two cells are empty.
BOARD = board("KH 7H", "TH 8H", "QH 3H", "9H JH 4H", cells="6H 5H - -", home=(13, 2, 13, 13))


def test_tap_sends_home_or_does_nothing() -> None:
    game = Game(BOARD)
    assert game.tap(C1) is None
    assert game.tap(A) is None
    assert game.tap(cell_place(2)) is None
    assert game.tap(C8) is None
    assert game.tap(HEARTS) is None
    assert game.tap(column_place(8)) is None
    assert game.tap(cell_place(4)) is None
    assert game.tap(cell_place(-1)) is None
    assert (game.position, game.score, game.history) == (BOARD, 0, ())
    assert game.tap(C3) == Action(C3, HEARTS)
    assert game.score == 10
    # 4H could go home now, but nothing moves by itself.
    assert game.position.foundations == (13, 3, 13, 13)
    assert game.tap(C4) == Action(C4, HEARTS)
    assert game.tap(B) == Action(B, HEARTS)
    assert game.tap(A) == Action(A, HEARTS)
    assert game.score == 40
    assert game.history == tuple(Action(place, HEARTS) for place in (C3, C4, B, A))


def test_double_tap_prefers_home() -> None:
    position = board("KS 4S", "QS 3S", "TS JS", cells="9S 8S 7S 6S 5S", home=(2, 13, 13, 13))
    assert Game(position).double_tap(C2) == Action(C2, SPADES)


def test_double_tap_then_the_column_that_takes_the_card() -> None:
    game = Game(BOARD)
    assert game.double_tap(C1) == Action(C1, C2)  # 7H onto 8H, though column 5 is empty
    assert game.score == 0
    assert game.double_tap(A) == Action(A, C2)  # 6H from its cell
    assert game.score == 5


def test_double_tap_then_an_empty_column() -> None:
    assert Game(BOARD).double_tap(C2) == Action(C2, C5)
    game = Game(BOARD)
    assert game.double_tap(B) == Action(B, C5)
    assert game.score == 5


def test_double_tap_then_a_free_cell() -> None:
    columns = ("KH 7H", "TH 8H", "QH 3H", "9H JH", "KC", "KD", "QD", "QC")
    position = board(*columns, cells="6H - 4H 5H", home=(13, 2, 11, 11))
    game = Game(position)
    assert game.double_tap(C4) == Action(C4, B)
    # No cell is left, and from a cell the last choice does nothing.
    assert game.double_tap(C5) is None
    assert Game(position).double_tap(cell_place(2)) is None
    assert game.double_tap(SPADES) is None
    assert game.double_tap(cell_place(9)) is None


def test_double_tap_ignores_what_is_empty() -> None:
    game = Game(BOARD)
    assert game.double_tap(C8) is None
    assert game.double_tap(cell_place(3)) is None


def test_apply_takes_actions_and_text() -> None:
    game = Game(BOARD)
    assert game.apply("12") == Action(C1, C2)
    assert game.apply(Action(A, C2)) == Action(A, C2)
    assert game.apply("3H") == Action(C3, HEARTS)
    assert game.score == 15
    before = (game.position, game.score, game.history)
    with pytest.raises(IllegalMoveError, match="only 5H takes it"):
        game.apply("41")
    with pytest.raises(NotationError, match="'3x' is not a move"):
        game.apply("3x")
    with pytest.raises(IllegalMoveError, match="cell c is empty"):
        game.apply(Action(cell_place(2), C1))
    assert (game.position, game.score, game.history) == before


@pytest.mark.parametrize(
    ("action", "points"),
    [
        (Action(C1, HEARTS), 10),
        (Action(A, HEARTS), 10),
        (Action(A, C1), 5),
        (Action(A, B), 0),
        (Action(C1, A), 0),
        (Action(C1, C2), 0),
        (Action(C1, C2, 3), 0),
    ],
)
def test_points(action: Action, points: int) -> None:
    assert points_for(action) == points


def test_undo_takes_back_the_points() -> None:
    game = Game(BOARD)
    game.apply("3h")
    game.apply("a5")
    assert game.score == 15
    assert game.undo() == Action(A, C5)
    assert game.score == 10
    assert game.undo() == Action(C3, HEARTS)
    assert (game.position, game.score, game.history) == (BOARD, 0, ())
    assert not game.can_undo
    with pytest.raises(IllegalMoveError, match="nothing to undo: no action was played"):
        game.undo()


def test_undo_reaches_back_a_hundred_actions() -> None:
    game = Game(BOARD)
    reached = [BOARD]
    for i in range(150):
        game.apply("5a" if i % 2 else "a5")
        reached.append(game.position)
    assert game.score == 75 * 5
    for i in range(MAX_UNDO):
        assert game.can_undo
        game.undo()
        assert game.position == reached[149 - i]
    assert game.score == 25 * 5
    assert len(game.history) == 50
    assert not game.can_undo
    with pytest.raises(IllegalMoveError, match="only the last 100 actions"):
        game.undo()
    # What is played after that can be taken back again, and no more than that.
    game.apply("a5")
    game.undo()
    assert not game.can_undo
    assert MAX_UNDO == 100


def test_the_end() -> None:
    game = Game(board("KH QH", cells="-", home=(13, 11, 13, 13)))
    assert not game.is_won
    game.apply("1h")
    game.apply("1h")
    assert game.is_won
    assert not game.has_legal_move
    assert game.score == 20


def test_no_legal_move() -> None:
    exposed = cards("KS QH JD TC 8S 7H 6D 5C")
    buried = [card for card in range(52) if card not in exposed]
    stuck = Position.from_deal([*buried, *exposed], 0)
    assert not Game(stuck).has_legal_move
    assert Game(stuck.with_num_cells(1)).has_legal_move


def test_replay_to_the_end_of_the_moves() -> None:
    result = replay(BOARD, "1. 12 2. a2\n3. 3h # three\n")
    assert result.fault is None
    assert (result.num_actions, result.score, result.is_won) == (3, 15, False)
    assert result.actions == (Action(C1, C2), Action(A, C2), Action(C3, HEARTS))
    assert result.position.foundations == (13, 3, 13, 13)
    nothing = replay(BOARD, "")
    assert (nothing.position, nothing.actions, nothing.score) == (BOARD, (), 0)


def test_replay_to_a_win() -> None:
    # Home to 8H; JH aside; 9H, TH, JH, QH, KH.
    result = replay(BOARD, "3h 4h bh ah 1h 2h 4c 4h 2h ch 3h 1h")
    assert result.is_won
    assert result.score == 11 * 10
    assert result.num_actions == 12


def test_replay_stops_at_the_first_illegal_move() -> None:
    result = replay(BOARD, "12\n  3h, 41 a2")
    assert result.fault is not None
    assert result.fault.index == 2
    assert result.fault.token == MoveToken("41", 2, 7)
    assert result.fault.reason == "4H cannot go on KH (column 1): only 5H takes it"
    assert not result.fault.is_notation
    assert (result.num_actions, result.score, result.is_won) == (2, 10, False)


def test_replay_stops_at_what_is_no_move() -> None:
    result = replay(BOARD, "12 hello 3h")
    assert result.fault is not None
    assert (result.fault.index, result.fault.token) == (1, MoveToken("hello", 1, 4))
    assert result.fault.reason.startswith("'hello' is not a move")
    assert result.fault.is_notation


@given(SEEDS, st.booleans(), st.integers(0, 8), st.integers(1, 120))
def test_undo_goes_back_the_way_it_came(
    seed: int, has_runs: bool, num_cells: int, num_steps: int
) -> None:
    rng = random.Random(seed)
    start = random_runs_board(rng, num_cells) if has_runs else random_deal(seed, num_cells)
    walk = random_walk(start, rng, num_steps)
    game = Game(start)
    scores = []
    for before, action in walk:
        assert game.position == before
        scores.append(game.score)
        game.apply(action)
    assert game.score == sum(points_for(action) for _, action in walk)
    assert game.history == tuple(action for _, action in walk)
    for (before, action), score in list(zip(walk, scores, strict=True))[::-1][:MAX_UNDO]:
        assert game.undo() == action
        assert (game.position, game.score) == (before, score)
    assert not game.can_undo
    assert len(game.history) == max(0, len(walk) - MAX_UNDO)


@given(SEEDS, st.integers(0, 8), st.integers(0, 60))
def test_replay_plays_what_was_written(seed: int, num_cells: int, num_steps: int) -> None:
    rng = random.Random(seed)
    start = random_runs_board(rng, num_cells)
    walk = random_walk(start, rng, num_steps)
    text = rng.choice([" ", "\n", ", "]).join(format_action(*step) for step in walk)
    result = replay(start, text)
    assert result.fault is None
    assert result.actions == tuple(action for _, action in walk)
    assert result.position == (apply_action(*walk[-1]) if walk else start)
    assert result.is_won == result.position.is_won


@given(positions())
def test_taps_play_what_they_may(position: Position) -> None:
    everything = legal_actions(position, all_places=True)
    places = [*map(column_place, range(8)), *map(cell_place, range(position.num_cells))]
    for place in places:
        options = [a for a in everything if a.source == place]
        home = [a for a in options if a.destination.zone == Zone.FOUNDATION]
        assert Game(position).tap(place) == (home[0] if home else None)
        played = Game(position).double_tap(place)
        can_play = [a for a in options if not a.source.zone == a.destination.zone == Zone.CELL]
        if played is None:
            assert all(action.length > 1 for action in can_play)
        else:
            assert played in options
            assert played.length == 1
            assert not home or played == home[0]


@given(positions())
def test_has_legal_move(position: Position) -> None:
    everything = legal_actions(position, all_places=True)
    assert Game(position).has_legal_move == bool(everything)
