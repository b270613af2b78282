"""What a worker does: the verdicts on one chunk of deals, as the bytes of a Parquet file.

The bytes depend on the chunk, the options, and the versions in `Stamp` only. A part that is grown
from one with fewer columns, or with a lower limit, has the same bytes as one that is made anew.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.deals.codes import NUM_PAYLOAD_LETTERS, PAYLOAD_LETTERS
from boulanger.engine.deals.dealers import MS
from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.deals.kernels import is_ready as are_deals_ready
from boulanger.engine.deals.names import deals_codes, learned_dealer
from boulanger.engine.errors import CatalogueError
from boulanger.engine.position import Position
from boulanger.solver.catalogue.arrow import pa, pc, pq
from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.schema import (
    ACTIONS,
    CODE,
    INFERRED,
    METADATA_KEY,
    NODES,
    NUMBER,
    PLIES,
    SCORE,
    SOURCE,
    VERDICT,
    VERDICTS,
    named_columns,
    part_schema,
)
from boulanger.solver.catalogue.task import Stamp, Task, check_stamp, own_version
from boulanger.solver.verdict import classify as verdicts_module
from boulanger.solver.verdict.classify import classify
from boulanger.solver.verdict.decide import UNDECIDED, UNWINNABLE, WINNABLE

if TYPE_CHECKING:
    from boulanger.solver.rating.parts import Measurer

_BITS_A_LETTER: Final = 5
_LETTERS: Final = np.frombuffer(PAYLOAD_LETTERS.encode("ascii"), np.uint8)
# Their nodes with four cells are the search's signature: some hundredths of a second.
_SIGNATURE_DEALS: Final = range(1, 101)
_SIGNATURE_CELLS: Final = 4
_of_thread: Final = threading.local()


@dataclass(frozen=True, slots=True)
class MadePart:
    """A finished chunk.

    Attributes:
        index: of the chunk.
        data: the Parquet file.
        counts: int64 (cells, 3), how many deals have each of `VERDICTS`.
        stamp: of the worker.
    """

    index: int
    data: bytes
    counts: npt.NDArray[np.int64]
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """A finished chunk whose worker has put the part into the folder itself.

    Attributes:
        index: of the chunk.
        digest: of the Parquet file, which is in its name.
        num_bytes: of the Parquet file.
        host: the worker's machine.
        counts: int64 (cells, 3), how many deals have each of `VERDICTS`.
        stamp: of the worker.
    """

    index: int
    digest: str
    num_bytes: int
    host: str
    counts: npt.NDArray[np.int64]
    stamp: Stamp


FinishedPart = MadePart | WrittenPart
"""What becomes of a chunk."""


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

    @property
    def is_settled(self) -> npt.NDArray[np.bool_]:
        """Which of them a search has decided, bool (N,)."""
        settled: npt.NDArray[np.bool_] = (self.verdicts != UNDECIDED) & ~self.inferred
        return settled


def work_on(chunk: Chunk, task: Task, expected: Stamp | None = None) -> MadePart:
    """Deals a chunk and classifies it.

    Args:
        chunk: of the catalogue.
        task: what is asked of each deal.
        expected: the stamp that this process must have, looked at before the work begins.

    Raises:
        WorkersError: if it has another one.
    """
    stamp = own_stamp(bool(task.rated))
    if expected is not None:
        check_stamp(stamp, expected)
    deals = deal_chunk(chunk, task)
    base = None if chunk.base is None else pq.read_table(pa.BufferReader(chunk.base))
    columns = _deal_columns(chunk)
    known: dict[int, Verdicts] = {}
    if base is not None:
        _check_base(base, columns)
        known = {n: _known(base, n) for n in task.cells if VERDICT.of(n) in base.column_names}
    found = classify_with_cells(deals, task, known)
    for num_cells, result in zip(task.cells, found, strict=True):
        columns |= _cell_columns(num_cells, result)
    for num_cells in task.rated:
        is_won = found[task.cells.index(num_cells)].verdicts == WINNABLE
        columns |= _rating_columns(num_cells, deals, is_won, base)
    data = part_bytes(columns, task, chunk.about)
    counts = np.stack([np.bincount(v.verdicts, minlength=len(VERDICTS)) for v in found])
    return MadePart(chunk.index, data, counts, stamp)


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


def classify_with_cells(
    deals: npt.NDArray[np.uint8], task: Task, known: dict[int, Verdicts] | None = None
) -> list[Verdicts]:
    """The verdicts on deals for each number of cells, none searched for that follows from another.

    From few cells to many, since a deal that is won is won with more, and few cells are quick. In
    the end, what a limit left undecided with few cells is unwinnable if it is so with more.

    Args:
        deals: uint8 (N, 52).
        task: numbers of cells and limits.
        known: for some numbers of cells what a search with these limits, or lower ones, has found
            before; it would find the same again where it was settled.
    """
    known = known or {}
    found: list[Verdicts] = []
    won = np.zeros(len(deals), np.bool_)
    for num_cells in task.cells:
        verdicts = np.full(len(deals), WINNABLE, np.uint8)
        nodes = np.zeros(len(deals), np.int64)
        inferred = won.copy()
        is_open = ~won
        if num_cells in known:
            before = known[num_cells]
            kept = is_open & before.is_settled
            verdicts[kept], nodes[kept] = before.verdicts[kept], before.nodes[kept]
            is_open &= ~kept
        open_rows = np.flatnonzero(is_open)
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


def part_bytes(columns: dict[str, Any], task: Task, about: str = "{}") -> bytes:
    """The Parquet file of a chunk, of its columns by their names."""
    named = named_columns(task.cells, task.rated)
    schema = part_schema(task.cells, task.rated).with_metadata({METADATA_KEY: about.encode()})
    table = pa.Table.from_arrays([columns[name] for name in named], schema=schema)
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=max(1, len(table)),
        compression="zstd",
        use_dictionary=[name for name, column in named.items() if column.is_text_list],
        column_encoding={name: c.encoding for name, c in named.items() if c.encoding},
    )
    return bytes(sink.getvalue().to_pybytes())


def _deal_columns(chunk: Chunk) -> dict[str, Any]:
    """The columns that say which deals these are."""
    which, dealers = _dealers(chunk)
    numbers = _numbers(chunk)
    has_code = np.array([deals_codes(dealer) for dealer in dealers], np.bool_)[which]
    return {
        SOURCE.of(): pa.DictionaryArray.from_arrays(pa.array(which), pa.array(dealers)),
        NUMBER.of(): pa.array(numbers),
        CODE.of(): _codes(numbers, has_code),
    }


def _cell_columns(num_cells: int, result: Verdicts) -> dict[str, Any]:
    """The columns of the verdicts with this many cells."""
    # With four gigabytes of tables, no search comes near 2**32 nodes.
    nodes = result.nodes.astype(np.uint32)
    verdicts = pa.array(result.verdicts.astype(np.int8))
    return {
        VERDICT.of(num_cells): pa.DictionaryArray.from_arrays(verdicts, pa.array(VERDICTS)),
        NODES.of(num_cells): pa.array(nodes, mask=result.inferred),
        INFERRED.of(num_cells): pa.array(result.inferred),
    }


def _check_base(base: Any, columns: dict[str, Any]) -> None:
    """Makes sure that a part to be grown holds the same deals.

    Raises:
        CatalogueError: if it does not.
    """
    for column in (SOURCE, NUMBER):
        own, there = columns[column.of()], base[column.of()].combine_chunks()
        if column.is_text_list:
            own, there = own.cast(pa.string()), there.cast(pa.string())
        if not own.equals(there):
            raise CatalogueError("a part that should grow holds other deals than its sources")


def _known(base: Any, num_cells: int) -> Verdicts:
    """The verdicts with this many cells in a part that is to be grown."""
    texts = base[VERDICT.of(num_cells)].combine_chunks().cast(pa.string())
    places = pc.index_in(texts, value_set=pa.array(VERDICTS))
    nodes = base[NODES.of(num_cells)].combine_chunks().fill_null(0)
    inferred = base[INFERRED.of(num_cells)].combine_chunks()
    return Verdicts(
        np.asarray(places.to_numpy(), np.uint8),
        np.asarray(nodes.to_numpy(), np.int64),
        np.asarray(inferred.to_numpy(zero_copy_only=False), np.bool_),
    )


def _rating_columns(
    num_cells: int,
    deals: npt.NDArray[np.uint8],
    is_winnable: npt.NDArray[np.bool_],
    base: Any | None = None,
) -> dict[str, Any]:
    """The columns of the ratings with this many cells, null for deals that cannot be won.

    Deals that are won in `base`, a part that is to be grown, keep the ratings that they have there.
    """
    from boulanger.solver.rating.rate import rate

    names = [column.of(num_cells) for column in (SCORE, PLIES, ACTIONS)]
    columns: list[list[Any]] = [[None] * len(deals) for _ in names]
    to_rate = is_winnable
    if base is not None and names[0] in base.column_names:
        columns = [base[name].to_pylist() for name in names]
        to_rate = is_winnable & (_known(base, num_cells).verdicts != WINNABLE)
    measurer = _measurer()
    for row in np.flatnonzero(to_rate).tolist():
        position = Position.from_deal(deals[row].tolist(), num_cells)
        rating = rate(position, measurer=measurer)
        lengths: list[int | None] = [None, None]
        if rating.parts is not None:
            shortest = (rating.parts.plies, rating.parts.actions)
            lengths = [found.length if found.is_proven else None for found in shortest]
        for column, value in zip(columns, (rating.score, *lengths), strict=True):
            column[row] = value
    types = (SCORE.type, PLIES.type, ACTIONS.type)
    return {
        name: pa.array(column, kind)
        for name, column, kind in zip(names, columns, types, strict=True)
    }


def _measurer() -> Measurer:
    """That of this thread: a worker of Dask may have several, and its memory is for one search."""
    from boulanger.solver.rating.parts import Measurer

    if not hasattr(_of_thread, "measurer"):
        _of_thread.measurer = Measurer()
    measurer: Measurer = _of_thread.measurer
    return measurer


@cache
def own_stamp(with_rating: bool = False) -> Stamp:
    """The stamp of this process; compiles the search if it has to."""
    deals = deal_many(MS.name, np.array(_SIGNATURE_DEALS))
    _, nodes = classify(deals, _SIGNATURE_CELLS)
    rating = None
    if with_rating:
        from boulanger.solver.rating.rate import rate

        rating = rate(Position.from_deal(MS.deal(1), _SIGNATURE_CELLS)).score
    return Stamp(own_version(), pa.__version__, int(nodes.sum()), rating)


def prepare(dealers: Iterable[str], with_rating: bool = False) -> None:
    """Compiles, once a machine, or loads what `work_on` needs for these dealers."""
    for dealer in dealers:
        if learned_dealer(dealer) is None:
            deal_many(dealer, np.zeros(1, np.uint64))
    own_stamp(with_rating)


def is_ready(with_rating: bool = False) -> bool:
    """Whether `prepare` has nothing to compile; a good guess."""
    if with_rating:
        from boulanger.solver.rating.parts import is_ready as is_rating_ready

        return is_rating_ready() and is_ready()
    return verdicts_module.is_ready() and are_deals_ready()


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


def _codes(numbers: npt.NDArray[np.uint64], has_code: npt.NDArray[np.bool_]) -> Any:
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
