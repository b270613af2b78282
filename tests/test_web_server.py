"""The server as it runs: sockets, streams, clients that hang up, and a solver that is not ready."""

import asyncio
import contextlib
import http.client
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boulanger.solver.web import serve
from boulanger.solver.web.app import NDJSON, Server
from boulanger.solver.web.guard import Guard, Keys
from boulanger.solver.web.warm import Warmth
from tests.web import TOKEN, warm


class Running:
    """A server on a real socket, in a thread."""

    def __init__(self, server: Server) -> None:
        self.server = server
        sockets, self.port, _ = serve.open_sockets(0)
        self._uvicorn = serve.uvicorn_server(Guard(server.app(), server.keys, self.port))
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._uvicorn.serve(sockets=sockets)), daemon=True
        )
        self._thread.start()
        while not self._uvicorn.started:
            time.sleep(0.01)

    def close(self) -> None:
        self._uvicorn.should_exit = True
        self._thread.join(10)

    def post(
        self, name: str, body: Any, accept: str = "*/*"
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.send(connection, name, body, accept)
        return connection, connection.getresponse()

    def send(
        self, connection: http.client.HTTPConnection, name: str, body: Any, accept: str = "*/*"
    ) -> None:
        headers = {
            "authorization": f"Bearer {TOKEN}",
            "content-type": "application/json",
            "accept": accept,
        }
        connection.request("POST", f"/api/{name}", json.dumps(body), headers)

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)


@contextlib.contextmanager
def running(**extra: Any) -> Iterator[Running]:
    server = Running(Server(**{"keys": Keys(TOKEN), "warmth": warm(), **extra}))
    try:
        yield server
    finally:
        server.close()


def wait_until(is_so: Any, seconds: float = 20) -> None:
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_progress_comes_in_lines_and_the_answer_last() -> None:
    with running() as server:
        body = {"cells": 1, "difficulty": "fiendish", "count": 2, "seed": 5, "max_seconds": 20}
        _, response = server.post("find", body, NDJSON)
        assert response.headers["content-type"] == NDJSON
        lines = [json.loads(line) for line in response.read().splitlines()]
        assert [set(line) for line in lines[:-1]] == [{"progress"}] * (len(lines) - 1)
        assert set(lines[-1]) == {"result"}
        assert lines[-1]["result"]["seed"] == 5


def test_a_refusal_in_a_stream_is_its_last_line() -> None:
    with running() as server:
        _, response = server.post("check", {"start": "ms:1", "moves": ["zz"]}, NDJSON)
        (line,) = response.read().splitlines()
        assert json.loads(line)["error"]["key"] == "web.move"


@pytest.mark.parametrize("accept", ["*/*", NDJSON])
def test_a_search_ends_when_its_client_hangs_up(accept: str) -> None:
    with running() as server:
        connection = server.connection()
        # No deal can be won with 0 cells that is gentle by the model, which does not exist: so
        # this one looks for a hundred rare deals, for a minute.
        server.send(
            connection,
            "find",
            {"where": ["1=winnable", "0=winnable"], "cells": 0, "count": 100, "max_seconds": 60},
            accept,
        )
        wait_until(lambda: server.server.lanes.num_open["slow"] == 1)
        time.sleep(0.3)
        assert server.server.lanes.num_open["slow"] == 1
        connection.close()
        wait_until(lambda: server.server.lanes.num_open["slow"] == 0, 8)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("rate", {}),
        ("review", {"moves": ["1a", "ab"] + ["ba", "ab"] * 1_000}),
        ("solve", {"shortest": "plies"}),
        ("hint", {"moves": ["1a"], "all": True}),
        ("marks", {"distance": True}),
    ],
)
def test_whatever_is_worked_on_ends_when_it_is_cancelled(name: str, body: Any) -> None:
    """Each search looks whether anyone still waits, some thirty times a second."""
    from boulanger.solver.web.errors import Cancelled
    from boulanger.solver.web.handlers import QUESTIONS
    from boulanger.solver.web.lanes import Job
    from boulanger.solver.web.questions import Shared

    warm()
    question, job = QUESTIONS[name], Job()
    values = question.read({"start": "ms:27", **body})
    looks = []

    class Looking(Job):
        def go_on(self) -> None:
            looks.append(time.perf_counter())
            if len(looks) == 2:
                self.cancel()
            super().go_on()

    job = Looking()
    with pytest.raises(Cancelled):
        question.answer(Shared(), values, job)
    assert len(looks) == 2


def test_a_question_waits_for_the_solver_and_a_board_does_not() -> None:
    warmth = Warmth()
    with running(warmth=warmth) as server:
        _, response = server.post("play", {"start": "ms:1", "moves": ["1a"]})
        assert json.loads(response.read())["moves"] == ["1a"]

        waiting = server.connection()
        server.send(waiting, "check", {"start": "ms:1"}, NDJSON)
        stream = waiting.getresponse()
        line = json.loads(stream.readline())
        assert line["progress"]["solver"]["state"] in ("loading", "compiling")
        assert server.server.lanes.num_open == {"quick": 0, "slow": 0}

        warmth.start()
        *_, last = stream.read().splitlines()
        assert json.loads(last)["result"]["verdict"] == "winnable"
        wait_until(lambda: warmth.status()["state"] == "ready", 300)
        assert warmth.status()["progress"] == 1.0


