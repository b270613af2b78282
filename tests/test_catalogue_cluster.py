"""Workers of a Dask cluster make the same catalogue as processes, even if one is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boulanger.solver.catalogue import cluster
from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.cluster import work_on_cluster
from boulanger.solver.catalogue.sources import Piece
from boulanger.solver.catalogue.work import Task, WorkersError, prepare, work_on
from tests.test_catalogue_run import GOES_ON, contents, run

TASK = Task((1, 2, 4))
CHUNKS = [Chunk(i, (Piece("random@9", range(200 * i, 200 * i + 200)),)) for i in range(30)]


@pytest.fixture
def two_workers() -> Iterator[Any]:
    """A scheduler and two worker processes on this machine, with no dashboard."""
    import dask
    from distributed import LocalCluster

    prepare(["random@9", "ms"])
    settings = {"distributed.worker.daemon": True, "distributed.admin.low-level-log-length": 0}
    with (
        dask.config.set(settings),
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # the server that would have one starts all the same
            silence_logs=50,
        ) as running,
    ):
        yield running


@pytest.mark.slow
@pytest.mark.ci
def test_a_cluster_that_loses_a_worker_makes_the_same_parts(two_workers: Any) -> None:
    parts = work_on_cluster(iter(CHUNKS), TASK, two_workers.scheduler_address)
    done = [next(parts) for _ in range(3)]
    victim = two_workers.workers[0]
    killed = victim.pid
    os.kill(killed, signal.SIGKILL)
    done += parts
    assert victim.pid != killed
    assert sorted(part.index for part in done) == list(range(len(CHUNKS)))
    assert all(part.data == work_on(CHUNKS[part.index], TASK).data for part in done)


@pytest.mark.slow
@pytest.mark.ci
def test_the_command_makes_the_same_catalogue_on_a_cluster(
    two_workers: Any, tmp_path: Path
) -> None:
    arguments = ("ms:1..3000", "--cells", "1,2", "--chunk-size", "300")
    assert run(*arguments, "--workers", "1", "--out", str(tmp_path / "one")).code == 0
    answer = run(
        *arguments, "--cluster", two_workers.scheduler_address, "--out", str(tmp_path / "two")
    )
    assert (answer.code, answer.err) == (0, "")
    assert contents(tmp_path / "two") == contents(tmp_path / "one")


@pytest.mark.slow
def test_a_cluster_without_workers(two_workers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_SECONDS_TO_COME", 0.5)
    two_workers.scale(0)
    with pytest.raises(WorkersError, match="has no workers, and none came within 0 seconds"):
        list(work_on_cluster(iter(CHUNKS), TASK, two_workers.scheduler_address))


@pytest.mark.slow
def test_a_cluster_that_all_workers_leave(
    two_workers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_SECONDS_TO_COME", 0.5)
    parts = work_on_cluster(iter(CHUNKS), TASK, two_workers.scheduler_address)
    next(parts)
    two_workers.scale(0)
    with pytest.raises(WorkersError, match="has no workers, and none came within 0 seconds"):
        list(parts)


def test_no_scheduler_where_one_should_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_SECONDS_TO_CONNECT", 1.0)
    answer = run("ms:1", "--out", str(tmp_path / "c"), "--cluster", "tcp://127.0.0.1:1")
    assert (answer.code, answer.out) == (4, "")
    assert answer.err == (
        "boulanger: no Dask scheduler answers at 'tcp://127.0.0.1:1' within 1 seconds; " + GOES_ON
    )
