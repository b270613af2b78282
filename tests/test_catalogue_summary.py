"""`boulanger summary`: counts against counting row by row, as text, as JSON and as a plot."""

from __future__ import annotations

import importlib.util
import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boulanger.solver.catalogue import summary as summary_module
from boulanger.solver.catalogue.intervals import wilson_interval
from boulanger.solver.catalogue.summary import CellCounts
from boulanger.solver.cli.terminal import StatusLine
from tests.catalogues import Row, classified_rows, write_catalogue
from tests.command import check_bad_input, run
from tests.truth import unwinnable_deals

CELLS = (0, 1, 2, 4)


@pytest.fixture(scope="module")
def mixed() -> list[Row]:
    """Several sources, mixed within parts, and searches that met a limit."""
    # Such a row is rare: searches with fewer cells met a limit, one with more did not.
    lost = Row("ms", 180, None, dict.fromkeys(CELLS, "unwinnable"))
    lost.inferred = {n: n < 4 for n in CELLS}
    lost.nodes = {n: None if n < 4 else 50 for n in CELLS}
    return [
        *classified_rows("ms", range(1, 180), CELLS),
        lost,
        *classified_rows("bk1", range(860, 960), CELLS, max_nodes=60),
        *classified_rows("random@7", range(70), CELLS, max_nodes=10),
    ]


def summary_of(folder: Path) -> Any:
    answer = run("summary", str(folder), "--json")
    assert (answer.code, answer.err) == (0, "")
    return json.loads(answer.out)


_COUNTED = ("deals", "cells", "fewest", "words")


def counted(rows: list[Row], cells: tuple[int, ...]) -> dict[str, Any]:
    """What a summary should say of `rows`, by looking at each."""
    entries = []
    for n in cells:
        verdicts = Counter(row.verdicts[n] for row in rows)
        low, most = verdicts["winnable"], verdicts["winnable"] + verdicts["undecided"]
        lower, upper = wilson_interval(low, len(rows)), wilson_interval(most, len(rows))
        assert lower is not None and upper is not None
        entries.append(
            {
                "cells": n,
                "winnable": verdicts["winnable"],
                "unwinnable": verdicts["unwinnable"],
                "undecided": verdicts["undecided"],
                "inferred": sum(row.inferred[n] for row in rows),
                "rate": None if verdicts["undecided"] else low / len(rows),
                "rate_bounds": [low / len(rows), most / len(rows)],
                "interval": [lower[0], upper[1]],
            }
        )
    fewest: Counter[int | str] = Counter()
    for row in rows:
        in_order = [row.verdicts[n] for n in cells]
        known = in_order.index("winnable") if "winnable" in in_order else len(cells)
        if "undecided" in in_order[:known]:
            fewest["unknown"] += 1
        else:
            fewest["none" if known == len(cells) else cells[known]] += 1
    return {
        "deals": len(rows),
        "cells": entries,
        "fewest": {
            "cells": [{"cells": n, "deals": fewest[n]} for n in cells],
            "none": fewest["none"],
            "unknown": fewest["unknown"],
        },
        "words": [],
    }


def test_the_samples_hold_all_that_is_to_be_counted(mixed: list[Row]) -> None:
    whole = counted(mixed, CELLS)
    assert whole["fewest"]["none"] and whole["fewest"]["unknown"]
    assert sum(entry["undecided"] for entry in whole["cells"]) > 50
    assert sum(entry["inferred"] for entry in whole["cells"]) > 5
    assert any(row.inferred[1] and row.verdicts[1] == "unwinnable" for row in mixed)


@pytest.mark.parametrize("chunk_size", [1000, 64, 1])
def test_counts_are_those_of_looking_at_each_row(
    tmp_path: Path, mixed: list[Row], chunk_size: int
) -> None:
    write_catalogue(tmp_path, mixed, CELLS, chunk_size)
    answer = summary_of(tmp_path)
    assert list(answer) == [
        "catalogue", "manifest", "notes", "finished", "parts", *_COUNTED, "sources",
    ]  # fmt: skip
    assert {key: answer[key] for key in _COUNTED} == counted(mixed, CELLS)
    sources = ["ms", "bk1", "random@7"]
    assert [entry["source"] for entry in answer["sources"]] == sources
    for entry in answer["sources"]:
        name = entry.pop("source")
        rows = [row for row in mixed if row.source == name]
        assert entry == counted(rows, CELLS)
    assert answer["catalogue"] == str(tmp_path)
    assert answer["finished"] is True
    assert answer["parts"] == answer["manifest"]["num_chunks"]
    assert answer["manifest"]["cells"] == list(CELLS)


