"""Boards as JSON.

Written:

    {
      "num_cells": 4,
      "foundations": {"S": 0, "H": 4, "D": 1, "C": 1},
      "cells": ["6S", null, "8H", null],
      "columns": [["4C", "2C", "TD"], ...]
    }

`num_cells` is the number of cells in play, `foundations` the top rank of each suit (0: empty),
`cells` one card or null a cell, `columns` eight lists from the buried card to the exposed one.

Read, besides: only `columns` must be there; `tableau piles`, `tableau` or `piles` for `columns`,
`freecells` for `cells`; a list of eight columns without any key; a column or the cells as one text
(`"4C 2C TD"`); foundations as ranks in letters, as a list of four numbers in the order spades,
hearts, diamonds, clubs, as a list of `"H-4"` or of top cards, or as one text. Without `num_cells`
there are four cells, or as many as `cells` has entries if that is more. Other keys are ignored.
"""

import json
from collections.abc import Mapping
from typing import Final

from boulanger.engine.boards.tokens import (
    gather_foundations,
    is_gap,
    quote,
    read_card,
    read_foundation,
    read_foundation_rank,
)
from boulanger.engine.cards import (
    NUM_RANKS,
    NUM_SUITS,
    SUIT_LETTERS,
    SUIT_NAMES,
    card_text,
    parse_suit,
)
from boulanger.engine.errors import BoardError
from boulanger.engine.position import DEFAULT_CELLS, MAX_CELLS, Position

# Compared in lower case, without blanks, underscores and hyphens.
_KEYS: Final = {
    "numcells": "num_cells",
    "foundations": "foundations",
    "founds": "foundations",
    "cells": "cells",
    "freecells": "cells",
    "columns": "columns",
    "tableau": "columns",
    "tableaupiles": "columns",
    "piles": "columns",
}
_COLUMNS_WANTED: Final = "eight lists of cards"
_CELLS_WANTED: Final = "a list of cards and nulls"
_FOUNDATIONS_WANTED: Final = 'an object such as {"S": 0, "H": 4, "D": 1, "C": 1}'


def position_to_json(position: Position) -> dict[str, object]:
    """The written form above, for `json.dumps`."""
    return {
        "num_cells": position.num_cells,
        "foundations": dict(zip(SUIT_LETTERS, position.foundations, strict=True)),
        "cells": [None if card is None else card_text(card) for card in position.cells],
        "columns": [[card_text(card) for card in column] for column in position.columns],
    }


def position_from_json(board: object, num_cells: int | None = None) -> Position:
    """The position that `board`, as `json.loads` returns it, describes.

    Args:
        board: any of the forms above.
        num_cells: how many cells are in play, whatever the board says; None leaves it to the board.

    Raises:
        BoardError: names the key path of what is wrong, or the cards that are missing, duplicate
            or on the wrong foundation, or says that the cells hold too many cards.
    """
    return _position_and_told_cells(board, num_cells)[0]


def parse_json_board(text: str, num_cells: int | None = None) -> tuple[Position, tuple[str, ...]]:
    """The position in the JSON `text`, and notes for the reader.

    Raises:
        BoardError: as `position_from_json`; or with line and column, if it is not JSON.
    """
    position, told_cells = _position_and_told_cells(_load(text), num_cells)
    if told_cells is None or told_cells == position.num_cells:
        return position, ()
    return position, (f"the board says num_cells {told_cells}; {position.num_cells} used instead",)


def _position_and_told_cells(board: object, num_cells: int | None) -> tuple[Position, int | None]:
    """The position, and the number of cells that the board names, if it does."""
    fields = _fields(board)
    if "columns" not in fields:
        raise BoardError(f'the board has no "columns" ({_COLUMNS_WANTED})')
    columns = _columns(*fields["columns"])
    foundations = _foundations(*fields["foundations"]) if "foundations" in fields else (0,) * 4
    cells = _cells(*fields["cells"]) if "cells" in fields else ()
    told_cells = _num_cells(*fields["num_cells"]) if "num_cells" in fields else None
    if num_cells is None:
        num_cells = max(DEFAULT_CELLS, len(cells)) if told_cells is None else told_cells
    position = Position(columns, cells, foundations)
    position.check()
    return position.with_num_cells(num_cells), told_cells


def _load(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_object_without_repeats)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        if error.msg == "Extra data":
            if text[error.pos] in "{[":
                raise BoardError(
                    f"two boards in one file: the second starts at line {error.lineno}"
                ) from None
            raise BoardError(f"{where}: text after the end of the JSON board") from None
        raise BoardError(f"{where}: this is not valid JSON ({error.msg})") from None
    except RecursionError:
        raise BoardError(f"the JSON is nested too deeply; a board is {_COLUMNS_WANTED}") from None
    except BoardError:
        raise
    except ValueError:  # a number of more digits than Python cares to convert
        raise BoardError("the JSON has a number that is far too long") from None


def _object_without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """`json` itself would let the last one win."""
    loaded: dict[str, object] = {}
    for key, value in pairs:
        if key in loaded:
            raise BoardError(f"the JSON has the key {quote(key)} twice in one object")
        loaded[key] = value
    return loaded


