"""Which deals a catalogue is about: ranges of numbers, random samples, lists in files.

A SOURCE text is one of

    ms:17  ms:1..32000                  Microsoft deals
    code:860  code:0..999999            the deals of game codes, by number
    BK1-C4-AAAAA24                      a game code; its number of cells does not matter here
    BK1-C4-AAAAAAA..BK1-C4-AAAA777      all codes from one to another
    bk1:0..999999                       the same as the project's own dealer, bk1, deals them
    code:0..999999@NAME                 the same as a learned dealer deals them
    random:1000000@SEED                 the first 1,000,000 random deals of a seed
    random:500..999@SEED                those with these numbers
    FILE  -                             a list of deals, one a line, from a file or standard input

Game codes are dealt by the dealer in use, or by another one that the caller names. A line of a
list holds the name of a deal (`engine.deals.names`), or a bare number, which is that of a game
code, as for `boulanger code`. (`random:5@1` in a list is one deal, number 5; as a SOURCE it is the
five deals 0 to 4.) Blank lines, and what follows a `#`, are ignored.

Ranges are never written out: a source hands out *pieces*, consecutive deals of one dealer.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO, Final, Protocol

import numpy as np
import numpy.typing as npt

from boulanger.engine.deals.codes import looks_like_code, parse_code
from boulanger.engine.deals.dealers import RANDOM_PREFIX
from boulanger.engine.deals.names import (
    CODE,
    DealName,
    is_name,
    numbering,
    parse_name,
    spell,
    split_name,
)
from boulanger.engine.errors import BoulangerError, CatalogueError
from boulanger.engine.words import quoted
from boulanger.solver.catalogue.lists import BadLine, LineReaders, read_lines
from boulanger.solver.deals.code_dealer import CodeDealers

STANDARD_INPUT: Final = "-"

_RANGE: Final = ".."
_HYPHEN_RANGE: Final = re.compile(r"\s*([0-9]+)\s*[-\u2010-\u2015]\s*([0-9]+)\s*")
# With so few digits that the number is one of a random deal.
_RANDOM_LINE: Final = re.compile(r"random:([0-9]{1,19})@([0-9]{1,19})", re.ASCII)
_EXPECTED: Final = (
    "a range such as ms:1..32000, bk1:0..999999 or random:1000000@SEED, a game code, a file with "
    "deals, or - for standard input"
)


OnRead = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive deals of one dealer.

    Attributes:
        dealer: its key (`engine.deals.names`), which is what the column `source` holds.
        numbers: of the deals: a range, or a uint64 array.
    """

    dealer: str
    numbers: range | npt.NDArray[np.uint64]


class Source(Protocol):
    """Some deals in a fixed order."""

    @property
    def text(self) -> str:
        """The SOURCE text in one way of writing it."""

    @property
    def digest(self) -> str | None:
        """The SHA-256 of a list as it was read; None for what the text says in full."""

    @property
    def num_deals(self) -> int:
        """How many."""

    @property
    def bad_lines(self) -> Sequence[BadLine]:
        """Those of a list."""

    @property
    def num_bare(self) -> int:
        """How many lines of a list are a number alone."""

    @property
    def dealers(self) -> tuple[str, ...]:
        """The keys of all dealers."""

    def pieces(self, start: int, stop: int) -> Iterator[Piece]:
        """The deals with the places start..stop - 1, in order."""


@dataclass(frozen=True, slots=True)
class RangeSource:
    """The deals `first`..`last` of one dealer."""

    text: str
    dealer: str
    first: int
    last: int
    digest: None = None
    bad_lines: tuple[BadLine, ...] = ()
    num_bare: int = 0

    @property
    def num_deals(self) -> int:
        """How many."""
        return self.last - self.first + 1

    @property
    def dealers(self) -> tuple[str, ...]:
        """The key of the dealer."""
        return (self.dealer,)

    def pieces(self, start: int, stop: int) -> Iterator[Piece]:
        """The deals with the places start..stop - 1, in order."""
        yield Piece(self.dealer, range(self.first + start, self.first + stop))


