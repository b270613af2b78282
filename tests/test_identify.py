"""Rules are found again from the boards that they deal; what else is found deals these too."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from boulanger.engine.deals.codes import NUM_CODES, GameCode, parse_code
from boulanger.engine.deals.dealers import BK1, MS
from boulanger.engine.errors import DealError
from boulanger.solver.identify.dealer_file import SavedDealer
from boulanger.solver.identify.family.decks import DEALINGS, Deck, all_decks
from boulanger.solver.identify.family.generators import GENERATORS
from boulanger.solver.identify.family.rule import (
    BK1_RULE,
    Rule,
    draw_names,
    is_possible,
    shuffle_names,
)
from boulanger.solver.identify.family.seeds import NumberSeed, SeedRule, TextSeed, all_seed_rules
from boulanger.solver.identify.fit import Fit, find_near, find_rules
from boulanger.solver.identify.groups import deal_codes, group_rules, plainness, sample_codes
from boulanger.solver.identify.pairs import Pair
from boulanger.solver.identify.saved import load, save
from boulanger.solver.identify.scan import _scan, _scan_near

NUM_RULES = 200
NUM_CHUNKS = 8


def pair_of(rule: Rule, code: GameCode) -> Pair:
    return Pair(code, rule.deal(code))


def random_rule(source: random.Random) -> Rule:
    """One of the family; every generator is as likely as another, and so is each other part."""
    name = source.choice(list(GENERATORS))
    generator = GENERATORS[name]
    draw, is_key = source.choice(list(draw_names(generator)))
    seeds: list[SeedRule] = [seed for seed in ALL_SEEDS if seed.is_text == generator.takes_text]
    numbers = [seed for seed in seeds if isinstance(seed, NumberSeed)]
    if numbers and source.random() < 0.7:
        seeds = list(numbers)
    rule = Rule(
        source.choice(seeds),
        name,
        draw,
        source.choice(list(shuffle_names(draw, is_key))),
        source.choice(list(all_decks())),
        source.choice(list(DEALINGS)),
    )
    assert is_possible(rule)
    return rule


ALL_SEEDS = list(all_seed_rules())


def random_code(source: random.Random, rule: Rule) -> GameCode:
    """A code that the rule can read."""
    while True:
        code = GameCode(source.randrange(NUM_CODES), source.choice((4, 2, 1)))
        if rule.seed.seed(code) is not None:
            return code


def board_or_none(rule: Rule, code: GameCode) -> tuple[int, ...] | None:
    try:
        return rule.deal(code)
    except DealError:
        return None


def check_found_again(truth: Rule, source: random.Random, name: str) -> int:
    """Looks for a rule by one board; returns how many groups were left."""
    code = random_code(source, truth)
    pairs = [pair_of(truth, code)]
    fit = find_rules(pairs)
    assert truth in fit.rules
    assert len(set(fit.rules)) == len(fit.rules) == fit.num_first
    assert all(rule.deal(code) == pairs[0].cards for rule in fit.rules)

    grouping = group_rules(fit.rules, code.num_cells)
    assert sorted(map(plainness, fit.rules)) == sorted(
        plainness(rule) for group in grouping.groups for rule in group.rules
    )
    others = [random_code(source, truth) for _ in range(20)]
    for group in grouping.groups:
        for other in source.sample(sample_codes(), 5):
            assert len({board_or_none(rule, other) for rule in group.rules}) == 1
    if len(grouping.groups) == 1:
        save(SavedDealer(name, grouping.groups[0].rules[0], tuple(pairs)))
        saved = load(name)
        for other in others:
            assert saved.rule.deal(other) == truth.deal(other)
    else:
        decider = grouping.deciding_code
        assert decider is not None
        dealt = {board_or_none(group.rules[0], decider) for group in grouping.groups}
        assert len(dealt) == grouping.num_told_apart >= 2
        told = [r for r in fit.rules if board_or_none(r, decider) == board_or_none(truth, decider)]
        assert truth in told
        assert len(told) < len(fit.rules)
    return len(grouping.groups)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", [pytest.param(0, marks=pytest.mark.ci), *range(1, NUM_CHUNKS)])
def test_random_rules_are_found_again(chunk: int, config_home: Path) -> None:
    source = random.Random(f"rules {chunk}")
    num_groups = [
        check_found_again(random_rule(source), source, f"rule-{i}")
        for i in range(NUM_RULES // NUM_CHUNKS)
    ]
    # One board is enough for some, and for others not: both were tried.
    assert 1 < num_groups.count(1) < len(num_groups)


def test_a_few_rules_are_found_again(config_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the slow test does for many, among all generators: one for each kind of step."""
    names = ("java", "python-text", "mt19937", "dotnet", "mt19937-64")
    small = {name: GENERATORS[name] for name in names}
    monkeypatch.setattr("boulanger.solver.identify.fit.GENERATORS", small)
    source = random.Random(3)
    deck = Deck("CDHS", "rank-by-rank", "king-down")
    for i, rule in enumerate(
        [
            Rule(TextSeed("code", "sha256-8-big"), "java", "java-next-int", "up", deck, "columns"),
            Rule(TextSeed("letters"), "python-text", "high-bits", "down", deck),
            Rule(NumberSeed("no-io01", "least-first"), "mt19937", "low-bits", "grow", deck),
            Rule(NumberSeed(), "dotnet", "word", "sort-up", Deck(), "columns-from-last"),
            Rule(NumberSeed(kept="first-six"), "mt19937-64", "lemire", "pairs", deck),
        ]
    ):
        assert is_possible(rule)
        assert check_found_again(rule, source, f"rule-{i}") >= 1


