"""How fast a large catalogue opens in the page: `python -m benchmarks.browse [--rows 10000000]`.

Makes a catalogue of made-up verdicts in a temporary folder, and asks as the page does, in this
process. Needs the checkout, since the tests' writer makes the parts.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from boulanger.solver.web.catalogue_answers import OpenCatalogues
from boulanger.solver.web.handlers import QUESTIONS
from boulanger.solver.web.lanes import Job
from boulanger.solver.web.questions import Shared
from tests.catalogues import about_chunk, part_table, write_catalogue, write_part

_CELLS = (1, 2, 4)
_CHUNK = 20_000


def made_up(first: int, count: int, rng: np.random.Generator) -> pa.Table:
    """Rows with about the real shares of winnable deals; one in 100,000 is undecided."""
    schema = part_table([], _CELLS).schema
    luck = rng.random(count)
    columns: list[Any] = [
        pa.array(["bk1"] * count).dictionary_encode().cast(schema.field(0).type),
        pa.array(np.arange(first, first + count), pa.uint64()),
        pa.array(np.char.mod("%07d", np.arange(first, first + count)).tolist(), pa.string()),
    ]
    words = pa.array(["unwinnable", "winnable", "undecided"])
    for share in (0.03, 0.2, 0.75):
        verdicts = (luck < share).astype(np.int8)
        verdicts[luck > 1 - 1e-5] = 2
        columns += [
            pa.DictionaryArray.from_arrays(pa.array(verdicts), words),
            pa.array(rng.integers(1, 100_000, count), pa.uint32()),
            pa.array(np.zeros(count, np.bool_)),
        ]
    return pa.table(columns, schema=schema)


def main() -> None:
    """Prints a line for each question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    rows = parser.parse_args().rows
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "made-up"
        num_chunks = -(-rows // _CHUNK)
        block = {"sources": 1, "num_deals": rows, "num_rejected": 0, "chunk_size": _CHUNK}
        about = {
            "num_deals": rows, "num_chunks": num_chunks, "blocks": [{**block, "dealers": []}],
        }  # fmt: skip
        write_catalogue(folder, [], _CELLS, _CHUNK, manifest=about)
        document = _document(folder)
        for index in range(num_chunks):
            count = min(_CHUNK, rows - index * _CHUNK)
            table = made_up(index * _CHUNK, count, rng)
            write_part(folder, index, table, about_chunk(document, index))
        size = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
        print(f"{rows:,} rows, {num_chunks:,} parts, {size / 1e6:.0f} MB")
        started = time.perf_counter()
        shared = Shared(catalogues=OpenCatalogues([str(folder)]))
        print(f"{'opened at the start':40} {time.perf_counter() - started:7.3f} s")
        for title, body in (
            ("the list of catalogues", {}),
            ("first page", {"catalogue": 0}),
            ("first page again", {"catalogue": 0}),
            ("winnable with 1", {"catalogue": 0, "where": ["1=winnable"]}),
            ("undecided, a page", {"catalogue": 0, "where": ["4=undecided"], "count": 20}),
            ("ten seconds of undecided",
             {"catalogue": 0, "where": ["4=undecided"], "max_seconds": 10, "count": 200}),
            ("a page in the middle", {"catalogue": 0, "after": [num_chunks // 2, 100]}),
            ("the hardest searches", {"catalogue": 0, "sort": "-nodes"}),
            ("the next page of these", {"catalogue": 0, "sort": "-nodes", "after": [0, 50]}),
            ("counts", {"catalogue": 0, "summary": True}),
            ("counts again", {"catalogue": 0, "summary": True}),
        ):  # fmt: skip
            started = time.perf_counter()
            question = QUESTIONS["catalogue"]
            answer = question.answer(shared, question.read(body), Job())
            took = time.perf_counter() - started
            print(f"{title:40} {took:7.3f} s{_shown(answer)}")


def _shown(answer: dict[str, Any]) -> str:
    if "read" not in answer:
        return ""
    return f"  {len(answer['deals'])} deals of {answer['read']:,} read"


def _document(folder: Path) -> dict[str, Any]:
    from boulanger.solver.catalogue.manifest import require_manifest

    return require_manifest(folder).document


if __name__ == "__main__":
    main()
