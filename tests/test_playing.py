"""Boards and moves on the command line: --played, --rows, --style, notation, ms123456."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boulanger.engine.boards.text import parse_board
from boulanger.engine.notation import parse_action
from boulanger.solver.cli.notation import EXAMPLE_BOARD, EXAMPLE_MOVES
from tests.command import run

CASES = Path(__file__).parent / "data" / "cases"
PLAYED = "AS home, JD to cell"


def test_a_board_of_one_cell_is_played_with_one(tmp_path: Path) -> None:
    path = tmp_path / "c1.txt"
    path.write_text(run("show", "BK1-C1-AAAAA24").out)
    answer = run("check", str(path))
    assert answer.code == 1
    assert "unwinnable with 1 cell" in answer.out
    assert "1 cell in play, as the board says" in answer.err


def test_what_was_played_is_echoed() -> None:
    for command in ("check", "hint"):
        answer = run(command, "ms:24", "--played", PLAYED)
        assert "4h 7a" in answer.out
        assert "read as moves in words" in answer.err
    answer = run("show", "ms:24", "--played", PLAYED)
    assert "played 2 actions: 4h (AS from column 4 home), 7a (JD from" in answer.err
    notes = json.loads(run("show", "ms:24", "--played", PLAYED, "--json").out)["notes"]
    assert any("played 2 actions" in note for note in notes)


@pytest.mark.parametrize("command", ["show", "solve"])
def test_commands_that_start_from_a_game(command: str) -> None:
    answer = run(command, "ms:24", "--played", PLAYED)
    assert answer.code == 0
    assert "S-A" in answer.out
    assert "Freecells: JD - - -" in answer.out


def test_names_of_cards_are_refused() -> None:
    answer = run("hint", "ms:24", "--played", "6D")
    assert answer.code == 2
    assert "it is a card" in answer.err


def test_rows_and_columns_are_told_apart_by_the_user(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    lengths = [8, 8, 8, 7, 7, 6, 4, 4]
    deck = iter(f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK")
    path.write_text("".join(" ".join(next(deck) for _ in range(n)) + "\n" for n in lengths))
    refused = run("show", str(path))
    assert refused.code == 2
    assert "--rows" in refused.err
    assert "--columns" in refused.err
    assert ": AS 2S 3S" in run("show", str(path), "--columns").out
    rows = run("show", str(path), "--rows")
    assert ": AS 9S" in rows.out
    assert "read as rows" in rows.err


@pytest.mark.parametrize("style", ["notation", "words", "fcs", "pysol"])
def test_solutions_in_every_style_are_verified(style: str, tmp_path: Path) -> None:
    solved = run("solve", "ms:24", "--style", style)
    path = tmp_path / "moves.txt"
    path.write_text(solved.out)
    verified = run("verify", "ms:24", "--moves", str(path))
    assert verified.out.startswith("Won:"), verified
    document = json.loads(run("solve", "ms:24", "--style", style, "--json").out)
    assert ("moves" in document["solution"]) == (style != "notation")


def test_verify_reads_the_cases_and_says_how() -> None:
    answer = run("verify", "ms:24", "--moves", str(CASES / "rainfall-moves-ms24.txt"))
    assert answer.out.startswith("Won: 95 moves")
    assert "read as from, to and how many" in answer.err
    utf_16 = (CASES / "patsolve-win-ms24.txt").read_text().encode("utf-16")
    assert run("verify", "ms:24", "--moves", "-", stdin=utf_16).out.startswith("Won:")


def test_notation_is_explained_on_a_board() -> None:
    answer = run("notation")
    assert answer.code == 0
    assert max(map(len, answer.out.splitlines())) <= 80
    position = parse_board(EXAMPLE_BOARD).position
    for move in EXAMPLE_MOVES:
        parse_action(position, move)
        assert f"  {move}" in answer.out
    assert "AH home" in answer.out


def test_microsoft_numbers() -> None:
    assert run("show", "ms123456", "--json").out == run("show", "ms:123456", "--json").out
    assert run("code", str(CASES / "pysol-test-ms123456.txt")).out == "ms:123456\n"
    board = str(CASES / "ipc2000-freecell-13-3.pddl")
    answer = run("code", board)
    assert answer.out == "ms:3\n"
    assert "in another order" in answer.err
    for number in ("-1", "-2"):
        joke = run("show", f"ms:{number}")
        assert joke.code == 0
        assert "joke" in joke.err
