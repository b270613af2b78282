"""The styles of lists of moves, a reader for each; `STYLES` is the order in which they are tried.

A reader finds the moves in a text, or None if it is not in that style, and says what each means on
a board.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from boulanger.engine.boards.decks import ENGLISH
from boulanger.engine.cards import suit_of
from boulanger.engine.errors import NotationError
from boulanger.engine.movelists.clauses import Clause, Spot, clause_action, parse_clause
from boulanger.engine.moves import Action, Place, cell_place, column_place, foundation_place
from boulanger.engine.notation import MoveToken, is_move, parse_action, parse_moves
from boulanger.engine.position import NUM_COLUMNS, Position
from boulanger.engine.rules import check_action, exposed_card

Finder = Callable[[str], list[MoveToken] | None]

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_COMMENT: Final = re.compile(r"#.*")
_RUN_TOGETHER: Final = re.compile(r"(?:[1-8a-gi][1-8a-gih](?:v[1-9a-d])?){2,}", re.IGNORECASE)
_PAIR: Final = re.compile(r"..(?:v[1-9a-d])?", re.IGNORECASE)
_MOVE_LINE: Final = re.compile(r"\s*move:\s*(\S+)\s*", re.IGNORECASE)
_SENTENCE: Final = re.compile(
    r"\s*move (a card|\d{1,2} cards?) from (stack|freecell) (\d{1,2}) to "
    r"(?:(stack|freecell) (\d{1,2})|(the foundations?))\s*\.?\s*",
    re.IGNORECASE,
)
_OUTPUT_SIGN: Final = re.compile(
    r"^\s*(?:(?:-=){4,}-?|={10,}|this game is solvea?ble.*)\s*$", re.IGNORECASE | re.MULTILINE
)
_COMPACT_START: Final = re.compile(r"^\s*(?:moves?\s*:)?\s*", re.IGNORECASE)
_COMPACT: Final = re.compile(r"[0-7][0-7]\{\d{1,2}\}|[0-7][a-dh]|[a-d][0-7h]", re.IGNORECASE)
_PLACES: Final = re.compile(
    r"\s*([1-8]|f[1-8])\s+([1-8]|f[1-8]|h[1-4])(?:\s+(\d{1,2}))?\s*", re.IGNORECASE
)
_ARROWS: Final = re.compile(r"\s*(\S+?)\s*:\s*(\d|cell)\s*=>\s*(\d|cell|[shdc])\s*", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r"[,;]|\bthen\b|\.(?=\s|$)")
_NUMBER: Final = re.compile(r"\s*\d+[.)]+\s+")
_F_MOVE: Final = re.compile(r"[1-8a-e][1-8a-ef](?:v[1-9a-d])?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Style:
    """One style.

    Attributes:
        name: for JSON and tests.
        title: for "the moves read as ...", the last part of the key of its words `style.*`; empty
            for our own notation.
        find: the moves in a text; None if it is not in this style.
        action: what a move means on a board.
    """

    name: str
    title: str
    find: Finder
    action: Callable[[Position, str], Action]


def find_notation(text: str) -> list[MoveToken] | None:
    """`26 a5, 3h 28v3`, also run together (`26a53h`) and with numbers (`1. 26`)."""
    tokens: list[MoveToken] = []
    for token in parse_moves(text):
        if is_move(token.text):
            tokens.append(token)
        elif _RUN_TOGETHER.fullmatch(token.text):
            tokens += [
                MoveToken(pair[0], token.line, token.column + pair.start())
                for pair in _PAIR.finditer(token.text)
            ]
        else:
            return None
    return tokens


def find_in_output(text: str) -> list[MoveToken] | None:
    """The moves in Freecell Solver's whole output: `Move: 4h` lines, or those between rulers."""
    lines = list(enumerate(_LINE_END.split(text), start=1))
    found = [(number, match) for number, line in lines if (match := _MOVE_LINE.fullmatch(line))]
    if found:
        tokens = [MoveToken(match[1], number, match.start(1) + 1) for number, match in found]
        return tokens if all(is_move(token.text) for token in tokens) else None
    if not _OUTPUT_SIGN.search(text):
        return None
    tokens = []
    for number, line in lines:
        on_line = find_notation(line)
        tokens += [MoveToken(t.text, number, t.column) for t in on_line or ()]
    return tokens or None


