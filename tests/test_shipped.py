"""Bitcode in a wheel: used without Numba where it fits, and Numba where there is a doubt."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from boulanger.engine.packed import native
from tests.test_native import QUESTIONS, run_python

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(not native.is_possible(), reason="object code is kept on Linux alone"),
]

_SHIP = """
import sys
from pathlib import Path
import numpy as np
from boulanger.solver.prepare import prepare_all
from boulanger.solver.ship import ship
from tests import tiny_kernel

def prepare():
    tiny_kernel.read_bare(np.arange(4), np.int64(3))
    tiny_kernel.divide(np.arange(4), np.int64(3))

print(ship(Path({folder!r}), {prepare}))
"""

_USE = """
import sys
from pathlib import Path
import numpy as np
from boulanger.engine.packed import jit, shipped
from tests.tiny_kernel import divide, read_bare

shipped.FOLDER = Path({folder!r})
"""
_READ = _USE + "print(read_bare(np.arange(4), np.int64(3)), 'numba' in sys.modules)"
_WITHOUT, _WITH = ["3", "False"], ["3", "True"]


def _shipped(folder: Path, prepare: str, num_kernels: int) -> Path:
    made = run_python(_SHIP.format(folder=str(folder), prepare=prepare), BOULANGER_NATIVE="1")
    assert made.stdout.strip() == str(num_kernels), made.stderr
    return folder


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with bitcode of two small kernels."""
    return _shipped(tmp_path_factory.mktemp("wheel") / "bitcode", "prepare", 2)


@pytest.fixture
def folder(tiny: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(tiny, tmp_path / "bitcode"))


def _run(code: str, folder: Path, cache: Path, **flags: str) -> subprocess.CompletedProcess[str]:
    flags = {"BOULANGER_NATIVE": "1", "NUMBA_CACHE_DIR": str(cache)} | flags
    return run_python(code.format(folder=str(folder)), **flags)


def test_numba_is_not_needed_and_the_code_is_kept(tiny: Path, tmp_path: Path) -> None:
    ready = _USE + "print(jit.is_compiled(read_bare))"
    assert _run(ready, tiny, tmp_path).stdout.split() == ["True"]
    assert _run(_READ, tiny, tmp_path).stdout.split() == _WITHOUT
    (kept,) = tmp_path.rglob("*.native")
    before = kept.stat().st_mtime_ns
    assert _run(_READ, tmp_path / "nothing", tmp_path).stdout.split() == _WITHOUT
    assert kept.stat().st_mtime_ns == before


def test_other_arguments_are_left_to_numba(tiny: Path, tmp_path: Path) -> None:
    other = _READ.replace("np.arange(4)", "np.arange(4, dtype=np.uint8)")
    assert _run(other, tiny, tmp_path).stdout.split() == _WITH


def test_a_folder_that_cannot_be_written_costs_no_numba(tiny: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert _run(_READ, tiny, blocked).stdout.split() == _WITHOUT


def test_errors_of_kernels_come_out(tiny: Path, tmp_path: Path) -> None:
    code = _USE + "print(divide(np.array([7]), np.int64(-2)), 'numba' in sys.modules, flush=True)\n"
    ended = _run(code + "divide(np.array([7]), np.int64(0))", tiny, tmp_path)
    assert ended.stdout.split() == ["-4", "False"]
    assert ended.stderr.splitlines()[-1].startswith("ZeroDivisionError")


def _file_of(folder: Path, kernel: str) -> Path:
    (path,) = folder.glob(f"*.{kernel}-*.bitcode")
    return path


def _cut_short(folder: Path) -> None:
    path = _file_of(folder, "read_bare")
    path.write_bytes(path.read_bytes()[:-100])


def _flip_a_bit(folder: Path) -> None:
    path = _file_of(folder, "read_bare")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _swap(folder: Path) -> None:
    shutil.copy(_file_of(folder, "divide"), _file_of(folder, "read_bare"))


def _put_no_bitcode(folder: Path) -> None:
    path = _file_of(folder, "read_bare")
    code = native.unpacked(path.read_bytes(), path.name)
    assert code is not None
    path.write_bytes(native.packed(code._replace(data=code.data[: len(code.data) // 2]), path.name))


def _take_away(folder: Path) -> None:
    _file_of(folder, "read_bare").unlink()


def _manifest(text: str) -> Callable[[Path], None]:
    return lambda folder: (folder / "manifest.json").write_text(text) and None


def _about(**values: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / "manifest.json"
        about = json.loads(path.read_text())
        assert about.keys() >= values.keys()
        path.write_text(json.dumps(about | values))

    return change


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(_cut_short, id="cut short"),
        pytest.param(_flip_a_bit, id="a bit"),
        pytest.param(_swap, id="another kernel's"),
        pytest.param(_put_no_bitcode, id="no bitcode"),
        pytest.param(_take_away, id="missing"),
        pytest.param(_manifest("{"), id="manifest cut short"),
        pytest.param(_manifest("[]"), id="no manifest"),
        pytest.param(_about(sources="0" * 64), id="other sources"),
        pytest.param(_about(triple="aarch64-unknown-linux-gnu"), id="another machine"),
        pytest.param(_about(layout="e-m:o"), id="another layout"),
        pytest.param(_about(llvm=[999, 0, 0]), id="a newer LLVM"),
        pytest.param(_about(llvm=None), id="no LLVM"),
    ],
)
def test_what_does_not_fit_is_left_to_numba(
    folder: Path, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    change(folder)
    ended = _run(_READ, folder, tmp_path)
    assert ended.stdout.split() == _WITH, ended.stderr
    # And kept as ever.
    assert _run(_READ, folder, tmp_path).stdout.split() == _WITHOUT


def test_an_older_llvm_may_have_written_it(folder: Path, tmp_path: Path) -> None:
    _about(llvm=[1, 0, 0])(folder)
    assert _run(_READ, folder, tmp_path).stdout.split() == _WITHOUT


@pytest.mark.parametrize(
    "flags", [{"BOULANGER_NATIVE": "0"}, {"NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_OPT": "2"}], ids=str
)
def test_settings_are_left_to_numba(tiny: Path, tmp_path: Path, flags: dict[str, str]) -> None:
    assert _run(_READ, tiny, tmp_path, **flags).stdout.split() == _WITH


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.timeout(600)
def test_the_answers_are_those_of_numba(tmp_path: Path) -> None:
    folder = tmp_path / "bitcode"
    made = run_python(_SHIP.format(folder=str(folder), prepare="prepare_all"), BOULANGER_NATIVE="1")
    assert int(made.stdout) > 5, made.stderr
    ours = _run(_USE + QUESTIONS, folder, tmp_path / "cache")
    assert ours.stderr.strip() == "False", ours.stderr
    assert ours.stdout == run_python(QUESTIONS, BOULANGER_NATIVE="0").stdout
