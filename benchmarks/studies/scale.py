"""`python -m benchmarks.studies.scale`: what a large cluster asks of scheduler, client and disk.

A real scheduler, real Dask workers and the real loop that gives out chunks and takes parts back
(`solver.catalogue.cluster`), but for the search: a chunk is a nap, and its part random bytes of the
length of a real one. So a few processes stand for hundreds of workers. Every part is written to a
folder as a run does it.

For each result: processor milliseconds of this process and of the scheduler, and the time of the
disk. What a scheduler can pass on in a second follows, and with it the size of chunks with which so
many workers, at 9,000 deals a second each, do not have to wait (docs/scale.md).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from boulanger.solver.catalogue import cluster
from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.cluster import Address, cluster_workers, connect
from boulanger.solver.catalogue.sources import Piece
from boulanger.solver.catalogue.task import Stamp, Task
from boulanger.solver.catalogue.work import MadePart, own_stamp
from boulanger.solver.files import write_whole

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


def _measure(folder: Path, scheduler: int, options: argparse.Namespace) -> None:
    client = connect(Address(scheduler_file=folder / "scheduler.json"))
    client.wait_for_workers(options.processes, timeout=_SECONDS_TO_COME)
    about = f"{options.seconds} {options.bytes}"
    chunks = (Chunk(i, (Piece("bk1", range(1)),), about) for i in range(options.chunks))
    # By the name under which workers can import it, which this module has not if it is run.
    setattr(cluster, "work_on", import_module("benchmarks.studies.scale").nap)  # noqa: B010
    own, other, disk = time.process_time(), _processor_seconds(scheduler), 0.0
    started = time.perf_counter()
    for part in cluster_workers(client)(chunks, Task((1,)), own_stamp()):
        before = time.perf_counter()
        write_whole(folder / f"part-{part.index}", part.data, is_durable=True)
        disk += time.perf_counter() - before
    seconds = time.perf_counter() - started
    own = (time.process_time() - own) / options.chunks
    other = (_processor_seconds(scheduler) - other) / options.chunks
    client.close()
    num_threads = options.processes * options.threads
    print(
        f"{num_threads} threads, chunks of {options.seconds} s, parts of {options.bytes:,} bytes: "
        f"{options.chunks / seconds:.0f} results a second of {num_threads / options.seconds:.0f} "
        "that the workers could make"
    )
    print(f"client    {1000 * own:6.2f} ms of processor time a result (writing it included)")
    print(f"scheduler {1000 * other:6.2f} ms of processor time a result")
    print(f"disk      {1000 * disk / options.chunks:6.2f} ms by the clock a result")
    most = 1 / max(own, other)
    print(f"so at most {most:.0f} results a second; needed by workers at 9,000 deals a second:")
    print("deals a chunk " + "".join(f"{size:>10,}" for size in _SIZES))
    for num_workers in _CLUSTERS:
        needed = [num_workers * _DEALS_A_SECOND / size for size in _SIZES]
        row = "".join(f"{n:>9.0f}{'!' if n > most else ' '}" for n in needed)
        print(f"{num_workers:>6,} workers {row}")


def _processor_seconds(pid: int) -> float:
    """What a process has used so far; Linux only."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
