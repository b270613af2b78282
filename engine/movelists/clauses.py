"""Moves as a player says them: "6S to cell", "5C onto 6C", "AH home", "run of 3 from 2 to 5".

A clause has a subject (a card, a number of cards, or neither), perhaps where it comes from, and
where it goes. A place is a column (`column 3`, `3`), a cell (`cell b`, `b`, or just `cell`), a
card at the end of a column, an empty column, or home.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from boulanger.engine.boards.decks import ENGLISH
from boulanger.engine.cards import card_text, suit_of
from boulanger.engine.errors import IllegalMoveError, NotationError
from boulanger.engine.moves import (
    Action,
    Place,
    Zone,
    cell_place,
    column_place,
    foundation_place,
)
from boulanger.engine.notation import parse_action
from boulanger.engine.position import CELL_LETTERS, NUM_COLUMNS, Position
from boulanger.engine.rules import check_action, exposed_card, run_length

_NUMBERS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10,
}  # fmt: skip
_COLUMN_WORDS: Final = ("column", "col", "stack", "pile", "tableau", "cascade")
_CELL_WORDS: Final = ("cell", "freecell", "free", "temp", "reserve")
_HOME_WORDS: Final = ("home", "h", "out", "up", "foundation", "foundations", "homecell")
_TO_WORDS: Final = ("to", "onto", "on", "into", "in", "over")
_DROPPED: Final = ("the", "a", "card", "move", "put", "top", "of", "hearts", "spades", "clubs",
                   "diamonds", "please", "it")  # fmt: skip
_ARROW: Final = re.compile(r"\s*(?:=+>|-+>|→|>)\s*")
_JOINED_PLACES: Final = re.compile(r"([1-8a-gi])\s*-\s*([1-8a-gih])", re.IGNORECASE)
_RUN: Final = re.compile(r"(\S+?)-(\S+)")
_COUNT: Final = re.compile(r"\(\s*(\d{1,2}) cards?\s*\)")
_LONG_CARD: Final = re.compile(
    r"\b(ace|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|10|[1-9])\s+of\s+"
    r"(spades?|hearts?|diamonds?|clubs?)\b",
    re.IGNORECASE,
)
_LONGEST_CLAUSE: Final = 80


@dataclass(frozen=True, slots=True)
class Spot:
    """A place as it is said: `kind` is "column", "cell", "empty", "card" or "home".

    `index` is the number of the column or the cell, or the card; None leaves it open.
    """

    kind: str
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """A move as it is said."""

    target: Spot
    source: Spot | None = None
    card: int | None = None
    count: int | None = None


def parse_clause(text: str) -> Clause | None:
    """What one clause says; None if it is no move."""
    words = _words(text)
    if not words or len(text) > _LONGEST_CLAUSE:
        return None
    reader = _Words(words)
    card, count = reader.subject()
    if reader.skip("from"):
        source = reader.spot()
        if source is None:
            return None
    else:
        source = reader.spot() if not reader.is_at(*_TO_WORDS) else None
        if reader.is_done and source is not None:  # "AS home", "6D a"
            return Clause(source, None, card, count) if card is not None else None
    reader.skip(*_TO_WORDS)
    target = reader.spot()
    if target is None or not reader.is_done or (card is None and source is None):
        return None
    return Clause(target, source, card, count)


def clause_action(position: Position, clause: Clause) -> Action:
    """The legal action that a clause means on this board.

    Raises:
        IllegalMoveError: says why there is none.
    """
    source, length = _source(position, clause)
    destination = _destination(position, clause, source)
    if length is None and clause.count is None:
        if destination.zone == Zone.COLUMN and source.zone == Zone.COLUMN:
            return parse_action(position, f"{source.code}{destination.code}")
        length = 1
    action = Action(source, destination, length or clause.count or 1)
    check_action(position, action)
    return action


class _Words:
    """The words of a clause, read from left to right."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.at = 0

    @property
    def is_done(self) -> bool:
        return self.at >= len(self.words)

    def is_at(self, *words: str) -> bool:
        return not self.is_done and self.words[self.at] in words

    def skip(self, *words: str) -> bool:
        """Whether the next word is one of these; then it is passed."""
        if self.is_at(*words):
            self.at += 1
            return True
        return False

    def number(self) -> int | None:
        """The next word as a number, passed if it is one."""
        word = "" if self.is_done else self.words[self.at]
        number = _NUMBERS.get(word) or (int(word) if word.isdecimal() and len(word) < 3 else None)
        if number is not None:
            self.at += 1
        return number

    def card(self) -> int | None:
        """The next word as a card, passed if it is one."""
        word = "" if self.is_done else self.words[self.at]
        card = ENGLISH.card(word) if word[:1] != "0" else None
        if card is not None:
            self.at += 1
        return card

    def subject(self) -> tuple[int | None, int | None]:
        """The card and the number of cards at the start, as far as they are said."""
        start = self.at
        if self.skip("run", "sequence"):
            return None, self.number()
        number = self.number()
        if number is not None and self.skip("cards"):
            return None, number
        self.at = start
        found = _RUN.fullmatch(self.words[start]) if not self.is_done else None
        if found is not None and ENGLISH.card(found[1]) is not None and ENGLISH.card(found[2]):
            self.at += 1
            return ENGLISH.card(found[1]), None
        return self.card(), None

    def spot(self) -> Spot | None:
        """The next place, passed if it is one."""
        start = self.at
        is_empty = self.skip("empty", "free") and self.is_at(*_COLUMN_WORDS)
        if is_empty:
            self.skip(*_COLUMN_WORDS)
            number = self.number()
            return Spot("column", number - 1) if number else Spot("empty")
        self.at = start
        if self.skip(*_COLUMN_WORDS):
            number = self.number()
            return Spot("column", number - 1) if number else None
        self.skip("empty")
        if self.skip(*_CELL_WORDS):
            self.skip("cell")
            return self._cell()
        if self.skip(*_HOME_WORDS):
            return Spot("home")
        number = self.number()
        if number is not None:
            return Spot("column", number - 1)
        if not self.is_done and self.words[self.at] in tuple(CELL_LETTERS):
            return self._cell()
        card = self.card()
        return Spot("card", card) if card is not None else None

    def _cell(self) -> Spot:
        word = "" if self.is_done else self.words[self.at]
        if len(word) == 1 and word in CELL_LETTERS:
            self.at += 1
            return Spot("cell", CELL_LETTERS.index(word))
        number = self.number()
        return Spot("cell", number - 1 if number else None)


