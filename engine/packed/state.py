"""The packed state: kernels that read it, generate its moves and play them.

A state is three uint64 words, always in the order (cells, bottoms, depths); `engine.packed.layout`
has the bit table. A `Board` is a state with the masks of its intact cards, kept up as cards move;
`close`, `play` and others work on either. All kernels here take and give *closed, normalised*
states unless they say otherwise:

- closed: every foundation move that can be made has been made. That is what lets the foundations
  be left out: the foundation of a suit is the longest stretch from its ace that is neither intact,
  nor in a cell, nor at a bottom.
- normalised upwards: (1) no first card of a column stands at a bottom (its column has depth 1
  instead); (2) no card that was dealt on its parent lies loose on it while the parent is intact
  (it is intact too). So each physical position, up to the order of columns and of cells, has one
  key; columns that are empty or hold only loose cards are not told apart.

Playing foundation moves at once never hurts: the only card that could use x in the
tableau is the next lower of its suit, which is already home. So neither winning nor the number of
plies or actions of a shortest solution changes.

The lane of hearts in the example of `engine.packed.layout` (bits 12 .. 0 are K Q J T 9 .. A):

    : 9H KH JH        JH onto QH:  : 9H KH        KH to the cell,  :
    : QS QH                        : QS QH JH     9H goes home:    : QS QH JH
    : TH KS                        : TH KS                         : TH KS       cell: KH

    >>> from boulanger.engine.packed.example import hearts, worked_example
    >>> for board in worked_example()[1]:
    ...     gone = ALL_CARDS & ~(board.intact | board.cells | board.bottoms)
    ...     home = np.uint64(home_mask(gone))
    ...     print(*map(hearts, (board.intact, gone, home, loose_cards(board))))
    1f00 00ff 00ff 0000
    1b00 04ff 00ff 0400
    0a00 05ff 01ff 0400

`gone` are the cards that are nowhere else. Those that reach down to the ace are home: up to the 8,
in the end up to the 9. The others lie on their parents: JH on QH.

Kernels state their preconditions and do not check them. Callers check.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from boulanger.engine.packed.bits import lowest_bit, popcount
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import (
    ACES,
    ALL_CARDS,
    DEALT_ON_PARENT,
    DEPTH_BITS,
    FIRST_CARDS,
    LANE_BITS,
    LANE_CARDS,
    NUM_COLUMNS,
    SPARE_BITS,
)

# Kinds of destination of a ply; a card home is never one, since states are closed.
TO_PARENT: Final = 0
TO_CELL: Final = 1
TO_COLUMN: Final = 2

_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)
_DEPTH_MASK: Final = np.uint64((1 << DEPTH_BITS) - 1)
_SPARE_MASK: Final = np.uint64((1 << SPARE_BITS) - 1)
_HALF_INDEX_BITS: Final = 4 * SPARE_BITS
_HALF_INDEX_MASK: Final = np.uint64((1 << _HALF_INDEX_BITS) - 1)


@kernel(forceinline=True)
def depth_of(depths, column):
    """How many cards of a column (0..7) are intact, as int64."""
    return np.int64((depths >> np.uint64(DEPTH_BITS * column)) & _DEPTH_MASK)


@kernel(forceinline=True)
def raise_depth(depths, column):
    """The word of depths with one more card intact in a column."""
    return depths + (_ONE << np.uint64(DEPTH_BITS * column))


@kernel(forceinline=True)
def lower_depth(depths, column):
    """The word of depths with one card less intact in a column that has one."""
    return depths - (_ONE << np.uint64(DEPTH_BITS * column))


@kernel(forceinline=True)
def column_masks(layout, depths):
    """Masks of the intact cards and of those on top of their columns, and how many are emptied."""
    intact, tops, num_emptied = _NONE, _NONE, 0
    for c in range(NUM_COLUMNS):
        entry = layout.start[c] + depth_of(depths, c)
        intact |= layout.intact[entry]
        tops |= layout.top[entry]
        num_emptied += entry == layout.start[c]
    return intact, tops, num_emptied


@kernel(forceinline=True)
def home_mask(gone):
    """The cards on the foundations: in each lane of `gone`, the ones that reach down to the ace.

    Adding the aces' bits carries through exactly those ones; a full lane carries into a spare bit.

    Args:
        gone: mask of the cards that are neither intact, nor in a cell, nor at a bottom.
    """
    return gone & ~(gone + ACES)


@kernel(forceinline=True)
def is_won(cells, bottoms, depths):
    """Whether all cards are home: none is intact, in a cell or at a bottom."""
    return (cells | bottoms | depths) == _NONE


class Board(NamedTuple):
    """A state and what all its moves ask for; all scalars, uint64.

    Attributes:
        cells, bottoms, depths: the state.
        intact: mask of the intact cards.
        tops: mask of those on top of their columns.
    """

    cells: np.uint64
    bottoms: np.uint64
    depths: np.uint64
    intact: np.uint64
    tops: np.uint64


@kernel(forceinline=True)
def look_at(layout, cells, bottoms, depths):
    """The `Board` of a state."""
    intact, tops, _ = column_masks(layout, depths)
    return Board(cells, bottoms, depths, intact, tops)


@kernel(forceinline=True)
def words_of(board):
    """The state of a board."""
    return board.cells, board.bottoms, board.depths


@kernel(forceinline=True)
def dig(layout, depths, intact, tops, column):
    """Depths and masks of intact and top cards after a column's top card has left it."""
    entry = np.uint64(layout.start[column] + depth_of(depths, column))
    top = layout.top[entry]
    return lower_depth(depths, column), intact ^ top, tops ^ top ^ layout.top[entry - _ONE]


