"""`python -m benchmarks.studies.winning_odds`: what can be seen of a deal that says it can be won.

One logistic regression on Microsoft deals 1..1,000,000: whether a deal can be won with n cells, 1
to 6, from n and from features of the deal. The log odds are a constant for each n plus a weighted
sum of the features, the same for all n (a cumulative logit model of the smallest number of cells
that wins). It is fitted to the first half of the deals and judged on the second half, which it
never saw: log loss, beside that of the rate alone, and the area under the ROC curve, for each n.
Beside it stand the models with fewer features, and one for each n with weights of its own, which
shows how far "the same for all n" is true.

The intervals of the weights are 95 % ones from the sandwich estimator, clustered by deal, since the
six outcomes of a deal are not independent.

Reads `results/smallest_cells.parquet`, writes `results/winning_odds.json`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from benchmarks.provenance import provenance
from boulanger.engine.cards import NUM_CARDS, NUM_RANKS
from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.position import NUM_COLUMNS
from boulanger.solver.catalogue.intervals import Z_95, wilson_interval

CELLS: Final = (1, 2, 3, 4, 5, 6)
_CHUNK: Final = 4096
_NUM_BINS: Final = 20
_FEWEST_EVENTS: Final = 50  # of each outcome; with fewer, a number of cells is left out
_TOLERANCE: Final = 1e-9
_MAX_STEPS: Final = 50

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_RANK: Final = np.arange(NUM_CARDS) % NUM_RANKS  # 0 for an ace
_SUIT: Final = np.arange(NUM_CARDS) // NUM_RANKS
# LOWER[x, y]: card x is of the suit of y and lower.
_LOWER: Final = (_SUIT[:, None] == _SUIT) & (_RANK[:, None] < _RANK)
_NEXT: Final = _LOWER & (_RANK[:, None] + 1 == _RANK)


@dataclass(frozen=True, slots=True)
class Boards:
    """Deals, seen as a whole.

    Attributes:
        on_top: float64 (N, 52), how many cards lie on each card.
        beneath: int64 (N, 52), how many lie beneath it.
        column: int64 (N, 52), where it is.
        under: bool (N, 52, 52): whether the first card lies under the second, in one column.
    """

    on_top: Floats
    beneath: npt.NDArray[np.int64]
    column: npt.NDArray[np.int64]
    under: Bools

    @classmethod
    def of(cls, deals: npt.NDArray[np.uint8]) -> Boards:
        """The boards of uint8 (N, 52), cards in deal order."""
        places = np.argsort(deals, axis=1)
        beneath, column = np.divmod(places, NUM_COLUMNS)
        heights = -(-(NUM_CARDS - column) // NUM_COLUMNS)
        same = column[:, :, None] == column[:, None, :]
        under = same & (beneath[:, :, None] < beneath[:, None, :])
        return cls((heights - 1 - beneath).astype(np.float64), beneath, column, under)


def on_rank(rank: int) -> Callable[[Boards], Floats]:
    """Cards on the four cards of a rank, 0 for aces."""
    return lambda boards: boards.on_top[:, rank == _RANK].sum(axis=1)


def buried_pairs(boards: Boards) -> Floats:
    """Pairs of a suit in one column, the lower card under the higher: one has to step aside."""
    return _count(boards.under & _LOWER)


def crossed_pairs(boards: Boards) -> Floats:
    """Crossings of two suits, of which a card has to step aside.

    Card a lies under b, and c under d; c is lower than b, and a lower than d, of one suit each, so
    that b waits for c and d for a: neither can go straight home. Each such (a, b, c, d) of two
    suits is counted once, whether in one column or in two.
    """
    # freed[a, c]: the number of cards b on a that are higher than c, of c's suit.
    freed = boards.under.astype(np.float32) @ _LOWER.T.astype(np.float32)
    both = freed * freed.transpose(0, 2, 1)
    both[:, _SUIT[:, None] == _SUIT] = 0
    return _count(both) / 2


def ready_pairs(boards: Boards) -> Floats:
    """Cards that lie right on the next higher one of their suit, where they belong."""
    right_on = boards.beneath[:, :, None] == boards.beneath[:, None, :] + 1
    same = boards.column[:, :, None] == boards.column[:, None, :]
    return _count(_NEXT & same & right_on)


def under_kings(boards: Boards) -> Floats:
    """Cards that lie under the four kings: these columns take no card of theirs."""
    return np.asarray(boards.beneath[:, _RANK == NUM_RANKS - 1].sum(axis=1), np.float64)


def first_moves(boards: Boards) -> Floats:
    """Exposed cards that can go on another exposed card at once."""
    exposed = boards.on_top == 0
    return _count(_NEXT & exposed[:, :, None] & exposed[:, None, :])


def _count(pairs: npt.NDArray[Any]) -> Floats:
    return np.asarray(pairs.sum(axis=(1, 2)), np.float64)


@dataclass(frozen=True, slots=True)
class Feature:
    """A number that is seen on a board.

    Attributes:
        name: in files.
        about: in plots and tables.
        group: "aces" or "order".
        value_of: takes it from boards, (N,).
    """

    name: str
    about: str
    group: str
    value_of: Callable[[Boards], Floats]


FEATURES: Final = (
    Feature("on_aces", "cards on the four aces", "aces", on_rank(0)),
    Feature("on_twos", "cards on the four twos", "order", on_rank(1)),
    Feature("on_threes", "cards on the four threes", "order", on_rank(2)),
    Feature("buried_pairs", "pairs of a suit, lower under higher", "order", buried_pairs),
    Feature("crossed_pairs", "crossings of two suits", "order", crossed_pairs),
    Feature("ready_pairs", "cards on their next higher one", "order", ready_pairs),
    Feature("under_kings", "cards under the four kings", "order", under_kings),
    Feature("first_moves", "exposed cards that fit another", "order", first_moves),
)


def features_of(numbers: npt.NDArray[np.int64]) -> Floats:
    """The features of Microsoft deals, (N, number of features)."""
    chunks = []
    for first in range(0, len(numbers), _CHUNK):
        boards = Boards.of(deal_many("ms", numbers[first : first + _CHUNK]))
        chunks.append(np.stack([feature.value_of(boards) for feature in FEATURES], axis=1))
    return np.concatenate(chunks)


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model.

    Attributes:
        cells: the numbers of cells that it is of.
        constants: (len(cells),) log odds of a deal with average features.
        weights: (K,) of features in standard deviations.
        covariance: of weights, (K, K).
    """

    cells: tuple[int, ...]
    constants: Floats
    weights: Floats
    covariance: Floats

    def chances(self, features: Floats, num_cells: int) -> Floats:
        """How likely each deal can be won."""
        odds = self.constants[self.cells.index(num_cells)] + features @ self.weights
        return np.asarray(1 / (1 + np.exp(-odds)))


