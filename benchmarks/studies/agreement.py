"""`python -m benchmarks.studies.agreement`: verdicts beside Freecell Solver's, deal by deal.

`benchmarks.peers` measures speed, on few deals. This compares only verdicts, with Freecell Solver
in a configuration that searches everything, and writes `results/agreement.json`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.decks import Workload, warm_up
from benchmarks.peers import EXACT, HOW_TO_INSTALL, PROGRAM, Contest, compare, peer_version
from benchmarks.provenance import provenance

_WORKLOADS: Final = (
    Workload(0, 1, 500_000),
    Workload(1, 1, 500_000),
    Workload(2, 1, 200_000),
    Workload(3, 1, 100_000),
    Workload(4, 1, 50_000),
    Workload(5, 1, 20_000),
    Workload(6, 1, 10_000),
)
_KEPT: Final = (
    "cells", "deals", "configuration", "winnable", "unwinnable", "undecided", "peer_undecided",
    "differences",
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code: 1 if a verdict differs, 2 without the peer."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.studies.agreement", description=__doc__
    )
    parser.add_argument("--output", type=Path, default=Path("results/agreement.json"))
    output = parser.parse_args(arguments).output
    if shutil.which(PROGRAM) is None:
        print(HOW_TO_INSTALL, file=sys.stderr)
        return 2
    warm_up()
    results = []
    for workload in _WORKLOADS:
        result = compare(Contest(workload, EXACT, at_least=0, aim=0), num_rounds=1)
        results.append({key: result[key] for key in _KEPT})
        print(json.dumps(results[-1]), flush=True)
    document = {
        **provenance("python -m benchmarks.studies.agreement"),
        "freecell_solver": peer_version(),
        "results": results,
    }
    output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return int(any(result["differences"] for result in results))


if __name__ == "__main__":
    sys.exit(main())
