"""Whole games in a real browser: by mouse, touch, keyboard and the move field."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from tests.page.browser import Server, Table, piles_of

pytestmark = pytest.mark.browser

# Nearly won: a short game for every way to play.
NEARLY_WON = """Foundations: S-9 H-K D-9 C-J
Freecells: - - - -
: KS QS
: JS TS
: KD QD JD TD
: KC QC
:
:
:
:
"""


def begin(table: Table, deal: str) -> None:
    table.open()
    table.begin(deal)


def drag(table: Table, card: str, place: str) -> None:
    mouse = table.page.mouse
    start = table.card(card).bounding_box()
    mouse.move(start["x"] + start["width"] / 2, start["y"] + 8)
    mouse.down()
    goal = table.pile(place).bounding_box()
    cards = table.board()[place]
    x, y = goal["x"] + goal["width"] / 2, goal["y"] + 30
    if cards and place in "12345678":
        box = table.card(cards[-1]).bounding_box()
        y = box["y"] + 20
    mouse.move(x - 4, y - 4, steps=3)
    mouse.move(x, y)
    mouse.up()


def line_to_the_win(server: Server, deal: Any, moves: list[str] | None = None) -> list[str]:
    solution: list[str] = server.ask("hint", start=deal, moves=moves or [])["solution"]
    return solution


def steps(server: Server, deal: Any, line: list[str]) -> list[dict[str, Any]]:
    """Each action of a line as the server describes it."""
    found = []
    for i, move in enumerate(line):
        table = server.ask("play", start=deal, moves=line[:i])
        found.append(next(a for a in table["actions"] if a["notation"] == move))
    return found


def test_wins_a_whole_deal_by_mouse(table: Table, warm: Server) -> None:
    begin(table, "ms:1")
    line = line_to_the_win(warm, "ms:1")
    for i, action in enumerate(steps(warm, "ms:1", line), start=1):
        card, to = action["cards"][0], action["to"]
        drag(table, card, card[1] if to == "h" else to)
        table.wait_for_moves(i)
    assert table.moves() == line
    assert table.is_won()
    assert "Won!" in table.page.inner_text("#strip")


def touch(table: Table, kind: str, x: float = 0, y: float = 0) -> None:
    points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
    session = table.__dict__.setdefault("cdp", table.page.context.new_cdp_session(table.page))
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def tap(table: Table, x: float, y: float) -> None:
    touch(table, "touchStart", x, y)
    touch(table, "touchEnd")


def test_wins_by_touch_with_drags_and_taps(phone: Table, warm: Server) -> None:
    phone.open()
    phone.begin(NEARLY_WON)
    line = line_to_the_win(warm, NEARLY_WON)
    for i, action in enumerate(steps(warm, NEARLY_WON, line), start=1):
        card, to = action["cards"][0], action["to"]
        box = phone.card(card).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + 6
        if to == "h" and i % 2:
            tap(phone, x, y)
        else:
            goal = phone.pile(card[1] if to == "h" else to).bounding_box()
            touch(phone, "touchStart", x, y)
            for share in (0.3, 0.7, 1):
                to_x = x + share * (goal["x"] + goal["width"] / 2 - x)
                touch(phone, "touchMove", to_x, y + share * (goal["y"] + 15 - y))
            touch(phone, "touchEnd")
        phone.wait_for_moves(i)
        time.sleep(0.32)
    assert phone.is_won()
    # Nothing scrolled under the finger.
    assert phone.page.evaluate("scrollY") == 0


def test_wins_by_keyboard_alone(table: Table, warm: Server) -> None:
    begin(table, NEARLY_WON)
    board = table.page.locator("#board")
    press = table.page.keyboard.press
    table.page.evaluate("document.querySelector('.skip').focus()")
    while not board.evaluate("(node) => node.contains(document.activeElement)"):
        press("Tab")
    line = line_to_the_win(warm, NEARLY_WON)
    for i, action in enumerate(steps(warm, NEARLY_WON, line), start=1):
        press(action["from"])
        for _ in action["cards"][1:]:
            press("ArrowUp")
        press("Enter")
        press(action["to"])
        table.wait_for_moves(i)
        assert board.evaluate("(node) => node.contains(document.activeElement)")
    assert table.is_won()


def test_wins_by_the_move_field(table: Table, warm: Server) -> None:
    begin(table, NEARLY_WON)
    for i, move in enumerate(line_to_the_win(warm, NEARLY_WON), start=1):
        table.page.fill("#move-field", move)
        table.page.press("#move-field", "Enter")
        table.wait_for_moves(i)
    assert table.is_won()


def test_the_board_equals_the_engines_after_random_gestures(table: Table) -> None:
    rng = random.Random(5)
    begin(table, "ms:617")
    page = table.page
    for step in range(60):
        piles = table.board()
        places = [place for place in piles if place not in "SHDC"]
        place = rng.choice([p for p in places if piles[p]])
        card = piles[place][-1]
        gesture = rng.choice(["drag", "drag", "double", "tap", "taps", "undo", "redo", "key"])
        box = table.card(card).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if gesture == "drag":
            drag(table, card, rng.choice([*piles]))
        elif gesture == "double":
            page.mouse.dblclick(x, y)
        elif gesture in ("tap", "taps"):
            page.mouse.click(x, y)
            if gesture == "taps":
                goal = table.pile(rng.choice(places)).bounding_box()
                page.mouse.click(goal["x"] + 20, goal["y"] + 20)
        elif gesture == "key":
            table.card(card).focus()
            page.keyboard.press(rng.choice(["Enter", " ", "Escape", "+", "u", "r", "1", "a", "h"]))
        else:
            button = page.locator(f"#tools [data-name={gesture}]")
            if button.is_enabled():
                button.click()
        time.sleep(0.35)
        game = table.kept()
        answer = table.server.ask("play", start=game["start"], moves=table.moves())
        assert table.board() == piles_of(answer["board"]), (step, gesture, game)
        assert game["score"] == answer["score"]


def test_double_tap_tap_and_refusals_are_the_apps(table: Table) -> None:
    begin(table, NEARLY_WON)
    box = table.card("TS").bounding_box()
    x, y = box["x"] + 30, box["y"] + 40
    table.page.mouse.dblclick(x, y)  # home; the second tap is not meant for the jack under it
    table.wait_for_moves(1)
    time.sleep(0.5)
    assert table.moves() == ["2h"]
    table.page.mouse.click(x, y - 30)
    table.wait_for_moves(2)
    assert table.moves() == ["2h", "2h"]
    drag(table, "QC", "1")
    table.page.wait_for_selector("#toast.shown")
    said = table.page.inner_text("#assertive")
    assert "can go on QS" in said
    assert len(table.moves()) == 2


def test_undo_redo_restart_and_the_last_hundred(table: Table) -> None:
    begin(table, "ms:3")
    moves = ["1a", *["ab", "ba"] * 50]
    table.open(hash="#deal=ms:3&moves=" + ",".join(moves))
    table.page.click("[data-name=analysis]", force=True)  # as the app
    undo = table.page.locator("#tools [data-name=undo]")
    for count in range(100, 0, -1):
        undo.click()
        table.wait_for_moves(count)
    assert undo.is_disabled()
    table.page.click("#tools [data-name=redo]")
    table.wait_for_moves(2)
    table.page.click("[data-name=analysis]", force=True)
    for count in range(1, -1, -1):
        undo.click()
        table.wait_for_moves(count)
    table.page.click("#tools [data-name=redo]")
    table.wait_for_moves(1)
    table.page.click("#tools [data-name=restart]")
    table.wait_for_moves(0)


@pytest.mark.parametrize("cells", [0, 1, 2, 4, 6, 8])
def test_any_number_of_cells_fits_the_board(table: Table, cells: int) -> None:
    table.open(hash=f"#deal=ms:1&cells={cells}")
    piles = table.page.locator("#board .pile")
    assert piles.count() == cells + 12
    boxes = [piles.nth(i).bounding_box() for i in range(cells + 4)]
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            apart = abs(one["x"] - other["x"]) >= one["width"] - 1
            assert apart or abs(one["y"] - other["y"]) >= one["height"] - 1
