"""Workers of a Dask cluster, on this machine or on others.

The scheduler gives each chunk to some worker, and once more to another if that one is lost. Parts
come back here to be written, so workers need no folder in common, only this program in the same
version; where they have one, they can write there themselves (`solver.catalogue.shared`). A worker
that lacks this program says so itself: what is sent to it needs nothing but Python.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import queue
import re
import time
import tomllib
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from boulanger.engine.errors import CatalogueError
from boulanger.engine.words import quoted
from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.shared import SharedFolder, open_to_workers, work_into
from boulanger.solver.catalogue.task import Stamp, Task, WorkersError
from boulanger.solver.catalogue.work import FinishedPart, MadePart, WrittenPart, work_on

ENVIRONMENT: Final = "env"
"""In the place of an address: the one that DASK_SCHEDULER_ADDRESS says."""

DEFAULT_WAIT: Final = 60.0  # seconds

_ADDRESS_VARIABLE: Final = "DASK_SCHEDULER_ADDRESS"
_ADDRESS: Final = re.compile(r"(?:[a-z]+://)?[^\s/]+:[0-9]{1,5}")
_TLS_KEYS: Final = {"ca": "tls_ca_file", "cert": "tls_client_cert", "key": "tls_client_key"}
# Chunks that are out, for each of the workers' threads: one to work on and one to go on with.
_CHUNKS_PER_THREAD: Final = 2
_MOST_OUT: Final = 4096
_MOST_FETCHED: Final = 64  # at once
# How often the number of workers is looked up, and how long to wait for an answer.
_SECONDS_BETWEEN_LOOKS: Final = 2.0
_SECONDS_TO_FETCH: Final = 20.0
_SECONDS_TO_CONNECT: Final = 10.0
# How often a chunk whose workers were lost is given out anew. The scheduler itself tries four times
# (`distributed.scheduler.allowed-failures`) before it gives up on one.
MAX_ROUNDS: Final = 3


@dataclass(frozen=True, slots=True)
class Address:
    """Where a scheduler is.

    Attributes:
        text: such as `tcp://192.168.1.10:8786`, or `env`; None if the file says it.
        scheduler_file: the file that the scheduler was told to write.
        tls_file: TOML with the paths `ca`, `cert` and `key`, for `tls://`.
    """

    text: str | None = None
    scheduler_file: Path | None = None
    tls_file: Path | None = None

    @property
    def name(self) -> str:
        """For sentences."""
        if self.scheduler_file is not None:
            return str(self.scheduler_file)
        return str(os.environ.get(_ADDRESS_VARIABLE) if self.text == ENVIRONMENT else self.text)


def connect(address: Address) -> Any:
    """A client of the scheduler there; close it when it is no longer needed.

    Raises:
        CatalogueError: if Dask is not installed, or there can be no scheduler at that address.
        WorkersError: if no scheduler answers.
    """
    if address.text == ENVIRONMENT and not os.environ.get(_ADDRESS_VARIABLE):
        raise CatalogueError(f"--cluster {ENVIRONMENT} needs an address in {_ADDRESS_VARIABLE}")
    if address.scheduler_file is None:
        if not _ADDRESS.fullmatch(address.name):
            raise CatalogueError(
                f"{quoted(address.name)} is not the address of a Dask scheduler; one such as "
                "tcp://192.168.1.10:8786 expected"
            )
    elif not address.scheduler_file.is_file():
        raise CatalogueError(
            f"there is no file {str(address.scheduler_file)!r}; a scheduler that is started with "
            "--scheduler-file writes it"
        )
    try:
        from distributed import Client
    except ImportError:
        raise CatalogueError(
            "--cluster needs Dask, which is not installed; `pip install 'boulanger[cluster]'` "
            "installs it"
        ) from None
    arguments: dict[str, Any] = {"timeout": _SECONDS_TO_CONNECT, "set_as_default": False}
    if address.tls_file is not None:
        arguments["security"] = _security(address.tls_file)
    if address.scheduler_file is not None:
        arguments["scheduler_file"] = str(address.scheduler_file)
    else:
        arguments["address"] = address.name
    try:
        return Client(**arguments)
    except OSError:  # a timeout is one
        raise WorkersError(
            f"no Dask scheduler answers at {address.name!r} within {_SECONDS_TO_CONNECT:.0f} "
            "seconds"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise CatalogueError(f"{address.name!r} leads to no Dask scheduler: {error}") from None


def num_threads(client: Any) -> int:
    """Of all workers that a cluster has now."""
    return sum(client.nthreads().values())


def cluster_workers(
    client: Any,
    *,
    wait: float = DEFAULT_WAIT,
    max_rounds: int = MAX_ROUNDS,
    on_wait: Callable[[str], None] | None = None,
    shared_folder: Path | None = None,
) -> Callable[..., Generator[FinishedPart, None, None]]:
    """The workers of a cluster for a `Run`.

    Args:
        client: a `distributed.Client`, which stays open.
        wait: seconds until a worker must have come, at the beginning and whenever all are gone.
        max_rounds: how often a chunk whose workers were lost is given out.
        on_wait: is told what is waited for; and "" when that is over.
        shared_folder: the run's folder, if all workers see it under this path and are to write
            there themselves; None if parts come back.
    """

    def work(
        chunks: Iterator[Chunk], task: Task, stamp: Stamp
    ) -> Generator[FinishedPart, None, None]:
        with contextlib.ExitStack() as stack:
            shared = None
            if shared_folder is not None:
                shared = stack.enter_context(open_to_workers(shared_folder))
            loop = _Loop(client, task, stamp, shared, wait, max_rounds, on_wait or _ignore)
            yield from loop.run(chunks)

    return work


@contextlib.contextmanager
def quiet_logs() -> Iterator[None]:
    """For a command: what Dask says of lost workers and connections is not for its reader."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _security(path: Path) -> Any:
    """What a file says of keys and certificates.

    Raises:
        CatalogueError: if it cannot be read, or says something else.
    """
    from distributed import Security

    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CatalogueError(f"{str(path)!r} cannot be read as TOML: {reason}") from None
    if set(given) != set(_TLS_KEYS) or not all(isinstance(v, str) for v in given.values()):
        raise CatalogueError(
            f'{str(path)!r} must have three paths, ca, cert and key, such as ca = "ca.pem"'
        )
    files = {key: path.parent / given[key] for key in _TLS_KEYS}
    for file in files.values():
        if not file.is_file():
            raise CatalogueError(f"{str(path)!r} names {str(file)!r}, which is not a file")
    named = {option: str(files[key]) for key, option in _TLS_KEYS.items()}
    return Security(require_encryption=True, **named)


