"""The folder of a catalogue: what is in it already, and how more is put there.

Every file is written under a temporary name, flushed to the disk, and renamed. So whatever stops a
run leaves whole files and perhaps one temporary one, which the next run removes. The name of a part
has the digest of its bytes, so what a run has done is told by the folder alone. Only the process
that holds the folder's lock writes, and workers in its name (`solver.catalogue.shared`).
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import filelock
import numpy as np
import numpy.typing as npt

from boulanger.engine.errors import CatalogueError
from boulanger.engine.words import quoted
from boulanger.solver.catalogue.arrow import pa, pq
from boulanger.solver.catalogue.lists import BadLine
from boulanger.solver.catalogue.manifest import (
    Manifest,
    is_base_of,
    is_same_part,
    manifest_bytes,
    metadata_of,
)
from boulanger.solver.catalogue.schema import (
    MANIFEST_NAME,
    PARTS_NAME,
    VERDICT,
    VERDICTS,
    PartFile,
    digest_of,
    has_columns,
    part_files,
    part_name,
)
from boulanger.solver.catalogue.task import WorkersError
from boulanger.solver.files import TEMPORARY_SUFFIX, whole_file, write_whole

if TYPE_CHECKING:
    from boulanger.solver.catalogue.work import WrittenPart

_LOCK_NAME: Final = ".lock"
_REJECTED_SUFFIX: Final = ".rejected.txt"
SECONDS_TO_SEE: Final = 40.0
"""Until what one machine has written must be seen on another.

