"""The question about catalogues: which there are, their counts, and a page of deals at a time."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boulanger.solver.catalogue.conditions import (
    Condition,
    RatingCondition,
    joined,
    parse_any_condition,
    parse_order,
)
from boulanger.solver.deals.code_dealer import code_dealer
from boulanger.solver.web.errors import RequestError

if TYPE_CHECKING:
    from boulanger.solver.catalogue.export import Query
    from boulanger.solver.catalogue.manifest import SourceName
    from boulanger.solver.catalogue.reader import Catalogue
    from boulanger.solver.web.lanes import Job
    from boulanger.solver.web.questions import Answer, Shared, Values

_DEFAULT_COUNT: Final = 50
_MAX_COUNT: Final = 200
_PAGE_SECONDS: Final = 1.0
"""A page comes back after about so long, with what was found by then."""

_MAX_PAGE_SECONDS: Final = 10.0
_MAX_KEPT: Final = 32


class OpenCatalogues:
    """The catalogues named when the server was started, by their places.

    Raises:
        CatalogueError: if one of the folders holds no catalogue.
    """

    def __init__(self, folders: Sequence[str] = ()) -> None:
        self._folders: Final = [Path(folder) for folder in folders]
        self._lock: Final = threading.Lock()
        self._kept: Final[OrderedDict[Any, Any]] = OrderedDict()
        for index in range(len(self._folders)):
            self.open(index)

    def __len__(self) -> int:
        return len(self._folders)

    def name(self, index: int) -> str:
        """What to call a catalogue: its folder, without where that is."""
        return self._folders[index].resolve().name

    def open(self, index: int) -> Catalogue:
        """A catalogue as it is now: a run may be adding to it."""
        from boulanger.solver.catalogue.reader import Catalogue

        if not 0 <= index < len(self._folders):
            raise RequestError("web.no_catalogue", index=index, number=len(self._folders))
        return Catalogue(self._folders[index], is_verified=False)

    def keep(self, key: Any, make: Callable[[], Any]) -> Any:
        """What `make` makes, made once for each key; the oldest are forgotten."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > _MAX_KEPT:
                self._kept.popitem(last=False)
        return made


def catalogue(shared: Shared, values: Values, job: Job) -> Answer:
    """Which catalogues there are; the counts of one; or some of its deals."""
    index = values.get("catalogue")
    if index is None:
        return {
            "catalogues": [
                _heading(shared.catalogues, number) for number in range(len(shared.catalogues))
            ]
        }
    opened = shared.catalogues.open(index)
    if values.get("summary"):
        key = ("summary", index, len(opened.chunks), opened.manifest.num_deals)
        return shared.catalogues.keep(key, lambda: _summary(shared.catalogues, index, opened, job))  # type: ignore[no-any-return]
    return _page(shared.catalogues, index, opened, values, job)


def _heading(catalogues: OpenCatalogues, index: int) -> dict[str, Any]:
    opened = catalogues.open(index)
    manifest = opened.manifest
    return {
        "catalogue": index,
        "name": catalogues.name(index),
        "deals": manifest.num_deals,
        "cells": list(manifest.cells),
        "rated": list(manifest.rated),
        "sources": [_source_text(source) for source in manifest.sources],
        "finished": opened.is_finished,
    }


def _source_text(source: SourceName) -> str:
    """A source as it was named; of a list, without where that is."""
    return source.text if source.digest is None else Path(source.text).name


def _summary(catalogues: OpenCatalogues, index: int, opened: Catalogue, job: Job) -> Answer:
    """What `summary --json` says, and how the scores are spread."""
    from boulanger.solver.answers.catalogue import summary_json
    from boulanger.solver.catalogue.browse import counted_parts, score_bins
    from boulanger.solver.catalogue.summary import summarise, summary_columns

    manifest = opened.manifest
    tell = _teller(job, manifest.num_deals)
    columns = summary_columns(manifest.cells, manifest.rated)
    parts = counted_parts(opened.parts(columns), tell)
    counted = summarise(parts, manifest.cells, manifest.rated)
    summary = summary_json(catalogues.name(index), opened, counted)
    del summary["manifest"]  # it has the names of files
    return {
        **_heading(catalogues, index),
        "summary": summary,
        "scores": score_bins(opened, tell),
    }


def _page(
    catalogues: OpenCatalogues, index: int, opened: Catalogue, values: Values, job: Job
) -> Answer:
    from boulanger.solver.catalogue.browse import MAX_SORTED, Browser

    coded_by = code_dealer(values.get("dealer")).key
    query = _query(opened, values)
    browser = Browser(opened, query, coded_by)
    count = min(values.get("count", _DEFAULT_COUNT), _MAX_COUNT)
    after = values.get("after", (0, 0))
    answer = {"catalogue": index, "cells": query.num_cells}
    if query.order is not None:
        order = query.order
        tell = _teller(job, opened.manifest.num_deals)
        key = ("sorted", index, len(opened.chunks), opened.manifest.num_deals, query, coded_by)
        deals = catalogues.keep(key, lambda: browser.first(order, tell))
        end = after[1] + count
        following = [0, end] if end < min(len(deals), MAX_SORTED) else None
        return {
            **answer,
            "deals": deals[after[1] : end],
            "next": following,
            "read": opened.manifest.num_deals,
        }
    seconds: float = min(values.get("max_seconds", _PAGE_SECONDS), _MAX_PAGE_SECONDS)
    ends = time.monotonic() + seconds

    def is_over() -> bool:
        job.go_on()
        return time.monotonic() > ends

    page = browser.page(after, count, is_over)
    following = None if page.next is None else list(page.next)
    return {**answer, "deals": page.deals, "next": following, "read": page.num_read}


def _query(opened: Catalogue, values: Values) -> Query:
    from boulanger.solver.catalogue.export import Query

    asked = [parse_any_condition(text) for text in values.get("where", ())]
    conditions = joined(c for c in asked if isinstance(c, Condition))
    ratings = tuple(c for c in asked if isinstance(c, RatingCondition))
    order = parse_order(values["sort"]) if "sort" in values else None
    manifest = opened.manifest
    usual = conditions[0].num_cells if conditions else manifest.cells[-1]
    if (ratings or order is not None) and manifest.rated and usual not in manifest.rated:
        usual = manifest.rated[-1]
    num_cells = values.get("cells", usual)
    return Query(num_cells, conditions, ratings, order)


def _teller(job: Job, num_deals: int) -> Callable[[int], None]:
    return lambda num_read: job.tell({"read": num_read, "deals": num_deals})
