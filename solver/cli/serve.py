"""The command `serve`."""

from __future__ import annotations

import click

from boulanger.engine.errors import LimitsError
from boulanger.solver.cli.arguments import FILE, Value
from boulanger.solver.cli.commands import command
from boulanger.solver.cli.terminal import EXIT_YES, write

_MAX_PORT = (1 << 16) - 1


def _parse_port(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= _MAX_PORT:
        return int(text)
    raise LimitsError("options.port", text=text, most=str(_MAX_PORT))


@command()
@click.option(
    "--port",
    metavar="N",
    type=Value(_parse_port),
    help="The port to listen on; without it 8520, or the next that is free.",
)
@click.option(
    "--browser/--no-browser", "opens_browser", default=True, help="Open the page in the browser."
)
@click.option("--lan", "is_lan", is_flag=True, help="Let other devices in the network in.")
@click.option(
    "--host", metavar="ADDRESS", help="With --lan: the address by which others reach this machine."
)
@click.option(
    "--catalogue",
    "catalogues",
    metavar="FOLDER",
    multiple=True,
    type=FILE,
    help="A catalogue to browse in the page; again for each further one.",
)
def serve(
    port: int | None,
    opens_browser: bool,
    is_lan: bool,
    host: str | None,
    catalogues: tuple[str, ...],
) -> int:
    """Play in the browser, with all that the solver knows.

    Only this machine can reach the page, unless --lan is given; whoever comes in needs the token in
    the address that is printed.
    """
    from boulanger.solver.web.serve import Options, serve

    serve(Options(port, host, is_lan, opens_browser, catalogues), write)
    return EXIT_YES
