"""The decorator of every compiled kernel, and where compiled code is kept.

Numba's disk cache notices an edit of the file that defines a kernel, but neither of another file
whose helper or constant was compiled into it, nor of the flags (`NUMBA_BOUNDSCHECK` and others)
that it was compiled with. So each of our kernels has a cache of its own kind: its folder is named
by a digest of all of these, and any change leads to a new, empty folder. It lies in the user's
cache folder (below `NUMBA_CACHE_DIR`, if that is set), and two copies of the same sources share it.
Kernels of other packages, and Numba's settings, are left alone. Nothing is written at import.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import platformdirs
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

_Function = TypeVar("_Function", bound=Callable[..., Any])

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
_FLAGS: Final = (
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


def kernel(function: _Function | None = None, **options: Any) -> Any:
    """Compiles a function with Numba at its first call, cached on disk.

    Used bare (`@kernel`) or with Numba's options (`@kernel(nogil=True)`). No signature is given:
    that would compile at import, before anyone could say so.
    """
    if function is None:
        return functools.partial(kernel, **options)
    compiled = numba.njit(**options)(function)
    if hasattr(compiled, "_cache"):  # a plain function under NUMBA_DISABLE_JIT
        compiled._cache = _KernelCache(function)
    return compiled


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
    return all(
        not hasattr(k, "signatures") or bool(k.signatures) or _has_cache_file(k) for k in kernels
    )


def watch_compiling(show: Callable[[int], None]) -> None:
    """Calls `show` with the number of kernels compiled so far whenever one more is, from now on."""
    event.register("numba:compile", _Watcher(show))


class _Watcher(event.Listener):  # type: ignore[misc]
    """Counts what Numba compiles."""

    def __init__(self, show: Callable[[int], None]) -> None:
        self._show = show
        self._num_done = 0

    def on_start(self, event: Any) -> None:
        """Nothing to count yet."""

    def on_end(self, event: Any) -> None:
        """One more is compiled."""
        self._num_done += 1
        self._show(self._num_done)


def _has_cache_file(compiled: Any) -> bool:
    name = f"{compiled.py_func.__qualname__}-{compiled.py_func.__code__.co_firstlineno}."
    folder = Path(compiled.stats.cache_path)
    module = compiled.py_func.__module__.rpartition(".")[2]
    return any(folder.glob(f"{module}.{name}*.nbc"))


def cache_folder() -> Path:
    """The folder for this version of the sources and these compiler flags; not created here."""
    return _cache_root() / (_FOLDER_PREFIX + _digest())


def _cache_root() -> Path:
    """The folder of our own; whatever else lies beside it belongs to others."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    return Path(given) / "boulanger" if given else platformdirs.user_cache_path("boulanger", False)


def _digest() -> str:
    digest = hashlib.sha256()
    digest.update(numba.__version__.encode())
    flags = [(name, os.environ[name]) for name in _FLAGS if name in os.environ]
    digest.update(repr(flags).encode())
    top = Path(__file__).resolve().parents[2]
    for source in sorted({path for pattern in _SOURCES for path in top.glob(pattern)}):
        name = source.relative_to(top).as_posix()
        digest.update(name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Tells Numba where the machine code of one kernel is kept."""

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._function = function
        self._py_file = source  # the name that Numba's own warnings look for

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Locator:
        return cls(py_func, py_file)

    def get_cache_path(self) -> str:
        return str(_process_folder() / self._function.__module__)

    def get_source_stamp(self) -> str:
        return _process_folder().name

    def get_disambiguator(self) -> str:
        return str(self._function.__code__.co_firstlineno)


class _Storage(CompileResultCacheImpl):  # type: ignore[misc]
    """How Numba turns a compiled function into bytes, kept where `_Locator` says."""

    _locator_classes: Final = [_Locator]


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """The cache of one kernel: a damaged or full one costs time, never an answer."""

    _impl_class = _Storage

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for a signature, or None, which makes Numba compile it."""
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # truncated or damaged files end in errors of any kind
            for damaged in Path(self.cache_path).glob(self._impl.filename_base + ".*"):
                with contextlib.suppress(OSError):
                    damaged.unlink()
            return None
        if found is not None:
            _mark_as_used()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps machine code for later processes, if it can be kept."""
        # Settings of the user's may name locators of their own (NUMBA_CACHE_LOCATOR_CLASSES).
        with contextlib.suppress(OSError):
            if not _process_folder().exists():
                _prune(_process_folder().parent)
            super().save_overload(sig, data)


@functools.cache
def _process_folder() -> Path:
    """`cache_folder()`, settled once: the sources that this process has loaded are read once."""
    return cache_folder()


@functools.cache
def _mark_as_used() -> None:
    """Lets this version's folder be the last to be pruned."""
    with contextlib.suppress(OSError):
        os.utime(_process_folder())


def _prune(root: Path) -> None:
    """Removes the folders of other versions, save the few used last."""
    with contextlib.suppress(OSError):
        folders = sorted(
            (path for path in root.iterdir() if _FOLDER_NAME.fullmatch(path.name)),
            key=lambda path: path.stat().st_mtime,
            reverse=True,
        )
        for stale in folders[_KEPT_FOLDERS - 1 :]:
            shutil.rmtree(stale, ignore_errors=True)
