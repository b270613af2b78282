"""Bitcode of kernels in a wheel, from which llvmlite makes machine code without Numba.

Numba takes ten seconds and more for the kernels, nearly all of it before LLVM makes code. So a
wheel may hold what LLVM then has, optimised, as bitcode (`solver.ship` puts it there): at its first
use on a machine a kernel takes some tenths of a second, too few to be shared out among processes
or announced, and what comes out is kept like any other (`engine.packed.native`).

The bitcode names no processor, and becomes code for the one at hand, with all its instructions.
Searches are as fast as with code that Numba makes for it, or a little faster. Finished code for any
x86-64 would save half a second for `solve` and a second for `rate`, once on each machine, and cost
each search 3 to 15 %; that for newer ones (x86-64-v3) costs less, but would be for them alone.

It is used only where it fits: its sources are those of this installation, LLVM is not older than
the one that wrote it (newer ones read what older ones wrote, as LLVM promises), machine and layout
of data are the same, and none of Numba's settings asks for other code. Everywhere else, on other
systems, in a checkout, or if a file is damaged, Numba compiles as if there were none.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from os import environ
from pathlib import Path
from typing import Any, Final

from boulanger.engine.packed import native
from boulanger.engine.packed.code_folder import FLAGS, sources_digest
from boulanger.engine.packed.native import ObjectCode

FOLDER: Final = Path(__file__).with_name("bitcode")
"""Where it lies; the repository has no such folder."""

_MANIFEST: Final = "manifest.json"
_SUFFIX: Final = ".bitcode"


def has_file(function: Callable[..., Any]) -> bool:
    """Whether there is bitcode of a kernel that fits here, for arguments of some types."""
    stem = native.stem_of(function)
    return _is_fitting() and any(
        _read(path) is not None for path in FOLDER.glob(f"{stem}.*{_SUFFIX}")
    )


def object_code(function: Callable[..., Any], types: tuple[Any, ...]) -> ObjectCode | None:
    """Machine code of a kernel for this processor; None if there is no bitcode that fits."""
    code = _read(_path_in(FOLDER, function, types)) if _is_fitting() else None
    if code is None:
        return None
    import llvmlite.binding as llvm

    host = native.host()
    try:
        module = llvm.parse_bitcode(code.data)
    except RuntimeError:  # what LLVM says of code that it cannot read
        return None
    # Settled as Numba does for code that runs where it is made.
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=host.name, features=host.features, opt=3, codemodel="jitdefault", jit=True
    )
    return code._replace(data=machine.emit_object(module))


def write(
    folder: Path, function: Callable[..., Any], types: tuple[Any, ...], code: ObjectCode
) -> None:
    """Puts bitcode of a kernel into a folder that is to be shipped."""
    path = _path_in(folder, function, types)
    path.write_bytes(native.packed(code, path.name))


def write_manifest(folder: Path) -> None:
    """Says what the bitcode in a folder was made from, and with what."""
    (folder / _MANIFEST).write_text(json.dumps(_about(), indent=1) + "\n", "utf-8")


def _path_in(folder: Path, function: Callable[..., Any], types: tuple[Any, ...]) -> Path:
    return folder / (native.name_of(function, types) + _SUFFIX)


def _read(path: Path) -> ObjectCode | None:
    try:
        return native.unpacked(path.read_bytes(), path.name)
    except OSError:
        return None


@functools.cache
def _is_fitting() -> bool:
    """Whether what lies in the folder can be used in this process."""
    try:
        about = json.loads((FOLDER / _MANIFEST).read_bytes())
    except (OSError, ValueError):
        return False
    if any(name in environ for name in FLAGS):
        return False
    ours = _about()
    return (
        isinstance(about, dict)
        and about.keys() == ours.keys()
        and all(about[name] == ours[name] for name in ("sources", "triple", "layout"))
        and _is_version(about["llvm"])
        and about["llvm"] <= ours["llvm"]
    )


def _is_version(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, int) for part in value)


def _about() -> dict[str, Any]:
    """What must be equal, or for LLVM's version not less, where bitcode is used."""
    import llvmlite.binding as llvm

    native.host()
    target = llvm.Target.from_default_triple()
    return {
        "sources": sources_digest(),
        "llvm": list(llvm.llvm_version_info),
        "triple": target.triple,
        "layout": str(target.create_target_machine(jit=True).target_data),
    }
