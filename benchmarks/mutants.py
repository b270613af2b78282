"""`python -m benchmarks.mutants`: small faults put into the code, and what notices them.

A *mutant* is one small change that makes the program wrong, or slower, or says why it does
neither. The command copies this checkout, applies one mutant at a time, runs the tests that ought
to see it, and prints the *survivors*: mutants that no test has noticed. Each survivor that is known
carries its argument; one without an argument is a gap in the tests, and the exit code is 1.

The list is in `benchmarks/data/mutants.toml`. `tests/test_mutants.py` holds it against the sources:
the text that a mutant replaces must occur exactly once. A mutant of a kernel compiles whatever
depends on it, so a whole run takes an hour on two cores; `--only` runs some of them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Final

from tqdm import tqdm

LIST: Final = Path(__file__).parent / "data" / "mutants.toml"
_TOP: Final = Path(__file__).resolve().parent.parent
_FOLDERS: Final = ("benchmarks", "boulanger", "engine", "results", "solver", "tests")
# Longer than any test file takes, its kernels compiled anew; a mutant that hangs is noticed.
_MAX_SECONDS: Final = 900


@dataclass(frozen=True)
class Mutant:
    """One small change.

    Attributes:
        name: of a room and a number, such as "verdict-03".
        file: path in the checkout.
        old: text that occurs exactly once in the file.
        new: what takes its place.
        tests: what `pytest` is given: the files, or parts of them, that ought to notice.
        survives: why no test can notice it; empty if one must.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    survives: str = ""


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: noticed or not, by which test first, and in how many seconds."""

    mutant: Mutant
    is_caught: bool
    first_failure: str
    seconds: float


def read_mutants(path: Path = LIST) -> list[Mutant]:
    """The mutants of a list.

    Raises:
        ValueError: if two have one name or a field is missing.
    """
    rows = tomllib.loads(path.read_text("utf-8"))["mutant"]
    mutants = [Mutant(**(row | {"tests": tuple(row["tests"])})) for row in rows]
    if len({mutant.name for mutant in mutants}) != len(mutants):
        raise ValueError(f"{str(path)!r} has two mutants of one name")
    return mutants


def apply(mutant: Mutant, top: Path) -> str:
    """Puts a mutant into a checkout; returns the file's text as it was.

    Raises:
        ValueError: if the text to replace does not occur exactly once.
    """
    path = top / mutant.file
    text = path.read_text("utf-8")
    if text.count(mutant.old) != 1:
        raise ValueError(f"{mutant.name}: {mutant.old!r} occurs {text.count(mutant.old)} times")
    path.write_text(text.replace(mutant.old, mutant.new), "utf-8")
    return text


def try_mutant(mutant: Mutant, top: Path) -> Outcome:
    """Runs a mutant's tests in a copy of the checkout, which is left as it was."""
    original = apply(mutant, top)
    started = time.perf_counter()
    try:
        code, output = _run_tests(mutant.tests, top)
    finally:
        (top / mutant.file).write_text(original, "utf-8")
    failures = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
    first = failures[0].split(" - ")[0] if failures else ("time limit" if code else "")
    return Outcome(mutant, code != 0, first, time.perf_counter() - started)


def _run_tests(tests: Sequence[str], top: Path) -> tuple[int, str]:
    """The exit code and the output of pytest, stopped at the first failure."""
    # Every mutant has a cache of its own, so that none pushes out another's.
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        try:
            done = subprocess.run(
                command,
                cwd=top,
                env={**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(top)},
                capture_output=True,
                text=True,
                check=False,
                timeout=_MAX_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return 1, ""
    return done.returncode, done.stdout


def copy_checkout(to: Path) -> Path:
    """A copy of the sources and tests, links kept as links."""
    for folder in _FOLDERS:
        ignore = shutil.ignore_patterns("__pycache__", ".*_cache")
        shutil.copytree(_TOP / folder, to / folder, symlinks=True, ignore=ignore)
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md"):
        shutil.copy(_TOP / name, to / name)
    if (_TOP / "docs").exists():
        shutil.copytree(_TOP / "docs", to / "docs")
    return to


def run_all(mutants: Sequence[Mutant], num_jobs: int) -> Iterator[Outcome]:
    """The outcomes of all mutants, in the order of the list."""
    with tempfile.TemporaryDirectory() as work:
        copies: Queue[Path] = Queue()
        for job in range(num_jobs):
            copies.put(copy_checkout(Path(work) / str(job)))

        def run(mutant: Mutant) -> Outcome:
            copy = copies.get()
            try:
                return try_mutant(mutant, copy)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(num_jobs) as pool:
            yield from pool.map(run, mutants)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; the exit code is 1 if a mutant survives without an argument."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[""], help="names, or how they begin")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time")
    options = parser.parse_args(arguments)
    chosen = [m for m in read_mutants() if m.name.startswith(tuple(options.only))]
    outcomes = list(tqdm(run_all(chosen, options.jobs), total=len(chosen), unit="mutant"))
    for outcome in outcomes:
        end = f"caught by {outcome.first_failure}" if outcome.is_caught else "SURVIVES"
        print(f"{outcome.mutant.name:12} {outcome.seconds:5.0f} s  {end}")
    survivors = [outcome.mutant for outcome in outcomes if not outcome.is_caught]
    print(f"\n{len(outcomes) - len(survivors)} of {len(outcomes)} caught; survivors:")
    for mutant in survivors:
        print(f"{mutant.name}: {mutant.survives or 'no argument: a gap in the tests'}")
    return 1 if any(not mutant.survives for mutant in survivors) else 0


if __name__ == "__main__":
    sys.exit(main())
