"""What shortest solutions cost: `python -m benchmarks.shortest [--last N]`.

For Microsoft deals 1..N and each number of cells and measure: how many were proven, the mean
length, the expanded positions, and the time. A change that is meant not to alter the search leaves
the node totals as they were.
"""

from __future__ import annotations

import argparse

import numpy as np

from boulanger.engine.deals.dealers import MS
from boulanger.engine.position import Position
from boulanger.solver.optimal.shortest import find_shortest, prepare
from boulanger.solver.result import Measure, ShortestResult

_NUM_CELLS = (4, 2)
_DEFAULT_LAST = 300


def main() -> None:
    """Prints a line for each number of cells and measure."""
    parser = argparse.ArgumentParser(description="What shortest solutions cost.")
    parser.add_argument("--last", type=int, default=_DEFAULT_LAST, help="last deal (%(default)s)")
    last = parser.parse_args().last
    prepare()
    for num_cells in _NUM_CELLS:
        for measure in Measure:
            results = [
                find_shortest(Position.from_deal(MS.deal(deal), num_cells), measure=measure)
                for deal in range(1, last + 1)
            ]
            print(f"ms 1..{last}, {num_cells} cells, {measure.value}: {_summary(results)}")


def _summary(results: list[ShortestResult]) -> str:
    lengths = [result.length or 0 for result in results if result.is_proven]
    nodes = np.array([result.num_nodes for result in results])
    times = np.array([result.seconds for result in results]) * 1000
    return (
        f"{len(lengths)} proven, mean length {np.mean(lengths or [0]):.2f}; "
        f"nodes: total {nodes.sum():,}, mean {nodes.mean():,.0f}, median {np.median(nodes):,.0f}, "
        f"max {nodes.max():,}; ms: mean {times.mean():.1f}, median {np.median(times):.1f}, "
        f"95 % {np.percentile(times, 95):.0f}, 99 % {np.percentile(times, 99):.0f}, "
        f"max {times.max():.0f}"
    )


if __name__ == "__main__":
    main()
