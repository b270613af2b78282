"""`check` and `hint`: can this still be won, what now, and where was it lost."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from boulanger.engine.cards import card_text
from boulanger.engine.game import Game, points_for
from boulanger.engine.moves import Action
from boulanger.engine.notation import describe_action, format_action
from boulanger.engine.packed.packing import pack_position
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action, apply_ply, expand, legal_actions, moving_cards
from boulanger.solver.advice.reasons import reason_for
from boulanger.solver.optimal.shortest import find_shortest
from boulanger.solver.result import Limits, Measure, Reason, ShortestResult, Solution, Verdict
from boulanger.solver.verdict.classify import decide_position

DEFAULT_HINT_LIMITS: Final = Limits(max_seconds=10.0)
"""What a hint may take where the player waits for it; some hundredths of a second are usual."""

# A search that is given no time at all would not even look at its first node.
_LEAST_SECONDS: Final = 1e-3


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a position can be won.

    Attributes:
        position: the position asked about.
        verdict: exact, unless it is UNDECIDED.
        reason: the limit that was met, for UNDECIDED alone.
        has_legal_move: whether anything may be played; a lost position mostly still has moves.
        num_nodes: what the verdict took.
        seconds: wall time, compiling left out.
    """

    position: Position
    verdict: Verdict
    reason: Reason | None
    has_legal_move: bool
    num_nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class HintStep:
    """One action of a hint.

    Attributes:
        action: what to play.
        notation: the same in FreeCell notation.
        text: the same in words.
        cards: the names of the cards that move, highest first.
        reason: what it does for the player, in a few words.
        distance: how much is left to play after it; proven shortest if the hint is proven.
    """

    action: Action
    notation: str
    text: str
    cards: tuple[str, ...]
    reason: str
    distance: int


@dataclass(frozen=True, slots=True)
class Loss:
    """Where a game was lost that cannot be won any more.

    Attributes:
        num_undos: how many actions must be taken back to reach the last position that can be won;
            None if none of the game is known to be winnable.
        is_within_undo: whether the app still keeps so many; it keeps the last 100.
        action: the one that lost the game; None if it was lost from the start, or if a limit left
            open which one it was.
        number: of that action in the game, from 1.
        notation: of that action.
        text: that action in words.
        is_lost_from_start: whether the first position of the game is proven unwinnable.
    """

    num_undos: int | None
    is_within_undo: bool
    action: Action | None
    number: int | None
    notation: str | None
    text: str | None
    is_lost_from_start: bool


@dataclass(frozen=True, slots=True)
class Hint:
    """What to play next.

    Attributes:
        position: the position asked about.
        measure: what distances count.
        verdict: of the position; exact, unless it is UNDECIDED.
        reason: the limit that left it undecided, or the shortest line unproven.
        has_legal_move: whether anything may be played.
        distance: of the position from the win; None if no line is known.
        is_proven: whether `distance` is proven shortest, and so those of the steps.
        steps: the next actions; empty unless WINNABLE, and for a won game.
        solution: the whole line that the steps are the beginning of. Where it is not proven
            shortest, give it to the next `hint` as `known`: the distance falls all the same.
        loss: for UNWINNABLE alone.
    """

    position: Position
    measure: Measure
    verdict: Verdict
    reason: Reason | None
    has_legal_move: bool
    distance: int | None
    is_proven: bool
    steps: tuple[HintStep, ...]
    solution: Solution | None
    loss: Loss | None


@dataclass(frozen=True, slots=True)
class MarkedAction:
    """A legal action and what comes of it.

    Attributes:
        action: what may be played.
        notation: the same in FreeCell notation.
        text: the same in words.
        reason: what it does for the player, in a few words.
        verdict: of the position after it: WINNABLE if it keeps the win, UNWINNABLE if it loses it
            (or if it was lost before), UNDECIDED at a limit.
        distance: of the position after it from the win; None if not asked for or not known.
        is_proven: whether `distance` is proven shortest.
    """

    action: Action
    notation: str
    text: str
    reason: str
    verdict: Verdict
    distance: int | None
    is_proven: bool


