"""Linear congruential generators and their kin: a state, times a number, plus another.

Each function takes a seed and yields words for ever; see `solver.identify.family.arithmetic` on
what a word is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from boulanger.engine.deals.ms import (
    MS_BIT_15,
    MS_DRAW_SHIFT,
    MS_FIRST_16_BIT_DEAL,
    MS_FIRST_ONE_BASED_DEAL,
    MS_LOW_15_BITS,
    NUM_MS_DEALS,
    ms_next_state,
)
from boulanger.solver.identify.family.arithmetic import (
    BIT_31,
    MASK_31,
    MASK_32,
    MASK_64,
    Word,
    choose,
    signed,
)

_MASK_48: Final = (1 << 48) - 1
# Of java.util.Random and of drand48, which are the same generator but for seeding and output.
_MULTIPLIER_48: Final = 0x5DEECE66D
_INCREMENT_48: Final = 11

MINSTD_MODULUS: Final = MASK_31  # a prime
SMALL_MODULUS: Final = 233280


def java_random(seed: Word) -> Iterator[Word]:
    """`next(32)` of java.util.Random."""
    state = (seed ^ _MULTIPLIER_48) & _MASK_48
    while True:
        state = (state * _MULTIPLIER_48 + _INCREMENT_48) & _MASK_48
        yield state >> 16


def drand48(seed: Word) -> Iterator[Word]:
    """The 48 bits behind drand48 after srand48."""
    state = (seed & MASK_32) << 16 | 0x330E
    while True:
        state = (state * _MULTIPLIER_48 + _INCREMENT_48) & _MASK_48
        yield state


def lrand48(seed: Word) -> Iterator[Word]:
    """lrand48 after srand48: the upper 31 bits."""
    for state in drand48(seed):
        yield state >> 17


def _congruence_32(seed: Word, multiplier: int, increment: int) -> Iterator[Word]:
    """The states modulo 2**32 that follow `seed`."""
    state = seed & MASK_32
    while True:
        state = (state * multiplier + increment) & MASK_32
        yield state


def _microsoft_halves(seed: Word) -> Iterator[Word]:
    """The upper 16 bits of the states of Microsoft's `rand`."""
    state = seed & MASK_32
    while True:
        state = ms_next_state(state)
        yield state >> MS_DRAW_SHIFT


def microsoft_rand(seed: Word) -> Iterator[Word]:
    """`rand` of Microsoft's C library: 15 bits."""
    for high_half in _microsoft_halves(seed):
        yield high_half & MS_LOW_15_BITS


def windows_freecell(seed: Word) -> Iterator[Word]:
    """Draws of Windows FreeCell, with FreeCell Pro's longer ones from 2**31 on."""
    number = seed & (NUM_MS_DEALS - 1)
    for high_half in _microsoft_halves(number):
        long = choose(number < MS_FIRST_ONE_BASED_DEAL, high_half | MS_BIT_15, high_half + 1)
        yield choose(number < MS_FIRST_16_BIT_DEAL, high_half & MS_LOW_15_BITS, long)


def ansi_rand(seed: Word) -> Iterator[Word]:
    """The example `rand` of the C standard: 15 bits."""
    for state in _congruence_32(seed, 1103515245, 12345):
        yield state >> 16 & 0x7FFF


def simple_rand(seed: Word) -> Iterator[Word]:
    """The same recurrence with its 31 low bits, as glibc's TYPE_0 gives them; 0 counts as 1."""
    start = seed & MASK_32
    for state in _congruence_32(choose(start == 0, 1, start), 1103515245, 12345):
        yield state & MASK_31


def numerical_recipes(seed: Word) -> Iterator[Word]:
    """The quick and dirty generator: 32 bits."""
    yield from _congruence_32(seed, 1664525, 1013904223)


def borland_rand(seed: Word) -> Iterator[Word]:
    """`rand` of Borland's C library: 15 bits."""
    for state in _congruence_32(seed, 22695477, 1):
        yield state >> 16 & 0x7FFF


def delphi_random(seed: Word) -> Iterator[Word]:
    """Random of Turbo Pascal and Delphi: 32 bits."""
    yield from _congruence_32(seed, 134775813, 1)


def unreal_random(seed: Word) -> Iterator[Word]:
    """Unreal's FRandomStream: the 23 bits of a fraction."""
    for state in _congruence_32(seed, 196314165, 907633515):
        yield state >> 9


def small_congruence(seed: Word) -> Iterator[Word]:
    """The generator with modulus 233280 that is common in JavaScript."""
    state = seed % SMALL_MODULUS
    while True:
        state = (state * 9301 + 49297) % SMALL_MODULUS
        yield state


def _minstd(seed: Word, multiplier: int) -> Iterator[Word]:
    state = seed % MINSTD_MODULUS
    state = choose(state == 0, 1, state)
    while True:
        state = state * multiplier % MINSTD_MODULUS
        yield state


