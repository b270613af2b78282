"""Verdicts as bits: one bit a deal and number of cells, a quarter to a fiftieth of the Parquet.

A folder of NumPy arrays:

    won_N.npy    uint8: bit i, the lowest of a byte first, says whether deal i is won with N cells
    open_N.npy   the same for undecided deals; only if there are some
    index.npy    which deals the bits are: runs of consecutive numbers of one dealer, in order, with
                 the fields `dealer`, `first`, `count` and `bit`, the place of its first deal
    about.json   the manifest of the catalogue, with `num_deals` and how many are won and open

So a deal is lost where it is neither won nor open, and one line reads all of them:

    numpy.unpackbits(numpy.load("bits/won_4.npy"), bitorder="little", count=num_deals)
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boulanger.engine.errors import BoulangerError, CatalogueError
from boulanger.engine.words import quoted
from boulanger.solver.catalogue.reader import UNDECIDED, UNWINNABLE, WINNABLE, Catalogue, Part
from boulanger.solver.catalogue.schema import NUMBER, SOURCE, VERDICT

ABOUT_NAME: Final = "about.json"
INDEX_NAME: Final = "index.npy"
_DEALER_LENGTH: Final = 32
INDEX_TYPE: Final = np.dtype(
    [("dealer", f"U{_DEALER_LENGTH}"), ("first", "u8"), ("count", "u8"), ("bit", "u8")]
)


def won_name(num_cells: int) -> str:
    """The file of the deals that are won with this many cells."""
    return f"won_{num_cells}.npy"


def open_name(num_cells: int) -> str:
    """The file of the deals that are undecided with this many cells."""
    return f"open_{num_cells}.npy"


def write_bitmap(
    catalogue: Catalogue, out: Path, on_part: Callable[[int], None] | None = None
) -> int:
    """Writes the verdicts of a finished catalogue as bits; the folder appears whole at the end.

    Args:
        catalogue: all of whose parts are there.
        out: the folder, which must not exist yet.
        on_part: told after each part how many deals were read.

    Returns:
        How many deals it holds.

    Raises:
        CatalogueError: if the catalogue is unfinished or damaged.
        BoulangerError: if the folder cannot be made.
    """
    if not catalogue.is_finished:
        raise CatalogueError(f"bits need all deals, but {catalogue.unfinished_note}")
    if os.path.lexists(out):
        raise BoulangerError(
            f"{quoted(str(out))} exists already; the name of a new folder expected"
        )
    temporary = out.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        temporary.mkdir()
        _write_files(catalogue, temporary, on_part)
        temporary.rename(out)
    except OSError as error:
        raise BoulangerError(
            f"{quoted(str(out))} cannot be written: {error.strerror or error}"
        ) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return catalogue.manifest.num_deals


def _write_files(catalogue: Catalogue, folder: Path, on_part: Callable[[int], None] | None) -> None:
    manifest = catalogue.manifest
    num_bytes = -(-manifest.num_deals // 8)
    cells = manifest.cells
    won = {n: _Bits(folder / won_name(n), num_bytes) for n in cells}
    undecided = {n: _Bits(folder / open_name(n), num_bytes) for n in cells}
    runs: list[npt.NDArray[Any]] = []
    num_read = 0
    columns = [SOURCE.of(), NUMBER.of(), *(VERDICT.of(n) for n in cells)]
    for part in catalogue.parts(columns):
        for n in cells:
            verdicts = part.verdicts(n)
            won[n].add(verdicts == WINNABLE)
            undecided[n].add(verdicts == UNDECIDED)
        runs.append(_runs(part, num_read))
        num_read += len(part)
        if on_part is not None:
            on_part(num_read)
    np.save(folder / INDEX_NAME, _joined(np.concatenate(runs)))
    document = {
        **manifest.document,
        "won": {str(n): won[n].close() for n in cells},
        "open": {str(n): undecided[n].close() for n in cells},
    }
    for n in cells:
        if not document["open"][str(n)]:
            (folder / open_name(n)).unlink()
    (folder / ABOUT_NAME).write_text(json.dumps(document, indent=2) + "\n")


class _Bits:
    """A file of bits that is written from the first to the last."""

    def __init__(self, path: Path, num_bytes: int) -> None:
        self._bytes: Final = np.lib.format.open_memmap(
            path, mode="w+", dtype=np.uint8, shape=(num_bytes,)
        )
        self._place = 0
        self._rest = np.zeros(0, np.bool_)  # fewer than eight
        self._num_set = 0

    def add(self, values: npt.NDArray[np.bool_]) -> None:
        self._num_set += int(values.sum())
        values = np.concatenate([self._rest, values])
        num_whole = len(values) // 8 * 8
        packed = np.packbits(values[:num_whole], bitorder="little")
        self._bytes[self._place : self._place + len(packed)] = packed
        self._place += len(packed)
        self._rest = values[num_whole:]

    def close(self) -> int:
        """Writes the last bits; returns how many are set in all."""
        if len(self._rest):
            self._bytes[self._place :] = np.packbits(self._rest, bitorder="little")
        self._bytes.flush()
        return self._num_set


def _runs(part: Part, first_bit: int) -> npt.NDArray[Any]:
    """The runs of consecutive numbers in a part."""
    names, which = part.sources()
    numbers = np.asarray(part.table.column(NUMBER.of()).combine_chunks().to_numpy(), np.uint64)
    is_next = (which[1:] == which[:-1]) & (numbers[1:] == numbers[:-1] + np.uint64(1))
    starts = np.concatenate(([0], np.flatnonzero(~is_next) + 1))
    runs = np.zeros(len(starts), INDEX_TYPE)
    runs["dealer"] = np.array(names)[which[starts]]
    runs["first"] = numbers[starts]
    runs["count"] = np.diff(np.append(starts, len(numbers)))
    runs["bit"] = starts + first_bit
    return runs


def _joined(runs: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same runs, those that go on from one part to the next as one."""
    goes_on = (runs["dealer"][1:] == runs["dealer"][:-1]) & (
        runs["first"][1:] == runs["first"][:-1] + runs["count"][:-1]
    )
    starts = np.concatenate(([0], np.flatnonzero(~goes_on) + 1))
    joined = runs[starts]
    joined["count"] = np.add.reduceat(runs["count"], starts)
    return joined


