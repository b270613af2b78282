"""The parts of a rating as a row of numbers, and which of them make a deal harder."""

from __future__ import annotations

from typing import Final

from boulanger.solver.rating.parts import Parts

FIELDS: Final = (
    "num_cells",
    "min_cells",
    "plies",
    "plies_proven",
    "actions",
    "actions_proven",
    "fewest_free",
    "num_first",
    "num_first_keeping",
    "opening",
    "whole",
    "first_trap",
    "num_decisions",
    "random_wins",
    "greedy_wins",
    "planner_wins",
    "careful_wins",
    "effort",
)
"""What of the parts is kept for each deal of a sample, as numbers."""

HARDER_IF_MORE: Final = {
    "min_cells": True,
    "plies": True,
    "actions": True,
    "fewest_free": False,
    "num_first": False,
    "num_first_keeping": False,
    "opening": False,
    "whole": False,
    "first_trap": False,
    "random_wins": False,
    "greedy_wins": False,
    "planner_wins": False,
    "careful_wins": False,
    "effort": True,
}
"""The fields that have a percentile, and whether more of one makes for a harder deal."""


def row_of(parts: Parts) -> list[float]:
    """The numbers of `FIELDS`; a deal without a trap has its number of decisions as the first."""
    forgiveness = parts.forgiveness
    trap = forgiveness.num_decisions if forgiveness.first_trap is None else forgiveness.first_trap
    return [
        parts.num_cells,
        parts.min_cells,
        parts.plies.lower_bound or 0,
        float(parts.plies.is_proven),
        parts.actions.lower_bound or 0,
        float(parts.actions.is_proven),
        forgiveness.fewest_free,
        forgiveness.num_first,
        forgiveness.num_first_keeping,
        forgiveness.opening,
        forgiveness.whole,
        trap,
        forgiveness.num_decisions,
        *parts.num_wins,
        parts.effort,
    ]
