"""Opening a catalogue: what is none, what is damaged, what is unfinished; and conditions."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from boulanger.engine.errors import CatalogueError
from boulanger.engine.words import say_message
from boulanger.solver.catalogue.conditions import Condition, ConditionError, joined, parse_condition
from boulanger.solver.catalogue.export import DealList, ListFormat, Query
from boulanger.solver.catalogue.reader import Catalogue
from boulanger.solver.catalogue.summary import summarise, summary_columns
from boulanger.solver.result import Verdict
from tests.catalogues import (
    Row,
    about_chunk,
    classified_rows,
    manifest_of,
    part_paths,
    part_table,
    write_catalogue,
    write_manifest,
    write_part,
)
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
    read_bytes = Path.read_bytes

    def read_and_note(path: Path) -> bytes:
        read.append(path.name)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", read_and_note)
    parts = Catalogue(tmp_path).parts(["number"])
    assert read == []
    for i in range(3):
        assert f"part-{i:06}-" in next(parts).name
        assert len(read) == i + 1


def test_unfinished_runs_and_files_of_a_runner_at_work(tmp_path: Path, rows: list[Row]) -> None:
    write_catalogue(tmp_path, rows, CELLS, chunk_size=30, without_parts=[0, 2])
    (tmp_path / "parts" / ".boulanger-17.tmp").write_bytes(b"half")
    catalogue = Catalogue(tmp_path)
    assert not catalogue.is_finished
    assert catalogue.unfinished_note == ("the run is unfinished: 2 of 4 parts; counts are of these")
    names = [Path(part.name).name[5:11] for part in catalogue.parts(["number"])]
    assert names == ["000001", "000003"]
    for path in part_paths(tmp_path):
        path.unlink()
    assert count(tmp_path).whole.num_deals == 0
    (tmp_path / "parts" / ".boulanger-17.tmp").unlink()
    (tmp_path / "parts").rmdir()
    assert Catalogue(tmp_path).num_parts == 0


# Not a catalogue.


@pytest.mark.parametrize("command", ["summary", "export"])
def test_no_catalogue(tmp_path: Path, command: str) -> None:
    check_bad_input(run(command, str(tmp_path / "none")), "there is no folder '")
    check_bad_input(run(command, str(tmp_path)), "is no catalogue: it has no _manifest.parquet")
    (tmp_path / "file").write_text("text")
    check_bad_input(run(command, str(tmp_path / "file")), "is a file; a folder expected")
    check_bad_input(run(command, "a\0b"), "cannot be read")
    check_bad_input(run(command), "'DIR'")


BAD_MANIFESTS: list[tuple[dict[str, Any], str]] = [
    ({"format": 3}, "has the format 3; this version of Boulanger reads 2"),
    ({"format": "2"}, "has the format '2'"),
    ({"format": True}, "has the format True"),
    ({"cells": [9]}, "is not the manifest of a catalogue: cells (9,)"),
    ({"sources": "ms"}, "is not the manifest of a catalogue"),
    ({"num_chunks": -1}, "is not the manifest of a catalogue: sums that do not fit"),
    ({"num_deals": 1.5}, "is not the manifest of a catalogue: sums that do not fit"),
    ({"blocks": [{}]}, "is not the manifest of a catalogue"),
    ({"shard": [1]}, "is not the manifest of a catalogue"),
]


@pytest.mark.parametrize(("change", "reason"), BAD_MANIFESTS, ids=lambda value: str(value)[:40])
def test_bad_manifests(
    tmp_path: Path, rows: list[Row], change: dict[str, Any], reason: str
) -> None:
    """With a digest that is right, as another version might write them."""
    write_catalogue(tmp_path, rows, CELLS)
    document = manifest_of(tmp_path)
    del document["digest"]
    write_manifest(tmp_path, {**document, **change})
    with pytest.raises(CatalogueError) as caught:
        Catalogue(tmp_path)
    assert reason in str(caught.value)
    check_bad_input(run("summary", str(tmp_path)), reason)


def test_damaged_manifests(tmp_path: Path, rows: list[Row]) -> None:
    write_catalogue(tmp_path, rows, CELLS)
    path = tmp_path / "_manifest.parquet"
    data = path.read_bytes()
    for cut in (0, 1, 100, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:cut])
        check_bad_input(run("summary", str(tmp_path)), "is damaged, or not the manifest of a")
    document = manifest_of(Path(path.write_bytes(data) and tmp_path))
    digest = document.pop("digest")
    write_manifest(tmp_path, {**document, "num_rejected": 5}, digest)
    check_bad_input(run("summary", str(tmp_path)), "is damaged: its digest is another one")


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


@pytest.mark.parametrize("damage", [cut, empty, scramble, no_parquet, a_folder])
@pytest.mark.parametrize("options", [(), ("--no-verify",)], ids=str)
def test_a_damaged_part_is_named(
    tmp_path: Path, rows: list[Row], damage: Any, options: tuple[str, ...]
) -> None:
    write_catalogue(tmp_path, rows, CELLS)
    path = part_paths(tmp_path)[1]
    damage(path)
    answer = run("summary", str(tmp_path), *options)
    check_bad_input(answer, path.name)
    check_bad_input(answer, "is damaged (")
    assert "the same `boulanger classify` again" in answer.err


# Parts that are whole, and wrong.


def _changed(table: pa.Table, name: str, values: Any) -> pa.Table:
    place = table.column_names.index(name)
    field = table.schema.field(place).with_type(values.type)
    return table.set_column(place, field, values)


def no_column(table: pa.Table) -> pa.Table:
    return table.drop_columns(["verdict_2"])


def no_verdict(table: pa.Table) -> pa.Table:
    values = pa.array(["perhaps"] * 50, pa.dictionary(pa.int8(), pa.string()))
    return _changed(table, "verdict_2", values)


def text_verdict(table: pa.Table) -> pa.Table:
    return _changed(table, "verdict_2", pa.array(["winnable"] * 50))


def inferred_text(table: pa.Table) -> pa.Table:
    return _changed(table, "inferred_2", pa.array(["no"] * 50))


def too_short(table: pa.Table) -> pa.Table:
    return table.slice(0, 49)


def contradiction(table: pa.Table) -> pa.Table:
    kind = pa.dictionary(pa.int8(), pa.string())
    table = _changed(table, "verdict_2", pa.array(["winnable"] * 50, kind))
    mixed = ["winnable"] * 9 + ["unwinnable"] + ["winnable"] * 40
    return _changed(table, "verdict_4", pa.array(mixed, kind))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (no_column, "it has other columns"),
        (text_verdict, "it has other columns"),
        (inferred_text, "it has other columns"),
        (no_verdict, "'perhaps' is not a verdict"),
        (too_short, "it has 49 deals instead of 50"),
        (contradiction, "row 9 is won with fewer cells, but not with 4"),
    ],
)
def test_a_part_with_something_else_in_it(
    tmp_path: Path, rows: list[Row], change: Any, reason: str
) -> None:
    write_catalogue(tmp_path, rows, CELLS)
    part_paths(tmp_path)[1].unlink()
    table = change(part_table(rows[50:100], CELLS))
    write_part(tmp_path, 1, table, about_chunk(manifest_of(tmp_path), 1))
    check_bad_input(run("summary", str(tmp_path)), reason)


@pytest.mark.parametrize(
    "about",
    [
        {"sources": ["another test"]},
        {"cells": [0, 1, 2, 4]},
        {"search": 2},
        {"max_nodes": 7},
        {"chunk": 0},
        {"chunk_size": 100},
        {"rules": {"code@app": {}}},
    ],
    ids=str,
)
def test_a_part_of_another_run(tmp_path: Path, rows: list[Row], about: dict[str, Any]) -> None:
    write_catalogue(tmp_path, rows, CELLS)
    part_paths(tmp_path)[1].unlink()
    own = about_chunk(manifest_of(tmp_path), 1)
    path = write_part(tmp_path, 1, part_table(rows[50:100], CELLS), {**own, **about})
    if about == {"max_nodes": 7}:
        # It can still grow into this one, as after `--grow`; it does not count yet.
        assert run("summary", str(tmp_path)).out.splitlines()[1] == (
            "Note: the run is unfinished: 2 of 3 parts; counts are of these."
        )
        return
    check_bad_input(run("summary", str(tmp_path)), f"{path.name}' is a part of another run")
    path.unlink()
    write_part(tmp_path, 1, part_table(rows[50:100], CELLS), {**own, "boulanger": "9", "commit": 1})
    assert run("summary", str(tmp_path)).code == 0


def test_parts_that_do_not_belong_there(tmp_path: Path, rows: list[Row]) -> None:
    write_catalogue(tmp_path, rows, CELLS)
    about = about_chunk(manifest_of(tmp_path), 2)
    path = write_part(tmp_path, 3, part_table(rows[100:], CELLS), about)
    check_bad_input(run("summary", str(tmp_path)), f"{path.name!r} is none of the 3 parts")


def test_a_thousand_damages_are_told_or_change_nothing(tmp_path: Path, rows: list[Row]) -> None:
    """Bytes changed, stretches overwritten, cut out or put in, files lost, cut or swapped."""
    whole, other = tmp_path / "whole", tmp_path / "other"
    write_catalogue(whole, rows, CELLS, chunk_size=40)
    write_catalogue(other, rows[::-1], CELLS, chunk_size=40, manifest={"sources": ["another"]})
    names = [path.relative_to(whole) for path in sorted(whole.rglob("*.parquet"))]
    original = {name: (whole / name).read_bytes() for name in names}
    strange = [path.read_bytes() for path in part_paths(other)]
    expected = answers(whole)
    rng = random.Random(20261201)
    counts = Counter(
        damage_and_look(rng, whole, names, original, strange, expected) for _ in range(1000)
    )
    assert counts["told"] + counts["unchanged"] == 1000
    assert counts["told"] > 950  # a few bytes of a manifest mean nothing


def damage_and_look(
    rng: random.Random,
    folder: Path,
    names: list[Path],
    original: dict[Path, bytes],
    strange: list[bytes],
    expected: tuple[Any, ...],
) -> str:
    """Damages one file, reads, and mends it."""
    name = rng.choice(names)
    data = bytearray(original[name])
    place, length = rng.randrange(len(data)), rng.randrange(1, 60)
    kind = rng.choice(["byte", "bits", "over", "out", "in", "cut", "lost", "swap", "strange"])
    if kind == "byte":
        data[place] = (data[place] + rng.randrange(1, 256)) % 256
    elif kind == "bits":
        data[place] ^= 1 << rng.randrange(8)
    elif kind == "over":
        data[place : place + length] = rng.randbytes(min(length, len(data) - place))
    elif kind == "out":
        del data[place : place + length]
    elif kind == "in":
        data[place:place] = rng.randbytes(length)
    elif kind == "cut":
        del data[place:]
    elif kind == "swap":
        data = bytearray(original[rng.choice([n for n in names if n != name])])
    elif kind == "strange":
        data = bytearray(rng.choice(strange))
    (folder / name).write_bytes(data)
    if kind == "lost":
        (folder / name).unlink()
    try:
        answer = answers(folder)
    except CatalogueError:
        return "told"
    finally:
        (folder / name).write_bytes(original[name])
    if answer == expected:
        return "unchanged"
    return "told" if answer[0] is not None and expected[0] is None else f"wrong: {kind} {name}"


def answers(folder: Path) -> tuple[Any, ...]:
    """The note on what is missing, the counts, and all that an export says."""
    catalogue = Catalogue(folder)
    counted = summarise(catalogue.parts(summary_columns(CELLS)), CELLS)
    rows = "".join(DealList(catalogue, Query(4), ListFormat.CSV).texts())
    return catalogue.unfinished_note, counted, rows


def test_without_verifying_damage_is_no_crash(tmp_path: Path, rows: list[Row]) -> None:
    write_catalogue(tmp_path, rows, CELLS)
    path = part_paths(tmp_path)[1]
    data = path.read_bytes()
    rng = random.Random(5)
    for _ in range(300):
        changed = bytearray(data)
        place = rng.randrange(len(data))
        changed[place : place + 20] = rng.randbytes(min(20, len(data) - place))
        path.write_bytes(changed)
        catalogue = Catalogue(tmp_path, is_verified=False)
        with contextlib.suppress(CatalogueError):
            list(DealList(catalogue, Query(4), ListFormat.CSV).texts())


# Conditions.


def test_conditions_from_text() -> None:
    assert parse_condition("4=winnable") == Condition(4, Verdict.WINNABLE)
    assert parse_condition(" 0 = UNWINNABLE ") == Condition(0, Verdict.UNWINNABLE)
    assert str(parse_condition("8=undecided")) == "8=undecided"
    assert say_message(parse_condition("1=winnable").message) == "winnable with 1 cell"


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
        ("2=winnable 2=undecided", "winnable with 2 cells and undecided with 2 cells"),
        ("4=unwinnable 2=winnable", "winnable with 2 cells and unwinnable with 4 cells: more"),
    ],
)
def test_conditions_that_no_deal_meets(text: str, reason: str) -> None:
    with pytest.raises(ConditionError) as caught:
        joined(conditions(text))
    assert reason in str(caught.value)


def test_a_manifest_may_hold_more_than_is_needed(tmp_path: Path, rows: list[Row]) -> None:
    write_catalogue(tmp_path, rows, CELLS, manifest={"created": "2030-01-01", "numpy": "2.0"})
    document = manifest_of(tmp_path)
    del document["digest"]
    assert Catalogue(tmp_path).manifest.document == document