def _words(text: str) -> list[str]:
    plain = _LONG_CARD.sub(lambda found: f"{_rank_letter(found[1])}{found[2][0]}", text.strip())
    plain = _COUNT.sub(" ", plain)
    plain = _ARROW.sub(" to ", plain)
    joined = _JOINED_PLACES.fullmatch(plain)
    if joined is not None:
        plain = f"{joined[1]} to {joined[2]}"
    words = [word.strip(".!:").lower() for word in plain.split()]
    # "a" is an article before a word such as "run", and else the first cell.
    kept = []
    for i, word in enumerate(words):
        following = words[i + 1] if i + 1 < len(words) else ""
        is_article = word == "a" and following in (
            "run",
            "card",
            "free",
            "freecell",
            "cell",
            "temp",
        )
        if word and word != "a" and word in _DROPPED:
            continue
        if not word or is_article:
            continue
        kept.append(word)
    return kept


def _rank_letter(text: str) -> str:
    rank = ENGLISH.rank(text)
    return card_text((rank or 1) - 1)[0]


def _source(position: Position, clause: Clause) -> tuple[Place, int | None]:
    """Where the cards come from, and how many if the card tells."""
    if clause.card is None:
        assert clause.source is not None
        return _place(position, clause.source), clause.count
    for index, held in enumerate(position.cells):
        if held == clause.card:
            place, length = cell_place(index), 1
            break
    else:
        for index, column in enumerate(position.columns):
            if clause.card in column:
                place, length = column_place(index), len(column) - column.index(clause.card)
                break
        else:
            raise IllegalMoveError("movelist.home_already", card=card_text(clause.card))
    if clause.source is not None and clause.source.index is not None:
        said = _place(position, clause.source)
        if said != place:
            raise IllegalMoveError(
                "movelist.elsewhere",
                card=card_text(clause.card),
                place=place.code,
                said=said.code,
            )
    if place.zone == Zone.COLUMN and length > run_length(position.columns[place.index]):
        top = position.columns[place.index][-1]
        raise IllegalMoveError(
            "movelist.covered",
            card=card_text(clause.card),
            place=place.code,
            top=card_text(top),
        )
    return place, length


def _destination(position: Position, clause: Clause, source: Place) -> Place:
    target = clause.target
    if target.kind == "home":
        card = clause.card if clause.card is not None else exposed_card(position, source)
        return foundation_place(suit_of(card) if card is not None else 0)
    return _place(position, target)


def _place(position: Position, spot: Spot) -> Place:
    """The place on the board that is said; an open one is the first that is empty."""
    if spot.kind == "column" and spot.index is not None:
        if spot.index >= NUM_COLUMNS:
            raise NotationError("movelist.no_column", number=spot.index + 1)
        return column_place(spot.index)
    if spot.kind == "cell":
        if spot.index is not None:
            if spot.index >= position.num_cells:
                is_lettered = spot.index < len(CELL_LETTERS)
                cell = CELL_LETTERS[spot.index] if is_lettered else str(spot.index)
                num_cells = position.num_cells
                raise IllegalMoveError("movelist.no_cell", cell=cell, num_cells=num_cells)
            return cell_place(spot.index)
        if None not in position.cells:
            raise IllegalMoveError("movelist.no_free_cell")
        return cell_place(position.cells.index(None))
    if spot.kind == "empty":
        if () not in position.columns:
            raise IllegalMoveError("movelist.no_empty_column")
        return column_place(position.columns.index(()))
    if spot.kind == "card" and spot.index is not None:
        for index, column in enumerate(position.columns):
            if column and column[-1] == spot.index:
                return column_place(index)
        raise IllegalMoveError("movelist.not_at_the_end", card=card_text(spot.index))
    raise IllegalMoveError("rules.foundations_keep", place="h")
