"""Generators of shifts, rotations and exclusive ors.

Each function takes a seed and yields words for ever; see `solver.identify.family.arithmetic` on
what a word is. A state of zeros, from which these would give zeros for ever, is replaced by 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boulanger.engine.deals.splitmix import splitmix64
from boulanger.solver.identify.family.arithmetic import (
    BIT_31,
    MASK_32,
    MASK_64,
    Word,
    choose,
    flipped,
    rotated,
)

PCG_MULTIPLIER: Final = 6364136223846793005
PCG_DEFAULT_INCREMENT: Final = 1442695040888963407


def xorshift32(seed: Word) -> Iterator[Word]:
    """Marsaglia's xorshift of 32 bits with shifts 13, 17, 5."""
    state = seed & MASK_32
    state = choose(state == 0, 1, state)
    while True:
        state = state ^ (state << 13 & MASK_32)
        state = state ^ state >> 17
        state = state ^ (state << 5 & MASK_32)
        yield state


def xorshift64(seed: Word) -> Iterator[Word]:
    """Marsaglia's xorshift of 64 bits with shifts 13, 7, 17."""
    state = choose(seed == 0, 1, seed)
    while True:
        state = state ^ (state << 13 & MASK_64)
        state = state ^ state >> 7
        state = state ^ (state << 17 & MASK_64)
        yield state


def xorshift64_star(seed: Word) -> Iterator[Word]:
    """xorshift64*: shifts 12, 25, 27, then a product; 64 bits."""
    state = choose(seed == 0, 1, seed)
    while True:
        state = state ^ state >> 12
        state = state ^ (state << 25 & MASK_64)
        state = state ^ state >> 27
        yield state * 2685821657736338717 & MASK_64


def _xorshift128(x: Word, y: Word, z: Word, w: Word) -> Iterator[Word]:
    while True:
        t = x ^ (x << 11 & MASK_32)
        x, y, z = y, z, w
        w = w ^ w >> 19 ^ t ^ t >> 8
        yield w


def xorshift128(seed: Word) -> Iterator[Word]:
    """Marsaglia's xorshift of 128 bits, the seed in place of its x; 32 bits a word."""
    return _xorshift128(seed & MASK_32, 362436069, 521288629, 88675123)


def unity_random(seed: Word) -> Iterator[Word]:
    """Unity's Random after InitState: xorshift128, its state filled as a Mersenne Twister's.

    Not published by Unity; this is what those found who took it apart.
    """
    state = [seed & MASK_32]
    for _ in range(3):
        state.append((state[-1] * 1812433253 + 1) & MASK_32)
    return _xorshift128(*state)


def xorwow_int(seed: Word) -> Iterator[Word]:
    """Kotlin's Random(seed: Int): 32 bits."""
    low = seed & MASK_32
    return _kotlin_xorwow(low, choose(low >= BIT_31, MASK_32, 0))


def xorwow_long(seed: Word) -> Iterator[Word]:
    """Kotlin's Random(seed: Long): 32 bits."""
    return _kotlin_xorwow(seed & MASK_32, seed >> 32)


def _kotlin_xorwow(low: Word, high: Word) -> Iterator[Word]:
    """Marsaglia's xorwow from two halves of a seed, its first 64 words skipped."""
    v = flipped(low, 32)
    addend = (low << 10 & MASK_32) ^ high >> 4
    x, y, z, w = low, high, low & 0, low & 0
    num_skipped = 64
    while True:
        t = x ^ x >> 2
        x, y, z, w = y, z, w, v
        v = (t ^ (t << 1 & MASK_32)) ^ v ^ (v << 4 & MASK_32)
        addend = (addend + 362437) & MASK_32
        if num_skipped:
            num_skipped -= 1
        else:
            yield (v + addend) & MASK_32


def _xorshift128_plus(older: Word, newer: Word, shifts: tuple[int, int, int]) -> Iterator[Word]:
    first, second, third = shifts
    while True:
        yield (older + newer) & MASK_64
        t = older ^ (older << first & MASK_64)
        older, newer = newer, t ^ newer ^ t >> second ^ newer >> third


def xorshift128_plus_v8(seed: Word) -> Iterator[Word]:
    """xorshift128+ with the shifts 23, 17, 26 of browsers, its state from SplitMix64; 64 bits."""
    mixer = splitmix64(seed)
    return _xorshift128_plus(next(mixer), next(mixer), (23, 17, 26))


def xorshift128_plus(seed: Word) -> Iterator[Word]:
    """xorshift128+ with Vigna's later shifts 23, 18, 5, its state from SplitMix64; 64 bits."""
    mixer = splitmix64(seed)
    return _xorshift128_plus(next(mixer), next(mixer), (23, 18, 5))


def libgdx_random(seed: Word) -> Iterator[Word]:
    """libGDX's RandomXS128(long): xorshift128+, its state from MurmurHash3's finish; 64 bits."""
    older = _murmur_finish(choose(seed == 0, 1 << 63, seed))
    words = _xorshift128_plus(older, _murmur_finish(older), (23, 17, 26))
    next(words)  # it adds after its step, the others before
    return words


