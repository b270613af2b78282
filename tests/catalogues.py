"""Small catalogues for tests, written here from `classify`, not by the runner."""

from __future__ import annotations

import contextlib
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boulanger.engine.deals.codes import GameCode
from boulanger.engine.deals.kernels import deal_many
from boulanger.solver.catalogue import local
from boulanger.solver.catalogue.chunks import Chunk
from boulanger.solver.catalogue.task import Stamp, Task
from boulanger.solver.catalogue.work import MadePart, work_on
from boulanger.solver.verdict.classify import classify
from tests.command import DEALER_TOLD, Answer, heed_interrupts, run

ROOT = Path(__file__).resolve().parent.parent
GOES_ON = "what is done is kept: the same command goes on from there"
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
    fields: list[tuple[str, Any, bool, list[Any]]] = [
        ("source", texts, False, [row.source for row in rows]),
        ("number", pa.uint64(), False, [row.number for row in rows]),
        ("code", pa.string(), True, [row.code for row in rows]),
    ]
    for n in sorted(cells):
        fields += [
            (f"verdict_{n}", verdicts, False, [row.verdicts[n] for row in rows]),
            (f"nodes_{n}", pa.uint32(), True, [row.nodes[n] for row in rows]),
            (f"inferred_{n}", pa.bool_(), False, [row.inferred[n] for row in rows]),
        ]
    schema = pa.schema([pa.field(name, kind, null) for name, kind, null, _ in fields])
    return pa.table([pa.array(v, kind) for _, kind, _, v in fields], schema=schema)


def write_part(folder: Path, index: int, table: pa.Table, about: dict[str, Any]) -> Path:
    """A part with its metadata and its digest, whatever is in it."""
    metadata = {"boulanger": json.dumps(about)}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(metadata), sink, compression="zstd")
    data = sink.getvalue().to_pybytes()
    digest = hashlib.sha256(data).hexdigest()[:32]
    path = folder / "parts" / f"part-{index:06}-{digest}.parquet"
    path.write_bytes(data)
    return path


def write_manifest(folder: Path, document: dict[str, Any], digest: str | None = None) -> None:
    """The manifest, with its digest unless another one is given."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    whole = {**document, "digest": digest or hashlib.sha256(text.encode()).hexdigest()}
    schema = part_table([], document["cells"]).schema.with_metadata(
        {"boulanger": json.dumps(whole)}
    )
    pq.write_table(schema.empty_table(), folder / "_manifest.parquet")


def part_paths(folder: Path) -> list[Path]:
    """The parts that are there, in order."""
    return sorted((folder / "parts").glob("part-*.parquet"))


def about_chunk(document: dict[str, Any], index: int) -> dict[str, Any]:
    """The metadata of a part of a catalogue with one block."""
    size = document["blocks"][0]["chunk_size"]
    keys = (
        "format", "sources", "digests", "dealers", "rules", "cells", "max_nodes", "rated", "search",
        "rating", "boulanger", "commit",
    )  # fmt: skip
    return {
        **{key: document[key] for key in keys},
        "chunk_size": size,
        "chunk": index,
        "num_deals": min(size, document["num_deals"] - index * size),
    }


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
    rejected = (manifest or {}).get("num_rejected", 0)
    block = {
        "sources": 1,
        "num_deals": len(rows),
        "num_rejected": rejected,
        "chunk_size": chunk_size,
        "dealers": [],
    }
    document: dict[str, Any] = {
        "format": 2,
        "sources": ["a test"],
        "digests": [None],
        "dealers": {},
        "rules": None,
        "cells": sorted(cells),
        "max_nodes": None,
        "rated": None,
        "shard": None,
        "num_deals": len(rows),
        "num_chunks": len(chunks),
        "num_rejected": rejected,
        "blocks": [block],
        "search": 1,
        "rating": None,
        "boulanger": "0.1.0",
        "commit": None,
        **(manifest or {}),
    }
    write_manifest(folder, document)
    written: list[Row] = []
    skipped = set(without_parts)
    for i, chunk in enumerate(chunks):
        if i not in skipped:
            write_part(folder, i, part_table(chunk, cells), about_chunk(document, i))
            written += chunk
    return written


@contextlib.contextmanager
def workers_here() -> Iterator[None]:
    """What `classify` gives to worker processes is done in this one: each takes long to start."""

    def work(chunks: Iterator[Chunk], task: Task, stamp: Stamp) -> Iterator[MadePart]:
        return (work_on(chunk, task) for chunk in chunks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local, "local_workers", lambda num_workers: work)
        yield


def classify_command(*args: str, stdin: str = "") -> Answer:
    """`boulanger classify` in this process; without a last line end.

    Its workers are processes only if their number is told.
    """
    is_told = any(arg in ("--workers", "--cluster", "--scheduler-file") for arg in args)
    with contextlib.nullcontext() if is_told else workers_here():
        answer = run("classify", *args, stdin=stdin)
    return answer._replace(err=answer.err.replace(DEALER_TOLD, "").removesuffix("\n"))


def start_classify(*args: str, limit: Callable[[], None] | None = None) -> subprocess.Popen[str]:
    """`boulanger classify` in a process group of its own, as a terminal would have it."""

    def prepare() -> None:
        heed_interrupts()
        if limit is not None:
            limit()

    return subprocess.Popen(
        [sys.executable, "-m", "boulanger", "classify", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
        preexec_fn=prepare,
    )


def num_parts(folder: Path) -> int:
    return len(part_paths(folder))


def manifest_of(folder: Path) -> dict[str, Any]:
    """What a manifest says, read without the program."""
    metadata = pq.read_schema(folder / "_manifest.parquet").metadata
    document: dict[str, Any] = json.loads(metadata[b"boulanger"])
    return document


def contents(folder: Path) -> dict[str, Any]:
    """Everything in a catalogue, but for when it was begun."""
    files: dict[str, Any] = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in (".lock", "_manifest.parquet")
    }
    manifest = manifest_of(folder)
    assert manifest.pop("created")
    assert manifest.pop("digest")
    return {**files, "manifest": manifest}
