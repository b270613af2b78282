"""How far the rating can be trusted: `python -m benchmarks.studies.rating_validation`.

Writes `results/rating.json`, for each number of cells:

    parts       Spearman's rank correlation of each two parts, with a 95 % interval
    held_out    how well the rating's regression, fitted without the careful player, predicts on
                deals that it was not fitted on how often that player wins (Spearman, five folds of
                the reference sample, and other deals); the same for its rivals: the other parts
                with equal weights, and a regression that sees no player at all
    uniform     whether the percentiles of other deals are spread evenly: the largest distance of
                their distribution from that, and its 1 % bound (Kolmogorov and Smirnov)
    stability   the standard error of the score when the players' games have other seeds

and what it cannot claim. The inputs, apart from `results/rating_reference.parquet`, are made by

    python -m benchmarks.studies.rating_reference --deals 1000 --seed 1 --out other.parquet
    python -m benchmarks.studies.rating_reference --deals 100 --seed 1 --games-seed 1 \\
        --out again1.parquet

the latter for as many games seeds as wanted; they measure the first deals of `other.parquet` again.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from benchmarks.provenance import provenance
from benchmarks.studies.rating_fit import SAMPLE, read_samples
from boulanger.solver.rating.fields import HARDER_IF_MORE, OUTCOME, PREDICTORS
from boulanger.solver.rating.model import (
    CellModel,
    Columns,
    fit_model,
    load_model,
)

_NUM_FOLDS: Final = 5
_KS_1_PERCENT: Final = 1.628  # divided by the root of the number of deals
_PLAYER_FIELDS: Final = ("greedy_wins", "planner_wins")
CANNOT_CLAIM: Final = (
    "No public data tells how often people win single deals of this game. What the score predicts "
    "is how simulated players fare, and people may find other things hard.",
    "The careful player is half of the score. It is one way to play well, not all ways: where its "
    "habits fail it, a deal that a person finds easy gets a high score.",
    "Good play is one shortest solution. A deal may have another way that forgives more.",
    "The score compares deals with the same number of cells; a 50 with four cells and a 50 with "
    "one are not equally hard.",
    "Deals were drawn from game codes by this project's own dealer. Deals of another fair dealer "
    "are alike; deals that somebody chose are not.",
)

Array = npt.NDArray[np.float64]


def main() -> None:
    """Writes the validation and prints the main figures."""
    parser = argparse.ArgumentParser(description="How far the rating can be trusted.")
    parser.add_argument("--sample", type=Path, default=SAMPLE, help="(%(default)s)")
    parser.add_argument("--other", type=Path, required=True, help="other deals")
    parser.add_argument("--again", type=Path, nargs="+", required=True, help="the same once more")
    parser.add_argument("--out", type=Path, default=Path("results/rating.json"))
    arguments = parser.parse_args()
    other = read_samples(arguments.other)
    again = [read_samples(path) for path in arguments.again]
    cells = {}
    for num_cells, sample in read_samples(arguments.sample).items():
        model = load_model(num_cells)
        if model is None:
            parser.error(
                f"there is no model for {num_cells} cells; benchmarks.studies.rating_fit makes it"
            )
        cells[str(num_cells)] = {
            "num_deals": len(sample[OUTCOME]),
            "parts": correlations(sample),
            "held_out": held_out(sample, model, other[num_cells]),
            "uniform": uniformity(model.percentile(other[num_cells])),
            "stability": stability(
                model, [other[num_cells], *(samples[num_cells] for samples in again)]
            ),
        }
        print(num_cells, "cells", json.dumps({k: v for k, v in cells[str(num_cells)].items()
                                              if k != "parts"}))  # fmt: skip
    document = {
        "provenance": provenance("python -m benchmarks.studies.rating_validation"),
        "cells": cells,
        "cannot_claim": CANNOT_CLAIM,
    }
    arguments.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def ranks(values: npt.ArrayLike) -> Array:
    """The ranks of values; equal ones share the middle of theirs."""
    _, inverse, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    middles = np.cumsum(counts) - (counts - 1) / 2
    return np.asarray(middles[inverse], np.float64)


def spearman(first: npt.ArrayLike, second: npt.ArrayLike) -> dict[str, Any]:
    """Spearman's rank correlation and its 95 % interval.

    The interval is Fisher's with the variance of Bonett and Wright, "Sample size requirements for
    estimating Pearson, Kendall and Spearman correlations", Psychometrika 65:23 (2000). A field that
    never changes has no correlation.
    """
    a, b = ranks(first), ranks(second)
    if a.std() == 0 or b.std() == 0:
        return {"rho": None, "interval": None}
    rho = float(np.corrcoef(a, b)[0, 1])
    half = 1.96 * math.sqrt((1 + rho**2 / 2) / (len(a) - 3))
    middle = math.atanh(min(max(rho, -0.999999), 0.999999))
    interval = [round(math.tanh(middle - half), 4), round(math.tanh(middle + half), 4)]
    return {"rho": round(rho, 4), "interval": interval}


def correlations(sample: Columns) -> dict[str, dict[str, Any]]:
    """Of each two parts."""
    names = list(HARDER_IF_MORE)
    return {
        f"{first}, {second}": spearman(sample[first], sample[second])
        for i, first in enumerate(names)
        for second in names[i + 1 :]
    }


def held_out(sample: Columns, model: CellModel, other: Columns) -> dict[str, Any]:
    """How well the careful player's wins are predicted on deals that were not fitted on."""
    without_players = [name for name in PREDICTORS if name not in _PLAYER_FIELDS]
    return {
        "regression, five folds": spearman(_predicted(sample, PREDICTORS), sample[OUTCOME]),
        "equal weights": spearman(_equally_weighted(model, sample), sample[OUTCOME]),
        "regression without players, five folds": spearman(
            _predicted(sample, without_players), sample[OUTCOME]
        ),
        "regression, other deals": spearman(model.expected(other), other[OUTCOME]),
    }


