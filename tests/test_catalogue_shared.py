"""Workers that see the catalogue's folder write into it, and it becomes the same to the byte."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boulanger.engine.errors import CatalogueError
from boulanger.solver.catalogue import cluster
from boulanger.solver.catalogue import folder as folder_module
from boulanger.solver.catalogue import shared as shared_module
from boulanger.solver.catalogue.api import classify_into
from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.cluster import cluster_workers
from boulanger.solver.catalogue.folder import Folder, put_part
from boulanger.solver.catalogue.manifest import require_manifest
from boulanger.solver.catalogue.runner import Options
from boulanger.solver.catalogue.shared import SharedFolder, open_to_workers, work_into
from boulanger.solver.catalogue.sources import Piece
from boulanger.solver.catalogue.task import Stamp, Task, WorkersError
from boulanger.solver.catalogue.work import MadePart, WrittenPart, own_stamp, work_on
from tests.catalogues import ROOT, contents, num_parts, part_paths, write_catalogue
from tests.catalogues import classify_command as run
from tests.test_catalogue_cluster import client, two_workers

__all__ = ["client", "two_workers"]

pytestmark = pytest.mark.timeout(180)

SOURCES = ["ms:1..3000"]
OPTIONS = Options(chunk_size=100)
TASK = Task((1, 2))
CHUNKS = [Chunk(i, (Piece("ms", range(100 * i + 1, 100 * i + 101)),)) for i in range(30)]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one process makes."""
    folder = tmp_path_factory.mktemp("alone") / "c"
    size = str(OPTIONS.chunk_size)
    assert run(*SOURCES, "--cells", "1,2", "--chunk-size", size, "--out", str(folder)).code == 0
    return folder


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """The folder of a catalogue that has only been begun."""
    write_catalogue(tmp_path / "empty", [], (1, 2))
    return tmp_path / "empty"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not there at once is not waited for."""
    for module in (folder_module, shared_module):
        monkeypatch.setattr(module, "SECONDS_TO_SEE", 0.1)


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*.tmp"))


# The whole way.


def test_the_folder_is_the_same_to_the_byte(
    client: Any, alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Any] = []
    take = Folder.take_part

    def watched(self: Folder, part: Any) -> None:
        taken.append(part)
        take(self, part)

    monkeypatch.setattr(Folder, "take_part", watched)
    folder = tmp_path / "c"
    outcome = classify_into(
        folder, SOURCES, (1, 2), client=client, shared_folder=True, options=OPTIONS
    )
    assert contents(folder) == contents(alone)
    assert sorted(part.index for part in taken) == list(range(30))
    assert max(len(pickle.dumps(part)) for part in taken) < 1000  # what comes back is no file
    assert outcome.num_new == 3000
    assert (outcome.counts == classify_into(alone, SOURCES, (1, 2)).counts).all()


def test_what_was_stopped_goes_on_either_way(client: Any, alone: Path, tmp_path: Path) -> None:
    """Some parts by the client, some by workers, one damaged, and what a killed run leaves."""
    folder = tmp_path / "c"
    classify_into(folder, SOURCES, (1, 2), client=client, options=OPTIONS)
    for path in part_paths(folder)[3:9]:
        path.unlink()
    part_paths(folder)[0].write_bytes(b"PAR1")
    (folder / ".boulanger-run-0123456789abcdef.tmp").touch()
    (folder / "parts" / ".boulanger-0123456789abcdef.tmp").write_bytes(b"PAR1")
    again = classify_into(folder, SOURCES, (1, 2), client=client, shared_folder=True)
    assert again.num_new == 700
    assert contents(folder) == contents(alone)
    assert classify_into(folder, SOURCES, (1, 2), client=client, shared_folder=True).num_new == 0
    assert leftovers(folder) == []


def test_a_catalogue_grows(client: Any, alone: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    classify_into(folder, SOURCES, (1,), options=OPTIONS, client=client, shared_folder=True)
    classify_into(
        folder, SOURCES, (1, 2), options=Options(may_grow=True), client=client, shared_folder=True
    )
    assert contents(folder) == contents(alone)  # so what has grown is gone


def test_closing_a_run_ends_it(client: Any, empty: Path) -> None:
    work = cluster_workers(client, shared_folder=empty)
    parts = work(iter(CHUNKS), TASK, own_stamp())
    next(parts)
    assert any(name.startswith(".boulanger-run-") for name in leftovers(empty))
    parts.close()
    while any(client.processing().values()):
        time.sleep(0.01)
    time.sleep(0.1)
    assert leftovers(empty) == []
    assert num_parts(empty) < len(CHUNKS)
    for path in part_paths(empty):  # each whole
        index = int(path.name.split("-")[1])
        assert path.read_bytes() == work_on(CHUNKS[index], TASK).data


def test_processes_here_write_nothing(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="shared_folder goes with a client"):
        classify_into(tmp_path / "c", SOURCES, shared_folder=True)
    assert not (tmp_path / "c").exists()


# What may go wrong.


@pytest.mark.parametrize("is_there", [False, True])
@pytest.mark.usefixtures("impatient")
def test_a_worker_that_sees_another_folder_is_named(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    elsewhere = tmp_path / "local"
    if is_there:  # on the node's own disk, say
        (elsewhere / "parts").mkdir(parents=True)

    @contextlib.contextmanager
    def opened(folder: Path) -> Iterator[SharedFolder]:
        with open_to_workers(folder) as shared:
            yield replace(shared, path=str(elsewhere))

    monkeypatch.setattr(cluster, "open_to_workers", opened)
    folder = tmp_path / "c"
    with pytest.raises(WorkersError) as caught:
        classify_into(folder, SOURCES, (1,), client=client, shared_folder=True)
    reason = str(caught.value)
    assert reason.startswith("the worker inproc://")
    assert f"cannot be used: it does not see the folder '{elsewhere}' of this run" in reason
    assert reason.endswith("No such file or directory")
    assert (num_parts(folder), num_parts(elsewhere), leftovers(folder)) == (0, 0, [])


def test_a_worker_that_cannot_write_is_named(client: Any, empty: Path) -> None:
    (empty / "parts").rmdir()
    work = cluster_workers(client, shared_folder=empty)
    with pytest.raises(WorkersError, match=r"the worker inproc.* cannot be used: it cannot write"):
        list(work(iter(CHUNKS), TASK, own_stamp()))
    assert leftovers(empty) == []


def test_a_worker_of_another_version_writes_nothing(client: Any, empty: Path) -> None:
    work = cluster_workers(client, shared_folder=empty)
    with pytest.raises(WorkersError, match=r"the worker inproc.* cannot be used: .*search=1"):
        list(work(iter(CHUNKS), TASK, replace(own_stamp(), search=1)))
    assert num_parts(empty) == 0


def test_a_worker_that_is_late_writes_nothing(empty: Path) -> None:
    """Its run ended while it was at work; another may have begun."""

    def slow(chunk: Chunk, task: Task, stamp: Stamp) -> MadePart:
        part = work_on(chunk, task, stamp)
        stack.close()
        return part

    with contextlib.ExitStack() as stack:
        shared = stack.enter_context(open_to_workers(empty))
        with pytest.raises(WorkersError, match=r"it cannot write into .*: No such file"):
            work_into(shared, slow, CHUNKS[0], TASK, own_stamp())
        begun = time.monotonic()
        with pytest.raises(WorkersError, match="it does not see the folder"):
            work_into(shared, slow, CHUNKS[1], TASK, own_stamp())
        assert time.monotonic() - begun < folder_module.SECONDS_TO_SEE / 2
    assert (num_parts(empty), leftovers(empty)) == (0, [])


def test_two_workers_may_make_the_same_part(empty: Path) -> None:
    parts: list[WrittenPart] = []
    together = threading.Barrier(2)

    def at_once(chunk: Chunk, task: Task, stamp: Stamp) -> MadePart:
        part = work_on(chunk, task, stamp)
        together.wait(60)
        return part

    with open_to_workers(empty) as shared:
        arguments = (shared, at_once, CHUNKS[0], TASK, own_stamp())
        threads = [
            threading.Thread(target=lambda: parts.append(work_into(*arguments))) for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert parts[0].digest == parts[1].digest
    (path,) = part_paths(empty)
    assert path.read_bytes() == work_on(CHUNKS[0], TASK).data
    assert leftovers(empty) == []


def test_a_worker_killed_while_it_writes_leaves_nothing_that_counts(
    alone: Path, tmp_path: Path, client: Any
) -> None:
    folder = tmp_path / "c"
    classify_into(folder, SOURCES, (1, 2), client=client, shared_folder=True, options=OPTIONS)
    first = part_paths(folder)[0]
    data = first.read_bytes()
    first.unlink()
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from boulanger.solver.catalogue.folder import put_part\n"
        "data = sys.stdin.buffer.read()\n"
        "put_part(Path(sys.argv[1]), 0, data, lambda: os.kill(os.getpid(), signal.SIGKILL))\n"
    )
    command = [sys.executable, "-c", script, str(folder)]
    killed = subprocess.run(command, input=data, cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert (num_parts(folder), len(leftovers(folder))) == (29, 1)
    classify_into(folder, SOURCES, (1, 2), client=client, shared_folder=True)
    assert contents(folder) == contents(alone)


def written(folder: Path, index: int = 0) -> WrittenPart:
    with open_to_workers(folder) as shared:
        return work_into(shared, work_on, CHUNKS[index], TASK, own_stamp())


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("data", "reason"), [(None, "No such file or directory"), (b"PAR1", "it has 4 bytes instead")]
)
def test_a_part_that_is_not_there_does_not_count(
    empty: Path, data: bytes | None, reason: str
) -> None:
    part = written(empty)
    (path,) = part_paths(empty)
    path.unlink()
    if data is not None:
        path.write_bytes(data)
    with (
        Folder(empty, require_manifest(empty)) as folder,
        pytest.raises(WorkersError, match="the worker on .* has written .*part-000000.*" + reason),
    ):
        folder.take_part(part)


def test_a_part_that_is_seen_late_counts(empty: Path) -> None:
    part = written(empty)
    (path,) = part_paths(empty)
    data = path.read_bytes()
    path.unlink()
    late = threading.Timer(0.3, lambda: put_part(empty, 0, data))
    with Folder(empty, require_manifest(empty)) as folder:
        late.start()
        folder.take_part(part)
        assert path.read_bytes() == data
    late.join()


# Processes.


@pytest.mark.slow
@pytest.mark.ci
def test_the_command_on_a_cluster_that_loses_a_worker(
    two_workers: Any, alone: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "c"
    address = two_workers.scheduler_address
    arguments = (*SOURCES, "--cells", "1,2", "--chunk-size", "100", "--cluster", address)

    def kill_one() -> None:
        while num_parts(folder) < 3:
            time.sleep(0.001)
        os.kill(two_workers.workers[0].pid, signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    answer = run(*arguments, "--shared-folder", "--out", str(folder))
    killer.join()
    assert (answer.code, answer.err) == (0, "")
    left = [name for name in leftovers(folder) if name.startswith(".boulanger-run-")]
    assert left == []
    assert run(*arguments, "--shared-folder", "--out", str(folder)).code == 0  # tidies up
    assert contents(folder) == contents(alone)
