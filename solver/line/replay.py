"""From the search's plies to a solution that a player can follow, replayed under the rules."""

from __future__ import annotations

from collections.abc import Sequence

from boulanger.engine.cards import card_text
from boulanger.engine.game import score_after
from boulanger.engine.moves import Action, Place, Ply, Zone
from boulanger.engine.notation import format_action
from boulanger.engine.packed.layout import bit_card
from boulanger.engine.packed.state import TO_CELL, TO_COLUMN
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action, apply_ply, close
from boulanger.engine.supermoves import expand, gather
from boulanger.solver.line.shorten import Line
from boulanger.solver.result import Solution, Step


def make_solution(start: Position, line: Line) -> Solution:
    """The solution that a winning line of the search stands for.

    The search forces foundation moves and knows neither which cell nor which column, so each ply
    is placed on the board again and checked by the rules; so are the actions that plies form.

    Raises:
        RuntimeError: if the line breaks a rule or does not win. That would be a fault of the
            search, and no such line is handed out.
    """
    plies = _place_plies(start, line)
    position, done, steps = start, 0, []
    for action in gather(start, plies):
        after, reached, first = apply_action(position, action), position, done
        while reached != after:
            reached = apply_ply(reached, plies[done])
            done += 1
        steps.append(
            Step(position, action, tuple(plies[first:done]), format_action(position, action))
        )
        position = after
    return _won(start, position, steps)


def make_solution_in_actions(start: Position, line: Line) -> Solution:
    """`make_solution` for a line of actions: a card takes along whatever run lies on it."""
    position, steps = start, []

    def play(action: Action) -> None:
        nonlocal position
        steps.append(
            Step(position, action, expand(position, action), format_action(position, action))
        )
        position = apply_action(position, action)

    for action in close(position)[1]:
        play(action)
    for bit, destination in line:
        card = bit_card(bit)
        source, length = _find_run(position, card)
        play(Action(source, _find_destination(position, card, destination), length))
        for action in close(position)[1]:
            play(action)
    return _won(start, position, steps)


def rest_of(solution: Solution, position: Position) -> Solution | None:
    """What is left of a solution at a position; None if the solution does not pass through it."""
    for index, step in enumerate(solution.steps):
        if step.before == position:
            steps = solution.steps[index:]
            return Solution(position, steps, score_after(step.action for step in steps))
    return None


def _won(start: Position, end: Position, steps: Sequence[Step]) -> Solution:
    """The solution of these steps.

    Raises:
        RuntimeError: if they do not win.
    """
    if not end.is_won:
        raise RuntimeError("the search's line does not win; please report the deal")
    return Solution(start, tuple(steps), score_after(step.action for step in steps))


def _place_plies(start: Position, line: Line) -> list[Ply]:
    position, plies = _play_home(start)
    for bit, destination in line:
        card = bit_card(bit)
        ply = Ply(card, _find(position, card), _find_destination(position, card, destination))
        position = apply_ply(position, ply)
        plies.append(ply)
        position, home = _play_home(position)
        plies += home
    return plies


def _play_home(position: Position) -> tuple[Position, list[Ply]]:
    """Plays all foundation moves; the position after them, and they."""
    closed, actions = close(position)
    plies = []
    for action in actions:
        ply = _single_ply(position, action)
        position = apply_ply(position, ply)
        plies.append(ply)
    assert position == closed
    return position, plies


def _single_ply(position: Position, action: Action) -> Ply:
    source = action.source
    if source.zone == Zone.COLUMN:
        return Ply(position.columns[source.index][-1], source, action.destination)
    card = position.cells[source.index]
    assert card is not None
    return Ply(card, source, action.destination)


def _find(position: Position, card: int) -> Place:
    """The place of an exposed card or of one in a cell."""
    if card in position.cells:
        return Place(Zone.CELL, position.cells.index(card))
    for index, column in enumerate(position.columns):
        if column and column[-1] == card:
            return Place(Zone.COLUMN, index)
    raise RuntimeError(f"the search moves {card_text(card)}, which is covered; please report it")


def _find_run(position: Position, card: int) -> tuple[Place, int]:
    """The place of a card, and how many cards lie there from it to the exposed one."""
    for index, column in enumerate(position.columns):
        if card in column:
            return Place(Zone.COLUMN, index), len(column) - column.index(card)
    return _find(position, card), 1


def _find_destination(position: Position, card: int, destination: int) -> Place:
    """The first cell or empty column, or the column that ends with the card's parent."""
    if destination == TO_CELL:
        return Place(Zone.CELL, position.cells.index(None))
    if destination == TO_COLUMN:
        return Place(Zone.COLUMN, position.columns.index(()))
    return _find(position, card + 1)
