"""A game code to the seed of a generator.

From the number in its letters (`NumberSeed`), perhaps a little changed (`CHANGES`), or from its
text (`TextSeed`): which text (`TEXTS`), and how it is made a number (`HASHES`).

A seed is below 2**64; negative numbers are meant as 64-bit two's complement, as a cast from `int`
to `long` makes them. For generators that are keyed with text, a seed is the bytes of a text.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from boulanger.engine.deals.codes import PAYLOAD_LETTERS, GameCode
from boulanger.solver.identify.family.arithmetic import BIT_31, MASK_32, MASK_64
from boulanger.solver.identify.family.letters import (
    ALPHABETS,
    CELLS,
    KEPT,
    ORDERS,
    UNHEEDED,
    letters_number,
)

Seed: TypeAlias = int | bytes


@dataclass(frozen=True, slots=True)
class Change:
    """What is done with the number before it is a seed; `words` is empty for nothing."""

    description: str
    change: Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Text:
    """Which text of a code is meant.

    Attributes:
        description: a phrase without a full stop.
        text: from a code.
        has_cells: whether the number of cells is in it.
    """

    description: str
    text: Callable[[GameCode], str]
    has_cells: bool = False


@dataclass(frozen=True, slots=True)
class Hash:
    """How bytes become a number; for `itself` they stay as they are."""

    description: str
    hash: Callable[[bytes], Seed]
    reference: str


CHANGES: Final = MappingProxyType(
    {
        "itself": Change("", lambda number: number),
        "plus-one": Change("plus 1", lambda number: number + 1),
        "minus-one": Change("minus 1", lambda number: number - 1),
        "folded": Change(
            "folded to 32 bits (Java's Long.hashCode)",
            lambda number: _sign_extended((number ^ number >> 32) & MASK_32),
        ),
    }
)

TEXTS: Final = MappingProxyType(
    {
        "letters": Text("the seven letters", lambda code: code.payload),
        "code": Text("the whole code", lambda code: code.text, has_cells=True),
        "number": Text(
            "the number in decimal (base32, most significant first)",
            lambda code: str(code.number),
        ),
        "lower-letters": Text("the seven letters in lower case", lambda code: code.payload.lower()),
        "lower-code": Text(
            "the whole code in lower case", lambda code: code.text.lower(), has_cells=True
        ),
    }
)

# The hash that leaves bytes as they are, for the generators that are keyed with them.
KEY: Final = "itself"


def _sign_extended(word: int) -> int:
    """32 bits as a signed number, in two's complement of 64 bits."""
    return word | (MASK_64 ^ MASK_32) if word & BIT_31 else word


def java_string_hash(data: bytes) -> int:
    """String.hashCode of the Java library, for text of one byte a character; 32 bits."""
    total = 0
    for byte in data:
        total = (31 * total + byte) & MASK_32
    return total


def fnv1a_32(data: bytes) -> int:
    """FNV-1a with 32 bits."""
    total = 0x811C9DC5
    for byte in data:
        total = ((total ^ byte) * 0x01000193) & MASK_32
    return total


def fnv1a_64(data: bytes) -> int:
    """FNV-1a with 64 bits."""
    total = 0xCBF29CE484222325
    for byte in data:
        total = ((total ^ byte) * 0x00000100000001B3) & MASK_64
    return total


def djb2(data: bytes) -> int:
    """Bernstein's hash, the one with a sum, 32 bits."""
    total = 5381
    for byte in data:
        total = (33 * total + byte) & MASK_32
    return total


def djb2_xor(data: bytes) -> int:
    """Bernstein's hash, the one with an exclusive or, 32 bits."""
    total = 5381
    for byte in data:
        total = (33 * total & MASK_32) ^ byte
    return total


def xmur3(data: bytes) -> int:
    """The first word of xmur3, which JavaScript programs seed with; 32 bits."""
    total = 1779033703 ^ len(data)
    for byte in data:
        total = (total ^ byte) * 3432918353 & MASK_32
        total = (total << 13 & MASK_32) | total >> 19
    total = (total ^ total >> 16) * 2246822507 & MASK_32
    total = (total ^ total >> 13) * 3266489909 & MASK_32
    return total ^ total >> 16


def cyrb53(data: bytes) -> int:
    """The hash of that name with seed 0; 53 bits."""
    first, second = 0xDEADBEEF, 0x41C6CE57
    for byte in data:
        first = (first ^ byte) * 2654435761 & MASK_32
        second = (second ^ byte) * 1597334677 & MASK_32
    first = _mixed(first, 2246822507) ^ _mixed(second, 3266489909, 13)
    second = _mixed(second, 2246822507) ^ _mixed(first, 3266489909, 13)
    return (second & 0x1FFFFF) << 32 | first


def _mixed(word: int, multiplier: int, shift: int = 16) -> int:
    return (word ^ word >> shift) * multiplier & MASK_32