def test_the_projects_own_dealer() -> None:
    """Leading A's hide which letters count; without them bk1 alone is left, in all its forms."""
    hidden = find_rules([Pair(parse_code("BK1-C4-AAAAA24"), BK1.deal(860))])
    groups = group_rules(hidden.rules, 4).groups
    assert [group.has_bk1 for group in groups] == [True, False, False, False]
    kept = [
        {rule.seed.kept for rule in g.rules if isinstance(rule.seed, NumberSeed)} for g in groups
    ]
    assert kept == [{"all"}, {"last-six"}, {"last-five"}, {"all"}]

    code = parse_code("BK1-C4-K7QWM3P")
    fit = find_rules([Pair(code, BK1.deal(code.number))])
    (group,) = group_rules(fit.rules, 4).groups
    assert group.has_bk1
    assert group.rules[0] == BK1_RULE
    assert {rule.seed for rule in group.rules} == {NumberSeed()}
    assert {rule.generator for rule in group.rules} == {"splitmix64"}
    # Together the two boards leave what the second leaves alone.
    both = find_rules(
        [Pair(parse_code("BK1-C4-AAAAA24"), BK1.deal(860)), *[Pair(code, BK1.deal(code.number))]]
    )
    assert set(both.rules) == set(fit.rules)


def test_a_rule_that_cannot_read_a_code_is_refuted_by_its_board() -> None:
    """Both deal alike where both can read: 38 bits of number, of which the generator takes 32."""
    six = Rule(NumberSeed("base32hex", kept="last-six", cells="shifted-in"), "mt19937", "scaled")
    seven = Rule(NumberSeed("base32hex", cells="shifted-in"), "mt19937", "scaled")
    grouping = group_rules([seven, six], 4)
    assert [group.rules for group in grouping.groups] == [(seven,), (six,)]
    assert grouping.num_told_apart == 2
    decider = grouping.deciding_code
    assert decider is not None
    assert board_or_none(seven, decider) is None
    assert board_or_none(six, decider) is not None


def test_microsofts_dealer_is_in_the_family() -> None:
    code = GameCode(123456, 4)
    fit = find_rules([Pair(code, MS.deal(code.number))])
    truth = Rule(
        generator="windows-freecell",
        draw="modulo",
        shuffle="pick-and-fill",
        deck=Deck("CDHS", "rank-by-rank"),
    )
    assert truth in fit.rules
    assert {rule.generator for rule in fit.rules} == {"windows-freecell", "microsoft-c"}


def slipped(cards: tuple[int, ...], *swaps: tuple[int, int]) -> tuple[int, ...]:
    changed = list(cards)
    for a, b in swaps:
        changed[a], changed[b] = changed[b], changed[a]
    return tuple(changed)


@pytest.mark.parametrize(
    "swap",
    [
        (3, 48),
        *(
            pytest.param(swap, marks=[pytest.mark.slow, pytest.mark.ci])
            for swap in ((0, 1), (25, 26))
        ),
    ],
)
def test_two_swapped_cards_fit_nothing_but_are_told(swap: tuple[int, int]) -> None:
    code = parse_code("BK1-C4-K7QWM3P")
    cards = BK1.deal(code.number)
    pair = Pair(code, slipped(cards, swap))
    fit = find_rules([pair])
    assert (fit.rules, fit.num_first) == ((), 0)
    assert fit.num_tried > 10**9
    # Up to the slip the true rule is right; before it, others are by chance.
    assert swap[0] <= fit.most_right < 52
    near = find_near(pair)
    assert near is not None
    assert near.cards == cards
    assert near.wrong == swap
    assert near.rule == BK1_RULE


