"""The ARC4 cipher as a generator, keyed with a number or a text.

GameplayKit's GKARC4RandomSource is said to be ARC4 keyed with the bytes of its seed; Apple does not
publish how it makes numbers of the bytes. Here four bytes make a word, the first one its highest,
as OpenBSD's arc4random had it; GameplayKit's manual recommends to drop the first 768 of them.
Source: the 1994 posting to sci.crypt, as in RFC 6229, which has test vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from boulanger.solver.identify.family.arithmetic import Word

_SIZE: Final = 256
RECOMMENDED_DROP: Final = 768


def arc4_64(seed: Word, num_dropped: int = 0) -> Iterator[Word]:
    """Keyed with the 8 bytes of the seed, the lowest first; 32 bits."""
    return _words(_key_bytes(seed, 8), num_dropped)


def arc4_32(seed: Word, num_dropped: int = 0) -> Iterator[Word]:
    """Keyed with the 4 low bytes of the seed, the lowest first; 32 bits."""
    return _words(_key_bytes(seed, 4), num_dropped)


def arc4_64_dropped(seed: Word) -> Iterator[Word]:
    """`arc4_64` with the first 768 bytes dropped."""
    return arc4_64(seed, RECOMMENDED_DROP)


def arc4_32_dropped(seed: Word) -> Iterator[Word]:
    """`arc4_32` with the first 768 bytes dropped."""
    return arc4_32(seed, RECOMMENDED_DROP)


def arc4_text(key: bytes) -> Iterator[int]:
    """Keyed with the bytes of a text; 32 bits."""
    return _words(list(key), 0)


def arc4_text_dropped(key: bytes) -> Iterator[int]:
    """`arc4_text` with the first 768 bytes dropped."""
    return _words(list(key), RECOMMENDED_DROP)


def seedrandom(key: bytes) -> Iterator[int]:
    """Fractions of seedrandom for a text, in 48 bits.

    The library fills a float with at least 52 bits, which may take a byte more than seven.
    """
    stream = _seedrandom_bytes(key)
    while True:
        number, scale, low = _big_endian(stream, 6), 1 << 48, 0
        while number < 1 << 52:
            number, scale = (number + low) << 8, scale << 8
            low = next(stream)
        while number >= 1 << 53:
            number, scale, low = number >> 1, scale >> 1, low >> 1
        yield ((number + low) << 48) // scale


def seedrandom_quick(key: bytes) -> Iterator[int]:
    """Words of seedrandom's quick() and int32() for a text, 32 bits."""
    stream = _seedrandom_bytes(key)
    while True:
        yield _big_endian(stream, 4)


def _seedrandom_bytes(key: bytes) -> Iterator[int]:
    """The key stream of seedrandom, which smears its key if that is long, and drops 256 bytes."""
    mixed: list[int] = []
    smear = 0
    for i, byte in enumerate(key):
        if i < _SIZE:
            mixed.append(byte)
        else:
            smear ^= mixed[i % _SIZE] * 19
            mixed[i % _SIZE] = (smear + byte) & 0xFF
    stream = arc4_bytes(mixed)
    for _ in range(_SIZE):
        next(stream)
    return stream


def _big_endian(stream: Iterator[int], count: int) -> int:
    return int.from_bytes(bytes(next(stream) for _ in range(count)), "big")


def _key_bytes(seed: Word, count: int) -> list[Word]:
    return [seed >> 8 * i & 0xFF for i in range(count)]


def _words(key: list[Word], num_dropped: int) -> Iterator[Word]:
    stream = arc4_bytes(key)
    for _ in range(num_dropped):
        next(stream)
    while True:
        first, second, third, fourth = (next(stream) for _ in range(4))
        yield first << 24 | second << 16 | third << 8 | fourth


def arc4_bytes(key: list[Word]) -> Iterator[Word]:
    """The key stream, byte by byte."""
    table: Any = list(range(_SIZE)) if isinstance(key[0], int) else _Lanes(len(key[0]))
    j = key[0] & 0
    for i in range(_SIZE):
        j = (j + table[i] + key[i % len(key)]) & 0xFF
        table[i], table[j] = table[j], table[i]
    i, j = 0, j & 0
    while True:
        i = (i + 1) & 0xFF
        j = (j + table[i]) & 0xFF
        table[i], table[j] = table[j], table[i]
        yield table[(table[i] + table[j]) & 0xFF]


class _Lanes:
    """A table of 256 bytes in each lane, read and written at a place that differs by lane."""

    def __init__(self, num_lanes: int) -> None:
        import numpy as np

        self._lanes = np.arange(num_lanes)
        self._bytes = np.repeat(np.arange(_SIZE, dtype=np.uint64)[:, None], num_lanes, axis=1)

    def __getitem__(self, place: Word) -> Word:
        # Taken out by a list of lanes, so that this is a copy for an int as well.
        return self._bytes[self._place(place), self._lanes]

    def __setitem__(self, place: Word, value: Word) -> None:
        self._bytes[self._place(place), self._lanes] = value

    @staticmethod
    def _place(place: Word) -> Word:
        return place if isinstance(place, int) else place.astype("int64")
