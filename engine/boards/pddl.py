"""Problems of the planning competitions, in PDDL.

    (define (problem freecell-13-3) (:domain freecell)
     (:init (home s0) (cellspace n4) (on c10 d7) (bottomcol ck) (clear c5) (incell d2) ...

A card lies `on` another, at the bottom of a column or in a cell; `home` is the top of a foundation;
`cellspace` is the number of free cells. Nothing numbers the columns: they come in the order of
their `bottomcol`. What speaks for it: it begins with `(define`.
"""

from __future__ import annotations

import re
from typing import Final

from boulanger.engine.boards.parsed import Draft
from boulanger.engine.boards.tokens import quote
from boulanger.engine.cards import NUM_SUITS, RANK_LETTERS, make_card
from boulanger.engine.errors import BoardError
from boulanger.engine.notes import Note
from boulanger.engine.position import MAX_CELLS, NUM_COLUMNS

_COMMENT: Final = re.compile(r";.*")
_INIT: Final = re.compile(r"\(\s*:init\b(.*?)\(\s*:goal\b", re.IGNORECASE | re.DOTALL)
_FACT: Final = re.compile(r"\(\s*([a-z]+)\s+([^()\s]+)(?:\s+([^()\s]+))?\s*\)", re.IGNORECASE)
_CARD: Final = re.compile(
    r"(s|h|d|c|spades?|hearts?|diamonds?|clubs?)[-_]?(0|1[0-3]|[1-9]|[atjqk])", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"n?(\d{1,2})", re.IGNORECASE)


def is_pddl(text: str) -> bool:
    """Whether this is a planning problem."""
    return re.match(r"\s*(?:;.*\s*)*\(\s*define\b", text, re.IGNORECASE) is not None


def read_pddl(text: str) -> Draft:
    """The cards of a problem.

    Raises:
        BoardError: if it is another domain's, or has fewer cards.
    """
    init = _INIT.search(_COMMENT.sub("", text))
    if init is None:
        raise BoardError("reading.pddl_no_init")
    on: dict[int, int] = {}
    bottoms: list[int] = []
    cells: list[int | None] = []
    foundations = [0] * NUM_SUITS
    num_free = 0
    for fact in _FACT.finditer(init[1]):
        name, first, second = fact[1].lower(), fact[2], fact[3]
        if name == "on" and second is not None:
            below = _card(second)
            if below in on:
                raise BoardError("reading.pddl_two_cards", word=quote(second))
            on[below] = _card(first)
        elif name == "bottomcol":
            bottoms.append(_card(first))
        elif name == "incell":
            cells.append(_card(first))
        elif name == "home":
            suit, rank = _suit_and_rank(first)
            foundations[suit] = max(foundations[suit], rank)
        elif name == "cellspace":
            num_free = _number(first)
    if not bottoms:
        raise BoardError("reading.pddl_other")
    if len(bottoms) > NUM_COLUMNS or len(cells) + num_free > MAX_CELLS:
        num_cells = len(cells) + num_free
        raise BoardError("reading.pddl_too_many", columns=len(bottoms), cells=num_cells)
    columns = [_column(bottom, on) for bottom in bottoms]
    columns += [()] * (NUM_COLUMNS - len(columns))
    cells += [None] * num_free
    notes = (Note("note.pddl_order"),)
    return Draft(tuple(columns), tuple(cells), tuple(foundations), len(cells), notes)


def _column(bottom: int, on: dict[int, int]) -> tuple[int, ...]:
    column = [bottom]
    while column[-1] in on and len(column) <= len(on):
        column.append(on[column[-1]])
    return tuple(column)


def _suit_and_rank(text: str) -> tuple[int, int]:
    found = _CARD.fullmatch(text)
    if found is None:
        raise BoardError("reading.pddl_card", word=quote(text))
    rank = found[2].upper()
    suit = "shdc".index(found[1][0].lower())
    return suit, int(rank) if rank.isdecimal() else RANK_LETTERS.index(rank) + 1


def _card(text: str) -> int:
    suit, rank = _suit_and_rank(text)
    if not rank:
        raise BoardError("reading.pddl_place", word=quote(text))
    return make_card(suit, rank)


def _number(text: str) -> int:
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise BoardError("reading.pddl_cells", word=quote(text))
    return int(found[1])
