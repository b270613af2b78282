"""The folder of a catalogue: what is in it already, and how more is put there.

Every file is written under a temporary name beside its place, flushed to the disk, and renamed. So
whatever stops a run leaves whole files and perhaps one temporary one, which the next run removes.
Only the process that holds the folder's lock writes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from boulanger.engine.errors import CatalogueError
from boulanger.engine.words import quoted
from boulanger.solver.catalogue.manifest import differences, manifest_text
from boulanger.solver.catalogue.schema import (
    MANIFEST_NAME,
    PARTS_NAME,
    REJECTED_NAME,
    VERDICTS,
    part_index,
    part_path,
    part_schema,
    verdict_column,
)
from boulanger.solver.catalogue.sources import BadLine
from boulanger.solver.files import TEMPORARY_SUFFIX, write_whole

Tally = npt.NDArray[np.int64]
"""(cells, 3): how many deals have each of `VERDICTS`."""


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of the catalogue in a folder; None if there is none, or no folder.

    Raises:
        CatalogueError: if it cannot be read, or is no manifest.
    """
    path = folder / MANIFEST_NAME
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        raise CatalogueError(f"{quoted(str(folder))} is a file; a folder expected") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CatalogueError(f"{quoted(str(path))} cannot be read: {reason}") from None
    if not isinstance(manifest, dict) or "format" not in manifest:
        raise CatalogueError(f"{quoted(str(path))} is not the manifest of a catalogue")
    return manifest


def check_folder(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Makes sure that a run with this manifest may write to a folder; nothing is changed.

    Raises:
        CatalogueError: says what differs, or what else is in the folder.
    """
    there = read_manifest(folder)
    if there is not None:
        different = differences(there, manifest)
        if different:
            raise CatalogueError(
                f"{quoted(str(folder))} holds a catalogue that was made otherwise "
                f"({'; '.join(different)}): go on with it as it was begun, or name another folder"
            )
    elif folder.exists():
        strange = [path.name for path in folder.iterdir() if not _is_of_an_unborn_catalogue(path)]
        if strange:
            raise CatalogueError(
                f"{quoted(str(folder))} is no catalogue, and {quoted(min(strange))} is in it; an "
                "empty folder, or the name of a new one, expected"
            )


class Dataset:
    """A catalogue that is being made, locked against other runs while it is open.

    Used as a context manager.

    Attributes:
        folder: where it is.
        manifest: what it is made from.
    """

    def __init__(
        self, folder: Path, manifest: Mapping[str, Any], bad_lines: Sequence[BadLine] = ()
    ) -> None:
        """Makes the folder, or takes up the one that is there.

        Raises:
            CatalogueError: see `check_folder`; or if another run is writing to it.
            OSError: if it cannot be written.
        """
        self.folder = folder
        self.manifest = manifest
        self._parts = folder / PARTS_NAME
        self._parts.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(folder)
        try:
            check_folder(folder, manifest)
            for path in [
                *folder.glob(f"*{TEMPORARY_SUFFIX}"),
                *self._parts.glob(f"*{TEMPORARY_SUFFIX}"),
            ]:
                path.unlink()
            if read_manifest(folder) is None:
                if bad_lines:
                    write_whole(
                        folder / REJECTED_NAME, _rejected_text(bad_lines).encode(), is_durable=True
                    )
                write_whole(
                    folder / MANIFEST_NAME, manifest_text(manifest).encode(), is_durable=True
                )
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the lock back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def finished_parts(self) -> Iterator[tuple[int, Tally]]:
        """The chunks that are done, and their tallies; a part that cannot be read is left out."""
        for path in sorted(self._parts.iterdir()):
            index = part_index(path.name)
            if index is not None and index < self.manifest["num_chunks"]:
                tally = part_tally(path, self.manifest["cells"], self.manifest.get("rated") or ())
                if tally is not None:
                    yield index, tally

    def write_part(self, index: int, data: bytes) -> None:
        """Puts a chunk's Parquet file in its place.

        Raises:
            OSError: if it cannot be written; then nothing is left of it.
        """
        write_whole(part_path(self.folder, index), data, is_durable=True)


def part_tally(path: Path, cells: Sequence[int], rated: Sequence[int] = ()) -> Tally | None:
    """The tally of a part; None if the file is damaged, or has other columns."""
    names = [verdict_column(num_cells) for num_cells in cells]
    try:
        with pq.ParquetFile(path) as file:
            if file.schema_arrow != part_schema(cells, rated):
                return None
            table = file.read(names)
    except (OSError, pa.ArrowException):
        return None
    tally = np.zeros((len(cells), len(VERDICTS)), np.int64)
    for row, name in enumerate(names):
        for counted in table[name].value_counts().to_pylist():
            tally[row, VERDICTS.index(counted["values"])] += counted["counts"]
    return tally


def _is_of_an_unborn_catalogue(path: Path) -> bool:
    """Whether a run that stopped before it wrote its manifest may have left this."""
    if path.name == PARTS_NAME:
        return path.is_dir() and not any(path.iterdir())
    return path.name == REJECTED_NAME or path.name.endswith(TEMPORARY_SUFFIX)


def _lock(folder: Path) -> int | None:
    """Locks a folder until the descriptor is closed or the process ends, however it does.

    Raises:
        CatalogueError: if another process has locked it.
    """
    try:
        import fcntl
    except ImportError:  # not on this system
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise CatalogueError(
            f"another run is writing to {quoted(str(folder))}; wait for its end"
        ) from None
    except OSError:  # a file system without locks
        os.close(descriptor)
        return None
    return descriptor


def _rejected_text(bad_lines: Sequence[BadLine]) -> str:
    return "".join(f"{bad.file}\t{bad.line}\t{bad.text}\t{bad.fault}\n" for bad in bad_lines)
