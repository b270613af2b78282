"""Why an action is a good one, in a few words read off the board."""

from __future__ import annotations

from boulanger.engine.cards import card_name, card_text, rank_of, suit_of
from boulanger.engine.moves import Action, Place, Zone
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action, can_stack


def reason_for(position: Position, action: Action) -> str:
    """What a legal action does for the player, such as `builds on 8H and frees cell a`.

    The most that can be said of it: where the card goes, and what its leaving does. A card that
    only makes way for others, to no visible end, `makes room`.
    """
    gains = [
        *_gain_at_destination(position, action),
        *_gain_at_source(position, apply_action(position, action), action.source),
    ]
    return " and ".join(gains) or "makes room"


def _gain_at_destination(position: Position, action: Action) -> list[str]:
    zone, index = action.destination
    if zone == Zone.FOUNDATION:
        return ["goes home"]
    if zone == Zone.COLUMN and position.columns[index]:
        return [f"builds on {card_text(position.columns[index][-1])}"]
    return []


def _gain_at_source(before: Position, after: Position, source: Place) -> list[str]:
    """What the place that was left is good for now."""
    if source.zone == Zone.CELL:
        return [f"frees {source}"]
    column = after.columns[source.index]
    if not column:
        return [f"empties {source}"]
    wanted = _next_home(after, column)
    if wanted == column[-1] and wanted != before.columns[source.index][-1]:
        return [f"digs out the {card_name(wanted)}"]
    if _can_build(after, source.index, before.columns[source.index][len(column)]):
        return [f"uncovers {card_text(column[-1])}, which can be built on"]
    if wanted is not None:
        return [f"digs for the {card_name(wanted)}"]
    return []


def _next_home(position: Position, column: tuple[int, ...]) -> int | None:
    """The card nearest to the end of `column` that is the next one of its suit to go home."""
    return next(
        (c for c in reversed(column) if rank_of(c) == position.foundations[suit_of(c)] + 1), None
    )


def _can_build(position: Position, index: int, moved: int) -> bool:
    """Whether the card exposed in a column can take an exposed card but the one that left it."""
    top = position.columns[index][-1]
    exposed = [column[-1] for c, column in enumerate(position.columns) if column and c != index]
    held = [card for card in position.cells if card is not None]
    return any(can_stack(card, top) and card != moved for card in exposed + held)
