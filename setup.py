"""Puts into a distribution what the repository does not hold; all else stands in pyproject.toml.

The commit that it is built from. The version itself is one line of pyproject.toml. setuptools-scm
would make it of git tags, and a checkout without tags would call itself 0.1.dev80: a version that
nobody has released.

And, where `BOULANGER_BITCODE` is set to 1, bitcode of the kernels (see `engine.packed.shipped`),
which takes half a minute and Numba. Such a wheel is for any system all the same, and tagged so: its
bitcode is used where it fits, and elsewhere Numba compiles, as with a wheel without.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

TOP = Path(__file__).resolve().parent
NAME = "commit.txt"  # beside boulanger/__init__.py
HAS_BITCODE = os.environ.get("BOULANGER_BITCODE", "0") not in ("", "0")


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


class Build(build_py):
    """Puts the commit into the wheel, and bitcode if it is asked for."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        package = Path(self.build_lib).resolve() / "boulanger"
        (package / NAME).write_text(commit(), "utf-8")
        if HAS_BITCODE:
            paths = filter(None, [str(package.parent), os.environ.get("PYTHONPATH")])
            subprocess.run(
                [sys.executable, "-m", "boulanger.solver.ship", package / "engine/packed/bitcode"],
                env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
                check=True,
            )


class SdistWithCommit(sdist):
    """Puts the commit into the sdist."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        kept = Path(base_dir) / "boulanger" / NAME
        kept.write_text(commit(), "utf-8")


def needs() -> list[str]:
    """What Boulanger needs to run, which it does to make bitcode."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    dependencies: list[str] = project["dependencies"]
    return dependencies


setup(
    cmdclass={"build_py": Build, "sdist": SdistWithCommit},
    setup_requires=needs() if HAS_BITCODE else [],
)
