"""Lists of deals, one a line, as arrays.

Lines in the usual forms are read together, all of one length at a time, so that a million of them
take part of a second; any other line is read by itself, and one that is no deal is told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

from boulanger.engine.deals.codes import NUM_PAYLOAD_LETTERS, PAYLOAD_LETTERS
from boulanger.engine.deals.dealers import BK1, MS
from boulanger.engine.deals.names import CODE, numbering
from boulanger.engine.errors import BoulangerError

_BLOCK_BYTES: Final = 1 << 22
_MAX_LINE_BYTES: Final = 1000
_MAX_SHOWN: Final = 200
_NEWLINE: Final = 10
_RETURN: Final = 13
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

_NO_LETTER: Final = 255
_LETTER_VALUES: Final = np.full(256, _NO_LETTER, np.uint8)
_LETTER_VALUES[np.frombuffer(PAYLOAD_LETTERS.encode(), np.uint8)] = range(len(PAYLOAD_LETTERS))
_BITS_A_LETTER: Final = 5
_CODE_HEAD: Final = b"BK1-C"
_CODE_LENGTH: Final = len(_CODE_HEAD) + 2 + NUM_PAYLOAD_LETTERS
# The keys of the dealers of lines in the usual forms, and what stands before their numbers.
_USUAL: Final = ((CODE, b"CODE:"), (BK1.name, b"BK1:"), (MS.name, b"MS:"), (CODE, b""))
_MAX_USUAL: Final = 16  # bytes of such a line


@dataclass(frozen=True, slots=True)
class LineReaders:
    """How lines are understood.

    Attributes:
        parse: the key of the dealer and the number of the deal in a line, without a comment and
            blanks around it; raises `BoulangerError` if there is none.
        settle: from a key of `_USUAL` that of whoever deals all its deals; None if there is nobody,
            so that each line has to be parsed.
    """

    parse: Callable[[str], tuple[str, int]]
    settle: Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line of a list that is no deal.

    Attributes:
        file: as it was given; `-` for standard input.
        line: counted from 1.
        text: the line, on one line and without tabs, cut if it is very long.
        fault: what is wrong with it and what would be right.
    """

    file: str
    line: int
    text: str
    fault: str


@dataclass(slots=True)
class DealLines:
    """The deals that were read.

    Attributes:
        dealers: the names that occur, in the order in which they come up.
        which: int32, for each deal the index of its dealer; in pieces.
        numbers: uint64, of the deals; in pieces.
        bad_lines: those that are no deals.
        num_bare: how many are a number alone.
        num_lines: that were looked at.
        digest: the SHA-256 of all bytes.
    """

    dealers: dict[str, int] = field(default_factory=dict)
    which: list[npt.NDArray[np.int32]] = field(default_factory=list)
    numbers: list[npt.NDArray[np.uint64]] = field(default_factory=list)
    bad_lines: list[BadLine] = field(default_factory=list)
    num_bare: int = 0
    num_lines: int = 0
    digest: str = ""


def read_lines(
    file: BinaryIO, name: str, readers: LineReaders, on_read: Callable[[int], None] | None = None
) -> DealLines:
    """The deals in a list.

    Args:
        file: open for reading; read to its end.
        name: what it is called in errors and in the manifest.
        readers: how lines are understood.
        on_read: is told after each block how many bytes it had.
    """
    found = DealLines()
    digest = hashlib.sha256()
    for block in _blocks(file, digest):
        text = block.removeprefix(_BYTE_ORDER_MARK) if found.num_lines == 0 else block
        _read_block(text, name, readers, found)
        if on_read is not None:
            on_read(len(block))
    found.digest = digest.hexdigest()
    return found


def _blocks(file: BinaryIO, digest: Any) -> Iterator[bytes]:
    """Whole lines, of a very long one perhaps only parts; all bytes go to `digest`."""
    rest = b""
    while data := file.read(_BLOCK_BYTES):
        digest.update(data)
        end = data.rfind(b"\n") + 1
        if end:
            yield rest + data[:end]
            rest = data[end:]
        else:
            rest = (rest + data)[:_MAX_LINE_BYTES]
    if rest:
        yield rest


