"""The values of the command's options, from text."""

from __future__ import annotations

import math
import re
from functools import partial
from typing import Final

from boulanger.engine.errors import BoardError, BoulangerError, LimitsError
from boulanger.engine.position import MAX_CELLS
from boulanger.engine.words import LANGUAGES
from boulanger.solver.limits import MIN_MEMORY
from boulanger.solver.result import Measure

MEASURES: Final = tuple(measure.value for measure in Measure)
_MAX_DIGITS: Final = 18  # more would not be meant, and fewer fit any machine integer
_COUNT: Final = re.compile(rf"[0-9]{{1,{_MAX_DIGITS}}}")
_SIZE: Final = re.compile(rf"([0-9]{{1,{_MAX_DIGITS}}}(?:\.[0-9]+)?)\s*([KMGT]?)(IB|B)?")
_UNIT_LETTERS: Final = "KMGT"
_MAX_CHUNK_SIZE: Final = 1_000_000  # a worker holds some hundred bytes for each
_MAX_COLUMN: Final = (1 << 32) - 1
_CELL_SPAN: Final = re.compile(r"\s*([0-9])\s*(?:(\.\.|[-\u2010-\u2015])\s*([0-9])\s*)?")
_SHARD: Final = re.compile(r"\s*([0-9]{1,9})\s*/\s*([0-9]{1,9})\s*")


def parse_cells(text: str) -> int:
    """A number of cells, 0..8.

    Raises:
        BoardError: quotes the text.
    """
    num_cells = _whole_number(text)
    if num_cells is not None and num_cells <= MAX_CELLS:
        return num_cells
    raise BoardError("options.num_cells", text=text, most=MAX_CELLS)


def parse_cell_list(text: str) -> tuple[int, ...]:
    """Numbers of cells, 0..8, separated by commas, or ranges such as 0..8; each once, rising.

    Raises:
        BoardError: quotes the text.
    """
    spans = [_CELL_SPAN.fullmatch(item) for item in text.split(",")]
    hyphen = next((span for span in spans if span and span[2] not in (None, "..")), None)
    if hyphen is not None:
        raise BoardError("options.cell_range", text=text, first=hyphen[1], last=hyphen[3])
    numbers = {
        n for span in spans if span for n in range(int(span[1]), int(span[3] or span[1]) + 1)
    }
    if not all(spans) or not numbers <= set(range(MAX_CELLS + 1)) or not numbers:
        raise BoardError("options.cell_list", text=text, most=MAX_CELLS)
    return tuple(sorted(numbers))


def parse_shard(text: str) -> tuple[int, int]:
    """Which of how many shards, such as 2/8.

    Raises:
        LimitsError: quotes the text.
    """
    found = _SHARD.fullmatch(text)
    if found is not None and 1 <= int(found[1]) <= int(found[2]):
        return int(found[1]), int(found[2])
    raise LimitsError("options.shard", text=text)


def parse_count(text: str, example: str | None = None) -> int:
    """How many of something, at least 1.

    Args:
        text: the number.
        example: for the error.

    Raises:
        LimitsError: quotes the text.
    """
    number = _whole_number(text)
    if number:
        return number
    if example is None:
        raise LimitsError("options.count", text=text)
    raise LimitsError("options.count_such_as", text=text, example=example)


parse_nodes: Final = partial(parse_count, example="1000000")
parse_few: Final = partial(parse_count, example="3")


def parse_chunk_size(text: str) -> int:
    """How many deals a chunk has.

    Raises:
        LimitsError: quotes the text.
    """
    chunk_size = parse_count(text)
    if chunk_size > _MAX_CHUNK_SIZE:
        raise LimitsError("options.chunk_size", text=text, most=str(_MAX_CHUNK_SIZE))
    return chunk_size


def parse_node_limit(text: str) -> int:
    """A limit of nodes that a catalogue's columns can hold.

    Raises:
        LimitsError: quotes the text.
    """
    max_nodes = parse_nodes(text)
    if max_nodes > _MAX_COLUMN:
        raise LimitsError("options.node_limit", text=text, most=str(_MAX_COLUMN))
    return max_nodes


def parse_seconds(text: str) -> float:
    """A limit of seconds, above 0 and finite.

    Raises:
        LimitsError: quotes the text.
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if math.isfinite(seconds) and seconds > 0:
        return seconds
    raise LimitsError("options.seconds", text=text)


def parse_measure(text: str) -> Measure:
    """What a shortest solution counts: plies or actions.

    Raises:
        LimitsError: quotes the text.
    """
    try:
        return Measure(text.strip().lower())
    except ValueError:
        raise LimitsError("api.not_a_measure", value=text) from None


def parse_memory(text: str) -> int:
    """A size in bytes, at least one MiB.

    A bare letter counts in powers of 1024, as `KiB`, `MiB`, `GiB` and `TiB` do; `KB`, `MB`, `GB`
    and `TB` count in powers of 1000. Case does not matter.

    Raises:
        LimitsError: quotes the text.
    """
    found = _SIZE.fullmatch(text.strip().upper())
    if found is None or (found[3] == "IB" and not found[2]):
        raise LimitsError("options.size", text=text)
    base = 1000 if found[3] == "B" else 1024
    exponent = _UNIT_LETTERS.index(found[2]) + 1 if found[2] else 0
    size = int(float(found[1]) * base**exponent)
    if size < MIN_MEMORY:
        raise LimitsError("options.least_memory", text=text, least=str(MIN_MEMORY))
    return size


def _whole_number(text: str) -> int | None:
    """The number that the digits say, without blanks around them; None if it is not one."""
    # `int` would take digits of all scripts, and `strip` takes separators that `int` refuses.
    digits = text.strip()
    return int(digits) if _COUNT.fullmatch(digits) else None


def parse_language(text: str) -> str:
    """One of the languages that there are words in.

    Raises:
        BoulangerError: quotes the text.
    """
    language = text.strip().lower()
    if language in LANGUAGES:
        return language
    raise BoulangerError("options.language", text=text, languages=", ".join(LANGUAGES))
