"""Workers of a Dask cluster make the same catalogue as processes, whatever becomes of them."""

from __future__ import annotations

import logging
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from boulanger.engine.errors import CatalogueError
from boulanger.solver.catalogue import cluster
from boulanger.solver.catalogue.api import classify_into
from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.cluster import Address, cluster_workers, connect, quiet_logs
from boulanger.solver.catalogue.sources import Piece
from boulanger.solver.catalogue.task import Task, WorkersError
from boulanger.solver.catalogue.work import own_stamp, prepare, work_on
from tests.catalogues import GOES_ON, contents, num_parts
from tests.catalogues import classify_command as run

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cluster.md"

pytestmark = pytest.mark.timeout(180)

TASK = Task((1, 2, 4))
CHUNKS = [Chunk(i, (Piece("random@9", range(200 * i, 200 * i + 200)),)) for i in range(30)]
SETTINGS = {"distributed.worker.daemon": True, "distributed.admin.low-level-log-length": 0}


def start_cluster(**options: Any) -> Any:
    """A scheduler and workers on this machine, with no dashboard."""
    import dask
    from distributed import LocalCluster

    prepare(["random@9", "ms"])
    dask.config.set(SETTINGS)
    return LocalCluster(
        threads_per_worker=1,
        # The servers that would have one start all the same.
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
        silence_logs=50,
        **options,
    )


@pytest.fixture
def short_waits() -> Iterator[None]:
    """For a test that loses the scheduler: Dask seeks it when the cluster closes, else for 30 s."""
    import dask

    with dask.config.set({"distributed.comm.timeouts.connect": "3s"}):
        yield


@pytest.fixture
def client() -> Iterator[Any]:
    """Of a cluster within this process: a real scheduler and real workers, without their start."""
    from distributed import Client

    with start_cluster(n_workers=2, processes=False) as running, Client(running) as client:
        yield client


@pytest.fixture
def two_workers() -> Iterator[Any]:
    """A cluster with two worker processes."""
    with start_cluster(n_workers=2, processes=True, host="127.0.0.1") as running:
        yield running


def parts_by(client: Any, chunks: Any = CHUNKS, **options: Any) -> Any:
    return cluster_workers(client, **options)(iter(chunks), TASK, own_stamp())


# Within this process.


def test_a_cluster_makes_the_same_parts(client: Any) -> None:
    parts = {part.index: part for part in parts_by(client)}
    assert sorted(parts) == list(range(len(CHUNKS)))
    for chunk in CHUNKS[::7]:
        assert parts[chunk.index].data == work_on(chunk, TASK).data


def test_a_catalogue_by_a_client(client: Any, tmp_path: Path) -> None:
    sources = ["ms:1..3000"]
    from boulanger.solver.catalogue.runner import Options

    outcome = classify_into(
        tmp_path / "two", sources, (1, 2), client=client, options=Options(chunk_size=300)
    )
    assert (outcome.num_deals, outcome.num_new) == (3000, 3000)
    one = run(*sources, "--cells", "1,2", "--chunk-size", "300", "--out", str(tmp_path / "one"))
    assert one.code == 0
    assert contents(tmp_path / "two") == contents(tmp_path / "one")
    assert classify_into(tmp_path / "two", sources, (1, 2), client=client).num_new == 0


def test_few_chunks_are_out_at_once(client: Any) -> None:
    taken = 0

    def chunks() -> Iterator[Chunk]:
        nonlocal taken
        for chunk in CHUNKS:
            taken += 1
            yield chunk

    parts = parts_by(client, chunks())
    next(parts)
    assert 4 <= taken <= 4 + 4 + 1  # two for each of two threads, and those that are back
    assert sum(1 for _ in parts) == len(CHUNKS) - 1
    assert taken == len(CHUNKS)


def test_a_worker_of_another_version_is_named(client: Any) -> None:
    other = replace(own_stamp(), search=1)
    with pytest.raises(WorkersError, match=r"the worker inproc://.* cannot be used: .*search=1"):
        list(cluster_workers(client)(iter(CHUNKS), TASK, other))


def test_a_fault_of_the_program_names_the_worker(client: Any) -> None:
    chunks = [Chunk(5, (Piece("nobody", range(10)),))]
    with pytest.raises(RuntimeError, match=r"chunk 5 failed on the worker inproc://.*'nobody'"):
        list(parts_by(client, chunks))


def test_a_cluster_without_workers(client: Any) -> None:
    client.cluster.scale(0)
    while client.nthreads():
        time.sleep(0.01)
    told: list[str] = []
    with pytest.raises(WorkersError, match="has no workers, and none came within 0 seconds"):
        list(parts_by(client, wait=0.2, on_wait=told.append))
    assert told == ["waiting for workers, up to 0 seconds", ""]


def test_workers_that_leave_and_come_again(client: Any) -> None:
    parts = parts_by(client, CHUNKS * 5)
    done = [next(parts) for _ in range(3)]
    client.cluster.scale(0)
    while client.nthreads():
        time.sleep(0.01)
    client.cluster.scale(2)
    done += parts
    assert sorted(part.index for part in done) == sorted(chunk.index for chunk in CHUNKS * 5)