@pytest.mark.slow
@pytest.mark.ci
def test_suits_that_were_misread_are_told() -> None:
    """Two cards of one rank swapped: only their suits are wrong."""
    code = parse_code("BK1-C4-K7QWM3P")
    cards = BK1.deal(code.number)
    pair = Pair(code, slipped(cards, (cards.index(4), cards.index(4 + 13))))
    assert find_rules([pair]).rules == ()
    near = find_near(pair)
    assert near is not None
    assert near.cards == cards


@pytest.mark.slow
@pytest.mark.ci
def test_a_board_by_chance() -> None:
    cards = list(range(52))
    random.Random(9).shuffle(cards)
    pair = Pair(parse_code("BK1-C4-K7QWM3P"), tuple(cards))
    fit = find_rules([pair])
    assert fit.rules == ()
    # A million and a half permutations a generator: some get a few of the first cards right.
    assert 3 <= fit.most_right <= 12
    assert find_near(pair) is None


def most_right_of(rules: list[Rule], pair: Pair) -> int:
    """How many cards of the board the best of these had right, in its own order of dealing."""
    most = 0
    for rule in rules:
        dealt = rule.deal(pair.code)
        places = DEALINGS[rule.dealing].places
        order = sorted(range(52), key=places.__getitem__)
        if rule.dealing.endswith("-from-last"):
            order.reverse()
        right = next((t for t, m in enumerate(order) if dealt[m] != pair.cards[m]), 52)
        most = max(most, right)
    return most


def test_how_far_the_best_guess_went(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against every rule of a small family dealt out, deck by deck."""
    seeds: list[SeedRule] = [NumberSeed(), NumberSeed(order="least-first")]
    small = {name: GENERATORS[name] for name in ("ansi-c", "dotnet")}
    monkeypatch.setattr("boulanger.solver.identify.fit.GENERATORS", small)
    monkeypatch.setattr("boulanger.solver.identify.fit.all_seed_rules", lambda: iter(seeds))
    cards = list(range(52))
    random.Random(4).shuffle(cards)
    pair = Pair(parse_code("BK1-C4-K7QWM3P"), tuple(cards))
    rules = [
        Rule(seed, name, draw, shuffle, deck, dealing)
        for seed in seeds
        for name, generator in small.items()
        for draw, is_key in draw_names(generator)
        for shuffle in shuffle_names(draw, is_key)
        for deck in all_decks()
        for dealing in DEALINGS
    ]
    fit: Fit = find_rules([pair])
    assert fit.num_tried == len(rules)
    assert fit.most_right == most_right_of(rules, pair)


def test_no_rule_for_a_second_board_of_another_dealer() -> None:
    codes = [parse_code("BK1-C4-K7QWM3P"), parse_code("BK1-C4-QQ5XB2T")]
    boards = [BK1.deal(codes[0].number), MS.deal(codes[1].number % 2**33)]
    fit = find_rules([Pair(code, cards) for code, cards in zip(codes, boards, strict=True)])
    assert fit.rules == ()
    assert fit.num_first == 8


def test_codes_dealt_at_once_are_those_dealt_one_by_one() -> None:
    source = random.Random(8)
    codes = sample_codes(40)
    rules = [random_rule(source) for _ in range(40)]
    for rule, boards in deal_codes(rules, codes):
        for code, row in zip(codes, boards.tolist(), strict=True):
            board = board_or_none(rule, code)
            assert tuple(row) == (board if board is not None else (255,) * 52)


@pytest.mark.kernel
def test_a_small_search_under_bounds_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    small = {name: GENERATORS[name] for name in ("mt19937-64", "dotnet")}
    monkeypatch.setattr("boulanger.solver.identify.fit.GENERATORS", small)
    truth = Rule(generator="mt19937-64", draw="low-bits", shuffle="naive")
    pair = pair_of(truth, parse_code("BK1-C4-K7QWM3P"))
    assert truth in find_rules([pair]).rules
    near = find_near(Pair(pair.code, slipped(pair.cards, (7, 30))))
    assert near is not None
    assert near.cards == pair.cards
    assert len(_scan.signatures) == len(_scan_near.signatures) == 1
