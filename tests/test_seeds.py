"""From a game code to a seed: alphabets, and hashes against published values."""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path

import pytest

from boulanger.engine.deals.codes import GameCode, parse_code
from boulanger.solver.identify.family.arithmetic import MASK_32, MASK_64
from boulanger.solver.identify.family.letters import ALPHABETS, CELLS, KEPT, letters_number
from boulanger.solver.identify.family.seeds import (
    CHANGES,
    HASHES,
    TEXTS,
    NumberSeed,
    TextSeed,
    all_seed_rules,
    cyrb53,
    djb2,
    djb2_xor,
    fnv1a_32,
    fnv1a_64,
    java_string_hash,
    xmur3,
)

DATA = Path(__file__).parent / "data" / "random"
CODE = parse_code("BK1-C4-AAAAA24")


@pytest.mark.parametrize("name", list(ALPHABETS))
def test_alphabets(name: str) -> None:
    digits = ALPHABETS[name].digits
    assert len(set(digits)) == len(digits) == (36 if name == "base36" else 32)
    assert [ALPHABETS[name].digit(letter) for letter in digits] == list(range(len(digits)))


def test_numbers() -> None:
    def number(payload: str, alphabet: str, order: str = "most-first", kept: str = "all") -> object:
        return letters_number(payload, 4, alphabet, order, kept, "ignored")

    assert number("AAAAA24", "base32") == 860 == CODE.number
    assert number("AAAAA24", "base32", "least-first") == 26 << 25 | 28 << 30
    assert number("BAAAAAC", "base32", kept="first-six") == 1 << 25
    assert number("BAAAAAC", "base32", kept="last-six") == 2
    assert number("BCAAAAD", "base32", kept="last-five") == 3
    assert number("BCDAAEF", "base32", kept="first-five") == 1 << 20 | 2 << 15 | 3 << 10
    # RFC 4648, section 7: the digits are those of int(..., 32).
    assert number("V2ABC67", "base32hex") == int("V2ABC67", 32)
    assert number("W2ABC67", "base32hex") is None
    assert number("W2ABC67", "base32hex", kept="last-six") == int("2ABC67", 32)
    assert number("ZAQWSX7", "base36") == int("ZAQWSX7", 36)
    assert number("AAAAAIL", "crockford") == 10 * sum(32**k for k in range(2, 7)) + 32 + 1
    assert number("AAAAAOA", "crockford") == 10 * sum(32**k for k in range(7) if k != 1)
    assert number("AAAAAAU", "crockford") is None
    assert number("AAAAAAJ", "no-io01") == 8
    assert number("AAAAAAI", "no-io01") is None
    assert number("2222223", "no-io01-digits-first") == 1


def test_cells() -> None:
    mixed = {name: mix.mix(860, 32**7, 2) for name, mix in CELLS.items()}
    assert mixed == {
        "ignored": 860,
        "added": 862,
        "xor": 862,
        "in-front": 2 * 32**7 + 860,
        "behind": 8602,
        "shifted-in": 6882,
    }


def test_changes() -> None:
    assert [NumberSeed(change=name).seed(CODE) for name in CHANGES] == [860, 861, 859, 860]
    assert NumberSeed(change="minus-one").seed(GameCode(0)) == MASK_64
    java = json.loads((DATA / "java.json").read_text())["long_hash_code"]
    for number, folded in java.items():
        assert CHANGES["folded"].change(int(number)) == folded & MASK_64


def test_texts() -> None:
    code = GameCode(860, 2)
    assert [text.text(code) for text in TEXTS.values()] == [
        "AAAAA24", "BK1-C2-AAAAA24", "860", "aaaaa24", "bk1-c2-aaaaa24"
    ]  # fmt: skip
    assert TextSeed("code").seed(code) == b"BK1-C2-AAAAA24"


def test_hashes() -> None:
    # Noll's test vectors (RFC 9923, appendix).
    assert (fnv1a_32(b""), fnv1a_32(b"a"), fnv1a_32(b"foobar")) == (
        0x811C9DC5, 0xE40C292C, 0xBF9CF968
    )  # fmt: skip
    assert (fnv1a_64(b""), fnv1a_64(b"a"), fnv1a_64(b"foobar")) == (
        0xCBF29CE484222325, 0xAF63DC4C8601EC8C, 0x85944171F73967E8
    )  # fmt: skip
    assert HASHES["crc32"].hash(b"123456789") == 0xCBF43926
    assert djb2(b"") == djb2_xor(b"") == 5381
    assert djb2(b"ab") == (5381 * 33 + ord("a")) * 33 + ord("b")
    assert djb2_xor(b"ab") == ((5381 * 33) ^ ord("a")) * 33 ^ ord("b")
    assert cyrb53(b"a") == 7929297801672961  # the author's page
    java = json.loads((DATA / "java.json").read_text())["hash_code"]
    for text, value in java.items():
        assert java_string_hash(text.encode()) == value & MASK_32
        assert HASHES["java-signed"].hash(text.encode()) == value & MASK_64
    script = json.loads((DATA / "javascript.json").read_text())
    for text, value in script["xmur3"].items():
        assert xmur3(text.encode()) == value
    for text, value in script["cyrb53"].items():
        assert cyrb53(text.encode()) == value


def test_digests() -> None:
    data = b"BK1-C4-AAAAA24"
    digest = hashlib.md5(data).digest()
    assert HASHES["md5-8-big"].hash(data) == int.from_bytes(digest[:8], "big")
    assert HASHES["md5-4-little"].hash(data) == int.from_bytes(digest[:4], "little")
    signed = int.from_bytes(hashlib.sha256(data).digest()[:4], "big", signed=True)
    assert HASHES["sha256-4-big-signed"].hash(data) == signed & MASK_64
    assert HASHES["sha1-8-little"].hash(data) == int.from_bytes(
        hashlib.sha1(data).digest()[:8], "little"
    )
    assert HASHES["crc32-signed"].hash(data) == (zlib.crc32(data) ^ 2**31) - 2**31 & MASK_64


def test_all_seed_rules_are_different_and_have_words() -> None:
    rules = list(all_seed_rules())
    numbers = len(ALPHABETS) * 2 * len(KEPT) * len(CELLS) * len(CHANGES)
    assert len(set(rules)) == len(rules) == numbers + len(HASHES) * len(TEXTS)
    assert len({rule.description for rule in rules}) == len(rules)
    assert rules[0] == NumberSeed()