def test_counts_are_those_of_the_truth_lists(tmp_path: Path) -> None:
    rows = classified_rows("ms", range(1, 301), (1, 2, 4))
    write_catalogue(tmp_path, rows, (1, 2, 4), 128)
    for entry in summary_of(tmp_path)["cells"]:
        lost = [n for n in unwinnable_deals(entry["cells"]) if n <= 300]
        assert (entry["unwinnable"], entry["winnable"]) == (len(lost), 300 - len(lost))
        assert entry["undecided"] == 0


def test_an_unfinished_run_says_so(tmp_path: Path, mixed: list[Row]) -> None:
    written = write_catalogue(
        tmp_path, mixed, CELLS, 50, [1, 4, 6], {"num_rejected": 12, "max_nodes": 6000}
    )
    answer = summary_of(tmp_path)
    assert (answer["finished"], answer["parts"]) == (False, 4)
    assert {key: answer[key] for key in _COUNTED} == counted(written, CELLS)
    assert answer["notes"] == [
        "the run is unfinished: 4 of 7 parts; counts are of these",
        "12 lines were no deal and left out: see the file *.rejected.txt beside the catalogue",
        "searches were given 6,000 nodes at most",
    ]
    text = run("summary", str(tmp_path)).out
    for note in answer["notes"]:
        assert f"\nNote: {note}.\n" in text


def test_nothing_done_yet(tmp_path: Path, mixed: list[Row]) -> None:
    write_catalogue(tmp_path, mixed, CELLS, 200, [0, 1])
    answer = summary_of(tmp_path)
    assert answer["deals"] == 0
    assert answer["sources"] == []
    for entry in answer["cells"]:
        assert entry["rate"] is entry["rate_bounds"] is entry["interval"] is None
    text = run("summary", str(tmp_path)).out
    assert text.startswith("0 deals: a test\nNote: the run is unfinished: 0 of 2 parts")


def table_rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if re.match(r" +[0-9] ", line)]


def test_text(tmp_path: Path) -> None:
    rows = classified_rows("ms", range(1, 201), (1, 2, 4))
    write_catalogue(tmp_path, rows, (1, 2, 4), manifest={"sources": ["ms:1..200"]})
    text = run("summary", str(tmp_path)).out
    truth = counted(rows, (1, 2, 4))
    assert text.startswith("200 deals: ms:1..200\n\ncells  winnable  unwinnable  undecided")
    by_cells = table_rows(text)
    for entry, row in zip(truth["cells"], by_cells, strict=False):
        numbers = [entry[key] for key in ("cells", "winnable", "unwinnable", "undecided")]
        assert row[:5] == [str(number) for number in [*numbers, entry["inferred"]]]
        low, high = entry["interval"]
        assert float(row[5]) == pytest.approx(100 * entry["rate"], abs=0.05)
        assert row[6:] == ["%", f"{100 * low:.1f}", "to", f"{100 * high:.1f}", "%"]
    assert len(by_cells) == 3 + 3
    for entry, row in zip(truth["fewest"]["cells"], by_cells[3:], strict=True):
        assert row[:2] == [str(entry["cells"]), str(entry["deals"])]
    assert re.search(rf"none of these +{truth['fewest']['none']} ", text)
    assert "not known" not in text
    assert "no loss" not in text


def test_text_with_undecided_deals_and_several_sources(tmp_path: Path, mixed: list[Row]) -> None:
    write_catalogue(tmp_path, mixed, CELLS)
    text = run("summary", str(tmp_path)).out
    whole = counted(mixed, CELLS)
    undecided = next(entry for entry in whole["cells"] if entry["undecided"])
    low, high = undecided["rate_bounds"]
    assert f"{100 * low:.1f} to {100 * high:.1f} %" in text
    assert "An undecided deal is no loss: the rate lies between its two bounds.\n" in text
    assert re.search(rf"not known +{whole['fewest']['unknown']} ", text)
    for name, number in (("ms", 180), ("bk1", 100), ("random@7", 70)):
        assert f"\n\n{name}: {number} deals\n" in text


@pytest.mark.parametrize(
    ("winnable", "of", "decimals"), [(0, 10_000_000, 6), (7_501_119, 10_000_000, 3), (1, 2, 1)]
)
def test_a_percentage_is_as_long_as_its_interval_is_narrow(
    winnable: int, of: int, decimals: int
) -> None:
    from boulanger.solver.answers.catalogue import _counts_row

    row = _counts_row(CellCounts(4, winnable, of - winnable, 0, 0))
    assert row[5] == f"{100 * winnable / of:.{decimals}f} %"


def test_bounds_with_undecided_deals() -> None:
    counts = CellCounts(4, 10, 70, 20, 0)
    assert counts.rate_bounds == (0.1, 0.3)
    low, high = wilson_interval(10, 100), wilson_interval(30, 100)
    assert low is not None and high is not None
    assert counts.interval == (low[0], high[1])


