"""The shuffles of the built-in dealers, as draws change an order.

Plain loops: they work on lists of ints, and compiled as they stand on arrays of integers.
"""

from __future__ import annotations

from typing import Any

from boulanger.engine.cards import NUM_CARDS


def swap_down(draws: Any, order: Any) -> None:
    """From the last place to the second: swaps with the drawn place."""
    for k in range(len(draws)):
        i = NUM_CARDS - 1 - k
        j = draws[k]
        order[i], order[j] = order[j], order[i]


def pick_and_fill(draws: Any, order: Any) -> None:
    """Picks one of those left after another; the last of them takes its place."""
    for k in range(len(draws)):
        last = NUM_CARDS - 1 - k
        j = draws[k]
        order[last], order[j] = order[j], order[last]
    for k in range(NUM_CARDS // 2):
        last = NUM_CARDS - 1 - k
        order[k], order[last] = order[last], order[k]
