"""A generator's words to whole numbers below a bound, and to keys for sorting.

A draw takes one or two words and either accepts them or has to try again with the next. Functions
are for single ints and for arrays alike (`solver.identify.family.arithmetic`); bounds are 1..2652.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from boulanger.solver.identify.family.arithmetic import (
    MASK_31,
    MASK_32,
    MASK_64,
    Word,
    choose,
    either,
    signed,
    whole,
)


@dataclass(frozen=True, slots=True)
class Range:
    """The words that a generator gives: `low` to `low + span - 1`."""

    low: int
    span: int

    @property
    def width(self) -> int:
        """Bits of a word, for the generators that use all values of this many bits."""
        return self.span.bit_length() - 1


# A value below the bound and whether it is accepted (True itself: always).
Drawn = tuple[Word, Any]


@dataclass(frozen=True, slots=True)
class Draw:
    """One way to draw.

    Attributes:
        description: a phrase without a full stop.
        reference: who published it, or where it is in use.
        draw: from the range, the bound and the words.
        num_words: how many words it takes at a time.
        skips_one: takes none at all if the bound is 1.
    """

    description: str
    reference: str
    draw: Callable[..., Drawn]
    num_words: int = 1
    skips_one: bool = False


@dataclass(frozen=True, slots=True)
class Key:
    """One way to make keys for sorting: from the range and the words, a word."""

    description: str
    key: Callable[..., Word]
    num_words: int = 1


def _modulo(source: Range, bound: Word, word: Word) -> Drawn:
    return word % bound, True


def _half_modulo(source: Range, bound: Word, word: Word) -> Drawn:
    return (word >> 1) % bound, True


def _low_modulo(source: Range, bound: Word, word: Word) -> Drawn:
    return (word & ((source.span >> 1) - 1)) % bound, True


def _absolute_modulo(source: Range, bound: Word, word: Word) -> Drawn:
    return signed(word, source.width)[1] % bound, True


def _floor_modulo(source: Range, bound: Word, word: Word) -> Drawn:
    is_negative, size = signed(word, source.width)
    remainder = size % bound
    return choose(is_negative, (bound - remainder) % bound, remainder), True


def _scaled(source: Range, bound: Word, word: Word) -> Drawn:
    if source.span == MASK_64 + 1:
        return ((word >> 32) * bound + ((word & MASK_32) * bound >> 32)) >> 32, True
    return (word - source.low) * bound // source.span, True


def _ratio(source: Range, bound: Word, word: Word) -> Drawn:
    return word * bound // (source.low + source.span), True


def _high_modulo(source: Range, bound: Word, word: Word) -> Drawn:
    return (word >> 32) % bound, True


def _high_scaled(source: Range, bound: Word, word: Word) -> Drawn:
    return (word >> 32) * bound >> 32, True


def _low_half_modulo(source: Range, bound: Word, word: Word) -> Drawn:
    return (word & MASK_32) % bound, True


def _low_half_scaled(source: Range, bound: Word, word: Word) -> Drawn:
    return (word & MASK_32) * bound >> 32, True


def _float_53(source: Range, bound: Word, word: Word) -> Drawn:
    return whole((word >> 11) * 2.0**-53 * bound), True


def _java_double(source: Range, bound: Word, first: Word, second: Word) -> Drawn:
    return whole(_java_fraction(first, second) * 2.0**-53 * bound), True


def _java_fraction(first: Word, second: Word) -> Word:
    return (first >> 6 << 27) + (second >> 5)


def _python_double(source: Range, bound: Word, first: Word, second: Word) -> Drawn:
    return whole(_python_fraction(first, second) * 2.0**-53 * bound), True


def _python_fraction(first: Word, second: Word) -> Word:
    return (first >> 5 << 26) + (second >> 6)


def _dart_double(source: Range, bound: Word, first: Word, second: Word) -> Drawn:
    return whole(_dart_fraction(first, second) * 2.0**-53 * bound), True


def _dart_fraction(first: Word, second: Word) -> Word:
    return ((first & ((1 << 26) - 1)) << 27) + (second & ((1 << 27) - 1))


def _dotnet(source: Range, bound: Word, word: Word) -> Drawn:
    return whole(word * (1.0 / MASK_31) * bound), True


def _unity_value(source: Range, bound: Word, word: Word) -> Drawn:
    # The quotient is 1 for one word in 8388608; a program would then reach past its cards.
    value = (word & 0x7FFFFF) * bound // 0x7FFFFF
    return choose(value >= bound, bound - 1, value), True


def _java_next_int(source: Range, bound: Word, word: Word) -> Drawn:
    upper = word >> 1
    value = upper % bound
    is_power = bound & (bound - 1) == 0
    is_accepted = either(is_power, upper - value + (bound - 1) <= MASK_31)
    return choose(is_power, upper * bound >> 31, value), is_accepted


def _lemire(source: Range, bound: Word, word: Word) -> Drawn:
    """The product's high half, unless its low half is below the excess."""
    value = _scaled(source, bound, word)[0]
    low_half = (word * bound) & (source.span - 1)
    return value, low_half >= _excess(source, bound)


def _reject_low(source: Range, bound: Word, word: Word) -> Drawn:
    return word % bound, word >= _excess(source, bound)


