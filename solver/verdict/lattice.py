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
space is needed, for t. `solver.spaces.unit_can_leave` is that rule, with its proof.

*No space free.* If U fills the spaces, no dig can add a card to them. No quiet dig is possible,
then. Nor is the dig of a unit on which cards hang: these would need spaces first, and one more at
the least, since they touch no card of U (below them hangs no other, above them is the head). What
is left are bare single cards that go onto an exposed parent: `tight_steps`. Half of all fronts are
of this kind.

In the example of `engine.packed.layout`, JH hangs on QH and takes no space; KH must be in one. Once
QH is to be dug, JH needs a space too, and QH one more, unless KH stands in a column: 3 of 7.

    : 9H KH JH        JH onto QH:  : 9H KH        KH to the cell,  :
    : QS QH                        : QS QH JH     9H goes home:    : QS QH JH
    : TH KS                        : TH KS                         : TH KS       cell: KH

    >>> from boulanger.engine.packed.example import mask_text, worked_example
    >>> for board in worked_example()[1]:
    ...     demand = demand_of(np.int64(1), board.depths, board.intact, board.tops)
    ...     print(f"loose {mask_text(demand.loose)}; held {mask_text(demand.held)}; "
    ...           f"{demand.free} of {demand.spaces} spaces free")
    loose -; held -; 6 of 6 spaces free
    loose JH; held -; 6 of 6 spaces free
    loose KH JH; held KH; 6 of 7 spaces free

*Events.* Most sequences of digs differ only in order. A dig of a single card into a space with
nothing gained is *quiet*: it takes one space and its card touches no other card in a space. An
*event* is any other dig, and any moment at which the card that a quiet dig exposes, or the end of
its unit, is due or is the parent of a card in a space, or at which the column is emptied. The
successors of a node are the nodes after the next event, each after only the quiet digs that the
event needs.

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

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.deals.splitmix import GAMMA
from boulanger.engine.packed.bits import lowest_bit, popcount
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import ACES, ALL_CARDS
from boulanger.engine.packed.runs import hanging_on, lowest_of
from boulanger.engine.packed.state import home_mask
from boulanger.solver.spaces import (
    demand_of,
    spaces_needed,
    spaces_needed_with,
    unit_can_leave,
)
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

# Labels of fronts, in the low bits of a mark; the generation is above them.
UNSEEN: Final = np.uint64(0)
DEAD: Final = np.uint64(1)
ALIVE: Final = np.uint64(2)
ON_PATH: Final = np.uint64(3)
_LABEL_BITS: Final = np.uint64(2)
_LABEL_MASK: Final = np.uint64(3)

# What `is_alive` says if it may label no more.
UNLABELLED: Final = -1

# Successors of one node at most: each column's own events (one) and pairs of exposed cards (at
# most two for each of the 52 cards); rounded up.
MAX_STEPS: Final = 128
# Levels at most: each dig lowers a column of 52 cards in all.
MAX_LEVELS: Final = 56

# The words of a mark, and of a level of the path: the front, the masks of its intact and its top
# cards, the slot of its mark, and how many of its successors have not been tried.
_FRONT: Final = 0
_MARK: Final = 1
MARK_WORDS: Final = 2
_INTACT: Final = 1
_TOPS: Final = 2
_SLOT: Final = 3
_LEFT: Final = 4
PATH_WORDS: Final = 5

_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)
_MULTIPLIER: Final = np.uint64(GAMMA)
_SHIFT: Final = np.uint64(32)


class Labels(NamedTuple):
    """The labels of a deal's fronts, and room to work them out.

    Attributes:
        marks: uint64 (power of two, MARK_WORDS): front, and generation and label.
        path: uint64 (MAX_LEVELS, PATH_WORDS), scratch.
        steps: uint64 (MAX_LEVELS * MAX_STEPS,), scratch: the successors of each front of the path.
        costs: int64 (MAX_STEPS,), scratch: the quiet digs that the last successors took.
        reach: int64 (8,), scratch: the quiet digs to each column's last card of interest.
        num_labelled: int64 (1,), how many fronts have been labelled.
    """

    marks: npt.NDArray[np.uint64]
    path: npt.NDArray[np.uint64]
    steps: npt.NDArray[np.uint64]
    costs: npt.NDArray[np.int64]
    reach: npt.NDArray[np.int64]
    num_labelled: npt.NDArray[np.int64]


def make_labels(num_marks: int, reach: npt.NDArray[np.int64]) -> Labels:
    """Room for the labels of a deal: `num_marks` is a power of two. `reach` may be shared."""
    return Labels(
        np.zeros((num_marks, MARK_WORDS), np.uint64),
        np.empty((MAX_LEVELS, PATH_WORDS), np.uint64),
        np.empty(MAX_LEVELS * MAX_STEPS, np.uint64),
        np.empty(MAX_STEPS, np.int64),
        reach,
        np.zeros(1, np.int64),
    )


