"""The answer of `review`, as JSON and as text.

The JSON has also `deal`, `dealer` and `notes` (see `solver.answers.play`) and:

    cells          cells in play
    measure        "actions" or "plies": what lengths and distances count
    verdict        of the first position: "winnable", "unwinnable" or "undecided"
    final_verdict  of the last one
    won            whether the game was won
    length         of what was played
    shortest       proven shortest length of a solution; null unless winnable and proven
    wasted         by how much actions made the game longer than it had to be
    mistakes       how many actions lost the game or wasted something
    lost_by        number, from 1, of the action that lost the game; null if none did
    score          the app's
    actions        list of {number, notation, cards, from, to, on, verdict, distance_before,
                   distance_after, wasted, losing, better, score}: `verdict` of the position after
                   it; distances are null where nothing wins or none is proven, and so is `wasted`;
                   `better` is null unless it was a mistake, else what would have been better, as
                   `hint` has it; `score` after it

The command adds `text` to moves and `reason` to hints, in words.
"""

from __future__ import annotations

from typing import Any

from boulanger.engine.descriptions import action_facts
from boulanger.engine.game import Game
from boulanger.engine.words import ENGLISH_VOICE, Voice, counted
from boulanger.solver.advice.review import Review, ReviewedAction
from boulanger.solver.answers.hints import hint_step_json, say_hint
from boulanger.solver.answers.play import say_move, source_json
from boulanger.solver.answers.text import NOTATION_WIDTH, board_comments, comments
from boulanger.solver.deals.source import DealSource
from boulanger.solver.result import Verdict


def review_json(source: DealSource, review: Review) -> dict[str, Any]:
    """The answer of `review`."""
    return {
        **source_json(source),
        "cells": review.start.num_cells,
        "measure": review.measure.value,
        "verdict": review.verdict.word,
        "final_verdict": review.final_verdict.word,
        "won": review.is_won,
        "length": review.length,
        "shortest": review.shortest,
        "wasted": review.num_wasted,
        "mistakes": review.num_mistakes,
        "lost_by": review.losing_number,
        "score": review.score,
        "actions": [_action_json(action) for action in review.actions],
    }


def review_text(review: Review, game: Game, voice: Voice = ENGLISH_VOICE) -> str:
    """The answer of `review`: the actions as moves with remarks, the summary as comments."""
    width = len(str(len(review.actions)))
    text = ""
    for action in review.actions:
        words = voice.say(
            "review.action",
            move=say_move(action_facts(action.before, action.action), voice),
            remark=_remark(action, voice),
            score=action.score,
        )
        text += f"{action.number:{width}}. {action.notation:{NOTATION_WIDTH}} # {words}\n"
        if action.better is not None:
            better = voice.say(
                "review.better",
                notation=action.better.notation,
                step=say_hint(hint_step_json(action.better), voice),
            )
            text += comments([better], voice, prefix=" " * (width + 2 + NOTATION_WIDTH) + " #   ")
    return text + comments(_summary(review, voice), voice) + board_comments(game, voice)


def _action_json(action: ReviewedAction) -> dict[str, Any]:
    return {
        "number": action.number,
        "notation": action.notation,
        **action_facts(action.before, action.action),
        "verdict": action.verdict.word,
        "distance_before": action.distance_before,
        "distance_after": action.distance_after,
        "wasted": action.num_wasted,
        "losing": action.is_losing,
        "better": hint_step_json(action.better) if action.better is not None else None,
        "score": action.score,
    }


def _remark(action: ReviewedAction, voice: Voice) -> str:
    if action.is_losing:
        return voice.say("review.loses")
    if action.distance_after is None or action.verdict != Verdict.WINNABLE:
        return voice.say(f"verdict.{action.verdict.word}")
    if action.num_wasted:
        return voice.say(
            "review.left_wasted", distance=action.distance_after, wasted=action.num_wasted
        )
    return voice.say("review.left", distance=action.distance_after)


def _summary(review: Review, voice: Voice) -> list[str]:
    length = counted(review.length, review.measure.value)
    if review.is_won:
        sentences = [voice.say("review.won", length=length, score=review.score)]
    else:
        key = f"review.unfinished.{review.final_verdict.word}"
        sentences = [voice.say(key, length=length, score=review.score)]
    if review.verdict == Verdict.UNWINNABLE:
        sentences.append(voice.say("loss.from_start"))
    if review.losing_number is not None:
        sentences.append(_loss_sentence(review, review.losing_number, voice))
    if review.shortest is not None:
        wasted = counted(review.num_wasted, review.measure.value)
        sentences.append(voice.say("review.wasted", wasted=wasted, shortest=review.shortest))
    return sentences


def _loss_sentence(review: Review, number: int, voice: Voice) -> str:
    """Which action lost the game, and how many to take back to win it all the same."""
    losing = review.actions[number - 1]
    return voice.say(
        "review.lost_by",
        number=number,
        notation=losing.notation,
        move=say_move(action_facts(losing.before, losing.action), voice),
        undos=len(review.actions) - number + 1,
    )
