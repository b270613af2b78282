"""Why an action is a good one: what it gains, read off the board. The words are made later."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from boulanger.engine.cards import card_text, rank_of, suit_of
from boulanger.engine.moves import Action, Place, Zone
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action, can_stack
from boulanger.engine.words import ENGLISH, say


class GainKind(StrEnum):
    """What an action can do for the player; each has its words under `gain.` in `engine.words`."""

    GOES_HOME = "goes_home"
    BUILDS_ON = "builds_on"  # a card
    FREES = "frees"  # a cell
    EMPTIES = "empties"  # a column
    DIGS_OUT = "digs_out"  # a card that can go home now
    UNCOVERS = "uncovers"  # a card that can be built on now
    DIGS_FOR = "digs_for"  # a card that is next to go home
    MAKES_ROOM = "makes_room"  # and nothing else that can be seen


@dataclass(frozen=True, slots=True)
class Gain:
    """One thing that an action does for the player.

    Attributes:
        kind: what it is.
        card: the card that it is about, 0..51; None if none.
        place: the place that it is about; None if none.
    """

    kind: GainKind
    card: int | None = None
    place: Place | None = None

    def as_json(self) -> dict[str, Any]:
        """The kind, and the card and the place where there is one, as text."""
        document: dict[str, Any] = {"kind": self.kind.value}
        if self.card is not None:
            document["card"] = card_text(self.card)
        if self.place is not None:
            document["place"] = self.place.code
        return document


def gains_of(position: Position, action: Action) -> tuple[Gain, ...]:
    """What a legal action does for the player: where the card goes, and what its leaving does.

    At most one gain of each sort, the one that says most. A card that only makes way for others,
    to no visible end, makes room.
    """
    gains = [
        *_gain_at_destination(position, action),
        *_gain_at_source(position, apply_action(position, action), action.source),
    ]
    return tuple(gains) or (Gain(GainKind.MAKES_ROOM),)


def describe_gains(
    gains: tuple[Gain, ...], language: str = ENGLISH, *, card_names: bool = False
) -> str:
    """Gains in words, such as `builds on 8H and frees cell a`."""
    return say_gains([gain.as_json() for gain in gains], language, card_names=card_names)


def say_gains(
    gains: list[dict[str, Any]], language: str = ENGLISH, *, card_names: bool = False
) -> str:
    """The same from what `Gain.as_json` gives."""
    phrases = [say(f"gain.{gain['kind']}", gain, language, card_names=card_names) for gain in gains]
    if len(phrases) == 1:
        return phrases[0]
    return say("gain.and", {"first": phrases[0], "second": phrases[1]}, language)


def _gain_at_destination(position: Position, action: Action) -> list[Gain]:
    zone, index = action.destination
    if zone == Zone.FOUNDATION:
        return [Gain(GainKind.GOES_HOME)]
    if zone == Zone.COLUMN and position.columns[index]:
        return [Gain(GainKind.BUILDS_ON, card=position.columns[index][-1])]
    return []


def _gain_at_source(before: Position, after: Position, source: Place) -> list[Gain]:
    """What the place that was left is good for now."""
    if source.zone == Zone.CELL:
        return [Gain(GainKind.FREES, place=source)]
    column = after.columns[source.index]
    if not column:
        return [Gain(GainKind.EMPTIES, place=source)]
    wanted = _next_home(after, column)
    if wanted == column[-1] and wanted != before.columns[source.index][-1]:
        return [Gain(GainKind.DIGS_OUT, card=wanted)]
    if _can_build(after, source.index, before.columns[source.index][len(column)]):
        return [Gain(GainKind.UNCOVERS, card=column[-1])]
    if wanted is not None:
        return [Gain(GainKind.DIGS_FOR, card=wanted)]
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
