"""Between the oracle's plain boards and the engine's: conversions and successor lists for tests."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from boulanger.engine.cards import card_text, parse_card
from boulanger.engine.packed.layout import Layout
from boulanger.engine.packed.packing import State, pack_position
from boulanger.engine.packed.state import TO_CELL, TO_COLUMN, TO_PARENT, make_key, move_masks, play
from boulanger.engine.position import Position
from tests import oracle


def to_position(board: oracle.Board) -> Position:
    """The engine's position of an oracle's board."""
    return Position(
        tuple(tuple(parse_card(card) for card in column) for column in board.columns),
        tuple(None if card is None else parse_card(card) for card in board.cells),
        tuple(board.foundations[suit] for suit in oracle.SUITS),
    )


def to_board(position: Position) -> oracle.Board:
    """The oracle's board of an engine's position."""
    return oracle.Board(
        [[card_text(card) for card in column] for column in position.columns],
        [None if card is None else card_text(card) for card in position.cells],
        dict(zip(oracle.SUITS, position.foundations, strict=True)),
    )


def as_words(state: State) -> tuple[np.uint64, np.uint64, np.uint64]:
    """A state as the kernels take it."""
    cells, bottoms, depths = state
    return np.uint64(cells), np.uint64(bottoms), np.uint64(depths)


def packed(board: oracle.Board) -> tuple[Layout, State]:
    """A board packed as a new deal, its pending foundation moves played."""
    pack = pack_position(to_position(board))
    return pack.layout, pack.state


def key_of(layout: Layout, state: State) -> tuple[int, int]:
    """The 128-bit key of a state as two plain integers."""
    first, second = make_key(layout, *as_words(state))
    return int(first), int(second)


def successors(layout: Layout, num_cells: int, state: State) -> Iterator[State]:
    """The states after each ply that the kernels generate."""
    words = as_words(state)
    masks = move_masks(layout, np.int64(num_cells), *words)
    for destination in (TO_PARENT, TO_CELL, TO_COLUMN):
        for bit in range(64):
            if int(masks[destination]) >> bit & 1:
                after = play(layout, *words, np.int64(bit), np.int64(destination))
                yield int(after[0]), int(after[1]), int(after[2])
