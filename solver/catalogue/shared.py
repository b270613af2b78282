"""A catalogue's folder that a cluster's workers see too: they put their parts there themselves.

As long as the run goes on, an empty file with a name that nobody could guess, the mark, lies in the
folder. A worker that does not find it sees another folder, or none. And one that is still at work
when its run has ended, since a cluster can only drop what it has not begun, no longer finds it and
writes nothing. The mark has the suffix of temporary files, so the next run removes one that was
left by a run that was killed.
"""

from __future__ import annotations

import contextlib
import secrets
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.folder import SECONDS_TO_SEE, put_part, seen_in_time
from boulanger.solver.catalogue.task import Stamp, Task, WorkersError
from boulanger.solver.catalogue.work import MadePart, WrittenPart
from boulanger.solver.files import TEMPORARY_SUFFIX

# Those whose marks this process has seen: if one is gone, its run has ended.
_SEEN: Final[set[SharedFolder]] = set()


@dataclass(frozen=True, slots=True)
class SharedFolder:
    """What a worker has to know of the folder.

    Attributes:
        path: of the folder, from the root; text, which every version of Python reads alike.
        mark: the name of the mark in it.
    """

    path: str
    mark: str

    def check(self) -> None:
        """Makes sure that the run goes on, and that this process sees its folder.

        Raises:
            OSError: if the mark is not there.
        """
        # Opened, since NFS asks its server then, and may say from memory what `stat` wants to know.
        (Path(self.path) / self.mark).open("rb").close()


@contextlib.contextmanager
def open_to_workers(folder: Path) -> Iterator[SharedFolder]:
    """Puts the mark into a catalogue's folder, and takes it away in the end.

    Raises:
        OSError: if the folder cannot be written.
    """
    name = f".boulanger-run-{secrets.token_hex(8)}{TEMPORARY_SUFFIX}"
    mark = folder.absolute() / name
    mark.open("xb").close()
    try:
        yield SharedFolder(str(mark.parent), name)
    finally:
        with contextlib.suppress(OSError):
            mark.unlink(missing_ok=True)


def work_into(
    folder: SharedFolder,
    work: Callable[[Chunk, Task, Stamp], MadePart],
    chunk: Chunk,
    task: Task,
    stamp: Stamp,
) -> WrittenPart:
    """Makes the part of a chunk, by `work`, and puts it into the folder.

    A part that is there already, since another worker made it too, is replaced by the same bytes.

    Raises:
        WorkersError: if this process does not see the folder, cannot write there, or is of another
            version.
    """
    fault = seen_in_time(folder.check, 0.0 if folder in _SEEN else SECONDS_TO_SEE)
    if fault is not None:
        raise WorkersError(
            f"it does not see the folder {folder.path!r} of this run, which --shared-folder "
            f"asks of every worker: {fault.strerror or fault}"
        )
    _SEEN.add(folder)
    part = work(chunk, task, stamp)
    try:
        file = put_part(Path(folder.path), chunk.index, part.data, folder.check)
    except OSError as error:
        raise WorkersError(
            f"it cannot write into {folder.path!r}: {error.strerror or error}"
        ) from None
    return WrittenPart(
        chunk.index, file.digest, len(part.data), socket.gethostname(), part.counts, part.stamp
    )