def _ignore(what: str) -> None:
    """Nothing."""


def _on_worker(data: bytes) -> Any:
    """Runs on a worker, which may lack this program: so it uses nothing that needs it.

    Returns:
        ("done", the answer), ("import", "refused" or "run", the worker's name, what went wrong).
    """
    import pickle
    import socket

    stage = "import"
    try:
        function, arguments = pickle.loads(data)
        stage = "run"
        return "done", function(*arguments)
    except Exception as error:
        from distributed import get_worker

        name = f"{get_worker().address} on {socket.gethostname()}"
        if type(error).__name__ == "WorkersError":
            return "refused", name, str(error)
        return stage, name, f"{type(error).__name__}: {error}"


def _portable(function: Any) -> Any:
    """The function as if it stood in a script: then its code is sent, not its name."""
    copy = FunctionType(function.__code__, {"__builtins__": __builtins__}, function.__name__)
    copy.__module__ = "__main__"
    return copy


@dataclass(slots=True)
class _Sent:
    """A chunk that is out.

    Attributes:
        chunk: the chunk.
        future: of its part.
        round: how often it has been given out, this time with it.
    """

    chunk: Chunk
    future: Any
    round: int


class _Loop:
    """Gives chunks out and takes parts back, until all are done."""

    def __init__(
        self,
        client: Any,
        task: Task,
        stamp: Stamp,
        shared: SharedFolder | None,
        wait: float,
        max_rounds: int,
        on_wait: Callable[[str], None],
    ) -> None:
        self._client: Final = client
        self._task: Final = task
        self._stamp: Final = stamp
        self._shared: Final = shared
        self._wait: Final = wait
        self._max_rounds: Final = max_rounds
        self._on_wait: Final = on_wait
        self._function: Final = _portable(_on_worker)
        self._sent: Final[dict[str, _Sent]] = {}
        self._done: Final[queue.SimpleQueue[Any]] = queue.SimpleQueue()
        # Finished, but not fetched yet.
        self._ready: Final[dict[str, _Sent]] = {}
        self._limit = _CHUNKS_PER_THREAD
        self._looked = -_SECONDS_BETWEEN_LOOKS

    def run(self, chunks: Iterator[Chunk]) -> Generator[FinishedPart, None, None]:
        """The parts of all chunks, in the order in which they are finished.

        Raises:
            WorkersError: if the scheduler is lost, if all workers leave and none comes, if workers
                keep dying over a chunk, or if one is not of this version, or does not see the
                folder.
            RuntimeError: if a chunk fails in another way, by a fault of this program.
        """
        try:
            self._suit(num_threads(self._client))
            while True:
                # Even if there are no workers yet: an adaptive cluster starts them for work alone.
                while len(self._sent) < self._limit:
                    chunk = next(chunks, None)
                    if chunk is None:
                        break
                    self._send(chunk, 1)
                if not self._sent:
                    return
                self._await()
                yield from self._fetch()
        except (WorkersError, RuntimeError):
            raise
        except Exception as error:  # of whatever kind, it comes from other machines
            raise WorkersError(f"the Dask cluster failed: {error!r}") from error
        finally:
            if self._sent and self._client.status == "running":
                with contextlib.suppress(Exception):  # the scheduler may be gone
                    self._client.cancel([sent.future for sent in self._sent.values()])

    def _send(self, chunk: Chunk, number: int) -> None:
        arguments = (chunk, self._task, self._stamp)
        if self._shared is None:
            data = pickle.dumps((work_on, arguments))
        else:
            data = pickle.dumps((work_into, (self._shared, work_on, *arguments)))
        future = self._client.submit(self._function, data, pure=False)
        self._sent[future.key] = _Sent(chunk, future, number)
        future.add_done_callback(self._done.put)

    def _await(self) -> None:
        """Waits until some chunk has ended, in whatever way.

        Raises:
            WorkersError: if there are no workers and none comes, or if the scheduler is lost.
        """
        self._look()
        try:
            first = self._done.get(timeout=_SECONDS_BETWEEN_LOOKS)
        except queue.Empty:
            return
        for future in (first, *_drained(self._done)):
            sent = self._sent.get(future.key)
            # One of an earlier round may come late.
            if sent is not None and sent.future is future:
                self._ended(sent)

    def _ended(self, sent: _Sent) -> None:
        from distributed.scheduler import KilledWorker

        if sent.future.cancelled():
            raise WorkersError("the Dask scheduler was lost")
        if sent.future.status != "error":
            self._ready[sent.future.key] = sent
            return
        error = sent.future.exception(timeout=_SECONDS_TO_FETCH)
        if not isinstance(error, KilledWorker):
            raise WorkersError(f"the Dask cluster failed: {error!r}")
        del self._sent[sent.future.key]
        if sent.round >= self._max_rounds:
            raise WorkersError(f"workers keep dying over chunk {sent.chunk.index}: {error}")
        self._send(sent.chunk, sent.round + 1)

    def _fetch(self) -> Iterator[FinishedPart]:
        """The parts of chunks that have ended, fetched together."""
        # A result whose worker has left is made anew; its turn comes when it is there.
        batch = [s for s in self._ready.values() if s.future.status == "finished"]
        batch = batch[:_MOST_FETCHED]
        if not batch:
            return
        for sent, answer in self._gather(batch):
            del self._ready[sent.future.key], self._sent[sent.future.key]
            sent.future.release()
            yield self._part(sent.chunk, answer)

    def _gather(self, batch: Sequence[_Sent]) -> list[tuple[_Sent, Any]]:
        """What chunks came to; none of them if that takes too long, so they are asked for again."""

        async def gather() -> Any:
            futures = [sent.future for sent in batch]
            return await self._client.gather(futures, asynchronous=True)

        try:
            answers = self._client.sync(gather, callback_timeout=_SECONDS_TO_FETCH)
        except TimeoutError:
            return []
        return list(zip(batch, answers, strict=True))

    def _part(self, chunk: Chunk, answer: Any) -> FinishedPart:
        """The part in an answer of `_on_worker`.

        Raises:
            WorkersError: if the worker lacks this program, has another version, or does not see
                the folder.
            RuntimeError: if the chunk failed there.
        """
        if answer[0] == "done":
            part = answer[1]
            assert isinstance(part, MadePart | WrittenPart)
            return part
        stage, name, reason = answer
        if stage == "import":
            raise WorkersError(f"the worker {name} cannot import this program: {reason}")
        if stage == "refused":
            raise WorkersError(f"the worker {name} cannot be used: {reason}")
        raise RuntimeError(f"chunk {chunk.index} failed on the worker {name}: {reason}")

    def _look(self) -> None:
        """Looks from time to time how many workers there are, and waits if there are none.

        Raises:
            WorkersError: if none comes.
        """
        now = time.monotonic()
        if now - self._looked < _SECONDS_BETWEEN_LOOKS:
            return
        self._looked = now
        threads = num_threads(self._client)
        if not threads:
            self._on_wait(f"waiting for workers, up to {self._wait:.0f} seconds")
            try:
                self._client.wait_for_workers(1, timeout=self._wait)
            except TimeoutError:
                raise WorkersError(
                    f"the Dask scheduler at {self._client.scheduler.address!r} has no workers, and "
                    f"none came within {self._wait:.0f} seconds (--wait)"
                ) from None
            finally:
                self._on_wait("")
            threads = num_threads(self._client)
        self._suit(threads)

    def _suit(self, num_threads: int) -> None:
        """Has as many chunks out as suit this many threads."""
        self._limit = min(max(num_threads, 1) * _CHUNKS_PER_THREAD, _MOST_OUT)


def _drained(waiting: queue.SimpleQueue[Any]) -> Iterator[Any]:
    """What is in a queue now."""
    with contextlib.suppress(queue.Empty):
        while True:
            yield waiting.get_nowait()
