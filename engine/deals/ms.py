"""Microsoft FreeCell numbers: a number in, the 52 cards in deal order out, and back.

J. Horne's shuffle by the `rand` of Microsoft's C run-time library, with the two extensions of
FreeCell Pro. Nothing here outgrows 64 signed bits, so the kernels compile these functions as they
stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from boulanger.engine.cards import NUM_CARDS, NUM_SUITS, make_card
from boulanger.engine.deals.shuffles import pick_and_fill

NUM_MS_DEALS: Final = 1 << 33
# The deals that Microsoft's own FreeCell offered at first.
CLASSIC_MS_LIMIT: Final = 32000

# The multiplier and increment of `rand`.
MS_MULTIPLIER: Final = 214013
MS_INCREMENT: Final = 2531011
# Where each of the two FreeCell Pro extensions begins.
MS_FIRST_16_BIT_DEAL: Final = 1 << 31
MS_FIRST_ONE_BASED_DEAL: Final = 1 << 32
# Ace to king, and within a rank clubs, diamonds, hearts, spades.
MS_DECK: Final = tuple(
    make_card(NUM_SUITS - 1 - k % NUM_SUITS, k // NUM_SUITS + 1) for k in range(NUM_CARDS)
)

# Only the low 32 bits of the generator's state can reach a draw.
MS_STATE_MASK: Final = (1 << 32) - 1
MS_DRAW_SHIFT: Final = 16
MS_LOW_15_BITS: Final = 0x7FFF
MS_BIT_15: Final = 0x8000


def deal_ms(number: int) -> tuple[int, ...]:
    """The cards of deal `number` (0..2**33 - 1), in deal order."""
    order = list(MS_DECK)
    lefts = range(NUM_CARDS, 1, -1)
    draws = [draw % left for left, draw in zip(lefts, ms_draws(number), strict=False)]
    pick_and_fill(draws, order)
    return tuple(order)


def ms_draws(number: int) -> Iterator[int]:
    """The random draws of deal `number` (0..2**33 - 1)."""
    state = number & MS_STATE_MASK
    while True:
        state = ms_next_state(state)
        yield ms_draw(number, state)


def ms_next_state(state: Any) -> Any:
    """The state of the generator after `state`."""
    return (state * MS_MULTIPLIER + MS_INCREMENT) & MS_STATE_MASK


def ms_draw(number: Any, state: Any) -> Any:
    """The draw that a state gives in deal `number`.

    Up to 2**31 - 1 it is what `rand` gives, 15 bits; FreeCell Pro sets bit 15 of each draw from
    2**31 on, and from 2**32 on takes 16 bits and adds one.
    """
    high_half = state >> MS_DRAW_SHIFT
    if number < MS_FIRST_16_BIT_DEAL:
        return high_half & MS_LOW_15_BITS
    if number < MS_FIRST_ONE_BASED_DEAL:
        return high_half | MS_BIT_15
    return high_half + 1


def find_ms_number(cards: Sequence[int], limit: int = CLASSIC_MS_LIMIT) -> int | None:
    """The number 1..`limit` that deals `cards` in this order, or None if none does.

    The board says which card each draw must have picked, so a number is dropped at its first
    wrong draw, 51 times in 52 the very first, and no deal is ever dealt out.

    Args:
        cards: card numbers in deal order; anything but the 52 cards is found nowhere.
        limit: the last number tried; some microsecond each.
    """
    if sorted(cards) != list(range(NUM_CARDS)):
        return None
    picks = _ms_picks(cards)
    for number in range(1, min(limit, NUM_MS_DEALS - 1) + 1):
        draws = zip(ms_draws(number), picks, strict=False)
        if all(draw % left == pick for draw, (left, pick) in draws):
            return number
    return None


def _ms_picks(cards: Sequence[int]) -> list[tuple[int, int]]:
    """How many cards were left, and which of them was picked, for each of `cards` in deal order.

    `cards` are the 52 cards in any order.
    """
    deck = list(MS_DECK)
    picks = []
    for left, card in zip(range(NUM_CARDS, 0, -1), cards, strict=True):
        pick = deck.index(card)
        picks.append((left, pick))
        deck[pick] = deck[left - 1]
        deck.pop()
    return picks
