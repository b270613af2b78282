"""A deal as the digging searches see it: columns of units, and how far each has been dug.

A *unit* is a dealt card with the cards that were dealt on it in order (each on its parent): its
*head* is the highest, its *tail* the lowest. Nothing is lost by taking the exposed unit's other
cards for loose: they lie on their parent as loose cards would. So a column is described by which
unit's head is its last intact card, and `engine.packed.state`'s rule (2) is read downwards here.

    front   uint64, eight bits a column: the entry of its last intact head, or of its empty bottom

An *entry* numbers the places of all columns, bottom first: entry `bottom` for the emptied column,
then one for each dealt card. Only heads and bottoms occur in a front. Fronts of one deal fall from
dig to dig, column by column, so they order the search.

All tables of a deal lie in one array of rows of eight words, since each array costs a call of a
kernel seven words:

    row 0..59, an entry:  HEAD TAIL REST INTACT BELOW SINGLES STOP -
    row 60..67:           for each card bit, its column and the entry of its unit's head
    row 68:               FIRST CHILD_ABOVE PARENT_ABOVE START

with HEAD and TAIL masks of the unit's ends, REST of all but its head, INTACT of the column's cards
up to that entry, BELOW the entry after the unit is dug, STOP the nearest entry at or below that is
no single card or is the lowest unit, and SINGLES how many single cards lie above STOP.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boulanger.engine.packed.bits import lowest_bit
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import (
    ACES,
    ALL_CARDS,
    LANE_BITS,
    LANE_CARDS,
    NUM_CARD_BITS,
    NUM_COLUMNS,
)
from boulanger.engine.packed.runs import lowest_of
from boulanger.engine.packed.state import home_mask

NUM_ENTRIES: Final = 60

# Typed, so that kernels see them as one type.
_HEAD: Final = np.uint64(0)
_TAIL: Final = np.uint64(1)
_REST: Final = np.uint64(2)
_INTACT: Final = np.uint64(3)
_BELOW: Final = np.uint64(4)
_SINGLES: Final = np.uint64(5)
_STOP: Final = np.uint64(6)
_CARDS: Final = np.int64(NUM_ENTRIES)
_WHOLE: Final = np.int64(NUM_ENTRIES + NUM_CARD_BITS // 8)
_ROW_WORDS: Final = np.uint64(8)
DEALT_SHAPE: Final = ((int(_WHOLE) + 1) * int(_ROW_WORDS),)
_FIRST: Final = np.uint64(0)
_CHILD_ABOVE: Final = np.uint64(1)
_PARENT_ABOVE: Final = np.uint64(2)
_START: Final = np.uint64(3)

_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)
_BYTE: Final = np.uint64(0xFF)
_SHIFT_COLUMN: Final = np.uint64(8)
_KING: Final = LANE_CARDS - 1


@kernel(forceinline=True)
def _at(row, field):
    """Where a field of a row is. Unsigned: a signed index costs a look whether it is negative."""
    return np.uint64(row) * _ROW_WORDS + field


@kernel(forceinline=True)
def head_at(dealt, entry):
    """Mask of the head at an entry; empty at a bottom."""
    return dealt[_at(entry, _HEAD)]


@kernel(forceinline=True)
def tail_at(dealt, entry):
    """Mask of the lowest card of the unit whose head is at an entry; empty at a bottom."""
    return dealt[_at(entry, _TAIL)]


@kernel(forceinline=True)
def rest_at(dealt, entry):
    """Mask of the unit's cards but its head."""
    return dealt[_at(entry, _REST)]


@kernel(forceinline=True)
def intact_to(dealt, entry):
    """Mask of a column's cards up to an entry; any entry of the column will do."""
    return dealt[_at(entry, _INTACT)]


@kernel(forceinline=True)
def below(dealt, entry):
    """The entry that is on top once the unit at `entry` is dug."""
    return np.int64(dealt[_at(entry, _BELOW)])


@kernel(forceinline=True)
def num_singles(dealt, entry):
    """How many units of one card lie from `entry` down to, but not with, `stop_entry`."""
    return np.int64(dealt[_at(entry, _SINGLES)])


@kernel(forceinline=True)
def stop_entry(dealt, entry):
    """The nearest unit at or below `entry` that has more than one card or is its column's last."""
    return np.int64(dealt[_at(entry, _STOP)])


@kernel(forceinline=True)
def column_of(dealt, card):
    """The column in which a card (bit index) was dealt."""
    return np.int64(dealt[_at(_CARDS, np.uint64(card))] >> _SHIFT_COLUMN)


@kernel(forceinline=True)
def unit_of(dealt, card):
    """The entry of the head of a card's unit."""
    return np.int64(dealt[_at(_CARDS, np.uint64(card))] & _BYTE)


@kernel(forceinline=True)
def first_cards(dealt):
    """Mask of the lowest card of each column."""
    return dealt[_at(_WHOLE, _FIRST)]


