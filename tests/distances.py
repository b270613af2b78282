"""Boards with their true shortest lengths, from the oracle's breadth-first search."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from boulanger.engine.packed.layout import Layout
from boulanger.engine.packed.packing import State, pack_position, unpack_state
from boulanger.engine.packed.state import TO_CELL, TO_COLUMN, TO_PARENT
from boulanger.solver.optimal.digs import ACTIONS, PLIES
from boulanger.solver.optimal.steps import play_step, step_masks
from tests import oracle
from tests.bridge import as_words, to_board, to_position
from tests.strategies import random_runs_board

MEASURES = (PLIES, ACTIONS)


def true_length(board: oracle.Board, measure: int, max_positions: int) -> int | None:
    """The fewest plies or actions that win; None if none do.

    Raises BoardTooLargeError.
    """
    shortest = oracle.shortest_plies if measure == PLIES else oracle.shortest_actions
    return shortest(board, max_positions)


def small_board(seed: int) -> oracle.Board:
    """A random board with 0 to 4 cells: an endgame, a full board, or one cut into runs."""
    rng = random.Random(seed)
    num_cells = seed % 5
    kind = seed // 5 % 3
    if kind == 2:
        return to_board(random_runs_board(rng, num_cells))
    num_left = rng.randint(6, 18) if kind else rng.randint(42, 52)
    return oracle.random_endgame(rng, num_cells, num_left)


def steps_from(
    layout: Layout, num_cells: int, measure: int, state: State
) -> Iterator[tuple[int, int, State]]:
    """The steps of a state in a measure: highest card, kind of destination, state after."""
    words = as_words(state)
    masks = step_masks(layout, np.int64(num_cells), np.int64(measure), *words)
    for destination in (TO_PARENT, TO_CELL, TO_COLUMN):
        for card in range(64):
            if int(masks[destination]) >> card & 1:
                after = play_step(
                    layout, np.int64(measure), *words, np.int64(card), np.int64(destination)
                )
                yield card, destination, (int(after[0]), int(after[1]), int(after[2]))


def states_of_walk(
    board: oracle.Board, seed: int, num_steps: int
) -> tuple[Layout, list[tuple[State, oracle.Board]]]:
    """States along random actions from a board, each with the board that it stands for.

    They hold loose cards: in runs on intact cards, in emptied columns and in cells.
    """
    rng = random.Random(seed)
    packed = pack_position(to_position(board))
    num_cells = board.num_cells
    state = packed.state
    states = [(state, to_board(packed.position))]
    for _ in range(num_steps):
        steps = list(steps_from(packed.layout, num_cells, ACTIONS, state))
        if not steps:
            break
        # Runs and emptied columns are what a plain walk would make too few of.
        likely = [step for step in steps if step[1] != TO_CELL]
        state = rng.choice(likely or steps if rng.random() < 0.6 else steps)[2]
        states.append((state, to_board(unpack_state(packed.layout, state, num_cells))))
    return packed.layout, states
