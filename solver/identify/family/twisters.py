"""Mersenne Twisters, by how their state is filled.

Each function takes a seed and yields words for ever; see `solver.identify.family.arithmetic` on
what a word is.

Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8(1), 1998, and their programs
mt19937ar.c (2002) and mt19937-64.c (2004).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from boulanger.solver.identify.family.arithmetic import (
    BIT_31,
    MASK_31,
    MASK_32,
    MASK_64,
    Word,
    choose,
)

_SIZE_32: Final = 624
_SIZE_64: Final = 312
# The seed of the state that the words of a key are mixed into.
_KEY_SEED: Final = 19650218
_FIRST_SMALL_NEGATIVE: Final = (1 << 64) - (1 << 31)


def mt19937(seed: Word) -> Iterator[Word]:
    """MT19937 seeded with 32 bits, as C++'s std::mt19937 and many others; 32 bits."""
    return _twisted(_filled(seed & MASK_32))


def python_random(seed: Word) -> Iterator[Word]:
    """Python's random.seed with a whole number (Ruby's Random.new too): MT19937 with a key.

    Python takes the absolute value; what lies within 2**31 below 2**64 is taken for negative.
    """
    is_negative = seed >= _FIRST_SMALL_NEGATIVE
    size = choose(is_negative, (MASK_64 ^ seed) + 1 & MASK_64, seed)
    low, high = size & MASK_32, size >> 32
    short = _mixed(_filled(_KEY_SEED), [low])
    long = _mixed(_filled(_KEY_SEED), [low, high])
    return _twisted([choose(high == 0, s, t) for s, t in zip(short, long, strict=True)])


def python_text_random(key: bytes) -> Iterator[int]:
    """Python's random.seed with a text: the text and its SHA-512 are one long number."""
    number = int.from_bytes(key + hashlib.sha512(key).digest(), "big")
    words = [number >> shift & MASK_32 for shift in range(0, max(number.bit_length(), 1), 32)]
    return _twisted(_mixed(_filled(_KEY_SEED), words))


def _filled(seed: Word) -> list[Word]:
    """The 624 words of state for a seed of 32 bits (init_genrand)."""
    state = [seed]
    for i in range(1, _SIZE_32):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & MASK_32)
    return state


def _mixed(state: list[Word], key: list[Word]) -> list[Word]:
    """`state` after the words of a key went into it (init_by_array); the list is changed."""
    i, j = 1, 0
    for _ in range(max(_SIZE_32, len(key))):
        mixed = (state[i - 1] ^ state[i - 1] >> 30) * 1664525 & MASK_32
        state[i] = ((state[i] ^ mixed) + key[j] + j) & MASK_32
        i, j = i + 1, (j + 1) % len(key)
        if i == _SIZE_32:
            state[0], i = state[-1], 1
    for _ in range(_SIZE_32 - 1):
        mixed = (state[i - 1] ^ state[i - 1] >> 30) * 1566083941 & MASK_32
        state[i] = ((state[i] ^ mixed) + ((1 << 32) - i)) & MASK_32
        i += 1
        if i == _SIZE_32:
            state[0], i = state[-1], 1
    state[0] = BIT_31
    return state


def _twisted(state: list[Word]) -> Iterator[Word]:
    """The tempered words; `state` is changed one word at a time, just before it is needed."""
    i = 0
    while True:
        following = (i + 1) % _SIZE_32
        joined = (state[i] & BIT_31) | (state[following] & MASK_31)
        twist = (joined & 1) * 0x9908B0DF
        state[i] = word = state[(i + 397) % _SIZE_32] ^ joined >> 1 ^ twist
        word = word ^ word >> 11
        word = word ^ (word << 7 & 0x9D2C5680)
        word = word ^ (word << 15 & 0xEFC60000)
        yield word ^ word >> 18
        i = following


def mt19937_64(seed: Word) -> Iterator[Word]:
    """MT19937-64 seeded with 64 bits, as C++'s std::mt19937_64; 64 bits."""
    state = [seed]
    for i in range(1, _SIZE_64):
        state.append((6364136223846793005 * (state[-1] ^ state[-1] >> 62) + i) & MASK_64)
    i = 0
    while True:
        following = (i + 1) % _SIZE_64
        joined = (state[i] & (MASK_64 ^ MASK_31)) | (state[following] & MASK_31)
        twist = (joined & 1) * 0xB5026F5AA96619E9
        state[i] = word = state[(i + 156) % _SIZE_64] ^ joined >> 1 ^ twist
        word = word ^ (word >> 29 & 0x5555555555555555)
        word = word ^ (word << 17 & 0x71D67FFFEDA60000)
        word = word ^ (word << 37 & 0xFFF7EEE000000000)
        yield word ^ word >> 43
        i = following
