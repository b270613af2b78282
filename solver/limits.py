"""What a search is allowed, and the clock that holds it to that."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from boulanger.engine.errors import LimitsError

DEFAULT_MAX_MEMORY: Final = 4 << 30  # bytes
MIN_MEMORY: Final = 1 << 20

# A search that is given no time at all would not even look at its first node.
_LEAST_SECONDS: Final = 1e-3


class Reason(StrEnum):
    """Which limit left something open."""

    NODES = "nodes"
    SECONDS = "seconds"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a search may go; it ends UNDECIDED at the first limit that it meets.

    The first search on a machine compiles first. No limit interrupts that, and its seconds count;
    `boulanger.prepare` does it beforehand.

    Attributes:
        max_nodes: expanded positions; None for no limit.
        max_seconds: of wall time, looked at every few hundredths of a second; None for no limit.
        max_memory: bytes of the search's tables.
        on_look: called at each look at the clock. An exception that it raises ends the search, and
            comes out of it: so a caller can cancel.

    Raises:
        LimitsError: for a limit that is not positive, or memory below one MiB.

    >>> Limits(max_seconds=2.5)
    Limits(max_nodes=None, max_seconds=2.5, max_memory=4294967296)
    >>> Limits(max_nodes=0)
    Traceback (most recent call last):
    boulanger.engine.errors.LimitsError: max_nodes 0: must be at least 1
    """

    max_nodes: int | None = None
    max_seconds: float | None = None
    max_memory: int = DEFAULT_MAX_MEMORY
    on_look: Callable[[], object] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.max_nodes is not None and self.max_nodes < 1:
            raise LimitsError("limits.max_nodes", value=self.max_nodes)
        if self.max_seconds is not None and not self.max_seconds > 0:
            raise LimitsError("limits.max_seconds", value=self.max_seconds)
        if self.max_memory < MIN_MEMORY:
            raise LimitsError("limits.max_memory", value=self.max_memory, least=MIN_MEMORY)


class Clock:
    """Limits that one search or several, one after another, share; time runs from its making."""

    def __init__(self, limits: Limits, on_look: Callable[[], object] | None = None) -> None:
        """
        Args:
            limits: of time together, of nodes and memory for each search.
            on_look: called at each look at the clock, which is some thirty times a second. An
                exception that it raises ends the search: so a caller can cancel.
        """
        self.limits: Final = limits
        self._on_look: Final = on_look
        self._started: Final = time.perf_counter()

    def seconds(self) -> float:
        """Since it was made."""
        return time.perf_counter() - self._started

    def seconds_left(self) -> float:
        """Until the limit of time; infinite if there is none."""
        for on_look in (self._on_look, self.limits.on_look):
            if on_look is not None:
                on_look()
        most = self.limits.max_seconds
        return math.inf if most is None else most - self.seconds()

    def is_over(self) -> bool:
        """Whether the limit of time is reached."""
        return self.seconds_left() <= 0

    def rest(self) -> Limits:
        """The limits with the time that is left."""
        left = self.seconds_left()
        max_seconds = None if math.isinf(left) else max(left, _LEAST_SECONDS)
        return replace(self.limits, max_seconds=max_seconds)
