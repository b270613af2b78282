"""What a result was made with, to be kept beside it."""

from __future__ import annotations

import platform
import re
import subprocess
from importlib import metadata
from pathlib import Path


def provenance(command: str) -> dict[str, str]:
    """The command, the commit, the versions and the processor."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return {
        "command": command,
        "commit": commit.stdout.strip() or "unknown",
        "processor": _processor(),
        "python": platform.python_version(),
        "numba": metadata.version("numba"),
        "numpy": metadata.version("numpy"),
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or "unknown"
    found = re.search(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
    return found[1] if found else platform.machine()
