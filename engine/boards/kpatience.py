"""Saved games of KPatience, which are XML.

    <kpat-game game-type="freecell" ...>
     <state current="true">
      <move pile="store0" position="0">
       <card id="0000042" suit="clubs" rank="four" turn="face-up"/>

The piles `store0` .. `store7` are the columns, `freecell0` .. the cells, `target0` .. the
foundations. A save tells the whole game: each state moves cards to other piles, and the one that is
current is the board. What speaks for it: it begins with `<`.
"""

from __future__ import annotations

import re
from typing import Final
from xml.etree import ElementTree

from boulanger.engine.boards.decks import ENGLISH
from boulanger.engine.boards.parsed import Draft
from boulanger.engine.boards.tokens import quote
from boulanger.engine.cards import make_card, rank_of, suit_of
from boulanger.engine.errors import BoardError
from boulanger.engine.position import MAX_CELLS, NUM_COLUMNS

_PILE: Final = re.compile(r"(store|freecell|target|play|cell)(\d+)")
_KINDS: Final = {"play": "store", "cell": "freecell"}


def is_kpatience(text: str) -> bool:
    """Whether this is XML."""
    return text.lstrip().startswith("<")


def read_kpatience(text: str) -> Draft:
    """The cards of a save.

    Raises:
        BoardError: if it is another XML, or damaged.
    """
    if re.search(r"<!(?:DOCTYPE\s+\w+\s*\[|ENTITY)", text, re.IGNORECASE):
        raise BoardError("this XML defines entities, which a saved game does not need")
    text = re.sub(r"<!DOCTYPE[^>\[]*>", "", text)
    try:
        root = ElementTree.fromstring(text.strip().encode())
    except ElementTree.ParseError as error:
        raise BoardError(f"this is not valid XML ({error})") from None
    if root.tag not in ("kpat-game", "dealer"):
        raise BoardError(
            f"this XML begins with {quote(str(root.tag))}; a saved game of KPatience (kpat-game) "
            "expected"
        )
    game = root.get("game-type") or "freecell"
    if game not in ("freecell", "bakersgame"):
        raise BoardError(f"a saved game of {quote(game)}; one of freecell expected")
    piles: dict[str, dict[int, list[int]]] = {"store": {}, "freecell": {}, "target": {}}
    for state in _states(root):
        for move in state:
            _move(piles, move)
        if state.get("current") == "true":
            break
    return _draft(piles)


def _states(root: ElementTree.Element) -> list[ElementTree.Element]:
    states = list(root.iter("state"))
    if not states:
        raise BoardError("this saved game has no state, which is where its cards are")
    return states


def _move(piles: dict[str, dict[int, list[int]]], move: ElementTree.Element) -> None:
    """Puts the cards of a move on its pile, from wherever they are."""
    name = move.get("pile") or ""
    found = _PILE.fullmatch(name)
    if found is None:
        return
    kind = _KINDS.get(found[1], found[1])
    pile = piles[kind].setdefault(int(found[2][:3]), [])
    cards = [_card(element) for element in move.iter("card")]
    for other_piles in piles.values():
        for other in other_piles.values():
            other[:] = [card for card in other if card not in cards]
    position = move.get("position") or ""
    at = int(position) if position.isdecimal() and len(position) < 4 else len(pile)
    pile[at:at] = cards


def _card(element: ElementTree.Element) -> int:
    suit = ENGLISH.suit(element.get("suit") or "")
    rank = ENGLISH.rank(element.get("rank") or "")
    if suit is None or rank is None:
        shown = f"{element.get('rank')} of {element.get('suit')}"
        raise BoardError(f"{quote(shown)} is not a card; a rank and a suit expected")
    return make_card(suit, rank)


def _draft(piles: dict[str, dict[int, list[int]]]) -> Draft:
    columns = piles["store"]
    if any(index >= NUM_COLUMNS for index in columns):
        raise BoardError(f"8 columns expected, {max(columns) + 1} found")
    cells: list[int | None] = [None] * max([3, *piles["freecell"]])
    cells.append(None)
    if len(cells) > MAX_CELLS or any(len(pile) > 1 for pile in piles["freecell"].values()):
        raise BoardError("the cells of this saved game hold more than cells can")
    for index, pile in piles["freecell"].items():
        cells[index] = pile[0] if pile else None
    foundations = [0] * 4
    for pile in piles["target"].values():
        for card in pile:
            foundations[suit_of(card)] = max(foundations[suit_of(card)], rank_of(card))
    return Draft(
        tuple(tuple(columns.get(c, ())) for c in range(NUM_COLUMNS)),
        tuple(cells),
        tuple(foundations),
    )
