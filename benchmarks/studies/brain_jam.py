"""`python -m benchmarks.studies.brain_jam FILE`: Brain Jam's published minima beside ours.

Brain Jam (Peter Liepa; https://github.com/BR903/brainjam) is Baker's Game with 4 cells and 1,500
deals, and says of each how many single-card moves its shortest solution has; Bert van Oortmarssen's
program found them. FILE is its `src/gamedata/gamedata.txt`, which is no part of this repository: a
line for each deal, with its number, 52 letters and the length. A card is a letter, `A` to `Z` then
`a` to `z`, from the ace of clubs on, rank by rank, suits in the order clubs, diamonds, hearts,
spades; cards are in deal order.

Writes `results/brain_jam.json`: how many lengths are equal, and each one that is not.
"""

from __future__ import annotations

import argparse
import json
import string
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from benchmarks.provenance import provenance
from benchmarks.studies.shortest_lengths import replayed, spread
from boulanger.engine.cards import NUM_CARDS, SUIT_LETTERS, make_card
from boulanger.engine.position import Position
from boulanger.solver.optimal.shortest import find_shortest, prepare
from boulanger.solver.result import Measure

_NUM_CELLS: Final = 4
_LETTERS: Final = string.ascii_uppercase + string.ascii_lowercase
_SUITS: Final = "CDHS"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies.brain_jam")
    parser.add_argument("file", type=Path, metavar="FILE", help="Brain Jam's gamedata.txt")
    parser.add_argument("--folder", type=Path, default=Path("results"), help="(%(default)s)")
    options = parser.parse_args(arguments)
    prepare()
    lines = list(read_lines(options.file.read_text("ascii").splitlines()))
    document = {**provenance("python -m benchmarks.studies.brain_jam"), **compare(lines)}
    options.folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document, indent=1) + "\n"
    (options.folder / "brain_jam.json").write_text(text, encoding="utf-8")
    return 0


def read_lines(lines: Iterable[str]) -> Iterator[tuple[str, list[int], int]]:
    """Number, cards in deal order and published length of each deal.

    Raises:
        ValueError: quotes a line that is none of a deal.
    """
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split()
        is_deck = len(fields) == 3 and sorted(fields[1]) == sorted(_LETTERS)
        if not is_deck or not fields[2].isdecimal():
            raise ValueError(
                f"{line!r} is no deal of Brain Jam: a number, {NUM_CARDS} different letters and a "
                "length expected"
            )
        yield fields[0], [_card(letter) for letter in fields[1]], int(fields[2])


def _card(letter: str) -> int:
    rank, suit = divmod(_LETTERS.index(letter), len(_SUITS))
    return make_card(SUIT_LETTERS.index(_SUITS[suit]), rank + 1)


def compare(deals: Sequence[tuple[str, list[int], int]]) -> dict[str, Any]:
    """The published lengths beside the proven ones.

    Raises:
        RuntimeError: if one is not proven.
    """
    differences, ours = [], []
    for number, cards, published in tqdm(deals, desc="Brain Jam", mininterval=30):
        found = find_shortest(Position.from_deal(cards, _NUM_CELLS), Measure.PLIES)
        if not found.is_proven or found.length is None or found.solution is None:
            raise RuntimeError(f"Brain Jam's deal {number}: not proven")
        ours.append(found.length)
        if found.length != published:
            differences.append(
                {
                    "deal": number,
                    "published": published,
                    "proven": found.length,
                    "solution": replayed(found.solution),
                }
            )
    return {
        "deals": len(deals),
        "cells": _NUM_CELLS,
        "measure": Measure.PLIES.value,
        "equal": len(deals) - len(differences),
        "differences": differences,
        "proven": spread(np.array(ours)),
    }


if __name__ == "__main__":
    sys.exit(main())
