"""Answers to standard output, in suit colours or plain, and single lines to standard error.

Rich is imported only for colours; in a pipe nobody pays for it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable
from typing import Final

from boulanger.engine.errors import BoulangerError
from boulanger.engine.words import ENGLISH

LANGUAGE_OPTION: Final = "boulanger.language"
"""Where --lang is kept among what Click knows of a command line."""

EXIT_YES: Final = 0  # winnable; valid
EXIT_NO: Final = 1  # proven unwinnable; an illegal move
EXIT_BAD_INPUT: Final = 2
EXIT_UNDECIDED: Final = 3
EXIT_STOPPED: Final = 4  # a disk or workers failed; the same command goes on
EXIT_INTERNAL: Final = 70  # a fault of the program: EX_SOFTWARE of <sysexits.h>
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as shells have it

_TRACEBACK_VARIABLE: Final = "BOULANGER_TRACEBACK"
_LEAST_WIDTH: Final = 20  # a narrower terminal breaks lines itself
_CARD: Final = r"\b[A2-9TJQK]([SHDC])\b"
# Baker's Game is about suits: four colours, the red suits reddish, spades as the text is. ANSI
# codes: 1 bold, 31 red, 35 magenta, 32 green, 0 as before.
_SUIT_CODES: Final = {"H": "1;31", "D": "1;35", "C": "1;32", "S": "1"}


def write(text: str) -> None:
    """Writes `text` to standard output, its cards in suit colours if that is a terminal.

    A reader that has gone (`| head`) is no error, and what is written after that goes nowhere.

    Raises:
        OSError: if it cannot be written for another reason, such as a full disk.
    """
    if sys.stdout is None:  # closed by whoever started this
        return
    try:
        if _has_colours():
            _write_in_colours(text)
        else:
            sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        silence_output()
        if not is_closed_pipe(error):
            raise


def complain(sentence: str) -> None:
    """Writes one line to standard error, wrapped at words if that is a terminal."""
    if sys.stderr is None:
        return
    line = f"boulanger: {' '.join(sentence.splitlines())}"
    with contextlib.suppress(OSError):  # nowhere left to say it
        if sys.stderr.isatty():
            line = _wrapped(line)
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def remark(sentence: str) -> None:
    """Writes one line to standard error that is no error."""
    complain(f"note: {sentence}")


def compile_first(is_ready: Callable[[], bool], work: str) -> None:
    """Compiles at the first use on a machine, with a word; on a terminal then how far it is.

    Args:
        is_ready: whether nothing need be compiled, so that nothing is said.
        work: what is compiled for, a key of `solver.prepare.STAGES`.
    """
    if is_ready():
        return
    from boulanger.solver.prepare import SECONDS

    remark(f"compiling the solver for this machine (once, some {SECONDS[work]} s) ...")
    compile_now(is_ready, work)


def compile_now(is_ready: Callable[[], bool], work: str) -> None:
    """The same without the word."""
    from boulanger.solver.prepare import NUM_KERNELS, compile_in_parallel

    line = StatusLine()

    def show(num_done: int) -> None:
        left = max(NUM_KERNELS[work] - num_done, 0)
        if line.is_shown and left:
            line.show(f"compiling: {num_done} kernels done, some {left} left")
        else:
            line.clear()

    try:
        is_done = compile_in_parallel(work, show, is_ready)
    finally:
        line.clear()
    if not is_done and line.is_shown:  # what is left is compiled in this process
        from boulanger.engine.packed.jit import watch_compiling

        watch_compiling(show)


def fail(error: Exception, language: str = ENGLISH, *, has_memory_option: bool = False) -> int:
    """Tells of an error in one line; the exit code for it."""
    if os.environ.get(_TRACEBACK_VARIABLE, "0") not in ("", "0"):
        import traceback

        traceback.print_exception(error)
    if isinstance(error, BoulangerError):
        complain(error.text(language))
        return EXIT_BAD_INPUT
    if isinstance(error, MemoryError):
        advice = "; a lower --max-memory would have ended the search before"
        complain(f"no memory left{advice if has_memory_option else ''}")
        return EXIT_UNDECIDED
    if isinstance(error, OSError):
        silence_output()
        if is_closed_pipe(error):
            return EXIT_YES
        reason = error.strerror or error
        if error.filename is None:
            complain(f"the answer cannot be written: {reason}")
        else:
            complain(f"{os.fsdecode(error.filename)!r}: {reason}")
        return EXIT_BAD_INPUT
    detail = " ".join(str(error).split())
    complain(
        f"a fault of the program, not an answer: {type(error).__name__}"
        f"{': ' if detail else ''}{detail}; {_TRACEBACK_VARIABLE}=1 shows where"
    )
    return EXIT_INTERNAL


class StatusLine:
    """One line on standard error that is written over again; nothing if that is no terminal."""

    def __init__(self) -> None:
        self._width = 0
        self.is_shown: Final = self._is_terminal()

    def show(self, text: str) -> None:
        """Puts `text` in the place of what was there, cut where the terminal would break it."""
        if self.is_shown:
            text = text[: _line_width() - 1]
        self._write(f"\r{text:{self._width}}")
        self._width = max(self._width, len(text))

    def clear(self) -> None:
        """Leaves the line blank and the cursor at its beginning, if anything was shown."""
        if self._width:
            self._write(f"\r{'':{self._width}}\r")
            self._width = 0

    def _write(self, text: str) -> None:
        if self.is_shown:
            with contextlib.suppress(OSError):  # nowhere left to say it
                sys.stderr.write(text)
                sys.stderr.flush()

    @staticmethod
    def _is_terminal() -> bool:
        return sys.stderr is not None and sys.stderr.isatty()


def is_closed_pipe(error: OSError) -> bool:
    """Whether what went wrong is only that the reader has gone."""
    # Windows reports it as an invalid argument.
    return error.errno == errno.EPIPE or (os.name == "nt" and error.errno == errno.EINVAL)


def silence_output() -> None:
    """Redirects stdout to /dev/null, so that the flush at exit cannot fail again."""
    with contextlib.suppress(OSError, AttributeError, ValueError):  # closed, or no file at all
        file = sys.stdout.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, file)
        os.close(nowhere)


def _line_width() -> int:
    """How many characters a line of the terminal is to have at most."""
    import shutil

    return max(_LEAST_WIDTH, shutil.get_terminal_size().columns)


def _wrapped(line: str) -> str:
    import textwrap

    return textwrap.fill(
        line,
        _line_width(),
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _has_colours() -> bool:
    """Whether standard output is a terminal that shows colours, to a reader who wants them."""
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not is_plain


def _write_in_colours(text: str) -> None:
    import re

    import click

    def coloured(card: re.Match[str]) -> str:
        return f"\x1b[{_SUIT_CODES[card[1]]}m{card[0]}\x1b[0m"

    # Click has what an old console of Windows needs.
    click.echo(re.sub(_CARD, coloured, text), file=sys.stdout, nl=False, color=True)
