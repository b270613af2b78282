"""The steps of a measure: single cards for plies, runs too for actions.

A step is named by its highest card and the kind of its destination. That says how many cards move,
too: the highest and all that lie on it. Foundation moves are no steps here; states are closed.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boulanger.engine.packed.bits import lowest_bit, popcount
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import (
    DEALT_ON_PARENT,
    FIRST_CARDS,
    KINGS,
    NUM_COLUMNS,
)
from boulanger.engine.packed.state import (
    TO_CELL,
    TO_COLUMN,
    TO_PARENT,
    Board,
    board_moves,
    dig,
    lift_card,
    look_at,
    loose_cards,
    put_card,
    words_of,
)
from boulanger.solver.optimal.digs import PLIES

_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)


@kernel(forceinline=True)
def board_steps(layout, num_cells, measure, board):
    """All steps of a state, as three masks of the highest cards: to parent, cell, empty column.

    Left out is what changes nothing: steps between cells, or of a whole column to an empty one.
    """
    to_parent, to_cell, to_column = board_moves(layout, num_cells, board)
    if measure == PLIES:
        return to_parent, to_cell, to_column
    bottoms, intact, tops = board.bottoms, board.intact, board.tops
    loose = loose_cards(board)
    # Cards that lie on their parents, loose or as dealt.
    linked = loose | (intact & layout.marks[DEALT_ON_PARENT])
    exposed = (tops | bottoms | loose) & ~(loose << _ONE)
    alone = bottoms | (layout.marks[FIRST_CARDS] & intact)
    num_free = num_cells - popcount(board.cells)
    num_empty = NUM_COLUMNS - popcount(tops) - popcount(bottoms)
    limit = (num_free + 1) << num_empty
    ends = exposed & linked
    while ends != _NONE:
        end = lowest_bit(ends)
        ends &= ends - _ONE
        head = lowest_bit(~linked & ~((_ONE << np.uint64(end)) - _ONE))
        length = head - end + 1
        head_bit = _ONE << np.uint64(head)
        # Onto a card goes only the whole run: the parents of the others are in it.
        if length <= limit and head_bit & ~KINGS & (exposed >> _ONE):
            to_parent |= head_bit
        if num_empty > 0:
            # A destination that is empty does not count, which halves the limit.
            longest = min(length, limit >> 1)
            for card in range(end + 1, end + longest):
                to_column |= (_ONE << np.uint64(card)) & ~alone
    return to_parent, to_cell, to_column


@kernel(forceinline=True)
def play_board_step(layout, measure, board, card, destination):
    """The closed, normalised state after a step.

    Args:
        card: bit index, int64, of a card that `board_steps` gives for this destination.
        destination: TO_PARENT, TO_CELL or TO_COLUMN.
    """
    cells, bottoms, depths, intact, tops = board
    bit = _ONE << np.uint64(card)
    if measure != PLIES:
        # The intact cards that lie on it go along, and are loose on their parents then.
        while intact & ~tops & bit:
            depths, intact, tops = dig(layout, depths, intact, tops, layout.column_of[card])
    lifted = lift_card(layout, Board(cells, bottoms, depths, intact, tops), card)
    return put_card(layout, lifted, card, destination)


@kernel(forceinline=True)
def step_masks(layout, num_cells, measure, cells, bottoms, depths):
    """`board_steps` for the words of a state."""
    return board_steps(layout, num_cells, measure, look_at(layout, cells, bottoms, depths))


@kernel(forceinline=True)
def play_step(layout, measure, cells, bottoms, depths, card, destination):
    """`play_board_step` for the words of a state."""
    board = look_at(layout, cells, bottoms, depths)
    return words_of(play_board_step(layout, measure, board, card, destination))


STEP_KINDS: Final = (TO_COLUMN, TO_CELL, TO_PARENT)
