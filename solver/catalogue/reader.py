"""Reads a catalogue, the folder that `boulanger classify` fills, a part at a time.

What is in it stands in `solver.catalogue.schema`. Parts come one by one, so that the size of a
catalogue does not matter. One whose run was stopped can be read as far as it goes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from boulanger.engine.errors import CatalogueError
from boulanger.engine.position import MAX_CELLS
from boulanger.solver.catalogue.schema import (
    FORMAT,
    MANIFEST_NAME,
    PARTS_NAME,
    SOURCE,
    VERDICTS,
    inferred_column,
    part_index,
    score_column,
    verdict_column,
)
from boulanger.solver.result import Verdict

# What the numbers in `Part.verdicts` stand for.
WINNABLE: Final = VERDICTS.index(Verdict.WINNABLE)
UNWINNABLE: Final = VERDICTS.index(Verdict.UNWINNABLE)
UNDECIDED: Final = VERDICTS.index(Verdict.UNDECIDED)

_MAX_MANIFEST_BYTES: Final = 1 << 24
_HOW_TO_MAKE: Final = "`boulanger classify ... --out FOLDER` makes one"
_HOW_TO_MEND: Final = "delete it and run the same `boulanger classify` again"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a catalogue says of itself.

    Attributes:
        sources: which deals, as texts that `boulanger classify` takes.
        cells: the numbers of cells, rising.
        num_deals: in all parts of a finished run.
        num_chunks: parts of a finished run.
        num_rejected: lines of the sources that were no deals.
        max_nodes: the limit of each search; None for no limit.
        rated: the numbers of cells with which winnable deals are rated, rising.
        document: the whole file, versions and commit among others.
    """

    sources: tuple[str, ...]
    cells: tuple[int, ...]
    num_deals: int
    num_chunks: int
    num_rejected: int
    max_nodes: int | None
    rated: tuple[int, ...]
    document: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """The deals of one chunk.

    Attributes:
        name: of its file.
        table: the columns that were asked for.
    """

    name: str
    table: pa.Table

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def verdicts(self, num_cells: int) -> npt.NDArray[np.uint8]:
        """For each deal the place of its verdict in `VERDICTS`, uint8 (N,).

        Raises:
            CatalogueError: if there is something else in the column.
        """
        values, indices = self._encoded(verdict_column(num_cells))
        unknown = [value for value in values if value not in VERDICTS]
        if unknown:
            raise damaged(self.name, f"{unknown[0]!r} is no verdict")
        places = np.array([VERDICTS.index(value) for value in values], np.uint8)
        return places[indices]

    def inferred(self, num_cells: int) -> npt.NDArray[np.bool_]:
        """For each deal whether the verdict was not searched for, bool (N,).

        Raises:
            CatalogueError: if there is something else in the column.
        """
        name = inferred_column(num_cells)
        column = self.table.column(name)
        if not pa.types.is_boolean(column.type) or column.null_count:
            raise damaged(self.name, f"column {name!r} does not hold true and false alone")
        return np.asarray(column.to_numpy(), np.bool_)

    def scores(self, num_cells: int) -> npt.NDArray[np.float64]:
        """For each deal its rating, float64 (N,); not a number where there is none.

        Raises:
            CatalogueError: if there is something else in the column.
        """
        name = score_column(num_cells)
        column = self.table.column(name)
        if not pa.types.is_floating(column.type):
            raise damaged(self.name, f"column {name!r} does not hold scores")
        return np.asarray(column.to_numpy(), np.float64)

    def sources(self) -> tuple[list[str], npt.NDArray[np.int64]]:
        """The names of the sources, and for each deal which of them it is from, int64 (N,).

        Raises:
            CatalogueError: if a deal has none.
        """
        return self._encoded(SOURCE)

    def _encoded(self, name: str) -> tuple[list[str], npt.NDArray[np.int64]]:
        """The different texts of a column, and for each row which of them it has."""
        column = self.table.column(name).combine_chunks()
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        values = column.dictionary.to_pylist()
        if column.null_count or not all(isinstance(value, str) for value in values):
            raise damaged(self.name, f"column {name!r} has something in it that is no text")
        return values, np.asarray(column.indices.to_numpy(zero_copy_only=False), np.int64)


