"""A run: the chunks that are not done yet go to workers, and their parts into the folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from boulanger.engine.errors import CatalogueError
from boulanger.engine.words import quoted
from boulanger.solver.catalogue.chunks import Chunk, ChunkPlan, default_chunk_size
from boulanger.solver.catalogue.folder import Counts, Done, Folder, check_free
from boulanger.solver.catalogue.lists import BadLine
from boulanger.solver.catalogue.manifest import (
    Manifest,
    dealer_descriptions,
    differences,
    growth_obstacles,
    make_block,
    own_versions,
    read_manifest,
)
from boulanger.solver.catalogue.schema import VERDICTS
from boulanger.solver.catalogue.sources import Source
from boulanger.solver.catalogue.task import Stamp, Task, check_stamp
from boulanger.solver.catalogue.work import FinishedPart, WrittenPart, own_stamp, prepare

Workers = Callable[[Iterator[Chunk], Task, Stamp], Generator[FinishedPart, None, None]]
"""Makes the parts of chunks, in the order in which they are finished. Closing it ends the work.

By then the folder is there: workers may put parts into it themselves."""


class Observer(Protocol):
    """Who is told how a run gets on."""

    def started(self, num_deals: int, num_done: int, counts: Counts) -> None:
        """How many deals are in the catalogue, and how many are done, which `counts` is over."""

    def advanced(self, num_deals: int, counts: Counts) -> None:
        """So many more are done; `counts` is over all that are."""


class Silent:
    """An observer that says nothing."""

    def started(self, num_deals: int, num_done: int, counts: Counts) -> None:
        """Nothing."""

    def advanced(self, num_deals: int, counts: Counts) -> None:
        """Nothing."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a catalogue is made.

    Attributes:
        chunk_size: deals in a chunk; None for that of the catalogue, or by the number of deals.
        shard: (i, n) for every n-th chunk only, beginning with the i-th; None for all.
        may_grow: whether a catalogue with fewer sources, cells, ratings or lower limits is to
            become this one.
        num_threads: of a cluster; None for workers on this machine.
    """

    chunk_size: int | None = None
    shard: tuple[int, int] | None = None
    may_grow: bool = False
    num_threads: int | None = None

    def with_threads(self, num_threads: int) -> Options:
        """The same for a cluster with this many threads."""
        return replace(self, num_threads=num_threads)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A catalogue that is complete, or a shard of it.

    Attributes:
        num_deals: in it.
        num_new: classified, or grown, by this run.
        counts: int64 (cells, 3), over all deals: how many have each of `VERDICTS`.
        bad_lines: lines of lists that are no deals.
    """

    num_deals: int
    num_new: int
    counts: Counts
    bad_lines: tuple[BadLine, ...] = ()