def test_the_status_says_how_far_the_solver_is() -> None:
    warmth = Warmth()
    with running(warmth=warmth) as server:
        connection = server.connection()
        connection.request("GET", "/api/status", headers={"authorization": f"Bearer {TOKEN}"})
        status = json.loads(connection.getresponse().read())
        assert status["solver"]["done"] == []
        assert status["solver"]["progress"] == 0
        assert status["role"] == "owner"
        assert status["lan"] is False


def test_a_failed_warm_up_is_told() -> None:
    warmth = Warmth()

    def fail() -> None:
        raise OSError("no room")

    from boulanger.solver.web import warm as warm_module

    with pytest.MonkeyPatch.context() as patch, pytest.raises(OSError):
        patch.setattr(warm_module, "_steps", lambda: {"check": (lambda: True, fail)})
        warmth.run()
    assert warmth.status()["state"] == "failed"
    assert warmth.is_ready("rate")  # whoever asks sees the fault himself


def test_the_usual_port_or_the_next_free_one(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, port, _ = serve.open_sockets(0)
    try:
        monkeypatch.setattr(serve, "DEFAULT_PORT", port)
        sockets, other, note = serve.open_sockets(None)
        assert other != port
        assert note is not None and str(port) in note
        with pytest.raises(serve.ServeError, match=str(port)):
            serve.open_sockets(port)
        for opened in sockets:
            opened.close()
    finally:
        for opened in taken:
            opened.close()


def test_only_the_loopback_is_listened_on() -> None:
    sockets, port, _ = serve.open_sockets(0)
    try:
        assert {opened.getsockname()[0] for opened in sockets} <= {"127.0.0.1", "::1"}
        assert {opened.getsockname()[1] for opened in sockets} == {port}
        # What asyncio asks before it sends small answers at once.
        assert {opened.proto for opened in sockets} == {socket.IPPROTO_TCP}
    finally:
        for opened in sockets:
            opened.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "127.0.0.1", "localhost", "224.0.0.1", "x y"])
def test_a_lan_address_is_one_interface(host: str) -> None:
    with pytest.raises(serve.ServeError, match="--host"):
        serve.lan_address(host)
    assert serve.lan_address("192.168.1.5") == "192.168.1.5"


def test_an_address_of_another_machine_is_told() -> None:
    with pytest.raises(serve.ServeError, match=r"203\.0\.113\.9 is not an address of this"):
        serve.open_sockets(0, ["203.0.113.9"])


def test_a_folder_without_a_catalogue_ends_the_command_with_a_sentence(tmp_path: Path) -> None:
    from tests.command import run

    answer = run("serve", "--no-browser", "--port", "0", "--catalogue", str(tmp_path))
    assert (answer.code, answer.out) == (2, "")
    assert str(tmp_path) in answer.err


def test_host_goes_with_lan() -> None:
    with pytest.raises(serve.ServeError, match="--lan"):
        serve.serve(serve.Options(host="192.168.1.5"), lambda text: None)


@pytest.mark.parametrize("token", ["short", "a b c d e f g h i j k", "x" * 20 + ";", "1" * 20])
def test_a_token_of_ones_own_is_long_and_plain(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setenv(serve.TOKEN_VARIABLE, token)
    with pytest.raises(serve.ServeError, match=serve.TOKEN_VARIABLE):
        serve.serve(serve.Options(port=0, opens_browser=False), lambda text: None)


def test_no_browser_without_someone_to_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert not serve.can_open_browser()
    monkeypatch.setenv("DISPLAY", ":0")
    assert serve.can_open_browser()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False, raising=False)
    assert not serve.can_open_browser()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_the_command_starts_answers_and_ends_at_ctrl_c() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "boulanger", "serve", "--no-browser", "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1],
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        line = process.stdout.readline()
        found = re.search(rf"http://127\.0\.0\.1:{port}/\?token=([\w-]+)", line)
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        headers = {
            "authorization": f"Bearer {found[1]}",
            "content-type": "application/json",
        }
        connection.request("POST", "/api/play", '{"start": "ms:1"}', headers)
        assert json.loads(connection.getresponse().read())["cells"] == 4
        # A question is under way; it does not hold up the end.
        body = '{"where": ["0=winnable"], "cells": 0, "count": 100, "client": "x"}'
        connection.request("POST", "/api/find", body, headers)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 130)
        rest = process.stdout.read() + process.stderr.read()
        assert found[1] not in rest
        assert "Traceback" not in rest
    finally:
        if process.poll() is None:
            process.kill()


@pytest.mark.parametrize(("encoding", "is_drawn"), [("utf-8", True), ("ascii", False)])
def test_lan_is_announced_with_a_code_to_scan(encoding: str, is_drawn: bool) -> None:
    keys = Keys(TOKEN)
    server = Server(keys, warmth=warm())
    server.pairing_url = lambda token: f"http://192.168.1.5:8520/?token={token}"
    written: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serve.sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding))
        serve._announce(server, 8520, ["192.168.1.5"], None, written.append)
    text = "".join(written)
    found = re.search(r"http://192\.168\.1\.5:8520/\?token=([\w-]+)", text)
    assert found is not None and found[1] != TOKEN
    assert keys.redeem(found[1]) not in (None, TOKEN)
    assert ("\u2588" in text) is is_drawn
    assert "plain HTTP" in text
