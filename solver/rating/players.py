"""Simulated players of rising skill, and how often each wins a deal.

All of them play on closed states: cards that can go home go home, as a player's mostly do. Of the
other legal actions, a run counting as one, each player takes one by its own rule:

    random   any, each equally likely
    greedy   what a double tap prefers: onto a card, else to an empty column, else to a cell; which
             card, is left to chance
    planner  the action after which, with the best action that can follow, the board looks best
             (`appearance`); among equals, chance decides
    careful  as planner, but skips an action if a search of a few nodes proves that it loses

Nobody goes back to a position of the same game, save the random and the greedy player, who do not
remember. A game ends when it is won, when there is no action left, or after `MAX_ACTIONS`.

Chance comes from SplitMix64 (Steele, Lea and Flood 2014), so a game can be had again by its seed.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.deals.splitmix import FIRST_MULTIPLIER, GAMMA, SECOND_MULTIPLIER, mixed
from boulanger.engine.packed.bits import lowest_bit, popcount
from boulanger.engine.packed.jit import bare_kernel, compile_inner
from boulanger.engine.packed.layout import (
    ACES,
    ALL_CARDS,
    LANE_BITS,
    LANE_CARDS,
    NUM_COLUMNS,
    make_layout,
)
from boulanger.engine.packed.state import (
    TO_CELL,
    TO_COLUMN,
    TO_PARENT,
    column_masks,
    depth_of,
    home_mask,
    is_won,
    make_key,
)
from boulanger.solver.optimal.digs import ACTIONS
from boulanger.solver.optimal.steps import play_step, step_masks
from boulanger.solver.rating.outcomes import decide_state
from boulanger.solver.verdict.decide import UNWINNABLE

RANDOM: Final = 0
GREEDY: Final = 1
PLANNER: Final = 2
CAREFUL: Final = 3
PLAYER_NAMES: Final = ("random", "greedy", "planner", "careful")
NUM_PLAYERS: Final = len(PLAYER_NAMES)

MAX_ACTIONS: Final = 400
"""Foundation moves aside. Shortest solutions have some 30; who goes on so long only shuffles."""

CAREFUL_NODES: Final = 200
"""Nodes of the careful player's search for a proof that an action loses."""

# Room for the actions of a state: 52 cards to three kinds of destination at most.
MAX_STEPS: Final = 3 * 52
# Positions of a game that are remembered; a power of two above twice MAX_ACTIONS.
_SLOT_BITS: Final = 10
NUM_SLOTS: Final = 1 << _SLOT_BITS

# Positions of a deal that are remembered over all its games; a power of two.
_KNOWN_BITS: Final = 15
NUM_KNOWN: Final = 1 << _KNOWN_BITS
_MAX_KNOWN: Final = NUM_KNOWN * 3 // 4
# Fields of `Scratch.known` beside the key, and flags.
_FLAGS: Final = 2
_VALUE: Final = 3
_HAS_VALUE: Final = np.uint64(1)
_IS_SEARCHED: Final = np.uint64(2)
_IS_LOST: Final = np.uint64(4)

# What a board's appearance is made of, in points; see `appearance`. Of eight sets of weights that
# were tried on 80 Microsoft deals, the one with which the careful player won most.
_HOME_POINTS: Final = 6
_LINK_POINTS: Final = 4
_FREE_CELL_POINTS: Final = 2
_FREE_COLUMN_POINTS: Final = 5
_COVER_POINTS: Final = 2
_OVER_DUE_POINTS: Final = 4
# Judgement is noisy: 0 to _NOISE - 1 points are added at random.
_NOISE: Final = np.int64(4)
# Of an action that is out of the question.
_NEVER: Final = np.int64(-(1 << 40))

_LANE: Final = np.uint64((1 << LANE_CARDS) - 1)
# Typed, so that kernels see them as one type.
_TO_PARENT: Final = np.int64(TO_PARENT)
_TO_COLUMN: Final = np.int64(TO_COLUMN)
_TO_CELL: Final = np.int64(TO_CELL)
_MEASURE: Final = np.int64(ACTIONS)
_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)
_GAMMA: Final = np.uint64(GAMMA)
_MULTIPLIER_1: Final = np.uint64(FIRST_MULTIPLIER)
_MULTIPLIER_2: Final = np.uint64(SECOND_MULTIPLIER)
_KNOWN_SHIFT: Final = np.uint64(64 - _KNOWN_BITS)
_SLOT_SHIFT: Final = np.uint64(64 - _SLOT_BITS)
_HALF_WORD: Final = np.uint64(32)
_mixed: Final = bare_kernel(mixed)


