"""Words and draws for many seeds at a time: one row a seed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boulanger.solver.identify.family.draws import DRAWS, KEYS
from boulanger.solver.identify.family.generators import Generator
from boulanger.solver.identify.family.seeds import Seed

Rows: TypeAlias = npt.NDArray[np.uint64]

# Enough for 52 draws of two words each; more are made when they are asked for.
_FIRST_WORDS: Final = 104


class Lanes:
    """The words of one generator for several seeds, made as far as they are asked for.

    Args:
        generator: which one.
        seeds: at least one; bytes if the generator is keyed with text, else below 2**64.
    """

    def __init__(self, generator: Generator, seeds: list[Seed]) -> None:
        self.generator = generator
        self.num_lanes = len(seeds)
        self._words = _columns(generator, seeds)
        self._rows = np.empty((self.num_lanes, 0), dtype=np.uint64)

    def words(self, count: int) -> Rows:
        """At least the first `count` words of each lane; not to be written to."""
        missing = count - self._rows.shape[1]
        if missing > 0:
            wanted = max(missing, _FIRST_WORDS)
            more = np.empty((wanted, self.num_lanes), dtype=np.uint64)
            for i, column in enumerate(islice(self._words, wanted)):
                more[i] = column
            self._rows = np.concatenate([self._rows, more.T], axis=1)
        return self._rows

    def keys(self, name: str, count: int) -> Rows:
        """`count` keys for sorting of each lane, by the name of the key."""
        key = KEYS[name]
        parts = _parts(self.words(count * key.num_words), key.num_words, count)
        keys: Rows = np.asarray(key.key(self.generator.range, *parts), dtype=np.uint64)
        return keys

    def draws(self, name: str, bounds: tuple[int, ...]) -> npt.NDArray[np.int64]:
        """A draw for each of the bounds in each lane, by the name of the draw: a new array."""
        draw = DRAWS[name]
        count = len(bounds)
        parts = _parts(self.words(count * draw.num_words), draw.num_words, count)
        row = np.array(bounds, dtype=np.uint64)
        values, is_accepted = draw.draw(self.generator.range, row, *parts)
        drawn = np.ascontiguousarray(values, dtype=np.int64)
        if is_accepted is not True:
            again = np.flatnonzero(~is_accepted.all(axis=1))
            if again.size:
                drawn[again] = self._patient_draws(name, bounds, again)
        return drawn

    def _patient_draws(
        self, name: str, bounds: tuple[int, ...], lanes: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        """The same for some lanes, each of which goes through its words at its own pace."""
        draw = DRAWS[name]
        drawn = np.empty((len(lanes), len(bounds)), dtype=np.int64)
        cursor = np.zeros(len(lanes), dtype=np.int64)
        for k, bound in enumerate(bounds):
            # An array, since a NumPy number and an int would not mix as words do.
            bound_word = np.array([bound], dtype=np.uint64)
            pending = np.arange(len(lanes))
            while pending.size:
                at = cursor[pending]
                words = self.words(int(at.max()) + draw.num_words)
                parts = [words[lanes[pending], at + i] for i in range(draw.num_words)]
                values, is_accepted = draw.draw(self.generator.range, bound_word, *parts)
                drawn[pending[is_accepted], k] = values[is_accepted]
                cursor[pending] += draw.num_words
                pending = pending[~is_accepted]
        return drawn


def _columns(generator: Generator, seeds: list[Seed]) -> Iterator[Any]:
    """A word of every lane after another."""
    if generator.takes_text:
        return zip(*(generator.start(seed) for seed in seeds), strict=True)
    return generator.start(np.array(seeds, dtype=np.uint64))


def _parts(rows: Rows, num_words: int, count: int) -> list[Rows]:
    """The first, and perhaps the second word of each draw."""
    return [rows[:, i : num_words * count : num_words] for i in range(num_words)]
