"""Chunks: the deals of all sources, one after the other, cut into equal lengths.

What is in a chunk depends on the sources and the length alone, so that a run can stop and go on,
and any worker can take any chunk. Sources that are added later are a block of their own, whose
chunks come after the others, so that nothing that is done changes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from boulanger.solver.catalogue.sources import Piece, Source
from boulanger.solver.catalogue.task import Task

# Deals. Long enough that a file's overhead is small beside the search, short enough that some
# hundred chunks keep the workers equally busy and little is lost when one dies.
_CHUNK_SIZES: Final = (1000, 2000, 5000, 10_000, 20_000, 50_000)
# A rating takes some tenths of a second.
_RATED_CHUNK_SIZE: Final = 100
_WANTED_CHUNKS: Final = 64
# On a cluster: what its scheduler can pass on, and what a thread classifies, both in a second.
# Measured; see docs/scale.md.
_CLUSTER_CHUNK_SIZES: Final = (*_CHUNK_SIZES, 100_000, 200_000, 500_000, 1_000_000)
_MOST_CHUNKS: Final = 20_000
_RESULTS_A_SECOND: Final = 100
_DEALS_A_SECOND: Final = {0: 200_000, 1: 160_000, 2: 80_000, 3: 30_000}  # by number of cells
_DEALS_A_SECOND_WITH_MORE: Final = 14_000
# Who starts before the first worker has come has ordered many.
_THREADS_TO_COME: Final = 100


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive deals of a catalogue.

    Attributes:
        index: of the chunk, counted from 0.
        pieces: its deals.
        about: the metadata of its part, JSON.
        base: the bytes of a part with the same deals and fewer columns or a lower limit, whose
            verdicts are kept.
    """

    index: int
    pieces: tuple[Piece, ...]
    about: str = "{}"
    base: bytes | None = None

    @property
    def num_deals(self) -> int:
        """How many."""
        return sum(len(piece.numbers) for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """Where a chunk of a catalogue is in its blocks.

    Attributes:
        block: counted from 0.
        place: among the chunks of that block, counted from 0.
        num_deals: in it.
    """

    block: int
    place: int
    num_deals: int


class ChunkSpans:
    """How many chunks the blocks of a catalogue have; their deals need not be known.

    Args:
        blocks: of each, how many deals it has, and how many a chunk; only its last one may be
            shorter.
    """

    def __init__(self, blocks: Sequence[tuple[int, int]]) -> None:
        self._blocks: Final = blocks
        self._ends: Final = list(accumulate(-(-deals // size) for deals, size in blocks))

    @property
    def num_chunks(self) -> int:
        """In all blocks."""
        return self._ends[-1] if self._ends else 0

    def place(self, index: int) -> ChunkPlace:
        """Where chunk `index`, 0..num_chunks - 1, is."""
        block = bisect_right(self._ends, index)
        place = index - (self._ends[block - 1] if block else 0)
        num_deals, chunk_size = self._blocks[block]
        return ChunkPlace(block, place, min(chunk_size, num_deals - place * chunk_size))


class ChunkPlan:
    """Which deals are in which chunk of one block."""

    def __init__(self, sources: Sequence[Source], chunk_size: int) -> None:
        self.chunk_size = chunk_size
        self._sources = sources
        # Where each source ends.
        self._ends = list(accumulate(source.num_deals for source in sources))

    @property
    def num_deals(self) -> int:
        """In all sources."""
        return self._ends[-1]

    @property
    def num_chunks(self) -> int:
        """The last one may be shorter than the others."""
        return -(-self.num_deals // self.chunk_size)

    def pieces(self, place: int) -> tuple[Piece, ...]:
        """The deals of the chunk `place`, 0..num_chunks - 1."""
        start = place * self.chunk_size
        stop = min(start + self.chunk_size, self.num_deals)
        pieces: list[Piece] = []
        i = bisect_right(self._ends, start)
        while start < stop:
            begin = self._ends[i] - self._sources[i].num_deals
            end = min(stop, self._ends[i])
            if start < end:
                pieces += self._sources[i].pieces(start - begin, end - begin)
                start = end
            i += 1
        return tuple(pieces)


def default_chunk_size(num_deals: int, task: Task, num_threads: int | None = None) -> int:
    """How many deals a chunk has unless someone says otherwise.

    Args:
        num_deals: in the catalogue.
        task: what is asked of each deal.
        num_threads: of a cluster's workers, 0 if none has come yet; None for workers on this
            machine.
    """
    if task.rated:
        return _RATED_CHUNK_SIZE
    if num_threads is not None:
        num_threads = num_threads or _THREADS_TO_COME
        pace = 1 / sum(1 / _DEALS_A_SECOND.get(n, _DEALS_A_SECOND_WITH_MORE) for n in task.cells)
        # So few files that a folder can hold them, if one of these sizes is large enough.
        fitting = [size for size in _CLUSTER_CHUNK_SIZES if size * _MOST_CHUNKS >= num_deals]
        return min(
            fitting or _CLUSTER_CHUNK_SIZES[-1:],
            key=lambda size: (_seconds(num_deals, size, num_threads, pace), size),
        )
    fitting = [size for size in _CHUNK_SIZES if size * _WANTED_CHUNKS <= num_deals]
    return fitting[-1] if fitting else _CHUNK_SIZES[0]


def _seconds(num_deals: int, chunk_size: int, num_threads: int, pace: float) -> float:
    """About how long a cluster takes: as long as its workers, or as its scheduler.

    Args:
        num_deals, chunk_size, num_threads: of the run.
        pace: deals that a thread classifies in a second.
    """
    num_chunks = -(-num_deals // chunk_size)
    rounds = -(-num_chunks // num_threads)
    return max(num_chunks / _RESULTS_A_SECOND, rounds * min(chunk_size, num_deals) / pace)
