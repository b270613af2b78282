"""A rule: one way through all steps from a game code to a deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.codes import GameCode
from boulanger.engine.errors import DealError
from boulanger.solver.identify.family.decks import DEALINGS, Deck
from boulanger.solver.identify.family.draws import DRAWS, KEYS, Draw, Key
from boulanger.solver.identify.family.generators import GENERATORS, Generator
from boulanger.solver.identify.family.seeds import NumberSeed, Seed, SeedRule
from boulanger.solver.identify.family.shuffles import SHUFFLES


@dataclass(frozen=True, slots=True)
class Rule:
    """How a game code becomes a deal.

    Attributes:
        seed: from the code to the generator's seed.
        generator, shuffle, dealing: names in the tables of those.
        draw: a name in the table of draws, or for a sort in that of keys.
        deck: the unshuffled deck.
    """

    seed: SeedRule = field(default_factory=NumberSeed)
    generator: str = "splitmix64"
    draw: str = "high-scaled"
    shuffle: str = "down"
    deck: Deck = field(default_factory=Deck)
    dealing: str = "rows"

    def deal(self, code: GameCode) -> tuple[int, ...]:
        """The 52 cards of `code` in deal order.

        Raises:
            DealError: if the code has a letter that the rule's alphabet lacks.
        """
        order = self._order(self._seed_of(code))
        cards = self.deck.cards
        return tuple(cards[order[place]] for place in DEALINGS[self.dealing].places)

    def check_reads(self, code: GameCode) -> None:
        """Raises DealError if the code has a letter that the rule's alphabet lacks."""
        self._seed_of(code)

    def _seed_of(self, code: GameCode) -> Seed:
        seed = self.seed.seed(code)
        if seed is None:
            raise DealError("deal.not_read", code=code.text, reads=self.seed.description)
        return seed

    def _order(self, seed: Seed) -> list[int]:
        """Which card of the unshuffled deck lies at each place of the shuffled one."""
        shuffle = SHUFFLES[self.shuffle]
        generator = GENERATORS[self.generator]
        words = generator.start(seed)
        order = list(range(NUM_CARDS))
        if shuffle.is_sort:
            shuffle.permute(keys_from(generator, self.draw, words), order)
        else:
            draws = [draw_from(generator, self.draw, bound, words) for bound in shuffle.bounds]
            shuffle.permute(draws, order)
        return order

    @property
    def description(self) -> str:
        """What it does, in a sentence without a full stop."""
        generator, seed, *others = self.parts
        return "; ".join([f"{generator} {seed}", *others])

    @property
    def parts(self) -> tuple[str, ...]:
        """The same in parts: generator, seed, shuffle, draw, deck, order of dealing."""
        shuffle = SHUFFLES[self.shuffle]
        table: Mapping[str, Draw | Key] = KEYS if shuffle.is_sort else DRAWS
        return (
            GENERATORS[self.generator].description,
            f"seeded with {self.seed.description}",
            shuffle.description,
            table[self.draw].description,
            self.deck.description,
            DEALINGS[self.dealing].description,
        )


def draw_names(generator: Generator) -> Iterator[tuple[str, bool]]:
    """The draws and keys that are tried with a generator; whether each is a key."""
    yield from ((name, False) for name in generator.draws)
    yield from ((name, True) for name in generator.keys)


def shuffle_names(draw: str, is_key: bool) -> Iterator[str]:
    """The shuffles that go with a draw, or with a key."""
    for name, shuffle in SHUFFLES.items():
        # A draw that takes nothing for a bound of 1 would make this the same as plain "grow".
        is_twin = not is_key and 1 in shuffle.bounds and DRAWS[draw].skips_one
        if shuffle.is_sort == is_key and not is_twin:
            yield name


def is_possible(rule: Rule) -> bool:
    """Whether the family has this rule: its parts go together."""
    generator = GENERATORS[rule.generator]
    is_key = SHUFFLES[rule.shuffle].is_sort
    return (
        rule.seed.is_text == generator.takes_text
        and rule.draw in (generator.keys if is_key else generator.draws)
        and rule.shuffle in shuffle_names(rule.draw, is_key)
    )


def draw_from(generator: Generator, name: str, bound: int, words: Iterator[int]) -> int:
    """A number below `bound` by draw `name`; takes words until they are accepted."""
    draw = DRAWS[name]
    while True:
        value, is_accepted = draw.draw(
            generator.range, bound, *(next(words) for _ in range(draw.num_words))
        )
        if is_accepted:
            return int(value)


def keys_from(generator: Generator, name: str, words: Iterator[int]) -> list[int]:
    """A key for each card."""
    key = KEYS[name]
    return [
        key.key(generator.range, *(next(words) for _ in range(key.num_words)))
        for _ in range(NUM_CARDS)
    ]


# What `engine.deals.dealers` has as bk1 for the numbers in game codes.
BK1_RULE: Final = Rule()
