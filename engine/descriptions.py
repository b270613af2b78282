"""A move as plain facts, and the facts in words of any language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boulanger.engine.cards import card_text
from boulanger.engine.moves import Action, Zone
from boulanger.engine.position import Position
from boulanger.engine.rules import check_action, moving_cards
from boulanger.engine.words import ENGLISH, message, say_message


def action_facts(position: Position, action: Action) -> dict[str, Any]:
    """What a legal `action` moves, for JSON.

    Returns:
        cards: what moves, highest rank first, such as ["9H", "8H"];
        from, to: "1" to "8" a column, "a" to "g" and "i" a cell, "h" home;
        on: the card that they go onto; None if none.

    Raises:
        IllegalMoveError: as `check_action`.
    """
    check_action(position, action)
    zone, index = action.destination
    is_onto_card = zone == Zone.COLUMN and bool(position.columns[index])
    return {
        "cards": [card_text(card) for card in moving_cards(position, action)],
        "from": action.source.code,
        "to": "h" if zone == Zone.FOUNDATION else action.destination.code,
        "on": card_text(position.columns[index][-1]) if is_onto_card else None,
    }


def say_action(
    facts: Mapping[str, Any], language: str = ENGLISH, *, card_names: bool = False
) -> str:
    """What `action_facts` gives, in words.

    >>> say_action({"cards": ["7H"], "from": "2", "to": "5", "on": "8H"})
    '7H from column 2 onto 8H'
    >>> say_action({"cards": ["9H", "8H"], "from": "2", "to": "5", "on": None}, "fr")
    '9H-8H (2 cartes) de la colonne 2 vers la colonne 5, vide'
    """
    return say_message(action_message(facts), language, card_names=card_names)


def action_message(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What `action_facts` gives, as a fact of a message."""
    cards = facts["cards"]
    named = {
        "card": cards[0],
        "last": cards[-1],
        "num": len(cards),
        "source": facts["from"],
        "place": facts["to"],
        "on": facts["on"],
    }
    if facts["to"] == "h":
        key = "move.home"
    elif not facts["to"].isdigit():
        key = "move.to_cell"
    else:
        end = "to_empty" if facts["on"] is None else "onto"
        key = f"move.{end}" if len(cards) == 1 else f"move.run_{end}"
    return message(key, **named)
