"""Names of deals: one place reads and writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boulanger.engine.deals.codes import NUM_CODES
from boulanger.engine.deals.names import (
    DealName,
    deals_codes,
    is_name,
    learned_dealer,
    numbering,
    parse_name,
    spell,
    split_name,
)
from boulanger.engine.errors import BoulangerError, CodeError, DealError

NAMES = [
    ("code:860", DealName("code", 860)),
    ("code:860@app", DealName("code@app", 860)),
    ("bk1:860", DealName("bk1", 860)),
    ("ms:17", DealName("ms", 17)),
    ("random:5@1", DealName("random@1", 5)),
]


@pytest.mark.parametrize(("text", "name"), NAMES)
def test_a_name_is_read_and_written(text: str, name: DealName) -> None:
    assert parse_name(text) == name
    assert str(name) == text


def test_a_code_is_read_and_written() -> None:
    name = parse_name(" bk1-c2-aaaaa24 ")
    assert (name.dealer, name.num_cells) == ("code", 2)
    assert name.text == "BK1-C2-AAAAA24"
    assert name.is_coded


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (" MS : 5 ", "ms:5"),
        ("BK1: 007", "bk1:7"),
        ("Code:1 @ app ", "code:1@app"),
        ("code:1@bk1", "bk1:1"),
        ("random: 3 @ 4", "random:3@4"),
    ],
)
def test_ways_of_writing_a_name(text: str, canonical: str) -> None:
    assert parse_name(text).text == canonical


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("code:1@", "'code:1@' has no dealer behind '@'; its name expected"),
        ("code:", "'code:' has no number; the deals of game codes are numbered from 0 to"),
        (f"bk1:{2**35}", f"'bk1:{2**35}' is beyond the last deal; the deals of game codes are"),
        (f"code:{2**35}@app", "is beyond the last deal; the deals of game codes are numbered"),
        ("ms:5@1", "'ms:5@1' is not a whole number in digits; Microsoft deals are numbered"),
        ("random:1", "'random:1' has no seed; random deals are written random:NUMBER@SEED"),
    ],
)
def test_bad_names(text: str, fault: str) -> None:
    assert is_name(text)
    with pytest.raises(DealError) as caught:
        parse_name(text)
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "17", "board.txt", "./bk1-c4-aaaaa24", "Freecells: -", ": 6D"]
)
def test_what_is_no_name(text: str) -> None:
    assert not is_name(text)
    assert split_name(text) is None
    with pytest.raises(CodeError):
        parse_name(text)


keys = st.one_of(
    st.sampled_from(["ms", "bk1", "code"]),
    st.from_regex(r"code@[a-z0-9][a-z0-9_-]{0,31}", fullmatch=True).filter(
        lambda key: key != "code@bk1"
    ),
    st.integers(0, 2**64 - 1).map(lambda seed: f"random@{seed}"),
)


@given(keys, st.integers(0, NUM_CODES - 1))
def test_names_round_trip(key: str, number: int) -> None:
    number %= numbering(key).size
    name = DealName(key, number)
    assert parse_name(name.text) == name
    assert split_name(spell(key, "5..9")) == (key, "5..9")
    assert deals_codes(key) == name.is_coded == (key[:2] not in ("ms", "ra"))


@given(st.text("msbkrandomcode :@.-0123456789", max_size=20))
def test_any_text_is_a_name_or_an_error_of_one_line(text: str) -> None:
    try:
        name = parse_name(text)
    except BoulangerError as error:
        assert "\n" not in str(error)
    else:
        assert parse_name(name.text) == name


def test_keys_of_learned_dealers() -> None:
    assert learned_dealer("code@app") == "app"
    assert learned_dealer("code") is learned_dealer("bk1") is learned_dealer("random@1") is None
    with pytest.raises(DealError, match="'app' is not a dealer"):
        numbering("app")
