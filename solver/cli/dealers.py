"""The commands `identify` and `dealers`: learning how the app deals, and choosing a dealer."""

from __future__ import annotations

from typing import Annotated

import typer

from boulanger.solver.cli.arguments import Json


def identify(
    codes_and_boards: Annotated[
        list[str],
        typer.Argument(
            metavar="CODE BOARD [CODE BOARD]...",
            show_default=False,
            help="A game code and a file with the board that the app shows for it; or several.",
        ),
    ],
    save: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", show_default=False, help="Keep what was found as a dealer of that name."
        ),
    ] = None,
    pick: Annotated[
        int | None,
        typer.Option(
            metavar="N", show_default=False, help="With --save: the one of several that were found."
        ),
    ] = None,
    as_json: Json = False,
) -> int:
    """Learn from a code and its board how the app deals.

    Tries over a billion ways to turn a code into a deal and names those that deal the board.
    """
    from boulanger.solver.cli.identify import identify_dealer

    return identify_dealer(codes_and_boards, save, pick, as_json)


def dealers(
    use: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", show_default=False, help="Let game codes be dealt by it from now on."
        ),
    ] = None,
    as_json: Json = False,
) -> int:
    """List the dealers, or choose the one for game codes."""
    from boulanger.solver.cli.identify import list_dealers

    return list_dealers(use, as_json)
