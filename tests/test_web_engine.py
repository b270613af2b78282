"""`boulanger engine`: a line for a line, in any order, and an end that waits for nobody."""

import io
import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from boulanger.engine.position import Position
from boulanger.solver.web.engine import Engine
from boulanger.solver.web.guard import MAX_BODY
from boulanger.solver.web.handlers import QUESTIONS
from boulanger.solver.web.warm import Warmth
from tests.api_examples import ask
from tests.web import warm

TOP = Path(__file__).parents[1]
ENDLESS = {"ask": "find", "where": ["0=winnable"], "cells": 0, "count": 100}


def talk(*lines: Any, warmth: Warmth | None = None) -> list[Any]:
    """The answers to some lines, after all of which the input ends."""
    data = b"".join(
        line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines
    )
    output = io.StringIO()
    Engine(output, warmth or warm()).run(io.BytesIO(data))
    return [json.loads(line) for line in output.getvalue().splitlines()]


def test_it_answers_as_the_api_does() -> None:
    body = {"start": "ms:1", "moves": ["72"]}
    for name in ("play", "check", "marks", "hint", "solve"):
        (answer,) = talk({"id": "x", "ask": name, **body})
        expected = ask(name, body)
        assert answer["id"] == "x"
        assert {**answer["result"], "seconds": 0} == {**expected, "seconds": 0}


def test_ids_come_back_whatever_they_are() -> None:
    ids = [1, "a", None, 2.5, [1], {"x": 1}]
    answers = talk(*({"id": i, "ask": "deal", "start": "ms:1"} for i in ids))
    assert sorted(map(json.dumps, ids)) == sorted(json.dumps(a["id"]) for a in answers)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (b"nonsense\n", "web.not_json"),
        (b"[1]\n", "web.not_an_object"),
        (b"\xff\n", "web.not_json"),
        (b"[" * 50_000 + b"\n", "web.too_deep"),
        (b'{"id": 1}\n', "web.unknown_question"),
        (b'{"id": 1, "ask": "fly"}\n', "web.unknown_question"),
        (b'{"id": 1, "ask": ["check"]}\n', "web.unknown_question"),
        (b'{"id": 1, "ask": "check", "start": "ms:1", "x": 1}\n', "web.unknown_key"),
        (b'{"id": 1, "ask": "check", "start": "ms:1", "moves": ["zz"]}\n', "web.move"),
        (b"x" * (2 * MAX_BODY) + b"\n", "web.too_long"),
        (b'{"board": "' + b"x" * (10 << 20) + b'"}\n', "web.too_long"),
    ],
)
def test_a_bad_line_gets_one_answer_and_does_no_harm(line: bytes, key: str) -> None:
    first, second = talk(line, b"\n", b"   \n", {"id": 2, "ask": "deal", "start": "ms:1"})
    assert first["error"]["key"] == key
    assert len(json.dumps(first)) < 5_000
    assert Position.from_json(second["result"]["board"])


def test_the_last_line_needs_no_end() -> None:
    (answer,) = talk(b'{"id": 1, "ask": "check", "start": "ms:1"}')
    assert answer["result"]["verdict"] == "winnable"


class Live:
    """An engine to talk with, line by line."""

    def __init__(self, warmth: Warmth | None = None) -> None:
        import os

        read_end, write_end = os.pipe()
        answers_end, output_end = os.pipe()
        self.input = os.fdopen(write_end, "wb", buffering=0)
        self._answers = os.fdopen(answers_end, "r")
        self.engine = Engine(os.fdopen(output_end, "w"), warmth or warm())
        self.thread = threading.Thread(
            target=self.engine.run, args=(os.fdopen(read_end, "rb"),), daemon=True
        )
        self.thread.start()

    def send(self, **request: Any) -> None:
        self.input.write(json.dumps(request).encode() + b"\n")

    def next(self) -> Any:
        return json.loads(self._answers.readline())


def test_a_quick_question_overtakes_a_slow_one_and_cancel_ends_that() -> None:
    live = Live()
    live.send(id=1, **ENDLESS)
    live.send(id=2, ask="check", start="ms:1")
    assert live.next()["id"] == 2
    live.send(id=1, ask="check", start="ms:1")
    assert live.next()["error"]["key"] == "web.id_twice"
    started = time.monotonic()
    live.send(ask="cancel", id=1)
    answer = live.next()
    assert (answer["id"], answer["error"]["key"]) == (1, "web.cancelled")
    assert time.monotonic() - started < 5
    live.send(ask="cancel", id=99)  # nothing to end, nothing to say
    live.send(id=3, ask="quit")
    assert live.next()["id"] == 3
    live.thread.join(10)
    assert not live.thread.is_alive()


def test_an_id_may_come_again_as_soon_as_it_was_answered() -> None:
    live = Live()
    for _ in range(200):
        live.send(id=1, ask="play", start="ms:1")
        assert "result" in live.next()
    live.input.close()
    live.thread.join(10)


def test_progress_is_told_if_asked_for() -> None:
    live = Live()
    live.send(id=1, progress=True, **ENDLESS)
    assert set(live.next()) == {"id", "progress"}
    live.send(ask="cancel", id=1)
    while "progress" in (answer := live.next()):
        pass
    assert answer["error"]["key"] == "web.cancelled"
    live.input.close()
    live.thread.join(10)


def test_the_latest_of_a_client_counts() -> None:
    live = Live()
    live.send(id=1, client="tab", **ENDLESS)
    live.send(id=2, client="tab", ask="find", count=1, seed=1)
    answers = {answer["id"]: answer for answer in (live.next(), live.next())}
    assert answers[1]["error"]["key"] == "web.cancelled"
    assert len(answers[2]["result"]["deals"]) == 1
    live.input.close()
    live.thread.join(10)


def test_it_waits_for_the_solver_where_it_must() -> None:
    warmth = Warmth()
    live = Live(warmth)
    live.send(id=1, ask="check", start="ms:1")
    live.send(id=2, ask="ready")
    live.send(id=3, ask="play", start="ms:1")
    assert live.next()["id"] == 3
    warmth.start()
    answers = {answer["id"]: answer for answer in (live.next(), live.next())}
    assert answers[1]["result"]["verdict"] == "winnable"
    assert answers[2]["result"] == {}
    live.input.close()
    live.thread.join(10)


def test_quit_waits_for_nothing() -> None:
    live = Live(Warmth())
    live.send(id=1, ask="check", start="ms:1")
    live.send(ask="quit")
    live.thread.join(10)
    assert not live.thread.is_alive()


def test_the_command_and_its_example() -> None:
    run = subprocess.run(
        [sys.executable, "examples/engine_client.py", "ms:1"],
        capture_output=True,
        text=True,
        cwd=TOP,
        timeout=600,
        env={**__import__("os").environ, "PYTHONPATH": str(TOP)},
    )
    assert (run.returncode, run.stderr) == (0, "")
    moves = run.stdout.removeprefix("ms:1 is won by: ").split()
    assert ask("play", {"start": "ms:1", "moves": moves})["won"] is True


def test_the_page_says_how_to_talk_to_it() -> None:
    text = (TOP / "docs" / "api.md").read_text("utf-8")
    assert "boulanger engine" in text
    for word in ("cancel", "ready", "quit", *QUESTIONS):
        assert f"`{word}`" in text or f"## {word}" in text, word
