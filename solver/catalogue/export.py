"""Lists of the deals in a catalogue that have the verdicts and ratings asked for.

`codes` has a deal a line, as `boulanger solve` takes it: the complete game code, or another name
(`engine.deals.names`). Only the deals of one dealer are listed as game codes, since whoever reads
the list has one dealer for codes. `csv` and `parquet` have that in a column `deal`, then all
columns of the catalogue (`solver.catalogue.schema`), texts in full.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boulanger.engine.deals.codes import format_code
from boulanger.engine.deals.dealers import BK1
from boulanger.engine.deals.names import numbering, spell
from boulanger.engine.errors import BoulangerError, CatalogueError, DealError
from boulanger.solver.catalogue.arrow import pa, pa_csv, pc, pq
from boulanger.solver.catalogue.conditions import RATED, Condition, Order, RatingCondition
from boulanger.solver.catalogue.manifest import with_metadata
from boulanger.solver.catalogue.reader import Catalogue, Part, damaged
from boulanger.solver.catalogue.schema import (
    ACTIONS,
    CODE,
    DEAL_COLUMNS,
    NODES,
    NUMBER,
    PLIES,
    SCORE,
    VERDICT,
    Column,
    named_columns,
)
from boulanger.solver.deals.code_dealer import CodeDealer
from boulanger.solver.files import whole_file
from boulanger.solver.rating.model import LEVELS, level_places

_DEAL: Final = "deal"
_ROW: Final = "row"  # where a deal was before it was sorted
_BY_NAME: Final = {"score": SCORE, "plies": PLIES, "actions": ACTIONS, "nodes": NODES}
# Short row groups would make a large Parquet file of a rare property slow to read.
_ROWS_A_GROUP: Final = 100_000


class ListFormat(StrEnum):
    """How a list is written."""

    CODES = "codes"
    CSV = "csv"
    PARQUET = "parquet"


@dataclass(frozen=True, slots=True)
class Query:
    """Which deals are listed.

    Attributes:
        num_cells: what game codes say, and which ratings are meant; one of the catalogue's.
        conditions: verdicts that a deal must have.
        ratings: ratings that it must have.
        order: None for that of the catalogue.
        limit: how many deals at most; None for all.
    """

    num_cells: int
    conditions: tuple[Condition, ...] = ()
    ratings: tuple[RatingCondition, ...] = ()
    order: Order | None = None
    limit: int | None = None


class DealList:
    """The deals of a catalogue that meet all conditions.

    Args:
        catalogue: where they are from.
        query: which, and in which order.
        form: how to write them.
        coded_by: the key of the dealer whose deals are listed as game codes.

    Attributes:
        num_read: deals looked at so far.
        num_listed: deals listed so far.
        has_bare_deals: whether deals were listed whose names do not say how many cells.
        listed_dealers: the keys of the dealers of the deals listed so far.

    Raises:
        CatalogueError: if the catalogue has no such columns.
    """

    def __init__(
        self, catalogue: Catalogue, query: Query, form: ListFormat, coded_by: str = BK1.name
    ) -> None:
        for asked in (query.num_cells, *(c.num_cells for c in query.conditions)):
            catalogue.check_cells(asked)
        if query.ratings or (query.order is not None and query.order.name in RATED):
            catalogue.check_rated(query.num_cells)
        self._catalogue: Final = catalogue
        self._query: Final = query
        self._form: Final = form
        self._coded_by: Final = coded_by
        self.listed_dealers: Final[set[str]] = set()
        manifest = catalogue.manifest
        named = named_columns(manifest.cells, manifest.rated)
        if form == ListFormat.CODES:
            needed = self._needed()
            named = {name: column for name, column in named.items() if name in needed}
        self._named: Final = named
        fields = [(name, column.plain_type) for name, column in self._named.items()]
        self._schema: Final = with_metadata(
            pa.schema([(_DEAL, pa.string()), *fields]), json.dumps(manifest.document)
        )
        self.num_read = 0
        self.num_listed = 0
        self.has_bare_deals = False

    def _needed(self) -> set[str]:
        """The columns that the query looks at."""
        query = self._query
        names = {column.of() for column in DEAL_COLUMNS}
        names |= {VERDICT.of(condition.num_cells) for condition in query.conditions}
        names |= {column_of(condition.name).of(query.num_cells) for condition in query.ratings}
        if query.order is not None:
            names.add(_BY_NAME[query.order.name].of(query.num_cells))
        return names

    def texts(self, on_part: Callable[[int], None] | None = None) -> Iterator[str]:
        """The list as text, in pieces of whole lines; for `codes` and `csv`.

        Args:
            on_part: told after each part how many deals were looked at.

        Raises:
            CatalogueError: at a damaged part.
        """
        if self._form == ListFormat.CSV:
            yield ",".join(self._schema.names) + "\n"
        for table in self._listed(on_part):
            if self._form == ListFormat.CSV:
                yield _csv_text(table)
            else:
                yield "".join(f"{deal}\n" for deal in table.column(_DEAL).to_pylist())

    def write(self, path: Path, on_part: Callable[[int], None] | None = None) -> None:
        """Writes the list to a file, which is there, complete, only at the end.

        Args:
            path: of the file; one that is there is replaced.
            on_part: told after each part how many deals were looked at.

        Raises:
            CatalogueError: at a damaged part.
            BoulangerError: if the file cannot be written.
        """
        if os.path.isdir(path):
            raise BoulangerError(f"{str(path)!r} is a directory; the name of a file expected")
        try:
            with whole_file(path) as file:
                if self._form == ListFormat.PARQUET:
                    self._write_parquet(file, on_part)
                else:
                    for text in self.texts(on_part):
                        file.write(text.encode())
        except (OSError, ValueError) as error:
            if isinstance(error, BoulangerError):
                raise
            reason = getattr(error, "strerror", None) or str(error)
            raise BoulangerError(f"{str(path)!r} cannot be written: {reason}") from None

    def _write_parquet(self, file: Any, on_part: Callable[[int], None] | None) -> None:
        waiting: list[Any] = []
        with pq.ParquetWriter(file, self._schema, compression="zstd") as writer:
            for table in self._listed(on_part):
                waiting.append(table)
                if sum(map(len, waiting)) >= _ROWS_A_GROUP:
                    writer.write_table(pa.concat_tables(waiting))
                    waiting.clear()
            if waiting:
                writer.write_table(pa.concat_tables(waiting))

    def _listed(self, on_part: Callable[[int], None] | None) -> Iterator[Any]:
        """The deals that are listed, in their order, in tables with a column `deal` first."""
        tables = self._tables(on_part)
        order, limit = self._query.order, self._query.limit
        if order is not None:
            listed = [*tables, self._schema.empty_table()]
            tables = iter([sorted_table(listed, order, self._query.num_cells)])
        for table in tables:
            if limit is not None:
                table = table.slice(0, limit - self.num_listed)
            self.num_listed += len(table)
            yield table
            if self.num_listed == limit:
                return

    def _tables(self, on_part: Callable[[int], None] | None) -> Iterator[Any]:
        """Of each part the deals that fit, with a column `deal` before the others."""
        for part in self._catalogue.parts(list(self._named)):
            self.num_read += len(part)
            fits = fitting(part, self._query)
            if len(fits):
                deals = self.deal_names(fits)
                # Texts in full: their numbers in dictionaries differ from part to part.
                yield fits.table.add_column(0, _DEAL, deals).cast(self._schema)
            if on_part is not None:
                on_part(self.num_read)

    def deal_names(self, part: Part) -> Any:
        """What `boulanger solve` takes for each deal."""
        code_start = format_code(0, self._query.num_cells).rpartition("-")[0] + "-"
        dealers, indices = part.sources()
        is_coded = np.array([dealer == self._coded_by for dealer in dealers], np.bool_)[indices]
        self.has_bare_deals |= bool((~is_coded).any())
        self.listed_dealers.update(dealers[i] for i in np.unique(indices).tolist())
        around = [
            (code_start, "") if dealer == self._coded_by else _around_number(part, dealer)
            for dealer in dealers
        ]
        code = part.table.column(CODE.of()).combine_chunks()
        number = part.table.column(NUMBER.of()).combine_chunks()
        middle = pc.if_else(pa.array(is_coded), code, number.cast(pa.string()))
        if middle.null_count:
            raise damaged(part.name, "the deal of a game code has no code")
        places = pa.array(indices)
        before = pa.array([start for start, _ in around], pa.string()).take(places)
        behind = pa.array([end for _, end in around], pa.string()).take(places)
        return pc.binary_join_element_wise(before, middle, behind, "")


def check_rules(catalogue: Catalogue, dealer: CodeDealer) -> None:
    """Makes sure that a dealer is the one that a catalogue knows by that name.

    Raises:
        CatalogueError: if another rule has the name by now.
    """
    rules = catalogue.manifest.rules
    if dealer.key in rules and rules[dealer.key] != dealer.rule_document:
        raise CatalogueError(
            f"the catalogue was dealt by another dealer {dealer.name!r} than the one that has this "
            f"name now; rename that one: `boulanger dealers --rename {dealer.name} NEW`"
        )


def column_of(name: str) -> Column:
    """The column that a condition or an order of this name looks at."""
    return SCORE if name == "difficulty" else _BY_NAME[name]


def fitting(part: Part, query: Query) -> Part:
    """The deals of a part that meet all conditions."""
    fits = np.ones(len(part), np.bool_)
    for condition in query.conditions:
        fits &= part.verdicts(condition.num_cells) == condition.verdict
    for rating in query.ratings:
        fits &= _is_rated_so(part.numbers(column_of(rating.name), query.num_cells), rating)
    return Part(part.name, part.table.filter(pa.array(fits)))


def _is_rated_so(
    values: npt.NDArray[np.float64], condition: RatingCondition
) -> npt.NDArray[np.bool_]:
    """Which numbers meet a condition; none where there is no number."""
    if not condition.word:
        return (values >= condition.low) & (values <= condition.high)
    wanted = [word for word, _ in LEVELS].index(condition.word)
    fits = np.zeros(len(values), np.bool_)
    rated = np.flatnonzero(~np.isnan(values))
    fits[rated] = level_places(values[rated]) == wanted
    return fits


def sorted_table(tables: list[Any], order: Order, num_cells: int) -> Any:
    """One table of all, in order; deals that are alike stay in the order of the catalogue."""
    table = pa.concat_tables(tables)
    rows = table.append_column(_ROW, pa.array(np.arange(len(table))))
    direction = "descending" if order.is_falling else "ascending"
    keys = [(_BY_NAME[order.name].of(num_cells), direction), (_ROW, "ascending")]
    # Deals without a number come last, in either direction.
    return table.take(pc.sort_indices(rows, sort_keys=keys))


def _around_number(part: Part, dealer: str) -> tuple[str, str]:
    """What stands before and behind the number of a deal in its name."""
    try:
        numbering(dealer)
    except DealError:
        raise damaged(part.name, f"{dealer!r} is not a dealer") from None
    before, _, behind = spell(dealer, "\0").partition("\0")
    return before, behind


def _csv_text(table: Any) -> str:
    """The rows as comma-separated values; no text in them needs quotes."""
    buffer = pa.BufferOutputStream()
    options = pa_csv.WriteOptions(include_header=False, quoting_style="none")
    pa_csv.write_csv(table, buffer, options)
    return str(buffer.getvalue().to_pybytes().decode())
