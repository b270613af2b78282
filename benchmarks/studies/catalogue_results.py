"""What the project's catalogues came to: `python -m benchmarks.studies.catalogue_results`.

Reads three finished catalogues, each made by `boulanger classify`:

    --random   uniformly random deals:         random:10000000@1 --cells 0,1,2,3,4,5,6,7,8
    --ms       Microsoft deals:                ms:1..10000000 --cells 4
    --classic  Microsoft's own first deals:    ms:1..32000 --cells 1,2,3,4,5,6

and writes to `results/`: `catalogues.json` (counts, rates with 95 % Wilson intervals, the fewest
cells that win, each catalogue's manifest, and the comparison with published figures),
`win_rates.png`, and `ms_1_32000.parquet` (for each deal the smallest number of cells that wins).
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.provenance import provenance
from boulanger.solver.answers.catalogue import summary_json
from boulanger.solver.catalogue.intervals import wilson_interval
from boulanger.solver.catalogue.plot import save_plot
from boulanger.solver.catalogue.reader import WINNABLE, Catalogue
from boulanger.solver.catalogue.schema import NUMBER, VERDICT
from boulanger.solver.catalogue.summary import Summary, summarise, summary_columns

_RESULTS: Final = Path("results")
_NONE_WINS: Final = 0  # in the small catalogue


@dataclass(frozen=True, slots=True)
class Published:
    """How many deals someone else found winnable.

    Attributes:
        who: and where.
        of: "random" or "ms", the catalogue to compare with.
        num_cells: in play.
        winnable: of num_deals.
        is_same_deals: whether these are the very deals of the catalogue, so that the counts must
            be equal; else both are samples.
    """

    who: str
    of: str
    num_cells: int
    winnable: int
    num_deals: int
    is_same_deals: bool = False


_BRYAN: Final = "Jerry Bryan, 2004, random deals"
PUBLISHED: Final = (
    Published(_BRYAN + " (about)", "random", 0, 10, 1_000_000),
    Published(_BRYAN + " (lowest of several)", "random", 1, 1_776, 1_000_000),
    Published(_BRYAN + " (highest of several)", "random", 1, 1_897, 1_000_000),
    Published(_BRYAN, "random", 2, 42_584, 1_000_000),
    Published(_BRYAN + " (first of two)", "random", 3, 288_889, 1_000_000),
    Published(_BRYAN + " (second of two)", "random", 3, 289_588, 1_000_000),
    Published(_BRYAN, "random", 4, 750_611, 1_000_000),
    Published(_BRYAN, "random", 5, 979_429, 1_000_000),
    Published(_BRYAN, "random", 6, 999_847, 1_000_000),
    Published(_BRYAN, "random", 7, 1_000_000, 1_000_000),
    Published("Blake and Gent, JAIR 85:21, Solvitaire", "random", 4, 7_505_266, 10_000_000),
    Published("Pringle 2018, cited by Blake and Gent", "ms", 4, 7_501_119, 10_000_000, True),
)


def main() -> None:
    """Reads the catalogues and writes the results."""
    parser = argparse.ArgumentParser(description="What the project's catalogues came to.")
    for name in ("random", "ms", "classic"):
        parser.add_argument(f"--{name}", type=Path, required=True, metavar="DIR")
    arguments = parser.parse_args()
    catalogues = {name: Catalogue(path) for name, path in vars(arguments).items()}
    summaries = {}
    for name, catalogue in catalogues.items():
        if not catalogue.is_finished:
            parser.error(f"--{name}: {catalogue.unfinished_note}")
        cells = catalogue.manifest.cells
        summaries[name] = summarise(catalogue.parts(summary_columns(cells)), cells)
    comparisons = [compare(published, summaries[published.of]) for published in PUBLISHED]
    document = {
        "provenance": provenance("python -m benchmarks.studies.catalogue_results"),
        "catalogues": {
            name: summary_json(name, catalogues[name], summaries[name]) for name in catalogues
        },
        "published": comparisons,
    }
    text = json.dumps(document, indent=1) + "\n"
    (_RESULTS / "catalogues.json").write_text(text, encoding="utf-8")
    save_plot(summaries["random"], _RESULTS / "win_rates.png")
    _write_smallest(catalogues["classic"], _RESULTS / "ms_1_32000.parquet")
    for entry in comparisons:
        print(entry)


def compare(published: Published, summary: Summary) -> dict[str, Any]:
    """A published count beside ours.

    For samples, `z` is the difference of the rates in units of its standard error.
    """
    ours = next(c for c in summary.whole.cells if c.num_cells == published.num_cells)
    entry: dict[str, Any] = {
        "who": published.who,
        "deals": "the same" if published.is_same_deals else "another sample",
        "cells": published.num_cells,
        "published": {
            "winnable": published.winnable,
            "deals": published.num_deals,
            "interval": wilson_interval(published.winnable, published.num_deals),
        },
        "ours": {
            "winnable": ours.winnable,
            "undecided": ours.undecided,
            "deals": ours.num_deals,
            "interval": ours.interval,
        },
    }
    if published.is_same_deals:
        entry["equal"] = (ours.winnable, ours.num_deals) == (
            published.winnable,
            published.num_deals,
        )
        return entry
    pooled = (published.winnable + ours.winnable) / (published.num_deals + ours.num_deals)
    variance = pooled * (1 - pooled) * (1 / published.num_deals + 1 / ours.num_deals)
    difference = ours.winnable / ours.num_deals - published.winnable / published.num_deals
    entry["z"] = round(difference / math.sqrt(variance), 2) if variance > 0 else 0.0
    return entry


def _write_smallest(catalogue: Catalogue, path: Path) -> None:
    """The deals' numbers and the smallest number of cells that wins, 0 if none of them does."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    cells = catalogue.manifest.cells
    numbers, smallest = [], []
    for part in catalogue.parts([NUMBER.of(), *map(VERDICT.of, cells)]):
        fewest = np.full(len(part), _NONE_WINS, np.uint8)
        for num_cells in reversed(cells):
            fewest[part.verdicts(num_cells) == WINNABLE] = num_cells
        numbers.append(part.table.column(NUMBER.of()).to_numpy().astype(np.uint16))
        smallest.append(fewest)
    fields = {"deal": np.concatenate(numbers), "smallest_cells": np.concatenate(smallest)}
    about = {
        "about": "Baker's Game, Microsoft deals 1..32000: the smallest number of cells, of "
        f"{cells[0]} to {cells[-1]}, that wins; 0 if none does. All verdicts exact.",
        "made by": json.dumps(catalogue.manifest.document),
    }
    pq.write_table(pa.table(fields).replace_schema_metadata(about), path, compression="zstd")


if __name__ == "__main__":
    main()
