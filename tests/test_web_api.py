"""The questions over HTTP: their answers, their refusals, and what they do not let through."""

import json
import random
import time
from typing import Any

import pytest

from boulanger.engine.game import Game
from boulanger.engine.moves import cell_place, column_place
from boulanger.engine.notation import format_action
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action, legal_actions
from boulanger.solver.advice.hints import check, hint
from boulanger.solver.answers.hints import check_json, hint_json
from boulanger.solver.answers.play import with_words
from boulanger.solver.deals.source import read_name
from boulanger.solver.optimal.solve import solve
from boulanger.solver.web.guard import MAX_BODY
from boulanger.solver.web.requests import MAX_MOVES
from tests.web import Asker, new_server

PLACES = ["1", "2", "3", "4", "5", "6", "7", "8", "a", "b", "c", "d"]


@pytest.fixture(scope="module")
def asker() -> Asker:
    return Asker()


def place_of(letter: str) -> Any:
    return column_place(int(letter) - 1) if letter.isdigit() else cell_place("abcd".index(letter))


def test_a_deal_has_all_that_a_page_needs(asker: Asker) -> None:
    answer = asker.ask("deal", start="ms:1")
    assert answer["start"] == answer["deal"] == "ms:1"
    assert Position.from_json(answer["board"]) == read_name("ms:1").position
    assert {key: answer[key] for key in ("cells", "score", "home", "won", "undoable")} == {
        "cells": 4,
        "score": 0,
        "home": 0,
        "won": False,
        "undoable": 0,
    }
    assert answer["fresh"] is True
    assert answer["double_tap"]["7"] == "72"


def test_a_new_deal_is_another_one_each_time(asker: Asker) -> None:
    deals = [asker.ask("deal", cells=2) for _ in range(3)]
    assert len({deal["start"] for deal in deals}) == 3
    assert all(deal["start"].startswith("BK1-C2-") and deal["cells"] == 2 for deal in deals)
    assert not deals[0]["dealer_known"]
    again = asker.ask("deal", start=deals[0]["start"])
    assert again["board"] == deals[0]["board"]


def test_any_form_of_a_board_starts_a_game(asker: Asker) -> None:
    position = read_name("ms:7").position
    forms: list[dict[str, Any]] = [
        {"start": "ms:7"},
        {"start": position.to_json()},
        {"start": json.dumps(position.to_json())},
        {"start": position.to_text()},
        {"board": position.to_text()},
        {"board": "ms:7 is this\n".replace("ms:7 is this", "# as text") + position.to_text()},
        {"start": [[*column] for column in position.to_json()["columns"]]},  # type: ignore[attr-defined]
    ]
    answers = [asker.ask("deal", **form) for form in forms]
    for answer in answers:
        assert Position.from_json(answer["board"]) == position
        # What it says of the start leads to the same board.
        again = asker.ask("deal", start=answer["start"], cells=answer["cells"])
        assert again["board"] == answer["board"]


def test_a_board_in_rows_or_columns(asker: Asker) -> None:
    position = read_name("ms:7").position
    columns = [[*column] for column in position.to_json()["columns"]]  # type: ignore[attr-defined]
    rows = "".join(
        " ".join(column[depth] for column in columns if depth < len(column)) + "\n"
        for depth in range(7)
    )
    assert asker.ask("deal", board=rows)["board"] == position.to_json()
    assert asker.ask("deal", board=rows, layout="rows")["board"] == position.to_json()
    assert asker.refusal("deal", board=rows, layout="columns")[0] == 422
    assert asker.refusal("deal", board=rows, layout="diagonals")[0] == 400


def test_cells_replace_those_of_the_code(asker: Asker) -> None:
    answer = asker.ask("deal", start="BK1-C4-AAAAA24", cells=1)
    assert answer["cells"] == 1
    assert answer["board"]["cells"] == [None]
    assert asker.ask("play", start=answer["start"], cells=1, moves=["1a"])["cells"] == 1


