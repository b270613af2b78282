"""The `boulanger` command line: its commands, and those that ask about one deal.

Nothing here imports Numba or NumPy until a deal is to be solved, so that everything else answers at
once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import click

from boulanger.engine.errors import BoulangerError
from boulanger.engine.notes import Note
from boulanger.solver.cli.arguments import (
    FILE,
    Value,
    argument,
    cells_option,
    deal_argument,
    dealer_option,
    html_option,
    json_option,
    layout_options,
    limit_options,
    voice,
    voice_options,
)
from boulanger.solver.cli.commands import Commands, command
from boulanger.solver.cli.games import exit_code
from boulanger.solver.cli.notes import remark_notes, remark_origin
from boulanger.solver.cli.options import MEASURES, parse_measure
from boulanger.solver.cli.playing import played_option, read_played_deal
from boulanger.solver.cli.terminal import (
    EXIT_BAD_INPUT,
    EXIT_NO,
    EXIT_YES,
    StatusLine,
    compile_first,
    write,
)

if TYPE_CHECKING:
    from boulanger.solver.deals.source import DealSource
    from boulanger.solver.limits import Limits
    from boulanger.solver.result import Measure, Progress, ShortestResult, Solution, SolveResult

_NOTATION: Final = "notation"
_STYLES: Final = (_NOTATION, "words", "fcs", "pysol")
style_option: Final = click.option(
    "--style",
    metavar="|".join(_STYLES),
    type=click.Choice(_STYLES),
    default=_NOTATION,
    show_default=True,
    help="How to write the moves: in our notation, in words, as Freecell Solver does with -snx, "
    "or in its sentences.",
)

_NUMBER: Final = re.compile(r"\s*[-+]?\d[\d,.'_]*\s*")
_SILENT_SECONDS: Final = 1.0  # before a long search shows how far it is

_ROOM: Final = "boulanger.solver.cli"
_SECTIONS: Final = {
    "One deal": {
        "show": f"{_ROOM}.app",
        "solve": f"{_ROOM}.app",
        "rate": f"{_ROOM}.rate",
        "verify": f"{_ROOM}.app",
        "code": f"{_ROOM}.app",
        "notation": f"{_ROOM}.notation",
    },
    "A game that you play": {
        "hint": f"{_ROOM}.games",
        "check": f"{_ROOM}.games",
        "review": f"{_ROOM}.games",
        "serve": f"{_ROOM}.serve",
    },
    "Many deals": {
        "find": f"{_ROOM}.catalogue_queries",
        "classify": f"{_ROOM}.catalogue",
        "merge": f"{_ROOM}.catalogue",
        "summary": f"{_ROOM}.catalogue_queries",
        "export": f"{_ROOM}.catalogue_queries",
    },
    "For other programs": {
        "engine": f"{_ROOM}.engine",
    },
    "How the app deals": {
        "identify": f"{_ROOM}.dealers",
        "dealers": f"{_ROOM}.dealers",
    },
    "This program": {
        "help": f"{_ROOM}.manual",
        "completion": f"{_ROOM}.manual",
        "compile": f"{_ROOM}.compile",
    },
}

_HELP: Final = """Exact solver for Baker's Game (Jeu du Boulanger).

DEAL is a game code such as BK1-C4-AAAAA24, ms:NUMBER for a Microsoft FreeCell deal,
random:NUMBER@SEED for one of a random sample, a file with a board (text or JSON), or - for standard
input.

