"""Games that were played before: a question about one more move replays that move alone."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from boulanger.engine.errors import BoulangerError
from boulanger.engine.game import Game
from boulanger.engine.movelists.reading import read_moves
from boulanger.engine.notation import format_action, parse_action
from boulanger.engine.notes import Note
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action

_MAX_ACTIONS: Final = 200_000
"""In all games that are kept; some 100 bytes each, and 100 times as much for each game's undo."""

_MAX_GAMES: Final = 2_000


class MoveError(BoulangerError):
    """A move of a game that cannot be played."""

    def __init__(self, number: int, move: str, fault: BoulangerError) -> None:
        super().__init__("web.move", number=number, move=move, fault=fault.message)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with its moves, as they were given and as they are written."""

    game: Game
    given: tuple[str, ...]
    notation: tuple[str, ...]


class Games:
    """The games that were asked about last."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._games: Final[OrderedDict[int, PlayedGame]] = OrderedDict()
        self._num_actions = 0

    def play(self, start: Position, moves: Sequence[str], undoable: int | None) -> PlayedGame:
        """The game of these moves; the caller may play on in it.

        Raises:
            MoveError: for the first move that cannot be played.
        """
        given = tuple(moves)
        keys = _keys(start, given)
        found = self._longest(start, given, keys)
        game = found.game.copy() if found is not None else Game(start)
        notation = list(found.notation) if found is not None else []
        for index in range(len(notation), len(given)):
            try:
                action = parse_action(game.position, given[index])
                text = format_action(game.position, action)
                game.apply(action)
            except BoulangerError as error:
                raise MoveError(index + 1, given[index], error) from None
            notation.append(text)
        played = PlayedGame(game, given, tuple(notation))
        if found is None or len(found.given) < len(given):
            self._keep(keys[-1], PlayedGame(game.copy(), given, played.notation))
        if undoable is not None:
            game.keep_undoable(undoable)
        return played

    def _longest(
        self, start: Position, given: tuple[str, ...], keys: list[int]
    ) -> PlayedGame | None:
        """The game that is kept and begins like this one the longest; None if none does."""
        with self._lock:
            for length in range(len(given), -1, -1):
                kept = self._games.get(keys[length])
                # Equal hashes are not yet equal games.
                if kept is not None and kept.game.start == start and kept.given == given[:length]:
                    self._games.move_to_end(keys[length])
                    return kept
        return None

    def _keep(self, key: int, played: PlayedGame) -> None:
        with self._lock:
            replaced = self._games.pop(key, None)
            if replaced is not None:
                self._num_actions -= len(replaced.given)
            self._games[key] = played
            self._num_actions += len(played.given)
            while self._num_actions > _MAX_ACTIONS or len(self._games) > _MAX_GAMES:
                _, oldest = self._games.popitem(last=False)
                self._num_actions -= len(oldest.given)


def read_moves_text(start: Position, text: str) -> tuple[list[str], tuple[Note, ...]]:
    """The moves of a list in any style, in notation; and how they were read.

    Raises:
        MoveError: for the first move that cannot be played.
        NotationError: if the list can be read in two ways.
    """
    found = read_moves(start, text)
    if found.fault is not None:
        raise MoveError(found.fault.index + 1, found.fault.token.text, found.fault.error)
    position, moves = start, []
    for action in found.actions:
        moves.append(format_action(position, action))
        position = apply_action(position, action)
    return moves, found.notes


def _keys(start: Position, given: tuple[str, ...]) -> list[int]:
    """A hash for each beginning of the game, that without moves first."""
    keys = [hash(start)]
    for move in given:
        keys.append(hash((keys[-1], move)))
    return keys
