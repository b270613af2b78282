"""The relaxed lattice and what it stands on, against plain descriptions of the same."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boulanger.engine.deals.dealers import MS
from boulanger.engine.packed.layout import NUM_COLUMNS, card_bit
from boulanger.engine.packed.runs import hanging_on, run_down, run_up
from boulanger.engine.position import Position
from boulanger.solver.line.corridor import front_of
from boulanger.solver.optimal.solve import solve
from boulanger.solver.spaces import demand_of, spaces_needed, spaces_needed_with
from boulanger.solver.verdict import dealt as tables
from boulanger.solver.verdict.lattice import (
    event_steps,
    is_alive,
    make_labels,
    relaxed_steps,
)
from tests.plain import digging_walk, random_deal

pytestmark = pytest.mark.kernel

_MASKS = st.lists(st.integers(0, 51), max_size=16, unique=True)


def _mask(cards: list[int]) -> np.uint64:
    return np.uint64(sum(1 << card_bit(card) for card in cards))


def _stretches(cards: list[int]) -> list[list[int]]:
    """Maximal runs of consecutive ranks of a suit, each rising."""
    stretches: list[list[int]] = []
    for card in sorted(cards):
        if stretches and stretches[-1][-1] == card - 1 and card % 13:
            stretches[-1].append(card)
        else:
            stretches.append([card])
    return stretches


@given(_MASKS, st.integers(0, 8))
def test_spaces_needed_is_the_least_over_all_ways_to_use_the_columns(
    cards: list[int], num_columns: int
) -> None:
    stretches = _stretches(cards)
    for held in (None, *cards[:3]):
        least = None
        for count in range(min(num_columns, len(stretches)) + 1):
            for chosen in combinations(range(len(stretches)), count):
                in_columns = [stretches[i] for i in chosen]
                if held is not None and not any(held in stretch for stretch in in_columns):
                    continue
                spaces = len(cards) - sum(len(stretch) - 1 for stretch in in_columns)
                least = spaces if least is None else min(least, spaces)
        if held is None:
            assert spaces_needed(_mask(cards), np.int64(num_columns)) == least
        elif num_columns > 0:
            needed = spaces_needed_with(_mask(cards), _mask([held]), np.int64(num_columns))
            assert needed == least


@given(_MASKS, st.integers(0, 51))
def test_runs_up_and_down(cards: list[int], start: int) -> None:
    down, up = [start], [start]
    while down[-1] % 13 and down[-1] - 1 in cards:
        down.append(down[-1] - 1)
    while (up[-1] + 1) % 13 and up[-1] + 1 in cards:
        up.append(up[-1] + 1)
    assert run_down(_mask([start]), _mask(cards)) == _mask(down)
    assert run_up(_mask([start]), _mask(cards)) == _mask(up)
    assert hanging_on(_mask([start]), _mask(cards)) == _mask(down[1:])


class _Dealt:
    """The tables of a deal, and the same read off the columns in plain Python."""

    def __init__(self, position: Position) -> None:
        self.columns = [[card_bit(card) for card in column] for column in position.columns]
        self.dealt = np.zeros(tables.DEALT_SHAPE, np.uint64)
        flat = [card for column in self.columns for card in column]
        bits = np.zeros(52, np.int64)
        bits[: len(flat)] = flat
        lengths = np.array([[len(column) for column in self.columns]])
        tables.fill_dealt(self.dealt, bits, lengths, np.int64(0))
        self.bottoms = [sum(len(c) + 1 for c in self.columns[:i]) for i in range(NUM_COLUMNS)]

    def units(self, column: int) -> list[list[int]]:
        """The units of a column from the bottom up, each from its head to its tail."""
        units: list[list[int]] = []
        for card in self.columns[column]:
            if units and units[-1][-1] == card + 1 and card % 16 != 12:
                units[-1].append(card)
            else:
                units.append([card])
        return units


def _boards() -> list[Position]:
    boards = [Position.from_deal(MS.deal(number)) for number in range(1, 30)]
    for seed in range(60):
        rng = random.Random(f"board {seed}")
        boards += list(digging_walk(rng, random_deal(rng, 4), 60))[-1:]
    return boards


def test_the_tables_of_a_deal() -> None:
    for position in _boards():
        deal = _Dealt(position)
        for c, bottom in enumerate(deal.bottoms):
            units = deal.units(c)
            entry, heads = bottom, []
            for unit in units:
                heads.append(entry + 1)
                entry += len(unit)
            for u, unit in enumerate(units):
                entry = heads[u]
                bits = [1 << card for card in unit]
                assert tables.head_at(deal.dealt, entry) == bits[0]
                assert tables.tail_at(deal.dealt, entry) == bits[-1]
                assert tables.rest_at(deal.dealt, entry) == sum(bits[1:])
                assert tables.below(deal.dealt, entry) == (heads[u - 1] if u else bottom)
                assert tables.is_last_unit(deal.dealt, entry) == (u == 0)
                stop = next(v for v in range(u, -1, -1) if len(units[v]) > 1 or v == 0)
                assert tables.stop_entry(deal.dealt, entry) == heads[stop]
                assert tables.num_singles(deal.dealt, entry) == u - stop
                for card in unit:
                    assert tables.unit_of(deal.dealt, card) == entry
                    assert tables.column_of(deal.dealt, card) == c
        child_above = parent_above = 0
        for column in deal.columns:
            for i, card in enumerate(column):
                above = column[i + 1 :]
                is_followed = bool(above) and above[0] == card - 1
                if card % 16 and card - 1 in above and not is_followed:
                    child_above |= 1 << card
                if card % 16 != 12 and card + 1 in above:
                    parent_above |= 1 << card
        assert tables.child_above(deal.dealt) == child_above
        assert tables.parent_above(deal.dealt) == parent_above


class _PlainLattice:
    """The lattice dig by dig, on lists: every allowed dig is a step, none waits for an event."""

    def __init__(self, deal: _Dealt, num_cells: int) -> None:
        self.units = [deal.units(c) for c in range(NUM_COLUMNS)]
        self.num_cells = num_cells

    @cache  # noqa: B019 - lives as long as the test
    def is_alive(self, depths: tuple[int, ...]) -> bool:
        depths = self._home(depths)
        if not any(depths):
            return True
        return any(
            self.is_alive((*depths[:c], depths[c] - 1, *depths[c + 1 :]))
            for c in range(NUM_COLUMNS)
            if depths[c] and self._may_dig(depths, c)
        )

    def _loose(self, depths: tuple[int, ...]) -> tuple[set[int], set[int]]:
        """Loose cards and cards home; of the exposed unit only the head is intact."""
        intact = set()
        for units, depth in zip(self.units, depths, strict=True):
            for unit in units[:depth]:
                intact |= set(unit)
            if depth:
                intact -= set(units[depth - 1][1:])
        gone = {16 * suit + rank for suit in range(4) for rank in range(13)} - intact
        home = set()
        for suit in range(4):
            card = 16 * suit
            while card % 16 < 13 and card in gone:
                home.add(card)
                card += 1
        return gone - home, home

    def _home(self, depths: tuple[int, ...]) -> tuple[int, ...]:
        while True:
            _, home = self._loose(depths)
            for c, depth in enumerate(depths):
                if depth:
                    top = self.units[c][depth - 1][0]
                    if top % 16 == 0 or top - 1 in home:
                        depths = (*depths[:c], depth - 1, *depths[c + 1 :])
                        break
            else:
                return depths

    def _may_dig(self, depths: tuple[int, ...], column: int) -> bool:
        loose, _ = self._loose(depths)
        tops = {self.units[c][depth - 1][0] for c, depth in enumerate(depths) if depth}
        hanging: dict[int, list[int]] = {}
        for top in tops:
            hanging[top] = []
            card = top
            while card % 16 and card - 1 in loose:
                card -= 1
                hanging[top].append(card)
        below_tops = {card for cards in hanging.values() for card in cards}
        head = self.units[column][depths[column] - 1][0]
        held = (loose - below_tops) | set(hanging[head])
        num_emptied = depths.count(0)
        spaces = self.num_cells + num_emptied
        needed = _least_spaces(held, num_emptied)
        parent = head + 1 if head % 16 != 12 else None
        if needed + 1 <= spaces:
            return True
        if parent in tops | below_tops:
            return needed <= spaces
        if parent in held and num_emptied:
            stretch = {parent}
            for step in (1, -1):
                card = parent + step
                while card in held and 0 <= card % 16 < 13:
                    stretch.add(card)
                    card += step
            return _least_spaces(held - stretch, num_emptied - 1) + 1 <= spaces
        return False


def _least_spaces(cards: set[int], num_columns: int) -> int:
    lengths = [len(s) for s in _stretches([card - 3 * (card // 16) for card in cards])]
    longest = sorted(lengths, reverse=True)[:num_columns]
    return len(cards) - sum(length - 1 for length in longest)


class _Lattice:
    """The kernel with its memory."""

    def __init__(self) -> None:
        self.labels = make_labels(1 << 16, np.empty(NUM_COLUMNS, np.int64))
        self.generation = 0

    def is_alive(self, deal: _Dealt, num_cells: int, front: int) -> bool:
        self.generation += 1
        self.labels.num_labelled[0] = 0
        answer = is_alive(
            deal.dealt,
            np.int64(num_cells),
            np.uint64(front),
            np.uint64(self.generation),
            np.int64(1 << 15),
            self.labels,
        )
        assert answer >= 0
        return bool(answer)


@pytest.mark.parametrize("num_cells", (0, 1, 2, 3, 4))
def test_events_leave_the_same_fronts_alive(num_cells: int) -> None:
    """On against off: waiting for events against every dig a step, for starts and for mid-game."""
    lattice = _Lattice()
    answers = set()
    last = 512 + 40 // (1 + num_cells)
    boards = [Position.from_deal(MS.deal(number), num_cells) for number in range(500, last)]
    boards.append(Position.from_deal(MS.deal(5609), num_cells))  # won with a single cell
    for seed in range(60):
        rng = random.Random(f"lattice {seed}")
        boards += list(digging_walk(rng, random_deal(rng, num_cells), rng.randint(10, 50)))[-1:]
    for position in boards:
        deal = _Dealt(position)
        plain = _PlainLattice(deal, num_cells)
        depths = tuple(len(deal.units(c)) for c in range(NUM_COLUMNS))
        front = int(tables.start_front(deal.dealt))
        expected = plain.is_alive(depths)
        assert lattice.is_alive(deal, num_cells, front) == expected, position
        answers.add(expected)
    assert answers == ({True, False} if num_cells else {False})


def test_fronts_along_solutions_are_alive_and_fall() -> None:
    from boulanger.engine.packed.packing import pack_position, pack_state
    from boulanger.engine.rules import apply_ply, close

    lattice = _Lattice()
    for number in range(1, 60):
        position = Position.from_deal(MS.deal(number), 4)
        solution = solve(position).solution
        if solution is None:
            continue
        packed = pack_position(position)
        deal = _Dealt(packed.position)
        entries = [255] * NUM_COLUMNS
        here = position
        for ply in solution.plies:
            here = apply_ply(here, ply)
            if close(here)[1]:
                continue
            _, _, depths = pack_state(packed.layout, here)
            front = int(front_of(packed.layout, deal.dealt, np.uint64(depths)))
            assert lattice.is_alive(deal, 4, front)
            now = [front >> (8 * c) & 255 for c in range(NUM_COLUMNS)]
            assert all(a <= b for a, b in zip(now, entries, strict=True))
            entries = now


def test_fronts_without_a_free_space_have_the_same_steps_by_the_short_rule() -> None:
    """The steps themselves, on against off: `tight_steps` and the rule for any front."""
    labels = make_labels(1 << 4, np.empty(NUM_COLUMNS, np.int64))
    num_tight = num_steps = 0
    base = np.int64(0)
    for seed in range(400):
        rng = random.Random(f"tight {seed}")
        num_cells = seed % 4
        for position in digging_walk(rng, random_deal(rng, num_cells), rng.randint(10, 50)):
            deal = _Dealt(position)
            front = np.uint64(tables.start_front(deal.dealt))
            for _ in range(8):
                words = map(np.uint64, tables.front_masks(deal.dealt, front))
                words = tables.play_tops_home(deal.dealt, front, *words)
                front, intact, tops = words = tuple(map(np.uint64, words))
                if tops == 0:
                    break
                count = relaxed_steps(deal.dealt, np.int64(num_cells), *words, labels, base)
                steps = labels.steps[:count].tolist()
                demand = demand_of(np.int64(num_cells), *words)
                if demand.free == 0:
                    demand = type(demand)(*map(np.uint64, demand[:4]), *demand[4:])
                    count = event_steps(deal.dealt, demand, intact, tops, labels, base)
                    assert sorted(labels.steps[:count].tolist()) == sorted(steps)
                    num_tight += 1
                    num_steps += count
                if not steps:
                    break
                front = np.uint64(rng.choice(steps))
    assert num_tight > 1000 and num_steps > 100
