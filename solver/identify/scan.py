"""Which of many shuffles lead to a board, whatever deck they began with; compiled.

A shuffle is a permutation, so the board says which card lay where in the unshuffled deck. Each card
rules out most of the declared decks: after the first one, one shuffle in three is left, after
three, one in some five hundred. Decks are not tried one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boulanger.engine.cards import NUM_CARDS, NUM_RANKS, NUM_SUITS
from boulanger.engine.deals.shuffles import pick_and_fill, swap_down
from boulanger.engine.packed.jit import bare_kernel as kernel
from boulanger.engine.packed.jit import is_compiled
from boulanger.solver.identify.family import shuffles
from boulanger.solver.identify.family.decks import (
    ACE_UP,
    DEALINGS,
    GROUPINGS,
    RANK_BY_RANK,
    RANK_ORDERS,
    SUIT_BY_SUIT,
)
from boulanger.solver.identify.family.shuffles import SHUFFLES

# The decks but for the order of their suits.
LAYOUTS: Final = tuple((grouping, ranks) for grouping in GROUPINGS for ranks in RANK_ORDERS)
NUM_DEALINGS: Final = len(DEALINGS)
_NO_SUIT: Final = -1

_swap_down = kernel(swap_down)
_swap_up = kernel(shuffles.swap_up)
_grow = kernel(shuffles.grow)
_pick_and_close = kernel(shuffles.pick_and_close)
_pick_and_fill = kernel(pick_and_fill)
_naive_up = kernel(shuffles.naive_up)
_swap_pairs = kernel(shuffles.swap_pairs)

# The numbers by which `_permute` knows them; sorts are permutations before they come here.
_NUMBERS: Final[dict[Callable[[Any, Any], None], int]] = {
    swap_down: 0,
    shuffles.swap_up: 1,
    shuffles.grow: 2,
    shuffles.pick_and_close: 3,
    pick_and_fill: 4,
    shuffles.naive_up: 5,
    shuffles.swap_pairs: 6,
}
_AS_IT_IS: Final = 7


def permuted(name: str, draws: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """What shuffle `name` makes of each row of draws; for a sort, of ranks (see `sorted_rows`).

    Returns:
        A new array (lanes, 52): which card of the unshuffled deck lies at each place.
    """
    orders = np.empty((draws.shape[0], NUM_CARDS), dtype=np.int64)
    _permute_rows(np.int64(_number_of(name)), np.ascontiguousarray(draws, np.int64), orders)
    return orders


def sorted_rows(name: str, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """The order in which shuffle `name`, which is a sort, leaves the cards with these keys."""
    ascending = keys if SHUFFLES[name].permute is shuffles.sort_up else ~keys
    return np.argsort(ascending, axis=1, kind="stable").astype(np.int64)


def _number_of(name: str) -> int:
    shuffle = SHUFFLES[name]
    return _AS_IT_IS if shuffle.is_sort else _NUMBERS[shuffle.permute]


class Board:
    """A board as `scan` needs it: for each order of dealing, its cards by their places.

    Args:
        cards: the 52 cards in deal order.
    """

    def __init__(self, cards: tuple[int, ...]) -> None:
        # Cards are looked at in the order in which they were dealt: the last place first, if that
        # is where dealing begins.
        self.places = np.empty((NUM_DEALINGS, NUM_CARDS), dtype=np.int64)
        self.cards = np.empty((NUM_DEALINGS, NUM_CARDS), dtype=np.int64)
        for d, (name, dealing) in enumerate(DEALINGS.items()):
            by_place = sorted(zip(dealing.places, cards, strict=True))
            if name.endswith("-from-last"):
                by_place.reverse()
            self.places[d] = [place for place, _ in by_place]
            self.cards[d] = [card for _, card in by_place]


class Hit(NamedTuple):
    """A shuffle that leads to the board: its lane, and numbers in `DEALINGS` and `LAYOUTS`."""

    lane: int
    dealing: int
    layout: int


class _Room(NamedTuple):
    """Memory of a scan, int64: the order of a shuffle, and the suits that its cards say."""

    order: npt.NDArray[np.int64]
    suits: npt.NDArray[np.int64]


class Scanner:
    """Looks for a board among shuffles; remembers how near the nearest one came.

    Attributes:
        most_right: the most cards, in the order of dealing, that any shuffle had right before its
            first wrong one, with the declared deck that suits it best.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._fitting_layouts = _fitting_layouts()
        self._blocks = _blocks()
        self._room = _Room(*(np.empty(size, np.int64) for size in (NUM_CARDS, NUM_SUITS)))
        self._most_right = np.zeros(1, dtype=np.int64)

    @property
    def most_right(self) -> int:
        """See above."""
        return int(self._most_right[0])

    def scan(self, name: str, draws: npt.NDArray[np.int64]) -> list[Hit]:
        """The rows of draws with which shuffle `name` leads to the board.

        Args:
            name: of the shuffle; its draws must be permutations if it is a sort.
            draws: int64 (lanes, number of draws).
        """
        hits = _room_for_hits(len(draws))
        num_hits = _scan(
            np.int64(_number_of(name)),
            np.ascontiguousarray(draws, np.int64),
            self._board.places,
            self._board.cards,
            self._fitting_layouts,
            self._blocks,
            self._most_right,
            self._room,
            hits,
        )
        return [Hit(*hit) for hit in hits[:num_hits].tolist()]

    def scan_near(self, name: str, draws: npt.NDArray[np.int64], max_wrong: int) -> list[Hit]:
        """The same, but that up to `max_wrong` cards may have a wrong rank, and any a wrong suit.

        Some four cards in 52 have their rank by chance, so with few wrong ones a hit is not one.
        """
        hits = _room_for_hits(len(draws))
        num_hits = _scan_near(
            np.int64(_number_of(name)),
            np.ascontiguousarray(draws, np.int64),
            self._board.places,
            self._board.cards,
            self._fitting_layouts,
            np.int64(max_wrong),
            self._room,
            hits,
        )
        return [Hit(*hit) for hit in hits[:num_hits].tolist()]


