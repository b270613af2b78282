"""Files and standard input, read no further than what was asked for can be long."""

from __future__ import annotations

import sys
from typing import Final

from boulanger.engine.errors import BoulangerError
from boulanger.engine.words import quoted
from boulanger.solver.cli.terminal import remark

STANDARD_INPUT: Final = "-"


def read_input(name: str, max_bytes: int, what: str) -> bytes:
    """The bytes of the file `name`, or of standard input if that is `-`.

    Args:
        name: a path or `-`.
        max_bytes: of anything longer, only one byte more is read.
        what: a noun for what the file should hold, such as "board".

    Raises:
        BoulangerError: quotes the name and says what is in the way.
    """
    try:
        data = _read(name, max_bytes + 1, what)
    except FileNotFoundError:
        raise BoulangerError(f"there is no file {quoted(name)}") from None
    except IsADirectoryError:
        raise BoulangerError(f"{name!r} is a directory; a file expected") from None
    except BoulangerError:
        raise
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise BoulangerError(f"{shown_name(name)} cannot be read: {reason}") from None
    if len(data) > max_bytes:
        raise BoulangerError(
            f"{shown_name(name)} has more than {max_bytes // 1024} KiB: too long for a {what}"
        )
    return data


def shown_name(name: str) -> str:
    """A file's name for a sentence: in quotes, or "standard input"."""
    return "standard input" if name == STANDARD_INPUT else repr(name)


def _read(name: str, max_bytes: int, what: str) -> bytes:
    if name != STANDARD_INPUT:
        with open(name, "rb") as file:
            return file.read(max_bytes)
    if sys.stdin is None:
        raise BoulangerError("standard input is closed")
    if sys.stdin.isatty():
        remark(f"paste the {what}, then press Enter and Ctrl-D")
    return sys.stdin.buffer.read(max_bytes)
