"""The questions about one game or board."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from boulanger.engine.boards.writing import position_to_json
from boulanger.engine.deals.codes import NUM_CODES, format_code
from boulanger.engine.deals.dealers import DEALERS
from boulanger.engine.moves import Place, cell_place, column_place
from boulanger.engine.notation import format_action, parse_action
from boulanger.engine.position import CELL_LETTERS, DEFAULT_CELLS, deal_order
from boulanger.engine.words import ENGLISH, message
from boulanger.solver.answers.play import source_json
from boulanger.solver.answers.table import table_json
from boulanger.solver.deals.source import DealKind, DealSource
from boulanger.solver.result import Measure, StepProgress
from boulanger.solver.web.errors import RequestError
from boulanger.solver.web.lanes import Job
from boulanger.solver.web.questions import Answer, Shared, Values
from boulanger.solver.web.requests import MAX_MEMORY, read_limits, whole_number, wrong_value

if TYPE_CHECKING:
    from boulanger.engine.game import Game


def deal(shared: Shared, values: Values, job: Job) -> Answer:
    """A board to play on: the one asked for, or a game code drawn at random."""
    if "start" not in values and "board" not in values:
        code = format_code(secrets.randbelow(NUM_CODES), values.get("cells", DEFAULT_CELLS))
        values = {**values, "start": code}
    source, played = shared.read_game(values)
    return {
        **_origin_json(source),
        **_played_json(source, played.game, list(played.notation)),
    }


def play(shared: Shared, values: Values, job: Job) -> Answer:
    """The board after the moves, and after one more gesture if there is one."""
    source, played = shared.read_game(values)
    game, notation = played.game, list(played.notation)
    gestures = [key for key in ("move", "tap", "double_tap", "undo") if key in values]
    if len(gestures) > 1:
        raise RequestError("web.one_gesture", number=len(gestures))
    done = 0
    if "undo" in values:
        for done in range(1, values["undo"] + 1):  # noqa: B007
            game.undo()
            notation.pop()
    elif gestures:
        before = game.copy()
        if _gesture(game, values) is not None:
            notation.append(_last_notation(before, game))
            done = 1
    return {**source_json(source), **_played_json(source, game, notation), "done": done}


def check(shared: Shared, values: Values, job: Job) -> Answer:
    """Whether the game can still be won."""
    from boulanger.solver.advice.hints import check as check_game
    from boulanger.solver.answers.hints import check_json

    source, played = shared.read_game(values)
    checked = check_game(played.game, limits=read_limits(values, job.go_on))
    return check_json(source, len(played.notation), checked)


def hint(shared: Shared, values: Values, job: Job) -> Answer:
    """What to play next on a shortest way to the win; in a lost game, where it was lost."""
    from boulanger.solver.advice.hints import hint as find_hint
    from boulanger.solver.advice.hints import mark_actions
    from boulanger.solver.answers.hints import hint_json

    source, played = shared.read_game(values)
    measure, limits = values.get("measure", Measure.ACTIONS), read_limits(values, job.go_on)
    known = shared.lines.get(played.game.position, measure)
    found = find_hint(played.game, values.get("count", 1), measure, limits=limits, known=known)
    if found.solution is not None and not found.is_proven:
        shared.lines.keep(found.solution, measure)
    marked = None
    if values.get("all"):
        job.go_on()
        marked = mark_actions(played.game, True, measure, limits=limits)
    return hint_json(source, len(played.notation), found, marked)


def marks(shared: Shared, values: Values, job: Job) -> Answer:
    """For every legal action whether it keeps the win."""
    from boulanger.solver.advice.hints import mark_actions
    from boulanger.solver.answers.hints import mark_json

    source, played = shared.read_game(values)
    measure = values.get("measure", Measure.ACTIONS)
    marked = mark_actions(
        played.game, values.get("distance", False), measure, limits=read_limits(values, job.go_on)
    )
    return {
        **source_json(source),
        "cells": source.position.num_cells,
        "played": len(played.notation),
        "measure": measure.value,
        "actions": [mark_json(mark) for mark in marked],
    }


def solve(shared: Shared, values: Values, job: Job) -> Answer:
    """Whether the board can be won, and how."""
    from dataclasses import replace

    from boulanger.solver.answers.play import shortest_json, solve_json
    from boulanger.solver.line.solve import first_solution
    from boulanger.solver.optimal.shortest import find_shortest
    from boulanger.solver.optimal.solve import solve as solve_position

    source, played = shared.read_game(values)
    source = replace(source, position=played.game.position)
    limits = read_limits(values, job.go_on)
    measure = values.get("shortest")
    if measure is None:
        return solve_json(source, solve_position(source.position, limits=limits))
    result, found = first_solution(source.position, limits=limits), None
    if result.solution is not None:
        found = find_shortest(
            source.position,
            measure=measure,
            limits=limits,
            on_progress=lambda progress: job.tell(
                {
                    "lower_bound": progress.lower_bound,
                    "length": progress.length,
                    "nodes": progress.num_nodes,
                    "seconds": round(progress.seconds, 3),
                }
            ),
            known=result.solution,
        )
    return shortest_json(source, result, found)


def review(shared: Shared, values: Values, job: Job) -> Answer:
    """What became of the game with each of its moves."""
    from boulanger.solver.advice.review import review as review_game
    from boulanger.solver.answers.review import review_json

    source, played = shared.read_game(values)
    limits = read_limits(values, job.go_on, 60.0)
    measure = values.get("measure", Measure.ACTIONS)
    reviewed = review_game(played.game, measure, limits=limits, on_progress=_teller(job))
    return review_json(source, reviewed)


def rate(shared: Shared, values: Values, job: Job) -> Answer:
    """How hard the board is, and why."""
    from boulanger.solver.answers.rating import rating_json
    from boulanger.solver.rating.rate import rate as rate_position

    source, played = shared.read_game(values)
    rating = rate_position(
        played.game.position,
        seed=values.get("seed", 0),
        max_memory=MAX_MEMORY,
        on_progress=_teller(job),
    )
    return rating_json(source, rating)


def export(shared: Shared, values: Values, job: Job) -> Answer:
    """One HTML file that opens anywhere: {name, html}."""
    from boulanger.solver.answers.one_file import one_file

    source, played = shared.read_game(values)
    board, moves = source.position, list(played.notation)
    limits = read_limits(values, job.go_on, 60.0)
    parts: dict[str, Any] = {}
    if values.get("reviewed"):
        from boulanger.solver.advice.review import review as review_game
        from boulanger.solver.answers.review import review_json

        parts["review"] = review_json(
            source, review_game(played.game, limits=limits, on_progress=_teller(job))
        )
        parts["verdict"] = parts["review"]["verdict"]
    else:
        from boulanger.solver.advice.hints import hint as find_hint
        from boulanger.solver.answers.hints import hint_json

        board = played.game.position
        found = find_hint(played.game, limits=limits)
        moves = list(found.solution.notation) if found.solution is not None else []
        parts["verdict"] = hint_json(source, len(played.notation), found)["verdict"]
    job.go_on()
    if values.get("rated"):
        from boulanger.solver.answers.rating import rating_json
        from boulanger.solver.rating.rate import rate as rate_position

        parts["rating"] = rating_json(
            source, rate_position(board, max_memory=MAX_MEMORY, on_progress=_teller(job))
        )
    name = re.sub(r"[^A-Za-z0-9]+", "-", source.name).strip("-").lower()
    html = one_file(source.name, board, moves, parts, values.get("language", ENGLISH))
    return {"name": f"boulanger-{name}.html", "html": html}


def _teller(job: Job) -> Callable[[StepProgress], None]:
    """Passes on how many of how many steps are done; ends the work if nobody waits for it."""
    return lambda progress: job.tell({"done": progress.num_done, "steps": progress.num_steps})


def _origin_json(source: DealSource) -> Answer:
    """What is known of where a board comes from."""
    dealer = source.code_dealer
    return {
        **source_json(source),
        "kind": source.kind.value,
        "number": source.number,
        "dealer_note": None if dealer is None else dealer.note,
        "dealer_known": source.kind != DealKind.CODE or source.dealer not in DEALERS,
        "fresh": deal_order(source.position.columns) is not None,
    }


def _played_json(source: DealSource, game: Game, notation: list[str]) -> Answer:
    start = position_to_json(source.position) if source.kind == DealKind.BOARD else source.name
    return {
        "start": start,
        "moves": notation,
        "undoable": game.num_undoable,
        **table_json(game),
    }


def _gesture(game: Game, values: Values) -> Any:
    """Plays what the question says; the action, if any was played."""
    if "move" in values:
        move = values["move"]
        if isinstance(move, dict):
            move = _move_text(game, move)
        return game.apply(parse_action(game.position, move))
    if "tap" in values:
        return game.tap(_place("tap", values["tap"]))
    return game.double_tap(_place("double_tap", values["double_tap"]))


def _move_text(game: Game, move: Mapping[str, Any]) -> str:
    """The notation of {from, to, count}: what a drag means."""
    source, destination, count = move["from"], move["to"], move.get("count", 1)
    for name in ("from", "to"):
        if not isinstance(move[name], str) or len(move[name]) != 1:
            raise wrong_value(f"move.{name}", move[name], message("wanted.place_or_home"))
    if type(count) is not int or not 1 <= count <= 13:
        raise wrong_value("move.count", count, whole_number(1, 13))
    text = f"{source}{destination}"
    is_column = source in "12345678" and destination in "12345678"
    if is_column and not game.position.columns[int(destination) - 1]:
        return f"{text}v{count:x}"
    return text


def _place(name: str, text: str) -> Place:
    if len(text) == 1 and text in "12345678":
        return column_place(int(text) - 1)
    if len(text) == 1 and text in CELL_LETTERS:
        return cell_place(CELL_LETTERS.index(text))
    raise wrong_value(name, text, message("wanted.place"))


def _last_notation(before: Game, game: Game) -> str:
    return format_action(before.position, game.history[-1])