def _room_for_hits(num_lanes: int) -> npt.NDArray[np.int64]:
    return np.empty((num_lanes * NUM_DEALINGS * len(LAYOUTS), 3), dtype=np.int64)


def is_ready() -> bool:
    """Whether a scan can run without compiling first."""
    return is_compiled(_scan, _scan_near, _permute_rows)


def prepare() -> None:
    """Compiles what a scan needs, if it is not compiled."""
    draws = np.zeros((1, NUM_CARDS - 1), dtype=np.int64)
    scanner = Scanner(Board(tuple(range(NUM_CARDS))))
    scanner.scan("down", draws)
    scanner.scan_near("down", draws, 0)
    permuted("down", draws)


def suits_of(layout: int, suits_at: dict[int, int]) -> tuple[int, ...]:
    """The suits of a deck in their order, from the suit of the card at each of its places.

    If a few cards are wrong, the others outvote them.
    """
    blocks = _blocks()
    votes = np.zeros((NUM_SUITS, NUM_SUITS), dtype=np.int64)
    for place, suit in suits_at.items():
        votes[blocks[layout, place], suit] += 1
    return max(
        permutations(range(NUM_SUITS)),
        key=lambda suits: sum(votes[block, suit] for block, suit in enumerate(suits)),
    )


def _fitting_layouts() -> npt.NDArray[np.int64]:
    """For each place in the unshuffled deck and each rank less one, a bit a layout."""
    masks = np.zeros((NUM_CARDS, NUM_RANKS), dtype=np.int64)
    for bit, (grouping, ranks) in enumerate(LAYOUTS):
        for place in range(NUM_CARDS):
            step = place % NUM_RANKS if grouping == SUIT_BY_SUIT else place // NUM_SUITS
            rank = step if ranks == ACE_UP else NUM_RANKS - 1 - step
            masks[place, rank] |= 1 << bit
    return masks


def _blocks() -> npt.NDArray[np.int64]:
    """For each layout and each place, which of the four suits lies there, by its order."""
    return np.array(
        [
            [
                place % NUM_SUITS if grouping == RANK_BY_RANK else place // NUM_RANKS
                for place in range(NUM_CARDS)
            ]
            for grouping, _ in LAYOUTS
        ],
        dtype=np.int64,
    )


