"""Classifies many deals into a folder: what `boulanger classify` does, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from boulanger.engine.errors import CatalogueError
from boulanger.solver.catalogue.cluster import (
    DEFAULT_WAIT,
    MAX_ROUNDS,
    cluster_workers,
    num_threads,
)
from boulanger.solver.catalogue.local import local_workers, num_processors
from boulanger.solver.catalogue.runner import Options, Outcome, Run
from boulanger.solver.catalogue.sources import parse_sources
from boulanger.solver.catalogue.task import Task
from boulanger.solver.deals.code_dealer import CodeDealers
from boulanger.solver.rating.model import modelled_cells


def make_task(
    cells: Sequence[int], max_nodes: int | None = None, with_rating: bool = False
) -> Task:
    """What is asked of each deal.

    Raises:
        CatalogueError: if ratings are asked for, and there are none for any of these cells.
    """
    ordered = tuple(sorted(set(cells)))
    if not with_rating:
        return Task(ordered, max_nodes)
    rated = tuple(n for n in ordered if n in modelled_cells())
    if not rated:
        numbers = ", ".join(map(str, modelled_cells()))
        raise CatalogueError(f"--rate goes with {numbers} cells, and --cells has none of these")
    return Task(ordered, max_nodes, rated)


def classify_into(
    folder: str | Path,
    sources: str | Sequence[str],
    cells: Sequence[int] = (4, 2, 1),
    *,
    max_nodes: int | None = None,
    with_rating: bool = False,
    num_workers: int | None = None,
    client: Any | None = None,
    shared_folder: bool = False,
    wait: float = DEFAULT_WAIT,
    retries: int = MAX_ROUNDS,
    options: Options | None = None,
) -> Outcome:
    """Classifies many deals into a catalogue, or goes on with one that was stopped.

    Args:
        folder: of the catalogue.
        sources: such as "ms:1..32000", a file with a deal a line, or several of these.
        cells: the numbers of cells to decide each deal with.
        max_nodes: leave a deal undecided after this many nodes; None for no limit.
        with_rating: whether winnable deals are rated too, with 4, 2 and 1 cells.
        num_workers: processes on this machine; None for one for each processor.
        client: a `distributed.Client`, whose cluster does it instead; it stays open.
        shared_folder: whether its workers see the folder under the same path, and are to write
            there themselves.
        wait: seconds until a worker of the cluster must have come, at the beginning and whenever
            all are gone.
        retries: how often a chunk whose workers were lost is given out.
        options: the size of a chunk, a shard alone, and whether a catalogue may grow.

    Returns:
        How many deals have each verdict. The catalogue is read with `boulanger summary`,
        `solver.catalogue.reader`, or any reader of Parquet.

    Raises:
        CatalogueError: if the folder holds something else, a source cannot be read, or a shared
            folder is asked for without a client.
        WorkersError: if workers keep dying, are not of this version, or do not see the folder.
        OSError: if the folder cannot be written. What is in it stays, and the same call goes on.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as top:
    ...     outcome = classify_into(top + "/c", "ms:1..100", cells=[4], num_workers=1)
    >>> [int(number) for number in outcome.counts[0]]  # unwinnable, winnable, undecided
    [24, 76, 0]
    """
    texts = [sources] if isinstance(sources, str) else list(sources)
    options = options or Options()
    if shared_folder and client is None:
        raise CatalogueError("shared_folder goes with a client: processes here write nothing")
    if client is not None:
        options = options.with_threads(num_threads(client))
    task = make_task(cells, max_nodes, with_rating)
    dealers = CodeDealers()
    sources_read = parse_sources(texts, dealers)
    run = Run(sources_read, Path(folder), replace(task, learned=dealers.learned), options)
    if client is not None:
        shared = run.folder if shared_folder else None
        return run.work(
            cluster_workers(client, wait=wait, max_rounds=retries, shared_folder=shared)
        )
    return run.work(local_workers(num_workers or num_processors()))
