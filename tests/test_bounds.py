"""Lower bounds against true distances, part by part, in both measures; and their consistency."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from boulanger.engine.packed.layout import Layout
from boulanger.engine.packed.packing import State
from boulanger.engine.packed.state import Board, look_at
from boulanger.solver.line.search import GOAL, NO_NODE, NUM_EXPANDED
from boulanger.solver.optimal.astar import CEILING, SETTLED, ShortestMemory, make_task, run_slice
from boulanger.solver.optimal.bounds import (
    NO_SOLUTION,
    WHOLE_BOUND,
    WITH_BLOCKED,
    WITH_DIGS,
    other_steps,
)
from boulanger.solver.optimal.digs import ACTIONS, PLIES, Digs, make_digs
from tests import oracle
from tests.bridge import as_words, packed
from tests.distances import MEASURES, small_board, states_of_walk, steps_from, true_length

PARTS = (0, WITH_DIGS, WITH_BLOCKED, WHOLE_BOUND)
ROOM = 1 << 30


def bound(
    layout: Layout, num_cells: int, measure: int, digs: Digs, state: State, parts: int = WHOLE_BOUND
) -> int:
    return int(
        other_steps(
            layout,
            np.int64(num_cells),
            np.int64(measure),
            np.int64(parts),
            digs,
            Board(*map(np.uint64, look_at(layout, *as_words(state)))),
        )
    )


@pytest.mark.kernel
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("first", range(0, 240, 60))
def test_no_bound_exceeds_the_true_distance(measure: int, first: int) -> None:
    """On boards as dealt, and along walks with runs built, cards in cells and emptied columns."""
    num_tight = num_compared = 0
    raised: Counter[int] = Counter()
    for seed in range(first, first + 60):
        layout, states = states_of_walk(small_board(seed), seed, 16)
        digs = make_digs(layout)
        for state, board in states[::4]:
            try:
                length = true_length(board, measure, 500)
            except oracle.BoardTooLargeError:
                continue
            num_compared += 1
            for parts in PARTS:
                steps = bound(layout, board.num_cells, measure, digs, state, parts)
                if steps == NO_SOLUTION:
                    assert length is None, board
                elif length is not None:
                    assert steps <= length - oracle.cards_left(board), (parts, board)
                    raised[parts] += steps > 0
                    num_tight += parts == WHOLE_BOUND and (
                        steps == length - oracle.cards_left(board)
                    )
    assert num_compared > 60
    assert num_tight > 10
    assert raised[WITH_DIGS] > 10
    assert raised[0] == 0
    assert (raised[WITH_BLOCKED] > 0) == (measure == PLIES)


@pytest.mark.kernel
@pytest.mark.parametrize("measure", MEASURES)
def test_bounds_are_consistent(measure: int) -> None:
    """No step lowers a bound by more than one, and none leads out of a dead end."""
    num_steps = num_lowered = 0
    for seed in range(120):
        layout, states = states_of_walk(small_board(seed), seed, 30)
        num_cells = small_board(seed).num_cells
        digs = make_digs(layout)
        for state, board in states:
            for parts in PARTS[1:]:
                before = bound(layout, num_cells, measure, digs, state, parts)
                for _, _, after_state in steps_from(layout, num_cells, measure, state):
                    after = bound(layout, num_cells, measure, digs, after_state, parts)
                    num_steps += 1
                    num_lowered += after < before
                    if before == NO_SOLUTION:
                        assert after == NO_SOLUTION, board
                    elif after != NO_SOLUTION:
                        assert before <= 1 + after, (parts, board)
    assert num_steps > 5000
    assert num_lowered > 500


def settled_steps(
    layout: Layout, num_cells: int, measure: int, state: State, parts: int
) -> tuple[int | None, int]:
    """The fewest steps besides foundation moves, None if nothing wins; and the nodes expanded."""
    memory = ShortestMemory()
    memory.begin()
    digs = make_digs(layout)
    task = make_task(layout, num_cells, measure, digs, parts)
    while run_slice(memory, task, state, 10**9) != SETTLED:
        assert memory.grow(ROOM)
    is_won = memory.counters[GOAL] != NO_NODE
    return int(memory.counters[CEILING]) if is_won else None, int(memory.counters[NUM_EXPANDED])


@pytest.mark.kernel
@pytest.mark.parametrize("measure", MEASURES)
def test_bounds_change_no_result(measure: int) -> None:
    """Each part on and off: the same lengths, with fewer nodes the more is counted."""
    num_expanded: Counter[int] = Counter()
    for seed in range(90):
        board = small_board(seed)
        if oracle.cards_left(board) > 18 and seed % 5 > 1:
            continue  # without a bound these take long
        layout, state = packed(board)
        results = set()
        for parts in PARTS:
            steps, num_nodes = settled_steps(layout, board.num_cells, measure, state, parts)
            results.add(steps)
            num_expanded[parts] += num_nodes
        assert len(results) == 1, board
    assert num_expanded[WHOLE_BOUND] < num_expanded[0] / 2
    assert num_expanded[WITH_DIGS] < num_expanded[0]
    if measure == PLIES:
        assert num_expanded[WHOLE_BOUND] <= num_expanded[WITH_DIGS]
    else:
        assert num_expanded[WHOLE_BOUND] == num_expanded[WITH_DIGS]


def test_a_run_on_an_intact_card_is_blocked_in_plies_alone() -> None:
    """8H 7H were put on the dealt 9H, with 2H dealt below: both must move, but at once they may."""
    board = oracle.board_from_columns(
        ["2H 9H KH", "8H", "7H QH", "JH TH 6H", "5H 4H 3H"],
        foundations={"S": 13, "H": 1, "D": 13, "C": 13},
    )
    layout, state = packed(board)
    digs_left = {m: make_digs(layout) for m in MEASURES}
    for card in ("KH", "8H", "QH", "7H"):
        # From the top of its column to a cell or on to its parent.
        rank, kind = oracle.rank_of(card), 1 if card in ("KH", "QH") else 0
        steps = steps_from(layout, 4, PLIES, state)
        (state,) = (
            after
            for bit, destination, after in steps
            if (bit, destination) == (16 + rank - 1, kind)
        )
    blocked = {
        m: bound(layout, 4, m, digs_left[m], state) - bound(layout, 4, m, digs_left[m], state, 1)
        for m in MEASURES
    }
    assert blocked == {PLIES: 2, ACTIONS: 0}
