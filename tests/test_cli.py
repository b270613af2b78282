"""The command line: every answer, every exit code, every kind of bad input."""

from __future__ import annotations

import io
import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boulanger.engine.boards.text import parse_board
from boulanger.engine.deals.dealers import MS
from boulanger.engine.errors import LimitsError
from boulanger.engine.position import Position
from boulanger.solver.cli import help_texts, terminal
from boulanger.solver.cli.app import app
from boulanger.solver.cli.options import parse_memory
from boulanger.solver.deals.code_dealer import BK1_NOTE
from boulanger.solver.limits import Limits, Reason
from boulanger.solver.prepare import NUM_KERNELS
from boulanger.solver.result import SolveResult, Verdict
from tests import oracle
from tests.command import (
    CODE,
    COMPILING,
    NEARLY_WON,
    WON,
    answer_json,
    check_bad_input,
    run,
    start,
    unwrapped,
)

ROOT = Path(__file__).resolve().parent.parent
BOARDS = Path(__file__).parent / "data" / "boards"
CODE_COLUMNS = (
    "3C 5H AS QS JC 5S 6C / 2C 7D 8C 9D 4D AC JH / 3D 8H 7C 4S 8S 7S 4H / QC 9C TC TD TH 3H AH / "
    "6D 8D 9H QD KD 2S / 2H 4C TS AD 6S 5C / 5D KH 7H 9S 2D KC / KS JS 3S 6H QH JD"
)


def board_of(columns_text: str, num_cells: int = 4) -> oracle.Board:
    return oracle.board_from_columns(
        [column.split() for column in columns_text.split("/")], num_cells=num_cells
    )


def columns_of(answer: Any) -> str:
    return " / ".join(" ".join(column) for column in answer["columns"])


# show.


def test_show_writes_the_board_and_whose_dealer_it_is() -> None:
    answer = run("show", CODE)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"# {CODE}, 4 cells\n# The app's dealer is not published")
    for column in CODE_COLUMNS.split("/"):
        assert f": {column.strip()} " in answer.out
    assert "\x1b" not in answer.out


def test_only_a_code_needs_a_word_about_its_dealer() -> None:
    assert "dealer" not in run("show", "ms:1").out


@pytest.mark.parametrize("deal", [CODE, "ms:0", "ms:8589934591", str(BOARDS / "json-ms1.json")])
def test_what_show_writes_is_a_board(deal: str) -> None:
    board = answer_json("show", deal)["columns"]
    assert answer_json("show", "-", stdin=run("show", deal).out)["columns"] == board
    document = run("show", deal, "--json", "--cells", "2").out
    assert answer_json("show", "-", stdin=document)["num_cells"] == 2
    assert answer_json("show", "-", stdin=document)["columns"] == board


def test_show_json() -> None:
    answer = answer_json("show", f" {CODE.lower()} ")
    assert list(answer) == [
        "deal", "dealer", "notes", "num_cells", "foundations", "cells", "columns"
    ]  # fmt: skip
    assert (answer["deal"], answer["dealer"], answer["notes"]) == (CODE, "bk1", [BK1_NOTE])
    assert columns_of(answer) == CODE_COLUMNS


def test_show_tells_how_a_board_was_read() -> None:
    board = str(BOARDS / "rows-of-eight.txt")
    answer = run("show", board)
    assert answer.code == 0
    assert answer.err == "boulanger: note: read as rows: the lines run across the columns\n"
    assert answer_json("show", board)["notes"] == ["read as rows: the lines run across the columns"]


def test_a_board_that_show_wrote_keeps_its_number_of_cells(tmp_path: Path) -> None:
    for cells in ("0", "1", "2", "4", "8"):
        path = tmp_path / "board.txt"
        path.write_text(run("show", "ms:1", "--cells", cells).out)
        assert json.loads(run("show", str(path), "--json").out)["num_cells"] == int(cells)


@pytest.mark.parametrize("command", ["show", "solve", "verify", "code"])
def test_cells_override_those_of_a_code_and_say_so(command: str) -> None:
    args = [command, CODE, "--cells", "2", *(["--moves", "-"] if command == "verify" else [])]
    answer = run(*args)
    played = "played with --cells 2, not with the 4 of the code"
    # Elsewhere the dealer is told with the answer, or no board is meant.
    told = f"boulanger: note: {BK1_NOTE}\n" if command == "verify" else ""
    assert answer.err == f"boulanger: note: {played}\n{told}"
    document = json.loads(run(*args, "--json").out)
    assert document.get("num_cells", document["cells"]) == 2
    assert document["notes"] == [played, BK1_NOTE]
    same = [argument if argument != "2" else "4" for argument in args]
    assert run(*same).err == told


# Where a deal comes from.


def test_standard_input_and_files_may_hold_a_code(tmp_path: Path) -> None:
    for text in (CODE, f"{CODE}\n", f"  {CODE.lower()}\r\n"):
        assert answer_json("show", "-", stdin=text)["deal"] == CODE
    assert answer_json("show", "-", stdin="MS: 1\n")["deal"] == "ms:1"
    (tmp_path / "deal.txt").write_text(CODE)
    assert answer_json("show", str(tmp_path / "deal.txt"))["deal"] == CODE


