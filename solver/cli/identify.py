"""The commands `identify` and `dealers`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from boulanger.engine.deals.codes import parse_code
from boulanger.engine.deals.dealers import DEALERS
from boulanger.engine.errors import BoulangerError, DealError
from boulanger.engine.notes import Note
from boulanger.solver.answers.identify import (
    DealerLine,
    Identified,
    dealers_json,
    dealers_text,
    identify_json,
    identify_text,
)
from boulanger.solver.answers.play import json_answer
from boulanger.solver.cli.arguments import voice
from boulanger.solver.cli.notes import remark_all
from boulanger.solver.cli.reading import STANDARD_INPUT, read_dealt_board
from boulanger.solver.cli.terminal import EXIT_NO, EXIT_UNDECIDED, EXIT_YES, compile_first, write
from boulanger.solver.identify.dealer_file import SavedDealer
from boulanger.solver.identify.pairs import Pair
from boulanger.solver.identify.saved import (
    check_new_name,
    dealer_in_use,
    folder,
    load,
    path_of,
    save,
    saved_names,
    use,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from boulanger.solver.identify.groups import Group


def identify_dealer(
    arguments: list[str],
    name: str | None,
    pick: int | None,
    as_json: bool,
    layout: str | None = None,
) -> int:
    """Answers `identify`; `name` and `pick` are those of --save and --pick. The exit code."""
    if pick is not None and name is None:
        raise DealError("identify.pick_without_save")
    if name is not None:
        check_new_name(name)
    pairs, notes = _read_pairs(arguments, layout)
    if not as_json:
        remark_all(notes)
    found = _search(pairs)
    groups = found.grouping.groups
    chosen = _chosen(groups, pick) if name is not None else None
    if name is not None and chosen is not None:
        path = save(SavedDealer(name, chosen.rules[0], tuple(pairs)))
        found = found.saved_as(name, str(path))
    if as_json:
        write(json_answer(identify_json(found, notes), voice()))
    else:
        write(identify_text(found, is_save_asked=name is not None))
    if not groups:
        return EXIT_NO
    return EXIT_YES if len(groups) == 1 or chosen is not None else EXIT_UNDECIDED


def list_dealers(name: str | None, as_json: bool) -> int:
    """Answers `dealers`; `name` is that of --use. The exit code."""
    if name is not None:
        use(name)
    in_use = dealer_in_use()
    lines = [_built_in_line(dealer_name, in_use) for dealer_name in DEALERS]
    lines += [_saved_line(saved_name, in_use) for saved_name in saved_names()]
    if as_json:
        write(json_answer(dealers_json(lines, str(folder())), voice()))
    else:
        write(dealers_text(lines, str(folder())))
    return EXIT_YES


def _built_in_line(name: str, in_use: str) -> DealerLine:
    return DealerLine(name, name == in_use, DEALERS[name].description)


def _saved_line(name: str, in_use: str) -> DealerLine:
    """A dealer's line; one whose file is wrong is listed with what is wrong."""
    is_in_use = name == in_use and name not in DEALERS
    try:
        saved = load(name)
    except DealError as error:
        return DealerLine(name, is_in_use, "", str(path_of(name)), fault=str(error))
    codes = tuple(pair.code.text for pair in saved.pairs)
    return DealerLine(name, is_in_use, saved.rule.description, str(path_of(name)), codes)


def _read_pairs(arguments: list[str], layout: str | None) -> tuple[list[Pair], list[Note]]:
    """The codes with their boards, and what should be said about how these were read."""
    if len(arguments) % 2:
        raise BoulangerError("identify.no_partner", text=arguments[-1])
    if arguments[1::2].count(STANDARD_INPUT) > 1:
        raise BoulangerError("identify.input_twice")
    pairs: list[Pair] = []
    notes: list[Note] = []
    for text, name in zip(arguments[::2], arguments[1::2], strict=True):
        code = parse_code(text)
        if any(pair.code == code for pair in pairs):
            raise BoulangerError("web.code_twice", code=code.text)
        cards, board_notes = read_dealt_board(name, layout)
        notes += board_notes
        pairs.append(Pair(code, cards))
    return pairs, notes


def _search(pairs: list[Pair]) -> Identified:
    from boulanger.solver.identify.fit import find_near, find_rules
    from boulanger.solver.identify.groups import group_rules
    from boulanger.solver.identify.scan import is_ready, prepare

    compile_first(is_ready, "dealers")
    prepare()
    start = time.perf_counter()
    with _progress() as advance:
        fit = find_rules(pairs, advance)
    near = None
    is_upside_down = False
    if not fit.num_first:
        with _progress() as advance:
            near = find_near(pairs[0], advance)
    if not fit.num_first and near is None:
        turned = [pair.upside_down() for pair in pairs]
        with _progress() as advance:
            fit_turned = find_rules(turned, advance)
        if fit_turned.rules:
            pairs, fit, is_upside_down = turned, fit_turned, True
    seconds = time.perf_counter() - start
    grouping = group_rules(fit.rules, pairs[0].code.num_cells)
    return Identified(tuple(pairs), fit, grouping, seconds, near, is_upside_down)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """A bar on standard error, if that is a terminal, that moves at each call."""
    from tqdm import tqdm

    from boulanger.solver.identify.family.generators import GENERATORS

    is_hidden = sys.stderr is None or not sys.stderr.isatty()
    with tqdm(total=len(GENERATORS), unit="generator", leave=False, disable=is_hidden) as bar:

        def advance(name: str) -> None:
            bar.set_postfix_str(name, refresh=False)
            bar.update()

        yield advance


def _chosen(groups: tuple[Group, ...], pick: int | None) -> Group | None:
    """The group to be saved; None if there is none, or several and none was picked."""
    if pick is None or not groups:
        return groups[0] if len(groups) == 1 else None
    if not 1 <= pick <= len(groups):
        raise DealError("identify.pick", pick=pick, most=len(groups))
    return groups[pick - 1]
