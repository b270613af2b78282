"""The plot of a summary: how many deals can be won, by number of cells."""

from __future__ import annotations

import math
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from boulanger.engine.errors import BoulangerError
from boulanger.engine.words import quoted
from boulanger.solver.catalogue.summary import CellCounts, Summary, Tally
from boulanger.solver.files import whole_file

_SIZE: Final = (7.0, 4.5)  # inches
_DPI: Final = 150
_MOST_SERIES: Final = 6  # more could not be told apart; then all deals are one series
_SHIFT: Final = 0.08  # in cells, between series, so that their intervals do not overlap
_GREY: Final = "#666666"


def check_plot(name: str) -> Path:
    """The path of a plot, if one can be drawn and that is a name for it.

    Raises:
        BoulangerError: if matplotlib is missing, or the name is not that of a PNG file.
    """
    if not name.lower().endswith(".png"):
        raise BoulangerError(
            f"{quoted(name)} is no name for a plot; one that ends in .png expected"
        )
    if find_spec("matplotlib") is None:
        raise BoulangerError(
            "--plot needs matplotlib, which is not installed; `pip install matplotlib` installs it"
        )
    return Path(name)


def save_plot(summary: Summary, path: Path, note: str | None = None) -> None:
    """Draws the rates with their intervals, a series for each source, and writes a PNG file.

    Where deals are undecided, a pale bar goes from the lower to the upper bound of the rate.

    Args:
        summary: with at least one deal.
        path: of the file; one that is there is replaced, when the new one is complete.
        note: what should stand below, such as that the run is unfinished.

    Raises:
        BoulangerError: if there is nothing to draw, or the file cannot be written.
    """
    if not summary.whole.num_deals:
        raise BoulangerError("there is nothing to plot: no deal was classified yet")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # No pyplot: that would look for a screen, and keep the figure.
    figure = Figure(figsize=_SIZE, dpi=_DPI, layout="constrained")
    _draw(figure.add_subplot(), _series(summary))
    lines = ["Bars: 95 % Wilson intervals; where none is seen, it is smaller than the dot."]
    if any(counts.undecided for counts in summary.whole.cells):
        lines.append("Pale bars, without a dot: from all undecided deals lost to all won.")
    if note is not None:
        lines.append(f"{note[:1].upper()}{note[1:]}.")
    figure.supxlabel("\n".join(lines), fontsize=7, color=_GREY)

    try:
        with whole_file(path) as file:
            FigureCanvasAgg(figure).print_figure(file, format="png")
    except OSError as error:
        raise BoulangerError(
            f"{str(path)!r} cannot be written: {error.strerror or error}"
        ) from None


def _series(summary: Summary) -> dict[str, Tally]:
    if 1 <= len(summary.by_source) <= _MOST_SERIES:
        return summary.by_source
    return {"all sources": summary.whole}


def _draw(axes: Any, series: dict[str, Tally]) -> None:
    for i, (name, tally) in enumerate(series.items()):
        shift = (i - (len(series) - 1) / 2) * _SHIFT
        known = [counts for counts in tally.cells if counts.num_deals]
        label = f"{name}: {tally.num_deals:,} deals"
        _draw_series(axes, known, shift, f"C{i}", label)
        if len(series) == 1:
            _write_rates(axes, known)
    ticks = sorted({counts.num_cells for tally in series.values() for counts in tally.cells})
    axes.set_xticks(ticks)
    axes.set_xlim(ticks[0] - 0.8, ticks[-1] + 0.5)  # room for the first label
    axes.set_ylim(-4, 108)
    axes.set_yticks(range(0, 101, 20))
    axes.set_xlabel("cells")
    axes.set_ylabel("deals that can be won, %")
    axes.set_title("Baker's Game: how many deals can be won", fontsize=11)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8, loc="upper left")


def _draw_series(
    axes: Any, counts: list[CellCounts], shift: float, colour: str, label: str
) -> None:
    """A dot for each rate that is known, a pale bar for one with undecided deals; intervals."""
    places = [entry.num_cells + shift for entry in counts]
    bounds = [_percent(entry.rate_bounds) for entry in counts]
    intervals = [_percent(entry.interval) for entry in counts]
    lows, highs = [low for low, _ in bounds], [high for _, high in bounds]
    bars = [
        [middle - low for middle, (low, _) in zip(lows, intervals, strict=True)],
        [high - middle for middle, (_, high) in zip(lows, intervals, strict=True)],
    ]
    axes.vlines(places, lows, highs, color=colour, alpha=0.3, linewidth=7)
    axes.errorbar(places, lows, yerr=bars, fmt="none", ecolor=colour, elinewidth=1.2, capsize=3)
    # A gap in the line, and no dot, where the rate is not known.
    dots = [math.nan if entry.undecided else low for entry, low in zip(counts, lows, strict=True)]
    axes.plot(places, dots, "o-", color=colour, markersize=4, linewidth=0.8, label=label)


def _write_rates(axes: Any, counts: list[CellCounts]) -> None:
    """The figures beside the dots; above and to the left, since rates rise with the cells."""
    for entry in counts:
        low, high = _percent(entry.rate_bounds)
        top = _percent(entry.interval)[1]
        text = f"{low:.4g} to {high:.4g}" if entry.undecided else f"{low:.4g}"
        axes.annotate(
            text, (entry.num_cells, top), xytext=(-5, 4), textcoords="offset points",
            ha="right", fontsize=8, color=_GREY,
        )  # fmt: skip


def _percent(bounds: tuple[float, float] | None) -> tuple[float, float]:
    assert bounds is not None  # only entries with deals are drawn
    return 100 * bounds[0], 100 * bounds[1]
