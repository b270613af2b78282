"""`prepare`: everything compiled before the first question, in as many processes as can help."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

# What a process that compiles writes to its standard output, a line each.
_COMPILED: Final = "compiled"
_DONE: Final = "done"

# Another process that compiles the same is waited for, but not longer than this.
_MAX_WAIT_SECONDS: Final = 120


class Task(NamedTuple):
    """Kernels that one process compiles.

    Attributes:
        place: the function that compiles them, or loads them: module and name.
        after: the tasks whose kernels are compiled into these.
        is_part: whether all that it compiles is compiled into others; good only for what another
            process does meanwhile.
    """

    place: str
    after: tuple[str, ...] = ()
    is_part: bool = False


# Where there is a choice, the first that can begin is begun: what most others wait for.
TASKS: Final = MappingProxyType(
    {
        "classes": Task("boulanger.solver.verdict.decide:compile_classes", is_part=True),
        "lattice": Task("boulanger.solver.verdict.decide:compile_lattice", is_part=True),
        "verdict": Task("boulanger.solver.verdict.classify:prepare", ("classes", "lattice")),
        "players": Task("boulanger.solver.rating.players:compile_players", is_part=True),
        "outcomes": Task("boulanger.solver.rating.outcomes:compile_outcomes", ("verdict",), True),
        "games": Task("boulanger.solver.rating.parts:prepare_games", ("players", "outcomes")),
        "search": Task("boulanger.solver.line.solve:prepare_lines"),
        "shortest": Task("boulanger.solver.optimal.shortest:prepare_steps"),
        "survey": Task("boulanger.solver.rating.parts:prepare_survey", ("players", "outcomes")),
        "scan": Task("boulanger.solver.identify.scan:prepare"),
        "deals": Task("boulanger.engine.deals.kernels:prepare"),
        "numbers": Task("boulanger.engine.deals.ms_search:prepare"),  # in no stage: half a second
    }
)
_VERDICTS: Final = ("classes", "lattice", "verdict")
_LINES: Final = (*_VERDICTS, "search")
_SOLUTIONS: Final = (*_LINES, "shortest")

STAGES: Final = MappingProxyType(
    {
        "verdicts": _VERDICTS,
        "catalogues": (*_VERDICTS, "deals"),
        "lines": _LINES,
        "solutions": _SOLUTIONS,
        "ratings": (*_SOLUTIONS, "players", "outcomes", "games", "survey"),
        "dealers": ("scan",),
    }
)
"""What is asked of the solver, and the tasks that it takes."""

# For each stage: how many kernels Numba compiles in two processes (those that both need count
# twice), and about how many seconds that takes on two quiet cores (Numba 0.68). A count that is out
# of date only makes the progress that is shown end early or late.
NUM_KERNELS: Final = MappingProxyType(
    {
        "verdicts": 85,
        "catalogues": 112,
        "lines": 115,
        "solutions": 140,
        "ratings": 185,
        "dealers": 17,
    }
)
SECONDS: Final = MappingProxyType(
    {"verdicts": 7, "catalogues": 7, "lines": 8, "solutions": 10, "ratings": 16, "dealers": 3}
)


def prepare(*, with_ratings: bool = True) -> None:
    """Compiles what the solver needs, once a machine, or loads it.

    Whoever wants answers in time calls this first: a search that finds its code not compiled
    compiles it, which no `Limits` interrupt.

    Args:
        with_ratings: what `rate` needs, too; it takes about as long as all else.

    >>> prepare(with_ratings=False)
    """
    _run_tasks(STAGES["ratings" if with_ratings else "solutions"])


def prepare_all() -> None:
    """The same for every kernel that there is."""
    _run_tasks(tuple(TASKS))


def _run_tasks(names: Sequence[str]) -> None:
    for name, task in TASKS.items():
        if name in names and not task.is_part:
            run_task(name)


def run_task(name: str) -> None:
    """Compiles the kernels of a task in this process, or loads them."""
    from importlib import import_module

    module, _, function = TASKS[name].place.partition(":")
    getattr(import_module(module), function)()


def compile_in_parallel(
    stage: str, show: Callable[[int], None], is_ready: Callable[[], bool]
) -> bool:
    """Compiles what a stage takes in processes of its own, one for each core; waits for them.

    Nothing is loaded here: whoever then asks finds machine code and loads it, and compiles himself
    what for any reason is not there. Processes that are told to compile at the same time wait for
    the first of them.

    Args:
        stage: a key of `STAGES`.
        show: called with the number of kernels compiled so far whenever one more is.
        is_ready: whether all is compiled, to be asked after such a wait.

    Returns:
        whether all is compiled; on a machine with one core nothing is done.
    """
    names = [name for name in TASKS if name in STAGES[stage]]
    num_processes = min(_num_cores(), len(names))
    if num_processes < 2 or not sys.executable:
        return False
    with _alone():
        return is_ready() or _Crew(names, show).work(num_processes)


def _num_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Keeps other processes that compile the same from it for the time being, where it can."""
    from filelock import FileLock, Timeout

    from boulanger.engine.packed.code_folder import cache_folder

    folder = cache_folder().parent
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError, Timeout):
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(FileLock(folder / "compile.lock", timeout=_MAX_WAIT_SECONDS))
        yield


