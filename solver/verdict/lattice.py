"""The relaxed lattice: which fronts a win could still come from.

A node is a front (see `solver.verdict.dealt`): how far each column is dug. What the front leaves
open, where the loose cards are, is *relaxed*: a dig is allowed whenever the loose cards that must
be in spaces at that moment could be in the spaces that there are (`spaces_needed`). Every real dig
is allowed, so if no way leads from a front to the one with all columns dug, no position with
that front can be won: it is a dead end. The converse does not hold once a column is emptied.

*When a dig is allowed.* The loose cards that can hang below intact top cards take no space. Let the
rest be U, the emptied columns k, the cells C. Just before the unit of head t is dug, what hangs
below t, R, must be in spaces too. If t then goes onto an exposed parent, U and R must fit in C + k
spaces; if the parent is itself in U, its stretch must be in a column for that; otherwise one more
space is needed, for t.

*Events.* Most sequences of digs differ only in order. A dig of a single card into a space with
nothing gained is *quiet*: it takes one space and its card touches no other card in a space. An
*event* is any other dig, and any moment at which the card that a quiet dig exposes, or the end of
its unit, is due or is the parent of a card in a space, or at which the column is emptied. The
successors of a node are the nodes after the next event, each with the least quiet digs that it
needs, all else left for later.

That loses nothing. Take a way to the goal, and its first event E. The quiet digs before it that E
needs form a set D, the others a set O. Play D, then E, then O: each of O's digs takes one space at
any time, for a single card that touches no other never shares a column, so the spaces needed rise
with every step of O and end where the given way has them after E; they fit at the end, so they fit
before. D and E themselves meet fewer cards in spaces than on the given way. And E gains, or costs
nothing, so what it leaves is no worse. Then go on from there. Which quiet digs an event needs is
simple: those above the card concerned in its own column, and, if two cards come together, those
above the other. A unit of several cards, or one on which cards hang, is an event of its own: only
with single cards does the time of a dig not matter.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boulanger.engine.packed.bits import lowest_bit, popcount
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import ACES, ALL_CARDS, NUM_COLUMNS
from boulanger.engine.packed.state import home_mask
from boulanger.solver.verdict.dealt import (
    below,
    child_above,
    column_of,
    digs_above,
    entry_after,
    entry_in,
    first_triggers,
    front_masks,
    head_at,
    move_front,
    parent_above,
    play_tops_home,
    quiet_cards,
    rest_at,
    scan_windows,
    unit_of,
    with_entry,
)
from boulanger.solver.verdict.runs import (
    hanging_on,
    lowest_of,
    run_down,
    spaces_needed,
    spaces_needed_with,
)

# Labels of fronts, in the low bits of a mark; the generation is above them.
UNSEEN: Final = np.uint64(0)
DEAD: Final = np.uint64(1)
ALIVE: Final = np.uint64(2)
ON_PATH: Final = np.uint64(3)
_LABEL_BITS: Final = np.uint64(2)
_LABEL_MASK: Final = np.uint64(3)

# Successors of one node at the most: each column's own events (one) and pairs of exposed cards (at
# most two for each of the 52 cards); rounded up.
MAX_STEPS: Final = 128
# Levels at the most: each dig lowers a column of 52 cards in all.
MAX_LEVELS: Final = 56

_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(32)


@kernel
def relaxed_steps(dealt, num_cells, front, intact, tops, reach, steps, base, costs):
    """The fronts after the next event, before foundation moves.

    Args:
        dealt: the tables of the deal.
        front, intact, tops: a front, foundation moves played, and its masks.
        reach: int64 (8,), scratch: for each column the quiet digs to its last card of interest.
        steps: uint64, the fronts are written here from index `base` on.
        costs: int64, for each of them the quiet digs made; from index 0.

    Returns:
        their number.
    """
    loose = ALL_CARDS & ~intact
    home = home_mask(loose)
    loose &= ~home
    due = home + ACES
    hanging = run_down((tops >> _ONE) & loose, loose)
    held = loose & ~hanging
    open_parents = tops | hanging
    num_emptied = NUM_COLUMNS - popcount(tops)
    spaces = num_cells + num_emptied
    free = spaces - spaces_needed(held, num_emptied)
    wakes = due | (held << _ONE)
    joins = open_parents >> _ONE
    if num_emptied > 0:
        joins |= held >> _ONE
    windows, whole = scan_windows(dealt, front, loose, tops, free, reach)
    triggers = windows & (joins | ~tops & (wakes | (child_above(dealt) & (intact << _ONE))))
    if num_emptied > 0:
        triggers |= windows & parent_above(dealt) & (intact >> _ONE)
    count = np.int64(0)
    triggers = first_triggers(dealt, front, triggers, reach)
    while triggers != _NONE:
        card = lowest_of(triggers)
        triggers &= triggers - _ONE
        bit = lowest_bit(card)
        column = column_of(dealt, bit)
        whole &= ~(_ONE << np.uint64(column))
        entry = entry_in(front, column)
        num_digs = reach[column]
        quiet = quiet_cards(dealt, entry, num_digs)
        at = unit_of(dealt, bit)
        if num_digs > 0 and card & (wakes | (quiet << _ONE)):
            # Exposed: it goes home, or a card comes to hang on it.
            reach[column] = num_digs - 1
            steps[base + count] = with_entry(front, column, at)
            costs[count] = num_digs - 1
            count += 1
            continue
        run = rest_at(dealt, at) if num_digs > 0 else hanging_on(card, loose)
        if unit_can_leave(card, run, held | quiet, open_parents & ~quiet, num_emptied, spaces):
            steps[base + count] = with_entry(front, column, below(dealt, at))
            costs[count] = num_digs
            count += 1
    while whole != _NONE:
        # Quiet digs alone lead to a unit of several cards, or to the last card of the column.
        column = lowest_bit(whole)
        whole &= whole - _ONE
        entry = entry_in(front, column)
        num_digs = reach[column]
        at = entry_after(dealt, entry, num_digs)
        head = head_at(dealt, at)
        run = rest_at(dealt, at) if num_digs > 0 else hanging_on(head, loose)
        quiet = quiet_cards(dealt, entry, num_digs)
        if head != _NONE and unit_can_leave(
            head, run, held | quiet, open_parents & ~quiet, num_emptied, spaces
        ):
            steps[base + count] = with_entry(front, column, below(dealt, at))
            costs[count] = num_digs + popcount(run)
            count += 1
    return _pair_steps(
        dealt,
        front,
        loose,
        held,
        num_emptied,
        spaces,
        free,
        windows,
        reach,
        steps,
        base,
        costs,
        count,
    )


@kernel(forceinline=True)
def unit_can_leave(head, run, held, open_parents, num_emptied, spaces):
    """Whether a head on which a run hangs can be dug: see above, *When a dig is allowed*."""
    needed = spaces_needed(held | run, num_emptied)
    if needed < spaces:
        return True
    parent = head << _ONE
    if parent & open_parents:
        return needed <= spaces
    if num_emptied > 0 and parent & held:
        return spaces_needed_with(held | run, parent, num_emptied) <= spaces
    return False


@kernel
def _pair_steps(
    dealt, front, loose, held, num_emptied, spaces, free, windows, reach, steps, base, costs, count
):
    """Adds the events in which a card goes onto its parent from another column.

    The parent is exposed by quiet digs, or dug by one and then in an emptied column.
    """
    heads = windows & (windows >> _ONE)
    while heads != _NONE:
        bit = lowest_bit(heads)
        heads &= heads - _ONE
        column, parent_column = column_of(dealt, bit), column_of(dealt, bit + 1)
        entry, parent_entry = unit_of(dealt, bit), unit_of(dealt, bit + 1)
        head = _ONE << np.uint64(bit)
        if column == parent_column or head_at(dealt, entry) != head:
            continue
        top, parent_top = entry_in(front, column), entry_in(front, parent_column)
        num_digs = digs_above(dealt, top, entry)
        num_parent_digs = digs_above(dealt, parent_top, parent_entry)
        if num_digs > reach[column] or num_parent_digs > reach[parent_column]:
            continue
        run = rest_at(dealt, entry) if num_digs > 0 else hanging_on(head, loose)
        after = with_entry(front, column, below(dealt, entry))
        cards = held | run | quiet_cards(dealt, top, num_digs)
        quiet = num_digs + num_parent_digs
        if num_parent_digs > 0 and quiet <= free:
            cards_there = cards | quiet_cards(dealt, parent_top, num_parent_digs)
            if run == _NONE or spaces_needed(cards_there, num_emptied) <= spaces:
                steps[base + count] = with_entry(after, parent_column, parent_entry)
                costs[count] = quiet
                count += 1
        quiet += 1
        if num_emptied > 0 and num_parent_digs < reach[parent_column] and quiet <= free:
            cards_there = cards | quiet_cards(dealt, parent_top, num_parent_digs + 1)
            parent = head << _ONE
            if (
                spaces_needed(cards_there, num_emptied) < spaces
                or spaces_needed_with(cards_there, parent, num_emptied) <= spaces
            ):
                at = entry_after(dealt, parent_top, num_parent_digs + 1)
                steps[base + count] = with_entry(after, parent_column, at)
                costs[count] = quiet
                count += 1
    return count


@kernel(forceinline=True)
def _hash_front(front):
    """A hash in the low 32 bits. The low bits of a product know nothing of the high bits of its
    factors, so these are folded in first."""
    h = (front ^ (front >> _SHIFT)) * _MULTIPLIER
    return h >> _SHIFT


@kernel
def is_alive(
    dealt, num_cells, front, marks, generation, path, steps, costs, reach, counters, counter, most
):
    """Whether the relaxed lattice leads from a front to the goal.

    Searches depth first; each front is labelled once for a deal and number of cells. Fronts only
    fall, so a front that has been left is dead, and those on the path at a success are alive.

    Args:
        front: uint64; foundation moves are played from it first.
        marks: uint64 (power of two, 2): front, and generation and label.
        generation: uint64.
        path: uint64 (MAX_LEVELS, 5), scratch; steps: uint64 (MAX_LEVELS * MAX_STEPS,), scratch.
        costs: int64 (MAX_STEPS,), reach: int64 (8,), scratch.
        counters: int64, of which entry `counter` counts the fronts labelled; at `most` so many.

    Returns:
        int64: 1 if alive, 0 if dead, -1 if more would have to be labelled.
    """
    slot_mask = np.uint64(marks.shape[0] - 1)
    stamp = generation << _LABEL_BITS
    level = 0
    intact, tops = front_masks(dealt, front)
    front, intact, tops = play_tops_home(dealt, front, intact, tops)
    while True:
        label = ALIVE
        slot = _NONE
        if tops != _NONE:
            slot = _hash_front(front) & slot_mask
            label = UNSEEN
            while marks[slot, 1] >> _LABEL_BITS == generation:
                if marks[slot, 0] == front:
                    label = marks[slot, 1] & _LABEL_MASK
                    break
                slot = (slot + _ONE) & slot_mask
        if label == ALIVE:
            for i in range(level):
                marks[path[i, 3], 1] = stamp | ALIVE
            return 1
        if label == UNSEEN:
            if counters[counter] >= most:
                return -1
            counters[counter] += 1
            base = level * MAX_STEPS
            count = relaxed_steps(dealt, num_cells, front, intact, tops, reach, steps, base, costs)
            marks[slot, 0] = front
            marks[slot, 1] = stamp | (ON_PATH if count > 0 else DEAD)
            if count > 0:
                _sort_steps(steps, base, costs, count)
                path[level, 0] = front
                path[level, 1] = intact
                path[level, 2] = tops
                path[level, 3] = slot
                path[level, 4] = np.uint64(count)
                level += 1
        while level > 0 and path[level - 1, 4] == _NONE:
            level -= 1
            marks[path[level, 3], 1] = stamp | DEAD
        if level == 0:
            return 0
        path[level - 1, 4] -= _ONE
        after = steps[(level - 1) * MAX_STEPS + np.int64(path[level - 1, 4])]
        intact, tops = move_front(
            dealt, path[level - 1, 0], path[level - 1, 1], path[level - 1, 2], after
        )
        front, intact, tops = play_tops_home(dealt, after, intact, tops)


@kernel(forceinline=True)
def _sort_steps(steps, base, costs, count):
    """Dearest first, so that the cheapest is taken up first from the end."""
    for i in range(1, count):
        cost, step, j = costs[i], steps[base + i], i - 1
        while j >= 0 and costs[j] < cost:
            costs[j + 1] = costs[j]
            steps[base + j + 1] = steps[base + j]
            j -= 1
        costs[j + 1] = cost
        steps[base + j + 1] = step
