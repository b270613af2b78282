"""Dealers: literal deals, Microsoft's against pysol-cards, plain against compiled."""

import random
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysol_cards.cards import createCards
from pysol_cards.random import shuffle
from pysol_cards.random_base import RandomBase

from boulanger.engine.cards import card_text, make_card, parse_card
from boulanger.engine.deals.codes import NUM_CODES, parse_code
from boulanger.engine.deals.dealers import (
    DEALERS,
    MS,
    get_dealer,
)
from boulanger.engine.deals.kernels import DEAL_KERNELS, deal_many
from boulanger.engine.deals.ms import CLASSIC_MS_LIMIT, NUM_MS_DEALS, find_ms_number
from boulanger.engine.deals.names import DealName, parse_name
from boulanger.engine.deals.splitmix import splitmix64
from boulanger.engine.errors import DealError
from boulanger.engine.position import Position
from tests.ms_deals import MS_1_COLUMNS, MS_11982_COLUMNS

AAAAA24_COLUMNS = (
    "3C 5H AS QS JC 5S 6C",
    "2C 7D 8C 9D 4D AC JH",
    "3D 8H 7C 4S 8S 7S 4H",
    "QC 9C TC TD TH 3H AH",
    "6D 8D 9H QD KD 2S",
    "2H 4C TS AD 6S 5C",
    "5D KH 7H 9S 2D KC",
    "KS JS 3S 6H QH JD",
)
# Where the ways of drawing change, and the ends.
MS_SAMPLES = sorted(
    {
        *range(1, 60),
        *(edge + offset for edge in (2**15, 2**31, 2**32) for offset in range(-30, 30)),
        *(2**33 - 1 - offset for offset in range(30)),
        *random.Random(1).sample(range(1, 2**31), 100),
        *random.Random(2).sample(range(2**31, 2**32), 100),
        *random.Random(3).sample(range(2**32, 2**33), 100),
    }
)
BK1_SAMPLES = [0, 1, 860, 2**31, 2**32 - 1, 2**32, 2**35 - 1, *range(2**33, 2**35, 10**9 + 7)]


def columns_of(cards: tuple[int, ...]) -> tuple[str, ...]:
    columns = Position.from_deal(cards).columns
    return tuple(" ".join(card_text(card) for card in column) for column in columns)


def pysol_deal(number: int) -> list[int]:
    """Deal `number` as pysol-cards has it; its suits are clubs, spades, hearts, diamonds."""
    deck = shuffle(createCards(1, 13), number, RandomBase.DEALS_MS)
    return [make_card((3, 0, 1, 2)[card.suit], card.rank) for card in reversed(deck)]


