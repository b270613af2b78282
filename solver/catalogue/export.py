"""Lists of the deals in a catalogue that have the verdicts asked for.

`codes` has a deal a line, as `boulanger solve` takes it: the complete game code, or another name
(`engine.deals.names`). Only the deals of one dealer are listed as game codes, since whoever reads
the list has one dealer for codes. `csv` and `parquet` have that in a column `deal`, then the
columns of the catalogue (`solver.catalogue.schema`), the texts of all columns in full.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from boulanger.engine.deals.codes import format_code
from boulanger.engine.deals.dealers import BK1
from boulanger.engine.deals.names import numbering, spell
from boulanger.engine.errors import BoulangerError, CatalogueError, DealError
from boulanger.solver.catalogue.conditions import Condition
from boulanger.solver.catalogue.reader import Catalogue, Part, damaged
from boulanger.solver.catalogue.schema import (
    CODE,
    NUMBER,
    SOURCE,
    VERDICTS,
    inferred_column,
    nodes_column,
    verdict_column,
)
from boulanger.solver.deals.code_dealer import CodeDealer
from boulanger.solver.files import whole_file

_DEAL: Final = "deal"
_DEAL_COLUMNS: Final = (SOURCE, NUMBER, CODE)
# Short row groups would make a large Parquet file of a rare property slow to read.
_ROWS_A_GROUP: Final = 100_000


class ListFormat(StrEnum):
    """How a list is written."""

    CODES = "codes"
    CSV = "csv"
    PARQUET = "parquet"


class DealList:
    """The deals of a catalogue that meet all conditions, in its order.

    Args:
        catalogue: where they are from.
        conditions: verdicts with numbers of cells that the catalogue has; none for all deals.
        num_cells: what game codes say; one of the catalogue's.
        form: how to write them.
        coded_by: the key of the dealer whose deals are listed as game codes.

    Attributes:
        num_read: deals looked at so far.
        num_listed: deals listed so far.
        has_bare_deals: whether deals were listed whose names do not say how many cells.
        listed_dealers: the keys of the dealers of the deals listed so far.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        conditions: Sequence[Condition],
        num_cells: int,
        form: ListFormat,
        coded_by: str = BK1.name,
    ) -> None:
        for asked in (num_cells, *(condition.num_cells for condition in conditions)):
            catalogue.check_cells(asked)
        self._catalogue: Final = catalogue
        self._conditions: Final = conditions
        self._num_cells: Final = num_cells
        self._form: Final = form
        self._coded_by: Final = coded_by
        self.listed_dealers: Final[set[str]] = set()
        self.num_read = 0
        self.num_listed = 0
        self.has_bare_deals = False

    def texts(self, on_part: Callable[[int], None] | None = None) -> Iterator[str]:
        """The list as text, in pieces of whole lines; for `codes` and `csv`.

        Args:
            on_part: told after each part how many deals were looked at.

        Raises:
            CatalogueError: at a damaged part.
        """
        if self._form == ListFormat.CSV:
            yield ",".join([_DEAL, *self._columns()]) + "\n"
        for table in self._tables(on_part):
            if self._form == ListFormat.CSV:
                yield _csv_text(table)
            else:
                yield "".join(f"{deal}\n" for deal in table.column(_DEAL).to_pylist())

    def write(self, path: Path, on_part: Callable[[int], None] | None = None) -> None:
        """Writes the list to a file, which is there, complete, at the end alone.

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
        waiting: list[pa.Table] = []
        with pq.ParquetWriter(file, self._schema(), compression="zstd") as writer:
            for table in self._tables(on_part):
                waiting.append(table)
                if sum(map(len, waiting)) >= _ROWS_A_GROUP:
                    writer.write_table(pa.concat_tables(waiting))
                    waiting.clear()
            if waiting:
                writer.write_table(pa.concat_tables(waiting))

    def _tables(self, on_part: Callable[[int], None] | None) -> Iterator[pa.Table]:
        """Of each part the deals that fit, with a column `deal` before the others."""
        for part in self._catalogue.parts(self._columns()):
            self.num_read += len(part)
            fitting = _fitting(part, self._conditions)
            self.num_listed += len(fitting)
            if len(fitting):
                deals = self._deal_names(fitting)
                yield self._plain(part.name, fitting.table.add_column(0, _DEAL, deals))
            if on_part is not None:
                on_part(self.num_read)

    def _deal_names(self, part: Part) -> pa.Array:
        """What `boulanger solve` takes for each deal."""
        code_start = format_code(0, self._num_cells).rpartition("-")[0] + "-"
        dealers, indices = part.sources()
        is_coded = np.array([dealer == self._coded_by for dealer in dealers], np.bool_)[indices]
        self.has_bare_deals |= bool((~is_coded).any())
        self.listed_dealers.update(dealers[i] for i in np.unique(indices).tolist())
        around = [
            (code_start, "") if dealer == self._coded_by else _around_number(part, dealer)
            for dealer in dealers
        ]
        code = part.table.column(CODE).combine_chunks().cast(pa.string())
        number = part.table.column(NUMBER).combine_chunks()
        if number.null_count or not pa.types.is_integer(number.type):
            raise damaged(part.name, f"column {NUMBER!r} has something in it that is no number")
        middle = pc.if_else(pa.array(is_coded), code, number.cast(pa.string()))
        if middle.null_count:
            raise damaged(part.name, "the deal of a game code has no code")
        places = pa.array(indices)
        before = pa.array([start for start, _ in around], pa.string()).take(places)
        behind = pa.array([end for _, end in around], pa.string()).take(places)
        return pc.binary_join_element_wise(before, middle, behind, "")

    def _plain(self, part_name: str, table: pa.Table) -> pa.Table:
        """The table with texts instead of numbers in dictionaries, which differ between parts."""
        if self._form == ListFormat.CODES:
            return table
        try:
            return table.cast(self._schema())
        except pa.ArrowException as error:
            raise damaged(part_name, str(error).splitlines()[0]) from None

    def _columns(self) -> list[str]:
        """Those that are needed from the catalogue."""
        if self._form == ListFormat.CODES:
            asked = sorted({condition.num_cells for condition in self._conditions})
            return [*_DEAL_COLUMNS, *map(verdict_column, asked)]
        names = list(_DEAL_COLUMNS)
        for n in self._catalogue.manifest.cells:
            names += [verdict_column(n), nodes_column(n), inferred_column(n)]
        return names

    def _schema(self) -> pa.Schema:
        """Of `csv` and `parquet`."""
        fields = [
            (_DEAL, pa.string()),
            (SOURCE, pa.string()),
            (NUMBER, pa.uint64()),
            (CODE, pa.string()),
        ]
        for n in self._catalogue.manifest.cells:
            fields += [
                (verdict_column(n), pa.string()),
                (nodes_column(n), pa.uint32()),
                (inferred_column(n), pa.bool_()),
            ]
        return pa.schema(fields)


def check_rules(catalogue: Catalogue, dealer: CodeDealer) -> None:
    """Makes sure that a dealer is the one that a catalogue knows by that name.

    Raises:
        CatalogueError: if another rule has the name by now.
    """
    rules = catalogue.manifest.document.get("rules") or {}
    if dealer.key in rules and rules[dealer.key] != dealer.rule_document:
        raise CatalogueError(
            f"the catalogue was dealt by another dealer {dealer.name!r} than the one that has this "
            f"name now; rename that one: `boulanger dealers --rename {dealer.name} NEW`"
        )


def _fitting(part: Part, conditions: Sequence[Condition]) -> Part:
    """The deals of a part that meet all conditions."""
    fits = np.ones(len(part), np.bool_)
    for condition in conditions:
        fits &= part.verdicts(condition.num_cells) == VERDICTS.index(condition.verdict)
    return Part(part.name, part.table.filter(pa.array(fits)))


def _around_number(part: Part, dealer: str) -> tuple[str, str]:
    """What stands before and behind the number of a deal in its name."""
    try:
        numbering(dealer)
    except DealError:
        raise damaged(part.name, f"{dealer!r} is not a dealer") from None
    before, _, behind = spell(dealer, "\0").partition("\0")
    return before, behind


def _csv_text(table: pa.Table) -> str:
    """The rows as comma-separated values; no text in them needs quotes."""
    buffer = pa.BufferOutputStream()
    options = pa_csv.WriteOptions(include_header=False, quoting_style="none")
    pa_csv.write_csv(table, buffer, options)
    return str(buffer.getvalue().to_pybytes().decode())
