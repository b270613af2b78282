"""`find_shortest`: a shortest solution of a position, proven, in plies or in actions.

`find_short` runs the same search with limits of its own, so tight that `solve` can show what comes
out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from boulanger.engine.cards import NUM_RANKS, NUM_SUITS
from boulanger.engine.game import Game, position_of
from boulanger.engine.packed.jit import is_compiled
from boulanger.engine.packed.packing import PackedPosition, pack_position
from boulanger.engine.position import Position
from boulanger.solver.limits import MIN_MEMORY, Limits, Reason
from boulanger.solver.line.replay import make_solution, make_solution_in_actions
from boulanger.solver.line.search import (
    BEST_BUCKET,
    FULL,
    GOAL,
    NO_NODE,
    NUM_EXPANDED,
    NUM_NODES,
    PAUSED,
    line_to,
)
from boulanger.solver.line.solve import almost_won, first_solution
from boulanger.solver.line.solve import is_ready as is_solve_ready
from boulanger.solver.line.solve import prepare as prepare_solve
from boulanger.solver.optimal.astar import (
    CEILING,
    NUM_DROPPED,
    SETTLED,
    ShortestMemory,
    Task,
    find_shortest_on,
    make_task,
    run_slice,
    sweep_on,
    sweep_slice,
)
from boulanger.solver.optimal.digs import ACTIONS, PLIES, Digs, make_digs, num_vectors
from boulanger.solver.result import Measure, Progress, ShortestResult, Solution, Verdict

# Expanded positions between two looks at the clock: a few hundredths of a second. Nine deals of ten
# are settled in the first of these slices; for the others a first solution is looked for then.
_NODES_PER_SLICE: Final = 30_000

# The same for vectors of depths, which are cheaper.
_VECTORS_PER_SLICE: Final = 300_000

# A first solution comes from the same search with a weight on its lower bound, if that expands no
# more than so many positions; a thousand are usual. A weight of 3/8 costs one or two steps. Where
# it does not lead to the end, a whole one does as a rule, and costs some four.
MAX_WEIGHTED_NODES: Final = 50_000
WEIGHTS: Final = (3, 8)

# What `find_short` may do: expand so many positions, which prove the shortest solution of 996 in
# 1000 Microsoft deals with 4 cells (`python -m benchmarks.short`); and count so many vectors of the
# table of digs, which are all that there are with up to 5 cells, and nearly always with 6.
MAX_SHORT_NODES: Final = 100_000
MAX_SHORT_VECTORS: Final = 300_000

_KERNEL_MEASURES: Final = {Measure.PLIES: PLIES, Measure.ACTIONS: ACTIONS}


def find_shortest(
    position: Position | Game,
    measure: Measure = Measure.ACTIONS,
    *,
    limits: Limits | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    known: Solution | None = None,
) -> ShortestResult:
    """A shortest solution of a position, with the proof that none is shorter.

    Args:
        position: any legal position, with its number of cells; foundation moves that it has pending
            open the solution and count.
        measure: what lengths count.
        limits: how far to search; see `Limits`. When one is met, the best solution known and the
            proven lower bound come back, and nothing is claimed. The limit of nodes holds for this
            search, and by itself for that of a first solution, which is made if this one is long.
        on_progress: called every few hundredths of a second; an exception that it raises ends the
            search, and comes out of it.
        known: any solution of the position, if there is one already.

    Raises:
        BoardError: if the position is not legal.

    >>> found = find_shortest(Position.from_ms(1))
    >>> found.length, found.is_proven, found.measure.value
    (83, True, 'actions')
    """
    position, limits = position_of(position), limits or Limits()
    search = _Search(position, Measure(measure), limits, on_progress, pack_position(position))
    search.run(known)
    return search.result()


def find_short(position: Position, packed: PackedPosition, limits: Limits) -> ShortestResult:
    """A solution, in actions, that is short, and mostly proven shortest, for little.

    Apart from those given it has limits of its own: of nodes, and of the table of digs. When they
    are met, the reason is NODES, and the solution a few actions longer than the shortest; or there
    is none, if it takes more than they allow.

    Args:
        position: any legal position; packed: the same.
        limits: how far to search.
    """
    max_nodes = min(limits.max_nodes or MAX_SHORT_NODES, MAX_SHORT_NODES)
    limits = replace(limits, max_nodes=max_nodes)
    search = _Search(position, Measure.ACTIONS, limits, None, packed, is_quick=True)
    search.run(None)
    return search.result()


def is_ready() -> bool:
    """Whether `prepare` has nothing to compile; a good guess."""
    return is_compiled(find_shortest_on, sweep_on) and is_solve_ready()


def prepare() -> None:
    """Compiles what `find_shortest` needs, once a machine, or loads it."""
    prepare_steps()
    prepare_solve()


def prepare_steps() -> None:
    """The same without what `solve` takes."""
    packed, memory = pack_position(almost_won()), ShortestMemory()
    memory.begin()
    task = make_task(packed.layout, packed.position.num_cells, PLIES, make_digs(packed.layout))
    sweep_slice(task, packed.state, 0)
    run_slice(memory, task, packed.state, 0)


@dataclass
class _Search:
    """A search under way, its limits, and the best solution known."""

    position: Position
    measure: Measure
    limits: Limits
    on_progress: Callable[[Progress], None] | None
    packed: PackedPosition
    is_quick: bool = False  # whether it rather ends than takes long
    memory: ShortestMemory = field(default_factory=ShortestMemory)
    started: float = field(default_factory=time.perf_counter)
    # Foundation moves: one for each card that is not home, in every solution.
    num_home: int = 0
    num_nodes_of_first: int = 0  # of the search for a first solution
    known: Solution | None = None
    verdict: Verdict = Verdict.UNDECIDED
    reason: Reason | None = None
    seconds: float = 0.0

    def run(self, known: Solution | None) -> None:
        """Searches until the shortest solution is proven, or that there is none, or a limit."""
        self.num_home = NUM_RANKS * NUM_SUITS - sum(self.position.foundations)
        self.memory.begin()
        if known is not None:
            self._learn(known)
        if num_vectors(self.packed.layout) + self.memory.num_bytes > self.limits.max_memory:
            self.reason = Reason.MEMORY
        else:
            self._run_slices(make_digs(self.packed.layout))
        if self.reason == Reason.MEMORY and self.known is None and not self.is_quick:
            self._look_for_first_solution()
        self.seconds = time.perf_counter() - self.started

    def result(self) -> ShortestResult:
        """What came out."""
        is_proven = self.verdict == Verdict.WINNABLE and self.reason is None
        return ShortestResult(
            self.position,
            self.measure,
            self.verdict,
            is_proven,
            self._length(self.known),
            None if self.verdict == Verdict.UNWINNABLE else self._lower_bound(),
            self.reason,
            self._num_nodes(),
            self.seconds,
            self.known,
        )

    def _run_slices(self, digs: Digs) -> None:
        task = make_task(
            self.packed.layout, self.position.num_cells, _KERNEL_MEASURES[self.measure], digs
        )
        num_left = MAX_SHORT_VECTORS
        while not sweep_slice(task, self.packed.state, _VECTORS_PER_SLICE):
            num_left -= _VECTORS_PER_SLICE
            if self.is_quick and num_left <= 0:
                self.reason = Reason.NODES
            if self._is_limit_met():
                return
        if self._run_slice(task):
            return
        if self.known is None:
            self._look_with_weight(task)
        if self.known is None and not self.is_quick:
            self._look_for_first_solution()
        while self.verdict != Verdict.UNWINNABLE and not self._is_limit_met():
            if self.on_progress is not None:
                self.on_progress(self._progress(digs))
            if self._run_slice(task):
                return

    def _run_slice(self, task: Task) -> bool:
        """Expands some positions; whether that ended the search."""
        budget = int(self.memory.counters[NUM_EXPANDED]) + _NODES_PER_SLICE
        if self.limits.max_nodes is not None:
            budget = min(budget, self.limits.max_nodes)
        max_bytes = self.limits.max_memory - task.digs.counts.nbytes
        while True:
            outcome = run_slice(self.memory, task, self.packed.state, budget)
            if outcome == FULL and not self.memory.grow(max_bytes):
                self.reason = Reason.MEMORY
            if outcome != FULL or self.reason is not None:
                break
        self._take_solution()
        if outcome == SETTLED:
            self._settle()
        return outcome == SETTLED or self.reason is not None

    def _take_solution(self) -> None:
        """Takes over the solution that the search has found, if it has; it is a better one."""
        solution = self._solution_in(self.memory)
        if solution is not None:
            self.verdict = Verdict.WINNABLE
            self.known = solution

    def _solution_in(self, memory: ShortestMemory) -> Solution | None:
        """The solution, replayed, that a search with this memory has found, if it has."""
        goal = int(memory.counters[GOAL])
        if goal == NO_NODE:
            return None
        line = line_to(memory, goal)
        if self.measure == Measure.PLIES:
            return make_solution(self.position, line)
        return make_solution_in_actions(self.position, line)

    def _settle(self) -> None:
        """No solution has fewer steps than the ceiling; and none has more if none was dropped."""
        if self.known is not None:
            return
        if self.memory.counters[NUM_DROPPED] == 0:
            self.verdict = Verdict.UNWINNABLE
        else:
            # Nothing as long as that has ever been seen. It would take more buckets.
            self.reason = Reason.MEMORY

    def _look_with_weight(self, task: Task) -> None:
        """Looks for a short solution with a weight on the bound; each has nodes of its own."""
        max_bytes = self.limits.max_memory - task.digs.counts.nbytes - self.memory.num_bytes
        memory = ShortestMemory()
        if memory.num_bytes > max_bytes:
            return
        for weight in WEIGHTS:
            memory.begin()
            self._run_weighted(memory, task._replace(weight=np.int64(weight)), max_bytes)
            solution = self._solution_in(memory)
            if solution is not None:
                self._learn(solution)
                return

    def _run_weighted(self, memory: ShortestMemory, task: Task, max_bytes: int) -> None:
        """Runs one such search to a solution, to its limit of nodes, or to one of ours."""
        num_left = min(self.limits.max_nodes or MAX_WEIGHTED_NODES, MAX_WEIGHTED_NODES)
        outcome = PAUSED
        while outcome in (PAUSED, FULL) and num_left > 0 and not self._is_time_over():
            before = int(memory.counters[NUM_EXPANDED])
            budget = before + min(num_left, _NODES_PER_SLICE)
            outcome = run_slice(memory, task, self.packed.state, budget)
            num_left -= int(memory.counters[NUM_EXPANDED]) - before
            if outcome == FULL and not memory.grow(max_bytes):
                break
        self.num_nodes_of_first = max(self.num_nodes_of_first, int(memory.counters[NUM_EXPANDED]))

    def _look_for_first_solution(self) -> None:
        """Asks `first_solution`, within the limits: as many nodes again, what time is left."""
        max_nodes, max_seconds = self.limits.max_nodes, self.limits.max_seconds
        if max_seconds is not None:
            max_seconds -= time.perf_counter() - self.started
            if max_seconds <= 0:
                return
        max_memory = max(MIN_MEMORY, self.limits.max_memory - self.memory.num_bytes)
        limits = Limits(max_nodes, max_seconds, max_memory, self.limits.on_look)
        first = first_solution(self.position, limits=limits)
        self.num_nodes_of_first = max(self.num_nodes_of_first, first.num_nodes)
        self.verdict = first.verdict
        if self.verdict == Verdict.UNWINNABLE:
            self.reason = None
        if first.solution is not None:
            self._learn(first.solution)

    def _learn(self, solution: Solution) -> None:
        """From now on only shorter solutions than this one count."""
        self.verdict = Verdict.WINNABLE
        self.known = solution
        num_steps = solution.length(self.measure) - self.num_home
        counters = self.memory.counters
        counters[CEILING] = min(counters[CEILING], num_steps)

    def _is_limit_met(self) -> bool:
        max_nodes, is_time_over = self.limits.max_nodes, self._is_time_over()
        if max_nodes is not None and self.memory.counters[NUM_EXPANDED] >= max_nodes:
            self.reason = Reason.NODES
        elif is_time_over:
            self.reason = Reason.SECONDS
        return self.reason is not None

    def _is_time_over(self) -> bool:
        """A look at the clock."""
        if self.limits.on_look is not None:
            self.limits.on_look()
        max_seconds = self.limits.max_seconds
        return max_seconds is not None and time.perf_counter() - self.started >= max_seconds

    def _num_nodes(self) -> int:
        return max(int(self.memory.counters[NUM_EXPANDED]), self.num_nodes_of_first)

    def _length(self, solution: Solution | None) -> int | None:
        return None if solution is None else solution.length(self.measure)

    def _lower_bound(self) -> int:
        counters = self.memory.counters
        if counters[NUM_NODES] == 0:
            return self.num_home
        return self.num_home + int(min(counters[BEST_BUCKET], counters[CEILING]))

    def _progress(self, digs: Digs) -> Progress:
        return Progress(
            self._lower_bound(),
            self._length(self.known),
            self._num_nodes(),
            time.perf_counter() - self.started,
            self.memory.num_bytes + digs.counts.nbytes,
        )
