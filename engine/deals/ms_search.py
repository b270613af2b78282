"""Which Microsoft number deals a board: all 2**33 numbers, in a few seconds.

The generator is a permutation of 32 bits, so instead of the numbers its first states are searched:
the first card says which draws modulo 52 are left, and the low 16 bits of the state are tried in
turn. One state in 52 is looked at, and most fall at their second card. The state before the first
is the number. This is done for each of the three ways to draw (see `engine.deals.ms`).

The columns may be in another order than the deal's, long ones among long ones and short ones among
short ones; then each of the first eight cards may begin any column of its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.ms import (
    MS_DECK,
    MS_FIRST_16_BIT_DEAL,
    MS_FIRST_ONE_BASED_DEAL,
    MS_INCREMENT,
    MS_MULTIPLIER,
    ms_draws,
)
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import NUM_COLUMNS

_LONG_COLUMNS: Final = 4
_LONG: Final = 7
_SHORT: Final = 6
_MAX_FOUND: Final = 16
_BASES: Final = (0, MS_FIRST_16_BIT_DEAL, MS_FIRST_ONE_BASED_DEAL)
_INVERSE: Final = np.uint64(pow(MS_MULTIPLIER, -1, 1 << 32))
_MULTIPLIER: Final = np.uint64(MS_MULTIPLIER)
_INCREMENT: Final = np.uint64(MS_INCREMENT)
_MASK: Final = np.uint64((1 << 32) - 1)
_SHIFT: Final = np.uint64(16)
_HALF: Final = 1 << 16
_TOP_BIT: Final = np.uint64(1 << 31)
_DECK: Final = np.array(MS_DECK, dtype=np.int64)


class _Room(NamedTuple):
    """Memory of a search, int64.

    Attributes:
        column_of: for each card the column that it begins, or -1.
        deck: the cards that are left; order: the columns in the order in which they are dealt.
    """

    column_of: npt.NDArray[np.int64]
    deck: npt.NDArray[np.int64]
    order: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class MsMatch:
    """A Microsoft deal that a board is.

    Attributes:
        number: of the deal, 0..2**33 - 1.
        order: for each column of the deal, which column of the board it is, 0..7.
    """

    number: int
    order: tuple[int, ...]

    @property
    def is_same_order(self) -> bool:
        """Whether the columns are in the deal's own order."""
        return self.order == tuple(range(NUM_COLUMNS))


def find_ms_deal(columns: Sequence[Sequence[int]]) -> MsMatch | None:
    """The lowest Microsoft number that deals these columns, in their order or in another.

    Args:
        columns: eight columns of the 52 cards; anything but a fresh deal's is found nowhere.
    """
    lengths = [len(column) for column in columns]
    cards = sorted(card for column in columns for card in column)
    if cards != list(range(NUM_CARDS)) or sorted(lengths) != [_SHORT] * 4 + [_LONG] * 4:
        return None
    by_length = sorted(range(NUM_COLUMNS), key=lambda c: -lengths[c])
    table = np.zeros((NUM_COLUMNS, _LONG), dtype=np.int64)
    for c, column in enumerate(by_length):
        table[c, : lengths[column]] = columns[column]
    for is_fixed in (True, False):
        for way in range(len(_BASES)):
            numbers = _numbers_that_deal(table, way, is_fixed)
            matches = [MsMatch(number, _order(number, columns)) for number in sorted(numbers)]
            if matches:
                same = [match for match in matches if match.is_same_order]
                return (same or matches)[0]
    return None


def prepare() -> None:
    """Compiles the search, once a machine, or loads it."""
    # A short column and long ones that begin with the same card: no state is tried.
    _numbers_that_deal(np.zeros((NUM_COLUMNS, _LONG), dtype=np.int64), 0, is_fixed=True)