def test_a_cluster_that_starts_workers_where_there_is_work() -> None:
    from distributed import Client

    with start_cluster(n_workers=0, processes=False) as running, Client(running) as client:
        running.adapt(minimum=0, maximum=2, interval="50ms", target_duration="1ms")
        assert not client.nthreads()
        assert sorted(part.index for part in parts_by(client)) == list(range(len(CHUNKS)))


def test_a_scheduler_that_is_lost_is_told(short_waits: None, client: Any) -> None:
    parts = parts_by(client, CHUNKS * 20)
    next(parts)
    client.cluster.sync(client.cluster.scheduler.close)
    with pytest.raises(WorkersError, match=r"was lost|failed|no workers"):
        list(parts)


def test_dasks_own_logs_stay_as_they_are(client: Any) -> None:
    names = ("distributed", "distributed.client", "distributed.core")
    levels = [logging.getLogger(name).level for name in names]
    list(parts_by(client, CHUNKS[:2]))
    assert [logging.getLogger(name).level for name in names] == levels
    with quiet_logs():
        assert logging.getLogger("distributed").level == logging.CRITICAL
    assert [logging.getLogger(name).level for name in names] == levels


# The loop alone, with futures that end as a test wants.


class Future:
    def __init__(self, key: str, status: str, answer: Any) -> None:
        self.key, self.status, self.answer = key, status, answer

    def cancelled(self) -> bool:
        return self.status == "cancelled"

    def exception(self, timeout: float) -> Any:
        return self.answer

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        callback(self)

    def release(self) -> None:
        pass


class Client:
    """Ends each chunk at once, as `end` says."""

    status = "running"

    def __init__(self, end: Callable[[Chunk, int], tuple[str, Any]]) -> None:
        self.end = end
        self.sent: list[int] = []
        self.fetched: list[int] = []

    def nthreads(self) -> dict[str, int]:
        return {"a": 8}

    def submit(self, function: Any, data: bytes, pure: bool) -> Future:
        chunk = pickle.loads(data)[1][0]
        self.sent.append(chunk.index)
        status, answer = self.end(chunk, self.sent.count(chunk.index))
        return Future(f"key-{len(self.sent)}", status, answer)

    async def gather(self, futures: list[Future], asynchronous: bool) -> list[Any]:
        return [future.answer for future in futures]

    def sync(self, function: Any, callback_timeout: float) -> Any:
        try:
            function().send(None)
        except StopIteration as stop:
            self.fetched.append(len(stop.value))
            return stop.value

    def cancel(self, futures: list[Future]) -> None:
        pass


def part_of(chunk: Chunk) -> Any:
    part = work_on(CHUNKS[0], TASK)
    return "finished", ("done", replace(part, index=chunk.index))


def killed() -> tuple[str, Any]:
    from distributed.scheduler import KilledWorker

    return "error", KilledWorker("task", SimpleNamespace(address="tcp://10.0.0.1:1"), 3)


def test_parts_are_fetched_together() -> None:
    client = Client(lambda chunk, number: part_of(chunk))
    assert sorted(part.index for part in parts_by(client)) == list(range(len(CHUNKS)))
    assert max(client.fetched) == 16  # two for each thread
    assert sum(client.fetched) == len(CHUNKS)


def test_a_chunk_whose_workers_were_lost_is_given_out_anew() -> None:
    client = Client(lambda c, number: killed() if c.index == 7 and number < 3 else part_of(c))
    assert sorted(part.index for part in parts_by(client)) == list(range(len(CHUNKS)))
    assert client.sent.count(7) == 3


@pytest.mark.parametrize("max_rounds", [1, 3, 5])
def test_a_chunk_that_kills_its_workers_ends_the_run(max_rounds: int) -> None:
    client = Client(lambda chunk, number: killed() if chunk.index == 7 else part_of(chunk))
    with pytest.raises(WorkersError, match="workers keep dying over chunk 7"):
        list(parts_by(client, max_rounds=max_rounds))
    assert client.sent.count(7) == max_rounds


def test_futures_that_are_cancelled_mean_that_the_scheduler_is_lost() -> None:
    client = Client(lambda chunk, number: ("cancelled", None) if chunk.index else part_of(chunk))
    with pytest.raises(WorkersError, match="the Dask scheduler was lost"):
        list(parts_by(client))


def test_an_error_of_dask_itself() -> None:
    client = Client(lambda chunk, number: ("error", OSError("no space")))
    with pytest.raises(WorkersError, match=r"the Dask cluster failed: OSError\('no space'\)"):
        list(parts_by(client))


# Finding a scheduler.


def test_no_scheduler_where_one_should_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_SECONDS_TO_CONNECT", 1.0)
    answer = run("ms:1", "--out", str(tmp_path / "c"), "--cluster", "tcp://127.0.0.1:1")
    assert (answer.code, answer.out) == (4, "")
    assert answer.err == (
        "boulanger: no Dask scheduler answers at 'tcp://127.0.0.1:1' within 1 seconds; " + GOES_ON
    )
    assert not (tmp_path / "c").exists()


