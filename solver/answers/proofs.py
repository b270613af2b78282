"""The answer of `verify --proof`.

JSON keys: those of every answer about a deal, and

    cells       the number of cells in play
    proven      whether the file proves that the deal cannot be won
    fault       why not; null if it does
    positions   positions that the proof lists
    fronts      dead fronts that it lists
"""

from __future__ import annotations

from typing import Any

from boulanger.solver.answers.play import source_json
from boulanger.solver.deals.source import DealSource
from boulanger.solver.proof.certificate import CheckedProof


def proof_json(source: DealSource, checked: CheckedProof) -> dict[str, Any]:
    """The answer as JSON."""
    return {
        **source_json(source),
        "cells": source.position.num_cells,
        "proven": checked.fault is None,
        "fault": checked.fault,
        "positions": checked.num_positions,
        "fronts": checked.num_fronts,
    }


def proof_text(checked: CheckedProof, num_cells: int) -> str:
    """The answer as one line."""
    if checked.fault is not None:
        return f"Not proven: {checked.fault}.\n"
    return (
        f"That it cannot be won with {num_cells} cell{'s' * (num_cells != 1)} is proven: "
        f"{checked.num_positions} positions and {checked.num_fronts} dead fronts were checked.\n"
    )
