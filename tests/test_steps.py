"""The steps of a measure against the oracle's moves, on walks through boards of all kinds."""

from __future__ import annotations

import pytest

from boulanger.engine.packed.packing import unpack_state
from boulanger.solver.optimal.digs import ACTIONS, PLIES
from tests import oracle
from tests.bridge import to_board
from tests.distances import small_board, states_of_walk, steps_from


def after_actions(board: oracle.Board) -> set[oracle.Key]:
    """What the oracle's actions lead to, foundation moves played, and changing something."""
    afters = {
        oracle.physical_key(oracle.close(oracle.apply_action(board, text)))
        for text in notations(board)
    }
    return afters - {oracle.physical_key(board)}


def notations(board: oracle.Board) -> list[str]:
    """The legal actions that are no foundation moves, in notation."""
    return [
        source + destination + (f"v{length:x}" if is_into_empty(board, source, destination) else "")
        for source, destination, length in oracle.legal_actions(board)
        if destination != oracle.HOME
    ]


def is_into_empty(board: oracle.Board, source: str, destination: str) -> bool:
    return (
        source in oracle.COLUMN_PLACES
        and destination in oracle.COLUMN_PLACES
        and not oracle.column_at(board, destination)
    )


@pytest.mark.kernel
def test_steps_in_actions_are_the_legal_actions() -> None:
    num_compared = num_long = 0
    for seed in range(240):
        layout, states = states_of_walk(small_board(seed), seed, 12)
        for state, board in states[::3]:
            steps = list(steps_from(layout, board.num_cells, ACTIONS, state))
            boards = {
                oracle.physical_key(to_board(unpack_state(layout, after, board.num_cells)))
                for _, _, after in steps
            }
            assert boards == after_actions(board), board
            num_compared += 1
            plies = {after for _, _, after in steps_from(layout, board.num_cells, PLIES, state)}
            num_long += len(steps) > len(plies)
            assert plies <= {after for _, _, after in steps}
    assert num_compared > 500
    assert num_long > 50