def test_random_gestures_end_on_the_engines_board(asker: Asker) -> None:
    """Moves, taps, double taps and undos, some of them refused: the boards stay equal."""
    rng = random.Random(1)
    for number in range(4):
        start = f"ms:{number + 100}"
        game, moves, undoable = Game(read_name(start).position), [], 0
        for _ in range(60):
            body: dict[str, Any] = {"start": start, "moves": moves, "undoable": undoable}
            kind = rng.choice(["move", "move", "tap", "double_tap", "undo", "wrong"])
            before = game.copy()
            actions = legal_actions(game.position, all_places=True)
            if kind == "move" and actions:
                action = rng.choice(actions)
                text = format_action(game.position, action)
                body["move"] = rng.choice(
                    [text, {"from": text[0], "to": text[1], "count": action.length}]
                )
                game.apply(action)
            elif kind == "undo" and game.can_undo:
                body["undo"] = rng.randint(1, game.num_undoable)
                for _ in range(body["undo"]):
                    game.undo()
            elif kind in ("tap", "double_tap"):
                body[kind] = letter = rng.choice(PLACES)
                getattr(game, kind)(place_of(letter))
            elif kind == "wrong":
                assert asker.refusal("play", **body, move="hh")[0] == 422
            answer = asker.ask("play", **body)
            assert Position.from_json(answer["board"]) == game.position, (before, body)
            assert answer["score"] == game.score
            assert answer["undoable"] == game.num_undoable
            assert len(answer["moves"]) == len(game.history)
            assert answer["done"] == len(game.history) - len(before.history) or "undo" in body
            moves, undoable = answer["moves"], answer["undoable"]


def test_actions_are_those_of_the_rules(asker: Asker) -> None:
    rng = random.Random(2)
    for number in range(1, 4):
        game = Game(read_name(f"ms:{number}", rng.choice([4, 2, 1])).position)
        moves: list[str] = []
        for _ in range(40):
            position = game.position
            answer = asker.ask("play", start=f"ms:{number}", cells=position.num_cells, moves=moves)
            everything = legal_actions(position, all_places=True)
            assert [a["notation"] for a in answer["actions"]] == [
                format_action(position, action) for action in everything
            ]
            outcomes = {
                format_action(position, action): apply_action(position, action)
                for action in legal_actions(position)
            }
            for shown, action in zip(answer["actions"], everything, strict=True):
                after = apply_action(position, action)
                if shown["like"] is None:
                    assert _loose(after) == _loose(position)
                else:
                    assert _loose(after) == _loose(outcomes[shown["like"]])
            for name in ("tap", "double_tap"):
                for letter in PLACES[: 8 + position.num_cells]:
                    other = game.copy()
                    played = getattr(other, name)(place_of(letter))
                    shown_as = answer[name].get(letter)
                    assert shown_as == (None if played is None else format_action(position, played))
            if not everything:
                break
            action = rng.choice(everything)
            moves.append(format_action(position, action))
            game.apply(action)


def _loose(position: Position) -> Any:
    """The position whatever the order of its columns and cells."""
    cells = sorted(card for card in position.cells if card is not None)
    return sorted(position.columns), cells, position.foundations


def test_undo_goes_as_far_as_the_app(asker: Asker) -> None:
    moves = ["1a", "ab"] + ["ba", "ab"] * 60
    answer = asker.ask("play", start="ms:1", moves=moves)
    assert answer["undoable"] == 100
    answer = asker.ask("play", start="ms:1", moves=moves, undo=100)
    assert (len(answer["moves"]), answer["undoable"]) == (len(moves) - 100, 0)
    body = {"start": "ms:1", "moves": answer["moves"], "undoable": 0}
    assert asker.refusal("play", **body, undo=1)[:2] == (422, "game.undo_limit")
    # In an analysis the page takes back as many as it likes, by sending fewer.
    assert asker.ask("play", start="ms:1", moves=answer["moves"][:-1])["done"] == 0


def test_check_and_hint_have_the_commands_keys(asker: Asker) -> None:
    source = read_name("ms:11")
    answer = asker.ask("check", start="ms:11")
    expected = check_json(source, 0, check(source.position))
    assert {**answer, "seconds": 0} == {**expected, "seconds": 0}
    answer = asker.ask("hint", start="ms:11", count=2)
    expected = hint_json(source, 0, hint(source.position, 2))
    assert answer == json.loads(json.dumps(with_words(expected)))


def test_whoever_follows_hints_wins(asker: Asker) -> None:
    moves: list[str] = []
    while (answer := asker.ask("hint", start="ms:3", moves=moves, count=20))["distance"]:
        assert answer["hints"][0]["distance"] == answer["distance"] - 1
        moves += [step["notation"] for step in answer["hints"]]
    assert asker.ask("play", start="ms:3", moves=moves)["won"] is True
    reviewed = asker.ask("review", start="ms:3", moves=moves)
    assert (reviewed["won"], reviewed["wasted"], reviewed["lost_by"]) == (True, 0, None)


