"""`solve`: the exact verdict on a position, and a short solution."""

from __future__ import annotations

from boulanger.engine.game import Game, position_of
from boulanger.engine.packed.packing import pack_position
from boulanger.engine.position import Position
from boulanger.solver.limits import Clock, Limits
from boulanger.solver.line.solve import find_line
from boulanger.solver.optimal.shortest import find_short, is_ready, prepare
from boulanger.solver.result import SolveResult, Verdict
from boulanger.solver.verdict.classify import decide_position

# `solve` needs what `find_shortest` does.
__all__ = ["is_ready", "prepare", "solve"]


def solve(position: Position | Game, *, limits: Limits | None = None) -> SolveResult:
    """Whether a position can be won, with a short solution if it can.

    Most solutions are proven shortest, in actions; the others are a few actions longer. Only on
    rare boards, and with 7 or 8 cells, does a search for any way to win take over, whose
    solutions are longer.

    Args:
        position: any legal position, with its number of cells; foundation moves that it has pending
            open the solution.
        limits: how far to search; see `Limits`. The verdict comes first, and does not depend on
            what is found then. The limit of nodes holds for the verdict, and by itself for the
            search for a short solution.

    Raises:
        BoardError: if the position is not legal.

    >>> result = solve(Position.from_ms(1))
    >>> result.verdict.word, result.solution.notation[:3], result.solution.score
    ('winnable', ('72', '7a', '7b'), 530)
    >>> len(result.solution.actions), result.is_shortest
    (83, True)
    """
    position, limits = position_of(position), limits or Limits()
    packed, clock = pack_position(position), Clock(limits)
    decision = decide_position(packed, limits, clock.seconds_left)
    reason, solution, shortest = decision.reason, None, None
    if decision.verdict == Verdict.WINNABLE:
        shortest = find_short(position, packed, clock.rest())
        if shortest.verdict == Verdict.UNWINNABLE:
            raise RuntimeError("the searches contradict each other; please report the deal")
        solution = shortest.solution
        if solution is None:
            solution, reason = find_line(position, packed, decision, clock)
            shortest = None if solution is None else shortest.with_solution(solution)
    return SolveResult(
        position,
        decision.verdict,
        reason,
        decision.num_nodes,
        clock.seconds(),
        solution,
        shortest,
    )
