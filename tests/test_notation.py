"""Moves as text: literal moves on one board, what is refused and why, and round trips."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boulanger.engine.cards import parse_card
from boulanger.engine.errors import IllegalMoveError, NotationError
from boulanger.engine.moves import Action, Ply, Zone, cell_place, column_place, foundation_place
from boulanger.engine.notation import (
    MoveToken,
    describe_action,
    describe_ply,
    format_action,
    format_ply,
    parse_action,
    parse_moves,
)
from boulanger.engine.position import CELL_LETTERS, Position
from boulanger.engine.rules import apply_action, legal_actions, legal_plies
from tests.strategies import cards, positions

C1, C2, C3, C4, C5, C6, C7, C8 = map(column_place, range(8))
A, B, D = cell_place(0), cell_place(1), cell_place(3)
HEARTS, DIAMONDS = foundation_place(1), foundation_place(2)


# Column 1 ends in a run of three, column 2 in one of two that fits there; column 8 is empty.
BOARD = Position(
    (
        cards("KH 9H 8H 7H"),
        cards("TH 6H 5H"),
        cards("JH QH 3H"),
        cards("KD QD JD"),
        cards("KS JS"),
        cards("QS"),
        cards("2C KC QC JC TC 9C 8C 7C 6C 5C 4C 3C AC"),
        (),
    ),
    (parse_card("4H"), None, None, None),
    (10, 2, 10, 0),
)
CLUBS = "KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C AC"
# Column 2 holds all clubs in order; columns 3 to 8 are empty.
LONG_RUN = Position(
    (cards("QD KD"), cards(CLUBS), (), (), (), (), (), ()), (None,) * 4, (13, 13, 11, 0)
)

BOARD.check()
LONG_RUN.check()

LITERALS = [
    ("1b", Action(C1, B), "7H from column 1 to cell b"),
    ("4d", Action(C4, D), "JD from column 4 to cell d"),
    ("21", Action(C2, C1, 2), "6H-5H (2 cards) from column 2 onto 7H"),
    ("56", Action(C5, C6), "JS from column 5 onto QS"),
    ("a2", Action(A, C2), "4H from cell a onto 5H"),
    ("a8", Action(A, C8), "4H from cell a to empty column 8"),
    ("ab", Action(A, B), "4H from cell a to cell b"),
    ("18v3", Action(C1, C8, 3), "9H-7H (3 cards) from column 1 to empty column 8"),
    ("18v2", Action(C1, C8, 2), "8H-7H (2 cards) from column 1 to empty column 8"),
    ("18v1", Action(C1, C8, 1), "7H from column 1 to empty column 8"),
    ("48v3", Action(C4, C8, 3), "KD-JD (3 cards) from column 4 to empty column 8"),
    ("58", Action(C5, C8), "JS from column 5 to empty column 8"),
    ("3h", Action(C3, HEARTS), "3H from column 3 home"),
    ("4h", Action(C4, DIAMONDS), "JD from column 4 home"),
]


@pytest.mark.parametrize(("text", "action", "words"), LITERALS)
def test_literal_moves(text: str, action: Action, words: str) -> None:
    assert format_action(BOARD, action) == text
    assert parse_action(BOARD, text) == action
    assert parse_action(BOARD, f" {text.upper()}\n") == action
    assert describe_action(BOARD, action) == words


def test_home_from_a_cell() -> None:
    position = apply_action(BOARD, Action(C3, HEARTS))
    action = Action(A, HEARTS)
    assert parse_action(position, "ah") == action
    assert format_action(position, action) == "ah"
    assert describe_action(position, action) == "4H from cell a home"


def test_missing_length_moves_the_longest_run() -> None:
    assert parse_action(BOARD, "18") == Action(C1, C8, 3)
    assert parse_action(BOARD, "58") == Action(C5, C8, 1)
    assert parse_action(BOARD, "58v1") == Action(C5, C8, 1)
    no_cells = Position(BOARD.columns, (parse_card("4H"),), BOARD.foundations)
    assert parse_action(no_cells, "18") == Action(C1, C8, 1)
    assert format_action(no_cells, Action(C1, C8)) == "18"


def test_lengths_are_hexadecimal() -> None:
    for length, digit in enumerate("123456789abcd", start=1):
        action = Action(C2, C8, length)
        assert format_action(LONG_RUN, action) == f"28v{digit}"
        assert parse_action(LONG_RUN, f"28v{digit}") == action
        assert parse_action(LONG_RUN, f"28V{digit.upper()}") == action


def test_the_eighth_cell_is_i() -> None:
    position = Position(LONG_RUN.columns, (None,) * 8, LONG_RUN.foundations)
    for i, letter in enumerate("abcdefgi"):
        assert parse_action(position, f"1{letter}") == Action(C1, cell_place(i))
        assert format_action(position, Action(C1, cell_place(i))) == f"1{letter}"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1e", "cell e: only 4 cells are in play"),
        ("i1", "cell i: only 4 cells are in play"),
        ("eh", "cell e: only 4 cells are in play"),
        ("ei", "cell e: only 4 cells are in play"),
        ("b1", "cell b is empty"),
        ("bh", "cell b is empty"),
        ("81", "column 8 is empty"),
        ("8h", "column 8 is empty"),
        ("1a", "7H cannot go to cell a: 4H is there"),
        ("11", "7H is in column 1 already"),
        ("1h", "7H cannot go home: the hearts foundation waits for 3H"),
        ("h1", "nothing leaves the foundations: a card that is home stays there"),
        ("hh", "nothing leaves the foundations: a card that is home stays there"),
        ("61", "QS cannot go on 7H (column 1): only KS takes it"),
        ("a1", "4H cannot go on 7H (column 1): only 5H takes it"),
        ("14", "none of 9H-7H (column 1) can go on JD (column 4): it takes only TD"),
        ("12", "none of 9H-7H (column 1) can go on 5H (column 2): it takes only 4H"),
        ("17", "none of 9H-7H (column 1) can go on AC (column 7): it takes no card"),
        ("21v2", "v only goes with an empty column, and column 1 ends in 7H: write 21"),
        ("18v5", "5 cards cannot move from column 1: it has only 4"),
        (
            "18v4",
            "the last 4 cards of column 1, KH 9H 8H 7H, are not a run: "
            "only the last 3 are in order",
        ),
    ],
)
def test_moves_that_the_rules_refuse(text: str, sentence: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        parse_action(BOARD, text)
    assert str(caught.value) == sentence


def test_run_above_the_limit() -> None:
    position = Position(BOARD.columns, (parse_card("4H"), None), BOARD.foundations)
    with pytest.raises(IllegalMoveError) as caught:
        parse_action(position, "18v3")
    assert str(caught.value) == (
        "a run of 3 cards cannot move to column 8: "
        "with 1 free cell and 0 other empty columns at most 2 can"
    )
    full = Position(
        tuple(map(cards, ("KH 9H 8H", "6H 5H", "JH QH 7H", "TH", "4H", "3H", "KD QD JD", "KS"))),
        (),
        (12, 2, 10, 13),
    )
    with pytest.raises(IllegalMoveError) as caught:
        parse_action(full, "23")
    assert str(caught.value) == (
        "a run of 2 cards cannot move to column 3: "
        "with 0 free cells and 0 empty columns at most 1 can"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'' is not a move: a move is two places, from and to, such as 26, a5, 3h or 28v3"),
        ("2", "'2' is not a move: a move is two places, from and to, such as 26, a5, 3h or 28v3"),
        ("266", "'266' is not a move: a move is two places"),
        ("2-6", "'2-6' is not a move: write 26"),
        ("2>a", "'2>a' is not a move: write 2a"),
        ("29", "'29' is not a move: the columns are 1 to 8"),
        ("01", "'01' is not a move: the columns are 1 to 8"),
        ("2j", "'2j' is not a move: 'j' is not a place; the columns are 1 to 8, the cells a"),
        ("²6", "'²6' is not a move: '²' is not a place"),
        ("28v", "'28v' is not a move: after v comes the number of cards: 1 to 9, or a to d for 10"),
        ("28v0", "'28v0' is not a move: after v comes the number of cards"),
        ("28v10", "'28v10' is not a move: after v comes the number of cards"),
        ("28ve", "'28ve' is not a move: after v comes the number of cards"),
        ("1av3", "'1av3' is not a move: v only goes with a run from column to column; write 1a"),
        ("4hv1", "'4hv1' is not a move: v only goes with a run from column to column; write 4h"),
        ("x" * 30, f"'{'x' * 30}' is not a move: 'x' is not a place"),
    ],
)
def test_texts_that_are_no_moves(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(BOARD, text)
    assert str(caught.value).startswith(sentence)


def test_illegal_actions_have_no_text() -> None:
    for write in (format_action, describe_action):
        with pytest.raises(IllegalMoveError, match="cell b is empty"):
            write(BOARD, Action(B, C1))


def test_plies() -> None:
    seven = parse_card("7H")
    into_column, into_cell = Ply(seven, C1, C8), Ply(seven, C1, B)
    assert format_ply(BOARD, into_column) == "18v1"
    assert format_ply(BOARD, into_cell) == "1b"
    assert describe_ply(BOARD, into_column) == "7H from column 1 to empty column 8"
    assert describe_ply(BOARD, into_cell) == "7H from column 1 to cell b"


def test_parse_moves() -> None:
    text = "\ufeff26, a5;3h # comes home, 11\r\n\r\n# nothing\n 1. 28v3 2) 1a\t12.h5 \r99"
    assert parse_moves(text) == [
        MoveToken("26", 1, 1),
        MoveToken("a5", 1, 5),
        MoveToken("3h", 1, 8),
        MoveToken("28v3", 4, 5),
        MoveToken("1a", 4, 13),
        MoveToken("h5", 4, 19),
        MoveToken("99", 5, 1),
    ]
    assert parse_moves("") == parse_moves("# nothing") == parse_moves(" 1. \n,") == []


@given(positions())
def test_round_trip_of_every_legal_action(position: Position) -> None:
    texts = set()
    for action in legal_actions(position, all_places=True):
        text = format_action(position, action)
        assert parse_action(position, text) == action
        assert parse_action(position, text.upper()) == action
        assert [token.text for token in parse_moves(text)] == [text]
        is_sized = "v" in text
        goes_into_empty = (
            action.destination.zone == Zone.COLUMN
            and not (position.columns[action.destination.index])
        )
        assert goes_into_empty or not is_sized
        assert is_sized or not goes_into_empty or action.length == 1
        assert describe_action(position, action)
        texts.add(text)
    assert len(texts) == len(legal_actions(position, all_places=True))
    for ply in legal_plies(position, all_places=True):
        assert parse_action(position, format_ply(position, ply)) == ply.action


PLACE_LETTERS = st.sampled_from("12345678" + CELL_LETTERS + "h")


@given(
    positions(),
    st.one_of(
        st.text(max_size=5),
        st.builds(lambda *parts: "".join(parts), PLACE_LETTERS, PLACE_LETTERS),
        st.from_regex(r"\A[1-8][1-8]v[0-9a-f]\Z"),
    ),
)
def test_any_text_is_a_legal_action_or_an_error(position: Position, text: str) -> None:
    try:
        action = parse_action(position, text)
    except (IllegalMoveError, NotationError) as error:
        assert str(error)
        assert "\n" not in str(error)
    else:
        assert action in legal_actions(position, all_places=True)
