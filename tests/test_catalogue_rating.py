"""Ratings in catalogues, and deals found by their difficulty."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from boulanger.engine.deals.codes import parse_code
from boulanger.engine.deals.dealers import BK1, MS
from boulanger.engine.position import Position
from boulanger.solver.rating.model import LEVELS
from boulanger.solver.rating.rate import rate
from tests.catalogues import contents
from tests.command import answer_json, check_bad_input, run

LAST = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rated catalogue of Microsoft deals with 4, 3 and 2 cells."""
    path = tmp_path_factory.mktemp("rated") / "catalogue"
    answer = run(
        "classify", f"ms:1..{LAST}", "--out", str(path), "--cells", "4,3,2", "--rate",
        "--workers", "1",
    )  # fmt: skip
    assert (answer.code, answer.err) == (0, "")
    return path


def rows_of(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder).to_pylist()
    return rows


def test_scores_and_lengths_are_those_of_rate(folder: Path) -> None:
    rows = rows_of(folder)
    num_rated = 0
    for row in rows:
        for num_cells in (4, 2):
            rating = rate(Position.from_deal(MS.deal(row["number"]), num_cells))
            values = [row[f"{name}_{num_cells}"] for name in ("score", "plies", "actions")]
            assert (rating.score is not None) == (row[f"verdict_{num_cells}"] == "winnable")
            if rating.score is None or rating.parts is None:
                assert values == [None, None, None]
                continue
            assert values[0] == pytest.approx(rating.score, abs=1e-4)
            assert values[1:] == [rating.parts.plies.length, rating.parts.actions.length]
            num_rated += 1
    assert 8 < num_rated < 2 * LAST
    assert "score_3" not in rows[0]


def test_the_summary_counts_words(folder: Path) -> None:
    words = answer_json("summary", str(folder))["words"]
    assert [entry["cells"] for entry in words] == [2, 4]
    scores = [row["score_4"] for row in rows_of(folder) if row["score_4"] is not None]
    starts = [0.0, *(end for _, end in LEVELS)]
    expected = {
        word: sum(start <= score < end for score in scores)
        for (word, end), start in zip(LEVELS, starts, strict=False)
    }
    assert words[1]["words"] == expected
    assert "How hard winnable deals are:" in run("summary", str(folder)).out


def test_a_catalogue_without_ratings_is_not_gone_on_with(folder: Path) -> None:
    answer = run("classify", f"ms:1..{LAST}", "--out", str(folder), "--cells", "4,3,2")
    assert (answer.code, answer.out) == (2, "")
    assert "--rate" in answer.err


# Export.


def column_names() -> list[str]:
    verdicts = [f"{name}_{n}" for n in (2, 3, 4) for name in ("verdict", "nodes", "inferred")]
    ratings = [f"{name}_{n}" for n in (2, 4) for name in ("score", "plies", "actions")]
    return ["deal", "source", "number", "code", *verdicts, *ratings]


def test_an_export_has_all_columns_of_the_parts(folder: Path, tmp_path: Path) -> None:
    table = run("export", str(folder), "--format", "csv").out
    assert table.splitlines()[0].split(",") == column_names()
    rows = list(csv.DictReader(io.StringIO(table)))
    for row, expected in zip(rows, rows_of(folder), strict=True):
        score = expected["score_4"]
        if score is None:
            assert row["score_4"] == ""
        else:
            assert float(row["score_4"]) == pytest.approx(score)
        assert row["plies_4"] == ("" if score is None else str(expected["plies_4"]))
    out = tmp_path / "all.parquet"
    assert run("export", str(folder), "--format", "parquet", "--out", str(out)).code == 0
    exported = pq.read_table(out)
    assert exported.column_names == column_names()
    assert exported.drop_columns(["deal"]).to_pylist() == rows_of(folder)
    about = json.loads(exported.schema.metadata[b"boulanger"])
    assert (about["sources"], about["cells"]) == ([f"ms:1..{LAST}"], [2, 3, 4])


def listed(folder: Path, *args: str) -> list[int]:
    answer = run("export", str(folder), *args)
    assert answer.code == 0
    return [int(line.removeprefix("ms:")) for line in answer.out.split()]


