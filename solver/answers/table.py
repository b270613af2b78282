"""A board that is played on, with all that may be done on it; for a front end that knows no rule.

`table_json`:

    cells        cells in play
    board        num_cells, foundations, cells, columns, as `engine.boards.json_board` has them
    score        the app's
    home         cards on the foundations
    won          whether all cards are home
    legal_move   whether anything may be played that does more than swap one empty place for another
    actions      list of every legal action, {notation, from, to, count, cards, like}: `from` and
                 `to` as in the notation, "1".."8" a column, "a".."g" and "i" a cell, "h" home;
                 `cards` from the highest to the lowest. Empty columns are alike, and so are free
                 cells: `like` is the notation of the action that stands for all with this outcome,
                 as marks and hints have it; null if the action only swaps one empty place for
                 another
    tap          for each place where a tap does something, the notation of what it does
    double_tap   the same for a double tap
"""

from __future__ import annotations

from typing import Any

from boulanger.engine.boards.writing import position_to_json
from boulanger.engine.cards import card_text
from boulanger.engine.game import Game
from boulanger.engine.moves import Action, Zone, cell_place, column_place
from boulanger.engine.notation import format_action
from boulanger.engine.position import NUM_COLUMNS, Position
from boulanger.engine.rules import legal_actions, moving_cards


def table_json(game: Game) -> dict[str, Any]:
    """What a game shows and allows now."""
    position = game.position
    return {
        "cells": position.num_cells,
        "board": position_to_json(position),
        "score": game.score,
        "home": sum(position.foundations),
        "won": position.is_won,
        "legal_move": game.has_legal_move,
        "actions": [
            _action_json(position, action) for action in legal_actions(position, all_places=True)
        ],
        "tap": _gestures(position, Game.tap),
        "double_tap": _gestures(position, Game.double_tap),
    }


def _action_json(position: Position, action: Action) -> dict[str, Any]:
    notation = format_action(position, action)
    like = _like(position, action)
    return {
        "notation": notation,
        "from": notation[0],
        "to": notation[1],
        "count": action.length,
        "cards": [card_text(card) for card in moving_cards(position, action)],
        "like": None if like is None else format_action(position, like),
    }


def _like(position: Position, action: Action) -> Action | None:
    """The action with the same outcome that `legal_actions` gives; None if it gives none."""
    source, destination = action.source, action.destination
    if destination.zone == Zone.CELL:
        if source.zone == Zone.CELL:
            return None
        return Action(source, cell_place(position.cells.index(None)))
    if destination.zone == Zone.COLUMN and not position.columns[destination.index]:
        is_whole = (
            source.zone == Zone.COLUMN and len(position.columns[source.index]) == action.length
        )
        first = column_place(position.columns.index(()))
        return None if is_whole else Action(source, first, action.length)
    return action


def _gestures(position: Position, gesture: Any) -> dict[str, str]:
    """For each place where `gesture` plays something, what that is, in notation."""
    places = [*map(column_place, range(NUM_COLUMNS)), *map(cell_place, range(position.num_cells))]
    played = ((place, gesture(Game(position), place)) for place in places)
    return {
        format_action(position, action)[0]: format_action(position, action)
        for place, action in played
        if action is not None
    }
