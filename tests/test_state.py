"""The packed state: its bit table, its key and its moves, against the oracle."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boulanger.engine.errors import BoardError
from boulanger.engine.moves import Ply, Zone
from boulanger.engine.packed import bits, layout, packing, state
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_ply, legal_plies
from tests import oracle
from tests.bridge import key_of, packed, successors, to_board, to_position

pytestmark = pytest.mark.kernel

_PERFT = json.loads((Path(__file__).parent / "data" / "perft.json").read_text())
_SEEDS = st.integers(0, 2**32 - 1)


def _board(entry: dict) -> oracle.Board:
    return oracle.board_from_columns(
        entry["columns"], entry["cells"], entry["foundations"], entry["num_cells"]
    )


def test_bit_table_anchors() -> None:
    assert [layout.card_bit(card) for card in (0, 12, 13, 25, 26, 39, 51)] == [
        0, 12, 16, 28, 32, 48, 60,
    ]  # fmt: skip
    assert int(layout.ACES) == 0x0001_0001_0001_0001
    assert int(layout.ALL_CARDS) == 0x1FFF_1FFF_1FFF_1FFF
    assert [layout.bit_card(layout.card_bit(card)) for card in range(52)] == list(range(52))


def test_key_anchor() -> None:
    """Microsoft deal 1, untouched: depths 7777 6666 in radix 8888 7777 and no other bit."""
    deal, packed_state = packed(oracle.ms_deal(1))
    index = sum(7 * 8**c for c in range(4)) + sum(6 * 8**4 * 7**c for c in range(4))
    assert packed_state == (0, 0, 0x0606_0606_0707_0707)
    spread = [0, 0]
    for i in range(24):
        lane, bit = divmod(i % 12, 3)
        spread[i // 12] |= (index >> i & 1) << (16 * lane + 13 + bit)
    assert key_of(deal, packed_state) == tuple(spread)


@given(st.integers(0, 2**64 - 1))
def test_bit_counts(word: int) -> None:
    first = word & -word
    assert _counts(np.uint64(word)) == (
        word.bit_count(),
        first.bit_length() - 1 if word else 64,
        word.bit_length() - 1,
    )


@state.kernel
def _counts(word):
    return bits.popcount(word), bits.lowest_bit(word), bits.highest_bit(word)


@given(_SEEDS, st.integers(0, 8))
@settings(deadline=None, max_examples=150)
def test_walks_agree_with_the_oracle(seed: int, num_cells: int) -> None:
    """On each step of a walk: same successors, exact round trips, one key per physical position."""
    rng = random.Random(seed)
    board = oracle.close(_random_deal(rng, num_cells))
    deal, here = packed(board)
    for _ in range(40):
        expected = {oracle.physical_key(after) for after in oracle.closed_successors(board)}
        by_key = {}
        for after in successors(deal, num_cells, here):
            position = packing.unpack_state(deal, after, num_cells)
            position.check()
            assert packing.pack_state(deal, position) == after
            by_key[oracle.physical_key(to_board(position))] = after
        assert set(by_key) == expected
        assert len({key_of(deal, after) for after in by_key.values()}) == len(by_key)
        if not by_key:
            return
        here = rng.choice(sorted(by_key.values()))
        board = to_board(packing.unpack_state(deal, here, num_cells))


@given(_SEEDS)
@settings(deadline=None, max_examples=100)
def test_keys_give_back_their_states(seed: int) -> None:
    """On random endgames, columns of any length: the key loses nothing."""
    rng = random.Random(seed)
    board = oracle.close(oracle.random_endgame(rng, 4, rng.randint(4, 52)))
    deal, here = packed(board)
    for _ in range(30):
        read = state.read_key(deal, *map(np.uint64, key_of(deal, here)))
        assert tuple(map(int, read)) == here
        following = sorted(successors(deal, 4, here))
        if not following:
            return
        here = rng.choice(following)


@pytest.mark.parametrize("entry", _PERFT["boards"], ids=lambda entry: entry["name"])
def test_perft_on_the_packed_state(entry: dict) -> None:
    """Paths and distinct keys by depth equal the oracle's paths and distinct positions."""
    deal, start = packed(_board(entry))
    paths = {start: 1}
    for depth, (num_paths, num_distinct) in enumerate(entry["closed"]):
        if depth > 0:
            following: dict[packing.State, int] = {}
            for here, count in paths.items():
                for after in successors(deal, entry["num_cells"], here):
                    following[after] = following.get(after, 0) + count
            paths = following
        keys = {key_of(deal, here) for here in paths}
        assert (sum(paths.values()), len(keys)) == (num_paths, num_distinct), f"depth {depth}"


@pytest.mark.parametrize("entry", _PERFT["boards"], ids=lambda entry: entry["name"])
def test_perft_on_positions(entry: dict) -> None:
    """The same with the readable rules, nothing forced."""
    paths = {to_position(_board(entry)): 1}
    for depth, (num_paths, num_distinct) in enumerate(entry["raw"]):
        if depth > 0:
            following: dict[Position, int] = {}
            for position, count in paths.items():
                for ply in _distinct_plies(position):
                    after = apply_ply(position, ply)
                    following[after] = following.get(after, 0) + count
            paths = following
        keys = {oracle.physical_key(to_board(position)) for position in paths}
        assert (sum(paths.values()), len(keys)) == (num_paths, num_distinct), f"depth {depth}"


def test_a_position_that_cannot_arise_is_not_packed() -> None:
    position = to_position(oracle.ms_deal(1))
    deal = layout.make_layout(position.columns)
    columns = list(position.columns)
    columns[0], columns[1] = columns[0][:-1], (*columns[1], columns[0][-1])
    with pytest.raises(BoardError, match="6S lies on 9C"):
        packing.pack_state(deal, Position(tuple(columns)))


def test_each_kernel_sees_one_signature() -> None:
    """Words stay uint64 and counts int64 wherever kernels call each other."""
    from boulanger.solver.optimal.solve import solve

    solve(to_position(oracle.ms_deal(2)))
    deal, start = packed(oracle.ms_deal(3))
    list(successors(deal, 4, start))
    kernels = [k for k in vars(state).values() if hasattr(k, "py_func")]
    assert len(kernels) > 8
    for compiled in kernels:
        assert len(compiled.signatures) <= 1, compiled.py_func.__name__


def _distinct_plies(position: Position) -> list[Ply]:
    """All plies but between cells, one for each card and kind of destination, as the oracle counts.

    A card alone in its column may go to an empty one: that is a ply too, though it changes nothing.
    """
    plies = {}
    for ply in legal_plies(position, all_places=True):
        source, destination = ply.source, ply.destination
        if source.zone == destination.zone == Zone.CELL:
            continue
        is_empty_column = (
            destination.zone == Zone.COLUMN and not position.columns[destination.index]
        )
        plies.setdefault((ply.card, destination.zone, is_empty_column), ply)
    return list(plies.values())


def _random_deal(rng: random.Random, num_cells: int) -> oracle.Board:
    cards = list(oracle.CARDS)
    rng.shuffle(cards)
    return oracle.board_from_columns([cards[c::8] for c in range(8)], num_cells=num_cells)
