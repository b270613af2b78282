"""The questions about many deals: finding some of a kind, and how the app deals."""

from __future__ import annotations

import secrets
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from boulanger.engine.deals.codes import format_code, parse_code
from boulanger.engine.position import DEFAULT_CELLS, Position, deal_order
from boulanger.solver.catalogue.conditions import Condition, joined, parse_condition
from boulanger.solver.deals.code_dealer import code_dealer
from boulanger.solver.result import Verdict
from boulanger.solver.web.errors import RequestError
from boulanger.solver.web.lanes import Job
from boulanger.solver.web.questions import Answer, Shared, Values
from boulanger.solver.web.requests import MAX_SECONDS, read_board

if TYPE_CHECKING:
    from boulanger.engine.notes import Note
    from boulanger.solver.identify.groups import Group
    from boulanger.solver.identify.pairs import Pair

_NUM_SEEDS: Final = 1 << 32
_MAX_FOUND: Final = 100
_MAX_PAIRS: Final = 8


class _OverError(Exception):
    """The time of a search is over."""


def find(shared: Shared, values: Values, job: Job) -> Answer:
    """Deals of a kind; fewer than were asked for if time is over."""
    from boulanger.solver.answers.catalogue import find_json
    from boulanger.solver.find import Found, check_findable, find_deals

    conditions, num_cells = _conditions(values)
    check_findable(conditions)
    difficulty = _difficulty(values, num_cells)
    count = min(values.get("count", 1), _MAX_FOUND)
    seed = values.get("seed", secrets.randbelow(_NUM_SEEDS))
    deal = partial(code_dealer(values.get("dealer")).deal_many, num_cells=num_cells)
    ends = time.monotonic() + values.get("max_seconds", MAX_SECONDS)

    found: list[Found] = []
    num_drawn = num_undecided = 0

    def look() -> None:
        job.go_on()
        if time.monotonic() > ends:
            raise _OverError

    with suppress(_OverError):
        for batch in find_deals(conditions, seed, None, deal, difficulty, look):
            num_undecided += batch.num_undecided
            found += batch.found[: count - len(found)]
            num_drawn = found[-1].place if len(found) == count else batch.num_drawn
            if len(found) == count:
                break
            codes = [format_code(one.number, num_cells) for one in found]
            job.tell({"drawn": num_drawn, "deals": codes})
            look()
    return find_json(conditions, num_cells, seed, num_drawn, num_undecided, found)


def identify(shared: Shared, values: Values, job: Job) -> Answer:
    """Rules that deal the given boards from their codes; keeps one under a name, if told to."""
    from boulanger.solver.answers.identify import Identified, identify_json
    from boulanger.solver.identify.dealer_file import SavedDealer
    from boulanger.solver.identify.fit import find_near, find_rules
    from boulanger.solver.identify.groups import group_rules
    from boulanger.solver.identify.saved import check_new_name, save, use
    from boulanger.solver.identify.scan import prepare

    name = values.get("save")
    if name is not None:
        job.needs_owner()
        check_new_name(name)
    pairs, notes = _read_pairs(values.get("pairs", []))
    prepare()
    started = time.perf_counter()

    def advance(generator: str) -> None:
        job.tell({"generator": generator})

    fit = find_rules(pairs, advance)
    seconds = time.perf_counter() - started
    grouping = group_rules(fit.rules, pairs[0].code.num_cells)
    near = None if fit.num_first else find_near(pairs[0], advance)
    found = Identified(tuple(pairs), fit, grouping, seconds, near)
    chosen = _chosen(grouping.groups, values.get("pick"))
    if name is not None and chosen is not None:
        job.go_on()
        path = save(SavedDealer(name, chosen.rules[0], tuple(pairs)))
        found = found.saved_as(name, str(path))
        if values.get("use"):
            use(name)
    return identify_json(found, notes)


def _conditions(values: Values) -> tuple[tuple[Condition, ...], int]:
    """What is asked of a deal, and the number of cells that the codes are to say."""
    where = [parse_condition(text) for text in values.get("where", ())]
    num_cells = values.get("cells", where[0].num_cells if where else DEFAULT_CELLS)
    if not where or "difficulty" in values:
        where.append(Condition(num_cells, Verdict.WINNABLE))
    return joined(where), num_cells


def _difficulty(values: Values, num_cells: int) -> Any:
    from boulanger.solver.find import Difficulty
    from boulanger.solver.rating.model import modelled_cells

    if "difficulty" not in values:
        return None
    if num_cells not in modelled_cells():
        numbers = ", ".join(map(str, modelled_cells()))
        raise RequestError("web.not_rated", numbers=numbers, num_cells=num_cells)
    return Difficulty(num_cells, values["difficulty"])


def _read_pairs(given: list[dict[str, Any]]) -> tuple[list[Pair], list[Any]]:
    """The codes with their boards, and what should be said about how these were read."""
    from boulanger.solver.identify.pairs import Pair

    if not 1 <= len(given) <= _MAX_PAIRS:
        raise RequestError("web.pairs", most=_MAX_PAIRS)
    pairs: list[Pair] = []
    notes: list[Note] = []
    for pair in given:
        code = parse_code(pair["code"])
        if any(other.code == code for other in pairs):
            raise RequestError("web.code_twice", code=code.text)
        position, board_notes = read_board(pair["board"], None)
        notes += board_notes
        pairs.append(Pair(code, _dealt(position)))
    return pairs, notes


def _dealt(position: Position) -> tuple[int, ...]:
    cards = deal_order(position.columns)
    if cards is None:
        raise RequestError("web.not_dealt")
    return cards


def _chosen(groups: tuple[Group, ...], pick: int | None) -> Group | None:
    """The rules to keep; None if there are none, or several and none was picked."""
    if pick is None or not groups:
        return groups[0] if len(groups) == 1 else None
    if pick > len(groups):
        raise RequestError("web.pick", pick=pick, most=len(groups))
    return groups[pick - 1]
