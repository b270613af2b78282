"""`find_shortest`: a shortest solution of a position, proven, in plies or in actions."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

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
    line_to,
)
from boulanger.solver.line.solve import almost_won, solve
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
            Compiling is no part of the seconds: call `prepare` first if the first call must not
            wait for it.
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
        if self.reason == Reason.MEMORY and self.known is None:
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
        while not sweep_slice(task, self.packed.state, _VECTORS_PER_SLICE):
            if self._is_limit_met():
                return
        if self._run_slice(task):
            return
        if self.known is None:
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
        goal = int(self.memory.counters[GOAL])
        if goal == NO_NODE:
            return
        self.verdict = Verdict.WINNABLE
        line = line_to(self.memory, goal)
        if self.measure == Measure.PLIES:
            self.known = make_solution(self.position, line)
        else:
            self.known = make_solution_in_actions(self.position, line)

    def _settle(self) -> None:
        """No solution has fewer steps than the ceiling; and none has more if none was dropped."""
        if self.known is not None:
            return
        if self.memory.counters[NUM_DROPPED] == 0:
            self.verdict = Verdict.UNWINNABLE
        else:
            # Nothing as long as that has ever been seen. It would take more buckets.
            self.reason = Reason.MEMORY

    def _look_for_first_solution(self) -> None:
        """Asks `solve`, within the limits; as many nodes again, but only what time is left."""
        max_nodes, max_seconds = self.limits.max_nodes, self.limits.max_seconds
        if max_seconds is not None:
            max_seconds -= time.perf_counter() - self.started
            if max_seconds <= 0:
                return
        max_memory = max(MIN_MEMORY, self.limits.max_memory - self.memory.num_bytes)
        limits = Limits(max_nodes, max_seconds, max_memory, self.limits.on_look)
        first = solve(self.position, limits=limits)
        self.num_nodes_of_first = first.num_nodes
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
        if self.limits.on_look is not None:
            self.limits.on_look()
        max_nodes, max_seconds = self.limits.max_nodes, self.limits.max_seconds
        if max_nodes is not None and self.memory.counters[NUM_EXPANDED] >= max_nodes:
            self.reason = Reason.NODES
        elif max_seconds is not None and time.perf_counter() - self.started >= max_seconds:
            self.reason = Reason.SECONDS
        return self.reason is not None

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
