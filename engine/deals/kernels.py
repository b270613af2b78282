"""The dealers of `engine.deals.dealers` for many numbers at once, compiled."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.dealers import (
    MS_DECK,
    MS_FIRST_16_BIT_DEAL,
    MS_FIRST_ONE_BASED_DEAL,
    MS_INCREMENT,
    MS_MULTIPLIER,
    RANDOM_PREFIX,
    SPLITMIX_GAMMA,
    SPLITMIX_MULTIPLIERS,
    SPLITMIX_SHIFTS,
    Dealer,
    get_dealer,
)
from boulanger.engine.deals.random_kernels import deal_random_kernel
from boulanger.engine.errors import DealError
from boulanger.engine.packed.jit import kernel

_GAMMA: Final = np.uint64(SPLITMIX_GAMMA)
_FIRST_MULTIPLIER: Final = np.uint64(SPLITMIX_MULTIPLIERS[0])
_SECOND_MULTIPLIER: Final = np.uint64(SPLITMIX_MULTIPLIERS[1])
_FIRST_SHIFT: Final = np.uint64(SPLITMIX_SHIFTS[0])
_SECOND_SHIFT: Final = np.uint64(SPLITMIX_SHIFTS[1])
_LAST_SHIFT: Final = np.uint64(SPLITMIX_SHIFTS[2])
_HALF_WORD: Final = np.uint64(32)

_MS_MULTIPLIER: Final = np.uint64(MS_MULTIPLIER)
_MS_INCREMENT: Final = np.uint64(MS_INCREMENT)
_FIRST_16_BIT_DEAL: Final = np.uint64(MS_FIRST_16_BIT_DEAL)
_FIRST_ONE_BASED_DEAL: Final = np.uint64(MS_FIRST_ONE_BASED_DEAL)
_MASK_32: Final = np.uint64((1 << 32) - 1)
_DRAW_SHIFT: Final = np.uint64(16)
_LOW_15_BITS: Final = np.uint64(0x7FFF)
_BIT_15: Final = np.uint64(0x8000)
_ONE: Final = np.uint64(1)
_MS_DECK: Final = np.array(MS_DECK, dtype=np.uint8)


def deal_many(
    dealer_name: str, numbers: npt.NDArray[np.integer[Any]] | Sequence[int]
) -> npt.NDArray[np.uint8]:
    """The cards of many deals.

    Args:
        dealer_name: `bk1`, `ms` or `random@SEED`.
        numbers: N deal numbers, in one dimension and of any integer type; left as they are.

    Returns:
        A new array (N, 52) of card numbers, each row in deal order.

    Raises:
        DealError: if there is no such dealer, or it has no such deal; quotes a wrong one.
    """
    dealer = get_dealer(dealer_name)
    checked = _checked_numbers(dealer, numbers)
    cards = np.empty((len(checked), NUM_CARDS), dtype=np.uint8)
    if dealer.name.startswith(RANDOM_PREFIX):
        seed = np.uint64(int(dealer.name.removeprefix(RANDOM_PREFIX)))
        deal_random_kernel(seed, checked, cards)
    else:
        DEAL_KERNELS[dealer.name](checked, cards)
    return cards


def _checked_numbers(
    dealer: Dealer, numbers: npt.NDArray[np.integer[Any]] | Sequence[int]
) -> npt.NDArray[np.uint64]:
    """A contiguous copy of `numbers`, all of which `dealer` has."""
    given = np.asarray(numbers)
    if given.ndim != 1:
        raise DealError(f"deal numbers with shape {given.shape}; one dimension expected")
    if given.dtype.kind not in "iu":
        for number in given.tolist():
            dealer.check_number(number)
    elif given.size:
        for number in (int(given.min()), int(given.max())):
            dealer.check_number(number)
    return np.array(given, dtype=np.uint64, order="C")


@kernel
def _splitmix64_output(state: np.uint64) -> np.uint64:
    """The SplitMix64 output that belongs to the (already advanced) uint64 `state`."""
    mixed = (state ^ (state >> _FIRST_SHIFT)) * _FIRST_MULTIPLIER
    mixed = (mixed ^ (mixed >> _SECOND_SHIFT)) * _SECOND_MULTIPLIER
    return mixed ^ (mixed >> _LAST_SHIFT)


@kernel(nogil=True)
def _deal_bk1_kernel(numbers: npt.NDArray[np.uint64], cards: npt.NDArray[np.uint8]) -> None:
    """Fills row n of `cards` (uint8, N x 52) with deal `numbers[n]` (uint64) of `bk1`."""
    for n in range(numbers.shape[0]):
        for m in range(NUM_CARDS):
            cards[n, m] = m
        state = numbers[n]
        for i in range(NUM_CARDS - 1, 0, -1):
            state += _GAMMA
            output = _splitmix64_output(state)
            j = np.int64(((output >> _HALF_WORD) * np.uint64(i + 1)) >> _HALF_WORD)
            cards[n, i], cards[n, j] = cards[n, j], cards[n, i]


@kernel
def _ms_draw(number: np.uint64, state: np.uint64) -> np.int64:
    """The draw, as int64, that `state` gives in Microsoft deal `number`; see `ms_draws`."""
    high_half = state >> _DRAW_SHIFT
    if number < _FIRST_16_BIT_DEAL:
        return np.int64(high_half & _LOW_15_BITS)
    if number < _FIRST_ONE_BASED_DEAL:
        return np.int64(high_half | _BIT_15)
    return np.int64(high_half + _ONE)


@kernel(nogil=True)
def _deal_ms_kernel(numbers: npt.NDArray[np.uint64], cards: npt.NDArray[np.uint8]) -> None:
    """Fills row n of `cards` (uint8, N x 52) with deal `numbers[n]` (uint64) of `ms`."""
    deck = np.empty(NUM_CARDS, dtype=np.uint8)
    for n in range(numbers.shape[0]):
        for m in range(NUM_CARDS):
            deck[m] = _MS_DECK[m]
        state = numbers[n] & _MASK_32
        for m in range(NUM_CARDS):
            left = NUM_CARDS - m
            state = (state * _MS_MULTIPLIER + _MS_INCREMENT) & _MASK_32
            pick = _ms_draw(numbers[n], state) % left
            cards[n, m] = deck[pick]
            deck[pick] = deck[left - 1]


DEAL_KERNELS: Final = MappingProxyType({"bk1": _deal_bk1_kernel, "ms": _deal_ms_kernel})
