"""`python -m benchmarks.studies.shortest_lengths`: proven shortest lengths of Microsoft deals.

For each winnable deal of ms 1..LAST with 1, 2 and 4 cells: the fewest single-card moves, the fewest
actions, and how many positions each proof expanded. What is done is kept line by line in a work
folder, so the command goes on where it was stopped. A deal that is not proven stops it. When all
deals are there, it writes `results/shortest_lengths.parquet` and `results/shortest_lengths.json`:
distributions, the shortest and the longest of all with their solutions, the difference of the
measures, and the hardest proofs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from benchmarks.provenance import provenance
from benchmarks.work_files import whole_lines
from boulanger.engine.deals.dealers import MS
from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.game import Game
from boulanger.engine.position import Position
from boulanger.solver.optimal.shortest import find_shortest, prepare
from boulanger.solver.result import Measure, Solution
from boulanger.solver.verdict.classify import classify
from boulanger.solver.verdict.decide import WINNABLE

_CELLS: Final = (1, 2, 4)  # the cheap ones first
FIELDS: Final = ("deal", "cells", "plies", "actions", "nodes_plies", "nodes_actions")
_TYPES: Final = ("u2", "u1", "u1", "u1", "u4", "u4")
_NUM_HARDEST: Final = 10
_PERCENTILES: Final = (1, 5, 25, 50, 75, 95, 99)

Rows = npt.NDArray[np.int64]
"""(N, 6), a row for each deal and number of cells that wins, its columns `FIELDS`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies.shortest_lengths")
    parser.add_argument("--last", type=int, default=32_000, help="last deal (%(default)s)")
    parser.add_argument("--work", type=Path, default=Path("shortest-work"), help="(%(default)s)")
    parser.add_argument("--folder", type=Path, default=Path("results"), help="(%(default)s)")
    options = parser.parse_args(arguments)
    prepare()
    options.work.mkdir(parents=True, exist_ok=True)
    command = f"python -m benchmarks.studies.shortest_lengths --last {options.last}"
    kept = options.work / "made_with.json"
    if not kept.exists():
        kept.write_text(json.dumps(provenance(command)) + "\n")
    rows = np.array(
        [row for n in _CELLS for row in measure_all(n, options.last, options.work)], np.int64
    ).reshape(-1, len(FIELDS))
    options.folder.mkdir(parents=True, exist_ok=True)
    document = {
        **provenance(command),
        "measured_with": json.loads(kept.read_text()),
        "deals": f"ms 1..{options.last}",
        "cells": [summary(rows[rows[:, 1] == n], n, options.last) for n in _CELLS],
    }
    text = json.dumps(document, indent=1) + "\n"
    (options.folder / "shortest_lengths.json").write_text(text)
    _write_parquet(rows, options.folder / "shortest_lengths.parquet", document)
    return 0


def measure_all(num_cells: int, last: int, work: Path) -> Iterator[list[int]]:
    """The rows of all winnable deals; those that the work folder has are not measured again."""
    path = work / f"c{num_cells}.csv"
    rows = ([int(field) for field in line.split(",")] for line in whole_lines(path))
    done = {row[0]: row for row in rows}
    numbers = np.arange(1, last + 1)
    verdicts, _ = classify(deal_many("ms", numbers), num_cells)
    winnable = [int(number) for number in numbers[verdicts == WINNABLE]]
    with path.open("a", encoding="ascii") as file:
        bar = tqdm(winnable, desc=f"{num_cells} cells", mininterval=30)
        for number in bar:
            row = done.get(number)
            if row is None:
                row = measure(number, num_cells)
                file.write(",".join(map(str, row)) + "\n")
                file.flush()
            yield row


def measure(number: int, num_cells: int) -> list[int]:
    """One row.

    Raises:
        RuntimeError: if a length is not proven.
    """
    position = Position.from_deal(MS.deal(number), num_cells)
    lengths, nodes = [], []
    for measure in (Measure.PLIES, Measure.ACTIONS):
        result = find_shortest(position, measure)
        if not result.is_proven or result.length is None:
            raise RuntimeError(f"ms:{number} with {num_cells} cells: not proven, in {measure}")
        lengths.append(result.length)
        nodes.append(result.num_nodes)
    return [number, num_cells, *lengths, *nodes]


