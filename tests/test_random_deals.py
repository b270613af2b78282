"""Random deals: the generator against NumPy's and published vectors, the shuffle against chance."""

from __future__ import annotations

import json
import random
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from boulanger.engine.cards import NUM_CARDS, card_text
from boulanger.engine.deals.dealers import (
    get_dealer,
    parse_seed,
    random_dealer,
    shuffle,
)
from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.deals.names import DealName, parse_name
from boulanger.engine.deals.philox import Block, philox_block, philox_words
from boulanger.engine.deals.random_kernels import deal_random_kernel, philox_block_kernel, pick_card
from boulanger.engine.errors import DealError
from boulanger.engine.position import Position
from boulanger.solver.cli.app import app

LAST = 2**64 - 1
# The lines `philox4x64 10` of `tests/kat_vectors` in Random123, by the authors of the generator.
KNOWN_ANSWERS: list[tuple[Block, tuple[int, int], Block]] = [
    (
        (0, 0, 0, 0),
        (0, 0),
        (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B),
    ),
    (
        (LAST, LAST, LAST, LAST),
        (LAST, LAST),
        (0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0),
    ),
    (
        (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89),
        (0x452821E638D01377, 0xBE5466CF34E90C6C),
        (0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6),
    ),
]
KEYS = [(0, 0), (1, 17), (17, 1), (LAST, LAST), (2**63, 5), (123456789, 2**40 + 1)]


def chi_square_limit(degrees: int) -> float:
    """What 99.9999 % of a chi-square distribution lie below, by Wilson and Hilferty.

    The tests have fixed seeds, so they pass always or never.
    """
    spread = 2 / (9 * degrees)
    return degrees * (1 - spread + 4.7534 * spread**0.5) ** 3


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN_ANSWERS)
def test_published_known_answers(counter: Block, key: tuple[int, int], words: Block) -> None:
    assert philox_block(counter, key) == words


@pytest.mark.parametrize("key", KEYS)
def test_the_words_are_those_of_numpy(key: tuple[int, int]) -> None:
    expected = np.random.Philox(key=np.array(key, np.uint64), counter=0).random_raw(200)
    assert list(islice(philox_words(key), 200)) == expected.tolist()


@pytest.mark.kernel
@settings(deadline=None)  # the first example may compile
@given(*3 * [st.integers(0, LAST)])
def test_the_compiled_block_equals_the_plain_one(counter: int, key_0: int, key_1: int) -> None:
    words = np.zeros(4, np.uint64)
    philox_block_kernel(np.uint64(counter), np.uint64(key_0), np.uint64(key_1), words)
    assert tuple(words.tolist()) == philox_block((counter, 0, 0, 0), (key_0, key_1))


def test_a_deal_by_hand_from_the_words_of_numpy() -> None:
    words = np.random.Philox(key=np.array([7, 11], np.uint64)).random_raw(51).tolist()
    places: dict[int, int] = {}
    left = list(range(NUM_CARDS))
    for place, word in zip(range(NUM_CARDS - 1, 0, -1), words, strict=True):
        pick = word * len(left) // 2**64
        places[place] = left[pick]
        left[pick] = left[-1]
        left.pop()
    places[0] = left[0]
    assert random_dealer(7).deal(11) == tuple(places[place] for place in range(NUM_CARDS))


@pytest.mark.kernel
@pytest.mark.parametrize("seed", [0, 1, 2**63, LAST])
def test_compiled_equals_plain(seed: int) -> None:
    numbers = [0, 1, 2, 2**32, 2**63, LAST, *range(100, 200)]
    cards = deal_many(f"random@{seed}", np.array(numbers, np.uint64))
    assert cards.tolist() == [list(random_dealer(seed).deal(number)) for number in numbers]
    assert len(deal_random_kernel.signatures) == 1