def test_hints_that_are_not_proven_lead_to_the_win_as_well(asker: Asker) -> None:
    """With so few nodes each hint alone would go in circles on this deal."""
    moves: list[str] = []
    left, num_unproven = 10**6, 0
    while (answer := asker.ask("hint", start="ms:5", moves=moves, max_nodes=1_500))["hints"]:
        assert answer["distance"] < left
        left = answer["distance"]
        num_unproven += not answer["proven"]
        moves.append(answer["hints"][0]["notation"])
    assert num_unproven > 10
    assert asker.ask("play", start="ms:5", moves=moves)["won"] is True


def test_marks_are_the_verdicts_on_what_comes_after(asker: Asker) -> None:
    answer = asker.ask("marks", start="ms:1")
    board = asker.ask("deal", start="ms:1")
    marked = {mark["notation"] for mark in answer["actions"]}
    assert marked == {action["like"] for action in board["actions"]}
    for mark in answer["actions"]:
        after = asker.ask("check", start="ms:1", moves=[mark["notation"]])
        assert after["verdict"] == mark["verdict"]
        assert mark["distance"] is None
    far = asker.ask("marks", start="ms:1", distance=True)
    best = min(mark["distance"] for mark in far["actions"] if mark["distance"] is not None)
    assert best + 1 == asker.ask("hint", start="ms:1")["distance"]


def test_solve_review_and_rate_answer(asker: Asker) -> None:
    solved = asker.ask("solve", start="ms:2", shortest="actions")
    assert solved["shortest"]["proven"] is True
    assert solved["verdict"] == solve(read_name("ms:2").position).verdict.word
    reviewed = asker.ask("review", start="ms:1", moves=["72", "1a"])
    assert reviewed["lost_by"] == 2
    rated = asker.ask("rate", start="ms:1", seed=3)
    assert rated["seed"] == 3
    assert 0 <= rated["score"] <= 100


def test_find_gives_deals_that_fit(asker: Asker) -> None:
    found = asker.ask("find", where=["4=winnable", "2=unwinnable"], count=3, seed=1)
    assert len(found["deals"]) == 3
    for deal in found["deals"]:
        assert asker.ask("check", start=deal["deal"])["verdict"] == "winnable"
        assert asker.ask("check", start=deal["deal"], cells=2)["verdict"] == "unwinnable"
    assert asker.ask("find", where=["4=winnable", "2=unwinnable"], count=3, seed=1) == found
    hard = asker.ask("find", cells=1, difficulty="gentle", seed=2)
    assert asker.ask("rate", start=hard["deals"][0]["deal"])["word"] == "gentle"


def test_a_search_for_deals_ends_in_time(asker: Asker) -> None:
    """Where each deal takes a rating as well."""
    started = time.monotonic()
    found = asker.ask("find", cells=4, difficulty="fiendish", count=100, seed=1, max_seconds=1.5)
    assert time.monotonic() - started < 8
    assert len(found["deals"]) < 100
    again = asker.ask("find", cells=4, difficulty="fiendish", count=1, seed=1)
    if found["deals"]:
        assert again["deals"] == found["deals"][:1]


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ({"where": ["4=unwinnable", "2=winnable"]}, None),
        ({"where": ["4=undecided"]}, None),
        ({"where": ["nonsense"]}, None),
        ({"where": "4=winnable"}, "web.wrong_value"),
        ({"difficulty": "murderous"}, "web.wrong_value"),
        ({"difficulty": "hard", "cells": 7}, "web.not_rated"),
        ({"count": 0}, "web.wrong_value"),
        ({"seed": -1}, "web.wrong_value"),
    ],
)
def test_find_refuses_what_no_deal_is(asker: Asker, body: Any, key: str | None) -> None:
    status, found, text = asker.refusal("find", **body)
    assert status in (400, 422)
    assert text
    assert key is None or found == key