def summary(rows: Rows, num_cells: int, last: int) -> dict[str, Any]:
    """What the rows of one number of cells come to."""
    entry: dict[str, Any] = {
        "cells": num_cells,
        "deals": f"ms 1..{last}",
        "winnable": len(rows),
    }
    if not len(rows):
        return entry
    for measure in Measure:
        lengths = rows[:, FIELDS.index(measure.value)]
        entry[measure.value] = {
            **spread(lengths),
            "shortest": [solved(int(rows[i, 0]), num_cells, measure) for i in _all(lengths, min)],
            "longest": [solved(int(rows[i, 0]), num_cells, measure) for i in _all(lengths, max)],
            "hardest_proofs": _hardest(rows, measure),
        }
    entry["plies_less_actions"] = spread(rows[:, 2] - rows[:, 3])
    correlation = np.corrcoef(rows[:, 2], rows[:, 3])[0, 1] if len(rows) > 2 else float("nan")
    entry["correlation_of_measures"] = None if np.isnan(correlation) else round(correlation, 4)
    return entry


def spread(values: npt.NDArray[np.int64]) -> dict[str, Any]:
    """Mean, deviation, percentiles, extremes and the whole distribution of whole numbers."""
    percentiles = np.percentile(values, _PERCENTILES, method="inverted_cdf")
    return {
        "mean": round(float(values.mean()), 3),
        "standard_deviation": round(float(values.std()), 3),
        "least": int(values.min()),
        "most": int(values.max()),
        "percentiles": {
            str(p): int(value) for p, value in zip(_PERCENTILES, percentiles, strict=True)
        },
        "deals_by_value": {str(value): n for value, n in sorted(Counter(values.tolist()).items())},
    }


def solved(number: int, num_cells: int, measure: Measure) -> dict[str, Any]:
    """A deal with a shortest solution, replayed move by move from its notation.

    Raises:
        RuntimeError: if the replay does not win.
    """
    position = Position.from_deal(MS.deal(number), num_cells)
    result = find_shortest(position, measure)
    if result.solution is None or not result.is_proven:
        raise RuntimeError(f"ms:{number} with {num_cells} cells: not proven, in {measure}")
    return {"deal": number, "length": result.length, "solution": replayed(result.solution)}


def replayed(solution: Solution) -> str:
    """A solution in notation, after it was played from there.

    Raises:
        RuntimeError: if that does not win.
    """
    game = Game(solution.start)
    for text in solution.notation:
        game.apply(text)
    if not game.is_won:
        raise RuntimeError(f"the solution {solution!r} does not replay")
    return " ".join(solution.notation)


def _all(lengths: npt.NDArray[np.int64], best: Any) -> list[int]:
    return [int(i) for i in np.flatnonzero(lengths == best(lengths))]


def _hardest(rows: Rows, measure: Measure) -> list[dict[str, int]]:
    """The deals whose proofs expanded most positions."""
    nodes = rows[:, FIELDS.index(f"nodes_{measure.value}")]
    order = np.argsort(-nodes, kind="stable")[:_NUM_HARDEST]
    return [
        {
            "deal": int(rows[i, 0]),
            "length": int(rows[i, FIELDS.index(measure.value)]),
            "nodes": int(nodes[i]),
        }
        for i in order
    ]


def _write_parquet(rows: Rows, path: Path, document: dict[str, Any]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {
        field: rows[:, i].astype(kind)
        for i, (field, kind) in enumerate(zip(FIELDS, _TYPES, strict=True))
    }
    about = {
        "about": "Baker's Game: fewest single-card moves and fewest actions that win, all proven, "
        f"of every winnable Microsoft deal of {document['deals']} with 1, 2 and 4 cells; and how "
        "many positions each proof expanded.",
        "made by": json.dumps(document["measured_with"]),
    }
    pq.write_table(pa.table(columns).replace_schema_metadata(about), path, compression="zstd")


if __name__ == "__main__":
    sys.exit(main())
