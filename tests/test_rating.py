"""The rating's model and `boulanger rate`."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from benchmarks.studies.rating_reference import winnable_numbers
from benchmarks.studies.rating_validation import spearman, uniformity
from boulanger.engine.deals.dealers import BK1
from boulanger.engine.position import Position
from boulanger.solver import web
from boulanger.solver.rating.fields import FIELDS, HARDER_IF_MORE, row_of
from boulanger.solver.rating.model import (
    LEVELS,
    OUTCOME,
    PREDICTORS,
    fit_model,
    fit_scale,
    level_of,
    load_model,
    modelled_cells,
)
from boulanger.solver.rating.parts import Measurer
from boulanger.solver.rating.players import PLAYER_NAMES
from boulanger.solver.rating.rate import rate
from boulanger.solver.result import Verdict
from tests.command import CODE, NEARLY_WON, answer_json, run
from tests.games import ms

NUM_OTHER = 1000


def sample_with(slope: dict[str, float], num_deals: int = 4000) -> dict[str, np.ndarray]:
    """Fields without meaning, but that the outcome follows some of them."""
    rng = np.random.default_rng(1)
    sample = {name: rng.normal(size=num_deals) for name in HARDER_IF_MORE}
    sample[OUTCOME] = sum(weight * sample[name] for name, weight in slope.items())
    return sample


# The model.


def test_normal_scores_are_those_of_middle_ranks() -> None:
    scale = fit_scale(np.array([3.0, 1.0, 1.0, 2.0]))
    quantile = NormalDist().inv_cdf
    # Ranks: the ones share the first two quarters, then a quarter each.
    assert scale.values == (1.0, 2.0, 3.0)
    assert scale.scores == pytest.approx((quantile(0.25), quantile(0.625), quantile(0.875)))
    assert scale.score(1.5) == pytest.approx((quantile(0.25) + quantile(0.625)) / 2)
    assert scale.score(99) == scale.score(3)


def test_scales_with_many_values_keep_their_shape() -> None:
    values = np.random.default_rng(2).normal(size=5000)
    scale = fit_scale(values)
    assert len(scale.values) <= 401
    assert np.abs(scale.score(values) - np.sort(values)[np.argsort(np.argsort(values))]).max() < 1
    assert np.corrcoef(scale.score(values), values)[0, 1] > 0.999


def test_the_regression_finds_what_the_outcome_follows() -> None:
    model = fit_model(sample_with({"actions": -2.0, "planner_wins": 1.0}))
    assert model.weights["actions"] == pytest.approx(-2 / 5**0.5, abs=0.02)
    assert model.weights["planner_wins"] == pytest.approx(1 / 5**0.5, abs=0.02)
    others = [w for name, w in model.weights.items() if name not in ("actions", "planner_wins")]
    assert np.abs(others).max() < 0.02


def test_percentiles_of_the_sample_itself_are_even() -> None:
    sample = sample_with({"actions": -2.0, "planner_wins": 1.0})
    percentiles = np.sort(fit_model(sample).percentile(sample))
    assert np.abs(percentiles - np.linspace(0, 100, len(percentiles))).max() < 0.5


def test_harder_parts_make_a_higher_score() -> None:
    for num_cells in modelled_cells():
        model = load_model(num_cells)
        assert model is not None
        middle = {name: float(np.median(model.scales[name].values)) for name in HARDER_IF_MORE}
        low, high = (
            float(model.percentile({**middle, OUTCOME: model.scales[OUTCOME].values[end]}))
            for end in (-1, 0)
        )
        assert low < 40 < 60 < high
        assert set(model.weights) == set(PREDICTORS)
        # The strongest of the other signs: who plans better wins more.
        assert max(model.weights, key=model.weights.__getitem__) == "planner_wins"


def test_there_is_a_model_for_the_cells_of_the_app() -> None:
    assert modelled_cells() == (4, 2, 1)
    assert load_model(3) is None


def test_words_cover_the_scores() -> None:
    assert [level_of(score) for score in (0, 9.99, 10, 35, 64.9, 65, 89.9, 90, 100)] == [
        "gentle", "gentle", "easy", "medium", "medium", "hard", "hard", "fiendish", "fiendish",
    ]  # fmt: skip
    assert LEVELS[-1][1] == 100


def test_text_and_page_show_each_part_that_has_a_percentile() -> None:
    shown = {field.name for field in FIELDS if field.line_of is not None}
    assert shown == set(HARDER_IF_MORE) - {"num_first"}  # told with those that keep the win
    page = (Path(web.__path__[0]) / "static" / "bars.js").read_text("utf-8")
    listed = set(re.findall(r'^    \["(\w+)", |(?<=, )\["(\w+)", ', page, re.MULTILINE))
    names = {first or second for first, second in listed}
    names |= {f"{name}_wins" for name in PLAYER_NAMES}
    assert names == shown - {"effort"}


def test_the_row_has_a_number_for_each_field() -> None:
    parts = Measurer().measure(ms(1)).parts
    assert parts is not None
    row = row_of(parts)
    assert row["actions"] == parts.actions.length
    assert row["num_decisions"] == row["actions"] - 52
    assert [row[f"{name}_wins"] for name in ("random", "greedy", "planner", "careful")] == list(
        parts.num_wins
    )


# What the validation is reckoned with.


def test_an_even_spread_is_within_the_bound_and_a_crowd_is_not() -> None:
    even = np.linspace(0.05, 99.95, 1000)
    assert uniformity(even)["is_within"]
    assert uniformity(even)["distance"] == pytest.approx(0.0005, abs=1e-4)
    assert not uniformity(even**2 / 100)["is_within"]
    # Two samples: 1.628 times the root of 1/1000 + 1/5000.
    assert uniformity(even)["bound"] == 0.0515
    assert uniformity(even, 5000)["bound"] == 0.0564


def test_rank_correlations() -> None:
    # Ties share the middle of their ranks: 1, 2.5, 2.5, 4 against 1, 2, 3, 4.
    assert spearman([1, 5, 5, 9], [10, 20, 30, 40])["rho"] == pytest.approx(0.9487, abs=1e-4)
    assert spearman([1, 2, 3, 4, 5], [9, 8, 7, 6, 5])["rho"] == -1
    assert spearman([1, 1, 1], [1, 2, 3]) == {"rho": None, "interval": None}
    low, high = spearman(np.arange(100) % 10, np.arange(100))["interval"]
    assert low < 0.1 < high


# `rate`.


def test_a_rating_repeats_under_its_seed() -> None:
    first, again, other = rate(ms(1)), rate(ms(1)), rate(ms(1), seed=1)
    assert first.score == again.score
    assert first.parts is not None
    assert other.parts is not None
    assert first.parts.num_wins != other.parts.num_wins
    assert first.parts.forgiveness == other.parts.forgiveness
    assert first.level == level_of(first.score or 0)


@pytest.mark.parametrize("number", [10, 14, 22])
def test_a_lost_deal_has_no_score_but_how_near_it_was(number: int) -> None:
    rating = rate(ms(number))
    assert (rating.verdict, rating.score, rating.parts) == (Verdict.UNWINNABLE, None, None)
    assert rating.min_cells is not None
    assert rating.min_cells > 4
    assert rating.is_min_certain
    assert rate(ms(number, rating.min_cells)).verdict == Verdict.WINNABLE


def test_without_a_sample_there_are_parts_but_no_score() -> None:
    rating = rate(ms(1, 5))
    assert (rating.verdict, rating.score, rating.level) == (Verdict.WINNABLE, None, None)
    assert rating.parts is not None
    assert rating.percentiles == {}


@pytest.mark.slow
@pytest.mark.parametrize("num_cells", [4, 2, 1])
def test_scores_of_other_random_deals_are_even(num_cells: int) -> None:
    """Kolmogorov and Smirnov's test at 1 %, on deals that the model was not fitted on.

    For two samples, since the scale is one, too. (With one cell this one lies 0.0522 apart, beyond
    the 0.0515 that would hold if the scale were exact.)
    """
    measurer = Measurer()
    numbers = islice(winnable_numbers(num_cells, seed=99), NUM_OTHER)
    deals = (Position.from_deal(BK1.deal(number), num_cells) for number in numbers)
    scores = [rate(deal, measurer=measurer).score for deal in deals]
    model = load_model(num_cells)
    assert model is not None
    assert uniformity(np.array(scores, np.float64), model.num_deals)["is_within"]


# The command.


def test_the_command_as_text() -> None:
    answer = run("rate", CODE)
    assert (answer.code, answer.out.splitlines()[0].split(":")[0]) == (0, f"{CODE}, 4 cells")
    document = answer_json("rate", CODE)
    assert f"{document['word']}, {document['score']:.0f} of 100." in answer.out
    assert f"shortest solution: {document['parts']['actions']['length']} actions" in answer.out
    for name, part in document["parts"]["players"].items():
        assert f"the {name} player wins {part['wins'] / part['games']:.0%}" in answer.out


def test_the_command_as_json() -> None:
    document = answer_json("rate", "ms:2", "--seed", "5")
    assert list(document) == [
        "deal", "dealer", "notes", "cells", "verdict", "reason", "min_cells", "min_certain",
        "score", "word", "fresh", "seed", "parts", "percentiles",
    ]  # fmt: skip
    assert document["seed"] == 5
    assert set(document["percentiles"]) == set(HARDER_IF_MORE)
    assert all(0 <= value <= 100 for value in document["percentiles"].values())


def test_the_command_on_a_lost_deal() -> None:
    answer = run("rate", "ms:10")
    assert (answer.code, answer.out) == (
        1, "ms:10, 4 cells: lost, proven unwinnable; it would need 5 cells.\n",
    )  # fmt: skip
    assert answer_json("rate", "ms:10")["parts"] is None


def test_a_board_that_is_nearly_won() -> None:
    answer = run("rate", "-", stdin=NEARLY_WON)
    assert answer.code == 0
    assert "the careful player wins 100%" in answer.out


def test_a_bad_seed() -> None:
    answer = run("rate", "ms:1", "--seed", "-1")
    assert (answer.code, answer.out) == (2, "")
    assert "'-1'" in answer.err
