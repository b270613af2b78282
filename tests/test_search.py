"""The plain search from inside: its slices, its memory, what it counts, and shorter lines."""

from __future__ import annotations

import random
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

from boulanger.engine.packed.layout import NUM_CARD_BITS, Layout, make_layout
from boulanger.engine.packed.packing import State, pack_position, pack_state
from boulanger.engine.packed.state import TO_CELL, TO_COLUMN, TO_PARENT, move_masks, play
from boulanger.engine.position import Position
from boulanger.solver.line.replay import make_solution
from boulanger.solver.line.search import (
    EXHAUSTED,
    FULL,
    GOAL,
    NUM_EXPANDED,
    NUM_NODES,
    PAUSED,
    WON,
    SearchMemory,
    bytes_needed,
    line_to,
    run_slice,
)
from boulanger.solver.line.shorten import Line, shorten_line
from tests import oracle
from tests.bridge import as_words, packed, to_board, to_position
from tests.strategies import random_walk as position_walk
from tests.truth import unwinnable_deals

UNBOUNDED = 10**9
ROOM = 1 << 30

# Microsoft deals with the number of cells: won, lost, and both after the tables have grown.
SAMPLES = [(2, 4), (32, 4), (10, 4), (5, 2), (24, 1), (27, 5)]


def search(
    layout: Layout, num_cells: int, state: State, slice_size: int = UNBOUNDED
) -> tuple[int, SearchMemory]:
    """WON or EXHAUSTED, after as many slices as it takes, and the memory with what was met."""
    memory = SearchMemory()
    memory.begin()
    while True:
        budget = int(memory.counters[NUM_EXPANDED]) + slice_size
        outcome = run_slice(memory, layout, num_cells, state, budget)
        if outcome in (WON, EXHAUSTED):
            return outcome, memory
        if outcome == PAUSED:
            assert memory.counters[NUM_EXPANDED] == budget
        else:
            assert outcome == FULL
            assert memory.grow(ROOM)


@pytest.mark.kernel
@pytest.mark.parametrize(("deal", "num_cells"), SAMPLES)
def test_slices_change_nothing(deal: int, num_cells: int) -> None:
    layout, start = packed(oracle.ms_deal(deal, num_cells))
    outcome, memory = search(layout, num_cells, start)
    num_nodes = int(memory.counters[NUM_NODES])
    for slice_size in (1, 7, 1000):
        outcome_again, again = search(layout, num_cells, start, slice_size)
        assert outcome_again == outcome
        assert again.counters.tolist() == memory.counters.tolist()
        for name in ("keys", "parents", "moves"):
            assert np.array_equal(
                getattr(again, name)[:num_nodes], getattr(memory, name)[:num_nodes]
            )


@pytest.mark.kernel
def test_a_finished_search_stays_finished() -> None:
    layout, start = packed(oracle.ms_deal(10))
    outcome, memory = search(layout, 4, start)
    assert outcome == EXHAUSTED
    before = memory.counters.tolist()
    assert run_slice(memory, layout, 4, start, UNBOUNDED) == EXHAUSTED
    assert memory.counters.tolist() == before


@pytest.mark.kernel
def test_memory_serves_one_search_after_another() -> None:
    """Whatever it held before, and however large it has grown."""
    memory = SearchMemory()
    for deal, num_cells in [*SAMPLES, *SAMPLES[::-1]]:
        layout, start = packed(oracle.ms_deal(deal, num_cells))
        memory.begin()
        while (outcome := run_slice(memory, layout, num_cells, start, UNBOUNDED)) == FULL:
            assert memory.grow(ROOM)
        fresh_outcome, fresh = search(layout, num_cells, start)
        assert outcome == fresh_outcome
        assert memory.counters.tolist() == fresh.counters.tolist()


def test_growing_stays_within_the_bytes_that_it_announces() -> None:
    memory = SearchMemory()
    memory.begin()
    capacity = len(memory.keys)
    assert not memory.grow(bytes_needed(2 * capacity) - 1)
    assert len(memory.keys) == capacity
    assert memory.grow(bytes_needed(2 * capacity))  # and compiles what it needs
    tracemalloc.start()
    try:
        memory = SearchMemory()
        memory.begin()
        while capacity < 1 << 18:
            capacity *= 2
            tracemalloc.reset_peak()
            assert memory.grow(bytes_needed(capacity))
            assert len(memory.keys) == capacity
            # Some kilobytes for what does not grow.
            assert tracemalloc.get_traced_memory()[1] <= bytes_needed(capacity) + 10_000
    finally:
        tracemalloc.stop()


