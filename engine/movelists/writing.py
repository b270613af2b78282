"""`write_moves`: a list of moves in the style that a reader knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Final

from boulanger.engine.moves import Action, Place, Zone
from boulanger.engine.notation import describe_action, format_action
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action


def write_moves(position: Position, actions: Sequence[Action], style: str) -> list[str]:
    """Each of the legal `actions`, played one after another, in a style of `MOVE_WRITERS`.

    Raises:
        IllegalMoveError: if one is not legal.
    """
    write = MOVE_WRITERS[style]
    lines = []
    for action in actions:
        lines.append(write(position, action))
        position = apply_action(position, action)
    return lines


def _fcs(position: Position, action: Action) -> str:
    """Freecell Solver's `-snx`: `v` only with more than one card into an empty column."""
    return format_action(position, action).removesuffix("v1")


def _pysol(position: Position, action: Action) -> str:
    """The sentences that Freecell Solver gives to PySolFC: stacks and freecells from 0."""
    del position
    cards = "a card" if action.length == 1 else f"{action.length} cards"
    source, destination = action.source, action.destination
    return f"Move {cards} from {_numbered(source)} to {_numbered(destination)}"


def _numbered(place: Place) -> str:
    if place.zone == Zone.FOUNDATION:
        return "the foundations"
    return f"{'stack' if place.zone == Zone.COLUMN else 'freecell'} {place.index}"


MOVE_WRITERS: Final = MappingProxyType[str, Callable[[Position, Action], str]](
    {"notation": format_action, "words": describe_action, "fcs": _fcs, "pysol": _pysol}
)
