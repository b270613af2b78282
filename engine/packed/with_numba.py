"""Kernels as Numba compiles, keeps and runs them; imported only when Numba is needed.

Numba's disk cache notices an edit of the file that defines a kernel, but neither of another file
whose helper or constant was compiled into it, nor of the flags (`NUMBA_BOUNDSCHECK` and others)
that it was compiled with. So each kernel has a cache of its own kind, in the folder of
`engine.packed.code_folder`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import llvmlite.binding as llvm
import numba
from numba.core import compiler, event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.registry import cpu_target

from boulanger.engine.packed import intrinsics  # noqa: F401  registered before anything is compiled
from boulanger.engine.packed.code_folder import make_folder, mark_as_used, process_folder
from boulanger.engine.packed.native import ObjectCode, is_known_symbol

if TYPE_CHECKING:
    from boulanger.engine.packed.jit import Kernel

# What kernels do without that Python does not call through Numba: a sixth of the time that
# compiling takes.
_NO_WRAPPERS: Final = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_INNER_FOLDER: Final = "inner"
# Results that machine code may have without Numba, by Numba's names for them.
_RESULTS: Final = ("int64", "uint64", "bool", "none")


def make_dispatcher(kernel: Kernel) -> Any:
    """Numba's object for a kernel, for Python to call."""
    dispatcher = numba.njit(**kernel.options)(kernel.py_func)
    if hasattr(dispatcher, "_cache"):  # a plain function if Numba's settings say so
        dispatcher._cache = _KernelCache(kernel.py_func)
    return dispatcher


def make_inner(kernel: Kernel) -> Any:
    """Numba's object for a kernel, to be compiled into others."""
    options = kernel.options | _NO_WRAPPERS
    inner = numba.njit(pipeline_class=_InnerCompiler, **options)(kernel.py_func)
    inner._cache = _InnerCache(kernel.py_func)
    return inner


def type_of(value: Any) -> Any:
    """Numba's type of what a kernel names."""
    return cpu_target.typing_context.resolve_value_type(value)


def has_cache_file(dispatcher: Any) -> bool:
    """Whether there is machine code to be called from Python; a guess from file names."""
    if not hasattr(dispatcher, "stats"):
        return True
    function = dispatcher.py_func
    name = f"{function.__qualname__}-{function.__code__.co_firstlineno}."
    module = function.__module__.rpartition(".")[2]
    return any(Path(dispatcher.stats.cache_path).glob(f"{module}.{name}*.nbc"))


def watch(show: Callable[[int], None]) -> None:
    """See `engine.packed.jit.watch_compiling`."""
    event.register("numba:compile", _Watcher(show))


def compile_for(dispatcher: Any, arguments: tuple[Any, ...]) -> Any:
    """Numba's result of compiling a kernel for arguments like these, or of loading it."""
    types = tuple(numba.typeof(argument) for argument in arguments)
    dispatcher.compile(types)
    return dispatcher.overloads[types]


def object_code(kernel: Kernel, arguments: tuple[Any, ...]) -> ObjectCode | None:
    """Compiles a kernel for arguments like these; its machine code, all that it calls included.

    None if it needs more than memory and processor, or its result is no single word.
    """
    dispatcher = numba.njit(**kernel.options, **_NO_WRAPPERS)(kernel.py_func)
    compiled = compile_for(dispatcher, arguments)
    result = str(compiled.signature.return_type)
    if result not in _RESULTS:
        return None
    symbol, library = compiled.fndesc.llvm_func_name, compiled.library
    code = ObjectCode(symbol, str(compiled.signature.args), result, b"")
    try:
        module = _whole(library, symbol)
        if module is None:
            return None
        for keep in _keepers:
            keep(kernel, arguments, code._replace(data=module.as_bitcode()))
        return code._replace(data=library.codegen._tm.emit_object(module))
    except AttributeError:  # another Numba or llvmlite, which names its insides otherwise
        return None


def keep_bitcode(keep: Callable[[Kernel, tuple[Any, ...], ObjectCode], None]) -> None:
    """Calls `keep` for each kernel whose object code is made from now on.

    It is given the kernel, arguments that it was compiled for, and its optimised bitcode.
    """
    _keepers.append(keep)


_keepers: Final[list[Callable[[Any, tuple[Any, ...], ObjectCode], None]]] = []


def _whole(library: Any, symbol: str) -> Any:
    """LLVM's module with a function of a library and all that it calls; None if that is not all."""
    module = library._get_module_for_linking().clone()
    for function in module.functions:
        if not function.is_declaration:
            is_entry = function.name == symbol
            function.linkage = "external" if is_entry else "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    tuning = llvm.create_pipeline_tuning_options()
    passes.run(module, llvm.create_pass_builder(library.codegen._tm, tuning))
    is_whole = all(_is_bare(f.name) for f in module.functions if f.is_declaration)
    return module if is_whole else None


def _is_bare(name: str) -> bool:
    """Whether a function that machine code calls is there without Numba."""
    return name.startswith("llvm.") or is_known_symbol(name)


class _InnerCompiler(compiler.Compiler):  # type: ignore[misc]
    """Numba's compiler for kernels that are compiled into others, and optimised there.

    Each kernel holds all that it calls. Where every one of them is optimised, the innermost are so
    once for each level above them, which takes a sixth of all the time; and the code gets no
    faster, but a little slower.
    """

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Compiles a function, to LLVM's bitcode alone."""
        library = self.state.targetctx.codegen().create_library(function.__qualname__)
        library._optimize_final_module = lambda: None
        library.serialize_using_object_code = library.serialize_using_bitcode
        self.state.library = library
        return super().compile_extra(function)


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


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Tells Numba where the machine code of one kernel is kept."""

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._function = function
        self._py_file = source  # the name that Numba's own warnings look for

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Locator:
        return cls(py_func, py_file)

    def get_cache_path(self) -> str:
        return str(process_folder() / self._function.__module__)

    def get_source_stamp(self) -> str:
        return process_folder().name

    def get_disambiguator(self) -> str:
        return str(self._function.__code__.co_firstlineno)


class _InnerLocator(_Locator):
    """The same for kernels as other kernels call them: these lie apart."""

    def get_cache_path(self) -> str:
        return str(process_folder() / _INNER_FOLDER / self._function.__module__)


class _Storage(CompileResultCacheImpl):  # type: ignore[misc]
    """How Numba turns a compiled function into bytes, kept where `_Locator` says."""

    _locator_classes: Final = [_Locator]


class _InnerStorage(CompileResultCacheImpl):  # type: ignore[misc]
    """The same, kept where `_InnerLocator` says."""

    _locator_classes: Final = [_InnerLocator]


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
            mark_as_used()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps machine code for later processes, if it can be kept."""
        # Settings of the user's may name locators of their own (NUMBA_CACHE_LOCATOR_CLASSES).
        with contextlib.suppress(OSError):
            make_folder(Path(self.cache_path))
            super().save_overload(sig, data)


class _InnerCache(_KernelCache):
    """The cache of one kernel as other kernels call it."""

    _impl_class = _InnerStorage