class Scratch(NamedTuple):
    """Memory that games are played in; one for each thread.

    Attributes:
        visited: uint64 (NUM_SLOTS, 3), keys of positions and the game that they belong to.
        steps, more_steps: int64 (MAX_STEPS, 2), actions of a state: highest card (bit index), kind.
        points: int64 (MAX_STEPS,), what the first of these are worth.
        chance: uint64 (1,), the state of the generator.
        known: uint64 (NUM_KNOWN, 4), what is known of positions of the deal at hand, whoever met
            them: key, flags, points of `_look_ahead`; num_known: int64 (1,), how many there are.
        trace: int64 (MAX_ACTIONS + 1, 2), the actions of the last game, their number in the end.
    """

    visited: npt.NDArray[np.uint64]
    steps: npt.NDArray[np.int64]
    more_steps: npt.NDArray[np.int64]
    points: npt.NDArray[np.int64]
    chance: npt.NDArray[np.uint64]
    known: npt.NDArray[np.uint64]
    num_known: npt.NDArray[np.int64]
    trace: npt.NDArray[np.int64]


def make_scratch() -> Scratch:
    """New memory for games."""
    return Scratch(
        np.zeros((NUM_SLOTS, 3), np.uint64),
        np.zeros((MAX_STEPS, 2), np.int64),
        np.zeros((MAX_STEPS, 2), np.int64),
        np.zeros(MAX_STEPS, np.int64),
        np.zeros(1, np.uint64),
        np.zeros((NUM_KNOWN, 4), np.uint64),
        np.zeros(1, np.int64),
        np.zeros((MAX_ACTIONS + 1, 2), np.int64),
    )


def compile_players() -> None:
    """Compiles by itself what they do without verdicts."""
    word, layout = np.uint64(0), make_layout(((),) * NUM_COLUMNS)
    compile_inner(_value_of, layout, np.int64(0), *(word,) * 5, make_scratch())


@bare_kernel
def draw(chance, bound):
    """A number 0..bound - 1; `chance` is uint64 (1,), the generator's state, and moves on.

    The high half of a word times the bound: for bounds of at most 156 no number is likelier than
    another by more than 2^-24.
    """
    chance[0] += _GAMMA
    word = _mixed(chance[0])
    return np.int64(((word >> _HALF_WORD) * np.uint64(bound)) >> _HALF_WORD)


@bare_kernel
def list_steps(layout, num_cells, cells, bottoms, depths, steps):
    """Writes the actions of a state to `steps`, int64 (MAX_STEPS, 2): highest card, kind.

    Those onto a card come first, then those to an empty column, then those to a cell.

    Returns:
        where each kind ends: three numbers.
    """
    to_parent, to_cell, to_column = step_masks(layout, num_cells, _MEASURE, cells, bottoms, depths)
    count = _list_cards(to_parent, _TO_PARENT, steps, np.int64(0))
    end_parent = count
    count = _list_cards(to_column, _TO_COLUMN, steps, count)
    return end_parent, count, _list_cards(to_cell, _TO_CELL, steps, count)


@bare_kernel
def _list_cards(cards, kind, steps, count):
    while cards != _NONE:
        steps[count, 0] = lowest_bit(cards)
        steps[count, 1] = kind
        cards &= cards - _ONE
        count += 1
    return count