class Bitmap:
    """The verdicts in a folder that `write_bitmap` made; the arrays are mapped, not read.

    Attributes:
        about: what `about.json` says.
        index: the runs of deals, with the fields of `INDEX_TYPE`.

    Raises:
        CatalogueError: if there is no such folder.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder: Final = Path(folder)
        try:
            self.about: Final[dict[str, Any]] = json.loads((self._folder / ABOUT_NAME).read_text())
            self.index: Final = np.load(self._folder / INDEX_NAME)
        except (OSError, ValueError):
            raise CatalogueError(
                f"{quoted(str(folder))} holds no bits; `boulanger export DIR --format bits` "
                "makes them"
            ) from None
        self._arrays: Final[dict[str, Any]] = {}

    def verdict(self, dealer: str, number: int, num_cells: int) -> int | None:
        """The verdict on a deal, as `boulanger.classify` numbers it; None if it is not there."""
        for run in self._runs_of(dealer):
            if 0 <= number - int(run["first"]) < int(run["count"]):
                bit = int(run["bit"]) + number - int(run["first"])
                if self._is_set(won_name(num_cells), bit):
                    return WINNABLE
                is_open = self._is_set(open_name(num_cells), bit)
                return UNDECIDED if is_open else UNWINNABLE
        return None

    def _runs_of(self, dealer: str) -> Iterator[Any]:
        yield from self.index[self.index["dealer"] == dealer]

    def _is_set(self, name: str, bit: int) -> bool:
        if name not in self._arrays:
            path = self._folder / name
            self._arrays[name] = np.load(path, mmap_mode="r") if path.exists() else None
        array = self._arrays[name]
        return array is not None and bool(array[bit // 8] >> bit % 8 & 1)
