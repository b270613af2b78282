"""The small board that docstrings draw, and masks of cards by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from boulanger.engine.cards import card_text, parse_card
from boulanger.engine.packed.layout import Layout, bit_card, card_bit
from boulanger.engine.packed.packing import pack_position
from boulanger.engine.packed.state import TO_CELL, TO_PARENT, Board, look_at, play_board
from boulanger.engine.position import Position

_COLUMNS = ("9H KH JH", "QS QH", "TH KS", "", "", "", "", "")
_HOME = (11, 8, 13, 13)
# What is played from there: JH onto QH; KH to the cell, and 9H goes home.
_PLIES = (("JH", TO_PARENT), ("KH", TO_CELL))


def worked_example() -> tuple[Layout, list[Board]]:
    """The deal of `engine.packed.layout`'s drawing, and its three states."""
    columns = tuple(tuple(map(parse_card, column.split())) for column in _COLUMNS)
    packed = pack_position(Position(columns, (None,), _HOME))
    boards = [_typed(look_at(packed.layout, *map(np.uint64, packed.state)))]
    for name, destination in _PLIES:
        card = np.int64(card_bit(parse_card(name)))
        after = play_board(packed.layout, boards[-1], card, np.int64(destination))
        boards.append(_typed(after))
    return packed.layout, boards


def _typed(board: Any) -> Board:
    return Board(*map(np.uint64, board))


def cards_mask(text: str) -> np.uint64:
    """The mask of cards given by name: "JH TH"."""
    return np.uint64(sum(1 << card_bit(parse_card(name)) for name in text.split()))


def mask_text(mask: int) -> str:
    """The names of a mask's cards, the highest bit first; "-" if there are none."""
    bits = [bit for bit in range(63, -1, -1) if int(mask) >> bit & 1]
    return " ".join(card_text(bit_card(bit)) for bit in bits) or "-"


def hearts(mask: int) -> str:
    """The lane of hearts of a mask, in hexadecimal."""
    return f"{int(mask) >> 16 & 0xFFFF:04x}"
