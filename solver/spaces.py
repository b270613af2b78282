"""When a dig may happen: the fewest spaces that loose cards take, and one predicate made of it.

Both relaxations of the game, `solver.verdict.lattice` and `solver.optimal.digs`, keep how far each
column is dug and forget where the loose cards are. All the same, some loose cards must be in spaces
(cells, or emptied columns) at the moment of a dig. If the fewest spaces that can hold them are more
than there are, no position allows the dig.

Take the loose cards JH TH 9H 5S 4S 2D, none of which can hang on an intact card:

    >>> from boulanger.engine.packed.example import cards_mask
    >>> cards = cards_mask("JH TH 9H 5S 4S 2D")
    >>> spaces_needed(cards, np.int64(0))  # cells alone: one for each card
    6
    >>> spaces_needed(cards, np.int64(1))  # JH TH 9H stand in a column
    4
    >>> spaces_needed(cards, np.int64(2))  # and 5S 4S in another
    3
    >>> spaces_needed_with(cards, cards_mask("2D"), np.int64(1))  # 2D must have the only column
    6
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from boulanger.engine.packed.bits import popcount
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import ALL_CARDS, NUM_COLUMNS
from boulanger.engine.packed.runs import run_down, run_up
from boulanger.engine.packed.state import home_mask

_ONE: Final = np.uint64(1)
_TWO: Final = np.uint64(2)
_NONE: Final = np.uint64(0)


@kernel(forceinline=True)
def spaces_needed(cards, num_columns):
    """The fewest spaces that can hold these cards, if `num_columns` of the spaces are columns.

    A cell holds one card and a column holds a run. So a stretch of m cards takes m cells or one
    column, and the longest stretches get the columns: the answer is the number of cards, less m - 1
    for each stretch that stands in a column. With stretches of at least j cards counted for
    j = 2, 3, ..., each such column saves one for each j up to m.

    Args:
        cards: mask of loose cards, none of which can lie on an intact one.
        num_columns: int64, how many emptied columns there are.
    """
    spaces = popcount(cards)
    if num_columns == 0:
        return spaces
    # Bit x is set while the cards x .. x + length - 1 are all there: a stretch of m cards keeps
    # m - length + 1 bits, so the difference of two counts is the number of stretches that long.
    starts = cards & (cards >> _ONE)
    if starts == _NONE:
        return spaces
    num_starts = popcount(starts)
    length = _TWO
    while True:
        longer = starts & (cards >> length)
        num_longer = popcount(longer)
        spaces -= min(num_columns, num_starts - num_longer)
        if num_longer == 0:
            return spaces
        starts = longer
        num_starts = num_longer
        length += _ONE


@kernel
def spaces_needed_with(cards, card, num_columns):
    """The same if the stretch that holds `card` (a mask of one, in `cards`) is in a column."""
    stretch = run_up(card, cards) | run_down(card, cards)
    return spaces_needed(cards & ~stretch, num_columns - 1) + 1


@kernel(forceinline=True)
def unit_can_leave(head, run, held, needed, open_parents, num_emptied, spaces):
    """Whether a head on which a run hangs can be dug, as far as spaces go.

    Every dig that some position allows passes. Proof: just before the head leaves, nothing lies on
    it, so the cards of `run` are in spaces too, beside those of `held`. If the head then goes onto
    its parent, that parent is an intact top card, or hangs on one, or stands in an emptied column
    (a card in a cell takes none). In the first two cases the cards in spaces must fit; in the third
    they must fit with the parent's stretch in a column. If the head goes anywhere else, it takes
    one space more.

    Args:
        head: mask of the card.
        run: mask of the cards below it in its suit that hang on it, or could.
        held: mask of the other loose cards that must be in spaces.
        needed: int64, `spaces_needed(held, num_emptied)`.
        open_parents: mask of the intact top cards and of what hangs on them.
        num_emptied: int64, emptied columns; spaces: int64, those and the cells.
    """
    if run != _NONE:
        needed = spaces_needed(held | run, num_emptied)
    if needed < spaces:
        return True
    parent = head << _ONE
    if parent & open_parents:
        return needed <= spaces
    if num_emptied > 0 and parent & held:
        return spaces_needed_with(held | run, parent, num_emptied) <= spaces
    return False


class Demand(NamedTuple):
    """A front and what its loose cards ask for; all scalars.

    Attributes:
        front: uint64, how far each column is dug.
        loose: uint64, mask of the cards that are neither intact nor at home.
        held: uint64, mask of those that must be in spaces.
        open_parents: uint64, mask of the top cards and of what hangs on them.
        num_emptied: int64, emptied columns; spaces: int64, those and the cells.
        free: int64, spaces that nothing needs.
    """

    front: np.uint64
    loose: np.uint64
    held: np.uint64
    open_parents: np.uint64
    num_emptied: np.int64
    spaces: np.int64
    free: np.int64


@kernel(forceinline=True)
def demand_of(num_cells, front, intact, tops):
    """What the loose cards of a front ask for."""
    loose = ALL_CARDS & ~intact
    loose &= ~home_mask(loose)
    hanging = run_down((tops >> _ONE) & loose, loose)
    held = loose & ~hanging
    num_emptied = NUM_COLUMNS - popcount(tops)
    spaces = num_cells + num_emptied
    free = spaces - spaces_needed(held, num_emptied)
    return Demand(front, loose, held, tops | hanging, num_emptied, spaces, free)
