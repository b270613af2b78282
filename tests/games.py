"""Games for tests of advice, small ones beside what the oracle's plain searches say of them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from boulanger.engine.deals.dealers import MS
from boulanger.engine.game import Game
from boulanger.engine.position import Position
from boulanger.solver.result import Measure
from tests import oracle
from tests.bridge import to_board, to_position
from tests.strategies import random_walk

# Boards with more positions are too large for plain search.
MAX_POSITIONS = 2_000


def ms(number: int, num_cells: int = 4) -> Position:
    return Position.from_deal(MS.deal(number), num_cells)


def small_endgame(seed: int) -> oracle.Board:
    """Small enough for plain search: every other one has few cards, or many and little room."""
    rng = random.Random(seed)
    if seed % 2:
        return oracle.random_endgame(rng, seed // 2 % 4, rng.randint(3, 12))
    return oracle.random_endgame(rng, seed // 2 % 2, rng.randint(18, 34))


def true_distance(position: Position, measure: Measure) -> int | None:
    shortest = oracle.shortest_actions if measure == Measure.ACTIONS else oracle.shortest_plies
    return shortest(to_board(position), MAX_POSITIONS)


def random_game(position: Position, rng: random.Random, num_actions: int) -> Game:
    game = Game(position)
    for _, action in random_walk(position, rng, num_actions):
        game.apply(action)
    return game


def games_with_their_loss() -> Iterator[tuple[Game, int | None]]:
    """Random games in small endgames, each with what `true_loss` says of it."""
    for seed in range(0, 240, 2):
        rng = random.Random(seed)
        game = random_game(to_position(small_endgame(seed)), rng, rng.randint(1, 8))
        try:
            yield game, true_loss(game)
        except oracle.BoardTooLargeError:
            continue


def true_loss(game: Game) -> int | None:
    """How many of a lost game's positions can be won; the action of that number lost it."""
    wins = [oracle.winnable(to_board(b), MAX_POSITIONS) for b in game.positions()]
    assert wins == sorted(wins, reverse=True)
    return sum(wins) or None
