"""Machine code of kernels, kept in files and called without Numba.

Numba compiles a kernel to object code, an ELF file that needs nothing but memory once all that the
kernel calls is linked into it. One file holds it, with the name to call; llvmlite, which Numba is
built on and which loads ten times as fast, makes it run; ctypes calls it as Numba's own code would:

    int32 kernel(result *, exception **, argument words ...)

Arguments are flattened to words of 64 bits: a number is one; a tuple is its items; an array is
seven for one dimension (no owner, no parent, items, bytes an item, address, shape, stride).

Whatever is not exactly as it was when a file was made has another name or another folder: kernel
and types of the arguments, and the processor, its features, llvmlite and Python. A file is read
only if its own digest is right. And the code may name nothing from outside but a few functions of
the C library: what cannot be found would end the process.

Object code is kept on Linux only, where it has been tried; elsewhere Numba runs as ever. It comes
from Numba, or from bitcode in a wheel (`engine.packed.shipped`), whose files are made up alike.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import json
import os
import pickle
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np

from boulanger.engine.packed.code_folder import (
    make_folder,
    mark_as_used,
    process_folder,
    version_stamp,
)

_FORMAT: Final = b"boulanger native 1\n"
_DIGEST_BYTES: Final = 32
_LENGTH: Final = struct.Struct("<I")  # of the header, which is JSON

_KNOWN_SYMBOLS: Final = ("memcpy", "memmove", "memset", "memcmp", "bcmp")

_WORD: Final = 1 << 64
_SIGN: Final = 1 << 63
# Numba's status codes for a result and for None; all others are errors.
_RETURNED: Final = 0
_RETURNED_NONE: Final = -2

_C_ORDER: Final = 0x1
_ALIGNED: Final = 0x100
_WRITABLE: Final = 0x400
_ARRAY_FLAGS: Final = _C_ORDER | _ALIGNED | _WRITABLE

_lock: Final = threading.Lock()


class Flat(NamedTuple):
    """Arguments as words, and what must be equal for the same machine code to take them."""

    types: tuple[Any, ...]
    words: list[int]


class ObjectCode(NamedTuple):
    """A kernel compiled for certain types.

    Attributes:
        symbol: its name in `data`.
        signature: the types of its arguments as Numba writes them.
        result: "int64", "uint64", "bool" or "none".
        data: an ELF file, not linked.
    """

    symbol: str
    signature: str
    result: str
    data: bytes


def is_possible() -> bool:
    """Whether this is a system on which object code has been tried."""
    return sys.platform == "linux" and sys.maxsize == _SIGN - 1 and sys.byteorder == "little"


def flatten(arguments: tuple[Any, ...]) -> Flat | None:
    """The words of arguments; None if there is one that only Numba takes."""
    types: list[Any] = []
    words: list[int] = []
    if all(_add(argument, types, words) for argument in arguments):
        return Flat(tuple(types), words)
    return None


def _add(argument: Any, types: list[Any], words: list[int]) -> bool:
    kind = type(argument)
    if kind is np.ndarray:
        flags = argument.flags.num & _ARRAY_FLAGS
        if flags | _WRITABLE != _ARRAY_FLAGS or argument.ndim == 0:
            return False
        types.append((argument.dtype, argument.ndim, flags))
        address = argument.__array_interface__["data"][0]
        words += (0, 0, argument.size, argument.itemsize, address)
        words += argument.shape
        words += argument.strides
        return True
    if kind is np.int64 or kind is np.uint64:
        types.append(kind)
        words.append(int(argument))
        return True
    if kind is int and -_SIGN <= argument < _SIGN:
        types.append(np.int64)
        words.append(argument)
        return True
    if isinstance(argument, tuple) and argument:
        types.append((kind, len(argument)))
        return all(_add(item, types, words) for item in argument)
    return False


class Native:
    """Machine code that can be called; it stays in memory to the end of the process.

    Attributes:
        signature: the types of its arguments as Numba writes them.
    """

    def __init__(self, code: ObjectCode, *, frees_lock: bool) -> None:
        self.signature: Final = code.signature
        self._result = code.result
        self._address, self._owner = _link(code)
        self._make_type = ctypes.CFUNCTYPE if frees_lock else ctypes.PYFUNCTYPE
        self._function: Callable[..., int] | None = None

    def call(self, words: list[int]) -> Any:
        """What the kernel returns; it raises what the kernel raises."""
        function = self._function
        if function is None:
            word_types = [ctypes.c_void_p, ctypes.c_void_p] + [ctypes.c_uint64] * len(words)
            function = self._function = self._make_type(ctypes.c_int32, *word_types)(self._address)
        result, exception = ctypes.c_uint64(0), ctypes.c_void_p()
        status = function(ctypes.addressof(result), ctypes.addressof(exception), *words)
        if status == _RETURNED_NONE:
            return None
        if status != _RETURNED:
            _raise(exception.value, status)
        value = result.value
        if self._result == "int64":
            return value - _WORD if value >= _SIGN else value
        if self._result == "uint64":
            return value
        return bool(value & 0xFF) if self._result == "bool" else None


def load(function: Callable[..., Any], types: tuple[Any, ...], frees_lock: bool) -> Native | None:
    """The machine code of a kernel for such arguments, if a file has it; a damaged one goes.

    Args:
        frees_lock: whether other threads of Python run meanwhile.
    """
    path = _path_of(function, types)
    try:
        content = path.read_bytes()
    except OSError:
        return None
    code = unpacked(content, path.name)
    if code is None or not _is_self_contained(code.data):
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    mark_as_used()
    return Native(code, frees_lock=frees_lock)


def build(code: ObjectCode, frees_lock: bool) -> Native | None:
    """The same from code that has just been made."""
    return Native(code, frees_lock=frees_lock) if _is_self_contained(code.data) else None


def save(function: Callable[..., Any], types: tuple[Any, ...], code: ObjectCode) -> bool:
    """Keeps machine code for later processes; False if it cannot be kept, or must not be."""
    if not _is_self_contained(code.data):
        return False
    path = _path_of(function, types)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        make_folder(path.parent)
        fresh.write_bytes(packed(code, path.name))
        os.replace(fresh, path)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink()
        return False
    return True


def has_file(function: Callable[..., Any]) -> bool:
    """Whether there is machine code of a kernel, for arguments of some types."""
    return any(_folder().glob(f"{stem_of(function)}.*.native"))


def is_known_symbol(name: str) -> bool:
    """Whether a function from outside is one that every process has."""
    return name in _KNOWN_SYMBOLS


def packed(code: ObjectCode, name: str) -> bytes:
    """A file's content: it says which file it is."""
    header = json.dumps([name, code.symbol, code.signature, code.result]).encode()
    content = _LENGTH.pack(len(header)) + header + code.data
    return _FORMAT + hashlib.sha256(content).digest() + content