def _murmur_finish(word: Word) -> Word:
    word = (word ^ word >> 33) * 0xFF51AFD7ED558CCD & MASK_64
    word = (word ^ word >> 33) * 0xC4CEB9FE1A85EC53 & MASK_64
    return word ^ word >> 33


def xoroshiro128_star_star(seed: Word) -> Iterator[Word]:
    """xoroshiro128** with its state from SplitMix64; 64 bits."""
    mixer = splitmix64(seed)
    s0, s1 = next(mixer), next(mixer)
    while True:
        yield rotated(s0 * 5 & MASK_64, 7) * 9 & MASK_64
        s1 = s1 ^ s0
        s0, s1 = rotated(s0, 24) ^ s1 ^ (s1 << 16 & MASK_64), rotated(s1, 37)


def xoroshiro128_plus(seed: Word) -> Iterator[Word]:
    """xoroshiro128+ (2018: 24, 16, 37) with its state from SplitMix64; 64 bits."""
    mixer = splitmix64(seed)
    s0, s1 = next(mixer), next(mixer)
    while True:
        yield (s0 + s1) & MASK_64
        s1 = s1 ^ s0
        s0, s1 = rotated(s0, 24) ^ s1 ^ (s1 << 16 & MASK_64), rotated(s1, 37)


def xoshiro256_star_star(seed: Word) -> Iterator[Word]:
    """xoshiro256** with its state from SplitMix64; 64 bits."""
    mixer = splitmix64(seed)
    return _xoshiro256_star_star(next(mixer), next(mixer), next(mixer), next(mixer))


def lua_random(seed: Word) -> Iterator[Word]:
    """Lua 5.4's math.random after math.randomseed with a whole number: xoshiro256**, 64 bits."""
    words = _xoshiro256_star_star(seed, 0xFF, seed & 0, seed & 0)
    for _ in range(16):
        next(words)
    return words


def _xoshiro256_star_star(a: Word, b: Word, c: Word, d: Word) -> Iterator[Word]:
    while True:
        yield rotated(b * 5 & MASK_64, 7) * 9 & MASK_64
        c, d = c ^ a, d ^ b
        a, b, c, d = a ^ d, b ^ c, c ^ (b << 17 & MASK_64), rotated(d, 45)


def mulberry32(seed: Word) -> Iterator[Word]:
    """mulberry32: 32 bits."""
    state = seed & MASK_32
    while True:
        state = (state + 0x6D2B79F5) & MASK_32
        t = ((state ^ state >> 15) * (state | 1)) & MASK_32
        t = t ^ ((t + (((t ^ t >> 7) * (t | 61)) & MASK_32)) & MASK_32)
        yield t ^ t >> 14


def _sfc32(a: Word, b: Word, c: Word, counter: Word, num_skipped: int) -> Iterator[Word]:
    while True:
        t = (a + b + counter) & MASK_32
        counter = (counter + 1) & MASK_32
        a = b ^ b >> 9
        b = (c + (c << 3)) & MASK_32
        c = (rotated(c, 21, 32) + t) & MASK_32
        if num_skipped:
            num_skipped -= 1
        else:
            yield t


def sfc32_practrand(seed: Word) -> Iterator[Word]:
    """sfc32 as PractRand seeds it with 64 bits: 12 words skipped; 32 bits a word."""
    return _sfc32(seed & 0, seed & MASK_32, seed >> 32, 1, 12)


def sfc32_javascript(seed: Word) -> Iterator[Word]:
    """sfc32 as the usual JavaScript snippet seeds it: 15 words skipped; 32 bits a word."""
    counter = (seed & MASK_32) ^ 0xDEADBEEF
    return _sfc32(0x9E3779B9, 0x243F6A88, 0xB7E15162, counter, 15)


def _pcg32(state: Word, increment: Word) -> Iterator[Word]:
    """PCG-XSH-RR with 64 bits of state and 32 of output."""
    while True:
        shifted = ((state >> 18) ^ state) >> 27 & MASK_32
        turn = state >> 59
        yield (shifted >> turn) | (shifted << ((32 - turn) & 31) & MASK_32)
        state = (state * PCG_MULTIPLIER + increment) & MASK_64


def _pcg32_seeded(seed: Word, increment: Word) -> Iterator[Word]:
    state = ((increment + seed) * PCG_MULTIPLIER + increment) & MASK_64
    return _pcg32(state, increment)


def pcg32(seed: Word) -> Iterator[Word]:
    """PCG32 on the default stream, as C++'s `pcg32 rng(seed)`."""
    return _pcg32_seeded(seed, PCG_DEFAULT_INCREMENT)


def pcg32_demo(seed: Word) -> Iterator[Word]:
    """PCG32 on stream 54, that of the demonstration programs."""
    return _pcg32_seeded(seed, 54 << 1 | 1)


def pcg32_first(seed: Word) -> Iterator[Word]:
    """PCG32 on stream 0."""
    return _pcg32_seeded(seed, 1)


def pcg32_second(seed: Word) -> Iterator[Word]:
    """PCG32 on stream 1."""
    return _pcg32_seeded(seed, 3)


def pcg32_godot(seed: Word) -> Iterator[Word]:
    """PCG32 as Godot's RandomNumberGenerator: the default increment given as the stream."""
    return _pcg32_seeded(seed, (PCG_DEFAULT_INCREMENT << 1 | 1) & MASK_64)