def check(game: Game | Position, limits: Limits | None = None) -> Check:
    """Whether a game or a position can be won; fast enough to ask after every action.

    Raises:
        BoardError: if the position is not legal.
    """
    position = _position_of(game)
    packed = pack_position(position)
    clock = LimitClock(limits or Limits())
    decision = decide_position(packed, clock.limits, clock.seconds_left)
    return Check(
        position,
        decision.verdict,
        decision.reason,
        bool(legal_actions(position)),
        decision.num_nodes,
        clock.seconds(),
    )


def hint(
    game: Game | Position,
    num_actions: int = 1,
    measure: Measure = Measure.ACTIONS,
    limits: Limits | None = None,
    known: Solution | None = None,
) -> Hint:
    """The next actions of a shortest line to the win; on a lost position, where it was lost.

    The distance to the win falls with every action, so whoever follows hints wins. Foundation moves
    that the board has pending come first.

    Args:
        game: a game, or a position that nothing is known to have gone before.
        num_actions: how many actions, at least 1.
        measure: what distances count.
        limits: how far to search; `DEFAULT_HINT_LIMITS` if None.
        known: the solution of the hint that was followed up to here. If it passes through this
            position, the new hint is no longer than what is left of it.

    Raises:
        BoardError: if the position is not legal.
    """
    if num_actions < 1:
        raise ValueError(f"num_actions {num_actions}: must be at least 1")
    clock = LimitClock(limits or DEFAULT_HINT_LIMITS)
    position = _position_of(game)
    checked = check(position, clock.limits)
    found: ShortestResult | None = None
    if checked.verdict == Verdict.WINNABLE:
        rest = None if known is None else solution_from(known, position)
        found = find_shortest(position, None, measure, clock.rest(), known=rest)
    loss = None
    if checked.verdict == Verdict.UNWINNABLE:
        loss = _find_loss(game if isinstance(game, Game) else Game(position), clock)
    return Hint(
        position,
        measure,
        checked.verdict,
        checked.reason if found is None else found.reason,
        checked.has_legal_move,
        None if found is None else found.length,
        found is not None and found.is_proven,
        () if found is None else steps_along(found.solution, measure)[:num_actions],
        None if found is None else found.solution,
        loss,
    )


def mark_actions(
    game: Game | Position,
    with_distance: bool = False,
    measure: Measure = Measure.ACTIONS,
    limits: Limits | None = None,
) -> tuple[MarkedAction, ...]:
    """Every legal action, each outcome once, with the verdict on the position after it.

    Args:
        game: a game or a position.
        with_distance: whether to find the shortest distances to the win too.
        measure: what these count.
        limits: for all actions together; `DEFAULT_HINT_LIMITS` if None.

    Raises:
        BoardError: if the position is not legal.
    """
    clock = LimitClock(limits or DEFAULT_HINT_LIMITS)
    position = _position_of(game)
    position.check()
    actions = legal_actions(position)
    outcomes = [apply_action(position, action) for action in actions]
    verdicts = [check(outcome, clock.rest()).verdict for outcome in outcomes]
    marked = []
    for action, outcome, verdict in zip(actions, outcomes, verdicts, strict=True):
        found = None
        if with_distance and verdict == Verdict.WINNABLE:
            found = find_shortest(outcome, None, measure, clock.rest())
        marked.append(
            MarkedAction(
                action,
                format_action(position, action),
                describe_action(position, action),
                reason_for(position, action),
                verdict,
                None if found is None else found.length,
                found is not None and found.is_proven,
            )
        )
    return tuple(marked)