@dataclass(frozen=True, slots=True)
class ListSource:
    """The deals of a list, which are held.

    Attributes:
        dealers: the keys that occur.
        which: int32, for each deal the index of its dealer.
        numbers: uint64, of the deals.
    """

    text: str
    digest: str
    dealers: tuple[str, ...]
    which: npt.NDArray[np.int32]
    numbers: npt.NDArray[np.uint64]
    bad_lines: tuple[BadLine, ...]
    num_bare: int

    @property
    def num_deals(self) -> int:
        """How many."""
        return len(self.numbers)

    def pieces(self, start: int, stop: int) -> Iterator[Piece]:
        """The deals with the places start..stop - 1, in order."""
        which = self.which[start:stop]
        if len(which) == 0:
            return
        edges = [0, *(np.flatnonzero(np.diff(which)) + 1).tolist(), len(which)]
        for begin, end in pairwise(edges):
            yield Piece(self.dealers[which[begin]], self.numbers[start + begin : start + end])


def parse_sources(
    texts: Sequence[str], dealers: CodeDealers | None = None, on_read: OnRead | None = None
) -> list[Source]:
    """The sources of a catalogue, in order; lists are read here.

    Args:
        texts: the SOURCE texts.
        dealers: who deals game codes; if None, the dealer in use.
        on_read: is told, as lists are read, how many bytes more.

    Raises:
        BoulangerError: quotes the first text that is no source, and says what would be right; or if
            they contain no deals.
    """
    if texts.count(STANDARD_INPUT) > 1:
        raise CatalogueError("'-' may be given only once: there is one standard input")
    dealers = dealers or CodeDealers()
    sources = [parse_source(text, dealers, on_read) for text in texts]
    if sum(source.num_deals for source in sources) == 0:
        bad = next((line for source in sources for line in source.bad_lines), None)
        names = " and ".join(quoted(source.text) for source in sources)
        first = f"; the first bad line, {bad.line}: {bad.fault}" if bad else ""
        raise CatalogueError(f"there are no deals in {names}{first}")
    return sources


def num_duplicates(sources: Sequence[Source]) -> int:
    """How many deals are there more than once: all deals less the different ones."""
    spans: dict[str, list[range]] = {}
    listed: dict[str, list[npt.NDArray[np.uint64]]] = {}
    for source in sources:
        for piece in source.pieces(0, source.num_deals) if source.num_deals else ():
            if isinstance(piece.numbers, range):
                spans.setdefault(piece.dealer, []).append(piece.numbers)
            else:
                listed.setdefault(piece.dealer, []).append(piece.numbers)
    num_different = 0
    for dealer in spans.keys() | listed.keys():
        joined = _joined(spans.get(dealer, []))
        num_different += sum(span.stop - span.start for span in joined)
        numbers = np.unique(np.concatenate([*listed.get(dealer, []), np.zeros(0, np.uint64)]))
        starts = np.array([span.start for span in joined], np.uint64)
        lasts = np.array([span.stop - 1 for span in joined], np.uint64)
        before = np.searchsorted(starts, numbers, side="right")
        is_within = before > 0
        is_within[is_within] = numbers[is_within] <= lasts[before[is_within] - 1]
        num_different += int((~is_within).sum())
    return sum(source.num_deals for source in sources) - num_different


def _joined(spans: list[range]) -> list[range]:
    """The same numbers in ranges that are apart, rising."""
    joined: list[range] = []
    for span in sorted(spans, key=lambda span: span.start):
        if joined and span.start <= joined[-1].stop:
            joined[-1] = range(joined[-1].start, max(joined[-1].stop, span.stop))
        else:
            joined.append(span)
    return joined


def parse_source(
    text: str, dealers: CodeDealers | None = None, on_read: OnRead | None = None
) -> Source:
    """The source that one SOURCE text stands for.

    Args:
        text: the SOURCE text.
        dealers: who deals game codes; if None, the dealer in use.
        on_read: is told, as a list is read, how many bytes more.

    Raises:
        BoulangerError: quotes the text and says what would be right.
    """
    dealers = dealers or CodeDealers()
    if text == STANDARD_INPUT:
        if sys.stdin is None:
            raise CatalogueError("standard input is closed")
        return read_list(sys.stdin.buffer, STANDARD_INPUT, dealers, on_read)
    parts = split_name(text)
    if parts is not None:
        return _numbered(text, dealers, *parts)
    if _RANGE in text and not os.path.exists(text):
        first, _, last = text.partition(_RANGE)
        if looks_like_code(first) or looks_like_code(last):
            return _span(text, dealers, CODE, parse_code(first).number, parse_code(last).number)
    try:
        code = parse_code(text)
    except BoulangerError:
        if not os.path.exists(text) and looks_like_code(text):
            raise
        return _read_file(text, dealers, on_read)
    return _span(text, dealers, CODE, code.number, code.number)


