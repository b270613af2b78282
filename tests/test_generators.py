"""Generators, draws and shuffles against the libraries that have them, and published words.

`data/random` has what libraries of other languages gave, with the programs that asked them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pysol_cards.random import LCRandom64, MTRandom

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.codes import GameCode
from boulanger.engine.deals.dealers import BK1, MS
from boulanger.solver.identify.family import arc4, xorshifts
from boulanger.solver.identify.family.arithmetic import MASK_32, MASK_64
from boulanger.solver.identify.family.decks import Deck
from boulanger.solver.identify.family.draws import DRAWS, KEYS, Range
from boulanger.solver.identify.family.generators import GENERATORS
from boulanger.solver.identify.family.rule import (
    BK1_RULE,
    Rule,
    draw_from,
    draw_names,
    keys_from,
    shuffle_names,
)
from boulanger.solver.identify.family.shuffles import SHUFFLES
from boulanger.solver.identify.lanes import Lanes
from boulanger.solver.identify.scan import permuted, sorted_rows

DATA = Path(__file__).parent / "data" / "random"
SEEDS = [0, 1, 42, 860, 2**31 - 1, 2**31, 2**32 - 1, 2**35 - 1, 2**63, 2**64 - 2**31, 2**64 - 1]
NUMBERED = [name for name, generator in GENERATORS.items() if not generator.takes_text]


def read(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_text())


def first(name: str, seed: int | bytes, count: int) -> list[int]:
    return list(islice(GENERATORS[name].start(seed), count))


def drawn(name: str, draw: str, seed: int | bytes, bounds: list[int]) -> list[int]:
    generator = GENERATORS[name]
    words = generator.start(seed)
    return [draw_from(generator, draw, bound, words) for bound in bounds]


def shuffled(name: str, draw: str, shuffle: str, seed: int | bytes) -> list[int]:
    order = list(range(NUM_CARDS))
    if SHUFFLES[shuffle].is_sort:
        keys = keys_from(GENERATORS[name], draw, GENERATORS[name].start(seed))
        SHUFFLES[shuffle].permute(keys, order)
    else:
        draws = drawn(name, draw, seed, list(SHUFFLES[shuffle].bounds))
        SHUFFLES[shuffle].permute(draws, order)
    return order


def low_32(words: list[int]) -> list[int]:
    return [word & MASK_32 for word in words]


# Published words.

PUBLISHED = [
    # ISO C++, [rand.predef]: the 10,000th word of each engine's default seed.
    ("mt19937", 5489, 10000, [4123659995]),
    ("mt19937-64", 5489, 10000, [9981545732273789042]),
    ("minstd-16807", 1, 10000, [1043618065]),
    ("minstd-48271", 1, 10000, [399268537]),
    # mt19937ar.out has init_by_array; its init_genrand(5489) begins so in every port.
    ("mt19937", 5489, 1, [3499211612, 581869302, 3890346734, 3586334585]),
    # pcg32-demo.out of the PCG C library: seed 42, stream 54.
    ("pcg32-54", 42, 1, [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]),
    # Vigna's splitmix64.c, as quoted on Rosetta Code for 1234567.
    (
        "splitmix64",
        1234567,
        1,
        [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
            4593380528125082431,
            16408922859458223821,
        ],
    ),
    # Marsaglia 2003: xorshift32 from its own example seed.
    ("xorshift32", 2463534242, 1, [723471715, 2497366906, 2064144800]),
    # Marsaglia 2003: xorshift128 from its own example state, of which 123456789 is the x.
    ("xorshift128", 123456789, 1, [3701687786, 458299110, 2500872618, 3633119408, 516391518]),
    # The first words of `rand` after srand(1) that the manuals and countless programs show.
    ("microsoft-c", 1, 1, [41, 18467, 6334, 26500, 19169, 15724]),
    ("ansi-c", 1, 1, [16838, 5758, 10113, 17515, 31051]),
    ("borland-c", 1, 1, [346, 130, 10982, 1090, 11656]),
    ("glibc", 1, 1, [1804289383, 846930886, 1681692777, 1714636915]),
    # Numerical Recipes 7.1, "An Even Quicker Generator": the words that a correct one gives.
    ("numerical-recipes", 0, 1, [0x3C6EF35F, 0x47502932, 0xD1CCF6E9, 0xAAF95334, 0x6252E503]),
]


@pytest.mark.parametrize("name, seed, start, words", PUBLISHED)
def test_published_words(name: str, seed: int, start: int, words: list[int]) -> None:
    assert first(name, seed, start - 1 + len(words))[start - 1 :] == words


def test_xorshift64_star_as_rosetta_code_has_it() -> None:
    high = [word >> 32 for word in first("xorshift64-star", 1234567, 5)]
    assert high == [3540625527, 2750739987, 4037983143, 1993361440, 3809424708]


def from_state(name: str, state: list[int], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The first words of a generator from a state that SplitMix64 would not give."""
    monkeypatch.setattr(xorshifts, "splitmix64", lambda seed: iter(state))
    return first(name, 0, 10)


