"""`boulanger hint` and `boulanger check`: answers, exit codes, bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import oracle
from tests.command import CODE, NEARLY_WON, WON, answer_json, run, unwrapped

# Without a cell nothing can move: no exposed card goes on another.
STUCK = (
    "Foundations: S-0 H-K D-0 C-K\n: 3S AS 5S\n: 8S 2S 9S\n: JS 4S KS\n: 6S 7S\n: QS TS 3D AD 5D\n"
    ": 7D 2D\n: 9D JD 4D KD\n: 8D 6D QD TD\n"
)


def moves_of(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines() if not line.startswith("#")]


def test_a_hint_as_text() -> None:
    answer = run("hint", "ms:2", "-n", "3")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "# Winnable with 4 cells."
    assert lines[1].startswith("# Distance to the win: ")
    assert lines[1].endswith(" actions, proven shortest.")
    assert len(moves_of(answer.out)) == 3
    assert lines[2] == "# The board; nothing was played:"
    assert lines[3:13] == [f"#   {line}" for line in run("show", "ms:2").out.splitlines()[1:]]
    assert len(lines) == 16
    distance = int(lines[1].split()[5])
    assert [line.rsplit("; ", 1)[1] for line in lines[13:]] == [
        f"{distance - i} left" for i in (1, 2, 3)
    ]


@pytest.mark.parametrize("measure", ["actions", "plies"])
def test_a_hint_as_json(measure: str) -> None:
    answer = answer_json("hint", "ms:2", "-n", "2", "--measure", measure)
    assert list(answer) == [
        "deal", "dealer", "notes", "cells", "played", "verdict", "reason", "legal_move",
        "measure", "distance", "proven", "hints", "solution", "loss",
    ]  # fmt: skip
    assert (answer["verdict"], answer["proven"], answer["loss"]) == ("winnable", True, None)
    assert answer["measure"] == measure
    first, second = answer["hints"]
    assert list(first) == [
        "notation", "text", "cards", "from", "to", "on", "reasons", "reason", "distance"
    ]  # fmt: skip
    assert answer["distance"] > first["distance"] > second["distance"]
    assert [first["notation"], second["notation"]] == answer["solution"][:2]
    board, _ = oracle.replay(oracle.ms_deal(2), answer["solution"])
    assert oracle.is_won(board)


def test_following_hints_with_played_moves() -> None:
    played: list[str] = []
    distance = answer_json("hint", "ms:2")["distance"]
    for number in range(1, 6):
        answer = answer_json("hint", "ms:2", "--played", " ".join(played))
        assert answer["distance"] == distance - number + 1
        assert answer["played"] == number - 1
        played.append(answer["hints"][0]["notation"])


def test_played_moves_from_a_file_and_from_standard_input(tmp_path: Path) -> None:
    text = run("hint", "ms:2", "-n", "4").out
    (tmp_path / "game.txt").write_text(text)
    from_file = answer_json("check", "ms:2", "--played", str(tmp_path / "game.txt"))
    assert (from_file["played"], from_file["verdict"]) == (4, "winnable")
    assert answer_json("check", "ms:2", "--played", "-", stdin=text)["played"] == 4


def test_all_marks_every_legal_action() -> None:
    answer = answer_json("hint", "ms:2", "--all")
    board = oracle.ms_deal(2)
    assert len(answer["actions"]) == len(oracle.distinct_plies(board))
    best = min(action["distance"] for action in answer["actions"] if action["proven"])
    assert best == answer["hints"][0]["distance"]
    text = run("hint", "ms:2", "--all").out
    assert f"# {len(answer['actions'])} legal actions:" in text
    assert text.count("keeps the win") == sum(
        action["verdict"] == "winnable" for action in answer["actions"]
    )


def test_check() -> None:
    answer = run("check", "ms:1")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(
        "Winnable with 4 cells.\n`boulanger hint` says what to play next.\n"
    )
    played = run("check", "ms:1", "--played", "7a 8b").out
    assert "# The board after 2 actions (7a 8b):\n" in played
    assert "#   Freecells: 8C TC - -\n" in played
    assert run("check", CODE).err.startswith("boulanger: note: The app's dealer is not published")
    document = answer_json("check", CODE, "--cells", "4")
    assert list(document) == [
        "deal", "dealer", "notes", "cells", "played", "verdict", "reason", "legal_move", "nodes",
        "seconds",
    ]  # fmt: skip
    assert run("check", CODE, "--cells", "1").code == 1


@pytest.mark.parametrize("command", ["check", "hint"])
def test_lost_and_no_legal_move_are_two_things(command: str) -> None:
    lost = run(command, "ms:10")
    assert lost.code == 1
    assert "Lost, proven unwinnable with 4 cells: there are legal moves, but no way" in unwrapped(
        lost.out
    )
    assert ("It could not be won from the start." in lost.out) == (command == "hint")
    answer = run(command, "-", "--cells", "0", stdin=STUCK)
    assert answer.code == 1
    assert "there is no legal move; no way to play it wins." in unwrapped(answer.out)


def test_a_lost_game_leads_back() -> None:
    """Four cards to the cells, one after another, until nothing wins."""
    played: list[str] = []
    for move in ("1a", "1b", "1c", "1d", "2a", "3a"):
        if run("check", "ms:1", "--played", " ".join([*played, move])).code == 2:
            break
        played.append(move)
    answer = run("hint", "ms:1", "--played", " ".join(played))
    document = answer_json("hint", "ms:1", "--played", " ".join(played))
    if document["verdict"] == "winnable":
        pytest.fail("this game is lost")
    loss = document["loss"]
    assert loss["undos"] == len(played) - loss["number"] + 1
    assert loss["notation"] == played[loss["number"] - 1]
    assert loss["within_undo"]
    assert f"Lost by action {loss['number']}, {loss['notation']} (" in unwrapped(answer.out)
    assert "(the app keeps the last 100)" in unwrapped(answer.out)
    assert loss["action"]["notation"] == loss["notation"]
    better = loss["better"]
    assert f"Better there: {better['notation']} ({better['text']}: " in unwrapped(answer.out)
    instead = [*played[: loss["number"] - 1], better["notation"]]
    assert answer_json("check", "ms:1", "--played", " ".join(instead))["verdict"] == "winnable"
    before = " ".join(played[: loss["number"] - 1])
    assert run("check", "ms:1", "--played", before).code == 0


def test_a_hint_that_is_not_proven_shows_a_whole_way_to_win() -> None:
    args = ("hint", "ms:27", "-n", "2", "--max-nodes", "2000")
    answer = run(*args)
    assert answer.code == 0
    assert "not proven shortest (stopped at the limit of nodes); it is shown whole" in unwrapped(
        answer.out
    )
    board, _ = oracle.replay(oracle.ms_deal(27), moves_of(answer.out))
    assert oracle.is_won(board)
    document = answer_json(*args)
    assert (document["proven"], document["reason"]) == (False, "nodes")
    assert document["solution"] == moves_of(answer.out)
    assert [step["notation"] for step in document["hints"]] == document["solution"][:2]


@pytest.mark.parametrize(
    "args",
    [
        ("check", "ms:69"),
        ("hint", "ms:69"),
        ("hint", "ms:69", "--all"),
        ("review", "ms:69", "--played", "1a"),
    ],
)
def test_a_limit_leaves_it_undecided(args: tuple[str, ...]) -> None:
    answer = run(*args, "--max-nodes", "5")
    assert (answer.code, answer.err) == (3, "")
    assert "ndecided" in answer.out
    assert "nwinnable" not in answer.out


def test_marks_are_listed_best_first() -> None:
    text = run("hint", "ms:2", "--all").out
    marks = text.split("legal actions:\n")[1].splitlines()
    left = [int(line.rsplit("; ", 1)[1].split()[0]) for line in marks if "keeps the win" in line]
    assert len(left) > 3
    assert left == sorted(left)
    assert ["loses it" in line for line in marks] == [False] * len(left) + [True] * (
        len(marks) - len(left)
    )


def test_a_won_board() -> None:
    assert run("hint", "-", stdin=WON).out.startswith("# Won: all cards are home.\n")
    assert run("check", "-", stdin=WON).out.startswith("Won: all cards are home.\n# The board;")


def test_many_deals_from_a_file(tmp_path: Path) -> None:
    board_json = run("show", "ms:3", "--json").out.replace("\n", " ")
    deals = f"# deals\nms:1\n{CODE}\n{board_json}\n{NEARLY_WON}\n{run('show', 'ms:2').out}"
    path = tmp_path / "deals.txt"
    path.write_text(deals)
    answer = run("hint", "--from", str(path), "-n", "2", "--json")
    assert answer.code == 0
    lines: list[Any] = [json.loads(line) for line in answer.out.splitlines()]
    names = [line["deal"] for line in lines]
    assert names == ["ms:1", CODE, f"{path}:4", f"{path}:5", f"{path}:17"]
    assert all(len(line["hints"]) == 2 for line in lines)
    assert lines[4]["solution"] == answer_json("hint", "ms:2")["solution"]
    path.write_text("ms:1\nms:10\n")
    assert run("hint", "--from", str(path), "--json").code == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["hint"], "a DEAL is missing, or --from FILE"),
        (["hint", "ms:1", "--from", "x", "--json"], "--from goes with --json, and with neither"),
        (["hint", "--from", "x"], "--from goes with --json"),
        (["hint", "--from", "no-such-file", "--json"], "there is no file 'no-such-file'"),
        (["hint", "ms:1", "-n", "0"], "a whole number from 1 on expected, such as 3, not '0'"),
        (["hint", "ms:1", "--measure", "moves"], "plies or actions expected, not 'moves'"),
        (["check", "ms:1", "--played", "1a 1x"], "--played: move 2, '1x' (line 1, column 4): '1x'"),
        (["check", "ms:1", "--played", "1a 2a"], "--played: move 2, '2a' (line 1, column 4): "),
        (["check", "ms:1", "--played", "game"], "'game' is neither a move, such as 26 or a5, nor"),
        (["check", "-", "--played", "-"], "DEAL and --played cannot both be '-'"),
        (["check", "ms:1", "--played", "-"], "is not text in UTF-8"),
    ],
)
def test_bad_input(args: list[str], message: str) -> None:
    answer = run(*args, stdin=b"\xff\xfe\xfd")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("boulanger: ")
    assert answer.err.count("\n") == 1
    assert message in answer.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no deal"),
        ("# nothing\n", "holds no deal"),
        ("ms:1\nms:x\n", "starting at line 2: "),
        ("ms:1\n\nAS 2S\n3S\n", "starting at line 3: "),
    ],
)
def test_bad_lists_of_deals(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(text)
    answer = run("hint", "--from", str(path), "--json")
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
