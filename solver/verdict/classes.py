"""Classes of positions: the nodes of the verdict search, and what can follow them.

Only foundation moves and digs cannot be undone: a card that leaves the intact card it lies on, not
its parent, can never come back; any other move leaves a place that would take the card again. So
positions that differ in how their loose cards stand about are mostly one to a search for *winnable
or not*. A node keeps only what the verdict depends on:

    front     uint64, how far each column is dug (see `solver.verdict.dealt`)
    roots     mask of the loose cards that lie on no card: each in a cell or at a column's bottom
    standing  mask of the roots known to be at the bottom of a column

All else follows. A loose card that is no root lies on its parent. A *run* is a root with cards on
it; it can only be in a column. A root without is a *single*. With F free spaces (cells and emptied
columns that hold nothing; C cells + k emptied columns - roots):

In the example of `engine.packed.layout`, JH is loose and no root, since it lies on QH; KH is a
root, and a single. With seven spaces it does not matter which it is in:

    : 9H KH JH        JH onto QH:  : 9H KH        KH to the cell,  :
    : QS QH                        : QS QH JH     9H goes home:    : QS QH JH
    : TH KS                        : TH KS                         : TH KS       cell: KH

    >>> from boulanger.engine.packed.example import mask_text, worked_example
    >>> for board in worked_example()[1]:
    ...     roots = board.cells | board.bottoms
    ...     on_parent = np.uint64(loose_on_parents(board.intact, roots)[0])
    ...     exposed = exposed_cards(board.tops, on_parent, roots, board.bottoms)
    ...     print(f"roots {mask_text(roots)}; exposed {mask_text(exposed)}")
    roots -; exposed QH JH KS
    roots -; exposed KH JH KS
    roots KH; exposed JH KS

*Where the singles are does not matter.* If F > 0, singles can be exchanged between cells
and columns at will, so nothing is known of them: `standing` is the runs. When a quiet dig takes the
last space, the node still stands for every choice that could have been made before: such singles
are *adrift*, and one is placed in a column only when that is made use of, which adds it to
`standing`. At most k roots may stand; k - |standing| columns are there for adrift ones. Only with F
= 0 can it be known that a single stands: it was its column's last card when it was exposed, or the
run on it has left when there was no space to move it.

*What is forced.* A single whose parent is exposed goes there: it can come back to the space that it
leaves. Cards due go home (`engine.packed.state` has the argument). The last unit of a column, once
exposed, is taken for loose: its head is a root that stands.

*What is tried.* Digs; also a run onto its exposed parent, if the free spaces suffice; a run
taken apart into singles; a single and the piece below it brought together in a column; and the
lower part of a run, or of what hangs on an intact card, put into a column of its own. Each can be
undone when it is made, but digs in between may take the spaces that undoing needs: so when a run is
split matters, and all of them are moves here. Not tried, because useless: to take a run apart down
to the last space (its root stands, the others can only come back), and to split off a single (it
can come back without a space), except for the dig of a card onto it, which is a move of its own.

*Quiet digs wait for an event*, as in `solver.verdict.lattice` and for the same reason: a quiet dig
takes one space and nothing else, so whatever else moves, and does not lie below it, has no fewer
free spaces when it comes before, and can come first. A unit of several cards can be split, or its
tail lifted, only once it is exposed, and that must not wait until other quiet digs have taken the
space for it: if there is a column to split it into, exposing such a unit is an event too. (A single
card below a quiet dig offers only its own dig, and to be a parent; both are events.)

Moving a run of n cards onto a card takes F + 1 >= n with cells alone, and (f + 1) * 2^e with e of
the F free spaces in columns: `run_capacity`. When a head with cards on it is dug and no parent is
exposed, its run must be spread over spaces: `spread_run` tries every cut into pieces.

Completeness is also tested, not only argued: `tests/test_verdict.py` compares it with the plain
search on random deals, mid-game positions and boards of buried runs, and switches the waiting for
events off.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.packed.bits import lowest_bit, popcount
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.layout import ACES, ALL_CARDS, NUM_COLUMNS
from boulanger.engine.packed.runs import hanging_on, lowest_of
from boulanger.engine.packed.state import home_mask
from boulanger.solver.verdict.dealt import (
    below,
    child_above,
    column_of,
    dig_top,
    digs_above,
    entry_after,
    entry_in,
    first_cards,
    first_triggers,
    front_masks,
    head_at,
    is_last_unit,
    parent_above,
    quiet_cards,
    rest_at,
    scan_windows,
    unit_of,
    with_entry,
)

# The rules that only save work, as bits; each is left out only in tests. The relaxed lattice cuts
# dead ends; quiet digs wait for events; cuts of a run that others lead to are not tried.
WITH_LATTICE: Final = 1
WITH_EVENTS: Final = 2
WITH_CUTS: Final = 4
ALL_RULES: Final = WITH_LATTICE | WITH_EVENTS | WITH_CUTS

# Successors of one node at most: a run of n cards has 2^(n - 1) cuts, and there are 44 cards
# that can hang on others; the rest is far below what is left.
MAX_SUCCESSORS: Final = 1 << 14

# The words of a node in an array of nodes.
FRONT: Final = 0
ROOTS: Final = 1
STANDING: Final = 2
NODE_WORDS: Final = 3

# Successors are taken up by rising cost, 0 to NUM_COSTS - 1: quiet digs made, or one of these.
NUM_COSTS: Final = 20
_COST_MERGE: Final = np.int64(0)
_COST_GATHER: Final = np.int64(1)
_COST_DIG: Final = np.int64(1)
_COST_LIFT: Final = np.int64(3)
_COST_APART: Final = np.int64(3)
_COST_SPLIT: Final = np.int64(4)

_ALL_COLUMNS: Final = np.uint64((1 << NUM_COLUMNS) - 1)
# A plain False is a literal to Numba, which would compile a second copy of a kernel for it.
_UNWOKEN: Final = np.bool_(False)
_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)


class View(NamedTuple):
    """A settled node and what every move asks of it; all scalars.

    Attributes:
        front, roots, standing: uint64, the node.
        on_parent: uint64, mask of the loose cards that lie on their parents.
        exposed: uint64, mask of the cards known to have nothing on them.
        adrift: uint64, mask of the singles not known to stand.
        num_free: int64, free spaces; num_places: int64, columns that nothing is known to stand in.
        rules: int64, the rules that save work.
    """

    front: np.uint64
    roots: np.uint64
    standing: np.uint64
    on_parent: np.uint64
    exposed: np.uint64
    adrift: np.uint64
    num_free: np.int64
    num_places: np.int64
    rules: np.int64


class Successors(NamedTuple):
    """Where the successors of a node are written.

    Attributes:
        nodes: uint64 (MAX_SUCCESSORS, NODE_WORDS).
        costs: int64 (MAX_SUCCESSORS,).
        reach: int64 (8,), scratch: the quiet digs that each column allows.
        pieces: int64 (8,), scratch: the lengths of the pieces of a run.
    """

    nodes: npt.NDArray[np.uint64]
    costs: npt.NDArray[np.int64]
    reach: npt.NDArray[np.int64]
    pieces: npt.NDArray[np.int64]


def make_successors() -> Successors:
    """Room for the successors of a node."""
    return Successors(
        np.empty((MAX_SUCCESSORS, NODE_WORDS), np.uint64),
        np.empty(MAX_SUCCESSORS, np.int64),
        np.empty(NUM_COLUMNS, np.int64),
        np.empty(NUM_COLUMNS, np.int64),
    )


@kernel(forceinline=True)
def run_capacity(num_free, num_free_columns):
    """The longest run that can move onto a card.

    Args:
        num_free: free spaces, int64, at least 0.
        num_free_columns: how many of them can be columns, at least 0.
    """
    columns = min(num_free, num_free_columns)
    return (num_free - columns + 1) << columns


@kernel(forceinline=True)
def loose_on_parents(intact, roots):
    """Masks of the loose cards that lie on their parents, and of the cards at home."""
    gone = ALL_CARDS & ~(intact | roots)
    home = home_mask(gone)
    return gone & ~home, home


@kernel
def settle_node(dealt, num_cells, front, roots, standing):
    """Makes the forced moves of a node; also returns the masks of intact and of top cards."""
    intact, tops = front_masks(dealt, front)
    while True:
        on_parent, home = loose_on_parents(intact, roots)
        due = (home + ACES) & ALL_CARDS & (tops | roots)
        if due != _NONE:
            roots &= ~due
            due &= tops
            while due != _NONE:
                front, intact, tops = dig_top(dealt, front, intact, tops, lowest_bit(due))
                due &= due - _ONE
            continue
        last = tops & first_cards(dealt)
        if last != _NONE:
            roots |= last
            standing |= last
            while last != _NONE:
                front, intact, tops = dig_top(dealt, front, intact, tops, lowest_bit(last))
                last &= last - _ONE
            continue
        runs = roots & (on_parent << _ONE)
        if num_cells + NUM_COLUMNS - popcount(tops) > popcount(roots):
            standing = runs
        else:
            standing = (standing & roots) | runs
        exposed = exposed_cards(tops, on_parent, roots, standing)
        going = roots & (exposed >> _ONE) & ~runs
        if going == _NONE:
            return front, roots, standing, intact, tops
        # One at a time: it may be the parent of another, and leave a column.
        roots &= ~lowest_of(going)


@kernel(forceinline=True)
def exposed_cards(tops, on_parent, roots, standing):
    """Mask of the cards in the tableau that are known to have nothing on them."""
    return (tops | on_parent | (standing & roots)) & ~(on_parent << _ONE)


@kernel
def successors(dealt, num_cells, node, intact, tops, rules, out):
    """The nodes after the next event, before forced moves; all the moves of the text above.

    Args:
        dealt: the tables of the deal.
        node: front, roots and standing of a settled node; intact, tops: its masks.
        rules: int64; without WITH_EVENTS each quiet dig is a successor of its own, without
            WITH_CUTS more cuts of a run are.
        out: a `Successors`, written.

    Returns:
        their number.
    """
    front, roots, standing = node
    on_parent, home = loose_on_parents(intact, roots)
    num_emptied = NUM_COLUMNS - popcount(tops)
    num_free = num_cells + num_emptied - popcount(roots)
    num_places = num_emptied - popcount(standing)
    runs = roots & (on_parent << _ONE)
    exposed = exposed_cards(tops, on_parent, roots, standing)
    adrift = roots & ~runs & ~standing
    view = View(front, roots, standing, on_parent, exposed, adrift, num_free, num_places, rules)
    waits = rules & WITH_EVENTS != 0
    count = np.int64(0)
    if num_emptied > 0:
        count = _class_moves(view, runs, out, count)
    windows, whole = scan_windows(
        dealt, front, on_parent, tops, num_free if waits else np.int64(0), out.reach
    )
    if not waits:
        whole = _ALL_COLUMNS
    wakes = (home + ACES) | (roots << _ONE)
    triggers = windows & (
        (exposed >> _ONE) | ~tops & (wakes | (child_above(dealt) & (intact << _ONE)))
    )
    triggers = first_triggers(dealt, front, triggers, out.reach)
    while triggers != _NONE:
        card = lowest_of(triggers)
        triggers &= triggers - _ONE
        bit = lowest_bit(card)
        column = column_of(dealt, bit)
        whole &= ~(_ONE << np.uint64(column))
        quiet = quiet_cards(dealt, entry_in(front, column), out.reach[column])
        is_woken = card & (wakes | (quiet << _ONE)) != _NONE
        count = _reach_unit(dealt, view, column, unit_of(dealt, bit), is_woken, out, count)
    while whole != _NONE:
        column = lowest_bit(whole)
        whole &= whole - _ONE
        at = entry_after(dealt, entry_in(front, column), out.reach[column])
        if head_at(dealt, at) != _NONE:
            count = _reach_unit(dealt, view, column, at, _UNWOKEN, out, count)
    if num_places > 0:
        count = _join_moves(dealt, view, intact, windows, out, count)
    return _pair_moves(dealt, view, windows, out, count)


@kernel(forceinline=True)
def _add(out, count, front, roots, standing, cost):
    out.nodes[count, FRONT] = front
    out.nodes[count, ROOTS] = roots
    out.nodes[count, STANDING] = standing
    out.costs[count] = min(cost, NUM_COSTS - 1)
    return count + 1


@kernel
def _class_moves(view, runs, out, count):
    """Adds the moves that dig nothing: merge, take apart, gather, split."""
    capacity = run_capacity(view.num_free, view.num_places)
    left = runs
    while left != _NONE:
        root = lowest_of(left)
        left &= left - _ONE
        rest = hanging_on(root, view.on_parent)
        length = 1 + popcount(rest)
        if (root << _ONE) & view.exposed and length <= capacity:
            count = _add(out, count, view.front, view.roots & ~root, view.standing, _COST_MERGE)
        elif length <= view.num_free:
            count = _add(
                out, count, view.front, view.roots | rest, view.standing, _COST_APART + length
            )
    if view.num_places == 0:
        return count
    # The upper of two neighbours is adrift: placed in a column, it takes the lower piece.
    capacity = run_capacity(view.num_free, view.num_places - 1)
    left = view.adrift & (view.roots << _ONE)
    while left != _NONE:
        upper = lowest_of(left)
        left &= left - _ONE
        lower = upper >> _ONE
        if 1 + popcount(hanging_on(lower, view.on_parent)) <= capacity:
            count = _add(
                out, count, view.front, view.roots & ~lower, view.standing | upper, _COST_GATHER
            )
    return _split_moves(view, out, count) if view.num_free > 0 else count


@kernel(forceinline=True)
def _split_moves(view, out, count):
    """Adds splits: the lowest cards of a run, or of what hangs on an intact card, into a column."""
    capacity = run_capacity(view.num_free - 1, view.num_places - 1)
    left = view.on_parent & ~(view.on_parent << _ONE)
    while left != _NONE:
        head = lowest_of(left) << _ONE
        left &= left - _ONE
        length = 2
        while head & view.on_parent and length <= capacity:
            # What stays may be one card; it stands where the run did.
            stays = (head << _ONE) & view.roots
            count = _add(
                out, count, view.front, view.roots | head, view.standing | head | stays,
                _COST_SPLIT + length,
            )  # fmt: skip
            head <<= _ONE
            length += 1
    return count


@kernel(forceinline=True)
def _reach_unit(dealt, view, column, at, is_woken, out, count):
    """Adds what can be done about the unit at an entry, below the quiet digs that `reach` says.

    To expose it is an event if that wakes it (`is_woken`: it is due, or a loose card comes to hang
    on it), if it is its column's last, or if it can be split once it is exposed. In the first two
    cases all else follows from there, and `reach` is lowered; otherwise its digs are added too.
    """
    num_digs = out.reach[column]
    quiet = quiet_cards(dealt, entry_in(view.front, column), num_digs)
    is_end = num_digs > 0 and (is_woken or is_last_unit(dealt, at))
    can_be_split = (
        num_digs > 0
        and rest_at(dealt, at) != _NONE
        and view.num_places > 0
        and view.num_free > num_digs
    )
    if is_end or can_be_split:
        count = _add(
            out, count, with_entry(view.front, column, at), view.roots | quiet, view.standing,
            _COST_DIG + num_digs - 1,
        )  # fmt: skip
    if is_end:
        out.reach[column] = num_digs - 1
        return count
    return _dig_unit(dealt, view, column, at, quiet, out, count)


@kernel
def _dig_unit(dealt, view, column, at, quiet, out, count):
    """Adds the digs of the unit at an entry, below `reach` quiet digs of the cards `quiet`.

    Onto its exposed parent, if there is one: all else could follow from that. For the case that
    the parent is the end of a run, or hangs on an intact card, it may first be lifted into a
    column. Otherwise into spaces; onto an adrift parent is in `_join_moves`.
    """
    num_digs = out.reach[column]
    head = head_at(dealt, at)
    run = rest_at(dealt, at) if num_digs > 0 else hanging_on(head, view.on_parent)
    length = 1 + popcount(run)
    num_left = view.num_free - num_digs
    num_places = view.num_places
    roots, standing = view.roots | quiet, view.standing
    after = with_entry(view.front, column, below(dealt, at))
    parent = head << _ONE
    if parent & view.exposed & ~quiet:
        if length <= run_capacity(num_left, num_places):
            count = _add(out, count, after, roots, standing, _COST_DIG + num_digs)
        if (
            parent & view.on_parent
            and num_places > 0
            and num_left > 0
            and length <= run_capacity(num_left - 1, num_places - 1)
        ):
            stays = (parent << _ONE) & view.roots
            count = _add(
                out, count, after, roots | parent, standing | parent | stays, _COST_LIFT + num_digs
            )
        return count
    if length == 1:
        if num_left > 0:
            count = _add(out, count, after, roots | head, standing, _COST_DIG + num_digs + 1)
        return count
    spread = Spread(
        after, roots, standing, head, length, num_left, num_places, _COST_DIG + num_digs, view.rules
    )
    return spread_run(spread, out, count)


class Spread(NamedTuple):
    """A run that is dug with its head and must be spread over free spaces; all scalars.

    Attributes:
        front, roots, standing: uint64, the node that follows, but for the pieces of the run.
        head: uint64, mask of the run's highest card; length: int64, of the run.
        num_free, num_places: int64, spaces and columns that its pieces can have.
        cost: int64, of the node that follows, but for a unit for each piece.
        rules: int64, WITH_CUTS or not.
    """

    front: np.uint64
    roots: np.uint64
    standing: np.uint64
    head: np.uint64
    length: np.int64
    num_free: np.int64
    num_places: np.int64
    cost: np.int64
    rules: np.int64


@kernel
def spread_run(spread, out, count):
    """Adds the ways to spread a run that is dug with its head over free spaces.

    A way is a cut of the run into pieces; the lowest piece goes first. A piece of one card takes a
    space. A longer one takes a column, and the spaces left at that moment must let it move there.
    The ways are gone through as a counter does: longer pieces, the lowest first, then single cards.

    A cut with a single card right below a longer piece is not tried. The single goes back to its
    parent, the lowest card of that piece, as soon as the node is settled, and the cut in which the
    two are one piece fits as well, since a run that moves one space earlier can be one card longer.
    What else is not tried, and why, is in `_is_useful`.
    """
    if spread.length >= run_capacity(spread.num_free, spread.num_places):
        return count
    pieces = out.pieces
    room = min(spread.num_free, spread.num_places)
    num_long, num_taken = np.int64(0), np.int64(0)
    while True:
        num_pieces = num_long + spread.length - num_taken
        if num_pieces <= spread.num_free and _is_useful(spread, pieces, num_long, num_taken):
            roots = spread.roots | _cut_heads(spread, pieces, num_long, num_taken)
            count = _add(out, count, spread.front, roots, spread.standing, spread.cost + num_pieces)
        if num_long < room:
            pieces[num_long] = 1
            num_long += 1
            num_taken += 1
        while True:
            if num_long == 0:
                return count
            num_long -= 1
            pieces[num_long] += 1
            num_taken += 1
            longest = run_capacity(spread.num_free - num_long - 1, spread.num_places - num_long - 1)
            if num_taken <= spread.length and pieces[num_long] <= longest:
                num_long += 1
                break
            num_taken -= pieces[num_long]


@kernel(forceinline=True)
def _cut_heads(spread, pieces, num_long, num_taken):
    """Mask of the highest card of each piece: longer ones from below, then single cards."""
    at = spread.head >> np.uint64(spread.length - 1)
    heads = (spread.head << _ONE) - (at << np.uint64(num_taken))
    for i in range(num_long):
        at <<= np.uint64(pieces[i])
        heads |= at >> _ONE
    return heads


@kernel(forceinline=True)
def _is_useful(spread, pieces, num_long, num_taken):
    """Whether a cut that fits is worth a node; with WITH_CUTS left out, always.

    Let two pieces that are neighbours be one in another cut that fits, too: pieces after them have
    a space more then. If a move of the search leads from that cut to this one, the node is met all
    the same, so it need not be added. With f spaces and c columns left after this cut:

    - a longer piece below a longer one is split off into a column: from f + 1 spaces and c + 1
      columns, of which one is the goal, so its length is at most `run_capacity(f, c)`;
    - a longer piece below a single card is split off likewise, from c columns. The single stands
      in its column then. That makes no difference if f > 0, since singles can be exchanged;
    - two single cards in one column are taken apart. Again it makes no difference if f > 0.

    The other cut has fewer pieces. So by induction a cut that is added leads to every one that is
    not, and the search meets the same nodes.
    """
    if spread.rules & WITH_CUTS == 0:
        return True
    num_single = spread.length - num_taken
    left = spread.num_free - num_long - num_single
    places = spread.num_places - num_long
    for i in range(1, num_long):
        capacity = run_capacity(spread.num_free - i, spread.num_places - i)
        if pieces[i - 1] + pieces[i] <= capacity and pieces[i - 1] <= run_capacity(left, places):
            return False
    if left == 0 or places == 0 or num_single == 0:
        return True
    if num_single > 1:
        return False
    last = pieces[num_long - 1]
    return num_long == 0 or not (
        last < run_capacity(spread.num_free - num_long, spread.num_places - num_long)
        and last <= run_capacity(left, places - 1)
    )


@kernel
def _join_moves(dealt, view, intact, windows, out, count):
    """Adds digs onto a parent that is a single adrift, placed in a column for that.

    The parent is in a space already, or comes there by a quiet dig of the same column.
    """
    heads = windows & ((view.adrift >> _ONE) | (parent_above(dealt) & (intact >> _ONE)))
    while heads != _NONE:
        head = lowest_of(heads)
        heads &= heads - _ONE
        bit = lowest_bit(head)
        column, at = column_of(dealt, bit), unit_of(dealt, bit)
        entry = entry_in(view.front, column)
        num_digs = digs_above(dealt, entry, at)
        if head_at(dealt, at) != head or num_digs > out.reach[column]:
            continue
        quiet = quiet_cards(dealt, entry, num_digs)
        parent = head << _ONE
        if not parent & (view.adrift | quiet):
            continue
        run = rest_at(dealt, at) if num_digs > 0 else hanging_on(head, view.on_parent)
        if 1 + popcount(run) <= run_capacity(view.num_free - num_digs, view.num_places - 1):
            count = _add(
                out, count, with_entry(view.front, column, below(dealt, at)), view.roots | quiet,
                view.standing | parent, _COST_DIG + num_digs,
            )  # fmt: skip
    return count


@kernel
def _pair_moves(dealt, view, windows, out, count):
    """Adds digs onto a parent that quiet digs expose in another column, or lift from there."""
    front, roots, standing, num_places = view.front, view.roots, view.standing, view.num_places
    heads = windows & (windows >> _ONE)
    while heads != _NONE:
        head = lowest_of(heads)
        heads &= heads - _ONE
        bit = lowest_bit(head)
        column, parent_column = column_of(dealt, bit), column_of(dealt, bit + 1)
        at, parent_at = unit_of(dealt, bit), unit_of(dealt, bit + 1)
        if column == parent_column or head_at(dealt, at) != head:
            continue
        top, parent_top = entry_in(front, column), entry_in(front, parent_column)
        num_digs = digs_above(dealt, top, at)
        num_parent_digs = digs_above(dealt, parent_top, parent_at)
        if num_digs > out.reach[column] or num_parent_digs > out.reach[parent_column]:
            continue
        run = rest_at(dealt, at) if num_digs > 0 else hanging_on(head, view.on_parent)
        length = 1 + popcount(run)
        after = with_entry(front, column, below(dealt, at))
        quiet = quiet_cards(dealt, top, num_digs)
        num_left = view.num_free - num_digs - num_parent_digs
        cost = _COST_DIG + num_digs + num_parent_digs
        if num_parent_digs > 0 and num_left >= 0 and length <= run_capacity(num_left, num_places):
            count = _add(
                out, count, with_entry(after, parent_column, parent_at),
                roots | quiet | quiet_cards(dealt, parent_top, num_parent_digs), standing, cost,
            )  # fmt: skip
        num_left -= 1
        num_parent_digs += 1
        if (
            num_places > 0
            and num_left >= 0
            and num_parent_digs <= out.reach[parent_column]
            and length <= run_capacity(num_left, num_places - 1)
        ):
            parent_after = entry_after(dealt, parent_top, num_parent_digs)
            count = _add(
                out, count, with_entry(after, parent_column, parent_after),
                roots | quiet | quiet_cards(dealt, parent_top, num_parent_digs),
                standing | (head << _ONE), cost + 1,
            )  # fmt: skip
    return count


@kernel
def strongest_front(dealt, num_cells, front, roots, standing, tops):
    """The highest front that positions of a node certainly have, for the relaxed lattice.

    A node takes the last card of a column for loose as soon as it is exposed. While it stands in a
    column, though, that column might as well be its own: then it counts as intact, and the lattice
    says more of a front with more intact cards. So for roots that stand; and for singles adrift, as
    many as have a column, if a space is free to exchange them.
    """
    num_emptied = NUM_COLUMNS - popcount(tops)
    num_places = num_emptied - popcount(standing)
    if num_cells + num_emptied == popcount(roots):
        num_places = 0
    first = roots & first_cards(dealt)
    while first != _NONE:
        card = lowest_of(first)
        first &= first - _ONE
        bit = lowest_bit(card)
        if card & standing == _NONE:
            if num_places == 0:
                continue
            num_places -= 1
        front = with_entry(front, column_of(dealt, bit), unit_of(dealt, bit))
    return front