@pytest.mark.kernel
def test_a_word_that_would_favour_a_card_is_passed_over() -> None:
    for left in range(2, NUM_CARDS + 1):
        surplus = 2**64 % left
        samples = [0, 1, LAST, *(k * 2**64 // left + d for k in range(left) for d in (0, 1))]
        for word in samples:
            product = word * left
            expected = -1 if product % 2**64 < surplus else product >> 64
            assert pick_card(np.uint64(word), np.int64(left)) == expected, (word, left)
    words = list(islice(philox_words((3, 4)), 51))
    # 51 cards are left then, and 2**64 is no multiple of 51: a zero favours the first of them.
    assert shuffle(iter([words[0], 0, *words[1:]])) == shuffle(iter(words))


@pytest.mark.kernel
def test_each_card_is_in_each_place_equally_often() -> None:
    num_deals = 200_000
    cards = deal_many("random@2024", np.arange(num_deals))
    counts = np.array([np.bincount(cards[:, place], minlength=52) for place in range(52)])
    expected = num_deals / 52
    assert ((counts - expected) ** 2).sum() / expected < chi_square_limit(51 * 51)


@pytest.mark.kernel
def test_neighbours_in_a_sample_have_nothing_to_do_with_each_other() -> None:
    """Cards in the same place of deals NUMBER and NUMBER + 1, and of seeds S and S + 1."""
    num_deals = 200_000
    first = deal_many("random@5", np.arange(num_deals + 1))
    other = deal_many("random@6", np.arange(num_deals))
    for left, right in ((first[:-1], first[1:]), (first[:-1], other)):
        for place in (0, 25, 51):
            pairs = left[:, place].astype(np.int64) * 52 + right[:, place]
            counts = np.bincount(pairs, minlength=52 * 52)
            expected = num_deals / 52**2
            statistic = ((counts - expected) ** 2).sum() / expected
            assert statistic < chi_square_limit(52 * 52 - 1)


def test_a_deal_is_the_52_cards_whatever_its_number() -> None:
    for seed, number in [(0, 0), (LAST, LAST), *KEYS]:
        assert sorted(random_dealer(seed).deal(number)) == list(range(52))


def test_names_round_trip() -> None:
    for seed in (0, 1, LAST, *(random.Random(1).getrandbits(64) for _ in range(20))):
        dealer = random_dealer(seed)
        assert dealer.name == f"random@{seed}"
        assert get_dealer(dealer.name).deal(5) == dealer.deal(5)
        assert parse_name(f" Random : 5@{seed} ") == DealName(dealer.name, 5)
        assert DealName(dealer.name, 5).text == f"random:5@{seed}"


RANGES = "are numbered from 0 to 18446744073709551615"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("random:17", "'random:17' has no seed; random deals are written random:NUMBER@SEED"),
        ("random:17@", f"'random:17@' has no number; seeds of random deals {RANGES}"),
        ("random:@1", f"'random:@1' has no number; random deals {RANGES}"),
        ("random:-1@1", f"'random:-1@1' is negative; random deals {RANGES}"),
        ("random:1@-1", f"'random:1@-1' is negative; seeds of random deals {RANGES}"),
        ("random:1@", f"'random:1@' has no number; seeds of random deals {RANGES}"),
        (
            f"random:1@{2**64}",
            f"'random:1@{2**64}' is beyond the last seed; seeds of random deals {RANGES}",
        ),
    ],
)
def test_bad_random_deal(text: str, message: str) -> None:
    with pytest.raises(DealError) as caught:
        parse_name(text)
    assert str(caught.value) == message


def test_bad_seed_in_a_dealers_name() -> None:
    with pytest.raises(DealError, match="'random@one' is not a whole number in digits; seeds of"):
        get_dealer("random@one")
    assert parse_seed(" 7 ") == 7


def test_the_command_takes_a_random_deal(tmp_path: Path) -> None:
    def answer(*arguments: str, text: str = "") -> Any:
        result = CliRunner().invoke(app, [*arguments, "--json"], input=text)
        assert result.exit_code in (0, 1), result.output
        return json.loads(result.stdout)

    shown = answer("show", "Random:17@1")
    assert (shown["deal"], shown["dealer"]) == ("random:17@1", "random@1")
    expected = Position.from_deal(random_dealer(1).deal(17))
    assert shown["columns"] == [[card_text(card) for card in c] for c in expected.columns]
    assert answer("show", "-", text="random:17@1\n") == shown
    (tmp_path / "deal.txt").write_text("random:17@1")
    assert answer("show", str(tmp_path / "deal.txt")) == shown
    assert answer("solve", "random:17@1")["dealer"] == "random@1"
    assert answer("code", "random:17@1")["number"] is None
