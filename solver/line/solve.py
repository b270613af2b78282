"""`solve`: the exact verdict on a position, and a solution."""

from __future__ import annotations

import math
import time
from typing import Final

import numpy as np

from boulanger.engine.cards import NUM_RANKS, NUM_SUITS, make_card
from boulanger.engine.packed.jit import is_compiled
from boulanger.engine.packed.packing import PackedPosition, pack_position
from boulanger.engine.position import NUM_COLUMNS, Position
from boulanger.solver.line.replay import make_solution
from boulanger.solver.line.search import (
    EXHAUSTED,
    FULL,
    GOAL,
    NUM_EXPANDED,
    WON,
    Corridor,
    SearchMemory,
    line_to,
    run_slice,
    search_on,
)
from boulanger.solver.line.shorten import drop_plies, shorten_line
from boulanger.solver.line.table import refill
from boulanger.solver.result import (
    DEFAULT_MAX_MEMORY,
    Limits,
    Reason,
    Solution,
    SolveResult,
    Verdict,
)
from boulanger.solver.verdict.classify import decide_boards, decide_position

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
    clock = _Clock(limits.max_seconds)
    decision = decide_position(packed, limits, clock.seconds_left)
    reason, solution = decision.reason, None
    if decision.verdict == Verdict.WINNABLE:
        stretches = np.stack([decision.fronts[:-1], decision.fronts[1:]], axis=1)
        memory = SearchMemory()
        reason = _find_line(packed, memory, Corridor(decision.dealt, stretches), limits, clock)
        if reason is None:
            solution = _solution(position, packed, memory)
    return SolveResult(
        position, decision.verdict, reason, decision.num_nodes, clock.seconds(), solution
    )


def is_ready() -> bool:
    """Whether `prepare` has nothing to compile; a good guess."""
    return is_compiled(search_on, decide_boards, drop_plies, refill)


def prepare() -> None:
    """Compiles what `solve` needs, once a machine, or loads it; then `seconds` is search alone."""
    solve(almost_won())
    memory = SearchMemory()
    memory.begin()
    memory.grow(DEFAULT_MAX_MEMORY)


def almost_won() -> Position:
    """The position in which a king lies on its queen and all else is home; to warm kernels up."""
    queen, king = make_card(0, NUM_RANKS - 1), make_card(0, NUM_RANKS)
    columns = ((queen, king),) + ((),) * (NUM_COLUMNS - 1)
    return Position(columns, (None,), (NUM_RANKS - 2, *(NUM_RANKS,) * (NUM_SUITS - 1)))


class _Clock:
    """Time since it was made, against a limit."""

    def __init__(self, max_seconds: float | None) -> None:
        self._started = time.perf_counter()
        self._max_seconds = math.inf if max_seconds is None else max_seconds

    def seconds(self) -> float:
        return time.perf_counter() - self._started

    def seconds_left(self) -> float:
        return self._max_seconds - self.seconds()


def _find_line(
    packed: PackedPosition,
    memory: SearchMemory,
    corridor: Corridor,
    limits: Limits,
    clock: _Clock,
) -> Reason | None:
    """Runs the plain search to a win, in slices, so that limits hold and Ctrl-C is heard.

    Returns the limit that stopped it, if one did. The position is known to be won; should the
    corridor hold no line after all, the search goes on without it.
    """
    memory.begin()
    while True:
        budget = int(memory.counters[NUM_EXPANDED]) + _NODES_PER_SLICE
        outcome = run_slice(
            memory, packed.layout, packed.position.num_cells, packed.state, budget, corridor
        )
        if outcome == WON:
            return None
        if outcome == EXHAUSTED:
            if corridor.stretches.size == 0:
                raise RuntimeError("the searches contradict each other; please report the deal")
            corridor = Corridor()
            memory.begin()
        if outcome == FULL and not memory.grow(limits.max_memory):
            return Reason.MEMORY
        if clock.seconds_left() <= 0:
            return Reason.SECONDS


def _solution(position: Position, packed: PackedPosition, memory: SearchMemory) -> Solution:
    line = line_to(memory, int(memory.counters[GOAL]))
    line = shorten_line(packed.layout, position.num_cells, packed.state, line)
    return make_solution(position, line)
