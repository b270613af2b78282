"""Supermoves: an action of several cards as single-card plies, and the way back.

A run of three from column 2 onto column 6, with two free cells (as the app has it, one action):

    26   is   2a 2b 26 b6 a6      top to a cell, next to a cell, the last over, and back
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate

from boulanger.engine.moves import Action, Place, Ply, Zone, cell_place, column_place
from boulanger.engine.position import Position
from boulanger.engine.rules import (
    apply_action,
    apply_ply,
    check_action,
    legal_actions,
    moving_cards,
    run_length,
    supermove_limit,
)


def expand(position: Position, action: Action) -> tuple[Ply, ...]:
    """A legal `action` as plies: a run card by card, through free cells and empty columns.

    The position comes out the same, and equal positions give equal plies. No plies do it in fewer,
    unless the run's own column, emptied, or an empty destination were used for a pile meanwhile:
    that saves a few for eight cards and more.

    Raises:
        IllegalMoveError: as `check_action`.
    """
    check_action(position, action)
    cells = [cell_place(i) for i, card in enumerate(position.cells) if card is None]
    spaces = [column_place(c) for c, column in enumerate(position.columns) if not column]
    if action.destination in spaces:
        spaces.remove(action.destination)
    run = moving_cards(position, action)
    return tuple(_carry(run, action.source, action.destination, cells, spaces))


def gather(position: Position, plies: Sequence[Ply]) -> tuple[Action, ...]:
    """Plies as actions: the way back from `expand`, with the same position at the end.

    From left to right, the longest stretch of plies that moves cards of one run only and amounts
    to one legal supermove becomes that action; any other ply stays an action by itself.

    Raises:
        IllegalMoveError: as `apply_ply`.
    """
    positions = list(accumulate(plies, apply_ply, initial=position))
    actions: list[Action] = []
    done = 0
    while done < len(plies):
        action, num_plies = _gathered(positions[done:], plies[done:])
        actions.append(action)
        done += num_plies
    return tuple(actions)


@cache
def _carry_plan(length: int, num_cells: int, num_spaces: int) -> tuple[int, int]:
    """The fewest plies that carry a run of `length`, and how many of its cards to set aside first.

    Set aside are 0 cards (a run of one), else 1 in a cell if there is one, or a pile in an empty
    column. (A pile of 1 would waste the column: a cell does as well.)

    Precondition: `length` is at most `supermove_limit(num_cells, num_spaces)`.
    """
    if length == 1:
        return 1, 0
    plans: list[tuple[int, int]] = []
    if num_cells and length - 1 <= supermove_limit(num_cells - 1, num_spaces):
        plans.append((2 + _carry_plan(length - 1, num_cells - 1, num_spaces)[0], 1))
    if num_spaces:
        limit = supermove_limit(num_cells, num_spaces - 1)
        smallest = max(2 if num_cells else 1, length - limit)
        for pile in range(smallest, min(limit, length - 1) + 1):
            aside = _carry_plan(pile, num_cells, num_spaces - 1)[0]
            rest = _carry_plan(length - pile, num_cells, num_spaces - 1)[0]
            plans.append((2 * aside + rest, pile))
    return min(plans)


def _carry(
    run: Sequence[int],
    source: Place,
    destination: Place,
    cells: Sequence[Place],
    spaces: Sequence[Place],
) -> Iterator[Ply]:
    """The plies that carry `run`: set the top of it aside, carry the rest, bring the top back."""
    _, num_aside = _carry_plan(len(run), len(cells), len(spaces))
    if num_aside == 0:
        yield Ply(run[0], source, destination)
        return
    rest, aside = run[:-num_aside], run[-num_aside:]
    if num_aside == 1 and cells:
        yield Ply(aside[0], source, cells[0])
        yield from _carry(rest, source, destination, cells[1:], spaces)
        yield Ply(aside[0], cells[0], destination)
        return
    yield from _carry(aside, source, spaces[0], cells, spaces[1:])
    yield from _carry(rest, source, destination, cells, spaces[1:])
    yield from _carry(aside, spaces[0], destination, cells, spaces[1:])


def _gathered(positions: Sequence[Position], plies: Sequence[Ply]) -> tuple[Action, int]:
    """The action that `plies` begin with, and how many of them it takes.

    `positions[i]` is the one before `plies[i]`.
    """
    position, source = positions[0], plies[0].source
    action, num_plies = plies[0].action, 1
    column = position.columns[source.index] if source.zone == Zone.COLUMN else ()
    run = column[-run_length(column) :]
    if len(run) < 2:
        return action, num_plies
    supermoves = {
        apply_action(position, supermove): supermove
        for supermove in legal_actions(position, all_places=True)
        if supermove.length > 1 and supermove.source == source
    }
    for i, ply in enumerate(plies):
        if ply.card not in run:
            break
        supermove_there = supermoves.get(positions[i + 1])
        if supermove_there is not None:
            action, num_plies = supermove_there, i + 1
    return action, num_plies
