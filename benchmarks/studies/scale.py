"""`python -m benchmarks.studies.scale`: what a large cluster asks of scheduler, client and disk.

A real scheduler, real Dask workers and the real loop that gives out chunks and takes parts back
(`solver.catalogue.cluster`), but for the search: a chunk is a nap, and its part random bytes of the
length of a real one. So a few processes stand for hundreds of workers. Every part is written to a
folder as a run does it: by this process, to which it comes back, and then, in a run of its own, by
the worker that made it (`--shared-folder`).

For each result: processor milliseconds of this process and of the scheduler, and how long this
process is busy with the folder. What they can pass on in a second follows, and with it the size of
chunks with which so many workers, at 9,000 deals a second each, do not have to wait
(docs/scale.md).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from boulanger.solver.catalogue import cluster
from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.cluster import Address, cluster_workers, connect
from boulanger.solver.catalogue.folder import Folder
from boulanger.solver.catalogue.manifest import Manifest
from boulanger.solver.catalogue.sources import Piece
from boulanger.solver.catalogue.task import Stamp, Task
from boulanger.solver.catalogue.work import MadePart, WrittenPart, own_stamp

_DEALS_A_SECOND: Final = 9000
_SECONDS_TO_COME: Final = 120
_SIZES: Final = (50_000, 100_000, 200_000, 500_000)
_CLUSTERS: Final = (100, 300, 1000, 3000)


def nap(chunk: Chunk, task: Task, stamp: Stamp) -> MadePart:
    """Stands for `work_on`: its base says how long, its about how many bytes."""
    time.sleep(float(chunk.about.split()[0]))
    data = np.random.default_rng(chunk.index).bytes(int(chunk.about.split()[1]))
    return MadePart(chunk.index, data, np.zeros((1, 3), np.int64), stamp)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies.scale")
    parser.add_argument("--processes", type=int, default=4, help="of workers")
    parser.add_argument("--threads", type=int, default=50, help="of each of them")
    parser.add_argument("--seconds", type=float, default=1.0, help="that a chunk takes")
    parser.add_argument("--bytes", type=int, default=101_000, help="of a part")
    parser.add_argument("--chunks", type=int, default=1000)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        started = _start(Path(folder), options.processes, options.threads)
        try:
            _measure(Path(folder), started[0].pid, options)
        finally:
            for process in started:
                process.kill()
            for process in started:
                process.wait()
    return 0


def _start(folder: Path, num_processes: int, num_threads: int) -> list[subprocess.Popen[bytes]]:
    """A scheduler and workers, as processes of their own."""
    where = str(folder / "scheduler.json")
    python = [sys.executable, "-m"]
    scheduler = [*python, "distributed.cli.dask_scheduler", "--no-dashboard", "--port", "0"]
    worker = [*python, "distributed.cli.dask_worker", "--no-nanny", "--no-dashboard"]
    worker += ["--nthreads", str(num_threads), "--scheduler-file", where]
    quiet: dict[str, Any] = {"stderr": subprocess.DEVNULL, "env": _environment()}
    processes = [subprocess.Popen([*scheduler, "--scheduler-file", where], **quiet)]
    while not os.path.exists(where):
        time.sleep(0.05)
    processes += [subprocess.Popen(worker, **quiet) for _ in range(num_processes)]
    return processes


def _environment() -> dict[str, str]:
    """That of this process, with its folder, so that workers find this module."""
    return {**os.environ, "PYTHONPATH": os.getcwd()}


@dataclass(frozen=True, slots=True)
class _Costs:
    """What a result costs.

    Attributes:
        client: processor seconds of this process.
        scheduler: processor seconds of the scheduler.
        writing: seconds by the clock in which this process was busy with the folder.
        pace: results that came in a second by the clock.
    """

    client: float
    scheduler: float
    writing: float
    pace: float

    @property
    def most(self) -> float:
        """Results a second that one processor for each of client and scheduler can pass on."""
        return 1 / max(self.client, self.scheduler)


def _measure(folder: Path, scheduler: int, options: argparse.Namespace) -> None:
    client = connect(Address(scheduler_file=folder / "scheduler.json"))
    client.wait_for_workers(options.processes, timeout=_SECONDS_TO_COME)
    # By the name under which workers can import it, which this module has not if it is run.
    setattr(cluster, "work_on", import_module("benchmarks.studies.scale").nap)  # noqa: B010
    ways = {
        "this process writes": _run(client, scheduler, folder / "by-client", options, False),
        "workers write": _run(client, scheduler, folder / "by-workers", options, True),
    }
    client.close()
    num_threads = options.processes * options.threads
    print(
        f"{num_threads} threads, chunks of {options.seconds} s, parts of {options.bytes:,} bytes: "
        f"{num_threads / options.seconds:.0f} results a second that the workers could make"
    )
    print(f"{'':52}" + "".join(f"{name:>21}" for name in ways))
    rows = {
        "client, processor ms a result (writing included)": [
            1000 * c.client for c in ways.values()
        ],
        "scheduler, processor ms a result": [1000 * c.scheduler for c in ways.values()],
        "client busy with the folder, ms by the clock": [1000 * c.writing for c in ways.values()],
        "results a second by the clock": [c.pace for c in ways.values()],
        "results a second, a processor for each": [c.most for c in ways.values()],
    }
    for name, values in rows.items():
        print(f"{name:52}" + "".join(f"{value:21.2f}" for value in values))
    print("needed by workers at 9,000 deals a second, ! where that is too many:")
    print("deals a chunk " + "".join(f"{size:>10,}" for size in _SIZES))
    for num_workers in _CLUSTERS:
        row = f"{num_workers:>6,} workers "
        for size in _SIZES:
            needed = num_workers * _DEALS_A_SECOND / size
            marks = "".join("!" if needed > costs.most else " " for costs in ways.values())
            row += f"{needed:>8.0f}{marks}"
        print(row)


def _run(
    client: Any, scheduler: int, path: Path, options: argparse.Namespace, is_shared: bool
) -> _Costs:
    """All chunks once, into a folder of their own."""
    about = f"{options.seconds} {options.bytes}"
    chunks = (Chunk(i, (Piece("bk1", range(1)),), about) for i in range(options.chunks))
    work = cluster_workers(client, shared_folder=path if is_shared else None)
    with Folder(path, Manifest((), (1,))) as folder:
        own, other, writing = time.process_time(), _processor_seconds(scheduler), 0.0
        started = time.perf_counter()
        for part in work(chunks, Task((1,)), own_stamp()):
            before = time.perf_counter()
            if isinstance(part, WrittenPart):
                folder.take_part(part)
            else:
                folder.write_part(part.index, part.data)
            writing += time.perf_counter() - before
        seconds = time.perf_counter() - started
    return _Costs(
        (time.process_time() - own) / options.chunks,
        (_processor_seconds(scheduler) - other) / options.chunks,
        writing / options.chunks,
        options.chunks / seconds,
    )


def _processor_seconds(pid: int) -> float:
    """What a process has used so far; Linux only."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