def test_a_code_goes_before_a_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    board = run("show", "ms:1").out
    for name in (CODE, "bk-1"):
        Path(name).write_text(board)
    assert answer_json("show", CODE)["deal"] == CODE
    assert answer_json("show", f"./{CODE}")["deal"] == f"./{CODE}"
    assert answer_json("show", "bk-1")["deal"] == "bk-1"


# solve.


@pytest.mark.parametrize(
    ("cells", "code", "verdict"),
    [(4, 0, "winnable"), (3, 0, "winnable"), (2, 0, "winnable"), (1, 1, "unwinnable")],
)
def test_solve_a_code(cells: int, code: int, verdict: str) -> None:
    answer = run("solve", CODE, "--cells", str(cells), "--json")
    document = json.loads(answer.out)
    assert list(document) == [
        "deal", "dealer", "notes", "cells", "verdict", "reason", "nodes", "seconds", "solution",
        "shortest",
    ]  # fmt: skip
    assert (answer.code, document["verdict"], document["reason"]) == (code, verdict, None)
    assert (document["deal"], document["cells"]) == (CODE, cells)
    assert document["nodes"] > 0
    assert document["seconds"] >= 0
    assert (document["solution"] is not None) == (verdict == "winnable")
    if document["solution"] is not None:
        check_solution(board_of(CODE_COLUMNS, cells), document["solution"])


def check_solution(board: oracle.Board, solution: Any) -> None:
    assert list(solution) == ["notation", "actions", "plies", "score"]
    end, score = oracle.replay(board, solution["notation"])
    assert oracle.is_won(end)
    assert score == solution["score"]
    assert [action["notation"] for action in solution["actions"]] == solution["notation"]

    numbers = [ply["action"] for ply in solution["plies"]]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(1, len(solution["actions"]) + 1))
    for ply in solution["plies"]:
        source, destination = ply["from"], ply["to"]
        assert oracle.card_at(board, source) == ply["card"]
        assert ply["notation"][:2] == source + destination
        assert ply["text"].startswith(ply["card"])
        board = oracle.apply_move(board, source, destination)
    assert oracle.is_won(board)
    for action in solution["actions"]:
        assert list(action) == ["notation", "text", "cards", "from", "to", "on"]
        assert action["notation"][:2] == action["from"] + action["to"]
        assert len(action["cards"]) == 1 or f"({len(action['cards'])} cards)" in action["text"]


def test_what_solve_writes_is_a_list_of_moves_that_wins() -> None:
    for args in (["solve", CODE], ["solve", CODE, "--plies"]):
        answer = run(*args)
        assert answer.code == 0
        assert "# Winnable with 4 cells" in answer.out
        assert "The app's dealer is not published" in answer.out
        verified = answer_json("verify", CODE, "--moves", "-", stdin=answer.out)
        assert verified["legal"] and verified["won"]
        assert verified["home"] == 52


def test_plies_are_listed_below_moves_of_several_cards() -> None:
    document = answer_json("solve", "ms:1")
    with_plies = run("solve", "ms:1", "--plies").out.splitlines()
    runs = [action for action in document["solution"]["actions"] if len(action["cards"]) > 1]
    assert runs
    for action in runs:
        at = next(i for i, line in enumerate(with_plies) if line.endswith(f"# {action['text']}"))
        assert with_plies[at + 1].strip().startswith(f"#   {action['cards'][-1]} from")
    assert len(run("solve", "ms:1").out.splitlines()) < len(with_plies)