def ms_deal_by_hand(number: int) -> list[int]:
    """Deals 0..2**31 - 1 from the C library's `rand`, with a deck that shrinks."""
    deck = [parse_card(rank + suit) for rank in "A23456789TJQK" for suit in "CDHS"]
    seed, cards = number, []
    while deck:
        seed = (seed * 214013 + 2531011) % 2**31
        pick = (seed // 65536) % len(deck)
        deck[pick], deck[-1] = deck[-1], deck[pick]
        cards.append(deck.pop())
    return cards


def test_splitmix64_vectors() -> None:
    assert list(islice(splitmix64(0), 3)) == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_bk1_anchor() -> None:
    number = parse_code("BK1-C4-AAAAA24").number
    assert columns_of(get_dealer("bk1").deal(number)) == AAAAA24_COLUMNS


def test_ms_anchors() -> None:
    assert columns_of(get_dealer("ms").deal(1)) == MS_1_COLUMNS
    assert columns_of(get_dealer("ms").deal(11982)) == MS_11982_COLUMNS


def test_ms_by_hand() -> None:
    for number in (0, 1, 2, 32000, 2**31 - 1):
        assert list(MS.deal(number)) == ms_deal_by_hand(number)


def test_ms_equals_pysol_cards() -> None:
    for number in MS_SAMPLES:
        assert list(MS.deal(number)) == pysol_deal(number), number


@given(st.integers(1, NUM_MS_DEALS - 1))
def test_ms_equals_pysol_cards_anywhere(number: int) -> None:
    assert list(MS.deal(number)) == pysol_deal(number)


@pytest.mark.kernel
def test_ms_equals_pysol_cards_on_the_first_40000() -> None:
    numbers = range(1, 40001)
    expected = np.array([pysol_deal(number) for number in numbers], dtype=np.uint8)
    assert np.array_equal(deal_many("ms", numbers), expected)


@pytest.mark.kernel
@pytest.mark.parametrize(("name", "samples"), [("bk1", BK1_SAMPLES), ("ms", [0, *MS_SAMPLES])])
def test_compiled_equals_plain(name: str, samples: list[int]) -> None:
    cards = deal_many(name, samples)
    assert cards.shape == (len(samples), 52)
    assert cards.dtype == np.uint8
    assert cards.tolist() == [list(get_dealer(name).deal(number)) for number in samples]


@pytest.mark.kernel
@settings(deadline=None)  # the first example may compile
@given(st.lists(st.integers(0, NUM_MS_DEALS - 1), max_size=5))
def test_compiled_equals_plain_anywhere(numbers: list[int]) -> None:
    for name, dealer in DEALERS.items():
        assert deal_many(name, numbers).tolist() == [list(dealer.deal(n)) for n in numbers]


@pytest.mark.kernel
def test_numbers_of_any_integer_type_and_layout_reach_one_kernel() -> None:
    numbers = np.arange(1, 101)
    numbers.flags.writeable = False
    for name, compiled in DEAL_KERNELS.items():
        expected = deal_many(name, range(1, 101))
        for dtype in (np.int8, np.uint8, np.int32, np.int64, np.uint64, object):
            assert np.array_equal(deal_many(name, numbers.astype(dtype)), expected)
        assert np.array_equal(deal_many(name, numbers), expected)
        assert np.array_equal(deal_many(name, numbers[::-2]), expected[::-2])
        assert deal_many(name, []).shape == (0, 52)
        assert len(compiled.signatures) == 1


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ([1, -1], "-1 is negative; Microsoft deals are numbered from 0 to 8589934591"),
        (
            [1, 2**33],
            "8589934592 is beyond the last deal; Microsoft deals are numbered from 0 to 8589934591",
        ),
        (
            [1, 2**64],
            "18446744073709551616 is beyond the last deal; Microsoft deals are numbered from 0 to "
            "8589934591",
        ),
        ([1.0], "1.0 is not a whole number; Microsoft deals are numbered from 0 to 8589934591"),
        (["1"], "'1' is not a whole number; Microsoft deals are numbered from 0 to 8589934591"),
        ([[1]], "deal numbers with shape (1, 1); one dimension expected"),
        (1, "deal numbers with shape (); one dimension expected"),
    ],
)
def test_bad_numbers_for_many(numbers: list[int], message: str) -> None:
    with pytest.raises(DealError) as caught:
        deal_many("ms", numbers)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", list(DEALERS))
def test_every_deal_is_the_52_cards(name: str) -> None:
    dealer = get_dealer(name)
    for number in (0, 1, dealer.max_number // 2, dealer.max_number):
        assert sorted(dealer.deal(number)) == list(range(52))


def test_registry() -> None:
    assert {name: dealer.num_deals for name, dealer in DEALERS.items()} == {
        "bk1": NUM_CODES,
        "ms": 2**33,
    }
    assert set(DEAL_KERNELS) == set(DEALERS)
    assert all(dealer.name == name for name, dealer in DEALERS.items())
    assert "the app does not publish its dealer" in get_dealer("bk1").description
    with pytest.raises(
        DealError, match=r"^'MS' is not a dealer; there are bk1, ms and random@SEED$"
    ):
        get_dealer("MS")


@pytest.mark.parametrize(
    ("name", "number", "message"),
    [
        ("ms", -1, "-1 is negative; Microsoft deals are numbered from 0 to 8589934591"),
        (
            "ms",
            2**33,
            "8589934592 is beyond the last deal; Microsoft deals are numbered from 0 to 8589934591",
        ),
        (
            "ms",
            1.5,
            "1.5 is not a whole number; Microsoft deals are numbered from 0 to 8589934591",
        ),
        (
            "bk1",
            2**35,
            "34359738368 is beyond the last deal; the deals of game codes are numbered from 0 to "
            "34359738367",
        ),
    ],
)
def test_bad_number(name: str, number: int, message: str) -> None:
    with pytest.raises(DealError) as caught:
        get_dealer(name).deal(number)
    assert str(caught.value) == message


def test_numpy_number() -> None:
    assert MS.deal(np.uint32(1)) == MS.deal(1)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("ms:5", 5),
        ("ms: 5", 5),
        (" MS : 5 ", 5),
        ("ms:0", 0),
        ("ms:007", 7),
        ("ms:8589934591", 2**33 - 1),
        ("ms:" + "0" * 9999 + "1", 1),
    ],
)
def test_parse_ms_name(text: str, number: int) -> None:
    assert parse_name(text) == DealName("ms", number)


