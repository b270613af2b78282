"""The command's answers as text for people, which the command can also read back.

What `show` writes is a board file and what `solve` writes is a list of moves: everything else in
them is a comment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boulanger.engine.boards.text import format_board
from boulanger.engine.cards import NUM_CARDS
from boulanger.engine.game import ReplayFault, ReplayResult
from boulanger.engine.movelists.writing import MOVE_WRITERS
from boulanger.engine.moves import Ply
from boulanger.engine.notation import describe_action, describe_ply
from boulanger.engine.position import CELL_LETTERS, Position
from boulanger.engine.rules import apply_ply, close
from boulanger.engine.words import quoted
from boulanger.solver.answers.play import actions_with_plies
from boulanger.solver.deals.source import DealSource
from boulanger.solver.result import (
    Limits,
    Measure,
    Progress,
    Reason,
    ShortestResult,
    Solution,
    SolveResult,
    Verdict,
)

# The widest notation is that of a run into an empty column, such as 28v3.
_NOTATION_WIDTH: Final = 4

_SHORT_STYLES: Final = ("notation", "fcs")  # with the move in words as a comment

_MEASURE_NOUNS: Final = {Measure.PLIES: "single-card move", Measure.ACTIONS: "action"}


def show_text(source: DealSource) -> str:
    """The answer of `show`: a board file with the notes as comments."""
    return _joined([*_heading(source), *_board_lines(source.position)])


def solve_text(
    source: DealSource,
    result: SolveResult,
    limits: Limits,
    with_plies: bool = False,
    style: str = "notation",
) -> str:
    """The answer of `solve`: the board and the verdict as comments, the solution as moves.

    Args:
        source: where the position came from.
        result: what the search found.
        limits: what it was allowed.
        with_plies: list below a move of several cards, as comments, how they go one by one.
        style: how to write the moves, a key of `engine.movelists.writing.MOVE_WRITERS`.
    """
    text = verdict_text(source, result, limits)
    if result.solution is not None:
        text += _joined(list(_solution_lines(result.solution, with_plies, style)))
    elif result.verdict == Verdict.WINNABLE:
        text += f"# No solution: the limit of {result.reason} was met while working it out.\n"
    return text


def verdict_text(source: DealSource, result: SolveResult, limits: Limits) -> str:
    """The beginning of the answer of `solve`, up to the verdict, as comments."""
    lines = [*_heading(source), *(f"#   {line}" for line in _board_lines(source.position)), "#"]
    lines.append(f"# {verdict_sentence(result, limits)}")
    return _joined(lines)


def shortest_text(
    result: ShortestResult, limits: Limits, with_plies: bool = False, style: str = "notation"
) -> str:
    """What follows the verdict of `solve --shortest`: how short, and such a solution."""
    lines = [f"# {shortest_sentence(result, limits)}"]
    if result.solution is not None:
        lines += _solution_lines(result.solution, with_plies, style)
    return _joined(lines)


def shortest_sentence(result: ShortestResult, limits: Limits) -> str:
    """What is known of the shortest solution of a winnable position, in words."""
    noun = _MEASURE_NOUNS[result.measure]
    effort = f"{_count(result.num_nodes, 'node')}, {result.seconds:.2f} s"
    if result.is_proven:
        least = _count(result.length or 0, noun)
        return f"Proven shortest: no solution has fewer than {least} ({effort})."
    return (
        f"Not proven shortest ({effort}): stopped at the limit of "
        f"{_limit_phrase(result.reason, limits)}; no solution has fewer than "
        f"{_count(result.lower_bound or 0, noun)}."
    )


def progress_text(progress: Progress, measure: Measure) -> str:
    """How far the search for a shortest solution is, in a line of a terminal."""
    noun = _MEASURE_NOUNS[measure]
    best = f"{progress.length:,} known, " if progress.length is not None else ""
    speed = progress.num_nodes / max(progress.seconds, 1e-9)
    return (
        f"at least {_count(progress.lower_bound, noun)}, {best}"
        f"{progress.num_nodes:,} nodes, {speed:,.0f} a second, {progress.num_bytes >> 20:,} MiB"
    )


def verdict_sentence(result: SolveResult, limits: Limits) -> str:
    """The verdict in words, with what it took."""
    effort = f"{_count(result.num_nodes, 'node')}, {result.seconds:.2f} s"
    cells = _count(result.num_cells, "cell")
    if result.verdict == Verdict.WINNABLE:
        return f"Winnable with {cells} ({effort})."
    if result.verdict == Verdict.UNWINNABLE:
        return f"Proven unwinnable with {cells} ({effort}): no way to play it wins."
    return (
        f"Undecided with {cells} ({effort}): stopped at the limit of "
        f"{_limit_phrase(result.reason, limits)}; a higher one may tell."
    )


def verify_text(replayed: ReplayResult) -> str:
    """The answer of `verify`: one sentence."""
    played = f"{_count(replayed.num_actions, 'move')}, score {replayed.score}"
    if replayed.fault is not None:
        return _joined([f"Illegal: {fault_sentence(replayed.fault)} (before it: {played})."])
    if replayed.is_won:
        return _joined([f"Won: {played}."])
    left = NUM_CARDS - sum(replayed.position.foundations)
    return _joined([f"Legal but unfinished: {played}, {_count(left, 'card')} not home."])


def fault_sentence(fault: ReplayFault) -> str:
    """Which move cannot be played, where it stands, and why, without a full stop."""
    token = fault.token
    where = f"line {token.line}, column {token.column}"
    return f"move {fault.index + 1}, {quoted(token.text)} ({where}): {fault.reason}"


def _heading(source: DealSource) -> list[str]:
    name = "standard input" if source.name == "-" else source.name
    lines = [f"# {name}, {_count(source.position.num_cells, 'cell')}"]
    if source.code_dealer is not None:
        lines.append(f"# {source.code_dealer.note}")
    return lines


def _board_lines(position: Position) -> list[str]:
    """The board as text, its columns numbered in comments at the end of their lines."""
    lines = format_board(position).splitlines()
    first_column = len(lines) - len(position.columns)
    width = max(map(len, lines[first_column:]))
    numbered = [
        f"{line:{width}}  # {number}" for number, line in enumerate(lines[first_column:], start=1)
    ]
    return [*lines[:first_column], *numbered]


def _solution_lines(solution: Solution, with_plies: bool, style: str = "notation") -> Iterator[str]:
    if not solution.actions:
        yield "# All cards are home already."
        return
    num_pending = len(close(solution.start)[1])
    if num_pending:
        goes = "card can" if num_pending == 1 else "cards can"
        yield f"# On this board {num_pending} {goes} go home at once: the solution opens with that."
    yield (
        f"# Solution: {_count(len(solution.actions), 'action')} "
        f"({_count(len(solution.plies), 'single-card move')}), score {solution.score}."
    )
    yield "# Nothing moves by itself: each card that goes home is an action."
    yield f"# {_key_to_style(style, solution.start.num_cells)}"
    number_width = len(str(len(solution.actions)))
    for number, (position, action, plies) in enumerate(actions_with_plies(solution), start=1):
        move = MOVE_WRITERS[style](position, action)
        if style in _SHORT_STYLES:
            words = describe_action(position, action)
            yield f"{number:{number_width}}. {move:{_NOTATION_WIDTH}} # {words}"
        else:
            yield move if style == "pysol" else f"{number:{number_width}}. {move}"
        if with_plies and len(plies) > 1:
            indent = " " * (number_width + 2 + _NOTATION_WIDTH + 1)
            yield from (f"{indent}#   {line}" for line in _ply_lines(position, plies))


def _ply_lines(position: Position, plies: list[Ply]) -> Iterator[str]:
    for ply in plies:
        yield describe_ply(position, ply)
        position = apply_ply(position, ply)


def _key_to_style(style: str, num_cells: int) -> str:
    """What a reader must know about how the moves are written."""
    if style == "words":
        return "The moves are in words; verify and --played read them."
    if style == "pysol":
        return "Stacks and freecells are numbered from 0."
    key = _key_to_notation(num_cells)
    return f"{key} Without v it is one card." if style == "fcs" else key


def _key_to_notation(num_cells: int) -> str:
    cells = ""
    if num_cells:
        last = CELL_LETTERS[num_cells - 1]
        cells = ", cell a" if num_cells == 1 else f", cells a to {last}"
    return f"Columns 1 to 8{cells}, h is home; v3 means three cards."


def _limit_phrase(reason: Reason | None, limits: Limits) -> str:
    if reason == Reason.NODES:
        return f"{_count(limits.max_nodes or 0, 'node')} (--max-nodes)"
    if reason == Reason.SECONDS:
        return f"{limits.max_seconds:g} seconds (--max-seconds)"
    size, unit = limits.max_memory / 2**20, "MiB"
    if size >= 1024:
        size, unit = size / 1024, "GiB"
    return f"{size:g} {unit} of memory (--max-memory)"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _joined(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)
