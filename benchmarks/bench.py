"""`python -m benchmarks.bench`: node totals of the verdict search for fixed deals, and its speed.

The nodes of a deal are the same on every machine, so their total is the *signature* of the search:
a change that is not meant to alter the search leaves it as it was, one that is says the new one in
its commit message. Speed is the best of three runs on one core, with dealing, without compiling.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.decks import Workload, timed_run, warm_up
from boulanger.solver.verdict.decide import UNDECIDED, UNWINNABLE, WINNABLE

WORKLOADS: Final = (
    Workload(4, 1, 2000),
    Workload(2, 1, 2000),
    Workload(1, 1, 20000),
    *(Workload(num_cells, 1, 500) for num_cells in (0, 3, 5, 6, 7, 8)),
)
_NUM_RUNS: Final = 3
_MEMORY_WORKLOAD: Final = Workload(4, 1, 20000)
_MAX_GROWTH: Final = 200_000_000

_STATUS: Final = Path("/proc/self/status")
# Writing 5 sets VmHWM, the peak, back to VmRSS: proc_pid_clear_refs(5).
_CLEAR_REFS: Final = Path("/proc/self/clear_refs")
_RESET_PEAK: Final = "5"


def measure(workload: Workload, num_runs: int = _NUM_RUNS) -> dict[str, int | float]:
    """Nodes, verdicts and the best speed of a workload.

    Raises:
        RuntimeError: if two runs differ in a verdict or in the nodes of a deal.
    """
    runs = [timed_run(workload) for _ in range(num_runs)]
    _, verdicts, nodes = runs[0]
    for _, other_verdicts, other_nodes in runs[1:]:
        if (verdicts != other_verdicts).any() or (nodes != other_nodes).any():
            raise RuntimeError(f"{workload}: two runs differ")
    return {
        "cells": workload.num_cells,
        "first": workload.first,
        "last": workload.last,
        "winnable": int((verdicts == WINNABLE).sum()),
        "unwinnable": int((verdicts == UNWINNABLE).sum()),
        "undecided": int((verdicts == UNDECIDED).sum()),
        "nodes": int(nodes.sum()),
        "deals_per_second": workload.num_deals / min(seconds for seconds, _, _ in runs),
    }


def memory_growth(workload: Workload) -> int:
    """Bytes by which the peak of resident memory in a run exceeds what was resident before it.

    A warm-up comes first. Compiling takes more memory than it leaves behind, so the peak is set
    back before the run where the system can do that (Linux); elsewhere growth that stays below the
    peak of compiling is not seen.
    """
    warm_up(workload.num_cells)
    with contextlib.suppress(OSError):
        _CLEAR_REFS.write_text(_RESET_PEAK)
    before = _peak_memory()
    workload.run()
    return _peak_memory() - before


def _peak_memory() -> int:
    """Bytes; from `proc_pid_status(5)`, in kibibytes, where `getrusage` cannot be set back."""
    if _STATUS.exists():
        found = re.search(r"^VmHWM:\s*(\d+) kB$", _STATUS.read_text(), re.MULTILINE)
        if found is not None:
            return 1024 * int(found[1])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Kibibytes, but bytes on macOS.
    return peak if sys.platform == "darwin" else 1024 * peak


def signature(results: Sequence[dict[str, int | float]]) -> int:
    """The node total of all workloads."""
    return sum(int(result["nodes"]) for result in results)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code: 1 if memory grew by more than it may."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--memory", action="store_true", help="only the growth of memory over ms 1..20000, 4 cells"
    )
    options = parser.parse_args(arguments)
    if options.memory:
        growth = memory_growth(_MEMORY_WORKLOAD)
        print(
            f"resident memory grew by {growth / 1e6:.1f} MB over ms 1..20000 with 4 cells "
            f"(at most {_MAX_GROWTH / 1e6:.0f})"
        )
        return 1 if growth > _MAX_GROWTH else 0
    warm_up()
    results = [measure(workload) for workload in WORKLOADS]
    if options.json:
        print(json.dumps({"signature": signature(results), "workloads": results}, indent=1))
        return 0
    print("cells         deals  winnable  unwinnable  undecided        nodes   deals/s")
    for result in results:
        deals = f"ms {result['first']}..{result['last']}"
        print(
            f"{result['cells']:5} {deals:>13} {result['winnable']:9,} {result['unwinnable']:11,} "
            f"{result['undecided']:10,} {result['nodes']:12,} {result['deals_per_second']:9,.0f}"
        )
    print(f"signature: {signature(results)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
