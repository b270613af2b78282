"""`review`: a game that was played, action by action: was it still winnable, what was wasted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from boulanger.engine.errors import ArgumentError
from boulanger.engine.game import Game, points_for
from boulanger.engine.moves import Action
from boulanger.engine.notation import describe_action, format_action
from boulanger.engine.position import Position
from boulanger.engine.supermoves import expand
from boulanger.engine.words import ENGLISH
from boulanger.solver.advice.hints import HintStep, check_within, hint_steps
from boulanger.solver.limits import Clock, Limits
from boulanger.solver.line.replay import rest_of
from boulanger.solver.optimal.shortest import find_shortest
from boulanger.solver.result import Measure, Solution, StepProgress, Verdict


@dataclass(frozen=True, slots=True)
class ReviewedAction:
    """One action of a game, and what it did to the chances.

    Attributes:
        number: from 1.
        before: the position that it was played on.
        action: what was played.
        notation: the same in FreeCell notation.
        verdict: of the position after it.
        distance_before: of the position before it from the win; None unless proven shortest.
        distance_after: of the position after it; None unless proven shortest.
        num_wasted: by how much it made the game longer than it had to be, in the measure of the
            review; 0 on a shortest way; None where a distance is not known.
        is_losing: whether it lost the game.
        better: for a mistake (an action that lost the game, or wasted something): what would have
            been better, the first action of a way to win that is shortest if its distance is
            proven; else None.
        score: the app's, after it.
    """

    number: int
    before: Position
    action: Action
    notation: str
    verdict: Verdict
    distance_before: int | None
    distance_after: int | None
    num_wasted: int | None
    is_losing: bool
    better: HintStep | None
    score: int

    @property
    def is_mistake(self) -> bool:
        """Whether it lost the game or is proven to have wasted something."""
        return self.is_losing or bool(self.num_wasted)

    def describe(self, language: str = ENGLISH) -> str:
        """In words: `7H from column 2 onto 8H`."""
        return describe_action(self.before, self.action, language)


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

    @property
    def num_mistakes(self) -> int:
        """How many actions are mistakes."""
        return sum(reviewed.is_mistake for reviewed in self.actions)


def review(
    game: Game,
    measure: Measure = Measure.ACTIONS,
    *,
    limits: Limits | None = None,
    on_progress: Callable[[StepProgress], object] | None = None,
) -> Review:
    """What became of a game with each of its actions, and what would have been better.

    Args:
        game: the game; what was taken back in it does not count.
        measure: what lengths count.
        limits: of time and memory for the review as a whole, of nodes for each search; None for
            the usual ones of a search. Where they are met, verdicts are UNDECIDED and distances
            None.
        on_progress: called some thirty times a second. An exception that it raises ends the review
            and comes out of it.

    Raises:
        BoardError: if the position at the start is not legal.

    >>> game = Game(Position.from_ms(1))
    >>> _ = game.apply("72"), game.apply("1a")
    >>> reviewed = review(game)
    >>> [(each.notation, each.verdict.word, each.is_losing) for each in reviewed.actions]
    [('72', 'winnable', False), ('1a', 'unwinnable', True)]
    >>> reviewed.actions[1].better.describe()
    'JH from column 7 to cell a'
    """
    if not isinstance(game, Game):
        value = game if isinstance(game, str) else type(game).__name__
        raise ArgumentError("api.not_a_game", value=value)
    measure = Measure(measure)
    boards = game.positions()
    boards[0].check()
    walk = _Walk(boards, measure, limits or Limits(), on_progress)
    verdicts = walk.find_verdicts()
    lines = walk.find_lines(verdicts)
    return _review_of(game, measure, boards, verdicts, lines)


@dataclass(frozen=True, slots=True)
class _Line:
    """A way to win, and whether no shorter one exists."""

    solution: Solution
    is_proven: bool

    def distance(self, measure: Measure) -> int | None:
        """Its length if that is proven shortest."""
        return self.solution.length(measure) if self.is_proven else None


class _Walk:
    """The searches of a review, position after position, under one clock."""

    def __init__(
        self,
        boards: list[Position],
        measure: Measure,
        limits: Limits,
        on_progress: Callable[[StepProgress], object] | None,
    ) -> None:
        self._boards = boards
        self._measure = measure
        self._on_progress = on_progress
        self._num_done = 0
        self._clock = Clock(limits, self._tell if on_progress else None)

    def find_verdicts(self) -> list[Verdict]:
        """The verdict on each board; UNDECIDED for those that time does not suffice for."""
        verdicts = []
        for board in self._boards:
            is_over = self._clock.is_over()
            verdicts.append(
                Verdict.UNDECIDED if is_over else check_within(board, self._clock).verdict
            )
            self._num_done += 1
        return verdicts

    def find_lines(self, verdicts: list[Verdict]) -> list[_Line | None]:
        """A way to win from each board, None where none is known.

        While the game follows the shortest solution that was found last, what is left of it is a
        shortest one again, and no search is needed.
        """
        lines: list[_Line | None] = []
        line: _Line | None = None
        for board, verdict in zip(self._boards, verdicts, strict=True):
            rest = rest_of(line.solution, board) if line is not None else None
            line = _Line(rest, True) if line is not None and rest and line.is_proven else None
            if verdict == Verdict.WINNABLE and line is None and not self._clock.is_over():
                line = self._search(board)
            lines.append(line)
            self._num_done += 1
        return lines

    def _search(self, board: Position) -> _Line | None:
        found = find_shortest(
            board,
            self._measure,
            limits=self._clock.rest(),
            on_progress=None if self._on_progress is None else lambda _: self._tell(),
        )
        return None if found.solution is None else _Line(found.solution, found.is_proven)

    def _tell(self) -> None:
        assert self._on_progress is not None
        self._on_progress(StepProgress(self._num_done, 2 * len(self._boards)))


def _review_of(
    game: Game,
    measure: Measure,
    boards: list[Position],
    verdicts: list[Verdict],
    lines: list[_Line | None],
) -> Review:
    """The review of what the searches found."""
    distances = [None if line is None else line.distance(measure) for line in lines]
    actions: list[ReviewedAction] = []
    length = score = 0
    for index, action in enumerate(game.history):
        cost = 1 if measure == Measure.ACTIONS else len(expand(boards[index], action))
        length += cost
        score += points_for(action)
        before, after = distances[index], distances[index + 1]
        num_wasted = None if before is None or after is None else after + cost - before
        is_losing = verdicts[index : index + 2] == [Verdict.WINNABLE, Verdict.UNWINNABLE]
        line = lines[index] if is_losing or num_wasted else None
        best = hint_steps(None if line is None else line.solution, measure, 1)
        actions.append(
            ReviewedAction(
                index + 1,
                boards[index],
                action,
                format_action(boards[index], action),
                verdicts[index + 1],
                before,
                after,
                num_wasted,
                is_losing,
                next(iter(best), None),
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
        length,
        distances[0],
        sum(reviewed.num_wasted or 0 for reviewed in actions),
        score,
    )