class Run:
    """Everything about a run, found to fit together before anything is compiled or written.

    Attributes:
        folder: where the catalogue is, or is to be.
        task: what is asked of each deal.
        bad_lines: lines of lists that are no deals.
        dealers: the key of each dealer, with a line on what it does.
        is_growing: whether there is a catalogue that is to become a larger one.
    """

    def __init__(
        self, sources: Sequence[Source], folder: Path, task: Task, options: Options | None = None
    ) -> None:
        """Looks into the folder, but changes nothing.

        Args:
            sources: not without any deal.
            folder: where the catalogue is, or is to be.
            task: what is asked of each deal.
            options: how it is made.

        Raises:
            CatalogueError: if something else is in the folder, or it holds another catalogue.
        """
        options = options or Options()
        self.folder: Final = folder
        self.task: Final = task
        self.bad_lines: Final = [bad for source in sources for bad in source.bad_lines]
        self._there: Final = read_manifest(folder)
        counts = _block_lengths(self._there, sources)
        everything = sources
        default = default_chunk_size(
            sum(source.num_deals for source in sources), task, options.num_threads
        )
        self._plans: list[ChunkPlan] = []
        blocks = []
        for i, count in enumerate(counts):
            own, sources = sources[:count], sources[count:]
            size = options.chunk_size
            if self._there is not None and i < len(self._there.blocks):
                old = self._there.blocks[i].chunk_size
                size = old if size is None or options.may_grow else size
            blocks.append(make_block(own, size or default))
            self._plans.append(ChunkPlan(own, size or default))
        self._manifest = Manifest(
            tuple(blocks),
            task.cells,
            task.max_nodes,
            task.rated,
            options.shard,
            dealers=dealer_descriptions(everything, task.learned),
            rules={dealer.key: dealer.rule_document for dealer in task.learned},
            versions=own_versions(),
        )
        self.dealers: Final = dict(self._manifest.dealers)
        self.is_growing: Final = self._check(options.may_grow)

    def _check(self, may_grow: bool) -> bool:
        """Whether the catalogue that is there has to grow.

        Raises:
            CatalogueError: if it is another one.
        """
        if self._there is None:
            check_free(self.folder)
            return False
        different = differences(self._there, self._manifest)
        obstacles = growth_obstacles(self._there, self._manifest)
        if not different:
            return False
        name = quoted(str(self.folder))
        if may_grow and not obstacles:
            return True
        if may_grow:
            raise CatalogueError(f"{name} cannot grow into this ({'; '.join(obstacles)})")
        advice = "" if obstacles else ", add --grow to make it this one"
        raise CatalogueError(
            f"{name} holds a catalogue made with other options ({'; '.join(different)}): go on "
            f"with it as it was begun{advice}, or name another folder"
        )

    def work(self, workers: Workers, observer: Observer | None = None) -> Outcome:
        """Classifies what is not done yet.

        Args:
            workers: who does it.
            observer: is told how it gets on.

        Raises:
            CatalogueError: if something else is in the folder, or another run writes to it.
            WorkersError: if there are no workers that work.
            OSError: if the folder cannot be written. What is in it stays.
        """
        observer = observer or Silent()
        # Before any worker starts, so that they all load what is compiled here.
        with_rating = bool(self.task.rated)
        dealers = {piece.dealer for piece in self._plans[0].pieces(0)}
        prepare(dealers, with_rating)
        stamp = own_stamp(with_rating)
        self._manifest = self._manifest.with_stamp(stamp)
        is_new = self._check(may_grow=self.is_growing) or self._there is None
        with Folder(self.folder, self._manifest) as folder:
            folder.begin(is_new, self.bad_lines)
            done = dict(folder.done())
            finished = {i: d.counts for i, d in done.items() if d.counts is not None}
            total = sum(finished.values(), start=self._no_counts())
            num_before = sum(self._num_deals(index) for index in finished)
            observer.started(self._manifest.num_deals, num_before, total)
            chunks = self._open_chunks(finished, done)
            with closing(workers(chunks, self.task, stamp)) as parts:
                for part in parts:
                    check_stamp(part.stamp, stamp)
                    if isinstance(part, WrittenPart):
                        folder.take_part(part)
                    else:
                        folder.write_part(part.index, part.data)
                    total = total + part.counts
                    observer.advanced(self._num_deals(part.index), total)
        num_deals = self._manifest.num_deals
        return Outcome(num_deals, num_deals - num_before, total, tuple(self.bad_lines))

    def _open_chunks(self, finished: dict[int, Counts], done: dict[int, Done]) -> Iterator[Chunk]:
        """The chunks that are not finished, with the parts that they grow from."""
        for index in self._manifest.chunks:
            if index not in finished:
                place = self._manifest.spans.place(index)
                base = done[index].base if index in done else None
                yield Chunk(
                    index,
                    self._plans[place.block].pieces(place.place),
                    json.dumps(self._manifest.about_part(index)),
                    None if base is None else base.path.read_bytes(),
                )

    def _num_deals(self, index: int) -> int:
        return self._manifest.spans.place(index).num_deals

    def _no_counts(self) -> Counts:
        return np.zeros((len(self.task.cells), len(VERDICTS)), np.int64)


def _block_lengths(there: Manifest | None, sources: Sequence[Source]) -> list[int]:
    """How many of the sources are in each block: those of the catalogue, and one for the rest."""
    lengths = []
    left = len(sources)
    for block in there.blocks if there is not None else ():
        lengths.append(min(len(block.sources), left))
        left -= lengths[-1]
    return [length for length in [*lengths, left] if length]
