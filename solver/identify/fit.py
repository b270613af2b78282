"""The search: which rules of the family deal the given boards from the given codes.

The family is every combination of the tables in `engine.dealing`. For each generator the words of
all seeds are made at once and shared by all draws; draws are shared by all shuffles with the same
bounds; and `scan` finds the deck that suits, if any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.cards import NUM_CARDS, SUIT_LETTERS, suit_of
from engine.codes import GameCode
from engine.dealing.decks import DEALINGS, Deck, all_decks
from engine.dealing.generators import GENERATORS, Generator
from engine.dealing.rule import Rule, draw_names, shuffle_names
from engine.dealing.seeds import Seed, SeedRule, all_seed_rules
from engine.dealing.shuffles import SHUFFLES
from engine.errors import DealError
from solver.identify.lanes import Lanes
from solver.identify.pairs import Pair
from solver.identify.scan import LAYOUTS, Board, Scanner, permuted, sorted_rows, suits_of

_NUM_DECKS: Final = sum(1 for _ in all_decks())
_DEALING_NAMES: Final = tuple(DEALINGS)


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


def find_rules(pairs: list[Pair], on_generator: Callable[[str], None] | None = None) -> Fit:
    """The rules that deal all of `pairs`.

    Args:
        pairs: at least one.
        on_generator: told each generator's name when it is done with.
    """
    first, *others = pairs
    board = Scanner(Board(first.cards))
    found: list[Rule] = []
    num_tried = 0
    by_seed = _by_seed(first.code)
    for name, generator in GENERATORS.items():
        seeds = [s for s in by_seed if isinstance(s, bytes) == generator.takes_text]
        num_tried += _num_rules(generator, sum(len(by_seed[seed]) for seed in seeds))
        for lane, rule in _fits(name, seeds, board, first):
            for seed_rule in by_seed[seeds[lane]]:
                found.append(replace(rule, seed=seed_rule))
        if on_generator is not None:
            on_generator(name)
    rules = tuple(rule for rule in found if all(_deals(rule, pair) for pair in others))
    return Fit(rules, len(found), num_tried, board.most_right)


def _by_seed(code: GameCode) -> dict[Seed, list[SeedRule]]:
    """The seeds that the family makes of `code`, each with the ways to it."""
    by_seed: dict[Seed, list[SeedRule]] = {}
    for seed_rule in all_seed_rules():
        seed = seed_rule.seed(code)
        if seed is not None:
            by_seed.setdefault(seed, []).append(seed_rule)
    return by_seed


def _num_rules(generator: Generator, num_seed_rules: int) -> int:
    num_shuffles = sum(
        1 for draw, is_key in draw_names(generator) for _ in shuffle_names(draw, is_key)
    )
    return num_seed_rules * num_shuffles * len(DEALINGS) * _NUM_DECKS


def _fits(
    generator_name: str, seeds: list[Seed], board: Scanner, pair: Pair
) -> Iterator[tuple[int, Rule]]:
    """The lanes that lead to the board, each with the rule but for its seed."""
    generator = GENERATORS[generator_name]
    lanes = Lanes(generator, seeds)
    for draw, is_key in draw_names(generator):
        rows: dict[tuple[int, ...], npt.NDArray[np.int64]] = {}
        for shuffle in shuffle_names(draw, is_key):
            if is_key:
                drawn = sorted_rows(shuffle, lanes.keys(draw, NUM_CARDS))
            else:
                bounds = SHUFFLES[shuffle].bounds
                if bounds not in rows:
                    rows[bounds] = lanes.draws(draw, bounds)
                drawn = rows[bounds]
            for lane, dealing, layout in board.scan(shuffle, drawn):
                deck = _solved_deck(shuffle, drawn[lane], dealing, layout, pair)
                yield (
                    lane,
                    Rule(
                        generator=generator_name,
                        draw=draw,
                        shuffle=shuffle,
                        deck=deck,
                        dealing=_DEALING_NAMES[dealing],
                    ),
                )


def _solved_deck(
    shuffle: str, drawn: npt.NDArray[np.int64], dealing: int, layout: int, pair: Pair
) -> Deck:
    """The deck from which this shuffle makes the board, which one is known to."""
    order = permuted(shuffle, drawn[None, :])[0]
    places = DEALINGS[_DEALING_NAMES[dealing]].places
    suits_at = {
        int(order[place]): suit_of(card) for place, card in zip(places, pair.cards, strict=True)
    }
    grouping, ranks = LAYOUTS[layout]
    suits = "".join(SUIT_LETTERS[suit] for suit in suits_of(layout, suits_at))
    return Deck(suits, grouping, ranks)


def _deals(rule: Rule, pair: Pair) -> bool:
    try:
        return rule.deal(pair.code) == pair.cards
    except DealError:
        return False