def fit(features: Floats, smallest: npt.NDArray[np.uint8], cells: Sequence[int]) -> Fit:
    """The most likely model of `smallest <= n` for all n of `cells`, by Newton's method.

    Args:
        features: (N, K), each with mean 0 and standard deviation 1.
        smallest: (N,), the fewest cells that win.
        cells: for each of them both outcomes occur.

    Raises:
        ArithmeticError: if it does not converge.
    """
    num_constants, (_, num_weights) = len(cells), features.shape
    size = num_constants + num_weights
    solution = np.zeros(size)
    rates = np.array([(smallest <= n).mean() for n in cells])
    solution[:num_constants] = np.log(rates / (1 - rates))
    for _ in range(_MAX_STEPS):
        gradient, hessian = np.zeros(size), np.zeros((size, size))
        for i, n in enumerate(cells):
            chances = _chances(solution[i] + features @ solution[num_constants:])
            error, spread = (smallest <= n) - chances, chances * (1 - chances)
            pulled = features.T @ spread
            gradient[i] = error.sum()
            gradient[num_constants:] += features.T @ error
            hessian[i, i] = spread.sum()
            hessian[i, num_constants:] = hessian[num_constants:, i] = pulled
            hessian[num_constants:, num_constants:] += features.T @ (features * spread[:, None])
        step = np.linalg.solve(hessian, gradient)
        solution += step
        if float(np.abs(step).max()) < _TOLERANCE:
            break
    else:
        raise ArithmeticError("the regression does not converge")
    scores = _scores(features, smallest, cells, solution)
    bread = np.linalg.inv(hessian)
    covariance = bread @ (scores.T @ scores) @ bread
    kept = slice(num_constants, None)
    return Fit(tuple(cells), solution[:num_constants], solution[kept], covariance[kept, kept])


