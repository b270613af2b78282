"""Worker processes on this machine.

Each is given one chunk at a time through a pipe of its own, and the next one before its answer is
looked at. A worker writes no file and ends when its pipe does: so whatever becomes of this process,
nothing goes on behind its back. A worker that dies is replaced and its chunk is run again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Final

from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.task import Stamp, Task, WorkersError
from boulanger.solver.catalogue.work import MadePart, work_on

# Workers that died over one and the same chunk: more is no accident.
MAX_DEATHS: Final = 3
_SECONDS_TO_END: Final = 5.0
# Windows waits for 64 things at most, of which Python needs one for itself.
_MAX_AWAITED: Final = 60 if os.name == "nt" else 1 << 20
_SECONDS_A_GLANCE: Final = 0.02  # at each group of them, if they are more


def num_processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def local_workers(num_workers: int) -> Callable[..., Generator[MadePart, None, None]]:
    """Worker processes for a `Run`."""

    def work(chunks: Iterator[Chunk], task: Task, stamp: Stamp) -> Generator[MadePart, None, None]:
        return work_locally(chunks, task, num_workers)

    return work


def work_locally(
    chunks: Iterator[Chunk], task: Task, num_workers: int
) -> Generator[MadePart, None, None]:
    """The parts of all chunks, in the order in which they are finished.

    Closing the iterator ends the workers at once.

    Args:
        chunks: taken one by one, as workers become free.
        task: what is asked of each deal.
        num_workers: processes, at least 1.

    Raises:
        WorkersError: if workers cannot be started, or keep dying over a chunk.
        RuntimeError: if one fails in another way, by a fault of this program.
    """
    lost: list[Chunk] = []
    deaths: Counter[int] = Counter()
    workers: dict[Connection, _Worker] = {}

    def give(worker: _Worker | None) -> None:
        """Gives the next chunk to a worker, a new one if need be, or lets it go."""
        chunk = lost.pop() if lost else next(chunks, None)
        if chunk is not None:
            worker = worker or _Worker(task)
            workers[worker.connection] = worker
            worker.take(chunk)
        elif worker is not None:
            del workers[worker.connection]
            worker.end()

    try:
        for _ in range(num_workers):
            give(None)
        while workers:
            for connection in _ready(list(workers)):
                worker = workers[connection]
                chunk, answer = worker.chunk, worker.answer()
                if answer is None:
                    worker.kill()
                    del workers[worker.connection]
                    deaths[chunk.index] += 1
                    if deaths[chunk.index] == MAX_DEATHS:
                        raise WorkersError(
                            f"{MAX_DEATHS} worker processes died over chunk {chunk.index}, the "
                            f"last one with exit code {worker.process.exitcode}; is there enough "
                            "memory?"
                        )
                    lost.append(chunk)
                    give(None)
                elif isinstance(answer, MemoryError):
                    raise WorkersError("no memory left for the workers; fewer may do")
                elif isinstance(answer, Exception):
                    raise RuntimeError(f"chunk {chunk.index} failed") from answer
                else:
                    give(worker)
                    yield answer
    finally:
        for worker in workers.values():
            worker.kill()


def _ready(connections: Sequence[Connection]) -> list[Connection]:
    """Those that have something to be read; waits until there are some."""
    if len(connections) <= _MAX_AWAITED:
        return wait(connections)  # type: ignore[return-value]  # they are all Connections
    while True:
        for start in range(0, len(connections), _MAX_AWAITED):
            group = connections[start : start + _MAX_AWAITED]
            if found := wait(group, _SECONDS_A_GLANCE):
                return found  # type: ignore[return-value]


class _Worker:
    """One process and the chunk that it has."""

    chunk: Chunk

    def __init__(self, task: Task) -> None:
        context = multiprocessing.get_context("spawn")
        try:
            self.connection, its_end = context.Pipe()
            self.process = context.Process(target=_serve, args=(its_end, task), daemon=True)
            with _interrupts_held_back():
                self.process.start()
        except OSError as error:
            reason = error.strerror or error
            raise WorkersError(f"a worker process cannot be started: {reason}") from None
        its_end.close()

    def take(self, chunk: Chunk) -> None:
        """Gives a chunk to the worker, which has none: then it reads, so nothing can block."""
        self.chunk = chunk
        with contextlib.suppress(OSError):  # dead; `answer` will tell
            self.connection.send(chunk)

    def answer(self) -> MadePart | Exception | None:
        """What the worker sent; None if it died."""
        try:
            answer: Any = self.connection.recv()
        except (EOFError, OSError):
            return None
        assert isinstance(answer, MadePart | Exception)
        return answer

    def end(self) -> None:
        """Lets the worker go, since there is nothing left for it to do."""
        self.connection.close()
        self.process.join(_SECONDS_TO_END)

    def kill(self) -> None:
        """Ends the worker at once."""
        self.process.kill()
        self.process.join()
        self.connection.close()


def _serve(connection: Connection, task: Task) -> None:
    """The life of a worker: chunks in, parts out, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(EOFError, OSError):
        while True:
            chunk = connection.recv()
            answer: MadePart | Exception
            try:
                answer = work_on(chunk, task)
            except Exception as error:
                answer = error
            connection.send(answer)


@contextlib.contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """For starting processes that Ctrl-C, which a terminal sends to all, does not reach."""
    if sys.platform == "win32":
        import ctypes

        # A process that is started now ignores Ctrl-C; this one does so for a moment.
        set_handler = ctypes.windll.kernel32.SetConsoleCtrlHandler
        set_handler(None, True)
        try:
            yield
        finally:
            set_handler(None, False)
        return
    resource_tracker.ensure_running()  # its start would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
