"""The benchmark commands, on a few deals."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import bench, peers, start
from benchmarks.decks import Workload
from benchmarks.provenance import provenance

# As Freecell Solver 5.0.0 prints it, the times cut short.
_PEER_OUTPUT = """\
Started at 1796012604.551494
Unsolved Board No. 10 at 1796012604.551653
Intractable Board No. 13 at 1796012604.551700
Unsolved Board No. 14 at 1796012604.551754
Reached Board No. 20 at 1796012604.551800 (total_num_iters=12345)
"""


def test_the_signature_is_repeatable_and_counts_every_deal() -> None:
    first = bench.measure(Workload(4, 1, 20), num_runs=2)
    assert bench.signature([first]) == bench.signature([bench.measure(Workload(4, 1, 20))])
    assert bench.signature([bench.measure(Workload(4, 1, 21))]) > bench.signature([first])
    # Of ms 1..20, those without a solution are 10 and 14.
    assert (first["winnable"], first["unwinnable"], first["undecided"]) == (18, 2, 0)


def test_peer_output() -> None:
    assert peers.parse_output(_PEER_OUTPUT, 20) == ({10, 14}, {13})


@pytest.mark.parametrize("last", [2, 200])
def test_peer_output_that_breaks_off_is_refused(last: int) -> None:
    with pytest.raises(ValueError, match=r"Reached Board No\. 20 at .*must say"):
        peers.parse_output(_PEER_OUTPUT, last)


def test_a_missing_peer_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(peers, "PROGRAM", "no-such-program")
    assert peers.main(["--output", str(tmp_path / "peers.json")]) == 2
    assert "freecell-solver-bin" in capsys.readouterr().err


def test_verdicts_that_differ_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = peers.Contest(Workload(4, 1, 20), "", 10, 25)
    monkeypatch.setattr(peers, "run_peer", lambda _: (1.0, {10, 11}, {14}))
    compared = peers.compare(contest, 1)
    assert compared["differences"] == [11]
    assert compared["peer_undecided"] == 1 and compared["ratio"] > 0


def test_memory_that_verdicts_take_is_small() -> None:
    assert 0 <= bench.memory_growth(Workload(4, 1, 20)) < 200_000_000


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the peak cannot be reset")
def test_memory_of_the_warm_up_hides_no_growth(monkeypatch: pytest.MonkeyPatch) -> None:
    # The warm-up, of deals 1 and 2, takes more than the run, and both give it back.
    monkeypatch.setattr(
        Workload, "run", lambda self: np.ones(90_000_000 if self.last == 2 else 60_000_000, "u1")
    )
    assert 50_000_000 < bench.memory_growth(Workload(4, 1, 20)) < 70_000_000


def test_what_a_result_was_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    made_with = provenance("python -m benchmarks.bench")
    assert made_with["commit"] == "unknown"
    assert all(made_with[name] for name in ("boulanger", "numba", "numpy", "python", "processor"))


def test_starts_are_compared_command_by_command(tmp_path: Path) -> None:
    command = start.Command("version", ("--version",), None, 0.15)
    here = Path(start.__file__).parents[1]
    versions = [start.Version(name, here, tmp_path) for name in ("new", "old")]
    start.run_first(versions, [command], 2)
    (row,) = start.rows_of(versions, [command, start.FIRST[0]])
    assert row["command"] == "version" and row["new"]["runs"] == row["old"]["runs"] == 2
    assert 0 < row["new"]["min"] <= row["new"]["median"]
    assert row["ratio"] == round(row["new"]["median"] / row["old"]["median"], 3)


def test_what_is_installed_starts_without_a_checkout(tmp_path: Path) -> None:
    command = start.Command("version", ("--version",), None, 0.15)
    version = start.Version("new", None, tmp_path, sys.executable)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path))
        (tmp_path / "boulanger.py").write_text("raise SystemExit(99)\n")
        start.run_first([version], [command], 1)
    assert len(version.seconds["version"]) == 1


def test_a_command_without_an_answer_is_no_start(tmp_path: Path) -> None:
    command = start.Command("none", ("no-such-command",), None, 0.15)
    version = start.Version("new", Path(start.__file__).parents[1], tmp_path)
    with pytest.raises(RuntimeError, match="no-such-command"):
        version.run(command, tmp_path)
