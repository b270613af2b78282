"""The fixed part of a packed state and the way between boards and states, with literal examples."""

from __future__ import annotations

import random
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boulanger.engine.cards import NUM_CARDS, card_text
from boulanger.engine.errors import BoardError
from boulanger.engine.moves import Action, cell_place, column_place, foundation_place
from boulanger.engine.packed.layout import (
    DEALT_ON_PARENT,
    DEPTH_BITS,
    FIRST_CARDS,
    NO_COLUMN,
    NUM_COLUMNS,
    Layout,
    card_bit,
    make_layout,
)
from boulanger.engine.packed.packing import State, pack_position, pack_state, unpack_state
from boulanger.engine.packed.state import (
    TO_CELL,
    TO_COLUMN,
    TO_PARENT,
    make_key,
    normalise,
    play,
    read_key,
)
from boulanger.engine.position import Position
from boulanger.engine.rules import close
from tests import oracle
from tests.bridge import as_words, key_of, packed, to_board
from tests.strategies import board, cards

SPADES = 0

# Hearts, diamonds and clubs are home, spades not at all. The ace lies under a run.
SPADES_BOARD = board(
    "KS QS", "AS 9S 8S 7S", "2S JS 3S TS", "4S", "5S 6S", cells="- - - -", home=(0, 13, 13, 13)
)
LAYOUT = make_layout(SPADES_BOARD.columns)
START = pack_state(LAYOUT, SPADES_BOARD)


def bits(names: str) -> int:
    """The mask of some cards."""
    return sum(1 << card_bit(card) for card in cards(names))


def depths_word(*depths: int) -> int:
    """The word of depths of columns 1, 2 and so on; the others are emptied."""
    return sum(depth << (DEPTH_BITS * column) for column, depth in enumerate(depths))


def spades_after(*columns: str, cells: str = "- - - -") -> Position:
    """The same game later on: these columns, the others empty."""
    return board(*columns, cells=cells, home=SPADES_BOARD.foundations)


# ----------------------------------------------------------------------------------------- layout


def test_layout_of_a_small_board() -> None:
    """Two columns, KS QS and 2H KH: start, cards, masks and strides written out."""
    layout = make_layout([cards("KS QS"), (), cards("2H KH"), (), (), (), (), ()])
    assert layout.start.tolist() == [0, 3, 4, 7, 8, 9, 10, 11, 12]
    assert layout.card[:12].tolist() == [-1, 12, 11, -1, -1, 17, 28, -1, -1, -1, -1, -1]
    assert layout.top[:7].tolist() == [0, 1 << 12, 1 << 11, 0, 0, 1 << 17, 1 << 28]
    assert layout.intact[:7].tolist() == [0, 1 << 12, 0x1800, 0, 0, 1 << 17, 0x1002_0000]
    assert layout.stride.tolist() == [1, 3, 3, 9, 9, 9, 9, 9]
    dealt = {12: 0, 11: 0, 17: 2, 28: 2}
    assert layout.column_of.tolist() == [dealt.get(bit, NO_COLUMN) for bit in range(64)]
    assert layout.marks[DEALT_ON_PARENT] == 1 << 11
    assert layout.marks[FIRST_CARDS] == 1 << 12 | 1 << 17
    assert {word.dtype.name for word in (layout.top, layout.intact, layout.marks)} == {"uint64"}
    assert {array.dtype.name for array in layout[:2] + layout[4:6]} == {"int64"}
    assert (layout.card.size, layout.top.size, layout.intact.size) == (60, 60, 60)


def test_what_counts_as_dealt_on_its_parent() -> None:
    """Same suit and next higher, in this order; kings follow the aces of the suit before."""
    layout = make_layout([cards(column) for column in ("9S 8S 7S", "5H 6H", "AS KH", "QC JD")])
    assert layout.marks[DEALT_ON_PARENT] == bits("8S 7S")
    reversed_layout = make_layout([cards("AH KS"), cards("KS AH")])
    assert reversed_layout.marks[DEALT_ON_PARENT] == 0


def test_layout_of_microsoft_deal_1() -> None:
    columns = [cards(" ".join(column)) for column in oracle.ms_deal(1).columns]
    layout = make_layout(columns)
    assert layout.start.tolist() == [0, 8, 16, 24, 32, 39, 46, 53, 60]
    assert layout.stride.tolist() == [1, 8, 64, 512, 4096, 28672, 200704, 1404928]
    assert layout.marks[FIRST_CARDS] == bits(" ".join(card_text(column[0]) for column in columns))
    for c, column in enumerate(columns):
        entries = slice(int(layout.start[c]) + 1, int(layout.start[c + 1]))
        assert layout.card[entries].tolist() == [card_bit(card) for card in column]
        assert layout.intact[entries.stop - 1] == sum(1 << card_bit(card) for card in column)


