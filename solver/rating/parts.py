"""The parts of a rating: what may make a deal hard, each measured by itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.moves import Zone
from boulanger.engine.packed.jit import is_compiled
from boulanger.engine.packed.layout import card_bit
from boulanger.engine.packed.packing import PackedPosition, pack_position
from boulanger.engine.packed.state import TO_CELL, TO_COLUMN, TO_PARENT
from boulanger.engine.position import Position
from boulanger.engine.rules import moving_cards
from boulanger.solver.limits import DEFAULT_MAX_MEMORY, Limits, Reason
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
from boulanger.solver.result import Measure, ShortestResult, Solution, Verdict
from boulanger.solver.verdict.classify import classify_positions

NUM_GAMES: Final = (100, 200, 300, 150)
"""Games that the random, greedy, planner and careful player play; see `solver.rating.players`."""

OPENING: Final = 10
"""The opening is the first `OPENING` decisions of good play."""

SHORTEST_LIMITS: Final = Limits(max_nodes=1_000_000)
"""Nodes, not seconds, so that a rating is the same on every machine."""

VERDICT_NODES: Final = 20_000_000
"""For each verdict of a rating; no deal of a million needed that many."""

NUM_STEPS: Final = 6
"""Of measuring: the verdict, fewer cells, two shortest solutions, good play, the players' games."""

_FIRST_SEEN: Final = 1 << 12  # nodes that a verdict along good play has room for at first
_BYTES_A_SEEN: Final = 512  # of its tables, for one node: somewhat more than they take
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

    @property
    def trap_or_end(self) -> int:
        """`first_trap`, or the number of decisions if there is no trap."""
        return self.num_decisions if self.first_trap is None else self.first_trap


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


class Measured(NamedTuple):
    """What came of measuring a position.

    Attributes:
        verdict: exact, unless it is UNDECIDED.
        parts: None unless it is winnable and no limit was met.
        reason: the limit that was met, if WINNABLE has no parts.
    """

    verdict: Verdict
    parts: Parts | None
    reason: Reason | None


def find_min_cells(
    position: Position, num_cells: int, max_memory: int = DEFAULT_MAX_MEMORY
) -> tuple[int | None, bool]:
    """The smallest number of cells, at most `num_cells`, with which a position can be won.

    Returns:
        that number, None if there is none; and whether it is certain that no smaller one wins.
    """
    num_held = sum(card is not None for card in position.cells)
    is_certain = True
    for count in range(num_held, num_cells + 1):
        verdict, _ = _verdict_on(position.with_num_cells(count), max_memory)
        if verdict == Verdict.WINNABLE:
            return count, is_certain
        is_certain = is_certain and verdict != Verdict.UNDECIDED
    return None, is_certain


class Measurer:
    """Measures positions, one after another, in memory that is kept."""

    def __init__(self, max_memory: int = DEFAULT_MAX_MEMORY) -> None:
        """
        Args:
            max_memory: bytes that the tables of one search may take.
        """
        self._max_memory = max_memory
        self._bench = make_workbench(_FIRST_SEEN)
        self._scratch = make_scratch()

    def measure(
        self,
        position: Position,
        seed: int = 0,
        num_games: tuple[int, ...] = NUM_GAMES,
        on_look: Callable[[int], object] | None = None,
    ) -> Measured:
        """The parts of a position, if it is proven winnable within the limits.

        Args:
            position: with the number of cells that it is rated for.
            seed: 0..2^64 - 1, of the simulated players' games.
            num_games: for each player.
            on_look: called with the number of steps done, of `NUM_STEPS`, some thirty times a
                second; an exception that it raises ends the measuring.
        """

        def tell(num_done: int) -> None:
            if on_look is not None:
                on_look(num_done)

        verdict, num_nodes = _verdict_on(position, self._max_memory)
        if verdict != Verdict.WINNABLE:
            return Measured(verdict, None, None)
        tell(1)
        min_cells, is_min_certain = find_min_cells(position, position.num_cells, self._max_memory)
        lengths = []
        for num_done, measure in enumerate((Measure.PLIES, Measure.ACTIONS), start=2):
            tell(num_done)
            limits = Limits(SHORTEST_LIMITS.max_nodes, None, self._max_memory)
            lengths.append(
                find_shortest(
                    position,
                    measure,
                    limits=limits,
                    on_progress=lambda _, num_done=num_done: tell(num_done),  # type: ignore[misc]
                )
            )
        plies, actions = lengths
        if actions.solution is None or min_cells is None:
            return Measured(Verdict.WINNABLE, None, actions.reason)
        tell(4)
        packed = pack_position(position)
        forgiveness = self._forgiveness(packed, actions.solution)
        if forgiveness is None:
            return Measured(Verdict.WINNABLE, None, Reason.MEMORY)
        tell(5)
        wins = self._wins(packed, seed, num_games)
        parts = Parts(
            position.num_cells,
            min_cells,
            is_min_certain,
            num_nodes,
            plies,
            actions,
            forgiveness,
            num_games,
            wins,
        )
        return Measured(Verdict.WINNABLE, parts, None)

    def _forgiveness(self, packed: PackedPosition, solution: Solution) -> Forgiveness | None:
        """Along good play; None if a verdict on the way takes more memory than is allowed."""
        line = _line_of(solution)
        decisions = np.zeros((len(line), NUM_FIELDS), np.int64)
        bench, num_seen = self._bench, _FIRST_SEEN
        while True:
            survey(packed.layout, *_words(packed), line, self._scratch.steps, bench, decisions)
            if not decisions[:, NUM_UNDECIDED].any():
                return _summarise(decisions)
            # Rare; the larger tables go again with the position that needed them.
            num_seen *= 4
            if num_seen * _BYTES_A_SEEN > self._max_memory:
                return None
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
    prepare_games()
    prepare_survey()


def prepare_games() -> None:
    """Of that, what simulated games take; verdicts are compiled into it."""
    Measurer()._wins(pack_position(almost_won()), 0, (1,) * NUM_PLAYERS)


def prepare_survey() -> None:
    """And what looks at every action along good play."""
    packed = pack_position(almost_won())
    Measurer()._forgiveness(packed, Solution(packed.position, (), 0))


def _verdict_on(position: Position, max_memory: int) -> tuple[Verdict, int]:
    """The verdict on a position, and the nodes that it took."""
    verdicts, nodes = classify_positions(
        [pack_position(position)],
        position.num_cells,
        max_nodes=VERDICT_NODES,
        max_memory=max_memory,
    )
    return Verdict(int(verdicts[0])), int(nodes[0])


def _words(packed: PackedPosition) -> tuple[np.int64, tuple[np.uint64, np.uint64, np.uint64]]:
    """The number of cells and the state, as kernels take them."""
    cells, bottoms, depths = packed.state
    return (
        np.int64(packed.position.num_cells),
        (np.uint64(cells), np.uint64(bottoms), np.uint64(depths)),
    )


def _line_of(solution: Solution) -> npt.NDArray[np.int64]:
    """A solution's actions but for foundation moves: highest card (bit index), kind; (n, 2)."""
    line = []
    for step in solution.steps:
        zone, index = step.action.destination
        if zone != Zone.FOUNDATION:
            onto_card = zone == Zone.COLUMN and bool(step.before.columns[index])
            kind = TO_PARENT if onto_card else _KINDS[zone]
            line.append((card_bit(moving_cards(step.before, step.action)[0]), kind))
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
