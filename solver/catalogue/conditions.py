"""What is asked of a deal: verdicts such as `4=winnable`, and ratings such as `score=60..80`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from boulanger.engine.errors import BoulangerError
from boulanger.engine.position import MAX_CELLS
from boulanger.engine.words import message
from boulanger.solver.result import Verdict

_CONDITION: Final = re.compile(rf"\s*([0-{MAX_CELLS}])\s*=\s*([a-z]+)\s*", re.IGNORECASE)
RATED: Final = ("score", "plies", "actions")
"""What can be asked of rated deals by a range: the columns of that name."""

SORTED: Final = (*RATED, "nodes")
"""By what deals can be sorted."""

_RATING: Final = re.compile(r"\s*(difficulty|score|plies|actions)\s*=\s*(\S.*?)\s*", re.IGNORECASE)
_NUMBER: Final = r"([0-9]{1,9}(?:\.[0-9]{1,20})?)"
_SPAN: Final = re.compile(rf"{_NUMBER}|{_NUMBER}?\s*\.\.\s*{_NUMBER}?")


class ConditionError(BoulangerError):
    """A condition that cannot be read, or conditions that no deal can meet."""


@dataclass(frozen=True, slots=True, order=True)
class Condition:
    """That a deal has this verdict with this many cells."""

    num_cells: int
    verdict: Verdict

    def __str__(self) -> str:
        return f"{self.num_cells}={self.verdict.word}"

    @property
    def message(self) -> dict[str, Any]:
        """The same as a fact, such as "winnable with 4 cells"."""
        return message("condition.holds", word=self.verdict.word, cells=self.num_cells)


@dataclass(frozen=True, slots=True)
class RatingCondition:
    """That the rating of a deal has a word, or one of its numbers is in a range.

    Attributes:
        name: "difficulty", or one of `RATED`.
        low, high: the ends of the range, which belong to it; not looked at for "difficulty".
        word: for "difficulty", one of the words for scores.
    """

    name: str
    low: float = 0.0
    high: float = math.inf
    word: str = ""

    def __str__(self) -> str:
        if self.word:
            return f"{self.name}={self.word}"
        high = "" if math.isinf(self.high) else f"{self.high:g}"
        return f"{self.name}={self.low:g}..{high}"


def parse_any_condition(text: str) -> Condition | RatingCondition:
    """The condition that `text` is, such as `4=winnable` or `difficulty=hard`, whatever its case.

    Raises:
        ConditionError: quotes the text and says what would be right.
    """
    rating = _RATING.fullmatch(text)
    if rating is not None:
        return _rating_condition(text, rating[1].lower(), rating[2].lower())
    return parse_condition(text)


def parse_condition(text: str) -> Condition:
    """The condition on a verdict that `text` is, such as `4=winnable`, whatever its case.

    Raises:
        ConditionError: quotes the text and says what would be right.
    """
    match = _CONDITION.fullmatch(text)
    if match is None or match[2].upper() not in Verdict.__members__:
        raise ConditionError("condition.none", text=text, most=MAX_CELLS)
    return Condition(int(match[1]), Verdict.from_word(match[2]))


def _rating_condition(text: str, name: str, value: str) -> RatingCondition:
    if name == "difficulty":
        from boulanger.solver.rating.model import LEVELS

        words = [word for word, _ in LEVELS]
        if value not in words:
            raise ConditionError("condition.difficulty", text=text, levels=", ".join(words))
        return RatingCondition(name, word=value)
    span = _SPAN.fullmatch(value)
    if span is None or value == "..":
        raise ConditionError("condition.range", text=text, name=name)
    low, high = float(span[1] or span[2] or 0), float(span[1] or span[3] or math.inf)
    if low > high:
        raise ConditionError("condition.backwards", text=text)
    return RatingCondition(name, low, high)


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
                key = "condition.clash" if is_same else "condition.more_cells"
                raise ConditionError(key, first=fewer.message, second=more.message)
    return ordered


@dataclass(frozen=True, slots=True)
class Order:
    """By what a list is sorted.

    Attributes:
        name: "score", "plies", "actions" or "nodes".
        is_falling: whether the highest come first; deals without a number come last in any case.
    """

    name: str
    is_falling: bool = False


def parse_order(text: str) -> Order:
    """By what to sort: `score`, or `-score` for the highest first.

    Raises:
        ConditionError: quotes the text and says what would be right.
    """
    name = text.strip().lower()
    if name.removeprefix("-") not in SORTED:
        raise ConditionError("condition.order", text=text)
    return Order(name.removeprefix("-"), name.startswith("-"))
