"""Dealers: a number in, the 52 cards in deal order out.

In deal order card m goes to column m mod 8 (`Position.from_deal`). `engine.deals.kernels` has the
same dealers for many numbers at once.

`bk1` and `ms` are lists of fewer deals than the 52! that there are. A *sample* `random@SEED` is
drawn from all of them: its deal NUMBER is a Fisher-Yates shuffle by the random words of the key
(SEED, NUMBER). A key has 128 bits, so at most 2^128 of the some 2^226 deals have such a name; which
ones has nothing to do with how they play.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import index
from types import MappingProxyType
from typing import Final, SupportsIndex

from boulanger.engine.cards import NUM_CARDS, NUM_SUITS, make_card
from boulanger.engine.deals.codes import NUM_CODES
from boulanger.engine.deals.philox import philox_words
from boulanger.engine.errors import DealError
from boulanger.engine.words import quoted

NUM_MS_DEALS: Final = 1 << 33
# The deals that Microsoft's own FreeCell offered at first.
CLASSIC_MS_LIMIT: Final = 32000

# The multiplier and increment of `rand` in Microsoft's C run-time library.
MS_MULTIPLIER: Final = 214013
MS_INCREMENT: Final = 2531011
# Where each of the two FreeCell Pro extensions begins.
MS_FIRST_16_BIT_DEAL: Final = 1 << 31
MS_FIRST_ONE_BASED_DEAL: Final = 1 << 32
# Ace to king, and within a rank clubs, diamonds, hearts, spades.
MS_DECK: Final = tuple(
    make_card(NUM_SUITS - 1 - k % NUM_SUITS, k // NUM_SUITS + 1) for k in range(NUM_CARDS)
)

# Vigna's splitmix64.c; Steele, Lea and Flood, "Fast splittable pseudorandom number generators".
SPLITMIX_GAMMA: Final = 0x9E3779B97F4A7C15
SPLITMIX_MULTIPLIERS: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
SPLITMIX_SHIFTS: Final = (30, 27, 31)

# Seeds and numbers of samples are the two words of a key.
NUM_SEEDS: Final = 1 << 64
NUM_RANDOM_DEALS: Final = 1 << 64
RANDOM_PREFIX: Final = "random@"

_MASK_32: Final = (1 << 32) - 1
_MASK_64: Final = (1 << 64) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbering:
    """What is numbered by whole numbers from 0 on, such as the deals of a dealer.

    Attributes:
        title: what is numbered, in a sentence.
        size: the numbers are 0..size - 1.
        noun: what one of them is.
    """

    title: str
    size: int
    noun: str = "deal"

    @property
    def max_number(self) -> int:
        """The last number."""
        return self.size - 1

    def check_number(self, number: SupportsIndex) -> int:
        """`number` as an int, if it is one of these.

        Raises:
            DealError: quotes the number and says what the range is.
        """
        try:
            whole = index(number)
        except TypeError:
            raise DealError(f"{number!r} is not a whole number; {self._range_text()}") from None
        if not 0 <= whole < self.size:
            raise DealError(f"{whole} is {self._beyond(whole < 0)}; {self._range_text()}")
        return whole

    def parse_number(self, text: str, what_was_typed: str | None = None) -> int:
        """The number that `text` is, in decimal digits; blanks around it do not matter.

        Args:
            text: the number alone.
            what_was_typed: what an error quotes, if that was more than `text`.

        Raises:
            DealError: quotes it and says what would be right.
        """
        body = text.strip()
        what = quoted(text if what_was_typed is None else what_was_typed)
        if re.fullmatch(r"[0-9]+", body):
            digits = body.lstrip("0") or "0"
            # Counted first: int() refuses thousands of digits with a message of its own.
            if len(digits) <= len(str(self.max_number)) and int(digits) <= self.max_number:
                return int(digits)
            raise DealError(f"{what} is {self._beyond(False)}; {self._range_text()}")
        if not body:
            raise DealError(f"{what} has no number; {self._range_text()}")
        if re.fullmatch(r"[-\u2010-\u2015\u2212]\s*[0-9]+", body):
            raise DealError(f"{what} is {self._beyond(True)}; {self._range_text()}")
        if re.fullmatch(r"[0-9]{1,3}(?:[,.'_\u2019\s][0-9]{3})+", body):
            number = self.parse_number(re.sub(r"[^0-9]", "", body), what_was_typed)
            raise DealError(f"{what} has separators in its number; write digits alone: {number}")
        raise DealError(f"{what} is not a whole number in digits; {self._range_text()}")

    def _beyond(self, is_negative: bool) -> str:
        return "negative" if is_negative else f"beyond the last {self.noun}"

    def _range_text(self) -> str:
        return f"{self.title} are numbered from 0 to {self.max_number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealer(Numbering):
    """One way to turn a number into a deal.

    Attributes:
        title: what its deals are called in a sentence.
        size: how many there are.
        name: as the registry and the command line have it.
        description: one line on what it is.
        deal_unchecked: the 52 cards of a number in that range.
    """

    name: str
    description: str
    deal_unchecked: Callable[[int], tuple[int, ...]]

    @property
    def num_deals(self) -> int:
        """Its deals are numbered 0..num_deals - 1."""
        return self.size

    def deal(self, number: SupportsIndex) -> tuple[int, ...]:
        """The 52 cards of deal `number`, in deal order.

        Raises:
            DealError: if it is not a whole number from 0 to `max_number`.
        """
        return self.deal_unchecked(self.check_number(number))


def get_dealer(name: str) -> Dealer:
    """The dealer of that name: one of `DEALERS`, or `random@SEED`.

    Raises:
        DealError: quotes the name and lists the dealers.
    """
    if name in DEALERS:
        return DEALERS[name]
    if name.startswith(RANDOM_PREFIX):
        return random_dealer(parse_seed(name.removeprefix(RANDOM_PREFIX), name))
    names = ", ".join(DEALERS)
    raise DealError(f"{quoted(name)} is not a dealer; there are {names} and {RANDOM_PREFIX}SEED")


def random_dealer(seed: SupportsIndex) -> Dealer:
    """The dealer of the random deals of a seed, 0..2**64 - 1.

    Raises:
        DealError: quotes the seed and says what the range is.
    """
    whole = _SEEDS.check_number(seed)
    return Dealer(
        name=f"{RANDOM_PREFIX}{whole}",
        title="random deals",
        description="uniformly random deals: Philox 4x64-10 with the key (seed, number)",
        size=NUM_RANDOM_DEALS,
        deal_unchecked=partial(_deal_random, whole),
    )


def parse_seed(text: str, what_was_typed: str | None = None) -> int:
    """The seed that `text` is, in decimal digits; see `Dealer.parse_number`.

    Raises:
        DealError: quotes it and says what would be right.
    """
    return _SEEDS.parse_number(text, what_was_typed)


def parse_random_deal(text: str) -> tuple[Dealer, int]:
    """The dealer and the number in `random:NUMBER@SEED`; case does not matter.

    Raises:
        DealError: quotes the text and says what would be right.
    """
    body = re.sub(r"^random\s*:", "", text.strip(), flags=re.IGNORECASE)
    number, separator, seed = body.partition("@")
    if not separator:
        raise DealError(f"{quoted(text)} has no seed; a random deal is written random:NUMBER@SEED")
    dealer = random_dealer(parse_seed(seed, text))
    return dealer, dealer.parse_number(number, text)


def parse_ms_number(text: str) -> int:
    """The Microsoft deal number in `ms:NUMBER`; the prefix may be missing or in capitals.

    Raises:
        DealError: quotes the text and says what would be right.
    """
    body = re.sub(r"^ms\s*:", "", text.strip(), flags=re.IGNORECASE)
    return MS.parse_number(body, text)


def find_ms_number(cards: Sequence[int], limit: int = CLASSIC_MS_LIMIT) -> int | None:
    """The Microsoft number 1..`limit` that deals `cards` in this order, or None if none does.

    The board says which card each draw must have picked, so a number is dropped at its first
    wrong draw, 51 times in 52 the very first, and no deal is ever dealt out.

    Args:
        cards: card numbers in deal order; anything but the 52 cards is found nowhere.
        limit: the last number tried; some microsecond each.
    """
    if sorted(cards) != list(range(NUM_CARDS)):
        return None
    picks = _ms_picks(cards)
    for number in range(1, min(limit, MS.max_number) + 1):
        draws = zip(ms_draws(number), picks, strict=False)
        if all(draw % left == pick for draw, (left, pick) in draws):
            return number
    return None


def shuffle(words: Iterator[int]) -> tuple[int, ...]:
    """The 52 cards in the order that random 64-bit words put them, each order equally likely.

    Fisher and Yates from the last place on; a word is scaled to the number of cards left, and
    passed over if it is one of the few that would favour a card (Lemire, "Fast random integer
    generation in an interval", 2019, algorithm 5).
    """
    cards = list(range(NUM_CARDS))
    for i in range(NUM_CARDS - 1, 0, -1):
        left = i + 1
        product = next(words) * left
        while product & _MASK_64 < (1 << 64) % left:
            product = next(words) * left
        j = product >> 64
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def splitmix64(state: int) -> Iterator[int]:
    """The outputs of SplitMix64, 64 bits each, from the 64-bit `state` on."""
    first_shift, second_shift, last_shift = SPLITMIX_SHIFTS
    first_multiplier, second_multiplier = SPLITMIX_MULTIPLIERS
    while True:
        state = (state + SPLITMIX_GAMMA) & _MASK_64
        mixed = ((state ^ state >> first_shift) * first_multiplier) & _MASK_64
        mixed = ((mixed ^ mixed >> second_shift) * second_multiplier) & _MASK_64
        yield mixed ^ mixed >> last_shift


def ms_draws(number: int) -> Iterator[int]:
    """The random draws of Microsoft deal `number` (0..2**33 - 1).

    Up to 2**31 - 1 they are what Microsoft's `rand` gives, 15 bits; FreeCell Pro sets bit 15 of
    each draw from 2**31 on, and from 2**32 on takes 16 bits and adds one. Only the low 32 bits of
    the generator's state can reach a draw.
    """
    state = number & _MASK_32
    while True:
        state = (state * MS_MULTIPLIER + MS_INCREMENT) & _MASK_32
        high_half = state >> 16
        if number < MS_FIRST_16_BIT_DEAL:
            yield high_half & 0x7FFF
        elif number < MS_FIRST_ONE_BASED_DEAL:
            yield high_half | 0x8000
        else:
            yield high_half + 1


def _deal_bk1(number: int) -> tuple[int, ...]:
    """The cards of the number in a game code.

    The app does not publish how its codes become deals. This shuffle is this project's own, so
    the board it gives may not be the board that the app shows for the same code.
    """
    cards = list(range(NUM_CARDS))
    for i, output in zip(range(NUM_CARDS - 1, 0, -1), splitmix64(number), strict=False):
        j = (output >> 32) * (i + 1) >> 32
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def _deal_ms(number: int) -> tuple[int, ...]:
    """The cards of a Microsoft FreeCell number.

    Each draw picks a card of those left, and the last one left takes its place.
    """
    deck = list(MS_DECK)
    dealt = []
    for left, draw in zip(range(NUM_CARDS, 0, -1), ms_draws(number), strict=False):
        pick = draw % left
        dealt.append(deck[pick])
        deck[pick] = deck[left - 1]
    return tuple(dealt)


def _deal_random(seed: int, number: int) -> tuple[int, ...]:
    """The cards of a number in the sample of a seed."""
    return shuffle(philox_words((seed, number)))


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


_SEEDS: Final = Numbering(title="seeds of random deals", size=NUM_SEEDS, noun="seed")
BK1: Final = Dealer(
    name="bk1",
    title="the deals of game codes",
    description="this project's own dealer for game codes; the app does not publish its dealer",
    size=NUM_CODES,
    deal_unchecked=_deal_bk1,
)
MS: Final = Dealer(
    name="ms",
    title="Microsoft deals",
    description="Microsoft FreeCell numbers, with the FreeCell Pro extension from 2**31 on",
    size=NUM_MS_DEALS,
    deal_unchecked=_deal_ms,
)
DEALERS: Final = MappingProxyType({dealer.name: dealer for dealer in (BK1, MS)})