`boulanger COMMAND --help` explains a command. `boulanger help TOPIC` explains board, moves, codes
and exit-codes: 0 winnable, 1 proven unwinnable, 2 bad input, 3 undecided.
"""


def _show_version(context: click.Context, option: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        write(f"boulanger {version('boulanger')}\n")
        context.exit()


@click.group(cls=Commands, sections=_SECTIONS, help=_HELP, invoke_without_command=True)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.pass_context
def app(context: click.Context) -> int:
    """The command; alone it shows its help, which is no answer."""
    if context.invoked_subcommand is None:
        write(context.get_help() + "\n")
    return EXIT_BAD_INPUT


@command()
@deal_argument()
@played_option
@cells_option
@layout_options
@dealer_option
@json_option
@voice_options
def show(
    deal: str,
    played: str,
    cells: int | None,
    layout: str | None,
    dealer: str | None,
    as_json: bool,
) -> int:
    """Show the board of a deal, or of a game that was played on it.

    The text is a board file itself, to be edited and given back as DEAL.
    """
    source = read_played_deal(deal, played, cells, dealer, layout)
    if as_json:
        from boulanger.solver.answers.play import json_answer, show_json

        write(json_answer(show_json(source), voice()))
        return EXIT_YES
    from boulanger.solver.answers.text import show_text

    remark_notes(source)
    write(show_text(source, voice()))
    return EXIT_YES


@command()
@deal_argument()
@played_option
@cells_option
@layout_options
@dealer_option
@json_option
@style_option
@voice_options
@click.option(
    "--plies",
    "with_plies",
    is_flag=True,
    help="List single-card moves below moves of several cards.",
)
@click.option(
    "--shortest",
    metavar="plies|actions",
    type=Value(parse_measure, MEASURES),
    help="Find a proven shortest solution, in single-card moves or in the app's actions.",
)
@click.option(
    "--proof",
    metavar="FILE",
    type=FILE,
    help="Write a proof of a lost deal, for verify --proof, to this file.",
)
@html_option
@limit_options()
def solve(
    deal: str,
    played: str,
    cells: int | None,
    layout: str | None,
    dealer: str | None,
    as_json: bool,
    style: str,
    with_plies: bool,
    shortest: Measure | None,
    proof: str | None,
    html: str | None,
    max_nodes: int | None,
    max_seconds: float | None,
    max_memory: int,
) -> int:
    """Say whether a deal can be won, and how.

    The text is a list of moves for verify; everything else in it is a comment.
    """
    from boulanger.solver.limits import Limits

    source = read_played_deal(deal, played, cells, dealer, layout)
    limits = Limits(max_nodes, max_seconds, max_memory)
    if not as_json:
        remark_notes(source)

    from boulanger.solver.line.solve import first_solution
    from boulanger.solver.optimal.solve import is_ready, prepare
    from boulanger.solver.optimal.solve import solve as solve_position

    compile_first(is_ready, "solutions")
    prepare()
    # Who wants a shortest solution needs the verdict first, and any solution will do to begin with.
    find = solve_position if shortest is None else first_solution
    result = find(source.position, limits=limits)
    solution = result.solution
    if shortest is not None:
        showing = _Showing(as_json, with_plies, style)
        found = _answer_shortest(source, result, shortest, limits, showing)
        solution = found.solution if found is not None and found.solution else solution
    elif as_json:
        from boulanger.solver.answers.play import json_answer, solve_json

        document = _styled(solve_json(source, result), result.solution, style)
        write(json_answer(document, voice()))
    else:
        from boulanger.solver.answers.text import solve_text

        write(solve_text(source, result, limits, with_plies, voice(), style))
    if proof is not None:
        from boulanger.solver.cli.proofs import write_proof

        write_proof(source.position, result.verdict, proof)
    if html is not None:
        from boulanger.solver.cli.html import write_html

        moves = solution.notation if solution is not None else ()
        write_html(html, source, moves, result.verdict)
    return exit_code(result.verdict)


def _answer_shortest(
    source: DealSource,
    result: SolveResult,
    measure: Measure,
    limits: Limits,
    showing: _Showing,
) -> ShortestResult | None:
    """Writes and returns the answer of `solve --shortest`; text has its verdict at once."""
    from boulanger.solver.answers.play import json_answer, shortest_json
    from boulanger.solver.answers.text import shortest_text, verdict_text

    if not showing.as_json:
        write(verdict_text(source, result, limits, voice()))
    found = None if result.solution is None else _find_shortest(result, measure, limits)
    if showing.as_json:
        solution = result.solution if found is None else found.solution or result.solution
        document = _styled(shortest_json(source, result, found), solution, showing.style)
        write(json_answer(document, voice()))
    elif found is not None:
        write(shortest_text(found, limits, showing.with_plies, voice(), showing.style))
    return found


@dataclass(frozen=True, slots=True)
class _Showing:
    """How `solve` writes its answer."""

    as_json: bool
    with_plies: bool
    style: str


def _styled(document: dict[str, Any], solution: Solution | None, style: str) -> dict[str, Any]:
    """The answer of `solve` with the moves in another style too, if one is asked for."""
    from boulanger.engine.movelists.writing import write_moves

    if solution is None or style == _NOTATION:
        return document
    moves = write_moves(solution.start, solution.actions, style)
    return {**document, "solution": {**document["solution"], "style": style, "moves": moves}}


def _find_shortest(result: SolveResult, measure: Measure, limits: Limits) -> ShortestResult:
    """A shortest solution, with a line on how far the search is when that takes over a second."""
    from boulanger.solver.answers.text import progress_text
    from boulanger.solver.optimal.shortest import find_shortest

    line, spoken = StatusLine(), voice()

    def show(progress: Progress) -> None:
        if progress.seconds >= _SILENT_SECONDS:
            line.show(progress_text(progress, measure, spoken))

    try:
        return find_shortest(
            result.position,
            measure=measure,
            limits=limits,
            on_progress=show,
            known=result.solution,
        )
    finally:
        line.clear()


@command()
@deal_argument()
@click.option(
    "--moves",
    metavar="FILE",
    type=FILE,
    help="A file with moves (see `boulanger notation`), or - for standard input.",
)
@click.option(
    "--proof",
    metavar="FILE",
    type=FILE,
    help="A proof that the deal cannot be won, written by solve --proof.",
)
@cells_option
@layout_options
@dealer_option
@json_option
@voice_options
def verify(
    deal: str,
    moves: str | None,
    proof: str | None,
    cells: int | None,
    layout: str | None,
    dealer: str | None,
    as_json: bool,
) -> int:
    """Replay moves on a deal, or check a proof that it cannot be won.

    Says whether the moves win and with which score, or which one is the first that is illegal, and
    why. A proof is checked by a program of its own that shares nothing with the solver.
    """
    if (moves is None) == (proof is None):
        raise BoulangerError("options.verify_one")
    if proof is not None:
        from boulanger.solver.cli.proofs import check_proof
        from boulanger.solver.cli.reading import read_deal

        return check_proof(read_deal(deal, cells, dealer, layout), proof, as_json)
    assert moves is not None
    from boulanger.engine.errors import NotationError
    from boulanger.engine.game import replay
    from boulanger.solver.answers.text import verify_text
    from boulanger.solver.cli.reading import (
        STANDARD_INPUT,
        read_deal,
        read_moves_text,
        shown_name,
    )

    if deal == moves == STANDARD_INPUT:
        raise BoulangerError("options.input_twice", first="DEAL", second="--moves")
    source = read_deal(deal, cells, dealer, layout)
    text = read_moves_text(moves)
    try:
        replayed = replay(source.position, text)
    except NotationError as error:
        where = shown_name(moves)
        raise NotationError("error.at", where=where, error=error.message) from None
    source = replace(source, notes=(*source.notes, *replayed.notes))
    if replayed.fault is not None and replayed.fault.is_notation:
        where = shown_name(moves)
        raise NotationError("error.at", where=where, error=replayed.fault.message)
    if as_json:
        from boulanger.solver.answers.play import json_answer, verify_json

        write(json_answer(verify_json(source, replayed), voice()))
    else:
        remark_origin(source)
        write(verify_text(replayed, voice()))
    return EXIT_YES if replayed.fault is None else EXIT_NO


@command()
@argument(
    "what",
    metavar="NUMBER|CODE|BOARD",
    type=FILE,
    help="A number from 0 to 34359738367, a game code, a file with a board, or -.",
)
@cells_option
@dealer_option
@json_option
@layout_options
def code(
    what: str, cells: int | None, dealer: str | None, as_json: bool, layout: str | None
) -> int:
    """Turn a number into a game code, or a code into its number.

    For a board: its Microsoft deal number, of all 2^33 with the extensions of FreeCell Pro, also if
    its columns are in another order.
    """
    from boulanger.engine.deals.codes import GameCode
    from boulanger.engine.deals.dealers import BK1
    from boulanger.engine.position import DEFAULT_CELLS
    from boulanger.solver.answers.play import code_json
    from boulanger.solver.cli.reading import read_deal
    from boulanger.solver.deals.code_dealer import code_dealer

    if _NUMBER.fullmatch(what):
        number = BK1.parse_number(what)
        dealt_by = code_dealer(dealer)
        game_code = GameCode(number, DEFAULT_CELLS if cells is None else cells)
        _answer(game_code.text, code_json(game_code, (dealt_by.note,), dealt_by.name), as_json)
        return EXIT_YES
    source = read_deal(what, cells, dealer, layout)
    if source.code is None:
        return _answer_ms_number(source, as_json)
    if not as_json:
        remark_notes(source)
    game_code = GameCode(source.code.number, source.position.num_cells)
    document = code_json(game_code, source.all_notes, source.dealer or BK1.name)
    _answer(str(game_code.number), document, as_json)
    return EXIT_YES


def _answer_ms_number(source: DealSource, as_json: bool) -> int:
    """The answer of `code` for a board, which has no game code."""
    from boulanger.engine.cards import NUM_CARDS
    from boulanger.engine.deals.ms import find_ms_number
    from boulanger.engine.position import deal_order
    from boulanger.solver.answers.play import ms_number_json
    from boulanger.solver.deals.source import DealKind

    number = source.number if source.kind == DealKind.MS else None
    if number is None:
        cards = deal_order(source.position.columns)
        number = find_ms_number(cards) if cards is not None else None
    if number is None and sum(map(len, source.position.columns)) == NUM_CARDS:
        from boulanger.engine.deals.ms_search import find_ms_deal

        match = find_ms_deal(source.position.columns)
        if match is not None:
            number = match.number
            if not match.is_same_order:
                order = " ".join(str(column + 1) for column in match.order)
                note = Note("note.column_order", order=order)
                source = replace(source, notes=(*source.notes, note))
    if not as_json:
        remark_notes(source)
    sentence = voice().say("code.no_ms_number")
    _answer(
        f"ms:{number}" if number is not None else sentence, ms_number_json(source, number), as_json
    )
    return EXIT_YES


def _answer(text: str, document: dict[str, Any], as_json: bool) -> None:
    from boulanger.solver.answers.play import json_answer

    write(json_answer(document, voice()) if as_json else text + "\n")
