"""Dealers: a number in, the 52 cards in deal order out.

In deal order card m goes to column m mod 8 (`Position.from_deal`). `engine.deals.kernels` has the
same dealers for many numbers at once.

`bk1` and `ms` are lists of fewer deals than the 52! that there are. A *sample* `random@SEED` is
drawn from all of them: its deal NUMBER is a Fisher-Yates shuffle by the random words of the key
(SEED, NUMBER). A key has 128 bits, so at most 2^128 of the some 2^226 deals have such a name; which
ones has nothing to do with how they play.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import index
from types import MappingProxyType
from typing import Any, Final, SupportsIndex

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.codes import NUM_CODES
from boulanger.engine.deals.ms import NUM_MS_DEALS, deal_ms
from boulanger.engine.deals.philox import philox_words
from boulanger.engine.deals.shuffles import swap_down
from boulanger.engine.deals.splitmix import splitmix64
from boulanger.engine.errors import DealError
from boulanger.engine.words import message, quoted

# Seeds and numbers of samples are the two words of a key.
NUM_SEEDS: Final = 1 << 64
NUM_RANDOM_DEALS: Final = 1 << 64
RANDOM_PREFIX: Final = "random@"

_MASK_64: Final = (1 << 64) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbering:
    """A numbered series 0..size - 1: the deals of a dealer, or the seeds of samples.

    Attributes:
        title: what is numbered, as the last part of the key of its words `numbered.*`.
        size: the numbers are 0..size - 1.
        noun: what one of them is, as the last part of the key of its words `beyond.*`.
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
            raise DealError(
                "deal.not_whole", value=repr(number), range=self._range_message()
            ) from None
        if not 0 <= whole < self.size:
            raise self._outside(str(whole), whole < 0)
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
            raise self._outside(what, is_negative=False)
        if not body:
            raise DealError("deal.no_number", text=what, range=self._range_message())
        if re.fullmatch(r"[-\u2010-\u2015\u2212]\s*[0-9]+", body):
            raise self._outside(what, is_negative=True)
        if re.fullmatch(r"[0-9]{1,3}(?:[,.'_\u2019\s][0-9]{3})+", body):
            number = self.parse_number(re.sub(r"[^0-9]", "", body), what_was_typed)
            raise DealError("deal.separators", text=what, number=str(number))
        raise DealError("deal.not_digits", text=what, range=self._range_message())

    def _outside(self, text: str, is_negative: bool) -> DealError:
        fault = message("deal.negative") if is_negative else message(f"beyond.{self.noun}")
        return DealError("deal.outside", text=text, fault=fault, range=self._range_message())

    def _range_message(self) -> dict[str, Any]:
        return message(f"numbered.{self.title}", last=str(self.max_number))


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealer(Numbering):
    """One way to turn a number into a deal.

    Attributes:
        title: what its deals are called, as `Numbering` has it.
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
    raise DealError("deal.no_dealer", name=name, names=", ".join(DEALERS))


def random_dealer(seed: SupportsIndex) -> Dealer:
    """The dealer of the random deals of a seed, 0..2**64 - 1.

    Raises:
        DealError: quotes the seed and says what the range is.
    """
    whole = _SEEDS.check_number(seed)
    return Dealer(
        name=f"{RANDOM_PREFIX}{whole}",
        title="random_deals",
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


def shuffle(words: Iterator[int]) -> tuple[int, ...]:
    """The 52 cards in the order that random 64-bit words put them, each order equally likely.

    Fisher and Yates from the last place on; a word is scaled to the number of cards left, and
    skipped if it is one of the few that would favour a card (Lemire, "Fast random integer
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


def _deal_bk1(number: int) -> tuple[int, ...]:
    """The cards of the number in a game code.

    The app does not publish how its codes become deals. This shuffle is this project's own, so
    the board it gives may not be the board that the app shows for the same code.
    """
    cards = list(range(NUM_CARDS))
    outputs = zip(range(NUM_CARDS, 1, -1), splitmix64(number), strict=False)
    swap_down([bk1_draw(output >> 32, bound) for bound, output in outputs], cards)
    return tuple(cards)


def bk1_draw(upper_half: Any, bound: Any) -> Any:
    """The draw below `bound` that the upper 32 bits of an output of SplitMix64 give."""
    return upper_half * bound >> 32


def _deal_random(seed: int, number: int) -> tuple[int, ...]:
    """The cards of a number in the sample of a seed."""
    return shuffle(philox_words((seed, number)))


_SEEDS: Final = Numbering(title="seeds", size=NUM_SEEDS, noun="seed")
BK1: Final = Dealer(
    name="bk1",
    title="codes",
    description="this project's own dealer for game codes; the app does not publish its dealer",
    size=NUM_CODES,
    deal_unchecked=_deal_bk1,
)
MS: Final = Dealer(
    name="ms",
    title="ms_deals",
    description="Microsoft FreeCell numbers, with the FreeCell Pro extension from 2**31 on",
    size=NUM_MS_DEALS,
    deal_unchecked=deal_ms,
)
DEALERS: Final = MappingProxyType({dealer.name: dealer for dealer in (BK1, MS)})