def _predicted(sample: Columns, predictors: Sequence[str]) -> Array:
    """What the regression expects of each deal when it is fitted on the other folds."""
    num_deals = len(sample[OUTCOME])
    fold = np.arange(num_deals) % _NUM_FOLDS
    expected = np.empty(num_deals)
    for i in range(_NUM_FOLDS):
        fitted = fit_model({name: sample[name][fold != i] for name in HARDER_IF_MORE}, predictors)
        expected[fold == i] = fitted.expected({name: sample[name][fold == i] for name in sample})
    return expected


def _equally_weighted(model: CellModel, sample: Columns) -> Array:
    signs = {name: -1 if HARDER_IF_MORE[name] else 1 for name in PREDICTORS}
    terms = [signs[name] * model.scales[name].score(sample[name]) for name in PREDICTORS]
    total: Array = np.sum(terms, axis=0)
    return total


def uniformity(percentiles: Array, num_reference: int | None = None) -> dict[str, Any]:
    """The largest distance between the distribution of percentiles and an even one.

    Args:
        percentiles: of deals that the model was not fitted on.
        num_reference: how many deals the percentiles are among. If given, the bound is that for
            two samples, which allows for chance in the reference too; else the stricter one.
    """
    ordered = np.sort(percentiles) / 100
    count = len(ordered)
    above = (np.arange(1, count + 1) / count - ordered).max()
    below = (ordered - np.arange(count) / count).max()
    share = 1 / count + (0 if num_reference is None else 1 / num_reference)
    distance, bound = float(max(above, below)), _KS_1_PERCENT * math.sqrt(share)
    return {
        "num_deals": count,
        "distance": round(distance, 4),
        "bound": round(bound, 4),
        "is_within": distance <= bound,
    }


def stability(model: CellModel, samples: Sequence[Columns]) -> dict[str, Any]:
    """The standard error of the score over the seeds of the games, in points."""
    num_deals = min(len(sample[OUTCOME]) for sample in samples)
    scores = [model.percentile({k: v[:num_deals] for k, v in s.items()}) for s in samples]
    errors = np.std(scores, axis=0, ddof=1)
    return {
        "num_deals": num_deals,
        "num_seeds": len(samples),
        "root_mean_square": round(float(np.sqrt((errors**2).mean())), 3),
        "median": round(float(np.median(errors)), 3),
        "largest": round(float(errors.max()), 3),
    }


if __name__ == "__main__":
    main()
