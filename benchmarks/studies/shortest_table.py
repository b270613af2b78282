"""`python -m benchmarks.studies.shortest_table`: shortest solutions of Microsoft deals in a table.

Writes `results/shortest.csv`, a row for each deal and number of cells that can be won: fewest
single-card moves and fewest actions, both proven; and `results/shortest.json`, with the
distribution of the lengths and what it all was made with. A deal that is not proven stops it: the
table has no guesses.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from tqdm import tqdm

from benchmarks.provenance import provenance
from boulanger.engine.deals.dealers import MS
from boulanger.engine.position import Position
from boulanger.solver.optimal.shortest import find_shortest, prepare
from boulanger.solver.result import Measure, Verdict

_NUM_CELLS = (4, 2, 1)


def shortest_lengths(deal: int, num_cells: int) -> tuple[int, int] | None:
    """Fewest plies and fewest actions that win a deal; None if it cannot be won.

    Raises:
        RuntimeError: if one of them is not proven.
    """
    lengths = []
    for measure in Measure:
        result = find_shortest(Position.from_deal(MS.deal(deal), num_cells), measure=measure)
        if result.verdict == Verdict.UNWINNABLE:
            return None
        if not result.is_proven or result.length is None:
            raise RuntimeError(f"ms:{deal} with {num_cells} cells: not proven, in {measure}")
        lengths.append(result.length)
    return lengths[0], lengths[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies.shortest_table")
    parser.add_argument("--last", type=int, default=2000, help="last deal (2000)")
    parser.add_argument("--folder", type=Path, default=Path("results"))
    options = parser.parse_args(arguments)
    prepare()
    rows: list[tuple[int, int, int, int]] = []
    for num_cells in _NUM_CELLS:
        deals = range(1, options.last + 1)
        for deal in tqdm(deals, desc=f"{num_cells} cells", disable=not sys.stderr.isatty()):
            lengths = shortest_lengths(deal, num_cells)
            if lengths is not None:
                rows.append((deal, num_cells, *lengths))
    options.folder.mkdir(parents=True, exist_ok=True)
    with (options.folder / "shortest.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("deal", "cells", "plies", "actions"))
        writer.writerows(rows)
    summary = {
        **provenance(f"python -m benchmarks.studies.shortest_table --last {options.last}"),
        "cells": [_distribution(rows, num_cells, options.last) for num_cells in _NUM_CELLS],
    }
    (options.folder / "shortest.json").write_text(json.dumps(summary, indent=1) + "\n")
    return 0


def _distribution(
    rows: Sequence[tuple[int, int, int, int]], num_cells: int, last: int
) -> dict[str, object]:
    of_cells = [row for row in rows if row[1] == num_cells]
    summary: dict[str, object] = {
        "cells": num_cells,
        "deals": f"ms 1..{last}",
        "winnable": len(of_cells),
    }
    for name, column in (("plies", 2), ("actions", 3)):
        lengths = [row[column] for row in of_cells]
        if lengths:
            summary[name] = {
                "mean": round(mean(lengths), 3),
                "least": min(lengths),
                "most": max(lengths),
                "deals_by_length": {str(k): n for k, n in sorted(Counter(lengths).items())},
            }
    return summary


if __name__ == "__main__":
    sys.exit(main())
