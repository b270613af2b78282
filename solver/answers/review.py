"""The answer of `review`, as JSON and as text.

The JSON has, besides `deal`, `dealer` and `notes` (see `solver.answers.play`):

    cells          cells in play
    measure        "actions" or "plies": what lengths and distances count
    verdict        of the first position: "winnable", "unwinnable" or "undecided"
    final_verdict  of the last one
    won            whether the game was won
    length         of what was played
    shortest       proven shortest length of a solution; null unless winnable and proven
    wasted         by how much actions made the game longer than it had to be
    lost_by        number, from 1, of the action that lost the game; null if none did
    score          the app's
    actions        list of {number, notation, text, verdict, distance_before, distance_after,
                   wasted, losing, score}: `verdict` of the position after it; distances are null
                   where nothing wins or none is proven, and so is `wasted`; `score` after it
"""

from __future__ import annotations

from typing import Any

from boulanger.solver.advice.review import Review, ReviewedAction
from boulanger.solver.answers.play import source_json
from boulanger.solver.deals.source import DealSource
from boulanger.solver.result import Measure, Verdict

_NOUNS = {Measure.PLIES: "single-card move", Measure.ACTIONS: "action"}
_NOTATION_WIDTH = 4  # of a run into an empty column, such as 28v3


def review_json(source: DealSource, review: Review) -> dict[str, Any]:
    """The answer of `review`."""
    return {
        **source_json(source),
        "cells": review.start.num_cells,
        "measure": review.measure.value,
        "verdict": review.verdict.value,
        "final_verdict": review.final_verdict.value,
        "won": review.is_won,
        "length": review.length,
        "shortest": review.shortest,
        "wasted": review.num_wasted,
        "lost_by": review.losing_number,
        "score": review.score,
        "actions": [
            {
                "number": action.number,
                "notation": action.notation,
                "text": action.text,
                "verdict": action.verdict.value,
                "distance_before": action.distance_before,
                "distance_after": action.distance_after,
                "wasted": action.num_wasted,
                "losing": action.is_losing,
                "score": action.score,
            }
            for action in review.actions
        ],
    }


def review_text(review: Review) -> str:
    """The answer of `review`: the actions as moves with remarks, the summary as comments."""
    width = len(str(len(review.actions)))
    lines = [
        f"{action.number:{width}}. {action.notation:{_NOTATION_WIDTH}} # {action.text}: "
        f"{_remark(action)}; score {action.score}"
        for action in review.actions
    ]
    lines += [f"# {sentence}" for sentence in _summary(review)]
    return "".join(line + "\n" for line in lines)


def _remark(action: ReviewedAction) -> str:
    if action.is_losing:
        return "LOSES THE GAME"
    if action.verdict == Verdict.UNWINNABLE:
        return "lost"
    if action.verdict == Verdict.UNDECIDED:
        return "undecided"
    if action.distance_after is None:
        return "winnable"
    wasted = f", {action.num_wasted:,} wasted" if action.num_wasted else ""
    return f"{action.distance_after:,} left{wasted}"


def _summary(review: Review) -> list[str]:
    noun = _NOUNS[review.measure]
    end = "Won" if review.is_won else f"Unfinished, now {review.final_verdict}"
    sentences = [f"{end}: {_count(review.length, noun)}, score {review.score}."]
    if review.verdict == Verdict.UNWINNABLE:
        sentences.append("It could not be won from the start.")
    if review.losing_number is not None:
        losing = review.actions[review.losing_number - 1]
        sentences.append(f"Lost by action {losing.number}, {losing.notation} ({losing.text}).")
    if review.shortest is not None:
        sentences.append(
            f"Wasted: {_count(review.num_wasted, noun)}. The shortest way from the start has "
            f"{review.shortest:,}, proven."
        )
    return sentences


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