def unpacked(content: bytes, name: str) -> ObjectCode | None:
    """The code in a file; None if the file is damaged, or was made under another name."""
    start = len(_FORMAT) + _DIGEST_BYTES
    head, content = content[:start], content[start:]
    if head != _FORMAT + hashlib.sha256(content).digest():
        return None
    end = _LENGTH.size + _LENGTH.unpack_from(content)[0]
    made_as, symbol, signature, result = json.loads(content[_LENGTH.size : end])
    return ObjectCode(symbol, signature, result, content[end:]) if made_as == name else None


def _path_of(function: Callable[..., Any], types: tuple[Any, ...]) -> Path:
    return _folder() / f"{name_of(function, types)}.native"


def name_of(function: Callable[..., Any], types: tuple[Any, ...]) -> str:
    """A kernel for such arguments, as file names have it."""
    digest = hashlib.sha256("\n".join(map(_type_text, types)).encode()).hexdigest()[:20]
    return f"{stem_of(function)}.{digest}"


def stem_of(function: Callable[..., Any]) -> str:
    """The beginning of that, for arguments of any types."""
    line = function.__code__.co_firstlineno
    return f"{function.__module__}.{function.__qualname__}-{line}"


def _type_text(entry: Any) -> str:
    """An entry of `Flat.types`, the same in every process."""
    if isinstance(entry, type):
        return entry.__name__
    first, *rest = entry
    name = f"{first.__module__}.{first.__qualname__}" if isinstance(first, type) else first.str
    return " ".join(map(str, (name, *rest)))


