"""Moves as text: the standard FreeCell notation, and a long form in words.

A move is two places, from and to: columns `1` to `8`, cells `a` to `g` and `i` (as many as are in
play), `h` for home. `26` is column 2 to column 6, `a5` cell a to column 5, `3h` column 3 home.

- Onto a card, how many cards move follows from the card: `26` moves the run that fits there.
- Into an empty column, `v` and a hexadecimal digit say how many: `28v3`. Without it the longest run
  that may go there goes, as in FreeCell programs. Written here, a length is left out only if no
  run of more than one card could go.

Capitals are read too.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from boulanger.engine.cards import card_text, rank_of, suit_of
from boulanger.engine.descriptions import action_facts, say_action
from boulanger.engine.errors import IllegalMoveError, NotationError
from boulanger.engine.moves import (
    Action,
    Place,
    Ply,
    Zone,
    cell_place,
    column_place,
    foundation_place,
)
from boulanger.engine.position import CELL_LETTERS, Position
from boulanger.engine.rules import (
    check_action,
    exposed_card,
    longest_movable_run,
    run_length,
)
from boulanger.engine.words import ENGLISH

HOME_LETTER: Final = "h"
_COLUMN_DIGITS: Final = "12345678"
_PLACE_LETTERS: Final = _COLUMN_DIGITS + CELL_LETTERS + HOME_LETTER
_HEX_DIGITS: Final = "0123456789abcdef"

_MOVE: Final = re.compile(rf"([{_PLACE_LETTERS}])([{_PLACE_LETTERS}])(?:v([1-9a-d]))?")
_COMMENT: Final = re.compile(r"#.*")
_TOKEN: Final = re.compile(r"[^\s,;]+")
_MOVE_NUMBER: Final = re.compile(r"\d+[.):]+")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_LONGEST_MOVE: Final = 20  # with whatever stands between its places


class MoveToken(NamedTuple):
    """One move in a text, not yet read.

    Attributes:
        text: the move as written.
        line: the line it is on, from 1.
        column: the character it starts at in that line, from 1.
    """

    text: str
    line: int
    column: int


def format_action(position: Position, action: Action) -> str:
    """A legal `action` in the notation, such as `26` or `28v3`.

    Raises:
        IllegalMoveError: as `check_action`.
    """
    check_action(position, action)
    source, destination = action.source, action.destination
    text = _place_letter(source) + _place_letter(destination)
    if _is_into_empty_column(position, source, destination):
        longest = longest_movable_run(position, source.index, destination.index)
        if longest > 1:
            text += f"v{_HEX_DIGITS[action.length]}"
    return text


def parse_action(position: Position, text: str, *, is_bare_one: bool = False) -> Action:
    """The legal action that `text` stands for on this board.

    Args:
        position: the board.
        text: the move.
        is_bare_one: whether a move into an empty column without `v` takes one card, as in Freecell
            Solver's lists; else it takes the longest run that may go there.

    Raises:
        NotationError: if `text` is not a move in the notation; quotes it and says what would be.
        IllegalMoveError: if it is one that the rules refuse here; says why.
    """
    source_letter, destination_letter, length_digit = _split(text)
    if source_letter == HOME_LETTER:
        raise IllegalMoveError("rules.foundations_keep", place=HOME_LETTER)
    source = _parse_place(source_letter)
    destination = _destination(position, source, destination_letter)
    length = int(length_digit, 16) if length_digit else 1
    if _is_onto_card(position, source, destination):
        if length_digit and not is_bare_one:
            on = card_text(position.columns[destination.index][-1])
            raise IllegalMoveError(
                "notation.v_onto_card",
                place=destination.code,
                on=on,
                move=source_letter + destination_letter,
            )
        length = _length_onto_card(position, source, destination)
    elif _is_into_empty_column(position, source, destination) and not (length_digit or is_bare_one):
        length = max(1, longest_movable_run(position, source.index, destination.index))
    action = Action(source, destination, length)
    check_action(position, action)
    return action


def parse_moves(text: str) -> list[MoveToken]:
    """The moves in `text`, unread: separated by blanks, commas, semicolons or new lines.

    Move numbers and comments (from `#` to the end of the line) are ignored. A full stop, colon
    or bracket ends a move number, also right before a move: `26.` is number 26 and not a move.
    """
    tokens: list[MoveToken] = []
    for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), start=1):
        for found in _TOKEN.finditer(_COMMENT.sub("", line)):
            move_number = _MOVE_NUMBER.match(found[0])
            start = move_number.end() if move_number else 0
            if start < len(found[0]):
                tokens.append(MoveToken(found[0][start:], number, found.start() + start + 1))
    return tokens


def is_move(text: str) -> bool:
    """Whether `text` is a move as it is written, legal or not."""
    return _MOVE.fullmatch(text.lower()) is not None


def is_moves_text(text: str) -> bool:
    """Whether every word in `text` is a move as it is written, legal or not."""
    return all(is_move(token.text) for token in parse_moves(text))


def describe_action(
    position: Position, action: Action, language: str = ENGLISH, *, card_names: bool = False
) -> str:
    """A legal `action` in words, such as `7H from column 2 onto 8H`.

    Raises:
        IllegalMoveError: as `check_action`.
    """
    return say_action(action_facts(position, action), language, card_names=card_names)


def format_ply(position: Position, ply: Ply) -> str:
    """A legal `ply` in the notation; `28v1` where `28` would move a run.

    Raises:
        IllegalMoveError: as `check_action`.
    """
    return format_action(position, ply.action)


def describe_ply(position: Position, ply: Ply, language: str = ENGLISH) -> str:
    """A legal `ply` in words, such as `7H from column 2 to cell a`.

    Raises:
        IllegalMoveError: as `check_action`.
    """
    return describe_action(position, ply.action, language)


def _place_letter(place: Place) -> str:
    if place.zone == Zone.COLUMN:
        return _COLUMN_DIGITS[place.index]
    return CELL_LETTERS[place.index] if place.zone == Zone.CELL else HOME_LETTER


def _parse_place(letter: str) -> Place:
    """The column or cell that `letter` stands for."""
    if letter in _COLUMN_DIGITS:
        return column_place(_COLUMN_DIGITS.index(letter))
    return cell_place(CELL_LETTERS.index(letter))


def _destination(position: Position, source: Place, letter: str) -> Place:
    """The place that `letter` stands for; home is the foundation of the card at `source`."""
    if letter != HOME_LETTER:
        return _parse_place(letter)
    is_on_board = source.zone == Zone.COLUMN or source.index < position.num_cells
    card = exposed_card(position, source) if is_on_board else None
    return foundation_place(suit_of(card) if card is not None else 0)


def _is_onto_card(position: Position, source: Place, destination: Place) -> bool:
    """Whether that is from a column or a cell to another column that holds something."""
    return (
        destination.zone == Zone.COLUMN
        and destination != source
        and bool(position.columns[destination.index])
    )


def _is_into_empty_column(position: Position, source: Place, destination: Place) -> bool:
    """Whether that is from a column to another that is empty, where a length matters."""
    return (
        source.zone == Zone.COLUMN
        and destination.zone == Zone.COLUMN
        and destination != source
        and not position.columns[destination.index]
    )


def _length_onto_card(position: Position, source: Place, destination: Place) -> int:
    """How many cards go onto the card at the end of `destination`; 1 if the refusal is plain.

    Raises:
        IllegalMoveError: if a run is there, but none of its cards fits.
    """
    if source.zone != Zone.COLUMN or not position.columns[source.index]:
        return 1
    column = position.columns[source.index]
    on = position.columns[destination.index][-1]
    run = column[-run_length(column) :]
    if len(run) == 1:
        return 1
    if rank_of(on) > 1 and on - 1 in run:
        return len(run) - run.index(on - 1)
    first, last = card_text(run[0]), card_text(run[-1])
    places = {"source": source.code, "place": destination.code}
    if rank_of(on) == 1:
        raise IllegalMoveError(
            "notation.ace_takes_none", first=first, last=last, on=card_text(on), **places
        )
    raise IllegalMoveError(
        "notation.no_card_fits",
        first=first,
        last=last,
        on=card_text(on),
        wanted=card_text(on - 1),
        **places,
    )


def _split(text: str) -> tuple[str, str, str | None]:
    """The letters of the two places and the digit of the length, in lower case.

    Raises:
        NotationError: quotes `text` and says what is wrong with it.
    """
    found = _MOVE.fullmatch(text.strip().lower())
    if found is None:
        raise NotationError("notation.not_a_move", text=text, fault=_fault(text.strip().lower()))
    source, destination, length_digit = found.groups()
    if length_digit and (source not in _COLUMN_DIGITS or destination not in _COLUMN_DIGITS):
        fault = _message("notation.v_between_columns", move=source + destination)
        raise NotationError("notation.not_a_move", text=text, fault=fault)
    return source, destination, length_digit


def _fault(lowered: str) -> dict[str, Any]:
    """What is wrong with a text that is not a move, and what would be right."""
    plain = re.sub(r"[^0-9a-z]", "", lowered[:_LONGEST_MOVE])
    if plain != lowered and _MOVE.fullmatch(plain):
        return _message("notation.write", move=plain)
    for letter in lowered[:2]:
        if letter.isascii() and letter.isdigit() and letter not in _COLUMN_DIGITS:
            return _message("notation.columns")
        if letter not in _PLACE_LETTERS:
            return _message("notation.no_place", letter=letter)
    if len(lowered) > 2 and lowered[2] == "v":
        return _message("notation.after_v")
    return _message("notation.two_places")


def _message(key: str, **facts: str) -> dict[str, Any]:
    return {"key": key, "facts": facts}
