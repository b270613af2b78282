"""Where compiled code is kept, and when it is still good.

The folder is named by a digest of all that can reach compiled code: the sources of every kernel,
the constants that these import, Numba's version and the flags that it compiles with. Any change
leads to a new, empty folder; two copies of the same sources share one. It lies in the user's cache
folder (below `NUMBA_CACHE_DIR`, if that is set). Nothing is written before something is compiled.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import os
import re
import shutil
from pathlib import Path
from typing import Final

# Folders of other versions that are kept: enough to go back and forth between a checkout, an
# installed version and a bounds-checked run without compiling again.
_KEPT_FOLDERS: Final = 6
_FOLDER_PREFIX: Final = "kernels-"
_FOLDER_NAME: Final = re.compile(_FOLDER_PREFIX + "[0-9a-f]{20}")

# What can reach compiled code: the rooms with kernels, and the constants that they import (a test
# makes sure that this is all). An edit elsewhere, of an error text say, compiles nothing again.
_SOURCES: Final = (
    "engine/cards.py",
    "engine/packed/*.py",
    "engine/deals/*.py",
    "solver/limits.py",
    "solver/result.py",
    "solver/spaces.py",
    "solver/verdict/*.py",
    "solver/line/*.py",
    "solver/optimal/*.py",
    "solver/rating/*.py",
    "solver/identify/**/*.py",
)

# Of Numba's settings, those that change what is compiled.
FLAGS: Final = (
    "NUMBA_BOUNDSCHECK",
    "NUMBA_CPU_FEATURES",
    "NUMBA_CPU_NAME",
    "NUMBA_DEBUGINFO",
    "NUMBA_DISABLE_INTEL_SVML",
    "NUMBA_ENABLE_AVX",
    "NUMBA_LOOP_VECTORIZE",
    "NUMBA_OPT",
    "NUMBA_SLP_VECTORIZE",
)


def cache_folder() -> Path:
    """The folder for this version of the sources and these compiler flags; not created here."""
    return _cache_root() / (_FOLDER_PREFIX + _digest())


@functools.cache
def process_folder() -> Path:
    """`cache_folder()`, settled once: the sources that this process has loaded are read once."""
    return cache_folder()


def make_folder(folder: Path) -> None:
    """Makes a folder within that of this process; the first time, folders long unused go.

    Raises:
        OSError: if it cannot be made.
    """
    if not process_folder().exists():
        prune(process_folder().parent)
    folder.mkdir(parents=True, exist_ok=True)


@functools.cache
def mark_as_used() -> None:
    """Lets this version's folder be the last to be pruned."""
    with contextlib.suppress(OSError):
        os.utime(process_folder())


def prune(root: Path) -> None:
    """Removes the folders of other versions, save the few used last."""
    with contextlib.suppress(OSError):
        folders = sorted(
            (path for path in root.iterdir() if _FOLDER_NAME.fullmatch(path.name)),
            key=lambda path: path.stat().st_mtime,
            reverse=True,
        )
        for stale in folders[_KEPT_FOLDERS - 1 :]:
            shutil.rmtree(stale, ignore_errors=True)


def version_stamp(package: str) -> bytes:
    """What tells versions of a package apart, without importing it or reading its metadata."""
    spec = importlib.util.find_spec(package)
    if spec is not None and spec.origin is not None:
        with contextlib.suppress(OSError):
            return Path(spec.origin).with_name("_version.py").read_bytes()
    from importlib.metadata import version

    return version(package).encode()


def _cache_root() -> Path:
    """The folder of our own; whatever else lies beside it belongs to others."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given) / "boulanger"
    import platformdirs

    return platformdirs.user_cache_path("boulanger", False)


def _digest() -> str:
    digest = hashlib.sha256()
    digest.update(version_stamp("numba"))
    flags = [(name, os.environ[name]) for name in FLAGS if name in os.environ]
    digest.update(repr(flags).encode() + sources_digest().encode())
    return digest.hexdigest()[:20]


def sources_digest() -> str:
    """What tells versions of the sources that can reach compiled code apart."""
    digest = hashlib.sha256()
    top = Path(__file__).resolve().parents[2]
    for source in sorted({path for pattern in _SOURCES for path in top.glob(pattern)}):
        name = source.relative_to(top).as_posix()
        digest.update(name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()