class LimitClock:
    """Limits that several searches share, one after another."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._started = time.perf_counter()

    def seconds(self) -> float:
        """Since it was made."""
        return time.perf_counter() - self._started

    def seconds_left(self) -> float:
        """Until the limit of time; infinite if there is none."""
        most = self.limits.max_seconds
        return math.inf if most is None else most - self.seconds()

    def rest(self) -> Limits:
        """The limits with the time that is left."""
        left = self.seconds_left()
        max_seconds = None if math.isinf(left) else max(left, _LEAST_SECONDS)
        return Limits(self.limits.max_nodes, max_seconds, self.limits.max_memory)


def solution_from(solution: Solution, position: Position) -> Solution | None:
    """What is left of a solution at a position; None if the solution does not pass through it."""
    num_plies = 0
    for index, (before, cost) in enumerate(_walk(solution)):
        if before == position:
            actions = solution.actions[index:]
            score = sum(points_for(action) for action in actions)
            plies, notation = solution.plies[num_plies:], solution.notation[index:]
            return Solution(position, plies, actions, notation, score)
        num_plies += cost
    return None


def steps_along(solution: Solution | None, measure: Measure) -> tuple[HintStep, ...]:
    """All the actions of a solution, each with what is left of it afterwards."""
    if solution is None:
        return ()
    costs = action_costs(solution, measure)
    position, distance = solution.start, sum(costs)
    steps = []
    for action, cost in zip(solution.actions, costs, strict=True):
        distance -= cost
        steps.append(
            HintStep(
                action,
                format_action(position, action),
                describe_action(position, action),
                tuple(card_text(card) for card in moving_cards(position, action)),
                reason_for(position, action),
                distance,
            )
        )
        position = apply_action(position, action)
    return tuple(steps)


def action_costs(solution: Solution, measure: Measure) -> list[int]:
    """What each action of a solution adds to its length."""
    if measure == Measure.ACTIONS:
        return [1] * len(solution.actions)
    return [cost for _, cost in _walk(solution)]


def action_cost(position: Position, action: Action, measure: Measure) -> int:
    """What a legal action adds to the length of a game."""
    return 1 if measure == Measure.ACTIONS else len(expand(position, action))


def _walk(solution: Solution) -> Iterator[tuple[Position, int]]:
    """The position before each action of a solution, and how many of its plies the action is."""
    position = solution.start
    plies = iter(solution.plies)
    for action in solution.actions:
        after = apply_action(position, action)
        reached, num_plies = position, 0
        while reached != after:
            reached = apply_ply(reached, next(plies))
            num_plies += 1
        yield position, num_plies
        position = after


def _position_of(game: Game | Position) -> Position:
    return game.position if isinstance(game, Game) else game


def _find_loss(game: Game, clock: LimitClock) -> Loss:
    """Goes back through a game whose last position is proven lost.

    No action wins back what is lost, so the first winnable position on the way back is the last of
    the game.
    """
    boards = game.positions()
    first_lost = len(boards) - 1
    for index in range(len(boards) - 2, -1, -1):
        verdict = check(boards[index], clock.rest()).verdict
        if verdict == Verdict.WINNABLE:
            return _loss_after(game, boards, index, first_lost)
        if verdict == Verdict.UNWINNABLE:
            first_lost = index
    return Loss(None, False, None, None, None, None, is_lost_from_start=first_lost == 0)


def _loss_after(game: Game, boards: list[Position], last_won: int, first_lost: int) -> Loss:
    """The loss between two positions of a game; the action is known if they are neighbours."""
    num_undos = len(boards) - 1 - last_won
    is_within_undo = num_undos <= game.num_undoable
    if first_lost - last_won > 1:
        return Loss(num_undos, is_within_undo, None, None, None, None, is_lost_from_start=False)
    before, action = boards[last_won], game.history[last_won]
    return Loss(
        num_undos,
        is_within_undo,
        action,
        last_won + 1,
        format_action(before, action),
        describe_action(before, action),
        is_lost_from_start=False,
    )
