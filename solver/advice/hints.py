"""`check` and `hint`: can this still be won, what now, and where was it lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boulanger.engine.errors import LimitsError
from boulanger.engine.game import Game, position_of
from boulanger.engine.moves import Action
from boulanger.engine.notation import describe_action, format_action
from boulanger.engine.packed.packing import pack_position
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action, legal_actions
from boulanger.engine.words import ENGLISH
from boulanger.solver.advice.reasons import Gain, describe_gains, gains_of
from boulanger.solver.limits import Clock, Limits, Reason
from boulanger.solver.line.replay import rest_of
from boulanger.solver.optimal.shortest import find_shortest
from boulanger.solver.result import Measure, ShortestResult, Solution, Step, Verdict
from boulanger.solver.verdict.classify import decide_position

DEFAULT_HINT_LIMITS: Final = Limits(max_seconds=10.0)
"""What a hint may take where the player waits for it; some hundredths of a second are usual."""


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a position can be won.

    Attributes:
        position: the position asked about.
        verdict: exact, unless it is UNDECIDED.
        reason: the limit that was met, for UNDECIDED only.
        has_legal_move: whether anything may be played; a lost position mostly still has moves.
        num_nodes: what the verdict took.
        seconds: wall time; the first search on a machine compiles unless `prepare` was called.
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
        step: what to play, with the position before it.
        gains: what it does for the player.
        distance: how much is left to play after it; proven shortest if the hint is proven.
    """

    step: Step
    gains: tuple[Gain, ...]
    distance: int

    @property
    def action(self) -> Action:
        """What to play."""
        return self.step.action

    @property
    def notation(self) -> str:
        """The same in FreeCell notation."""
        return self.step.notation

    def describe(self, language: str = ENGLISH) -> str:
        """In words: `7H from column 2 onto 8H`."""
        return self.step.describe(language)

    def describe_gains(self, language: str = ENGLISH) -> str:
        """What it is good for, in words: `builds on 8H and frees cell a`."""
        return describe_gains(self.gains, language)


@dataclass(frozen=True, slots=True)
class Loss:
    """Where a game was lost that cannot be won any more.

    Attributes:
        num_undos: how many actions must be taken back to reach the last position that can be won;
            None if none of the game is known to be winnable.
        is_within_undo: whether the app still keeps that many; it keeps the last 100.
        number: of the action that lost the game, from 1; None if it was lost from the start, or if
            a limit left open which one it was.
        before: the last position that can be won; None if `num_undos` is.
        action: the one that lost the game; None if `number` is.
        notation: of that action.
        better: what to play in its place, or None if `num_undos` is None or a limit was met.
        is_lost_from_start: whether the first position of the game is proven unwinnable.
    """

    num_undos: int | None
    is_within_undo: bool
    number: int | None
    before: Position | None
    action: Action | None
    notation: str | None
    better: HintStep | None
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
        loss: for UNWINNABLE only.
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
        before: the position that it may be played on.
        action: what may be played.
        notation: the same in FreeCell notation.
        gains: what it does for the player.
        verdict: of the position after it: WINNABLE if it keeps the win, UNWINNABLE if it loses it
            (or if it was lost before), UNDECIDED at a limit.
        distance: of the position after it from the win; None if not asked for or not known.
        is_proven: whether `distance` is proven shortest.
    """

    before: Position
    action: Action
    notation: str
    gains: tuple[Gain, ...]
    verdict: Verdict
    distance: int | None
    is_proven: bool

    def describe(self, language: str = ENGLISH) -> str:
        """In words: `7H from column 2 onto 8H`."""
        return describe_action(self.before, self.action, language)


def check(game: Game | Position, *, limits: Limits | None = None) -> Check:
    """Whether a game or a position can be won; fast enough to ask after every action.

    Args:
        game: a game or a position.
        limits: how far to search; see `Limits`.

    Raises:
        BoardError: if the position is not legal.

    >>> check(Position.from_ms(1)).verdict.word
    'winnable'
    """
    position = position_of(game)
    return check_within(position, Clock(limits or Limits()))


def check_within(position: Position, clock: Clock) -> Check:
    """`check`, within what a clock leaves; UNDECIDED if that is nothing."""
    seconds_before = clock.seconds()
    decision = decide_position(pack_position(position), clock.limits, clock.seconds_left)
    return Check(
        position,
        decision.verdict,
        decision.reason,
        bool(legal_actions(position)),
        decision.num_nodes,
        clock.seconds() - seconds_before,
    )


def hint(
    game: Game | Position,
    num_actions: int = 1,
    measure: Measure = Measure.ACTIONS,
    *,
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

    >>> given = hint(Position.from_ms(1))
    >>> given.distance, given.steps[0].notation, given.steps[0].describe()
    (83, '72', '8C from column 7 onto 9C')
    """
    position, measure = position_of(game), Measure(measure)
    if num_actions < 1:
        raise LimitsError("limits.num_actions", value=num_actions)
    clock = Clock(limits or DEFAULT_HINT_LIMITS)
    checked = check_within(position, clock)
    found: ShortestResult | None = None
    if checked.verdict == Verdict.WINNABLE:
        rest = None if known is None else rest_of(known, position)
        found = find_shortest(position, measure, limits=clock.rest(), known=rest)
    loss = None
    if checked.verdict == Verdict.UNWINNABLE:
        loss = _find_loss(game if isinstance(game, Game) else Game(position), measure, clock)
    return Hint(
        position,
        measure,
        checked.verdict,
        checked.reason if found is None else found.reason,
        checked.has_legal_move,
        None if found is None else found.length,
        found is not None and found.is_proven,
        hint_steps(None if found is None else found.solution, measure, num_actions),
        None if found is None else found.solution,
        loss,
    )


