"""What a search answers: verdicts, measures, solutions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from html import escape

from boulanger.engine.errors import ArgumentError
from boulanger.engine.moves import Action, Ply
from boulanger.engine.notation import describe_action
from boulanger.engine.position import Position
from boulanger.engine.words import ENGLISH, count
from boulanger.solver.limits import Reason


class Verdict(IntEnum):
    """Whether a position can be won. The first two are exact; the third is no opinion.

    The numbers are those of `classify` and of catalogues.

    >>> Verdict.WINNABLE == 1, Verdict.WINNABLE.word, Verdict.from_word("undecided").name
    (True, 'winnable', 'UNDECIDED')
    """

    UNWINNABLE = 0
    WINNABLE = 1
    UNDECIDED = 2

    @property
    def word(self) -> str:
        """In lower case, as commands and files have it."""
        return self.name.lower()

    @classmethod
    def from_word(cls, word: str) -> Verdict:
        """The verdict of a word in any case.

        Raises:
            KeyError: if it is not one.
        """
        return cls[word.upper()]


class Measure(StrEnum):
    """What the length of a solution counts; each card put home is one in both.

    >>> Measure("actions") is Measure.ACTIONS
    True
    """

    PLIES = "plies"  # single-card moves
    ACTIONS = "actions"  # gestures in the app: a run that moves at once is one

    @classmethod
    def _missing_(cls, value: object) -> Measure:
        raise ArgumentError("api.not_a_measure", value=str(value))


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """One action of a line of play.

    Attributes:
        before: the position that it is played on.
        action: what is played.
        plies: the single-card moves that it stands for.
        notation: the action in FreeCell notation.
    """

    before: Position
    action: Action
    plies: tuple[Ply, ...]
    notation: str

    def length(self, measure: Measure) -> int:
        """What it adds to the length of a solution."""
        return len(self.plies) if measure == Measure.PLIES else 1

    def describe(self, language: str = ENGLISH) -> str:
        """In words, such as `7H from column 2 onto 8H`."""
        return describe_action(self.before, self.action, language)

    def __repr__(self) -> str:
        return f"<Step {self.notation}: {self.describe()}>"


@dataclass(frozen=True, slots=True, repr=False)
class Solution:
    """A way to win, replayed under the rules before it was handed out.

    Attributes:
        start: the position it starts from.
        steps: the actions, each with the position before it, its plies and its notation.
        score: the app's score at the end, counted from zero.
    """

    start: Position
    steps: tuple[Step, ...]
    score: int

    @property
    def actions(self) -> tuple[Action, ...]:
        """The app's gestures, cards home included: runs that move at once are one."""
        return tuple(step.action for step in self.steps)

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The same as single-card moves."""
        return tuple(ply for step in self.steps for ply in step.plies)

    @property
    def notation(self) -> tuple[str, ...]:
        """The actions in FreeCell notation."""
        return tuple(step.notation for step in self.steps)

    def length(self, measure: Measure) -> int:
        """How long it is."""
        return sum(step.length(measure) for step in self.steps)

    def __repr__(self) -> str:
        """How long it is, and its moves in notation."""
        actions, plies = count(len(self.steps), "actions"), count(len(self.plies), "plies")
        return f"<Solution, {actions} ({plies}), score {self.score}: {' '.join(self.notation)}>"

    def _repr_html_(self) -> str:
        """The board and the moves in words, for notebooks."""
        moves = "".join(f"<li><code>{s.notation}</code> {s.describe()}</li>" for s in self.steps)
        actions = count(len(self.steps), "actions")
        return (
            f"{self.start._repr_svg_()}<details><summary>{actions}, score {self.score}</summary>"
            f"<ol>{moves}</ol></details>"
        )


@dataclass(frozen=True, slots=True, repr=False)
class SolveResult:
    """The answer to "can this position be won, and how".

    Attributes:
        position: the position asked about, with its number of cells.
        verdict: exact, unless it is UNDECIDED.
        reason: the limit that was met: for UNDECIDED, and for WINNABLE without a solution.
        num_nodes: what the verdict took: classes of positions expanded and fronts labelled.
        seconds: wall time; the first search on a machine compiles unless `prepare` was called.
        solution: for WINNABLE only; None if a limit of time or memory was met while the line was
            worked out. The verdict holds all the same.
        shortest: how far its length, in actions, is from the shortest: that is proven for most
            deals. None without a solution, or if nobody looked for a short one.
    """

    position: Position
    verdict: Verdict
    reason: Reason | None
    num_nodes: int
    seconds: float
    solution: Solution | None
    shortest: ShortestResult | None = None

    @property
    def num_cells(self) -> int:
        """Cells in play."""
        return self.position.num_cells

    @property
    def is_shortest(self) -> bool:
        """Whether no solution has fewer actions; False if that is not known."""
        return self.shortest is not None and self.shortest.is_proven

    def __repr__(self) -> str:
        """The verdict, and what it took."""
        cells, nodes = count(self.num_cells, "cells"), count(self.num_nodes, "nodes")
        length = "" if self.solution is None else f", {count(len(self.solution.steps), 'actions')}"
        length += ", proven shortest" * self.is_shortest
        limit = "" if self.reason is None else f", limit of {self.reason} met"
        return f"<{self.verdict.word} with {cells}{length}{limit}; {nodes}, {self.seconds:.3f} s>"

    def _repr_html_(self) -> str:
        """The verdict and the solution, or the board, for notebooks."""
        shown = self.position._repr_svg_() if self.solution is None else self.solution._repr_html_()
        return f"<p>{escape(repr(self))}</p>{shown}"


@dataclass(frozen=True, slots=True, repr=False)
class ShortestResult:
    """The answer to "how short can a solution be".

    Attributes:
        position: the position asked about, with its number of cells.
        measure: what lengths count.
        verdict: exact, unless it is UNDECIDED.
        is_proven: whether no solution is shorter than `length`.
        length: of the best solution known; None if none is. Pending foundation moves are counted.
        lower_bound: proven: no solution is shorter. None for UNWINNABLE.
        reason: the limit that was met, if WINNABLE is not proven shortest, or for UNDECIDED.
        num_nodes: expanded positions.
        seconds: wall time; the first search on a machine compiles unless `prepare` was called.
        solution: the best solution known, of `length`.
    """

    position: Position
    measure: Measure
    verdict: Verdict
    is_proven: bool
    length: int | None
    lower_bound: int | None
    reason: Reason | None
    num_nodes: int
    seconds: float
    solution: Solution | None

    @property
    def num_cells(self) -> int:
        """Cells in play."""
        return self.position.num_cells

    def with_solution(self, solution: Solution) -> ShortestResult:
        """The same with a solution that was found elsewhere, none being known here."""
        return replace(
            self,
            verdict=Verdict.WINNABLE,
            length=solution.length(self.measure),
            solution=solution,
        )

    def __repr__(self) -> str:
        """The length, whether it is proven, and what it took."""
        noun = {Measure.PLIES: "single-card moves", Measure.ACTIONS: "actions"}[self.measure]
        nodes = count(self.num_nodes, "nodes")
        if self.length is None:
            said = self.verdict.word
        elif self.is_proven:
            said = f"shortest: {self.length} {noun}, proven"
        else:
            said = f"shortest known: {self.length} {noun}, at least {self.lower_bound}"
        limit = "" if self.reason is None else f", limit of {self.reason} met"
        return f"<{said}{limit}; {nodes}, {self.seconds:.3f} s>"

    def _repr_html_(self) -> str:
        """The length and the solution, or the board, for notebooks."""
        shown = self.position._repr_svg_() if self.solution is None else self.solution._repr_html_()
        return f"<p>{escape(repr(self))}</p>{shown}"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search for the shortest solution is.

    Attributes:
        lower_bound: no solution is shorter; proven.
        length: of the best solution known; None if none is.
        num_nodes: expanded positions.
        seconds: since the search began.
        num_bytes: of its tables.
    """

    lower_bound: int
    length: int | None
    num_nodes: int
    seconds: float
    num_bytes: int


@dataclass(frozen=True, slots=True)
class StepProgress:
    """How far something is that has many steps, each of its own length.

    Attributes:
        num_done: steps that are done.
        num_steps: how many there are.
    """

    num_done: int
    num_steps: int
