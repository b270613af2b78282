"""`python -m benchmarks.studies.smallest_cells`: how few cells win each Microsoft deal.

Reads finished catalogues, each made by `boulanger classify`:

    --smallest   ms:1..1000000 --cells 0..8
    --hardest    ms:1..1000000 --cells 4, the same with 2 and with 1; each for itself, so that no
                 verdict is inferred and each tells what its search took (may be left out)
    --none       ms:1..10000000 --cells 0 (may be left out)

and writes `results/smallest_cells.parquet`, one byte a deal in the order of the deals, and
`results/smallest_cells.json`: counts and rates with 95 % Wilson intervals, the deals that need 7
cells or more, those that are won with none, and the verdicts that took most nodes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from benchmarks.provenance import provenance
from boulanger.solver.catalogue.intervals import wilson_interval
from boulanger.solver.catalogue.reader import UNDECIDED, WINNABLE, Catalogue
from boulanger.solver.catalogue.schema import NODES, NUMBER, VERDICT, VERDICTS

NOTHING_WINS: Final = 255
_MANY_CELLS: Final = 7
_NUM_HARDEST: Final = 10


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies.smallest_cells")
    parser.add_argument("--smallest", type=Path, required=True, metavar="DIR")
    parser.add_argument("--hardest", type=Path, nargs="*", default=[], metavar="DIR")
    parser.add_argument("--none", type=Path, metavar="DIR")
    parser.add_argument("--folder", type=Path, default=Path("results"), help="(%(default)s)")
    options = parser.parse_args(arguments)
    catalogue = finished(options.smallest)
    smallest = smallest_cells(catalogue)
    document: dict[str, Any] = {
        **provenance("python -m benchmarks.studies.smallest_cells"),
        "made_from": catalogue.manifest.document,
        **counts_of(smallest, catalogue.manifest.cells),
        "hardest": [hardest(finished(folder)) for folder in options.hardest],
    }
    if options.none is not None:
        document["won_with_no_cell"] = won_with_no_cell(finished(options.none))
    options.folder.mkdir(parents=True, exist_ok=True)
    _write_parquet(smallest, catalogue, options.folder / "smallest_cells.parquet")
    text = json.dumps(document, indent=1) + "\n"
    (options.folder / "smallest_cells.json").write_text(text, encoding="utf-8")
    return 0


def finished(folder: Path) -> Catalogue:
    """A catalogue.

    Raises:
        ValueError: if its run is unfinished.
    """
    catalogue = Catalogue(folder)
    if not catalogue.is_finished:
        raise ValueError(f"{str(folder)!r}: {catalogue.unfinished_note}; a finished one expected")
    return catalogue


def smallest_cells(catalogue: Catalogue) -> npt.NDArray[np.uint8]:
    """For deal after deal, from 1 on, the fewest cells that win; NOTHING_WINS if none does.

    Raises:
        ValueError: if a deal is missing, or a verdict that matters is undecided.
    """
    smallest = []
    expected = 1
    cells = sorted(catalogue.manifest.cells)
    for part in catalogue.parts([NUMBER.of(), *map(VERDICT.of, cells)]):
        numbers = part.table.column(NUMBER.of()).to_numpy()
        if not np.array_equal(numbers, np.arange(expected, expected + len(part))):
            raise ValueError(f"{part.name}: deals from {expected} on expected, without a gap")
        expected += len(part)
        fewest = np.full(len(part), NOTHING_WINS, np.uint8)
        for num_cells in reversed(cells):
            verdicts = part.verdicts(num_cells)
            if (verdicts == UNDECIDED).any():
                raise ValueError(f"{part.name}: a deal with {num_cells} cells is undecided")
            fewest[verdicts == WINNABLE] = num_cells
        smallest.append(fewest)
    return np.concatenate(smallest)


def counts_of(smallest: npt.NDArray[np.uint8], cells: Sequence[int]) -> dict[str, Any]:
    """Counts and rates for each number of cells, and the deals that need most."""
    num_deals = len(smallest)
    by_cells = []
    for num_cells in sorted(cells):
        winnable = int((smallest <= num_cells).sum())
        by_cells.append(
            {
                "cells": num_cells,
                "need_that_many": int((smallest == num_cells).sum()),
                "winnable": winnable,
                "unwinnable": num_deals - winnable,
                "undecided": 0,
                "rate": winnable / num_deals,
                "interval": wilson_interval(winnable, num_deals),
            }
        )
    most = int(smallest.max())
    return {
        "deals": f"ms 1..{num_deals}",
        "by_cells": by_cells,
        "deals_that_need": {str(n): _numbers(smallest == n) for n in range(_MANY_CELLS, most + 1)},
        "won_with_no_cell": {
            "deals": f"ms 1..{num_deals}",
            "winnable": int((smallest == 0).sum()),
            "numbers": _numbers(smallest == 0),
        },
    }


def _numbers(chosen: npt.NDArray[np.bool_]) -> list[int]:
    return (np.flatnonzero(chosen) + 1).tolist()


@dataclass
class _Hardest:
    """The verdicts of one kind that took most nodes."""

    count: int = 0
    total: int = 0
    top: list[tuple[int, int]] = field(default_factory=list)  # nodes, number

    def take(self, nodes: npt.NDArray[np.float64], numbers: npt.NDArray[np.uint64]) -> None:
        """Takes in the searches of one part."""
        self.count += len(nodes)
        self.total += int(nodes.sum())
        order = np.argsort(-nodes, kind="stable")[:_NUM_HARDEST]
        self.top += [(int(nodes[i]), int(numbers[i])) for i in order]
        self.top = sorted(self.top, key=lambda entry: (-entry[0], entry[1]))[:_NUM_HARDEST]


def hardest(catalogue: Catalogue) -> dict[str, Any]:
    """The verdicts of a catalogue of one number of cells that took most nodes.

    Raises:
        ValueError: if the catalogue has several numbers of cells, so that verdicts are inferred.
    """
    cells = catalogue.manifest.cells
    if len(cells) != 1:
        raise ValueError(f"{str(catalogue.folder)!r} has verdicts for {cells}; one number expected")
    (num_cells,) = cells
    kinds = [_Hardest() for _ in VERDICTS]
    for part in catalogue.parts([NUMBER.of(), VERDICT.of(num_cells), NODES.of(num_cells)]):
        numbers = part.table.column(NUMBER.of()).to_numpy()
        nodes = part.numbers(NODES, num_cells)
        verdicts = part.verdicts(num_cells)
        for verdict, kind in enumerate(kinds):
            of_kind = verdicts == verdict
            kind.take(nodes[of_kind], numbers[of_kind])
    return {
        "cells": num_cells,
        "made_from": catalogue.manifest.document,
        **{
            word: {
                "deals": kind.count,
                "mean_nodes": round(kind.total / kind.count, 1) if kind.count else None,
                "most_nodes": [{"deal": number, "nodes": nodes} for nodes, number in kind.top],
            }
            for word, kind in zip(VERDICTS, kinds, strict=True)
        },
    }


def won_with_no_cell(catalogue: Catalogue) -> dict[str, Any]:
    """The deals of a catalogue that are won with no cell at all."""
    numbers: list[int] = []
    num_deals = num_undecided = 0
    for part in catalogue.parts([NUMBER.of(), VERDICT.of(0)]):
        verdicts = part.verdicts(0)
        numbers += part.table.column(NUMBER.of()).to_numpy()[verdicts == WINNABLE].tolist()
        num_deals += len(part)
        num_undecided += int((verdicts == UNDECIDED).sum())
    return {
        "made_from": catalogue.manifest.document,
        "deals": num_deals,
        "winnable": len(numbers),
        "unwinnable": num_deals - len(numbers) - num_undecided,
        "undecided": num_undecided,
        "interval": wilson_interval(len(numbers), num_deals),
        "numbers": numbers,
    }


def _write_parquet(smallest: npt.NDArray[np.uint8], catalogue: Catalogue, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    about = {
        "about": f"Baker's Game, Microsoft deals 1..{len(smallest)}, in this order: the smallest "
        "number of cells, of "
        f"{', '.join(map(str, sorted(catalogue.manifest.cells)))}, that wins; {NOTHING_WINS} if "
        "none does. All verdicts exact.",
        "made by": json.dumps(catalogue.manifest.document),
    }
    table = pa.table({"smallest_cells": smallest}).replace_schema_metadata(about)
    pq.write_table(table, path, compression="zstd", compression_level=19)


if __name__ == "__main__":
    sys.exit(main())