@kernel(forceinline=True)
def child_above(dealt):
    """Mask of the cards above which the next lower of their suit lies, not in their unit."""
    return dealt[_at(_WHOLE, _CHILD_ABOVE)]


@kernel(forceinline=True)
def parent_above(dealt):
    """Mask of the cards above which the next higher of their suit lies in their column."""
    return dealt[_at(_WHOLE, _PARENT_ABOVE)]


@kernel(forceinline=True)
def start_front(dealt):
    """The front of the deal as it was dealt."""
    return dealt[_at(_WHOLE, _START)]


@kernel(forceinline=True)
def entry_in(front, column):
    """The entry of one column in a front."""
    return np.int64((front >> np.uint64(8 * column)) & _BYTE)


@kernel(forceinline=True)
def with_entry(front, column, entry):
    """The front with another entry in one column."""
    shift = np.uint64(8 * column)
    return (front & ~(_BYTE << shift)) | (np.uint64(entry) << shift)


@kernel(forceinline=True)
def front_masks(dealt, front):
    """Masks of the intact cards and of the last intact one of each column."""
    intact, tops = _NONE, _NONE
    for column in range(NUM_COLUMNS):
        entry = entry_in(front, column)
        intact |= intact_to(dealt, entry)
        tops |= head_at(dealt, entry)
    return intact, tops


@kernel(forceinline=True)
def dig_top(dealt, front, intact, tops, card):
    """The front and its masks once the unit of a top card (bit index) has left its column."""
    column = column_of(dealt, card)
    entry = entry_in(front, column)
    after = below(dealt, entry)
    return (
        with_entry(front, column, after),
        intact ^ (intact_to(dealt, entry) ^ intact_to(dealt, after)),
        tops ^ (head_at(dealt, entry) ^ head_at(dealt, after)),
    )


@kernel(forceinline=True)
def move_front(dealt, front, intact, tops, after):
    """The masks of the front `after`, from those of `front`."""
    changed = front ^ after
    while changed != _NONE:
        column = lowest_bit(changed) >> 3
        old, new = entry_in(front, column), entry_in(after, column)
        intact ^= intact_to(dealt, old) ^ intact_to(dealt, new)
        tops ^= head_at(dealt, old) ^ head_at(dealt, new)
        changed &= ~(_BYTE << np.uint64(8 * column))
    return intact, tops


@kernel(forceinline=True)
def play_tops_home(dealt, front, intact, tops):
    """Plays foundation moves, as if every loose card could go when its turn comes.

    That holds when all loose cards are in spaces of their own or on their parents: the one due next
    is never covered.
    """
    while True:
        due = (home_mask(ALL_CARDS & ~intact) + ACES) & tops
        if due == _NONE:
            return front, intact, tops
        while due != _NONE:
            front, intact, tops = dig_top(dealt, front, intact, tops, lowest_bit(due))
            due &= due - _ONE


@kernel(forceinline=True)
def is_last_unit(dealt, entry):
    """Whether the unit at an entry is the lowest of its column."""
    return head_at(dealt, below(dealt, entry)) == _NONE


@kernel(forceinline=True)
def quiet_cards(dealt, entry, num_digs):
    """Mask of the single cards that the first digs of a column lift, from `entry` down."""
    # At the bottom of the first column no entry is below, and no card is left to lift.
    return intact_to(dealt, entry) & ~intact_to(dealt, max(entry - num_digs, np.int64(0)))


@kernel(forceinline=True)
def digs_above(dealt, top_entry, entry):
    """How many quiet digs expose the unit at `entry`, if only single cards lie above it."""
    return min(top_entry - entry, num_singles(dealt, top_entry))


@kernel(forceinline=True)
def entry_after(dealt, entry, num_digs):
    """The entry on top after this many quiet digs."""
    return stop_entry(dealt, entry) if num_digs == num_singles(dealt, entry) else entry - num_digs


@kernel(forceinline=True)
def scan_windows(dealt, front, loose, tops, free, reach):
    """What quiet digs can expose, column by column.

    Writes to `reach` how many quiet digs each column allows with `free` spaces. Returns the mask of
    the cards exposed before, between and after them (of a unit of several cards its ends), and the
    set of columns, as bits 0..7, in which they reach a unit of several cards or the last unit.
    """
    windows, whole = _NONE, _NONE
    burdened = tops & (loose << _ONE)
    for column in range(NUM_COLUMNS):
        entry = entry_in(front, column)
        singles = num_singles(dealt, entry)
        is_burdened = head_at(dealt, entry) & burdened != _NONE
        num_digs = 0 if is_burdened else min(free, singles)
        reach[column] = num_digs
        at = entry_after(dealt, entry, num_digs)
        windows |= quiet_cards(dealt, entry, num_digs + 1) | head_at(dealt, at)
        is_whole = is_burdened or num_digs == singles
        whole |= np.uint64(is_whole) << np.uint64(column)
    return windows, whole


