"""Where questions are worked on: a quick lane and a slow one, both threads of this process.

The kernels release the interpreter's lock, so a long search hardly holds up others. Of one
client's questions of a kind only the latest counts: an older one is cancelled, before it begins if
it still waits. A cancelled search ends within some hundredths of a second.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from boulanger.solver.web.errors import BusyError, Cancelled, OwnerError

QUICK: Final = "quick"
SLOW: Final = "slow"

_MAX_WAITING: Final = {QUICK: 256, SLOW: 16}

Answer = dict[str, Any]


@dataclass(eq=False)
class Job:
    """One question that is worked on.

    Attributes:
        on_progress: told now and then how far the work is, from the thread that does it.
        is_owner: whether whoever asks may change what is kept on this machine.
    """

    on_progress: Callable[[Answer], None] | None = None
    is_owner: bool = True
    _cancelled: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Lets the work end soon, without an answer."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits for the answer any more."""
        return self._cancelled.is_set()

    def go_on(self) -> None:
        """Raises Cancelled if the work should end."""
        if self.is_cancelled:
            raise Cancelled

    def needs_owner(self) -> None:
        """Raises OwnerError unless an owner asks."""
        if not self.is_owner:
            raise OwnerError("web.owner")

    def tell(self, progress: Answer) -> None:
        """Passes on how far the work is; raises Cancelled if it should end."""
        self.go_on()
        if self.on_progress is not None:
            self.on_progress(progress)


class Lanes:
    """The threads, and who waits for what."""

    def __init__(self, num_quick: int | None = None, num_slow: int = 1) -> None:
        num_quick = num_quick or max(2, min(4, os.cpu_count() or 2))
        self._lanes: Final = {
            QUICK: ThreadPoolExecutor(num_quick, "quick"),
            SLOW: ThreadPoolExecutor(num_slow, "slow"),
        }
        self._lock: Final = threading.Lock()
        self._open: Final = {QUICK: 0, SLOW: 0}
        self._latest: Final[dict[tuple[str, str], Job]] = {}
        self._jobs: Final[set[Job]] = set()

    def submit(
        self, lane: str, job: Job, work: Callable[[Job], Answer], owner: tuple[str, str] | None
    ) -> Future[Answer]:
        """Lets `work` be done; the future raises Cancelled if the job was cancelled before.

        Args:
            lane: QUICK or SLOW.
            job: what `work` is given.
            work: the question.
            owner: the client and the kind of its question; an older one of the same is cancelled.

        Raises:
            BusyError: if too many wait in the lane already.
        """
        with self._lock:
            if self._open[lane] >= _MAX_WAITING[lane]:
                raise BusyError("web.busy")
            self._open[lane] += 1
            self._jobs.add(job)
            if owner is not None:
                older = self._latest.get(owner)
                if older is not None:
                    older.cancel()
                self._latest[owner] = job
        future = self._lanes[lane].submit(_run, job, work)
        future.add_done_callback(lambda _: self._forget(lane, job, owner))
        return future

    @property
    def num_open(self) -> dict[str, int]:
        """How many questions wait or are worked on, for each lane."""
        with self._lock:
            return dict(self._open)

    def close(self) -> None:
        """Lets all work end; what waits is never begun."""
        with self._lock:
            for job in self._jobs:
                job.cancel()
        for pool in self._lanes.values():
            pool.shutdown(wait=False, cancel_futures=True)

    def _forget(self, lane: str, job: Job, owner: tuple[str, str] | None) -> None:
        with self._lock:
            self._open[lane] -= 1
            self._jobs.discard(job)
            if owner is not None and self._latest.get(owner) is job:
                del self._latest[owner]


def _run(job: Job, work: Callable[[Job], Answer]) -> Answer:
    job.go_on()
    answer = work(job)
    job.go_on()
    return answer