def read_list(
    file: BinaryIO,
    name: str,
    code_dealers: CodeDealers | None = None,
    on_read: OnRead | None = None,
) -> ListSource:
    """The deals in a list.

    Args:
        file: open for reading; read to its end.
        name: what it is called in errors and in the manifest.
        code_dealers: who deals game codes; if None, the dealer in use.
        on_read: is told, block by block, how many bytes were read.
    """
    dealers = code_dealers or CodeDealers()

    def settle(key: str) -> str | None:
        """Whoever deals all deals of a key; None if each has to be looked at."""
        try:
            return dealers.settled(key)
        except BoulangerError:
            return None

    seeds: dict[str, str] = {}  # for random deals, which are many of few seeds

    def parse(line: str) -> tuple[str, int]:
        found = _RANDOM_LINE.fullmatch(line)
        if found is not None and found[2] in seeds:
            return seeds[found[2]], int(found[1])
        key, number = _parse_line(line, dealers)
        if found is not None:
            seeds[found[2]] = key
        return key, number

    found = read_lines(file, name, LineReaders(parse, settle), on_read)
    return ListSource(
        name,
        found.digest,
        tuple(found.dealers),
        np.concatenate([*found.which, np.zeros(0, np.int32)]),
        np.concatenate([*found.numbers, np.zeros(0, np.uint64)]),
        tuple(found.bad_lines),
        found.num_bare,
    )


def _numbered(text: str, dealers: CodeDealers, dealer: str, body: str) -> RangeSource:
    """The source of a name with a prefix: its dealer and what else it says; `text` is both."""
    hyphen = _HYPHEN_RANGE.fullmatch(body)
    if hyphen is not None:
        right = spell(dealer, f"{hyphen[1]}{_RANGE}{hyphen[2]}")
        raise CatalogueError(f"{quoted(text)} is not a source of deals; a range is written {right}")
    first, separator, last = body.partition(_RANGE)
    number = numbering(dealer).parse_number(first, text)
    if separator:
        return _span(text, dealers, dealer, number, numbering(dealer).parse_number(last, text))
    if not _is_counted(dealer):
        return _span(text, dealers, dealer, number, number)
    if number == 0:
        raise CatalogueError(f"{quoted(text)} contains no deals; at least 1 expected")
    return _span(text, dealers, dealer, 0, number - 1)


def _is_counted(dealer: str) -> bool:
    """Whether a number alone says how many deals of this dealer, and not which one."""
    return dealer.startswith(RANDOM_PREFIX)


def _span(text: str, dealers: CodeDealers, dealer: str, first: int, last: int) -> RangeSource:
    """The source of a range, with its text as all ways of writing that range have it."""
    dealer = dealers.settled(dealer, first if first == last else None)
    if last < first:
        raise CatalogueError(f"{quoted(text)} ends before it begins; write the lower end first")
    span = str(first) if first == last else f"{first}{_RANGE}{last}"
    if _is_counted(dealer):
        span = f"{last + 1}" if first == 0 else f"{first}{_RANGE}{last}"
    return RangeSource(spell(dealer, span), dealer, first, last)


def _read_file(name: str, dealers: CodeDealers, on_read: OnRead | None) -> ListSource:
    try:
        with open(name, "rb") as file:
            return read_list(file, name, dealers, on_read)
    except FileNotFoundError:
        raise CatalogueError(
            f"{quoted(name)} is neither a source of deals nor a file that exists; {_EXPECTED} "
            "expected"
        ) from None
    except IsADirectoryError:
        raise CatalogueError(f"{quoted(name)} is a directory; {_EXPECTED} expected") from None
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise CatalogueError(f"{quoted(name)} cannot be read: {reason}") from None


def _parse_line(body: str, dealers: CodeDealers) -> tuple[str, int]:
    """The dealer's key and the number of the deal in a line.

    Raises:
        BoulangerError: quotes the line and says what would be right.
    """
    if body.isascii() and body.isdigit():
        name = DealName(CODE, numbering(CODE).parse_number(body))
    elif is_name(body):
        name = parse_name(body)
    else:
        raise CatalogueError(
            f"{quoted(body)} is not a deal; a game code, ms:NUMBER, bk1:NUMBER, random:NUMBER@SEED "
            "or the number of a game code expected"
        )
    return dealers.settled(name.dealer, name.number), name.number
