"""`python -m benchmarks.studies.fiendish`: the most fiendish deals of the rating's sample.

Reads `results/rating_reference.parquet`, 5,000 winnable deals of random game codes for each of 4, 2
and 1 cells, and writes `results/fiendish.json`: the hardest of them by rating, with the parts that
say most.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.provenance import provenance
from benchmarks.studies.rating_fit import SAMPLE, read_samples
from boulanger.engine.deals.codes import format_code
from boulanger.solver.rating.model import load_model
from boulanger.solver.rating.parts import NUM_GAMES

_NUM_DEALS: Final = 10
_SHOWN: Final = ("min_cells", "plies", "actions", "fewest_free", "planner_wins", "careful_wins")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies.fiendish")
    parser.add_argument("--sample", type=Path, default=SAMPLE, help="(%(default)s)")
    parser.add_argument("--folder", type=Path, default=Path("results"), help="(%(default)s)")
    options = parser.parse_args(arguments)
    document = {
        **provenance("python -m benchmarks.studies.fiendish"),
        "dealer": "bk1",
        "games_of_each_player": NUM_GAMES,
        "cells": most_fiendish(options.sample),
    }
    options.folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document, indent=1) + "\n"
    (options.folder / "fiendish.json").write_text(text, encoding="utf-8")
    return 0


def most_fiendish(path: Path) -> list[dict[str, Any]]:
    """For each number of cells, the deals of a sample with the highest difficulty, highest first.

    Scores are percentiles and end at 100; the difficulty that they are made of tells deals with
    equal scores apart.
    """
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["number", "num_cells"])
    numbers, cells = (table.column(name).to_numpy() for name in ("number", "num_cells"))
    entries = []
    for num_cells, sample in read_samples(path).items():
        model = load_model(num_cells)
        assert model is not None  # the sample is that of the models
        own = numbers[cells == num_cells]
        difficulty, score = model.difficulty(sample), model.percentile(sample)
        order = np.argsort(-difficulty, kind="stable")[:_NUM_DEALS]
        deals = [
            {
                "deal": format_code(int(own[i]), num_cells),
                "score": round(float(score[i]), 2),
                **{name: int(sample[name][i]) for name in _SHOWN},
            }
            for i in order
        ]
        entries.append({"cells": num_cells, "of": len(own), "deals": deals})
    return entries


if __name__ == "__main__":
    sys.exit(main())