def find_sentences(text: str) -> list[MoveToken] | None:
    """`Move a card from stack 3 to the foundations`, in whatever output around it."""
    tokens = [
        MoveToken(line.strip(), number, 1 + len(line) - len(line.lstrip()))
        for number, line in enumerate(_LINE_END.split(text), start=1)
        if _SENTENCE.fullmatch(line)
    ]
    return tokens or None


def find_f_home(text: str) -> list[MoveToken] | None:
    """Our notation with `F` for home: `4F 72 58`; nothing may come from F."""
    tokens = parse_moves(text)
    if not any(token.text[1:2] in "fF" for token in tokens if len(token.text) > 1):
        return None
    return tokens if all(_F_MOVE.fullmatch(token.text) for token in tokens) else None


def find_compact(text: str) -> list[MoveToken] | None:
    """`3h61{1}47{1}7a`: columns 0 to 7, and how many cards in braces."""
    start = _COMPACT_START.match(text)
    body = text[start.end() if start else 0 :]
    if "{" not in body:
        return None
    tokens = []
    for number, line in enumerate(_LINE_END.split(text), start=1):
        begin = _COMPACT_START.match(line)
        at = begin.end() if begin else 0
        while line[at:].strip():
            found = _COMPACT.match(line, at)
            if found is None:
                return None
            tokens.append(MoveToken(found[0], number, at + 1))
            at = found.end()
            while at < len(line) and line[at] in " \t,":
                at += 1
    return tokens


def find_places(text: str) -> list[MoveToken] | None:
    """`8 f1` and `1 8 3` a line or between slashes: from, to and how many, one if not said."""
    return _find_lines(text, _PLACES, separator="/")


def find_arrows(text: str) -> list[MoveToken] | None:
    """`7C: 3 => Cell`: the card, the column or the cell, and where to."""
    return _find_lines(text, _ARROWS)


def find_clauses(text: str) -> list[MoveToken] | None:
    """Moves in words, one a line or between commas; moves in notation may stand among them."""
    tokens: list[MoveToken] = []
    num_clauses = 0
    if find_sentences(text):
        return None
    for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), start=1):
        plain = _COMMENT.sub("", line)
        numbered = _NUMBER.match(plain)
        at = numbered.end() if numbered else 0
        ends = [found.span() for found in _CLAUSE_END.finditer(plain, at)]
        for end in [*ends, (len(plain), len(plain))]:
            part = plain[at : end[0]]
            before = _NUMBER.match(part)
            start = at + (before.end() if before else 0)
            part = plain[start : end[0]]
            start += len(part) - len(part.lstrip())
            at = end[1]
            if not part.strip():
                continue
            if parse_clause(part) is not None and not is_move(part.strip()):
                tokens.append(MoveToken(part.strip(), number, start + 1))
                num_clauses += 1
                continue
            moves = find_notation(part)
            if moves is None:
                return None
            tokens += [MoveToken(t.text, number, start + t.column) for t in moves]
    return tokens if num_clauses else None


def _find_lines(
    text: str, pattern: re.Pattern[str], separator: str = "\n"
) -> list[MoveToken] | None:
    """The moves of a text each line, or part of a line, of which is one."""
    tokens = []
    for number, line in enumerate(_LINE_END.split(text), start=1):
        at = 1
        for part in _COMMENT.sub("", line).split(separator):
            if part.strip():
                if not pattern.fullmatch(part):
                    return None
                tokens.append(MoveToken(part.strip(), number, at + len(part) - len(part.lstrip())))
            at += len(part) + 1
    return tokens or None


def _f_home_action(position: Position, text: str, *, is_bare_one: bool) -> Action:
    text = text.lower()
    if text[1] == "f":
        text = text[0] + "h"
    return parse_action(position, text, is_bare_one=is_bare_one)


