"""The transposition table: exact under collisions, emptied by its generation, refilled."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boulanger.engine.packed.layout import ACES
from boulanger.solver.line.search import NUM_NODES, PAUSED, SearchMemory, run_slice
from boulanger.solver.line.table import MAX_GENERATION, find_or_add, hash_key, refill
from tests import oracle
from tests.bridge import packed

pytestmark = pytest.mark.kernel

Key = tuple[int, int]

_NUM_SLOTS = 16
_LABEL_BITS = 0xFFFF_0000_0000 | (_NUM_SLOTS - 1)
"""The bits of a hash that the table looks at: the tag, and the slot of a table of 16."""


class Table:
    """The kernel with a table of 16 slots, and room for 8 nodes."""

    def __init__(self) -> None:
        self.slots = np.zeros(_NUM_SLOTS, np.uint64)
        self.keys = np.empty((_NUM_SLOTS // 2, 2), np.uint64)
        self.generation = 1
        self.num_nodes = 0

    def find_or_add(self, key: Key) -> int:
        """The node of the key, which is added if it is new."""
        generation, num_nodes = np.int64(self.generation), np.int64(self.num_nodes)
        words = map(np.uint64, key)
        node = int(find_or_add(self.slots, self.keys, generation, num_nodes, *words))
        self.num_nodes += node == self.num_nodes
        return node


def colliding_keys(varied_word: int, slot: int) -> list[Key]:
    """Five keys that differ in one word alone and have the same tag and this first slot."""
    words = np.zeros((2, 1 << 22), np.uint64)
    words[varied_word] = np.arange(1 << 22, dtype=np.uint64)
    labels = hashes(*words) & np.uint64(_LABEL_BITS)
    labels = np.where(labels & np.uint64(_NUM_SLOTS - 1) == np.uint64(slot), labels, np.uint64(0))
    values, counts = np.unique(labels[labels != 0], return_counts=True)
    chosen = np.flatnonzero(labels == values[counts >= 5][0])[:5]
    return [(int(words[0, i]), int(words[1, i])) for i in chosen]


def hashes(first: npt.NDArray[np.uint64], second: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """`hash_key` of whole arrays, from the same source."""
    return hash_key.py_func(first, second)


def test_the_array_hash_is_the_kernel_s() -> None:
    rng = np.random.default_rng(0)
    words = rng.integers(0, 2**64, (2, 50), np.uint64)
    assert hashes(*words).tolist() == [int(hash_key(*pair)) for pair in words.T]


@pytest.mark.parametrize("slot", [3, _NUM_SLOTS - 1])
@pytest.mark.parametrize("varied_word", [0, 1])
def test_keys_with_one_tag_and_one_slot_are_told_apart(varied_word: int, slot: int) -> None:
    """Also where the search for a slot goes on at the beginning of the table."""
    keys = colliding_keys(varied_word, slot)
    assert len({hash_key(*map(np.uint64, key)) & np.uint64(_LABEL_BITS) for key in keys}) == 1
    table = Table()
    for _ in range(2):
        assert [table.find_or_add(key) for key in keys] == [0, 1, 2, 3, 4]
    assert table.num_nodes == 5
    assert set(np.flatnonzero(table.slots).tolist()) == {(slot + i) % 16 for i in range(5)}
    assert table.keys[:5].tolist() == [list(key) for key in keys]


def test_a_new_generation_forgets_everything() -> None:
    keys = colliding_keys(0, 7)
    table = Table()
    for key in keys:
        table.find_or_add(key)
    table.generation, table.num_nodes = 2, 0
    # The rows of the old nodes still hold their keys, and the old slots still point there.
    assert [table.find_or_add(key) for key in reversed(keys)] == [0, 1, 2, 3, 4]
    assert [table.find_or_add(key) for key in reversed(keys)] == [0, 1, 2, 3, 4]


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=100)
def test_the_table_does_what_a_dictionary_does(seed: int) -> None:
    """Through generations up to the last one; the words of keys are alike, as real ones are."""
    rng = random.Random(seed)
    words = [int(ACES) << rng.randrange(13) & 2**64 - 1 for _ in range(3)] + [0]
    table = Table()
    for table.generation in (1, 2, 3, MAX_GENERATION - 1, MAX_GENERATION):
        table.num_nodes = 0
        nodes: dict[Key, int] = {}
        for _ in range(60):
            key = (rng.choice(words), rng.choice(words))
            if key in nodes or len(nodes) < len(table.keys):
                assert table.find_or_add(key) == nodes.setdefault(key, len(nodes))
        assert table.num_nodes == len(nodes)


def test_a_refilled_table_finds_every_node() -> None:
    keys = [*colliding_keys(0, 14), *colliding_keys(1, 2)[:3]]
    table = Table()
    for key in keys:
        table.find_or_add(key)
    for num_slots, generation in ((16, 1), (64, MAX_GENERATION)):
        table.slots, table.generation = np.zeros(num_slots, np.uint64), generation
        refill(table.slots, table.keys, np.int64(generation), np.int64(table.num_nodes))
        assert np.count_nonzero(table.slots) == len(keys)
        assert [table.find_or_add(key) for key in keys] == list(range(len(keys)))
    assert table.num_nodes == len(keys)


def test_the_memory_of_a_search_survives_the_last_generation() -> None:
    """A table is used again and again, past the largest number that a slot can hold."""
    deal, start = packed(oracle.ms_deal(1))
    memory = SearchMemory()
    generations, results = [], []
    for generation in (0, MAX_GENERATION - 2, MAX_GENERATION - 1, MAX_GENERATION, 1):
        memory.generation = generation
        memory.begin()
        generations.append(memory.generation)
        assert run_slice(memory, deal, 4, start, 200) == PAUSED
        results.append(int(memory.counters[NUM_NODES]))
    assert generations == [1, MAX_GENERATION - 1, MAX_GENERATION, 1, 2]
    assert len(set(results)) == 1