def test_ten_million_deals_are_counted_exactly() -> None:
    counter = summary_module._Counter((4,))
    chunk = np.zeros(1 << 20, np.uint8)
    for _ in range(10):
        counter.add([chunk], [chunk == 0], chunk.astype(np.int64))
    assert counter.tally().num_deals == counter.tally().cells[0].inferred == 10 << 20


# The plot.


def size_of_png(path: Path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert data[-8:-4] == b"IEND"
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def test_plot(tmp_path: Path, mixed: list[Row]) -> None:
    write_catalogue(tmp_path / "c", mixed, CELLS)
    answer = run("summary", str(tmp_path / "c"), "--plot", str(tmp_path / "rates.png"), "--json")
    assert (answer.code, answer.err) == (0, "")
    assert json.loads(answer.out)["deals"] == len(mixed)
    width, height = size_of_png(tmp_path / "rates.png")
    assert width > 600 and height > 400
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c", "rates.png"]


def test_what_the_plot_shows(mixed: list[Row], tmp_path: Path) -> None:
    from matplotlib.container import ErrorbarContainer
    from matplotlib.figure import Figure

    from boulanger.solver.catalogue.plot import _draw, _series
    from boulanger.solver.catalogue.reader import Catalogue
    from boulanger.solver.catalogue.summary import summarise, summary_columns

    write_catalogue(tmp_path, mixed, CELLS)
    parts = Catalogue(tmp_path).parts(summary_columns(CELLS))
    summary = summarise(parts, CELLS)
    axes = Figure().add_subplot()
    _draw(axes, _series(summary))
    names = ["ms: 180 deals", "bk1: 100 deals", "random@7: 70 deals"]
    lines = {line.get_label(): line for line in axes.lines}
    tallies = summary.by_source.values()
    for name, container, tally in zip(names, axes.containers, tallies, strict=True):
        assert isinstance(container, ErrorbarContainer)
        heights = np.asarray(lines[name].get_ydata(), float)
        ends = [segment[:, 1] for segment in container.lines[2][0].get_segments()]
        for height, (low, high), counts in zip(heights, ends, tally.cells, strict=True):
            assert counts.rate_bounds is not None and counts.interval is not None
            assert (low, high) == pytest.approx(tuple(100 * end for end in counts.interval))
            rate = math.nan if counts.undecided else 100 * counts.rate_bounds[0]
            assert height == pytest.approx(rate, nan_ok=True)


def test_a_plot_of_nothing(tmp_path: Path, mixed: list[Row]) -> None:
    write_catalogue(tmp_path / "c", mixed, CELLS, 1000, [0])
    answer = run("summary", str(tmp_path / "c"), "--plot", str(tmp_path / "rates.png"))
    check_bad_input(answer, "there is nothing to plot")
    assert not (tmp_path / "rates.png").exists()


def test_plots_that_cannot_be_written(tmp_path: Path, mixed: list[Row]) -> None:
    write_catalogue(tmp_path, mixed, CELLS)
    name = str(tmp_path / "no-such-folder" / "rates.png")
    check_bad_input(run("summary", str(tmp_path), "--plot", name), "rates.png' cannot be written")
    (tmp_path / "folder.png").mkdir()
    name = str(tmp_path / "folder.png")
    check_bad_input(run("summary", str(tmp_path), "--plot", name), "folder.png' cannot be written")
    for name in ("rates", "rates.jpg", "", "png"):
        answer = run("summary", str(tmp_path), "--plot", name)
        check_bad_input(answer, f"{name!r} is no name for a plot; one that ends in .png expected")
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["_manifest.parquet", "folder.png", "parts"]


def test_without_matplotlib(
    tmp_path: Path, mixed: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_catalogue(tmp_path, mixed, CELLS)
    monkeypatch.setattr("boulanger.solver.catalogue.plot.find_spec", lambda name: None)
    answer = run("summary", str(tmp_path), "--plot", str(tmp_path / "rates.png"))
    check_bad_input(answer, "--plot needs matplotlib, which is not installed; `pip install")
    assert run("summary", str(tmp_path)).code == 0
    assert importlib.util.find_spec("matplotlib") is not None


def test_progress_on_a_terminal(
    tmp_path: Path, mixed: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_catalogue(tmp_path, mixed, CELLS, 100)
    monkeypatch.setattr(StatusLine, "_is_terminal", staticmethod(lambda: True))
    assert run("summary", str(tmp_path)).err == ""
    monkeypatch.setattr("boulanger.solver.cli.catalogue_queries._SILENT_SECONDS", 0.0)
    shown = run("summary", str(tmp_path)).err
    assert "\r100 of 350 deals read\r200 of 350 deals read" in shown
    assert shown.endswith("\r")
