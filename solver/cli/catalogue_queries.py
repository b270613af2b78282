"""The commands that ask: `summary` and `export` of a catalogue, `find` of chance."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from boulanger.engine.deals.codes import format_code
from boulanger.engine.deals.dealers import parse_seed
from boulanger.engine.errors import BoulangerError
from boulanger.engine.position import DEFAULT_CELLS
from boulanger.engine.words import joined as joined_facts
from boulanger.solver.catalogue.conditions import (
    SORTED,
    Condition,
    Order,
    RatingCondition,
    joined,
    parse_any_condition,
    parse_condition,
    parse_order,
)
from boulanger.solver.cli.arguments import FILE, Value, argument, dealer_option, json_option, voice
from boulanger.solver.cli.commands import command
from boulanger.solver.cli.notes import remark_all
from boulanger.solver.cli.options import parse_cells, parse_count
from boulanger.solver.cli.terminal import (
    EXIT_INTERRUPTED,
    EXIT_UNDECIDED,
    EXIT_YES,
    StatusLine,
    compile_first,
    complain,
    remark,
    write,
)
from boulanger.solver.result import Verdict

if TYPE_CHECKING:
    from boulanger.solver.catalogue.export import DealList, Query
    from boulanger.solver.catalogue.reader import Catalogue, Part
    from boulanger.solver.deals.code_dealer import CodeDealer
    from boulanger.solver.find import Batch, Difficulty, Found

_SILENT_SECONDS: Final = 1.0  # before a long answer shows how far it is
_NUM_FRESH_SEEDS: Final = 10**9  # short enough to be typed
_FORMATS: Final = ("codes", "csv", "parquet", "bits")


def _parse_format(text: str) -> str:
    """How to write a list.

    Raises:
        BoulangerError: quotes the text.
    """
    if text.strip().lower() in _FORMATS:
        return text.strip().lower()
    raise BoulangerError("options.list_format", text=text)


_ORDERS: Final = tuple(sign + name for name in SORTED for sign in ("", "-"))


def _words() -> list[str]:
    """The words for scores."""
    from boulanger.solver.rating.model import LEVELS

    return [word for word, _ in LEVELS]


def _parse_word(text: str) -> str:
    """A word for scores.

    Raises:
        BoulangerError: quotes the text.
    """
    words = _words()
    if text.strip().lower() in words:
        return text.strip().lower()
    raise BoulangerError("options.level", text=text, levels=", ".join(words))


_folder_argument: Final = argument(
    "folder", metavar="DIR", type=FILE, help="A catalogue that `boulanger classify` made."
)
_winnable_option: Final = click.option(
    "--winnable", "is_winnable", is_flag=True, help="Deals that --cells N wins."
)
_unwinnable_option: Final = click.option(
    "--unwinnable",
    "is_unwinnable",
    is_flag=True,
    help="Deals that are proven unwinnable with --cells N.",
)
_where_option: Final = click.option(
    "--where",
    metavar="CONDITION",
    multiple=True,
    type=Value(parse_condition),
    help="Such as 2=unwinnable: deals with that verdict with 2 cells; more of them: with all.",
)
_export_where_option: Final = click.option(
    "--where",
    metavar="CONDITION",
    multiple=True,
    type=Value(parse_any_condition),
    help="Such as 2=unwinnable; of rated deals also difficulty=hard, score=60..80, plies=..90, "
    "actions=..50, with --cells N. More of them: all must hold.",
)
_verify_option: Final = click.option(
    "--no-verify",
    "is_unverified",
    is_flag=True,
    help="Do not hold each part against its digest: damage may go unseen.",
)
_cells_option: Final = click.option(
    "--cells",
    metavar="N",
    type=Value(parse_cells, "012345678"),
    help="Cells in play, 0 to 8; 4, or those of the first --where, unless given.",
)


@command()
@_folder_argument
@json_option
@click.option(
    "--plot",
    metavar="FILE.png",
    type=FILE,
    help="Draw the rates, with their intervals, into this file.",
)
@_verify_option
def summary(folder: str, as_json: bool, plot: str | None, is_unverified: bool) -> int:
    """Count the deals of a catalogue that can be won.

    For each number of cells, with 95 % intervals; and how many cells a deal takes at least. An
    undecided deal is no loss.
    """
    from boulanger.solver.catalogue.plot import check_plot, save_plot

    plot_path = None if plot is None else check_plot(plot)
    from boulanger.solver.answers.catalogue import summary_json, summary_text
    from boulanger.solver.catalogue.reader import Catalogue
    from boulanger.solver.catalogue.summary import summarise, summary_columns

    catalogue = Catalogue(folder, is_verified=not is_unverified)
    cells = catalogue.manifest.cells
    progress = _Progress(catalogue.manifest.num_deals)
    try:
        rated = catalogue.manifest.rated
        parts = progress.along(catalogue.parts(summary_columns(cells, rated)))
        counted = summarise(parts, cells, rated)
    finally:
        progress.clear()
    if plot_path is not None:
        save_plot(counted, plot_path, catalogue.unfinished_note)
    if as_json:
        from boulanger.solver.answers.play import json_answer

        write(json_answer(summary_json(folder, catalogue, counted), voice()))
    else:
        write(summary_text(catalogue, counted))
    return EXIT_YES


@command()
@_folder_argument
@_winnable_option
@_unwinnable_option
@click.option(
    "--undecided", "is_undecided", is_flag=True, help="Deals that are undecided with --cells N."
)
@_export_where_option
@_cells_option
@click.option(
    "--sort",
    "order",
    metavar="COLUMN",
    type=Value(parse_order, _ORDERS),
    help="By score, plies, actions or nodes with --cells N; -score: the highest first.",
)
@click.option("--limit", metavar="N", type=Value(parse_count), help="Only the first N deals.")
@click.option(
    "--format",
    "form",
    metavar="|".join(_FORMATS),
    type=Value(_parse_format, _FORMATS),
    default="codes",
    show_default=True,
    help="Deals one a line as `solve` takes them, tables with all columns, or a folder of bits.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=FILE,
    help="Write to this file, complete or not at all, and not to standard output.",
)
@dealer_option
@_verify_option
def export(
    folder: str,
    is_winnable: bool,
    is_unwinnable: bool,
    is_undecided: bool,
    where: tuple[Condition | RatingCondition, ...],
    cells: int | None,
    order: Order | None,
    limit: int | None,
    form: str,
    out: str | None,
    dealer: str | None,
    is_unverified: bool,
) -> int:
    """List the deals of a catalogue by their verdicts and ratings.

    All of them, or those that meet all conditions. Game codes say --cells N. Deals that the dealer
    in use (or --dealer) does not deal are listed with the name of theirs, such as bk1:860.
    """
    asked = {
        Verdict.WINNABLE: is_winnable,
        Verdict.UNWINNABLE: is_unwinnable,
        Verdict.UNDECIDED: is_undecided,
    }
    verdicts = [condition for condition in where if isinstance(condition, Condition)]
    ratings = tuple(condition for condition in where if isinstance(condition, RatingCondition))
    if form in ("parquet", "bits") and out is None:
        raise BoulangerError("options.form_needs_out", form=form)
    if form == "bits" and (where or any(asked.values()) or order is not None or limit is not None):
        raise BoulangerError("options.bits_take_all")

    from boulanger.solver.catalogue.export import DealList, ListFormat, Query, check_rules
    from boulanger.solver.catalogue.reader import Catalogue
    from boulanger.solver.deals.code_dealer import code_dealer

    catalogue = Catalogue(folder, is_verified=not is_unverified)
    if cells is None and not verdicts and DEFAULT_CELLS not in catalogue.manifest.cells:
        cells = catalogue.manifest.cells[-1]
    conditions, num_cells = _conditions(asked, verdicts, cells)
    progress = _Progress(catalogue.manifest.num_deals)
    if form == "bits":
        assert out is not None
        return _export_bits(catalogue, Path(out), progress)
    query = Query(num_cells, conditions, ratings, order, limit)
    coded_by = code_dealer(dealer)
    check_rules(catalogue, coded_by)
    deals = DealList(catalogue, query, ListFormat(form), coded_by.key)
    try:
        if out is None:
            for text in deals.texts():
                _write_on(text)
        else:
            deals.write(Path(out), progress.show)
    finally:
        progress.clear()
    if catalogue.unfinished_note is not None:
        remark(catalogue.unfinished_note)
    _remark_on_list(deals, query, out)
    if form == ListFormat.CODES and deals.has_bare_deals and num_cells != DEFAULT_CELLS:
        remark(f"deals without a game code do not say how many cells; add --cells {num_cells}")
    _remark_on_dealers(deals.listed_dealers, coded_by)
    return EXIT_YES


@command()
@_winnable_option
@_unwinnable_option
@_where_option
@_cells_option
@click.option(
    "--count",
    metavar="N",
    type=Value(parse_count),
    default="10",
    show_default=True,
    help="Stop after N deals.",
)
@click.option(
    "--seed",
    metavar="S",
    type=Value(parse_seed),
    help="Draw the deals of this number, and not new ones.",
)
@dealer_option
@click.option(
    "--difficulty",
    metavar="WORD",
    type=Value(_parse_word, _words),
    help="gentle, easy, medium, hard or fiendish: winnable deals that are rated so.",
)
@click.option(
    "--max-deals",
    metavar="N",
    type=Value(parse_count),
    help="Give up, with exit code 3, after drawing N deals.",
)
@json_option
def find(
    is_winnable: bool,
    is_unwinnable: bool,
    where: tuple[Condition, ...],
    cells: int | None,
    count: int,
    seed: int | None,
    dealer: str | None,
    difficulty: str | None,
    max_deals: int | None,
    as_json: bool,
) -> int:
    """Find deals to play, drawn at random.

    Winnable ones, unless told otherwise. Each is proven, and its game code written as soon as it
    is found.
    """
    asked = {Verdict.WINNABLE: is_winnable, Verdict.UNWINNABLE: is_unwinnable}
    if not any(asked.values()) and (cells is not None or not where or difficulty is not None):
        asked[Verdict.WINNABLE] = True
    conditions, num_cells = _conditions(asked, where, cells)
    hard = None if difficulty is None else _difficulty(difficulty, num_cells, is_unwinnable)

    from boulanger.solver.deals.code_dealer import code_dealer
    from boulanger.solver.find import check_findable, find_deals, is_ready

    check_findable(conditions)
    dealt_by = code_dealer(dealer)
    if not as_json:
        remark_all([dealt_by.note])
    if seed is None:
        import secrets

        seed = secrets.randbelow(_NUM_FRESH_SEEDS)
        if not as_json:
            remark(f"--seed {seed} finds these deals again")
    _prepare(is_ready, with_rating=hard is not None)
    search = _Search(num_cells, count, is_silent=as_json)
    deal = partial(dealt_by.deal_many, num_cells=num_cells)
    is_interrupted = False
    try:
        search.run(find_deals(conditions, seed, max_deals, deal, hard))
    except KeyboardInterrupt:
        if not as_json:  # what was found has been written
            raise
        is_interrupted = True
    if as_json:
        _write_found(dealt_by, search, (conditions, num_cells, seed, hard), is_interrupted)
        if is_interrupted:
            complain("interrupted")
            return EXIT_INTERRUPTED
    elif search.num_undecided:
        remark(f"{search.num_undecided:,} deals left out: undecided, they take too much memory")
    if len(search.found) < count:
        complain(
            f"only {len(search.found):,} of {count:,} found among {search.num_drawn:,} deals "
            "(--max-deals)"
        )
        return EXIT_UNDECIDED
    return EXIT_YES


def _write_found(
    dealt_by: CodeDealer,
    search: _Search,
    asked: tuple[tuple[Condition, ...], int, int, Difficulty | None],
    is_interrupted: bool,
) -> None:
    """Writes the answer of `find --json`; `asked` is what, the cells, the seed, and how hard."""
    from boulanger.solver.answers.catalogue import find_json
    from boulanger.solver.answers.play import json_answer

    conditions, num_cells, seed, hard = asked
    found = (search.num_drawn, search.num_undecided, search.found)
    document = {
        "dealer": dealt_by.name,
        "notes": [dealt_by.note],
        **find_json(conditions, num_cells, seed, *found, hard),
        "interrupted": is_interrupted,
    }
    write(json_answer(document, voice()))


def _remark_on_list(deals: DealList, query: Query, out: str | None) -> None:
    """Says how many deals were listed, where that is not seen."""
    if out is not None or not deals.num_listed:
        where_to = "" if out is None else f", written to {out!r}"
        verb = "fit" if query.limit is None else "listed"
        remark(f"{deals.num_listed:,} of {deals.num_read:,} deals {verb}{where_to}")


def _prepare(is_ready: Callable[[], bool], with_rating: bool) -> None:
    """Says that something is to be compiled, and compiles the rating."""
    if not with_rating:
        compile_first(is_ready, "catalogues")
        return
    from boulanger.solver.rating.parts import is_ready as is_rating_ready
    from boulanger.solver.rating.parts import prepare as prepare_rating

    compile_first(is_rating_ready, "ratings")
    prepare_rating()


def _remark_on_dealers(keys: Iterable[str], coded_by: CodeDealer) -> None:
    """Says who dealt the game codes in a list, and why some deals are not listed as codes."""
    from boulanger.engine.deals.names import deals_codes, learned_dealer, spell

    for key in sorted(filter(deals_codes, keys)):
        if key == coded_by.key:
            remark_all([coded_by.note])
        else:
            name = learned_dealer(key) or key
            remark(
                f"deals of the dealer {name} are listed as {spell(key, 'NUMBER')}, since game codes"
                f" are dealt by {coded_by.name}; --dealer {name} lists them as game codes"
            )


def _difficulty(word: str, num_cells: int, is_unwinnable: bool) -> Difficulty:
    """What `--difficulty` asks for.

    Raises:
        BoulangerError: if there are no ratings for this many cells, or of deals that cannot be won.
    """
    from boulanger.solver.find import Difficulty
    from boulanger.solver.rating.model import modelled_cells

    if is_unwinnable:
        raise BoulangerError("options.difficulty_of_lost")
    if num_cells not in modelled_cells():
        numbers = ", ".join(map(str, modelled_cells()))
        raise BoulangerError("web.not_rated", numbers=numbers, num_cells=num_cells)
    return Difficulty(num_cells, word)


class _Search:
    """Writes deals as they are found, and keeps them, until they are enough."""

    def __init__(self, num_cells: int, count: int, is_silent: bool) -> None:
        self._num_cells: Final = num_cells
        self._count: Final = count
        self._is_silent: Final = is_silent
        self._line: Final = StatusLine()
        self._started: Final = time.perf_counter()
        self.found: Final[list[Found]] = []
        self.num_drawn = 0
        self.num_undecided = 0

    def run(self, batches: Iterable[Batch]) -> None:
        try:
            for batch in batches:
                self.num_undecided += batch.num_undecided
                wanted = batch.found[: self._count - len(self.found)]
                self.found.extend(wanted)
                if wanted and not self._is_silent:
                    self._write(wanted)
                if len(self.found) == self._count:
                    self.num_drawn = self.found[-1].place
                    return
                self.num_drawn = batch.num_drawn
                self._show_progress()
        finally:
            self._line.clear()

    def _write(self, wanted: Sequence[Found]) -> None:
        self._line.clear()
        _write_on("".join(format_code(deal.number, self._num_cells) + "\n" for deal in wanted))

    def _show_progress(self) -> None:
        seconds = time.perf_counter() - self._started
        if seconds >= _SILENT_SECONDS:
            self._line.show(
                f"{len(self.found):,} of {self._count:,} found among {self.num_drawn:,} deals, "
                f"{self.num_drawn / seconds:,.0f} a second"
            )


class _Progress:
    """A line on how many deals of a catalogue were read, when that takes over a second."""

    def __init__(self, num_deals: int) -> None:
        self._num_deals: Final = num_deals
        self._line: Final = StatusLine()
        self._started: Final = time.perf_counter()

    def along(self, parts: Iterable[Part]) -> Iterator[Part]:
        """`parts`, each shown as read when the next one is asked for."""
        num_read = 0
        for part in parts:
            yield part
            num_read += len(part)
            self.show(num_read)

    def show(self, num_read: int) -> None:
        if time.perf_counter() - self._started >= _SILENT_SECONDS:
            self._line.show(f"{num_read:,} of {self._num_deals:,} deals read")

    def clear(self) -> None:
        self._line.clear()


def _conditions(
    asked: dict[Verdict, bool], where: Sequence[Condition] | None, cells: int | None
) -> tuple[tuple[Condition, ...], int]:
    """All that is asked of a deal, and the number of cells that game codes are to say.

    Args:
        asked: the verdicts with `cells` cells that were asked for, by their options.
        where: the values of `--where`.
        cells: of `--cells`.

    Raises:
        ConditionError: if no deal can meet them all.
    """
    verdicts = [verdict for verdict, is_asked in asked.items() if is_asked]
    if len(verdicts) > 1:
        options = joined_facts([f"--{verdict.word}" for verdict in verdicts], "join.and")
        raise BoulangerError("options.one_verdict", options=options)
    where = where or []
    if cells is None:
        cells = where[0].num_cells if where and not verdicts else DEFAULT_CELLS
    return joined([*where, *(Condition(cells, verdict) for verdict in verdicts)]), cells


def _export_bits(catalogue: Catalogue, out: Path, progress: _Progress) -> int:
    from boulanger.solver.catalogue.bitmap import write_bitmap

    try:
        num_deals = write_bitmap(catalogue, out, progress.show)
    finally:
        progress.clear()
    remark(f"{num_deals:,} deals, written to {str(out)!r}")
    return EXIT_YES


def _write_on(text: str) -> None:
    """Writes a piece of a long answer; an `OSError` ends the command, quietly for `| head`."""
    if sys.stdout is not None:
        sys.stdout.write(text)
        sys.stdout.flush()