class Catalogue:
    """A catalogue that was opened: its manifest, and its parts one after the other.

    Attributes:
        folder: where it is.
        manifest: what it says of itself.
        num_parts: how many of its parts are there.

    Args:
        folder: as it was given, for errors too.

    Raises:
        CatalogueError: if there is no catalogue there, or none that this version can read.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder: Final = Path(folder)
        self.manifest: Final = _read_manifest(self.folder)
        self._paths: Final = _part_paths(self.folder, self.manifest.num_chunks)
        self.num_parts: Final = len(self._paths)

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
        """Makes sure that there are verdicts for so many cells.

        Raises:
            CatalogueError: says which numbers there are.
        """
        if num_cells not in self.manifest.cells:
            there = ", ".join(map(str, self.manifest.cells))
            raise CatalogueError(
                f"{str(self.folder)!r} has no verdicts for {num_cells} cells; it has {there}"
            )

    def parts(self, columns: Sequence[str]) -> Iterator[Part]:
        """The parts that are there, in the order of their deals, with some of their columns.

        Raises:
            CatalogueError: at a part that cannot be read, or lacks a column; at the end, if the
                parts of a finished run do not hold as many deals as the manifest says.
        """
        num_deals = 0
        for path in self._paths:
            part = _read_part(path, columns)
            num_deals += len(part)
            yield part
        if self.is_finished and num_deals != self.manifest.num_deals:
            raise CatalogueError(
                f"{str(self.folder)!r} is damaged: its parts hold {num_deals:,} deals, its "
                f"{MANIFEST_NAME} says {self.manifest.num_deals:,}"
            )


def damaged(part_name: str, reason: str) -> CatalogueError:
    """The error for a part with something wrong in it."""
    return CatalogueError(f"{part_name!r} is damaged ({reason}); {_HOW_TO_MEND}")


def _read_manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST_NAME
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_MANIFEST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        raise CatalogueError(_why_none(folder)) from None
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise CatalogueError(f"{str(path)!r} cannot be read: {reason}") from None
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise CatalogueError(
            f"{str(path)!r} is not the manifest of a catalogue: a JSON object expected"
        )
    return _manifest_of(document, str(path))


def _why_none(folder: Path) -> str:
    name = repr(str(folder))
    if folder.is_dir():
        return f"{name} is no catalogue: it has no {MANIFEST_NAME}; {_HOW_TO_MAKE}"
    if folder.exists():
        return f"{name} is a file; the folder of a catalogue expected, {_HOW_TO_MAKE}"
    return f"there is no folder {name}; the folder of a catalogue expected, {_HOW_TO_MAKE}"


def _manifest_of(document: dict[str, Any], path: str) -> Manifest:
    written = document.get("format")
    if written != FORMAT or type(written) is not int:
        raise CatalogueError(
            f"{path!r} has the format {written!r}; this version of Boulanger reads {FORMAT}"
        )

    def number(key: str) -> int:
        value = document.get(key)
        if type(value) is not int or value < 0:
            raise CatalogueError(f"{path!r} has {key} {value!r}; a whole number expected")
        return value

    sources, cells = document.get("sources"), document.get("cells")
    if not isinstance(sources, list) or not all(isinstance(text, str) for text in sources):
        raise CatalogueError(f"{path!r} has sources {sources!r}; a list of texts expected")
    is_cells = isinstance(cells, list) and all(type(n) is int for n in cells)
    if not is_cells or not cells or not set(cells) <= set(range(MAX_CELLS + 1)):
        raise CatalogueError(
            f"{path!r} has cells {cells!r}; a list of numbers of cells, 0 to {MAX_CELLS}, expected"
        )
    rated = document.get("rated") or []
    if not isinstance(rated, list) or not all(n in cells for n in rated):
        raise CatalogueError(f"{path!r} has rated {rated!r}; some of its numbers of cells expected")
    max_nodes = None if document.get("max_nodes") is None else number("max_nodes")
    return Manifest(
        tuple(sources),
        tuple(sorted(set(cells))),
        number("num_deals"),
        number("num_chunks"),
        number("num_rejected"),
        max_nodes,
        tuple(sorted(rated)),
        document,
    )


def _part_paths(folder: Path, num_chunks: int) -> list[Path]:
    """The parts that are there, in order; files with other names are left alone."""
    try:
        names = sorted(path.name for path in (folder / PARTS_NAME).iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CatalogueError(
            f"{str(folder / PARTS_NAME)!r} cannot be read: {error.strerror or error}"
        ) from None
    indices = [(part_index(name), name) for name in names]
    numbered = sorted((index, name) for index, name in indices if index is not None)
    if numbered and numbered[-1][0] >= num_chunks:
        raise CatalogueError(
            f"{str(folder)!r} is damaged: it has {numbered[-1][1]!r}, and its {MANIFEST_NAME} says "
            f"that there are {num_chunks:,} parts, counted from 0"
        )
    return [folder / PARTS_NAME / name for _, name in numbered]


def _read_part(path: Path, columns: Sequence[str]) -> Part:
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            there = set(file.schema_arrow.names)
            missing = [name for name in columns if name not in there]
            if not missing:
                return Part(path.name, file.read(columns=list(columns)))
    except PermissionError as error:
        raise CatalogueError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    except (pa.ArrowException, OSError) as error:
        reason = str(error).strip().splitlines()[0].rstrip(".") if str(error).strip() else "empty"
        raise damaged(str(path), reason) from None
    raise damaged(str(path), f"it has no column {missing[0]!r}")
