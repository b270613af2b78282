"""From the bytes of a file to the text of a board: encodings, colours, and what is not text at all.

UTF-8 is read with or without a byte-order mark, and UTF-16, in which some Windows programs write.
ANSI colours are dropped. RTF, other word processors' files and binary data are refused with advice.
"""

from __future__ import annotations

import re
from typing import Any, Final

from boulanger.engine.errors import BoardError
from boulanger.engine.words import message

# A board has some 200 characters, a solver's whole output some 60,000.
MAX_BOARD_BYTES: Final = 256 * 1024

_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_ANSI: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\([A-Z0-9]|\x1b[=>78]")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_RTF_START: Final = "{\\rtf"
_ZIP_START: Final = b"PK\x03\x04"
_WEB_PAGE: Final = re.compile(r"\s*<(?:!doctype\s+html|html)", re.IGNORECASE)


def decoded(text: str | bytes, max_bytes: int = MAX_BOARD_BYTES) -> str:
    """`text` as text without a byte-order mark and colours.

    Raises:
        BoardError: says what is there instead of the text of a board, and what to do.
    """
    if len(text) > max_bytes:
        raise BoardError("reading.too_long", kib=max_bytes // 1024)
    plain = text if isinstance(text, str) else from_bytes(text)
    plain = _ANSI.sub("", plain.removeprefix("\ufeff"))
    if plain.lstrip().startswith(_RTF_START):
        raise BoardError("reading.rtf")
    if _WEB_PAGE.match(plain):
        raise BoardError("reading.web_page")
    control = _CONTROL.search(plain)
    if control is not None:
        where = line_place(*line_and_column(plain, control.start()))
        raise BoardError("reading.binary", byte=f"{ord(control[0]):#04x}").at(where)
    if not plain.strip():
        raise BoardError("reading.empty")
    return plain


def from_bytes(data: bytes) -> str:
    """Bytes in UTF-8 or UTF-16 as text.

    Raises:
        BoardError: says where it is neither.
    """
    if data.startswith(_ZIP_START):
        raise BoardError("reading.word_processor")
    utf_16 = _utf_16(data)
    if utf_16 is not None:
        try:
            return data.decode(utf_16)
        except UnicodeDecodeError:
            raise BoardError("reading.damaged_utf16") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        where = line_place(*line_and_column(before, error.start))
        fault = BoardError("reading.not_utf8", byte=f"{data[error.start]:#04x}")
        raise fault.at(where) from None


def line_and_column(text: str, index: int) -> tuple[int, int]:
    """Line and column, from 1, of the character at `index`."""
    lines = _LINE_END.split(text[:index])
    return len(lines), len(lines[-1]) + 1


def line_place(line: int, column: int) -> dict[str, Any]:
    """A place in a text, both from 1, as a fact of an error."""
    return message("where.line_column", line=line, column=column)


def lines_of(text: str) -> list[str]:
    """The lines of a text, whatever ends them; a line end at the end begins no further line."""
    lines = _LINE_END.split(text)
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def _utf_16(data: bytes) -> str | None:
    """The name of the UTF-16 that `data` is in; None if it is not."""
    if data.startswith(_UTF_16_MARKS):
        return "utf-16"
    # Plain letters leave every other byte zero, and no byte between them.
    even, odd = data[::2].count(0), data[1::2].count(0)
    if min(even, odd) == 0 and 4 * max(even, odd) > len(data) >= 8:
        return "utf-16-be" if even else "utf-16-le"
    return None
