"""The random deals of `engine.deals.dealers` for many numbers at once, compiled."""

from __future__ import annotations

from typing import Final

import numpy as np

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.philox import KEY_STEPS, MULTIPLIERS, NUM_ROUNDS
from boulanger.engine.packed.bits import multiply_high
from boulanger.engine.packed.jit import bare_kernel as kernel

BLOCK_WORDS: Final = 4
"""How many words a block of the generator has."""

_FIRST_MULTIPLIER: Final = np.uint64(MULTIPLIERS[0])
_SECOND_MULTIPLIER: Final = np.uint64(MULTIPLIERS[1])
_FIRST_STEP: Final = np.uint64(KEY_STEPS[0])
_SECOND_STEP: Final = np.uint64(KEY_STEPS[1])
_ONE: Final = np.uint64(1)
# By number of cards left: how many of the 2**64 words are one too many for each card to get its
# share.
_NUM_SURPLUS: Final = np.array([0] + [(1 << 64) % left for left in range(1, NUM_CARDS + 1)], "u8")


@kernel
def philox_block_kernel(counter, key_0, key_1, words):
    """Writes the four words (uint64) of the block `counter` (uint64; the other three words 0)."""
    c0, c1, c2, c3 = counter, np.uint64(0), np.uint64(0), np.uint64(0)
    for _ in range(NUM_ROUNDS):
        high_0, low_0 = multiply_high(_FIRST_MULTIPLIER, c0), _FIRST_MULTIPLIER * c0
        high_1, low_1 = multiply_high(_SECOND_MULTIPLIER, c2), _SECOND_MULTIPLIER * c2
        c0, c1, c2, c3 = high_1 ^ c1 ^ key_0, low_1, high_0 ^ c3 ^ key_1, low_0
        key_0 += _FIRST_STEP
        key_1 += _SECOND_STEP
    words[0], words[1], words[2], words[3] = c0, c1, c2, c3


@kernel
def pick_card(word, left):
    """Which of `left` cards (int64, 1..52) a word picks, as int64; -1 if it must be drawn again."""
    bound = np.uint64(left)
    if word * bound < _NUM_SURPLUS[left]:
        return np.int64(-1)
    return np.int64(multiply_high(word, bound))


@kernel(nogil=True)
def deal_random_kernel(seed, numbers, cards, words):
    """Fills row n of `cards` (uint8, N x 52) with deal `numbers[n]` (uint64) of `seed` (uint64).

    `words` is room for a block, uint64 (BLOCK_WORDS,).
    """
    for n in range(numbers.shape[0]):
        for m in range(NUM_CARDS):
            cards[n, m] = m
        counter = np.uint64(0)
        used = BLOCK_WORDS
        i = NUM_CARDS - 1
        while i > 0:
            if used == BLOCK_WORDS:
                counter += _ONE
                philox_block_kernel(counter, seed, numbers[n], words)
                used = 0
            j = pick_card(words[used], i + 1)
            used += 1
            if j >= 0:
                cards[n, i], cards[n, j] = cards[n, j], cards[n, i]
                i -= 1
