"""`boulanger classify` and `boulanger merge`: many deals, into a catalogue."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from boulanger.engine.errors import BoulangerError
from boulanger.engine.words import quoted, say
from boulanger.solver.cli.arguments import FILE, Value, argument, dealer_option, json_option, voice
from boulanger.solver.cli.commands import command
from boulanger.solver.cli.notes import remark_all
from boulanger.solver.cli.options import (
    parse_cell_list,
    parse_chunk_size,
    parse_count,
    parse_node_limit,
    parse_seconds,
    parse_shard,
)
from boulanger.solver.cli.terminal import (
    EXIT_BAD_INPUT,
    EXIT_INTERRUPTED,
    EXIT_STOPPED,
    EXIT_UNDECIDED,
    EXIT_YES,
    StatusLine,
    compile_first,
    complain,
    remark,
    write,
)

if TYPE_CHECKING:
    from boulanger.engine.notes import Note
    from boulanger.solver.catalogue.cluster import Address
    from boulanger.solver.catalogue.folder import Counts
    from boulanger.solver.catalogue.runner import Options, Outcome, Run, Workers
    from boulanger.solver.catalogue.sources import Source
    from boulanger.solver.deals.code_dealer import CodeDealers

_MOST_SHOWN: Final = 10  # bad lines; the file of rejected ones has all
_GOES_ON: Final = "what is done is kept: the same command goes on from there"


@command()
@argument(
    "sources",
    metavar="SOURCE...",
    nargs=-1,
    required=True,
    type=FILE,
    help="code:0..999999, CODE..CODE, ms:1..32000, bk1:0..999999, random:1000000@SEED, a file "
    "with a deal a line, or - for standard input.",
)
@click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="The catalogue's folder: a new one, or one to go on with.",
)
@click.option(
    "--cells",
    metavar="N,N...",
    type=Value(parse_cell_list),
    default="4,2,1",
    show_default=True,
    help="Numbers of cells, each 0 to 8; 0..8 for all of them.",
)
@click.option(
    "--workers",
    "num_workers",
    metavar="N",
    type=Value(parse_count),
    help="Processes on this machine; as many as there are processors, unless told.",
)
@click.option(
    "--cluster",
    "scheduler",
    metavar="ADDRESS",
    help="Have the workers of this Dask scheduler do it; env: the one in DASK_SCHEDULER_ADDRESS.",
)
@click.option(
    "--scheduler-file",
    metavar="FILE",
    type=FILE,
    help="The same for a scheduler that writes where it is into this file.",
)
@click.option(
    "--tls",
    "tls_file",
    metavar="FILE.toml",
    type=FILE,
    help="Keys for tls:// schedulers: the paths ca, cert and key.",
)
@click.option(
    "--wait",
    metavar="S",
    type=Value(parse_seconds),
    help="Wait N seconds for workers of the cluster, instead of 60.",
)
@click.option(
    "--retries",
    metavar="N",
    type=Value(parse_count),
    help="Give a chunk whose workers were lost out N times, instead of 3.",
)
@click.option(
    "--shared-folder",
    "is_shared",
    is_flag=True,
    help="The workers of the cluster see DIR too, and write their parts there themselves.",
)
@click.option(
    "--max-nodes",
    metavar="N",
    type=Value(parse_node_limit),
    help="Leave a deal undecided after N positions.",
)
@click.option(
    "--rate",
    "with_rating",
    is_flag=True,
    help="Rate winnable deals too, for 4, 2 and 1 cells; some 10 a second.",
)
@click.option(
    "--chunk-size",
    metavar="N",
    type=Value(parse_chunk_size),
    help="Deals in a file of the catalogue; by their number, unless told.",
)
@click.option(
    "--grow",
    "may_grow",
    is_flag=True,
    help="Let a catalogue with fewer sources, cells, ratings or lower limits become this one.",
)
@click.option(
    "--shard",
    metavar="I/N",
    type=Value(parse_shard),
    help="Only every N-th chunk, from the I-th on; `boulanger merge` puts shards together.",
)
@dealer_option
@json_option
def classify(
    sources: tuple[str, ...],
    out: Path,
    cells: tuple[int, ...],
    num_workers: int | None,
    scheduler: str | None,
    scheduler_file: str | None,
    tls_file: str | None,
    wait: float | None,
    retries: int | None,
    is_shared: bool,
    max_nodes: int | None,
    with_rating: bool,
    chunk_size: int | None,
    may_grow: bool,
    shard: tuple[int, int] | None,
    dealer: str | None,
    as_json: bool,
) -> int:
    """Say of many deals whether they can be won.

    With several numbers of cells. The verdicts go into a folder of Parquet files. Whatever stops
    it, the same command goes on.
    """
    cluster = _cluster(
        scheduler, scheduler_file, tls_file, wait, retries, out if is_shared else None
    )
    if cluster is not None and num_workers is not None:
        raise BoulangerError(
            "--workers and --cluster exclude each other: one or the other expected"
        )
    # pyarrow, if it is missing, is told here.
    from boulanger.solver.catalogue.api import make_task
    from boulanger.solver.catalogue.runner import Options
    from boulanger.solver.catalogue.task import WorkersError
    from boulanger.solver.deals.code_dealer import CodeDealers

    task = make_task(cells, max_nodes, with_rating)
    options = Options(chunk_size, shard, may_grow)
    try:
        with contextlib.ExitStack() as stack:
            dealers = CodeDealers(dealer)
            read = _read_sources(list(sources), dealers)
            workers, options = _workers(cluster, num_workers, options, stack)
            from boulanger.solver.catalogue.runner import Run

            run = Run(read, out, replace(task, learned=dealers.learned), options)
            notes = [asked.note for asked in dealers.asked]
            return _classify(run, read, workers, notes, as_json)
    except (OSError, WorkersError) as error:
        complain(f"{_reason(error)}; {_GOES_ON}")
        return EXIT_STOPPED
    except KeyboardInterrupt:
        complain(f"interrupted; {_GOES_ON}")
        return EXIT_INTERRUPTED


@command()
@argument(
    "folders", metavar="DIR...", nargs=-1, required=True, type=FILE, help="Catalogues, or shards."
)
@click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="The folder of the new catalogue.",
)
def merge(folders: tuple[str, ...], out: Path) -> int:
    """Make one catalogue of several.

    Of the shards of one, or of several about different deals with the same options.
    """
    from boulanger.solver.catalogue.merge import merge as merge_folders

    line = StatusLine()

    def show(num_done: int, num_parts: int) -> None:
        line.show(f"{num_done:,} of {num_parts:,} parts")

    try:
        manifest = merge_folders([Path(folder) for folder in folders], out, show)
    except OSError as error:
        complain(f"{_reason(error)}; the same command goes on from there")
        return EXIT_STOPPED
    finally:
        line.clear()
    from boulanger.solver.catalogue.schema import part_files

    num_parts = len(part_files(out))
    write(f"{num_parts:,} of {manifest.num_chunks:,} parts, {manifest.num_deals:,} deals\n")
    if num_parts < manifest.num_chunks:
        remark("some parts are missing; `boulanger classify` with all sources makes them")
    return EXIT_YES


@dataclass(frozen=True, slots=True)
class _Cluster:
    """What was said of a cluster."""

    address: Address
    wait: float
    max_rounds: int
    shared_folder: Path | None


def _cluster(
    scheduler: str | None,
    scheduler_file: str | None,
    tls_file: str | None,
    wait: float | None,
    retries: int | None,
    shared_folder: Path | None,
) -> _Cluster | None:
    """The cluster that is asked for; None if it is not one.

    Raises:
        BoulangerError: if options are given that do not go together.
    """
    if scheduler is not None and scheduler_file is not None:
        raise BoulangerError(
            "--cluster and --scheduler-file exclude each other: one or the other expected"
        )
    if scheduler is None and scheduler_file is None:
        for name, value in (
            ("--tls", tls_file),
            ("--wait", wait),
            ("--retries", retries),
            ("--shared-folder", shared_folder),
        ):
            if value is not None:
                raise BoulangerError(f"{name} goes with --cluster or --scheduler-file")
        return None
    from boulanger.solver.catalogue.cluster import DEFAULT_WAIT, MAX_ROUNDS, Address

    files = [None if name is None else Path(name) for name in (scheduler_file, tls_file)]
    address = Address(scheduler, *files)
    return _Cluster(address, wait or DEFAULT_WAIT, retries or MAX_ROUNDS, shared_folder)


def _workers(
    cluster: _Cluster | None,
    num_workers: int | None,
    options: Options,
    stack: contextlib.ExitStack,
) -> tuple[Workers, Options]:
    """Who does the work; a cluster is connected to before anything is written."""
    if cluster is None:
        from boulanger.solver.catalogue.local import local_workers, num_processors

        return local_workers(num_workers or num_processors()), options
    from boulanger.solver.catalogue.cluster import (
        cluster_workers,
        connect,
        num_threads,
        quiet_logs,
    )

    stack.enter_context(quiet_logs())
    client = connect(cluster.address)

    def close() -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            client.close(timeout=10)

    stack.callback(close)
    line = StatusLine()
    stack.callback(line.clear)

    def tell(what: str) -> None:
        if what:
            line.show(what)
        else:
            line.clear()

    workers = cluster_workers(
        client,
        wait=cluster.wait,
        max_rounds=cluster.max_rounds,
        on_wait=tell,
        shared_folder=cluster.shared_folder,
    )
    return workers, options.with_threads(num_threads(client))


def _read_sources(texts: list[str], dealers: CodeDealers) -> list[Source]:
    """The sources, with a bar while long lists are read."""
    from boulanger.solver.catalogue.sources import STANDARD_INPUT, parse_sources
    from boulanger.solver.cli.catalogue_progress import ReadingBar

    if STANDARD_INPUT in texts and sys.stdin is not None and sys.stdin.isatty():
        key = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
        remark(f"type or paste a deal a line, then press Enter and {key}")
    bar = ReadingBar(texts)
    try:
        return parse_sources(texts, dealers, bar.advanced)
    finally:
        bar.close()


def _classify(
    run: Run, sources: list[Source], workers: Workers, notes: list[Note], as_json: bool
) -> int:
    from boulanger.solver.catalogue.work import is_ready
    from boulanger.solver.cli.catalogue_progress import CatalogueBar

    if not as_json:
        remark_all(notes)
    _remark_on_sources(sources, run)
    if run.is_growing:
        remark(f"{quoted(str(run.folder))} grows; what is in it stays")
    rated = bool(run.task.rated)
    compile_first(lambda: is_ready(rated), "ratings" if rated else "catalogues")
    bar = CatalogueBar(run.task.cells)
    try:
        outcome = run.work(workers, bar)
    finally:
        bar.close()
    if as_json:
        from boulanger.solver.answers.play import json_answer

        write(json_answer(classify_json(run, outcome, notes), voice()))
    else:
        write("".join(f"{line}\n" for line in summary_lines(run.task.cells, outcome.counts)))
    if run.bad_lines:
        return EXIT_BAD_INPUT
    return EXIT_UNDECIDED if outcome.counts[:, -1].any() else EXIT_YES


def summary_lines(cells: tuple[int, ...], counts: Counts) -> list[str]:
    """A line for each number of cells, from the most on."""
    lines = []
    for num_cells, row in reversed(list(zip(cells, counts.tolist(), strict=True))):
        unwinnable, winnable, undecided = row
        noun = "cell" if num_cells == 1 else "cells"
        num_deals = sum(row)
        rate = 100 * winnable / max(num_deals, 1)
        lines.append(
            f"{num_cells} {noun}: {winnable:,} of {num_deals:,} winnable "
            f"({rate:.2f} %), {unwinnable:,} unwinnable, {undecided:,} undecided"
        )
    return lines


def classify_json(run: Run, outcome: Outcome, notes: list[Note]) -> dict[str, Any]:
    """The answer of `classify` as JSON; see `solver.answers.play`."""
    return {
        "out": str(run.folder),
        "dealers": run.dealers,
        "notes": notes,
        "deals": outcome.num_deals,
        "new": outcome.num_new,
        "rejected": len(run.bad_lines),
        "cells": [
            {
                "cells": num_cells,
                "winnable": counts[1],
                "unwinnable": counts[0],
                "undecided": counts[2],
            }
            for num_cells, counts in reversed(
                list(zip(run.task.cells, outcome.counts.tolist(), strict=True))
            )
        ],
    }


def _remark_on_sources(sources: list[Source], run: Run) -> None:
    """Says which lines were rejected, how bare numbers were read, and what is there twice."""
    from boulanger.solver.catalogue.folder import rejected_path
    from boulanger.solver.catalogue.sources import num_duplicates
    from boulanger.solver.cli.reading import shown_name

    for source in sources:
        if source.num_bare:
            name = say("text", {"text": shown_name(source.text)})
            remark(
                f"{name}: numbers alone ({source.num_bare:,}) are read as those of game codes; "
                "write ms:NUMBER for Microsoft deals"
            )
    for bad in run.bad_lines[:_MOST_SHOWN]:
        name = say("text", {"text": shown_name(bad.file)})
        complain(f"{name}, line {bad.line}: {bad.fault}")
    if run.bad_lines:
        rest = len(run.bad_lines) - _MOST_SHOWN
        also = f"{rest:,} more bad lines; all" if rest > 0 else "bad lines"
        remark(f"{also} are in {str(rejected_path(run.folder))!r}; the other deals go on")
    if count := num_duplicates(sources):
        more = "1 deal is" if count == 1 else f"{count:,} deals are"
        remark(f"{more} there again and will be counted again")


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        name = f" {error.filename!r}" if error.filename else ""
        return f"cannot be written:{name} {error.strerror or error}"
    return str(error)