def test_identify_learns_the_dealer(asker: Asker, config_home: Any) -> None:
    codes = ["BK1-C4-AAAAA24", "BK1-C4-6DIPMMN", "BK1-C4-QQQQQQQ"]
    boards = [asker.ask("deal", start=code)["board"] for code in codes]
    pairs = [{"code": code, "board": b} for code, b in zip(codes, boards, strict=True)]
    found = asker.ask("identify", pairs=pairs, save="app", use=True)
    assert any(group["bk1"] for group in found["groups"])
    assert found["saved"]["name"] == "app"
    assert (config_home / "dealers" / "app.toml").exists()
    dealt = asker.ask("deal", start=codes[0])
    assert (dealt["dealer"], dealt["dealer_known"]) == ("app", True)
    assert dealt["board"] == boards[0]


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a b", "", "bk1", "x" * 50])
def test_no_name_of_a_dealer_is_a_path(asker: Asker, config_home: Any, name: str) -> None:
    board = asker.ask("deal", start="BK1-C4-AAAAA24")["board"]
    pairs = [{"code": "BK1-C4-AAAAA24", "board": board}]
    assert asker.refusal("identify", pairs=pairs, save=name)[0] == 422
    assert not config_home.exists()
    if name != "bk1":
        assert asker.refusal("deal", start="BK1-C4-AAAAA24", dealer=name)[0] == 422


@pytest.mark.parametrize(
    ("name", "body", "status", "key"),
    [
        ("check", {}, 400, "web.start_or_board"),
        ("check", {"start": "ms:1", "board": "x"}, 400, "web.start_or_board"),
        ("check", {"start": "ms:1", "mvoes": []}, 400, "web.unknown_key"),
        ("check", {"start": 7}, 400, "web.wrong_value"),
        ("check", {"start": "ms:1", "cells": 9}, 400, "web.wrong_value"),
        ("check", {"start": "ms:1", "cells": True}, 400, "web.wrong_value"),
        ("check", {"start": "ms:1", "cells": 4.0}, 400, "web.wrong_value"),
        ("check", {"start": "ms:1", "moves": [1]}, 400, "web.wrong_value"),
        ("check", {"start": "ms:1", "max_seconds": 0}, 400, "web.wrong_value"),
        ("check", {"start": "ms:1", "max_seconds": "1"}, 400, "web.wrong_value"),
        ("check", {"start": "ms:1", "max_nodes": 0}, 400, "web.wrong_value"),
        ("check", {"start": "ms:1", "moves": ["26"]}, 422, "web.move"),
        ("check", {"start": "ms:1", "moves": ["zz"]}, 422, "web.move"),
        ("hint", {"start": "ms:1", "measure": "miles"}, 400, "web.wrong_value"),
        ("hint", {"start": "ms:1", "count": 0}, 400, "web.wrong_value"),
        ("play", {"start": "ms:1", "tap": "9"}, 400, "web.wrong_value"),
        ("play", {"start": "ms:1", "tap": "1", "undo": 1}, 400, "web.one_gesture"),
        ("play", {"start": "ms:1", "undo": 1}, 422, "game.nothing_to_undo"),
        ("play", {"start": "ms:1", "move": {"from": "1"}}, 400, "web.wrong_value"),
        ("play", {"start": "ms:1", "move": {"from": "1", "to": "xx"}}, 400, "web.wrong_value"),
        ("play", {"start": "ms:1", "move": {"from": 1, "to": 2}}, 400, "web.wrong_value"),
        ("play", {"start": "ms:1", "move": {"from": "1", "to": "2", "count": 99}}, 400, None),
        ("play", {"start": "ms:1", "move": {"from": "z", "to": "2"}}, 422, None),
        ("deal", {"start": "ms:-1"}, 422, None),
        ("deal", {"start": "ms:99999999999999"}, 422, None),
        ("deal", {"start": "BK1-C4-AAAAA2"}, 422, None),
        ("deal", {"start": ""}, 422, None),
        ("deal", {"start": {}}, 422, None),
        ("deal", {"start": "/etc/passwd"}, 422, None),
        ("deal", {"start": "../../etc/passwd"}, 422, None),
        ("deal", {"start": "file:///etc/passwd"}, 422, None),
        ("deal", {"start": "http://example.org/"}, 422, None),
        ("deal", {"start": "-"}, 422, None),
        ("identify", {}, 400, "web.pairs"),
        ("identify", {"pairs": [{"code": "BK1-C4-AAAAA24"}]}, 400, "web.wrong_value"),
        ("identify", {"pairs": []}, 400, "web.pairs"),
    ],
)
def test_refusals_say_what_is_wrong(
    asker: Asker, name: str, body: Any, status: int, key: str | None
) -> None:
    refused = asker.refusal(name, **body)
    assert refused[0] == status, refused
    assert refused[2] and refused[2][0] != "{" and "Traceback" not in refused[2]
    assert key is None or refused[1] == key