def test_vignas_generators_as_rusts_crate_tests_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words that rand_xoshiro has from the reference code."""
    assert from_state("xoshiro256-star-star", [1, 2, 3, 4], monkeypatch) == [
        11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600,
        16172922978634559625, 8476171486693032832, 10595114339597558777, 2904607092377533576,
    ]  # fmt: skip
    assert from_state("xoroshiro128-star-star", [1, 2], monkeypatch) == [
        5760, 97769243520, 9706862127477703552, 9223447511460779954, 8358291023205304566,
        15695619998649302768, 8517900938696309774, 16586480348202605369, 6959129367028440372,
        16822147227405758281,
    ]  # fmt: skip
    assert from_state("xoroshiro128-plus", [1, 2], monkeypatch) == [
        3, 412333834243, 2360170716294286339, 9295852285959843169, 2797080929874688578,
        6019711933173041966, 3076529664176959358, 3521761819100106140, 7493067640054542992,
        920801338098114767,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "key, stream",
    [
        # The three of the cipher's 1994 posting and later articles.
        (b"Key", "eb9f7781b734ca72a719"),
        (b"Wiki", "6044db6d41b7"),
        (b"Secret", "04d46b053ca87b59"),
        # RFC 6229: key of 40 and of 64 bits, offset 0.
        (bytes([1, 2, 3, 4, 5]), "b2396305f03dc027ccc3524a0a1118a8"),
        (bytes([1, 2, 3, 4, 5, 6, 7, 8]), "97ab8a1bf0afb96132f2f67258da15a8"),
    ],
)
def test_arc4(key: bytes, stream: str) -> None:
    expected = bytes.fromhex(stream)
    assert bytes(islice(arc4.arc4_bytes(list(key)), len(expected))) == expected


def test_arc4_drops_and_keys() -> None:
    seed = int.from_bytes(bytes([1, 2, 3, 4, 5, 6, 7, 8]), "little")
    plain = list(islice(arc4.arc4_bytes(list(seed.to_bytes(8, "little"))), 776))
    assert first("arc4-64", seed, 1) == [int.from_bytes(bytes(plain[:4]), "big")]
    assert first("arc4-64-768", seed, 2) == [
        int.from_bytes(bytes(plain[at : at + 4]), "big") for at in (768, 772)
    ]
    assert first("arc4-32", seed, 1) == [
        int.from_bytes(bytes(islice(arc4.arc4_bytes([1, 2, 3, 4]), 4)), "big")
    ]
    assert first("arc4-text", b"Key", 1) == [0xEB9F7781]


def test_dart_as_its_own_test_has_it() -> None:
    """Dart SDK, tests/lib/math/random_test.dart: bounds 2, 4, 8 to 2**32, doubles, seeds."""
    expected = [
        0, 3, 7, 5, 29, 17, 104, 199, 408, 362, 995, 2561, 2548, 9553, 2628, 42376, 101848, 85153,
        495595, 647122, 793546, 1073343, 4479969, 9680425, 28460171, 49481738, 9878974, 132552472,
        210267283, 125422442, 226275094, 1639629168,
    ]  # fmt: skip
    bounds = [2 << i for i in range(len(expected))]
    assert drawn("dart", "reject-high", 20130307, bounds) == expected
    assert drawn("dart", "dart-double", 6790, [10**9] * 4) == [
        120273313, 555405480, 38516072, 283634521
    ]  # fmt: skip
    assert drawn("dart", "reject-high", 0, [65536]) == [21391]
    raw_seed = 0x19A32C640E1D71
    for i, (positive, negative) in enumerate([(26007, 12170), (43006, 42844), (46458, 39228)]):
        assert drawn("dart", "reject-high", raw_seed << i, [65536]) == [positive]
        assert drawn("dart", "reject-high", -(raw_seed << i) & MASK_64, [65536]) == [negative]


# Libraries that are installed here.


@pytest.mark.parametrize("seed", [0, 1, 42, 860, 2**31, 2**32 - 1, 2**32, 2**35 - 1, 2**63 - 1])
def test_python(seed: int) -> None:
    library = random.Random(seed)
    assert first("python", seed, 700) == [library.getrandbits(32) for _ in range(700)]
    library = random.Random(seed)
    bounds = [52, 32, 1, 2, 2652, 3]
    assert drawn("python", "high-bits", seed, bounds) == [library.randrange(b) for b in bounds]
    library = random.Random(seed)
    assert drawn("python", "python-double", seed, [52] * 20) == [
        int(library.random() * 52) for _ in range(20)
    ]
    cards = list(range(NUM_CARDS))
    random.Random(seed).shuffle(cards)
    assert shuffled("python", "high-bits", "down", seed) == cards
    assert shuffled("python", "high-bits", "pick-and-fill", seed) == random.Random(seed).sample(
        range(NUM_CARDS), NUM_CARDS
    )
    library = random.Random(seed)
    assert shuffled("python", "python-double", "sort-up", seed) == sorted(
        range(NUM_CARDS), key=lambda card: library.random()
    )


def test_python_takes_the_absolute_value() -> None:
    assert first("python", -123 & MASK_64, 3) == first("python", 123, 3)
    library = random.Random(-123)
    assert first("python", -123 & MASK_64, 3) == [library.getrandbits(32) for _ in range(3)]


@pytest.mark.parametrize("text", ["AAAAA24", "BK1-C4-AAAAA24", "860"])
def test_python_seeded_with_a_text(text: str) -> None:
    library = random.Random(text)
    assert first("python-text", text.encode(), 50) == [library.getrandbits(32) for _ in range(50)]


@pytest.mark.parametrize("seed", [0, 1, 42, 860, 2**31, 2**32 - 1])
def test_numpy(seed: int) -> None:
    library = np.random.RandomState(seed)
    words = library.randint(0, 1 << 32, size=700, dtype=np.uint32)
    assert first("mt19937", seed, 700) == words.tolist()
    library = np.random.RandomState(seed)
    assert shuffled("mt19937", "low-bits", "down", seed) == library.permutation(NUM_CARDS).tolist()
    library = np.random.RandomState(seed)
    assert drawn("mt19937", "python-double", seed, [52] * 20) == [
        int(library.random_sample() * 52) for _ in range(20)
    ]


@pytest.mark.parametrize("seed", [1, 42, 860, 2**35 - 1, 2**63 + 5])
def test_pysol(seed: int) -> None:
    older = LCRandom64(seed)
    assert shuffled("pysol", "scaled", "down", seed) == older.shuffle(list(range(NUM_CARDS)))
    newer = MTRandom(seed)
    assert shuffled("python", "python-double", "down", seed) == newer.shuffle(
        list(range(NUM_CARDS))
    )


# What libraries of other languages gave.


def test_java() -> None:
    for row in read("java")["random"]:
        seed = row["seed"] & MASK_64
        assert first("java", seed, 8) == low_32(row["next_int"])
        assert drawn("java", "java-next-int", seed, row["bounds"]) == row["next_int_below"]
        assert drawn("java", "java-double", seed, [52] * 8) == row["next_double_times_52"]
        assert shuffled("java", "java-next-int", "down", seed) == row["shuffle"]


@pytest.mark.parametrize("kind", ["int", "long"])
def test_kotlin(kind: str) -> None:
    name = {"int": "kotlin-int", "long": "kotlin-long"}[kind]
    for row in read("kotlin")[f"from_{kind}"]:
        seed = row["seed"] & MASK_64
        assert first(name, seed, 8) == low_32(row["next_int"])
        assert drawn(name, "java-next-int", seed, row["bounds"]) == row["next_int_below"]
        assert drawn(name, "java-double", seed, [52] * 8) == row["next_double_times_52"]


def test_dotnet() -> None:
    for row in read("dotnet")["random"]:
        seed = row["seed"] & MASK_64
        assert first("dotnet", seed, 8) == row["next"]
        assert drawn("dotnet", "dotnet-next", seed, row["bounds"]) == row["next_below"]
        assert shuffled("dotnet", "word", "sort-up", seed) == row["sorted"]


def test_libgdx() -> None:
    bounds = list(range(52, 1, -1))
    for row in read("libgdx")["rows"]:
        seed = row["seed"] & MASK_64
        assert first("libgdx", seed, 8) == [word & MASK_64 for word in row["next_long"]]
        assert drawn("libgdx", "half-modulo", seed, bounds) == row["next_int_below"]
        assert drawn("libgdx", "float-53", seed, [52] * 8) == row["next_double_times_52"]


def test_lua() -> None:
    bounds = list(range(52, 1, -1))
    for row in read("lua")["rows"]:
        seed = row["seed"] & MASK_64
        assert first("lua", seed, 8) == [word & MASK_64 for word in row["words"]]
        assert drawn("lua", "low-bits", seed, bounds) == row["below_52_to_2"]
        assert drawn("lua", "float-53", seed, [52] * 8) == row["fraction_times_52"]


CPP_ROWS = read("cpp")["library"]
# libstdc++ takes Lemire's method where the generator has all words of its width, and two cards
# from one draw where it has range enough.
CPP_DRAWS = {"mt19937": "lemire", "mt19937-64": "lemire", "minstd-16807": "divided"}


@pytest.mark.parametrize("name", sorted({row["name"] for row in CPP_ROWS}))
def test_cpp_and_c_libraries(name: str) -> None:
    rows = [row for row in CPP_ROWS if row["name"] == name]
    assert len(rows) == 6
    kind, _, generator = name.rpartition(" ")
    for row in rows:
        if kind == "shuffle":
            given = shuffled(generator, CPP_DRAWS[generator], "pairs", row["seed"])
        elif kind == "uniform":
            bounds = list(range(52, 1, -1))
            given = drawn(generator, CPP_DRAWS[generator], row["seed"], bounds)
        else:
            given = first(generator, row["seed"], len(row["values"]))
        assert given == row["values"], row["seed"]


def test_the_definitions_written_a_second_time() -> None:
    rows = read("cpp")["second"] + read("javascript")["rows"]
    assert len(rows) > 150
    for row in rows:
        assert first(row["name"], row["seed"], len(row["values"])) == row["values"], row["name"]
    for row in read("javascript")["sine_below_52"]:
        bounds = [52] * len(row["values"])
        assert drawn("javascript-sine", "scaled", row["seed"], bounds) == row["values"]


def test_seedrandom() -> None:
    for text, row in read("seedrandom")["texts"].items():
        key = text.encode()
        fractions = first("seedrandom", key, len(row["fractions"]))
        assert fractions == [int(fraction * 2**48) for fraction in row["fractions"]]
        assert drawn("seedrandom", "scaled", key, [52] * 60) == row["below_52"]
        assert first("seedrandom-quick", key, len(row["int32"])) == row["int32"]
    assert read("seedrandom")["texts"]["hello."]["fractions"][0] == 0.9282578795792454  # its manual


def test_every_generator_is_held_against_something() -> None:
    """All are named in this file, with words that they must give, or in the data."""
    text = Path(__file__).read_text() + "".join(p.read_text() for p in DATA.glob("*.json"))
    unseen = {name for name in GENERATORS if f'"{name}"' not in text}
    assert not unseen


def test_the_ones_that_others_are_made_of() -> None:
    assert first("lrand48", 42, 5) == [state >> 17 for state in first("drand48", 42, 5)]
    assert first("arc4-32-768", 42, 5) == list(islice(arc4.arc4_32(42), 197))[192:]
    assert first("arc4-text-768", b"Key", 5) == first("arc4-text", b"Key", 197)[192:]


def test_the_projects_own_dealers_are_rules() -> None:
    source = random.Random(1)
    ms = Rule(
        generator="windows-freecell",
        draw="modulo",
        shuffle="pick-and-fill",
        deck=Deck("CDHS", "rank-by-rank"),
    )
    for number in [
        0,
        2**31 - 1,
        2**31,
        2**32 - 1,
        2**32,
        *(source.randrange(2**33) for _ in "." * 99),
    ]:
        assert ms.deal(GameCode(number)) == MS.deal(number)
        assert BK1_RULE.deal(GameCode(number)) == BK1.deal(number)


# One definition for single numbers and for arrays.


@pytest.mark.parametrize("name", NUMBERED)
def test_lanes_give_the_words_of_single_seeds(name: str) -> None:
    words = Lanes(GENERATORS[name], list(SEEDS)).words(130)
    assert words.dtype == np.uint64
    for seed, row in zip(SEEDS, words[:, :130].tolist(), strict=True):
        assert row == first(name, seed, 130)
        low, span = GENERATORS[name].range.low, GENERATORS[name].range.span
        assert all(low <= word < low + span for word in row)


def every_draw() -> Iterator[tuple[str, str]]:
    """Each draw with the first generator that has it."""
    for draw in DRAWS:
        yield next((name, draw) for name in GENERATORS if draw in GENERATORS[name].draws)
    yield from (("mt19937-64", draw) for draw in GENERATORS["mt19937-64"].draws)
    yield from (("minstd-16807", draw) for draw in GENERATORS["minstd-16807"].draws)


@pytest.mark.parametrize("name, draw", list(every_draw()))
def test_lanes_draw_as_single_seeds_do(name: str, draw: str) -> None:
    seeds: list[int | bytes] = list(range(300))
    lanes = Lanes(GENERATORS[name], seeds)
    for shuffle in shuffle_names(draw, is_key=False):
        bounds = SHUFFLES[shuffle].bounds
        rows = lanes.draws(draw, bounds)
        assert (rows >= 0).all() and (rows < np.array(bounds)).all()
        orders = permuted(shuffle, rows)
        for seed in (0, 7, 299):
            assert rows[seed].tolist() == drawn(name, draw, seed, list(bounds))
            assert orders[seed].tolist() == shuffled(name, draw, shuffle, seed)


def test_lanes_sort_as_single_seeds_do() -> None:
    for name, key in [("java", key) for key in GENERATORS["java"].keys] + [("ansi-c", "word")]:
        lanes = Lanes(GENERATORS[name], list(range(50)))
        for shuffle in ("sort-up", "sort-down"):
            orders = sorted_rows(shuffle, lanes.keys(key, NUM_CARDS))
            for seed in range(50):
                assert orders[seed].tolist() == shuffled(name, key, shuffle, seed)


@pytest.mark.parametrize(
    "draw, rejected, accepted, value",
    [
        ("java-next-int", (2**31 - 1) << 1, 53 << 1, 1),
        ("lemire", 0, 2**32 - 1, 51),
        ("reject-low", 2**32 % 52 - 1, 2**32 % 52, 2**32 % 52 % 52),
        ("reject-high", 2**32 - 1, 105, 1),
        ("high-bits", 63 << 26, 51 << 26, 51),
        ("low-bits", 63, 64 + 51, 51),
        ("divided", 2**32 - 1, 2**32 // 52, 1),
    ],
)
def test_what_is_rejected(draw: str, rejected: int, accepted: int, value: int) -> None:
    source = Range(0, 1 << 32)
    function = DRAWS[draw].draw
    assert not function(source, 52, rejected)[1]
    drawn_value, is_accepted = function(source, 52, accepted)
    assert (drawn_value, bool(is_accepted)) == (value, True)
    arrays = function(source, np.array([52], np.uint64), np.array([rejected, accepted], np.uint64))
    assert arrays[1].tolist() == [False, True]
    assert arrays[0].tolist()[1] == value


@pytest.mark.parametrize("shuffle", [name for name in SHUFFLES if not SHUFFLES[name].is_sort])
def test_shuffles_permute(shuffle: str) -> None:
    source = random.Random(5)
    for _ in range(20):
        draws = [source.randrange(bound) for bound in SHUFFLES[shuffle].bounds]
        order = list(range(NUM_CARDS))
        SHUFFLES[shuffle].permute(draws, order)
        assert sorted(order) == list(range(NUM_CARDS))


def test_shuffles_by_hand() -> None:
    """The simplest draws: all zeros, which each shuffle turns into a pattern of its own."""

    def zeros(shuffle: str) -> list[int]:
        order = list(range(NUM_CARDS))
        SHUFFLES[shuffle].permute([0] * len(SHUFFLES[shuffle].bounds), order)
        return order

    in_order = list(range(NUM_CARDS))
    assert zeros("up") == zeros("pick-and-close") == in_order
    # Each card in turn goes to the place that the first one leaves.
    assert zeros("down") == zeros("never-itself") == [*in_order[1:], 0]
    assert zeros("grow") == zeros("grow-from-one") == zeros("pairs") == [51, *in_order[:51]]
    assert zeros("naive") == [51, *in_order[:51]]
    # The first is picked, then always the one that filled its place: the last of the others.
    assert zeros("pick-and-fill") == [0, *reversed(in_order[1:])]


def test_sorts_keep_equal_cards_in_order() -> None:
    keys = [card % 3 for card in range(NUM_CARDS)]
    up, down = list(range(NUM_CARDS)), list(range(NUM_CARDS))
    SHUFFLES["sort-up"].permute(keys, up)
    SHUFFLES["sort-down"].permute(keys, down)
    assert up == [*range(0, 52, 3), *range(1, 52, 3), *range(2, 52, 3)]
    assert down == [*range(2, 52, 3), *range(1, 52, 3), *range(0, 52, 3)]
    array = np.array([keys], np.uint64)
    assert sorted_rows("sort-up", array)[0].tolist() == up
    assert sorted_rows("sort-down", array)[0].tolist() == down


def test_tables_are_whole() -> None:
    for name, generator in GENERATORS.items():
        assert generator.reference, name
        assert set(generator.draws) <= set(DRAWS), name
        assert set(generator.keys) <= set(KEYS), name
        for draw, is_key in draw_names(generator):
            assert list(shuffle_names(draw, is_key)), (name, draw)
    assert all(draw.reference for draw in DRAWS.values())
    assert all(shuffle.reference for shuffle in SHUFFLES.values())
