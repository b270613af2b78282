"""`boulanger solve --shortest`: what it writes, as text and as JSON."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import Any

import pytest

from boulanger.engine.position import Position
from boulanger.solver.answers.text import progress_text
from boulanger.solver.cli.terminal import StatusLine
from boulanger.solver.optimal import shortest as shortest_module
from boulanger.solver.result import Measure, Progress
from tests import oracle
from tests.command import WON, answer_json, run, unwrapped
from tests.truth import shortest_lengths

HARD_DEAL = "ms:27"


@pytest.mark.parametrize("measure", ["plies", "actions"])
def test_text(measure: str) -> None:
    answer = run("solve", "ms:2", "--shortest", measure)
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    verdict = next(i for i, line in enumerate(lines) if line.startswith("# Winnable with 4 cells"))
    assert lines[verdict + 1].startswith("# Proven shortest: no solution has fewer than ")
    moves = [line.split()[1] for line in lines if line and line[0] != "#"]
    end, _ = oracle.replay(oracle.ms_deal(2), moves)
    assert oracle.is_won(end)
    if measure == "plies":
        assert f"fewer than {shortest_lengths(4)[2]} single-card moves" in lines[verdict + 1]
    else:
        assert f"fewer than {len(moves)} actions" in lines[verdict + 1]
    replayed = run("verify", "ms:2", "--moves", "-", stdin=answer.out)
    assert replayed.out.startswith("Won: ")


@pytest.mark.parametrize("measure", ["plies", "actions"])
def test_json(measure: str) -> None:
    answer = answer_json("solve", "ms:2", "--shortest", measure)
    length = len(answer["solution"][measure])
    assert answer["verdict"] == "winnable"
    assert answer["shortest"] == {
        "measure": measure,
        "length": length,
        "lower_bound": length,
        "proven": True,
    }


def test_without_the_option_it_is_said_when_proven() -> None:
    """What `solve` shows is proven for this deal, in text and in JSON, as with the option."""
    answer = answer_json("solve", "ms:2")
    assert answer["shortest"] == answer_json("solve", "ms:2", "--shortest", "actions")["shortest"]
    assert answer["shortest"]["length"] == len(answer["solution"]["actions"])
    text = unwrapped(run("solve", "ms:2").out)
    assert (
        f"Proven shortest: no solution has fewer than {answer['shortest']['length']} actions"
        in text
    )
    assert answer_json("solve", "ms:10")["shortest"] is None


def test_without_the_option_no_proof_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortest_module, "MAX_SHORT_NODES", 3000)
    answer = answer_json("solve", HARD_DEAL)
    assert answer["shortest"]["proven"] is False
    assert answer["shortest"]["lower_bound"] < answer["shortest"]["length"]
    assert "shortest" not in unwrapped(run("solve", HARD_DEAL).out)


def test_a_limit_leaves_the_best_known() -> None:
    args = ("solve", HARD_DEAL, "--shortest", "plies", "--max-nodes", "20000")
    shortest = answer_json(*args)["shortest"]
    assert not shortest["proven"]
    assert 52 < shortest["lower_bound"] < shortest_lengths(4)[27] <= shortest["length"]
    text = unwrapped(run(*args).out)
    bound = f"no solution has fewer than {shortest['lower_bound']} single-card moves."
    assert " Not proven shortest (20,000 nodes, " in text
    assert f"stopped at the limit of 20,000 nodes (--max-nodes); {bound}" in text
    assert f"({shortest['length']} single-card moves)" in text


def test_unwinnable_and_undecided_deals() -> None:
    answer = answer_json("solve", "ms:10", "--shortest", "plies")
    assert (answer["verdict"], answer["shortest"]) == ("unwinnable", None)
    answer = run("solve", "ms:10", "--shortest", "plies")
    assert answer.code == 1
    assert "shortest" not in answer.out
    assert run("solve", HARD_DEAL, "--shortest", "plies", "--max-nodes", "1").code == 3


def test_a_won_board() -> None:
    answer = answer_json("solve", "-", "--shortest", "actions", stdin=WON)
    assert answer["shortest"]["length"] == 0
    assert answer["shortest"]["proven"]


def test_bad_measure() -> None:
    answer = run("solve", "ms:2", "--shortest", "moves")
    assert answer.code == 2
    assert "plies or actions expected, not 'moves'" in answer.err


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    find = shortest_module.find_shortest

    def find_slowly(
        position: Position, on_progress: Callable[[Progress], None], **more: Any
    ) -> Any:
        on_progress(Progress(84, 92, 10, 0.5, 1 << 20))
        on_progress(Progress(85, 92, 3_000_000, 2.0, 300 << 20))
        return find(position, on_progress=on_progress, **more)

    shortest_module.prepare()
    monkeypatch.setattr(shortest_module, "prepare", lambda: None)
    monkeypatch.setattr(shortest_module, "find_shortest", find_slowly)
    assert run("solve", "ms:2", "--shortest", "plies").err == ""
    monkeypatch.setattr(StatusLine, "_is_terminal", staticmethod(lambda: True))
    shown = run("solve", "ms:2", "--shortest", "plies").err
    assert "at least 84" not in shown
    # As much of it as a line of 80 columns has room for.
    line = "\rat least 85 single-card moves, 92 known, 3,000,000 nodes, 1,500,000 a second, 3"
    assert f"{line}\r" in shown
    assert shown.endswith("\r")


def test_progress_without_a_solution() -> None:
    text = progress_text(Progress(60, None, 100, 1.0, 0), Measure.ACTIONS)
    assert text == "at least 60 actions, 100 nodes, 100 a second, 0 MiB"


def test_a_status_line_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(StatusLine, "_is_terminal", staticmethod(lambda: True))
    line = StatusLine()
    line.clear()
    assert stream.getvalue() == ""
    line.show("a long text")
    line.show("short")
    line.clear()
    assert stream.getvalue() == "\ra long text\rshort      \r           \r"
