"""`boulanger classify`: many deals, into a catalogue."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from boulanger.engine.errors import BoulangerError
from boulanger.solver.cli.arguments import FILE, Value, argument, dealer_option, json_option
from boulanger.solver.cli.commands import command
from boulanger.solver.cli.games import announce_compiling
from boulanger.solver.cli.options import (
    parse_cell_list,
    parse_chunk_size,
    parse_count,
    parse_node_limit,
)
from boulanger.solver.cli.terminal import (
    EXIT_BAD_INPUT,
    EXIT_INTERRUPTED,
    EXIT_STOPPED,
    EXIT_UNDECIDED,
    EXIT_YES,
    complain,
    remark,
    write,
)

if TYPE_CHECKING:
    from boulanger.solver.catalogue.folder import Tally
    from boulanger.solver.catalogue.runner import Outcome, Run
    from boulanger.solver.catalogue.sources import Source
    from boulanger.solver.catalogue.work import Task
    from boulanger.solver.deals.code_dealer import CodeDealers

_MOST_SHOWN: Final = 10  # bad lines; the file of rejected ones has all


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
    help="Numbers of cells, each 0 to 8.",
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
    help="Have the workers of this Dask scheduler do it.",
)
@click.option(
    "--max-nodes",
    metavar="N",
    type=Value(parse_node_limit),
    help="Leave a deal undecided after so many positions.",
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
@dealer_option
@json_option
def classify(
    sources: tuple[str, ...],
    out: Path,
    cells: tuple[int, ...],
    num_workers: int | None,
    scheduler: str | None,
    max_nodes: int | None,
    with_rating: bool,
    chunk_size: int | None,
    dealer: str | None,
    as_json: bool,
) -> int:
    """Say of many deals whether they can be won.

    With several numbers of cells. The verdicts go into a folder of Parquet files. Whatever stops
    it, the same command goes on.
    """
    if scheduler is not None and num_workers is not None:
        raise BoulangerError(
            "--workers and --cluster exclude each other: one or the other expected"
        )
    from boulanger.solver.deals.code_dealer import CodeDealers

    try:
        task = _task(cells, max_nodes, with_rating)
        dealers = CodeDealers(dealer)
        return _classify(
            list(sources), out, task, dealers, num_workers, scheduler, chunk_size, as_json
        )
    except KeyboardInterrupt:
        complain("interrupted; what is done is kept: the same command goes on from there")
        return EXIT_INTERRUPTED


def _task(cells: tuple[int, ...], max_nodes: int | None, with_rating: bool) -> Task:
    """What is asked of each deal.

    Raises:
        BoulangerError: if ratings are asked for, and there are none for any of these cells.
    """
    from boulanger.solver.catalogue.work import Task

    if not with_rating:
        return Task(cells, max_nodes)
    from boulanger.solver.rating.model import modelled_cells

    rated = tuple(n for n in cells if n in modelled_cells())
    if not rated:
        numbers = ", ".join(map(str, modelled_cells()))
        raise BoulangerError(f"--rate goes with {numbers} cells, and --cells has none of these")
    return Task(cells, max_nodes, rated)


def _classify(
    texts: list[str],
    out: Path,
    task: Task,
    dealers: CodeDealers,
    num_workers: int | None,
    scheduler: str | None,
    chunk_size: int | None,
    as_json: bool,
) -> int:
    from boulanger.solver.catalogue.local import num_processors
    from boulanger.solver.catalogue.runner import Run
    from boulanger.solver.catalogue.sources import STANDARD_INPUT, parse_sources
    from boulanger.solver.catalogue.work import WorkersError, is_ready
    from boulanger.solver.cli.catalogue_progress import CatalogueBar

    if STANDARD_INPUT in texts and sys.stdin is not None and sys.stdin.isatty():
        remark("type or paste a deal a line, then press Enter and Ctrl-D")
    sources = parse_sources(texts, dealers)
    run = Run(sources, out, replace(task, learned=dealers.learned), chunk_size)
    notes = [dealer.note for dealer in dealers.asked]
    if not as_json:
        for note in notes:
            remark(note)
    _remark_on_lists(sources, run)
    cells = task.cells
    announce_compiling(is_ready(bool(task.rated)), seconds=35 if task.rated else 15)
    bar = CatalogueBar(cells)
    try:
        outcome = run.work(bar, num_workers=num_workers or num_processors(), scheduler=scheduler)
    except (OSError, WorkersError) as error:
        bar.close()
        complain(f"{_reason(error)}; what is done is kept: the same command goes on from there")
        return EXIT_STOPPED
    finally:
        bar.close()
    if as_json:
        from boulanger.solver.answers.play import json_text

        write(json_text(classify_json(run, outcome, notes)) + "\n")
    else:
        write("".join(f"{line}\n" for line in summary_lines(cells, outcome.tally)))
    if run.bad_lines:
        return EXIT_BAD_INPUT
    return EXIT_UNDECIDED if outcome.tally[:, -1].any() else EXIT_YES


def summary_lines(cells: tuple[int, ...], tally: Tally) -> list[str]:
    """A line for each number of cells, from the most on."""
    lines = []
    for num_cells, counts in reversed(list(zip(cells, tally.tolist(), strict=True))):
        unwinnable, winnable, undecided = counts
        noun = "cell" if num_cells == 1 else "cells"
        num_deals = sum(counts)
        rate = 100 * winnable / num_deals
        lines.append(
            f"{num_cells} {noun}: {winnable:,} of {num_deals:,} winnable "
            f"({rate:.2f} %), {unwinnable:,} unwinnable, {undecided:,} undecided"
        )
    return lines


def classify_json(run: Run, outcome: Outcome, notes: list[str]) -> dict[str, Any]:
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
                list(zip(run.task.cells, outcome.tally.tolist(), strict=True))
            )
        ],
    }


def _remark_on_lists(sources: list[Source], run: Run) -> None:
    """Says which lines were rejected, and how bare numbers were read."""
    from boulanger.solver.catalogue.schema import REJECTED_NAME
    from boulanger.solver.cli.reading import shown_name

    for source in sources:
        if source.num_bare:
            remark(
                f"{shown_name(source.text)}: numbers alone ({source.num_bare:,}) are read as those "
                "of game codes; write ms:NUMBER for Microsoft deals"
            )
    for bad in run.bad_lines[:_MOST_SHOWN]:
        complain(f"{shown_name(bad.file)}, line {bad.line}: {bad.fault}")
    if run.bad_lines:
        rest = len(run.bad_lines) - _MOST_SHOWN
        also = f"{rest:,} more bad lines; all" if rest > 0 else "bad lines"
        remark(f"{also} are in {str(run.folder / REJECTED_NAME)!r}; the other deals go on")


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        name = f" {error.filename!r}" if error.filename else ""
        return f"cannot be written:{name} {error.strerror or error}"
    return str(error)
