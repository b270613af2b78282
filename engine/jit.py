"""The decorator of every compiled kernel, and where compiled code is kept.

Numba's disk cache notices an edit of the file that defines a kernel, but neither of another file
whose helper or constant was compiled into it, nor of the flags (`NUMBA_BOUNDSCHECK` and others)
that it was compiled with. So the cache folder is named by a digest of all of these: any change
leads to a new, empty folder and stale code cannot be loaded. It lies in the user's cache folder
(or below `NUMBA_CACHE_DIR`, if that is set), so an install that cannot be written to works too.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import platformdirs

_Function = TypeVar("_Function", bound=Callable[..., Any])

# Folders of other versions that are kept: enough to go back and forth between a checkout, an
# installed version and a bounds-checked run without compiling again.
_KEPT_FOLDERS: Final = 6
_FOLDER_PREFIX: Final = "kernels-"

# Their sources do not go into the digest: nothing there is compiled (a test makes sure).
_FOLDERS_WITHOUT_KERNELS: Final = ("solver/advice/", "solver/catalogue/", "solver/cli/")


def kernel(function: _Function | None = None, **options: Any) -> Any:
    """Compiles a function with Numba at its first call, cached on disk.

    Used bare (`@kernel`) or with Numba's options (`@kernel(nogil=True)`). No signature is given:
    that would compile at import, before anyone could say so.
    """
    decorate = numba.njit(cache=True, **options)
    return decorate if function is None else decorate(function)


def bare_kernel(function: _Function | None = None, **options: Any) -> Any:
    """`kernel` for code that allocates nothing, without Numba's reference counts.

    Numba counts references to every array that a kernel is given, atomically and at each call of
    another one; and a call copies the whole `Layout`. For small kernels that is most of the time.
    Helpers that take much and do little are compiled into their callers besides
    (`forceinline=True`), which takes longer to compile.

    Compiling fails if something is allocated. A `kernel` may call these, and the other way round.
    """
    return kernel(function, _nrt=False, **options)


def is_compiled(*kernels: Any) -> bool:
    """Whether these kernels can run without compiling first.

    A kernel is ready when it has run in this process, or when its cache folder holds machine code
    for it; the latter is a guess from file names, good enough to decide whether to announce.
    """
    return all(bool(k.signatures) or _has_cache_file(k) for k in kernels)


def _has_cache_file(compiled: Any) -> bool:
    name = f"{compiled.py_func.__qualname__}-{compiled.py_func.__code__.co_firstlineno}."
    folder = Path(compiled.stats.cache_path)
    module = compiled.py_func.__module__.rpartition(".")[2]
    return any(folder.glob(f"{module}.{name}*.nbc"))


def cache_folder() -> Path:
    """The folder for this version of the sources and these compiler flags; not created here."""
    root = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("boulanger", False)
    return Path(root) / (_FOLDER_PREFIX + _digest())


def _digest() -> str:
    digest = hashlib.sha256()
    digest.update(numba.__version__.encode())
    flags = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"
    )
    digest.update(repr(flags).encode())
    top = Path(__file__).resolve().parent.parent
    for source in sorted([*top.glob("engine/**/*.py"), *top.glob("solver/**/*.py")]):
        name = source.relative_to(top).as_posix()
        if not name.startswith(_FOLDERS_WITHOUT_KERNELS):
            digest.update(name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


def _prepare() -> None:
    """Points Numba at the cache folder; falls back to a temporary one if it cannot be written."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        # Compiled again in each process: slow, but it works.
        folder = Path(tempfile.mkdtemp(prefix="boulanger-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    numba.config.CACHE_DIR = str(folder)
    _prune(folder.parent)


def _prune(root: Path) -> None:
    """Removes the folders of other versions, save the few used last."""
    with contextlib.suppress(OSError):
        folders = sorted(
            (path for path in root.glob(_FOLDER_PREFIX + "*") if path.is_dir()),
            key=lambda path: path.stat().st_mtime,
            reverse=True,
        )
        for stale in folders[_KEPT_FOLDERS:]:
            shutil.rmtree(stale, ignore_errors=True)


_prepare()
