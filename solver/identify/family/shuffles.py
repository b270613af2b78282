"""Draws to a permutation.

A shuffle is a function that changes `order` in place: given 0..51 in order (the places of the cards
in the unshuffled deck), it leaves there which of them lies at each place of the shuffled one. The
functions are plain loops over lists, and compiled as they stand for arrays of int64.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.shuffles import pick_and_fill, swap_down


@dataclass(frozen=True, slots=True)
class Shuffle:
    """One way to shuffle.

    Attributes:
        description: a phrase without a full stop.
        reference: who published it, or where it is in use.
        bounds: the bound of each draw; empty if it sorts by keys, one a card.
        permute: from the draws, in place on the order; for a sort from the order itself.
    """

    description: str
    reference: str
    bounds: tuple[int, ...]
    permute: Callable[[Any, Any], None]

    @property
    def is_sort(self) -> bool:
        """Whether it sorts by keys rather than draws below bounds."""
        return not self.bounds


def swap_up(draws: Any, order: Any) -> None:
    """From the first place on: swaps with the place that lies so far ahead."""
    for i in range(len(draws)):
        j = i + draws[i]
        order[i], order[j] = order[j], order[i]


def grow(draws: Any, order: Any) -> None:
    """Inside-out: each next card goes to a place among those so far, whose card makes way."""
    first = NUM_CARDS - len(draws)
    for k in range(len(draws)):
        i = first + k
        j = draws[k]
        order[i], order[j] = order[j], order[i]


def pick_and_close(draws: Any, order: Any) -> None:
    """Picks one of those left after another; they close up."""
    for i in range(len(draws)):
        j = i + draws[i]
        picked = order[j]
        while j > i:
            order[j] = order[j - 1]
            j -= 1
        order[i] = picked


def naive_up(draws: Any, order: Any) -> None:
    """From the first place to the last: swaps with any place."""
    for i in range(NUM_CARDS):
        j = draws[i]
        order[i], order[j] = order[j], order[i]


def swap_pairs(draws: Any, order: Any) -> None:
    """Inside-out, but that a draw serves for two places."""
    j = draws[0]
    order[1], order[j] = order[j], order[1]
    for k in range(1, len(draws)):
        i = 2 * k
        j = draws[k] // (i + 2)
        order[i], order[j] = order[j], order[i]
        j = draws[k] % (i + 2)
        order[i + 1], order[j] = order[j], order[i + 1]


def sort_up(keys: Any, order: Any) -> None:
    """The smallest key first; where two are equal, the earlier card."""
    order[:] = sorted(range(NUM_CARDS), key=keys.__getitem__)


def sort_down(keys: Any, order: Any) -> None:
    """The greatest key first; where two are equal, the earlier card."""
    order[:] = sorted(range(NUM_CARDS), key=keys.__getitem__, reverse=True)


_FALLING: Final = tuple(range(NUM_CARDS, 1, -1))
_GROWING: Final = tuple(range(2, NUM_CARDS + 1))
_KNUTH: Final = "Durstenfeld, CACM 7(7), 1964; Knuth, TAOCP 2, 3.4.2, algorithm P"

SHUFFLES: Final = MappingProxyType(
    {
        "down": Shuffle(
            "Fisher-Yates from the last card down",
            f"{_KNUTH}; Java's Collections.shuffle, Kotlin's and Dart's shuffle, Python's",
            _FALLING,
            swap_down,
        ),
        "up": Shuffle(
            "Fisher-Yates from the first card up",
            "Fisher and Yates as above, mirrored; Swift's shuffle, libc++'s, .NET's Random.Shuffle",
            _FALLING,
            swap_up,
        ),
        "grow": Shuffle(
            "inside-out from the second card on",
            "Knuth, TAOCP 2, 3.4.2, exercise; SGI's random_shuffle, Microsoft's std::shuffle",
            _GROWING,
            grow,
        ),
        "grow-from-one": Shuffle(
            "inside-out from the first card on, whose draw counts",
            "Knuth, TAOCP 2, 3.4.2, exercise",
            (1, *_GROWING),
            grow,
        ),
        "pick-and-close": Shuffle(
            "pick a card of those left, which close up",
            "Fisher and Yates, Statistical Tables, 1938, example 12",
            _FALLING,
            pick_and_close,
        ),
        "pick-and-fill": Shuffle(
            "pick a card of those left, the last one fills the gap",
            "J. Horne, Microsoft FreeCell; Python's random.sample",
            _FALLING,
            pick_and_fill,
        ),
        "naive": Shuffle(
            "swap each card with any card",
            "the usual mistake; J. Atwood, The Danger of Naivete, 2007",
            (NUM_CARDS,) * NUM_CARDS,
            naive_up,
        ),
        "never-itself": Shuffle(
            "from the last card down, never with itself",
            "S. Sattolo, Information Processing Letters 22, 1986; often a mistake",
            tuple(range(NUM_CARDS - 1, 0, -1)),
            swap_down,
        ),
        "pairs": Shuffle(
            "inside-out, one draw for two cards",
            "libstdc++, std::shuffle, where the generator has range enough",
            (2, *((2 * k + 1) * (2 * k + 2) for k in range(1, NUM_CARDS // 2))),
            swap_pairs,
        ),
        "sort-up": Shuffle(
            "sort by random keys, smallest first",
            "K. Iverson's grade; .NET's OrderBy(x => random.Next())",
            (),
            sort_up,
        ),
        "sort-down": Shuffle(
            "sort by random keys, greatest first", "the same, descending", (), sort_down
        ),
    }
)
