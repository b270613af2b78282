"""Counts of a catalogue: verdicts for each number of cells, and the fewest cells that win."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from boulanger.solver.catalogue.intervals import wilson_interval
from boulanger.solver.catalogue.reader import UNDECIDED, UNWINNABLE, WINNABLE, Part, damaged
from boulanger.solver.catalogue.schema import INFERRED, SCORE, SOURCE, VERDICT, VERDICTS
from boulanger.solver.rating.model import LEVELS, level_places


@dataclass(frozen=True, slots=True)
class CellCounts:
    """How deals end with one number of cells.

    Attributes:
        num_cells: in play.
        winnable, unwinnable, undecided: deals; together all of them.
        inferred: deals whose verdict follows from that with another number of cells.
    """

    num_cells: int
    winnable: int
    unwinnable: int
    undecided: int
    inferred: int

    @property
    def num_deals(self) -> int:
        """All of them."""
        return self.winnable + self.unwinnable + self.undecided

    @property
    def rate_bounds(self) -> tuple[float, float] | None:
        """Between which the share of winnable deals lies; equal if none is undecided.

        An undecided deal may be either, so the lower bound takes them all as lost and the upper
        one as won. None if there are no deals.
        """
        if not self.num_deals:
            return None
        most = self.winnable + self.undecided
        return self.winnable / self.num_deals, most / self.num_deals

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % Wilson interval of the rate among all deals that these are a sample of.

        With undecided deals it goes from the lower end for the lower bound to the upper end for
        the upper one, so it is as sure whatever these deals are. None if there are no deals.
        """
        low = wilson_interval(self.winnable, self.num_deals)
        high = wilson_interval(self.winnable + self.undecided, self.num_deals)
        return None if low is None or high is None else (low[0], high[1])


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of some deals.

    Attributes:
        num_deals: how many.
        cells: for each number of cells, rising.
        fewest: for each number of cells how many deals it is the fewest that wins for: that it
            wins, and that all fewer ones of the catalogue do not, is proven.
        none: deals that none of them wins.
        unknown: deals for which an undecided verdict leaves open which is the fewest, or whether
            there is one.
        words: for each number of cells that deals are rated for, rising, how many deals have each
            of the words for scores; deals without a score are in none.
    """

    num_deals: int
    cells: tuple[CellCounts, ...]
    fewest: dict[int, int]
    none: int
    unknown: int
    words: dict[int, dict[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of a catalogue, of all its deals and of each source in the order of its deals."""

    whole: Tally
    by_source: dict[str, Tally]


def summary_columns(cells: Iterable[int], rated: Iterable[int] = ()) -> list[str]:
    """The columns that `summarise` looks at."""
    return [
        SOURCE.of(),
        *(column.of(n) for n in cells for column in (VERDICT, INFERRED)),
        *(SCORE.of(n) for n in rated),
    ]


def summarise(
    parts: Iterable[Part], cells: tuple[int, ...], rated: tuple[int, ...] = ()
) -> Summary:
    """Counts the deals in `parts`.

    Args:
        parts: with the columns `summary_columns`; taken one by one.
        cells: the numbers of cells, rising.
        rated: those that deals are rated for, rising.

    Raises:
        CatalogueError: if a part holds something else, or a deal that is won with some cells and
            lost with more.
    """
    counters: dict[str, _Counter] = {}
    whole = _Counter(cells, rated)
    for part in parts:
        names, source = part.sources()
        verdicts = [part.verdicts(n) for n in cells]
        inferred = [part.inferred(n) for n in cells]
        fewest = _fewest_places(part, cells, verdicts)
        scores = [part.numbers(SCORE, n) for n in rated]
        for i, name in enumerate(names):
            rows = source == i
            if rows.any():
                counter = counters.setdefault(name, _Counter(cells, rated))
                counter.add([v[rows] for v in verdicts], [f[rows] for f in inferred], fewest[rows])
                counter.add_scores([s[rows] for s in scores])
    for counter in counters.values():
        whole.include(counter)
    return Summary(whole.tally(), {name: counter.tally() for name, counter in counters.items()})


class _Counter:
    """Adds up deals of one source, or of several."""

    def __init__(self, cells: tuple[int, ...], rated: tuple[int, ...] = ()) -> None:
        self._cells: Final = cells
        self._rated: Final = rated
        self._words: Final = np.zeros((len(rated), len(LEVELS)), np.int64)
        self._verdicts: Final = np.zeros((len(cells), len(VERDICTS)), np.int64)
        self._inferred: Final = np.zeros(len(cells), np.int64)
        self._fewest: Final = np.zeros(len(cells) + 2, np.int64)

    def add(
        self,
        verdicts: list[npt.NDArray[np.uint8]],
        inferred: list[npt.NDArray[np.bool_]],
        fewest: npt.NDArray[np.int64],
    ) -> None:
        for i, values in enumerate(verdicts):
            self._verdicts[i] += np.bincount(values, minlength=len(VERDICTS))
            self._inferred[i] += np.count_nonzero(inferred[i])
        places, counts = np.unique(fewest, return_counts=True)
        self._fewest[places] += counts

    def add_scores(self, scores: list[npt.NDArray[np.float64]]) -> None:
        for i, values in enumerate(scores):
            places = level_places(values[~np.isnan(values)])
            self._words[i] += np.bincount(places, minlength=len(LEVELS))

    def include(self, other: _Counter) -> None:
        for own, more in zip(self._counts(), other._counts(), strict=True):
            own += more

    def _counts(self) -> tuple[npt.NDArray[np.int64], ...]:
        return self._verdicts, self._inferred, self._fewest, self._words

    def tally(self) -> Tally:
        counts = tuple(
            CellCounts(
                n, int(row[WINNABLE]), int(row[UNWINNABLE]), int(row[UNDECIDED]), int(inferred)
            )
            for n, row, inferred in zip(self._cells, self._verdicts, self._inferred, strict=True)
        )
        *fewest, none, unknown = self._fewest.tolist()
        return Tally(
            int(self._fewest.sum()),
            counts,
            dict(zip(self._cells, fewest, strict=True)),
            none,
            unknown,
            {
                n: dict(zip((word for word, _ in LEVELS), counts, strict=True))
                for n, counts in zip(self._rated, self._words.tolist(), strict=True)
            },
        )


def _fewest_places(
    part: Part, cells: tuple[int, ...], verdicts: list[npt.NDArray[np.uint8]]
) -> npt.NDArray[np.int64]:
    """For each deal the place in `cells` of the fewest that win, len(cells) for none of them, and
    one more if that is not known."""
    is_lost_so_far = np.ones(len(part), np.bool_)
    is_won_so_far = np.zeros(len(part), np.bool_)
    places = np.full(len(part), len(cells) + 1, np.int64)
    for i, values in enumerate(verdicts):
        contradictions = np.flatnonzero(is_won_so_far & (values == UNWINNABLE))
        if contradictions.size:
            raise damaged(
                part.name,
                f"row {contradictions[0]} is won with fewer cells, but not with {cells[i]}",
            )
        places[is_lost_so_far & (values == WINNABLE)] = i
        is_lost_so_far &= values == UNWINNABLE
        is_won_so_far |= values == WINNABLE
    places[is_lost_so_far] = len(cells)
    return places
