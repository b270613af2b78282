"""`python -m benchmarks.peers`: verdicts side by side with Freecell Solver's.

Both sides decide the same deals in the same run on one processor, in turn, and the best of the
rounds counts: Freecell Solver's time is that of its whole process, nothing taken off (it has one
thread and starts in about a thousandth of a second), ours is dealing and deciding, without
compiling. Its configurations are the fastest that are still exact. Every verdict is compared.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.decks import Workload, timed_run, warm_up
from benchmarks.provenance import output_of, provenance
from boulanger.solver.verdict.decide import UNDECIDED, UNWINNABLE, WINNABLE

PROGRAM: Final = "freecell-solver-range-parallel-solve"
HOW_TO_INSTALL: Final = (
    f"{PROGRAM} is not installed; on Debian or Ubuntu: apt-get install freecell-solver-bin"
)
_EXACT_AT_FOUR: Final = "-to 0123467 -sp r:tf -ni -to 01ABCDE -sp r:tf"
EXACT: Final = "-to 01ABCDE -sp r:tf"
_LOST: Final = re.compile(r"^Unsolved Board No\. (\d+) ", re.MULTILINE)
_GIVEN_UP: Final = re.compile(r"^Intractable Board No\. (\d+) ", re.MULTILINE)
_REACHED: Final = re.compile(r"^Reached Board No\. (\d+) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Contest:
    """A workload, how Freecell Solver runs it, and how many times as fast we want to be."""

    workload: Workload
    configuration: str
    at_least: int
    aim: int


CONTESTS: Final = (
    Contest(Workload(4, 1, 2000), _EXACT_AT_FOUR, 26, 35),
    Contest(Workload(2, 1, 2000), EXACT, 25, 32),
    Contest(Workload(1, 1, 20000), EXACT, 16, 20),
)


def parse_output(text: str, last: int) -> tuple[set[int], set[int]]:
    """The deals that Freecell Solver found to have no solution, and those that it gave up.

    It prints no line for a deal that it solved, so it must have said that it reached the last one.

    Raises:
        ValueError: if it did not; quotes its last line.
    """
    if str(last) not in _REACHED.findall(text):
        line = text.strip().rpartition("\n")[2]
        raise ValueError(f"{PROGRAM} ended with {line!r}; must say 'Reached Board No. {last}'")
    return set(map(int, _LOST.findall(text))), set(map(int, _GIVEN_UP.findall(text)))


def run_peer(contest: Contest) -> tuple[float, set[int], set[int]]:
    """Wall seconds of Freecell Solver's process, and what `parse_output` reads from it."""
    workload = contest.workload
    command = [PROGRAM, str(workload.first), str(workload.last), str(workload.num_deals)]
    command += ["-g", "bakers_game", "--freecells-num", str(workload.num_cells)]
    command += contest.configuration.split()
    # Into a file: whoever reads a pipe would take time from the processor that both are on.
    with tempfile.TemporaryFile("w+") as output:
        started = time.perf_counter()
        subprocess.run(command, stdout=output, check=True)
        seconds = time.perf_counter() - started
        output.seek(0)
        return seconds, *parse_output(output.read(), workload.last)


def compare(contest: Contest, num_rounds: int) -> dict[str, Any]:
    """Runs both sides in turn; their best speeds, the ratio, and the verdicts that differ."""
    workload = contest.workload
    ours, theirs = [], []
    for _ in range(num_rounds):
        seconds, verdicts, _ = timed_run(workload)
        ours.append(seconds)
        seconds, lost, given_up = run_peer(contest)
        theirs.append(seconds)
    numbers = np.arange(workload.first, workload.last + 1)
    our_lost = set(numbers[verdicts == UNWINNABLE].tolist())
    undecided = set(numbers[verdicts == UNDECIDED].tolist())
    return {
        "cells": workload.num_cells,
        "deals": f"ms {workload.first}..{workload.last}",
        "configuration": contest.configuration,
        "winnable": int((verdicts == WINNABLE).sum()),
        "unwinnable": len(our_lost),
        "undecided": len(undecided),
        "peer_undecided": len(given_up),
        "differences": sorted((our_lost ^ lost) - undecided - given_up),
        "deals_per_second": workload.num_deals / min(ours),
        "peer_deals_per_second": workload.num_deals / min(theirs),
        "ratio": min(theirs) / min(ours),
        "at_least": contest.at_least,
        "aim": contest.aim,
    }


def peer_version() -> str:
    """Which Freecell Solver is installed."""
    found = re.search(r"[0-9]+\.[0-9]+\.[0-9]+", output_of("fc-solve", "--version"))
    return found[0] if found else "unknown"


def _stay_on_one_processor() -> None:
    """Children stay on it too."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code: 1 if a verdict differs, 2 without the peer."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="runs of each side (3)")
    parser.add_argument("--output", type=Path, default=Path("results/peers.json"))
    options = parser.parse_args(arguments)
    num_rounds = max(1, options.rounds)
    if shutil.which(PROGRAM) is None:
        print(HOW_TO_INSTALL, file=sys.stderr)
        return 2
    _stay_on_one_processor()
    warm_up()
    results = [compare(contest, num_rounds) for contest in CONTESTS]
    print("cells         deals  Freecell Solver  Boulanger (deals/s)   ratio  at least   aim")
    for result in results:
        print(
            f"{result['cells']:5} {result['deals']:>13} {result['peer_deals_per_second']:16,.0f} "
            f"{result['deals_per_second']:20,.0f} {result['ratio']:7.1f} "
            f"{result['at_least']:9} {result['aim']:5}"
        )
    record = {
        **provenance(f"python -m benchmarks.peers --rounds {num_rounds}"),
        "freecell_solver": peer_version(),
        "results": results,
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(record, indent=1) + "\n")
    differing = [result for result in results if result["differences"]]
    for result in differing:
        print(f"verdicts differ with {result['cells']} cells: {result['differences']}")
    if not differing:
        print("all verdicts agree")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
