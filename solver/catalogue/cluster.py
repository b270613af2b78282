"""Workers of a Dask cluster, on this machine or on others.

The scheduler gives each chunk to some worker, and once more to another if that one is lost. Parts
come back here to be written, so workers need no folder in common, only this program in the same
version.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Generator, Iterator
from typing import Any, Final

from solver.catalogue.chunks import Chunk
from solver.catalogue.work import Part, Task, WorkersError, work_on

# Chunks that are out, for each of the workers' threads: one to work on and one to go on with.
_CHUNKS_PER_THREAD: Final = 2
_MOST_OUT: Final = 4096
# How often the number of workers is looked up, and how long to wait for an answer.
_SECONDS_BETWEEN_LOOKS: Final = 2.0
_SECONDS_TO_CONNECT: Final = 10.0


def work_on_cluster(
    chunks: Iterator[Chunk], task: Task, address: str
) -> Generator[Part, None, None]:
    """The parts of all chunks, in the order in which they are finished.

    Args:
        chunks: taken as workers become free, which may come and go.
        task: what is asked of each deal.
        address: of the scheduler, such as `tcp://192.168.1.10:8786`.

    Raises:
        WorkersError: if there is no such scheduler, if it is lost, or if workers keep dying.
    """
    try:
        from distributed import Client, as_completed
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise WorkersError(
            "--cluster needs Dask: install boulanger with its extra `cluster`"
        ) from None

    # What it says of lost workers is not for the reader: their chunks are run again.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise WorkersError(
            f"no Dask scheduler answers at {address!r} ({error}); an address such as "
            "tcp://192.168.1.10:8786 expected"
        ) from None
    try:
        limit = _Limit(client)
        out = as_completed(loop=client.loop)
        num_out = 0
        while True:
            while num_out < limit.chunks_out() and (chunk := next(chunks, None)) is not None:
                out.add(client.submit(work_on, chunk, task, pure=False))
                num_out += 1
            if num_out == 0:
                return
            future = next(out)
            num_out -= 1
            if future.cancelled():
                raise WorkersError(f"the Dask scheduler at {address!r} was lost")
            try:
                part = future.result()
            except KilledWorker as error:
                raise WorkersError(f"workers keep dying over a chunk: {error}") from None
            future.release()
            assert isinstance(part, Part)
            yield part
    finally:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            client.close(timeout=_SECONDS_TO_CONNECT)


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