class _Crew:
    """Processes that take tasks as they become ready, each after those that it needs."""

    def __init__(self, names: Sequence[str], show: Callable[[int], None]) -> None:
        self._show = show
        self._changed: Final = threading.Condition()
        self._waiting: Final = list(names)
        self._running: Final[set[str]] = set()
        self._num_compiled = 0
        self._has_failed = False

    def work(self, num_processes: int) -> bool:
        """Does it all, and says whether it could."""
        with contextlib.ExitStack() as stack:
            processes = [stack.enter_context(_worker()) for _ in range(num_processes)]
            threads = [
                threading.Thread(target=self._lead, args=(process,), daemon=True)
                for process in processes
            ]
            try:
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            finally:
                for process in processes:
                    process.kill()
        return not self._has_failed

    def _lead(self, process: subprocess.Popen[str]) -> None:
        """Gives one process task after task."""
        assert process.stdin is not None and process.stdout is not None
        while (name := self._next()) is not None:
            is_done = False
            with contextlib.suppress(OSError):
                process.stdin.write(name + "\n")
                process.stdin.flush()
                for line in process.stdout:
                    is_done = line.strip() == _DONE
                    if is_done:
                        break
                    self._count()
            with self._changed:
                self._running.discard(name)
                self._has_failed |= not is_done
                self._changed.notify_all()

    def _next(self) -> str | None:
        """The next task that can begin, once there is one; None when none is left."""
        with self._changed:
            while self._waiting and not self._has_failed:
                for name in self._waiting:
                    needed = TASKS[name].after
                    if not any(n in self._waiting or n in self._running for n in needed):
                        self._waiting.remove(name)
                        self._running.add(name)
                        return name
                self._changed.wait()
        return None

    def _count(self) -> None:
        with self._changed:
            self._num_compiled += 1
            self._show(self._num_compiled)


def _worker() -> subprocess.Popen[str]:
    """A process that runs tasks."""
    import boulanger

    # The same sources, wherever it is started from.
    top = str(Path(boulanger.__path__[0]).parent)
    paths = [top, *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, "-c", f"from {__name__} import serve_tasks; serve_tasks()"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def serve_tasks() -> None:
    """Runs the tasks named on standard input, and tells on standard output how far it is."""
    import gc

    from boulanger.engine.packed.jit import watch_compiling

    gc.disable()  # Numba makes millions of objects, and hardly any garbage
    watch_compiling(lambda _: print(_COMPILED, flush=True))
    for line in sys.stdin:
        run_task(line.strip())
        print(_DONE, flush=True)
