"""`solve --html` and `review --html`: the file has what the command says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.command import run


def facts(path: Path) -> Any:
    found = re.search(
        r'<script type="application/json" id="facts">(.*?)</script>', path.read_text("utf-8")
    )
    assert found is not None
    return json.loads(found[1])


def test_solve_writes_its_solution_and_the_rating(tmp_path: Path) -> None:
    path = tmp_path / "deal.html"
    answer = json.loads(run("solve", "ms:1", "--json", "--html", str(path)).out)
    held = facts(path)
    assert [step["notation"] for step in held["steps"]] == answer["solution"]["notation"]
    assert held["verdict"] == "winnable"
    assert held["rating"] == json.loads(run("rate", "ms:1", "--json").out)
    assert path.stat().st_size < 150_000


def test_solve_writes_the_shortest_one_and_a_lost_deal_has_none(tmp_path: Path) -> None:
    path = tmp_path / "deal.html"
    run("solve", "ms:1", "--shortest", "actions", "--html", str(path), "--lang", "fr")
    held = facts(path)
    assert len(held["steps"]) == 83
    assert held["words"]["verdict.winnable"] == "On peut encore gagner"
    assert '<html lang="fr"' in path.read_text("utf-8")
    assert run("solve", "ms:1", "--cells", "2", "--html", str(path)).code == 1
    assert facts(path)["steps"] == []


def test_review_writes_the_game_with_its_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    run("review", "ms:1", "--played", "72 1a 28", "--html", str(path))
    held = facts(path)
    assert [step["notation"] for step in held["steps"]] == ["72", "1a", "28"]
    mistake = held["review"]["actions"][1]
    assert mistake["losing"] and mistake["better"]["text"]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    answer = run("solve", "ms:1", "--html", str(tmp_path / "none" / "deal.html"))
    assert answer.code == 2
    assert "No such file or directory" in answer.err
