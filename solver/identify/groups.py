"""Rules that fit, sorted into groups that deal alike, and a code that tells the groups apart."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final

import numpy as np
import numpy.typing as npt

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.codes import NUM_CODES, GameCode
from boulanger.solver.identify.family.decks import DEALINGS
from boulanger.solver.identify.family.generators import GENERATORS
from boulanger.solver.identify.family.rule import BK1_RULE, Rule
from boulanger.solver.identify.family.seeds import SeedRule, all_seed_rules
from boulanger.solver.identify.family.shuffles import SHUFFLES
from boulanger.solver.identify.lanes import Lanes
from boulanger.solver.identify.scan import permuted, sorted_rows

NUM_SAMPLES: Final = 1000
# The app's own numbers of cells.
_SAMPLED_CELLS: Final = (4, 2, 1)
_SAMPLE_SEED: Final = 20240607
_NO_CARD: Final = 255  # where a rule cannot read a code


@dataclass(frozen=True, slots=True)
class Group:
    """Rules that dealt all sampled codes alike, the plainest first."""

    rules: tuple[Rule, ...]

    @property
    def has_bk1(self) -> bool:
        """Whether the project's own dealer is one of them."""
        return BK1_RULE in self.rules


@dataclass(frozen=True, slots=True)
class Grouping:
    """All groups, the one with the plainest rule first.

    Attributes:
        groups: at least one, if there were rules.
        deciding_code: a code whose board tells as many groups as possible apart; None if there is
            no more than one group. (A group that cannot read it is refuted by any board.)
        num_told_apart: how many parts it divides the groups into.
    """

    groups: tuple[Group, ...]
    deciding_code: GameCode | None = None
    num_told_apart: int = 0


def group_rules(rules: Sequence[Rule], num_cells: int) -> Grouping:
    """Sorts rules by what they deal for 1,000 random codes, the same ones at each call.

    Args:
        rules: all of them are dealt out.
        num_cells: the number of cells that the deciding code should have if possible.
    """
    codes = sample_codes()
    members: dict[bytes, list[Rule]] = {}
    for rule, boards in deal_codes(sorted(rules, key=_seed_and_generator), codes):
        members.setdefault(boards.tobytes(), []).append(rule)
    order = {rule: i for i, rule in enumerate(sorted(rules, key=plainness))}
    groups = [(sorted(group, key=order.__getitem__), key) for key, group in members.items()]
    groups.sort(key=lambda entry: order[entry[0][0]])
    found = tuple(Group(tuple(group)) for group, _ in groups)
    if len(found) < 2:
        return Grouping(found)
    dealt = np.stack(
        [np.frombuffer(boards, np.uint8).reshape(len(codes), NUM_CARDS) for _, boards in groups]
    )
    num_parts = [_num_outcomes(dealt[:, n]) for n in range(len(codes))]
    best = max(range(len(codes)), key=lambda n: (num_parts[n], codes[n].num_cells == num_cells, -n))
    return Grouping(found, codes[best], num_parts[best])


def _num_outcomes(boards: npt.NDArray[np.uint8]) -> int:
    """How many different boards there are; that a rule cannot read the code is one more."""
    return len({board.tobytes() for board in boards})


def sample_codes(count: int = NUM_SAMPLES) -> list[GameCode]:
    """Random codes, the same ones at each call."""
    source = random.Random(_SAMPLE_SEED)
    return [
        GameCode(source.randrange(NUM_CODES), source.choice(_SAMPLED_CELLS)) for _ in range(count)
    ]


def deal_codes(
    rules: Iterable[Rule], codes: Sequence[GameCode]
) -> Iterator[tuple[Rule, npt.NDArray[np.uint8]]]:
    """Each rule with its cards for all codes: (codes, 52) in deal order, 255 where it has none.

    Rules that follow one another and share seed and generator share their words.
    """
    for (seed_rule, name), sharing in groupby(rules, lambda rule: (rule.seed, rule.generator)):
        seeds = [seed_rule.seed(code) for code in codes]
        readable = [n for n, seed in enumerate(seeds) if seed is not None]
        known = [seed for seed in seeds if seed is not None]
        lanes = Lanes(GENERATORS[name], known) if known else None
        for rule in sharing:
            boards = np.full((len(codes), NUM_CARDS), _NO_CARD, dtype=np.uint8)
            if lanes is not None:
                boards[readable] = _deal_lanes(rule, lanes)
            yield rule, boards


def deal_numbers(
    rule: Rule, numbers: npt.NDArray[np.uint64], num_cells: int
) -> npt.NDArray[np.uint8]:
    """The cards of the codes with these numbers and this many cells, uint8 (N, 52), as `deal_codes`
    has them."""
    codes = [GameCode(number, num_cells) for number in numbers.tolist()]
    return next(deal_codes([rule], codes))[1]


def _deal_lanes(rule: Rule, lanes: Lanes) -> npt.NDArray[np.uint8]:
    shuffle = SHUFFLES[rule.shuffle]
    if shuffle.is_sort:
        orders = sorted_rows(rule.shuffle, lanes.keys(rule.draw, NUM_CARDS))
    else:
        orders = permuted(rule.shuffle, lanes.draws(rule.draw, shuffle.bounds))
    cards = np.array(rule.deck.cards, dtype=np.uint8)
    dealt: npt.NDArray[np.uint8] = cards[orders[:, list(DEALINGS[rule.dealing].places)]]
    return dealt


def _seed_and_generator(rule: Rule) -> tuple[str, str]:
    return repr(rule.seed), rule.generator


def plainness(rule: Rule) -> tuple[int, ...]:
    """A key that sorts rules: what stands first in the tables comes first."""
    generator = GENERATORS[rule.generator]
    draws = generator.keys if SHUFFLES[rule.shuffle].is_sort else generator.draws
    return (
        list(DEALINGS).index(rule.dealing),
        _seed_places()[rule.seed],
        list(GENERATORS).index(rule.generator),
        draws.index(rule.draw),
        list(SHUFFLES).index(rule.shuffle),
    )


@cache
def _seed_places() -> dict[SeedRule, int]:
    return {seed_rule: place for place, seed_rule in enumerate(all_seed_rules())}
