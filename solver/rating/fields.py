"""The parts of a rating as a row of numbers: one `Field` for each, with all that is known of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from boulanger.solver.rating.parts import Parts


@dataclass(frozen=True, slots=True)
class Field:
    """One number that is kept of the parts of a deal.

    Attributes:
        name: in files and JSON.
        value_of: takes it from the parts.
        harder_if_more: whether more of it makes for a harder deal; None for a field that says
            nothing of the difficulty by itself, and so has no percentile.
        is_predictor: whether the regression of `solver.rating.model` sees it.
    """

    name: str
    value_of: Callable[[Parts], float]
    harder_if_more: bool | None = None
    is_predictor: bool = False


# The random player all but never wins, which tells nothing; the number of decisions is that of
# actions less 52. The careful player's wins are what the regression is fitted to.
FIELDS: Final = (
    Field("num_cells", lambda parts: parts.num_cells),
    Field("min_cells", lambda parts: parts.min_cells, True, True),
    Field("plies", lambda parts: parts.plies.lower_bound or 0, True, True),
    Field("plies_proven", lambda parts: parts.plies.is_proven),
    Field("actions", lambda parts: parts.actions.lower_bound or 0, True, True),
    Field("actions_proven", lambda parts: parts.actions.is_proven),
    Field("fewest_free", lambda parts: parts.forgiveness.fewest_free, False, True),
    Field("num_first", lambda parts: parts.forgiveness.num_first, False, True),
    Field("num_first_keeping", lambda parts: parts.forgiveness.num_first_keeping, False, True),
    Field("opening", lambda parts: parts.forgiveness.opening, False, True),
    Field("whole", lambda parts: parts.forgiveness.whole, False, True),
    Field("first_trap", lambda parts: parts.forgiveness.trap_or_end, False, True),
    Field("num_decisions", lambda parts: parts.forgiveness.num_decisions),
    Field("random_wins", lambda parts: parts.num_wins[0], False),
    Field("greedy_wins", lambda parts: parts.num_wins[1], False, True),
    Field("planner_wins", lambda parts: parts.num_wins[2], False, True),
    Field("careful_wins", lambda parts: parts.num_wins[3], False),
    Field("effort", lambda parts: parts.effort, True, True),
)
"""What of the parts is kept for each deal of a sample."""

FIELD_NAMES: Final = tuple(field.name for field in FIELDS)

HARDER_IF_MORE: Final = {
    field.name: field.harder_if_more for field in FIELDS if field.harder_if_more is not None
}
"""The fields that have a percentile, and whether more of one makes for a harder deal."""

PREDICTORS: Final = tuple(field.name for field in FIELDS if field.is_predictor)
"""What the regression sees."""

OUTCOME: Final = "careful_wins"
"""What it is fitted to."""


def row_of(parts: Parts) -> dict[str, float]:
    """The number of each field; a deal without a trap has its number of decisions as the first."""
    return {field.name: float(field.value_of(parts)) for field in FIELDS}