@kernel(forceinline=True)
def relaxed_steps(dealt, num_cells, front, intact, tops, labels, base):
    """The fronts after the next event, before foundation moves.

    Args:
        dealt: the tables of the deal.
        front, intact, tops: a front, foundation moves played, and its masks.
        labels: the fronts are written to its `steps` from index `base` on, and for each of them
            the quiet digs made to its `costs`, from index 0.

    Returns:
        their number.
    """
    demand = demand_of(num_cells, front, intact, tops)
    if demand.free == 0:
        return tight_steps(dealt, demand, tops, labels, base)
    return event_steps(dealt, demand, intact, tops, labels, base)


@kernel(forceinline=True)
def event_steps(dealt, demand, intact, tops, labels, base):
    """`relaxed_steps` for any number of free spaces; see above, *Events*."""
    front, loose, held, reach = demand.front, demand.loose, demand.held, labels.reach
    due = home_mask(ALL_CARDS & ~intact) + ACES
    wakes = due | (held << _ONE)
    windows, whole = scan_windows(dealt, front, loose, tops, demand.free, reach)
    joins = demand.open_parents >> _ONE
    triggers = windows & ~tops & (wakes | (child_above(dealt) & (intact << _ONE)))
    if demand.num_emptied > 0:
        joins |= held >> _ONE
        triggers |= windows & parent_above(dealt) & (intact >> _ONE)
    triggers = first_triggers(dealt, front, triggers | (windows & joins), reach)
    count = np.int64(0)
    while triggers != _NONE:
        card = lowest_of(triggers)
        triggers &= triggers - _ONE
        bit = lowest_bit(card)
        column = column_of(dealt, bit)
        whole &= ~(_ONE << np.uint64(column))
        count = _reach_trigger(dealt, demand, card, wakes, labels, base, count)
    while whole != _NONE:
        # Quiet digs alone lead to a unit of several cards, or to the last card of the column.
        column = lowest_bit(whole)
        whole &= whole - _ONE
        at = entry_after(dealt, entry_in(front, column), reach[column])
        if head_at(dealt, at) != _NONE:
            count = _dig_unit(dealt, demand, column, at, labels, base, count)
    return _pair_steps(dealt, demand, windows, labels, base, count)


@kernel(forceinline=True)
def _add(labels, base, count, front, cost):
    labels.steps[np.uint64(base + count)] = front
    labels.costs[np.uint64(count)] = cost
    return count + 1


@kernel
def tight_steps(dealt, demand, tops, labels, base):
    """`relaxed_steps` with no space free; see above, *No space free*."""
    bare = tops & ~(demand.loose << _ONE)
    onto_open = bare & (demand.open_parents >> _ONE)
    cards = onto_open
    if demand.num_emptied > 0:
        cards |= bare & (demand.held >> _ONE)
    count = np.int64(0)
    while cards != _NONE:
        card = lowest_of(cards)
        cards &= cards - _ONE
        if (
            card & onto_open == _NONE
            and spaces_needed_with(demand.held, card << _ONE, demand.num_emptied) > demand.spaces
        ):
            continue
        column = column_of(dealt, lowest_bit(card))
        after = with_entry(demand.front, column, below(dealt, entry_in(demand.front, column)))
        count = _add(labels, base, count, after, np.int64(0))
    return count


@kernel(forceinline=True)
def _reach_trigger(dealt, demand, card, wakes, labels, base, count):
    """Adds the event at the card of interest nearest to the top of its column, if it can be."""
    bit = lowest_bit(card)
    column, at = column_of(dealt, bit), unit_of(dealt, bit)
    num_digs = labels.reach[column]
    quiet = quiet_cards(dealt, entry_in(demand.front, column), num_digs)
    if num_digs > 0 and card & (wakes | (quiet << _ONE)):
        # Exposed: it goes home, or a card comes to hang on it.
        labels.reach[column] = num_digs - 1
        after = with_entry(demand.front, column, at)
        return _add(labels, base, count, after, num_digs - 1)
    run = rest_at(dealt, at) if num_digs > 0 else hanging_on(card, demand.loose)
    if _can_leave(demand, card, run, quiet, num_digs):
        after = with_entry(demand.front, column, below(dealt, at))
        return _add(labels, base, count, after, num_digs)
    return count


@kernel(forceinline=True)
def _dig_unit(dealt, demand, column, at, labels, base, count):
    """Adds the dig of a unit that quiet digs alone lead to, if it can be."""
    num_digs = labels.reach[column]
    head = head_at(dealt, at)
    quiet = quiet_cards(dealt, entry_in(demand.front, column), num_digs)
    run = rest_at(dealt, at) if num_digs > 0 else hanging_on(head, demand.loose)
    if _can_leave(demand, head, run, quiet, num_digs):
        after = with_entry(demand.front, column, below(dealt, at))
        return _add(labels, base, count, after, num_digs + popcount(run))
    return count


@kernel
def _can_leave(demand, head, run, quiet, num_digs):
    """`unit_can_leave` after this many quiet digs, each of which takes one space."""
    return unit_can_leave(
        head, run, demand.held | quiet, demand.spaces - demand.free + num_digs,
        demand.open_parents & ~quiet, demand.num_emptied, demand.spaces,
    )  # fmt: skip


