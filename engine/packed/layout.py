"""The bit layout of the packed state, and the fixed part of it that a deal decides.

Words used here and in `engine.packed.state`:

- *intact*: a dealt card still in its place, with every card dealt under it still there too;
- *loose*: neither intact nor on a foundation; it is in a cell, at the bottom of an emptied column,
  or on its parent, the next higher card of its suit;
- *depth* of a column: how many of its cards are intact; *emptied*: depth 0.

A card's bit, in every mask, is `16 * suit + rank - 1`: a lane of 16 bits a suit, of which 13 are
used. So `mask << 1` moves every card to its parent's bit, and a king's falls on a bit that no card
has.

    lane       bit 15 14 13 | 12 11 10 ... 1 0
    spades            d  d  d |  K  Q  J ... 2 A      bits  0..15
    hearts            d  d  d |  K  Q  J ... 2 A      bits 16..31
    diamonds          d  d  d |  K  Q  J ... 2 A      bits 32..47
    clubs             d  d  d |  K  Q  J ... 2 A      bits 48..63

The exact key of a closed position is two such words: the cards in cells and the cards at the
bottom of emptied columns; the twelve bits marked `d` that each leaves free hold half of the 24-bit
depth index, the depths of the eight columns in mixed radix (column length + 1). The largest product
of eight whole numbers with the sum 60 is 8^4 * 7^4 = 9,834,496 < 2^24, so it fits for every board.
While a state is worked on, its depths are kept apart in a third word, eight bits a column.

An example with one cell and five empty columns. Spades are home up to the jack, hearts up to the
eight, the other suits up to the king:

    : 9H KH JH        JH onto QH:  : 9H KH        KH to the cell,  :
    : QS QH                        : QS QH JH     9H goes home:    : QS QH JH
    : TH KS                        : TH KS                         : TH KS       cell: KH

Column lengths are 3, 2, 2, so the depth index is d0 + 4 * d1 + 12 * d2. It fills bits 13 to 15 of
the lanes, from spades up; KH in the cell is bit 28.

    >>> from boulanger.engine.packed.example import mask_text, worked_example
    >>> from boulanger.engine.packed.state import depth_index, make_key
    >>> layout, boards = worked_example()
    >>> for board in boards:
    ...     first, second = make_key(layout, board.cells, board.bottoms, board.depths)
    ...     index = depth_index(layout, board.depths)
    ...     words = f"{first:016x} {second:016x}"
    ...     print(f"{board.depths:06x} {mask_text(board.cells):2} {index} {words}")
    020203 -  35 0000000080006000 0000000000000000
    020202 -  34 0000000080004000 0000000000000000
    020200 KH 32 0000000090000000 0000000000000000
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

NUM_COLUMNS: Final = 8
LANE_BITS: Final = 16
LANE_CARDS: Final = 13
SPARE_BITS: Final = LANE_BITS - LANE_CARDS
DEPTH_BITS: Final = 8  # of a column, in the word of depths

# bit 0 (the ace) of each lane, every card, and the kings
ACES: Final = np.uint64(sum(1 << (LANE_BITS * suit) for suit in range(4)))
ALL_CARDS: Final = np.uint64(int(ACES) * ((1 << LANE_CARDS) - 1))
KINGS: Final = np.uint64(int(ACES) << (LANE_CARDS - 1))

NUM_CARD_BITS: Final = 4 * LANE_BITS
NO_COLUMN: Final = -1


class Layout(NamedTuple):
    """Which card was dealt where: what every state of one deal shares.

    Positions are numbered column after column with one extra entry for each column's depth 0, so
    that `start[column] + depth` is an index for every depth from 0 to the column's length.

    Attributes:
        start: int64 (9,), where each column begins in the arrays below; the last entry is 60.
        card: int64 (60,), the bit index of the card whose removal lowers that depth; -1 at depth 0.
        top: uint64 (60,), the same as a mask, so 0 at depth 0.
        intact: uint64 (60,), the mask of the column's cards up to that depth.
        stride: int64 (8,), the weight of each column in the depth index.
        column_of: int64 (64,), the column in which a card was dealt; -1 if in none.
        marks: uint64 (2,), masks: cards dealt directly on their parent, first cards of columns.
    """

    start: npt.NDArray[np.int64]
    card: npt.NDArray[np.int64]
    top: npt.NDArray[np.uint64]
    intact: npt.NDArray[np.uint64]
    stride: npt.NDArray[np.int64]
    column_of: npt.NDArray[np.int64]
    marks: npt.NDArray[np.uint64]


DEALT_ON_PARENT: Final = 0  # index into Layout.marks
FIRST_CARDS: Final = 1

_NUM_ENTRIES: Final = 52 + NUM_COLUMNS


def card_bit(card: int) -> int:
    """The bit index 0..63 of a card number 0..51."""
    return card + SPARE_BITS * (card // LANE_CARDS)


def bit_card(bit: int) -> int:
    """The card number 0..51 of a bit index."""
    return bit - SPARE_BITS * (bit // LANE_BITS)


def make_layout(columns: Sequence[Sequence[int]]) -> Layout:
    """The layout of a board taken as a new deal.

    Args:
        columns: eight columns of card numbers 0..51, buried card first, 52 cards at most.
    """
    start = np.zeros(NUM_COLUMNS + 1, np.int64)
    card = np.full(_NUM_ENTRIES, NO_COLUMN, np.int64)
    top = np.zeros(_NUM_ENTRIES, np.uint64)
    intact = np.zeros(_NUM_ENTRIES, np.uint64)
    stride = np.zeros(NUM_COLUMNS, np.int64)
    column_of = np.full(NUM_CARD_BITS, NO_COLUMN, np.int64)
    dealt_on_parent = first_cards = 0

    entry, weight = 0, 1
    for c, column in enumerate(columns):
        start[c] = entry
        stride[c] = weight
        weight *= len(column) + 1
        mask, below = 0, -1
        for depth, number in enumerate(column, start=1):
            bit = card_bit(number)
            mask |= 1 << bit
            card[entry + depth] = bit
            top[entry + depth] = np.uint64(1 << bit)
            intact[entry + depth] = np.uint64(mask)
            column_of[bit] = c
            if depth == 1:
                first_cards |= 1 << bit
            elif below == number + 1 and number % LANE_CARDS != LANE_CARDS - 1:
                dealt_on_parent |= 1 << bit
            below = number
        entry += len(column) + 1
    start[NUM_COLUMNS] = entry
    marks = np.array([dealt_on_parent, first_cards], np.uint64)
    return Layout(start, card, top, intact, stride, column_of, marks)
