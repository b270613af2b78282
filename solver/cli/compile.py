"""`boulanger compile`: everything compiled ahead, once a machine."""

from __future__ import annotations

import time

import click

from boulanger.solver.cli.commands import command
from boulanger.solver.cli.terminal import EXIT_YES, compile_now, write


@command()
@click.option("--no-ratings", is_flag=True, help="Leave out what only rate needs.")
def compile(no_ratings: bool) -> int:
    """Compile the solver now, so that no later command waits for it.

    For scripts that start many processes at once: of those on one machine one compiles, the
    others wait for it and load what it has made.
    """
    from boulanger.solver.optimal import shortest
    from boulanger.solver.prepare import prepare
    from boulanger.solver.rating import parts

    started = time.perf_counter()
    if no_ratings:
        compile_now(shortest.is_ready, "solutions")
    else:
        compile_now(parts.is_ready, "ratings")
    prepare(with_ratings=not no_ratings)
    write(f"Ready after {time.perf_counter() - started:.0f} s.\n")
    return EXIT_YES
