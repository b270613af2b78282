"""`python -m benchmarks.short [--last N]`: how short the answer of `solve` is, and what that costs.

For Microsoft deals 1..N that can be won, and each number of cells: the length in actions of the
first solution that comes to light (`first_solution`, what `solve` answered before it looked for
short ones), of what `solve` answers, and of the shortest; and the CPU time of either, taken deal by
deal one after the other. Writes `results/short.json`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from benchmarks.provenance import provenance
from boulanger.engine.deals.dealers import MS
from boulanger.engine.position import Position
from boulanger.solver.line.solve import first_solution
from boulanger.solver.optimal.shortest import find_shortest
from boulanger.solver.optimal.solve import prepare, solve
from boulanger.solver.result import Measure, Solution, SolveResult, Verdict

_NUM_CELLS: Final = (4, 2, 1)


def measure(num_cells: int, last: int) -> dict[str, object]:
    """The figures of one number of cells."""
    lengths: dict[str, list[int]] = {"first": [], "solve": [], "shortest": []}
    milliseconds: dict[str, list[float]] = {"first": [], "solve": []}
    num_proven = 0
    for number in range(1, last + 1):
        position = Position.from_deal(MS.deal(number), num_cells)
        first, first_ms = _timed(first_solution, position)
        if first.verdict != Verdict.WINNABLE:
            continue
        short, short_ms = _timed(solve, position)
        milliseconds["first"].append(first_ms)
        milliseconds["solve"].append(short_ms)
        lengths["first"].append(_length(first.solution))
        lengths["solve"].append(_length(short.solution))
        lengths["shortest"].append(_shortest(position, short))
        num_proven += short.is_shortest
    if not lengths["solve"]:
        return {"cells": num_cells, "deals": f"ms 1..{last}", "winnable": 0}
    longer = np.array(lengths["solve"]) - np.array(lengths["shortest"])
    return {
        "cells": num_cells,
        "deals": f"ms 1..{last}",
        "winnable": len(longer),
        "actions": {name: _spread(values) for name, values in lengths.items()},
        "actions_more_than_shortest": {"mean": round(float(longer.mean()), 4), **_most(longer)},
        "proven_shortest": round(num_proven / len(longer), 4),
        "cpu_ms": {name: _spread(values) for name, values in milliseconds.items()},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.short")
    parser.add_argument("--last", type=int, default=1000, help="last deal (%(default)s)")
    parser.add_argument("--folder", type=Path, default=Path("results"))
    options = parser.parse_args(arguments)
    prepare()
    measure(_NUM_CELLS[0], 3)  # loads what is left to load
    cells = []
    for num_cells in _NUM_CELLS:
        cells.append(measure(num_cells, options.last))
        print(json.dumps(cells[-1]), flush=True)
    summary = {**provenance(f"python -m benchmarks.short --last {options.last}"), "cells": cells}
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "short.json").write_text(json.dumps(summary, indent=1) + "\n")
    return 0


def _timed(
    find: Callable[[Position], SolveResult], position: Position
) -> tuple[SolveResult, float]:
    started = time.process_time()
    result = find(position)
    return result, (time.process_time() - started) * 1000


def _length(solution: Solution | None) -> int:
    if solution is None:
        raise RuntimeError("a deal that is won without a solution")
    return solution.length(Measure.ACTIONS)


def _shortest(position: Position, short: SolveResult) -> int:
    """The length of the shortest solution: that of `short` if this is proven."""
    if short.is_shortest:
        return _length(short.solution)
    found = find_shortest(position, Measure.ACTIONS, known=short.solution)
    if not found.is_proven or found.length is None:
        raise RuntimeError(f"not proven: {found}")
    return found.length


def _spread(values: Sequence[float]) -> dict[str, float]:
    array = np.array(values)
    return {
        "mean": round(float(array.mean()), 2),
        "median": round(float(np.median(array)), 2),
        **_most(array),
    }


def _most(array: npt.NDArray[Any]) -> dict[str, float]:
    return {
        "p95": round(float(np.percentile(array, 95)), 2),
        "most": round(float(array.max()), 2),
    }


if __name__ == "__main__":
    sys.exit(main())
