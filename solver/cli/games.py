"""The commands for a game that was begun: `hint`, `check` and `review`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from boulanger.engine.errors import BoulangerError
from boulanger.solver.cli.arguments import (
    FILE,
    Value,
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
from boulanger.solver.cli.commands import command
from boulanger.solver.cli.notes import remark_origin
from boulanger.solver.cli.options import MEASURES, parse_few, parse_measure
from boulanger.solver.cli.playing import played_option, read_game
from boulanger.solver.cli.terminal import (
    EXIT_NO,
    EXIT_UNDECIDED,
    EXIT_YES,
    StatusLine,
    compile_first,
    remark,
    write,
)

if TYPE_CHECKING:
    from boulanger.engine.game import Game
    from boulanger.solver.deals.source import DealSource
    from boulanger.solver.limits import Limits
    from boulanger.solver.result import Measure, StepProgress, Verdict

_SILENT_SECONDS: Final = 1.0  # before a long answer shows how far it is
_MAX_LIST_BYTES: Final = 16 << 20

measure_option: Final = click.option(
    "--measure",
    metavar="plies|actions",
    type=Value(parse_measure, MEASURES),
    default="actions",
    show_default=True,
    help="Count distances in single-card moves or in the app's actions.",
)


@command()
@deal_argument(required=False)
@played_option
@click.option(
    "-n",
    "num_hints",
    metavar="K",
    type=Value(parse_few),
    default="1",
    show_default=True,
    help="This many actions.",
)
@click.option(
    "--all", "with_all", is_flag=True, help="Mark every legal action: does it keep the win?"
)
@measure_option
@click.option(
    "--from",
    "from_file",
    metavar="FILE",
    type=FILE,
    help="Instead of DEAL: a file with codes, ms:NUMBERs and boards; needs --json.",
)
@cells_option
@layout_options
@dealer_option
@json_option
@voice_options
@limit_options(max_seconds="10")
def hint(
    deal: str | None,
    played: str,
    num_hints: int,
    with_all: bool,
    measure: Measure,
    from_file: str | None,
    cells: int | None,
    layout: str | None,
    dealer: str | None,
    as_json: bool,
    max_nodes: int | None,
    max_seconds: float | None,
    max_memory: int,
) -> int:
    """Say what to play next; in a lost game, where it was lost.

    The actions are the beginning of a shortest way to win. If a limit is met before that is proven,
    a whole way to win is shown: whoever keeps to it wins. With --from, one line of JSON for each
    deal in the file, and the limits hold for each.
    """
    from boulanger.solver.limits import Limits

    limits = Limits(max_nodes, max_seconds, max_memory)
    if from_file is not None:
        if deal is not None or played or not as_json:
            raise BoulangerError("options.from_alone")
        return _hint_all(from_file, cells, dealer, _Question(num_hints, with_all, measure, limits))
    if deal is None:
        raise BoulangerError("options.no_deal")
    source, game = read_game(deal, played, cells, dealer, layout)
    if not as_json:
        remark_origin(source)
    _prepare_hints()
    question = _Question(num_hints, with_all, measure, limits)
    document, text, verdict = _answer_hint(source, game, question)
    if as_json:
        from boulanger.solver.answers.play import json_answer

        text = json_answer(document, voice())
    write(text)
    return exit_code(verdict)


@command()
@deal_argument()
@played_option
@cells_option
@layout_options
@dealer_option
@json_option
@voice_options
@limit_options()
def check(
    deal: str,
    played: str,
    cells: int | None,
    layout: str | None,
    dealer: str | None,
    as_json: bool,
    max_nodes: int | None,
    max_seconds: float | None,
    max_memory: int,
) -> int:
    """Say whether a game can still be won."""
    from boulanger.solver.limits import Limits

    limits = Limits(max_nodes, max_seconds, max_memory)
    source, game = read_game(deal, played, cells, dealer, layout)
    from boulanger.solver.advice.hints import check as check_game
    from boulanger.solver.answers.hints import check_json, check_text
    from boulanger.solver.answers.play import json_answer
    from boulanger.solver.verdict.classify import is_ready, prepare

    compile_first(is_ready, "verdicts")
    prepare()
    checked = check_game(game, limits=limits)
    if as_json:
        document = check_json(source, len(game.history), checked)
        write(json_answer(document, voice()))
    else:
        remark_origin(source)
        write(check_text(checked, game, voice()))
    return exit_code(checked.verdict)


@command()
@deal_argument()
@click.option(
    "--played",
    metavar="MOVES|FILE",
    required=True,
    type=FILE,
    help="The game: moves, a file with moves, or - for standard input.",
)
@measure_option
@cells_option
@layout_options
@dealer_option
@json_option
@voice_options
@html_option
@limit_options(max_seconds="60")
def review(
    deal: str,
    played: str,
    measure: Measure,
    cells: int | None,
    layout: str | None,
    dealer: str | None,
    as_json: bool,
    html: str | None,
    max_nodes: int | None,
    max_seconds: float | None,
    max_memory: int,
) -> int:
    """Say of a game that was played where it was lost, and what would have been better.

    Each action is shown with what it left to play and what it wasted. The exit code is that of its
    last position. Seconds are for reading the game and for all positions together, nodes for each;
    what they leave open is said to be undecided, or not to be known.
    """
    from boulanger.solver.limits import Clock, Limits

    limits = Limits(max_nodes, max_seconds, max_memory)
    clock = Clock(limits)
    source, game = read_game(deal, played, cells, dealer, layout, clock.is_over)
    is_whole = not clock.is_over()
    if not is_whole:
        remark(voice().say("review.read", num=len(game.history)))
    limits = clock.rest()
    from boulanger.solver.advice.review import review as review_game
    from boulanger.solver.answers.play import json_answer
    from boulanger.solver.answers.review import review_json, review_text
    from boulanger.solver.optimal.shortest import is_ready, prepare

    compile_first(is_ready, "solutions")
    prepare()
    line = StatusLine()
    try:
        reviewed = review_game(game, measure, limits=limits, on_progress=ProgressLine(line).show)
    finally:
        line.clear()
    if as_json:
        write(json_answer(review_json(source, reviewed), voice()))
    else:
        remark_origin(source)
        write(review_text(reviewed, game, voice()))
    if html is not None:
        from boulanger.solver.cli.html import write_html

        document = review_json(source, reviewed)
        moves = [action.notation for action in reviewed.actions]
        write_html(html, source, moves, reviewed.verdict, document)
    return exit_code(reviewed.final_verdict) if is_whole else EXIT_UNDECIDED


def exit_code(verdict: Verdict) -> int:
    """The exit code for a verdict, as `solve` has it."""
    return {"winnable": EXIT_YES, "unwinnable": EXIT_NO, "undecided": EXIT_UNDECIDED}[verdict.word]


class ProgressLine:
    """How far a long answer is, in a line of a terminal, when it takes over a second."""

    def __init__(self, line: StatusLine) -> None:
        self._line = line
        self._started = time.perf_counter()

    def show(self, progress: StepProgress) -> None:
        """Shows it."""
        if time.perf_counter() - self._started > _SILENT_SECONDS:
            self._line.show(f"{progress.num_done / progress.num_steps:.0%}")


@dataclass(frozen=True, slots=True)
class _Question:
    """What `hint` is asked about each game.

    Attributes:
        num_hints: how many actions to show.
        with_all: whether to mark every legal action.
        measure: what distances count.
        limits: for one game, marks included.
    """

    num_hints: int
    with_all: bool
    measure: Measure
    limits: Limits


def _prepare_hints() -> None:
    from boulanger.solver.optimal.shortest import is_ready, prepare

    compile_first(is_ready, "solutions")
    prepare()


def _answer_hint(
    source: DealSource, game: Game, question: _Question
) -> tuple[dict[str, Any], str, Verdict]:
    """The answer of `hint` as JSON and as text, and the verdict."""
    from boulanger.solver.advice.hints import hint as find_hint
    from boulanger.solver.advice.hints import mark_actions
    from boulanger.solver.answers.hints import hint_json, hint_text
    from boulanger.solver.limits import Clock

    clock = Clock(question.limits)
    found = find_hint(game, question.num_hints, question.measure, limits=question.limits)
    marked = None
    if question.with_all:
        marked = mark_actions(game, True, question.measure, limits=clock.rest())
    document = hint_json(source, len(game.history), found, marked)
    return document, hint_text(found, game, marked, voice()), found.verdict


def _hint_all(name: str, num_cells: int | None, dealer: str | None, question: _Question) -> int:
    """A line of JSON for each deal in a file; the file is read to its end first.

    The exit code is that of the least certain answer: undecided, else unwinnable, else winnable.
    """
    import json

    from boulanger.engine.game import Game
    from boulanger.solver.answers.play import with_words
    from boulanger.solver.cli.reading import read_deals, read_input

    codes = {EXIT_YES}
    data = read_input(name, _MAX_LIST_BYTES, "deals")
    deals = read_deals(data, name, num_cells, dealer)
    _prepare_hints()
    for source in deals:
        document, _, verdict = _answer_hint(source, Game(source.position), question)
        write(json.dumps(with_words(document, voice())) + "\n")
        codes.add(exit_code(verdict))
    return max(codes)
