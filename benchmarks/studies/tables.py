"""`python -m benchmarks.studies.tables`: writes the tables of `docs/results.md` from `results/`.

A table stands on the page between `<!-- NAME -->` and `<!-- end of NAME -->`; what is there is
replaced. Tables whose file is missing stay as they are.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

_DECIMALS: Final = 3
_SOLUTION_WIDTH: Final = 96

Document = Mapping[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies.tables")
    parser.add_argument("--results", type=Path, default=Path("results"), help="(%(default)s)")
    parser.add_argument("--page", type=Path, default=Path("docs/results.md"), help="(%(default)s)")
    options = parser.parse_args(arguments)
    text = options.page.read_text("utf-8")
    options.page.write_text(filled(text, options.results), "utf-8")
    return 0


def filled(page: str, results: Path) -> str:
    """A page with its tables made anew.

    Raises:
        KeyError: if there is a place for a table that nothing makes.
    """

    def replaced(match: re.Match[str]) -> str:
        name = match["name"]
        source, make = TABLES[name]
        path = results / f"{source}.json"
        if not path.exists():
            return match[0]
        body = "\n".join(make(json.loads(path.read_text("utf-8"))))
        return f"<!-- {name} -->\n\n{body}\n\n<!-- end of {name} -->"

    place = r"<!-- (?P<name>[a-z-]+) -->.*?<!-- end of (?P=name) -->"
    return re.sub(place, replaced, page, flags=re.DOTALL)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(map(str, line)) + " |" for line in lines]


def percent(rate: float) -> str:
    """A rate in percent, near 0 and near 100 with two digits of the distance.

    >>> percent(0.7504319), percent(0.0000097), percent(0.99999961), percent(1.0), percent(0.0)
    ('75.043', '0.00097', '99.999961', '100', '0')
    """
    rest = 100 * min(rate, 1 - rate)
    if rest == 0:
        return f"{100 * rate:g}"
    decimals = max(_DECIMALS, 1 - math.floor(math.log10(rest))) if rest < 0.1 else _DECIMALS
    return f"{100 * rate:.{decimals}f}"


def interval(ends: Sequence[float]) -> str:
    """Two rates, low and high."""
    return " to ".join(map(percent, ends))


def _rates(document: Document) -> list[str]:
    random = document["catalogues"]["random"]["cells"]
    rows = (
        (
            entry["cells"],
            f"{entry['winnable']:,}",
            f"{entry['unwinnable']:,}",
            entry["undecided"],
            percent(entry["rate"]),
            interval(entry["interval"]),
        )
        for entry in random
    )
    return _table(("cells", "winnable", "unwinnable", "undecided", "%", "95 % interval, %"), rows)


def _samples(document: Document) -> list[str]:
    rows = (
        (
            entry["cells"],
            entry["who"],
            "; ".join(f"{count:,}" for count in entry["counts"]),
            f"{entry['published']['deals'] // len(entry['counts']):,}",
            percent(entry["published"]["winnable"] / entry["published"]["deals"]),
            percent(entry["ours"]["winnable"] / entry["ours"]["deals"]),
            ("equal" if entry["equal"] else "not equal") if "equal" in entry else entry["z"],
        )
        for entry in document["samples"]
    )
    head = ("cells", "who", "won", "of, each", "%", "ours, %", "difference")
    return _table(head, rows)


def _smallest(document: Document) -> list[str]:
    rows = (
        (
            entry["cells"],
            f"{entry['need_that_many']:,}",
            f"{entry['winnable']:,}",
            percent(entry["rate"]),
            interval(entry["interval"]),
        )
        for entry in document["by_cells"]
    )
    return _table(("cells", "need so many", "won with so many", "%", "95 % interval, %"), rows)


def _need_seven(document: Document) -> list[str]:
    return [", ".join(map(str, document["deals_that_need"]["7"])) + "."]


def _no_cell(document: Document) -> list[str]:
    return [", ".join(map(str, document["won_with_no_cell"]["numbers"])) + "."]


def _verdicts(document: Document) -> list[str]:
    rows = []
    for entry in document["hardest"]:
        for word in ("winnable", "unwinnable"):
            kind = entry[word]
            top = [f"{one['deal']} ({one['nodes']:,})" for one in kind["most_nodes"][:3]]
            mean = f"{kind['mean_nodes']:,}"
            rows.append((entry["cells"], word, f"{kind['deals']:,}", mean, ", ".join(top)))
    return _table(("cells", "verdict", "deals", "mean nodes", "most: deal (nodes)"), rows)


def _fiendish(document: Document) -> list[str]:
    rows = [
        (entry["cells"], f"`{one['deal']}`", f"{one['score']:g}", one["plies"], one["actions"])
        for entry in document["cells"]
        for one in entry["deals"][:3]
    ]
    return _table(("cells", "deal", "score", "shortest, moves", "shortest, actions"), rows)


def _with_wins(document: Document) -> list[Document]:
    """The numbers of cells of the shortest lengths with which a deal is won, most first."""
    return [entry for entry in reversed(document["cells"]) if entry["winnable"]]


def _lengths(document: Document) -> list[str]:
    rows = []
    for entry in _with_wins(document):
        for measure, name in (("plies", "single-card moves"), ("actions", "actions")):
            spread = entry[measure]
            middle = [spread["percentiles"][p] for p in ("5", "50", "95")]
            ends = [_ends(spread[end]) for end in ("shortest", "longest")]
            rows.append(
                (
                    entry["cells"],
                    f"{entry['winnable']:,}",
                    name,
                    f"{spread['mean']:.2f}",
                    *middle,
                    *ends,
                )
            )
    head = ("cells", "deals", "measure", "mean", "5 %", "median", "95 %", "shortest", "longest")
    return _table(head, rows)


def _ends(found: Sequence[Document]) -> str:
    deals = ", ".join(f"ms:{one['deal']}" for one in found[:3])
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return f"{found[0]['length']} ({deals}{more})"


def _measures(document: Document) -> list[str]:
    rows = []
    for entry in _with_wins(document):
        spread = entry["plies_less_actions"]
        equal = spread["deals_by_value"].get("0", 0) / entry["winnable"]
        middle = [spread["percentiles"][p] for p in ("5", "50", "95")]
        rows.append(
            (
                entry["cells"],
                f"{spread['mean']:.2f}",
                *middle,
                spread["most"],
                f"{100 * equal:.1f}",
                entry["correlation_of_measures"],
            )
        )
    head = ("cells", "mean", "5 %", "median", "95 %", "most", "equal, %", "correlation")
    return _table(head, rows)


def _proofs(document: Document) -> list[str]:
    rows = []
    for entry in _with_wins(document):
        for measure, name in (("plies", "single-card moves"), ("actions", "actions")):
            top = entry[measure]["hardest_proofs"][:3]
            deals = [f"ms:{one['deal']} ({one['nodes']:,})" for one in top]
            rows.append((entry["cells"], name, ", ".join(deals)))
    return _table(("cells", "measure", "most positions expanded: deal (positions)"), rows)


def _extremes(document: Document) -> list[str]:
    lines = []
    for entry in _with_wins(document):
        for end in ("shortest", "longest"):
            one = entry["plies"][end][0]
            cells = "1 cell" if entry["cells"] == 1 else f"{entry['cells']} cells"
            what = f"{end.capitalize()} with {cells}, ms:{one['deal']}, {one['length']} moves"
            wrapped = textwrap.wrap(one["solution"], _SOLUTION_WIDTH)
            lines += [f"{what}:", "", *(f"    {line}" for line in wrapped), ""]
    return lines[:-1]


def _weights(document: Document) -> list[str]:
    about = {feature["name"]: feature for feature in document["features"]}
    order = sorted(document["weights"], key=lambda weight: -abs(weight["per_deviation"]))
    rows = (
        (
            about[weight["name"]]["about"],
            _mean_and_deviation(about[weight["name"]]),
            f"{weight['per_deviation']:+.3f}",
            " to ".join(f"{end:+.3f}" for end in weight["interval"]),
            f"{weight['odds_ratio_of_one_more']:.3f}",
        )
        for weight in order
    )
    head = (
        "feature",
        "mean ± deviation",
        "log odds a deviation",
        "95 % interval",
        "odds, one more",
    )
    return _table(head, rows)


def _mean_and_deviation(feature: Document) -> str:
    return f"{feature['mean']:.2f} ± {feature['standard_deviation']:.2f}"


def _held_out(document: Document) -> list[str]:
    held_out = document["held_out"]
    rows = []
    for i, entry in enumerate(held_out["all"]):
        alone = document["each_for_itself"][i]
        ends = " to ".join(f"{end:.3f}" for end in entry["auc_interval"])
        rows.append(
            (
                entry["cells"],
                f"{entry['log_loss_of_rate']:.5f}",
                f"{held_out['aces'][i]['log_loss']:.5f}",
                f"{held_out['order'][i]['log_loss']:.5f}",
                f"{entry['log_loss']:.5f}",
                f"{alone['log_loss']:.5f}",
                f"{entry['auc']:.3f} ({ends})",
            )
        )
    head = ("cells", "the rate", "aces", "order", "both", "both, each alone", "AUC of both")
    return _table(head, rows)


Maker = Callable[[Document], list[str]]

TABLES: Final[Mapping[str, tuple[str, Maker]]] = {
    "rates": ("catalogues", _rates),
    "samples": ("published", _samples),
    "smallest": ("smallest_cells", _smallest),
    "need-seven": ("smallest_cells", _need_seven),
    "no-cell": ("smallest_cells", _no_cell),
    "verdicts": ("smallest_cells", _verdicts),
    "fiendish": ("fiendish", _fiendish),
    "lengths": ("shortest_lengths", _lengths),
    "measures": ("shortest_lengths", _measures),
    "proofs": ("shortest_lengths", _proofs),
    "extremes": ("shortest_lengths", _extremes),
    "weights": ("winning_odds", _weights),
    "held-out": ("winning_odds", _held_out),
}
"""By the name of a table: the file in `results/` that it is made from, and what makes it."""


if __name__ == "__main__":
    sys.exit(main())
