"""The commands `identify` and `dealers`, saved dealers, and `--dealer` on the others."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boulanger.engine.cards import card_text
from boulanger.engine.deals.codes import format_code, parse_code
from boulanger.engine.deals.dealers import BK1
from boulanger.engine.errors import DealError
from boulanger.engine.position import Position
from boulanger.solver.catalogue.manifest import require_manifest
from boulanger.solver.cli.identify import identify_dealer
from boulanger.solver.deals.code_dealer import BK1_NOTE, code_dealer
from boulanger.solver.identify.dealer_file import (
    SavedDealer,
    format_dealer,
    parse_dealer,
    rule_document,
)
from boulanger.solver.identify.family.decks import Deck
from boulanger.solver.identify.family.generators import GENERATORS
from boulanger.solver.identify.family.rule import BK1_RULE, Rule
from boulanger.solver.identify.family.seeds import NumberSeed, TextSeed
from boulanger.solver.identify.pairs import Pair
from boulanger.solver.identify.saved import load, save, saved_names, use
from tests.command import CODE, Answer, answer_json, check_bad_input, run

OTHER_CODE = "BK1-C4-K7QWM3P"
APP = Rule(
    TextSeed("letters", "fnv1a-64"),
    "java",
    "java-next-int",
    "down",
    Deck("HDCS", "rank-by-rank", "king-down"),
    "columns",
)
# Reads no W, X, Y or Z.
HEX = Rule(NumberSeed("base32hex"), "dart", "reject-high")


def board_text(cards: tuple[int, ...]) -> str:
    columns = Position.from_deal(cards).columns
    return "".join(": " + " ".join(map(card_text, column)) + "\n" for column in columns)


def board_file(folder: Path, rule: Rule, code: str) -> str:
    path = folder / f"{code}.txt"
    path.write_text(board_text(rule.deal(parse_code(code))))
    return str(path)


def saved(name: str, rule: Rule = APP, code: str = OTHER_CODE) -> SavedDealer:
    return SavedDealer(name, rule, (Pair(parse_code(code), rule.deal(parse_code(code))),))


def columns(answer: Any) -> str:
    return "".join(": " + " ".join(column) + "\n" for column in answer["columns"])


def run_quietly(*args: str, stdin: str = "") -> Answer:
    """`run` without the line that says that something is compiled."""
    answer = run(*args, stdin=stdin)
    lines = answer.err.splitlines(keepends=True)
    return answer._replace(err="".join(line for line in lines if "compiling" not in line))


@pytest.fixture
def one_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    """A family of some ten million rules: all with the generator of bk1."""
    small = {BK1_RULE.generator: GENERATORS[BK1_RULE.generator]}
    monkeypatch.setattr("boulanger.solver.identify.fit.GENERATORS", small)


# identify.


def test_from_one_board_to_codes_that_are_dealt_by_it(tmp_path: Path, config_home: Path) -> None:
    """The five lines of the README."""
    board = board_file(tmp_path, APP, OTHER_CODE)
    answer = run_quietly("identify", OTHER_CODE, board, "--save", "app")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0].startswith("Found: ")
    assert "deal this board" in lines[0]
    assert any(line.endswith(" alike, with") for line in lines)
    words = " ".join(line.strip() for line in lines[1:])
    assert words.startswith(f"1. {APP.description}")
    file = config_home / "dealers" / "app.toml"
    assert f"Saved as app: {file}" in lines
    assert run("dealers", "--use", "app").code == 0

    shown = answer_json("show", CODE)
    assert shown["dealer"] == "app"
    assert columns(shown) == board_text(APP.deal(parse_code(CODE)))
    text = run("show", CODE).out
    assert f"# Dealt by the dealer app, learned from the board of {OTHER_CODE}." in text
    assert "bk1" not in text
    assert (
        "# Dealt by bk1, this project's own dealer.\n" in run("show", CODE, "--dealer", "bk1").out
    )


@pytest.mark.usefixtures("one_generator")
def test_several_groups_are_told_apart(tmp_path: Path, config_home: Path) -> None:
    rule = Rule()
    first, second = board_file(tmp_path, rule, CODE), board_file(tmp_path, rule, OTHER_CODE)
    answer = run_quietly("identify", CODE, first, "--save", "mine")
    assert answer.code == 3
    assert answer.out.startswith("Undecided: ")
    assert "other codes in 4 ways" in answer.out
    assert "Nothing was saved, since these differ." in answer.out
    assert "This is bk1, this project's own dealer." in answer.out
    assert saved_names() == []

    document = json.loads(run_quietly("identify", CODE, first, "--json").out)
    assert [group["bk1"] for group in document["groups"]] == [True, False, False, False]
    assert document["deciding_code"] in answer.out
    assert document["saved"] is None

    answer = run_quietly("identify", CODE, first, OTHER_CODE, second, "--save", "mine")
    assert answer.code == 0
    assert "deal all 2 boards" in answer.out
    assert load("mine").rule == rule
    assert [pair.code.text for pair in load("mine").pairs] == [CODE, OTHER_CODE]

    answer = run_quietly("identify", CODE, first, "--save", "six", "--pick", "2")
    assert answer.code == 0
    assert load("six").rule.seed == NumberSeed(kept="last-six")
    check_bad_input(
        run_quietly("identify", CODE, first, "--save", "seven", "--pick", "5"), "1 to 4 expected"
    )
    assert saved_names() == ["mine", "six"]


@pytest.mark.usefixtures("one_generator")
def test_a_board_with_a_slip(tmp_path: Path, config_home: Path) -> None:
    cards = list(Rule().deal(parse_code(OTHER_CODE)))
    cards[10], cards[33] = cards[33], cards[10]
    path = tmp_path / "board.txt"
    path.write_text(board_text(tuple(cards)))
    answer = run_quietly("identify", OTHER_CODE, str(path), "--save", "app", "--pick", "2")
    assert (answer.code, answer.err) == (1, "")
    lines = answer.out.splitlines()
    assert lines[0].startswith("Not found: ")
    assert lines[0].endswith(f"none deals the board of {OTHER_CODE}.")
    given, dealt = card_text(cards[10]), card_text(cards[33])
    assert f"   column 3, card 2: {given} given, {dealt} dealt" in lines
    assert f"   column 2, card 5: {dealt} given, {given} dealt" in lines
    assert lines[-1] == "Nothing was saved."
    assert saved_names() == []
    document = json.loads(run_quietly("identify", OTHER_CODE, str(path), "--json").out)
    assert document["groups"] == []
    assert document["tried"] > 10**6
    assert document["near"]["cards"] == [
        {"column": 3, "row": 2, "given": given, "dealt": dealt},
        {"column": 2, "row": 5, "given": dealt, "dealt": given},
    ]


def test_a_board_that_no_rule_deals(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    # bk1's board for another code.
    path.write_text(board_text(BK1.deal(123456789)))
    answer = run_quietly("identify", OTHER_CODE, str(path))
    assert answer.code == 1
    tried = next(line for line in answer.out.splitlines() if "rules tried in " in line)
    assert any(word.count(",") == 3 for word in tried.split())  # the whole family
    assert "The best guess had the first " in answer.out
    assert "by chance" in answer.out
    assert "Check, beside the app:" in answer.out


@pytest.mark.usefixtures("one_generator")
def test_what_to_check_and_columns_typed_from_the_bottom(tmp_path: Path, config_home: Path) -> None:
    rule = BK1_RULE
    path = tmp_path / "board.txt"
    lines = board_text(rule.deal(parse_code(OTHER_CODE))).splitlines()
    turned = [": " + " ".join(line.removeprefix(": ").split()[::-1]) for line in lines]
    path.write_text("\n".join(turned))
    answer = run_quietly("identify", OTHER_CODE, str(path))
    assert "they were turned round for this" in answer.out
    assert "Keep it with --save NAME" in answer.out
    assert answer.code == 0


@pytest.mark.slow
@pytest.mark.ci
def test_boards_that_do_not_go_together(tmp_path: Path) -> None:
    first = board_file(tmp_path, Rule(), OTHER_CODE)
    second = board_file(tmp_path, APP, CODE)
    answer = run_quietly("identify", OTHER_CODE, first, CODE, second)
    assert answer.code == 1
    assert f"deal the board of {OTHER_CODE}, but none of them all boards" in answer.out


BAD_ARGUMENTS = [
    (["identify"], "CODE BOARD"),
    (["identify", CODE], f"'{CODE}' has no partner"),
    (["identify", CODE, "board.txt", OTHER_CODE], f"'{OTHER_CODE}' has no partner"),
    (["identify", "board.txt", CODE], "'board.txt' has 1 part"),
    (["identify", CODE, "no-such-file.txt"], "no file 'no-such-file.txt'"),
    (["identify", CODE, "-", OTHER_CODE, "-"], "only one board can be '-'"),
    (["identify", CODE, "board.txt", CODE, "board.txt"], f"{CODE} is given twice"),
    (["identify", CODE, "game.txt"], "a game is under way"),
    (["identify", CODE, "board.txt", "--pick", "1"], "--pick goes with --save"),
    (["identify", CODE, "board.txt", "--save", "My App"], "'My App' cannot be the name"),
    (["identify", CODE, "board.txt", "--save", "../x"], "'../x' cannot be the name"),
    (["identify", CODE, "board.txt", "--save", "ms"], "'ms' cannot be the name"),
    (["identify", CODE, "board.txt", "--save", "old"], "there is a dealer 'old' already"),
    (["dealers", "--use", "new"], "'new' is no dealer for game codes; there are: bk1, old"),
    (["dealers", "--use", "ms"], "'ms' is no dealer for game codes"),
    (["show", CODE, "--dealer", "new"], "'new' is no dealer for game codes"),
    (["show", "ms:1", "--dealer", "new"], "'new' is no dealer for game codes"),
    (["solve", CODE, "--dealer", "../old"], "'../old' is no dealer for game codes"),
    (["show", "BK1-C4-WAAAAAA", "--dealer", "old"], "letters that this dealer does not read"),
]


@pytest.mark.parametrize(("args", "quoted"), BAD_ARGUMENTS, ids=lambda value: str(value)[:60])
def test_bad_arguments(
    args: list[str],
    quoted: str,
    tmp_path: Path,
    config_home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board.txt").write_text(board_text(BK1.deal(860)))
    Path("game.txt").write_text("Foundations: H-A\n" + board_text(BK1.deal(860)).replace("AH", ""))
    save(saved("old", HEX, CODE))
    check_bad_input(run(*args), quoted)


def test_a_board_read_as_rows_is_remarked(tmp_path: Path) -> None:
    cards = Rule().deal(parse_code(OTHER_CODE))
    rows = [cards[i : i + 8] for i in range(0, 52, 8)]
    text = "".join(" ".join(map(card_text, row)) + "\n" for row in rows)
    answer = run_quietly("identify", OTHER_CODE, "-", stdin=text)
    assert answer.code == 0
    assert "read as rows" in answer.err
    assert "This is bk1" in answer.out


def test_progress_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    board = board_file(tmp_path, Rule(), OTHER_CODE)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert identify_dealer([OTHER_CODE, board], None, None, as_json=True) == 0
    assert "generator" in terminal.getvalue()
    monkeypatch.setattr(sys, "stderr", pipe := io.StringIO())
    assert identify_dealer([OTHER_CODE, board], None, None, as_json=True) == 0
    assert pipe.getvalue() == ""


# dealers, and --dealer.


def test_the_list_of_dealers(config_home: Path) -> None:
    answer = run("dealers")
    assert answer.code == 0
    assert answer.out.startswith("* bk1  this project's own dealer")
    assert "  ms   " in answer.out
    save(saved("app"))
    (config_home / "dealers" / "broken.toml").write_text("format = 1\n")
    assert run("dealers", "--use", "app").out == run("dealers").out
    lines = run("dealers").out.splitlines()
    assert lines[0].startswith("  bk1     this project's own dealer")
    assert next(line for line in lines if line[2:5] == "app").startswith("* app")
    assert "  broken  cannot be used:" in lines
    assert lines[-1].endswith(str(config_home / "dealers"))
    document = answer_json("dealers")
    assert [dealer["name"] for dealer in document["dealers"]] == ["bk1", "ms", "app", "broken"]
    assert [dealer["in_use"] for dealer in document["dealers"]] == [False, False, True, False]
    app, broken = document["dealers"][2:]
    assert (app["words"], app["learned_from"], app["fault"]) == (
        APP.description,
        [OTHER_CODE],
        None,
    )
    assert app["file"] == str(config_home / "dealers" / "app.toml")
    assert "there is no table [shuffle]" in broken["fault"]
    assert run("dealers", "--use", "bk1").out.startswith("* bk1")


def test_files_with_names_that_no_dealer_has(config_home: Path) -> None:
    path = save(saved("app"))
    for name in ("My App", "bk1"):
        path.with_name(f"{name}.toml").write_bytes(path.read_bytes())
    document = answer_json("dealers")
    assert [dealer["name"] for dealer in document["dealers"]] == [
        "bk1", "ms", "My App", "app", "bk1"
    ]  # fmt: skip
    assert [dealer["in_use"] for dealer in document["dealers"]] == [True] + [False] * 4
    for i in (2, 4):
        assert "rename it" in document["dealers"][i]["fault"]
    check_bad_input(run("show", CODE, "--dealer", "My App"), "rename it")
    assert answer_json("show", CODE, "--dealer", "bk1")["dealer"] == "bk1"


def test_every_command_takes_a_dealer(config_home: Path) -> None:
    save(saved("app"))
    board = board_text(APP.deal(parse_code(CODE)))
    assert columns(answer_json("show", CODE, "--dealer", "app")) == board
    solved = answer_json("solve", CODE, "--dealer", "app")
    assert solved["dealer"] == "app"
    assert solved["verdict"] == answer_json("solve", "-", stdin=board)["verdict"] == "winnable"
    moves = " ".join(solved["solution"]["notation"])
    verified = run("verify", CODE, "--moves", "-", "--dealer", "app", stdin=moves)
    assert verified.out.startswith("Won: ")
    assert not run("verify", CODE, "--moves", "-", stdin=moves).out.startswith("Won: ")
    assert answer_json("code", CODE, "--dealer", "app")["dealer"] == "app"
    assert answer_json("code", "860", "--dealer", "app")["dealer"] == "app"
    assert answer_json("code", "860")["dealer"] == "bk1"
    in_file = answer_json("show", "-", "--dealer", "app", stdin=CODE)
    assert columns(in_file) == board


def test_a_dealer_for_games_under_way(config_home: Path, tmp_path: Path) -> None:
    save(saved("app"))
    board = board_text(APP.deal(parse_code(CODE)))
    own, other = ("-", board), (CODE, "")
    for command in (("hint", "-n", "2"), ("check",), ("review", "--played", "")):
        answers = [
            answer_json(command[0], deal, *command[1:], *dealer, stdin=stdin)
            for (deal, stdin), dealer in ((own, ()), (other, ("--dealer", "app")))
        ]
        for answer in answers:
            answer.pop("seconds", None)
        notes = [code_dealer("app").note]
        assert {**answers[0], "deal": CODE, "dealer": "app", "notes": notes} == answers[1]
    deals = tmp_path / "deals.txt"
    deals.write_text(CODE)
    listed = run("hint", "--from", str(deals), "--json", "--dealer", "app")
    assert json.loads(listed.out)["hints"] == answer_json("hint", "-", stdin=board)["hints"]


def test_find_deals_as_the_dealer_in_use_does(config_home: Path) -> None:
    save(saved("app"))
    use("app")
    find = ("find", "--cells", "2", "--count", "3", "--seed", "1")
    codes = run_quietly(*find).out.split()
    assert [answer_json("check", code)["verdict"] for code in codes] == ["winnable"] * 3
    assert run_quietly(*find, "--dealer", "app").out.split() == codes
    assert run_quietly(*find, "--dealer", "bk1").out.split() != codes
    check_bad_input(run(*find, "--dealer", "nobody"), "'nobody' is no dealer for game codes")


def test_find_leaves_out_codes_that_a_dealer_cannot_read(config_home: Path) -> None:
    save(saved("hex", HEX, "BK1-C4-AAAAA24"))
    codes = run_quietly("find", "--count", "20", "--seed", "1", "--dealer", "hex").out.split()
    assert len(codes) == 20
    assert not set("WXYZ") & {letter for code in codes for letter in code[-7:]}


CODES = ("code:0..50", "BK1-C4-AAAAAAA..BK1-C4-AAAAABS", "codes.txt")


@pytest.mark.parametrize("source", [*CODES, "code:0..50@app", "bk1:0..50"])
def test_a_catalogue_of_codes_and_check_never_disagree(
    source: str,
    config_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    if source != "code:0..50@app":  # one by a process, which is sent the rule
        request.getfixturevalue("workers_here")
    monkeypatch.chdir(tmp_path)
    Path("codes.txt").write_text("".join(f"{format_code(n, 2)}\n" for n in range(50)) + "50\n")
    save(saved("app"))
    use("app")
    arguments = ("classify", source, "--out", "c", "--cells", "2", "--workers", "1", "--json")
    classified = json.loads(run(*arguments).out)
    by_app = source != "bk1:0..50"
    key = "code@app" if by_app else "bk1"
    assert list(classified["dealers"]) == [key]
    numbers = {}
    for verdict, code in (("winnable", 0), ("unwinnable", 1)):
        listed = run("export", "c", f"--{verdict}", "--cells", "2")
        deals = listed.out.split()
        assert ("Dealt by the dealer app, learned" in listed.err) == (by_app and bool(deals))
        assert ("bk1 are listed as bk1:NUMBER" in listed.err) == (not by_app and bool(deals))
        assert all(deal.startswith("BK1-C2-" if by_app else "bk1:") for deal in deals)
        for deal in deals[:8]:
            checked = answer_json("check", deal, "--cells", "2")
            assert checked["verdict"] == verdict
            assert checked["dealer"] == ("app" if by_app else "bk1")
            assert run("check", deal, "--cells", "2").code == code
        numbers[verdict] = len(deals)
    assert numbers["winnable"] + numbers["unwinnable"] == 51
    manifest = require_manifest(Path("c")).document
    assert manifest["dealers"] == classified["dealers"]
    assert manifest["rules"] == ({"code@app": rule_document(APP)} if by_app else None)
    again = run("export", "c", "--unwinnable", "--cells", "2", "--dealer", "bk1").out.split()[0]
    assert again.startswith("code:" if by_app else "BK1-C2-")
    dealer = ("--dealer", "app" if by_app else "bk1")
    assert answer_json("check", again, "--cells", "2", *dealer)["verdict"] == "unwinnable"


@pytest.mark.usefixtures("workers_here")
def test_whoever_deals_is_told(config_home: Path, tmp_path: Path) -> None:
    out, moves = str(tmp_path / "c"), str(tmp_path / "moves")
    Path(moves).write_text("")
    run("classify", "code:0..9", "--out", out, "--cells", "1", "--workers", "1")
    find = ("find", "--count", "1", "--seed", "1")
    export = ("export", out, "--cells", "1")
    verify = ("verify", CODE, "--moves", moves)
    classify = ("classify", "bk1:0..9", "--out", out, "--cells", "1", "--workers", "1")
    commands = (find, export, verify, classify, ("check", CODE), ("hint", CODE), ("rate", CODE))

    def told(*dealer: str) -> set[str]:
        notes = set()
        for command in commands:
            lines = run_quietly(*command, *dealer).err.splitlines()
            notes |= {line.removeprefix("boulanger: note: ") for line in lines if "deal" in line}
            if command[0] != "export":
                assert set(answer_json(*command, *dealer)["notes"]) <= notes
        return notes

    assert told() == {BK1_NOTE}
    assert told("--dealer", "bk1") == {"Dealt by bk1, this project's own dealer."}
    save(saved("app"))
    (note,) = told()
    assert note.startswith(
        "Dealt by bk1, this project's own dealer, and not by a learned one (app)"
    )
    assert "`boulanger dealers --use app`" in note


@pytest.mark.usefixtures("workers_here")
def test_a_catalogue_goes_on_with_the_dealer_that_it_began_with(
    config_home: Path, tmp_path: Path
) -> None:
    out = str(tmp_path / "c")
    classify = ("classify", "code:0..9", "--out", out, "--cells", "1", "--workers", "1")
    save(saved("app"))
    use("app")
    assert run(*classify).code == 0
    assert run(*classify).code == 0
    check_bad_input(
        run(*classify, "--dealer", "bk1"), "sources: code:0..9@app there, bk1:0..9 here"
    )
    # Another dealer of the same name.
    (config_home / "dealers" / "app.toml").unlink()
    save(saved("app", HEX, CODE))
    check_bad_input(
        run("classify", CODE, "--out", out, "--cells", "1"), "sources: code:0..9@app there"
    )
    check_bad_input(
        run("export", out, "--cells", "1"), "dealt by another dealer 'app' than the one"
    )
    # A catalogue of someone else's dealer.
    (config_home / "dealers" / "app.toml").unlink()
    use("bk1")
    listed = run("export", out, "--cells", "1")
    assert listed.out.split()[:2] == ["code:0@app", "code:1@app"]


@pytest.mark.usefixtures("workers_here")
def test_a_dealer_that_heeds_cells_makes_catalogues_for_one_number(
    config_home: Path, tmp_path: Path
) -> None:
    rule = replace(APP, seed=TextSeed("code", "fnv1a-32"))
    save(saved("app", rule))
    use("app")
    out = str(tmp_path / "c")
    classify = ("classify", "code:0..30", "--out", out, "--workers", "1")
    check_bad_input(
        run(*classify, "--cells", "4,2"), "deals another board for each number of cells"
    )
    assert run(*classify, "--cells", "2").code == 0
    for verdict in ("winnable", "unwinnable"):
        for code in run("export", out, f"--{verdict}", "--cells", "2").out.split()[:5]:
            assert answer_json("check", code)["verdict"] == verdict


@pytest.mark.usefixtures("workers_here")
def test_a_dealer_that_reads_some_codes_makes_catalogues_of_lists(
    config_home: Path, tmp_path: Path
) -> None:
    save(saved("hex", HEX, CODE))
    classify = ("classify", "--dealer", "hex", "--out", str(tmp_path / "c"), "--workers", "1")
    check_bad_input(run(*classify, "code:0..9"), "does not read all game codes")
    answer = run(*classify, "-", "--cells", "2", stdin=f"{CODE}\nBK1-C4-AAAAAAZ\n")
    assert answer.code == 2
    assert "line 2: 'BK1-C4-AAAAAAZ' has letters that this dealer does not read" in answer.err
    assert "of 1 winnable" in answer.out


def test_a_dealer_is_ignored_for_other_deals(config_home: Path) -> None:
    save(saved("app"))
    answer = run("show", "ms:1", "--dealer", "app")
    assert answer.err == (
        "boulanger: note: --dealer app is ignored: it applies to game codes only\n"
    )
    assert answer_json("show", "ms:1", "--dealer", "app")["dealer"] == "ms"


def test_a_dealer_in_use_that_went_away(config_home: Path) -> None:
    path = save(saved("app"))
    use("app")
    path.unlink()
    check_bad_input(run("show", CODE), "`boulanger dealers --use bk1` changes that")
    assert run("show", CODE, "--dealer", "bk1").code == 0
    assert run("show", "ms:1").code == 0
    assert run("dealers", "--use", "bk1").code == 0
    assert run("show", CODE).code == 0


def test_settings_that_cannot_be_read(config_home: Path) -> None:
    config_home.mkdir(parents=True)
    (config_home / "settings.toml").write_text("dealer = ")
    check_bad_input(run("show", CODE), "is not TOML; `boulanger dealers --use bk1`")
    assert run("dealers", "--use", "bk1").code == 0
    assert run("show", CODE).code == 0
    (config_home / "settings.toml").write_text('dealer = 7\nother = "kept"\n')
    check_bad_input(run("show", CODE), "dealer is 7; a name expected")
    assert run("dealers", "--use", "bk1").code == 0
    assert 'other = "kept"' in (config_home / "settings.toml").read_text()


def test_a_folder_that_cannot_be_written(config_home: Path) -> None:
    config_home.parent.mkdir(parents=True)
    config_home.write_text("not a folder")
    with pytest.raises(DealError, match="cannot be written"):
        save(saved("app"))
    check_bad_input(run("dealers", "--use", "bk1"), "cannot be")


def test_a_saved_dealer_needs_no_numpy(config_home: Path) -> None:
    save(saved("app"))
    script = (
        "import atexit, sys\n"
        "heavy = {'numba', 'numpy', 'rich'}\n"
        "atexit.register(lambda: print(sorted(heavy & sys.modules.keys())))\n"
        "from boulanger.__main__ import main\n"
        "main()\n"
    )
    for args in (["show", CODE, "--dealer", "app"], ["dealers"]):
        process = subprocess.run(
            [sys.executable, "-c", script, *args], capture_output=True, text=True, check=False
        )
        assert process.stdout.splitlines()[-1] == "[]", process.stderr


# The file.


def test_the_file_round_trips() -> None:
    for rule in (APP, HEX, Rule(), Rule(TextSeed(), "seedrandom", "scaled", "up")):
        dealer = saved("app", rule, CODE)
        text = format_dealer(dealer)
        assert text.startswith("# A dealer for Boulanger")
        assert parse_dealer("app", text.encode()) == dealer


def test_saving_never_overwrites(config_home: Path) -> None:
    path = save(saved("app"))
    before = path.read_bytes()
    with pytest.raises(DealError, match="already"):
        save(saved("app", HEX, CODE))
    assert path.read_bytes() == before


FILE = format_dealer(saved("app", Rule(), CODE))
BAD_FILES = [
    ("nothing", "", "format is None; 1 expected"),
    ("another format", FILE.replace("format = 1", "format = 2"), "format is 2; 1 expected"),
    ("no TOML", FILE.replace("[seed]", "[seed"), "not TOML: "),
    ("unknown key", FILE.replace("[seed]", '[seed]\nsalt = "x"'), "[seed] has 'salt'"),
    ("unknown table", FILE + "\n[more]\nx = 1\n", "the file has 'more'"),
    ("unknown generator", FILE.replace("splitmix64", "splitmix63"), "'splitmix63'; expected: java"),
    ("unknown draw", FILE.replace("high-scaled", "high"), "'high' does not go with"),
    ("a draw of another", FILE.replace("high-scaled", "java-next-int"), "does not go with"),
    ("unknown shuffle", FILE.replace('"down"', '"riffle"'), "shuffle in [shuffle] is 'riffle'"),
    ("no suits", FILE.replace('suits = "SHDC"\n', ""), "suits in [deck] is missing"),
    ("wrong suits", FILE.replace('"SHDC"', '"SHDD"'), "suits in [deck] is 'SHDD'"),
    ("number for a name", FILE.replace('"SHDC"', "7"), "suits in [deck] is '7'"),
    ("no board", FILE[: FILE.index("[[boards]]")], "there is no [[boards]]"),
    ("wrong code", FILE.replace(CODE, "BK1-C4-AAAAA20"), "'BK1-C4-AAAAA20' has '0'"),
    ("another code", FILE.replace(CODE, OTHER_CODE), "does not deal the board that it gives"),
    ("another deck", FILE.replace('"SHDC"', '"HSDC"'), "does not deal the board that it gives"),
    ("a card less", FILE.replace("3C 5H AS", "3C 5H"), "is not the 52 cards as dealt"),
    ("a card twice", FILE.replace("3C 5H AS", "3C 5H 3C"), "is not the 52 cards as dealt"),
    ("no card", FILE.replace("3C 5H AS", "3C 5H XX"), "'XX' is not a card"),
    ("no columns", FILE.replace("columns", "rows"), "[[boards]] needs a code and eight columns"),
    ("brackets", "x = " + "[" * 50000, "brackets within brackets"),
    ("long", FILE + "#" * 65536, "more than 64 KiB"),
]


@pytest.mark.parametrize(("name", "text", "reason"), BAD_FILES, ids=[bad[0] for bad in BAD_FILES])
def test_bad_files(name: str, text: str, reason: str, config_home: Path) -> None:
    assert text != FILE
    folder = config_home / "dealers"
    folder.mkdir(parents=True)
    (folder / "app.toml").write_text(text)
    answer = run("show", CODE, "--dealer", "app")
    check_bad_input(answer, reason)
    assert "app.toml" in answer.err


def test_a_file_that_is_no_text() -> None:
    with pytest.raises(DealError, match="not text in UTF-8"):
        parse_dealer("app", b"\xff\xfe")


def test_the_good_file_is_good() -> None:
    assert parse_dealer("app", FILE.encode()).rule == Rule()