MS_RANGE = "Microsoft deals are numbered from 0 to 8589934591"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("ms:-1", f"is negative; {MS_RANGE}"),
        ("ms:- 1", f"is negative; {MS_RANGE}"),
        ("ms:\u22121", f"is negative; {MS_RANGE}"),
        ("ms:8589934592", f"is beyond the last deal; {MS_RANGE}"),
        ("ms:99999999999999999999", f"is beyond the last deal; {MS_RANGE}"),
        ("ms:abc", f"is not a whole number in digits; {MS_RANGE}"),
        ("ms:", f"has no number; {MS_RANGE}"),
        ("ms: ", f"has no number; {MS_RANGE}"),
        ("ms:1.5", f"is not a whole number in digits; {MS_RANGE}"),
        ("ms:1e3", f"is not a whole number in digits; {MS_RANGE}"),
        ("ms:0x10", f"is not a whole number in digits; {MS_RANGE}"),
        ("ms:+5", f"is not a whole number in digits; {MS_RANGE}"),
        ("ms:-", f"is not a whole number in digits; {MS_RANGE}"),
        ("ms:1 2", f"is not a whole number in digits; {MS_RANGE}"),
        ("ms:1_0", f"is not a whole number in digits; {MS_RANGE}"),
        ("ms:\uff15", f"is not a whole number in digits; {MS_RANGE}"),
        ("ms:ms:5", f"is not a whole number in digits; {MS_RANGE}"),
        ("ms:1,000", "has separators in its number; write digits alone: 1000"),
        ("ms:1_000_000", "has separators in its number; write digits alone: 1000000"),
        ("ms:11 982", "has separators in its number; write digits alone: 11982"),
        ("ms:11\u202f982", "has separators in its number; write digits alone: 11982"),
        ("ms:11\u2019982", "has separators in its number; write digits alone: 11982"),
        ("ms:9,000,000,000", f"is beyond the last deal; {MS_RANGE}"),
    ],
)
def test_bad_ms_number(text: str, fault: str) -> None:
    with pytest.raises(DealError) as caught:
        parse_name(text)
    assert str(caught.value) == f"{text!r} {fault}"


def test_endless_ms_number() -> None:
    with pytest.raises(DealError, match="is beyond the last deal") as caught:
        parse_name("ms:" + "9" * 100_000)
    assert len(str(caught.value)) < 200


@given(st.integers(0, NUM_MS_DEALS - 1), st.sampled_from(["ms:", "MS:", "ms: "]))
def test_ms_number_round_trip(number: int, prefix: str) -> None:
    assert parse_name(f"{prefix}{number}") == DealName("ms", number)


@given(st.text(max_size=12) | st.text("0123456789-+,._ ", max_size=8))
def test_any_ms_text_is_a_number_or_a_one_line_error(body: str) -> None:
    try:
        number = parse_name("ms:" + body).number
    except DealError as error:
        assert "\n" not in str(error)
    else:
        assert number == int(body)


@pytest.mark.parametrize("number", [1, 2, 617, 11982, 31999, CLASSIC_MS_LIMIT])
def test_find_ms_number(number: int) -> None:
    assert find_ms_number(MS.deal(number)) == number


def test_find_ms_number_finds_nothing() -> None:
    cards = MS.deal(11982)
    swapped = (*cards[:-2], cards[-1], cards[-2])
    assert find_ms_number(swapped) is None
    assert find_ms_number(MS.deal(CLASSIC_MS_LIMIT + 1)) is None
    assert find_ms_number(get_dealer("bk1").deal(860)) is None
    assert find_ms_number(cards, limit=11981) is None
    assert find_ms_number(cards, limit=11982) == 11982
    assert find_ms_number(cards[:51]) is None
    assert find_ms_number((*cards[:51], cards[0])) is None
    assert find_ms_number(()) is None


def test_find_ms_number_beyond_the_classic_limit() -> None:
    assert find_ms_number(MS.deal(40000), limit=40000) == 40000
