"""The table of generators: each with what its words are and the draws that go with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from boulanger.engine.deals.splitmix import splitmix64
from boulanger.solver.identify.family import arc4, congruences, twisters, xorshifts
from boulanger.solver.identify.family.arithmetic import Word
from boulanger.solver.identify.family.draws import Range


@dataclass(frozen=True, slots=True)
class Generator:
    """A source of random words.

    Attributes:
        description: a phrase without a full stop.
        reference: who published it.
        start: the words for a seed, without end.
        range: what the words can be.
        draws: the names of the draws that are tried with it, the likeliest first.
        keys: the names of the keys for sorting that are tried with it.
        takes_text: whether its seed is the bytes of a text.
    """

    description: str
    reference: str
    start: Callable[[Word], Iterator[Word]]
    range: Range
    draws: tuple[str, ...]
    keys: tuple[str, ...] = ("word",)
    takes_text: bool = False


def _bits(width: int) -> Range:
    return Range(0, 1 << width)


_PLAIN: Final = ("modulo", "scaled")
_SIGNS: Final = ("half-modulo", "low-modulo", "absolute-modulo", "floor-modulo")
_FAIR: Final = ("lemire", "reject-low", "reject-high")
_ALL_32: Final = (*_PLAIN, *_SIGNS, *_FAIR)
_ALL_64: Final = (
    "high-scaled",
    "scaled",
    "modulo",
    "float-53",
    "high-modulo",
    "low-half-scaled",
    "low-half-modulo",
    *_SIGNS,
    *_FAIR,
)
_SIGNED_KEYS: Final = ("word", "signed-word")
_MERSENNE: Final = ("low-bits", "divided", "python-double")
_VIGNA: Final = "Vigna, prng.di.unimi.it"
_MARSAGLIA: Final = "Marsaglia, Xorshift RNGs, J. of Statistical Software 8(14), 2003"
_ONEILL: Final = "O'Neill, PCG, 2014 (pcg-random.org)"
_KOTLIN: Final = "Kotlin's standard library, XorWowRandom; Marsaglia 2003"
_ARC4: Final = "ARC4 (RFC 6229) keyed as Apple's manual says of GKARC4RandomSource; see arc4.py"

GENERATORS: Final = MappingProxyType(
    {
        "java": Generator(
            "java.util.Random",
            "Java SE API, java.util.Random",
            congruences.java_random,
            _bits(32),
            ("java-next-int", "java-double", *_ALL_32),
            (*_SIGNED_KEYS, "java-double"),
        ),
        "kotlin-int": Generator(
            "Kotlin's Random from an Int",
            _KOTLIN,
            xorshifts.xorwow_int,
            _bits(32),
            ("java-next-int", "java-double", *_PLAIN, *_SIGNS),
            (*_SIGNED_KEYS, "java-double"),
        ),
        "kotlin-long": Generator(
            "Kotlin's Random from a Long",
            _KOTLIN,
            xorshifts.xorwow_long,
            _bits(32),
            ("java-next-int", "java-double", *_PLAIN, *_SIGNS),
            (*_SIGNED_KEYS, "java-double"),
        ),
        "dart": Generator(
            "Dart's Random",
            "Dart SDK, dart:math, Random",
            congruences.dart_random,
            _bits(32),
            ("reject-high", "dart-double", *_PLAIN),
            ("word", "dart-double"),
        ),
        "dotnet": Generator(
            ".NET's System.Random",
            ".NET reference source, System.Random; Knuth, TAOCP 2, 3.2.2",
            congruences.dotnet_random,
            Range(0, (1 << 31) - 1),
            ("dotnet-next", "modulo"),
        ),
        "python": Generator(
            "Python's random (and Ruby's)",
            "CPython, Modules/_randommodule.c",
            twisters.python_random,
            _bits(32),
            ("high-bits", "python-double", "low-bits", *_PLAIN),
            ("word", "python-double"),
        ),
        "python-text": Generator(
            "Python's random",
            "CPython, Lib/random.py, seed version 2",
            twisters.python_text_random,
            _bits(32),
            ("high-bits", "python-double"),
            ("python-double",),
            takes_text=True,
        ),
        "mt19937": Generator(
            "the Mersenne Twister (32 bits)",
            "Matsumoto and Nishimura, ACM TOMACS 8(1), 1998; C++'s std::mt19937",
            twisters.mt19937,
            _bits(32),
            (*_ALL_32, *_MERSENNE, "high-bits"),
            (*_SIGNED_KEYS, "python-double"),
        ),
        "mt19937-64": Generator(
            "the Mersenne Twister (64 bits)",
            "Nishimura, ACM TOMACS 10(4), 2000; C++'s std::mt19937_64",
            twisters.mt19937_64,
            _bits(64),
            (*_ALL_64, "low-bits", "divided"),
            _SIGNED_KEYS,
        ),
        "splitmix64": Generator(
            "SplitMix64",
            f"Steele, Lea, Flood, OOPSLA 2014; {_VIGNA}",
            splitmix64,
            _bits(64),
            _ALL_64,
            _SIGNED_KEYS,
        ),
        "pcg32": Generator(
            "PCG32 on its default stream", _ONEILL, xorshifts.pcg32, _bits(32), _ALL_32
        ),
        "pcg32-54": Generator(
            "PCG32 on stream 54", _ONEILL, xorshifts.pcg32_demo, _bits(32), _ALL_32
        ),
        "pcg32-0": Generator(
            "PCG32 on stream 0", _ONEILL, xorshifts.pcg32_first, _bits(32), _ALL_32
        ),
        "pcg32-1": Generator(
            "PCG32 on stream 1", _ONEILL, xorshifts.pcg32_second, _bits(32), _ALL_32
        ),
        "pcg32-godot": Generator(
            "PCG32 as Godot seeds it",
            f"Godot Engine, RandomPCG; {_ONEILL}",
            xorshifts.pcg32_godot,
            _bits(32),
            _ALL_32,
        ),
        "xorshift32": Generator(
            "xorshift32", _MARSAGLIA, xorshifts.xorshift32, _bits(32), _ALL_32, _SIGNED_KEYS
        ),
        "xorshift64": Generator(
            "xorshift64", _MARSAGLIA, xorshifts.xorshift64, _bits(64), _ALL_64, _SIGNED_KEYS
        ),
        "xorshift64-star": Generator(
            "xorshift64*", _VIGNA, xorshifts.xorshift64_star, _bits(64), _ALL_64
        ),
        "xorshift128": Generator(
            "xorshift128", _MARSAGLIA, xorshifts.xorshift128, _bits(32), _ALL_32
        ),
        "xorshift128-plus": Generator(
            "xorshift128+ (23, 18, 5)",
            _VIGNA,
            xorshifts.xorshift128_plus,
            _bits(64),
            _ALL_64,
            _SIGNED_KEYS,
        ),
        "xorshift128-plus-v8": Generator(
            "xorshift128+ (23, 17, 26)",
            f"V8, base/utils/random-number-generator.h; {_VIGNA}",
            xorshifts.xorshift128_plus_v8,
            _bits(64),
            _ALL_64,
            _SIGNED_KEYS,
        ),
        "xoroshiro128-plus": Generator(
            "xoroshiro128+", _VIGNA, xorshifts.xoroshiro128_plus, _bits(64), _ALL_64
        ),
        "xoroshiro128-star-star": Generator(
            "xoroshiro128**", _VIGNA, xorshifts.xoroshiro128_star_star, _bits(64), _ALL_64
        ),
        "xoshiro256-star-star": Generator(
            "xoshiro256**", _VIGNA, xorshifts.xoshiro256_star_star, _bits(64), _ALL_64
        ),
        "mulberry32": Generator(
            "mulberry32",
            "T. Ettinger, 2017 (mulberry32.c)",
            xorshifts.mulberry32,
            _bits(32),
            _PLAIN,
        ),
        "sfc32-javascript": Generator(
            "sfc32 as in JavaScript",
            "bryc, github.com/bryc/code, PRNGs; Doty-Humphrey, PractRand",
            xorshifts.sfc32_javascript,
            _bits(32),
            _PLAIN,
        ),
        "sfc32-practrand": Generator(
            "sfc32",
            "C. Doty-Humphrey, PractRand, sfc.h",
            xorshifts.sfc32_practrand,
            _bits(32),
            _ALL_32,
        ),
        "unity": Generator(
            "Unity's Random",
            "not published; xorshift128 as those found who took it apart",
            xorshifts.unity_random,
            _bits(32),
            ("modulo", "unity-value", "scaled"),
        ),
        "libgdx": Generator(
            "libGDX's RandomXS128",
            f"libGDX, com.badlogic.gdx.math.RandomXS128; {_VIGNA}",
            xorshifts.libgdx_random,
            _bits(64),
            ("half-modulo", "float-53", "scaled", "modulo", "low-half-modulo", "absolute-modulo"),
            _SIGNED_KEYS,
        ),
        "lua": Generator(
            "Lua's math.random",
            f"Lua 5.4, lmathlib.c; {_VIGNA}",
            xorshifts.lua_random,
            _bits(64),
            ("low-bits", "float-53", *_PLAIN),
        ),
        "unreal": Generator(
            "Unreal's FRandomStream",
            "Unreal Engine, Math/RandomStream.h; not checked against the engine",
            congruences.unreal_random,
            _bits(23),
            ("scaled", "modulo"),
        ),
        "minstd-16807": Generator(
            "Park and Miller's generator (16807)",
            "Park and Miller, CACM 31(10), 1988; C++'s minstd_rand0",
            congruences.minstd_16807,
            Range(1, congruences.MINSTD_MODULUS - 1),
            (*_PLAIN, "ratio", "divided"),
        ),
        "minstd-48271": Generator(
            "Park and Miller's generator (48271)",
            "Park, Miller, Stockmeyer, CACM 36(7), 1993; C++'s minstd_rand",
            congruences.minstd_48271,
            Range(1, congruences.MINSTD_MODULUS - 1),
            (*_PLAIN, "ratio", "divided"),
        ),
        "glibc": Generator(
            "glibc's rand",
            "glibc, stdlib/random_r.c (TYPE_3); P. Selinger's page on it",
            congruences.glibc_random,
            _bits(31),
            _PLAIN,
        ),
        "ansi-c": Generator(
            "the C standard's rand",
            "ISO/IEC 9899, 7.22.2, example",
            congruences.ansi_rand,
            _bits(15),
            _PLAIN,
        ),
        "simple-c": Generator(
            "the C standard's rand with 31 bits",
            "glibc, stdlib/random_r.c (TYPE_0)",
            congruences.simple_rand,
            _bits(31),
            _PLAIN,
        ),
        "microsoft-c": Generator(
            "Microsoft C's rand",
            "Microsoft's C run-time library",
            congruences.microsoft_rand,
            _bits(15),
            _PLAIN,
        ),
        "numerical-recipes": Generator(
            "the Numerical Recipes generator",
            "Press et al., Numerical Recipes, 2nd edition, 7.1",
            congruences.numerical_recipes,
            _bits(32),
            _ALL_32,
        ),
        "borland-c": Generator(
            "Borland C's rand",
            "Borland's C run-time library",
            congruences.borland_rand,
            _bits(15),
            _PLAIN,
        ),
        "delphi": Generator(
            "Delphi's Random",
            "Borland's Turbo Pascal and Delphi run-time library",
            congruences.delphi_random,
            _bits(32),
            ("scaled", "modulo"),
        ),
        "drand48": Generator(
            "drand48", "POSIX, drand48", congruences.drand48, _bits(48), ("scaled", "modulo")
        ),
        "lrand48": Generator("lrand48", "POSIX, lrand48", congruences.lrand48, _bits(31), _PLAIN),
        "knuth-64": Generator(
            "Knuth's congruence for MMIX",
            "Knuth, TAOCP 2, 3.3.4, line 26",
            congruences.knuth_congruence,
            _bits(64),
            _ALL_64,
        ),
        "modulus-233280": Generator(
            "the congruence modulo 233280",
            "Press et al., Numerical Recipes, 2nd edition, 7.1, table",
            congruences.small_congruence,
            Range(0, congruences.SMALL_MODULUS),
            ("scaled", "modulo"),
        ),
        "windows-freecell": Generator(
            "the Windows FreeCell dealer's rand",
            "J. Horne, Microsoft FreeCell; A. Nogueras, FreeCell Pro",
            congruences.windows_freecell,
            _bits(17),
            ("modulo",),
        ),
        "pysol": Generator(
            "the older PySol dealer's generator",
            "S. Fish, pysol-cards, LCRandom64 (PySolFC uses Python's random() times n)",
            congruences.pysol_congruence,
            _bits(31),
            ("scaled",),
        ),
        "arc4-64": Generator(
            "ARC4 keyed with 8 bytes", _ARC4, arc4.arc4_64, _bits(32), (*_PLAIN, "reject-low")
        ),
        "arc4-64-768": Generator(
            "ARC4 keyed with 8 bytes, 768 dropped",
            _ARC4,
            arc4.arc4_64_dropped,
            _bits(32),
            (*_PLAIN, "reject-low"),
        ),
        "arc4-32": Generator(
            "ARC4 keyed with 4 bytes", _ARC4, arc4.arc4_32, _bits(32), (*_PLAIN, "reject-low")
        ),
        "arc4-32-768": Generator(
            "ARC4 keyed with 4 bytes, 768 dropped",
            _ARC4,
            arc4.arc4_32_dropped,
            _bits(32),
            (*_PLAIN, "reject-low"),
        ),
        "arc4-text": Generator(
            "ARC4",
            _ARC4,
            arc4.arc4_text,
            _bits(32),
            (*_PLAIN, "reject-low"),
            takes_text=True,
        ),
        "arc4-text-768": Generator(
            "ARC4, 768 bytes dropped",
            _ARC4,
            arc4.arc4_text_dropped,
            _bits(32),
            (*_PLAIN, "reject-low"),
            takes_text=True,
        ),
        "seedrandom": Generator(
            "JavaScript's seedrandom",
            "D. Bau, seedrandom (npm)",
            arc4.seedrandom,
            _bits(48),
            ("scaled",),
            takes_text=True,
        ),
        "seedrandom-quick": Generator(
            "JavaScript's seedrandom with 32 bits",
            "D. Bau, seedrandom (npm)",
            arc4.seedrandom_quick,
            _bits(32),
            (*_PLAIN, *_SIGNS),
            _SIGNED_KEYS,
            takes_text=True,
        ),
        "javascript-sine": Generator(
            "the sine of whole numbers in a row, times 10000",
            "a common JavaScript snippet, without a known author",
            congruences.javascript_sine,
            _bits(32),
            ("scaled",),
        ),
    }
)
