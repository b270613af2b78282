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
    memory_option,
    voice,
    voice_options,
)
from boulanger.solver.cli.commands import command
from boulanger.solver.cli.games import (
    ProgressLine,
    exit_code,
)
from boulanger.solver.cli.notes import remark_origin
from boulanger.solver.cli.playing import played_option, read_played_deal
from boulanger.solver.cli.terminal import EXIT_UNDECIDED, StatusLine, compile_first, write


@command()
@deal_argument()
@played_option
@cells_option
@layout_options
@dealer_option
@json_option
@voice_options
@click.option(
    "--seed",
    metavar="S",
    type=Value(parse_seed),
    default="0",
    show_default=True,
    help="Of the simulated players' games; another one moves the score a little.",
)
@memory_option
def rate(
    deal: str,
    played: str,
    cells: int | None,
    layout: str | None,
    dealer: str | None,
    as_json: bool,
    seed: int,
    max_memory: int,
) -> int:
    """Say how hard a deal is, and why.

    The score, from 0 (gentle) to 100 (fiendish), is the percentile among winnable deals with as
    many cells. A lost deal has none; the answer says then how many cells it would need.
    Where --max-memory is reached there is no rating, and the exit code is 3.
    """
    from boulanger.solver.answers.play import json_answer
    from boulanger.solver.answers.rating import rating_json, rating_text
    from boulanger.solver.rating.parts import is_ready, prepare
    from boulanger.solver.rating.rate import rate as rate_position

    source = read_played_deal(deal, played, cells, dealer, layout)
    if not as_json:
        remark_origin(source)
    compile_first(is_ready, "ratings")
    prepare()
    line = StatusLine()
    try:
        rating = rate_position(
            source.position, seed=seed, max_memory=max_memory, on_progress=ProgressLine(line).show
        )
    finally:
        line.clear()
    if as_json:
        write(json_answer(rating_json(source, rating), voice()))
    else:
        write(rating_text(source.name, rating, voice()))
    return exit_code(rating.verdict) if rating.reason is None else EXIT_UNDECIDED
