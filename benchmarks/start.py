"""`python -m benchmarks.start`: how long whole commands take, from the shell's point of view.

Each run is a process of its own: Python starts, imports, loads or compiles, answers and ends. With
`--against FOLDER` the same commands run from another checkout as well (`git worktree add FOLDER
COMMIT`), in turn, so that both meet the same load; ratios say more than seconds on a busy machine.
With `--installed PYTHON`, what is compared with that is not this checkout but what PYTHON, of an
environment of its own, has installed: a wheel with bitcode, say.

A *first* command finds an empty cache folder; a *warm* one finds what a first `solve` and a first
`rate` left there. Wall time counts, and processor time is given beside it: all processes of a
command together.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.provenance import output_of, provenance

_DEAL: Final = "BK1-C4-AAAAA24"
_HERE: Final = Path(__file__).resolve().parents[1]
_COMMIT: Final = "from boulanger.solver.commit import commit_at_work as c; print(c())"
_NOT_SOLVED: Final = 2  # exit codes from here on are no answer


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and how long it may take.

    Attributes:
        name: how it is called here.
        arguments: of `boulanger`.
        at_least, aim: wall seconds; None where only "no slower than before" is asked.
    """

    name: str
    arguments: tuple[str, ...]
    at_least: float | None
    aim: float


WARM: Final = (
    Command("help", ("--help",), None, 0.15),
    Command("solve", ("solve", _DEAL), 0.8, 0.4),
    Command("hint", ("hint", _DEAL), 1.0, 0.5),
    Command("check", ("check", _DEAL), 1.0, 0.5),
    Command("shortest", ("solve", _DEAL, "--shortest", "plies"), 1.0, 0.5),
    Command("find", ("find", "--count", "1", "--seed", "1", "--cells", "2"), None, 0.5),
)
FIRST: Final = (
    Command("first solve", ("solve", _DEAL), 15.0, 4.0),
    Command("first rate", ("rate", _DEAL), 30.0, 8.0),
)


@dataclass(slots=True)
class Version:
    """A checkout under test, or what is installed.

    Attributes:
        name: "new" or "old".
        folder: where the checkout is; None for what is installed.
        cache: a folder for compiled code that the warm commands use.
        python: what runs it.
        seconds: of each command by its name: (wall, processor) of each run.
    """

    name: str
    folder: Path | None
    cache: Path
    python: str = sys.executable
    seconds: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def run(self, command: Command, cache: Path) -> None:
        """Runs a command once and notes its times.

        Raises:
            RuntimeError: if it gives no answer; quotes what it said.
        """
        environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
        python = [self.python, "-I"]  # nothing but what is installed
        if self.folder is not None:
            environment["PYTHONPATH"] = str(self.folder)
            python = [self.python]
        before, started = os.times(), time.perf_counter()
        done = subprocess.run(
            [*python, "-m", "boulanger", *command.arguments],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        wall, after = time.perf_counter() - started, os.times()
        if done.returncode >= _NOT_SOLVED:
            where = self.folder or self.python
            raise RuntimeError(f"{command.name} in {where}: {done.stderr.strip()[-500:]}")
        processor = after.children_user + after.children_system
        processor -= before.children_user + before.children_system
        self.seconds.setdefault(command.name, []).append((wall, processor))


def run_first(versions: Sequence[Version], commands: Sequence[Command], num_runs: int) -> None:
    """Runs commands with an empty cache each."""
    for _ in range(num_runs):
        for command in commands:
            for version in versions:
                with tempfile.TemporaryDirectory(prefix="boulanger-start-") as folder:
                    version.run(command, Path(folder))


def run_warm(versions: Sequence[Version], commands: Sequence[Command], num_runs: int) -> None:
    """Runs commands with a full cache, the versions in turn, each first every other time."""
    for version in versions:
        for command in (*FIRST, *commands):
            version.run(command, version.cache)
        version.seconds.clear()
    for i in range(num_runs):
        for command in commands:
            for version in versions if i % 2 == 0 else versions[::-1]:
                version.run(command, version.cache)


def rows_of(versions: Sequence[Version], commands: Sequence[Command]) -> list[dict[str, Any]]:
    """What came out: a row for each command that was run, the first version's ratio to the last."""
    rows = []
    for command in commands:
        row: dict[str, Any] = {"command": command.name}
        for version in versions:
            if not version.seconds.get(command.name):
                break
            walls, processors = zip(*version.seconds[command.name], strict=True)
            row[version.name] = {
                "runs": len(walls),
                "median": round(statistics.median(walls), 3),
                "min": round(min(walls), 3),
                "processor_median": round(statistics.median(processors), 3),
            }
        else:
            if len(versions) > 1:
                new, old = (row[version.name] for version in versions)
                row["ratio"] = round(new["median"] / old["median"], 3)
            rows.append(row | {"at_least": command.at_least, "aim": command.aim})
    return rows


def print_rows(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> None:
    """A line for each command."""
    for row in rows:
        parts = [f"{row['command']:12}"]
        for name in names:
            figures = row[name]
            parts.append(
                f"{name}: median {figures['median']:7.3f} s, min {figures['min']:7.3f}, "
                f"processor {figures['processor_median']:7.3f}"
            )
        if "ratio" in row:
            parts.append(f"ratio {row['ratio']:.3f}")
        parts.append(f"at least {row['at_least']}, aim {row['aim']}")
        print("   ".join(parts))


def _made_with(options: argparse.Namespace, versions: Sequence[Version]) -> dict[str, Any]:
    """What the figures were made with, of what."""
    command = "python -m benchmarks.start"
    command += " --installed PYTHON" * (options.installed is not None)
    command += " --against FOLDER" * (options.against is not None)
    command += f" --runs {options.runs} --first-runs {options.first_runs}"
    made_with: dict[str, Any] = {**provenance(command), "processors": os.cpu_count()}
    if options.installed is not None:
        made_with["installed"] = output_of(versions[0].python, "-I", "-c", _COMMIT) or "unknown"
    if options.against is not None:
        folder = str(versions[-1].folder)
        told = output_of("git", "-C", folder, "describe", "--always", "--dirty")
        made_with["against"] = told or "unknown"
    return made_with


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start", description=__doc__)
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout")
    parser.add_argument("--installed", metavar="PYTHON", help="not this checkout, but what it has")
    parser.add_argument("--runs", type=int, default=9, help="of each warm command (9)")
    parser.add_argument("--first-runs", type=int, default=1, help="of each first command (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="boulanger-start-") as caches:
        versions = [Version("new", _HERE, Path(caches) / "new")]
        if options.installed is not None:
            installed = os.path.abspath(options.installed)  # where it leads to has other packages
            versions = [Version("new", None, Path(caches) / "new", installed)]
        if options.against is not None:
            versions.append(Version("old", options.against.resolve(), Path(caches) / "old"))
        if options.runs > 0:
            run_warm(versions, WARM, options.runs)
        run_first(versions, FIRST, options.first_runs)
    rows = rows_of(versions, (*WARM, *FIRST))
    print_rows(rows, [version.name for version in versions])
    if options.json is not None:
        record = _made_with(options, versions)
        options.json.write_text(json.dumps(record | {"results": rows}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