@pytest.mark.kernel
def test_a_lost_game_is_searched_to_its_last_position() -> None:
    """It meets exactly the closed positions that the oracle reaches: none lost, none twice."""
    num_compared = 0
    for seed in range(60):
        num_cells = seed % 5
        start = oracle.close(oracle.random_endgame(random.Random(seed), num_cells, 44 + seed % 9))
        layout, state = packed(start)
        memory = SearchMemory()
        memory.begin()
        if run_slice(memory, layout, num_cells, state, 300) == EXHAUSTED:
            num_compared += 1
            assert memory.counters[NUM_NODES] == len(reachable(start)), start
    assert num_compared >= 25


def reachable(start: oracle.Board) -> set[oracle.Key]:
    """The physical positions that can be reached, everything sent home at once that can go."""
    seen = {oracle.physical_key(start)}
    waiting = [start]
    while waiting:
        before = waiting.pop()
        for _, _, move in oracle.distinct_plies(before):
            after = oracle.close(oracle.apply_move(before, *move))
            key = oracle.physical_key(after)
            if key not in seen:
                seen.add(key)
                waiting.append(after)
    return seen


@pytest.mark.kernel
def test_a_game_under_way_is_the_same_game_as_a_new_deal() -> None:
    """Both ways to pack a board with loose cards reach as many positions, up to the very last."""
    num_compared = 0
    for deal in sorted(unwinnable_deals(4))[:30]:
        for num_cells in (1, 2, 4):
            start = to_position(oracle.ms_deal(deal, num_cells))
            layout = make_layout(start.columns)
            for here, _ in position_walk(start, random.Random(deal), 24)[3::4]:
                new = pack_position(here)
                outcome, memory = search(layout, num_cells, pack_state(layout, new.position))
                new_outcome, new_memory = search(new.layout, num_cells, new.state)
                assert outcome == new_outcome == EXHAUSTED
                assert memory.counters[NUM_NODES] == new_memory.counters[NUM_NODES], here.to_text()
                num_compared += 1
    assert num_compared >= 60


# ------------------------------------------------------------------------------------ shortening


def winning_lines(num_wanted: int) -> list[tuple[Position, Layout, State, Line]]:
    """The search's own winning lines of the first Microsoft deals, with 3 to 6 cells."""
    lines = []
    deal = 0
    while len(lines) < num_wanted:
        deal += 1
        position = to_position(oracle.ms_deal(deal, 3 + deal % 4))
        new = pack_position(position)
        outcome, memory = search(new.layout, position.num_cells, new.state)
        if outcome == WON:
            line = line_to(memory, int(memory.counters[GOAL]))
            lines.append((position, new.layout, new.state, line))
    return lines


def test_shortened_lines_win_and_are_shorter() -> None:
    num_dropped = 0
    for position, layout, state, line in winning_lines(200):
        num_cells = position.num_cells
        shorter = shorten_line(layout, num_cells, state, line)
        assert len(shorter) <= len(line)
        num_dropped += len(line) - len(shorter)
        assert shorten_line(layout, num_cells, state, shorter) == shorter
        solution = make_solution(position, shorter)
        end, score = oracle.replay(to_board(position), solution.notation)
        assert oracle.is_won(end)
        assert score == solution.score
        cards = [ply.card for ply in solution.plies]
        assert all(card != following for card, following in pairwise(cards))
    assert num_dropped > 1000


@pytest.mark.kernel
def test_detours_are_cut_out() -> None:
    """A card that goes to a cell and back, at any point of a short line, is not in its way."""
    for position, layout, start, line in winning_lines(3):
        num_cells, state = position.num_cells, start
        short = shorten_line(layout, num_cells, start, line)
        num_detours = 0
        for i, ply in enumerate(short):
            for detour in detours(layout, num_cells, state):
                num_detours += 1
                longer = [*short[:i], *detour, *short[i:]]
                shortened = shorten_line(layout, num_cells, start, longer)
                assert len(shortened) <= len(short)
                end = start
                for ply_left in shortened:
                    end = play_ply(layout, end, ply_left)
                assert end == (0, 0, 0)
            state = play_ply(layout, state, ply)
        assert num_detours > 20


def detours(layout: Layout, num_cells: int, state: State) -> list[Line]:
    """Every two plies, to a cell and back, after which all is as it was."""
    found = []
    to_cell = move_masks(layout, np.int64(num_cells), *as_words(state))[TO_CELL]
    for card in range(NUM_CARD_BITS):
        if int(to_cell) >> card & 1:
            after = play_ply(layout, state, (card, TO_CELL))
            masks = move_masks(layout, np.int64(num_cells), *as_words(after))
            for back in (TO_PARENT, TO_COLUMN):
                is_legal = int(masks[back]) >> card & 1
                if is_legal and play_ply(layout, after, (card, back)) == state:
                    found.append([(card, TO_CELL), (card, back)])
    return found


def play_ply(layout: Layout, state: State, ply: tuple[int, int]) -> State:
    """The state after a ply of a line."""
    cells, bottoms, depths = play(layout, *as_words(state), *map(np.int64, ply))
    return int(cells), int(bottoms), int(depths)
