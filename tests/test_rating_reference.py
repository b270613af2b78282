"""The command that makes the rating's sample: stopped anywhere, it goes on to the same end."""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from benchmarks.studies import rating_fit, rating_reference
from boulanger.engine.deals.dealers import BK1
from boulanger.engine.position import Position
from boulanger.solver.optimal.solve import solve
from boulanger.solver.rating.fields import FIELD_NAMES, row_of
from boulanger.solver.rating.parts import Measurer

ROOT = Path(__file__).resolve().parent.parent


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, out: Path, num_deals: int = 3) -> bytes:
    arguments = ["x", "--work", str(folder), "--out", str(out), "--deals", str(num_deals)]
    monkeypatch.setattr(sys, "argv", [*arguments, "--seed", "5", "--workers", "1"])
    rating_reference.main()
    return out.read_bytes()


@pytest.mark.slow
@pytest.mark.ci
def test_a_run_that_was_stopped_ends_as_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(monkeypatch, tmp_path / "whole", tmp_path / "whole.parquet")
    folder = tmp_path / "stopped"
    run(monkeypatch, folder, tmp_path / "first.parquet", num_deals=2)
    files = sorted(folder.iterdir())
    assert len(files) == 3
    # One line cut off, one missing with its end, one file not begun.
    files[0].write_text(files[0].read_text()[:-5])
    files[1].write_text(files[1].read_text().splitlines(keepends=True)[0])
    files[2].unlink()
    assert run(monkeypatch, folder, tmp_path / "stopped.parquet") == whole

    samples = rating_fit.read_samples(tmp_path / "whole.parquet")
    assert list(samples) == [4, 2, 1]
    number = pq.read_table(tmp_path / "whole.parquet")["number"].to_pylist()[0]
    parts = Measurer().measure(Position.from_deal(BK1.deal(number), 4)).parts
    assert parts is not None
    first = [samples[4][name][0] for name in FIELD_NAMES]
    assert first == pytest.approx(list(row_of(parts).values()), rel=1e-6)


@pytest.mark.parametrize("num_cells", [4, 2])
def test_the_deals_drawn_are_winnable(num_cells: int) -> None:
    numbers = list(islice(rating_reference.winnable_numbers(num_cells, 5), 5))
    assert len(set(numbers)) == 5
    assert numbers == list(islice(rating_reference.winnable_numbers(num_cells, 5), 5))
    assert numbers != list(islice(rating_reference.winnable_numbers(num_cells, 6), 5))
    for number in numbers:
        assert solve(Position.from_deal(BK1.deal(number), num_cells)).solution is not None


def test_the_model_in_the_package_is_that_of_the_sample_in_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "model.json"
    sample = ROOT / rating_fit.SAMPLE
    monkeypatch.setattr(sys, "argv", ["x", "--sample", str(sample), "--out", str(out)])
    rating_fit.main()
    made = json.loads(out.read_text())["cells"]
    kept = json.loads((ROOT / rating_fit.MODEL).read_text())["cells"]
    assert list(made) == list(kept) == ["4", "2", "1"]
    for num_cells, model in made.items():
        # Not to the last digit: linear algebra differs a little from machine to machine.
        assert model["weights"] == pytest.approx(kept[num_cells]["weights"], abs=1e-3)
        assert model["difficulties"] == pytest.approx(kept[num_cells]["difficulties"], abs=1e-3)
        assert model["scales"].keys() == kept[num_cells]["scales"].keys()
