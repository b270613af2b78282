"""Stretches of consecutive cards of a suit, on masks of cards."""

from __future__ import annotations

from typing import Final

import numpy as np

from boulanger.engine.packed.bits import popcount
from boulanger.engine.packed.jit import bare_kernel as kernel

_ONE: Final = np.uint64(1)
_TWO: Final = np.uint64(2)
_FOUR: Final = np.uint64(4)
_EIGHT: Final = np.uint64(8)
_NONE: Final = np.uint64(0)


@kernel(forceinline=True)
def run_down(start, through):
    """`start` and the cards of `through` that follow below it in rank without a gap.

    Doubles the reach with each step, 1 + 2 + 4 + 8 > 12 ranks; the lanes' spare bits, which no
    mask of cards has, keep suits apart. `start` need not be in `through`.
    """
    start |= (start >> _ONE) & through
    through &= through >> _ONE
    start |= (start >> _TWO) & through
    through &= through >> _TWO
    start |= (start >> _FOUR) & through
    through &= through >> _FOUR
    return start | ((start >> _EIGHT) & through)


@kernel(forceinline=True)
def run_up(start, through):
    """`start` and the cards of `through` that follow above it in rank without a gap."""
    start |= (start << _ONE) & through
    through &= through << _ONE
    start |= (start << _TWO) & through
    through &= through << _TWO
    start |= (start << _FOUR) & through
    through &= through << _FOUR
    return start | ((start << _EIGHT) & through)


@kernel(forceinline=True)
def hanging_on(card, loose):
    """The cards of `loose` that follow below `card` (a mask of one) without a gap, without it."""
    following = (card >> _ONE) & loose
    return run_down(following, loose) if following != _NONE else following


@kernel(forceinline=True)
def lowest_of(mask):
    """The lowest bit of a mask as a mask."""
    return mask & (~mask + _ONE)


@kernel(forceinline=True)
def spaces_needed(cards, num_columns):
    """The fewest spaces that can hold these cards, if `num_columns` of the spaces are columns.

    A cell holds one card and a column a run, so a stretch of m cards takes m cells or one column:
    the number of cards, less m - 1 for each of the longest stretches that columns are
    there for. With stretches of at least j cards counted for j = 2, 3, ..., each such column saves
    one for each j up to m.

    Args:
        cards: mask of loose cards, none of which can lie on an intact one.
        num_columns: int64, how many emptied columns there are.
    """
    spaces = popcount(cards)
    if num_columns == 0:
        return spaces
    # Bit x is set while the cards x .. x + length - 1 are all there: a stretch of m cards keeps
    # m - length + 1 bits, so the difference of two counts is the number of stretches that long.
    starts = cards & (cards >> _ONE)
    if starts == _NONE:
        return spaces
    num_starts = popcount(starts)
    length = _TWO
    while True:
        longer = starts & (cards >> length)
        num_longer = popcount(longer)
        spaces -= min(num_columns, num_starts - num_longer)
        if num_longer == 0:
            return spaces
        starts = longer
        num_starts = num_longer
        length += _ONE


@kernel
def spaces_needed_with(cards, card, num_columns):
    """The same if the stretch that holds `card` (a mask of one, in `cards`) is in a column."""
    stretch = run_up(card, cards) | run_down(card, cards)
    return spaces_needed(cards & ~stretch, num_columns - 1) + 1
