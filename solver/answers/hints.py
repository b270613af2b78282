"""The answers of `hint` and `check`, as JSON and as text.

The JSON of both has also `deal`, `dealer` and `notes` (see `solver.answers.play`) and:

    cells       cells in play
    played      how many actions of --played led to the position
    verdict     "winnable", "unwinnable" or "undecided"
    reason      the limit that left it undecided, or a hint unproven: "nodes", "seconds" or
                "memory"; else null
    legal_move  whether anything may be played: a lost position mostly still has moves

`check` adds `nodes` and `seconds`, as `solve` has them, `hint`

    measure     "actions" or "plies": what distances count
    distance    from the win; null unless winnable
    proven      whether no shorter way is possible
    hints       list of {notation, cards, from, to, on, reasons, distance}: what to play next (see
                `solver.answers.play`), what that is good for, and the distance after it
    solution    the whole way to win that `hints` is the beginning of, in notation; null unless
                winnable
    loss        null unless unwinnable, else {undos, within_undo, number, notation, action, better,
                from_start}: how many actions to take back to reach the last position that can be
                won, whether the app keeps that many, the action that lost it (and as `hints` has
                it, without a distance), and what to play in its place, as in `hints`. `from_start`
                says that the first position is lost already; all but `within_undo` are null then,
                and the action also if a limit left open which one it was
    actions     with --all only: list of {notation, cards, from, to, on, reasons, verdict, distance,
                proven}: every legal action and the verdict on the position after it

`reasons` is a list of {kind} with `card` or `place` where there is one, see `GainKind` in
`solver.advice.reasons`. The command adds `text` and `reason`, the move and its reasons in words.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

from boulanger.engine.descriptions import action_facts
from boulanger.engine.game import MAX_UNDO, Game
from boulanger.engine.words import ENGLISH_VOICE, Voice, counted
from boulanger.solver.advice.hints import Check, Hint, HintStep, Loss, MarkedAction, hint_steps
from boulanger.solver.advice.reasons import Gain, say_gains
from boulanger.solver.answers.play import say_move, source_json, step_json
from boulanger.solver.answers.text import NOTATION_WIDTH, board_comments, comments
from boulanger.solver.deals.source import DealSource
from boulanger.solver.result import Verdict

_MARKS: Final = {
    Verdict.WINNABLE: "mark.keeps",
    Verdict.UNWINNABLE: "mark.loses",
    Verdict.UNDECIDED: "mark.undecided",
}


def check_json(source: DealSource, num_played: int, checked: Check) -> dict[str, Any]:
    """The answer of `check`."""
    return {
        **_head_json(source, num_played, checked),
        "nodes": checked.num_nodes,
        "seconds": round(checked.seconds, 6),
    }


def hint_json(
    source: DealSource, num_played: int, hint: Hint, marked: Sequence[MarkedAction] | None = None
) -> dict[str, Any]:
    """The answer of `hint`; `marked` with --all only."""
    answer = {
        **_head_json(source, num_played, hint),
        "measure": hint.measure.value,
        "distance": hint.distance,
        "proven": hint.is_proven,
        "hints": [hint_step_json(step) for step in hint.steps],
        "solution": list(hint.solution.notation) if hint.solution is not None else None,
        "loss": _loss_json(hint.loss) if hint.loss is not None else None,
    }
    if marked is not None:
        answer["actions"] = [mark_json(mark) for mark in marked]
    return answer


def mark_json(mark: MarkedAction) -> dict[str, Any]:
    """A legal action and what comes of it."""
    return {
        "notation": mark.notation,
        **action_facts(mark.before, mark.action),
        "reasons": gains_json(mark.gains),
        "verdict": mark.verdict.word,
        "distance": mark.distance,
        "proven": mark.is_proven,
    }


def hint_step_json(step: HintStep) -> dict[str, Any]:
    """One action of a hint."""
    return {
        **step_json(step.step),
        "reasons": gains_json(step.gains),
        "distance": step.distance,
    }


def gains_json(gains: Sequence[Gain]) -> list[dict[str, Any]]:
    """Gains as codes with facts."""
    return [gain.as_json() for gain in gains]


def check_text(checked: Check, game: Game, voice: Voice = ENGLISH_VOICE) -> str:
    """The answer of `check`: one sentence, what to ask next, and the board as a comment."""
    lines = [_verdict_sentence(checked, voice)]
    if checked.verdict == Verdict.WINNABLE and not checked.position.is_won:
        lines.append(voice.say("check.next"))
    elif checked.verdict == Verdict.UNWINNABLE and game.history:
        lines.append(voice.say("check.where_lost"))
    return "".join(line + "\n" for line in lines) + board_comments(game, voice)


def hint_text(
    hint: Hint,
    game: Game,
    marked: Sequence[MarkedAction] | None = None,
    voice: Voice = ENGLISH_VOICE,
) -> str:
    """The answer of `hint`: the next actions as moves, everything else as comments.

    If they are not proven shortest, all the actions of the way that is known: the next hint might
    know another way, and from hint to hint one could go around in circles.
    """
    sentences = [_verdict_sentence(hint, voice)]
    if hint.distance is not None:
        sentences.append(_distance_sentence(hint, voice))
    if hint.loss is not None:
        sentences += _loss_sentences(hint.loss, voice)
    steps = hint.steps if hint.is_proven else hint_steps(hint.solution, hint.measure)
    lines = [f"{step.notation:{NOTATION_WIDTH}} # {_step_words(step, voice)}" for step in steps]
    if marked is not None:
        lines += _mark_lines(marked, hint.loss is not None, voice)
    text = "".join(line + "\n" for line in lines)
    return comments(sentences, voice) + board_comments(game, voice) + text


def say_hint(step: dict[str, Any], voice: Voice) -> str:
    """A document of `hint_step_json` in words: the move, its reasons and what is left."""
    return voice.say(
        "hint.step",
        move=say_move(step, voice),
        reason=say_gains(step["reasons"], voice.language, card_names=voice.is_plain),
        distance=step["distance"],
    )


def _step_words(step: HintStep, voice: Voice) -> str:
    return say_hint(hint_step_json(step), voice)


def _head_json(source: DealSource, num_played: int, answer: Check | Hint) -> dict[str, Any]:
    return {
        **source_json(source),
        "cells": answer.position.num_cells,
        "played": num_played,
        "verdict": answer.verdict.word,
        "reason": answer.reason.value if answer.reason is not None else None,
        "legal_move": answer.has_legal_move,
    }


def _loss_json(loss: Loss) -> dict[str, Any]:
    lost = None
    if loss.action is not None and loss.before is not None:
        lost = {"notation": loss.notation, **action_facts(loss.before, loss.action)}
    return {
        "undos": loss.num_undos,
        "within_undo": loss.is_within_undo,
        "number": loss.number,
        "notation": loss.notation,
        "action": lost,
        "better": hint_step_json(loss.better) if loss.better is not None else None,
        "from_start": loss.is_lost_from_start,
    }


def _verdict_sentence(answer: Check | Hint, voice: Voice) -> str:
    num_cells = answer.position.num_cells
    if answer.position.is_won:
        return voice.say("check.won")
    if answer.verdict == Verdict.WINNABLE:
        return voice.say("check.winnable", num_cells=num_cells)
    if answer.verdict == Verdict.UNDECIDED:
        return voice.say("check.undecided", num_cells=num_cells, limit=str(answer.reason))
    if answer.has_legal_move:
        return voice.say("check.lost", num_cells=num_cells)
    return voice.say("check.lost_stuck", num_cells=num_cells)


def _distance_sentence(hint: Hint, voice: Voice) -> str:
    distance = counted(hint.distance or 0, hint.measure.value)
    if hint.is_proven:
        return voice.say("hint.distance", distance=distance)
    return voice.say("hint.distance_unproven", distance=distance, limit=str(hint.reason))


def _loss_sentences(loss: Loss, voice: Voice) -> Iterator[str]:
    if loss.num_undos is None:
        is_from_start = loss.is_lost_from_start
        yield voice.say("loss.from_start") if is_from_start else voice.say("loss.none_winnable")
        return
    if loss.action is None or loss.before is None:
        yield voice.say("loss.unknown")
    else:
        move = say_move(action_facts(loss.before, loss.action), voice)
        yield voice.say("loss.by", number=loss.number, notation=loss.notation, move=move)
    key = "loss.undo" if loss.is_within_undo else "loss.undo_too_many"
    yield voice.say(key, undos=loss.num_undos, limit=MAX_UNDO)
    if loss.better is not None:
        yield voice.say(
            "loss.better", notation=loss.better.notation, step=_step_words(loss.better, voice)
        )


def _mark_lines(marked: Sequence[MarkedAction], was_lost: bool, voice: Voice) -> Iterator[str]:
    yield "# " + voice.say("mark.actions", num=len(marked))
    words = {verdict: voice.say(key) for verdict, key in _MARKS.items()}
    if was_lost:
        words[Verdict.UNWINNABLE] = voice.say("mark.still_lost")
    width = max((len(words[mark.verdict]) for mark in marked), default=0)
    for mark in sorted(marked, key=_preference):
        move = say_move(action_facts(mark.before, mark.action), voice)
        reason = say_gains(gains_json(mark.gains), voice.language, card_names=voice.is_plain)
        key = "mark.line"
        if mark.distance is not None:
            key = "mark.line_proven" if mark.is_proven else "mark.line_unproven"
        text = voice.say(key, move=move, reason=reason, distance=mark.distance)
        yield f"#   {mark.notation:{NOTATION_WIDTH}} {words[mark.verdict]:{width}}  {text}"


def _preference(mark: MarkedAction) -> tuple[int, float]:
    """Winning actions first, the shortest before the others; lost ones last."""
    order = (Verdict.WINNABLE, Verdict.UNDECIDED, Verdict.UNWINNABLE)
    return order.index(mark.verdict), math.inf if mark.distance is None else mark.distance
