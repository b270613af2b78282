"""The studies behind `docs/results.md`, on a few deals, held against what others found."""

from __future__ import annotations

import csv
import doctest
import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from benchmarks.decks import Workload
from benchmarks.studies import (
    brain_jam,
    fiendish,
    figures,
    proofs,
    published,
    shortest_lengths,
    smallest_cells,
    tables,
    winning_odds,
)
from boulanger.engine.boards.text import parse_board
from boulanger.engine.deals.dealers import MS
from boulanger.engine.position import Position
from boulanger.solver.catalogue.api import classify_into
from boulanger.solver.result import Measure
from tests import oracle
from tests.truth import shortest_lengths as true_lengths
from tests.truth import unwinnable_deals

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"
NUM_DEALS = 200


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`all`, with 0 to 8 cells, and `four`, with 4, of Microsoft's first deals; `half` of one."""
    folder = tmp_path_factory.mktemp("catalogues")
    deals = f"ms:1..{NUM_DEALS}"
    classify_into(folder / "all", deals, range(9), num_workers=1)
    classify_into(folder / "four", deals, [4], num_workers=1)
    classify_into(folder / "one", deals, [0], num_workers=1)
    return folder


def test_smallest_cells_are_those_of_an_exhaustive_search(catalogues: Path, tmp_path: Path) -> None:
    options = ["--smallest", "all", "--hardest", "four", "--none", "one"]
    paths = [text if text.startswith("-") else str(catalogues / text) for text in options]
    assert smallest_cells.main([*paths, "--folder", str(tmp_path)]) == 0
    smallest = winning_odds.read_smallest(tmp_path / "smallest_cells.parquet")
    assert smallest.dtype == np.uint8 and len(smallest) == NUM_DEALS
    document = read(tmp_path / "smallest_cells.json")
    for num_cells in range(7):
        lost = {deal for deal in unwinnable_deals(num_cells) if deal <= NUM_DEALS}
        assert set((np.flatnonzero(smallest > num_cells) + 1).tolist()) == lost
        entry = document["by_cells"][num_cells]
        assert (entry["winnable"], entry["unwinnable"]) == (NUM_DEALS - len(lost), len(lost))
    assert sum(entry["need_that_many"] for entry in document["by_cells"]) == NUM_DEALS
    none = document["won_with_no_cell"]
    assert (none["winnable"], none["unwinnable"], none["numbers"]) == (0, NUM_DEALS, [])
    (hardest,) = document["hardest"]
    assert hardest["unwinnable"]["deals"] == len([d for d in unwinnable_deals(4) if d <= NUM_DEALS])
    nodes = [entry["nodes"] for entry in hardest["winnable"]["most_nodes"]]
    assert nodes == sorted(nodes, reverse=True) and len(nodes) == 10


def test_a_deal_that_needs_many_cells_is_listed() -> None:
    counts = smallest_cells.counts_of(np.array([4, 7, 0, 8, 7], np.uint8), range(9))
    assert counts["deals_that_need"] == {"7": [2, 5], "8": [4]}
    assert counts["won_with_no_cell"]["numbers"] == [3]
    assert [entry["winnable"] for entry in counts["by_cells"]] == [1, 1, 1, 1, 2, 2, 2, 4, 5]


def test_half_a_catalogue_is_no_record(catalogues: Path, tmp_path: Path) -> None:
    part = next((catalogues / "all" / "parts").iterdir())
    copy = tmp_path / "half"
    (copy / "parts").mkdir(parents=True)
    (copy / "_manifest.parquet").write_bytes((catalogues / "all/_manifest.parquet").read_bytes())
    with pytest.raises(ValueError, match="unfinished"):
        smallest_cells.main(["--smallest", str(copy), "--folder", str(tmp_path / "out")])
    assert part.exists() and not (tmp_path / "out").exists()


