"""Keeps the commit that a distribution is built from in it; all else stands in pyproject.toml.

The version itself is one line of pyproject.toml. setuptools-scm would make it of git tags, and a
checkout without tags would call itself 0.1.dev80: a version that nobody has released.
"""

import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

TOP = Path(__file__).resolve().parent
NAME = "commit.txt"  # beside boulanger/__init__.py


def commit() -> str:
    """Of this checkout, or of the one that this sdist was made from; empty if neither is known."""
    kept = TOP / "boulanger" / NAME
    if kept.exists():
        return kept.read_text("utf-8")
    if not (TOP / ".git").exists():
        return ""
    command = ["git", "--no-optional-locks", "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=TOP)
    except OSError:
        return ""
    return done.stdout.strip()


class BuildWithCommit(build_py):
    """Puts the commit into the wheel."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            (Path(self.build_lib) / "boulanger" / NAME).write_text(commit(), "utf-8")


class SdistWithCommit(sdist):
    """Puts the commit into the sdist."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        kept = Path(base_dir) / "boulanger" / NAME
        kept.write_text(commit(), "utf-8")


setup(cmdclass={"build_py": BuildWithCommit, "sdist": SdistWithCommit})