Linux keeps what it knows of a folder on NFS for 30 seconds or more (acdirmin)."""

_SHORTEST_PAUSE: Final = 0.01  # between two looks; each is twice as long as the one before
_LONGEST_PAUSE: Final = 1.0

Counts = npt.NDArray[np.int64]
"""(cells, 3): how many deals have each of `VERDICTS`."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a folder has of a chunk already.

    Attributes:
        counts: of its part; None if that has to be grown first.
        base: the file of the part that it can be grown from.
    """

    counts: Counts | None
    base: PartFile | None = None


def rejected_path(folder: Path) -> Path:
    """Where bad lines of lists are kept: beside the folder, which holds only Parquet files."""
    return folder.with_name(folder.name + _REJECTED_SUFFIX)


def check_free(folder: Path) -> None:
    """Makes sure that a new catalogue may be made in a folder; nothing is changed.

    Raises:
        CatalogueError: says what else is in the folder.
    """
    if folder.is_dir():
        strange = [path.name for path in folder.iterdir() if not _is_leftover(path)]
        if strange:
            raise CatalogueError(
                f"{quoted(str(folder))} is no catalogue, and {quoted(min(strange))} is in it; an "
                "empty folder, or the name of a new one, expected"
            )


def put_part(
    folder: Path, index: int, data: bytes, check: Callable[[], None] | None = None
) -> PartFile:
    """Puts a chunk's Parquet file into the folder of a catalogue.

    Args:
        folder: of the catalogue.
        index: of the chunk.
        data: the file.
        check: raises an exception if the file must not be put there any more. It is asked while
            there is a temporary file, which a run that begins later removes.

    Raises:
        OSError: if it cannot be written; then nothing is left of it.
    """
    digest = digest_of(data)
    path = folder / PARTS_NAME / part_name(index, digest)
    with whole_file(path, is_durable=True) as file:
        file.write(data)
        if check is not None:
            check()
    return PartFile(path, index, digest)


def seen_in_time(look: Callable[[], None], seconds: float) -> OSError | None:
    """Looks for something that another machine has written, again and again for a while.

    Args:
        look: raises an OSError as long as it is not there.
        seconds: for how long.

    Returns:
        The last error, or None if it is there.
    """
    deadline = time.monotonic() + seconds
    pause = _SHORTEST_PAUSE
    while True:
        try:
            look()
            return None
        except OSError as error:
            if time.monotonic() + pause > deadline:
                return error
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


class Folder:
    """A catalogue that is being made, locked against other runs while it is open.

    Used as a context manager.

    Attributes:
        path: where it is.
        manifest: what it is made from.
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        """Makes the folder, or takes up the one that is there.

        Raises:
            CatalogueError: if another run is writing to it.
            OSError: if it cannot be written.
        """
        self.path: Final = path
        self.manifest: Final = manifest
        self._parts: Final = path / PARTS_NAME
        self._parts.mkdir(parents=True, exist_ok=True)
        self._lock: Final = _lock(path)
        self._files: dict[int, list[PartFile]] = {}

    def begin(self, is_new: bool, bad_lines: Sequence[BadLine] = ()) -> None:
        """Removes what a stopped run left half-written, and writes the manifest.

        Args:
            is_new: whether the manifest, and the bad lines, are others than those there.
            bad_lines: of all lists.
        """
        # First the mark of a run that was killed, if workers shared its folder: whichever of them
        # still saw it has its temporary file among the parts by now.
        for folder in (self.path, self._parts):
            for path in folder.glob(f"*{TEMPORARY_SUFFIX}"):
                path.unlink(missing_ok=True)
        if is_new:
            if bad_lines:
                text = "".join(f"{b.file}\t{b.line}\t{b.text}\t{b.fault}\n" for b in bad_lines)
                write_whole(rejected_path(self.path), text.encode())
            write_whole(self.path / MANIFEST_NAME, manifest_bytes(self.manifest), is_durable=True)

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
            self._lock.release()

    def done(self) -> Iterator[tuple[int, Done]]:
        """The chunks that are done or can be grown; what is damaged is left out."""
        self._files = part_files(self.path)
        chunks = self.manifest.chunks
        for index, files in self._files.items():
            if index in chunks:
                found = [(done, file) for file in files if (done := self._look_at(file))]
                if found:
                    best, kept = min(found, key=lambda pair: pair[0].counts is None)
                    if best.counts is not None:
                        self._remove_others(index, kept.path)
                    yield index, best

    def _look_at(self, file: PartFile) -> Done | None:
        """What a part is good for; None if nothing."""
        try:
            data = file.path.read_bytes()
            if digest_of(data) != file.digest:
                return None
            with pq.ParquetFile(pa.BufferReader(data)) as parquet:
                about = metadata_of(parquet.schema_arrow) or {}
                expected = self.manifest.about_part(file.index)
                if not is_same_part(about, expected):
                    return Done(None, file) if is_base_of(about, expected) else None
                if not has_columns(parquet.schema_arrow, self.manifest.cells, self.manifest.rated):
                    return None
                return Done(_counts(parquet, self.manifest.cells))
        except (OSError, ValueError, pa.ArrowException):
            return None

    def write_part(self, index: int, data: bytes) -> None:
        """Puts a chunk's Parquet file in its place, and removes what it replaces.

        Raises:
            OSError: if it cannot be written; then nothing is left of it.
        """
        self._remove_others(index, put_part(self.path, index, data).path)

    def take_part(self, part: WrittenPart) -> None:
        """Makes sure that a worker has put a part in its place, and removes what it replaces.

        Raises:
            WorkersError: if the part is not there.
        """
        path = self._parts / part_name(part.index, part.digest)

        def look() -> None:
            if (num_bytes := path.stat().st_size) != part.num_bytes:
                raise OSError(f"it has {num_bytes:,} bytes instead of {part.num_bytes:,}")

        fault = seen_in_time(look, SECONDS_TO_SEE)
        if fault is not None:
            raise WorkersError(
                f"the worker on {part.host} has written {path.name!r}, but it is not to be seen in "
                f"{str(self._parts)!r}: {fault.strerror or fault}"
            )
        self._remove_others(part.index, path)

    def _remove_others(self, index: int, kept: Path) -> None:
        """Removes what else there is of a chunk: parts that have grown, or are damaged."""
        for file in self._files.get(index, []):
            if file.path != kept:
                with contextlib.suppress(FileNotFoundError):
                    file.path.unlink()


def _counts(parquet: Any, cells: Sequence[int]) -> Counts:
    """The verdicts in a part."""
    names = [VERDICT.of(n) for n in cells]
    table = parquet.read(names)
    counts = np.zeros((len(cells), len(VERDICTS)), np.int64)
    for row, name in enumerate(names):
        for entry in table[name].value_counts().to_pylist():
            counts[row, VERDICTS.index(entry["values"])] += entry["counts"]
    return counts


def _is_leftover(path: Path) -> bool:
    """Whether a run that stopped before it wrote its manifest may have left this."""
    if path.name == PARTS_NAME:
        return path.is_dir() and not any(path.iterdir())
    return path.name == _LOCK_NAME or path.name.endswith(TEMPORARY_SUFFIX)


def _lock(folder: Path) -> filelock.FileLock | None:
    """Locks a folder until it is released or the process ends, however it does.

    Raises:
        CatalogueError: if another process, or another part of this one, has locked it.
    """
    lock = filelock.FileLock(folder / _LOCK_NAME, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise CatalogueError(
            f"another run is writing to {quoted(str(folder))}; wait for its end"
        ) from None
    except NotImplementedError:  # a file system without locks
        return None
    return lock
