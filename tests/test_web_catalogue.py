"""Catalogues in the page: the list, the counts, and deals a page at a time, each one once."""

import random
from pathlib import Path
from typing import Any

import pytest

from boulanger.engine.errors import CatalogueError
from boulanger.solver.web.catalogue_answers import OpenCatalogues
from boulanger.solver.web.questions import Shared
from tests.catalogues import Row, classify_command, part_paths, write_catalogue
from tests.web import Asker, new_server

CELLS = (1, 2, 4)


def some_rows(count: int, seed: int) -> list[Row]:
    """Deals with made-up verdicts that do not contradict each other."""
    rng = random.Random(seed)
    rows = []
    for number in range(count):
        first = rng.choice([1, 2, 4, 9])
        rows.append(
            Row(
                "ms",
                number + 1,
                None,
                {n: "winnable" if n >= first else "unwinnable" for n in CELLS},
                {n: rng.randrange(1000) for n in CELLS},
                dict.fromkeys(CELLS, False),
            )
        )
    return rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("catalogues") / "made-up"
    write_catalogue(path, some_rows(333, 1), CELLS, chunk_size=50)
    return path


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("catalogues") / "rated"
    answer = classify_command(
        "ms:1..24", "--cells", "4", "--rate", "--chunk-size", "7", "--out", str(path)
    )
    assert answer.code == 0, answer.err
    return path


@pytest.fixture(scope="module")
def asker(folder: Path, rated: Path) -> Asker:
    return Asker(new_server(shared=Shared(catalogues=OpenCatalogues([str(folder), str(rated)]))))


def all_pages(asker: Asker, **body: Any) -> list[Any]:
    deals: list[Any] = []
    after = None
    while True:
        answer = asker.ask("catalogue", **body, after=after)
        deals += answer["deals"]
        assert len(answer["deals"]) <= body.get("count", 50)
        after = answer["next"]
        if after is None:
            return deals


def test_the_list_says_what_there_is_but_not_where(asker: Asker, folder: Path) -> None:
    first, second = asker.ask("catalogue")["catalogues"]
    assert (first["name"], first["deals"], first["cells"]) == ("made-up", 333, [1, 2, 4])
    assert (second["name"], second["rated"]) == ("rated", [4])
    assert str(folder.parent) not in str(asker.ask("catalogue"))
    assert str(folder.parent) not in str(asker.ask("catalogue", catalogue=0, summary=True))


@pytest.mark.parametrize("count", [1, 7, 50, 200])
@pytest.mark.parametrize(
    "where", [[], ["4=winnable"], ["2=unwinnable", "4=winnable"], ["1=winnable"], ["4=undecided"]]
)
def test_pages_hold_each_deal_that_fits_once(asker: Asker, count: int, where: list[str]) -> None:
    wanted = [
        f"ms:{row.number}"
        for row in some_rows(333, 1)
        if all(row.verdicts[int(text[0])] == text[2:] for text in where)
    ]
    found = all_pages(asker, catalogue=0, where=where, count=count)
    assert [deal["deal"] for deal in found] == wanted
    for deal in found:
        row = some_rows(333, 1)[deal["number"] - 1]
        assert {c["cells"]: c["verdict"] for c in deal["cells"]} == row.verdicts
        assert {c["cells"]: c["nodes"] for c in deal["cells"]} == row.nodes


def test_a_page_comes_back_when_its_time_is_over(asker: Asker) -> None:
    answer = asker.ask("catalogue", catalogue=0, where=["4=undecided"], max_seconds=1e-9)
    assert answer["deals"] == []
    assert answer["read"] == 50
    assert answer["next"] == [1, 0]


def test_the_counts_are_the_summarys(asker: Asker) -> None:
    answer = asker.ask("catalogue", catalogue=0, summary=True)
    rows = some_rows(333, 1)
    for counts in answer["summary"]["cells"]:
        verdicts = [row.verdicts[counts["cells"]] for row in rows]
        assert counts["winnable"] == verdicts.count("winnable")
        assert counts["unwinnable"] == verdicts.count("unwinnable")
    assert answer["scores"] == []
    assert asker.ask("catalogue", catalogue=0, summary=True) == answer


