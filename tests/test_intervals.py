"""The Wilson interval, against printed values and against what defines it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boulanger.solver.catalogue.intervals import Z_95, wilson_interval

# Newcombe, "Two-sided confidence intervals for the single proportion: comparison of seven methods",
# Statistics in Medicine 17 (1998), 857-872, table I, method 3.
PRINTED = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
]


@pytest.mark.parametrize(("hits", "trials", "low", "high"), PRINTED)
def test_printed_values(hits: int, trials: int, low: float, high: float) -> None:
    interval = wilson_interval(hits, trials)
    assert interval is not None
    assert [round(end, 4) for end in interval] == [low, high]


@given(st.integers(1, 10**8).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_rate_seen_is_z_standard_deviations_from_each_end(counts: tuple[int, int]) -> None:
    hits, trials = counts
    interval = wilson_interval(hits, trials)
    assert interval is not None
    low, high = interval
    rate = hits / trials
    assert 0 <= low <= rate <= high <= 1
    for end in interval:
        if end not in (0.0, 1.0):
            deviation = Z_95 * math.sqrt(end * (1 - end) / trials)
            assert math.isclose(abs(rate - end), deviation, rel_tol=1e-5)
    mirrored = wilson_interval(trials - hits, trials)
    assert mirrored is not None
    assert math.isclose(mirrored[0], 1 - high, abs_tol=1e-12)


def test_the_ends_at_nothing_and_all() -> None:
    nothing, all_of_them = wilson_interval(0, 7), wilson_interval(7, 7)
    assert nothing is not None and all_of_them is not None
    assert nothing[0] == 0.0 and 0 < nothing[1] < 1
    assert all_of_them[1] == 1.0 and 0 < all_of_them[0] < 1
    assert wilson_interval(0, 0) is None


@pytest.mark.parametrize(("hits", "trials"), [(-1, 5), (6, 5), (1, 0)])
def test_impossible_counts(hits: int, trials: int) -> None:
    with pytest.raises(ValueError, match=f"{hits} hits in {trials} trials"):
        wilson_interval(hits, trials)


def test_z_is_the_normal_quantile() -> None:
    assert math.isclose(math.erf(Z_95 / math.sqrt(2)), 0.95, rel_tol=1e-14)
