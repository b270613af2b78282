"""`boulanger compile`: everything compiled ahead, once a machine."""

from __future__ import annotations

import time

import click

from boulanger.solver.cli.commands import command
from boulanger.solver.cli.terminal import EXIT_YES, StatusLine, write


@command()
@click.option("--no-ratings", is_flag=True, help="Leave out what only rate needs.")
def compile(no_ratings: bool) -> int:
    """Compile the solver now, so that no later command waits for it.

    For scripts that start many processes at once: of those on one machine one compiles, the
    others wait for it and load what it has made.
    """
    from filelock import FileLock

    from boulanger.engine.packed.code_folder import cache_folder
    from boulanger.solver.prepare import STAGES

    started = time.perf_counter()
    stages = [stage for stage in STAGES if not (no_ratings and stage == "ratings")]
    folder = cache_folder().parent
    folder.mkdir(parents=True, exist_ok=True)
    line = StatusLine()
    with FileLock(folder / "compile.lock"):
        try:
            for done, stage in enumerate(stages):
                line.show(f"compiling: {done} of {len(stages)} parts done, now {stage}")
                STAGES[stage]()
        finally:
            line.clear()
    write(f"Ready after {time.perf_counter() - started:.0f} s.\n")
    return EXIT_YES