def test_nodes_of_inferred_verdicts_are_no_record(catalogues: Path) -> None:
    with pytest.raises(ValueError, match="one number expected"):
        smallest_cells.hardest(smallest_cells.finished(catalogues / "all"))


def test_the_million_agrees_with_the_exhaustive_lists() -> None:
    smallest = winning_odds.read_smallest(RESULTS / "smallest_cells.parquet")
    assert len(smallest) == 1_000_000
    for num_cells in range(7):
        assert frozenset((np.flatnonzero(smallest[:10_000] > num_cells) + 1).tolist()) == (
            unwinnable_deals(num_cells)
        )
    document = read(RESULTS / "smallest_cells.json")
    counts = Counter(smallest.tolist())
    for entry in document["by_cells"]:
        assert entry["need_that_many"] == counts[entry["cells"]]
    assert document["deals_that_need"]["7"] == (np.flatnonzero(smallest == 7) + 1).tolist()


def test_shortest_lengths_are_those_of_an_exhaustive_search(tmp_path: Path) -> None:
    options = ["--last", "40", "--work", str(tmp_path / "work"), "--folder", str(tmp_path)]
    assert shortest_lengths.main(options) == 0
    rows = pq.read_table(tmp_path / "shortest_lengths.parquet").to_pylist()
    for num_cells in (2, 4):
        ours = {row["deal"]: row["plies"] for row in rows if row["cells"] == num_cells}
        assert ours == {deal: n for deal, n in true_lengths(num_cells).items() if deal <= 40}
    assert all(row["actions"] <= row["plies"] and row["nodes_plies"] > 0 for row in rows)
    document = read(tmp_path / "shortest_lengths.json")
    one, two, four = document["cells"]
    assert (one["winnable"], two["winnable"]) == (0, len(rows) - four["winnable"])
    for entry, measure in ((two, "plies"), (four, "actions")):
        values = {int(k): n for k, n in entry[measure]["deals_by_value"].items()}
        assert sum(values.values()) == entry["winnable"]
        for end in ("shortest", "longest"):
            assert {found["length"] for found in entry[measure][end]} == {
                (min if end == "shortest" else max)(values)
            }


def test_a_stopped_run_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = list(shortest_lengths.measure_all(2, 40, tmp_path))
    path = tmp_path / "c2.csv"
    text = path.read_text("ascii")
    path.write_text(text[:-3], "ascii")
    asked = []
    measure = shortest_lengths.measure
    monkeypatch.setattr(
        shortest_lengths, "measure", lambda *deal: (asked.append(deal), measure(*deal))[1]
    )
    assert list(shortest_lengths.measure_all(2, 40, tmp_path)) == whole
    assert asked == [(whole[-1][0], 2)] and path.read_text("ascii") == text


