"""What a worker does: the verdicts on one chunk of deals, as the bytes of a Parquet file.

The bytes depend on the chunk, the options, and the versions in `Stamp` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.codes import NUM_PAYLOAD_LETTERS, PAYLOAD_LETTERS
from boulanger.engine.deals.dealers import MS
from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.deals.names import deals_codes, learned_dealer
from boulanger.engine.errors import CatalogueError
from boulanger.engine.position import Position
from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.schema import (
    NUMBER,
    SOURCE,
    VERDICTS,
    length_columns,
    part_schema,
    score_column,
    verdict_column,
)
from boulanger.solver.deals.code_dealer import CodeDealer
from boulanger.solver.verdict import classify as verdicts_module
from boulanger.solver.verdict.classify import classify
from boulanger.solver.verdict.decide import UNDECIDED, UNWINNABLE, WINNABLE

if TYPE_CHECKING:
    from boulanger.solver.rating.parts import Measurer

_NO_COLUMNS: Final[Mapping[str, pa.Array]] = MappingProxyType({})
_NUM_VERDICTS: Final = len(VERDICTS)
_BITS_A_LETTER: Final = 5
_LETTERS: Final = np.frombuffer(PAYLOAD_LETTERS.encode("ascii"), np.uint8)
# Their nodes with four cells are the search's signature: some hundredths of a second.
_SIGNATURE_DEALS: Final = range(1, 101)
_SIGNATURE_CELLS: Final = 4


class WorkersError(RuntimeError):
    """Workers cannot be reached, keep dying, or are not of this version."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of each deal.

    Attributes:
        cells: numbers of cells, rising.
        max_nodes: for each deal and number of cells; None for no limit.
        rated: the numbers of cells with which winnable deals are rated, rising; each one of `cells`
            and with a model (`solver.rating.model`).
        learned: the learned dealers of the deals; workers need not have their files.

    Raises:
        CatalogueError: if a dealer deals other boards for each number of cells, and there are
            several: no verdict would follow from another.
    """

    cells: tuple[int, ...]
    max_nodes: int | None = None
    rated: tuple[int, ...] = ()
    learned: tuple[CodeDealer, ...] = ()

    def __post_init__(self) -> None:
        if len(self.cells) > 1:
            for dealer in self.learned:
                if dealer.heeds_cells:
                    raise CatalogueError(
                        f"the dealer {dealer.name} deals another board for each number of cells; "
                        f"--cells with one number expected, such as {self.cells[-1]}"
                    )


@dataclass(frozen=True, slots=True)
class Stamp:
    """What must be the same on all workers, for their parts to be the same.

    Attributes:
        boulanger: its version.
        pyarrow: its version, which Parquet files bear.
        search: nodes of some deals; whatever changes the search changes them.
        rating: the rating of a deal; whatever changes ratings changes that. None if none is asked.
    """

    boulanger: str
    pyarrow: str
    search: int
    rating: float | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A finished chunk.

    Attributes:
        index: of the chunk.
        data: the Parquet file.
        tally: int64 (cells, 3), how many deals have each of `VERDICTS`.
        stamp: of the worker.
    """

    index: int
    data: bytes
    tally: npt.NDArray[np.int64]
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts on some deals with one number of cells.

    Attributes:
        verdicts: uint8, as `classify` has them.
        nodes: int64; of no meaning where inferred.
        inferred: bool.
    """

    verdicts: npt.NDArray[np.uint8]
    nodes: npt.NDArray[np.int64]
    inferred: npt.NDArray[np.bool_]


def work_on(chunk: Chunk, task: Task) -> Part:
    """Deals a chunk and classifies it."""
    deals = deal_chunk(chunk, task)
    found = classify_with_cells(deals, task)
    columns = {
        name: column
        for num_cells in task.rated
        for name, column in _rate_with(
            num_cells, deals, found[task.cells.index(num_cells)].verdicts == WINNABLE
        ).items()
    }
    data = part_bytes(chunk, task, found, columns)
    tally = np.stack([np.bincount(v.verdicts, minlength=_NUM_VERDICTS) for v in found])
    return Part(chunk.index, data, tally, own_stamp(bool(task.rated)))


def deal_chunk(chunk: Chunk, task: Task) -> npt.NDArray[np.uint8]:
    """The cards of a chunk's deals, as `deal_many` has them."""
    learned = {dealer.key: dealer for dealer in task.learned}
    cards = np.empty((chunk.num_deals, NUM_CARDS), np.uint8)
    numbers = _numbers(chunk)
    which, dealers = _dealers(chunk)
    for i, dealer in enumerate(dealers):
        rows = which == i if len(dealers) > 1 else slice(None)
        if dealer in learned:
            cards[rows] = learned[dealer].deal_many(numbers[rows], task.cells[0])
        else:
            cards[rows] = deal_many(dealer, numbers[rows])
    return cards


