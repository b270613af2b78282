"""Boards to test reading and writing with, and what reading must come to."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from boulanger.engine.boards.text import parse_board
from boulanger.engine.cards import NUM_CARDS, card_text, parse_card
from boulanger.engine.errors import BoardError
from boulanger.engine.position import MAX_CELLS, NUM_COLUMNS, Position

BOARDS = Path(__file__).parent / "data" / "boards"
EXPECTED: dict[str, dict[str, Any]] = json.loads((BOARDS / "expected.json").read_text("utf-8"))

MS_24 = """\
4C 2C 9C 8C QS 4S 2H
5H QH 3C AC 3H 4H QD
QC 9S 6H 9H 3S KS 3D
5D 2S JC 5C JH 6D AS
2D KD TH TC TD 8D
7H JS KH TS KC 7C
AH 5S 6S AD 8H JD
7S 6C 7D 4D 8S 9D
"""
MIDGAME = """\
Foundations: H-4 C-A D-A S-A
Freecells: 6S 8H QD 4S
: 4C 2C 9C 8C QS JD
: 5H QH 3C
: QC 9S 6H 9H 3S KS 3D
: 5D 2S JC 5C JH 6D 5S
: 2D KD TH TC TD 8D
: 7H JS KH TS KC 7C
:
: 7S 6C 7D 4D 8S 9D
"""


def cards(text: str) -> tuple[int, ...]:
    return tuple(map(parse_card, text.split()))


def deal_of(columns_text: str) -> Position:
    return Position(tuple(map(cards, columns_text.splitlines())))


def microsoft_deal(number: int) -> Position:
    """Microsoft FreeCell deal `number` below 2^31, from the generator of its C library."""
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
    dealt: list[int] = []
    state = number
    while deck:
        state = (214013 * state + 2531011) % 2**31
        i = (state >> 16) % len(deck)
        deck[i], deck[-1] = deck[-1], deck[i]
        dealt.append(parse_card(deck.pop()))
    return Position.from_deal(dealt)


def rows_text(position: Position, gap: str = "--", separator: str = " ") -> str:
    """`position`'s tableau seen from above, gaps written out up to the longest column."""
    height = max(map(len, position.columns))
    return "".join(
        separator.join(card_text(c[i]) if i < len(c) else gap for c in position.columns) + "\n"
        for i in range(height)
    )


def error_of(text: str | bytes, num_cells: int | None = None) -> str:
    with pytest.raises(BoardError) as caught:
        parse_board(text, num_cells)
    message = str(caught.value)
    assert "\n" not in message
    return message


def reads_or_refuses(text: str | bytes, num_cells: int | None) -> None:
    try:
        position = parse_board(text, num_cells).position
    except BoardError as error:
        message = str(error)
        assert message
        assert len(message.splitlines()) == 1
    else:
        position.check()
        assert num_cells in (None, position.num_cells)


CELLS_ASKED = st.none() | st.integers(0, MAX_CELLS)
WORDS = st.sampled_from(
    [
        *(card_text(card) for card in range(NUM_CARDS)),
        *("10H", "7♥\ufe0f", "♥", "d", "0", "H-4", "A-H", "Foundations:", "Freecells:"),
        *("--", "-", ":", "#", "{", "[", ",", '"', "\n", "\n\n", "\t", "     "),
    ]
)


@st.composite
def any_positions(draw: st.DrawFn) -> Position:
    """Any legal position: some cards home, some in cells, the others anywhere."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    foundations = tuple(rng.choice((0, rng.randint(0, 13), 13)) for _ in range(4))
    deck = [card for card in range(NUM_CARDS) if card % 13 >= foundations[card // 13]]
    rng.shuffle(deck)
    cells: list[int | None] = [
        deck.pop() if deck and rng.random() < 0.5 else None for _ in range(draw(st.integers(0, 8)))
    ]
    columns: list[list[int]] = [[] for _ in range(NUM_COLUMNS)]
    used = rng.sample(range(NUM_COLUMNS), draw(st.integers(1, NUM_COLUMNS)))
    for card in deck:
        columns[rng.choice(used)].append(card)
    position = Position(tuple(map(tuple, columns)), tuple(cells), foundations)
    position.check()
    return position
