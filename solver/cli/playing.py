"""The game that was played on a deal: the option `--played`, and what it stands for."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from boulanger.engine.errors import BoulangerError, IllegalMoveError, NotationError
from boulanger.solver.cli.arguments import FILE

if TYPE_CHECKING:
    from boulanger.engine.game import Game
    from boulanger.engine.moves import Action
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
) -> tuple[DealSource, Game]:
    """The deal, with a note on what was played on it, and the game.

    Args:
        deal: the DEAL argument.
        played: moves, or the name of a file with moves. Moves go before a file of that name.
        num_cells, dealer, layout: as `read_deal` takes them.

    Raises:
        BoulangerError: says what is wrong with the deal, the file, or which move cannot be played.
    """
    from boulanger.engine.game import Game
    from boulanger.solver.cli.reading import STANDARD_INPUT, read_deal

    if deal == played == STANDARD_INPUT:
        raise BoulangerError("DEAL and --played cannot both be '-': there is one standard input")
    source = read_deal(deal, num_cells, dealer, layout)
    if not played.strip():
        return source, Game(source.position)
    game, notes = _play(source, *_moves_text(played))
    return replace(source, notes=(*source.notes, *notes)), game


def read_played_deal(
    deal: str,
    played: str,
    num_cells: int | None,
    dealer: str | None = None,
    layout: str | None = None,
) -> DealSource:
    """The deal as `read_game` reads it, with the board after the moves."""
    source, game = read_game(deal, played, num_cells, dealer, layout)
    return replace(source, position=game.position)


def _moves_text(played: str) -> tuple[str, str]:
    """The moves, and what to call the place they come from."""
    from boulanger.engine.movelists.reading import is_moves
    from boulanger.solver.cli.reading import STANDARD_INPUT, read_moves_text, shown_name

    if played != STANDARD_INPUT and is_moves(played):
        return played, "--played"
    if played != STANDARD_INPUT and not os.path.exists(played):
        if len(played.split()) > 1 or len(played) < 4:
            return played, "--played"
        raise BoulangerError(
            f"--played: {played!r} is neither a move, such as 26 or a5, nor a file that exists"
        )
    return read_moves_text(played), shown_name(played)


def _play(source: DealSource, moves: str, name: str) -> tuple[Game, tuple[str, ...]]:
    """The game of these moves, and notes on how they were read and what they are.

    Raises:
        BoulangerError: names the first move that cannot be played.
    """
    from boulanger.engine.game import Game, replay
    from boulanger.solver.answers.text import fault_sentence

    try:
        replayed = replay(source.position, moves)
    except (NotationError, IllegalMoveError) as error:
        raise BoulangerError(f"{name}: {error}") from None
    if replayed.fault is not None:
        raise BoulangerError(f"{name}: {fault_sentence(replayed.fault)}")
    game = Game(source.position)
    echo: list[str] = []
    first_echoed = len(replayed.actions) - _MAX_ECHOED
    for index, action in enumerate(replayed.actions):
        if index >= first_echoed:
            echo.append(_echo(game, action))
        game.apply(action)
    if not echo:
        return game, replayed.notes
    number = len(replayed.actions)
    what = "1 action" if number == 1 else f"{number} actions"
    begin = "the last: " if first_echoed > 0 else ""
    return game, (*replayed.notes, f"played {what}: {begin}{', '.join(echo)}")


def _echo(game: Game, action: Action) -> str:
    from boulanger.engine.notation import describe_action, format_action

    position = game.position
    return f"{format_action(position, action)} ({describe_action(position, action)})"
