"""The letters of a game code to a number.

Four tables: which alphabet (`ALPHABETS`), which end counts most (`ORDERS`), which of the seven
letters count (`KEPT`), and what is done with the number of cells (`CELLS`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from boulanger.engine.deals.codes import PAYLOAD_LETTERS


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Letters that stand for digits.

    Attributes:
        description: a phrase without a full stop.
        digits: the letter of each digit, 0 first.
        reference: who published it.
        look_alikes: letters and those that they are read as.
    """

    description: str
    digits: str
    reference: str
    look_alikes: tuple[tuple[str, str], ...] = ()

    def digit(self, letter: str) -> int | None:
        """The digit that `letter` (upper case) stands for, or None if it is no letter of these."""
        place = self.digits.find(dict(self.look_alikes).get(letter, letter))
        return None if place < 0 else place


@dataclass(frozen=True, slots=True)
class Entry:
    """One of several ways, in a table without more to tell: words for a sentence."""

    description: str


@dataclass(frozen=True, slots=True)
class Kept:
    """Which of the seven letters count; the others would be check characters."""

    description: str
    part: slice


@dataclass(frozen=True, slots=True)
class CellsMix:
    """What is done with the number of cells.

    Attributes:
        description: a phrase without a full stop; empty if they do not matter.
        mix: from the number, how many numbers the letters can stand for, and the cells.
    """

    description: str
    mix: Callable[[int, int, int], int]


ALPHABETS: Final = MappingProxyType(
    {
        "base32": Alphabet("base32 (A-Z, 2-7)", PAYLOAD_LETTERS, "RFC 4648, section 6"),
        "base32hex": Alphabet(
            "base32 hex (0-9, A-V)", "0123456789ABCDEFGHIJKLMNOPQRSTUV", "RFC 4648, section 7"
        ),
        "crockford": Alphabet(
            "Crockford's base32",
            "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
            "D. Crockford, Base 32 (crockford.com/base32.html)",
            (("I", "1"), ("L", "1"), ("O", "0")),
        ),
        "no-io01": Alphabet(
            "the 32 letters and digits without I, O, 0 and 1",
            "ABCDEFGHJKLMNPQRSTUVWXYZ23456789",
            "common for license keys; no standard",
        ),
        "no-io01-digits-first": Alphabet(
            "the 32 digits and letters without 0, 1, I and O",
            "23456789ABCDEFGHJKLMNPQRSTUVWXYZ",
            "common for license keys; no standard",
        ),
        "base36": Alphabet(
            "base 36 (0-9, A-Z)",
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "the digits of C's strtol and Java's Long.parseLong with radix 36",
        ),
    }
)

ORDERS: Final = MappingProxyType(
    {
        "most-first": Entry("most significant first"),
        "least-first": Entry("least significant first"),
    }
)

KEPT: Final = MappingProxyType(
    {
        "all": Kept("all seven letters", slice(None)),
        "first-six": Kept("the first six letters", slice(6)),
        "first-five": Kept("the first five letters", slice(5)),
        "last-six": Kept("the last six letters", slice(1, None)),
        "last-five": Kept("the last five letters", slice(2, None)),
    }
)

# The entry of `CELLS` that leaves the number of cells out.
UNHEEDED: Final = "ignored"
CELLS: Final = MappingProxyType(
    {
        UNHEEDED: CellsMix("", lambda number, num_numbers, cells: number),
        "added": CellsMix("plus the cells", lambda number, num_numbers, cells: number + cells),
        "xor": CellsMix("xor the cells", lambda number, num_numbers, cells: number ^ cells),
        "in-front": CellsMix(
            "with the cells as a digit in front",
            lambda number, num_numbers, cells: cells * num_numbers + number,
        ),
        "behind": CellsMix(
            "times ten plus the cells", lambda number, num_numbers, cells: 10 * number + cells
        ),
        "shifted-in": CellsMix(
            "shifted left by three bits with the cells below",
            lambda number, num_numbers, cells: number << 3 | cells,
        ),
    }
)


def letters_number(
    payload: str, num_cells: int, alphabet: str, order: str, kept: str, cells: str
) -> int | None:
    """The number that the letters stand for.

    Args:
        payload: the seven letters, upper case.
        num_cells: 0..8.
        alphabet, order, kept, cells: names in the four tables.

    Returns:
        At least 0 and below 2**44, or None if a letter that counts is not in the alphabet.
    """
    letters = payload[KEPT[kept].part]
    base = len(ALPHABETS[alphabet].digits)
    number = 0
    for letter in letters if order == "most-first" else reversed(letters):
        digit = ALPHABETS[alphabet].digit(letter)
        if digit is None:
            return None
        number = base * number + digit
    return CELLS[cells].mix(number, base ** len(letters), num_cells)
