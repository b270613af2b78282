"""Ways to win that were shown but not proven shortest, so that the next hint keeps to them.

Without them the next hint might know another way, and from hint to hint one could go in circles.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action
from boulanger.solver.result import Measure, Solution

_MAX_POSITIONS: Final = 20_000


class Lines:
    """For each position on such a way, the way."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._lines: Final[OrderedDict[tuple[Position, Measure], Solution]] = OrderedDict()

    def get(self, position: Position, measure: Measure) -> Solution | None:
        """A way to win that passes through this position, if one was shown."""
        with self._lock:
            return self._lines.get((position, measure))

    def keep(self, solution: Solution, measure: Measure) -> None:
        """Remembers a way that was shown; the oldest ones are forgotten."""
        position = solution.start
        with self._lock:
            for action in solution.actions:
                self._lines[position, measure] = solution
                self._lines.move_to_end((position, measure))
                position = apply_action(position, action)
            while len(self._lines) > _MAX_POSITIONS:
                self._lines.popitem(last=False)
