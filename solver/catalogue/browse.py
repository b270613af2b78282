"""A catalogue a page of deals at a time, the conditions pushed down to the files.

Only the columns that are shown or asked about are read, and of these only the row groups that may
hold a deal that fits. Parts are not held against their digests, which would read them whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from boulanger.engine.deals.dealers import BK1
from boulanger.solver.catalogue.arrow import pa, pc
from boulanger.solver.catalogue.conditions import Order
from boulanger.solver.catalogue.export import (
    DealList,
    ListFormat,
    Query,
    column_of,
    fitting,
    sorted_table,
)
from boulanger.solver.catalogue.reader import Catalogue, Part
from boulanger.solver.catalogue.schema import (
    ACTIONS,
    DEAL_COLUMNS,
    NODES,
    NUMBER,
    PLIES,
    SCORE,
    SOURCE,
    VERDICT,
)
from boulanger.solver.rating.model import LEVELS

MAX_SORTED: Final = 1_000
"""So many of a sorted list can be looked through; more would be no list to look through."""

NUM_BINS: Final = 20
_HIGHEST: Final = 100.0
_DEAL: Final = "deal"

Place = tuple[int, int]
"""Where a page ends: a chunk, and how many of its deals that fit were shown."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some deals of a catalogue.

    Attributes:
        deals: {deal, source, number, cells}: the name, and for each number of cells {cells,
            verdict, nodes}, with {score, plies, actions} where deals are rated.
        next: where the next page begins; None after the last one.
        num_read: deals that were looked at for this page.
    """

    deals: list[dict[str, Any]]
    next: Place | None
    num_read: int


class Browser:
    """The deals of one catalogue that one query asks for.

    Args:
        catalogue: opened without verifying its parts.
        query: which deals; its limit is not looked at.
        coded_by: the key of the dealer whose deals are named by their codes.

    Raises:
        CatalogueError: if the catalogue has no such columns.
    """

    def __init__(self, catalogue: Catalogue, query: Query, coded_by: str = BK1.name) -> None:
        self._catalogue: Final = catalogue
        self._query: Final = query
        self._names: Final = DealList(catalogue, query, ListFormat.CODES, coded_by)
        manifest = catalogue.manifest
        self._columns: Final = [
            *(column.of() for column in DEAL_COLUMNS),
            *(column.of(n) for n in manifest.cells for column in (VERDICT, NODES)),
            *(column.of(n) for n in manifest.rated for column in (SCORE, PLIES, ACTIONS)),
        ]

    def page(self, after: Place, count: int, is_over: Callable[[], bool]) -> Page:
        """The deals from a place on, in the order of the catalogue.

        Args:
            after: where the page before ended; (0, 0) at the beginning.
            count: deals at most.
            is_over: whether to stop with what there is, asked after each part.
        """
        deals: list[dict[str, Any]] = []
        num_read = 0
        for index in self._catalogue.chunks:
            first, num_shown = after
            if index < first:
                continue
            if len(deals) == count or (num_read and is_over()):
                return Page(deals, (index, 0), num_read)
            table, num_deals = self._fitting(index, self._filter())
            num_read += num_deals
            skipped = num_shown if index == first else 0
            wanted = table.slice(skipped, count - len(deals))
            deals += self._rows(wanted)
            if skipped + len(wanted) < len(table):
                return Page(deals, (index, skipped + len(wanted)), num_read)
        return Page(deals, None, num_read)

    def first(self, order: Order, on_part: Callable[[int], object]) -> list[dict[str, Any]]:
        """The first deals in an order, at most `MAX_SORTED`.

        Args:
            order: by what.
            on_part: told after each part how many deals were looked at.
        """
        column = column_of(order.name).of(self._query.num_cells)
        best: Any = None
        num_read = 0
        for index in self._catalogue.chunks:
            condition = _both(self._filter(), pc.field(column).is_valid())
            if best is not None and len(best) == MAX_SORTED:
                last = best.column(column)[MAX_SORTED - 1].as_py()
                bound = pc.field(column) > last if order.is_falling else pc.field(column) < last
                condition = _both(condition, bound)
            table, num_deals = self._fitting(index, condition)
            num_read += num_deals
            if len(table):
                both = [table] if best is None else [best, table]
                best = sorted_table(both, order, self._query.num_cells).slice(0, MAX_SORTED)
            on_part(num_read)
        return [] if best is None else self._rows(best)

    def _fitting(self, index: int, condition: Any) -> tuple[Any, int]:
        """The deals of a part that fit, with their names, texts in full; and how many it has."""
        part = self._catalogue.part(index, self._columns, condition)
        if part is None:
            return pa.table({}), 0
        fits = fitting(part, self._query)
        table = fits.table.append_column(_DEAL, self._names.deal_names(fits))
        for place, field in enumerate(table.schema):
            if pa.types.is_dictionary(field.type):
                plain = table.column(place).cast(field.type.value_type)
                table = table.set_column(place, field.name, plain)
        return table, self._catalogue.manifest.about_part(index)["num_deals"]

    def _filter(self) -> Any:
        """What the files are asked for; `fitting` looks closer."""
        query = self._query
        condition: Any = None
        for verdict in query.conditions:
            name = VERDICT.of(verdict.num_cells)
            condition = _both(condition, pc.field(name) == verdict.verdict.word)
        for rating in query.ratings:
            field = pc.field(column_of(rating.name).of(query.num_cells))
            low, high = rating.low, rating.high
            if rating.word:
                words = [word for word, _ in LEVELS]
                ends = [0.0, *(end for _, end in LEVELS)]
                low, high = ends[words.index(rating.word)], ends[words.index(rating.word) + 1]
            condition = _both(condition, (field >= low) & (field <= high))
        return condition

    def _rows(self, table: Any) -> list[dict[str, Any]]:
        manifest = self._catalogue.manifest
        return [
            {
                "deal": row[_DEAL],
                "source": row[SOURCE.of()],
                "number": row[NUMBER.of()],
                "cells": [_cell_row(row, n, n in manifest.rated) for n in manifest.cells],
            }
            for row in table.to_pylist()
        ]


def score_bins(catalogue: Catalogue, on_part: Callable[[int], object]) -> list[dict[str, Any]]:
    """How the scores are spread: {cells, bins}, of 0 to 100 in equal steps."""
    rated = catalogue.manifest.rated
    counts = {n: np.zeros(NUM_BINS, np.int64) for n in rated}
    if rated:
        num_read = 0
        for part in catalogue.parts([SCORE.of(n) for n in rated]):
            for n in rated:
                values = part.numbers(SCORE, n)
                binned = np.histogram(values[~np.isnan(values)], NUM_BINS, (0.0, _HIGHEST))[0]
                counts[n] += binned
            num_read += len(part)
            on_part(num_read)
    return [{"cells": n, "bins": counts[n].tolist()} for n in rated]


def counted_parts(parts: Iterator[Part], on_part: Callable[[int], object]) -> Iterator[Part]:
    """The same parts; `on_part` is told how many deals went by."""
    num_read = 0
    for part in parts:
        yield part
        num_read += len(part)
        on_part(num_read)


def _both(condition: Any, other: Any) -> Any:
    return other if condition is None else condition & other


def _cell_row(row: dict[str, Any], num_cells: int, is_rated: bool) -> dict[str, Any]:
    shown = {
        "cells": num_cells,
        "verdict": row[VERDICT.of(num_cells)],
        "nodes": row[NODES.of(num_cells)],
    }
    if is_rated:
        score = row[SCORE.of(num_cells)]
        shown |= {
            "score": None if score is None else round(score, 1),
            "plies": row[PLIES.of(num_cells)],
            "actions": row[ACTIONS.of(num_cells)],
        }
    return shown
