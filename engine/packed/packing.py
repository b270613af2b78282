"""From a `Position` to the packed state and back."""

from __future__ import annotations

from dataclasses import dataclass

from boulanger.engine.cards import NUM_CARDS, NUM_RANKS, card_text, rank_of
from boulanger.engine.errors import BoardError
from boulanger.engine.moves import Action
from boulanger.engine.packed.layout import (
    ALL_CARDS,
    DEPTH_BITS,
    LANE_BITS,
    LANE_CARDS,
    NUM_COLUMNS,
    Layout,
    bit_card,
    card_bit,
    make_layout,
)
from boulanger.engine.position import Position
from boulanger.engine.rules import close

State = tuple[int, int, int]
"""(cells, bottoms, depths) as plain integers; kernels take them as np.uint64."""


@dataclass(frozen=True, slots=True)
class PackedPosition:
    """A board taken as a new deal, ready for the kernels.

    Attributes:
        position: the board after `opening`, the one that is packed.
        opening: the foundation moves that the board had pending, played first, since only closed
            positions can be packed.
        layout: the deal that `position` is taken for: all cards in columns are intact.
        state: the packed state of `position`.
    """

    position: Position
    opening: tuple[Action, ...]
    layout: Layout
    state: State


def pack_position(position: Position) -> PackedPosition:
    """Plays the pending foundation moves and packs the board as a new deal.

    Raises:
        BoardError: if the position is not legal (see `Position.check`).
    """
    position.check()
    closed, opening = close(position)
    layout = make_layout(closed.columns)
    return PackedPosition(closed, opening, layout, pack_state(layout, closed))


def pack_state(layout: Layout, position: Position) -> State:
    """The state of a closed position that was reached from the deal of `layout`.

    Raises:
        BoardError: if it cannot have been reached: a card lies on one that is neither its parent
            nor the card it was dealt on; or if it is not closed.
    """
    if close(position)[1]:
        raise BoardError("position.pending")
    cells = bottoms = depths = 0
    for card in position.cells:
        if card is not None:
            cells |= 1 << card_bit(card)
    for column in position.columns:
        if not column:
            continue
        home_column = int(layout.column_of[card_bit(column[0])])
        depth = _common_length(_dealt_column(layout, home_column), column)
        if depth > 0:
            depths |= depth << (DEPTH_BITS * home_column)
        else:
            bottoms |= 1 << card_bit(column[0])
        for under, card in zip(column[max(depth, 1) - 1 :], column[max(depth, 1) :], strict=False):
            if under != card + 1 or rank_of(card) == NUM_RANKS:
                raise BoardError("position.not_reached", card=card_text(card), on=card_text(under))
    return cells, bottoms, depths


def unpack_state(layout: Layout, state: State, num_cells: int) -> Position:
    """The board of a state; emptied columns that hold cards come in the order of their bottoms."""
    cells, bottoms, depths = (int(word) for word in state)
    depth_mask = (1 << DEPTH_BITS) - 1
    columns = [
        list(_dealt_column(layout, c)[: (depths >> (DEPTH_BITS * c)) & depth_mask])
        for c in range(NUM_COLUMNS)
    ]
    intact = {card for column in columns for card in column}
    held, lowest = _mask_cards(cells), _mask_cards(bottoms)
    apart = intact | set(held) | set(lowest)
    foundations = [0, 0, 0, 0]
    for suit in range(4):
        while foundations[suit] < NUM_RANKS and NUM_RANKS * suit + foundations[suit] not in apart:
            foundations[suit] += 1
    home = {NUM_RANKS * suit + rank for suit in range(4) for rank in range(foundations[suit])}
    on_parent = set(range(NUM_CARDS)) - apart - home
    bottoms_left = iter(lowest)
    for column in columns:
        if not column:
            column.extend(card for card in (next(bottoms_left, None),) if card is not None)
        while column and column[-1] % NUM_RANKS > 0 and column[-1] - 1 in on_parent:
            column.append(column[-1] - 1)
    slots = (*held, *(None,) * (num_cells - len(held)))
    return Position(tuple(map(tuple, columns)), slots, tuple(foundations))


def _dealt_column(layout: Layout, column: int) -> tuple[int, ...]:
    """The cards that were dealt to a column, as card numbers; empty for column -1."""
    if column < 0:
        return ()
    first, end = int(layout.start[column]) + 1, int(layout.start[column + 1])
    return tuple(bit_card(int(bit)) for bit in layout.card[first:end])


def _common_length(dealt: tuple[int, ...], column: tuple[int, ...]) -> int:
    length = 0
    while length < min(len(dealt), len(column)) and dealt[length] == column[length]:
        length += 1
    return length


def _mask_cards(mask: int) -> list[int]:
    """The card numbers of a mask's bits, in rising order."""
    assert mask & ~int(ALL_CARDS) == 0
    return [
        suit * LANE_CARDS + rank
        for suit in range(4)
        for rank in range(LANE_CARDS)
        if mask >> (suit * LANE_BITS + rank) & 1
    ]