def _numbers_that_deal(table: npt.NDArray[np.int64], way: int, is_fixed: bool) -> list[int]:
    """The numbers of a way to draw that deal columns, the long ones first, in this order or any."""
    numbers = np.empty(_MAX_FOUND, dtype=np.int64)
    room = _Room(*(np.empty(size, dtype=np.int64) for size in (NUM_CARDS, NUM_CARDS, NUM_COLUMNS)))
    num_found = _search(np.int64(way), table, np.int64(is_fixed), numbers, room)
    found: list[int] = numbers[:num_found].tolist()
    return found


def _order(number: int, columns: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Which column of the board each column of the deal is."""
    first_cards = [column[0] for column in columns]
    deck = list(MS_DECK)
    order = []
    lefts = range(NUM_CARDS, NUM_CARDS - NUM_COLUMNS, -1)
    for left, draw in zip(lefts, ms_draws(number), strict=False):
        pick = draw % left
        order.append(first_cards.index(deck[pick]))
        deck[pick] = deck[left - 1]
    return tuple(order)


@kernel
def _draw(way: np.int64, high_half: np.int64) -> np.int64:
    """The draw of the upper half of a state, in the numbers of `way` (see `engine.deals.ms`)."""
    if way == 0:
        return high_half & 0x7FFF
    if way == 1:
        return high_half | 0x8000
    return high_half + 1


@kernel(nogil=True)
def _search(
    way: np.int64,
    columns: npt.NDArray[np.int64],
    is_fixed: np.int64,
    numbers: npt.NDArray[np.int64],
    room: _Room,
) -> int:
    """Fills `numbers` with the numbers that deal `columns`; returns how many were found.

    `is_fixed` is 1 or 0: whether in this order alone.
    """
    column_of = room.column_of
    column_of[:] = -1
    for c in range(NUM_COLUMNS):
        column_of[columns[c, 0]] = c
    num_found = 0
    for high_half in range(_HALF):
        first_pick = _draw(way, high_half) % NUM_CARDS
        first = column_of[_DECK[first_pick]]
        if first < 0 or first >= _LONG_COLUMNS or (is_fixed and first != 0):
            continue
        for low_half in range(_HALF):
            state = np.uint64(high_half * _HALF + low_half)
            following = (state * _MULTIPLIER + _INCREMENT) & _MASK
            pick = _draw(way, np.int64(following >> _SHIFT)) % (NUM_CARDS - 1)
            card = _DECK[NUM_CARDS - 1] if pick == first_pick else _DECK[pick]
            second = column_of[card]
            if second < 0 or second >= _LONG_COLUMNS or (is_fixed and second != 1):
                continue
            before = ((state - _INCREMENT) * _INVERSE) & _MASK
            is_low = before < _TOP_BIT
            if (way == 0 and not is_low) or (way == 1 and is_low):
                continue
            if num_found < numbers.shape[0] and _deals(way, state, columns, is_fixed, room):
                base = np.int64(0) if way < 2 else np.int64(1) << 32
                numbers[num_found] = np.int64(before) + base
                num_found += 1
    return num_found


@kernel
def _deals(
    way: np.int64,
    state: np.uint64,
    columns: npt.NDArray[np.int64],
    is_fixed: np.int64,
    room: _Room,
) -> bool:
    """Whether the draws that begin with `state` deal these columns, in this order or any."""
    deck, order = room.deck, room.order
    for m in range(NUM_CARDS):
        deck[m] = _DECK[m]
    for m in range(NUM_CARDS):
        left = NUM_CARDS - m
        pick = _draw(way, np.int64(state >> _SHIFT)) % left
        card = deck[pick]
        deck[pick] = deck[left - 1]
        state = (state * _MULTIPLIER + _INCREMENT) & _MASK
        c = m % NUM_COLUMNS
        if m < NUM_COLUMNS:
            column = room.column_of[card]
            if column < 0 or (column < _LONG_COLUMNS) != (m < _LONG_COLUMNS):
                return False
            if is_fixed and column != m:
                return False
            order[m] = column
        elif columns[order[c], m // NUM_COLUMNS] != card:
            return False
    return True