def minstd_16807(seed: Word) -> Iterator[Word]:
    """C++'s minstd_rand0: 1..2**31 - 2; a seed that is 0 modulo 2**31 - 1 counts as 1."""
    yield from _minstd(seed, 16807)


def minstd_48271(seed: Word) -> Iterator[Word]:
    """C++'s minstd_rand: 1..2**31 - 2; a seed that is 0 modulo 2**31 - 1 counts as 1."""
    yield from _minstd(seed, 48271)


def glibc_random(seed: Word) -> Iterator[Word]:
    """`rand` and `random` of glibc after `srand`: an additive generator, 31 bits."""
    start = seed & MASK_32
    start = choose(start == 0, 1, start)
    # Only the first step meets a negative number.
    is_negative, size = signed(start, 32)
    remainder = size * 16807 % MASK_31
    state = [start, choose(is_negative, (MASK_31 - remainder) % MASK_31, remainder)]
    while len(state) < 31:
        state.append(state[-1] * 16807 % MASK_31)
    state += state[:3]
    for _ in range(310):
        state.append((state[-31] + state[-3]) & MASK_32)
    state = state[-31:]
    i = 0
    while True:
        # state[i] is 31 steps old, and 3 steps old is 28 places further on in the ring.
        state[i] = (state[i] + state[(i + 28) % 31]) & MASK_32
        yield state[i] >> 1
        i = (i + 1) % 31


def pysol_congruence(seed: Word) -> Iterator[Word]:
    """The older generator of PySol: 31 bits."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1) & MASK_64
        yield state >> 21 & MASK_31


def knuth_congruence(seed: Word) -> Iterator[Word]:
    """Knuth's generator for MMIX: 64 bits."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) & MASK_64
        yield state


def dart_random(seed: Word) -> Iterator[Word]:
    """Dart's Random(seed): multiply with carry, 32 bits."""
    state = _wang_mix(seed)
    state = choose(state == 0, 0x5A17, state)
    num_skipped = 4
    while True:
        state = ((state & MASK_32) * 0xFFFFDA61 + (state >> 32)) & MASK_64
        if num_skipped:
            num_skipped -= 1
        else:
            yield state & MASK_32


def _wang_mix(word: Word) -> Word:
    """Thomas Wang's hash of 64 bits to 64 bits."""
    word = ((word ^ MASK_64) + (word << 21)) & MASK_64
    word = word ^ (word >> 24)
    word = word * 265 & MASK_64
    word = word ^ (word >> 14)
    word = word * 21 & MASK_64
    word = word ^ (word >> 28)
    return (word + (word << 31)) & MASK_64


def dotnet_random(seed: Word) -> Iterator[Word]:
    """InternalSample of .NET's System.Random(int): Knuth's subtractive method, 0..2**31 - 2.

    Differences are in 32 bits, as in .NET, where they overflow for some seeds.
    """
    size = signed(seed, 32)[1]
    size = choose(size == BIT_31, MASK_31, size)
    table = [seed & 0] * 56  # 1..55 are used
    table[55] = last = (161803398 + (MASK_32 + 1) - size) & MASK_32
    current = (seed & 0) + 1
    for i in range(1, 55):
        place = 21 * i % 55
        table[place] = current
        current = _difference(last, current)
        last = table[place]
    for _ in range(4):
        for i in range(1, 56):
            table[i] = _difference(table[i], table[1 + (i + 30) % 55])
    i, j = 0, 21
    while True:
        i = i % 55 + 1
        j = j % 55 + 1
        difference = (table[i] + (MASK_32 + 1) - table[j]) & MASK_32
        difference = choose(difference == MASK_31, MASK_31 - 1, difference)
        table[i] = _lifted(difference)
        yield table[i]


def _difference(minuend: Word, subtrahend: Word) -> Word:
    return _lifted((minuend + (MASK_32 + 1) - subtrahend) & MASK_32)


def _lifted(word: Word) -> Word:
    """`word` (32 bits, signed), if it is negative plus 2**31 - 1."""
    return choose(word >= BIT_31, (word + MASK_31) & MASK_32, word)


def javascript_sine(seed: Word) -> Iterator[Word]:
    """The fraction of 10000 sin(seed), then of the next whole number's, in 32 bits.

    A sine is never exact; two machines may differ in a draw once in millions.
    """
    number = seed
    while True:
        yield _sine_fraction(number) if isinstance(number, int) else _sine_fractions(number)
        number = (number + 1) & MASK_64


def _sine_fractions(numbers: Word) -> Word:
    import numpy as np

    # One by one: NumPy's own sine may round otherwise than the one for single numbers.
    return np.array([_sine_fraction(number) for number in numbers.tolist()], dtype=np.uint64)


def _sine_fraction(number: int) -> int:
    scaled = math.sin(number - (number >> 63 << 64)) * 10000
    return int((scaled - math.floor(scaled)) * (MASK_32 + 1))
