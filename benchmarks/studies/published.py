"""`python -m benchmarks.studies.published`: what others counted, beside this project's counts.

Reads `results/catalogues.json` and `results/smallest_cells.json`, writes `results/published.json`:

    samples   each published count of winnable deals beside that of our random deals (or of the very
              same deals); samples of one source and number of cells are pooled as well
    deals     random deals and Microsoft deals, both ours, for each number of cells

with `z`, the difference of the rates in units of its standard error: published less ours, and
Microsoft's less random.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from benchmarks.provenance import provenance
from boulanger.solver.catalogue.intervals import wilson_interval


@dataclass(frozen=True, slots=True)
class Sample:
    """How many deals someone found winnable.

    Attributes:
        who: found it, and when.
        num_cells: in play.
        winnable: of num_deals.
        num_deals: how many there were.
        is_same_deals: whether they are Microsoft deals 1..num_deals; else they are random.
    """

    who: str
    num_cells: int
    winnable: int
    num_deals: int = 1_000_000
    is_same_deals: bool = False


# http://jerrybryan.com/math/baker4.html: "Results copyrighted by Jerry Bryan, posted on the
# Internet 21 September 2004." He permits copies that cite him and carry this notice.
_BRYAN: Final = "Bryan 2004"
SAMPLES: Final = (
    *(Sample(_BRYAN, 0, count) for count in (10, 8, 11)),
    *(Sample(_BRYAN, 1, count) for count in (1_776, 1_897, 1_819)),
    Sample(_BRYAN, 2, 42_584),
    *(Sample(_BRYAN, 3, count) for count in (288_889, 289_588)),
    Sample(_BRYAN, 4, 750_611),
    Sample("Blake and Gent", 4, 7_505_266, 10_000_000),
    Sample("Pringle 2018", 4, 7_501_119, 10_000_000, True),
    Sample(_BRYAN, 5, 979_429),
    Sample(_BRYAN, 6, 999_847),
    Sample(_BRYAN, 7, 1_000_000),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies.published")
    parser.add_argument("--folder", type=Path, default=Path("results"), help="(%(default)s)")
    options = parser.parse_args(arguments)
    catalogues = json.loads((options.folder / "catalogues.json").read_text("utf-8"))["catalogues"]
    smallest = json.loads((options.folder / "smallest_cells.json").read_text("utf-8"))
    ours = {name: counts_of(catalogues[name]["cells"]) for name in ("random", "ms")}
    million = counts_of(smallest["by_cells"])
    document = {
        **provenance("python -m benchmarks.studies.published"),
        "samples": compare(SAMPLES, ours["random"], ours["ms"]),
        "deals": [
            {
                "cells": n,
                "random": side(*ours["random"][n]),
                "ms": side(*million[n]),
                "z": distance(million[n], ours["random"][n]),
            }
            for n in sorted(million)
        ],
    }
    text = json.dumps(document, indent=1) + "\n"
    (options.folder / "published.json").write_text(text, encoding="utf-8")
    return 0


Count = tuple[int, int]
"""Winnable deals, and all of them."""


def counts_of(cells: Sequence[dict[str, Any]]) -> dict[int, Count]:
    """The counts of a result for each number of cells.

    Raises:
        ValueError: if a deal is undecided.
    """
    if any(entry["undecided"] for entry in cells):
        raise ValueError("a deal is undecided; counts of decided deals expected")
    return {
        entry["cells"]: (entry["winnable"], entry["winnable"] + entry["unwinnable"])
        for entry in cells
    }


def compare(
    samples: Sequence[Sample], random: dict[int, Count], ms: dict[int, Count]
) -> list[dict[str, Any]]:
    """Each published count beside ours; those of one source and number of cells pooled."""
    entries = []
    for (who, num_cells), group in groupby(samples, lambda one: (one.who, one.num_cells)):
        of_one = list(group)
        is_same = of_one[0].is_same_deals
        ours = (ms if is_same else random)[num_cells]
        theirs = (sum(one.winnable for one in of_one), sum(one.num_deals for one in of_one))
        entry: dict[str, Any] = {
            "who": who,
            "cells": num_cells,
            "deals": "the same" if is_same else "another sample",
            "counts": [one.winnable for one in of_one],
            "published": side(*theirs),
            "ours": side(*ours),
        }
        if is_same:
            entry["equal"] = ours == theirs
        else:
            entry["z"] = distance(theirs, ours)
            entry["z_of_each"] = [distance((one.winnable, one.num_deals), ours) for one in of_one]
        entries.append(entry)
    return entries


def side(winnable: int, num_deals: int) -> dict[str, Any]:
    """A count with its interval."""
    interval = wilson_interval(winnable, num_deals)
    return {"winnable": winnable, "deals": num_deals, "interval": interval}


def distance(one: Count, other: Count) -> float:
    """The first rate less the second, in units of the standard error of the difference."""
    rate = (one[0] + other[0]) / (one[1] + other[1])
    variance = rate * (1 - rate) * (1 / one[1] + 1 / other[1])
    if variance == 0:
        return 0.0
    return round((one[0] / one[1] - other[0] / other[1]) / math.sqrt(variance), 2)


if __name__ == "__main__":
    sys.exit(main())
