"""Philox 4x64-10: random words found by number, each without the others.

Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011): a bijection
of 256 bits under a key of 128 bits, applied to a counter. `engine.deals.random_kernels` has it
compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Final

NUM_ROUNDS: Final = 10
MULTIPLIERS: Final = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
# What the key grows by from round to round: the golden ratio and the square root of 3 less 1.
KEY_STEPS: Final = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)

Block = tuple[int, int, int, int]

_MASK_64: Final = (1 << 64) - 1


def philox_block(counter: Block, key: tuple[int, int]) -> Block:
    """The four 64-bit words of one counter, which is four 64-bit words too."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(NUM_ROUNDS):
        p0, p1 = MULTIPLIERS[0] * c0, MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = p1 >> 64 ^ c1 ^ k0, p1 & _MASK_64, p0 >> 64 ^ c3 ^ k1, p0 & _MASK_64
        k0, k1 = (k0 + KEY_STEPS[0]) & _MASK_64, (k1 + KEY_STEPS[1]) & _MASK_64
    return c0, c1, c2, c3


def philox_words(key: tuple[int, int]) -> Iterator[int]:
    """The words of the blocks 1, 2, 3 ... of a key: what NumPy's `Philox(key=key)` gives."""
    for number in count(1):
        yield from philox_block((number, 0, 0, 0), key)