def test_solve_in_words() -> None:
    unwinnable = run("solve", "ms:2", "--cells", "1")
    assert unwinnable.code == 1
    assert "# Proven unwinnable with 1 cell (" in unwinnable.out
    undecided = run("solve", "ms:1", "--max-nodes", "5")
    assert undecided.code == 3
    assert "# Undecided with 4 cells (5 nodes" in unwrapped(undecided.out)
    assert "5 nodes (--max-nodes)" in unwrapped(undecided.out)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [("nodes", "5", "5 nodes"), ("seconds", "0.5", "0.5 seconds"), ("memory", "2GiB", "2 GiB")],
)
def test_a_limit_that_was_reached(
    option: str, value: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(position: Position, limits: Limits) -> SolveResult:
        assert getattr(limits, f"max_{option}") in (5, 0.5, 2 << 30)
        return SolveResult(position, Verdict.UNDECIDED, Reason(option), 1234, 0.5, None)

    monkeypatch.setattr("boulanger.solver.optimal.solve.solve", give_up)
    monkeypatch.setattr("boulanger.solver.optimal.solve.prepare", lambda: None)
    answer = run("solve", "ms:1", f"--max-{option}", value, "--json")
    document = json.loads(answer.out)
    assert (answer.code, document["verdict"], document["reason"]) == (3, "undecided", option)
    assert (document["nodes"], document["solution"]) == (1234, None)
    text = unwrapped(run("solve", "ms:1", f"--max-{option}", value).out)
    assert f"limit of {words}" in text
    assert f"(--max-{option})" in text


def test_pending_cards_open_the_solution() -> None:
    answer = run("solve", CODE)
    assert "# On this board 1 card can go home at once: the solution opens with that." in answer.out
    assert " 1. 4h   # AH from column 4 home\n" in answer.out


def test_solve_at_the_end_of_a_game() -> None:
    answer = run("solve", "-", stdin=WON)
    assert answer.code == 0
    assert "# All cards are home already." in answer.out
    document = answer_json("solve", "-", stdin=NEARLY_WON)
    assert document["deal"] == "-"
    assert document["dealer"] is None
    assert document["solution"]["notation"][1:] == [
        "1h",
        document["solution"]["notation"][0][1] + "h",
    ]


def test_compiling_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boulanger.solver.optimal.solve.is_ready", lambda: False)
    result = CliRunner().invoke(app, ["solve", "ms:1", "--json"])
    assert len(result.stderr.splitlines()) == 1
    assert COMPILING in result.stderr
    monkeypatch.setattr("boulanger.solver.optimal.solve.is_ready", lambda: True)
    assert CliRunner().invoke(app, ["solve", "ms:1"]).stderr == ""


def test_prepare_compiles_all_that_solve_needs() -> None:
    from boulanger.solver.optimal.solve import is_ready, prepare

    prepare()
    assert is_ready()


# verify.


def test_verify_tells_how_far_the_moves_lead() -> None:
    answer = run("verify", CODE, "--moves", "-", stdin="1. 4h 2. 61 # and so on\n")
    told = f"boulanger: note: {BK1_NOTE}\n"
    assert answer == (0, "Legal but unfinished: 2 moves, score 10, 51 cards not home.\n", told)
    document = answer_json("verify", CODE, "--moves", "-", stdin="4h 61")
    assert document == {
        "deal": CODE,
        "dealer": "bk1",
        "notes": [BK1_NOTE],
        "cells": 4,
        "legal": True,
        "won": False,
        "moves": 2,
        "score": 10,
        "home": 1,
        "fault": None,
    }
    assert answer_json("verify", CODE, "--moves", "-", stdin="")["moves"] == 0


def test_verify_a_win(tmp_path: Path) -> None:
    (tmp_path / "moves.txt").write_bytes(b"\xef\xbb\xbf1a\r\n1h\r\nah")
    answer = run("verify", "-", "--moves", str(tmp_path / "moves.txt"), stdin=NEARLY_WON)
    assert answer == (0, "Won: 3 moves, score 20.\n", "")


# Legal notation for a move that the rules refuse.
ILLEGAL_MOVES = [
    ("4h 1e", 2, "'1e' (line 1, column 4): cell e: only 4 cells are in play"),
    ("4h\n  i5", 2, "'i5' (line 2, column 3): cell i: only 4 cells are in play"),
    ("12", 1, "'12' (line 1, column 1): 6C cannot go on JH (column 2): only 7C takes it"),
    ("4h 31v2", 2, "v only goes with an empty column"),
    ("1a 2a", 2, "cell a: 6C is there"),
    ("1h", 1, "6C cannot go home: the clubs foundation waits for AC"),
    ("h1", 1, "nothing leaves the foundations"),
    ("a1", 1, "cell a is empty"),
]


@pytest.mark.parametrize(("moves", "number", "reason"), ILLEGAL_MOVES)
def test_an_illegal_move_is_named_with_its_place_and_reason(
    moves: str, number: int, reason: str
) -> None:
    answer = run("verify", CODE, "--moves", "-", stdin=moves)
    assert (answer.code, answer.err) == (1, f"boulanger: note: {BK1_NOTE}\n")
    assert answer.out.startswith(f"Illegal: move {number}, ")
    assert answer.out.count("\n") == 1
    assert reason in answer.out
    result = run("verify", CODE, "--moves", "-", "--json", stdin=moves)
    document = json.loads(result.out)
    assert result.code == 1
    assert (document["legal"], document["won"]) == (False, False)
    assert document["fault"]["number"] == number
    assert list(document["fault"]) == ["number", "text", "line", "column", "key", "facts", "reason"]


def test_a_run_above_the_limit_is_illegal(tmp_path: Path) -> None:
    board = "Foundations: S-8 H-9 D-9 C-9\nFreecells: QH KH QD KD\n"
    board += ": KS QC JS TS 9S\n: QS\n: KC\n: JC\n: TC\n: JH TH\n: JD TD\n:\n"
    for moves, code in (("18v1", 0), ("18v3", 1), ("18v2", 1), ("12", 1), ("18v1 12", 1)):
        (tmp_path / "moves.txt").write_text(moves)
        answer = run("verify", "-", "--moves", str(tmp_path / "moves.txt"), stdin=board)
        assert answer.code == code
        assert code == 0 or "with 0 free cells and" in answer.out


# code.


def test_code_both_ways() -> None:
    assert run("code", "860") == (0, f"{CODE}\n", "")
    assert run("code", CODE.lower()) == (0, "860\n", "")
    assert run("code", "860", "--cells", "0").out == "BK1-C0-AAAAA24\n"
    assert run("code", "34359738367").out == "BK1-C4-7777777\n"
    expected = {
        "deal": CODE, "dealer": "bk1", "notes": [BK1_NOTE], "cells": 4, "code": CODE, "number": 860
    }  # fmt: skip
    assert answer_json("code", "860") == expected
    assert answer_json("code", CODE) == expected


def test_code_of_a_board() -> None:
    board = str(BOARDS / "visual-ms11982.txt")
    assert run("code", board)[:2] == (0, "ms:11982\n")
    document = answer_json("code", board)
    assert (document["number"], document["dealer"], document["code"]) == (11982, "ms", None)
    assert run("code", "-", stdin=run("show", "ms:8589934591").out).out == "ms:8589934591\n"
    for unknown in (run("show", CODE).out, NEARLY_WON):
        answer = run("code", "-", stdin=unknown)
        assert (answer.code, answer.err) == (0, "")
        assert answer.out == "none of the Microsoft deals 0 to 8589934591 is this board\n"
    assert answer_json("code", "-", stdin=NEARLY_WON)["number"] is None


# Bad input: exit code 2, one line on standard error, nothing on standard output.


BAD_ARGUMENTS: list[tuple[list[str], str]] = [
    # Codes.
    (["show", "BK2-C4-AAAAA24"], "'BK2-C4-AAAAA24' has the unknown version 'BK2'"),
    (["show", "BK1-C9-AAAAA24"], "'BK1-C9-AAAAA24' asks for 9 cells"),
    (["show", "BK1-C4-AAAAA2"], "'BK1-C4-AAAAA2' has 6 letters"),
    (["show", "BK1-C4-AAAAA244"], "'BK1-C4-AAAAA244' has 8 letters"),
    (["show", "BK1\u2013C4\u2013AAAAA24"], "did you mean BK1-C4-AAAAA24?"),
    (["show", "BK1-C4-AAAAA20"], "'BK1-C4-AAAAA20' has '0'"),
    (["show", "BK1-C4-AAAAA21"], "'BK1-C4-AAAAA21' has '1'"),
    (["solve", "BK1-C4-AAAAA28"], "did you mean BK1-C4-AAAAA2B?"),
    (["code", "BK1-C4-AAAAA29"], "'BK1-C4-AAAAA29' has '9'"),
    # Numbers.
    (["solve", "ms:-3"], "'ms:-3' is negative"),
    (["solve", "ms:8589934592"], "'ms:8589934592' is beyond the last deal"),
    (["verify", "ms:one", "--moves", "-"], "'ms:one' is not a whole number"),
    (["code", "34359738368"], "'34359738368' is beyond the last deal"),
    (["code", "1,000"], "write digits alone: 1000"),
    (["code", "-5"], "-5"),
    # Neither.
    (["show", ""], "'' is no deal"),
    (["show", "617"], "'617' is a number only; write ms:617"),
    (["show", "no-such-file.txt"], "'no-such-file.txt' is neither a deal nor a file that exists"),
    (["show", "x" * 5000], "is neither a deal nor a file"),
    (["show", ": 3C 5H\n: 2C"], "a board goes into a file or to standard input (-)"),
    (["show", "."], "'.' is a directory"),
    (["show", "-"], "standard input: the board is empty"),
    # Options.
    (["solve", "ms:1", "--max-nodes", "0"], "'0'"),
    (["solve", "ms:1", "--max-nodes", "-1"], "'-1'"),
    (["solve", "ms:1", "--max-nodes", "1e6"], "'1e6'"),
    (["solve", "ms:1", "--max-nodes", "5k"], "'5k'"),
    (["solve", "ms:1", "--max-seconds", "0"], "'0'"),
    (["solve", "ms:1", "--max-seconds", "-1"], "'-1'"),
    (["solve", "ms:1", "--max-seconds", "nan"], "'nan'"),
    (["solve", "ms:1", "--max-seconds", "inf"], "'inf'"),
    (["solve", "ms:1", "--max-seconds", "10s"], "'10s'"),
    (["solve", "ms:1", "--max-memory", "0"], "'0'"),
    (["solve", "ms:1", "--max-memory", "-1GiB"], "'-1GiB'"),
    (["solve", "ms:1", "--max-memory", "2 apples"], "'2 apples'"),
    (["solve", "ms:1", "--max-memory", "1023KiB"], "'1023KiB'"),
    (["solve", "ms:1", "--cells", "9"], "'9'"),
    (["show", "ms:1", "--cells", "-1"], "'-1'"),
    (["code", "860", "--cells", "four"], "'four'"),
    (["solve", "ms:1", "--cells"], "--cells"),
    (["solve", "ms:1", "--sells", "2"], "--sells"),
    (["solve"], "'DEAL'"),
    (["show", "ms:1", "ms:2"], "ms:2"),
    (["sole", "ms:1"], "'sole'"),
    # Moves.
    (["verify", "ms:1"], "--moves"),
    (["verify", "ms:1", "--moves", "no-such-file.txt"], "no file 'no-such-file.txt'"),
    (["verify", "ms:1", "--moves", "."], "'.' is a directory"),
    (["verify", "-", "--moves", "-"], "cannot both be '-'"),
]


@pytest.mark.parametrize(("args", "quoted"), BAD_ARGUMENTS, ids=lambda value: str(value)[:60])
def test_bad_arguments(args: list[str], quoted: str) -> None:
    check_bad_input(run(*args), quoted)


MS_1 = Position.from_deal(MS.deal(1))
GOOD_BOARD = "".join(f": {line}\n" for line in (
    "JD KD 2S 4C 3S 6D 6S", "2D KC KS 5C TD 8S 9C", "9H 9S 9D TS 4S 8D 2H", "JC 5S QD QH TH QS 6H",
    "5D AD JS 4H 8H 6C", "7H QC AS AC 2C 3D", "7C KH AH 4D JH 8C", "5H 3H 3C 7S 7D TC",
))  # fmt: skip
BAD_BOARDS: list[tuple[str, str | bytes, str]] = [
    ("missing card", GOOD_BOARD.replace("JD ", ""), "1 card missing: JD"),
    ("duplicate", GOOD_BOARD.replace("JD", "TC"), "TC is there 2 times: column 1, column 8"),
    ("foundation clash", "Foundations: H-A\n" + GOOD_BOARD, "AH"),
    ("backwards", "Foundations: A-H\n" + GOOD_BOARD, "'A-H' is written backwards"),
    ("two boards", GOOD_BOARD * 2, "two boards"),
    ("wrong token", GOOD_BOARD.replace("8D", "8X"), "line 3, column 18: '8X'"),
    ("nine columns", GOOD_BOARD + ": AS\n", "8 columns expected, 9 found"),
    ("rtf", "{\\rtf1\\ansi 4C 2C}", "save it as plain text"),
    ("latin-1", b"\xa4\xa4" + GOOD_BOARD.encode(), "UTF-8"),
    ("empty", b"", "the board is empty"),
    ("blanks", b" \n\n", "the board is empty"),
    ("binary", b"\x7fELF\x02\x01\x01\x00", "binary data"),
    ("10 MB", b"JD " * 3_500_000, "more than 256 KiB"),
    ("json", '{"columns": [', "line 1, column 14"),
    ("wrong code", "BK1-C4-AAAAA20", "'BK1-C4-AAAAA20' has '0'"),
    ("wrong number", "ms:x\n", "'ms:x'"),
]


@pytest.mark.parametrize(("name", "board", "reason"), BAD_BOARDS, ids=[b[0] for b in BAD_BOARDS])
def test_bad_boards(tmp_path: Path, name: str, board: str | bytes, reason: str) -> None:
    data = board if isinstance(board, bytes) else board.encode()
    path = tmp_path / "board.txt"
    path.write_bytes(data)
    for command in ("show", "solve", "code"):
        check_bad_input(run(command, str(path)), reason)
    answer = run("show", "-", stdin=data)
    check_bad_input(answer, reason)
    assert "standard input" in answer.err


def test_the_good_board_is_good() -> None:
    assert parse_board(GOOD_BOARD).position == MS_1


def test_more_cards_in_cells_than_cells() -> None:
    board = str(BOARDS / "midgame-colons-ace-foundation.txt")
    assert run("show", board).code == 0
    check_bad_input(run("solve", board, "--cells", "3"), "only 3 cells in play")


BAD_MOVES: list[tuple[str | bytes, str]] = [
    ("4h xyz", "move 2, 'xyz' (line 1, column 4): 'xyz' is not a move"),
    ("4h\n61\n91", "move 3, '91' (line 3, column 1)"),
    ("TH from column 8", "'TH'"),
    ("28vf", "'28vf'"),
    (b"\xff\xfe4\x00h", "not text in UTF-8"),
    ("4H", "it is a card"),
    (b"4h " * 1_000_000, "more than 1024 KiB"),
    (b"\x00\x01\x02", "is not a move"),
]


@pytest.mark.parametrize(("moves", "quoted"), BAD_MOVES, ids=lambda value: str(value)[:20])
def test_moves_that_are_not_notation(moves: str | bytes, quoted: str) -> None:
    check_bad_input(run("verify", CODE, "--moves", "-", stdin=moves), quoted)
    check_bad_input(run("verify", CODE, "--moves", "-", "--json", stdin=moves), quoted)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads anything")
def test_an_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text(GOOD_BOARD)
    path.chmod(0)
    check_bad_input(run("show", str(path)), "secret.txt' cannot be read: Permission denied")


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1048576", 1 << 20),
        ("2GiB", 2 << 30),
        ("2 gib", 2 << 30),
        ("2G", 2 << 30),
        ("2GB", 2 * 10**9),
        ("500M", 500 << 20),
        ("512MB", 512 * 10**6),
        ("1.5GiB", 3 << 29),
        ("2048k", 2 << 20),
        ("4000000B", 4_000_000),
        ("1TiB", 1 << 40),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_memory(text) == size


@pytest.mark.parametrize("text", ["", "GiB", "1iB", "1,5GiB", "1e9", "0x100000", "9" * 30, "1PiB"])
def test_no_sizes(text: str) -> None:
    with pytest.raises(LimitsError):
        parse_memory(text)


# Interruptions and the terminal.


def test_an_interrupted_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("boulanger.solver.optimal.solve.solve", interrupt)
    monkeypatch.setattr("boulanger.solver.optimal.solve.prepare", lambda: None)
    assert run("solve", "ms:1") == (130, "", "boulanger: interrupted\n")


def test_a_machine_without_memory_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhaust(*args: Any, **options: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("boulanger.solver.optimal.solve.solve", exhaust)
    monkeypatch.setattr("boulanger.solver.optimal.solve.prepare", lambda: None)
    answer = run("solve", "ms:1")
    assert (answer.code, answer.out) == (3, "")
    assert answer.err.count("\n") == 1


# A fault of the program must not look like an answer: exit code 1 is a verdict.


def test_a_fault_of_the_program_has_an_exit_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise LookupError("no such\ncard")

    monkeypatch.setattr("boulanger.solver.cli.reading.read_deal", fail)
    monkeypatch.delenv("BOULANGER_TRACEBACK", raising=False)
    answer = run("show", "ms:1")
    assert (answer.code, answer.out, answer.err.count("\n")) == (70, "", 1)
    assert answer.err.startswith(
        "boulanger: a fault of the program, not an answer: LookupError: no "
    )
    assert "BOULANGER_TRACEBACK=1" in answer.err
    monkeypatch.setenv("BOULANGER_TRACEBACK", "1")
    answer = run("show", "ms:1")
    assert answer.code == 70
    assert "Traceback" in answer.err and "in fail" in answer.err


def test_a_missing_library_is_a_fault_of_the_installation() -> None:
    script = (
        "import sys; sys.modules['click'] = None; sys.argv = ['boulanger', 'solve', 'ms:1']\n"
        "from boulanger.__main__ import main; main()"
    )
    process = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (process.returncode, process.stdout) == (70, "")
    assert process.stderr.count("\n") == 1 and "click" in process.stderr


def test_a_file_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise PermissionError(13, "Permission denied", "/secret")

    monkeypatch.setattr("boulanger.solver.cli.reading.read_deal", fail)
    assert run("show", "ms:1") == (2, "", "boulanger: '/secret': Permission denied\n")


ODD_NUMBERS = ["4\x1f", "\x1c4\x1f", "\u0664", "\uff14", "4_0", "+4", "4.", "", "9" * 5000]


@pytest.mark.parametrize(
    "option", ["--cells", "--max-nodes", "--max-seconds", "--max-memory", "--shortest"]
)
@pytest.mark.parametrize("value", ODD_NUMBERS, ids=ascii)
def test_odd_values_of_options(option: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boulanger.solver.cli.reading.read_deal", lambda *args: 1 / 0)
    answer = run("solve", "ms:1", option, value)
    assert answer.code == 2 or (answer.code == 70 and "division" in answer.err)  # that is: read


HUGE = ["9" * 6000, "0x" + "f" * 6000, "[" * 5000 + "]" * 5000, "{a=" * 3000 + "1" + "}" * 3000]


@pytest.mark.parametrize("value", HUGE, ids=lambda value: value[:3])
def test_settings_beyond_reason(config_home: Path, value: str) -> None:
    config_home.mkdir(parents=True)
    (config_home / "settings.toml").write_text(f"dealer = {value}\n")
    check_bad_input(run("show", CODE), "settings.toml")
    assert run("dealers", "--use", "bk1").code == 0
    assert run("show", CODE).code == 0


@pytest.mark.parametrize("value", HUGE, ids=lambda value: value[:3])
@pytest.mark.parametrize("key", ["format", "words", "x"])
def test_a_saved_dealer_beyond_reason(config_home: Path, key: str, value: str) -> None:
    (config_home / "dealers").mkdir(parents=True)
    (config_home / "dealers" / "app.toml").write_text(f"{key} = {value}\n")
    listed = run("dealers")
    assert (listed.code, listed.err) == (0, "")
    assert "cannot be used" in listed.out
    check_bad_input(run("show", CODE, "--dealer", "app"), "app.toml")
    assert run("show", CODE).code == 0


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_lines_are_wrapped_at_words_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = "word " * 40 + "/a/path/" + "x" * 90 + " end"
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    terminal.complain(sentence)
    lines = screen.getvalue().splitlines()
    assert len(lines) > 3
    assert all(len(line) <= 80 or " /a/path/" in line for line in lines)
    assert " ".join(screen.getvalue().split()) == f"boulanger: {sentence}"
    monkeypatch.setattr(sys, "stderr", pipe := io.StringIO())
    terminal.complain(sentence)
    assert pipe.getvalue() == f"boulanger: {sentence}\n"


def test_a_status_line_stays_on_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    terminal.StatusLine().show("x" * 100)
    assert screen.getvalue() == "\r" + "x" * 39


def test_suit_colours_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    text = ": 7H TS " + "AD " * 60 + " # [bold]\n"

    monkeypatch.setattr(sys, "stdout", screen := Terminal())
    terminal.write(text)
    assert "\x1b[1;31m7H\x1b[0m" in screen.getvalue()
    assert screen.getvalue().count("\n") == 1
    assert "[bold]" in screen.getvalue()

    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", screen := Terminal())
    terminal.write(text)
    assert screen.getvalue() == text

    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setattr(sys, "stdout", pipe := io.StringIO())
    terminal.write(text)
    assert pipe.getvalue() == text


# As processes.


def test_alone_it_shows_its_help_which_is_no_answer() -> None:
    assert run() == (2, run("--help").out, "")


def test_what_was_meant_is_suggested() -> None:
    assert "there is no command 'sole'; did you mean solve?" in run("sole", "ms:1").err
    assert "there is no option --celsl; did you mean --cells?" in run("show", "--celsl").err
    assert "see `boulanger show --help`" in run("show", "ms:1", "--cells").err


def test_all_commands_are_in_the_help_in_sections() -> None:
    text = run("--help").out
    for section in ("One deal:", "A game that you play:", "Many deals:", "How the app deals:"):
        assert f"\n{section}\n" in text
    names = app.list_commands(None)
    assert len(names) >= 14
    for name in names:
        assert text.count(f"\n  {name} ") == 1
        assert run(name, "--help").code == 0


def test_wrong_options_are_refused_in_the_language_of_the_command() -> None:
    for words, said in (
        (["show", "ms:1", "--cells", "9", "--lang", "fr"], "valeur non valable pour '--cells'"),
        (["show", "--lang", "hr"], "nedostaje argument 'DEAL'"),
        (["show", "ms:1", "--lang", "he", "--cells"], "האפשרות '--cells' דורשת ערך"),
    ):
        answer = run(*words)
        assert answer.code == 2 and said in answer.err


def test_all_help_fits_80_columns() -> None:
    texts = [run("--help").out, *(run("help", topic).out for topic in help_texts.TOPICS)]
    texts += [run(name, "--help").out for name in app.list_commands(None)]
    assert [line for text in texts for line in text.splitlines() if len(line) > 80] == []


def test_help_ends_with_two_examples_that_can_be_run() -> None:
    for name in app.list_commands(None):
        lines = run(name, "--help").out.splitlines()
        at = lines.index("Examples:")
        commands = lines[at + 2 :: 2]
        assert len(commands) == 2 and all(line.startswith("  # ") for line in lines[at + 1 :: 2])
        for line in commands:
            words = shlex.split(line.partition(" | ")[0].partition(" > ")[0])
            assert words[0] == "boulanger"
            _, found, rest = app.resolve_command(None, words[1:])
            if "--help" not in rest:
                found.make_context(words[1], list(rest))  # a fault in the line would be raised


def test_help_says_how_boards_and_moves_are_written() -> None:
    for name in ("show", "solve", "rate", "verify", "hint", "check", "review"):
        assert "`boulanger help board`" in run(name, "--help").out
    for name in ("verify", "hint", "check", "review"):
        assert "`boulanger help moves`" in run(name, "--help").out


def test_help_on_topics_and_commands() -> None:
    assert run("help", "Board").out.startswith("A board is text")
    assert "28v3" in run("help", "moves").out
    assert "BK1-C4-AAAAA24" in run("help", "codes").out
    codes = run("help", "exit-codes").out
    for code in ("0 ", "1 ", "2 ", "3 ", "4 ", "70", "130"):
        assert f"\n  {code}" in f"\n{codes}"
    assert run("help", "solve").out == run("solve", "--help").out
    assert run("help") == (0, run("--help").out, "")
    check_bad_input(run("help", "bord"), "'bord'; did you mean board?")


def test_the_board_of_the_help_is_read(tmp_path: Path) -> None:
    shown = run("show", "ms:1").out.splitlines()
    for line in help_texts.TOPICS["board"].splitlines():
        if line.startswith(("  : ", "  Freecells: -")):
            assert any(own.split("#")[0].strip() == line.strip() for own in shown)
    board = NEARLY_WON.replace("Freecells:", "Freecells: QS - - -").replace(": QS KS", ": KS")
    assert run("check", "-", stdin=board).code == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_options_and_values(shell: str) -> None:
    def complete(*words: str) -> str:
        line = " ".join(["boulanger", *words])
        current = str(len(words)) if shell != "fish" else words[-1]
        environment = {"COMP_WORDS": line, "COMP_CWORD": current}
        environment["_BOULANGER_COMPLETE"] = f"{shell}_complete"
        process = start(stdout=subprocess.PIPE, env={**os.environ, **environment})
        return process.communicate()[0].decode()

    assert "solve" in complete("sol")
    assert "--shortest" in complete("solve", "ms:1", "--sh")
    assert "actions" in complete("solve", "ms:1", "--shortest", "a")
    assert "exit-codes" in complete("help", "ex")
    assert "bk1" in complete("show", "--dealer", "b")
    assert "file" in complete("show", "x")
    script = run("completion", shell)
    assert script.code == 0
    assert "_BOULANGER_COMPLETE" in script.out


@pytest.mark.parametrize(
    "args", [["check"], ["solve"], ["hint"], ["solve", "--shortest", "plies"]], ids=" ".join
)
def test_kernels_run_as_plain_python_too(tmp_path: Path, args: list[str]) -> None:
    board = tmp_path / "board.txt"
    board.write_text(NEARLY_WON)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command, *rest = args
    process = start(command, str(board), *rest, stdout=subprocess.PIPE, env=environment)
    assert b"Winnable with 4 cells" in process.communicate()[0]
    assert process.returncode == 0


def test_progress_of_compiling_is_shown_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    watchers: list[Callable[[int], None]] = []
    monkeypatch.setattr("boulanger.engine.packed.jit.watch_compiling", watchers.append)

    def compile_some(stage: str, show: Callable[[int], None], is_ready: Callable[[], bool]) -> bool:
        show(19)
        return is_ready()

    monkeypatch.setattr("boulanger.solver.prepare.compile_in_parallel", compile_some)
    terminal.compile_first(lambda: False, "verdicts")
    assert watchers == []
    assert "compiling:" not in (first := capsys.readouterr().err)
    monkeypatch.setattr(terminal.StatusLine, "_is_terminal", staticmethod(lambda: True))
    terminal.compile_first(lambda: False, "verdicts")
    watchers[0](21)
    watchers[0](10_000)
    shown = capsys.readouterr().err
    assert (first + shown).count("once, some") == 2
    left = NUM_KERNELS["verdicts"]
    assert f"compiling: 19 kernels done, some {left - 19} left" in shown
    assert f"compiling: 21 kernels done, some {left - 21} left" in shown
    assert shown.endswith("\r")


@pytest.mark.slow
@pytest.mark.ci
def test_compile_makes_the_next_command_quiet(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def answer(*args: str) -> tuple[str, str]:
        process = start(*args, stdout=subprocess.PIPE, env=environment)
        out, err = process.communicate()
        return out.decode(), err.decode()

    assert answer("compile")[0].startswith("Ready after ")
    compiled = set(tmp_path.rglob("*.nb[ci]")) | set(tmp_path.rglob("*.native"))
    assert len(compiled) > 250
    # Parts that were compiled by themselves are those that were then needed: with other types of
    # arguments there would be a second file.
    assert not list(tmp_path.rglob("*.2.nbc"))
    out, err = answer("check", "ms:1")
    assert (out.splitlines()[0], err) == ("Winnable with 4 cells.", "")
    assert answer("hint", "ms:1")[1].count("compiling") == 0
    assert answer("rate", "ms:1")[1].count("compiling") == 0
    assert answer("solve", "ms:1", "--shortest", "actions")[1].count("compiling") == 0
    assert compiled == set(tmp_path.rglob("*.nb[ci]")) | set(tmp_path.rglob("*.native"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_script_for_bash_is_bash() -> None:
    script = run("completion", "bash").out
    process = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
    assert (process.returncode, process.stderr) == (0, "")


def test_help_and_version() -> None:
    assert run("-V") == run("--version")
    answer = run("--help")
    assert answer.code == 0
    for words in ("0 winnable", "1 proven unwinnable", "2 bad input", "3 undecided"):
        assert words in " ".join(answer.out.split())
    assert run("--version").out.startswith("boulanger ")
    assert run("solve", "-h").code == 0


@pytest.mark.parametrize(
    "args",
    [
        ["--help"],
        ["--version"],
        ["show", CODE],
        ["show", "ms:1", "--json"],
        ["code", "860"],
        ["code", str(BOARDS / "json-ms1.json")],
        ["verify", CODE, "--moves", os.devnull, "--json"],
        ["solve", "ms:x"],
    ],
    ids=" ".join,
)
def test_light_commands_import_neither_numba_nor_numpy_nor_rich(args: list[str]) -> None:
    script = (
        "import atexit, sys\n"
        "heavy = {'numba', 'numpy', 'llvmlite', 'rich'}\n"
        "atexit.register(lambda: print(sorted(heavy & sys.modules.keys())))\n"
        f"sys.argv = ['boulanger', *{args!r}]\n"
        "from boulanger.__main__ import main\n"
        "main()\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
        check=False,
    )
    assert process.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("args", "code"),
    [(["show", CODE], 0), (["solve", CODE, "--json"], 0), (["solve", "ms:2", "--cells", "1"], 1)],
)
def test_a_reader_that_has_gone_changes_nothing(args: list[str], code: int) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = start(*args, stdout=write_end)
    os.close(write_end)
    _, errors = process.communicate()
    assert process.returncode == code
    assert [line for line in errors.decode().splitlines() if COMPILING not in line] == []


@pytest.mark.parametrize("args", [["--help"], ["solve", "--help"], ["--version"]], ids=" ".join)
def test_help_for_a_reader_that_has_gone(args: list[str]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = start(*args, stdout=write_end)
    os.close(write_end)
    assert process.communicate()[1] == b""
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk() -> None:
    with open("/dev/full", "wb") as full:
        process = start("show", CODE, stdout=full)
        errors = process.communicate()[1].decode()
    assert process.returncode == 2
    assert errors.count("\n") == 1
    assert "cannot be written" in errors


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("args", [["--help"], ["solve", "--help"], ["-V"], []], ids=" ".join)
def test_help_on_a_full_disk(args: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        process = start(*args, stdout=full)
        errors = process.communicate()[1].decode()
    assert process.returncode == 2
    assert errors == "boulanger: the answer cannot be written: No space left on device\n"


@pytest.mark.kernel
@pytest.mark.parametrize("damage", ["cut short", "missing, and the disk is full"])
def test_a_damaged_cache_is_no_answer(tmp_path: Path, damage: str) -> None:
    from boulanger.engine.packed.code_folder import cache_folder
    from boulanger.solver.optimal.solve import prepare

    prepare()
    cache = tmp_path / "boulanger" / cache_folder().name
    shutil.copytree(cache_folder(), cache)
    files = sorted(cache.rglob("*.nb[ci]"))
    small = min(files, key=lambda path: path.stat().st_size if path.suffix == ".nbc" else 1 << 30)
    for path in small.parent.glob(small.name.partition("-")[0] + "-*"):
        if damage == "cut short":
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        else:
            path.unlink()

    def fill_disk() -> None:
        if damage != "cut short":
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    process = start(
        "solve",
        "ms:2",
        "--cells=1",
        stdout=subprocess.PIPE,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        preexec_fn=fill_disk,
    )
    out, errors = process.communicate()
    assert process.returncode == 1, errors
    assert b"Proven unwinnable" in out
    assert b"Traceback" not in errors


def test_exit_code_of_a_process() -> None:
    process = start("show", "BK1-C4-AAAAA20", stdout=subprocess.PIPE)
    out, errors = process.communicate()
    assert (process.returncode, out) == (2, b"")
    assert errors.startswith(b"boulanger: 'BK1-C4-AAAAA20' has '0'")