def test_deals_are_listed_by_their_ratings(folder: Path) -> None:
    rows = [row for row in rows_of(folder) if row["score_4"] is not None]
    scores = {row["number"]: row["score_4"] for row in rows}
    low, high = sorted(scores.values())[2], sorted(scores.values())[5]
    span = f"score={low}..{high}"
    assert listed(folder, "--where", span) == [n for n, s in scores.items() if low <= s <= high]
    assert len(listed(folder, "--where", span)) == 4
    for word in ("gentle", "easy", "medium", "hard", "fiendish"):
        place = [w for w, _ in LEVELS].index(word)
        start = LEVELS[place - 1][1] if place else 0.0
        fitting = [n for n, s in scores.items() if start <= s < LEVELS[place][1]]
        assert listed(folder, "--where", f"difficulty={word}") == fitting
    plies = {row["number"]: row["plies_4"] for row in rows}
    limit = sorted(plies.values())[3]
    assert listed(folder, "--where", f"plies=..{limit}") == [
        n for n, p in plies.items() if p <= limit
    ]
    lost = [row["number"] for row in rows if row["verdict_2"] == "unwinnable"]
    assert listed(folder, "--where", "2=unwinnable", "--where", "score=0..", "--cells", "4") == lost


def test_lists_are_sorted_and_cut(folder: Path) -> None:
    rows = rows_of(folder)
    for name, args in (("score_4", ("score",)), ("nodes_2", ("nodes", "--cells", "2"))):
        known = [row for row in rows if row[name] is not None]
        nulls = [row["number"] for row in rows if row[name] is None]
        rising = [row["number"] for row in sorted(known, key=lambda row: row[name])]
        assert listed(folder, "--sort", *args) == rising + nulls
        falling = [row["number"] for row in sorted(known, key=lambda row: -row[name])]
        assert listed(folder, f"--sort=-{args[0]}", *args[1:], "--limit", "5") == falling[:5]
    assert listed(folder, "--limit", "3") == [1, 2, 3]
    assert (
        listed(folder, "--where", "4=unwinnable", "--limit", "1")
        == [row["number"] for row in rows if row["verdict_4"] == "unwinnable"][:1]
    )


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["--where", "difficulty=vicious"], "difficulty is one of gentle, easy, medium, hard"),
        (["--where", "score=high"], "score=FROM..TO expected, such as score=60..80"),
        (["--where", "score=.."], "score=FROM..TO expected"),
        (["--where", "score=80..60"], "ends before it begins"),
        (["--where", "score=1..2", "--cells", "3"], "has no ratings for 3 cells; it has 2, 4"),
        (["--sort", "score", "--cells", "3"], "has no ratings for 3 cells"),
        (["--sort", "beauty"], "score, plies, actions or nodes expected"),
        (["--limit", "0"], "expected, not '0'"),
    ],
)
def test_queries_that_make_no_sense(folder: Path, args: list[str], reason: str) -> None:
    check_bad_input(run("export", str(folder), *args), reason)


# A rated catalogue is one that was rated later.


@pytest.mark.usefixtures("workers_here")
def test_ratings_can_be_added_later(folder: Path, tmp_path: Path) -> None:
    later = tmp_path / "later"
    arguments = ("classify", f"ms:1..{LAST}", "--out", str(later), "--workers", "1")
    # The chunks of rated deals are shorter.
    assert run(*arguments, "--cells", "4", "--chunk-size", "100").code == 0
    refused = run(*arguments, "--cells", "4,3,2", "--rate")
    assert (refused.code, "add --grow" in refused.err) == (2, True)
    assert run(*arguments, "--cells", "4,3,2", "--rate", "--grow").code == 0
    assert contents(later) == contents(folder)


def test_deals_found_by_difficulty_are_rated_so() -> None:
    answer = run("find", "--difficulty", "gentle", "--cells", "2", "--count", "2", "--seed", "4")
    codes = answer.out.split()
    assert (answer.code, len(codes)) == (0, 2)
    for code in codes:
        assert rate(Position.from_deal(BK1.deal(parse_code(code).number), 2)).level == "gentle"
    document = answer_json(
        "find", "--difficulty", "gentle", "--cells", "2", "--count", "2", "--seed", "4"
    )
    assert document["difficulty"] == {"cells": 2, "word": "gentle"}
    for deal, code in zip(document["deals"], codes, strict=True):
        rating = rate(Position.from_deal(BK1.deal(deal["number"]), 2))
        assert deal == {
            "deal": code, "number": deal["number"], "score": rating.score, "word": "gentle"
        }  # fmt: skip
    again = run("find", "--difficulty", "gentle", "--cells", "2", "--count", "1", "--seed", "4")
    assert again.out.split() == codes[:1]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("classify", "ms:1", "--out", "x", "--cells", "3", "--rate"), "4, 2, 1 cells"),
        (("find", "--difficulty", "hard", "--cells", "5"), "rated for 4, 2, 1 cells, not for 5"),
        (("find", "--where", "score=1..2"), "'score=1..2' is not a condition"),
        (("find", "--difficulty", "vicious"), "fiendish expected, not 'vicious'"),
        (("find", "--difficulty", "hard", "--unwinnable"), "exclude each other"),
    ],
)
def test_bad_input(args: tuple[str, ...], message: str) -> None:
    answer = run(*args)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert answer.err.count("\n") == 1
