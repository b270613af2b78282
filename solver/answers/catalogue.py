"""The answers of `summary` and `find --json`. Keys stay; new ones may be added.

`summary`:

    catalogue  the folder as it was given
    manifest   its manifest: sources, cells, max_nodes, versions, commit and so on
    notes      list of texts: that the run is unfinished, that lines were rejected
    finished   whether all parts are there; the counts are of those that are
    parts      how many are there, of manifest.num_chunks
    deals      how many these hold
    cells      list, for each number of cells, rising, of
        cells        in play
        winnable, unwinnable, undecided
                     deals; together `deals`
        inferred     deals whose verdict follows from that with another number of cells
        rate         the share of winnable deals, 0 to 1; null if any is undecided
        rate_bounds  [low, high]: undecided deals all taken as lost, and all as won
        interval     [low, high]: the 95 % Wilson interval, from the lower end for the lower bound
                     of the rate to the upper end for the upper bound
    fewest     {cells, none, unknown}: `cells` is a list of {cells, deals}: for how many deals it
               is proven that this many cells win, and none of the fewer ones in the list; `none`
               counts the deals that are lost with all of them, `unknown` those for which an
               undecided verdict leaves it open
    words      list of {cells, words}, for each number of cells that deals are rated for: how many
               have each of the words for scores; empty if they are not
    sources    list of {source, deals, cells, fewest} for each source, in the order of the deals

rate, rate_bounds and interval are null if there are no deals.

`find --json`:

    dealer      who deals the game codes, by name
    notes       list of texts: what is to be known about the dealer
    seed        gives the same deals again
    conditions  list of {cells, verdict}, all met
    difficulty  {cells, word} if that was asked for, otherwise null
    drawn       deals looked at, up to the last one found
    undecided   deals left out because a verdict took too much memory
    deals       list of {deal, number}; with a difficulty also {score, word}
    interrupted whether Ctrl-C ended it before enough were found
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from boulanger.engine.deals.codes import format_code
from boulanger.solver.catalogue.conditions import Condition

if TYPE_CHECKING:
    from boulanger.solver.catalogue.reader import Catalogue
    from boulanger.solver.catalogue.summary import CellCounts, Summary, Tally
    from boulanger.solver.find import Difficulty, Found

_MAX_DECIMALS: Final = 6
_COLUMNS: Final = ("cells", "winnable", "unwinnable", "undecided", "inferred", "rate")
_MAX_SOURCES_SHOWN: Final = 4


def summary_json(name: str, catalogue: Catalogue, summary: Summary) -> dict[str, Any]:
    """The answer of `summary`; `name` is the folder as it was given."""
    return {
        "catalogue": name,
        "manifest": catalogue.manifest.document,
        "notes": summary_notes(catalogue),
        "finished": catalogue.is_finished,
        "parts": catalogue.num_parts,
        **_tally_json(summary.whole),
        "sources": [
            {"source": source, **_tally_json(tally)} for source, tally in summary.by_source.items()
        ],
    }


def summary_text(catalogue: Catalogue, summary: Summary) -> str:
    """The answer of `summary` for people."""
    sources = [source.text for source in catalogue.manifest.sources]
    names = ", ".join(sources[:_MAX_SOURCES_SHOWN])
    if len(sources) > _MAX_SOURCES_SHOWN:
        names += f" and {len(sources) - _MAX_SOURCES_SHOWN:,} more sources"
    lines = [f"{summary.whole.num_deals:,} deals: {names}"]
    lines += [f"Note: {note}." for note in summary_notes(catalogue)]
    lines += _tally_lines(summary.whole)
    if len(summary.by_source) > 1:
        for source, tally in summary.by_source.items():
            lines += ["", f"{source}: {tally.num_deals:,} deals", *_tally_lines(tally)]
    return "".join(line + "\n" for line in lines)


def summary_notes(catalogue: Catalogue) -> list[str]:
    """What has to be known to read the counts, each without a full stop."""
    notes = [catalogue.unfinished_note] if catalogue.unfinished_note else []
    manifest = catalogue.manifest
    if manifest.num_rejected:
        lines = (
            "1 line was" if manifest.num_rejected == 1 else f"{manifest.num_rejected:,} lines were"
        )
        notes.append(
            f"{lines} no deal and left out: see the file *.rejected.txt beside the catalogue"
        )
    if manifest.max_nodes is not None:
        notes.append(f"searches were given {manifest.max_nodes:,} nodes at most")
    return notes


def find_json(
    conditions: Sequence[Condition],
    num_cells: int,
    seed: int,
    num_drawn: int,
    num_undecided: int,
    found: Sequence[Found],
    difficulty: Difficulty | None = None,
) -> dict[str, Any]:
    """The answer of `find --json`.

    Args:
        conditions: that were asked for.
        num_cells: what game codes say.
        seed: gives the same deals again.
        num_drawn: deals that were looked at.
        num_undecided: deals that were left out.
        found: those that fit.
        difficulty: that was asked for, if it was.
    """
    return {
        "seed": seed,
        "conditions": [
            {"cells": condition.num_cells, "verdict": condition.verdict.word}
            for condition in conditions
        ],
        "difficulty": None
        if difficulty is None
        else {"cells": difficulty.num_cells, "word": difficulty.word},
        "drawn": num_drawn,
        "undecided": num_undecided,
        "deals": [
            {
                "deal": format_code(deal.number, num_cells),
                "number": deal.number,
                **({} if difficulty is None else {"score": deal.score, "word": difficulty.word}),
            }
            for deal in found
        ],
    }


def _tally_json(tally: Tally) -> dict[str, Any]:
    return {
        "deals": tally.num_deals,
        "cells": [_counts_json(counts) for counts in tally.cells],
        "fewest": {
            "cells": [{"cells": n, "deals": deals} for n, deals in tally.fewest.items()],
            "none": tally.none,
            "unknown": tally.unknown,
        },
        "words": [{"cells": n, "words": words} for n, words in tally.words.items()],
    }


def _counts_json(counts: CellCounts) -> dict[str, Any]:
    bounds, interval = counts.rate_bounds, counts.interval
    return {
        "cells": counts.num_cells,
        "winnable": counts.winnable,
        "unwinnable": counts.unwinnable,
        "undecided": counts.undecided,
        "inferred": counts.inferred,
        "rate": bounds[0] if bounds is not None and not counts.undecided else None,
        "rate_bounds": None if bounds is None else list(bounds),
        "interval": None if interval is None else list(interval),
    }


def _tally_lines(tally: Tally) -> Iterator[str]:
    """The two tables."""
    rows = [(*_COLUMNS, "95 % interval"), *map(_counts_row, tally.cells)]
    yield ""
    yield from _table(rows)
    if any(counts.undecided for counts in tally.cells):
        yield "An undecided deal is no loss: the rate lies between its two bounds."
    yield ""
    yield "Fewest of these cells that win:"
    fewest = [(f"{n}", count) for n, count in tally.fewest.items()]
    fewest.append(("none of these", tally.none))
    if tally.unknown:
        fewest.append(("not known", tally.unknown))
    yield from _table(
        [
            (name, f"{count:,}", f"{100 * count / max(tally.num_deals, 1):.3f} %")
            for name, count in fewest
        ]
    )
    yield from _word_lines(tally)


def _word_lines(tally: Tally) -> Iterator[str]:
    """How hard winnable deals are, if they are rated."""
    if not tally.words:
        return
    yield ""
    yield "How hard winnable deals are:"
    names = list(next(iter(tally.words.values())))
    rows = [("cells", *names)]
    rows += [(str(n), *(f"{words[name]:,}" for name in names)) for n, words in tally.words.items()]
    yield from _table(rows)


def _counts_row(counts: CellCounts) -> tuple[str, ...]:
    whole = (counts.winnable, counts.unwinnable, counts.undecided, counts.inferred)
    bounds, interval = counts.rate_bounds, counts.interval
    if bounds is None or interval is None:
        return (str(counts.num_cells), *map(str, whole), "-", "-")
    decimals = _decimals(interval)
    rate = _percents(bounds if counts.undecided else bounds[:1], decimals)
    return (
        str(counts.num_cells),
        *(f"{number:,}" for number in whole),
        rate,
        _percents(interval, decimals),
    )


def _decimals(interval: tuple[float, float]) -> int:
    """Of percentages, as many as make the width of the interval has two digits."""
    width = 100 * (interval[1] - interval[0])
    return min(max(1 - math.floor(math.log10(width)), 1), _MAX_DECIMALS)


def _percents(values: Sequence[float], decimals: int) -> str:
    return " to ".join(f"{100 * value:.{decimals}f}" for value in values) + " %"


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Rows of equally many texts, right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))