def classify_with_cells(deals: npt.NDArray[np.uint8], task: Task) -> list[Verdicts]:
    """The verdicts on deals for each number of cells, none searched for that follows from another.

    From few cells to many, since a deal that is won is won with more, and few cells are quick. In
    the end, what a limit left undecided with few cells is unwinnable if it is so with more.
    """
    found: list[Verdicts] = []
    won = np.zeros(len(deals), np.bool_)
    for num_cells in task.cells:
        verdicts = np.full(len(deals), WINNABLE, np.uint8)
        nodes = np.zeros(len(deals), np.int64)
        inferred = won.copy()
        open_rows = np.flatnonzero(~won)
        verdicts[open_rows], nodes[open_rows] = classify(
            deals[open_rows], num_cells, max_nodes=task.max_nodes
        )
        won = verdicts == WINNABLE
        found.append(Verdicts(verdicts, nodes, inferred))
    lost = np.zeros(len(deals), np.bool_)
    for result in reversed(found):
        settled = lost & (result.verdicts == UNDECIDED)
        result.verdicts[settled] = UNWINNABLE
        result.inferred[settled] = True
        lost = result.verdicts == UNWINNABLE
    return found


def part_bytes(
    chunk: Chunk,
    task: Task,
    found: Sequence[Verdicts],
    rating_columns: Mapping[str, pa.Array] = _NO_COLUMNS,
) -> bytes:
    """The Parquet file of a chunk."""
    which, dealers = _dealers(chunk)
    numbers = _numbers(chunk)
    columns: list[pa.Array] = [
        pa.DictionaryArray.from_arrays(pa.array(which), pa.array(dealers, pa.string())),
        pa.array(numbers),
        _codes(numbers, np.array([deals_codes(dealer) for dealer in dealers], np.bool_)[which]),
    ]
    names = pa.array(VERDICTS, pa.string())
    for result in found:
        # With four gigabytes of tables, no search comes near 2**32 nodes.
        nodes = result.nodes.astype(np.uint32)
        columns += [
            pa.DictionaryArray.from_arrays(pa.array(result.verdicts.astype(np.int8)), names),
            pa.array(nodes, mask=result.inferred),
            pa.array(result.inferred),
        ]
    schema = part_schema(task.cells, task.rated)
    columns += [rating_columns[name] for name in schema.names[len(columns) :]]
    table = pa.Table.from_arrays(columns, schema=schema)
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=max(1, len(numbers)),
        compression="zstd",
        use_dictionary=[SOURCE, *(verdict_column(num_cells) for num_cells in task.cells)],
        column_encoding={NUMBER: "DELTA_BINARY_PACKED"},
    )
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _rate_with(
    num_cells: int, deals: npt.NDArray[np.uint8], is_winnable: npt.NDArray[np.bool_]
) -> dict[str, pa.Array]:
    """The columns of the ratings with so many cells, null for deals that cannot be won."""
    from boulanger.solver.rating.rate import rate

    scores: list[float | None] = [None] * len(deals)
    lengths: list[list[int | None]] = [[None] * len(deals), [None] * len(deals)]
    measurer = _measurer()
    for row in np.flatnonzero(is_winnable).tolist():
        position = Position.from_deal(deals[row].tolist(), num_cells)
        rating = rate(position, measurer=measurer)
        scores[row] = rating.score
        if rating.parts is not None:
            for column, found in zip(
                lengths, (rating.parts.plies, rating.parts.actions), strict=True
            ):
                column[row] = found.length if found.is_proven else None
    plies, actions = length_columns(num_cells)
    return {
        score_column(num_cells): pa.array(scores, pa.float32()),
        plies: pa.array(lengths[0], pa.uint16()),
        actions: pa.array(lengths[1], pa.uint16()),
    }


