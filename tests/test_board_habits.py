"""Boards of players who are stuck, and habits of writing: one middle game in many forms."""

from __future__ import annotations

import pytest

from boulanger.engine.boards.text import parse_board
from boulanger.engine.cards import card_text
from tests.board_samples import MIDGAME, error_of
from tests.board_writers import rows

POSITION = parse_board(MIDGAME).position
LABELS = "".join(MIDGAME.splitlines(keepends=True)[:2])
COLUMNS = MIDGAME.splitlines()[2:]
BARE = [line[2:] for line in COLUMNS]
DRAWN = rows(POSITION, card_text, "", 3)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (MIDGAME.split("\n", 1)[1], "missing 7 cards AS AH 2H 3H 4H AD AC taken to be home"),
        ("6S 8H QD 4S AS 4H AD AC\n\n" + DRAWN, "four cells and four foundations"),
        ("6S 8H QD 4S AS 4H AD AC\n" + DRAWN, "four cells and four foundations"),
        ("AS 4H AD AC 6S 8H QD 4S\n" + DRAWN, "foundations and four cells"),
        (LABELS + DRAWN, "read as rows"),
        ("6S 8H QD 4S\n" + "\n".join(COLUMNS), "the first line read as the cells"),
        ("6S 8H QD 4S\nAS 4H AD AC\n" + "\n".join(COLUMNS), "the first two lines"),
        (MIDGAME.replace("Foundations: H-4 C-A D-A S-A", "Home: 4H AC AD AS"), None),
        (MIDGAME.replace("4C 2C", "♣4 ♣2"), None),
        (MIDGAME.replace("TD", "10 D").replace("TC", "1OC"), None),
        (MIDGAME.replace("TH", "0H").replace("TC", "0C").replace("TD", "0D"), None),
        (LABELS + "\n".join(f"{n}. {line}" for n, line in enumerate(BARE, start=1)), "passed over"),
        (LABELS + "\n".join(f"{n} {line}" for n, line in enumerate(BARE, start=1)), "passed over"),
        (LABELS + "\n".join(f"C{n}: {line}" for n, line in enumerate(BARE, start=1)), "passed"),
        (
            "\n".join(COLUMNS)
            + "\nFoundations: Hearts: 4, Clubs: A, Diamonds: A, Spades: A\n"
            + "Free cells: a: 6S, b: 8H, c: QD, d: 4S\n",
            None,
        ),
        (
            LABELS
            + "\n".join("| " + " | ".join((line.split() + ["--"] * 8)[:8]) + " |" for line in BARE),
            None,
        ),
        ("Can you win this?\n\n" + MIDGAME, "passed over: line 1"),
        (MIDGAME.lower(), None),
    ],
)
def test_forms_of_a_middle_game(text: str, note: str | None) -> None:
    board = parse_board(text)
    assert board.position == POSITION
    if note is not None:
        assert any(note in given for given in board.notes), board.notes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("6S 8H QD 4S\n" + "\n".join(BARE), "the first line can be a column"),
        (
            MIDGAME.replace("8D", "").split("\n", 1)[1],
            "if the low ones are home, say so with a line Foundations: H-4 C-A D-A S-A",
        ),
        (MIDGAME.replace("H-4", "H-0"), "if they are home, say so with a line Foundations: H-4"),
        (MIDGAME.replace("Freecells: 6S 8H", "Freecells: 6S        8H"), "write - for each"),
    ],
)
def test_what_is_not_guessed(text: str, message: str) -> None:
    assert message in error_of(text)


def test_four_aces_above_full_rows_are_told_apart_by_a_blank_line() -> None:
    top = "3S 5C 7C KH AS AH AD AC\n"
    below = """\
5S 9C 2S 8S 4S TC 3C KS
2C KC TS QC 6C 9H 8C 7S
6S JS 6D JC JD TD QS 9D
TH 5D 5H 4C JH 9S 8D 8H
QD 4D 4H KD 6H 7D 7H 2D
QH 3D 3H    2H
"""
    assert "can be the cells and the foundations" in error_of(top + below)
    assert "write the cells behind Freecells:" in error_of(top + below)
    board = parse_board(top + "\n" + below)
    assert board.position.foundations == (1, 1, 1, 1)
    assert "four cells and four foundations" in board.notes[1]