def test_stopped_proofs_go_on_where_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that was cut off is measured again, and the next one is not written behind it."""
    monkeypatch.setattr(proofs, "_WORKLOADS", (Workload(1, 1, 12),))
    arguments = ["--work", str(tmp_path), "--output", str(tmp_path / "p.json"), "--workers", "1"]
    assert proofs.main(arguments) == 0
    path = tmp_path / "1-1-12.jsonl"
    numbers = sorted(json.loads(line)["number"] for line in path.read_text().splitlines())
    path.write_text(path.read_text()[:-9])
    for _ in range(2):
        assert proofs.main(arguments) == 0
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        assert sorted(row["number"] for row in rows) == numbers
    assert read(tmp_path / "p.json")["workloads"][0]["lost"] == len(numbers)


def test_a_solution_that_does_not_win_is_refused() -> None:
    entry = shortest_lengths.solved(33, 2, Measure.PLIES)
    assert entry["length"] == 72 and len(entry["solution"].split()) <= 72
    found = shortest_lengths.find_shortest(Position.from_deal(MS.deal(33), 2)).solution
    assert found is not None
    short = type(found)(found.start, found.steps[:-1], found.score)
    with pytest.raises(RuntimeError, match="does not replay"):
        shortest_lengths.replayed(short)


# Its deal 0336, as the case file has it, and a length that is wrong.
BRAIN_JAM = "# a comment\n0336 {} 93\n"


def test_a_published_minimum_that_is_wrong_is_found() -> None:
    board = parse_board((ROOT / "tests/data/cases/brainjam-0336.txt").read_text("ascii")).position
    deal = [board.columns[m % 8][m // 8] for m in range(52)]
    letters = {brain_jam._card(letter): letter for letter in brain_jam._LETTERS}
    text = BRAIN_JAM.format("".join(letters[card] for card in deal))
    lines = list(brain_jam.read_lines(text.splitlines()))
    assert lines == [("0336", deal, 93)]
    compared = brain_jam.compare(lines)
    (difference,) = compared["differences"]
    assert (difference["proven"], compared["equal"]) == (92, 0)


def test_a_line_that_is_no_deal_of_brain_jam_is_quoted() -> None:
    with pytest.raises(ValueError, match=r"'0001 ABC 80' is no deal"):
        list(brain_jam.read_lines(["0001 ABC 80"]))


def plain_features(columns: list[list[tuple[int, int]]]) -> list[int]:
    """The regression's features again, card by card: (suit, rank), aces 1."""
    place = {card: (c, h) for c, column in enumerate(columns) for h, card in enumerate(column)}

    def on_top(card: tuple[int, int]) -> list[tuple[int, int]]:
        c, h = place[card]
        return columns[c][h + 1 :]

    on_ranks = [sum(len(on_top((suit, rank))) for suit in range(4)) for rank in (1, 2, 3)]
    over = {a: on_top(a) for a in place}
    buried = sum(b[0] == a[0] and b[1] > a[1] for a in place for b in over[a])
    crossed = 0
    for a in place:
        for c in place:
            if a[0] < c[0]:
                crossed += sum(b[0] == c[0] and b[1] > c[1] for b in over[a]) * sum(
                    d[0] == a[0] and d[1] > a[1] for d in over[c]
                )
    ready = sum(
        (suit, rank + 1) == below for column in columns for below, (suit, rank) in pairwise(column)
    )
    kings = sum(place[suit, 13][1] for suit in range(4))
    ends = [column[-1] for column in columns]
    moves = sum((suit, rank + 1) in ends for suit, rank in ends)
    return [*on_ranks, buried, crossed, ready, kings, moves]


