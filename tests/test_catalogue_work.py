"""What is in a part: verdicts, what was inferred, codes; the same bytes each time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import boulanger
from boulanger.engine.deals.codes import parse_code
from boulanger.engine.deals.dealers import get_dealer
from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.errors import CatalogueError
from boulanger.engine.position import Position
from boulanger.solver.catalogue import work
from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.schema import (
    INFERRED,
    NODES,
    VERDICT,
    VERDICTS,
    part_schema,
)
from boulanger.solver.catalogue.sources import Piece
from boulanger.solver.catalogue.task import Task, WorkersError
from boulanger.solver.catalogue.work import classify_with_cells, own_stamp, work_on
from boulanger.solver.result import Verdict
from boulanger.solver.verdict.classify import classify
from boulanger.solver.verdict.decide import UNDECIDED, UNWINNABLE, WINNABLE
from tests import truth

ALL_CELLS = tuple(range(9))
MIXED = Chunk(
    7,
    (
        Piece("bk1", range(855, 865)),
        Piece("ms", np.array([17, 5, 2**33 - 1], np.uint64)),
        Piece("random@5", range(3)),
        Piece("bk1", np.array([2**35 - 1, 0], np.uint64)),
    ),
)


def table_of(chunk: Chunk, task: Task) -> pa.Table:
    return pq.read_table(pa.BufferReader(work_on(chunk, task).data))


def rows_of(chunk: Chunk, task: Task) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table_of(chunk, task).to_pylist()
    return rows


def test_columns_and_their_types_are_those_of_the_schema() -> None:
    table = table_of(MIXED, Task((1, 2, 4)))
    assert table.schema.remove_metadata() == part_schema((1, 2, 4))
    assert table.column_names[:4] == ["source", "number", "code", "verdict_1"]
    for name in ("verdict_1", "verdict_2", "verdict_4"):
        assert table[name].chunk(0).dictionary.to_pylist() == list(VERDICTS)
    assert set(VERDICTS) == {verdict.word for verdict in Verdict}


def test_sources_numbers_and_codes() -> None:
    rows = rows_of(MIXED, Task((0,)))
    expected = [(piece.dealer, int(n)) for piece in MIXED.pieces for n in piece.numbers]
    assert [(row["source"], row["number"]) for row in rows] == expected
    for row in rows:
        if row["source"] == "bk1":
            assert parse_code(f"BK1-C4-{row['code']}").number == row["number"]
        else:
            assert row["code"] is None
    assert sum(row["code"] is not None for row in rows) == 12
    assert rows[5]["code"] == "AAAAA24"
    only_codes = rows_of(Chunk(0, (Piece("bk1", range(5)),)), Task((0,)))
    assert [row["code"] for row in only_codes] == ["AAAAAA" + letter for letter in "ABCDE"]
    no_codes = rows_of(Chunk(0, (Piece("ms", range(5)),)), Task((0,)))
    assert [row["code"] for row in no_codes] == [None] * 5


def test_the_same_bytes_whatever_the_pieces_and_whatever_ran_before() -> None:
    task = Task((1, 2, 4), max_nodes=200)
    whole = Chunk(3, (Piece("ms", range(1, 201)),))
    cut = Chunk(3, (Piece("ms", np.arange(1, 50, dtype=np.uint64)), Piece("ms", range(50, 201))))
    data = work_on(whole, task).data
    work_on(MIXED, Task((4,)))
    assert work_on(whole, task).data == data
    assert work_on(cut, task).data == data
    assert work_on(whole, Task((1, 2, 4), max_nodes=201)).data != data


@pytest.mark.parametrize("cells", [(1, 2, 3, 4, 5, 6), (4,), (0, 2)])
def test_verdicts_are_the_truth(cells: tuple[int, ...]) -> None:
    rows = rows_of(Chunk(0, (Piece("ms", range(1, 1001)),)), Task(cells))
    for num_cells in cells:
        lost = {row["number"] for row in rows if row[VERDICT.of(num_cells)] == "unwinnable"}
        assert lost == {deal for deal in truth.unwinnable_deals(num_cells) if deal <= 1000}
        assert {row[VERDICT.of(num_cells)] for row in rows} <= {"winnable", "unwinnable"}


def test_verdicts_are_those_of_solve() -> None:
    cells = (1, 2, 4)
    chunk = Chunk(
        0, (Piece("bk1", range(860, 870)), Piece("random@3", range(20)), Piece("ms", range(1, 11)))
    )
    rows = rows_of(chunk, Task(cells))
    seen = set()
    for row in rows:
        cards = get_dealer(row["source"]).deal(row["number"])
        for num_cells in cells:
            result = boulanger.solve(Position.from_deal(cards, num_cells))
            assert result.verdict.word == row[VERDICT.of(num_cells)], row
            if not row[INFERRED.of(num_cells)]:
                assert result.num_nodes == row[NODES.of(num_cells)]
            seen.add((num_cells, result.verdict))
    assert {(2, Verdict.WINNABLE), (4, Verdict.WINNABLE), (4, Verdict.UNWINNABLE)} <= seen


@pytest.mark.parametrize("max_nodes", [100, 300, 1000, None])
def test_inference_never_contradicts_a_search_of_its_own(max_nodes: int | None) -> None:
    deals = deal_many("random@11", np.arange(400))
    found = classify_with_cells(deals, Task(ALL_CELLS, max_nodes))
    num_inferred = 0
    for num_cells, result in zip(ALL_CELLS, found, strict=True):
        exact, _ = classify(deals, num_cells)
        limited, nodes = classify(deals, num_cells, max_nodes=max_nodes)
        decided = result.verdicts != UNDECIDED
        assert (result.verdicts == exact)[decided].all()
        assert decided[result.inferred].all()
        searched = ~result.inferred
        assert (result.verdicts == limited)[searched].all()
        assert (result.nodes == nodes)[searched].all()
        num_inferred += int(result.inferred.sum())
    assert num_inferred > 100


def test_winnable_with_fewer_cells_is_not_searched_for_again() -> None:
    rows = rows_of(Chunk(0, (Piece("ms", range(1, 501)),)), Task((2, 4)))
    for row in rows:
        is_won = row["verdict_2"] == "winnable"
        assert not row["inferred_2"]
        assert row["nodes_2"] is not None
        assert row["inferred_4"] == is_won
        assert (row["nodes_4"] is None) == is_won
    assert any(row["inferred_4"] for row in rows)


def test_unwinnable_with_more_cells_settles_what_a_limit_left_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The search does not leave such deals of itself: more cells take it more nodes."""

    def half_blind(
        deals: npt.NDArray[np.uint8], num_cells: int, *, max_nodes: int | None
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        verdicts, nodes = classify(deals, num_cells, max_nodes=max_nodes)
        if num_cells <= 2:
            verdicts[::2] = UNDECIDED
        return verdicts, nodes

    monkeypatch.setattr(work, "classify", half_blind)
    deals = deal_many("ms", np.arange(1, 201))
    one, two, four = classify_with_cells(deals, Task((1, 2, 4)))
    exact, _ = classify(deals, 4)
    for result in (one, two):
        open_rows = np.flatnonzero((result.verdicts == UNDECIDED) | result.inferred)
        assert len(open_rows) >= 90
        assert ((result.verdicts == UNWINNABLE) == (exact == UNWINNABLE))[open_rows].all()
        assert (result.inferred == (exact == UNWINNABLE))[open_rows].all()
    assert (four.verdicts == exact).all()
    assert not (four.inferred & (two.verdicts != WINNABLE)).any()
    monkeypatch.undo()


def test_undecided_has_nodes_and_no_inference() -> None:
    rows = rows_of(Chunk(0, (Piece("ms", range(1, 101)),)), Task((4,), max_nodes=20))
    open_rows = [row for row in rows if row["verdict_4"] == "undecided"]
    assert len(open_rows) > 20
    assert all(row["nodes_4"] is not None and not row["inferred_4"] for row in open_rows)


def test_the_tally_counts_the_verdicts() -> None:
    part = work_on(Chunk(4, (Piece("ms", range(1, 201)),)), Task((2, 4), max_nodes=100))
    table = pq.read_table(pa.BufferReader(part.data))
    for counts, name in zip(part.counts.tolist(), ("verdict_2", "verdict_4"), strict=True):
        verdicts = table[name].to_pylist()
        assert counts == [verdicts.count(verdict) for verdict in VERDICTS]
    assert part.index == 4


# Parts that grow.


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (Task((4,)), Task((1, 2, 4))),
        (Task((2,)), Task((0, 1, 2, 3, 4))),
        (Task((1, 4), 60), Task((1, 4), 300)),
        (Task((0, 4), 60), Task((0, 1, 4))),
        (Task((1, 2, 4), 200), Task((1, 2, 4))),
        (Task((1, 2, 4)), Task((1, 2, 4))),
    ],
)
def test_a_part_that_grows_has_the_bytes_of_a_new_one(old: Task, new: Task) -> None:
    chunk = Chunk(2, (*MIXED.pieces, Piece("ms", range(1, 300))), '{"a": 1}')
    base = work_on(chunk, old)
    grown = work_on(replace(chunk, base=base.data), new)
    anew = work_on(chunk, new)
    assert grown.data == anew.data
    assert (grown.counts == anew.counts).all()


