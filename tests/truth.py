"""What independent programs found about Microsoft deals; see tests/data/truth/README.md."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_TRUTH = Path(__file__).parent / "data" / "truth"

NUM_DEALS = 10_000


@cache
def unwinnable_deals(num_cells: int) -> frozenset[int]:
    """The Microsoft deals 1..NUM_DEALS that cannot be won with this many cells, 0..6."""
    if num_cells == 0:
        return frozenset(range(1, NUM_DEALS + 1))
    text = (_TRUTH / f"ms_unwinnable_c{num_cells}.txt").read_text("ascii")
    return frozenset(map(int, text.split()))


@cache
def shortest_lengths(num_cells: int) -> dict[int, int]:
    """Fewest single-card moves of winnable Microsoft deals among 1..100; 2 or 4 cells.

    Foundation moves are counted. Deals that cannot be won are left out.
    """
    lines = (_TRUTH / f"shortest_c{num_cells}.txt").read_text("ascii").splitlines()
    pairs = [map(int, line.split()) for line in lines if not line.startswith("#")]
    return {deal: length for deal, length in pairs if length}
