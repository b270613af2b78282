"""What a result was made with, to be kept beside it."""

from __future__ import annotations

import platform
import re
import subprocess
from importlib import metadata
from pathlib import Path

from boulanger.solver.commit import commit_at_work


def provenance(command: str) -> dict[str, str]:
    """The command, the commit, the versions and the processor."""
    return {
        "command": command,
        "commit": commit_at_work() or "unknown",
        "processor": _processor(),
        "boulanger": metadata.version("boulanger"),
        "python": platform.python_version(),
        "numba": metadata.version("numba"),
        "numpy": metadata.version("numpy"),
    }


def output_of(*command: str) -> str:
    """What a command prints when run in this repository; empty if it cannot be run."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            cwd=Path(__file__).parent,
        )
    except OSError:
        return ""
    return done.stdout.strip()


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or "unknown"
    found = re.search(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
    return found[1] if found else platform.machine()
