"""Fits the rating's model on the reference sample: `python -m benchmarks.studies.rating_fit`.

Reads `results/rating_reference.parquet` and writes `solver/rating/data/model.json`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.provenance import provenance
from boulanger.solver.rating.model import CellModel, Columns, fit_model, model_json
from boulanger.solver.rating.parts import NUM_GAMES

SAMPLE: Final = Path("results/rating_reference.parquet")
MODEL: Final = Path("solver/rating/data/model.json")


def main() -> None:
    """Writes the model and prints its weights."""
    parser = argparse.ArgumentParser(description="Fits the rating's model.")
    parser.add_argument("--sample", type=Path, default=SAMPLE, help="(%(default)s)")
    parser.add_argument("--out", type=Path, default=MODEL, help="(%(default)s)")
    arguments = parser.parse_args()
    models: dict[int, CellModel] = {}
    for num_cells, sample in read_samples(arguments.sample).items():
        models[num_cells] = fit_model(sample)
        weights = {name: round(weight, 3) for name, weight in models[num_cells].weights.items()}
        print(f"{num_cells} cells, {models[num_cells].num_deals:,} deals: {weights}")
    about = {**provenance("python -m benchmarks.studies.rating_fit"), "games": NUM_GAMES}
    text = json.dumps(model_json(models, about), separators=(",", ":"))
    arguments.out.write_text(text + "\n", encoding="utf-8")


def read_samples(path: Path) -> dict[int, Columns]:
    """The fields of a sample's deals for each number of cells, most first."""
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    fields = {name: table.column(name).to_numpy() for name in table.column_names}
    cells = fields["num_cells"]
    return {
        int(count): {
            name: values[cells == count].astype(np.float64)
            for name, values in fields.items()
            if name != "number"
        }
        for count in sorted(set(cells.tolist()), reverse=True)
    }


if __name__ == "__main__":
    main()
