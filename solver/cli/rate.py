"""The command `rate`."""

from __future__ import annotations

import click

from boulanger.engine.deals.dealers import parse_seed
from boulanger.solver.cli.arguments import (
    Value,
    cells_option,
    deal_argument,
    dealer_option,
    json_option,
    layout_options,
)
from boulanger.solver.cli.commands import command
from boulanger.solver.cli.games import announce_compiling, exit_code, remark_origin
from boulanger.solver.cli.playing import played_option, read_played_deal
from boulanger.solver.cli.terminal import write


@command()
@deal_argument()
@played_option
@cells_option
@layout_options
@dealer_option
@json_option
@click.option(
    "--seed",
    metavar="S",
    type=Value(parse_seed),
    default="0",
    show_default=True,
    help="Of the simulated players' games; another one moves the score a little.",
)
def rate(
    deal: str,
    played: str,
    cells: int | None,
    layout: str | None,
    dealer: str | None,
    as_json: bool,
    seed: int,
) -> int:
    """Say how hard a deal is, and why.

    The score, from 0 (gentle) to 100 (fiendish), is the percentile among winnable deals with as
    many cells. A lost deal has none; the answer says then how many cells it would need.
    """
    from boulanger.solver.answers.play import json_text
    from boulanger.solver.answers.rating import rating_json, rating_text
    from boulanger.solver.rating.parts import is_ready, prepare
    from boulanger.solver.rating.rate import rate as rate_position

    source = read_played_deal(deal, played, cells, dealer, layout)
    if not as_json:
        remark_origin(source)
    announce_compiling(is_ready(), seconds=35)
    prepare()
    rating = rate_position(source.position, seed=seed)
    if as_json:
        write(json_text(rating_json(source, rating)) + "\n")
    else:
        write(rating_text(source, rating))
    return exit_code(rating.verdict)
