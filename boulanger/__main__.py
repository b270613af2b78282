"""The `boulanger` command; `python -m boulanger` is the same."""

import contextlib
import sys

from boulanger.solver.cli.terminal import EXIT_INTERRUPTED, complain, fail


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    # Names of files may hold what the terminal's encoding cannot show.
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # none at all, or replaced by something simpler
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        from boulanger.solver.cli.app import app

        app(prog_name="boulanger")
    except KeyboardInterrupt:  # while still starting
        complain("interrupted")
        sys.exit(EXIT_INTERRUPTED)
    except Exception as error:  # as well: a library is missing, say
        sys.exit(fail(error))


if __name__ == "__main__":
    main()