@functools.cache
def _folder() -> Path:
    """The folder for this processor and these versions; not created here."""
    machine = host()
    about = (machine.name, machine.features, sys.implementation.cache_tag)
    digest = hashlib.sha256(repr(about).encode() + version_stamp("llvmlite") + _FORMAT)
    return process_folder() / f"native-{digest.hexdigest()[:20]}"


class Host(NamedTuple):
    """The processor that code runs on, as LLVM has it."""

    name: str
    features: str


@functools.cache
def host() -> Host:
    """The processor of this machine; LLVM can make code from then on."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return Host(llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())


def _link(code: ObjectCode) -> tuple[int, Any]:
    """Makes code ready to run: its address, and what holds it in memory.

    Each has an engine of its own, so names in one cannot be taken for those in another.
    """
    import llvmlite.binding as llvm

    with _lock:
        target = llvm.Target.from_default_triple()
        module = llvm.parse_assembly(f'target triple = "{target.triple}"')
        # The engine takes the target machine for its own.
        machine = target.create_target_machine(cpu=host().name, jit=True)
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.add_object_file(llvm.ObjectFileRef.from_data(code.data))
        engine.finalize_object()
        return engine.get_function_address(code.symbol), engine


def _raise(exception: int | None, status: int) -> NoReturn:
    """Raises what a kernel has raised: Numba keeps it pickled, its length in the next word."""
    if exception is not None and status > 0:
        address = ctypes.c_void_p.from_address(exception).value
        length = ctypes.c_int32.from_address(exception + ctypes.sizeof(ctypes.c_void_p)).value
        if address is not None:
            kind, details, _ = pickle.loads(ctypes.string_at(address, length))
            if kind is not None:
                raise kind(*(details or ()))
    raise RuntimeError(f"compiled code ended with status {status}")


def _is_self_contained(data: bytes) -> bool:
    """Whether object code names nothing from outside but what every process has."""
    try:
        return all(name in ("", *_KNOWN_SYMBOLS, _GLOBAL_OFFSETS) for name in _undefined(data))
    except (IndexError, ValueError, struct.error):
        return False


# ELF, as the System V ABI has it (64 bits, little-endian): where a file has what.
_ELF: Final = b"\x7fELF\x02\x01"
_HEADER: Final = struct.Struct("<40xQ10xHHH")  # section headers: offset, bytes each, number, -
_SECTION: Final = struct.Struct("<4xI16xQQI12xQ")  # type, offset, size, link, bytes an entry
_SYMBOL: Final = struct.Struct("<I2xH16x")  # name, section in which it is defined
_SYMBOL_TABLE: Final = 2
_NOWHERE: Final = 0
_GLOBAL_OFFSETS: Final = "_GLOBAL_OFFSET_TABLE_"  # the linker makes it


def _undefined(data: bytes) -> Iterator[str]:
    """The names in an ELF file that it does not define itself.

    Raises:
        ValueError, IndexError, struct.error: if it is not one.
    """
    if not data.startswith(_ELF):
        raise ValueError("no ELF file")
    table, entry_bytes, num_sections, _ = _HEADER.unpack_from(data)
    headers = [_SECTION.unpack_from(data, table + entry_bytes * i) for i in range(num_sections)]
    for kind, start, size, link, symbol_bytes in headers:
        if kind != _SYMBOL_TABLE:
            continue
        names = headers[link][1]
        for at in range(start, start + size, symbol_bytes):
            name, section = _SYMBOL.unpack_from(data, at)
            if section == _NOWHERE:
                end = data.index(b"\0", names + name)
                yield data[names + name : end].decode()
