"""The parts of a rating: what may make a deal hard, each measured by itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from boulanger.engine.moves import Zone
from boulanger.engine.packed.jit import is_compiled
from boulanger.engine.packed.layout import card_bit
from boulanger.engine.packed.packing import PackedPosition, pack_position
from boulanger.engine.packed.state import TO_CELL, TO_COLUMN, TO_PARENT
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action, moving_cards
from boulanger.solver.line.solve import almost_won
from boulanger.solver.optimal.shortest import find_shortest
from boulanger.solver.optimal.shortest import is_ready as is_shortest_ready
from boulanger.solver.optimal.shortest import prepare as prepare_shortest
from boulanger.solver.rating.forgiveness import (
    NUM_ACTIONS,
    NUM_FIELDS,
    NUM_FREE,
    NUM_GREEDY,
    NUM_GREEDY_LOSING,
    NUM_KEEPING,
    NUM_UNDECIDED,
    survey,
)
from boulanger.solver.rating.outcomes import make_workbench
from boulanger.solver.rating.players import NUM_PLAYERS, count_wins, make_scratch
from boulanger.solver.result import Limits, Measure, ShortestResult, Solution
from boulanger.solver.verdict.classify import classify_positions
from boulanger.solver.verdict.decide import UNDECIDED, WINNABLE

NUM_GAMES: Final = (100, 200, 300, 150)
"""Games that the random, greedy, planner and careful player play; see `solver.rating.players`."""

OPENING: Final = 10
"""How many decisions of good play are the opening."""

SHORTEST_LIMITS: Final = Limits(max_nodes=1_000_000)
"""Nodes, not seconds, so that a rating is the same on every machine."""

VERDICT_NODES: Final = 20_000_000
"""For each verdict of a rating; no deal of a million needed so many."""

_FIRST_SEEN: Final = 1 << 12
_LAST_SEEN: Final = 1 << 20
_KINDS: Final = {Zone.CELL: TO_CELL, Zone.COLUMN: TO_COLUMN}


@dataclass(frozen=True, slots=True)
class Forgiveness:
    """Which actions keep the win along a shortest solution in actions; verdicts are exact.

    Attributes:
        num_first: legal actions at the first decision, and num_first_keeping: those of them that
            keep the win.
        opening: of the legal actions at a decision, the share that keep the win; the mean over the
            first `OPENING` decisions.
        whole: the same over all decisions; 1 if there are none.
        first_trap: how many decisions come before the first one at which at least half of the
            actions that the greedy player likes best lose; None if there is none.
        num_decisions: how many decisions there are.
        fewest_free: free spaces (cells and empty columns) when they are fewest at a decision.
    """

    num_first: int
    num_first_keeping: int
    opening: float
    whole: float
    first_trap: int | None
    num_decisions: int
    fewest_free: int


@dataclass(frozen=True, slots=True)
class Parts:
    """What was measured of a winnable position.

    Attributes:
        num_cells: cells in play.
        min_cells: the smallest number of cells with which it can be won.
        is_min_certain: whether that is proven, as it is unless a limit was met.
        verdict_nodes: what the verdict took.
        plies, actions: of the shortest solutions, each proven or its lower bound known.
        forgiveness: along the solution shortest in actions.
        num_games, num_wins: of the random, greedy, planner and careful player.
    """

    num_cells: int
    min_cells: int
    is_min_certain: bool
    verdict_nodes: int
    plies: ShortestResult
    actions: ShortestResult
    forgiveness: Forgiveness
    num_games: tuple[int, ...]
    num_wins: tuple[int, ...]

    @property
    def effort(self) -> float:
        """log10 of the nodes of the verdict and of both shortest solutions."""
        return math.log10(self.verdict_nodes + self.plies.num_nodes + self.actions.num_nodes + 1)


def find_min_cells(position: Position, num_cells: int) -> tuple[int | None, bool]:
    """The smallest number of cells, at most `num_cells`, with which a position can be won.

    Returns:
        that number, None if there is none; and whether it is certain that no smaller one wins.
    """
    num_held = sum(card is not None for card in position.cells)
    is_certain = True
    for count in range(num_held, num_cells + 1):
        packed = pack_position(position.with_num_cells(count))
        verdicts, _ = classify_positions([packed], count, max_nodes=VERDICT_NODES)
        if verdicts[0] == WINNABLE:
            return count, is_certain
        is_certain = is_certain and bool(verdicts[0] != UNDECIDED)
    return None, is_certain


class Measurer:
    """Measures positions, one after another, in memory that is kept."""

    def __init__(self) -> None:
        self._bench = make_workbench(_FIRST_SEEN)
        self._scratch = make_scratch()

    def measure(
        self, position: Position, seed: int = 0, num_games: tuple[int, ...] = NUM_GAMES
    ) -> Parts | None:
        """The parts of a position; None unless it is proven winnable within the limits.

        Args:
            position: with the number of cells that it is rated for.
            seed: 0..2^64 - 1, of the simulated players' games.
            num_games: for each player.
        """
        packed = pack_position(position)
        num_cells = position.num_cells
        verdicts, nodes = classify_positions([packed], num_cells, max_nodes=VERDICT_NODES)
        if verdicts[0] != WINNABLE:
            return None
        min_cells, is_min_certain = find_min_cells(position, num_cells)
        plies = find_shortest(position, measure=Measure.PLIES, limits=SHORTEST_LIMITS)
        actions = find_shortest(position, measure=Measure.ACTIONS, limits=SHORTEST_LIMITS)
        if actions.solution is None or min_cells is None:
            return None
        forgiveness = self._forgiveness(packed, actions.solution)
        wins = self._wins(packed, seed, num_games)
        return Parts(
            num_cells,
            min_cells,
            is_min_certain,
            int(nodes[0]),
            plies,
            actions,
            forgiveness,
            num_games,
            wins,
        )

    def _forgiveness(self, packed: PackedPosition, solution: Solution) -> Forgiveness:
        line = _line_of(solution)
        decisions = np.zeros((len(line), NUM_FIELDS), np.int64)
        bench, num_seen = self._bench, _FIRST_SEEN
        while True:
            survey(packed.layout, *_words(packed), line, self._scratch.steps, bench, decisions)
            if not decisions[:, NUM_UNDECIDED].any():
                return _summarise(decisions)
            # Rare; the larger tables go again with the position that needed them.
            num_seen *= 4
            if num_seen > _LAST_SEEN:
                raise MemoryError("a verdict along good play takes too much memory")
            bench = make_workbench(num_seen)

    def _wins(
        self, packed: PackedPosition, seed: int, num_games: tuple[int, ...]
    ) -> tuple[int, ...]:
        wins = np.zeros(NUM_PLAYERS, np.int64)
        count_wins(
            packed.layout,
            *_words(packed),
            np.array(num_games, np.int64),
            np.uint64(seed),
            self._scratch,
            self._bench,
            wins,
        )
        return tuple(int(number) for number in wins)


def is_ready() -> bool:
    """Whether `prepare` has nothing to compile; a good guess."""
    return is_compiled(count_wins, survey) and is_shortest_ready()


def prepare() -> None:
    """Compiles what measuring needs, once a machine, or loads it."""
    prepare_shortest()
    Measurer().measure(almost_won())


def _words(packed: PackedPosition) -> tuple[np.int64, np.uint64, np.uint64, np.uint64]:
    """The number of cells and the state, as kernels take them."""
    cells, bottoms, depths = packed.state
    return (
        np.int64(packed.position.num_cells),
        np.uint64(cells),
        np.uint64(bottoms),
        np.uint64(depths),
    )


def _line_of(solution: Solution) -> npt.NDArray[np.int64]:
    """A solution's actions but for foundation moves: highest card (bit index), kind; (n, 2)."""
    line = []
    position = solution.start
    for action in solution.actions:
        zone, index = action.destination
        if zone != Zone.FOUNDATION:
            onto_card = zone == Zone.COLUMN and bool(position.columns[index])
            kind = TO_PARENT if onto_card else _KINDS[zone]
            line.append((card_bit(moving_cards(position, action)[0]), kind))
        position = apply_action(position, action)
    return np.array(line, np.int64).reshape(-1, 2)


def _summarise(decisions: npt.NDArray[np.int64]) -> Forgiveness:
    num_decisions = len(decisions)
    if num_decisions == 0:
        return Forgiveness(0, 0, 1.0, 1.0, None, 0, 0)
    shares = decisions[:, NUM_KEEPING] / decisions[:, NUM_ACTIONS]
    traps = np.flatnonzero(2 * decisions[:, NUM_GREEDY_LOSING] >= decisions[:, NUM_GREEDY])
    return Forgiveness(
        int(decisions[0, NUM_ACTIONS]),
        int(decisions[0, NUM_KEEPING]),
        float(shares[:OPENING].mean()),
        float(shares.mean()),
        int(traps[0]) if traps.size else None,
        num_decisions,
        int(decisions[:, NUM_FREE].min()),
    )
