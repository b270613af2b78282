"""A file with many deals: codes, `ms:` and `random:` numbers, and boards."""

from __future__ import annotations

from collections.abc import Iterator

from boulanger.engine.boards.text import parse_board
from boulanger.engine.errors import BoardError, BoulangerError
from boulanger.solver.cli.reading import shown_name
from boulanger.solver.deals.source import DealKind, DealSource, is_name, read_name


def read_deals(
    data: bytes, name: str, num_cells: int | None = None, dealer: str | None = None
) -> list[DealSource]:
    """The deals in a file, in order.

    A code, `ms:NUMBER`, `random:NUMBER@SEED` or a board in JSON takes a line of its own; a board as
    text ends before an empty line or one of these. Lines that begin with `#` are passed over. A
    board is named after the file and its line, such as `deals.txt:7`.

    Args:
        data: the file.
        name: of the file, for boards and errors.
        num_cells, dealer: as `solver.deals.source.read_deal` takes them.

    Raises:
        BoulangerError: names the line and says what is wrong there; or if there is no deal at all.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BoardError(f"{shown_name(name)} is not text in UTF-8") from None
    deals = []
    for number, entry in _entries(text):
        try:
            deals.append(_read_entry(entry, f"{name}:{number}", num_cells, dealer))
        except BoulangerError as error:
            where = f"{shown_name(name)}, from line {number} on"
            raise BoardError(f"{where}: {error}") from None
    if not deals:
        raise BoardError(f"{shown_name(name)} holds no deal; codes, ms:NUMBER or boards expected")
    return deals


def _entries(text: str) -> Iterator[tuple[int, str]]:
    """Each deal's text, with the number of its first line."""
    block: list[str] = []
    first = 0
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        stripped = line.strip()
        if stripped.startswith("#"):
            continue
        is_alone = is_name(stripped) or stripped[:1] in ("{", "[")
        if block and (is_alone or not stripped):
            yield first, "\n".join(block)
            block = []
        if is_alone:
            yield number, stripped
        elif stripped:
            first = first if block else number
            block.append(line)


def _read_entry(entry: str, name: str, num_cells: int | None, dealer: str | None) -> DealSource:
    if is_name(entry):
        return read_name(entry, num_cells, dealer)
    board = parse_board(entry, num_cells)
    return DealSource(DealKind.BOARD, name, board.position, board.notes)
