"""The compiled code that runs is the code that stands in the sources, with the flags asked for."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parent.parent

_READ_PAST_THE_END = """
import numpy as np
from tests.tiny_kernel import read
print(read(np.zeros(4, np.int64), np.int64(4)) * 0)
"""


def _run(code: str, cache: Path, **flags: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    environment |= {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(_ROOT), **flags}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=_ROOT
    )


@pytest.mark.kernel
def test_bounds_checks_are_not_lost_to_a_cached_kernel(tmp_path: Path) -> None:
    unchecked = _run(_READ_PAST_THE_END, tmp_path)
    assert unchecked.returncode == 0, unchecked.stderr
    checked = _run(_READ_PAST_THE_END, tmp_path, NUMBA_BOUNDSCHECK="1")
    assert "IndexError" in checked.stderr


@pytest.mark.kernel
def test_the_second_process_loads_what_the_first_compiled(tmp_path: Path) -> None:
    code = _READ_PAST_THE_END + "print(sum(read.stats.cache_hits.values()))"
    assert _run(code, tmp_path).stdout.split() == ["0", "0"]
    assert _run(code, tmp_path).stdout.split() == ["0", "1"]


def test_the_cache_folder_depends_on_sources_and_flags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from boulanger.engine.packed import code_folder

    for name in ("engine/packed", "engine/boards", "solver/line", "solver/cli"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "part.py").write_text("A = 1\n")
    monkeypatch.setattr(code_folder, "__file__", str(tmp_path / "engine" / "packed" / "a.py"))
    folders = {code_folder.cache_folder()}
    for name in ("engine/boards", "solver/cli"):
        (tmp_path / name / "part.py").write_text("A = 2\n")
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    assert {code_folder.cache_folder()} == folders
    for name in ("engine/packed", "solver/line"):
        (tmp_path / name / "part.py").write_text("A = 2\n")
        folders.add(code_folder.cache_folder())
    monkeypatch.setenv("NUMBA_OPT", "1")
    folders.add(code_folder.cache_folder())
    assert len(folders) == 4


def test_what_kernels_import_is_in_the_digest() -> None:
    from boulanger.engine.packed import code_folder

    covered = {path for pattern in code_folder._SOURCES for path in _ROOT.glob(pattern)}
    with_kernels = {
        path
        for room in ("engine", "solver")
        for path in (_ROOT / room).rglob("*.py")
        if re.search(r"^from boulanger.engine.packed.jit import .*\bkernel", path.read_text(), re.M)
    }
    assert len(with_kernels) > 15
    assert with_kernels <= covered
    for source in with_kernels:
        for node in ast.walk(ast.parse(source.read_text())):
            module = getattr(node, "module", None) or ""
            if isinstance(node, ast.ImportFrom) and module.startswith("boulanger."):
                path = _ROOT / (module.removeprefix("boulanger.").replace(".", "/") + ".py")
                # Kernels freeze the constants that they read.
                constants = [alias.name for alias in node.names if alias.name.isupper()]
                assert path in covered or not constants, (source, constants)


def test_old_cache_folders_are_pruned_and_those_of_others_are_not(tmp_path: Path) -> None:
    from boulanger.engine.packed import code_folder

    for age in range(20):
        folder = tmp_path / f"kernels-{age:020x}"
        folder.mkdir()
        os.utime(folder, (1e9 - age, 1e9 - age))
    others = ["kernels-of-somebody-else", "somebody-elses"]
    for name in others:
        (tmp_path / name).mkdir()
    code_folder.prune(tmp_path)
    left = sorted(path.name for path in tmp_path.iterdir())
    kept = [f"kernels-{age:020x}" for age in range(code_folder._KEPT_FOLDERS - 1)]
    assert left == sorted(kept + others)


def test_a_damaged_cache_heals(tmp_path: Path) -> None:
    assert _run(_READ_PAST_THE_END, tmp_path).returncode == 0
    for name in ("*.nbi", "*.nbc"):
        (damaged,) = tmp_path.rglob(name)
        damaged.write_bytes(damaged.read_bytes()[:10])
        assert _run(_READ_PAST_THE_END, tmp_path).stdout.split() == ["0"]
        code = _READ_PAST_THE_END + "print(sum(read.stats.cache_hits.values()))"
        assert _run(code, tmp_path).stdout.split() == ["0", "1"]


def test_importing_writes_nothing_and_leaves_numba_alone(tmp_path: Path) -> None:
    code = "import numba; import tests.tiny_kernel; print(numba.config.CACHE_DIR)"
    assert _run(code, tmp_path).stdout.strip() == str(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_cache_folder_only_costs_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    run = _run(_READ_PAST_THE_END, blocked)
    assert (run.returncode, run.stdout.strip()) == (0, "0"), run.stderr
