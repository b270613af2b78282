"""How many nodes the searches take, exactly: a change of any of these is made on purpose.

Answers stay right when a bound gets weaker, an order is turned round or nodes are expanded again;
only these numbers would tell. Who changes them says in the commit message why.
"""

from __future__ import annotations

import numpy as np
import pytest

from boulanger.engine.deals.dealers import MS
from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.packed.packing import pack_position
from boulanger.engine.position import Position
from boulanger.solver.line.search import NUM_EXPANDED, WON, SearchMemory, run_slice
from boulanger.solver.line.solve import first_solution
from boulanger.solver.optimal.shortest import find_shortest
from boulanger.solver.optimal.solve import solve
from boulanger.solver.result import Measure, Verdict
from boulanger.solver.verdict.classify import classify
from tests.plain import boards_of_units


@pytest.mark.parametrize(
    ("num_cells", "total"),
    [
        (0, 1_128),
        (1, 4_969),
        (2, 23_792),
        (3, 77_644),
        (4, 116_915),
        (5, 76_397),
        (6, 55_002),
        (8, 40_250),
    ],
)
def test_nodes_of_verdicts(num_cells: int, total: int) -> None:
    _, nodes = classify(deal_many("ms", np.arange(1, 301)), num_cells)
    assert nodes.sum() == total


def test_nodes_of_verdicts_on_boards_of_units() -> None:
    total = 0
    for packed in boards_of_units(0, 400):
        total += first_solution(packed.position).num_nodes
    assert total == 25_972


@pytest.mark.parametrize(
    ("num_cells", "measure", "total"),
    [
        (4, Measure.PLIES, 253_948),
        (4, Measure.ACTIONS, 159_747),
        (2, Measure.PLIES, 30_326),
        (2, Measure.ACTIONS, 13_959),
    ],
)
def test_nodes_of_shortest_solutions(num_cells: int, measure: Measure, total: int) -> None:
    numbers = range(1, 25) if num_cells == 4 else range(1, 101)
    positions = (Position.from_deal(MS.deal(number), num_cells) for number in numbers)
    assert sum(find_shortest(position, measure).num_nodes for position in positions) == total


def test_lengths_of_lines() -> None:
    """What `first_solution` finds in its corridor, shortened: plies and actions of all."""
    num_plies = num_actions = 0
    for number in range(1, 61):
        solution = first_solution(Position.from_deal(MS.deal(number), 4)).solution
        if solution is not None:
            num_plies += solution.length(Measure.PLIES)
            num_actions += solution.length(Measure.ACTIONS)
    assert (num_plies, num_actions) == (5_592, 5_030)


def test_lengths_of_short_solutions() -> None:
    """What `solve` answers: proven shortest in actions, all of them."""
    solved = [solve(Position.from_deal(MS.deal(number), 4)) for number in range(1, 61)]
    won = [result for result in solved if result.verdict == Verdict.WINNABLE]
    assert sum(result.shortest.length or 0 for result in won if result.shortest) == 3_878
    assert sum(result.shortest.num_nodes for result in won if result.shortest) == 427_230
    assert all(result.is_shortest for result in won)


def test_nodes_of_the_plain_search() -> None:
    total = 0
    memory = SearchMemory()
    for number in (1, 2, 3, 5, 8):
        packed = pack_position(Position.from_deal(MS.deal(number), 4))
        memory.begin()
        while run_slice(memory, packed.layout, 4, packed.state, 10**9) != WON:
            assert memory.grow(1 << 30)
        total += int(memory.counters[NUM_EXPANDED])
    assert total == 19_917
