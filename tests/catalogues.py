"""Small catalogues for tests, written here from `classify`, not by the runner."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from boulanger.engine.deals.codes import GameCode
from boulanger.engine.deals.kernels import deal_many
from boulanger.solver.verdict.classify import classify

NAMES = {0: "unwinnable", 1: "winnable", 2: "undecided"}


@dataclass
class Row:
    """One deal: what the columns say, and what `boulanger solve` takes without its cells."""

    source: str
    number: int
    code: str | None
    verdicts: dict[int, str] = field(default_factory=dict)
    nodes: dict[int, int | None] = field(default_factory=dict)
    inferred: dict[int, bool] = field(default_factory=dict)

    def name(self, num_cells: int) -> str:
        if self.source == "bk1":
            return f"BK1-C{num_cells}-{self.code}"
        if self.source == "ms":
            return f"ms:{self.number}"
        return f"random:{self.number}@{self.source.removeprefix('random@')}"


def classified_rows(
    source: str, numbers: Iterable[int], cells: Sequence[int], max_nodes: int | None = None
) -> list[Row]:
    """Deals with their verdicts, each searched for."""
    listed = list(numbers)
    cards = deal_many(source, listed)
    rows = [
        Row(source, number, GameCode(number).payload if source == "bk1" else None)
        for number in listed
    ]
    for n in cells:
        verdicts, nodes = classify(cards, n, max_nodes=max_nodes)
        for row, verdict, count in zip(rows, verdicts.tolist(), nodes.tolist(), strict=True):
            row.verdicts[n], row.nodes[n], row.inferred[n] = NAMES[verdict], count, False
    for row in rows:
        _infer(row)
    return rows


def _infer(row: Row) -> None:
    cells = sorted(row.verdicts)
    for n in cells:
        if any(row.verdicts[fewer] == "winnable" for fewer in cells if fewer < n):
            row.verdicts[n], row.nodes[n], row.inferred[n] = "winnable", None, True
    for n in cells:
        lost_with_more = any(row.verdicts[more] == "unwinnable" for more in cells if more > n)
        if row.verdicts[n] == "undecided" and lost_with_more:
            row.verdicts[n], row.nodes[n], row.inferred[n] = "unwinnable", None, True


def part_table(rows: Sequence[Row], cells: Sequence[int]) -> pa.Table:
    """The columns of a part."""
    texts = pa.dictionary(pa.int32(), pa.string())
    verdicts = pa.dictionary(pa.int8(), pa.string())
    columns: dict[str, Any] = {
        "source": pa.array([row.source for row in rows], texts),
        "number": pa.array([row.number for row in rows], pa.uint64()),
        "code": pa.array([row.code for row in rows], pa.string()),
    }
    for n in sorted(cells):
        columns[f"verdict_{n}"] = pa.array([row.verdicts[n] for row in rows], verdicts)
        columns[f"nodes_{n}"] = pa.array([row.nodes[n] for row in rows], pa.uint32())
        columns[f"inferred_{n}"] = pa.array([row.inferred[n] for row in rows], pa.bool_())
    return pa.table(columns)


def write_catalogue(
    folder: Path,
    rows: Sequence[Row],
    cells: Sequence[int],
    chunk_size: int = 50,
    without_parts: Iterable[int] = (),
    manifest: dict[str, Any] | None = None,
) -> list[Row]:
    """A catalogue of `rows`; returns those in the parts that were written."""
    chunks = [rows[i : i + chunk_size] for i in range(0, len(rows), chunk_size)]
    (folder / "parts").mkdir(parents=True)
    document = {
        "format": 1,
        "sources": ["a test"],
        "cells": sorted(cells),
        "max_nodes": None,
        "chunk_size": chunk_size,
        "num_deals": len(rows),
        "num_chunks": len(chunks),
        "num_rejected": 0,
        "boulanger": "0.1.0",
        "commit": None,
        **(manifest or {}),
    }
    (folder / "manifest.json").write_text(json.dumps(document))
    written: list[Row] = []
    skipped = set(without_parts)
    for i, chunk in enumerate(chunks):
        if i not in skipped:
            path = folder / "parts" / f"part-{i:06}.parquet"
            pq.write_table(part_table(chunk, cells), path, compression="zstd")
            written += chunk
    return written