def test_rated_deals_by_their_scores(asker: Asker) -> None:
    everything = all_pages(asker, catalogue=1, where=["4=winnable"])
    scores = {deal["deal"]: deal["cells"][0]["score"] for deal in everything}
    assert len(scores) > 5 and None not in scores.values()
    easiest = all_pages(asker, catalogue=1, sort="score", count=3)
    assert [deal["deal"] for deal in easiest] == sorted(scores, key=lambda name: scores[name])
    hardest = all_pages(asker, catalogue=1, sort="-score", count=4)
    assert hardest == easiest[::-1]
    middle = all_pages(asker, catalogue=1, where=["score=20..60"])
    assert {deal["deal"] for deal in middle} == {
        name for name, score in scores.items() if 20 <= score <= 60
    }
    summary = asker.ask("catalogue", catalogue=1, summary=True)
    (spread,) = summary["scores"]
    assert (spread["cells"], sum(spread["bins"])) == (4, len(scores))
    words = {
        word: {d["deal"] for d in all_pages(asker, catalogue=1, where=[f"difficulty={word}"])}
        for word in ("gentle", "easy", "medium", "hard", "fiendish")
    }
    assert set.union(*words.values()) == set(scores)
    assert sum(map(len, words.values())) == len(scores)
    for word, names in words.items():
        for name in names:
            assert asker.ask("rate", start=name)["word"] == word
            break


def test_what_is_listed_can_be_played(asker: Asker) -> None:
    deal = asker.ask("catalogue", catalogue=0, count=1)["deals"][0]
    assert asker.ask("deal", start=deal["deal"], cells=2)["cells"] == 2


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"catalogue": 2}, 400),
        ({"catalogue": -1}, 400),
        ({"catalogue": "../x"}, 400),
        ({"catalogue": 0, "where": ["7=winnable"]}, 422),
        ({"catalogue": 0, "where": ["nonsense"]}, 422),
        ({"catalogue": 0, "where": ["4=unwinnable", "1=winnable"]}, 422),
        ({"catalogue": 0, "sort": "beauty"}, 422),
        ({"catalogue": 0, "sort": "score"}, 422),
        ({"catalogue": 0, "where": ["score=1..2"]}, 422),
        ({"catalogue": 0, "cells": 3}, 422),
        ({"catalogue": 0, "after": [1]}, 400),
        ({"catalogue": 0, "after": [1.5, 2]}, 400),
        ({"catalogue": 0, "after": [-1, 2]}, 400),
    ],
)
def test_wrong_questions_get_a_sentence(asker: Asker, body: Any, status: int) -> None:
    refused = asker.refusal("catalogue", **body)
    assert refused[0] == status
    assert refused[2]


def test_a_place_beyond_the_end_has_no_deals(asker: Asker) -> None:
    for after in ([99, 0], [6, 99], [10**15, 10**15]):
        answer = asker.ask("catalogue", catalogue=0, after=after)
        assert (answer["deals"], answer["next"]) == ([], None)


def test_a_damaged_part_is_told(tmp_path: Path) -> None:
    write_catalogue(tmp_path / "c", some_rows(60, 2), CELLS, chunk_size=50)
    asker = Asker(new_server(shared=Shared(catalogues=OpenCatalogues([str(tmp_path / "c")]))))
    part_paths(tmp_path / "c")[1].write_bytes(b"nothing of use")
    assert len(asker.ask("catalogue", catalogue=0, count=40)["deals"]) == 40
    assert asker.refusal("catalogue", catalogue=0, count=60)[0] == 422


def test_a_folder_without_a_catalogue_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError):
        OpenCatalogues([str(tmp_path)])
