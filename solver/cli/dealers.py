"""The commands `identify` and `dealers`: learning how the app deals, and choosing a dealer."""

from __future__ import annotations

import click

from boulanger.solver.cli.arguments import (
    FILE,
    Value,
    argument,
    dealer_names,
    json_option,
    layout_options,
)
from boulanger.solver.cli.commands import command
from boulanger.solver.cli.options import parse_count


@command()
@argument(
    "codes_and_boards",
    metavar="CODE BOARD [CODE BOARD]...",
    nargs=-1,
    required=True,
    type=FILE,
    help="A game code and a file with the board that the app shows for it; or several.",
)
@click.option("--save", metavar="NAME", help="Keep what was found as a dealer of that name.")
@click.option(
    "--pick",
    metavar="N",
    type=Value(parse_count),
    help="With --save: the one of several that were found.",
)
@json_option
@layout_options
def identify(
    codes_and_boards: tuple[str, ...],
    save: str | None,
    pick: int | None,
    as_json: bool,
    layout: str | None,
) -> int:
    """Learn from a code and its board how the app deals.

    Tries over a billion ways to turn a code into a deal and names those that deal the board.
    """
    from boulanger.solver.cli.identify import identify_dealer

    return identify_dealer(list(codes_and_boards), save, pick, as_json, layout)


@command()
@click.option(
    "--use",
    metavar="NAME",
    type=Value(words=dealer_names),
    help="Let game codes be dealt by it from now on.",
)
@json_option
def dealers(use: str | None, as_json: bool) -> int:
    """List the dealers, or choose the one for game codes."""
    from boulanger.solver.cli.identify import list_dealers

    return list_dealers(use, as_json)
