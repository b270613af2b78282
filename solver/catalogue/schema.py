"""What a catalogue's folder holds: names of files, columns and their types.

    manifest.json             sources, options and versions (`solver.catalogue.folder`)
    parts/part-000000.parquet one for each chunk of deals, in the order of the sources
    rejected.txt              bad lines of source files, if there were any

The columns of a part, in this order:

    source      the dealer's key (`engine.deals.names`): "bk1", "code@NAME", "ms" or "random@SEED"
    number      of the deal: that in its game code, or for random its place in the sample
    code        the seven letters of a game code (which puts BK1-Cn- before them), or null

and for each number of cells n, from the fewest on:

    verdict_n   "winnable", "unwinnable" or "undecided" (at the limit of nodes or memory)
    nodes_n     of the search; null if inferred
    inferred_n  whether the verdict follows from that with another number of cells

With `--rate`, for each number of cells n that ratings have a model for, from the fewest on:

    score_n     how hard the deal is, 0 to 100 (`solver.rating`); null unless winnable
    plies_n     length of a shortest solution in single-card moves; null if not proven
    actions_n   the same in the app's actions

Winnable with some cells, winnable with more; unwinnable with some, unwinnable with fewer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pyarrow as pa

from boulanger.solver.result import Verdict

FORMAT: Final = 1
MANIFEST_NAME: Final = "manifest.json"
PARTS_NAME: Final = "parts"
REJECTED_NAME: Final = "rejected.txt"

SOURCE: Final = "source"
NUMBER: Final = "number"
CODE: Final = "code"

# In the order of the numbers that `boulanger.classify` gives.
VERDICTS: Final = (Verdict.UNWINNABLE.value, Verdict.WINNABLE.value, Verdict.UNDECIDED.value)

SOURCE_TYPE: Final = pa.dictionary(pa.int32(), pa.string())
VERDICT_TYPE: Final = pa.dictionary(pa.int8(), pa.string())

_PART: Final = re.compile(r"part-([0-9]{6,})\.parquet")


def verdict_column(num_cells: int) -> str:
    """The column of the verdicts with so many cells."""
    return f"verdict_{num_cells}"


def nodes_column(num_cells: int) -> str:
    """The column of the nodes that these took."""
    return f"nodes_{num_cells}"


def inferred_column(num_cells: int) -> str:
    """The column that says which of them were inferred."""
    return f"inferred_{num_cells}"


def score_column(num_cells: int) -> str:
    """The column of the ratings with so many cells."""
    return f"score_{num_cells}"


def length_columns(num_cells: int) -> tuple[str, str]:
    """The columns of the shortest solutions with so many cells, in plies and in actions."""
    return f"plies_{num_cells}", f"actions_{num_cells}"


def part_schema(cells: Sequence[int], rated: Sequence[int] = ()) -> pa.Schema:
    """The columns of a part.

    Args:
        cells: the numbers of cells that there are verdicts for, rising.
        rated: those of them that there are ratings for, rising.
    """
    fields = [
        pa.field(SOURCE, SOURCE_TYPE, nullable=False),
        pa.field(NUMBER, pa.uint64(), nullable=False),
        pa.field(CODE, pa.string()),
    ]
    for num_cells in cells:
        fields += [
            pa.field(verdict_column(num_cells), VERDICT_TYPE, nullable=False),
            pa.field(nodes_column(num_cells), pa.uint32()),
            pa.field(inferred_column(num_cells), pa.bool_(), nullable=False),
        ]
    for num_cells in rated:
        fields.append(pa.field(score_column(num_cells), pa.float32()))
        fields += [pa.field(name, pa.uint16()) for name in length_columns(num_cells)]
    return pa.schema(fields)


def part_name(index: int) -> str:
    """The file of chunk `index`, counted from 0."""
    return f"part-{index:06}.parquet"


def part_index(name: str) -> int | None:
    """The chunk of a file of that name; None if it is no part."""
    found = _PART.fullmatch(name)
    return int(found[1]) if found else None


def part_path(folder: Path, index: int) -> Path:
    """The path of chunk `index` of the catalogue in `folder`."""
    return folder / PARTS_NAME / part_name(index)
