"""The command `engine`."""

from __future__ import annotations

import sys

from boulanger.engine.errors import BoulangerError
from boulanger.solver.cli.commands import command
from boulanger.solver.cli.terminal import EXIT_YES


@command()
def engine() -> int:
    """Answer other programs, a line of JSON at a time.

    For a program that asks many questions: the solver stays loaded, so that most answers take a
    millisecond or a few. A request such as {"id": 1, "ask": "check", "start": "ms:1"} is one line,
    and so is its answer; docs/api.md has them all.
    """
    if sys.stdin is None or sys.stdout is None:
        raise BoulangerError("options.engine_closed")
    from boulanger.solver.web.engine import Engine

    talk = Engine(sys.stdout)
    talk.warmth.start()
    talk.run(sys.stdin.buffer)
    return EXIT_YES
