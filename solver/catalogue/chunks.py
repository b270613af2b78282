"""Chunks: the deals of all sources, one after the other, cut into equal lengths.

What is in a chunk depends on the sources and the length alone, so that a run can stop and go on,
and any worker can take any chunk.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from boulanger.solver.catalogue.sources import Piece, Source

# Deals. Long enough that a file's overhead is small beside the search, short enough that some
# hundred chunks keep the workers equally busy and little is lost when one dies.
_CHUNK_SIZES: Final = (1000, 2000, 5000, 10_000, 20_000, 50_000)
# A rating takes some tenths of a second.
_RATED_CHUNK_SIZE: Final = 100
_WANTED_CHUNKS: Final = 64


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive deals of a catalogue.

    Attributes:
        index: of the chunk, counted from 0.
        pieces: its deals.
    """

    index: int
    pieces: tuple[Piece, ...]

    @property
    def num_deals(self) -> int:
        """How many."""
        return sum(len(piece.numbers) for piece in self.pieces)


class ChunkPlan:
    """Which deals are in which chunk."""

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

    def chunk_length(self, index: int) -> int:
        """How many deals are in chunk `index`."""
        return min(self.chunk_size, self.num_deals - index * self.chunk_size)

    def chunk(self, index: int) -> Chunk:
        """Chunk `index`, 0..num_chunks - 1."""
        start = index * self.chunk_size
        stop = start + self.chunk_length(index)
        pieces: list[Piece] = []
        i = bisect_right(self._ends, start)
        while start < stop:
            begin = self._ends[i] - self._sources[i].num_deals
            end = min(stop, self._ends[i])
            if start < end:
                pieces += self._sources[i].pieces(start - begin, end - begin)
                start = end
            i += 1
        return Chunk(index, tuple(pieces))


def default_chunk_size(num_deals: int, with_rating: bool = False) -> int:
    """How many deals a chunk has unless someone says otherwise."""
    if with_rating:
        return _RATED_CHUNK_SIZE
    fitting = [size for size in _CHUNK_SIZES if size * _WANTED_CHUNKS <= num_deals]
    return fitting[-1] if fitting else _CHUNK_SIZES[0]