def _hashes() -> Iterator[tuple[str, Hash]]:
    """The table: each hash of 32 bits read without and with a sign."""
    short: tuple[tuple[str, str, Callable[[bytes], int], str], ...] = (
        ("java", "Java's String.hashCode", java_string_hash, "Java SE API, java.lang.String"),
        ("fnv1a-32", "FNV-1a (32 bits)", fnv1a_32, "Fowler, Noll, Vo; RFC 9923"),
        ("djb2", "djb2", djb2, "D. Bernstein, comp.lang.c; O. Yigit's hash page"),
        ("djb2-xor", "djb2 with xor", djb2_xor, "D. Bernstein, comp.lang.c; O. Yigit's hash page"),
        ("crc32", "CRC-32", zlib.crc32, "ISO 3309; zlib"),
        ("xmur3", "xmur3", xmur3, "bryc, github.com/bryc/code, PRNGs"),
    )
    for name, words, function, reference in short:
        yield from _both_signs(name, words, function, reference)
    yield "cyrb53", Hash("cyrb53", cyrb53, "bryc, github.com/bryc/code, cyrb53.js")
    yield "fnv1a-64", Hash("FNV-1a (64 bits)", fnv1a_64, "Fowler, Noll, Vo; RFC 9923")
    for name, words, reference in (
        ("md5", "MD5", "RFC 1321"),
        ("sha1", "SHA-1", "FIPS 180-4"),
        ("sha256", "SHA-256", "FIPS 180-4"),
    ):
        yield from _digest_hashes(name, words, reference)


def _both_signs(
    name: str, description: str, function: Callable[[bytes], int], reference: str
) -> Iterator[tuple[str, Hash]]:
    yield name, Hash(description, function, reference)
    yield (
        f"{name}-signed",
        Hash(f"{description}, signed", lambda data: _sign_extended(function(data)), reference),
    )


def _digest_hashes(name: str, description: str, reference: str) -> Iterator[tuple[str, Hash]]:
    """The first 4 or 8 bytes of a digest, in both byte orders."""
    for length, (order, order_words) in product(
        (4, 8), (("big", "big-endian"), ("little", "little-endian"))
    ):
        first = _first_bytes(name, length, "big" if order == "big" else "little")
        title = f"the first {length} bytes of its {description}, {order_words}"
        if length == 4:
            yield from _both_signs(f"{name}-{length}-{order}", title, first, reference)
        else:
            yield f"{name}-{length}-{order}", Hash(title, first, reference)


def _first_bytes(name: str, length: int, order: Literal["big", "little"]) -> Callable[[bytes], int]:
    def first(data: bytes) -> int:
        digest = hashlib.new(name, data, usedforsecurity=False).digest()
        return int.from_bytes(digest[:length], order)

    return first


HASHES: Final = MappingProxyType(
    {KEY: Hash("", lambda data: data, "the bytes themselves"), **dict(_hashes())}
)


@dataclass(frozen=True, slots=True)
class NumberSeed:
    """A seed from the number in the letters; each attribute is a name in the table it is for."""

    alphabet: str = "base32"
    order: str = "most-first"
    kept: str = "all"
    cells: str = UNHEEDED
    change: str = "itself"

    def seed(self, code: GameCode) -> int | None:
        """The seed, or None if the letters are not of the alphabet."""
        number = letters_number(
            code.payload, code.num_cells, self.alphabet, self.order, self.kept, self.cells
        )
        return None if number is None else CHANGES[self.change].change(number) & MASK_64

    @property
    def is_text(self) -> bool:
        """Whether the seed is the bytes of a text."""
        return False

    @property
    def heeds_cells(self) -> bool:
        """Whether the seed depends on the number of cells."""
        return self.cells != UNHEEDED

    @property
    def reads_all(self) -> bool:
        """Whether every game code has a seed."""
        digit = ALPHABETS[self.alphabet].digit
        return all(digit(letter) is not None for letter in PAYLOAD_LETTERS)

    @property
    def description(self) -> str:
        """For a sentence."""
        reading = f"{ALPHABETS[self.alphabet].description}, {ORDERS[self.order].description}"
        extras = (CELLS[self.cells].description, CHANGES[self.change].description)
        return ", ".join([f"{KEPT[self.kept].description} as {reading}", *filter(None, extras)])


@dataclass(frozen=True, slots=True)
class TextSeed:
    """A seed from the text of a code; each attribute is a name in the table it is for."""

    text: str = "letters"
    hash: str = KEY

    def seed(self, code: GameCode) -> Seed:
        """The seed: a number, or the text's bytes if it is not hashed."""
        return HASHES[self.hash].hash(TEXTS[self.text].text(code).encode("ascii"))

    @property
    def is_text(self) -> bool:
        """Whether the seed is the bytes of a text."""
        return self.hash == KEY

    @property
    def heeds_cells(self) -> bool:
        """Whether the seed depends on the number of cells."""
        return TEXTS[self.text].has_cells

    @property
    def reads_all(self) -> bool:
        """Whether every game code has a seed."""
        return True

    @property
    def description(self) -> str:
        """For a sentence."""
        text = f"the text of {TEXTS[self.text].description}"
        return text if self.hash == KEY else f"{text}, hashed: {HASHES[self.hash].description}"


SeedRule: TypeAlias = NumberSeed | TextSeed


def all_seed_rules() -> Iterator[SeedRule]:
    """Every way to a seed, the plainest first."""
    for change, cells, kept, order, alphabet in product(CHANGES, CELLS, KEPT, ORDERS, ALPHABETS):
        yield NumberSeed(alphabet, order, kept, cells, change)
    for hash_name, text in product(HASHES, TEXTS):
        yield TextSeed(text, hash_name)
