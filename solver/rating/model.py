"""From parts to one number: how hard a deal is among winnable deals with as many cells.

The difficulty of a deal is, for its number of cells, half of what its parts let one expect and half
of what happened:

- the expected: a linear regression, fitted on a reference sample, of the careful player's win rate
  on the other parts;
- what happened: the careful player's win rate itself.

All of them are taken as normal scores, that is, as the place of their rank in the sample on the
normal curve, so that neither units nor odd distributions matter. Both halves are turned so that
more is harder. The score is the percentile of the difficulty among the deals of the sample.

The regression is preferred to fixed weights because it predicts better how a player that it was
not shown fares on deals that it was not shown (`results/rating.json`).

`python -m benchmarks.studies.rating_fit` makes the file `data/model.json` from the sample.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boulanger.solver.rating.fields import HARDER_IF_MORE, OUTCOME, PREDICTORS

LEVELS: Final = (
    ("gentle", 10.0),
    ("easy", 35.0),
    ("medium", 65.0),
    ("hard", 90.0),
    ("fiendish", 100.0),
)
"""The levels of scores, each with the percentile up to which it goes."""

_NORMAL: Final = NormalDist()
_RIDGE: Final = 5.0  # a little, since plies and actions say nearly the same
_NUM_KNOTS: Final = 401
_MAX_VALUES: Final = 400

Columns = Mapping[str, npt.NDArray[np.float64]]
"""A sample: an array of (deals,) for each field."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The normal scores of a field in the reference sample.

    Attributes:
        values: rising, and scores: theirs; in between they are interpolated.
    """

    values: tuple[float, ...]
    scores: tuple[float, ...]

    def score(self, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Normal scores of values."""
        return np.interp(np.asarray(value, np.float64), self.values, self.scores)


@dataclass(frozen=True, slots=True)
class CellModel:
    """The model for one number of cells.

    Attributes:
        num_deals: of the sample that it was fitted on.
        scales: of `PREDICTORS` and the other fields with a percentile.
        weights: of `PREDICTORS`, for the normal score of the careful player's wins.
        difficulties: rising, evenly spaced in rank, of the sample's deals.
    """

    num_deals: int
    scales: Mapping[str, Scale]
    weights: Mapping[str, float]
    difficulties: tuple[float, ...]

    def expected(self, row: Mapping[str, npt.ArrayLike]) -> npt.NDArray[np.float64]:
        """The expected normal score of the careful player's wins, from the other parts only."""
        terms = [
            weight * self.scales[name].score(row[name]) for name, weight in self.weights.items()
        ]
        total: npt.NDArray[np.float64] = np.sum(terms, axis=0)
        return total

    def difficulty(self, row: Mapping[str, npt.ArrayLike]) -> npt.NDArray[np.float64]:
        """The difficulty of deals, on a scale of its own."""
        return -(self.expected(row) + self.scales[OUTCOME].score(row[OUTCOME])) / 2

    def percentile(self, row: Mapping[str, npt.ArrayLike]) -> npt.NDArray[np.float64]:
        """The score of deals: of the sample's deals, how many in a hundred are less hard."""
        ranks = np.linspace(0, 100, len(self.difficulties))
        return np.interp(self.difficulty(row), self.difficulties, ranks)

    def field_percentile(self, name: str, value: float) -> float:
        """Of the sample's deals, how many in a hundred are less hard in this respect.

        Those that are equal count half.
        """
        share = _NORMAL.cdf(float(self.scales[name].score(value)))
        return 100 * (share if HARDER_IF_MORE[name] else 1 - share)


def level_of(score: float) -> str:
    """The level of a score, 0 to 100.

    >>> level_of(9.9), level_of(64), level_of(100)
    ('gentle', 'medium', 'fiendish')
    """
    return LEVELS[int(level_places(np.array([score]))[0])][0]


def level_places(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """For each score the place of its level in `LEVELS`."""
    ends = np.array([end for _, end in LEVELS[:-1]])
    return np.searchsorted(ends, scores, side="right").astype(np.int64)


def load_model(num_cells: int) -> CellModel | None:
    """The model for a number of cells; None if there was no sample for it."""
    return _load().get(num_cells)


def modelled_cells() -> tuple[int, ...]:
    """The numbers of cells that there is a model for, most first."""
    return tuple(sorted(_load(), reverse=True))


@cache
def _load() -> dict[int, CellModel]:
    text = files("boulanger.solver.rating").joinpath("data/model.json").read_text("utf-8")
    return {
        int(num_cells): CellModel(
            entry["num_deals"],
            {
                name: Scale(tuple(scale["values"]), tuple(scale["scores"]))
                for name, scale in entry["scales"].items()
            },
            entry["weights"],
            tuple(entry["difficulties"]),
        )
        for num_cells, entry in json.loads(text)["cells"].items()
    }


def fit_model(sample: Columns, predictors: Sequence[str] = PREDICTORS) -> CellModel:
    """The model of a sample of winnable deals with one number of cells."""
    scales = {name: fit_scale(sample[name]) for name in HARDER_IF_MORE}
    inputs = np.column_stack([scales[name].score(sample[name]) for name in predictors])
    outcome = scales[OUTCOME].score(sample[OUTCOME])
    penalty = _RIDGE * np.eye(len(predictors))
    weights = np.linalg.solve(inputs.T @ inputs + penalty, inputs.T @ outcome)
    num_deals = len(outcome)
    model = CellModel(num_deals, scales, dict(zip(predictors, weights.tolist(), strict=True)), ())
    difficulty = np.quantile(model.difficulty(sample), np.linspace(0, 1, _NUM_KNOTS))
    return CellModel(num_deals, scales, model.weights, tuple(difficulty.tolist()))


def fit_scale(values: npt.NDArray[np.float64]) -> Scale:
    """The normal scores of a field; equal values share the middle of their ranks."""
    distinct, counts = np.unique(values, return_counts=True)
    middles = (np.cumsum(counts) - counts / 2) / len(values)
    if len(distinct) > _MAX_VALUES:
        knots = np.unique(np.linspace(0, len(distinct) - 1, _NUM_KNOTS).round().astype(int))
        distinct, middles = distinct[knots], middles[knots]
    scores = [_NORMAL.inv_cdf(float(middle)) for middle in middles]
    return Scale(tuple(distinct.tolist()), tuple(scores))


def model_json(models: Mapping[int, CellModel], provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The file that `load_model` reads."""
    return {
        "provenance": dict(provenance),
        "cells": {
            str(num_cells): {
                "num_deals": model.num_deals,
                "weights": {name: round(weight, 5) for name, weight in model.weights.items()},
                "difficulties": [round(value, 5) for value in model.difficulties],
                "scales": {
                    name: {
                        "values": [round(value, 5) for value in scale.values],
                        "scores": [round(score, 5) for score in scale.scores],
                    }
                    for name, scale in model.scales.items()
                },
            }
            for num_cells, model in models.items()
        },
    }
