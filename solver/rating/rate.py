"""`rate`: how hard a position is, in parts and in one score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType

from boulanger.engine.game import Game, position_of
from boulanger.engine.position import MAX_CELLS, Position
from boulanger.engine.words import count
from boulanger.solver.limits import DEFAULT_MAX_MEMORY, Reason
from boulanger.solver.rating.fields import HARDER_IF_MORE, row_of
from boulanger.solver.rating.model import level_of, load_model
from boulanger.solver.rating.parts import NUM_STEPS, Measured, Measurer, Parts, find_min_cells
from boulanger.solver.result import StepProgress, Verdict


@dataclass(frozen=True, slots=True, repr=False)
class Rating:
    """How hard a position is.

    Attributes:
        position: the position asked about.
        seed: of the simulated players' games.
        verdict: exact, unless it is UNDECIDED.
        reason: the limit because of which a WINNABLE position has no parts; else None.
        min_cells: the smallest number of cells with which it can be won, from the cells that are
            occupied up to 8; None if none does, or if that is not known.
        is_min_certain: whether `min_cells` is proven, None included.
        score: 0 (gentle) to 100 (fiendish): the percentile among winnable deals with as many cells;
            None unless WINNABLE and there is a reference sample for that number of cells.
        level: "gentle", "easy", "medium", "hard" or "fiendish", for the score.
        parts: what was measured; None unless WINNABLE, and if a limit was met.
        percentiles: of each part that has one: of the sample's deals, how many in a hundred are
            less hard in that respect. Empty without a score.
    """

    position: Position
    seed: int
    verdict: Verdict
    reason: Reason | None
    min_cells: int | None
    is_min_certain: bool
    score: float | None
    level: str | None
    parts: Parts | None
    percentiles: Mapping[str, float]

    def __repr__(self) -> str:
        """The level and the score, or why there is none."""
        said = self.verdict.word
        if self.score is not None:
            said = f"{self.level}, {self.score:.0f} of 100"
        limit = "" if self.reason is None else f", limit of {self.reason} met"
        return f"<Rating with {count(self.num_cells, 'cells')}: {said}{limit}>"

    def _repr_html_(self) -> str:
        """The board, the score and the percentiles, for notebooks."""
        rows = "".join(
            f"<tr><td>{name}</td><td>{value:.0f} %</td></tr>"
            for name, value in self.percentiles.items()
        )
        return (
            f"{self.position._repr_svg_()}<p>{escape(repr(self))}</p>"
            f"<table><tr><th>part</th><th>less hard</th></tr>{rows}</table>"
        )

    @property
    def is_fresh(self) -> bool:
        """Whether no card is home or in a cell, as in the deals that the score compares with."""
        return not any(self.position.foundations) and not any(
            card is not None for card in self.position.cells
        )

    @property
    def num_cells(self) -> int:
        """Cells in play."""
        return self.position.num_cells


def rate(
    position: Position | Game,
    *,
    seed: int = 0,
    max_memory: int = DEFAULT_MAX_MEMORY,
    measurer: Measurer | None = None,
    on_progress: Callable[[StepProgress], object] | None = None,
) -> Rating:
    """How hard a position is; the same each time for the same seed.

    The score compares with fresh deals. A position in the middle of a game can be rated, but is
    easier than most of them.

    Args:
        position: with the number of cells that it is rated for.
        seed: 0..2^64 - 1, of the simulated players' games.
        max_memory: bytes that the tables of one search may take; a position that needs more has
            the verdict as far as it is known, and no parts.
        measurer: memory to work in, if many positions are rated; it has its own `max_memory`.
        on_progress: called some thirty times a second while shortest solutions are looked for. An
            exception that it raises ends the rating and comes out of it.

    Raises:
        BoardError: if the position is not legal.

    >>> rating = rate(Position.from_ms(1))
    >>> rating.level, round(rating.score)
    ('hard', 85)
    """
    position = position_of(position)
    measurer = measurer or Measurer(max_memory)
    on_look = None
    if on_progress is not None:
        tell = on_progress

        def on_look(num_done: int) -> None:
            tell(StepProgress(num_done, NUM_STEPS))

    measured = measurer.measure(position, seed, on_look=on_look)
    parts = measured.parts
    if parts is None:
        return _without_parts(position, seed, measured, max_memory)
    score, level, percentiles = _beside_the_sample(parts, position.num_cells)
    return Rating(
        position,
        seed,
        Verdict.WINNABLE,
        None,
        parts.min_cells,
        parts.is_min_certain,
        score,
        level,
        parts,
        MappingProxyType(percentiles),
    )


def _beside_the_sample(
    parts: Parts, num_cells: int
) -> tuple[float | None, str | None, dict[str, float]]:
    """The score, its level and the percentile of each part; none without a sample."""
    model = load_model(num_cells)
    if model is None:
        return None, None, {}
    row = row_of(parts)
    score = float(model.percentile(row))
    percentiles = {name: model.field_percentile(name, row[name]) for name in HARDER_IF_MORE}
    return score, level_of(score), percentiles


def _without_parts(position: Position, seed: int, measured: Measured, max_memory: int) -> Rating:
    """The rating of a position that is lost, or that could not be decided or measured."""
    min_cells, is_certain = find_min_cells(position, MAX_CELLS, max_memory)
    return Rating(
        position,
        seed,
        measured.verdict,
        measured.reason,
        min_cells,
        is_certain,
        None,
        None,
        None,
        MappingProxyType({}),
    )