def _sentence_action(position: Position, text: str, *, first: int) -> Action:
    """`first`: the number of the first stack and freecell."""
    found = _SENTENCE.fullmatch(text)
    assert found is not None
    source = _numbered(position, found[2], int(found[3]) - first)
    if found[6]:
        destination = _home_of(position, source)
    else:
        destination = _numbered(position, found[4], int(found[5]) - first)
    words = found[1].split()
    length = 1 if words[0].lower() == "a" else int(words[0])
    return _checked(position, Action(source, destination, length))


def _numbered(position: Position, kind: str, index: int) -> Place:
    is_stack = kind.lower() == "stack"
    if not 0 <= index < (NUM_COLUMNS if is_stack else position.num_cells):
        raise NotationError("movelist.no_stack" if is_stack else "movelist.no_freecell")
    return column_place(index) if is_stack else cell_place(index)


def _compact_action(position: Position, text: str) -> Action:
    source, destination = text[0].lower(), text[1].lower()
    length = int(text[3:-1]) if "{" in text else 1
    from_place = _compact_place(source)
    to_place = _home_of(position, from_place) if destination == "h" else _compact_place(destination)
    for place in (from_place, to_place):
        if place.zone == 1 and place.index >= position.num_cells:
            raise NotationError("movelist.no_place", place=place.code)
    return _checked(position, Action(from_place, to_place, length))


def _compact_place(letter: str) -> Place:
    return column_place(int(letter)) if letter.isdecimal() else cell_place("abcd".index(letter))


def _places_action(position: Position, text: str) -> Action:
    found = _PLACES.fullmatch(text)
    assert found is not None
    source = _f_place(position, found[1])
    is_home = found[2][0].lower() == "h"
    destination = _home_of(position, source) if is_home else _f_place(position, found[2])
    return _checked(position, Action(source, destination, int(found[3] or 1)))


def _f_place(position: Position, text: str) -> Place:
    if text.isdecimal():
        return column_place(int(text) - 1)
    return _numbered(position, "freecell", int(text[1:]) - 1)


def _arrows_action(position: Position, text: str) -> Action:
    found = _ARROWS.fullmatch(text)
    assert found is not None
    card = ENGLISH.card(found[1])
    if card is None:
        raise NotationError("reading.not_a_card", word=repr(found[1]))
    return clause_action(position, Clause(_arrow_spot(found[3]), _arrow_spot(found[2]), card))


def _arrow_spot(text: str) -> Spot:
    if text.isdecimal():
        return Spot("column", int(text) - 1)
    return Spot("cell") if text.lower() == "cell" else Spot("home")


def _clause_or_move(position: Position, text: str) -> Action:
    clause = parse_clause(text) if not is_move(text) else None
    return parse_action(position, text) if clause is None else clause_action(position, clause)


def _home_of(position: Position, source: Place) -> Place:
    if source.zone == 1 and source.index >= position.num_cells:
        raise NotationError("movelist.no_place", place=source.code)
    card = exposed_card(position, source)
    return foundation_place(suit_of(card) if card is not None else 0)


def _checked(position: Position, action: Action) -> Action:
    check_action(position, action)
    return action


_bare_one: Final = partial(parse_action, is_bare_one=True)

NOTATION: Final = Style("notation", "", find_notation, parse_action)
FCS: Final = Style("fcs", "fcs", find_notation, _bare_one)
STYLES: Final = (
    NOTATION,
    FCS,
    Style("output", "fcs_output", find_in_output, _bare_one),
    Style("output", "output", find_in_output, parse_action),
    Style(
        "sentences", "sentences_from_0",
        find_sentences, partial(_sentence_action, first=0),
    ),
    Style(
        "sentences", "sentences_from_1",
        find_sentences, partial(_sentence_action, first=1),
    ),
    Style(
        "f-home", "f_home", find_f_home,
        partial(_f_home_action, is_bare_one=False),
    ),
    Style(
        "f-home", "f_home_one_card", find_f_home,
        partial(_f_home_action, is_bare_one=True),
    ),
    Style("compact", "compact", find_compact, _compact_action),
    Style(
        "places", "places",
        find_places, _places_action,
    ),
    Style("arrows", "arrows", find_arrows, _arrows_action),
    Style("words", "words", find_clauses, _clause_or_move),
)  # fmt: skip
