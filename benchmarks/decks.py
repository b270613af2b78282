"""The deals that the benchmarks run on, and their timing."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boulanger.engine.deals.kernels import deal_many
from boulanger.solver.verdict.classify import classify


@dataclass(frozen=True, slots=True)
class Workload:
    """Microsoft deals `first` to `last`, with this many cells."""

    num_cells: int
    first: int
    last: int

    @property
    def num_deals(self) -> int:
        """How many deals."""
        return self.last - self.first + 1

    def run(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """Deals and classifies them; see `classify`."""
        return classify(deal_many("ms", np.arange(self.first, self.last + 1)), self.num_cells)


def warm_up(num_cells: int = 4) -> None:
    """Compiles, or loads, what `Workload.run` needs."""
    Workload(num_cells, 1, 2).run()


def timed_run(workload: Workload) -> tuple[float, npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Wall seconds, verdicts and nodes of one run, dealing included."""
    started = time.perf_counter()
    verdicts, nodes = workload.run()
    return time.perf_counter() - started, verdicts, nodes
