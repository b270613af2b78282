"""SplitMix64, a random generator of 64 bits.

Vigna's splitmix64.c; Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014. Written once: for plain ints, for NumPy arrays of uint64 with a state a lane, and (by
whoever decorates `mixed`) for compiled code, where each constant is an uint64 by its size.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

GAMMA: Final = 0x9E3779B97F4A7C15

FIRST_MULTIPLIER: Final = 0xBF58476D1CE4E5B9
SECOND_MULTIPLIER: Final = 0x94D049BB133111EB
_MASK_64: Final = (1 << 64) - 1


def splitmix64(state: Any) -> Iterator[Any]:
    """The outputs from the 64-bit `state` on, 64 bits each."""
    while True:
        state = (state + GAMMA) & _MASK_64
        yield mixed(state)


def mixed(state: Any) -> Any:
    """The output for a state that has been advanced by `GAMMA`."""
    word = ((state ^ state >> 30) * FIRST_MULTIPLIER) & _MASK_64
    word = ((word ^ word >> 27) * SECOND_MULTIPLIER) & _MASK_64
    return word ^ word >> 31
