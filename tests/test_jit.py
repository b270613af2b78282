"""The compiled code that runs is the code that stands in the sources, with the flags asked for."""

from __future__ import annotations

import os
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
    from engine import jit

    for name in ("engine", "engine/dealing", "solver/plain", "solver/cli"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "part.py").write_text("A = 1\n")
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "engine" / "jit.py"))
    folders = {jit.cache_folder()}
    (tmp_path / "solver" / "cli" / "part.py").write_text("A = 2\n")
    assert {jit.cache_folder()} == folders
    (tmp_path / "solver" / "plain" / "part.py").write_text("A = 2\n")
    folders.add(jit.cache_folder())
    (tmp_path / "engine" / "dealing" / "part.py").write_text("A = 2\n")
    folders.add(jit.cache_folder())
    monkeypatch.setenv("NUMBA_OPT", "1")
    folders.add(jit.cache_folder())
    assert len(folders) == 4


def test_sources_left_out_of_the_digest_compile_nothing() -> None:
    from engine import jit

    sources = [path.relative_to(_ROOT) for path in _ROOT.glob("solver/**/*.py")]
    left_out = [s for s in sources if s.as_posix().startswith(jit._FOLDERS_WITHOUT_KERNELS)]
    assert left_out
    for source in left_out:
        assert "engine.jit import" not in (_ROOT / source).read_text().replace(
            "engine.jit import is_compiled", ""
        ), source


def test_old_cache_folders_are_pruned(tmp_path: Path) -> None:
    from engine import jit

    for age in range(20):
        folder = tmp_path / f"kernels-{age:02}"
        folder.mkdir()
        os.utime(folder, (1e9 - age, 1e9 - age))
    (tmp_path / "somebody-elses").mkdir()
    jit._prune(tmp_path)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == [f"kernels-{age:02}" for age in range(jit._KEPT_FOLDERS)] + ["somebody-elses"]


def test_an_unwritable_cache_folder_only_costs_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    run = _run(_READ_PAST_THE_END, blocked)
    assert (run.returncode, run.stdout.strip()) == (0, "0"), run.stderr