def test_what_a_part_has_is_not_searched_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    chunk = Chunk(0, (Piece("ms", range(1, 201)),))
    base = work_on(chunk, Task((2, 4), 100)).data
    asked: list[tuple[int, int]] = []

    def classify_and_note(deals: Any, num_cells: int, **options: Any) -> Any:
        asked.append((num_cells, len(deals)))
        return classify(deals, num_cells, **options)

    monkeypatch.setattr(work, "classify", classify_and_note)
    part = work_on(replace(chunk, base=base), Task((2, 3, 4)))
    rows = {row["number"]: row for row in pq.read_table(pa.BufferReader(base)).to_pylist()}
    num_open = sum(row["verdict_2"] == "undecided" or row["inferred_2"] for row in rows.values())
    assert asked[0][0] == 2 and asked[0][1] <= num_open < 200
    assert asked[2][0] == 4 and asked[2][1] < 150
    assert not part.counts[:, 2].any()


def test_a_part_with_other_deals_is_not_grown() -> None:
    base = work_on(Chunk(0, (Piece("ms", range(1, 11)),)), Task((1,))).data
    with pytest.raises(CatalogueError, match="other deals"):
        work_on(Chunk(0, (Piece("ms", range(2, 12)),), base=base), Task((1, 2)))


def test_a_worker_of_another_version_does_no_work() -> None:
    chunk = Chunk(0, (Piece("nobody", range(10)),))
    with pytest.raises(WorkersError, match="of another version"):
        work_on(chunk, Task((1,)), replace(own_stamp(), search=1))


@pytest.mark.timeout(120)
def test_threads_of_one_process_rate_side_by_side() -> None:
    """As those of a Dask worker do; each search writes into memory of its own."""
    task = Task((4,), None, (4,))
    chunks = [Chunk(i, (Piece("ms", range(20 * i + 1, 20 * i + 21)),)) for i in range(2)]
    own_stamp(True)
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda chunk: work_on(chunk, task).data, chunks))
    assert together == [work_on(chunk, task).data for chunk in chunks]
