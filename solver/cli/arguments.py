"""The arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer

from boulanger.engine.errors import BoulangerError
from boulanger.solver.cli.options import parse_cells, parse_memory, parse_nodes, parse_seconds

_Value = TypeVar("_Value")


def option_value(parse: Callable[[str], _Value]) -> Callable[[Any], _Value]:
    """`parse` for an option: its error becomes one that names the option."""

    def parse_option(value: Any) -> _Value:
        try:
            return parse(str(value))
        except BoulangerError as error:
            raise typer.BadParameter(str(error)) from None

    return parse_option


Deal = Annotated[
    str,
    typer.Argument(
        metavar="DEAL",
        show_default=False,
        help="A game code, ms:NUMBER, random:NUMBER@SEED, a board's file, or - for stdin.",
    ),
]
Cells = Annotated[
    int | None,
    typer.Option(
        "--cells",
        metavar="N",
        parser=option_value(parse_cells),
        show_default=False,
        help="Cells in play, 0 to 8, instead of those of the code or the board.",
    ),
]
Dealer = Annotated[
    str | None,
    typer.Option(
        "--dealer",
        metavar="NAME",
        show_default=False,
        help="What deals game codes, instead of the dealer in use; see `boulanger dealers`.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
MaxNodes = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=option_value(parse_nodes),
        show_default=False,
        help="Stop, undecided, after so many positions.",
    ),
]
MaxSeconds = Annotated[
    float | None,
    typer.Option(
        metavar="S",
        parser=option_value(parse_seconds),
        help="Stop, undecided, after so many seconds.",
    ),
]
MaxMemory = Annotated[
    int,
    typer.Option(
        metavar="SIZE",
        parser=option_value(parse_memory),
        help="Stop, undecided, before the search's tables take more: 2GiB, 512MB, or bytes.",
    ),
]
