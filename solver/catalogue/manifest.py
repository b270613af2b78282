"""The manifest of a catalogue: what it was made from, and with what."""

from __future__ import annotations

import datetime
import json
import platform
import subprocess
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from boulanger.engine.deals.dealers import get_dealer
from boulanger.solver.catalogue.chunks import ChunkPlan
from boulanger.solver.catalogue.schema import FORMAT
from boulanger.solver.catalogue.sources import Source
from boulanger.solver.catalogue.work import Task
from boulanger.solver.deals.code_dealer import CodeDealer

# What a run must have in common with the catalogue that it goes on with, and how a sentence names
# it. Versions may differ: verdicts are exact, and `search` tells when nodes are others.
_FIXED: Final = {
    "format": "format",
    "sources": "sources",
    "digests": "contents of the lists",
    "rules": "rules of the learned dealers",
    "cells": "--cells",
    "max_nodes": "--max-nodes",
    "rated": "--rate, for cells",
    "rating": "signature of the ratings (of another version)",
    "chunk_size": "--chunk-size",
    "search": "signature of the search (of another version)",
}
_MAX_LISTED: Final = 8
_MAX_TEXT: Final = 40


def make_manifest(sources: Sequence[Source], task: Task, plan: ChunkPlan) -> dict[str, Any]:
    """The manifest of a new catalogue; its keys stay, new ones may be added.

    `search`, the signature of the search, is added once that is compiled.
    """
    return {
        "format": FORMAT,
        "sources": [source.text for source in sources],
        "digests": [source.digest for source in sources],
        "dealers": dealer_descriptions(sources, task.learned),
        "rules": {dealer.key: dealer.rule_document for dealer in task.learned} or None,
        "cells": list(task.cells),
        "max_nodes": task.max_nodes,
        "rated": list(task.rated) or None,
        "chunk_size": plan.chunk_size,
        "num_deals": plan.num_deals,
        "num_chunks": plan.num_chunks,
        "num_rejected": sum(len(source.bad_lines) for source in sources),
        "boulanger": version("boulanger"),
        "commit": _commit(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "pyarrow": version("pyarrow"),
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }


def dealer_descriptions(sources: Sequence[Source], learned: Sequence[CodeDealer]) -> dict[str, str]:
    """The key of each dealer of these sources, with a line on what it does."""
    keys = {key for source in sources for key in source.dealers}
    known = {dealer.key: dealer.description for dealer in learned}
    return {key: known.get(key) or get_dealer(key).description for key in sorted(keys)}


def manifest_text(manifest: Mapping[str, Any]) -> str:
    """The file's text."""
    return json.dumps(manifest, indent=2) + "\n"


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """What keeps a run from going on with a catalogue, in words; empty if nothing does.

    Args:
        there: the manifest of the catalogue.
        here: that of the run; keys that it lacks are not looked at.
    """
    return [
        f"{name}: {_short(there.get(key))} there, {_short(here[key])} here"
        for key, name in _FIXED.items()
        if key in here and there.get(key) != here[key]
    ]


def _short(value: Any) -> str:
    """A value of a manifest in a sentence."""
    if value is None:
        return "none"
    if isinstance(value, list):
        texts = [_short(item) for item in value[:_MAX_LISTED]]
        return ",".join(texts) + (",..." if len(value) > _MAX_LISTED else "")
    text = str(value)
    return text if len(text) <= _MAX_TEXT else text[:_MAX_TEXT] + "..."


def _commit() -> str | None:
    """The commit of this checkout; None for a program that is installed."""
    top = Path(__file__).resolve().parents[2]
    if not (top / ".git").exists():
        return None
    command = ["git", "--no-optional-locks", "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=top)
    except OSError:
        return None
    return done.stdout.strip() or None