def _chances(log_odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-log_odds)))


def _scores(
    features: Floats, smallest: npt.NDArray[np.uint8], cells: Sequence[int], solution: Floats
) -> Floats:
    """The gradient of each deal's log likelihood, all numbers of cells together."""
    weights = solution[len(cells) :]
    errors = np.stack(
        [(smallest <= n) - _chances(solution[i] + features @ weights) for i, n in enumerate(cells)],
        axis=1,
    )
    return np.concatenate([errors, features * errors.sum(axis=1)[:, None]], axis=1)


def log_loss(chances: Floats, won: Bools) -> float:
    """Mean of minus the logarithm of the chance that was given to what happened."""
    return float(-np.log(np.where(won, chances, 1 - chances)).mean())


def area_under_curve(chances: Floats, won: Bools) -> float:
    """How often a won deal has the better chance than a lost one; ties count half."""
    _, places, counts = np.unique(chances, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    num_won = int(won.sum())
    num_pairs = num_won * (len(won) - num_won)
    return float((ranks[won].sum() - num_won * (num_won + 1) / 2) / num_pairs)


def area_interval(area: float, num_won: int, num_lost: int) -> tuple[float, float]:
    """The 95 % interval of an area under the curve.

    Hanley and McNeil, "The meaning and use of the area under a receiver operating characteristic
    (ROC) curve", Radiology 143 (1982), 29-36.
    """
    one, two = area / (2 - area), 2 * area**2 / (1 + area)
    variance = (
        area * (1 - area) + (num_won - 1) * (one - area**2) + (num_lost - 1) * (two - area**2)
    )
    half = Z_95 * float(np.sqrt(variance / (num_won * num_lost)))
    return max(0.0, area - half), min(1.0, area + half)


def calibration(chances: Floats, won: Bools) -> list[dict[str, Any]]:
    """Deals in bins of equal size by their chance: what was expected, and what came out."""
    bins = []
    for chosen in np.array_split(np.argsort(chances, kind="stable"), _NUM_BINS):
        winnable = int(won[chosen].sum())
        bins.append(
            {
                "deals": len(chosen),
                "expected": round(float(chances[chosen].mean()), 6),
                "winnable": winnable,
                "interval": [round(end, 6) for end in wilson_interval(winnable, len(chosen)) or ()],
            }
        )
    return bins


def judge(
    fitted: Fit, features: Floats, smallest: npt.NDArray[np.uint8], base: dict[int, float]
) -> list[dict[str, Any]]:
    """The held-out figures of a model, for each number of cells."""
    entries = []
    for n in fitted.cells:
        won = smallest <= n
        chances = fitted.chances(features, n)
        of_rate = log_loss(np.full(len(won), base[n]), won)
        loss, area = log_loss(chances, won), area_under_curve(chances, won)
        num_won = int(won.sum())
        ends = area_interval(area, num_won, len(won) - num_won)
        entries.append(
            {
                "cells": n,
                "winnable": num_won,
                "unwinnable": len(won) - num_won,
                "log_loss": round(loss, 6),
                "log_loss_of_rate": round(of_rate, 6),
                "explained": round(1 - loss / of_rate, 4),
                "auc": round(area, 4),
                "auc_interval": [round(end, 4) for end in ends],
                "calibration": calibration(chances, won),
            }
        )
    return entries


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies.winning_odds")
    parser.add_argument("--deals", type=int, default=1_000_000, help="(%(default)s)")
    parser.add_argument("--folder", type=Path, default=Path("results"), help="(%(default)s)")
    options = parser.parse_args(arguments)
    smallest = read_smallest(options.folder / "smallest_cells.parquet")[: options.deals]
    document = {
        **provenance(f"python -m benchmarks.studies.winning_odds --deals {options.deals}"),
        **study(features_of(np.arange(1, len(smallest) + 1)), smallest),
    }
    text = json.dumps(document, indent=1) + "\n"
    (options.folder / "winning_odds.json").write_text(text, encoding="utf-8")
    return 0


def read_smallest(path: Path) -> npt.NDArray[np.uint8]:
    """What `benchmarks.studies.smallest_cells` wrote, (N,); deal 1 comes first."""
    import pyarrow.parquet as pq

    return np.asarray(pq.read_table(path).column("smallest_cells").to_numpy(), np.uint8)


def study(features: Floats, smallest: npt.NDArray[np.uint8]) -> dict[str, Any]:
    """Fits on the first half of the deals, judges on the second."""
    half = len(smallest) // 2
    means, deviations = features[:half].mean(axis=0), features[:half].std(axis=0)
    features = (features - means) / deviations
    seen, unseen = features[:half], features[half:]
    cells = [n for n in CELLS if _has_both(smallest[:half] <= n)]
    base = {n: float((smallest[:half] <= n).mean()) for n in cells}
    groups = {
        "aces": [i for i, feature in enumerate(FEATURES) if feature.group == "aces"],
        "order": [i for i, feature in enumerate(FEATURES) if feature.group == "order"],
        "all": list(range(len(FEATURES))),
    }
    models = {name: fit(seen[:, chosen], smallest[:half], cells) for name, chosen in groups.items()}
    return {
        "deals": {"fitted": f"ms 1..{half}", "held_out": f"ms {half + 1}..{len(smallest)}"},
        "features": [
            {
                "name": feature.name,
                "about": feature.about,
                "mean": round(float(mean), 4),
                "standard_deviation": round(float(deviation), 4),
            }
            for feature, mean, deviation in zip(FEATURES, means, deviations, strict=True)
        ],
        "constants": {
            str(n): round(float(c), 5) for n, c in zip(cells, models["all"].constants, strict=True)
        },
        "weights": weights_of(models["all"], deviations),
        "held_out": {
            name: judge(models[name], unseen[:, chosen], smallest[half:], base)
            for name, chosen in groups.items()
        },
        "each_for_itself": [
            _one_number_of_cells(seen, unseen, smallest, n, base, deviations) for n in cells
        ],
    }


def _has_both(won: Bools) -> bool:
    return bool(min(won.sum(), (~won).sum()) >= _FEWEST_EVENTS)


def weights_of(fitted: Fit, deviations: Floats) -> list[dict[str, Any]]:
    """The weights with their intervals, and by what one more of a feature multiplies the odds."""
    errors = np.sqrt(np.diag(fitted.covariance))
    entries = []
    for feature, weight, error, deviation in zip(
        FEATURES, fitted.weights, errors, deviations, strict=True
    ):
        low, high = weight - Z_95 * error, weight + Z_95 * error
        entries.append(
            {
                "name": feature.name,
                "per_deviation": round(float(weight), 5),
                "interval": [round(float(low), 5), round(float(high), 5)],
                "odds_ratio_of_one_more": round(float(np.exp(weight / deviation)), 5),
                "odds_ratio_interval": [
                    round(float(np.exp(end / deviation)), 5) for end in (low, high)
                ],
            }
        )
    return entries


def _one_number_of_cells(
    seen: Floats,
    unseen: Floats,
    smallest: npt.NDArray[np.uint8],
    num_cells: int,
    base: dict[int, float],
    deviations: Floats,
) -> dict[str, Any]:
    """The model that is of one number of cells alone."""
    half = len(seen)
    fitted = fit(seen, smallest[:half], [num_cells])
    (entry,) = judge(fitted, unseen, smallest[half:], base)
    del entry["calibration"]
    return {**entry, "weights": weights_of(fitted, deviations)}


if __name__ == "__main__":
    sys.exit(main())
