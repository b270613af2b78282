"""What a catalogue's folder holds: names of files, and the columns of its Parquet files.

    _manifest.parquet                   no rows; what the catalogue is about, as metadata
    parts/part-000000-DIGEST.parquet    one for each chunk of deals, in the order of the sources

Every file is a Parquet file with the same columns, so that any tool can read the whole folder as
one table. DIGEST is that of the file's bytes. The metadata is JSON under the key `boulanger`; see
`solver.catalogue.manifest`.

A column is said once, by its row below: whatever writes, reads, exports or documents columns walks
these rows. Winnable with some cells, winnable with more; unwinnable with some, unwinnable with
fewer.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boulanger.solver.catalogue.arrow import pa
from boulanger.solver.result import Verdict

FORMAT: Final = 2
MANIFEST_NAME: Final = "_manifest.parquet"
PARTS_NAME: Final = "parts"
METADATA_KEY: Final = b"boulanger"

# The word of each number of `Verdict`.
VERDICTS: Final = tuple(verdict.word for verdict in Verdict)


@dataclass(frozen=True, slots=True)
class Column:
    """A column, or one for each number of cells.

    Attributes:
        pattern: its name; `N` stands for the number of cells.
        type: in the parts.
        can_be_null: whether a deal may have nothing there.
        about: what is in it, for the manual.
        encoding: of Parquet, where another one than the usual is much shorter.
    """

    pattern: str
    type: Any
    can_be_null: bool
    about: str
    encoding: str | None = None

    def of(self, num_cells: int | None = None) -> str:
        """The name of the column, for a number of cells."""
        return self.pattern if num_cells is None else self.pattern.replace("N", str(num_cells))

    @property
    def is_text_list(self) -> bool:
        """Whether it holds few different texts, as numbers with a dictionary."""
        return bool(pa.types.is_dictionary(self.type))

    @property
    def plain_type(self) -> Any:
        """In exports: texts in full, since dictionaries differ from part to part."""
        return self.type.value_type if self.is_text_list else self.type


SOURCE: Final = Column(
    "source",
    pa.dictionary(pa.int32(), pa.string()),
    False,
    "the dealer's key: `bk1`, `code@NAME` (a learned dealer), `ms` or `random@SEED`",
)
NUMBER: Final = Column(
    "number",
    pa.uint64(),
    False,
    "of the deal: the one in its game code, or its place in the random sample",
    encoding="DELTA_BINARY_PACKED",
)
CODE: Final = Column(
    "code",
    pa.string(),
    True,
    "the last seven letters of a game code (`BK1-C4-` or the like goes before them); null for "
    "deals that have none",
)
VERDICT: Final = Column(
    "verdict_N",
    pa.dictionary(pa.int8(), pa.string()),
    False,
    "`winnable`, `unwinnable` or `undecided` (a limit was reached) with N cells",
)
NODES: Final = Column(
    "nodes_N", pa.uint32(), True, "nodes that the search took; null if the verdict is inferred"
)
INFERRED: Final = Column(
    "inferred_N",
    pa.bool_(),
    False,
    "whether the verdict follows from the one with another number of cells",
)
SCORE: Final = Column(
    "score_N",
    pa.float32(),
    True,
    "with `--rate`: how hard the deal is, 0 to 100; null unless it is winnable",
)
PLIES: Final = Column(
    "plies_N",
    pa.uint16(),
    True,
    "with `--rate`: length of a shortest solution in single-card moves; null if not proven",
)
ACTIONS: Final = Column(
    "actions_N", pa.uint16(), True, "with `--rate`: the same in the app's actions"
)

DEAL_COLUMNS: Final = (SOURCE, NUMBER, CODE)
CELL_COLUMNS: Final = (VERDICT, NODES, INFERRED)
RATING_COLUMNS: Final = (SCORE, PLIES, ACTIONS)

_PART: Final = re.compile(r"part-([0-9]{6,})-([0-9a-f]{32})\.parquet")


def named_columns(cells: Sequence[int], rated: Sequence[int] = ()) -> dict[str, Column]:
    """The columns of a part by their names, in order.

    Args:
        cells: the numbers of cells that there are verdicts for, rising.
        rated: those of them that there are ratings for, rising.
    """
    return {
        **{column.of(): column for column in DEAL_COLUMNS},
        **{column.of(n): column for n in cells for column in CELL_COLUMNS},
        **{column.of(n): column for n in rated for column in RATING_COLUMNS},
    }


def part_schema(cells: Sequence[int], rated: Sequence[int] = ()) -> Any:
    """The Arrow schema of a part; see `named_columns`."""
    return pa.schema(
        [
            pa.field(name, column.type, nullable=column.can_be_null)
            for name, column in named_columns(cells, rated).items()
        ]
    )


def has_columns(schema: Any, cells: Sequence[int], rated: Sequence[int] = ()) -> bool:
    """Whether a part that was read has the columns of `part_schema`.

    Older versions of pyarrow read the numbers of dictionaries in another width.
    """
    expected = part_schema(cells, rated)
    return [_kind(field) for field in schema] == [_kind(field) for field in expected]


def _kind(field: Any) -> tuple[Any, ...]:
    is_text_list = bool(pa.types.is_dictionary(field.type))
    kind = field.type.value_type if is_text_list else field.type
    return field.name, is_text_list, kind, field.nullable


@dataclass(frozen=True, slots=True)
class PartFile:
    """A file in the folder of parts, by its name.

    Attributes:
        path: of the file.
        index: of the chunk, counted from 0.
        digest: what its bytes must have.
    """

    path: Path
    index: int
    digest: str


def digest_of(data: bytes) -> str:
    """The first 32 hexadecimal digits of the SHA-256."""
    return hashlib.sha256(data).hexdigest()[:32]


def part_name(index: int, digest: str) -> str:
    """The name of the file of chunk `index`."""
    return f"part-{index:06}-{digest}.parquet"


def part_files(folder: Path) -> dict[int, list[PartFile]]:
    """The parts of the catalogue in `folder` by their chunks, rising; other files are ignored.

    There are two for a chunk while a grown one replaces it.

    Raises:
        OSError: if the folder cannot be read; not if there are no parts yet.
    """
    found: dict[int, list[PartFile]] = {}
    try:
        paths = sorted((folder / PARTS_NAME).iterdir())
    except FileNotFoundError:
        return found
    for path in paths:
        name = _PART.fullmatch(path.name)
        if name is not None:
            index = int(name[1])
            found.setdefault(index, []).append(PartFile(path, index, name[2]))
    return dict(sorted(found.items()))