def _read_block(text: bytes, name: str, readers: LineReaders, found: DealLines) -> None:
    data = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(data == _NEWLINE)
    if len(data) and data[-1] != _NEWLINE:
        ends = np.append(ends, len(data))
    starts = np.concatenate(([0], ends[:-1] + 1)) if len(ends) else ends
    has_return = (ends > starts) & (data[ends - 1] == _RETURN)
    ends = ends - has_return
    forms, numbers = _usual_forms(data, starts, ends)
    dealers: list[str] = []
    which = np.full(len(forms), -1, np.int32)
    # Only forms that occur are settled, since whoever does it notes who was asked for.
    for form in np.unique(forms[forms >= 0]).tolist():
        key = readers.settle(_USUAL[form][0])
        if key is None:
            forms[forms == form] = -1
            continue
        if key not in dealers:
            dealers.append(key)
        which[forms == form] = dealers.index(key)
    found.num_bare += int((forms == len(_USUAL) - 1).sum())
    for row in np.flatnonzero(forms < 0).tolist():
        line_number = found.num_lines + row + 1
        raw = text[starts[row] : ends[row]]
        try:
            line = raw.decode("utf-8")
            body = line.partition("#")[0].strip()
            if not body:
                continue
            dealer, number = readers.parse(body)
        except UnicodeDecodeError:
            shown = _shown(raw.decode("utf-8", "backslashreplace"))
            found.bad_lines.append(BadLine(name, line_number, shown, "is not text in UTF-8"))
        except BoulangerError as error:
            found.bad_lines.append(BadLine(name, line_number, _shown(line), str(error)))
        else:
            if dealer not in dealers:
                dealers.append(dealer)
            which[row], numbers[row] = dealers.index(dealer), number
            found.num_bare += body.isdigit()
    found.num_lines += len(starts)
    is_deal = which >= 0
    which, numbers = which[is_deal], numbers[is_deal]
    # Numbered in the order in which they come up in the list.
    used, firsts = np.unique(which, return_index=True)
    places = np.zeros(len(dealers), np.int32)
    for i in used[np.argsort(firsts)].tolist():
        places[i] = found.dealers.setdefault(dealers[i], len(found.dealers))
    found.which.append(places[which])
    found.numbers.append(numbers)


def _usual_forms(
    data: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """For each line which of `_USUAL` it is, -1 for none of them, and its number.

    A game code counts as the first of them.
    """
    forms = np.full(len(starts), -1, np.int64)
    numbers = np.zeros(len(starts), np.uint64)
    lengths = ends - starts
    for length in np.unique(lengths).tolist():
        if not 0 < length <= _MAX_USUAL:
            continue
        rows = np.flatnonzero(lengths == length)
        letters = data[starts[rows, None] + np.arange(length)]
        is_small = (letters >= ord("a")) & (letters <= ord("z"))
        letters = letters - (is_small * np.uint8(32))
        if length == _CODE_LENGTH:
            is_code, values = _code_numbers(letters)
            forms[rows[is_code]], numbers[rows[is_code]] = 0, values[is_code]
        for form, (key, head) in enumerate(_USUAL):
            num_digits = length - len(head)
            max_number = numbering(key).max_number
            if 0 < num_digits <= len(str(max_number)):
                digits = letters[:, len(head) :] - np.uint8(ord("0"))
                powers = 10 ** np.arange(num_digits - 1, -1, -1, dtype=np.uint64)
                values = digits.astype(np.uint64) @ powers
                fits = _begin_with(letters, head) & (digits <= 9).all(axis=1)
                fits &= values <= np.uint64(max_number)
                forms[rows[fits]], numbers[rows[fits]] = form, values[fits]
    return forms, numbers


def _code_numbers(
    letters: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.uint64]]:
    """Which of some lines, uint8 (N, 14), are game codes, and their numbers."""
    cells, hyphen = letters[:, len(_CODE_HEAD)], letters[:, len(_CODE_HEAD) + 1]
    values = _LETTER_VALUES[letters[:, -NUM_PAYLOAD_LETTERS:]]
    is_code = _begin_with(letters, _CODE_HEAD) & (cells >= ord("0")) & (cells <= ord("8"))
    is_code &= (hyphen == ord("-")) & (values != _NO_LETTER).all(axis=1)
    shifts = _BITS_A_LETTER * np.arange(NUM_PAYLOAD_LETTERS - 1, -1, -1, dtype=np.uint64)
    return is_code, (values.astype(np.uint64) << shifts).sum(axis=1, dtype=np.uint64)


def _begin_with(letters: npt.NDArray[np.uint8], head: bytes) -> npt.NDArray[np.bool_]:
    """Which of some lines of one length begin with `head`."""
    begins: npt.NDArray[np.bool_] = (letters[:, : len(head)] == np.frombuffer(head, np.uint8)).all(
        axis=1
    )
    return begins


def _shown(line: str) -> str:
    text = line.rstrip("\r\n")
    cut = text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "..."
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in cut)
