"""Reads a catalogue, the folder that `boulanger classify` fills, a part at a time.

What is in it stands in `solver.catalogue.schema`. Parts come one by one, so that the size of a
catalogue does not matter. One whose run was stopped can be read as far as it goes. Each part is
held against its digest and against the manifest before anything in it counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boulanger.engine.errors import CatalogueError
from boulanger.solver.catalogue.arrow import pa, pq
from boulanger.solver.catalogue.manifest import (
    Manifest,
    is_base_of,
    is_same_part,
    metadata_of,
    require_manifest,
)
from boulanger.solver.catalogue.schema import (
    INFERRED,
    MANIFEST_NAME,
    PARTS_NAME,
    SOURCE,
    VERDICT,
    VERDICTS,
    Column,
    PartFile,
    digest_of,
    has_columns,
    part_files,
)
from boulanger.solver.result import Verdict

# What the numbers in `Part.verdicts` stand for.
WINNABLE: Final = int(Verdict.WINNABLE)
UNWINNABLE: Final = int(Verdict.UNWINNABLE)
UNDECIDED: Final = int(Verdict.UNDECIDED)

_HOW_TO_MEND: Final = "delete it and run the same `boulanger classify` again"


@dataclass(frozen=True, slots=True)
class Part:
    """The deals of one chunk, as they are read.

    Attributes:
        name: of its file.
        table: the columns that were asked for, of the types that they should have.
    """

    name: str
    table: Any

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def verdicts(self, num_cells: int) -> npt.NDArray[np.uint8]:
        """For each deal the place of its verdict in `VERDICTS`, uint8 (N,).

        Raises:
            CatalogueError: if there is something else in the column.
        """
        values, indices = self._encoded(VERDICT.of(num_cells))
        unknown = [value for value in values if value not in VERDICTS]
        if unknown:
            raise damaged(self.name, f"{unknown[0]!r} is not a verdict")
        places = np.array([VERDICTS.index(value) for value in values], np.uint8)
        return places[indices]

    def inferred(self, num_cells: int) -> npt.NDArray[np.bool_]:
        """For each deal whether the verdict was not searched for, bool (N,)."""
        column = self.table.column(INFERRED.of(num_cells))
        if column.null_count:
            raise damaged(self.name, f"column {INFERRED.of(num_cells)!r} has gaps")
        return np.asarray(column.to_numpy(), np.bool_)

    def numbers(self, column: Column, num_cells: int) -> npt.NDArray[np.float64]:
        """The numbers in a column, float64 (N,); not a number where there is none."""
        values = self.table.column(column.of(num_cells)).cast(pa.float64())
        return np.asarray(values.to_numpy(), np.float64)

    def sources(self) -> tuple[list[str], npt.NDArray[np.int64]]:
        """The names of the sources, and for each deal which of them it is from, int64 (N,).

        Raises:
            CatalogueError: if a deal has none.
        """
        return self._encoded(SOURCE.of())

    def _encoded(self, name: str) -> tuple[list[str], npt.NDArray[np.int64]]:
        """The different texts of a column, and for each row which of them it has."""
        column = self.table.column(name).combine_chunks()
        values = column.dictionary.to_pylist()
        if column.null_count or None in values:
            raise damaged(self.name, f"column {name!r} has gaps")
        return values, np.asarray(column.indices.to_numpy(zero_copy_only=False), np.int64)


class Catalogue:
    """A catalogue that was opened: its manifest, and its parts one after the other.

    Attributes:
        folder: where it is.
        manifest: what it says of itself.
        num_parts: how many of its parts are there; those that have yet to grow do not count, once
            they were seen.

    Args:
        folder: as it was given, for errors too.
        is_verified: whether to read each part whole and hold it against its digest; otherwise
            only the columns that are asked for are read, and damage may go unseen.

    Raises:
        CatalogueError: if there is no catalogue there, or none that this version can read.
    """

    def __init__(self, folder: str | Path, *, is_verified: bool = True) -> None:
        self.folder: Final = Path(folder)
        self.manifest: Final[Manifest] = require_manifest(self.folder)
        self._is_verified: Final = is_verified
        self._files: Final = _files(self.folder, self.manifest)
        self.num_parts = len(self._files)

    @property
    def is_finished(self) -> bool:
        """Whether all parts are there."""
        return self.num_parts == self.manifest.num_chunks

    @property
    def unfinished_note(self) -> str | None:
        """What to say of missing parts, without a full stop; None if all are there."""
        if self.is_finished:
            return None
        return (
            f"the run is unfinished: {self.num_parts:,} of {self.manifest.num_chunks:,} parts; "
            "counts are of these"
        )

    def check_cells(self, num_cells: int) -> None:
        """Makes sure that there are verdicts for this many cells.

        Raises:
            CatalogueError: says which numbers there are.
        """
        if num_cells not in self.manifest.cells:
            there = ", ".join(map(str, self.manifest.cells))
            raise CatalogueError(
                f"{str(self.folder)!r} has no verdicts for {num_cells} cells; it has {there}"
            )

    def check_rated(self, num_cells: int) -> None:
        """Makes sure that deals are rated for this many cells.

        Raises:
            CatalogueError: says for which they are.
        """
        if num_cells not in self.manifest.rated:
            there = ", ".join(map(str, self.manifest.rated)) or "none; `--rate` makes them"
            raise CatalogueError(
                f"{str(self.folder)!r} has no ratings for {num_cells} cells; it has {there}"
            )

    def whole_parts(self) -> Iterator[tuple[int, bytes]]:
        """The bytes of the parts that are there, each with its chunk; all are verified.

        Raises:
            CatalogueError: at a part that is damaged, or is not of this catalogue.
        """
        for index, files in self._files.items():
            expected = self.manifest.about_part(index)
            if self._first_table(files, expected, [SOURCE.of()]) is not None:
                for file in files:
                    data = file.path.read_bytes()
                    if digest_of(data) == file.digest:
                        yield index, data
                        break

    def parts(self, columns: Sequence[str]) -> Iterator[Part]:
        """The parts that are there, in the order of their deals, with some of their columns.

        Parts that have yet to grow, since a run that should do it was stopped, are left out.

        Raises:
            CatalogueError: at a part that is damaged, or is not of this catalogue.
        """
        self.num_parts = len(self._files)
        for index, files in self._files.items():
            expected = self.manifest.about_part(index)
            table = self._first_table(files, expected, columns)
            if table is None:
                self.num_parts -= 1
            else:
                yield Part(str(files[0].path), table)

    @property
    def chunks(self) -> list[int]:
        """The chunks that there are parts of, rising."""
        return list(self._files)

    def part(self, index: int, columns: Sequence[str], condition: Any = None) -> Part | None:
        """The part of a chunk, or only the deals in it that meet an Arrow expression.

        None if the part has yet to grow.

        Raises:
            CatalogueError: if it is damaged, or is not of this catalogue.
        """
        files, expected = self._files[index], self.manifest.about_part(index)
        table = self._first_table(files, expected, columns, condition)
        return None if table is None else Part(str(files[0].path), table)

    def _first_table(
        self,
        files: Sequence[PartFile],
        expected: dict[str, Any],
        columns: Sequence[str],
        condition: Any = None,
    ) -> Any:
        """The table of a chunk; None if its part has yet to grow."""
        is_growing = False
        error: CatalogueError | None = None
        for file in files:
            try:
                table, is_base = self._read(file, expected, columns, condition)
                if not is_base:
                    return table
                is_growing = True
            except CatalogueError as damage:
                error = damage
        if error is not None and not is_growing:
            raise error
        return None

    def _read(
        self, file: PartFile, expected: dict[str, Any], columns: Sequence[str], condition: Any
    ) -> tuple[Any, bool]:
        """The columns of a part, and whether it has yet to grow (then there are none).

        With a condition, only of the deals that meet it.

        Raises:
            CatalogueError: if it is damaged, or is not of this catalogue.
        """
        name = str(file.path)
        try:
            source: Any = file.path
            if self._is_verified:
                data = file.path.read_bytes()
                if digest_of(data) != file.digest:
                    raise damaged(name, "its bytes have another digest than its name says")
                source = pa.BufferReader(data)
            with pq.ParquetFile(source) as parquet:
                about = metadata_of(parquet.schema_arrow) or {}
                if not is_same_part(about, expected):
                    if is_base_of(about, expected):
                        return None, True
                    raise CatalogueError(f"{name!r} is a part of another run; {_HOW_TO_MEND}")
                if not has_columns(parquet.schema_arrow, self.manifest.cells, self.manifest.rated):
                    raise damaged(name, "it has other columns")
                if condition is not None:
                    return pq.read_table(source, columns=list(columns), filters=condition), False
                table = parquet.read(columns=list(columns))
                if not self._is_verified:
                    table.validate(full=True)
        except CatalogueError:
            raise
        except PermissionError as error:
            raise CatalogueError(f"{name!r} cannot be read: {error.strerror}") from None
        except Exception as error:  # whatever damage makes of it: Arrow's, of UTF-8, of an index
            reason = str(error).strip().splitlines()
            raise damaged(name, reason[0].rstrip(".") if reason else "empty") from None
        if len(table) != expected["num_deals"]:
            raise damaged(name, f"it has {len(table):,} deals instead of {expected['num_deals']:,}")
        return table, False


def damaged(part_name: str, reason: str) -> CatalogueError:
    """The error for a part with something wrong in it."""
    return CatalogueError(f"{part_name!r} is damaged ({reason}); {_HOW_TO_MEND}")


def _files(folder: Path, manifest: Manifest) -> dict[int, list[PartFile]]:
    """The parts that are there, in order.

    Raises:
        CatalogueError: if one does not belong there.
    """
    try:
        files = part_files(folder)
    except OSError as error:
        raise CatalogueError(
            f"{str(folder / PARTS_NAME)!r} cannot be read: {error.strerror or error}"
        ) from None
    chunks = manifest.chunks
    for index, (first, *_) in files.items():
        if index not in chunks:
            shard = "" if manifest.shard is None else " of this shard"
            raise CatalogueError(
                f"{str(folder)!r} is damaged: {first.path.name!r} is none of the "
                f"{manifest.spans.num_chunks:,} parts{shard}, counted from 0, that its "
                f"{MANIFEST_NAME} speaks of"
            )
    return files
