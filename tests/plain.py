"""Verdicts of the plain search, the oracle of the fast one, deal after deal in the same memory."""

from __future__ import annotations

import random
from collections.abc import Iterator

from boulanger.engine.cards import NUM_RANKS, NUM_SUITS, make_card, rank_of, suit_of
from boulanger.engine.packed.packing import PackedPosition, pack_position
from boulanger.engine.position import NUM_COLUMNS, Position
from boulanger.engine.rules import apply_ply, legal_plies
from boulanger.solver.line.search import EXHAUSTED, FULL, PAUSED, WON, SearchMemory, run_slice
from boulanger.solver.verdict.decide import UNDECIDED, UNWINNABLE, WINNABLE

_MAX_BYTES = 3 << 30


class PlainSearch:
    """Decides packed positions without any narrowing but closure and the order of places."""

    def __init__(self, max_nodes: int = 3_000_000) -> None:
        self._memory = SearchMemory()
        self._max_nodes = max_nodes

    def verdict(self, packed: PackedPosition) -> int:
        """WINNABLE or UNWINNABLE; UNDECIDED if that takes more than `max_nodes`."""
        self._memory.begin()
        while True:
            outcome = run_slice(
                self._memory,
                packed.layout,
                packed.position.num_cells,
                packed.state,
                self._max_nodes,
            )
            if outcome == WON:
                return WINNABLE
            if outcome == EXHAUSTED:
                return UNWINNABLE
            if outcome == PAUSED or (outcome == FULL and not self._memory.grow(_MAX_BYTES)):
                return UNDECIDED


def random_deal(rng: random.Random, num_cells: int) -> Position:
    """A uniform deal."""
    cards = list(range(52))
    rng.shuffle(cards)
    return Position.from_deal(cards, num_cells)


def digging_walk(rng: random.Random, start: Position, num_plies: int) -> Iterator[Position]:
    """Positions of a random walk that likes to empty short columns and to build.

    Left to chance a walk fills the cells and stays there; this one also meets emptied columns, runs
    in them, and units of several cards.
    """
    position = start
    for _ in range(num_plies):
        plies = legal_plies(position)
        if not plies:
            return
        weights = []
        for ply in plies:
            weight = 1.0
            if ply.destination.zone == 2:
                weight = 6.0
            elif ply.destination.zone == 0 and position.columns[ply.destination.index]:
                weight = 4.0
            if ply.source.zone == 0:
                weight *= 1.0 + 3.0 / len(position.columns[ply.source.index])
            weights.append(weight)
        position = apply_ply(position, rng.choices(plies, weights)[0])
        yield position


def packed_or_none(position: Position) -> PackedPosition | None:
    """The packed position, or None if it is won once it is closed."""
    packed = pack_position(position)
    return None if packed.position.is_won else packed


def board_of_units(rng: random.Random) -> Position:
    """A board made of runs, with single cards over and under them, and few free spaces.

    Deals seldom have them and walks build them where they end, not under other cards: here the
    search meets units of several cards that it must first dig for, and the need to split them.
    """
    num_cells = rng.choice((0, 0, 0, 1, 1, 2, 3))
    foundations = [NUM_RANKS] * NUM_SUITS
    for _ in range(rng.randint(16, 52)):
        foundations[rng.choice([s for s in range(NUM_SUITS) if foundations[s]])] -= 1
    cut_chance = rng.choice((0.4, 0.55, 0.7))
    runs: list[list[int]] = []
    for suit, home in enumerate(foundations):
        for rank in range(NUM_RANKS, home, -1):
            if rank == NUM_RANKS or rng.random() < cut_chance or len(runs[-1]) == 4:
                runs.append([])
            runs[-1].append(make_card(suit, rank))
    long_runs = [run for run in runs if len(run) > 1]
    singles = [run[0] for run in runs if len(run) == 1]
    rng.shuffle(long_runs)
    # Low cards mostly at the bottom: else nearly all of the boards are won.
    noise = rng.choice((1, 3, 6))
    singles.sort(key=lambda c: rank_of(c) - foundations[suit_of(c)] + rng.uniform(0, noise))
    num_empty = rng.choice((0, 1, 1, 2, 2, 3))
    num_held = max(0, min(num_cells, num_cells + num_empty - rng.choice((1, 2, 2, 3))))
    held: list[int | None] = [singles.pop() for _ in range(min(num_held, len(singles)))]
    columns: list[list[int]] = [[] for _ in range(NUM_COLUMNS - num_empty)]
    num_under = len(singles) * 2 // 3
    for i, card in enumerate(singles[:num_under]):
        columns[i % len(columns)].append(card)
    for run in [*long_runs, *([card] for card in singles[num_under:])]:
        rng.choice(columns).extend(run)
    columns += [[] for _ in range(num_empty)]
    held += [None] * (num_cells - len(held))
    return Position(tuple(map(tuple, columns)), tuple(held), tuple(foundations))


def boards_of_units(first: int, last: int) -> list[PackedPosition]:
    """`board_of_units` for seeds from `first` to before `last`, but for those that are won."""
    boards = (board_of_units(random.Random(f"units {seed}")) for seed in range(first, last))
    return [packed for packed in map(packed_or_none, boards) if packed is not None]
