"""The game that was played on a deal: the option `--played`, and what it stands for."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from boulanger.engine.errors import BoulangerError, NotationError
from boulanger.engine.notes import Note
from boulanger.engine.words import joined, message
from boulanger.solver.cli.arguments import FILE

if TYPE_CHECKING:
    from boulanger.engine.game import Game
    from boulanger.solver.deals.source import DealSource

_MAX_ECHOED: Final = 6

played_option: Final = click.option(
    "--played",
    metavar="MOVES|FILE",
    default="",
    type=FILE,
    help='What was played so far, such as "26 a5" or "6S to cell", or a file with that, or -.',
)


def read_game(
    deal: str,
    played: str,
    num_cells: int | None,
    dealer: str | None = None,
    layout: str | None = None,
    is_over: Callable[[], bool] | None = None,
) -> tuple[DealSource, Game]:
    """The deal, with a note on how the moves are written, and the game that was played on it.

    Args:
        deal: the DEAL argument.
        played: moves, or the name of a file with moves. Moves go before a file of that name.
        num_cells, dealer, layout: as `read_deal` takes them.
        is_over: asked before each move; the rest of them is left out once it says so.

    Raises:
        BoulangerError: says what is wrong with the deal, the file, or which move cannot be played.
    """
    from boulanger.engine.game import Game
    from boulanger.solver.cli.reading import STANDARD_INPUT, read_deal

    if deal == played == STANDARD_INPUT:
        raise BoulangerError("options.input_twice", first="DEAL", second="--played")
    source = read_deal(deal, num_cells, dealer, layout)
    if not played.strip():
        return source, Game(source.position)
    game = Game(source.position)
    notes = _play(game, *_moves_text(played), is_over)
    return replace(source, notes=(*source.notes, *notes)), game


def read_played_deal(
    deal: str,
    played: str,
    num_cells: int | None,
    dealer: str | None = None,
    layout: str | None = None,
) -> DealSource:
    """The deal as `read_game` reads it, with the board after the moves and a note what they are."""
    source, game = read_game(deal, played, num_cells, dealer, layout)
    echo = _echo(game)
    return replace(source, position=game.position, notes=(*source.notes, *echo))


def _moves_text(played: str) -> tuple[str, Any]:
    """The moves, and what to call the place they come from."""
    from boulanger.engine.movelists.reading import is_moves
    from boulanger.solver.cli.reading import STANDARD_INPUT, read_moves_text, shown_name

    if played != STANDARD_INPUT and is_moves(played):
        return played, "--played"
    if played != STANDARD_INPUT and not os.path.exists(played):
        if len(played.split()) > 1 or len(played) < 4:
            return played, "--played"
        raise BoulangerError("played.not_a_move", text=played)
    return read_moves_text(played), shown_name(played)


def _play(
    game: Game, moves: str, name: Any, is_over: Callable[[], bool] | None
) -> tuple[Note, ...]:
    """Plays these moves; notes on how they were read.

    Raises:
        BoulangerError: names the first move that cannot be played.
    """
    from boulanger.engine.game import ReplayFault
    from boulanger.engine.movelists.reading import read_moves

    try:
        found = read_moves(game.position, moves, is_over)
    except NotationError as error:
        raise BoulangerError("error.at", where=name, error=error.message) from None
    for action in found.actions:
        game.apply(action)
    if found.fault is not None:
        fault = ReplayFault(found.fault.index, found.fault.token, found.fault.error)
        raise BoulangerError("error.at", where=name, error=fault.message)
    return found.notes


def _echo(game: Game) -> tuple[Note, ...]:
    """A note that says what was played, if anything was."""
    from boulanger.engine.descriptions import action_facts, action_message
    from boulanger.engine.notation import format_action

    if not game.history:
        return ()
    steps = list(zip(game.positions(), game.history, strict=False))
    moves = [
        message(
            "note.played_move",
            notation=format_action(position, action),
            move=action_message(action_facts(position, action)),
        )
        for position, action in steps[-_MAX_ECHOED:]
    ]
    key = "note.played_last" if len(steps) > _MAX_ECHOED else "note.played"
    return (Note(key, number=len(steps), moves=joined(moves, "join.comma")),)
