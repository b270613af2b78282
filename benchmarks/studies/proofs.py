"""`python -m benchmarks.studies.proofs`: proves and checks every lost Microsoft deal of a range.

For each number of cells: how many deals are lost, how large their proofs are and how long writing
and checking them takes (CPU time). What is done is kept line by line in a work folder, so the
command goes on where it was stopped. Writes `results/proofs.json` whenever a range is done.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from benchmarks.decks import Workload
from benchmarks.provenance import provenance
from benchmarks.work_files import whole_lines
from boulanger.engine.deals.dealers import MS
from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.position import Position
from boulanger.solver.proof import check_proof as checker
from boulanger.solver.proof.certificate import game_of, prove
from boulanger.solver.verdict.classify import classify
from boulanger.solver.verdict.decide import UNWINNABLE

_WORKLOADS: Final = (
    Workload(4, 1, 10_000),
    Workload(3, 1, 10_000),
    Workload(2, 1, 10_000),
    Workload(1, 1, 10_000),
    Workload(4, 10_001, 32_000),
)
_FIELDS: Final = ("positions", "fronts", "bytes", "seconds_to_prove", "seconds_to_check")


def prove_and_check(task: tuple[int, int]) -> dict[str, Any]:
    """One deal and number of cells: what its proof holds and took.

    Raises:
        WrongProof: if the checker refuses it.
    """
    number, num_cells = task
    game = game_of(Position.from_deal(MS.deal(number), num_cells))
    started = time.process_time()
    proof = prove(game)
    proven = time.process_time()
    num_positions, num_fronts = checker.check(game, proof)
    seconds = (proven - started, time.process_time() - proven)
    values = (num_positions, num_fronts, len(proof), *seconds)
    return {"number": number, "cells": num_cells, **dict(zip(_FIELDS, values, strict=True))}


def lost_deals(workload: Workload) -> list[int]:
    """The numbers of the deals that cannot be won."""
    numbers = np.arange(workload.first, workload.last + 1)
    verdicts, _ = classify(deal_many("ms", numbers), workload.num_cells)
    return [int(number) for number in numbers[verdicts == UNWINNABLE]]


def summary(workload: Workload, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Counts, medians, means and maxima of a workload's proofs."""
    table = {field: np.array([row[field] for row in rows]) for field in _FIELDS}
    largest = max(rows, key=lambda row: row["bytes"])
    return {
        "cells": workload.num_cells,
        "first": workload.first,
        "last": workload.last,
        "lost": len(rows),
        "proven_and_checked": len(rows),
        "by_fronts_alone": int((table["positions"] == 0).sum()),
        **{
            field: {
                "median": float(np.median(values)),
                "mean": float(values.mean()),
                "percentile_99": float(np.percentile(values, 99)),
                "max": float(values.max()),
            }
            for field, values in table.items()
        },
        "largest": largest,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    command = "python -m benchmarks.studies.proofs"
    parser = argparse.ArgumentParser(prog=command, description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("proofs-work"))
    parser.add_argument("--output", type=Path, default=Path("results/proofs.json"))
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    made_with = provenance(command)
    summaries = []
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        for workload in _WORKLOADS:
            kept = options.work / f"{workload.num_cells}-{workload.first}-{workload.last}.jsonl"
            rows = [json.loads(line) for line in whole_lines(kept)]
            done = {row["number"] for row in rows}
            lost = lost_deals(workload)
            left = [(number, workload.num_cells) for number in lost if number not in done]
            with kept.open("a") as file:
                title = f"{workload.num_cells} cells"
                for row in tqdm(
                    pool.imap_unordered(prove_and_check, left, chunksize=8),
                    total=len(lost),
                    initial=len(done),
                    desc=title,
                ):
                    file.write(json.dumps(row) + "\n")
                    file.flush()
                    rows.append(row)
            summaries.append(summary(workload, rows))
            result = {**made_with, "workloads": summaries}
            options.output.write_text(json.dumps(result, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
