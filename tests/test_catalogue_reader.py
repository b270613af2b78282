"""Opening a catalogue: what is none, what is damaged, what is unfinished; and conditions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boulanger.engine.errors import CatalogueError
from boulanger.solver.catalogue.conditions import Condition, ConditionError, joined, parse_condition
from boulanger.solver.catalogue.reader import Catalogue
from boulanger.solver.catalogue.summary import summarise, summary_columns
from boulanger.solver.result import Verdict
from tests.catalogues import Row, classified_rows, part_table, write_catalogue
from tests.command import check_bad_input, run

CELLS = (1, 2, 4)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return classified_rows("ms", range(1, 121), CELLS)


def count(folder: Path) -> Any:
    catalogue = Catalogue(folder)
    return summarise(catalogue.parts(summary_columns(CELLS)), CELLS)


def test_parts_come_in_order_with_the_columns_asked_for(tmp_path: Path, rows: list[Row]) -> None:
    write_catalogue(tmp_path, rows, CELLS, chunk_size=7)
    catalogue = Catalogue(tmp_path)
    assert catalogue.is_finished
    assert catalogue.unfinished_note is None
    parts = list(catalogue.parts(["number"]))
    assert [len(part) for part in parts] == [7] * 17 + [1]
    assert parts[0].table.column_names == ["number"]
    numbers = [number for part in parts for number in part.table.column("number").to_pylist()]
    assert numbers == [row.number for row in rows]


def test_one_part_is_read_at_a_time(
    tmp_path: Path, rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_catalogue(tmp_path, rows, CELLS)
    read: list[str] = []
    open_file = pq.ParquetFile

    def open_and_note(path: Path, **options: Any) -> Any:
        read.append(path.name)
        return open_file(path, **options)

    monkeypatch.setattr(pq, "ParquetFile", open_and_note)
    parts = Catalogue(tmp_path).parts(["number"])
    assert read == []
    for i in range(3):
        assert next(parts).name == f"part-{i:06}.parquet"
        assert len(read) == i + 1


def test_plain_texts_do_as_well_as_dictionaries(tmp_path: Path, rows: list[Row]) -> None:
    write_catalogue(tmp_path / "a", rows, CELLS)
    write_catalogue(tmp_path / "b", rows, CELLS)
    for path in (tmp_path / "b" / "parts").iterdir():
        table = pq.ParquetFile(path).read()
        for i, name in enumerate(table.column_names):
            if pa.types.is_dictionary(table.column(name).type):
                table = table.set_column(i, name, table.column(name).cast(pa.string()))
        pq.write_table(table, path)
    assert count(tmp_path / "a") == count(tmp_path / "b")


def test_unfinished_runs_and_files_of_a_runner_at_work(tmp_path: Path, rows: list[Row]) -> None:
    write_catalogue(tmp_path, rows, CELLS, chunk_size=30, without_parts=[0, 2])
    (tmp_path / "parts" / "part-000002.parquet.17.tmp").write_bytes(b"half")
    catalogue = Catalogue(tmp_path)
    assert not catalogue.is_finished
    assert catalogue.unfinished_note == ("the run is unfinished: 2 of 4 parts; counts are of these")
    assert [part.name[5:11] for part in catalogue.parts(["number"])] == ["000001", "000003"]
    (tmp_path / "parts" / "part-000001.parquet").unlink()
    (tmp_path / "parts" / "part-000003.parquet").unlink()
    assert count(tmp_path).whole.num_deals == 0
    (tmp_path / "parts" / "part-000002.parquet.17.tmp").unlink()
    (tmp_path / "parts").rmdir()
    assert Catalogue(tmp_path).num_parts == 0


# Not a catalogue.


@pytest.mark.parametrize("command", ["summary", "export"])
def test_no_catalogue(tmp_path: Path, command: str) -> None:
    check_bad_input(run(command, str(tmp_path / "none")), "there is no folder '")
    check_bad_input(run(command, str(tmp_path)), "is no catalogue: it has no manifest.json")
    (tmp_path / "file").write_text("text")
    check_bad_input(run(command, str(tmp_path / "file")), "is a file; the folder of a catalogue")
    check_bad_input(run(command, "a\0b"), "cannot be read")
    check_bad_input(run(command), "'DIR'")


BAD_MANIFESTS: list[tuple[str | dict[str, Any], str]] = [
    ("", "a JSON object expected"),
    ("[1]", "a JSON object expected"),
    ("{", "a JSON object expected"),
    ("[" * 100_000, "a JSON object expected"),
    ({"format": 2}, "has the format 2; this version of Boulanger reads 1"),
    ({"format": "1"}, "has the format '1'"),
    ({"format": True}, "has the format True"),
    ({"cells": []}, "has cells []"),
    ({"cells": [9]}, "has cells [9]"),
    ({"cells": ["4"]}, "has cells ['4']"),
    ({"cells": 4}, "has cells 4"),
    ({"sources": "ms"}, "has sources 'ms'"),
    ({"num_chunks": -1}, "has num_chunks -1"),
    ({"num_chunks": None}, "has num_chunks None"),
    ({"num_deals": 1.5}, "has num_deals 1.5"),
    ({"max_nodes": "many"}, "has max_nodes 'many'"),
]


@pytest.mark.parametrize(("manifest", "reason"), BAD_MANIFESTS, ids=lambda value: str(value)[:40])
def test_bad_manifests(
    tmp_path: Path, rows: list[Row], manifest: str | dict[str, Any], reason: str
) -> None:
    folder = tmp_path / "catalogue"
    if isinstance(manifest, dict):
        write_catalogue(folder, rows, CELLS, manifest=manifest)
    else:
        write_catalogue(folder, rows, CELLS)
        (folder / "manifest.json").write_text(manifest)
    with pytest.raises(CatalogueError) as caught:
        Catalogue(folder)
    assert reason in str(caught.value)
    check_bad_input(run("summary", str(folder)), reason)


# Damaged parts.


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def scramble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[40:400] = bytes(byte ^ 0x5A for byte in data[40:400])
    path.write_bytes(data)


def no_parquet(path: Path) -> None:
    path.write_text("source,number\nms,1\n" * 100)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _rewrite(path: Path, name: str, values: Any) -> None:
    table = pq.ParquetFile(path).read()
    place = table.column_names.index(name)
    pq.write_table(table.set_column(place, name, values), path)


def no_column(path: Path) -> None:
    pq.write_table(pq.ParquetFile(path).read().drop_columns(["verdict_2"]), path)


def no_verdict(path: Path) -> None:
    _rewrite(path, "verdict_2", pa.array(["perhaps"] * 50))


def null_verdict(path: Path) -> None:
    _rewrite(path, "verdict_2", pa.array([None] * 50, pa.string()))


def number_verdict(path: Path) -> None:
    _rewrite(path, "verdict_2", pa.array([1] * 50))


def no_source(path: Path) -> None:
    _rewrite(path, "source", pa.array([None] * 50, pa.string()))


def inferred_text(path: Path) -> None:
    _rewrite(path, "inferred_2", pa.array(["no"] * 50))


def contradiction(path: Path) -> None:
    _rewrite(path, "verdict_2", pa.array(["winnable"] * 50))
    _rewrite(path, "verdict_4", pa.array(["winnable"] * 9 + ["unwinnable"] + ["winnable"] * 40))


DAMAGES: list[tuple[Any, str]] = [
    (cut, "is damaged ("),
    (empty, "is damaged ("),
    (scramble, "is damaged ("),
    (no_parquet, "is damaged ("),
    (a_folder, "part-000001.parquet"),
    (no_column, "it has no column 'verdict_2'"),
    (no_verdict, "'perhaps' is no verdict"),
    (null_verdict, "column 'verdict_2' has something in it that is no text"),
    (number_verdict, "column 'verdict_2' has something in it that is no text"),
    (no_source, "column 'source' has something in it that is no text"),
    (inferred_text, "column 'inferred_2' does not hold true and false alone"),
    (contradiction, "row 9 is won with fewer cells, but not with 4"),
]


@pytest.mark.parametrize(("damage", "reason"), DAMAGES, ids=[d.__name__ for d, _ in DAMAGES])
def test_a_damaged_part_is_named(tmp_path: Path, rows: list[Row], damage: Any, reason: str) -> None:
    write_catalogue(tmp_path, rows, CELLS)
    damage(tmp_path / "parts" / "part-000001.parquet")
    with pytest.raises(CatalogueError) as caught:
        count(tmp_path)
    assert reason in str(caught.value)
    assert "part-000001.parquet" in str(caught.value)
    answer = run("summary", str(tmp_path))
    check_bad_input(answer, reason)
    assert "the same `boulanger classify` again" in answer.err


def test_parts_that_do_not_belong_there(tmp_path: Path, rows: list[Row]) -> None:
    write_catalogue(tmp_path / "more", rows, CELLS)
    pq.write_table(part_table(rows, CELLS), tmp_path / "more" / "parts" / "part-000003.parquet")
    check_bad_input(run("summary", str(tmp_path / "more")), "it has 'part-000003.parquet'")
    write_catalogue(tmp_path / "long", rows, CELLS)
    pq.write_table(part_table(rows, CELLS), tmp_path / "long" / "parts" / "part-000002.parquet")
    reason = "its parts hold 220 deals, its manifest.json says 120"
    check_bad_input(run("summary", str(tmp_path / "long")), reason)


# Conditions.


def test_conditions_from_text() -> None:
    assert parse_condition("4=winnable") == Condition(4, Verdict.WINNABLE)
    assert parse_condition(" 0 = UNWINNABLE ") == Condition(0, Verdict.UNWINNABLE)
    assert str(parse_condition("8=undecided")) == "8=undecided"
    assert parse_condition("1=winnable").words == "winnable with 1 cell"


@pytest.mark.parametrize(
    "text", ["", "4", "winnable", "4=", "=winnable", "9=winnable", "10=winnable", "-1=winnable",
             "4=lost", "4:winnable", "4=winnable 2=unwinnable", "\u0664=winnable"]
)  # fmt: skip
def test_what_is_no_condition(text: str) -> None:
    with pytest.raises(ConditionError) as caught:
        parse_condition(text)
    assert repr(text) in str(caught.value)
    assert "such as 4=winnable" in str(caught.value)


def conditions(text: str) -> list[Condition]:
    return [parse_condition(word) for word in text.split()]


def test_conditions_that_hold_together() -> None:
    assert joined(conditions("4=winnable 2=unwinnable 4=winnable")) == tuple(
        conditions("2=unwinnable 4=winnable")
    )
    assert joined([]) == ()
    for text in ("2=winnable 4=winnable", "2=undecided 4=winnable", "1=unwinnable 2=undecided"):
        assert list(joined(conditions(text))) == conditions(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2=winnable 2=unwinnable", "unwinnable with 2 cells and winnable with 2 cells"),
        ("2=winnable 2=undecided", "undecided with 2 cells and winnable with 2 cells"),
        ("4=unwinnable 2=winnable", "winnable with 2 cells and unwinnable with 4 cells: more"),
    ],
)
def test_conditions_that_no_deal_meets(text: str, reason: str) -> None:
    with pytest.raises(ConditionError) as caught:
        joined(conditions(text))
    assert reason in str(caught.value)


def test_a_manifest_may_hold_more_than_is_needed(tmp_path: Path, rows: list[Row]) -> None:
    write_catalogue(tmp_path, rows, CELLS, manifest={"created": "2030-01-01", "numpy": "2.0"})
    document = json.loads((tmp_path / "manifest.json").read_text())
    assert Catalogue(tmp_path).manifest.document == document
