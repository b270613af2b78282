"""The parts of a rating: one `Field` for each, with all that is known of it.

A new part is a row here, its words (`rate.*` in `engine.words`, for a line of its own) and what
measures it in `solver.rating.parts`. Files, the regression, percentiles, JSON and text take it
from here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from boulanger.engine.words import counted, message
from boulanger.solver.rating.parts import Parts
from boulanger.solver.rating.players import CAREFUL, PLAYER_NAMES, RANDOM
from boulanger.solver.result import ShortestResult


@dataclass(frozen=True, slots=True)
class Field:
    """One number that is kept of the parts of a deal.

    Attributes:
        name: in files and JSON.
        value_of: takes it from the parts.
        harder_if_more: whether more of it makes for a harder deal; None for a field that says
            nothing of the difficulty by itself, and so has no percentile.
        is_predictor: whether the regression of `solver.rating.model` sees it.
        line_of: what a reader is told of it, as a message of `engine.words`; None for a field that
            has no line of its own.
        is_on_the_way: whether it is measured at decisions, so that a board without any has none.
    """

    name: str
    value_of: Callable[[Parts], float]
    harder_if_more: bool | None = None
    is_predictor: bool = False
    line_of: Callable[[Parts], dict[str, Any]] | None = None
    is_on_the_way: bool = False

    def line(self, parts: Parts) -> dict[str, Any] | None:
        """What a reader is told of it; None if there is nothing to tell."""
        if self.line_of is None or (self.is_on_the_way and not parts.forgiveness.num_decisions):
            return None
        return self.line_of(parts)


def standard_error(num_games: int, num_wins: int) -> float:
    """The standard error of a win rate; that of one game more and one less at the ends."""
    rate = min(max(num_wins, 1), num_games - 1) / num_games
    return math.sqrt(rate * (1 - rate) / num_games)


def _min_cells_line(parts: Parts) -> dict[str, Any]:
    key = "rate.min_cells" if parts.is_min_certain else "rate.min_cells_uncertain"
    return message(key, num_cells=parts.min_cells)


def _shortest_line(found: ShortestResult) -> dict[str, Any]:
    key = "rate.shortest" if found.is_proven else "rate.shortest_at_least"
    return message(key, length=counted(found.lower_bound or 0, found.measure.value))


def _first_keeping_line(parts: Parts) -> dict[str, Any]:
    way = parts.forgiveness
    return message("rate.first_keeping", keeping=way.num_first_keeping, num=way.num_first)


def _trap_line(parts: Parts) -> dict[str, Any]:
    trap = parts.forgiveness.first_trap
    return message("rate.no_trap") if trap is None else message("rate.first_trap", num=trap)


def _wins_field(player: int) -> Field:
    """The games that a player wins.

    The random player all but never wins, which tells nothing; the careful player's wins are what
    the regression is fitted to.
    """
    name = PLAYER_NAMES[player]

    def line_of(parts: Parts) -> dict[str, Any]:
        games, wins = parts.num_games[player], parts.num_wins[player]
        facts = {"share": wins / games, "error": standard_error(games, wins)}
        return message(f"rate.player.{name}", **facts)

    return Field(
        f"{name}_wins",
        lambda parts: parts.num_wins[player],
        harder_if_more=False,
        is_predictor=player not in (RANDOM, CAREFUL),
        line_of=line_of,
    )


# The number of decisions is that of actions less 52.
FIELDS: Final = (
    Field("num_cells", lambda parts: parts.num_cells),
    Field("min_cells", lambda parts: parts.min_cells, True, True, _min_cells_line),
    Field(
        "plies",
        lambda parts: parts.plies.lower_bound or 0,
        True,
        True,
        lambda parts: _shortest_line(parts.plies),
    ),
    Field("plies_proven", lambda parts: parts.plies.is_proven),
    Field(
        "actions",
        lambda parts: parts.actions.lower_bound or 0,
        True,
        True,
        lambda parts: _shortest_line(parts.actions),
    ),
    Field("actions_proven", lambda parts: parts.actions.is_proven),
    Field(
        "fewest_free",
        lambda parts: parts.forgiveness.fewest_free,
        False,
        True,
        lambda parts: message("rate.fewest_free", num=parts.forgiveness.fewest_free),
        is_on_the_way=True,
    ),
    Field("num_first", lambda parts: parts.forgiveness.num_first, False, True),
    Field(
        "num_first_keeping",
        lambda parts: parts.forgiveness.num_first_keeping,
        False,
        True,
        _first_keeping_line,
        is_on_the_way=True,
    ),
    Field(
        "opening",
        lambda parts: parts.forgiveness.opening,
        False,
        True,
        lambda parts: message("rate.opening", share=parts.forgiveness.opening),
        is_on_the_way=True,
    ),
    Field(
        "whole",
        lambda parts: parts.forgiveness.whole,
        False,
        True,
        lambda parts: message("rate.whole", share=parts.forgiveness.whole),
        is_on_the_way=True,
    ),
    Field(
        "first_trap",
        lambda parts: parts.forgiveness.trap_or_end,
        False,
        True,
        _trap_line,
        is_on_the_way=True,
    ),
    Field("num_decisions", lambda parts: parts.forgiveness.num_decisions),
    *(_wins_field(player) for player in range(len(PLAYER_NAMES))),
    Field(
        "effort",
        lambda parts: parts.effort,
        True,
        True,
        lambda parts: message("rate.effort", nodes=round(10**parts.effort)),
    ),
)
"""What of the parts is kept for each deal of a sample."""

FIELD_NAMES: Final = tuple(field.name for field in FIELDS)

HARDER_IF_MORE: Final = {
    field.name: field.harder_if_more for field in FIELDS if field.harder_if_more is not None
}
"""The fields that have a percentile, and whether more of one makes for a harder deal."""

PREDICTORS: Final = tuple(field.name for field in FIELDS if field.is_predictor)
"""What the regression sees."""

OUTCOME: Final = f"{PLAYER_NAMES[CAREFUL]}_wins"
"""What it is fitted to."""


def row_of(parts: Parts) -> dict[str, float]:
    """The number of each field; a deal without a trap has its number of decisions as the first."""
    return {field.name: float(field.value_of(parts)) for field in FIELDS}
