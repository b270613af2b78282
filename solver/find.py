"""Deals of game codes with a property, drawn at random until enough are found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from boulanger.engine.deals.codes import NUM_CODES
from boulanger.engine.deals.dealers import BK1
from boulanger.engine.deals.kernels import deal_many
from boulanger.engine.deals.kernels import is_ready as are_deals_ready
from boulanger.engine.position import Position
from boulanger.solver.catalogue.conditions import Condition, ConditionError
from boulanger.solver.result import Verdict
from boulanger.solver.verdict import classify

# A batch should take about so long: Ctrl-C waits for its end, and so does what was found in it.
_BATCH_SECONDS: Final = 0.2
_FIRST_BATCH: Final = 16
_MAX_BATCH: Final = 1 << 16
_MAX_GROWTH: Final = 4.0

Deal = Callable[[npt.NDArray[np.uint64]], npt.NDArray[np.uint8]]
"""From the numbers of game codes, uint64 (N,), to their cards, uint8 (N, 52); 255 where a code has
no deal."""

_NO_CARD: Final = 255


@dataclass(frozen=True, slots=True)
class Found:
    """A deal that fits.

    Attributes:
        number: of the deal, as game codes have it.
        place: its position in the draw, from 1.
        score: how hard it is, 0 to 100; None if that was not asked for.
    """

    number: int
    place: int
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """What came of some deals, in the order in which they were drawn.

    Attributes:
        num_drawn: deals drawn so far, those of this batch with them.
        num_undecided: deals of this batch that were left out because a verdict took more memory
            than a search is given.
        found: those that fit, each number once in all batches.
    """

    num_drawn: int
    num_undecided: int
    found: list[Found]


def check_findable(conditions: Sequence[Condition]) -> None:
    """Makes sure that it can be decided whether a deal fits.

    Raises:
        ConditionError: for `undecided`, which depends on the limits of a search.
    """
    for condition in conditions:
        if condition.verdict == Verdict.UNDECIDED:
            raise ConditionError("condition.undecided", condition=str(condition))


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a deal is to be.

    Attributes:
        num_cells: the number of cells that it is rated for; there is a model for it.
        word: for its score; see `LEVELS` in `solver.rating.model`.
    """

    num_cells: int
    word: str


def find_deals(
    conditions: Sequence[Condition],
    seed: int,
    max_deals: int | None = None,
    deal: Deal | None = None,
    difficulty: Difficulty | None = None,
    on_look: Callable[[], object] | None = None,
) -> Iterator[Batch]:
    """Draws deals of game codes and keeps those that meet all conditions.

    One seed always draws the same deals in the same order, however fast the machine is.

    Args:
        conditions: see `check_findable`, which is asked first.
        seed: 0 or more.
        max_deals: how many are drawn; None for no limit, so that the caller has to stop.
        deal: what deals the codes; the project's own dealer if None.
        difficulty: if given, only winnable deals that are as hard as that.
        on_look: called some thirty times a second while deals are rated; an exception that it
            raises ends the search, and comes out of it.

    Raises:
        ConditionError: see `check_findable`.
    """
    check_findable(conditions)
    draws = np.random.Philox(seed)
    known: set[int] = set()
    # A rating takes as long as a batch of verdicts.
    num_least = _FIRST_BATCH if difficulty is None else 1
    num_drawn, size = 0, num_least
    while max_deals is None or num_drawn < max_deals:
        started = time.perf_counter()
        if max_deals is not None:
            size = min(size, max_deals - num_drawn)
        numbers = draw_numbers(draws, size)
        cards = (deal or _deal_bk1)(numbers)
        rows, num_undecided = _fitting_rows(cards, conditions)
        scores: dict[int, float | None] = dict.fromkeys(rows.tolist())
        if difficulty is not None:
            scores = _scores_as_hard(cards, rows, difficulty, on_look)
        found = []
        for row, score in scores.items():
            number = int(numbers[row])
            if number not in known:
                known.add(number)
                found.append(Found(number, num_drawn + row + 1, score))
        num_drawn += size
        pace = _BATCH_SECONDS / max(time.perf_counter() - started, 1e-9)
        yield Batch(num_drawn, num_undecided, found)
        size = min(max(int(size * min(pace, _MAX_GROWTH)), num_least), _MAX_BATCH)


def _scores_as_hard(
    cards: npt.NDArray[np.uint8],
    rows: npt.NDArray[np.int64],
    difficulty: Difficulty,
    on_look: Callable[[], object] | None,
) -> dict[int, float | None]:
    """Those of `rows` whose deals get the word that is asked for, with their scores."""
    from boulanger.solver.rating.parts import Measurer
    from boulanger.solver.rating.rate import rate

    measurer = Measurer()
    kept: dict[int, float | None] = {}
    for row in rows.tolist():
        position = Position.from_deal(cards[row].tolist(), difficulty.num_cells)
        rating = rate(
            position,
            measurer=measurer,
            on_progress=None if on_look is None else lambda _: on_look(),
        )
        if rating.level == difficulty.word:
            kept[row] = rating.score
    return kept


def draw_numbers(draws: np.random.Philox, count: int) -> npt.NDArray[np.uint64]:
    """The next `count` numbers of game codes, each of the 2**35 as likely, uint64 (count,).

    They are the upper bits of the outputs of NumPy's Philox, a counter-based generator (Salmon
    and others, "Parallel random numbers: as easy as 1, 2, 3", SC11), which are the same in all
    versions of NumPy, unlike what its `Generator` makes of them.
    """
    bits = NUM_CODES.bit_length() - 1
    raw = np.asarray(draws.random_raw(count), np.uint64)
    return raw >> np.uint64(64 - bits)


def is_ready() -> bool:
    """Whether `find_deals` has nothing to compile; a good guess."""
    return classify.is_ready() and are_deals_ready()


def _deal_bk1(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    return deal_many(BK1.name, numbers)


def _fitting_rows(
    cards: npt.NDArray[np.uint8], conditions: Sequence[Condition]
) -> tuple[npt.NDArray[np.int64], int]:
    """The places of the deals that fit, rising, and how many could not be decided."""
    rows = np.flatnonzero(cards[:, 0] != _NO_CARD)
    num_undecided = 0
    # Few cells take the least time, so they come first, and only what fits goes on.
    for condition in sorted(conditions):
        verdicts, _ = classify.classify(cards[rows], condition.num_cells)
        num_undecided += int((verdicts == Verdict.UNDECIDED).sum())
        rows = rows[verdicts == condition.verdict]
    return rows, num_undecided
