"""How a dug run is spread over spaces: the kernel's cuts against all cuts, and what they lead to.

Verdicts alone do not hold this: a rule that once dropped cuts that it must not changed no verdict
of ten thousand deals.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.packed.layout import card_bit
from boulanger.solver.verdict.classes import (
    ALL_RULES,
    ROOTS,
    WITH_CUTS,
    Spread,
    make_successors,
    spread_run,
)
from boulanger.solver.verdict.classify import boards_of_deals, classify, run_boards

pytestmark = pytest.mark.kernel

Cut = tuple[int, ...]  # the lengths of the pieces, the lowest first
_HEAD = card_bit(13 + 12)  # KH


def _capacity(num_free: int, num_columns: int) -> int:
    columns = min(num_free, num_columns)
    return (num_free - columns + 1) * 2**columns if num_free >= 0 and num_columns >= 0 else 0


def _fits(cut: Cut, num_free: int, num_places: int) -> bool:
    """Whether the pieces can be moved one by one, the lowest first."""
    for piece in cut:
        num_free -= 1
        num_places -= piece > 1
        if num_free < 0 or num_places < 0:
            return False
        if piece > 1 and piece > _capacity(num_free, num_places):
            return False
    return True


def _all_cuts(length: int, num_free: int, num_places: int) -> set[Cut]:
    """Every cut that fits; none if all could go at once, or no cut would do."""
    cuts = set()
    for ends in product((False, True), repeat=length - 1):
        pieces = [1]
        for is_end in ends:
            if is_end:
                pieces.append(0)
            pieces[-1] += 1
        if _fits(tuple(pieces), num_free, num_places):
            cuts.add(tuple(pieces))
    return cuts


def _settled(cut: Cut) -> Cut:
    """Single cards go back onto the longer piece that ends with their parent."""
    for i in range(len(cut) - 1):
        if cut[i] == 1 and cut[i + 1] > 1:
            return _settled((*cut[:i], 1 + cut[i + 1], *cut[i + 2 :]))
    return cut


def _moves(cut: Cut, num_free: int, num_places: int) -> set[Cut]:
    """The cuts that moves of the search make of a cut, with single cards free to be anywhere."""
    free, places = num_free - len(cut), num_places - sum(piece > 1 for piece in cut)
    after = set()
    for i, piece in enumerate(cut):
        for lower in range(1, piece):
            upper = piece - lower
            if lower == 1:
                can_move = upper == 1 and free >= 1  # a run of two is taken apart
            else:
                can_move = lower <= _capacity(free - 1, places - 1)
            # A card that is left alone stands in its column; that matters if no space is free.
            if can_move and (upper > 1 or free > 1):
                after.add((*cut[:i], lower, upper, *cut[i + 1 :]))
    return after


def _kernel_cuts(length: int, num_free: int, num_places: int, rules: int) -> list[Cut]:
    out = make_successors()
    none = np.uint64(0)
    head = np.uint64(1 << _HEAD)
    counts = (np.int64(number) for number in (length, num_free, num_places, 0, rules))
    spread = Spread(none, none, none, head, *counts)
    cuts = []
    for i in range(spread_run(spread, out, np.int64(0))):
        ends = [at for at in range(length) if int(out.nodes[i, ROOTS]) >> (_HEAD - at) & 1]
        assert ends[0] == 0 and int(out.nodes[i, ROOTS]).bit_count() == len(ends)
        pieces = [after - at for at, after in zip(ends, [*ends[1:], length], strict=True)]
        assert out.costs[i] == len(pieces)
        cuts.append(tuple(pieces[::-1]))
    assert len(set(cuts)) == len(cuts)
    return cuts


@pytest.mark.parametrize("length", range(2, 12))
def test_the_cuts_lead_to_all_cuts(length: int) -> None:
    num_kept = num_all = 0
    for num_free, num_places in product(range(9), range(6)):
        kept = _kernel_cuts(length, num_free, num_places, ALL_RULES)
        if length >= _capacity(num_free, num_places):
            assert kept == []
            continue
        everything = _all_cuts(length, num_free, num_places)
        assert set(kept) <= everything
        reached, new = set(), set(kept)
        while new:
            reached |= new
            new = {b for a in new for b in map(_settled, _moves(a, num_free, num_places))} - reached
        missing = {cut for cut in everything if _settled(cut) not in reached}
        assert not missing, (num_free, num_places)
        num_kept += len(kept)
        num_all += len(everything)
    assert num_kept < num_all * (1.0 if length == 2 else 0.8)


@pytest.mark.parametrize("length", range(2, 12))
def test_without_the_rule_all_settled_cuts_are_tried(length: int) -> None:
    for num_free, num_places in product(range(9), range(6)):
        kept = _kernel_cuts(length, num_free, num_places, ALL_RULES & ~WITH_CUTS)
        everything = _all_cuts(length, num_free, num_places)
        if length < _capacity(num_free, num_places):
            assert set(kept) == {_settled(cut) for cut in everything}


def test_literal_cuts() -> None:
    """A run of six into spaces of which two are columns: what is added, the lowest piece first."""
    assert _kernel_cuts(6, 3, 2, ALL_RULES) == [(3, 2, 1), (4, 1, 1), (4, 2)]
    assert _kernel_cuts(4, 2, 2, ALL_RULES) == []


@pytest.mark.parametrize("num_cells", (4, 5))
def test_cuts_only_save_work(num_cells: int) -> None:
    deals = deal_many("ms", np.arange(40_001, 40_301))
    verdicts, nodes = classify(deals, num_cells)
    without, more = run_boards(boards_of_deals(deals), num_cells, rules=ALL_RULES & ~WITH_CUTS)
    assert (verdicts == without).all()
    assert (nodes != more).any()
