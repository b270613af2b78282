"""Workers of a Dask cluster, on this machine or on others.

The scheduler gives each chunk to some worker, and once more to another if that one is lost. Parts
come back here to be written, so workers need no folder in common, only this program in the same
version.
"""

from __future__ import annotations

import contextlib
import logging
import re
import time
from collections.abc import Generator, Iterator
from typing import Any, Final

from boulanger.engine.errors import CatalogueError
from boulanger.engine.words import quoted
from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.work import Part, Task, WorkersError, work_on

_ADDRESS: Final = re.compile(r"(?:[a-z]+://)?[^\s/]+:[0-9]{1,5}")
# Chunks that are out, for each of the workers' threads: one to work on and one to go on with.
_CHUNKS_PER_THREAD: Final = 2
_MOST_OUT: Final = 4096
# How often the number of workers is looked up, and how long to wait for an answer.
_SECONDS_BETWEEN_LOOKS: Final = 2.0
_SECONDS_BETWEEN_GLANCES: Final = 0.01  # at whether a chunk has come back
_SECONDS_TO_CONNECT: Final = 10.0
_SECONDS_TO_COME: Final = 60.0


def work_on_cluster(
    chunks: Iterator[Chunk], task: Task, address: str
) -> Generator[Part, None, None]:
    """The parts of all chunks, in the order in which they are finished.

    Args:
        chunks: taken as workers become free, which may come and go.
        task: what is asked of each deal.
        address: of the scheduler, such as `tcp://192.168.1.10:8786`.

    Raises:
        CatalogueError: if `address` is not one.
        WorkersError: if there is no such scheduler, if it is lost, if all workers leave and none
            comes, or if workers keep dying.
    """
    if not _ADDRESS.fullmatch(address):
        raise CatalogueError(
            f"{quoted(address)} is not the address of a Dask scheduler; one such as "
            "tcp://192.168.1.10:8786 expected"
        )
    try:
        from distributed import Client, as_completed
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise WorkersError(
            "--cluster needs Dask: install boulanger with its extra `cluster`"
        ) from None

    # What it says of lost workers and connections is not for the reader.
    for name in ("distributed", "distributed.client", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except OSError:  # a timeout is one
        raise WorkersError(
            f"no Dask scheduler answers at {address!r} within {_SECONDS_TO_CONNECT:.0f} seconds"
        ) from None
    try:
        _wait_for_workers(client, address)
        limit = _Limit(client)
        out = as_completed(loop=client.loop)
        num_out = 0
        while True:
            while num_out < limit.chunks_out() and (chunk := next(chunks, None)) is not None:
                out.add(client.submit(work_on, chunk, task, pure=False))
                num_out += 1
            if num_out == 0:
                return
            future = _next_done(out, client, address)
            num_out -= 1
            if future.cancelled():
                raise WorkersError(f"the Dask scheduler at {address!r} was lost")
            part = _result_of(future, client, address)
            future.release()
            assert isinstance(part, Part)
            yield part
    except WorkersError:
        raise
    except KilledWorker as error:
        raise WorkersError(f"workers keep dying over a chunk: {error}") from None
    except Exception as error:  # of whatever kind, it comes from other machines
        raise WorkersError(f"the Dask cluster at {address!r} failed: {error!r}") from error
    finally:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            client.close(timeout=_SECONDS_TO_CONNECT)


def _wait_for_workers(client: Any, address: str) -> None:
    """Gives workers some time to come.

    Raises:
        WorkersError: if none does.
    """
    try:
        client.wait_for_workers(1, timeout=_SECONDS_TO_COME)
    except TimeoutError:
        raise WorkersError(
            f"the Dask scheduler at {address!r} has no workers, and none came within "
            f"{_SECONDS_TO_COME:.0f} seconds"
        ) from None


def _next_done(out: Any, client: Any, address: str) -> Any:
    """The next future of `out`, an `as_completed`, that is done.

    Chunks of workers that leave go to others. If there are none, some time is given to new ones.

    Raises:
        WorkersError: if none comes.
    """
    looked = time.monotonic()
    while not out.has_ready():
        time.sleep(_SECONDS_BETWEEN_GLANCES)
        if time.monotonic() - looked >= _SECONDS_BETWEEN_LOOKS:
            if not client.nthreads():
                _wait_for_workers(client, address)
            looked = time.monotonic()
    return next(out)


def _result_of(future: Any, client: Any, address: str) -> Any:
    """What a finished chunk came to; its worker may leave before that is fetched.

    Raises:
        WorkersError: if all workers leave and none comes.
    """
    while True:
        try:
            return future.result(timeout=_SECONDS_BETWEEN_LOOKS)
        except TimeoutError:
            if not client.nthreads():
                _wait_for_workers(client, address)


class _Limit:
    """How many chunks may be out at once."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._looked = -_SECONDS_BETWEEN_LOOKS
        self._limit = _CHUNKS_PER_THREAD

    def chunks_out(self) -> int:
        now = time.monotonic()
        if now - self._looked >= _SECONDS_BETWEEN_LOOKS:
            self._looked = now
            num_threads = sum(self._client.nthreads().values())
            self._limit = min(max(num_threads, 1) * _CHUNKS_PER_THREAD, _MOST_OUT)
        return self._limit
