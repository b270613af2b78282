"""The answer of `rate`, as JSON and as text.

The JSON has, besides `deal`, `dealer` and `notes` (see `solver.answers.play`):

    cells        cells in play
    verdict      "winnable", "unwinnable" or "undecided"
    min_cells    the smallest number of cells with which it can be won; null if none up to 8 is
    min_certain  whether that is proven
    score        0 to 100, the percentile among winnable deals with as many cells; null unless
                 winnable and there is a reference sample for that number of cells
    word         "gentle", "easy", "medium", "hard" or "fiendish"; null without a score
    seed         of the simulated players' games
    parts        null unless winnable, else
        plies, actions     {length, proven, lower_bound} of the shortest solutions
        fewest_free        free cells and empty columns when they are fewest, along the solution
                           that is shortest in actions
        first_actions      legal actions at its first decision, and
        first_keeping      those of them that keep the win
        opening, whole     the share of actions that keep the win: mean over the first decisions,
                           and over all
        first_trap         how many decisions come before the first one where what the double tap
                           prefers loses at least as often as not; null if there is none
        decisions          how many there are
        players            {random, greedy, planner, careful}, each {games, wins, rate, error}:
                           error is the standard error of the rate
        effort             log10 of the nodes of the verdict and the shortest solutions
    percentiles  for the parts that have one: how many in a hundred deals are less hard in that
                 respect; empty without a score
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from boulanger.solver.answers.play import source_json
from boulanger.solver.deals.source import DealSource
from boulanger.solver.rating.model import modelled_cells
from boulanger.solver.rating.parts import Forgiveness, Parts
from boulanger.solver.rating.rate import Rating
from boulanger.solver.rating.words import WORDS
from boulanger.solver.result import ShortestResult, Verdict

_PLAYERS: Final = ("random", "greedy", "planner", "careful")
_WIDTH: Final = 50


def rating_json(source: DealSource, rating: Rating) -> dict[str, Any]:
    """The answer of `rate`."""
    return {
        **source_json(source),
        "cells": rating.num_cells,
        "verdict": rating.verdict.value,
        "min_cells": rating.min_cells,
        "min_certain": rating.is_min_certain,
        "score": None if rating.score is None else round(rating.score, 1),
        "word": rating.word,
        "seed": rating.seed,
        "parts": None if rating.parts is None else _parts_json(rating.parts),
        "percentiles": {name: round(value, 1) for name, value in rating.percentiles.items()},
    }


def rating_text(source: DealSource, rating: Rating) -> str:
    """The answer of `rate` for people."""
    lines = [f"{source.name}, {_count(rating.num_cells, 'cell')}: {_headline(rating)}"]
    if rating.parts is not None:
        lines += [
            f"  {text:{_WIDTH}}{_percentile(rating, name)}".rstrip()
            for text, name in _part_lines(rating, rating.parts)
        ]
    if rating.percentiles:
        words = ", ".join(f"{word} to {end:.0f}" for word, end in WORDS)
        lines.append(
            f"Percentages: of winnable deals with {_count(rating.num_cells, 'cell')}, how many are "
            f"less hard in that respect. Scores: {words}."
        )
    return "".join(line + "\n" for line in lines)


def _parts_json(parts: Parts) -> dict[str, Any]:
    forgiveness = parts.forgiveness
    return {
        "plies": _shortest_json(parts.plies),
        "actions": _shortest_json(parts.actions),
        "fewest_free": forgiveness.fewest_free,
        "first_actions": forgiveness.num_first,
        "first_keeping": forgiveness.num_first_keeping,
        "opening": round(forgiveness.opening, 4),
        "whole": round(forgiveness.whole, 4),
        "first_trap": forgiveness.first_trap,
        "decisions": forgiveness.num_decisions,
        "players": {
            name: {
                "games": games,
                "wins": wins,
                "rate": round(wins / games, 4),
                "error": round(_error(games, wins), 4),
            }
            for name, games, wins in zip(_PLAYERS, parts.num_games, parts.num_wins, strict=True)
        },
        "effort": round(parts.effort, 2),
    }


def _shortest_json(found: ShortestResult) -> dict[str, Any]:
    return {
        "length": found.length,
        "proven": found.is_proven,
        "lower_bound": found.lower_bound,
    }


def _headline(rating: Rating) -> str:
    if rating.verdict == Verdict.UNDECIDED:
        return "undecided, so there is no rating."
    if rating.verdict == Verdict.UNWINNABLE:
        if rating.min_cells is not None:
            return f"lost, proven unwinnable; it would need {_count(rating.min_cells, 'cell')}."
        return "lost, proven unwinnable; 8 cells would not be enough."
    if rating.score is None:
        numbers = ", ".join(map(str, modelled_cells()))
        return f"winnable; no score, since there are samples to compare with for {numbers} alone."
    return f"{rating.word}, {rating.score:.0f} of 100."


def _part_lines(rating: Rating, parts: Parts) -> Iterator[tuple[str, str]]:
    """A line for each part, and the field whose percentile goes with it."""
    certainly = "" if rating.is_min_certain else " (fewer are not ruled out)"
    yield f"can be won with {_count(parts.min_cells, 'cell')}{certainly}", "min_cells"
    yield f"shortest solution: {_length(parts.plies)} single-card moves", "plies"
    yield f"shortest solution: {_length(parts.actions)} actions", "actions"
    yield from _forgiveness_lines(parts.forgiveness)
    for name, games, wins in zip(_PLAYERS, parts.num_games, parts.num_wins, strict=True):
        won = f"wins {wins / games:.0%} (+-{_error(games, wins):.0%})"
        yield f"the {name} player {won}", f"{name}_wins"
    yield f"search effort: 10^{parts.effort:.1f} nodes", "effort"


def _forgiveness_lines(forgiveness: Forgiveness) -> Iterator[tuple[str, str]]:
    if forgiveness.num_decisions == 0:
        return
    yield f"fewest free spaces on the way: {forgiveness.fewest_free}", "fewest_free"
    first = f"{forgiveness.num_first_keeping} of {forgiveness.num_first}"
    yield f"first actions that keep the win: {first}", "num_first_keeping"
    yield f"actions that keep the win, opening: {forgiveness.opening:.0%}", "opening"
    yield f"actions that keep the win, whole way: {forgiveness.whole:.0%}", "whole"
    trap = forgiveness.first_trap
    where = "none on the way" if trap is None else f"after {_count(trap, 'decision')}"
    yield f"first trap for a greedy player: {where}", "first_trap"


def _percentile(rating: Rating, name: str) -> str:
    return f"{rating.percentiles[name]:4.0f} %" if name in rating.percentiles else ""


def _length(found: ShortestResult) -> str:
    return f"{found.length}" if found.is_proven else f"at least {found.lower_bound}"


def _error(games: int, wins: int) -> float:
    """The standard error of a win rate; that of one game more and one less at the ends."""
    rate = min(max(wins, 1), games - 1) / games
    return math.sqrt(rate * (1 - rate) / games)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
