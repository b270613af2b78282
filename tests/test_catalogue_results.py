"""The comparison of catalogues with published figures."""

from __future__ import annotations

import pytest

from benchmarks.studies.catalogue_results import Published, compare
from boulanger.solver.catalogue.summary import CellCounts, Summary, Tally


def summary(winnable: int, unwinnable: int) -> Summary:
    counts = CellCounts(4, winnable, unwinnable, 0, 0)
    return Summary(Tally(counts.num_deals, (counts,), {4: winnable}, unwinnable, 0), {})


@pytest.mark.parametrize(("winnable", "is_equal"), [(750, True), (751, False)])
def test_the_same_deals_must_come_to_the_same_count(winnable: int, is_equal: bool) -> None:
    published = Published("someone", "ms", 4, 750, 1000, True)
    assert compare(published, summary(winnable, 1000 - winnable))["equal"] == is_equal


def test_samples_are_compared_by_the_standard_error_of_their_difference() -> None:
    # 0.54 against 0.50, each of 5,000: pooled 0.52, error sqrt(0.52 * 0.48 * 2 / 5000) = 0.009992.
    entry = compare(Published("someone", "random", 4, 2500, 5000), summary(2700, 2300))
    assert entry["z"] == pytest.approx(4.00, abs=0.005)
