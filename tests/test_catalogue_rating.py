"""Ratings in catalogues, and deals found by their difficulty."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from boulanger.engine.deals.codes import parse_code
from boulanger.engine.deals.dealers import BK1, MS
from boulanger.engine.position import Position
from boulanger.solver.catalogue.schema import part_path
from boulanger.solver.rating.rate import rate
from boulanger.solver.rating.words import WORDS
from tests.command import answer_json, run

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
    rows: list[dict[str, Any]] = pq.read_table(part_path(folder, 0)).to_pylist()
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
    starts = [0.0, *(end for _, end in WORDS)]
    expected = {
        word: sum(start <= score < end for score in scores)
        for (word, end), start in zip(WORDS, starts, strict=False)
    }
    assert words[1]["words"] == expected
    assert "How hard winnable deals are:" in run("summary", str(folder)).out


def test_a_catalogue_without_ratings_is_not_gone_on_with(folder: Path) -> None:
    answer = run("classify", f"ms:1..{LAST}", "--out", str(folder), "--cells", "4,3,2")
    assert (answer.code, answer.out) == (2, "")
    assert "--rate" in answer.err


def test_deals_found_by_difficulty_are_rated_so() -> None:
    answer = run("find", "--difficulty", "gentle", "--cells", "2", "--count", "2", "--seed", "4")
    codes = answer.out.split()
    assert (answer.code, len(codes)) == (0, 2)
    for code in codes:
        assert rate(Position.from_deal(BK1.deal(parse_code(code).number), 2)).word == "gentle"
    again = run("find", "--difficulty", "gentle", "--cells", "2", "--count", "1", "--seed", "4")
    assert again.out.split() == codes[:1]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("classify", "ms:1", "--out", "x", "--cells", "3", "--rate"), "4, 2, 1 cells"),
        (("find", "--difficulty", "hard", "--cells", "5"), "rated for 4, 2, 1 cells, not for 5"),
        (("find", "--difficulty", "vicious"), "fiendish expected, not 'vicious'"),
        (("find", "--difficulty", "hard", "--unwinnable"), "exclude each other"),
    ],
)
def test_bad_input(args: tuple[str, ...], message: str) -> None:
    answer = run(*args)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert answer.err.count("\n") == 1