@bare_kernel
def appearance(layout, num_cells, cells, bottoms, depths):
    """How good a board looks, in points: what a player sees at a glance.

    Good are cards home, cards that lie on their parent, free cells and empty columns; bad is each
    intact card over a lower card of its suit in its column, and each card over one that is due.
    """
    intact, _, num_emptied = column_masks(layout, depths)
    gone = ALL_CARDS & ~(intact | cells | bottoms)
    home = home_mask(gone)
    points = _HOME_POINTS * popcount(home)
    points += _LINK_POINTS * popcount(gone & ~home)
    points += _FREE_CELL_POINTS * (num_cells - popcount(cells))
    points += _FREE_COLUMN_POINTS * (num_emptied - popcount(bottoms))
    due = (home + ACES) & intact
    for column in range(NUM_COLUMNS):
        under = _NONE
        seen_due = False
        start = layout.start[column]
        for entry in range(start + 1, start + 1 + depth_of(depths, column)):
            bit = layout.top[entry]
            suit = layout.card[entry] // LANE_BITS
            if under & (bit - _ONE) & (_LANE << np.uint64(LANE_BITS * suit)) != _NONE:
                points -= _COVER_POINTS
            if seen_due:
                points -= _OVER_DUE_POINTS
            seen_due |= bit & due != _NONE
            under |= bit
    return points


@bare_kernel
def _slot_of(visited, game, first, second):
    """Where a key of a game is in `visited`, or belongs.

    `visited` is uint64 (NUM_SLOTS, 3): keys and the number of the game that entered them.
    """
    slot = ((first ^ (second * _MULTIPLIER_1)) * _MULTIPLIER_2) >> _SLOT_SHIFT
    while visited[slot, 2] == game and (visited[slot, 0] != first or visited[slot, 1] != second):
        slot = (slot + _ONE) & np.uint64(NUM_SLOTS - 1)
    return slot


@bare_kernel
def _look_ahead(layout, num_cells, cells, bottoms, depths, steps):
    """The best appearance of a board after one more action, or of itself if that looks better."""
    best = appearance(layout, num_cells, cells, bottoms, depths)
    _, _, count = list_steps(layout, num_cells, cells, bottoms, depths, steps)
    for i in range(count):
        after = play_step(layout, _MEASURE, cells, bottoms, depths, steps[i, 0], steps[i, 1])
        best = max(best, appearance(layout, num_cells, after[0], after[1], after[2]))
    return best


@bare_kernel
def play_game(layout, num_cells, words, player, game, scratch, bench):
    """Whether a player wins one game from a closed state.

    The actions are left in `scratch.trace`, their number at its end.

    Args:
        num_cells, player: int64.
        words: the state: cells, bottoms and depths, uint64.
        game: uint64, another one for each game with the same `scratch`, at least 1.
        scratch: a `Scratch`, its chance set; bench: a `Workbench`.
    """
    cells, bottoms, depths = words
    for number in range(MAX_ACTIONS):
        scratch.trace[MAX_ACTIONS, 0] = number
        if is_won(cells, bottoms, depths):
            return True
        first, second = make_key(layout, cells, bottoms, depths)
        slot = _slot_of(scratch.visited, game, first, second)
        scratch.visited[slot, 0] = first
        scratch.visited[slot, 1] = second
        scratch.visited[slot, 2] = game
        end_parent, end_column, count = list_steps(
            layout, num_cells, cells, bottoms, depths, scratch.steps
        )
        if count == 0:
            return False
        if player == RANDOM:
            chosen = draw(scratch.chance, count)
        elif player == GREEDY:
            chosen = draw(scratch.chance, num_liked(end_parent, end_column, count))
        else:
            words = (cells, bottoms, depths)
            chosen = _planned_choice(layout, num_cells, words, player, game, count, scratch, bench)
            if chosen < 0:
                return False
        card, kind = scratch.steps[chosen, 0], scratch.steps[chosen, 1]
        scratch.trace[number, 0] = card
        scratch.trace[number, 1] = kind
        cells, bottoms, depths = play_step(layout, _MEASURE, cells, bottoms, depths, card, kind)
    scratch.trace[MAX_ACTIONS, 0] = MAX_ACTIONS
    return is_won(cells, bottoms, depths)


@bare_kernel
def num_liked(end_parent, end_column, count):
    """How many actions, the first of `list_steps`, the greedy player likes best."""
    if end_parent > 0:
        return end_parent
    return end_column if end_column > 0 else count


