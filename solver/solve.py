"""`solve`: the exact verdict on a position, and a solution."""

from __future__ import annotations

import time
from typing import Final

from engine.cards import NUM_RANKS, NUM_SUITS, make_card
from engine.jit import is_compiled
from engine.packing import PackedPosition, pack_position
from engine.position import NUM_COLUMNS, Position
from solver.lines import make_solution
from solver.result import DEFAULT_MAX_MEMORY, Limits, Reason, Solution, SolveResult, Verdict
from solver.search import (
    EXHAUSTED,
    FULL,
    GOAL,
    NUM_EXPANDED,
    WON,
    SearchMemory,
    line_to,
    run_slice,
    search_on,
)
from solver.shorten import _shorten, shorten_line
from solver.table import refill

# Expanded positions between two looks at the clock: a few hundredths of a second.
_NODES_PER_SLICE: Final = 30_000


def solve(
    position: Position, num_cells: int | None = None, limits: Limits | None = None
) -> SolveResult:
    """Whether a position can be won, with a solution if it can.

    Args:
        position: any legal position; foundation moves that it has pending open the solution.
        num_cells: cells in play, 0..8; those of `position` if None.
        limits: how far to search; see `Limits`.

    Raises:
        BoardError: if the position is not legal, or holds more cards in cells than `num_cells`.
    """
    limits = limits or Limits()
    if num_cells is not None:
        position = position.with_num_cells(num_cells)
    packed = pack_position(position)
    memory = SearchMemory()
    started = time.perf_counter()
    verdict, reason = _search(packed, memory, limits, started)
    solution = _solution(position, packed, memory) if verdict == Verdict.WINNABLE else None
    seconds = time.perf_counter() - started
    return SolveResult(
        position, verdict, reason, int(memory.counters[NUM_EXPANDED]), seconds, solution
    )


def is_ready() -> bool:
    """Whether `prepare` has nothing to compile; a good guess."""
    return is_compiled(search_on, _shorten, refill)


def prepare() -> None:
    """Compiles what `solve` needs, once a machine, or loads it; then `seconds` is search alone."""
    # Two cards away from the end: a king on its queen.
    queen, king = make_card(0, NUM_RANKS - 1), make_card(0, NUM_RANKS)
    columns = ((queen, king),) + ((),) * (NUM_COLUMNS - 1)
    solve(Position(columns, (None,), (NUM_RANKS - 2, *(NUM_RANKS,) * (NUM_SUITS - 1))))
    memory = SearchMemory()
    memory.begin()
    memory.grow(DEFAULT_MAX_MEMORY)


def _search(
    packed: PackedPosition, memory: SearchMemory, limits: Limits, started: float
) -> tuple[Verdict, Reason | None]:
    """Runs the search in slices, so that limits hold and Ctrl-C is heard."""
    memory.begin()
    while True:
        budget = int(memory.counters[NUM_EXPANDED]) + _NODES_PER_SLICE
        if limits.max_nodes is not None:
            budget = min(budget, limits.max_nodes)
        outcome = run_slice(memory, packed.layout, packed.position.num_cells, packed.state, budget)
        if outcome == WON:
            return Verdict.WINNABLE, None
        if outcome == EXHAUSTED:
            return Verdict.UNWINNABLE, None
        if outcome == FULL and not memory.grow(limits.max_memory):
            return Verdict.UNDECIDED, Reason.MEMORY
        if limits.max_nodes is not None and memory.counters[NUM_EXPANDED] >= limits.max_nodes:
            return Verdict.UNDECIDED, Reason.NODES
        if limits.max_seconds is not None and time.perf_counter() - started >= limits.max_seconds:
            return Verdict.UNDECIDED, Reason.SECONDS


def _solution(position: Position, packed: PackedPosition, memory: SearchMemory) -> Solution:
    line = line_to(memory, int(memory.counters[GOAL]))
    line = shorten_line(packed.layout, position.num_cells, packed.state, line)
    return make_solution(position, line)