@kernel
def _pair_steps(dealt, demand, windows, labels, base, count):
    """Adds the events in which a card goes onto its parent from another column.

    The parent is exposed by quiet digs, or dug by one and then in an emptied column.
    """
    front, num_emptied, spaces, free = (
        demand.front, demand.num_emptied, demand.spaces, demand.free,
    )  # fmt: skip
    reach = labels.reach
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
        run = rest_at(dealt, entry) if num_digs > 0 else hanging_on(head, demand.loose)
        after = with_entry(front, column, below(dealt, entry))
        cards = demand.held | run | quiet_cards(dealt, top, num_digs)
        quiet = num_digs + num_parent_digs
        if num_parent_digs > 0 and quiet <= free:
            cards_there = cards | quiet_cards(dealt, parent_top, num_parent_digs)
            if run == _NONE or spaces_needed(cards_there, num_emptied) <= spaces:
                count = _add(
                    labels, base, count, with_entry(after, parent_column, parent_entry), quiet
                )
        quiet += 1
        if num_emptied > 0 and num_parent_digs < reach[parent_column] and quiet <= free:
            cards_there = cards | quiet_cards(dealt, parent_top, num_parent_digs + 1)
            # Without a run, each of the quiet cards takes one space and no other card does.
            has_one_more = quiet < free if run == _NONE else False
            if (
                has_one_more
                or (run != _NONE and spaces_needed(cards_there, num_emptied) < spaces)
                or spaces_needed_with(cards_there, head << _ONE, num_emptied) <= spaces
            ):
                at = entry_after(dealt, parent_top, num_parent_digs + 1)
                count = _add(labels, base, count, with_entry(after, parent_column, at), quiet)
    return count


@kernel(forceinline=True)
def _hash_front(front):
    """A hash in the low 32 bits. The low bits of a product know nothing of the high bits of its
    factors, so these are folded in first."""
    h = (front ^ (front >> _SHIFT)) * _MULTIPLIER
    return h >> _SHIFT


@kernel(forceinline=True)
def _find_mark(marks, generation, front):
    """The slot of a front's mark, or a free one for it; and its label, UNSEEN if it has none."""
    slot_mask = np.uint64(marks.shape[0] - 1)
    slot = _hash_front(front) & slot_mask
    while marks[slot, _MARK] >> _LABEL_BITS == generation:
        if marks[slot, _FRONT] == front:
            return slot, marks[slot, _MARK] & _LABEL_MASK
        slot = (slot + _ONE) & slot_mask
    return slot, UNSEEN


@kernel
def is_alive(dealt, num_cells, front, generation, most, labels):
    """Whether the relaxed lattice leads from a front to the goal.

    Searches depth first; each front is labelled once for a deal and number of cells. Fronts only
    fall, so a front that has been left is dead, and those on the path at a success are alive.

    Args:
        front: uint64; foundation moves are played from it first.
        generation: uint64, of the labels.
        most: int64, at most this many fronts are labelled in all.
        labels: a `Labels`.

    Returns:
        int64: 1 if alive, 0 if dead, UNLABELLED if more would have to be labelled.
    """
    marks, path, steps, costs, _, num_labelled = labels
    stamp = generation << _LABEL_BITS
    level = np.int64(0)
    intact, tops = front_masks(dealt, front)
    front, intact, tops = play_tops_home(dealt, front, intact, tops)
    while True:
        label, slot = ALIVE, _NONE
        if tops != _NONE:
            slot, label = _find_mark(marks, generation, front)
        if label == ALIVE:
            for i in range(level):
                marks[path[i, _SLOT], _MARK] = stamp | ALIVE
            return 1
        if label == UNSEEN:
            if num_labelled[0] >= most:
                return UNLABELLED
            num_labelled[0] += 1
            base = level * MAX_STEPS
            count = relaxed_steps(dealt, num_cells, front, intact, tops, labels, base)
            marks[slot, _FRONT] = front
            marks[slot, _MARK] = stamp | (ON_PATH if count > 0 else DEAD)
            if count > 0:
                _sort_steps(steps, base, costs, count)
                _enter_level(path, level, front, intact, tops, slot, count)
                level += 1
        while level > 0 and path[level - 1, _LEFT] == _NONE:
            level -= 1
            marks[path[level, _SLOT], _MARK] = stamp | DEAD
        if level == 0:
            return 0
        above = np.uint64(level - 1)
        path[above, _LEFT] -= _ONE
        after = steps[above * np.uint64(MAX_STEPS) + path[above, _LEFT]]
        intact, tops = move_front(
            dealt, path[above, _FRONT], path[above, _INTACT], path[above, _TOPS], after
        )
        front, intact, tops = play_tops_home(dealt, after, intact, tops)


@kernel(forceinline=True)
def _enter_level(path, level, front, intact, tops, slot, count):
    path[level, _FRONT] = front
    path[level, _INTACT] = intact
    path[level, _TOPS] = tops
    path[level, _SLOT] = slot
    path[level, _LEFT] = np.uint64(count)


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