def test_without_dask_nothing_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    answer = run("ms:1", "--out", str(tmp_path / "c"), "--cluster", "tcp://127.0.0.1:1")
    assert (answer.code, answer.out) == (2, "")
    assert "--cluster needs Dask, which is not installed; `pip install 'boul" in answer.err
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "cannot be read as TOML: No such file"),
        ("ca = ", "cannot be read as TOML"),
        ('ca = "a"', "must have three paths, ca, cert and key"),
        ('ca = "a"\ncert = "b"\nkey = 3', "must have three paths"),
        ('ca = "a"\ncert = "b"\nkey = "c"', "which is not a file"),
    ],
)
def test_keys_that_cannot_be_used(tmp_path: Path, text: str | None, reason: str) -> None:
    path = tmp_path / "tls.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(CatalogueError, match=reason):
        connect(Address("tls://127.0.0.1:1", tls_file=path))


@pytest.fixture
def tls_file(tmp_path: Path) -> Path:
    """Keys as docs/cluster.md makes them."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes keys, is not installed")
    (command,) = re.findall(r"^    (openssl req .*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    subprocess.run(command, shell=True, cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
    path = tmp_path / "tls.toml"
    path.write_text('ca = "cert.pem"\ncert = "cert.pem"\nkey = "key.pem"\n')
    return path


def test_only_who_has_the_keys_is_let_in(tls_file: Path, tmp_path: Path) -> None:
    from distributed import Security

    cert, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    parts = ("scheduler", "worker", "client")
    named = {
        f"tls_{part}_{kind}": at for part in parts for kind, at in [("cert", cert), ("key", key)]
    }
    security = Security(tls_ca_file=cert, require_encryption=True, **named)
    with start_cluster(
        n_workers=1, processes=False, protocol="tls://", host="127.0.0.1", security=security
    ) as running:
        address = running.scheduler_address
        assert address.startswith("tls://127.0.0.1:")
        folder = tmp_path / "c"
        answer = run(
            "ms:1..100", "--cluster", address, "--tls", str(tls_file), "--out", str(folder)
        )
        assert (answer.code, answer.err, num_parts(folder)) == (0, "", 1)
        answer = run("ms:1..100", "--cluster", address, "--out", str(tmp_path / "d"))
        assert (answer.code, answer.out) == (2, "")
        assert "leads to no Dask scheduler: TLS expects a `ssl_context` argument" in answer.err


# Processes.


@pytest.mark.slow
@pytest.mark.ci
def test_a_cluster_that_loses_a_worker_makes_the_same_parts(two_workers: Any) -> None:
    with connect(Address(two_workers.scheduler_address)) as client:
        parts = parts_by(client)
        done = [next(parts) for _ in range(3)]
        victim = two_workers.workers[0]
        killed_pid = victim.pid
        os.kill(killed_pid, signal.SIGKILL)
        done += parts
    assert sorted(part.index for part in done) == list(range(len(CHUNKS)))
    assert all(part.data == work_on(CHUNKS[part.index], TASK).data for part in done)


@pytest.mark.slow
@pytest.mark.ci
def test_the_command_makes_the_same_catalogue_on_a_cluster(
    two_workers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("ms:1..3000", "--cells", "1,2", "--chunk-size", "300")
    assert run(*arguments, "--out", str(tmp_path / "one")).code == 0
    address = two_workers.scheduler_address
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", address)
    for name, where in (("two", address), ("three", "env")):
        answer = run(*arguments, "--cluster", where, "--out", str(tmp_path / name))
        assert (answer.code, answer.err) == (0, "")
        assert contents(tmp_path / name) == contents(tmp_path / "one")


@pytest.mark.slow
@pytest.mark.ci
def test_a_worker_that_lacks_the_program_is_named(tmp_path: Path) -> None:
    """A scheduler that writes where it is, and a worker that cannot import Boulanger."""
    where = tmp_path / "scheduler.json"
    lacking = (
        "import sys\n"
        "class Lacking:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] == 'boulanger':\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Lacking())\n"
        "from distributed.cli.dask_worker import main\n"
        "main()\n"
    )
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", str(where),
         "--port", "0", "--no-dashboard", "--host", "127.0.0.1"],
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    worker = subprocess.Popen(
        [sys.executable, "-c", lacking, "--scheduler-file", str(where), "--no-nanny",
         "--nthreads", "1", "--no-dashboard"],
        stderr=subprocess.DEVNULL, cwd=tmp_path,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 60
        while not where.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        answer = run("ms:1", "--scheduler-file", str(where), "--out", str(tmp_path / "c"))
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    assert (answer.code, answer.out) == (4, "")
    assert "cannot import this program: ModuleNotFoundError: No module named 'boul" in answer.err
    assert num_parts(tmp_path / "c") == 0
