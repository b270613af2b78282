"""The `boulanger` command as tests call it: in this process, or as one of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from boulanger.solver.cli.app import app
from boulanger.solver.deals.code_dealer import BK1_NOTE

CODE = "BK1-C4-AAAAA24"
COMPILING = "compiling the solver"
# What is said where game codes are dealt by bk1 and no dealer was learned.
DEALER_TOLD = f"boulanger: note: {BK1_NOTE}\n"

# All but the two last spades are home; they win with one cell and without one.
NEARLY_WON = "Foundations: S-J H-K D-K C-K\nFreecells:\n: QS KS\n:\n:\n:\n:\n:\n:\n:\n"
WON = "Foundations: S-K H-K D-K C-K\nFreecells:\n:\n:\n:\n:\n:\n:\n:\n:\n"


class Answer(NamedTuple):
    code: int
    out: str
    err: str


def run(*args: str, stdin: str | bytes = "") -> Answer:
    """The answer of a command run in this process, without its word on compiling."""
    result = CliRunner().invoke(app, list(args), input=stdin, prog_name="boulanger")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    lines = result.stderr.splitlines(keepends=True)
    return Answer(
        result.exit_code, result.stdout, "".join(line for line in lines if COMPILING not in line)
    )


def besides_dealer(errors: str) -> str:
    """What else is on standard error; the dealer must be told there, once."""
    assert errors.count(DEALER_TOLD) == 1
    return errors.replace(DEALER_TOLD, "")


def unwrapped(text: str) -> str:
    """A text with its comments of several lines joined into one."""
    return re.sub(r"\n# (?! )", " ", text)


def answer_json(*args: str, stdin: str | bytes = "") -> Any:
    """The JSON document that a command answers with; it says nothing else."""
    answer = run(*args, "--json", stdin=stdin)
    assert answer.err == ""
    return json.loads(answer.out)


def check_bad_input(answer: Answer, quoted: str) -> None:
    """One sentence on standard error that quotes what was wrong, exit code 2, nothing else."""
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("boulanger: ")
    assert answer.err.count("\n") == 1
    assert answer.err.endswith("\n")
    assert quoted in answer.err
    assert "Traceback" not in answer.err


def heed_interrupts() -> None:
    """For a process that is started: Ctrl-C is heeded even if this one was told to ignore it.

    A shell tells its background jobs so.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*args: str, **options: Any) -> subprocess.Popen[bytes]:
    """The command as a process."""
    if os.name == "posix":
        options.setdefault("preexec_fn", heed_interrupts)
    return subprocess.Popen(
        [sys.executable, "-m", "boulanger", *args],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parent.parent,
        **options,
    )
