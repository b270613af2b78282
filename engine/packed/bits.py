"""Bit counting and long products for kernels: Numba offers none of its own.

In a kernel these become one machine instruction each (`engine.packed.intrinsics`); called from
plain Python they are what stands here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from boulanger.engine.packed.jit import is_plain


class _Operation:
    """A function that kernels may call, for which Numba has another in `engine.packed.intrinsics`.

    Numba is not imported here; it asks for the type when it compiles a kernel that names this.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._function = function

    def __call__(self, *words: Any) -> Any:
        return self._function(*words)

    @functools.cached_property
    def _numba_type_(self) -> Any:
        from boulanger.engine.packed import intrinsics
        from boulanger.engine.packed.with_numba import type_of

        return type_of(getattr(intrinsics, self._function.__name__))


@_Operation
def popcount(word: Any) -> np.int64:
    """How many bits of a uint64 are set, as int64."""
    return np.int64(int(word).bit_count())


@_Operation
def lowest_bit(word: Any) -> np.int64:
    """The index of the lowest set bit of a uint64, as int64; 64 if there is none."""
    number = int(word)
    return np.int64((number & -number).bit_length() - 1 if number else 64)


@_Operation
def highest_bit(word: Any) -> np.int64:
    """The index of the highest set bit of a uint64, as int64; -1 if there is none."""
    return np.int64(int(word).bit_length() - 1)


@_Operation
def multiply_high(a: Any, b: Any) -> np.uint64:
    """The high 64 of the 128 bits of a product of two uint64, as uint64."""
    return np.uint64(int(a) * int(b) >> 64)


if is_plain():
    # Kernels run as plain Python then, and words wrap round there as well.
    np.seterr(over="ignore")
