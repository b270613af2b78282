"""The dealers of `engine.deals.dealers` for many numbers at once, compiled."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.dealers import RANDOM_PREFIX, Dealer, bk1_draw, get_dealer
from boulanger.engine.deals.ms import (
    MS_DECK,
    MS_STATE_MASK,
    ms_draw,
    ms_next_state,
)
from boulanger.engine.deals.random_kernels import BLOCK_WORDS, deal_random_kernel
from boulanger.engine.deals.shuffles import pick_and_fill, swap_down
from boulanger.engine.deals.splitmix import GAMMA, mixed
from boulanger.engine.errors import DealError
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.jit import is_compiled

_GAMMA: Final = np.uint64(GAMMA)
_HALF_WORD: Final = np.uint64(32)
_MS_DECK: Final = np.array(MS_DECK, dtype=np.uint8)

# The dealers' own functions, compiled.
_mixed: Final = kernel(mixed)
_swap_down: Final = kernel(swap_down)
_pick_and_fill: Final = kernel(pick_and_fill)
_bk1_draw: Final = kernel(bk1_draw)
_ms_next_state: Final = kernel(ms_next_state)
_ms_draw: Final = kernel(ms_draw)


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
        deal_random_kernel(seed, checked, cards, np.empty(BLOCK_WORDS, dtype=np.uint64))
    else:
        DEAL_KERNELS[dealer.name](checked, cards, np.empty(NUM_CARDS - 1, dtype=np.int64))
    return cards


def prepare() -> None:
    """Compiles what `deal_many` needs, once a machine, or loads it."""
    for name in (*DEAL_KERNELS, f"{RANDOM_PREFIX}0"):
        deal_many(name, [1])


def is_ready() -> bool:
    """Whether `prepare` has nothing to compile; a good guess."""
    return is_compiled(*DEAL_KERNELS.values(), deal_random_kernel)


def _checked_numbers(
    dealer: Dealer, numbers: npt.NDArray[np.integer[Any]] | Sequence[int]
) -> npt.NDArray[np.uint64]:
    """A contiguous copy of `numbers`, all of which `dealer` has."""
    given = np.asarray(numbers)
    if given.ndim != 1:
        raise DealError("deal.shape", shape=str(given.shape))
    if given.dtype.kind not in "iu":
        for number in given.tolist():
            dealer.check_number(number)
    elif given.size:
        for number in (int(given.min()), int(given.max())):
            dealer.check_number(number)
    return np.array(given, dtype=np.uint64, order="C")


@kernel(nogil=True)
def _deal_bk1_kernel(
    numbers: npt.NDArray[np.uint64], cards: npt.NDArray[np.uint8], draws: npt.NDArray[np.int64]
) -> None:
    """Fills row n of `cards` (uint8, N x 52) with deal `numbers[n]` (uint64) of `bk1`.

    `draws` is room for those of one deal, int64 (51,).
    """
    for n in range(numbers.shape[0]):
        for m in range(NUM_CARDS):
            cards[n, m] = m
        state = numbers[n]
        for k in range(NUM_CARDS - 1):
            state += _GAMMA
            draws[k] = _bk1_draw(np.int64(_mixed(state) >> _HALF_WORD), NUM_CARDS - k)
        _swap_down(draws, cards[n])


@kernel(nogil=True)
def _deal_ms_kernel(
    numbers: npt.NDArray[np.uint64], cards: npt.NDArray[np.uint8], draws: npt.NDArray[np.int64]
) -> None:
    """The same of `ms`."""
    for n in range(numbers.shape[0]):
        for m in range(NUM_CARDS):
            cards[n, m] = _MS_DECK[m]
        number = np.int64(numbers[n])
        state = number & MS_STATE_MASK
        for k in range(NUM_CARDS - 1):
            state = _ms_next_state(state)
            draws[k] = _ms_draw(number, state) % (NUM_CARDS - k)
        _pick_and_fill(draws, cards[n])


DEAL_KERNELS: Final = MappingProxyType({"bk1": _deal_bk1_kernel, "ms": _deal_ms_kernel})