@kernel(forceinline=True)
def restore(layout, depths, intact, tops, column):
    """Depths and masks after a column has its next dealt card back."""
    entry = np.uint64(layout.start[column] + depth_of(depths, column))
    top = layout.top[entry + _ONE]
    return raise_depth(depths, column), intact ^ top, tops ^ top ^ layout.top[entry]


@kernel(forceinline=True)
def loose_cards(board):
    """Mask of the cards that lie loose on their parents."""
    gone = ALL_CARDS & ~(board.intact | board.cells | board.bottoms)
    return gone & ~home_mask(gone)


@kernel(forceinline=True)
def close_board(layout, board):
    """Plays foundation moves until none is left; the result may lack normalising.

    Takes any state in which no card due next lies loose on its parent; a position that comes from
    playing one ply on a closed state, or from `pack_position`, is one.
    """
    cells, bottoms, depths, intact, tops = board
    while True:
        home = home_mask(ALL_CARDS & ~(intact | cells | bottoms))
        # Nothing can lie on a card that is due: the next lower of its suit is home. So it can go
        # unless it is covered by intact cards.
        due = (home + ACES) & ALL_CARDS & (tops | cells | bottoms)
        if due == _NONE:
            return Board(cells, bottoms, depths, intact, tops)
        cells &= ~due
        bottoms &= ~due
        due &= tops
        while due != _NONE:
            column = layout.column_of[lowest_bit(due)]
            depths, intact, tops = dig(layout, depths, intact, tops, column)
            due &= due - _ONE


@kernel(forceinline=True)
def normalise_board(layout, board):
    """Counts as intact what stands as it was dealt, so that each position has one state.

    Changes nothing on the board: (1) a first card at the bottom of an emptied column makes that
    column its own again; (2) a card dealt on its parent and back on it, the parent intact, is too.
    """
    cells, bottoms, depths, intact, tops = board
    first = bottoms & layout.marks[FIRST_CARDS]
    bottoms &= ~first
    while first != _NONE:
        column = layout.column_of[lowest_bit(first)]
        depths, intact, tops = restore(layout, depths, intact, tops, column)
        first &= first - _ONE
    while layout.marks[DEALT_ON_PARENT] != _NONE:
        gone = ALL_CARDS & ~(intact | cells | bottoms)
        on_parent = gone & ~home_mask(gone)
        back = on_parent & layout.marks[DEALT_ON_PARENT] & (intact >> _ONE)
        if back == _NONE:
            break
        while back != _NONE:
            column = layout.column_of[lowest_bit(back)]
            depths, intact, tops = restore(layout, depths, intact, tops, column)
            back &= back - _ONE
    return Board(cells, bottoms, depths, intact, tops)


@kernel(forceinline=True)
def board_moves(layout, num_cells, board):
    """All plies of a state, as three masks of the cards that can make one.

    Left out are plies that change nothing: between cells, and of a card alone in its column to an
    empty column. Foundation moves are not plies here; `play_board` makes them itself.

    Returns:
        three uint64 masks: cards that can go onto their parent (there is one), into a cell, and
        into an empty column. Which cell or empty column makes no difference.
    """
    cells, bottoms, tops = board.cells, board.bottoms, board.tops
    on_parent = loose_cards(board)
    # A card in the tableau is exposed unless it is intact with intact cards on it, or the next
    # lower card of its suit lies loose on it: nothing else can.
    exposed = (tops | bottoms | on_parent) & ~(on_parent << _ONE)
    to_parent = (exposed | cells) & ~on_parent & (exposed >> _ONE)
    to_cell = exposed if popcount(cells) < num_cells else _NONE
    to_column = _NONE
    if popcount(bottoms) + popcount(tops) < NUM_COLUMNS:
        alone = bottoms | (layout.marks[FIRST_CARDS] & tops)
        to_column = (exposed & ~alone) | cells
    return to_parent, to_cell, to_column