def _reject_high(source: Range, bound: Word, word: Word) -> Drawn:
    # Its distance from the end is compared, since the end itself may not fit into a word.
    return word % bound, (source.span - 1) - word >= _excess(source, bound)


def _excess(source: Range, bound: Word) -> Word:
    """How many words are left over when all are dealt out evenly."""
    return ((source.span - 1) % bound + 1) % bound


def _divided(source: Range, bound: Word, word: Word) -> Drawn:
    # One less than the span, as the library has it.
    share = (source.span - 1) // bound
    above = word - source.low
    return above // share, above < share * bound


def _low_bits(source: Range, bound: Word, word: Word) -> Drawn:
    value = word & _mask_of(bound - 1)
    return value, value < bound


def _high_bits(source: Range, bound: Word, word: Word) -> Drawn:
    # As many bits as the bound itself has: one more than needed if it is a power of two.
    value = word * (_mask_of(bound) + 1) >> source.width
    return value, value < bound


def _mask_of(number: Word) -> Word:
    """All bits up to the highest one of `number`, which is below 2**16."""
    for shift in (1, 2, 4, 8):
        number = number | number >> shift
    return number


DRAWS: Final = MappingProxyType(
    {
        "modulo": Draw("modulo", "the remainder, as in C's rand() % n", _modulo),
        "scaled": Draw(
            "multiply and shift, or a float times n",
            "the high part of the product; Math.floor(random() * n)",
            _scaled,
        ),
        "java-next-int": Draw(
            "nextInt(n)",
            "Java SE API, java.util.Random.nextInt(int); kotlin.random.Random.nextInt(Int)",
            _java_next_int,
        ),
        "java-double": Draw(
            "nextDouble() times n", "Java SE API, java.util.Random.nextDouble()", _java_double, 2
        ),
        "high-bits": Draw(
            "as many high bits as n has, again until below n",
            "CPython, Lib/random.py, Random._randbelow_with_getrandbits",
            _high_bits,
        ),
        "python-double": Draw(
            "random() times n",
            "genrand_res53 of mt19937ar.c; Python's random.random, and so PySolFC",
            _python_double,
            2,
        ),
        "low-bits": Draw(
            "as many low bits as n - 1 has, again until below n",
            "NumPy's RandomState.shuffle; Ruby's Random#rand; libc++'s uniform_int_distribution",
            _low_bits,
            skips_one=True,
        ),
        "dart-double": Draw(
            "nextDouble() times n", "Dart SDK, dart:math, Random.nextDouble", _dart_double, 2
        ),
        "dotnet-next": Draw("Next(n)", ".NET reference source, System.Random.Next(int)", _dotnet),
        "unity-value": Draw(
            "Random.value times n", "Unity, as those found who took it apart", _unity_value
        ),
        "ratio": Draw("divided by the modulus, times n", "Park and Miller, CACM 31(10)", _ratio),
        "half-modulo": Draw("without the lowest bit, modulo", "Java's (x >>> 1) % n", _half_modulo),
        "low-modulo": Draw("without the highest bit, modulo", "(x & MAX) % n", _low_modulo),
        "absolute-modulo": Draw("absolute value, modulo", "Math.abs(x) % n", _absolute_modulo),
        "floor-modulo": Draw(
            "signed, modulo from 0 on", "Java's Math.floorMod; Kotlin's mod", _floor_modulo
        ),
        "float-53": Draw(
            "the high 53 bits as a float, times n", "Vigna, prng.di.unimi.it", _float_53
        ),
        "high-scaled": Draw(
            "high 32 bits, multiply and shift", "Lemire, ACM TOMACS 29(1), section 3", _high_scaled
        ),
        "high-modulo": Draw("high 32 bits, modulo", "the remainder", _high_modulo),
        "low-half-scaled": Draw(
            "low 32 bits, multiply and shift",
            "Lemire, ACM TOMACS 29(1), section 3",
            _low_half_scaled,
        ),
        "low-half-modulo": Draw("low 32 bits, modulo", "the remainder", _low_half_modulo),
        "lemire": Draw(
            "multiply and shift, without bias",
            "Lemire, ACM TOMACS 29(1), algorithm 5; Swift's next(upperBound:); libstdc++ 11",
            _lemire,
        ),
        "reject-low": Draw(
            "modulo, the lowest words rejected",
            "OpenBSD's arc4random_uniform; pcg32_boundedrand",
            _reject_low,
        ),
        "reject-high": Draw(
            "modulo, the highest words rejected",
            "Dart's Random.nextInt; Microsoft's std::shuffle; PHP's mt_rand range",
            _reject_high,
        ),
        "divided": Draw(
            "divided into equal shares, the rest rejected",
            "libstdc++'s uniform_int_distribution",
            _divided,
        ),
    }
)

KEYS: Final = MappingProxyType(
    {
        "word": Key("whole words", lambda source, word: word),
        "signed-word": Key("signed words", lambda source, word: word ^ 1 << (source.width - 1)),
        "java-double": Key("nextDouble()", lambda source, *two: _java_fraction(*two), 2),
        "python-double": Key("random()", lambda source, *two: _python_fraction(*two), 2),
        "dart-double": Key("nextDouble()", lambda source, *two: _dart_fraction(*two), 2),
    }
)