@kernel
def _permute(number, draws, order):
    """Leaves in `order` (int64, 52) what shuffle `number` makes of `draws` (int64)."""
    for i in range(NUM_CARDS):
        order[i] = i
    if number == 0:
        _swap_down(draws, order)
    elif number == 1:
        _swap_up(draws, order)
    elif number == 2:
        _grow(draws, order)
    elif number == 3:
        _pick_and_close(draws, order)
    elif number == 4:
        _pick_and_fill(draws, order)
    elif number == 5:
        _naive_up(draws, order)
    elif number == 6:
        _swap_pairs(draws, order)
    else:
        for i in range(NUM_CARDS):
            order[i] = draws[i]


@kernel(nogil=True)
def _permute_rows(number, draws, orders):
    for lane in range(draws.shape[0]):
        _permute(number, draws[lane], orders[lane])


@kernel
def _num_ranks_right(order, places, cards, fitting_layouts):
    """How many cards have the rank that one and the same layout gives them, and which layouts."""
    mask = np.int64((1 << len(LAYOUTS)) - 1)
    for t in range(NUM_CARDS):
        left = mask & fitting_layouts[order[places[t]], cards[t] % NUM_RANKS]
        if left == 0:
            return t, mask
        mask = left
    return NUM_CARDS, mask


@kernel
def _num_right(room, places, cards, fitting_layouts, blocks, layout):
    """How many cards are right with this layout and the order of suits that they themselves say."""
    order, suits = room.order, room.suits
    suits[:] = _NO_SUIT
    for t in range(NUM_CARDS):
        place = order[places[t]]
        if not (fitting_layouts[place, cards[t] % NUM_RANKS] >> layout) & 1:
            return t
        block = blocks[layout, place]
        suit = cards[t] // NUM_RANKS
        if suits[block] == _NO_SUIT:
            for other in range(NUM_SUITS):
                if suits[other] == suit:
                    return t
            suits[block] = suit
        elif suits[block] != suit:
            return t
    return NUM_CARDS


@kernel(nogil=True)
def _scan(number, draws, all_places, all_cards, fitting_layouts, blocks, most_right, room, hits):
    """Fills `hits` (int64, room for all x 3); returns how many. `most_right`, int64 (1,), rises."""
    num_hits = 0
    order = room.order
    for lane in range(draws.shape[0]):
        _permute(number, draws[lane], order)
        for d in range(NUM_DEALINGS):
            places = all_places[d]
            cards = all_cards[d]
            num_ranks, _ = _num_ranks_right(order, places, cards, fitting_layouts)
            # No more than these can be right with their suits.
            if num_ranks <= most_right[0] and num_ranks < NUM_CARDS:
                continue
            for layout in range(len(LAYOUTS)):
                right = _num_right(room, places, cards, fitting_layouts, blocks, layout)
                if right > most_right[0]:
                    most_right[0] = right
                if right == NUM_CARDS:
                    hits[num_hits, 0] = lane
                    hits[num_hits, 1] = d
                    hits[num_hits, 2] = layout
                    num_hits += 1
    return num_hits


@kernel(nogil=True)
def _scan_near(number, draws, all_places, all_cards, fitting_layouts, max_wrong, room, hits):
    """Fills `hits` (int64, room for all x 3) with what has few wrong ranks; returns how many."""
    num_hits = 0
    order = room.order
    for lane in range(draws.shape[0]):
        _permute(number, draws[lane], order)
        for d in range(NUM_DEALINGS):
            for layout in range(len(LAYOUTS)):
                num_wrong = 0
                for t in range(NUM_CARDS):
                    fitting = fitting_layouts[order[all_places[d, t]], all_cards[d, t] % NUM_RANKS]
                    num_wrong += 1 - ((fitting >> layout) & 1)
                    if num_wrong > max_wrong:
                        break
                if num_wrong <= max_wrong:
                    hits[num_hits, 0] = lane
                    hits[num_hits, 1] = d
                    hits[num_hits, 2] = layout
                    num_hits += 1
    return num_hits
