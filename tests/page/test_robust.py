"""Reloads, several tabs, a server that goes and comes back, a cold solver, hostile input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.page.browser import Server, Table, piles_of
from tests.page.test_play import NEARLY_WON

pytestmark = pytest.mark.browser


def play(table: Table, *moves: str) -> None:
    for move in moves:
        before = len(table.moves())
        table.page.fill("#move-field", move)
        table.page.press("#move-field", "Enter")
        table.wait_for_moves(before + 1)


def test_a_reload_and_a_second_tab_keep_their_games(table: Table) -> None:
    table.open()
    table.begin("ms:1")
    play(table, "72", "7a")
    board = table.board()
    table.page.reload()
    table.ready()
    assert table.board() == board
    other = Table(table.page.context.new_page(), table.server)
    other.open()
    assert other.board() == board  # the game played last
    other.begin("ms:2")
    play(other, "1a")
    play(table, "7b")
    for tab, deal, count in ((table, "ms:1", 3), (other, "ms:2", 1)):
        tab.page.reload()
        tab.ready()
        assert tab.kept()["name"] == deal
        assert len(tab.moves()) == count
    assert other.errors == []


def test_a_game_outlives_its_server(browser: tuple[Any, Any]) -> None:
    server = Server()
    context = browser[1].new_context(viewport={"width": 1280, "height": 800})
    table = Table(context.new_page(), server)
    try:
        table.open()
        table.begin("ms:1")
        play(table, "72", "7a")
        server.stop()
        table.page.get_by_text("The server has gone").wait_for(timeout=20_000)
        server.start()
        table.page.get_by_text("The server has gone").wait_for(state="detached", timeout=20_000)
        play(table, "7b", "7h")
        answer = server.ask("play", start="ms:1", moves=["72", "7a", "7b", "7h"])
        assert table.board() == piles_of(answer["board"])
    finally:
        context.close()
        server.stop()


def test_plays_while_the_solver_is_compiled(browser: tuple[Any, Any], tmp_path: Path) -> None:
    server = Server(NUMBA_CACHE_DIR=str(tmp_path))
    context = browser[1].new_context(viewport={"width": 1280, "height": 800})
    table = Table(context.new_page(), server)
    try:
        table.open()
        table.begin(NEARLY_WON)
        table.page.get_by_text("It is compiled for this machine, once.").wait_for(timeout=20_000)
        play(table, "2h", "2h", "1h", "1h")
        table.page.click("#tools [data-name=undo]")
        table.wait_for_moves(3)
        assert server.get("/api/status")["solver"]["state"] == "compiling"
    finally:
        context.close()
        server.stop()


def test_pasted_markup_stays_text(table: Table) -> None:
    table.open()
    table.page.evaluate("window.hit = 0")
    text = "<img src=x onerror='hit=1'><script>hit=1</script>"
    table.menu("new")
    table.page.fill("#deal-field", text)
    table.page.click("dialog.start form button.main")
    table.page.locator("dialog .fault:not(:empty)").wait_for()
    assert table.page.evaluate("document.querySelectorAll('dialog img, dialog script').length") == 0
    table.page.keyboard.press("Escape")
    table.open(hash="#deal=%3Cimg%20src%3Dx%20onerror%3Dhit%3D1%3E")
    assert table.page.locator("#board .pile").count() == 16
    assert not table.page.evaluate("window.hit")


def test_ten_megabytes_of_paste_are_refused_at_once(table: Table) -> None:
    table.open()
    before = table.board()
    table.menu("new")
    table.page.evaluate("document.querySelector('#deal-field').value = 'KH '.repeat(3500000)")
    table.page.click("dialog.start form button.main")
    table.page.get_by_text("This is too long").wait_for(timeout=15_000)
    assert table.board() == before


def test_ten_thousand_moves_are_refused_and_two_thousand_are_played(table: Table) -> None:
    table.open()
    table.menu("new")
    table.page.fill("#deal-field", "ms:1 1a " + "ab ba " * 5000)
    table.page.click("dialog.start form button.main")
    table.page.locator("dialog .fault:not(:empty)").wait_for(timeout=30_000)
    table.page.fill("#deal-field", "ms:1 1a " + "ab ba " * 1000)
    table.page.click("dialog.start form button.main")
    table.page.wait_for_selector("dialog", state="detached", timeout=60_000)
    assert len(table.moves()) == 2001


def test_a_stored_game_that_is_broken_does_no_harm(table: Table) -> None:
    table.open()
    broken = '[{"id": "x", "start": "<b>", "moves": 7}]'
    table.page.evaluate("(text) => localStorage.setItem('boulanger.games', text)", broken)
    table.page.evaluate("localStorage.setItem('boulanger.settings', '{{{')")
    table.page.evaluate("sessionStorage.removeItem('boulanger.tab')")
    table.page.reload()
    table.ready()
    assert table.page.locator("#board .pile").count() == 16
