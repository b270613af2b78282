"""`python -m benchmarks.catalogue`: what a catalogue costs beside its verdicts.

For each list of numbers of cells, the same random deals three ways: bare (dealing and `classify`,
in this process), and into a catalogue with one and with two worker processes, from the first
finished part to the last, so without their start. The ways take turns, and the best of each counts.

- overhead: processor time a deal with one worker, in both processes, against bare. (With several
  numbers of cells, what is inferred instead of searched for counts for the catalogue.)
- deals a second with one and with two workers, by the clock: to be run on a quiet machine.
- the most memory that a worker has after the first part and at any time after it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from boulanger.engine.deals.kernels import deal_many
from boulanger.solver.catalogue.folder import Counts
from boulanger.solver.catalogue.local import local_workers
from boulanger.solver.catalogue.runner import Run
from boulanger.solver.catalogue.sources import parse_sources
from boulanger.solver.catalogue.task import Task
from boulanger.solver.catalogue.work import prepare
from boulanger.solver.verdict.classify import classify

_SEED: Final = 2024
# Long enough that the last chunk, with which one of two workers is left alone, is a small part.
_CASES: Final = (((4,), 300_000), ((2,), 1_500_000), ((1,), 5_000_000), ((1, 2, 4), 300_000))
_NUM_ROUNDS: Final = 3


class Watch:
    """Looks at clocks and at memory whenever a part is finished."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.processor_seconds: list[float] = []
        self.num_deals: list[int] = []
        self.mebibytes: list[float] = []

    def started(self, num_deals: int, num_done: int, counts: Counts) -> None:
        """Does nothing: workers have not started."""

    def advanced(self, num_deals: int, counts: Counts) -> None:
        """Notes all of it, unless the workers are going already."""
        pids = [str(child.pid) for child in multiprocessing.active_children()]
        if pids:
            self.seconds.append(time.perf_counter())
            self.processor_seconds.append(time.process_time() + sum(map(_processor_seconds, pids)))
            self.num_deals.append(num_deals)
            self.mebibytes.append(max(map(_resident, pids)))

    def deals_per_second(self) -> float:
        """From the first part to the last."""
        return sum(self.num_deals[1:]) / (self.seconds[-1] - self.seconds[0])

    def cost(self) -> float:
        """Processor seconds a deal."""
        return (self.processor_seconds[-1] - self.processor_seconds[0]) / sum(self.num_deals[1:])


def bare_cost(cells: Sequence[int], num_deals: int) -> float:
    """Processor seconds a deal without a catalogue."""
    started = time.process_time()
    deals = deal_many(f"random@{_SEED}", np.arange(num_deals))
    for num_cells in cells:
        classify(deals, num_cells)
    return (time.process_time() - started) / num_deals


def run(cells: tuple[int, ...], num_deals: int, num_workers: int) -> Watch:
    """Makes a catalogue in a temporary folder."""
    watch = Watch()
    with tempfile.TemporaryDirectory() as folder:
        sources = parse_sources([f"random:{num_deals}@{_SEED}"])
        Run(sources, Path(folder), Task(cells)).work(local_workers(num_workers), watch)
    return watch


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.catalogue")
    parser.add_argument("--rounds", type=int, default=_NUM_ROUNDS)
    options = parser.parse_args(arguments)
    prepare([f"random@{_SEED}"])
    print("cells       deals  overhead  1 worker/s  2 workers/s  2 to 1  MiB at first  at most")
    for cells, num_deals in _CASES:
        bare, costs, speeds = np.inf, np.inf, np.zeros(2)
        for _ in range(options.rounds):
            bare = min(bare, bare_cost(cells, num_deals))
            one, two = (run(cells, num_deals, num_workers) for num_workers in (1, 2))
            costs = min(costs, one.cost())
            speeds = np.maximum(speeds, [one.deals_per_second(), two.deals_per_second()])
        print(
            f"{','.join(map(str, cells)):7} {num_deals:9,} {costs / bare - 1:9.1%} "
            f"{speeds[0]:11,.0f} {speeds[1]:12,.0f} {speeds[1] / speeds[0]:7.2f} "
            f"{one.mebibytes[0]:13.0f} {max(one.mebibytes):8.0f}",
            flush=True,
        )
    return 0


def _processor_seconds(pid: str) -> float:
    """What a process has used so far, of its own and of the system's; Linux only."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident(pid: str) -> float:
    """MiB of memory that a process has now; Linux only."""
    text = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in text.splitlines() if "VmRSS" in line)


if __name__ == "__main__":
    sys.exit(main())