def test_the_sentence_is_the_commands(asker: Asker) -> None:
    from tests.command import run

    code = run("show", "BK1-C4-AAAAA2")
    sentence = code.err.removeprefix("boulanger: ").strip()
    assert asker.refusal("deal", start="BK1-C4-AAAAA2")[2] == sentence


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b'"ms:1"', 400),
        (b"null", 400),
        (b'{"start": "ms:1"', 400),
        (b"\xff\xfe{}", 400),
        (b'{"start": "\xff"}', 400),
        (b"[" * 60_000, 400),
        (b'{"start": ' + b"[" * 30_000 + b"]" * 30_000 + b"}", 400),
        (b'{"start": "ms:1", "cells": ' + b"9" * 20_000 + b"}", 400),
        (b'{"start": "ms:1", "cells": NaN}', 400),
        (b'{"start": "ms:1", "max_seconds": Infinity}', 400),
        (b'{"board": "' + b"A" * (MAX_BODY - 100) + b'"}', 422),
        (b'{"board": "' + b"x" * (10 << 20) + b'"}', 413),
        (b'{"board": "\\u0000"}', 422),
        (b'{"board": "\\ud800"}', 422),
    ],
)
def test_hostile_bodies_get_a_sentence(asker: Asker, content: bytes, status: int) -> None:
    response = asker.post("deal", content)
    assert response.status_code == status
    error = response.json()["error"]
    assert 0 < len(error["text"]) < 1000
    assert len(response.content) < 5000


def test_html_in_a_board_comes_back_as_json_alone(asker: Asker) -> None:
    text = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    for body in ({"start": text}, {"board": text}, {"start": "ms:1", "moves": [text]}):
        response = asker.post("play", body)
        assert response.status_code == 422
        assert response.headers["content-type"] == "application/json"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.json()["error"]["text"]


def test_ten_thousand_moves(asker: Asker) -> None:
    moves = ["1a", "ab"] + ["ba", "ab"] * 4_999
    assert len(moves) == 10_000
    assert asker.refusal("play", start="ms:1", moves=moves)[:2] == (400, "web.long_list")
    long = asker.ask("play", start="ms:1", moves=moves[:MAX_MOVES])
    assert len(long["moves"]) == MAX_MOVES


def test_moves_as_text_with_numbers_and_comments(asker: Asker) -> None:
    answer = asker.ask("play", start="ms:1", moves="1. 72 2. 7a # a comment\n7B")
    assert answer["moves"] == ["72", "7a", "7b"]


def test_moves_in_other_peoples_styles(asker: Asker) -> None:
    text = "Move a card from stack 6 to freecell 0\n"
    answer = asker.ask("play", start="ms:1", moves=text)
    assert answer["moves"] == ["7a"]
    assert any("sentences" in str(note) for note in answer["notes"])
    long = text * 1_400
    assert asker.post("play", {"start": "ms:1", "moves": long}).status_code == 422


def test_no_address_leads_to_a_file(asker: Asker) -> None:
    headers = {"authorization": "Bearer a-token-for-tests-alone"}
    for path in (
        "/../app.py",
        "/..%2fapp.py",
        "/%2e%2e/app.py",
        "/static/../app.py",
        "/..\\app.py",
        "//etc/passwd",
        "/%00",
    ):
        response = asker.client.get(path, headers=headers)
        assert response.status_code in (404, 405), path
        assert "import" not in response.text


def test_an_unexpected_fault_is_told_and_kept_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    asker = Asker(new_server())

    def fail(*args: Any) -> Any:
        raise RuntimeError("secret details")

    monkeypatch.setattr(asker.server.shared.games, "play", fail)
    response = asker.post("play", {"start": "ms:1"})
    assert (response.status_code, response.json()["error"]["key"]) == (500, "web.fault")
    assert "secret" not in response.text


@pytest.mark.parametrize(
    ("accepted", "words"),
    [
        ("fr", "ne peut pas aller"),
        ("hr-HR,hr;q=0.9,en;q=0.8", "potez 1"),
        ("de-DE, hu;q=0.7", "1. lépés"),
        ("he", "מהלך 1"),
        ("de", "cannot go"),
        ("", "cannot go"),
        (";;,,-", "cannot go"),
    ],
)
def test_sentences_are_in_the_readers_language(asker: Asker, accepted: str, words: str) -> None:
    body = {"start": "ms:1", "moves": ["26"]}
    response = asker.post("play", body, **{"accept-language": accepted})
    assert words in response.json()["error"]["text"]
