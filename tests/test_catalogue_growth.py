"""Catalogues that grow, that are made in shards, and that are merged; verdicts as bits."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from boulanger.engine.errors import CatalogueError
from boulanger.solver.catalogue.bitmap import Bitmap
from boulanger.solver.catalogue.merge import merge
from boulanger.solver.catalogue.work import prepare
from tests.catalogues import classify_command, contents, manifest_of, num_parts, part_paths
from tests.command import answer_json, check_bad_input, run

SOURCES = ("ms:1..600", "bk1:0..299")


def classify(folder: Path, *args: str) -> Any:
    answer = classify_command(*args, "--out", str(folder), "--json")
    assert (answer.code, answer.err) in [(0, ""), (3, "")], answer
    return json.loads(answer.out)


def grow(folder: Path, *args: str) -> Any:
    answer = classify_command(*args, "--out", str(folder), "--json", "--grow")
    assert answer.code in (0, 3), answer
    return json.loads(answer.out)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder).to_pylist()
    return rows


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """900 deals in nine parts, with 1, 2 and 4 cells."""
    prepare(["ms", "bk1"])
    folder = tmp_path_factory.mktemp("whole") / "catalogue"
    classify(folder, *SOURCES, "--chunk-size", "100")
    return folder


# Growing.


@pytest.mark.parametrize(
    "options", [("--cells", "4"), ("--cells", "2,1"), ("--max-nodes", "100"), ("--cells", "1")]
)
def test_what_has_grown_is_what_is_made_anew(
    whole: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    folder = tmp_path / "c"
    classify(folder, *SOURCES, "--chunk-size", "100", *options)
    refused = classify_command(*SOURCES, "--out", str(folder))
    assert refused.code == 2
    assert "add --grow to make it this one" in refused.err
    assert grow(folder, *SOURCES)["new"] == 900
    assert contents(folder) == contents(whole)
    assert classify(folder, *SOURCES)["new"] == 0


def test_more_sources_leave_what_is_there_as_it_is(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    shutil.copytree(whole, folder)
    before = {path.name: path.stat().st_mtime_ns for path in part_paths(folder)}
    more = (*SOURCES, "ms:700..949", "random:30@7")
    assert grow(folder, *more)["new"] == 280
    after = {path.name: path.stat().st_mtime_ns for path in part_paths(folder)}
    assert before.items() <= after.items()
    assert manifest_of(folder)["sources"] == list(more)
    classify(tmp_path / "anew", *more)
    assert rows_of(folder) == rows_of(tmp_path / "anew")
    # Once more, and other cells for all of it.
    assert grow(folder, *more, "bk1:1000..1009", "--cells", "0,1,2,4")["new"] == 1190
    classify(tmp_path / "third", *more, "bk1:1000..1009", "--cells", "0,1,2,4")
    assert rows_of(folder) == rows_of(tmp_path / "third")


def test_a_growth_that_was_stopped_goes_on(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    classify(folder, *SOURCES, "--chunk-size", "100", "--cells", "4")
    old = {path.name: path.read_bytes() for path in part_paths(folder)}
    grow(folder, *SOURCES)
    for path in part_paths(folder)[4:]:
        path.unlink()
    for name, data in old.items():
        if int(name[5:11]) >= 3:  # one chunk has both its old part and its new one
            (folder / "parts" / name).write_bytes(data)
    document = answer_json("summary", str(folder))
    assert document["notes"] == ["the run is unfinished: 4 of 9 parts; counts are of these"]
    assert document["deals"] == 400
    assert classify(folder, *SOURCES)["new"] == 500
    assert contents(folder) == contents(whole)


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("bk1:0..299", "ms:1..600"), "name those that are there first, in their order"),
        (("ms:1..600",), "name those that are there first"),
        ((*SOURCES, "--cells", "4,1"), "--cells: 1,2,4 are there and must stay"),
        ((*SOURCES, "--max-nodes", "9"), "a limit can only be raised"),
        ((*SOURCES, "--shard", "1/2"), "--shard: none there, 1,2 here"),
    ],
)
def test_what_would_lose_something_is_no_growth(
    whole: Path, args: tuple[str, ...], reason: str
) -> None:
    before = contents(whole)
    answer = classify_command(*args, "--out", str(whole), "--grow")
    assert answer.code == 2
    assert "cannot grow into this (" in answer.err
    assert reason in answer.err
    assert contents(whole) == before


def test_a_list_by_another_path_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("ms:1\nms:2\nms:2\n")
    folder = tmp_path / "c"
    first = classify_command(str(tmp_path / "list"), "--out", str(folder))
    assert "1 deal is there again and will be counted again" in first.err
    (tmp_path / "list").rename(tmp_path / "moved")
    again = classify_command(str(tmp_path / "moved"), "--out", str(folder), "--json")
    assert (again.code, json.loads(again.out)["new"]) == (0, 0)
    (tmp_path / "moved").write_text("ms:1\n")
    assert "sources: " in classify_command(str(tmp_path / "moved"), "--out", str(folder)).err


# Shards.


def test_shards_together_are_the_whole(whole: Path, tmp_path: Path) -> None:
    folders = [tmp_path / f"shard-{i}" for i in (1, 2, 3)]
    for i, folder in enumerate(folders, start=1):
        done = classify(folder, *SOURCES, "--chunk-size", "100", "--shard", f"{i}/3")
        assert (done["deals"], done["new"], num_parts(folder)) == (300, 300, 3)
        assert answer_json("summary", str(folder))["finished"] is True
        assert classify(folder, *SOURCES, "--shard", f"{i}/3")["new"] == 0
    for names, note in (([0, 2], True), ([2, 0, 1, 1], False)):
        answer = run("merge", *(str(folders[i]) for i in names), "--out", str(tmp_path / "all"))
        assert answer.code == 0
        assert ("some parts are missing" in answer.err) == note
    assert contents(tmp_path / "all") == contents(whole)


def test_a_shard_of_a_shard_is_refused(whole: Path, tmp_path: Path) -> None:
    classify(tmp_path / "c", *SOURCES, "--chunk-size", "100", "--shard", "1/3")
    answer = classify_command(*SOURCES, "--shard", "2/3", "--out", str(tmp_path / "c"))
    assert "--shard: 1,3 there, 2,3 here" in answer.err
    for path in part_paths(whole)[1:2]:
        shutil.copy(path, tmp_path / "c" / "parts")
    check_bad_input(run("summary", str(tmp_path / "c")), "is none of the 9 parts of this shard")


# Merging.


def test_catalogues_of_different_deals(whole: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (tmp_path / "list").write_text("ms:5\nfoo\n")
    classify_command("random:250@3", str(tmp_path / "list"), "--out", str(other))
    answer = run("merge", str(whole), str(other), "--out", str(tmp_path / "both"))
    assert (answer.code, answer.out) == (0, "10 of 10 parts, 1,151 deals\n")
    assert rows_of(tmp_path / "both") == rows_of(whole) + rows_of(other)
    assert (tmp_path / "both.rejected.txt").read_bytes() == (
        tmp_path / "other.rejected.txt"
    ).read_bytes()
    # It can be gone on with, and grow.
    sources = (*SOURCES, "random:250@3", str(tmp_path / "list"))
    assert classify_command(*sources, "--out", str(tmp_path / "both")).code == 2  # the bad line
    assert (
        json.loads(classify_command(*sources, "--out", str(tmp_path / "both"), "--json").out)["new"]
        == 0
    )
    # The same again changes nothing.
    before = contents(tmp_path / "both")
    assert run("merge", str(whole), str(other), "--out", str(tmp_path / "both")).code == 0
    assert contents(tmp_path / "both") == before


def test_what_cannot_be_merged(whole: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    classify(other, "ms:1", "--cells", "4")
    check_bad_input(
        run("merge", str(whole), str(other), "--out", str(tmp_path / "x")),
        "was made with other options than",
    )
    check_bad_input(run("merge", str(whole), "--out", str(whole)), "is one of those to be merged")
    check_bad_input(run("merge", "nowhere", "--out", str(tmp_path / "x")), "there is no folder")
    check_bad_input(run("merge", str(other), "--out", str(whole)), "holds another catalogue")
    assert not (tmp_path / "x").exists()
    copy = tmp_path / "copy"
    shutil.copytree(whole, copy)
    path = part_paths(copy)[3]
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CatalogueError, match="is damaged"):
        merge([copy], tmp_path / "x")


# Other readers.


def test_the_folder_is_one_table_for_every_reader(whole: Path) -> None:
    expected = rows_of(whole)
    assert len(expected) == 900
    metadata = json.loads(pq.read_table(whole).schema.metadata[b"boulanger"])
    assert metadata["sources"] == list(SOURCES)
    assert metadata["cells"] == [1, 2, 4]
    assert metadata["boulanger"]
    assert sorted(metadata["dealers"]) == ["bk1", "ms"]
    won = sum(row["verdict_4"] == "winnable" for row in expected)
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(whole)
    assert (len(frame), (frame.verdict_4 == "winnable").sum()) == (900, won)
    polars = pytest.importorskip("polars")
    table = polars.read_parquet(whole)
    assert (len(table), table.filter(polars.col("verdict_4") == "winnable").height) == (900, won)
    duckdb = pytest.importorskip("duckdb")
    query = (
        f"select count(*), count(*) filter (verdict_4 = 'winnable') from read_parquet('{whole}')"
    )
    assert duckdb.sql(query).fetchall() == [(900, won)]


# Bits.


def test_bits_are_the_verdicts(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "bits"
    answer = run("export", str(whole), "--format", "bits", "--out", str(out))
    assert answer == (0, "", f"boulanger: note: 900 deals, written to {str(out)!r}\n")
    rows = rows_of(whole)
    assert sorted(path.name for path in out.iterdir()) == [
        "about.json", "index.npy", "won_1.npy", "won_2.npy", "won_4.npy"
    ]  # fmt: skip
    for n in (1, 2, 4):
        bits = np.unpackbits(np.load(out / f"won_{n}.npy"), bitorder="little", count=900)
        assert bits.tolist() == [row[f"verdict_{n}"] == "winnable" for row in rows]
    index = np.load(out / "index.npy").tolist()
    assert index == [("ms", 1, 600, 0), ("bk1", 0, 300, 600)]
    about = json.loads((out / "about.json").read_text())
    assert about["won"]["4"] == sum(row["verdict_4"] == "winnable" for row in rows)
    bitmap = Bitmap(out)
    for row in rows[::37]:
        verdict = bitmap.verdict(row["source"], row["number"], 2)
        assert verdict == (row["verdict_2"] == "winnable")
    assert bitmap.verdict("ms", 601, 2) is None


def test_bits_of_undecided_deals_and_of_lists(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("ms:3\nms:4\nms:9\nbk1:10\nms:5\n")
    folder, out = tmp_path / "c", tmp_path / "bits"
    arguments = ("ms:1..130", str(tmp_path / "list"), "--cells", "2,4", "--max-nodes", "60")
    classify_command(*arguments, "--out", str(folder), "--chunk-size", "13")
    assert run("export", str(folder), "--format", "bits", "--out", str(out)).code == 0
    rows = rows_of(folder)
    for n in (2, 4):
        undecided = [row[f"verdict_{n}"] == "undecided" for row in rows]
        path = out / f"open_{n}.npy"
        assert path.exists() == any(undecided)
        if any(undecided):
            bits = np.unpackbits(np.load(path), bitorder="little", count=len(rows))
            assert bits.tolist() == undecided
    assert np.load(out / "index.npy").tolist() == [
        ("ms", 1, 130, 0), ("ms", 3, 2, 130), ("ms", 9, 1, 132), ("bk1", 10, 1, 133),
        ("ms", 5, 1, 134),
    ]  # fmt: skip
    bitmap = Bitmap(out)
    verdicts = ("unwinnable", "winnable", "undecided")
    for row in rows:
        assert verdicts[bitmap.verdict(row["source"], row["number"], 4)] == row["verdict_4"]


def test_bits_that_cannot_be_written(whole: Path, tmp_path: Path) -> None:
    args = ["export", str(whole), "--format", "bits"]
    check_bad_input(run(*args), "--format bits needs --out")
    check_bad_input(run(*args, "--out", str(tmp_path)), "exists already")
    check_bad_input(run(*args, "--out", "x", "--winnable"), "takes all deals")
    check_bad_input(run(*args, "--out", str(tmp_path / "no" / "x")), "cannot be written")
    shutil.copytree(whole, tmp_path / "c")
    part_paths(tmp_path / "c")[0].unlink()
    answer = run("export", str(tmp_path / "c"), "--format", "bits", "--out", str(tmp_path / "x"))
    check_bad_input(answer, "bits need all deals, but the run is unfinished: 8 of 9 parts")
    assert sorted(os.listdir(tmp_path)) == ["c"]
    with pytest.raises(CatalogueError, match="holds no bits"):
        Bitmap(tmp_path)