def _fields(board: object) -> dict[str, tuple[str, object]]:
    """Our key -> the key as it was given and its value."""
    if isinstance(board, list | tuple):
        if any(isinstance(item, Mapping) for item in board):
            raise BoardError(f"one board expected, not a list of {len(board)}")
        return {"columns": ("columns", board)}
    if not isinstance(board, Mapping):
        raise BoardError(f'a board is an object with "columns", not {_shown(board)}')
    fields: dict[str, tuple[str, object]] = {}
    for given, value in board.items():
        plain = str(given).lower().replace(" ", "").replace("_", "").replace("-", "")
        key = _KEYS.get(plain)
        if key is None:
            continue
        if key in fields:
            raise BoardError(
                f"{quote(fields[key][0])} and {quote(str(given))} mean the same: {key}"
            )
        fields[key] = (str(given), value)
    return fields


def _columns(key: str, value: object) -> tuple[tuple[int, ...], ...]:
    columns = _list(key, value, _COLUMNS_WANTED)
    return tuple(_column(f"{key}[{c}]", column) for c, column in enumerate(columns))


def _column(path: str, value: object) -> tuple[int, ...]:
    words = value.split() if isinstance(value, str) else _list(path, value, "a list of cards")
    return tuple(_card(f"{path}[{i}]", word) for i, word in enumerate(words))


def _cells(key: str, value: object) -> tuple[int | None, ...]:
    if value is None:
        return ()
    words = value.split() if isinstance(value, str) else _list(key, value, _CELLS_WANTED)
    if len(words) > MAX_CELLS:
        raise BoardError(f"{key}: {len(words)} cells; there can be 0 to {MAX_CELLS}")
    return tuple(
        None if _is_nothing(word) else _card(f"{key}[{i}]", word) for i, word in enumerate(words)
    )


def _num_cells(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_CELLS:
        raise BoardError(f"{key}: a number from 0 to {MAX_CELLS} expected, not {_shown(value)}")
    return value


def _foundations(key: str, value: object) -> tuple[int, ...]:
    if value is None:
        return (0,) * NUM_SUITS
    if isinstance(value, Mapping):
        return _suit_ranks(key, value)
    words = value.split() if isinstance(value, str) else _list(key, value, _FOUNDATIONS_WANTED)
    if len(words) > NUM_SUITS:
        raise BoardError(f"{key}: four foundations expected, {len(words)} found")
    if words and all(isinstance(word, int) for word in words):
        if len(words) != NUM_SUITS:
            raise BoardError(f"{key}: four ranks expected (spades, hearts, diamonds, clubs)")
        return tuple(_rank(f"{key}[{i}]", word) for i, word in enumerate(words))
    pairs: list[tuple[int, int]] = []
    for i, word in enumerate(words):
        path = f"{key}[{i}]"
        if _is_nothing(word):
            continue
        if not isinstance(word, str):
            raise BoardError(f'{path}: a text such as "H-4" expected, not {_shown(word)}')
        try:
            pairs.append(read_foundation(word.strip()))
        except BoardError as error:
            raise BoardError(f"{path}: {error}") from None
    return gather_foundations(pairs)


def _suit_ranks(key: str, ranks: Mapping[object, object]) -> tuple[int, ...]:
    pairs: list[tuple[int, int]] = []
    for given, value in ranks.items():
        word = str(given).strip().lower()
        names = [name for name in SUIT_NAMES if word in (name, name[:-1])]
        suit = SUIT_NAMES.index(names[0]) if names else parse_suit(word)
        if suit is None:
            raise BoardError(f"{key}: {quote(str(given))} is not a suit; the suits are S H D C")
        pairs.append((suit, _rank(f"{key}.{str(given).strip()}", value)))
    return gather_foundations(pairs)


def _rank(path: str, value: object) -> int:
    """The top rank of a foundation: 0..13, a text that says as much, or null for none."""
    if value is None:
        return 0
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= NUM_RANKS:
        return value
    rank = read_foundation_rank(value.strip()) if isinstance(value, str) else None
    if rank is None:
        raise BoardError(
            f"{path}: a rank expected, 0 (empty) to 13 or A 2-10 J Q K, not {_shown(value)}"
        )
    return rank


def _card(path: str, value: object) -> int:
    if not isinstance(value, str):
        raise BoardError(f'{path}: a card such as "7H" expected, not {_shown(value)}')
    try:
        return read_card(value)
    except BoardError as error:
        raise BoardError(f"{path}: {error}") from None


def _is_nothing(value: object) -> bool:
    """Whether `value` stands for "no card": null, a blank text or a gap such as `-`."""
    return value is None or (
        isinstance(value, str) and (not value.strip() or is_gap(value.strip()))
    )


def _list(path: str, value: object, wanted: str) -> list[object]:
    if not isinstance(value, list | tuple):
        raise BoardError(f"{path}: {wanted} expected, not {_shown(value)}")
    return list(value)


def _shown(value: object) -> str:
    """A JSON value for an error: short ones as they are, long ones by their kind."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, bool):
        return "true" if value else "false"
    # A huge integer would be slow to print, or refuse to be.
    return str(value) if isinstance(value, int | float) and abs(value) < 10**9 else "that"
