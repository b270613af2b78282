"""The sample that ratings are measured against: `python -m benchmarks.studies.rating_reference`.

The first 5,000 winnable deals among random game codes for each of 4, 2 and 1 cells, with their
parts (`solver.rating.parts`). Each deal's line is kept in a work folder as soon as it is done, so a
run that was stopped goes on where it was; when all are there, `results/rating_reference.parquet` is
written.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from benchmarks.work_files import whole_lines
from boulanger.engine.deals.codes import NUM_CODES
from boulanger.engine.deals.dealers import BK1
from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.position import Position
from boulanger.solver.rating.fields import FIELD_NAMES, row_of
from boulanger.solver.rating.parts import Measurer, prepare
from boulanger.solver.verdict.classify import classify
from boulanger.solver.verdict.decide import WINNABLE

CELL_COUNTS: Final = (4, 2, 1)
_NUM_DEALS: Final = 5000
_CODES_PER_BATCH: Final = 4096
# Of the code numbers drawn, and of the players' games.
REFERENCE_SEED: Final = 20_261_130

_measurer: Measurer | None = None


def main() -> None:
    """Measures what is missing, then writes the whole."""
    parser = argparse.ArgumentParser(description="The sample that ratings are measured against.")
    parser.add_argument("--work", type=Path, default=Path("rating-work"), help="(%(default)s)")
    parser.add_argument("--deals", type=int, default=_NUM_DEALS, help="per cells (%(default)s)")
    parser.add_argument("--seed", type=int, default=REFERENCE_SEED, help="(%(default)s)")
    parser.add_argument("--games-seed", type=int, default=0, help="(%(default)s)")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument(
        "--out", type=Path, default=Path("results/rating_reference.parquet"), help="(%(default)s)"
    )
    arguments = parser.parse_args()
    prepare()
    arguments.work.mkdir(parents=True, exist_ok=True)
    rows: list[list[float]] = []
    for num_cells in CELL_COUNTS:
        name = f"c{num_cells}-{arguments.seed}-{arguments.games_seed}.csv"
        rows += _measure_all(
            num_cells,
            arguments.deals,
            arguments.seed,
            arguments.games_seed,
            arguments.workers,
            arguments.work / name,
        )
    _write_parquet(rows, arguments.out)


def winnable_numbers(num_cells: int, seed: int) -> Iterator[int]:
    """Code numbers of winnable deals, in the order in which they are drawn, without end.

    Numbers are drawn uniformly from all codes by NumPy's PCG64 with (seed, num_cells).
    """
    generator = np.random.Generator(np.random.PCG64([seed, num_cells]))
    while True:
        numbers = generator.integers(0, NUM_CODES, _CODES_PER_BATCH, np.uint64)
        verdicts, _ = classify(deal_many("bk1", numbers), num_cells)
        yield from (int(number) for number in numbers[verdicts == WINNABLE])


def _measure_all(
    num_cells: int, num_deals: int, seed: int, games_seed: int, num_workers: int, path: Path
) -> list[list[float]]:
    """The rows of one number of cells; what `path` has already is not measured again."""
    lines = whole_lines(path)[:num_deals]
    done = [[float(field) for field in line.split(",")] for line in lines]
    numbers = winnable_numbers(num_cells, seed)
    for _ in done:
        next(numbers)
    jobs = ((next(numbers), num_cells, games_seed) for _ in range(num_deals - len(done)))
    context = multiprocessing.get_context("spawn")
    with (
        path.open("a", encoding="utf-8") as file,
        context.Pool(num_workers) as pool,
        tqdm(total=num_deals, initial=len(done), desc=f"{num_cells} cells", unit="deal") as bar,
    ):
        for row in pool.imap(_measure, jobs, chunksize=4):
            file.write(",".join(map(repr, row)) + "\n")
            file.flush()
            done.append(row)
            bar.update()
    return done


def _measure(job: tuple[int, int, int]) -> list[float]:
    global _measurer
    if _measurer is None:
        _measurer = Measurer()
    number, num_cells, games_seed = job
    position = Position.from_deal(BK1.deal(number), num_cells)
    parts = _measurer.measure(position, games_seed).parts
    if parts is None:
        raise RuntimeError(f"bk1 deal {number} with {num_cells} cells is winnable, and yet not")
    return [float(number), *row_of(parts).values()]


def _write_parquet(rows: list[list[float]], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: npt.NDArray[np.float64] = np.array(rows).T
    table: dict[str, Any] = {"number": columns[0].astype(np.uint64)}
    for field, column in zip(FIELD_NAMES, columns[1:], strict=True):
        is_whole = bool((column == np.round(column)).all())
        table[field] = column.astype(np.int32) if is_whole else column.astype(np.float32)
    pq.write_table(pa.table(table), path, compression="zstd")


if __name__ == "__main__":
    main()
