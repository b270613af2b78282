"""The answers of `hint` and `check`, as JSON and as text.

The JSON of both has, besides `deal`, `dealer` and `notes` (see `solver.answers.play`):

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
    hints       list of {notation, text, cards, reason, distance}: what to play next, in words, the
                cards that move, what that is good for, and the distance after it
    solution    the whole way to win that `hints` is the beginning of, in notation; null unless
                winnable
    loss        null unless unwinnable, else {undos, within_undo, number, notation, text,
                from_start}: how many actions to take back to reach the last position that can be
                won, whether the app keeps so many, and the action that lost it. `from_start` says
                that the first position is lost already; all but `within_undo` are null then, and
                the last three also if a limit left open which action it was
    actions     with --all alone: list of {notation, text, reason, verdict, distance, proven}: every
                legal action and the verdict on the position after it
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from boulanger.solver.advice.hints import Check, Hint, Loss, MarkedAction, steps_along
from boulanger.solver.answers.play import source_json
from boulanger.solver.deals.source import DealSource
from boulanger.solver.result import Measure, Verdict

_NOUNS = {Measure.PLIES: "single-card move", Measure.ACTIONS: "action"}
_NOTATION_WIDTH = 4  # of a run into an empty column, such as 28v3


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
    """The answer of `hint`; `marked` with --all alone."""
    answer = {
        **_head_json(source, num_played, hint),
        "measure": hint.measure.value,
        "distance": hint.distance,
        "proven": hint.is_proven,
        "hints": [
            {
                "notation": step.notation,
                "text": step.text,
                "cards": list(step.cards),
                "reason": step.reason,
                "distance": step.distance,
            }
            for step in hint.steps
        ],
        "solution": list(hint.solution.notation) if hint.solution is not None else None,
        "loss": _loss_json(hint.loss) if hint.loss is not None else None,
    }
    if marked is not None:
        answer["actions"] = [
            {
                "notation": mark.notation,
                "text": mark.text,
                "reason": mark.reason,
                "verdict": mark.verdict.value,
                "distance": mark.distance,
                "proven": mark.is_proven,
            }
            for mark in marked
        ]
    return answer


def check_text(checked: Check) -> str:
    """The answer of `check`: one sentence."""
    return f"{_verdict_sentence(checked)}\n"


def hint_text(hint: Hint, marked: Sequence[MarkedAction] | None = None) -> str:
    """The answer of `hint`: the next actions as moves, everything else as comments.

    If they are not proven shortest, all the actions of the way that is known: the next hint might
    know another way, and from hint to hint one could go around in circles.
    """
    lines = [f"# {_verdict_sentence(hint)}"]
    if hint.distance is not None:
        lines.append(f"# {_distance_sentence(hint)}")
    if hint.loss is not None:
        lines.append(f"# {_loss_sentence(hint.loss)}")
    lines += [
        f"{step.notation:{_NOTATION_WIDTH}} # {step.text}: {step.reason}; {step.distance:,} left"
        for step in (hint.steps if hint.is_proven else steps_along(hint.solution, hint.measure))
    ]
    if marked is not None:
        lines += _mark_lines(marked, was_lost=hint.loss is not None)
    return "".join(line + "\n" for line in lines)


def _head_json(source: DealSource, num_played: int, answer: Check | Hint) -> dict[str, Any]:
    return {
        **source_json(source),
        "cells": answer.position.num_cells,
        "played": num_played,
        "verdict": answer.verdict.value,
        "reason": answer.reason.value if answer.reason is not None else None,
        "legal_move": answer.has_legal_move,
    }


def _loss_json(loss: Loss) -> dict[str, Any]:
    return {
        "undos": loss.num_undos,
        "within_undo": loss.is_within_undo,
        "number": loss.number,
        "notation": loss.notation,
        "text": loss.text,
        "from_start": loss.is_lost_from_start,
    }


def _verdict_sentence(answer: Check | Hint) -> str:
    cells = _count(answer.position.num_cells, "cell")
    if answer.position.is_won:
        return "Won: all cards are home."
    if answer.verdict == Verdict.WINNABLE:
        return f"Winnable with {cells}."
    if answer.verdict == Verdict.UNDECIDED:
        return f"Undecided with {cells}: stopped at the limit of {answer.reason}."
    moves = (
        "there are legal moves, but no" if answer.has_legal_move else "there is no legal move; no"
    )
    return f"Lost, proven unwinnable with {cells}: {moves} way to play it wins."


def _distance_sentence(hint: Hint) -> str:
    distance = _count(hint.distance or 0, _NOUNS[hint.measure])
    if hint.is_proven:
        return f"Distance to the win: {distance}, proven shortest."
    return (
        f"Distance to the win: {distance} by the way below, not proven shortest (stopped at the "
        f"limit of {hint.reason}); it is shown whole, so that keeping to it wins."
    )


def _loss_sentence(loss: Loss) -> str:
    if loss.num_undos is None:
        if loss.is_lost_from_start:
            return "It could not be won from the start."
        return "No position before it is known to be winnable."
    undos = f"undo {_count(loss.num_undos, 'action')} to reach the last position that can be won"
    kept = "the app keeps the last 100"
    if not loss.is_within_undo:
        kept = "more than the app keeps: the last 100"
    if loss.notation is None:
        return f"Not known which action lost it: {undos} ({kept})."
    return f"Lost by action {loss.number}, {loss.notation} ({loss.text}): {undos} ({kept})."


def _mark_lines(marked: Sequence[MarkedAction], was_lost: bool) -> Iterator[str]:
    words = {
        Verdict.WINNABLE: "keeps the win",
        Verdict.UNWINNABLE: "still lost" if was_lost else "loses it",
        Verdict.UNDECIDED: "undecided",
    }
    yield f"# {_count(len(marked), 'legal action')}:"
    width = max((len(words[mark.verdict]) for mark in marked), default=0)
    for mark in sorted(marked, key=_preference):
        left = ""
        if mark.distance is not None:
            left = f"; {mark.distance:,} left" + ("" if mark.is_proven else ", not proven")
        yield (
            f"#   {mark.notation:{_NOTATION_WIDTH}} {words[mark.verdict]:{width}}  "
            f"{mark.text}: {mark.reason}{left}"
        )


def _preference(mark: MarkedAction) -> tuple[int, float]:
    """Winning actions first, the shortest before the others; lost ones last."""
    order = (Verdict.WINNABLE, Verdict.UNDECIDED, Verdict.UNWINNABLE)
    return order.index(mark.verdict), math.inf if mark.distance is None else mark.distance


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
