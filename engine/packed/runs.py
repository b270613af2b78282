"""Stretches of consecutive cards of a suit, on masks of cards."""

from __future__ import annotations

from typing import Final

import numpy as np

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
