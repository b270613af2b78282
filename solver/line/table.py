"""The transposition table: which positions a search has met, exactly.

Nodes live in arrays, in the order in which they were met; the table maps a key of two words to its
node. It is open addressing with linear probing over uint64 slots:

    bits 63..48 generation   47..32 tag (part of the hash)   31..0 node index

A slot whose generation is not the current one is free, so the table is emptied by adding one to the
generation. The tag only spares looks at the nodes: a key counts as met when both of its words are
equal to the node's, never sooner.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boulanger.engine.deals.splitmix import FIRST_MULTIPLIER, GAMMA
from boulanger.engine.packed.jit import bare_kernel as kernel

MAX_GENERATION: Final = (1 << 16) - 1
MAX_NODES: Final = (1 << 31) - 1

_TAG_MASK: Final = np.uint64(0xFFFF << 32)
_INDEX_MASK: Final = np.uint64((1 << 32) - 1)
_GENERATION_SHIFT: Final = np.uint64(48)
_SHIFT: Final = np.uint64(32)
# Odd multipliers with well-mixed bits: the golden ratio's and one of SplitMix64's.
_MULTIPLIER_1: Final = np.uint64(GAMMA)
_MULTIPLIER_2: Final = np.uint64(FIRST_MULTIPLIER)


@kernel(forceinline=True)
def hash_key(first, second):
    """A well-mixed uint64 of a key's two words."""
    h = first * _MULTIPLIER_1 ^ (second ^ (second >> _SHIFT)) * _MULTIPLIER_2
    h = (h ^ (h >> _SHIFT)) * _MULTIPLIER_1
    return h ^ (h >> _SHIFT)


@kernel(forceinline=True)
def find_or_add(slots, keys, generation, num_nodes, first, second):
    """The node of a key; a new one, `num_nodes`, if it was not met before.

    Args:
        slots: uint64 (power of two,), at most half full.
        keys: uint64 (capacity, 2), the nodes' keys; row `num_nodes` is written for a new node.
        generation: int64, the current one, 1..MAX_GENERATION.
        num_nodes: int64, less than the capacity.
        first, second: the words of the key, uint64.

    Returns:
        int64 node index; the key is new if it equals `num_nodes`.
    """
    slot_mask = np.uint64(slots.size - 1)
    h = hash_key(first, second)
    label = (np.uint64(generation) << _GENERATION_SHIFT) | (h & _TAG_MASK)
    at = h & slot_mask
    while True:
        slot = slots[at]
        if np.int64(slot >> _GENERATION_SHIFT) != generation:
            slots[at] = label | np.uint64(num_nodes)
            keys[num_nodes, 0] = first
            keys[num_nodes, 1] = second
            return num_nodes
        if slot & ~_INDEX_MASK == label:
            node = np.int64(slot & _INDEX_MASK)
            if keys[node, 0] == first and keys[node, 1] == second:
                return node
        at = (at + np.uint64(1)) & slot_mask


@kernel
def refill(slots, keys, generation, num_nodes):
    """Enters nodes 0..num_nodes-1, all different, into empty slots: after the table has grown."""
    slot_mask = np.uint64(slots.size - 1)
    for node in range(num_nodes):
        h = hash_key(keys[node, 0], keys[node, 1])
        at = h & slot_mask
        while slots[at] != np.uint64(0):
            at = (at + np.uint64(1)) & slot_mask
        slots[at] = (np.uint64(generation) << _GENERATION_SHIFT) | (h & _TAG_MASK) | np.uint64(node)
