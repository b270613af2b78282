"""Boards as JSON: the written form, the forms read, every slip, round trips, noise."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boulanger.engine.boards.json_board import position_from_json
from boulanger.engine.boards.text import parse_board
from boulanger.engine.errors import BoardError
from boulanger.engine.position import Position
from tests.board_samples import (
    CELLS_ASKED,
    MIDGAME,
    MS_24,
    WORDS,
    any_positions,
    deal_of,
    error_of,
    reads_or_refuses,
)

MS_24_PILES = [line.split() for line in MS_24.splitlines()]
MIDGAME_PILES = [line[1:].split() for line in MIDGAME.splitlines()[2:]]


def test_json_literally() -> None:
    written = Position.from_text(MIDGAME).to_json()
    assert written == {
        "num_cells": 4,
        "foundations": {"S": 1, "H": 4, "D": 1, "C": 1},
        "cells": ["6S", "8H", "QD", "4S"],
        "columns": MIDGAME_PILES,
    }
    assert list(written) == ["num_cells", "foundations", "cells", "columns"]


@pytest.mark.parametrize(
    "board",
    [
        {"columns": MS_24_PILES},
        {"Tableau Piles": MS_24_PILES},
        {"tableau": [" ".join(pile) for pile in MS_24_PILES], "freecells": []},
        {"piles": MS_24_PILES, "cells": None, "foundations": None, "deal": "ms:24"},
        {"columns": MS_24_PILES, "cells": [None] * 4, "foundations": []},
        {"columns": MS_24_PILES, "foundations": [0, 0, 0, 0], "num_cells": 4},
        MS_24_PILES,
        tuple(map(tuple, MS_24_PILES)),
    ],
)
def test_json_forms(board: object) -> None:
    assert position_from_json(board) == deal_of(MS_24)
    assert parse_board(json.dumps(board)).position == deal_of(MS_24)
    assert parse_board(b"\xef\xbb\xbf \r\n" + json.dumps(board).encode()).notes == ()


@pytest.mark.parametrize(
    "foundations",
    [
        {"S": 1, "H": 4, "D": 1, "C": 1},
        {"h": "4", "♠": "A", "diamonds": "a", "Club": 1},
        [1, 4, 1, 1],
        ["H-4", "S-A", "D-A", "C-A"],
        ["4H", "AS", "AD", "AC"],
        "H-4 S-A D-A C-A",
    ],
)
@pytest.mark.parametrize("cells", [["6S", "8H", "QD", "4S"], "6S 8H QD 4S"])
def test_json_foundations_and_cells(foundations: object, cells: object) -> None:
    board = {"columns": MIDGAME_PILES, "founds": foundations, "free cells": cells}
    assert position_from_json(board) == Position.from_text(MIDGAME)


def test_json_number_of_cells() -> None:
    six = {"columns": MS_24_PILES, "cells": [None] * 6}
    assert position_from_json(six).num_cells == 6
    assert position_from_json(six, 1).num_cells == 1
    assert position_from_json({**six, "num_cells": 2}).num_cells == 2
    one = {"columns": MS_24_PILES, "num_cells": 1}
    assert parse_board(json.dumps(one)).position.num_cells == 1
    board = parse_board(json.dumps(one), 3)
    assert board.position.num_cells == 3
    assert board.notes == ("the board says 1 cell; 3 used instead",)
    assert parse_board(json.dumps(one), 1).notes == ()
    full = Position.from_text(MIDGAME).to_json()
    with pytest.raises(BoardError, match="at least 4 needed"):
        position_from_json(full, 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": MS_24_PILES[:7]}, "8 columns expected, 7 found"),
        ({"columns": [["4C", "XX"]]}, "columns[0][1]: 'XX' is not a card"),
        ({"columns": [["4C", 7]]}, 'columns[0][1]: a card such as "7H" expected, not 7'),
        ({"columns": [["4C", None]]}, 'columns[0][1]: a card such as "7H" expected, not null'),
        ({"columns": [5]}, "columns[0]: a list of cards expected, not 5"),
        ({"columns": "4C"}, "columns: eight lists of cards expected, not '4C'"),
        ({"tableau": MS_24_PILES}, "'columns' and 'tableau' mean the same"),
        ({"cells": 4}, "cells: a list of cards and nulls expected, not 4"),
        ({"cells": [True]}, 'cells[0]: a card such as "7H" expected, not true'),
        ({"cells": [None] * 9}, "cells: 9 cells; there can be 0 to 8"),
        ({"cells": ["4C"]}, "4C is there 2 times: column 1, cell a"),
        ({"num_cells": 9}, "num_cells: a number from 0 to 8 expected, not 9"),
        ({"num_cells": "4"}, "num_cells: a number from 0 to 8 expected, not '4'"),
        ({"num_cells": True}, "num_cells: a number from 0 to 8 expected, not true"),
        ({"foundations": {"X": 1}}, "foundations: 'X' is not a suit"),
        ({"foundations": {"H": 14}}, "foundations.H: a rank expected"),
        ({"foundations": {" H\n": "B"}}, "foundations.H: a rank expected"),
        ({"foundations": {"H": 1.0}}, "foundations.H: a rank expected"),
        ({"foundations": {"H": 1, "hearts": 1}}, "the hearts foundation is given twice"),
        ({"foundations": ["A-H"]}, "foundations[0]: 'A-H' is written backwards"),
        ({"foundations": [1, 2]}, "foundations: four ranks expected"),
        ({"foundations": [0] * 5}, "foundations: four foundations expected, 5 found"),
        ({"foundations": [["AS", "2H"]]}, "foundations[0]: cards of one suit expected"),
        ({"foundations": 0}, "foundations: an object such as"),
        ({"foundations": {"S": 1}}, "the spades foundation is given as holding all up to AS, but"),
    ],
)
def test_json_slips(change: dict[str, object], message: str) -> None:
    board: dict[str, object] = {"columns": MS_24_PILES, **change}
    with pytest.raises(BoardError) as caught:
        position_from_json(board)
    assert message in str(caught.value)
    assert message in error_of(json.dumps(board))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n "columns": [[,]]}', "line 2, column 15: this is not valid JSON"),
        ('{"columns": [', "line 1, column 14: this is not valid JSON"),
        ("{}", 'the board has no "columns"'),
        ("[]", "8 columns expected, 0 found"),
        ("[{}, {}]", "one board expected, not a list of 2"),
        ("{}\nhello", "line 2, column 1: text after the end"),
        ("{}\n\n[]", "two boards in one file: the second starts at line 3"),
        ('{"cells": [], "cells": []}', "the key 'cells' twice"),
        ("[" * 30000, "nested too deeply"),
        ('{"num_cells": ' + "9" * 5000 + "}", "a number that is far too long"),
        ('{"columns": [], "num_cells": NaN}', "num_cells: a number from 0 to 8 expected"),
    ],
)
def test_bad_json(text: str, message: str) -> None:
    assert message in error_of(text)


@pytest.mark.parametrize("board", [None, 5, "4C", 1.5, {1: 2}, {"columns": {}}, set()])
def test_json_that_is_no_board(board: object) -> None:
    with pytest.raises(BoardError):
        position_from_json(board)


@given(any_positions())
def test_json_round_trip(position: Position) -> None:
    assert Position.from_json(position.to_json()) == position
    assert parse_board(json.dumps(position.to_json())).position == position


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=8)
        | st.dictionaries(
            st.sampled_from(["columns", "cells", "foundations", "num_cells", "S", "H", "x"]), inner
        )
    ),
)


@given(JSON_VALUES, CELLS_ASKED)
def test_random_json(board: object, num_cells: int | None) -> None:
    reads_or_refuses(json.dumps({"columns": MIDGAME_PILES, "cells": board}), num_cells)
    reads_or_refuses(json.dumps({"columns": MIDGAME_PILES, "foundations": board}), num_cells)
    reads_or_refuses(json.dumps({"columns": board}), num_cells)
    reads_or_refuses(json.dumps(board), num_cells)
