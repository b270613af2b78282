"""A run: the chunks that are not done yet go to workers, and their parts into the folder."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from boulanger.solver.catalogue.chunks import ChunkPlan, default_chunk_size
from boulanger.solver.catalogue.cluster import work_on_cluster
from boulanger.solver.catalogue.folder import Dataset, Tally, check_folder
from boulanger.solver.catalogue.local import work_locally
from boulanger.solver.catalogue.manifest import make_manifest
from boulanger.solver.catalogue.schema import VERDICTS
from boulanger.solver.catalogue.sources import Source
from boulanger.solver.catalogue.work import Part, Stamp, Task, WorkersError, own_stamp, prepare


class Observer(Protocol):
    """Who is told how a run gets on."""

    def started(self, num_deals: int, num_done: int, tally: Tally) -> None:
        """So many deals are in the catalogue, so many of them done; `tally` is over these."""

    def advanced(self, num_deals: int, tally: Tally) -> None:
        """So many more are done; `tally` is over all that are."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A catalogue that is complete.

    Attributes:
        num_deals: in it.
        num_new: classified by this run.
        tally: over all deals.
    """

    num_deals: int
    num_new: int
    tally: Tally


class Run:
    """Everything about a run, found to fit together before anything is compiled or written.

    Attributes:
        folder: where the catalogue is, or is to be.
        task: what is asked of each deal.
        plan: which deals are in which chunk.
        bad_lines: lines of lists that are no deals.
        dealers: the key of each dealer, with a line on what it does.
    """

    def __init__(
        self, sources: Sequence[Source], folder: Path, task: Task, chunk_size: int | None = None
    ) -> None:
        """Looks into the folder, but changes nothing.

        Args:
            sources: not without any deal.
            folder: where the catalogue is, or is to be.
            task: what is asked of each deal.
            chunk_size: deals in a chunk; if None, by the number of deals.

        Raises:
            CatalogueError: if something else is in the folder.
        """
        num_deals = sum(source.num_deals for source in sources)
        self.folder = folder
        self.task = task
        self.plan = ChunkPlan(
            sources, chunk_size or default_chunk_size(num_deals, bool(task.rated))
        )
        self.bad_lines = [bad for source in sources for bad in source.bad_lines]
        self._manifest = make_manifest(sources, task, self.plan)
        self.dealers: dict[str, str] = self._manifest["dealers"]
        check_folder(folder, self._manifest)

    def work(
        self, observer: Observer, *, num_workers: int = 1, scheduler: str | None = None
    ) -> Outcome:
        """Classifies what is not done yet.

        Args:
            observer: is told how it gets on.
            num_workers: processes on this machine, unless there is a `scheduler`.
            scheduler: the address of a Dask scheduler.

        Raises:
            CatalogueError: if something else is in the folder, or another run writes to it.
            WorkersError: if there are no workers that work.
            OSError: if the folder cannot be written. What is in it stays.
        """
        # Before any worker starts, so that they all load what is compiled here.
        with_rating = bool(self.task.rated)
        prepare({piece.dealer for piece in self.plan.chunk(0).pieces}, with_rating)
        stamp = own_stamp(with_rating)
        manifest = {**self._manifest, "search": stamp.search, "rating": stamp.rating}
        with Dataset(self.folder, manifest, self.bad_lines) as dataset:
            finished = dict(dataset.finished_parts())
            total = sum(finished.values(), start=self._empty_tally())
            num_before = sum(map(self.plan.chunk_length, finished))
            observer.started(self.plan.num_deals, num_before, total)
            with closing(self._parts(finished, num_workers, scheduler)) as parts:
                for part in parts:
                    _check_stamp(part.stamp, stamp)
                    dataset.write_part(part.index, part.data)
                    total = total + part.tally
                    observer.advanced(self.plan.chunk_length(part.index), total)
        return Outcome(self.plan.num_deals, self.plan.num_deals - num_before, total)

    def _parts(
        self, finished: dict[int, Tally], num_workers: int, scheduler: str | None
    ) -> Generator[Part, None, None]:
        """The parts of the chunks that are not finished, as workers make them."""
        open_indices = (i for i in range(self.plan.num_chunks) if i not in finished)
        chunks = (self.plan.chunk(index) for index in open_indices)
        if scheduler is None:
            return work_locally(chunks, self.task, num_workers)
        return work_on_cluster(chunks, self.task, scheduler)

    def _empty_tally(self) -> Tally:
        return np.zeros((len(self.task.cells), len(VERDICTS)), np.int64)


def _check_stamp(stamp: Stamp, own: Stamp) -> None:
    """Makes sure that a part came from a worker of this version.

    Raises:
        WorkersError: says what differs.
    """
    if stamp != own:
        raise WorkersError(
            f"a worker is of another version than this program: {stamp} there, {own} here"
        )
