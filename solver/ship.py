"""`python -m boulanger.solver.ship FOLDER`: bitcode of all kernels, for a wheel to bring along.

`setup.py` runs this where `BOULANGER_BITCODE` asks for it; see `engine.packed.shipped`. Numba
compiles for a processor without a name, and LLVM then optimises once more, which makes searches
up to a tenth faster. That takes five seconds, but here, where nobody waits for an answer.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from boulanger.engine.packed import native, shipped
from boulanger.engine.packed.code_folder import FLAGS

# Numba then takes the instructions that each processor of a kind has.
_FOR_ANY: Final = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


def ship(folder: Path, prepare: Callable[[], None]) -> int:
    """Writes bitcode of all kernels that `prepare` compiles; how many there are.

    Nothing may be compiled in this process yet, and its environment is changed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in FLAGS:
        os.environ.pop(name, None)
    shipped.write_manifest(folder)
    os.environ |= _FOR_ANY
    num_kernels = 0

    def keep(kernel: Any, arguments: tuple[Any, ...], code: native.ObjectCode) -> None:
        nonlocal num_kernels
        flat = native.flatten(arguments)
        assert flat is not None
        whole = code._replace(data=_optimised(code.data))
        shipped.write(folder, kernel.py_func, flat.types, whole)
        num_kernels += 1

    with tempfile.TemporaryDirectory() as cache:
        os.environ["NUMBA_CACHE_DIR"] = cache  # empty, so that all is compiled
        from boulanger.engine.packed.with_numba import keep_bitcode

        keep_bitcode(keep)
        prepare()
    return num_kernels


def _optimised(bitcode: bytes) -> bytes:
    import llvmlite.binding as llvm

    module = llvm.parse_bitcode(bitcode)
    machine = llvm.Target.from_default_triple().create_target_machine(cpu="generic", jit=True)
    tuning = llvm.create_pipeline_tuning_options(3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    optimised: bytes = module.as_bitcode()
    return optimised


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command."""
    from boulanger.solver.prepare import prepare_all

    (folder,) = sys.argv[1:] if arguments is None else arguments
    num_kernels = ship(Path(folder), prepare_all)
    print(f"bitcode of {num_kernels} kernels in {folder}")
    return 0 if num_kernels else 1


if __name__ == "__main__":
    sys.exit(main())