@kernel(forceinline=True)
def first_triggers(dealt, front, triggers, reach):
    """The trigger nearest to the top of each column; lowers `reach` to the digs above it.

    Args:
        triggers: mask of cards in the windows of `scan_windows`.
    """
    first = _NONE
    seen = _NONE
    while triggers != _NONE:
        card = lowest_of(triggers)
        triggers &= triggers - _ONE
        bit = lowest_bit(card)
        column = column_of(dealt, bit)
        entry = entry_in(front, column)
        num_digs = digs_above(dealt, entry, unit_of(dealt, bit))
        is_seen = seen >> np.uint64(column) & _ONE
        if is_seen == _NONE or num_digs < reach[column]:
            reach[column] = num_digs
            first = (first & ~intact_to(dealt, entry)) | card
            seen |= _ONE << np.uint64(column)
    return first


@kernel
def fill_dealt(dealt, cards, lengths, row):
    """Writes the tables of a deal.

    Args:
        dealt: uint64 `DEALT_SHAPE`, overwritten.
        cards: int64 (52,), card bit indices column after column, each from its first card; only
            as many as the lengths say.
        lengths: int64 (n, 8), of which `row` says how many cards are in each column.
    """
    first, front = _NONE, _NONE
    num_cards, entry = np.int64(0), np.int64(0)
    for column in range(NUM_COLUMNS):
        length = lengths[row, column]
        _fill_column(dealt, cards, num_cards, length, column, entry)
        top = entry
        if length > 0:
            first |= head_at(dealt, entry + 1)
            top = unit_of(dealt, cards[num_cards + length - 1])
        front = with_entry(front, column, top)
        num_cards += length
        entry += length + 1
    dealt[_at(_WHOLE, _FIRST)] = first
    dealt[_at(_WHOLE, _START)] = front
    _fill_above(dealt, cards, lengths, row)


@kernel
def _fill_column(dealt, cards, start, length, column, bottom):
    dealt[_at(bottom, _HEAD)] = dealt[_at(bottom, _TAIL)] = _NONE
    dealt[_at(bottom, _REST)] = dealt[_at(bottom, _INTACT)] = _NONE
    dealt[_at(bottom, _BELOW)] = dealt[_at(bottom, _STOP)] = np.uint64(bottom)
    dealt[_at(bottom, _SINGLES)] = _NONE
    intact, head = _NONE, bottom
    for i in range(length):
        entry = bottom + 1 + i
        card = cards[start + i]
        bit = _ONE << np.uint64(card)
        intact |= bit
        is_on_parent = i > 0 and cards[start + i - 1] == card + 1 and card % LANE_BITS != _KING
        dealt[_at(entry, _HEAD)] = dealt[_at(entry, _TAIL)] = bit
        dealt[_at(entry, _REST)] = _NONE
        dealt[_at(entry, _INTACT)] = intact
        dealt[_at(entry, _BELOW)] = np.uint64(head)
        if is_on_parent:
            dealt[_at(head, _TAIL)] = bit
            dealt[_at(head, _REST)] |= bit
        else:
            head = entry
        dealt[_at(_CARDS, np.uint64(card))] = np.uint64((column << 8) | head)
    # From the bottom up: below is known before what lies above it.
    for i in range(length):
        entry = bottom + 1 + i
        under = below(dealt, entry)
        if under == bottom or rest_at(dealt, entry) != _NONE:
            dealt[_at(entry, _STOP)] = np.uint64(entry)
            dealt[_at(entry, _SINGLES)] = _NONE
        else:
            dealt[_at(entry, _STOP)] = dealt[_at(under, _STOP)]
            dealt[_at(entry, _SINGLES)] = dealt[_at(under, _SINGLES)] + _ONE


@kernel
def _fill_above(dealt, cards, lengths, row):
    """Marks the cards that have a neighbour of their suit above them, outside their unit."""
    child, parent = _NONE, _NONE
    start = 0
    for column in range(NUM_COLUMNS):
        above = _NONE
        for i in range(start + lengths[row, column] - 1, start - 1, -1):
            bit = _ONE << np.uint64(cards[i])
            # A card in its own unit's rest does not count: it is no event when it is exposed.
            if bit & (above << _ONE) and not _is_in_unit_with_child(dealt, cards[i]):
                child |= bit
            if bit & (above >> _ONE):
                parent |= bit
            above |= bit
        start += lengths[row, column]
    dealt[_at(_WHOLE, _CHILD_ABOVE)] = child
    dealt[_at(_WHOLE, _PARENT_ABOVE)] = parent


@kernel
def _is_in_unit_with_child(dealt, card):
    """Whether the next lower card was dealt on this one."""
    return tail_at(dealt, unit_of(dealt, card)) != (_ONE << np.uint64(card))