@cache
def _measurer() -> Measurer:
    from boulanger.solver.rating.parts import Measurer

    return Measurer()


@cache
def own_stamp(with_rating: bool = False) -> Stamp:
    """The stamp of this process; compiles the search if it has to."""
    deals = deal_many(MS.name, np.array(_SIGNATURE_DEALS))
    _, nodes = classify(deals, _SIGNATURE_CELLS)
    rating = None
    if with_rating:
        from boulanger.solver.rating.rate import rate

        rating = rate(Position.from_deal(MS.deal(1), _SIGNATURE_CELLS)).score
    return Stamp(version("boulanger"), pa.__version__, int(nodes.sum()), rating)


def prepare(dealers: Iterable[str], with_rating: bool = False) -> None:
    """Compiles, once a machine, or loads what `work_on` needs for these dealers."""
    for dealer in dealers:
        if learned_dealer(dealer) is None:
            deal_many(dealer, np.zeros(1, np.uint64))
    own_stamp(with_rating)


def is_ready(with_rating: bool = False) -> bool:
    """Whether the search is compiled; a good guess. The dealers take a second or two."""
    if with_rating:
        from boulanger.solver.rating.parts import is_ready as is_rating_ready

        return is_rating_ready() and is_ready()
    return verdicts_module.is_ready()


def _numbers(chunk: Chunk) -> npt.NDArray[np.uint64]:
    """The numbers of a chunk's deals."""
    return np.concatenate(
        [
            np.arange(piece.numbers.start, piece.numbers.stop, dtype=np.uint64)
            if isinstance(piece.numbers, range)
            else piece.numbers
            for piece in chunk.pieces
        ]
    )


def _dealers(chunk: Chunk) -> tuple[npt.NDArray[np.int32], list[str]]:
    """For each deal the index of its dealer; the dealers, in the order in which they come up."""
    dealers: dict[str, int] = {}
    indices = [dealers.setdefault(piece.dealer, len(dealers)) for piece in chunk.pieces]
    lengths = [len(piece.numbers) for piece in chunk.pieces]
    return np.repeat(np.array(indices, np.int32), lengths), list(dealers)


def _codes(numbers: npt.NDArray[np.uint64], has_code: npt.NDArray[np.bool_]) -> pa.Array:
    """The seven letters of each number that has a game code, null for the others."""
    coded = numbers[has_code]
    shifts = range(_BITS_A_LETTER * (NUM_PAYLOAD_LETTERS - 1), -1, -_BITS_A_LETTER)
    letters = np.empty((len(coded), NUM_PAYLOAD_LETTERS), np.uint8)
    for i, shift in enumerate(shifts):
        letters[:, i] = _LETTERS[(coded >> np.uint64(shift) & np.uint64(31)).astype(np.intp)]
    offsets = np.zeros(len(numbers) + 1, np.int32)
    np.cumsum(has_code * np.int32(NUM_PAYLOAD_LETTERS), out=offsets[1:])
    validity = None
    if not has_code.all():
        validity = pa.py_buffer(np.packbits(has_code, bitorder="little").tobytes())
    return pa.StringArray.from_buffers(
        len(numbers), pa.py_buffer(offsets), pa.py_buffer(letters), validity
    )
