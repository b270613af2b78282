"""Writes a file whole: at any moment there is the old one or the new one, never half of it.

The new one is written under another name in the same folder and renamed. That is done only where a
regular file is or where nothing is. A device, a pipe or a terminal is written into, since a rename
would put a file in its place: `--out /dev/null`, run as root, would cost the system its /dev/null.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

TEMPORARY_SUFFIX: Final = ".tmp"
"""Of files that are not complete; their names begin with a dot."""

# Links in these folders stand for open files, such as /dev/stdout and /proc/self/fd/1.
_OPEN_FILES: Final = ("/dev/", "/proc/")
_MAX_LINKS: Final = 40  # as Linux has it; more are a circle
# Windows refuses a rename onto a file that a virus scanner looks at just now.
_NUM_TRIES: Final = 20 if os.name == "nt" else 1
_SECONDS_BETWEEN_TRIES: Final = 0.05


def write_whole(
    path: str | os.PathLike[str], data: bytes, *, is_durable: bool = False, is_new: bool = False
) -> None:
    """Writes `data` to a file, whole or not at all; see `whole_file`."""
    with whole_file(path, is_durable=is_durable, is_new=is_new) as file:
        file.write(data)


@contextlib.contextmanager
def whole_file(
    path: str | os.PathLike[str], *, is_durable: bool = False, is_new: bool = False
) -> Iterator[BinaryIO]:
    """A file to write to, which takes its place when the block ends without an exception.

    A file that is replaced keeps its mode, and its owner as far as that is allowed. A symbolic
    link stays one: its target is replaced.

    Args:
        path: of the file.
        is_durable: whether the data must be on the disk before the file is in its place, so that
            not even a power cut leaves half of it.
        is_new: whether the file must not exist yet.

    Raises:
        OSError: if it cannot be written; then nothing is left of it. FileExistsError if `is_new`
            and it exists.
        ValueError: if `path` is not a path, such as one with a zero byte.
    """
    target = _target(path)
    status = _status(target) if isinstance(target, Path) else None
    if not isinstance(target, Path) or (status is not None and not stat.S_ISREG(status.st_mode)):
        if is_new:
            raise _error(errno.EEXIST, path)
        # At its end, or where this process is in it: others may have written to it before.
        with open(path, "ab") if not isinstance(target, int) else os.fdopen(target, "wb") as file:
            yield file
        return
    if status is not None and not os.access(target, os.W_OK):
        raise _error(errno.EACCES, path)
    temporary = target.with_name(f".boulanger-{secrets.token_hex(8)}{TEMPORARY_SUFFIX}")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            if is_durable:
                os.fsync(file.fileno())
        if status is not None:
            _make_alike(temporary, status)
        if is_new:
            _put_new(temporary, target)
        else:
            _replace(temporary, target)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _error(number: int, path: str | os.PathLike[str]) -> OSError:
    """The exception for an error number, of the class that belongs to it."""
    return OSError(number, os.strerror(number), os.fspath(path))


def _target(path: str | os.PathLike[str]) -> Path | int | None:
    """Where symbolic links lead.

    Returns:
        A path; or a new descriptor of a file that this process has open, such as /dev/stdout; or
        None for one that another process has open.
    """
    name = os.fspath(path)
    is_open_file = False
    for _ in range(_MAX_LINKS):
        if not os.path.islink(name):
            break
        folder, last = os.path.realpath(os.path.dirname(name) or os.curdir), os.path.basename(name)
        if folder in (f"/proc/{os.getpid()}/fd", "/dev/fd") and last.isdigit():
            return os.dup(int(last))
        is_open_file |= os.path.join(folder, "").startswith(_OPEN_FILES)
        name = os.path.join(folder, os.readlink(name))
    return None if is_open_file else Path(name)


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _make_alike(path: Path, status: os.stat_result) -> None:
    """Gives a file the owner and the mode of another one."""
    if hasattr(os, "chown"):
        own = path.stat()
        if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
            with contextlib.suppress(OSError):  # only root may give files away
                os.chown(path, status.st_uid, status.st_gid)
    path.chmod(stat.S_IMODE(status.st_mode))


def _put_new(temporary: Path, target: Path) -> None:
    """Gives a file its name unless that is taken.

    Raises:
        FileExistsError: if it is.
    """
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except (AttributeError, OSError):  # a file system without links
        if os.path.lexists(target):
            raise _error(errno.EEXIST, target) from None
        _replace(temporary, target)


def _replace(temporary: Path, target: Path) -> None:
    for i in range(_NUM_TRIES):
        try:
            os.replace(temporary, target)
            return
        except PermissionError:
            if i == _NUM_TRIES - 1:
                raise
            time.sleep(_SECONDS_BETWEEN_TRIES)