@bare_kernel
def _planned_choice(layout, num_cells, words, player, game, count, scratch, bench):
    """The step that looks best two actions on; -1 if each one leads back or is known to lose."""
    cells, bottoms, depths = words
    visited, steps, points = scratch.visited, scratch.steps, scratch.points
    for i in range(count):
        after = play_step(layout, _MEASURE, cells, bottoms, depths, steps[i, 0], steps[i, 1])
        first, second = make_key(layout, after[0], after[1], after[2])
        if visited[_slot_of(visited, game, first, second), 2] == game:
            points[i] = _NEVER
        else:
            points[i] = draw(scratch.chance, _NOISE) + _value_of(
                layout, num_cells, after[0], after[1], after[2], first, second, scratch
            )
    while True:
        best, num_best, chosen = _NEVER, 0, -1
        for i in range(count):
            if points[i] > best:
                best, num_best = points[i], 0
            if points[i] == best and best > _NEVER:
                # Each of the equals is as likely to stay.
                num_best += 1
                if draw(scratch.chance, num_best) == 0:
                    chosen = i
        if chosen < 0 or player != CAREFUL:
            return chosen
        after = play_step(
            layout, _MEASURE, cells, bottoms, depths, steps[chosen, 0], steps[chosen, 1]
        )
        if not _is_proven_lost(layout, num_cells, after[0], after[1], after[2], scratch, bench):
            return chosen
        points[chosen] = _NEVER


@bare_kernel
def _value_of(layout, num_cells, cells, bottoms, depths, first, second, scratch):
    """`_look_ahead`, worked out once a deal; `first` and `second` are the state's key."""
    slot = _known_slot(scratch, first, second)
    if slot >= 0 and scratch.known[slot, _FLAGS] & _HAS_VALUE:
        return np.int64(scratch.known[slot, _VALUE])
    value = _look_ahead(layout, num_cells, cells, bottoms, depths, scratch.more_steps)
    if slot >= 0:
        scratch.known[slot, _FLAGS] |= _HAS_VALUE
        scratch.known[slot, _VALUE] = np.uint64(value)
    return value


@bare_kernel
def _is_proven_lost(layout, num_cells, cells, bottoms, depths, scratch, bench):
    """Whether a search of `CAREFUL_NODES` proves a state lost, searched once a deal."""
    first, second = make_key(layout, cells, bottoms, depths)
    slot = _known_slot(scratch, first, second)
    if slot >= 0 and scratch.known[slot, _FLAGS] & _IS_SEARCHED:
        return scratch.known[slot, _FLAGS] & _IS_LOST != _NONE
    outcome = decide_state(
        bench, layout, num_cells, cells, bottoms, depths, np.int64(CAREFUL_NODES)
    )
    if slot >= 0:
        scratch.known[slot, _FLAGS] |= _IS_SEARCHED
        if outcome == UNWINNABLE:
            scratch.known[slot, _FLAGS] |= _IS_LOST
    return outcome == UNWINNABLE


@bare_kernel
def _known_slot(scratch, first, second):
    """Where a key is in `scratch.known`, entered if there is room; -1 if there is none."""
    slot = ((first ^ (second * _MULTIPLIER_1)) * _MULTIPLIER_2) >> _KNOWN_SHIFT
    known = scratch.known
    while known[slot, _FLAGS] != _NONE:
        if known[slot, 0] == first and known[slot, 1] == second:
            return np.int64(slot)
        slot = (slot + _ONE) & np.uint64(NUM_KNOWN - 1)
    if scratch.num_known[0] >= _MAX_KNOWN:
        return np.int64(-1)
    scratch.num_known[0] += 1
    known[slot, 0] = first
    known[slot, 1] = second
    return np.int64(slot)


@bare_kernel(nogil=True)
def count_wins(layout, num_cells, words, num_games, seed, scratch, bench, wins):
    """How many of its games each player wins.

    Args:
        num_games: int64 (NUM_PLAYERS,); wins: int64 (NUM_PLAYERS,), written.
        seed: uint64; the others as `play_game` has them.
    """
    scratch.visited[:, 2] = _NONE
    scratch.known[:, _FLAGS] = _NONE
    scratch.num_known[0] = 0
    game = _NONE
    for player in range(NUM_PLAYERS):
        wins[player] = 0
        for _ in range(num_games[player]):
            game += _ONE
            # Each game has a stream of its own: it starts at an output of the seed's stream.
            scratch.chance[0] = _mixed(seed + game * _GAMMA)
            wins[player] += play_game(layout, num_cells, words, player, game, scratch, bench)