@kernel(forceinline=True)
def lift_card(layout, board, card):
    """Removes a card (bit index) from its cell, bottom or column.

    Until the caller sets a bit for it, the state reads as if it lay on its parent.
    Precondition: the card is in a cell or exposed in the tableau.
    """
    cells, bottoms, depths, intact, tops = board
    bit = _ONE << np.uint64(card)
    if tops & bit:
        depths, intact, tops = dig(layout, depths, intact, tops, layout.column_of[card])
    return Board(cells & ~bit, bottoms & ~bit, depths, intact, tops)


@kernel(forceinline=True)
def put_card(layout, board, card, destination):
    """The closed, normalised state after a lifted card has been put down."""
    cells, bottoms, depths, intact, tops = board
    bit = _ONE << np.uint64(card)
    if destination == TO_CELL:
        cells |= bit
    elif destination == TO_COLUMN:
        bottoms |= bit
    return normalise_board(layout, close_board(layout, Board(cells, bottoms, depths, intact, tops)))


@kernel(forceinline=True)
def play_board(layout, board, card, destination):
    """The closed, normalised state after a ply.

    Args:
        card: bit index, int64, of a card that `board_moves` gives for this destination.
        destination: TO_PARENT, TO_CELL or TO_COLUMN.
    """
    return put_card(layout, lift_card(layout, board, card), card, destination)


@kernel(forceinline=True)
def close(layout, cells, bottoms, depths):
    """`close_board` for the words of a state."""
    return words_of(close_board(layout, look_at(layout, cells, bottoms, depths)))


@kernel(forceinline=True)
def normalise(layout, cells, bottoms, depths):
    """`normalise_board` for the words of a state."""
    return words_of(normalise_board(layout, look_at(layout, cells, bottoms, depths)))


@kernel(forceinline=True)
def move_masks(layout, num_cells, cells, bottoms, depths):
    """`board_moves` for the words of a state."""
    return board_moves(layout, num_cells, look_at(layout, cells, bottoms, depths))


@kernel(forceinline=True)
def play(layout, cells, bottoms, depths, card, destination):
    """`play_board` for the words of a state."""
    board = look_at(layout, cells, bottoms, depths)
    return words_of(play_board(layout, board, card, destination))


@kernel(forceinline=True)
def depth_index(layout, depths):
    """The depths of the columns in mixed radix, uint64."""
    index = _NONE
    for c in range(NUM_COLUMNS):
        index += np.uint64(layout.stride[c]) * np.uint64(depth_of(depths, c))
    return index


@kernel(forceinline=True)
def make_key(layout, cells, bottoms, depths):
    """The exact 128-bit key of a state, as two uint64 words."""
    index = depth_index(layout, depths)
    low = index & _HALF_INDEX_MASK
    high = index >> np.uint64(_HALF_INDEX_BITS)
    return cells | _spread(low), bottoms | _spread(high)


@kernel(forceinline=True)
def read_key(layout, first, second):
    """The state (cells, bottoms, depths) of a key."""
    index = _gather(first) | (_gather(second) << np.uint64(_HALF_INDEX_BITS))
    depths = _NONE
    for c in range(NUM_COLUMNS - 1, -1, -1):
        stride = np.uint64(layout.stride[c])
        depth = index // stride
        index -= depth * stride
        depths |= depth << np.uint64(DEPTH_BITS * c)
    return first & ALL_CARDS, second & ALL_CARDS, depths


@kernel(forceinline=True)
def _spread(half_index):
    """Twelve bits of the depth index laid into the spare bits of the four lanes."""
    word = _NONE
    for lane in range(4):
        part = (half_index >> np.uint64(SPARE_BITS * lane)) & _SPARE_MASK
        word |= part << np.uint64(LANE_BITS * lane + LANE_CARDS)
    return word


@kernel(forceinline=True)
def _gather(word):
    """The way back of `_spread`."""
    half_index = _NONE
    for lane in range(4):
        part = (word >> np.uint64(LANE_BITS * lane + LANE_CARDS)) & _SPARE_MASK
        half_index |= part << np.uint64(SPARE_BITS * lane)
    return half_index
