"""A real browser and a real server, for the tests of the page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
STATIC = ROOT / "solver" / "web" / "static"
TOKEN = "token-of-the-page-tests"
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def missing(what: str) -> None:
    """Skips with a word; in CI it is a failure, so that nothing is left out unseen."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing, and CI must have it")
    pytest.skip(f"{what} is not on this machine")


def chromium_path() -> str:
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    if found is None:
        missing("Chromium (apt-get install chromium)")
    assert found is not None
    return found


def node_module(name: str) -> Path:
    """A file of a package from npm, from the folders that NODE_PATH names or from a checkout's."""
    folders = [*os.environ.get("NODE_PATH", "").split(os.pathsep), str(ROOT / "node_modules")]
    found = next((Path(f) / name for f in folders if f and (Path(f) / name).exists()), None)
    if found is None:
        missing(f"{name} (npm install axe-core typescript, and NODE_PATH)")
    assert found is not None
    return found


class Server:
    """`boulanger serve` as a process of its own."""

    def __init__(self, options: Sequence[str] = (), **variables: str) -> None:
        self._options = options
        self._variables = variables
        self.port = _free_port()
        self.start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.origin}/?token={TOKEN}"

    def start(self) -> None:
        environment = {**os.environ, "BOULANGER_TOKEN": TOKEN, **self._variables}
        command = [sys.executable, "-m", "boulanger", "serve", "--no-browser"]
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port), *self._options],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        for _ in range(600):
            try:
                self.get("/api/status")
                return
            except OSError:
                assert self._process.poll() is None, "the server ended"
                time.sleep(0.1)
        raise AssertionError("the server does not answer")

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def get(self, path: str) -> Any:
        return self._answer(urllib.request.Request(self.origin + path))

    def ask(self, question: str, **body: Any) -> Any:
        request = urllib.request.Request(
            f"{self.origin}/api/{question}", json.dumps(body).encode(), method="POST"
        )
        request.add_header("Content-Type", "application/json")
        return self._answer(request)

    def wait_until_warm(self, step: str = "rate") -> None:
        for _ in range(2400):
            if step in self.get("/api/status")["solver"]["done"]:
                return
            time.sleep(0.25)
        raise AssertionError("the solver does not get ready")

    def _answer(self, request: urllib.request.Request) -> Any:
        request.add_header("Authorization", f"Bearer {TOKEN}")
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def launched() -> Iterator[tuple[Any, Any]]:
    """Playwright and a browser of it."""
    path = chromium_path()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright (pip install playwright)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        yield playwright, browser
        browser.close()


class Table:
    """The page as a player sees it; the game that it shows, as the server knows it."""

    def __init__(self, page: Any, server: Server) -> None:
        self.page = page
        self.server = server
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        # A refused move is told as a failed request; it is no fault of the page.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.errors.append(message.text)

    def open(self, hash: str = "", query: str = "") -> None:
        self.page.goto(f"{self.server.url}{query}{hash}")
        self.ready()

    def ready(self) -> None:
        self.page.wait_for_selector("html[data-ready]", timeout=30_000)

    def begin(self, deal: str) -> None:
        """Types a deal into the field of the start."""
        self.menu("new")
        self.page.fill("#deal-field", deal)
        self.page.click("dialog.start form button.main")
        self.page.wait_for_selector("dialog", state="detached")
        self.wait_until_still()

    def menu(self, name: str) -> None:
        button = self.page.locator(f"#menu [data-name={name}]")
        if not button.is_visible():
            self.page.click("#menu-button")
        button.click()

    def card(self, card: str) -> Any:
        return self.page.locator(f'#board [data-card="{card}"]')

    def pile(self, place: str) -> Any:
        return self.page.locator(f'#board .pile[data-place="{place}"]')

    def board(self) -> dict[str, list[str]]:
        """The cards of each pile as they stand in the page."""
        found: dict[str, list[str]] = self.page.evaluate(
            """() => Object.fromEntries(
              [...document.querySelectorAll("#board .pile")].map((pile) => [
                pile.dataset.place,
                [...pile.querySelectorAll(".card")].map((card) => card.dataset.card)]))"""
        )
        return found

    def kept(self) -> dict[str, Any]:
        """The game as the browser keeps it."""
        games: list[dict[str, Any]] = json.loads(
            self.page.evaluate("localStorage.getItem('boulanger.games')")
        )
        tab = self.page.evaluate("sessionStorage.getItem('boulanger.tab')")
        return next(game for game in games if game["id"] == tab)

    def moves(self) -> list[str]:
        game = self.kept()
        played: list[str] = game["moves"][: game["at"]]
        return played

    def wait_for_moves(self, count: int) -> None:
        for _ in range(200):
            if len(self.moves()) == count:
                self.wait_until_still()
                return
            time.sleep(0.02)
        raise AssertionError(f"{count} moves expected, {self.moves()} played")

    def wait_until_still(self) -> None:
        """Until no card flies any more."""
        for _ in range(100):
            if not self.page.evaluate("document.querySelectorAll('.flying').length"):
                return
            time.sleep(0.02)

    def is_won(self) -> bool:
        return bool(self.kept()["won"])


def piles_of(board: dict[str, Any]) -> dict[str, list[str]]:
    """The cards of each pile of a board as JSON; the foundations too."""
    piles = {str(i + 1): column for i, column in enumerate(board["columns"])}
    piles |= {"abcdefgi"[i]: [card] if card else [] for i, card in enumerate(board["cells"])}
    ranks = "A23456789TJQK"
    piles |= {
        suit: [rank + suit for rank in ranks[:top]] for suit, top in board["foundations"].items()
    }
    return piles
