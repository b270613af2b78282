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
        raise BoardError("reading.xml_entities")
    text = re.sub(r"<!DOCTYPE[^>\[]*>", "", text)
    try:
        root = ElementTree.fromstring(text.strip().encode())
    except ElementTree.ParseError as error:
        raise BoardError("reading.not_xml", reason=str(error)) from None
    if root.tag not in ("kpat-game", "dealer"):
        raise BoardError("reading.not_kpatience", word=quote(str(root.tag)))
    game = root.get("game-type") or "freecell"
    if game not in ("freecell", "bakersgame"):
        raise BoardError("reading.other_game", game=quote(game))
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
        raise BoardError("reading.no_state")
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
        raise BoardError("reading.not_rank_and_suit", word=quote(shown))
    return make_card(suit, rank)


def _draft(piles: dict[str, dict[int, list[int]]]) -> Draft:
    columns = piles["store"]
    if any(index >= NUM_COLUMNS for index in columns):
        raise BoardError("position.num_columns", found=max(columns) + 1)
    cells: list[int | None] = [None] * max([3, *piles["freecell"]])
    cells.append(None)
    if len(cells) > MAX_CELLS or any(len(pile) > 1 for pile in piles["freecell"].values()):
        raise BoardError("reading.overfull_cells")
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
