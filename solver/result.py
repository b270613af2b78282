"""What a search is allowed and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from boulanger.engine.errors import LimitsError
from boulanger.engine.moves import Action, Ply
from boulanger.engine.position import Position

DEFAULT_MAX_MEMORY: Final = 4 << 30  # bytes
MIN_MEMORY: Final = 1 << 20


class Verdict(StrEnum):
    """Whether a position can be won. The first two are exact; the third is no opinion."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNDECIDED = "undecided"


class Reason(StrEnum):
    """Which limit left a position undecided."""

    NODES = "nodes"
    SECONDS = "seconds"
    MEMORY = "memory"


class Measure(StrEnum):
    """What the length of a solution counts; each card put home is one in both."""

    PLIES = "plies"  # single-card moves
    ACTIONS = "actions"  # gestures in the app: a run that moves at once is one


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a search may go; it ends UNDECIDED at the first limit that it meets.

    Attributes:
        max_nodes: expanded positions; None for no limit.
        max_seconds: of wall time, looked at every few hundredths of a second; None for no limit.
        max_memory: bytes of the search's tables.

    Raises:
        LimitsError: for a limit that is not positive, or memory below one MiB.
    """

    max_nodes: int | None = None
    max_seconds: float | None = None
    max_memory: int = DEFAULT_MAX_MEMORY

    def __post_init__(self) -> None:
        if self.max_nodes is not None and self.max_nodes < 1:
            raise LimitsError(f"max_nodes {self.max_nodes}: must be at least 1")
        if self.max_seconds is not None and not self.max_seconds > 0:
            raise LimitsError(f"max_seconds {self.max_seconds}: must be more than 0")
        if self.max_memory < MIN_MEMORY:
            raise LimitsError(
                f"max_memory {self.max_memory}: must be at least {MIN_MEMORY} bytes (1MiB)"
            )


@dataclass(frozen=True, slots=True)
class Solution:
    """A way to win, replayed under the rules before it was handed out.

    Attributes:
        start: the position it starts from.
        plies: single-card moves, cards home included.
        actions: the same as the app's gestures: runs that move at once are one.
        notation: the actions in FreeCell notation.
        score: the app's score at the end, counted from zero.
    """

    start: Position
    plies: tuple[Ply, ...]
    actions: tuple[Action, ...]
    notation: tuple[str, ...]
    score: int


@dataclass(frozen=True, slots=True)
class SolveResult:
    """The answer to "can this position be won, and how".

    Attributes:
        position: the position asked about, with its number of cells.
        verdict: exact, unless it is UNDECIDED.
        reason: the limit that was met: for UNDECIDED, and for WINNABLE without a solution.
        num_nodes: what the verdict took: classes of positions expanded and fronts labelled.
        seconds: wall time of the search, compiling left out.
        solution: for WINNABLE alone; None if a limit of time or memory was met while the line was
            worked out. The verdict holds all the same.
    """

    position: Position
    verdict: Verdict
    reason: Reason | None
    num_nodes: int
    seconds: float
    solution: Solution | None

    @property
    def num_cells(self) -> int:
        """Cells in play."""
        return self.position.num_cells


@dataclass(frozen=True, slots=True)
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
        seconds: wall time of the search, compiling left out.
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