@given(st.lists(st.integers(0, NUM_CARDS), min_size=NUM_COLUMNS, max_size=NUM_COLUMNS))
def test_every_depth_index_fits_into_24_bits(weights: list[int]) -> None:
    """Columns of any lengths that hold 52 cards; dealt boards reach the bound itself."""
    lengths = [NUM_CARDS * weight // max(1, sum(weights)) for weight in weights]
    lengths[0] += NUM_CARDS - sum(lengths)
    layout = make_layout(columns_of(lengths))
    largest = sum(int(layout.stride[c]) * length for c, length in enumerate(lengths))
    assert largest + 1 == prod(length + 1 for length in lengths) <= 8**4 * 7**4 < 1 << 24


def columns_of(lengths: list[int]) -> list[tuple[int, ...]]:
    """The whole deck, shuffled, in columns of these lengths."""
    deck = list(range(NUM_CARDS))
    random.Random(0).shuffle(deck)
    return [tuple(deck.pop() for _ in range(length)) for length in lengths]


@pytest.mark.kernel
@pytest.mark.parametrize(
    "lengths",
    [
        [7, 7, 7, 7, 6, 6, 6, 6],
        [15, 15, 15, 7, 0, 0, 0, 0],
        [1, 0, 15, 9, 15, 0, 6, 6],
        [52, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 52],
        [26, 0, 0, 0, 0, 0, 0, 26],
    ],
)
def test_keys_of_columns_of_any_length(lengths: list[int]) -> None:
    """The full board and every depth of each column have a key of their own, which reads back."""
    layout = make_layout(columns_of(lengths))
    keys = set()
    for c in range(NUM_COLUMNS):
        for depth in range(lengths[c] + 1):
            state = (0, 0, depths_word(*lengths[:c], depth, *lengths[c + 1 :]))
            keys.add(key_of(layout, state))
            read = read_key(layout, *map(np.uint64, key_of(layout, state)))
            assert tuple(map(int, read)) == state
    assert len(keys) == NUM_CARDS + 1


@pytest.mark.kernel
def test_one_column_of_52_cards() -> None:
    """From the board to the state and back, and its exposed card to a cell."""
    deck = [*range(13, NUM_CARDS), *range(13)]  # ends with the king of spades, all aces covered
    position = Position((tuple(deck), *[()] * 7))
    new = pack_position(position)
    assert (new.opening, new.state) == ((), (0, 0, 52))
    assert unpack_state(new.layout, new.state, 4) == position
    king = np.int64(card_bit(12))
    after = tuple(map(int, play(new.layout, *as_words(new.state), king, np.int64(TO_CELL))))
    assert after == (1 << 12, 0, 51)
    unpacked = unpack_state(new.layout, after, 4)
    assert unpacked == Position((tuple(deck[:-1]), *[()] * 7), (12, None, None, None))


@pytest.mark.kernel
def test_the_key_of_a_small_board() -> None:
    """Depths 1 of 2, 0 of 0, 2 of 2 in radix 3, 1, 3 are index 7: all in the spades' spare bits."""
    layout = make_layout([cards("KS QS"), (), cards("2H KH"), (), (), (), (), ()])
    state = (bits("QS"), bits("JC"), depths_word(1, 0, 2))
    assert key_of(layout, state) == (1 << 11 | 7 << 13, 1 << 58)
    assert [int(word) for word in make_key(layout, *as_words(state))] == [0xE800, 1 << 58]


# ---------------------------------------------------------------------------------------- packing


def test_a_board_as_a_new_deal() -> None:
    assert (0, 0, depths_word(2, 4, 4, 1, 2)) == START
    new = pack_position(SPADES_BOARD)
    assert (new.position, new.opening, new.state) == (SPADES_BOARD, (), START)


def test_cards_in_cells_and_at_bottoms() -> None:
    """Later on: 4S and QS are in cells, 9S 8S in the empty column 6, 7S at the bottom of 4."""
    position = spades_after("KS", "AS 9S 8S", "2S JS 3S TS", "7S", "5S 6S", cells="4S - QS -")
    assert pack_state(LAYOUT, position) == (bits("4S QS"), bits("7S"), depths_word(1, 3, 4, 0, 2))
    position = spades_after(
        "5S 6S", "KS", "7S", "2S JS 3S TS", "9S 8S", "", "AS QS", cells="4S - - -"
    )
    with pytest.raises(BoardError, match="QS lies on AS"):
        pack_state(LAYOUT, position)


def test_unpacking_orders_columns_and_cells() -> None:
    """Columns with intact cards stand where they were dealt, loose ones fill the gaps in order."""
    state = (bits("QS 4S"), bits("7S"), depths_word(1, 3, 4, 0, 2))
    assert unpack_state(LAYOUT, state, 3) == spades_after(
        "KS", "AS 9S 8S", "2S JS 3S TS", "7S", "5S 6S", cells="4S QS -"
    )
    # A run hangs on an intact card, another on a bottom: they are in no mask.
    state = (bits("6S"), bits("TS"), depths_word(2, 1, 3, 1, 1))
    with_runs = spades_after("KS QS", "AS", "2S JS 3S", "4S", "5S", "TS 9S 8S 7S", cells="6S -")
    assert close(with_runs)[1]  # so it cannot be packed, but it shows what a state says
    assert unpack_state(LAYOUT, state, 2) == with_runs


def test_the_order_of_columns_and_cells_is_forgotten() -> None:
    columns = ("KS", "AS 9S 8S", "2S JS 3S TS", "7S", "5S 6S")
    states = {
        pack_state(LAYOUT, spades_after(*shuffled, cells=in_cells))
        for shuffled in (columns, columns[::-1], ("", "", *columns))
        for in_cells in ("4S - QS -", "QS 4S - -", "- - 4S QS")
    }
    assert states == {(bits("4S QS"), bits("7S"), depths_word(1, 3, 4, 0, 2))}


def test_what_cannot_have_been_reached_is_refused() -> None:
    """QS and JS lie on cards that are neither their parents nor what they were dealt on."""
    with pytest.raises(BoardError, match="QS lies on 4S"):
        pack_state(LAYOUT, spades_after("KS", "AS 9S 8S 7S", "2S JS 3S TS", "4S QS", "5S 6S"))
    with pytest.raises(BoardError, match="QS lies on 8S"):
        pack_state(LAYOUT, spades_after("KS", "AS 9S 8S QS", "2S JS 3S TS", "4S", "5S 6S 7S"))
    with pytest.raises(BoardError, match="without pending foundation moves"):
        pack_state(LAYOUT, spades_after("KS QS", "AS", "2S JS 3S TS 9S 8S 7S", "4S", "5S 6S"))


def test_packing_plays_the_pending_foundation_moves_and_says_which() -> None:
    """AS from a cell, then 2S and 3S from a column; 4S is covered."""
    columns = "5S 3S 2S", "KS 4S QS", "JS TS 9S 8S 7S 6S"
    position = board(*columns, cells="- AS", home=(0, 13, 13, 13))
    new = pack_position(position)
    home = foundation_place(SPADES)
    assert new.opening == tuple(
        Action(source, home) for source in (cell_place(1), column_place(0), column_place(0))
    )
    closed = board("5S", "KS 4S QS", "JS TS 9S 8S 7S 6S", cells="- -", home=(3, 13, 13, 13))
    assert new.position == closed
    assert new.layout.start.tolist() == [0, 2, 6, 13, 14, 15, 16, 17, 18]
    assert new.state == (0, 0, depths_word(1, 3, 6))
    assert unpack_state(new.layout, new.state, 2) == closed


def test_packing_a_won_board() -> None:
    new = pack_position(board("KS", cells="QS", home=(11, 13, 13, 13)))
    assert new.position.is_won
    assert len(new.opening) == 2
    assert new.state == (0, 0, 0)
    assert unpack_state(new.layout, new.state, 1) == board(cells="-", home=(13, 13, 13, 13))


def test_a_board_that_is_none_is_not_packed() -> None:
    with pytest.raises(BoardError, match="missing"):
        pack_position(Position((cards("KS"), *[()] * 7)))


@given(st.integers(0, 2**32 - 1), st.integers(0, 8))
@settings(deadline=None, max_examples=150)
def test_packing_and_unpacking_keep_the_physical_position(seed: int, num_cells: int) -> None:
    rng = random.Random(seed)
    start = oracle.random_endgame(rng, num_cells, rng.randint(0, 52))
    layout, state = packed(start)
    position = unpack_state(layout, state, num_cells)
    assert oracle.physical_key(to_board(position)) == oracle.physical_key(oracle.close(start))
    assert pack_state(layout, position) == state


# ------------------------------------------------------------------------------ normalise upwards


def played(state: State, *moves: tuple[str, int], layout: Layout = LAYOUT) -> State:
    """The state after plies: (card, kind of destination) each."""
    for name, destination in moves:
        bit = np.int64(card_bit(cards(name)[0]))
        after = play(layout, *as_words(state), bit, np.int64(destination))
        state = (int(after[0]), int(after[1]), int(after[2]))
    return state


@pytest.mark.kernel
def test_a_first_card_back_at_a_bottom_makes_its_column_again() -> None:
    """Half (1): whichever emptied column it went to; here its own or one that never held a card."""
    emptied = played(START, ("QS", TO_CELL), ("KS", TO_CELL))
    assert emptied == (bits("QS KS"), 0, depths_word(0, 4, 4, 1, 2))
    back = played(emptied, ("KS", TO_COLUMN))
    assert back == played(START, ("QS", TO_CELL)) == (bits("QS"), 0, depths_word(1, 4, 4, 1, 2))
    for columns in (("KS",), ("", "", "", "", "", "KS")):
        moved = [*columns, *[""] * (6 - len(columns))]
        moved[1:5] = "AS 9S 8S 7S", "2S JS 3S TS", "4S", "5S 6S"
        assert pack_state(LAYOUT, spades_after(*moved, cells="QS - - -")) == back
    # 4S was dealt alone: to an empty column and nothing has changed.
    assert played(START, ("4S", TO_CELL), ("4S", TO_COLUMN)) == START


@pytest.mark.kernel
def test_a_card_back_on_the_parent_it_was_dealt_on_is_intact_again() -> None:
    """Half (2): one card, a run of them card by card, and a whole column by way of half (1)."""
    away = played(START, ("7S", TO_CELL), ("8S", TO_CELL))
    assert away == (bits("7S 8S"), 0, depths_word(2, 2, 4, 1, 2))
    assert played(away, ("8S", TO_PARENT)) == (bits("7S"), 0, depths_word(2, 3, 4, 1, 2))
    assert played(away, ("8S", TO_PARENT), ("7S", TO_PARENT)) == START
    everything = played(
        START, ("QS", TO_CELL), ("KS", TO_CELL), ("KS", TO_COLUMN), ("QS", TO_PARENT)
    )
    assert everything == START


@pytest.mark.kernel
def test_cards_on_a_parent_they_were_not_dealt_on_stay_loose() -> None:
    """9S 8S 7S put on TS: a run that is intact nowhere, though 8S lies on 9S as it was dealt."""
    away = played(START, ("7S", TO_CELL), ("8S", TO_CELL), ("4S", TO_CELL))
    moved = played(away, ("9S", TO_PARENT), ("8S", TO_PARENT), ("7S", TO_PARENT))
    # The ace went home from under it, so columns 2 and 4 are empty now.
    assert moved == (bits("4S"), 0, depths_word(2, 0, 4, 0, 2))
    position = unpack_state(LAYOUT, moved, 4)
    assert position.columns[2] == cards("2S JS 3S TS 9S 8S 7S")
    assert position.foundations[SPADES] == 1
    assert pack_state(LAYOUT, position) == moved


@pytest.mark.kernel
def test_both_halves_at_once_on_a_whole_run() -> None:
    """A column that is one run, laid down card by card elsewhere, is as deep as it was dealt."""
    position = board("JH TH 9H 8H", "7H QH KH", home=(13, 6, 13, 13))
    layout = make_layout(position.columns)
    start = pack_state(layout, position)
    assert start == (0, 0, depths_word(4, 3))
    up = [(name, TO_CELL) for name in ("8H", "9H", "TH", "JH")]
    state = played(start, *up, layout=layout)
    assert state == (bits("JH TH 9H 8H"), 0, depths_word(0, 3))
    for depth, name in enumerate(("JH", "TH", "9H", "8H"), start=1):
        state = played(state, (name, TO_COLUMN if depth == 1 else TO_PARENT), layout=layout)
        assert state[1:] == (0, depths_word(depth, 3))
    assert state == start
    # All of it loose, as no single ply leaves it: JH at a bottom, the others on their parents.
    for loose in ((0, bits("JH"), depths_word(0, 3)), (0, 0, depths_word(1, 3))):
        assert tuple(map(int, normalise(layout, *as_words(loose)))) == start
