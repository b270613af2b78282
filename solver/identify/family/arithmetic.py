"""Machine words: a word is a plain int, or a NumPy array of uint64 with a word a lane.

Generators and draws are written once for both, so that a single deal needs no NumPy and a search
goes through thousands of seeds at a time. That works as long as they keep to this:

- a word is below 2**64 and never negative; whatever may grow beyond is masked (an array wraps by
  itself, an int does not);
- a choice between two values is made by `choose`, not by `if`;
- an array is never changed in place.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

Word: TypeAlias = Any

MASK_31: Final = (1 << 31) - 1
MASK_32: Final = (1 << 32) - 1
MASK_64: Final = (1 << 64) - 1
BIT_31: Final = 1 << 31


def choose(condition: Any, yes: Word, no: Word) -> Word:
    """`yes` where `condition` holds, else `no`; lane by lane for arrays."""
    if isinstance(condition, bool):
        return yes if condition else no
    import numpy as np

    # Typed here, or two ints would make an array of int64.
    return np.where(condition, np.asarray(yes, np.uint64), np.asarray(no, np.uint64))


def either(condition: Any, other: Any) -> Any:
    """Whether one of the two holds; lane by lane for arrays."""
    return condition or other if isinstance(condition, bool) else condition | other


def whole(number: Any) -> Word:
    """A float of at least 0 without its fraction, as a word."""
    return int(number) if isinstance(number, float) else number.astype("uint64")


def rotated(word: Word, count: int, width: int = 64) -> Word:
    """`word`, which has `width` bits, turned left by `count` bits."""
    mask = (1 << width) - 1
    return (word << count & mask) | (word >> (width - count))


def flipped(word: Word, width: int) -> Word:
    """`word` with each of its low `width` bits turned over, and no others."""
    return (word ^ MASK_64) & ((1 << width) - 1)


def signed(word: Word, width: int) -> tuple[Any, Word]:
    """The low `width` bits as a signed number: whether it is negative, and how far from 0."""
    bits = word & ((1 << width) - 1)
    is_negative = bits >= 1 << (width - 1)
    return is_negative, choose(is_negative, (flipped(bits, width) + 1) & MASK_64, bits)