def mark_actions(
    game: Game | Position,
    with_distance: bool = False,
    measure: Measure = Measure.ACTIONS,
    *,
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

    >>> [mark.notation for mark in mark_actions(Position.from_ms(1)) if mark.verdict == 1]
    ['3a', '4a', '5a', '6a', '72', '7a', '8a']
    """
    position, measure = position_of(game), Measure(measure)
    clock = Clock(limits or DEFAULT_HINT_LIMITS)
    position.check()
    actions = legal_actions(position)
    outcomes = [apply_action(position, action) for action in actions]
    verdicts = [check_within(outcome, clock).verdict for outcome in outcomes]
    marked = []
    for action, outcome, verdict in zip(actions, outcomes, verdicts, strict=True):
        found = None
        if with_distance and verdict == Verdict.WINNABLE:
            found = find_shortest(outcome, measure, limits=clock.rest())
        marked.append(
            MarkedAction(
                position,
                action,
                format_action(position, action),
                gains_of(position, action),
                verdict,
                None if found is None else found.length,
                found is not None and found.is_proven,
            )
        )
    return tuple(marked)


def hint_steps(
    solution: Solution | None, measure: Measure, num_actions: int | None = None
) -> tuple[HintStep, ...]:
    """The first actions of a solution, all if None, each with what is left of it afterwards."""
    if solution is None:
        return ()
    distance = solution.length(measure)
    steps = []
    for step in solution.steps[:num_actions]:
        distance -= step.length(measure)
        steps.append(HintStep(step, gains_of(step.before, step.action), distance))
    return tuple(steps)


def _find_loss(game: Game, measure: Measure, clock: Clock) -> Loss:
    """Goes back through a game whose last position is proven lost.

    No action wins back what is lost, so the first winnable position on the way back is the last of
    the game.
    """
    boards = game.positions()
    first_lost = len(boards) - 1
    for index in range(len(boards) - 2, -1, -1):
        if clock.is_over():
            break
        verdict = check_within(boards[index], clock).verdict
        if verdict == Verdict.WINNABLE:
            return _loss_after(game, index, first_lost, _best_step(boards[index], measure, clock))
        if verdict == Verdict.UNWINNABLE:
            first_lost = index
    return Loss(None, False, None, None, None, None, None, is_lost_from_start=first_lost == 0)


def _best_step(position: Position, measure: Measure, clock: Clock) -> HintStep | None:
    """The first action of the shortest way to win that is found; None if none is."""
    found = find_shortest(position, measure, limits=clock.rest())
    return next(iter(hint_steps(found.solution, measure, 1)), None)


def _loss_after(game: Game, last_won: int, first_lost: int, better: HintStep | None) -> Loss:
    """The loss between two positions of a game; the action is known if they are neighbours."""
    boards = game.positions()
    num_undos = len(boards) - 1 - last_won
    is_within_undo = num_undos <= game.num_undoable
    if first_lost - last_won > 1:
        return Loss(
            num_undos,
            is_within_undo,
            None,
            boards[last_won],
            None,
            None,
            better,
            is_lost_from_start=False,
        )
    action = game.history[last_won]
    return Loss(
        num_undos,
        is_within_undo,
        last_won + 1,
        boards[last_won],
        action,
        format_action(boards[last_won], action),
        better,
        is_lost_from_start=False,
    )
