"""The search: which rules of the family deal the given boards from the given codes.

The family is every combination of the tables in `solver.identify.family`. For each generator the
words of
all seeds are made at once and shared by all draws; draws are shared by all shuffles with the same
bounds; and `scan` finds the deck that suits, if any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from boulanger.engine.cards import NUM_CARDS, SUIT_LETTERS, suit_of
from boulanger.engine.deals.codes import GameCode
from boulanger.engine.errors import DealError
from boulanger.solver.identify.family.decks import DEALINGS, Deck, all_decks
from boulanger.solver.identify.family.generators import GENERATORS, Generator
from boulanger.solver.identify.family.rule import Rule, draw_names, shuffle_names
from boulanger.solver.identify.family.seeds import Seed, SeedRule, all_seed_rules
from boulanger.solver.identify.family.shuffles import SHUFFLES
from boulanger.solver.identify.lanes import Lanes
from boulanger.solver.identify.pairs import Pair
from boulanger.solver.identify.scan import (
    LAYOUTS,
    Board,
    Hit,
    Scanner,
    permuted,
    sorted_rows,
    suits_of,
)

_NUM_DECKS: Final = sum(1 for _ in all_decks())
_DEALING_NAMES: Final = tuple(DEALINGS)
# Up to two swapped pairs; more means that it is another board.
MAX_WRONG: Final = 4


@dataclass(frozen=True, slots=True)
class Fit:
    """What the search found.

    Attributes:
        rules: those that deal every board.
        num_first: how many deal the first board.
        num_tried: how many rules can read the first code, each counted once.
        most_right: the most cards of the first board that any rule had right, in its order of
            dealing, before its first wrong one; 52 if one dealt it all.
    """

    rules: tuple[Rule, ...]
    num_first: int
    num_tried: int
    most_right: int


@dataclass(frozen=True, slots=True)
class NearFit:
    """A rule that deals a board but for a few cards, which cannot be chance.

    Attributes:
        rule: the first of those with the fewest wrong cards.
        cards: what it deals, in deal order.
        wrong: where that differs from the board, as indices in deal order.
    """

    rule: Rule
    cards: tuple[int, ...]
    wrong: tuple[int, ...]


def find_rules(pairs: list[Pair], on_generator: Callable[[str], None] | None = None) -> Fit:
    """The rules that deal all of `pairs`.

    Args:
        pairs: at least one.
        on_generator: told each generator's name when it is done with.
    """
    first, *others = pairs
    scanner = Scanner(Board(first.cards))
    found: list[Rule] = []
    num_tried = 0
    by_seed = _by_seed(first.code)
    for name, generator in GENERATORS.items():
        seeds = _seeds_for(generator, by_seed)
        num_tried += _num_rules(generator, sum(len(by_seed[seed]) for seed in seeds))
        for rows in _all_rows(name, seeds):
            for hit in scanner.scan(rows.shuffle, rows.drawn):
                rule = _solved_rule(rows, hit, first)
                found += (replace(rule, seed=seed) for seed in by_seed[seeds[hit.lane]])
        if on_generator is not None:
            on_generator(name)
    rules = tuple(rule for rule in found if all(_deals(rule, pair) for pair in others))
    return Fit(rules, len(found), num_tried, scanner.most_right)


def find_near(pair: Pair, on_generator: Callable[[str], None] | None = None) -> NearFit | None:
    """A rule that deals the board of `pair` but for at most four cards, if there is one.

    By chance a rule has some four cards of the 52 right. So this tells a board with a typing error
    from one that no rule of the family deals.
    """
    scanner = Scanner(Board(pair.cards))
    by_seed = _by_seed(pair.code)
    best: NearFit | None = None
    for name, generator in GENERATORS.items():
        seeds = _seeds_for(generator, by_seed)
        for rows in _all_rows(name, seeds):
            for hit in scanner.scan_near(rows.shuffle, rows.drawn, MAX_WRONG):
                rule = replace(_solved_rule(rows, hit, pair), seed=by_seed[seeds[hit.lane]][0])
                cards = rule.deal(pair.code)
                wrong = tuple(m for m in range(NUM_CARDS) if cards[m] != pair.cards[m])
                limit = MAX_WRONG if best is None else len(best.wrong) - 1
                if len(wrong) <= limit:
                    best = NearFit(rule, cards, wrong)
        if on_generator is not None:
            on_generator(name)
    return best


@dataclass(frozen=True, slots=True)
class _Rows:
    """The draws of all lanes for one generator, draw and shuffle; a sort's are permutations."""

    generator: str
    draw: str
    shuffle: str
    drawn: npt.NDArray[np.int64]


def _all_rows(generator_name: str, seeds: list[Seed]) -> Iterator[_Rows]:
    """Everything that one generator makes of the seeds."""
    generator = GENERATORS[generator_name]
    lanes = Lanes(generator, seeds)
    for draw, is_key in draw_names(generator):
        by_bounds: dict[tuple[int, ...], npt.NDArray[np.int64]] = {}
        for shuffle in shuffle_names(draw, is_key):
            if is_key:
                drawn = sorted_rows(shuffle, lanes.keys(draw, NUM_CARDS))
            else:
                bounds = SHUFFLES[shuffle].bounds
                if bounds not in by_bounds:
                    by_bounds[bounds] = lanes.draws(draw, bounds)
                drawn = by_bounds[bounds]
            yield _Rows(generator_name, draw, shuffle, drawn)


def _by_seed(code: GameCode) -> dict[Seed, list[SeedRule]]:
    """The seeds that the family makes of `code`, each with the ways to it."""
    by_seed: dict[Seed, list[SeedRule]] = {}
    for seed_rule in all_seed_rules():
        seed = seed_rule.seed(code)
        if seed is not None:
            by_seed.setdefault(seed, []).append(seed_rule)
    return by_seed


def _seeds_for(generator: Generator, by_seed: Iterable[Seed]) -> list[Seed]:
    return [seed for seed in by_seed if isinstance(seed, bytes) == generator.takes_text]


def _num_rules(generator: Generator, num_seed_rules: int) -> int:
    num_shuffles = sum(
        1 for draw, is_key in draw_names(generator) for _ in shuffle_names(draw, is_key)
    )
    return num_seed_rules * num_shuffles * len(DEALINGS) * _NUM_DECKS


def _solved_rule(rows: _Rows, hit: Hit, pair: Pair) -> Rule:
    """The rule of a hit but for its seed: the order of the suits is read off the board."""
    order = permuted(rows.shuffle, rows.drawn[hit.lane][None, :])[0]
    dealing = _DEALING_NAMES[hit.dealing]
    suits_at = {
        int(order[place]): suit_of(card)
        for place, card in zip(DEALINGS[dealing].places, pair.cards, strict=True)
    }
    grouping, ranks = LAYOUTS[hit.layout]
    suits = "".join(SUIT_LETTERS[suit] for suit in suits_of(hit.layout, suits_at))
    return Rule(
        generator=rows.generator,
        draw=rows.draw,
        shuffle=rows.shuffle,
        deck=Deck(suits, grouping, ranks),
        dealing=dealing,
    )


def _deals(rule: Rule, pair: Pair) -> bool:
    try:
        return rule.deal(pair.code) == pair.cards
    except DealError:
        return False
