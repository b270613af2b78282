"""The command's answers as JSON. Keys stay; new ones may be added.

All answers have

    deal      the canonical code, "ms:NUMBER", "random:NUMBER@SEED", or the name of the board's file
              ("-": standard input)
    dealer    for codes "bk1" (the project's own, since the app's is not published) or the name of
              a learned dealer; "ms"; "random@SEED"; or null for a board
    notes     list of texts: how the board was read; that --cells replaces the cells of the code;
              what is to be known about the dealer of a code

`show` is also a board as `engine.boards.json_board` has it, so it can be given back as a DEAL:

    num_cells, foundations, cells, columns

`solve` (the keys from `cells` to `solution` are `result_json`):

    cells     cells in play
    verdict   "winnable", "unwinnable" or "undecided"
    reason    the limit that left it undecided: "nodes", "seconds" or "memory"; else null
    nodes     expanded positions
    seconds   of the search, without compiling
    solution  null unless winnable, else
        notation  the actions in FreeCell notation, list of texts: what `verify --moves` reads
        actions   list of {notation, cards, from, to, on}: `cards` from the highest to the lowest,
                  `from` and `to` as in the notation: "1".."8" a column, "a".."g" and "i" a cell,
                  "h" home; `on` the card that they go onto, or null
        plies     list of {notation, card, from, to, on, action}: single-card moves; `action` is
                  the number, from 1, of the action that it is part of
        score     the app's, at the end of the actions, counted from 0
    shortest  null unless there is a solution, else {measure, length, lower_bound, proven}:
              `measure` is "plies" or "actions" as --shortest has it, otherwise "actions"; `length`
              that of `solution`, which is the shortest one known, `lower_bound` what no solution is
              shorter than; cards put home count in both. `proven`: whether they are equal. (`nodes`
              are those of the verdict, and with --shortest so are `seconds`.)

`verify`:

    cells, legal, won
    moves     how many could be played
    score     after these
    home      cards on the foundations after these
    fault     null if legal, else {number, text, line, column, key, facts} of the first illegal
              move, all counted from 1; `key` and `facts` are the reason, see `engine.words`

`code`:

    cells     cells in play
    code      null for a board or an ms: deal
    number    the deal's number for `dealer`, which is "ms" for a board that was found; else null

`classify` alone has none of the three above but

    out       the folder
    dealers   the key of each dealer (`engine.deals.names`), with a line on what it does
    notes     list of texts: what is to be known about the dealer of game codes
    deals     in the catalogue
    new       deals that this run classified
    rejected  lines that were no deals
    cells     for each number of cells, from the most on, {cells, winnable, unwinnable, undecided}

`identify` and `dealers` are in `solver.answers.identify`.

Answers hold facts: moves as places and cards, reasons as codes. `with_words` adds to each move its
`text`, to each list of reasons and each fault its `reason`, in words of a language, and says the
notes in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from boulanger.engine.boards.writing import position_to_json
from boulanger.engine.deals.codes import GameCode
from boulanger.engine.deals.dealers import BK1, MS
from boulanger.engine.descriptions import action_facts, say_action
from boulanger.engine.game import ReplayFault, ReplayResult
from boulanger.engine.notation import format_ply
from boulanger.engine.notes import Note
from boulanger.engine.rules import apply_ply
from boulanger.engine.words import ENGLISH_VOICE, Voice
from boulanger.solver.advice.reasons import say_gains
from boulanger.solver.deals.source import DealSource
from boulanger.solver.result import ShortestResult, Solution, SolveResult, Step

_LINE_LENGTH: Final = 140  # holds any single move
_WORDS_A_LINE: Final = 10
_INDENT: Final = "  "


def show_json(source: DealSource) -> dict[str, Any]:
    """The answer of `show`."""
    return {**source_json(source), **position_to_json(source.position)}


def solve_json(source: DealSource, result: SolveResult) -> dict[str, Any]:
    """The answer of `solve`."""
    shortest = None if result.shortest is None else _length_json(result.shortest)
    return {**source_json(source), **result_json(result), "shortest": shortest}


def shortest_json(
    source: DealSource, result: SolveResult, shortest: ShortestResult | None
) -> dict[str, Any]:
    """The answer of `solve --shortest`; `shortest` is None unless the position is winnable."""
    answer = solve_json(source, result)
    if shortest is None:
        return answer
    if shortest.solution is not None:
        answer["solution"] = _solution_json(shortest.solution)
    answer["shortest"] = _length_json(shortest)
    return answer


def _length_json(shortest: ShortestResult) -> dict[str, Any]:
    return {
        "measure": shortest.measure.value,
        "length": shortest.length,
        "lower_bound": shortest.lower_bound,
        "proven": shortest.is_proven,
    }


def verify_json(source: DealSource, replayed: ReplayResult) -> dict[str, Any]:
    """The answer of `verify`."""
    fault = replayed.fault
    return {
        **source_json(source),
        "cells": source.position.num_cells,
        "legal": fault is None,
        "won": replayed.is_won,
        "moves": replayed.num_actions,
        "score": replayed.score,
        "home": sum(replayed.position.foundations),
        "fault": _fault_json(fault) if fault is not None else None,
    }


def code_json(
    code: GameCode, notes: tuple[str, ...] = (), dealer: str = BK1.name
) -> dict[str, Any]:
    """The answer of `code` for a code or its number."""
    return {
        "deal": code.text,
        "dealer": dealer,
        "notes": list(notes),
        "cells": code.num_cells,
        "code": code.text,
        "number": code.number,
    }


def ms_number_json(source: DealSource, number: int | None) -> dict[str, Any]:
    """The answer of `code` for a board or an `ms:` deal; `number` is None if none was found."""
    return {
        **source_json(source),
        "dealer": MS.name if number is not None else None,
        "cells": source.position.num_cells,
        "code": None,
        "number": number,
    }


def result_json(result: SolveResult) -> dict[str, Any]:
    """The part of the answer of `solve` that does not name the deal."""
    solution = result.solution
    return {
        "cells": result.num_cells,
        "verdict": result.verdict.word,
        "reason": result.reason.value if result.reason is not None else None,
        "nodes": result.num_nodes,
        "seconds": round(result.seconds, 3),
        "solution": _solution_json(solution) if solution is not None else None,
    }


def json_text(value: Any, indent: str = "") -> str:
    """`value` as JSON, broken into lines only where one would become long."""
    text = json.dumps(value)
    if len(indent) + len(text) <= _LINE_LENGTH or not isinstance(value, dict | list):
        return text
    deeper = indent + _INDENT
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {json_text(item, deeper)}" for key, item in value.items()]
        return _bracketed("{", items, "}", indent)
    if any(isinstance(item, dict | list) for item in value):
        return _bracketed("[", [json_text(item, deeper) for item in value], "]", indent)
    words = [json.dumps(item) for item in value]
    lines = [words[i : i + _WORDS_A_LINE] for i in range(0, len(words), _WORDS_A_LINE)]
    return _bracketed("[", [", ".join(line) for line in lines], "]", indent)


def _bracketed(opening: str, items: list[str], closing: str, indent: str) -> str:
    lines = ",\n".join(indent + _INDENT + item for item in items)
    return f"{opening}\n{lines}\n{indent}{closing}"


def step_json(step: Step) -> dict[str, Any]:
    """An action of a line of play."""
    return {"notation": step.notation, **action_facts(step.before, step.action)}


def say_move(move: Mapping[str, Any], voice: Voice) -> str:
    """A move in words, from its document: of `step_json`, or of a single-card move."""
    facts = move if "cards" in move else {**move, "cards": [move["card"]]}
    return say_action(facts, voice.language, card_names=voice.is_plain)


def with_words(answer: Any, voice: Voice = ENGLISH_VOICE) -> Any:
    """An answer with words for people who read JSON; everything else as it was."""
    if isinstance(answer, Note):
        return answer.text(voice.language)
    if isinstance(answer, list):
        return [with_words(item, voice) for item in answer]
    if not isinstance(answer, dict):
        return answer
    document: dict[str, Any] = {}
    for key, value in answer.items():
        document[key] = value if key == "facts" else with_words(value, voice)
        if key == "notation" and "on" in answer:
            document["text"] = say_move(answer, voice)
        elif key == "reasons":
            document["reason"] = say_gains(value, voice.language, card_names=voice.is_plain)
        elif key == "facts":
            document["reason"] = voice.say_message(answer)
    return document


def json_answer(answer: Any, voice: Voice = ENGLISH_VOICE) -> str:
    """An answer as `--json` writes it, with words for people."""
    return json_text(with_words(answer, voice)) + "\n"


def source_json(source: DealSource) -> dict[str, Any]:
    return {"deal": source.name, "dealer": source.dealer, "notes": list(source.all_notes)}


def _solution_json(solution: Solution) -> dict[str, Any]:
    return {
        "notation": list(solution.notation),
        "actions": [step_json(step) for step in solution.steps],
        "plies": [
            ply
            for number, step in enumerate(solution.steps, start=1)
            for ply in _plies_json(step, number)
        ],
        "score": solution.score,
    }


def _plies_json(step: Step, number: int) -> Iterator[dict[str, Any]]:
    """The single-card moves of action `number`."""
    position = step.before
    for ply in step.plies:
        facts = action_facts(position, ply.action)
        card = facts.pop("cards")[0]
        yield {"notation": format_ply(position, ply), "card": card, **facts, "action": number}
        position = apply_ply(position, ply)


def _fault_json(fault: ReplayFault) -> dict[str, Any]:
    return {
        "number": fault.index + 1,
        "text": fault.token.text,
        "line": fault.token.line,
        "column": fault.token.column,
        **fault.error.message,
    }
