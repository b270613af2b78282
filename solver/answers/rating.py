"""The answer of `rate`, as JSON and as text.

The JSON has also `deal`, `dealer` and `notes` (see `solver.answers.play`) and:

    cells        cells in play
    verdict      "winnable", "unwinnable" or "undecided"
    min_cells    the smallest number of cells with which it can be won; null if none up to 8 is
    min_certain  whether that is proven
    score        0 to 100, the percentile among winnable deals with as many cells; null unless
                 winnable and there is a reference sample for that number of cells
    reason       the limit because of which a winnable deal has no parts; else null
    word         "gentle", "easy", "medium", "hard" or "fiendish"; null without a score
    fresh        whether the board is one as it was dealt; the score compares with such boards
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

from typing import Any, Final

from boulanger.engine.words import ENGLISH_VOICE, Voice
from boulanger.solver.answers.play import source_json
from boulanger.solver.answers.text import comments
from boulanger.solver.deals.source import DealSource
from boulanger.solver.rating.fields import FIELDS, standard_error
from boulanger.solver.rating.model import LEVELS, modelled_cells
from boulanger.solver.rating.parts import Parts
from boulanger.solver.rating.players import PLAYER_NAMES
from boulanger.solver.rating.rate import Rating
from boulanger.solver.result import ShortestResult, Verdict

_WIDTH: Final = 60


def rating_json(source: DealSource, rating: Rating) -> dict[str, Any]:
    """The answer of `rate`."""
    return {
        **source_json(source),
        "cells": rating.num_cells,
        "verdict": rating.verdict.word,
        "reason": rating.reason.value if rating.reason is not None else None,
        "min_cells": rating.min_cells,
        "min_certain": rating.is_min_certain,
        "score": None if rating.score is None else round(rating.score, 1),
        "word": rating.level,
        "fresh": rating.is_fresh,
        "seed": rating.seed,
        "parts": None if rating.parts is None else parts_json(rating.parts),
        "percentiles": {name: round(value, 1) for name, value in rating.percentiles.items()},
    }


def rating_text(name: str, rating: Rating, voice: Voice = ENGLISH_VOICE) -> str:
    """The answer of `rate` for people; `name` is that of the deal."""
    heading = voice.say("answer.heading", name=name, cells=rating.num_cells)
    sentences = [f"{heading}: {_headline(rating, voice)}"]
    if rating.score is not None and not rating.is_fresh:
        sentences.append(voice.say("rate.not_fresh"))
    text = comments(sentences, voice, prefix="")
    if rating.parts is None:
        return text
    if rating.percentiles:
        text += f"{'':2}{'':{_WIDTH}} {voice.say('rate.column')}\n"
    for field in FIELDS:
        line = field.line(rating.parts)
        if line is not None:
            percentile = _percentile(rating, field.name, voice)
            text += f"{'':2}{voice.say_message(line):{_WIDTH}} {percentile}".rstrip() + "\n"
    if rating.percentiles:
        levels = ", ".join(
            voice.say("rate.level_to", level=level, end=round(end)) for level, end in LEVELS
        )
        notes = [
            voice.say("rate.percentages", cells=rating.num_cells),
            voice.say("rate.levels", levels=levels),
        ]
        text += comments(notes, voice, prefix="")
    return text


def parts_json(parts: Parts) -> dict[str, Any]:
    """What was measured."""
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
                "error": round(standard_error(games, wins), 4),
            }
            for name, games, wins in zip(PLAYER_NAMES, parts.num_games, parts.num_wins, strict=True)
        },
        "effort": round(parts.effort, 2),
    }


def _shortest_json(found: ShortestResult) -> dict[str, Any]:
    return {
        "length": found.length,
        "proven": found.is_proven,
        "lower_bound": found.lower_bound,
    }


def _headline(rating: Rating, voice: Voice) -> str:
    if rating.verdict == Verdict.UNDECIDED:
        return voice.say("rate.undecided")
    if rating.verdict == Verdict.UNWINNABLE:
        if rating.min_cells is not None:
            return voice.say("rate.lost", cells=rating.min_cells)
        return voice.say("rate.lost_with_all")
    if rating.parts is None:
        return voice.say("rate.limit", limit=str(rating.reason))
    if rating.score is None or rating.level is None:
        numbers = ", ".join(map(str, modelled_cells()))
        return voice.say("rate.no_score", numbers=numbers)
    return voice.say("rate.score", level=rating.level, score=round(rating.score))


def _percentile(rating: Rating, field: str, voice: Voice) -> str:
    if field not in rating.percentiles:
        return ""
    return f"{voice.say('percent', share=rating.percentiles[field] / 100):>6}"
