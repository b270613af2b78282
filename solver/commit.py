"""Which commit of this project is at work."""

from __future__ import annotations

import subprocess
from importlib.resources import files
from pathlib import Path


def commit_at_work() -> str | None:
    """The commit of this checkout, or the one that was installed; None if it is not known.

    As `git describe` has it, with `-dirty` behind it if files were changed since.
    """
    top = Path(__file__).resolve().parents[1]
    if (top / ".git").exists():
        command = ["git", "--no-optional-locks", "describe", "--always", "--dirty"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=top)
            return done.stdout.strip() or None
        except OSError:
            return None
    kept = files("boulanger").joinpath("commit.txt")  # see setup.py
    return kept.read_text("utf-8").strip() or None if kept.is_file() else None
