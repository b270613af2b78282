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
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.provenance import provenance
from benchmarks.studies.published import SAMPLES, compare, counts_of
from boulanger.solver.answers.catalogue import summary_json
from boulanger.solver.catalogue.plot import save_plot
from boulanger.solver.catalogue.reader import WINNABLE, Catalogue
from boulanger.solver.catalogue.schema import NUMBER, VERDICT
from boulanger.solver.catalogue.summary import summarise, summary_columns

_RESULTS: Final = Path("results")
_NONE_WINS: Final = 0  # in the small catalogue


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
    answers = {
        name: summary_json(name, catalogue, summaries[name])
        for name, catalogue in catalogues.items()
    }
    counts = {name: counts_of(answers[name]["cells"]) for name in ("random", "ms")}
    comparisons = compare(SAMPLES, counts["random"], counts["ms"])
    document = {
        "provenance": provenance("python -m benchmarks.studies.catalogue_results"),
        "catalogues": answers,
        "published": comparisons,
    }
    text = json.dumps(document, indent=1) + "\n"
    (_RESULTS / "catalogues.json").write_text(text, encoding="utf-8")
    save_plot(summaries["random"], _RESULTS / "win_rates.png")
    _write_smallest(catalogues["classic"], _RESULTS / "ms_1_32000.parquet")
    for entry in comparisons:
        print(entry)


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
