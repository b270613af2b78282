"""Compiling in several processes: who takes what when, and what if one of them fails."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from boulanger.solver import prepare

# Stands in for a process that compiles: it writes down when it begins and ends each task.
_WORKER = """
import sys, time
log = open(sys.argv[1], "a", buffering=1)
for line in sys.stdin:
    name = line.strip()
    log.write(f"begin {name}\\n")
    time.sleep(0.01)
    print("compiled", flush=True)
    print("compiled", flush=True)
    log.write(f"end {name}\\n")
    if name == sys.argv[2]:
        raise SystemExit(1)
    print("done", flush=True)
"""


def _use(monkeypatch: pytest.MonkeyPatch, log: Path, failing: str = "none") -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(log.parent))
    monkeypatch.setattr(prepare, "_num_cores", lambda: 3)
    monkeypatch.setattr(
        prepare,
        "_worker",
        lambda: subprocess.Popen(
            [sys.executable, "-c", _WORKER, str(log), failing],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ),
    )


@pytest.mark.parametrize("stage", [s for s, names in prepare.STAGES.items() if len(names) > 1])
def test_each_task_is_done_once_after_those_that_it_needs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, stage: str
) -> None:
    log = tmp_path / "log"
    _use(monkeypatch, log)
    shown: list[int] = []
    assert prepare.compile_in_parallel(stage, shown.append, lambda: False)
    lines = [tuple(line.split()) for line in log.read_text().splitlines()]
    names = [name for word, name in lines if word == "begin"]
    assert sorted(names) == sorted(prepare.STAGES[stage])
    for name in names:
        for needed in prepare.TASKS[name].after:
            assert lines.index(("end", needed)) < lines.index(("begin", name))
    assert shown == list(range(1, 2 * len(names) + 1))


def test_what_one_process_cannot_do_is_left_to_whoever_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    _use(monkeypatch, log, failing="lattice")
    assert not prepare.compile_in_parallel("ratings", lambda _: None, lambda: False)
    assert "begin verdict" not in log.read_text()


def test_nothing_is_done_twice_or_on_one_core(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    _use(monkeypatch, log)
    # Another process has done it while this one waited for its turn.
    assert prepare.compile_in_parallel("verdicts", lambda _: None, lambda: True)
    monkeypatch.setattr(prepare, "_num_cores", lambda: 1)
    assert not prepare.compile_in_parallel("verdicts", lambda _: None, lambda: False)
    assert not log.exists()


def test_of_several_at_once_one_compiles_and_the_others_wait(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    _use(monkeypatch, log)
    names = prepare.STAGES["verdicts"]

    def is_ready() -> bool:
        return log.exists() and log.read_text().count("end ") == len(names)

    with ThreadPoolExecutor(3) as pool:
        begun = [
            pool.submit(prepare.compile_in_parallel, "verdicts", lambda _: None, is_ready)
            for _ in range(3)
        ]
    assert [future.result() for future in begun] == [True] * 3
    assert log.read_text().count("begin ") == len(names)


def test_tasks_and_stages_fit_together() -> None:
    for names in prepare.STAGES.values():
        for name in names:
            assert set(prepare.TASKS[name].after) <= set(names)
    in_stages = {name for names in prepare.STAGES.values() for name in names}
    assert in_stages == set(prepare.TASKS) - {"numbers"}
    assert set(prepare.NUM_KERNELS) == set(prepare.SECONDS) == set(prepare.STAGES)


@pytest.mark.kernel
def test_a_worker_runs_tasks() -> None:
    with prepare._worker() as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("search\n")
        process.stdin.close()
        lines = process.stdout.read().split()
    assert lines[-1] == "done" and set(lines[:-1]) <= {"compiled"}
