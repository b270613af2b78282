"""Without pyarrow, an extra, all works but catalogues, which say in one line what is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HIDDEN = (
    "import sys; sys.modules['pyarrow'] = None;"
    "from boulanger.solver.cli.app import app; app(prog_name='boulanger')"
)


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", HIDDEN, *args], capture_output=True, text=True, cwd=ROOT
    )


@pytest.mark.parametrize(
    "args",
    [
        ("classify", "ms:1", "--out", "no-such-catalogue"),
        ("summary", "no-such-catalogue"),
        ("export", "no-such-catalogue"),
        ("merge", "no-such-catalogue", "--out", "another"),
    ],
)
def test_commands_on_catalogues_say_what_is_missing(args: tuple[str, ...]) -> None:
    answer = run(*args)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == (
        "boulanger: catalogues need pyarrow, which is not installed; "
        "`pip install 'boulanger[catalogues]'` installs it\n"
    )
    assert not (ROOT / "no-such-catalogue").exists()


def test_other_commands_do_without_it() -> None:
    assert run("check", "ms:1").returncode == 0
    found = run("find", "--count", "1", "--seed", "1", "--json")
    assert found.returncode == 0, found.stderr
