"""`review`: a game that was played, action by action: was it still winnable, what was wasted."""

from __future__ import annotations

from dataclasses import dataclass

from boulanger.engine.game import Game, points_for
from boulanger.engine.moves import Action
from boulanger.engine.notation import describe_action, format_action
from boulanger.engine.position import Position
from boulanger.solver.advice.hints import LimitClock, action_cost, check, solution_from
from boulanger.solver.optimal.shortest import find_shortest
from boulanger.solver.result import Limits, Measure, ShortestResult, Solution, Verdict


@dataclass(frozen=True, slots=True)
class ReviewedAction:
    """One action of a game, and what it did to the chances.

    Attributes:
        number: from 1.
        action: what was played.
        notation: the same in FreeCell notation.
        text: the same in words.
        verdict: of the position after it.
        distance_before: of the position before it from the win; None unless proven shortest.
        distance_after: of the position after it; None unless proven shortest.
        num_wasted: by how much it made the game longer than it had to be, in the measure of the
            review; 0 on a shortest way; None where a distance is not known.
        is_losing: whether it lost the game.
        score: the app's, after it.
    """

    number: int
    action: Action
    notation: str
    text: str
    verdict: Verdict
    distance_before: int | None
    distance_after: int | None
    num_wasted: int | None
    is_losing: bool
    score: int


@dataclass(frozen=True, slots=True)
class Review:
    """A game as it was played.

    Attributes:
        start: the position that it began with.
        measure: what lengths and distances count.
        verdict: of the start.
        is_won: whether the last action won.
        final_verdict: of the last position.
        actions: what was played, each with its remarks.
        losing_number: of the action that lost the game; None if none did, or if a limit left open
            which one it was.
        length: of what was played.
        shortest: length of a shortest solution of the start; None unless proven.
        num_wasted: by how much actions made the game longer than it had to be, where that is known.
        score: the app's, at the end.
    """

    start: Position
    measure: Measure
    verdict: Verdict
    is_won: bool
    final_verdict: Verdict
    actions: tuple[ReviewedAction, ...]
    losing_number: int | None
    length: int
    shortest: int | None
    num_wasted: int
    score: int


def review(game: Game, measure: Measure = Measure.ACTIONS, limits: Limits | None = None) -> Review:
    """What became of a game with each of its actions.

    Args:
        game: the game; what was taken back in it does not count.
        measure: what lengths count.
        limits: of time and memory for the review as a whole, of nodes for each search; None for
            the usual ones of a search. Where they are met, verdicts are UNDECIDED and distances
            None.

    Raises:
        BoardError: if the position at the start is not legal.
    """
    clock = LimitClock(limits or Limits())
    boards = game.positions()
    verdicts = [check(board, clock.rest()).verdict for board in boards]
    distances = _distances(boards, verdicts, measure, clock)
    costs = [
        action_cost(board, action, measure)
        for board, action in zip(boards, game.history, strict=False)
    ]
    actions = []
    score = 0
    for index, action in enumerate(game.history):
        score += points_for(action)
        before, after = distances[index], distances[index + 1]
        has_both = before is not None and after is not None
        actions.append(
            ReviewedAction(
                index + 1,
                action,
                format_action(boards[index], action),
                describe_action(boards[index], action),
                verdicts[index + 1],
                before,
                after,
                after + costs[index] - before if has_both else None,  # type: ignore[operator]
                verdicts[index : index + 2] == [Verdict.WINNABLE, Verdict.UNWINNABLE],
                score,
            )
        )
    return Review(
        game.start,
        measure,
        verdicts[0],
        game.is_won,
        verdicts[-1],
        tuple(actions),
        next((reviewed.number for reviewed in actions if reviewed.is_losing), None),
        sum(costs),
        distances[0],
        sum(reviewed.num_wasted or 0 for reviewed in actions),
        score,
    )


def _distances(
    boards: list[Position], verdicts: list[Verdict], measure: Measure, clock: LimitClock
) -> list[int | None]:
    """The proven distance of each board from the win, None where there is none.

    While the game follows the shortest solution that was found last, what is left of it is a
    shortest one again, and no search is needed.
    """
    distances: list[int | None] = []
    best: Solution | None = None
    for board, verdict in zip(boards, verdicts, strict=True):
        best = solution_from(best, board) if best is not None else None
        if verdict == Verdict.WINNABLE and best is None:
            found: ShortestResult = find_shortest(board, None, measure, clock.rest())
            best = found.solution if found.is_proven else None
        distances.append(_length(best, measure) if best is not None else None)
    return distances


def _length(solution: Solution, measure: Measure) -> int:
    return len(solution.plies if measure == Measure.PLIES else solution.actions)
