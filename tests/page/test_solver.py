"""What the solver knows, in the page: verdicts, marks, hints, solutions, reviews, the editor."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.command import run
from tests.page.browser import Server, Table
from tests.page.test_play import NEARLY_WON, steps

pytestmark = pytest.mark.browser


def test_hints_in_steps_lead_to_the_win(table: Table, warm: Server) -> None:
    table.open()
    table.begin(NEARLY_WON)
    page = table.page
    for count in range(1, 40):
        if table.is_won():
            break
        page.click("#tools [data-name=hint]")
        page.wait_for_selector(".card.hinted")
        assert page.locator("[data-name=hint-play]").count() == 0  # the card alone is told
        page.click("[data-name=hint-more]")
        page.click("[data-name=hint-more]")
        assert "left" in page.inner_text(".hint-text")
        page.click("[data-name=hint-play]")
        table.wait_for_moves(count)
    assert table.is_won()
    assert len(table.moves()) == len(warm.ask("hint", start=NEARLY_WON)["solution"])


def test_a_lost_game_is_found_taken_back_and_won(table: Table, warm: Server) -> None:
    table.open(hash="#deal=ms:1&moves=72,1a,28")
    page = table.page
    page.wait_for_selector("#strip .lose")
    page.wait_for_selector("[data-name=take-back]")
    assert "Lost by action 2, 1a." in page.inner_text(".verdict-box")
    page.click("[data-name=take-back]")
    table.wait_for_moves(1)
    page.wait_for_selector("#strip .keep")
    page.click("#tools [data-name=solution]")
    page.wait_for_selector("[data-name=run]")
    page.click("[data-name=run]")  # no time to watch it
    for _ in range(100):
        if table.is_won():
            break
        played = len(table.moves())
        page.click("[data-name=step]")
        table.wait_for_moves(played + 1)
    assert table.is_won()


def test_a_solution_plays_itself_until_something_else_is_played(table: Table, warm: Server) -> None:
    table.open(hash="#deal=ms:1")
    page = table.page
    page.click("#tools [data-name=solution]")
    table.wait_for_moves(2)
    page.click("#tools [data-name=undo]")
    page.wait_for_selector("[data-name=run]", state="detached")
    count = len(table.moves())
    time.sleep(1.5)
    assert len(table.moves()) == count


def test_each_legal_action_is_marked(table: Table, warm: Server) -> None:
    table.open(hash="#deal=ms:1&moves=72")
    page = table.page
    page.click("[data-name=marks]", force=True)
    page.click("[data-name=distance]", force=True)
    truth = warm.ask("marks", start="ms:1", moves=["72"], distance=True)["actions"]
    kinds = {"winnable": "keep", "unwinnable": "lose"}
    page.get_by_text("81 actions left").first.wait_for()
    for mark in truth:
        row = page.locator(f'.ways [data-move="{mark["notation"]}"]')
        assert row.get_attribute("class") == kinds[mark["verdict"]]
        if mark["distance"]:
            assert f"{mark['distance']} actions left" in row.inner_text()
    badges = page.locator("#board .badge.keep, #board .badge.lose")
    assert badges.count() == len({mark["cards"][0] for mark in truth})
    page.click("[data-name=verdict]", force=True)
    assert "hidden" in page.inner_text("#strip")


def test_step_by_step_in_large_letters(table: Table, warm: Server) -> None:
    table.open()
    table.begin(NEARLY_WON)
    line = steps(warm, NEARLY_WON, warm.ask("hint", start=NEARLY_WON)["solution"])
    page = table.page
    table.menu("letters")
    for count, _ in enumerate(line, start=1):
        assert f"Action {count} of {len(line)}" in page.inner_text("dialog")
        page.click("dialog [data-name=next]")
        table.wait_for_moves(count)
    page.get_by_text("Won!", exact=True).last.wait_for()
    page.click("dialog [data-name=back]")
    table.wait_for_moves(len(line) - 1)


def test_review_marks_mistakes_and_lets_one_try_again(table: Table, warm: Server) -> None:
    table.open()
    table.begin("ms:1\n1. 72 2. 1a 3. 28")
    page = table.page
    page.click("#tools [data-name=review]")
    page.wait_for_selector(".curve")
    assert page.locator(".moves .loses").inner_text() == "1a"
    slip = page.locator(".slips li").first
    assert "loses the game" in slip.inner_text()
    reviewed = warm.ask("review", start="ms:1", moves=["72", "1a", "28"])
    assert reviewed["actions"][1]["better"]["notation"] in slip.locator(".better").inner_text()
    page.locator(".curve input").focus()
    page.keyboard.press("ArrowLeft")
    table.wait_for_moves(2)
    page.keyboard.press("ArrowRight")
    table.wait_for_moves(3)
    slip.locator("[data-name=retry]").click()
    table.wait_for_moves(1)
    assert table.kept()["moves"] == ["72", "1a", "28"]  # still ahead
    assert page.locator(".curve").count() == 1


def test_the_editor_shows_faults_and_plays_the_board(table: Table) -> None:
    table.open()
    page = table.page
    table.menu("edit")
    page.click("[data-name=clear]")
    board = table.server.ask("deal", start="ms:9")["board"]
    cards = [card for column in board["columns"] for card in column]
    for card in cards[:9]:
        page.click(f'.palette [data-card="{card}"]')
    assert page.locator(".edit-row.active button").first.inner_text() == "column 2: 2"
    page.fill("#editor-typed", " ".join(cards[9:51]).lower())
    assert "1 card is missing" in page.inner_text("dialog")
    page.click(f'.palette [data-card="{cards[0]}"]')
    assert "Twice: " in page.inner_text("dialog")
    page.click("dialog [data-name=play]")
    page.get_by_text("missing:").wait_for()
    page.locator('.edit-row [data-card="' + cards[0] + '"].twice').last.click()
    page.fill("#editor-typed", cards[51])
    assert "All 52 cards are there." in page.inner_text("dialog")
    page.click("dialog [data-name=play]")
    page.wait_for_selector("dialog", state="detached")
    assert [table.board()[str(i)] for i in range(1, 9)] == board["columns"]


def test_the_editor_begins_with_the_game_in_its_middle(table: Table) -> None:
    table.open(hash="#deal=ms:1&moves=72,7a,7b,7h")
    before = table.board()
    table.menu("edit")
    table.page.click("dialog [data-name=play]")
    table.page.wait_for_selector("dialog", state="detached")
    assert table.board() == before
    assert table.moves() == []


def test_one_html_file_replays_without_the_server(
    table: Table, warm: Server, tmp_path: Path
) -> None:
    warm.wait_until_warm("rate")
    table.open(hash="#deal=ms:1&moves=72")
    table.menu("share")
    with table.page.expect_download(timeout=90_000) as download:
        table.page.click("dialog [data-name=file]")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "boulanger-ms-1.html"
    assert path.stat().st_size < 150_000
    page = table.page.context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(path.as_uri())
    for _ in range(len(warm.ask("hint", start="ms:1", moves=["72"])["solution"])):
        page.keyboard.press("ArrowRight")
    home = page.locator("#board .foundation .card")
    assert home.count() == 52
    assert faults == []
    assert requests == [path.as_uri()]


def test_find_me_a_deal(table: Table, warm: Server) -> None:
    table.open()
    table.menu("new")
    selects = table.page.locator("dialog select")
    selects.nth(2).select_option("4")
    selects.nth(3).select_option("2")
    table.page.click("dialog [data-name=find]")
    table.page.wait_for_selector("dialog", state="detached", timeout=60_000)
    start = table.kept()["start"]
    assert warm.ask("check", start=start, cells=4)["verdict"] == "winnable"
    assert warm.ask("check", start=start, cells=2)["verdict"] == "unwinnable"


def test_difficulty_has_bars(table: Table, warm: Server) -> None:
    warm.wait_until_warm("rate")
    table.open(hash="#deal=ms:1")
    table.menu("rating")
    table.page.wait_for_selector(".bars", timeout=60_000)
    rating = warm.ask("rate", start="ms:1")
    assert table.page.inner_text(".score-big") == str(round(rating["score"]))
    assert table.page.locator(".meter").count() >= 10


def test_a_catalogue_is_browsed(browser: tuple[Any, Any], tmp_path: Path) -> None:
    folder = tmp_path / "deals"
    run("classify", "ms:1..40", "--out", str(folder), "--cells", "4,2", "--workers", "1")
    server = Server(options=("--catalogue", str(folder)))
    context = browser[1].new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    table = Table(context.new_page(), server)
    try:
        table.open()
        table.page.wait_for_selector("#menu [data-name=catalogues]")
        table.menu("catalogues")
        rows = table.page.locator("table.deals tbody tr")
        rows.nth(24).wait_for()
        assert rows.count() == 25
        table.page.click("dialog [data-name=more]")
        rows.nth(39).wait_for()
        summary = server.ask("catalogue", catalogue=0, summary=True)["summary"]
        counts = {one["cells"]: one for one in summary["cells"]}
        told = table.page.locator("dialog [role=status] tbody tr").all_inner_texts()
        assert [row.split("\t")[1:4] for row in told] == [
            [str(one[key]) for key in ("winnable", "unwinnable", "undecided")]
            for one in summary["cells"]
        ]
        selects = table.page.locator("dialog .filters select")
        selects.nth(0).select_option("2")
        for _ in range(100):
            if rows.count() == counts[2]["winnable"]:
                break
            time.sleep(0.05)
        assert rows.count() == counts[2]["winnable"]
        deal = rows.first.locator("button").inner_text()
        rows.first.locator("button").click()
        table.page.wait_for_selector("dialog", state="detached")
        assert table.kept()["start"] == deal
        assert table.errors == []
    finally:
        context.close()
        server.stop()


def test_boards_of_the_app_teach_its_dealer(
    browser: tuple[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    server = Server()
    context = browser[1].new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    table = Table(context.new_page(), server)
    page = table.page
    try:
        table.open(hash="#deal=BK1-C4-AAAAA24")
        page.get_by_text("Does your app show this board").wait_for()
        page.click("[data-name=other-board]")
        for _ in range(4):
            code = page.locator("dialog .dialog-body p").first.inner_text().split("for ")[1][:14]
            board = server.ask("deal", start=code)["board"]
            page.fill("#editor-typed", " ".join(c for column in board["columns"] for c in column))
            page.click("dialog [data-name=identify]")
            page.wait_for_selector(
                "[data-name=next-board], [data-name=identified]", timeout=120_000
            )
            if page.locator("[data-name=identified]").count():
                break
            page.click("[data-name=next-board]")
        page.click("[data-name=identified]")
        page.wait_for_selector("dialog", state="detached")
        table.open(hash="#deal=BK1-C4-AAAAA25")
        assert page.get_by_text("Does your app show this board").count() == 0
        dealer = server.ask("deal", start="BK1-C4-AAAAA25")["dealer"]
        assert dealer.startswith("app-")
        assert table.errors == []
    finally:
        context.close()
        server.stop()
