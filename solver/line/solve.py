"""`first_solution`: the exact verdict on a position, and the first solution that comes to light."""

from __future__ import annotations

from typing import Final

import numpy as np

from boulanger.engine.cards import NUM_RANKS, NUM_SUITS, make_card
from boulanger.engine.game import Game, position_of
from boulanger.engine.packed.jit import is_compiled
from boulanger.engine.packed.packing import PackedPosition, pack_position
from boulanger.engine.position import NUM_COLUMNS, Position
from boulanger.solver.limits import DEFAULT_MAX_MEMORY, Clock, Limits, Reason
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
    no_corridor,
    run_slice,
    search_on,
)
from boulanger.solver.line.shorten import drop_plies, shorten_line
from boulanger.solver.line.table import refill
from boulanger.solver.result import Solution, SolveResult, Verdict
from boulanger.solver.verdict.classify import Decision, decide_boards, decide_position
from boulanger.solver.verdict.classify import prepare as prepare_verdicts

# Expanded positions between two looks at the clock: a few hundredths of a second.
_NODES_PER_SLICE: Final = 30_000


def first_solution(position: Position | Game, *, limits: Limits | None = None) -> SolveResult:
    """Whether a position can be won, with a solution if it can, which may be long.

    `solver.optimal.solve` gives short ones. This is for who needs a verdict, or any way to win.

    Args:
        position: any legal position, with its number of cells; foundation moves that it has pending
            open the solution.
        limits: how far to search; see `Limits`.

    Raises:
        BoardError: if the position is not legal.
    """
    position, limits = position_of(position), limits or Limits()
    packed, clock = pack_position(position), Clock(limits)
    decision = decide_position(packed, limits, clock.seconds_left)
    reason, solution = decision.reason, None
    if decision.verdict == Verdict.WINNABLE:
        solution, reason = find_line(position, packed, decision, clock)
    return SolveResult(
        position, decision.verdict, reason, decision.num_nodes, clock.seconds(), solution
    )


def find_line(
    position: Position, packed: PackedPosition, decision: Decision, clock: Clock
) -> tuple[Solution | None, Reason | None]:
    """A solution of a position that is decided to be won, or the limit that was met before.

    Args:
        position: the position; packed: the same.
        decision: with the fronts of a way that wins.
        clock: of the limits.
    """
    stretches = np.stack([decision.fronts[:-1], decision.fronts[1:]], axis=1)
    memory = SearchMemory()
    reason = _find_line(packed, memory, Corridor(decision.dealt, stretches), clock)
    return (_solution(position, packed, memory), None) if reason is None else (None, reason)


def is_ready() -> bool:
    """Whether `prepare` has nothing to compile; a good guess."""
    return is_compiled(search_on, decide_boards, drop_plies, refill)


def prepare() -> None:
    """Compiles what `first_solution` needs, once a machine, or loads it."""
    prepare_verdicts()
    prepare_lines()


def prepare_lines() -> None:
    """The same without what the verdict takes."""
    packed, memory = pack_position(almost_won()), SearchMemory()
    memory.begin()
    run_slice(memory, packed.layout, packed.position.num_cells, packed.state, 0)
    memory.grow(DEFAULT_MAX_MEMORY)
    shorten_line(packed.layout, packed.position.num_cells, packed.state, [])


def almost_won() -> Position:
    """The position in which a king lies on its queen and all else is home; to warm kernels up."""
    queen, king = make_card(0, NUM_RANKS - 1), make_card(0, NUM_RANKS)
    columns = ((queen, king),) + ((),) * (NUM_COLUMNS - 1)
    return Position(columns, (None,), (NUM_RANKS - 2, *(NUM_RANKS,) * (NUM_SUITS - 1)))


def _find_line(
    packed: PackedPosition,
    memory: SearchMemory,
    corridor: Corridor,
    clock: Clock,
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
            corridor = no_corridor()
            memory.begin()
        if outcome == FULL and not memory.grow(clock.limits.max_memory):
            return Reason.MEMORY
        if clock.is_over():
            return Reason.SECONDS


def _solution(position: Position, packed: PackedPosition, memory: SearchMemory) -> Solution:
    line = line_to(memory, int(memory.counters[GOAL]))
    line = shorten_line(packed.layout, position.num_cells, packed.state, line)
    return make_solution(position, line)
