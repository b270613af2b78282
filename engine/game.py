"""`Game`: a session as the app has it, with taps, undo and score; and the replay of a move list."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from boulanger.engine.errors import ArgumentError, BoulangerError, IllegalMoveError, NotationError
from boulanger.engine.movelists.reading import read_moves
from boulanger.engine.moves import Action, Place, Zone, cell_place, column_place
from boulanger.engine.notation import MoveToken, format_action, parse_action
from boulanger.engine.notes import Note
from boulanger.engine.position import Position
from boulanger.engine.rules import (
    apply_action,
    can_stack,
    exposed_card,
    legal_actions,
    pending_home,
)
from boulanger.engine.words import count

MAX_UNDO: Final = 100
HOME_POINTS: Final = 10
TABLEAU_POINTS: Final = 5


class Game:
    """One game, from a position on: what is played, what it scores, and the way back.

    Nothing moves by itself: cards go home only when told to.

    >>> game = Game(Position.from_ms(1))
    >>> game.apply("72").length, game.score, game.has_legal_move
    (1, 0, True)
    >>> game.undo().destination, game.history
    (Place(zone=<Zone.COLUMN: 0>, index=1), ())
    """

    def __init__(self, position: Position) -> None:
        self._score = 0
        self._history: list[Action] = []
        self._positions = [position]  # before each action of the history, and as last the one now
        # The points that each action brought that can be undone.
        self._undoable: deque[int] = deque(maxlen=MAX_UNDO)

    def __repr__(self) -> str:
        """The board as it is now, below what was played."""
        played = count(len(self._history), "actions")
        return f"<Game, {played}, score {self._score}>\n{self.position!r}"

    def _repr_svg_(self) -> str:
        """A picture of the board as it is now, for notebooks."""
        return self.position._repr_svg_()

    @property
    def position(self) -> Position:
        """The board as it is now."""
        return self._positions[-1]

    @property
    def start(self) -> Position:
        """The board that the game began with."""
        return self._positions[0]

    @property
    def score(self) -> int:
        """The points so far, never below zero."""
        return self._score

    @property
    def history(self) -> tuple[Action, ...]:
        """What was played and not taken back, first to last."""
        return tuple(self._history)

    @property
    def is_won(self) -> bool:
        """Whether all cards are home."""
        return self.position.is_won

    @property
    def has_legal_move(self) -> bool:
        """Whether anything may be played that does more than swap one empty place for another."""
        return bool(legal_actions(self.position))

    @property
    def can_undo(self) -> bool:
        """Whether `undo` has something to take back."""
        return bool(self._undoable)

    @property
    def num_undoable(self) -> int:
        """How many actions `undo` can take back, one after another; at most 100."""
        return len(self._undoable)

    def copy(self) -> Game:
        """The same game once more, to be played on for itself."""
        other = Game(self.start)
        other._positions = self._positions.copy()
        other._score = self._score
        other._history = self._history.copy()
        other._undoable = self._undoable.copy()
        return other

    def keep_undoable(self, number: int) -> None:
        """Lets `undo` take back no more than the last `number` actions."""
        while len(self._undoable) > max(0, number):
            self._undoable.popleft()

    def positions(self) -> list[Position]:
        """The board before each action of `history`, and as last the one now."""
        return list(self._positions)

    def notation(self) -> list[str]:
        """The actions of `history` in FreeCell notation."""
        return [
            format_action(board, action)
            for board, action in zip(self._positions, self._history, strict=False)
        ]

    def apply(self, move: Action | str) -> Action:
        """Plays an action or a move in the notation; returns what was played.

        Raises:
            NotationError: if a text is not a move.
            IllegalMoveError: if the rules refuse it. The game stays as it was in both cases.
        """
        action = parse_action(self.position, move) if isinstance(move, str) else move
        position = apply_action(self.position, action)
        points = points_for(action)
        self._undoable.append(points)
        self._history.append(action)
        self._positions.append(position)
        self._score = max(0, self._score + points)
        return action

    def tap(self, place: Place) -> Action | None:
        """Sends the card exposed at `place` home if it may go; returns what was played, if any."""
        return self._play(self._home_action(place))

    def double_tap(self, place: Place) -> Action | None:
        """Plays the card exposed at `place` where it may go; returns what was played, if any.

        In this order: home; onto a card, in the longest column that takes it; to the first empty
        column; to the first free cell, unless it is in a cell.
        """
        return self._play(self._double_tap_action(place))

    def undo(self) -> Action:
        """Takes back the last action and its points; returns that action.

        Raises:
            IllegalMoveError: if nothing was played, or the last 100 actions are taken back.
        """
        if not self._undoable:
            if self._history:
                raise IllegalMoveError("game.undo_limit", limit=MAX_UNDO)
            raise IllegalMoveError("game.nothing_to_undo")
        self._score = max(0, self._score - self._undoable.pop())
        self._positions.pop()
        return self._history.pop()

    def _play(self, action: Action | None) -> Action | None:
        return self.apply(action) if action is not None else None

    def _card_at(self, place: Place) -> int | None:
        """The card that may be tapped at `place`; None if there is none, or no such place."""
        places = self.position.columns if place.zone == Zone.COLUMN else self.position.cells
        return exposed_card(self.position, place) if 0 <= place.index < len(places) else None

    def _home_action(self, place: Place) -> Action | None:
        pending = pending_home(self.position)
        return next((action for action in pending if action.source == place), None)

    def _double_tap_action(self, place: Place) -> Action | None:
        card = self._card_at(place)
        if card is None:
            return None
        home = self._home_action(place)
        if home is not None:
            return home
        columns = self.position.columns
        takers = [c for c, column in enumerate(columns) if column and can_stack(card, column[-1])]
        if takers:
            longest = max(takers, key=lambda c: len(columns[c]))
            return Action(place, column_place(longest))
        if () in columns:
            return Action(place, column_place(columns.index(())))
        if place.zone == Zone.COLUMN and None in self.position.cells:
            return Action(place, cell_place(self.position.cells.index(None)))
        return None


def position_of(game: object) -> Position:
    """The board of a game as it is now, or a position itself.

    Raises:
        ArgumentError: for anything else.
    """
    if isinstance(game, Position):
        return game
    if isinstance(game, Game):
        return game.position
    value = game if isinstance(game, str) else type(game).__name__
    raise ArgumentError("api.not_a_position", value=value)


def points_for(action: Action) -> int:
    """The points that a legal action brings: 10 home, 5 from a cell to the tableau, else 0."""
    if action.destination.zone == Zone.FOUNDATION:
        return HOME_POINTS
    is_from_cell = action.source.zone == Zone.CELL
    return TABLEAU_POINTS if is_from_cell and action.destination.zone == Zone.COLUMN else 0


def score_after(actions: Iterable[Action]) -> int:
    """The score of a game that begins with these actions; it never falls below zero."""
    return sum(points_for(action) for action in actions)  # none of which takes points away


@dataclass(frozen=True, slots=True)
class ReplayFault:
    """The move at which a replay stopped.

    Attributes:
        index: how many moves were played before it.
        token: the move as written, with its line and column.
        error: what is wrong.
    """

    index: int
    token: MoveToken
    error: BoulangerError

    @property
    def reason(self) -> str:
        """One sentence that says what is wrong."""
        return str(self.error)

    @property
    def is_notation(self) -> bool:
        """Whether it is not a move at all; else it is one that the rules refuse."""
        return isinstance(self.error, NotationError)

    @property
    def message(self) -> dict[str, Any]:
        """Which move cannot be played, where it stands, and why, for `engine.words`."""
        facts = {
            "number": self.index + 1,
            "text": self.token.text,
            "line": self.token.line,
            "column": self.token.column,
            "reason": self.error.message,
        }
        return {"key": "replay.fault", "facts": facts}


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """What came of a list of moves, up to its end or its first fault.

    Attributes:
        position: the last position reached.
        actions: what was played.
        score: the points at the end.
        fault: the move that could not be played; None if all could.
        style: in which the moves are written, such as "notation"; see `engine.movelists`.
        notes: how they were read, if not as our notation, each without a full stop.
    """

    position: Position
    actions: tuple[Action, ...]
    score: int
    fault: ReplayFault | None = None
    style: str = "notation"
    notes: tuple[Note, ...] = ()

    @property
    def num_actions(self) -> int:
        """How many moves were played."""
        return len(self.actions)

    @property
    def is_won(self) -> bool:
        """Whether all moves could be played and all cards are home."""
        return self.fault is None and self.position.is_won


def replay(position: Position, moves_text: str) -> ReplayResult:
    """Plays the moves in `moves_text`, in any style that is read, until one is at fault.

    Raises:
        NotationError: if the list can be read in two ways.
    """
    found = read_moves(position, moves_text)
    game = Game(position)
    for action in found.actions:
        game.apply(action)
    fault = None
    if found.fault is not None:
        fault = ReplayFault(found.fault.index, found.fault.token, found.fault.error)
    return ReplayResult(game.position, game.history, game.score, fault, found.style, found.notes)


def play_moves(
    game: Game, moves_text: str, is_over: Callable[[], bool] | None = None
) -> ReplayFault | None:
    """Plays the moves in `moves_text` on; returns the first that is at fault, if one is.

    Args:
        game: stays as it was before the move at fault.
        moves_text: a list in any style that is read.
        is_over: asked before each move; the rest is left out once it says so.
    """
    found = read_moves(game.position, moves_text, is_over)
    for action in found.actions:
        game.apply(action)
    if found.fault is None:
        return None
    return ReplayFault(found.fault.index, found.fault.token, found.fault.error)
