"""`rate`: how hard a position is, in parts and in one score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from boulanger.engine.position import MAX_CELLS, Position
from boulanger.solver.rating.fields import FIELDS, HARDER_IF_MORE, row_of
from boulanger.solver.rating.model import load_model
from boulanger.solver.rating.parts import Measurer, Parts, find_min_cells
from boulanger.solver.rating.words import word_for
from boulanger.solver.result import Verdict


@dataclass(frozen=True, slots=True)
class Rating:
    """How hard a position is.

    Attributes:
        position: the position asked about.
        seed: of the simulated players' games.
        verdict: exact, unless it is UNDECIDED.
        min_cells: the smallest number of cells with which it can be won, from the cells that are
            occupied up to 8; None if none does, or if that is not known.
        is_min_certain: whether `min_cells` is proven, None included.
        score: 0 (gentle) to 100 (fiendish): the percentile among winnable deals with as many cells;
            None unless WINNABLE and there is a reference sample for that number of cells.
        word: for the score.
        parts: what was measured; None unless WINNABLE.
        percentiles: of each part that has one: of the sample's deals, how many in a hundred are
            less hard in that respect. Empty without a score.
    """

    position: Position
    seed: int
    verdict: Verdict
    min_cells: int | None
    is_min_certain: bool
    score: float | None
    word: str | None
    parts: Parts | None
    percentiles: Mapping[str, float]

    @property
    def num_cells(self) -> int:
        """Cells in play."""
        return self.position.num_cells


def rate(position: Position, *, seed: int = 0, measurer: Measurer | None = None) -> Rating:
    """How hard a position is; the same each time for the same seed.

    The score compares with fresh deals. A position in the middle of a game can be rated, but is
    easier than most of them.

    Args:
        position: with the number of cells that it is rated for.
        seed: 0..2^64 - 1, of the simulated players' games.
        measurer: memory to work in, if many positions are rated.

    Raises:
        BoardError: if the position is not legal.
        MemoryError: if a verdict takes more tables than ratings are allowed.
    """
    parts = (measurer or Measurer()).measure(position, seed)
    if parts is None:
        return _without_parts(position, seed)
    model = load_model(position.num_cells)
    score, word = None, None
    percentiles: dict[str, float] = {}
    if model is not None:
        row = dict(zip(FIELDS, row_of(parts), strict=True))
        score = float(model.percentile(row))
        word = word_for(score)
        percentiles = {name: model.field_percentile(name, row[name]) for name in HARDER_IF_MORE}
    return Rating(
        position,
        seed,
        Verdict.WINNABLE,
        parts.min_cells,
        parts.is_min_certain,
        score,
        word,
        parts,
        MappingProxyType(percentiles),
    )


def _without_parts(position: Position, seed: int) -> Rating:
    """The rating of a position that is lost, or that could not be decided or measured."""
    min_cells, is_certain = find_min_cells(position, MAX_CELLS)
    verdict = Verdict.UNDECIDED
    if is_certain and (min_cells is None or min_cells > position.num_cells):
        verdict = Verdict.UNWINNABLE
    return Rating(
        position,
        seed,
        verdict,
        min_cells,
        is_certain,
        None,
        None,
        None,
        MappingProxyType({}),
    )
