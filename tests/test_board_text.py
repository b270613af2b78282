"""Boards as text: every posted board, every slip, round trips, and noise."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boulanger.engine.boards.text import MAX_BOARD_BYTES, parse_board
from boulanger.engine.boards.tokens import read_foundation
from boulanger.engine.boards.writing import format_board, position_to_json
from boulanger.engine.cards import NUM_CARDS, card_text
from boulanger.engine.position import NUM_COLUMNS, Position
from tests.board_samples import (
    BOARDS,
    CELLS_ASKED,
    EXPECTED,
    MIDGAME,
    MS_24,
    WORDS,
    any_positions,
    cards,
    deal_of,
    error_of,
    microsoft_deal,
    reads_or_refuses,
    rows_text,
)

ROWS_NOTE = "read as rows: the lines run across the columns"


# Posted boards.


def test_every_posted_board_has_an_expectation() -> None:
    files = {path.name for path in BOARDS.iterdir()} - {"README.md", "expected.json"}
    assert files == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_posted_board(name: str) -> None:
    expected = EXPECTED[name]
    data = (BOARDS / name).read_bytes()
    if "error" in expected:
        assert expected["error"] in error_of(data)
        assert expected["error"] in error_of(data, 2)
        return
    board = parse_board(data)
    assert board.position.num_cells == 4
    assert list(board.notes) == expected.get("notes", [])
    if "ms" in expected:
        assert board.position == microsoft_deal(expected["ms"])
    for num_cells in expected["verdicts"]:
        assert parse_board(data, int(num_cells)).position.num_cells == int(num_cells)
    for num_cells, error in expected.get("error_by_cells", {}).items():
        assert error in error_of(data, int(num_cells))


def test_midgame_boards_literally() -> None:
    blank = Position.from_text((BOARDS / "midgame-empty-line.txt").read_bytes())
    assert blank.columns[3] == ()
    assert blank.columns[4] == cards("2D KD TH TC TD 8D")
    assert blank.cells == (*cards("6D 5S"), None, None)
    assert blank.foundations == (2, 2, 1, 2)
    colons = Position.from_text((BOARDS / "midgame-colons-ace-foundation.txt").read_bytes())
    assert colons.columns[6] == ()
    assert colons.columns[7] == cards("7S 6C 7D 4D 8S 9D")
    assert colons.cells == cards("6S 8H QD 4S")
    assert colons.foundations == (1, 4, 1, 1)
    long = Position.from_text((BOARDS / "midgame-long-columns-no-cells.txt").read_bytes())
    assert max(map(len, long.columns)) == 15
    assert long.foundations == (0, 3, 1, 2)


# Text: the same board in other clothes.


@pytest.mark.parametrize(
    "text",
    [
        MS_24.replace("T", "10"),
        MS_24.lower(),
        MS_24.replace("S", "♠").replace("H", "♥").replace("D", "♦").replace("C", "♣"),
        MS_24.replace("H", "♥\ufe0f").replace("S", "♤"),
        MS_24.replace("\n", "\r\n"),
        MS_24.replace("\n", "\r"),
        MS_24.rstrip("\n"),
        MS_24.replace("\n", "\n\n"),
        "\n\n" + MS_24 + "\n \n\t\n",
        MS_24.replace("\n", "   \n"),
        MS_24.replace(" ", "\t"),
        MS_24.replace(" ", ", "),
        MS_24.replace(" ", "\u00a0"),
        MS_24.replace(" ", " \u200b"),
        "".join(f": {line}\n" for line in MS_24.splitlines()),
        "".join(f"  :{line}\n" for line in MS_24.splitlines()),
        "# deal 24\n" + MS_24 + "// the end; or so\n; really\n",
        MS_24.replace("2H\n", "2H # the first column\n", 1),
        "Foundations: S-0 H-0 D-0 C-0\nFreecells: - - - -\n\n" + MS_24,
        MS_24 + "Freecells:\nFoundations:\n",
        MS_24.replace("5H QH", "Freecells: -- -- -- --\n5H QH"),
        "\ufeff" + MS_24,
        b"\xef\xbb\xbf" + MS_24.encode(),
    ],
)
def test_clothes(text: str | bytes) -> None:
    board = parse_board(text)
    assert board.position == deal_of(MS_24)
    assert board.notes == ()


@pytest.mark.parametrize(
    "foundations",
    [
        "Foundations: S-A D-A C-A H-4",
        "foundations: s-1 d-1 c-1 h-4",
        "Founds: ♥-4 ♣-A ♦-A ♠-A",
        "Foundations: H-4, C-A, D-A, S-A",
        "Foundations: H:4 C=A D\u2013A SA",
        "Foundation: 4H AC AD AS",
        "Foundations 4H AC AD AS",
    ],
)
def test_foundation_lines(foundations: str) -> None:
    lines = MIDGAME.splitlines(keepends=True)
    expected = Position.from_text(MIDGAME)
    assert Position.from_text("".join([foundations + "\n", *lines[1:]])) == expected
    assert Position.from_text("".join([*lines[1:], foundations])) == expected


def test_foundation_ranks() -> None:
    ranks = ["0", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    assert [read_foundation(f"H-{rank}") for rank in ranks] == [(1, n) for n in range(14)]
    assert [read_foundation(f"c-{n}") for n in range(14)] == [(3, n) for n in range(14)]
    assert read_foundation("D-t") == read_foundation("TD") == (2, 10)


@pytest.mark.parametrize("empty", [":", "-", "--", ": -", "\u2014", ""])
def test_empty_column(empty: str) -> None:
    assert Position.from_text(MIDGAME.replace("\n:\n", f"\n{empty}\n")).columns[6] == ()


def test_blank_lines_mean_nothing_beside_eight_column_lines() -> None:
    text = MIDGAME.replace("\n: 5H", "\n\n\n: 5H")
    assert parse_board(text) == parse_board(MIDGAME)


def test_blank_lines_outside_the_block_are_no_columns() -> None:
    lines = MS_24.splitlines()
    message = error_of("Freecells:\n\n" + "\n".join(lines[:7]) + "\n\n")
    assert "8 columns expected, 7 found" in message


def test_two_blank_lines_are_two_empty_columns() -> None:
    merged = [*MS_24.splitlines()[:5], " ".join(MS_24.splitlines()[5:])]
    board = parse_board("\n".join([*merged[:2], "", *merged[2:4], " ", *merged[4:]]))
    assert [c for c, column in enumerate(board.position.columns) if not column] == [2, 5]
    assert board.notes == ("lines 3 and 6 are blank: read as empty columns",)


def test_a_comment_line_is_no_empty_column() -> None:
    lines = MS_24.splitlines()
    assert "7 found" in error_of("\n".join([*lines[:3], "# hello", *lines[3:7]]))


# Text: the number of cells.


@pytest.mark.parametrize(
    ("line", "num_cells", "expected"),
    [
        ("Freecells: 6S - 8H", None, "6S - 8H"),
        ("Freecells: 6S - 8H -", None, "6S - 8H -"),
        ("Freecells: 6S 8H # 2 cells", None, "6S 8H # 2 cells"),
        ("Freecells: 6S 8H # 2 cells", 3, "6S 8H -"),
        ("Freecells:  6S      8H", None, "6S - 8H -"),
        ("Freecells:  6S      8H                    ", None, "6S - 8H - - - - -"),
        ("Cells: 6S 8H", None, "6S 8H - -"),
        ("Free cells: 6S 8H", 2, "6S 8H # 2 cells"),
        ("Freecells: 6S - 8H -", 2, "6S 8H # 2 cells"),
        ("Freecells: - 6S - 8H - -", None, "- 6S - 8H - -"),
        ("Freecells: - 6S - 8H - -", 3, "6S 8H -"),
        ("Freecells: 6S -- 8H", 8, "6S - 8H - - - - -"),
    ],
)
def test_number_of_cells(line: str, num_cells: int | None, expected: str) -> None:
    text = MIDGAME.replace("\n:\n", "\n: QD 4S\n").replace("Freecells: 6S 8H QD 4S", line)
    board = parse_board(text, num_cells)
    assert board.position.to_text().splitlines()[1] == f"Freecells: {expected}"


def test_more_cards_in_cells_than_cells() -> None:
    assert "4 cards in cells (6S 8H QD 4S) but only 2 cells in play" in error_of(MIDGAME, 2)
    text = MIDGAME.replace("QD 4S", "QD 4S 9D").replace("8S 9D", "8S")
    assert "5 cards in cells" in error_of(text)
    assert "at least 5 needed" in error_of(text)
    assert parse_board(text, 5).position.num_cells == 5
    assert "9 cells" in error_of("Freecells:" + " -" * 9 + "\n" + MS_24)
    assert "9 cells" in error_of(MS_24, 9)
    assert "-1 cells" in error_of(MS_24, -1)


# Text: rows.


def test_a_row_of_gaps_is_an_empty_column_no_more() -> None:
    position = Position.from_text(MIDGAME)
    headers = "".join(MIDGAME.splitlines(keepends=True)[:2])
    board = parse_board(headers + rows_text(position))
    assert board.position == position
    assert board.notes == (ROWS_NOTE,)
    assert parse_board("-- -- -- --\n" + headers + rows_text(position)).position == position


def test_rows_with_ended_columns_left_blank() -> None:
    text = MIDGAME.replace("\n:\n", "\n: 6S\n").replace("6S 8H", "8H")
    position = Position.from_text(text)
    headers = "".join(text.splitlines(keepends=True)[:2])
    for separator in ("  ", " "):
        drawn = rows_text(position, "  ", separator)
        assert parse_board(headers + drawn).position == position
    tabbed = rows_text(position, "", "\t")
    assert parse_board(headers + tabbed).position == position
    unclear = "2C QH 9S 2S KD JS      6C"
    drawn = rows_text(position, "  ").replace("2C QH 9S 2S KD JS    6C", unclear)
    assert unclear in drawn
    assert "write -- where a column has ended" in error_of(headers + drawn)


def test_rows_under_cells_and_foundations() -> None:
    position = Position.from_text(
        MIDGAME.replace("QD 4S\n", "- -\n").replace("8S 9D", "8S 9D QD 4S")
    )
    board = parse_board("6S 8H -- -- AS 4H AD AC\n" + rows_text(position))
    assert board.position == position
    assert board.notes == (ROWS_NOTE, "the first row read as four cells and four foundations")
    twice = "Freecells: 6S 8H\n6S 8H -- -- AS 4H AD AC\n" + rows_text(position)
    assert "given twice" in error_of(twice)


def test_more_than_eight_rows_without_gaps() -> None:
    lengths = [10, 9, 8, 7, 6, 5, 4, 3]
    deck = iter(range(NUM_CARDS))
    position = Position(tuple(tuple(next(deck) for _ in range(n)) for n in lengths))
    assert parse_board(rows_text(position, "")).position == position


def test_lines_that_can_be_rows_and_columns_are_refused() -> None:
    lengths = [8, 8, 8, 7, 7, 6, 4, 4]
    deck = iter(range(NUM_CARDS))
    position = Position(tuple(tuple(next(deck) for _ in range(n)) for n in lengths))
    columns = "".join(" ".join(map(card_text, column)) + "\n" for column in position.columns)
    message = error_of(columns)
    assert "can be columns" in message
    assert "can be rows" in message
    assert "--rows" in message
    assert parse_board(columns, layout="columns").position == position
    rows = parse_board(columns, layout="rows")
    assert rows.position.columns[0] == tuple(column[0] for column in position.columns)
    assert ROWS_NOTE in rows.notes


def test_a_card_below_a_gap() -> None:
    drawn = rows_text(microsoft_deal(1)).splitlines()
    drawn[3] = "-- " + drawn[3][3:]
    assert "line 5, column 1: 3S stands below a gap in column 1" in error_of("\n".join(drawn))


# Text: slips.


def test_missing_and_duplicate_cards() -> None:
    message = error_of(MS_24.replace("QD", "AS"))
    assert message == "1 card missing: QD; AS is there 2 times: column 2, column 4"
    message = error_of(MIDGAME.replace("QH 3C", "6S 3C"))
    assert "QH" in message
    assert "6S is there 2 times: column 2, cell a" in message
    message = error_of(MS_24.replace(" JD", "").replace(" 9D", ""))
    assert message == "2 cards missing: 9D JD"
    message = error_of((BOARDS / "rows-of-eight.txt").read_text().replace("JD", "KD"))
    assert message.startswith(ROWS_NOTE)
    assert "KD is there 2 times: column 1, column 1" in message


def test_foundation_clash() -> None:
    message = error_of(MIDGAME.replace("H-4", "H-6"))
    assert message == (
        "the hearts foundation is given as holding all up to 6H, but 5H is in column 2 and "
        "6H is in column 3"
    )
    message = error_of(MIDGAME.replace("S-A", "S-6"))
    assert "6S is in cell a" in message
    assert "1 card missing: 4H" in error_of(MIDGAME.replace("H-4", "H-3"))


@pytest.mark.parametrize(
    ("given", "right"),
    [("A-H", "H-A"), ("5-h", "H-5"), ("0-S", "S-0"), ("10-♦", "D-T")],
)
def test_foundation_backwards(given: str, right: str) -> None:
    message = error_of(MIDGAME.replace("H-4", given))
    assert message.startswith(f"line 1, column 14: '{given}' is written backwards")
    assert message.endswith(right)


@pytest.mark.parametrize("given", ["H-14", "X-4", "H", "4", "H-", "-4", "H-4-5", "H-4 H-4", "7"])
def test_foundation_nonsense(given: str) -> None:
    assert error_of(MIDGAME.replace("H-4", given)).startswith("line 1, column 1")


@pytest.mark.parametrize(
    ("good", "bad", "message"),
    [
        ("QH 3C", "QX 3C", "line 2, column 4: 'QX' is not a card"),
        ("QH 3C", "Q 3C", "line 2, column 4: 'Q' has a rank but no suit"),
        ("QH 3C", "H 3C", "line 2, column 4: 'H' is not a card"),
        ("QH 3C", "1H 3C", "line 2, column 4: '1H' is not a card"),
        ("QH 3C", "QH3C", "line 2, column 4: 'QH3C' is not a card"),
        ("QH 3C", "-- 3C", "line 2, column 4: '--' among the cards of a column"),
        ("QH 3C", "QH : 3C", "line 2, column 7: ':' is not a card"),
        ("QH 3C", "Q" * 5000, "line 2, column 4: 'QQQQQQQQQQQQQQQQQQQQQQQ…' is not a card"),
        ("4C 2C", "Talon 4C 2C", "line 1, column 1: 'Talon' is not a card"),
    ],
)
def test_wrong_tokens(good: str, bad: str, message: str) -> None:
    found = error_of(MS_24.replace(good, bad))
    assert found.startswith(message)
    assert len(found) < 200


def test_wrong_number_of_columns() -> None:
    lines = MS_24.splitlines()
    assert "8 columns expected, 6 found" in error_of("\n".join(lines[:6]))
    assert "8 columns expected, 9 found" in error_of("\n".join([*lines, lines[0]]))
    assert "8 columns expected, 9 found" in error_of("\n".join([lines[0], *lines]))
    assert "8 columns expected, 0 found" in error_of("Freecells: 4C")
    assert "8 columns expected, 1 found" in error_of(MS_24.replace("\n", " ").replace(" 9D", ""))


def test_two_boards() -> None:
    other = rows_text(microsoft_deal(1))
    text = format_board(microsoft_deal(1))
    two = "two boards in one file: the second starts at line {}"
    assert error_of(MS_24 + MS_24) == two.format(9)
    assert error_of(MS_24 + "\n\n" + text) == two.format(11)
    assert error_of(text + "\n" + MIDGAME) == two.format(12)
    assert error_of(MIDGAME + "\n" + text) == two.format(12)
    assert error_of(MS_24 + "Freecells:\n" + MS_24 + "Freecells:\n") == two.format(10)
    assert error_of(MS_24 * 5) == two.format(9)
    assert error_of(other.replace(" --", "") * 2) == two.format(8)
    both = json.dumps(position_to_json(microsoft_deal(1)), indent=1)
    second = both.count("\n") + 2
    assert error_of(both + "\n" + both) == two.format(second)


def test_a_line_given_twice() -> None:
    assert error_of(MIDGAME + "Freecells: 6S") == (
        "line 11: the cells are given twice, first in line 2"
    )
    assert "line 2: the foundations are given twice" in error_of("Foundations:\n" + MIDGAME)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16(encoding: str) -> None:
    assert parse_board(MS_24.encode(encoding)).position == deal_of(MS_24)
    json_text = (BOARDS / "json-ms1.json").read_text()
    assert parse_board(json_text.encode(encoding)).position == microsoft_deal(1)
    assert "damaged UTF-16" in error_of(b"\xff\xfe" + MS_24.encode("utf-16-le")[:-1])


def test_word_processors() -> None:
    rtf = "{\\rtf1\\ansi{\\fonttbl\\f0 Menlo;}\n\\f0 4C 2C 9C\\\n}"
    assert "plain text" in error_of(rtf)
    assert "plain text" in error_of(b"PK\x03\x04 word/document.xml")
    assert "web page" in error_of("<!DOCTYPE html><html><body>4C 2C</body></html>")


@pytest.mark.parametrize(
    "nothing", ["", b"", "\n \r\n\t", "\ufeff", b"\xef\xbb\xbf\n", "# only\n//\n"]
)
def test_empty(nothing: str | bytes) -> None:
    assert "eight column lines or JSON expected" in error_of(nothing)


def test_binary() -> None:
    assert error_of(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").startswith("line 1, column 1: byte 0x89")
    assert error_of(b"\x7fELF\x02\x01\x01\0\0\0").startswith("line 1, column 1: binary data (0x7f)")
    assert error_of("4C 2C\n9C \0").startswith("line 2, column 4: binary data (0x00)")
    assert error_of("4C 2C # donn\xe9".encode("latin-1")).startswith("line 1, column 13: byte 0xe9")


@pytest.mark.parametrize("unit", [b"4C ", b"\0", b"\n", b"[", b"{", b"-- ", b": ", b"\xff", b"H-A"])
def test_huge(unit: bytes) -> None:
    started = time.process_time()
    assert "too long for a board" in error_of(unit * (10 * 2**20 // len(unit)))
    error_of(unit * (MAX_BOARD_BYTES // len(unit)))
    error_of(b"Freecells: " + unit * (MAX_BOARD_BYTES // len(unit) - 20))
    error_of(b"Foundations: " + unit * (MAX_BOARD_BYTES // len(unit) - 20))
    assert time.process_time() - started < 5


# Round trips.


@given(any_positions())
def test_text_round_trip(position: Position) -> None:
    text = position.to_text()
    assert Position.from_text(text, position.num_cells) == position
    assert Position.from_text(text.encode(), position.num_cells) == position
    if position.num_cells == 4 or (position.num_cells > 4 and position.num_free_cells):
        assert parse_board(text).position == position
    assert parse_board(text, position.num_cells).notes == ()


def test_text_literally() -> None:
    assert format_board(Position.from_text(MIDGAME)) == MIDGAME
    won = Position(((),) * 8, (None,) * 2, (13,) * 4)
    text = "Foundations: H-K C-K D-K S-K\nFreecells: - -\n" + ":\n" * 8
    assert format_board(won) == text
    assert parse_board(text, 2).position == won


@given(any_positions())
def test_rows_round_trip(position: Position) -> None:
    headers = "".join(position.to_text().splitlines(keepends=True)[:2])
    if position.num_empty_columns < NUM_COLUMNS and len(set(map(len, position.columns))) > 1:
        text = headers + rows_text(position)
        assert parse_board(text, position.num_cells).position == position


# Noise.


@given(st.binary(max_size=300), CELLS_ASKED)
def test_random_bytes(data: bytes, num_cells: int | None) -> None:
    reads_or_refuses(data, num_cells)


@given(st.text(max_size=300), CELLS_ASKED)
def test_random_text(text: str, num_cells: int | None) -> None:
    reads_or_refuses(text, num_cells)


@given(st.lists(WORDS, max_size=80).map(" ".join), CELLS_ASKED)
def test_random_words(text: str, num_cells: int | None) -> None:
    reads_or_refuses(text, num_cells)


@given(st.sampled_from(sorted(EXPECTED)), st.data())
def test_mutated_boards(name: str, data: st.DataObject) -> None:
    board = bytearray((BOARDS / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(board)))
        end = min(len(board), start + data.draw(st.integers(0, 30)))
        piece = board[start:end]
        new = data.draw(st.sampled_from([b"", b"\n", b" ", b"--", b":", b"\xe2", piece * 2]))
        board[start:end] = new
    reads_or_refuses(bytes(board), data.draw(CELLS_ASKED))
