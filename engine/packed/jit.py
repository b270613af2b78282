"""The decorator of every compiled kernel.

A kernel is a Python function that Numba compiles. Importing Numba and loading what it has compiled
takes a second, so a `Kernel` does neither until it must: it first looks for machine code that an
earlier process has kept (`engine.packed.native`), and calls that; then for bitcode that came in the
wheel (`engine.packed.shipped`), from which such code is soon made. Numba itself runs what cannot be
kept so (`engine.packed.with_numba`), and everything under `BOULANGER_NATIVE=0`.

Both keep their code in the folder of `engine.packed.code_folder`. Kernels of other packages, and
Numba's settings, are left alone. Nothing is written at import.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from boulanger.engine.packed.native import Native, ObjectCode

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OFF: Final = ("", "0")
_WITHOUT_REFERENCES: Final = "_nrt"


def kernel(function: _Function | None = None, **options: Any) -> Any:
    """Compiles a function with Numba at its first call, cached on disk.

    Used bare (`@kernel`) or with Numba's options (`@kernel(nogil=True)`). No signature is given:
    that would compile at import, before anyone could say so. Under `NUMBA_DISABLE_JIT` the plain
    function comes back.
    """
    if function is None:
        return functools.partial(kernel, **options)
    return function if is_plain() else Kernel(function, options)


def bare_kernel(function: _Function | None = None, **options: Any) -> Any:
    """`kernel` for code that allocates nothing, without Numba's reference counts.

    Numba counts references to every array that a kernel is given, atomically and at each call of
    another one; and a call copies the whole `Layout`. For small kernels that is most of the time.
    Helpers that take much and do little are compiled into their callers
    (`forceinline=True`), which also takes longer to compile. And only these run without Numba.

    Compiling fails if something is allocated. A `kernel` may call these, and the other way round.
    """
    return kernel(function, **{_WITHOUT_REFERENCES: False}, **options)


def is_plain() -> bool:
    """Whether kernels run as plain Python, to be stepped through."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in _OFF


def is_compiled(*kernels: Any) -> bool:
    """Whether these kernels can run without compiling first.

    A kernel is ready when it has run in this process, or when its cache folder holds machine code
    for it, or the wheel bitcode; a guess, for the types of arguments are not known here, but good
    enough to decide whether to announce.
    """
    return all(not isinstance(k, Kernel) or k.is_ready() for k in kernels)


def compile_inner(function: Any, *arguments: Any) -> None:
    """Compiles a kernel as other kernels call it, for arguments like these; it does not run."""
    if isinstance(function, Kernel):
        from boulanger.engine.packed.with_numba import compile_for

        compile_for(function.inner, arguments)


def watch_compiling(show: Callable[[int], None]) -> None:
    """Calls `show` with the number of kernels compiled so far whenever one more is, from now on."""
    from boulanger.engine.packed.with_numba import watch

    watch(show)


class Kernel:
    """A function to be compiled; Numba is imported when it is called or compiled into another.

    Attributes:
        py_func: the function.
        options: Numba's.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func: Final = function
        self.options: Final = options
        # Two locks: whoever compiles this one may not keep from others, who compile something
        # that calls it, what Numba knows it by.
        self._finding: Final = threading.Lock()
        self._making: Final = threading.Lock()
        # By the types of the arguments; None for those that Numba itself must run.
        self._natives: dict[tuple[Any, ...], Native | None] = {}

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if not named and self._may_be_native():
            from boulanger.engine.packed import native

            flat = native.flatten(arguments)
            if flat is not None:
                code = self._natives.get(flat.types, self)
                if code is self:
                    code = self._find_native(flat.types, arguments)
                if code is not None:
                    return code.call(flat.words)  # type: ignore[union-attr]
        return self.dispatcher(*arguments, **named)

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's own object for calls from Python."""
        from boulanger.engine.packed.with_numba import make_dispatcher

        with self._making:
            return make_dispatcher(self)

    @functools.cached_property
    def inner(self) -> Any:
        """Numba's own object for calls from other kernels."""
        from boulanger.engine.packed.with_numba import make_inner

        with self._making:
            return make_inner(self)

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """What Numba asks for when a kernel names this one."""
        from boulanger.engine.packed.with_numba import type_of

        return type_of(self.inner)

    @property
    def signatures(self) -> Sequence[str]:
        """The types of arguments that it has been compiled or loaded for in this process."""
        made = [self.__dict__[name] for name in ("dispatcher", "inner") if name in self.__dict__]
        found = [str(types) for dispatcher in made for types in dispatcher.signatures]
        found += [code.signature for code in self._natives.values() if code is not None]
        return list(dict.fromkeys(found))

    @property
    def stats(self) -> Any:
        """What Numba counts of its calls from Python."""
        return self.dispatcher.stats

    def is_ready(self) -> bool:
        """Whether a call need not compile; see `is_compiled`."""
        if self.signatures:
            return True
        if self._may_be_native():
            from boulanger.engine.packed import native, shipped

            return native.has_file(self.py_func) or shipped.has_file(self.py_func)
        from boulanger.engine.packed.with_numba import has_cache_file

        return has_cache_file(self.dispatcher)

    def _may_be_native(self) -> bool:
        """Whether Numba can be done without; see `engine.packed.native`."""
        return not self.options.get(_WITHOUT_REFERENCES, True) and _is_native_wanted()

    def _find_native(self, types: tuple[Any, ...], arguments: tuple[Any, ...]) -> Native | None:
        """The machine code for arguments like these, loaded, or else made; None if Numba must."""
        from boulanger.engine.packed import native

        with self._finding:
            if types not in self._natives:
                is_free = bool(self.options.get("nogil", False))
                code = native.load(self.py_func, types, is_free)
                if code is None:
                    made = self._make_native(types, arguments)
                    if made is not None and native.save(self.py_func, types, made):
                        code = native.load(self.py_func, types, is_free)
                    elif made is not None:
                        code = native.build(made, is_free)
                self._natives[types] = code
            return self._natives[types]

    def _make_native(self, types: tuple[Any, ...], arguments: tuple[Any, ...]) -> ObjectCode | None:
        from boulanger.engine.packed import shipped

        made = shipped.object_code(self.py_func, types)
        if made is None:
            from boulanger.engine.packed import with_numba

            made = with_numba.object_code(self, arguments)
        return made


@functools.cache
def _is_native_wanted() -> bool:
    """Not where somebody says no, nor where array bounds are checked or code is to be debugged."""
    if os.environ.get("BOULANGER_NATIVE", "1") in _OFF:
        return False
    flags = ("NUMBA_BOUNDSCHECK", "NUMBA_DEBUGINFO", "NUMBA_DEBUG")
    if any(os.environ.get(flag, "0") not in _OFF for flag in flags):
        return False
    from boulanger.engine.packed import native

    return native.is_possible()
