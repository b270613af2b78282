"""`read_moves`: a whole list of moves, read in one style.

The styles that fit the words of the list are tried on the board, in the order of `styles.STYLES`.
Our notation is taken if all moves are legal in it; Freecell Solver's is tried only if not, or if a
`v` occurs; of two styles of one name the second is tried only if the first fails. Of two styles in
which all moves are legal but lead elsewhere the one that wins is taken, and if none wins the list
is refused. If it fails in each, the error is that of the style that comes furthest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from boulanger.engine.errors import BoulangerError, IllegalMoveError, NotationError
from boulanger.engine.movelists.styles import FCS, NOTATION, STYLES, Style
from boulanger.engine.moves import Action
from boulanger.engine.notation import MoveToken, is_move, parse_action, parse_moves
from boulanger.engine.notes import Note
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action
from boulanger.engine.words import message

_V: Final = re.compile(r"[1-8]\s*[1-8]v", re.IGNORECASE)
_CARD_AND_MOVE: Final = re.compile(r"[2-8][HDC]")


@dataclass(frozen=True, slots=True)
class MoveFault:
    """The move at which a list stopped: how many were played before it, how it is written, why."""

    index: int
    token: MoveToken
    error: BoulangerError


@dataclass(frozen=True, slots=True)
class MoveList:
    """A list of moves that was read.

    Attributes:
        actions: what was played, up to the end or the first fault.
        position: the board after them.
        style: the name of the style.
        notes: which style it was, if not our notation, each without a full stop.
        fault: the move that could not be played; None if all could.
    """

    actions: tuple[Action, ...]
    position: Position
    style: str = NOTATION.name
    notes: tuple[Note, ...] = ()
    fault: MoveFault | None = None


def read_moves(
    position: Position, text: str, is_over: Callable[[], bool] | None = None
) -> MoveList:
    """Plays the moves in `text` on a board until one is at fault.

    Args:
        position: the board.
        text: the list.
        is_over: asked before each move; the rest of them is left out once it says so.

    Raises:
        NotationError: if the list can be read in two ways, or a word in it is a card as well.
    """
    _check_card_names(text)
    tried = list(_tried(position, text, is_over))
    if not tried:
        return _without_style(position, text)
    whole = [found for found in tried if found.fault is None]
    if not whole:
        return max(tried, key=lambda found: len(found.actions))
    first = whole[0]
    others = [found for found in whole if found.position != first.position]
    if not others:
        return first
    won = [found for found in whole if found.position.is_won]
    if won:
        return won[0]
    names = {found.style for found in whole}
    if names <= {NOTATION.name, FCS.name}:
        raise NotationError("movelist.two_ways_without_v")
    ways = [
        found.notes[0].message if found.notes else message("movelist.our_notation")
        for found in (first, others[0])
    ]
    raise NotationError("movelist.two_ways", first=ways[0], second=ways[1])


def is_moves(text: str) -> bool:
    """Whether `text` is a list of moves in some style, legal or not."""
    return any(style.find(text) is not None for style in STYLES)


def _tried(position: Position, text: str, is_over: Callable[[], bool] | None) -> Iterator[MoveList]:
    """The list in each style that fits its words."""
    read: set[str] = set()
    for style in STYLES:
        is_needless = style is FCS and NOTATION.name in read and not _V.search(text)
        if is_needless or style.name in read:
            continue
        tokens = style.find(text)
        if tokens is not None:
            found = _played(position, tokens, style, is_over)
            if found.fault is None:
                read.add(style.name)
            yield found


def _played(
    position: Position,
    tokens: list[MoveToken],
    style: Style,
    is_over: Callable[[], bool] | None,
) -> MoveList:
    actions: list[Action] = []
    fault = None
    for index, token in enumerate(tokens):
        if is_over is not None and is_over():
            break
        try:
            action = style.action(position, token.text)
            position = apply_action(position, action)
        except (IllegalMoveError, NotationError) as error:
            fault = MoveFault(index, token, error)
            break
        actions.append(action)
    notes = (Note("note.moves_read_as", style=style.title),) if style.title else ()
    return MoveList(tuple(actions), position, style.name, notes, fault)


def _without_style(position: Position, text: str) -> MoveList:
    """The moves up to the first word that is not a move."""
    actions: list[Action] = []
    for index, token in enumerate(parse_moves(text)):
        try:
            if not is_move(token.text):
                parse_action(position, token.text)
            action = parse_action(position, token.text)
            position = apply_action(position, action)
        except (IllegalMoveError, NotationError) as error:
            return MoveList(tuple(actions), position, fault=MoveFault(index, token, error))
        actions.append(action)
    return MoveList(tuple(actions), position)


def _check_card_names(text: str) -> None:
    """Refuses a list of which each word is a card as well as a move."""
    words = [token.text for token in parse_moves(text)]
    if words and all(_CARD_AND_MOVE.fullmatch(word) for word in words):
        word = words[0]
        raise NotationError(
            "movelist.card_or_move",
            card=word,
            source=word[0],
            place=word[1].lower(),
            move=word.lower(),
        )
