"""What is asked of a deal: a verdict for each of some numbers of cells, such as `4=winnable`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from boulanger.engine.errors import BoulangerError
from boulanger.engine.position import MAX_CELLS
from boulanger.engine.words import quoted
from boulanger.solver.result import Verdict

_CONDITION: Final = re.compile(rf"\s*([0-{MAX_CELLS}])\s*=\s*([a-z]+)\s*", re.IGNORECASE)
_EXPECTED: Final = (
    f"CELLS=VERDICT expected, such as 4=winnable: cells 0 to {MAX_CELLS}, then winnable, "
    "unwinnable or undecided"
)


class ConditionError(BoulangerError):
    """A condition that cannot be read, or conditions that no deal can meet."""


@dataclass(frozen=True, slots=True, order=True)
class Condition:
    """That a deal has this verdict with so many cells."""

    num_cells: int
    verdict: Verdict

    def __str__(self) -> str:
        return f"{self.num_cells}={self.verdict}"

    @property
    def words(self) -> str:
        """The same for a sentence, such as "winnable with 4 cells"."""
        noun = "cell" if self.num_cells == 1 else "cells"
        return f"{self.verdict} with {self.num_cells} {noun}"


def parse_condition(text: str) -> Condition:
    """The condition that `text` is, such as `4=winnable`, whatever its case.

    Raises:
        ConditionError: quotes the text and says what would be right.
    """
    match = _CONDITION.fullmatch(text)
    if match is None or match[2].lower() not in list(Verdict):
        raise ConditionError(f"{quoted(text)} is no condition; {_EXPECTED}")
    return Condition(int(match[1]), Verdict(match[2].lower()))


def joined(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Conditions that are to hold together, by number of cells, each once.

    Raises:
        ConditionError: if no deal meets them all. More cells never hurt, so a deal that is winnable
            with some is not unwinnable with as many or more.
    """
    ordered = tuple(sorted(set(conditions)))
    for fewer in ordered:
        for more in ordered:
            is_same = fewer.num_cells == more.num_cells and fewer.verdict != more.verdict
            is_lost_by_cells = (
                fewer.num_cells <= more.num_cells
                and fewer.verdict == Verdict.WINNABLE
                and more.verdict == Verdict.UNWINNABLE
            )
            if is_same or is_lost_by_cells:
                why = "" if is_same else ": more cells never hurt"
                raise ConditionError(f"no deal is {fewer.words} and {more.words}{why}")
    return ordered
