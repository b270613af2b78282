"""`python -m benchmarks.studies.figures`: the plots of `docs/results.md`, from `results/`.

Writes `docs/plots/NAME.svg` for each plot whose files are there, or PNG files with `--format png`.
Nothing is computed here but what a plot needs; the figures are in the files.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

_BLUE, _ORANGE, _GREEN, _RED = "#2b6ca3", "#c8661a", "#3d8b5f", "#b03a48"
_GREY, _PALE = "#666666", "#e3e3e3"
_OF_CELLS: Final = {1: _RED, 2: _ORANGE, 3: _GREEN, 4: _BLUE, 5: "#7a5aa6", 6: "#444444"}
_STYLE: Final[dict[Any, Any]] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "grid.color": _PALE,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.hashsalt": "boulanger",  # the same bytes each time
    "svg.fonttype": "path",
}

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot.

    Attributes:
        name: of its file.
        sources: the files in `results/`, without `.json`, that it is drawn from.
        size: inches.
        draw: draws it on a figure, from the documents of its sources.
    """

    name: str
    sources: tuple[str, ...]
    size: tuple[float, float]
    draw: Callable[..., None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies.figures")
    parser.add_argument("--results", type=Path, default=Path("results"), help="(%(default)s)")
    parser.add_argument("--folder", type=Path, default=Path("docs/plots"), help="(%(default)s)")
    parser.add_argument("--format", choices=("svg", "png"), default="svg", help="(%(default)s)")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    for plot in PLOTS:
        paths = [options.results / f"{source}.json" for source in plot.sources]
        missing = [str(path) for path in paths if not path.exists()]
        if missing:
            print(f"{plot.name}: left out, for want of {', '.join(missing)}", file=sys.stderr)
            continue
        documents = [json.loads(path.read_text("utf-8")) for path in paths]
        save(plot, documents, options.folder / f"{plot.name}.{options.format}")
    return 0


def save(plot: Plot, documents: Sequence[Document], path: Path) -> None:
    """Draws a plot into a file."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=plot.size, dpi=150, layout="constrained")
        plot.draw(figure, *documents)
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, metadata=metadata)


def _draw_rates(figure: Any, catalogues: Document, published: Document) -> None:
    """Rates by cells on a scale of log odds, and published ones as distances from ours."""
    left, right = figure.subplots(1, 2, width_ratios=(1.25, 1))
    counts = catalogues["catalogues"]["random"]["cells"]
    inner = [entry for entry in counts if 0 < entry["winnable"] < entry["winnable"] + _lost(entry)]
    cells = [entry["cells"] for entry in inner]
    rates = [100 * entry["rate"] for entry in inner]
    left.plot(cells, rates, "o-", color=_BLUE, markersize=5, linewidth=1.2)
    lows, highs = zip(*([100 * end for end in entry["interval"]] for entry in inner), strict=True)
    left.vlines(cells, lows, highs, color=_BLUE, linewidth=3, alpha=0.4)
    for x, rate in zip(cells, rates, strict=True):
        beside = (8, -10) if x < 6 else (-8, -12)
        left.annotate(
            f"{rate:.3g} %" if rate < 1 else f"{rate:.3f} %", (x, rate), xytext=beside,
            textcoords="offset points", fontsize=8, ha="left" if x < 6 else "right",
        )  # fmt: skip
    _logit_percent(left)
    full = [entry["cells"] for entry in counts if not _lost(entry)]
    left.set(
        xlabel="cells", ylabel="deals that can be won, % (scale of log odds)",
        title=f"10,000,000 random deals; with {full[0]} cells all are won",
        xlim=(-0.4, 6.9),
    )  # fmt: skip
    _draw_distances(right, published["samples"])


def _logit_percent(axes: Any) -> None:
    """A scale of log odds, from percents."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

    axes.set_yscale(
        "function",
        functions=(
            lambda percent: np.log(_inside(percent) / (100 - _inside(percent))),
            lambda odds: 100 / (1 + np.exp(-np.asarray(odds, np.float64))),
        ),
    )
    ticks = (0.001, 0.01, 0.1, 1, 10, 50, 90, 99, 99.9, 99.99)
    axes.yaxis.set_major_locator(FixedLocator(ticks))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_ylim(0.0004, 99.996)


def _inside(percent: Any) -> Any:
    return np.clip(np.asarray(percent, np.float64), 1e-6, 100 - 1e-6)


def _lost(entry: Document) -> int:
    return int(entry["unwinnable"] + entry["undecided"])


def _draw_distances(axes: Any, samples: Sequence[Document]) -> None:
    """How far published rates are from ours, in standard errors of the difference."""
    rows = [entry for entry in reversed(samples) if _has_losses(entry)]
    axes.axvspan(-1.96, 1.96, color=_PALE, linewidth=0)
    axes.axvline(0, color=_GREY, linewidth=0.8)
    for y, entry in enumerate(rows):
        is_equal = entry.get("equal", False)
        colour = _BLUE if "Bryan" in entry["who"] else (_GREEN if is_equal else _ORANGE)
        if len(entry["counts"]) > 1:
            each = entry["z_of_each"]
            axes.plot(each, [y] * len(each), "o", markersize=3.5, color=colour, alpha=0.35)
        axes.plot(entry.get("z", 0.0), y, "D" if is_equal else "o", color=colour, markersize=5.5)
        if is_equal:
            axes.annotate("equal", (0, y), xytext=(8, -3), textcoords="offset points", fontsize=8)
    axes.set_yticks(range(len(rows)), [_sample_label(entry) for entry in rows], fontsize=8)
    axes.set(
        xlabel="published less ours, in standard errors",
        title="Published rates (grey: within 95 %)", xlim=(-3.2, 3.2),
    )  # fmt: skip
    axes.grid(axis="y", visible=False)


def _has_losses(entry: Document) -> bool:
    return bool(entry["ours"]["winnable"] < entry["ours"]["deals"])


def _sample_label(entry: Document) -> str:
    num_samples = len(entry["counts"])
    note = f", {num_samples} samples" if num_samples > 1 else ""
    if entry["deals"] == "the same":
        note = ", same deals"
    return f"{_cells(entry['cells'])}: {entry['who']}{note}"


def _draw_lengths(figure: Any, lengths: Document) -> None:
    """The distribution of shortest lengths, for each number of cells."""
    entries = [entry for entry in reversed(lengths["cells"]) if entry["winnable"]]
    all_axes = np.atleast_1d(figure.subplots(len(entries), 1, sharex=True))
    for axes, entry in zip(all_axes, entries, strict=True):
        for measure, colour in (("actions", _ORANGE), ("plies", _BLUE)):
            spread = entry[measure]
            label = "actions" if measure == "actions" else "single-card moves"
            _draw_histogram(
                axes, spread["deals_by_value"], colour, f"{label}, mean {spread['mean']:.1f}"
            )
        axes.set_title(f"{_cells(entry['cells'])}: {entry['winnable']:,} winnable deals")
        axes.legend(loc="upper right")
        axes.set_ylim(bottom=0)
        axes.yaxis.get_major_locator().set_params(integer=True)
        axes.grid(axis="x", visible=False)
    all_axes[len(all_axes) // 2].set_ylabel("deals of each length")
    all_axes[-1].set_xlabel("length of the shortest solution")


def _cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def _draw_histogram(axes: Any, counts: Mapping[str, int], colour: str, label: str) -> None:
    values = {int(value): count for value, count in counts.items()}
    edges = np.arange(min(values), max(values) + 2)
    heights = [values.get(int(value), 0) for value in edges[:-1]]
    axes.stairs(heights, edges - 0.5, color=colour, fill=True, alpha=0.25)
    axes.stairs(heights, edges - 0.5, color=colour, linewidth=1.1, label=label)


def _draw_measures(figure: Any, lengths: Document) -> None:
    """How much the two measures differ: the share of deals with at most so much."""
    axes = figure.subplots()
    for entry in reversed(lengths["cells"]):
        if not entry["winnable"]:
            continue
        spread = entry["plies_less_actions"]
        values = {int(value): count for value, count in spread["deals_by_value"].items()}
        edges = np.arange(0, max(values) + 2)
        shares = np.cumsum([100 * values.get(int(x), 0) / entry["winnable"] for x in edges[:-1]])
        label = f"{_cells(entry['cells'])}: mean {spread['mean']:.1f}, most {spread['most']}"
        axes.stairs(
            shares,
            edges,
            baseline=None,
            linewidth=1.3,
            color=_OF_CELLS[entry["cells"]],
            label=label,
        )
    axes.legend(loc="lower right")
    axes.set(
        xlabel="shortest in single-card moves less shortest in actions: at most so many",
        ylabel="deals, %", title="How much the two measures differ", ylim=(0, 102), xlim=(0, None),
    )  # fmt: skip


def _draw_smallest(figure: Any, smallest: Document) -> None:
    """How many deals need how many cells."""
    axes = figure.subplots()
    entries = [entry for entry in smallest["by_cells"] if entry["need_that_many"]]
    cells = [entry["cells"] for entry in entries]
    counts = [entry["need_that_many"] for entry in entries]
    axes.plot(cells, counts, "o-", color=_BLUE, linewidth=1, markersize=5)
    for x, count in zip(cells, counts, strict=True):
        is_rising = x <= cells[int(np.argmax(counts))]
        axes.annotate(
            f"{count:,}", (x, count), xytext=(-6 if is_rising else 6, 4),
            textcoords="offset points", ha="right" if is_rising else "left",
        )  # fmt: skip
    axes.set_xlim(cells[0] - 0.5, cells[-1] + 0.6)
    axes.set_yscale("log")
    axes.set_ylim(2, 2e6)
    axes.set(
        xlabel="smallest number of cells that wins", ylabel="deals (logarithmic)",
        title=f"Microsoft deals 1 to {sum(counts):,}: how many cells they need",
    )  # fmt: skip
    axes.grid(axis="x", visible=False)


def _draw_weights(figure: Any, odds: Document) -> None:
    """The weights of the regression, beside those of each number of cells by itself."""
    axes = figure.subplots()
    order = sorted(odds["weights"], key=lambda entry: entry["per_deviation"])[::-1]
    names = [entry["name"] for entry in order]
    about = {entry["name"]: entry for entry in odds["features"]}
    apart = odds["each_for_itself"]
    for i, single in enumerate(apart):
        shift = 0.34 * (i - (len(apart) - 1) / 2) / max(1, len(apart) - 1) * 2
        weights = {entry["name"]: entry for entry in single["weights"]}
        _draw_weight_row(
            axes, [weights[name] for name in names], shift, _OF_CELLS[single["cells"]], 3.5,
            f"{_cells(single['cells'])} alone",
        )  # fmt: skip
    _draw_weight_row(axes, order, 0, "black", 6, "all together", "D")
    axes.axvline(0, color=_GREY, linewidth=0.8)
    axes.set_yticks(
        range(len(names)),
        [f"{about[n]['about']}\n({about[n]['mean']:.3g} ± {about[n]['standard_deviation']:.3g})" for n in names],  # noqa: E501
    )  # fmt: skip
    axes.invert_yaxis()
    axes.legend(loc="upper left")
    axes.set(
        xlabel="change of the log odds of a win for one standard deviation more, 95 % intervals",
        title="What of a deal speaks for a win (right) and against it (left)",
    )
    axes.grid(axis="y", visible=False)


def _draw_weight_row(
    axes: Any,
    entries: Sequence[Document],
    shift: float,
    colour: str,
    size: float,
    label: str,
    marker: str = "o",
) -> None:
    middles = np.array([entry["per_deviation"] for entry in entries])
    ends = np.array([entry["interval"] for entry in entries])
    axes.errorbar(
        middles, np.arange(len(entries)) + shift, xerr=[middles - ends[:, 0], ends[:, 1] - middles],
        fmt=marker, color=colour, markersize=size, capsize=1.5, linewidth=1, label=label,
        zorder=3 if colour == "black" else 2,
    )  # fmt: skip


def _draw_calibration(figure: Any, odds: Document) -> None:
    """Expected against seen, on deals that were not fitted; a panel for each number of cells."""
    entries = odds["held_out"]["all"]
    columns = 3
    grid = figure.subplots(-(-len(entries) // columns), columns, squeeze=False)
    for axes, entry in zip(grid.flat, entries, strict=False):
        bins = entry["calibration"]
        expected = np.array([100 * one["expected"] for one in bins])
        seen = np.array([100 * one["winnable"] / one["deals"] for one in bins])
        ends = 100 * np.array([one["interval"] for one in bins])
        most, least = float(ends.max()), float(min(expected.min(), ends.min()))
        room = 0.05 * (most - least)
        limits = (least - room, most + room)
        axes.plot(limits, limits, color=_GREY, linewidth=0.8)
        axes.errorbar(
            expected, seen, yerr=[seen - ends[:, 0], ends[:, 1] - seen], fmt="o", markersize=3.5,
            color=_OF_CELLS[entry["cells"]], capsize=1.5, linewidth=1,
        )  # fmt: skip
        axes.set(
            xlim=limits, ylim=limits, title=f"{_cells(entry['cells'])}: AUC {entry['auc']:.3f}"
        )
    for axes in list(grid.flat)[len(entries) :]:
        axes.axis("off")
    figure.supxlabel("expected to be won, %", fontsize=9)
    figure.supylabel("won, %", fontsize=9)


PLOTS: Final = (
    Plot("win-rates", ("catalogues", "published"), (9.5, 4.6), _draw_rates),
    Plot("smallest-cells", ("smallest_cells",), (6.5, 3.6), _draw_smallest),
    Plot("shortest-lengths", ("shortest_lengths",), (7.5, 6.5), _draw_lengths),
    Plot("measures", ("shortest_lengths",), (7.0, 3.8), _draw_measures),
    Plot("odds-weights", ("winning_odds",), (7.5, 5.4), _draw_weights),
    Plot("odds-calibration", ("winning_odds",), (7.5, 5.2), _draw_calibration),
)


if __name__ == "__main__":
    sys.exit(main())
