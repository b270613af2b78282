"""The command's answers as text for people, which the command can also read back.

What `show` writes is a board file and what `solve` writes is a list of moves: everything else in
them is a comment. No line is longer than 80 columns, moves with their remarks left out.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any, Final

from boulanger.engine.boards.writing import format_board
from boulanger.engine.cards import NUM_CARDS, SUIT_LETTERS, card_text, make_card
from boulanger.engine.descriptions import action_facts
from boulanger.engine.game import Game, ReplayResult
from boulanger.engine.movelists.writing import MOVE_WRITERS
from boulanger.engine.position import CELL_LETTERS, Position
from boulanger.engine.rules import apply_ply, close
from boulanger.engine.words import ENGLISH_VOICE, Voice, counted
from boulanger.solver.answers.play import say_move, step_json
from boulanger.solver.deals.source import DealSource
from boulanger.solver.limits import Limits, Reason
from boulanger.solver.result import (
    Measure,
    Progress,
    ShortestResult,
    Solution,
    SolveResult,
    Step,
    Verdict,
)

NOTATION_WIDTH: Final = 4
"""The widest notation is that of a run into an empty column, such as 28v3."""

_SHORT_STYLES: Final = ("notation", "fcs")  # with the move in words as a comment
_LINE_LENGTH: Final = 80
_LONGEST_ECHO: Final = 10  # actions that were played, from the last one back


def show_text(source: DealSource, voice: Voice = ENGLISH_VOICE) -> str:
    """The answer of `show`: a board file with the notes as comments."""
    if voice.is_plain:
        return comments(_heading(source, voice), voice) + _joined(
            _spoken_board(source.position, voice)
        )
    return comments(_heading(source, voice), voice) + _joined(_board_lines(source.position))


def solve_text(
    source: DealSource,
    result: SolveResult,
    limits: Limits,
    with_plies: bool = False,
    voice: Voice = ENGLISH_VOICE,
    style: str = "notation",
) -> str:
    """The answer of `solve`: the board and the verdict as comments, the solution as moves.

    Args:
        source: where the position came from.
        result: what the search found.
        limits: what it was allowed.
        with_plies: list below a move of several cards, as comments, how they go one by one.
        voice: how to say it.
        style: how to write the moves, a key of `engine.movelists.writing.MOVE_WRITERS`.
    """
    text = verdict_text(source, result, limits, voice)
    if result.shortest is not None and result.is_shortest:
        text += comments([shortest_sentence(result.shortest, limits, voice)], voice)
    if result.solution is not None:
        text += _joined(_solution_lines(result.solution, with_plies, voice, style))
    elif result.verdict == Verdict.WINNABLE:
        limit = voice.say("answer.no_solution", limit=_limit_message(result.reason, limits))
        text += comments([limit], voice)
    return text


def verdict_text(
    source: DealSource, result: SolveResult, limits: Limits, voice: Voice = ENGLISH_VOICE
) -> str:
    """The beginning of the answer of `solve`, up to the verdict, as comments."""
    return (
        comments(_heading(source, voice), voice)
        + _board_as_comments(source.position, voice)
        + "#\n"
        + comments([verdict_sentence(result, limits, voice)], voice)
    )


def shortest_text(
    result: ShortestResult,
    limits: Limits,
    with_plies: bool = False,
    voice: Voice = ENGLISH_VOICE,
    style: str = "notation",
) -> str:
    """What follows the verdict of `solve --shortest`: how short, and such a solution."""
    text = comments([shortest_sentence(result, limits, voice)], voice)
    if result.solution is not None:
        text += _joined(_solution_lines(result.solution, with_plies, voice, style))
    return text


def shortest_sentence(result: ShortestResult, limits: Limits, voice: Voice = ENGLISH_VOICE) -> str:
    """What is known of the shortest solution of a winnable position."""
    effort = _effort(result.num_nodes, result.seconds)
    if result.is_proven:
        length = counted(result.length or 0, result.measure.value)
        return voice.say("answer.shortest", length=length, effort=effort)
    return voice.say(
        "answer.not_shortest",
        effort=effort,
        limit=_limit_message(result.reason, limits),
        length=counted(result.lower_bound or 0, result.measure.value),
    )


def progress_text(progress: Progress, measure: Measure, voice: Voice = ENGLISH_VOICE) -> str:
    """How far the search for a shortest solution is, in a line of a terminal."""
    facts: dict[str, Any] = {
        "least": counted(progress.lower_bound, measure.value),
        "nodes": progress.num_nodes,
        "speed": progress.num_nodes / max(progress.seconds, 1e-9),
        "size": progress.num_bytes >> 20,
    }
    if progress.length is None:
        return voice.say("answer.progress", **facts)
    return voice.say("answer.progress_known", known=progress.length, **facts)


def verdict_sentence(result: SolveResult, limits: Limits, voice: Voice = ENGLISH_VOICE) -> str:
    """The verdict, with what it took."""
    facts: dict[str, Any] = {
        "num_cells": result.num_cells,
        "effort": _effort(result.num_nodes, result.seconds),
    }
    if result.verdict == Verdict.UNDECIDED:
        limit = _limit_message(result.reason, limits)
        return voice.say("answer.undecided", limit=limit, **facts)
    is_won = result.verdict == Verdict.WINNABLE
    return voice.say("answer.winnable" if is_won else "answer.unwinnable", **facts)


def verify_text(replayed: ReplayResult, voice: Voice = ENGLISH_VOICE) -> str:
    """The answer of `verify`: one sentence."""
    facts = {"moves": replayed.num_actions, "score": replayed.score}
    if replayed.fault is not None:
        sentence = voice.say("verify.illegal", fault=replayed.fault.message, **facts)
    elif replayed.is_won:
        sentence = voice.say("verify.won", **facts)
    else:
        left = NUM_CARDS - sum(replayed.position.foundations)
        sentence = voice.say("verify.unfinished", left=left, **facts)
    return sentence + "\n"


def comments(sentences: Iterable[str], voice: Voice, prefix: str = "# ") -> str:
    """Sentences as comments, each from a new line on, broken at 80 columns; plain ones are not."""
    lines: list[str] = []
    for sentence in sentences:
        if voice.is_plain:
            lines.append(prefix + sentence)
            continue
        lines += textwrap.wrap(
            sentence,
            _LINE_LENGTH - len(prefix),
            initial_indent=prefix,
            subsequent_indent=prefix,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return _joined(lines)


def board_comments(game: Game, voice: Voice) -> str:
    """What was played in a game, and the board as it is now, as comments."""
    heading = voice.say("board.start")
    if game.history:
        notation = game.notation()
        facts = {"num": len(notation), "moves": " ".join(notation[-_LONGEST_ECHO:])}
        is_long = len(notation) > _LONGEST_ECHO
        heading = voice.say("board.after_long" if is_long else "board.after", **facts)
    return comments([heading], voice) + _board_as_comments(game.position, voice)


def _board_as_comments(position: Position, voice: Voice) -> str:
    lines = _spoken_board(position, voice) if voice.is_plain else _board_lines(position)
    return _joined(f"#   {line}" for line in lines)


def _board_lines(position: Position) -> list[str]:
    """The board as text, its columns numbered in comments at the end of their lines."""
    lines = format_board(position).splitlines()
    columns = [place for place, line in enumerate(lines) if line.startswith(":")]
    width = max(len(lines[place]) for place in columns)
    for number, place in enumerate(columns, start=1):
        lines[place] = f"{lines[place]:{width}}  # {number}"
    return lines


def _spoken_board(position: Position, voice: Voice) -> Iterator[str]:
    """The board in words, a line for each place, for the ear."""
    for suit, rank in enumerate(position.foundations):
        letter = SUIT_LETTERS[suit]
        if rank:
            yield voice.say("board.home", place=letter, card=card_text(make_card(suit, rank)))
        else:
            yield voice.say("board.nothing", place=letter)
    for index, card in enumerate(position.cells):
        cell = CELL_LETTERS[index]
        if card is None:
            yield voice.say("board.nothing", place=cell)
        else:
            yield voice.say("board.cell", place=cell, card=card_text(card))
    for index, column in enumerate(position.columns):
        place = str(index + 1)
        if column:
            cards = [card_text(card) for card in reversed(column)]
            yield voice.say("board.column", place=place, cards=cards)
        else:
            yield voice.say("board.nothing", place=place)


def _heading(source: DealSource, voice: Voice) -> list[str]:
    name = voice.say("answer.standard_input") if source.name == "-" else source.name
    lines = [voice.say("answer.heading", name=name, cells=source.position.num_cells)]
    if source.code_dealer is not None:
        lines.append(source.code_dealer.note.text(voice.language))
    return lines


def _solution_lines(
    solution: Solution, with_plies: bool, voice: Voice, style: str = "notation"
) -> Iterator[str]:
    if not solution.steps:
        yield "# " + voice.say("answer.all_home")
        return
    sentences = []
    num_pending = len(close(solution.start)[1])
    if num_pending:
        sentences.append(voice.say("answer.pending", num=num_pending))
    sentences += [
        voice.say(
            "answer.solution",
            actions=len(solution.steps),
            plies=len(solution.plies),
            score=solution.score,
        ),
        voice.say("answer.nothing_moves"),
        _key_to_style(style, solution.start.num_cells, voice),
    ]
    yield comments(sentences, voice).removesuffix("\n")
    number_width = len(str(len(solution.steps)))
    for number, step in enumerate(solution.steps, start=1):
        move = MOVE_WRITERS[style](step.before, step.action)
        if style in _SHORT_STYLES:
            words = say_move(step_json(step), voice)
            yield f"{number:{number_width}}. {move:{NOTATION_WIDTH}} # {words}"
        else:
            yield move if style == "pysol" else f"{number:{number_width}}. {move}"
        if with_plies and len(step.plies) > 1:
            indent = " " * (number_width + 2 + NOTATION_WIDTH + 1)
            yield from (f"{indent}#   {line}" for line in _ply_lines(step, voice))


def _ply_lines(step: Step, voice: Voice) -> Iterator[str]:
    position = step.before
    for ply in step.plies:
        yield say_move(action_facts(position, ply.action), voice)
        position = apply_ply(position, ply)


def _key_to_style(style: str, num_cells: int, voice: Voice) -> str:
    """What a reader must know about how the moves are written."""
    if style == "words":
        return "The moves are in words; verify and --played read them."
    if style == "pysol":
        return "Stacks and freecells are numbered from 0."
    key = _key_to_notation(num_cells, voice)
    return f"{key} A move into an empty column without v is one card." if style == "fcs" else key


def _key_to_notation(num_cells: int, voice: Voice) -> str:
    if num_cells == 0:
        return voice.say("answer.key_no_cells")
    if num_cells == 1:
        return voice.say("answer.key_one_cell")
    return voice.say("answer.key", last=CELL_LETTERS[num_cells - 1])


def _effort(num_nodes: int, seconds: float) -> dict[str, Any]:
    return {"key": "answer.effort", "facts": {"nodes": num_nodes, "seconds": seconds}}


def _limit_message(reason: Reason | None, limits: Limits) -> dict[str, Any]:
    """Which limit was met, and by which option it is set."""
    if reason == Reason.NODES:
        return {"key": "limit.nodes", "facts": {"nodes": limits.max_nodes or 0}}
    if reason == Reason.SECONDS:
        return {"key": "limit.seconds", "facts": {"seconds": f"{limits.max_seconds:g}"}}
    size, unit = limits.max_memory / 2**20, "MiB"
    if size >= 1024:
        size, unit = size / 1024, "GiB"
    return {"key": "limit.memory", "facts": {"size": f"{size:g} {unit}"}}


def _joined(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)