def test_features_are_what_they_say() -> None:
    numbers = np.array([1, 2, 617, 11982])
    features = winning_odds.features_of(numbers)
    for row, number in zip(features, numbers.tolist(), strict=True):
        position = Position.from_deal(MS.deal(number), 4)
        columns = [[(card // 13, card % 13 + 1) for card in col] for col in position.columns]
        assert row.tolist() == plain_features(columns)


def test_the_regression_finds_the_weights_that_made_the_data() -> None:
    generator = np.random.default_rng(1)
    features = generator.standard_normal((40_000, 2))
    noise = generator.logistic(size=40_000)
    wanted = features @ np.array([0.8, -0.5]) + noise
    smallest = np.select([wanted > 1, wanted > -1], [1, 2], 3).astype(np.uint8)
    fitted = winning_odds.fit(features, smallest, [1, 2])
    errors = np.sqrt(np.diag(fitted.covariance))
    assert np.abs((fitted.weights - [0.8, -0.5]) / errors).max() < 3
    assert errors.min() > 0.008 and errors.max() < 0.02  # some 2 / sqrt(40,000) each
    assert fitted.constants == pytest.approx([-1, 1], abs=0.05)


def test_how_forecasts_are_judged() -> None:
    chances, won = np.array([0.2, 0.8, 0.5, 0.5]), np.array([False, True, True, False])
    assert winning_odds.area_under_curve(chances, won) == (1 + 1 + 1 + 0.5) / 4
    assert winning_odds.log_loss(chances, won) == pytest.approx(
        -(2 * np.log(0.8) + 2 * np.log(0.5)) / 4
    )
    # Hanley and McNeil's variance, by hand: (0.16 + 49 * 0.0266667 + 49 * 0.0711111) / 2500.
    low, high = winning_odds.area_interval(0.8, 50, 50)
    assert (high - low) / 2 == pytest.approx(1.96 * (4.951111 / 2500) ** 0.5, rel=1e-3)
    bins = winning_odds.calibration(np.linspace(0, 1, 40), np.arange(40) >= 20)
    assert [entry["winnable"] for entry in bins] == [0] * 10 + [2] * 10


def test_held_out_deals_are_not_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    smallest = winning_odds.read_smallest(RESULTS / "smallest_cells.parquet")[:4000].copy()
    features = winning_odds.features_of(np.arange(1, 4001))
    before = winning_odds.study(features, smallest)
    smallest[2000:] = np.roll(smallest[2000:], 7)
    after = winning_odds.study(features, smallest)
    assert after["weights"] == before["weights"] and after["held_out"] != before["held_out"]
    four = next(entry for entry in before["held_out"]["all"] if entry["cells"] == 4)
    assert four["log_loss"] < four["log_loss_of_rate"] and 0.68 < four["auc"] < 0.78


def test_the_most_fiendish_are_the_last_of_the_sample() -> None:
    for entry in fiendish.most_fiendish(RESULTS / "rating_reference.parquet"):
        assert entry["of"] == 5000
        assert [deal["score"] for deal in entry["deals"]] == sorted(
            (deal["score"] for deal in entry["deals"]), reverse=True
        )
        assert entry["deals"][0]["score"] > 99.9 and entry["deals"][-1]["score"] > 99.7


def test_plots_are_drawn_from_files_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results"
    results.mkdir()
    for source in ("catalogues", "published", "smallest_cells", "winning_odds"):
        name = f"{source}.json"
        (results / name).write_bytes((RESULTS / name).read_bytes())
    where = ["--results", str(results), "--folder", str(tmp_path / "plots")]
    for _ in range(2):
        assert figures.main(where) == 0
        drawn = {path.name: path.read_bytes() for path in (tmp_path / "plots").iterdir()}
    assert set(drawn) == {
        f"{name}.svg"
        for name in ("win-rates", "smallest-cells", "odds-weights", "odds-calibration")
    }
    assert "shortest-lengths: left out, for want of" in capsys.readouterr().err
    figures.main(where)
    assert drawn["win-rates.svg"] == (tmp_path / "plots" / "win-rates.svg").read_bytes()
    assert b"<dc:date>" not in drawn["win-rates.svg"]


def test_published_samples_are_pooled_and_compared() -> None:
    samples = [
        published.Sample("a", 4, 2500, 5000),
        published.Sample("a", 4, 2550, 5000),
        published.Sample("b", 4, 10, 20, True),
    ]
    first, same = published.compare(samples, {4: (5400, 10_000)}, {4: (11, 20)})
    # 0.505 and 0.54 of 10,000 each: pooled 0.5225, error sqrt(0.5225 * 0.4775 * 2 / 10000).
    assert first["published"]["deals"] == 10_000 and first["z"] == -4.95
    assert first["z_of_each"] == [-4.63, -3.47]
    assert same["equal"] is False
    assert published.compare(samples[2:], {}, {4: (10, 20)})[0]["equal"] is True


def test_undecided_deals_are_not_compared() -> None:
    with pytest.raises(ValueError, match="undecided"):
        published.counts_of([{"cells": 4, "winnable": 1, "unwinnable": 1, "undecided": 1}])


def test_the_page_has_the_figures_of_the_files() -> None:
    page = (ROOT / "docs" / "results.md").read_text("utf-8")
    assert tables.filled(page, RESULTS) == page
    for name, (source, _) in tables.TABLES.items():
        assert (f"<!-- {name} -->" in page) == (RESULTS / f"{source}.json").exists(), name
    changed = page.replace("7,504,319", "7,504,318")
    assert changed != page and tables.filled(changed, RESULTS) == page


def test_every_plot_of_the_page_is_drawn_by_the_command() -> None:
    page = (ROOT / "docs" / "results.md").read_text("utf-8")
    shown = set(re.findall(r"\(plots/([a-z-]+)\.svg\)", page))
    drawable = {
        plot.name
        for plot in figures.PLOTS
        if all((RESULTS / f"{source}.json").exists() for source in plot.sources)
    }
    assert shown == drawable


def test_percents() -> None:
    assert doctest.testmod(tables).failed == 0
    assert tables.interval([0.00017, 0.5]) == "0.017 to 50.000"


def test_all_lengths_agree_with_lists_made_otherwise() -> None:
    document = read(RESULTS / "shortest_lengths.json")
    last = int(document["deals"].removeprefix("ms 1.."))
    page = (ROOT / "docs" / "results.md").read_text("utf-8")
    assert page.count(f"Microsoft deals 1 to {last:,}") == 2
    table = pq.read_table(RESULTS / "shortest_lengths.parquet")
    columns = {name: table.column(name).to_numpy() for name in table.column_names}
    smallest = winning_odds.read_smallest(RESULTS / "smallest_cells.parquet")[:last]
    lengths: dict[int, dict[int, tuple[int, int]]] = {}
    for num_cells in (1, 2, 4):
        chosen = columns["cells"] == num_cells
        deals = columns["deal"][chosen].tolist()
        assert deals == (np.flatnonzero(smallest <= num_cells) + 1).tolist()
        both = (columns[measure][chosen].tolist() for measure in ("plies", "actions"))
        lengths[num_cells] = dict(zip(deals, zip(*both, strict=True), strict=True))
    for num_cells in (2, 4):
        for deal, plies in true_lengths(num_cells).items():
            assert lengths[num_cells][deal][0] == plies
    with (RESULTS / "shortest.csv").open() as file:
        for row in csv.DictReader(file):
            found = lengths[int(row["cells"])][int(row["deal"])]
            assert found == (int(row["plies"]), int(row["actions"]))
    for entry in document["cells"]:
        counts = Counter(plies for plies, _ in lengths[entry["cells"]].values())
        assert entry["plies"]["deals_by_value"] == {str(n): counts[n] for n in sorted(counts)}


def test_the_shortest_and_the_longest_win_by_other_rules() -> None:
    for entry in read(RESULTS / "shortest_lengths.json")["cells"]:
        for measure in ("plies", "actions"):
            found = entry[measure]["shortest"] + entry[measure]["longest"]
            for one in found:
                actions = one["solution"].split()
                end, _ = oracle.replay(oracle.ms_deal(one["deal"], entry["cells"]), actions)
                assert oracle.is_won(end)
                assert len(actions) <= one["length"]
                if measure == "actions":
                    assert len(actions) == one["length"]


def test_proofs_are_of_all_lost_deals_and_told_as_they_are() -> None:
    told = (ROOT / "docs" / "proofs.md").read_text("utf-8")
    total = 0
    for entry in read(RESULTS / "proofs.json")["workloads"]:
        if entry["last"] != 10_000:
            continue
        cells, size, seconds = entry["cells"], entry["bytes"], entry["seconds_to_check"]
        assert entry["proven_and_checked"] == len(unwinnable_deals(cells))
        total += entry["proven_and_checked"]
        row = (
            f"| {cells} | {entry['proven_and_checked']:,} | {entry['by_fronts_alone']:,} | "
            f"{size['median']:,.0f} | {size['max']:,.0f} | {seconds['median']:.2g} | "
            f"{seconds['max']:.2g} |"
        )
        assert row in told
    assert f"{total:,} cases" in told
