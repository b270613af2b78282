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

Read, also:

- only the columns must be there: `columns`, `tableau piles`, `tableau`, `cascades`, `piles`,
  `stacks`, or a list of eight columns without any key; all this below a key such as `board`;
- a column or the cells as one text (`"4C 2C TD"`); seven or more rows instead of eight columns;
- a card as `"S8"`, `"S0"` (a ten), in another language, or as `{"rank": 8, "suit": "spades"}`;
- `freecells` or `reserve` for `cells`; an empty cell as null, `""`, `"-"` or `[]`;
- foundations as ranks in letters, as a list of four numbers in the order spades, hearts, diamonds,
  clubs, as a list of `"H-4"`, of top cards or of the cards in each, as one text, or as objects;
- quotes, commas and keys as Python and JavaScript write them.

Without `num_cells` there are as many cells as `cells` has entries, if one is empty, else four.
Other keys are ignored.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from boulanger.engine.boards.decks import DECKS, ENGLISH, Deck, plain
from boulanger.engine.boards.decoding import line_place
from boulanger.engine.boards.judge import judged
from boulanger.engine.boards.layouts import COLUMNS, ROWS
from boulanger.engine.boards.parsed import ParsedBoard
from boulanger.engine.boards.sheet import BoardLine, Entry, Sheet
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
    SUIT_NAMES,
    make_card,
    parse_suit,
    rank_of,
    suit_of,
)
from boulanger.engine.errors import BoardError
from boulanger.engine.notes import Note
from boulanger.engine.position import MAX_CELLS, NUM_COLUMNS, Position
from boulanger.engine.words import joined, message, shown_value

# Compared in lower case, without blanks, underscores and hyphens.
_KEYS: Final = {
    "numcells": "num_cells",
    "numfreecells": "num_cells",
    **dict.fromkeys(
        ("foundations", "foundation", "founds", "homecells", "homes", "home"), "foundations"
    ),
    **dict.fromkeys(("cells", "freecells", "freecell", "reserve", "reserves", "free"), "cells"),
    **dict.fromkeys(
        ("columns", "tableau", "tableaus", "tableaupiles", "piles", "cascades", "stacks", "cols"),
        "columns",
    ),
    "rows": "rows",
}
_WRAPPERS: Final = (
    "board",
    "game",
    "state",
    "position",
    "layout",
    "deal",
    "initial",
    "initialstate",
)
_RANK_KEYS: Final = ("rank", "value", "face", "number", "r", "v")
_SUIT_KEYS: Final = ("suit", "suite", "color", "colour", "s")
_COLUMNS_WANTED: Final = "wanted.columns"
_CELLS_WANTED: Final = "wanted.cells"
_FOUNDATIONS_WANTED: Final = "wanted.foundations"
_MAX_DEPTH: Final = 3


def position_from_json(board: object, num_cells: int | None = None) -> Position:
    """The position that `board`, as `json.loads` returns it, describes.

    Args:
        board: any of the forms above.
        num_cells: how many cells are in play, whatever the board says; None leaves it to the board.

    Raises:
        BoardError: names the key path of what is wrong, or the cards that are missing, duplicate
            or on the wrong foundation, or says that the cells hold too many cards.
    """
    return board_from_json(board, num_cells).position


def parse_json_board(
    text: str, num_cells: int | None = None, layout: str | None = None
) -> ParsedBoard:
    """The board in the JSON `text`.

    Raises:
        BoardError: as `position_from_json`; or with line and column, if it is not JSON.
    """
    return board_from_json(_load(text), num_cells, layout)


def board_from_json(
    board: object, num_cells: int | None = None, layout: str | None = None
) -> ParsedBoard:
    """The board in what `json.loads` returned.

    Raises:
        BoardError: as `position_from_json`.
    """
    first_error: BoardError | None = None
    found: list[ParsedBoard] = []
    for deck in DECKS:
        try:
            read = _Reader(deck).board(board, num_cells, layout)
        except BoardError as error:
            first_error = first_error or error
            continue
        if deck is ENGLISH:
            return read
        found.append(read)
    if not found:
        assert first_error is not None
        raise first_error
    return one_language(found)


def one_language(found: list[ParsedBoard]) -> ParsedBoard:
    """The board that all languages agree on, with a note which they are.

    Raises:
        BoardError: if they do not agree.
    """
    names = dict.fromkeys(board.language for board in found)
    languages = joined([message(f"language.{name.lower()}") for name in names], "join.or")
    if len({board.position for board in found}) > 1:
        raise BoardError("reading.languages", languages=languages)
    return found[0].with_notes(Note("note.languages", languages=languages))


class _Reader:
    """Reads a board whose cards are named in one language."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck

    def board(self, board: object, num_cells: int | None, layout: str | None) -> ParsedBoard:
        fields = _fields(board)
        if "columns" in fields and "rows" in fields:
            raise _same_key(fields["columns"][0], fields["rows"][0], "columns")
        key = "columns" if "columns" in fields else "rows"
        if key not in fields:
            raise BoardError("reading.no_columns", wanted=message(_COLUMNS_WANTED))
        sheet = Sheet(lines=self.lines(*fields[key], is_columns=key == "columns"))
        if "foundations" in fields:
            sheet.foundations = self.foundations(*fields["foundations"])
        else:
            sheet.foundations = None
        if "cells" in fields:
            cells = self.cells(*fields["cells"])
            sheet.cells = cells
            sheet.told_cells = len(cells) if None in cells or len(cells) > 4 else None
        if "num_cells" in fields:
            sheet.told_cells = _num_cells(*fields["num_cells"])
        if key == "rows":
            layout = ROWS
        elif len(sheet.lines) == NUM_COLUMNS and not any(line.has_gap for line in sheet.lines):
            layout = layout or COLUMNS
        read = judged(sheet, num_cells, layout, self.deck.language)
        return ParsedBoard(read.position, read.notes, read.told_cells, "JSON", read.language)

    def lines(self, key: str, value: object, is_columns: bool) -> list[BoardLine]:
        """The lists of the tableau as lines; columns speak for themselves by their key."""
        if isinstance(value, Mapping):
            value = [column for _, column in sorted(value.items(), key=_by_number)]
        columns = _list(key, value, _COLUMNS_WANTED)
        return [
            BoardLine(c + 1, self.line(f"{key}[{c}]", column), has_colon=is_columns)
            for c, column in enumerate(columns)
        ]

    def line(self, path: str, value: object) -> tuple[Entry, ...]:
        if isinstance(value, Mapping) and len(value) == 1:
            value = next(iter(value.values()))
        words = value.split() if isinstance(value, str) else _list(path, value, "wanted.cards")
        entries = []
        for i, word in enumerate(words):
            card = None
            if word is None or not (isinstance(word, str) and not word.strip()):
                card = self.card(f"{path}[{i}]", word) if not _is_written_gap(word) else None
            entries.append(Entry(card, str(word)[:3], i, 3 * i, 3 * i + 2))
        return tuple(entries)

    def cells(self, key: str, value: object) -> tuple[int | None, ...]:
        if value is None:
            return ()
        if isinstance(value, Mapping):
            value = [value[name] for name in sorted(value, key=str)]
        words = value.split() if isinstance(value, str) else _list(key, value, _CELLS_WANTED)
        if len(words) > MAX_CELLS:
            fault = BoardError("reading.too_many_cells", number=len(words), most=MAX_CELLS)
            raise fault.at(key)
        cells = []
        for i, word in enumerate(words):
            if isinstance(word, list | tuple) and len(word) <= 1:
                word = word[0] if word else None
            cells.append(None if _is_nothing(word) else self.card(f"{key}[{i}]", word))
        return tuple(cells)

    def foundations(self, key: str, value: object) -> tuple[int, ...]:
        if value is None:
            return (0,) * NUM_SUITS
        if isinstance(value, Mapping):
            return self.suit_ranks(key, value)
        words = value.split() if isinstance(value, str) else _list(key, value, _FOUNDATIONS_WANTED)
        if len(words) > NUM_SUITS:
            raise BoardError("reading.four_foundations", found=len(words)).at(key)
        if words and all(isinstance(word, int) for word in words):
            if len(words) != NUM_SUITS:
                raise BoardError("reading.four_ranks").at(key)
            return tuple(self.rank(f"{key}[{i}]", word) for i, word in enumerate(words))
        pairs: list[tuple[int, int]] = []
        for i, word in enumerate(words):
            path = f"{key}[{i}]"
            if _is_nothing(word) or (isinstance(word, list) and not any(word)):
                continue
            pair = self.foundation(path, word)
            if pair is not None:
                pairs.append(pair)
        return gather_foundations(pairs)

    def foundation(self, path: str, word: object) -> tuple[int, int] | None:
        """Suit and rank of a foundation given by a word, a top card or its cards."""
        if isinstance(word, list | tuple):
            cards = [self.card(f"{path}[{i}]", card) for i, card in enumerate(word)]
            if len({suit_of(card) for card in cards}) != 1:
                raise BoardError("reading.one_suit").at(path)
            top = max(cards)
            return suit_of(top), rank_of(top)
        if isinstance(word, Mapping):
            rank = _part(word, _RANK_KEYS)
            if _is_nothing(rank) or rank == 0:
                return None
            top = self.card(path, word)
            return suit_of(top), rank_of(top)
        if not isinstance(word, str):
            raise _not_wanted(path, word, "wanted.foundation")
        try:
            return read_foundation(word.strip())
        except BoardError as error:
            card = self.deck.card(word.strip())
            if card is None or "-" in word:
                raise error.at(path) from None
            return suit_of(card), rank_of(card)

    def suit_ranks(self, key: str, ranks: Mapping[object, object]) -> tuple[int, ...]:
        pairs: list[tuple[int, int]] = []
        for given, value in ranks.items():
            word = str(given).strip().lower()
            names = [name for name in SUIT_NAMES if word in (name, name[:-1])]
            suit = SUIT_NAMES.index(names[0]) if names else parse_suit(word)
            if suit is None:
                raise BoardError("reading.not_a_suit", word=quote(str(given))).at(key)
            path = f"{key}.{str(given).strip()}"
            if isinstance(value, list | tuple):
                pair = self.foundation(path, value) if value else (suit, 0)
                if pair is None or pair[0] != suit:
                    raise BoardError("reading.that_suit").at(path)
                pairs.append(pair)
            elif isinstance(value, str) and not value.strip():
                pairs.append((suit, 0))
            elif isinstance(value, str) and self.deck.card(value) is not None:
                card = self.card(path, value)
                if suit_of(card) != suit:
                    raise _not_wanted(path, value, "wanted.card_of_that_suit")
                pairs.append((suit, rank_of(card)))
            else:
                pairs.append((suit, self.rank(path, value)))
        return gather_foundations(pairs)

    def rank(self, path: str, value: object) -> int:
        """The top rank of a foundation: 0..13, a text that says as much, or null for none."""
        if value is None:
            return 0
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= NUM_RANKS:
            return value
        rank = read_foundation_rank(value.strip()) if isinstance(value, str) else None
        if rank is None:
            raise BoardError("reading.rank", value=shown_value(value, quote)).at(path)
        return rank

    def card(self, path: str, value: object) -> int:
        if isinstance(value, Mapping):
            rank, suit = _part(value, _RANK_KEYS), _part(value, _SUIT_KEYS)
            rank_number = self.deck.rank(str(rank)) if _is_word(rank) else None
            suit_number = self.deck.suit(str(suit)) if isinstance(suit, str) else None
            if rank_number is None or suit_number is None:
                raise BoardError("reading.card_object").at(path)
            return make_card(suit_number, rank_number)
        if not isinstance(value, str):
            raise _not_wanted(path, value, "wanted.card")
        try:
            if self.deck is ENGLISH:
                return read_card(value)
        except BoardError as error:
            card = self.deck.card(value.strip())
            if card is None:
                raise error.at(path) from None
            return card
        words = value.split()
        found = self.deck.card_of(*words) if len(words) == 2 else self.deck.card(value.strip())
        if found is None:
            raise BoardError("reading.not_a_card", word=quote(value)).at(path)
        return found


def _part(card: Mapping[object, object], keys: tuple[str, ...]) -> object:
    by_name = {str(key).lower(): value for key, value in card.items()}
    return next((by_name[key] for key in keys if key in by_name), None)


def _is_word(value: object) -> bool:
    return isinstance(value, str) or (
        isinstance(value, int) and not isinstance(value, bool) and 0 < value <= NUM_RANKS
    )


def _is_written_gap(value: object) -> bool:
    return isinstance(value, str) and is_gap(value.strip())


def _by_number(item: tuple[object, object]) -> tuple[int, str]:
    digits = re.sub(r"[^0-9]", "", str(item[0]))[:4]
    return (int(digits) if digits else 0), str(item[0])


def _load(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_object_without_repeats)
    except json.JSONDecodeError as error:
        relaxed = _relaxed(text)
        if relaxed is not None:
            return relaxed
        where = line_place(error.lineno, error.colno)
        if error.msg == "Extra data":
            if text[error.pos] in "{[":
                raise BoardError("reading.two_boards", line=error.lineno) from None
            raise BoardError("reading.after_json").at(where) from None
        raise BoardError("reading.not_json", reason=error.msg).at(where) from None
    except RecursionError:
        raise BoardError("reading.too_deep", wanted=message(_COLUMNS_WANTED)) from None
    except BoardError:
        raise
    except ValueError:  # a number of more digits than Python cares to convert
        raise BoardError("reading.long_number") from None


def _relaxed(text: str) -> object:
    """What a program meant that writes lists and objects as Python and JavaScript do; or None."""
    plain_text = re.sub(r"^\s*(?:const|let|var)?\s*\w+\s*=\s*|;\s*$", "", text)
    if "'" in plain_text and '"' not in plain_text:
        plain_text = plain_text.replace("'", '"')
    plain_text = re.sub(r"\b(?:None|undefined)\b", "null", plain_text)
    plain_text = re.sub(r"([{,]\s*)([A-Za-z_]\w{0,30})\s*:", r'\1"\2":', plain_text)
    plain_text = re.sub(r"(?<=[\w\"\]}]),(\s*[\]}])", r"\1", plain_text)
    plain_text = plain_text.replace("(", "[").replace(")", "]")
    try:
        return json.loads(plain_text, object_pairs_hook=_object_without_repeats)
    except (ValueError, RecursionError):
        return None


def _object_without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """`json` itself would let the last one win."""
    loaded: dict[str, object] = {}
    for key, value in pairs:
        if key in loaded:
            raise BoardError("reading.key_twice", key=quote(key))
        loaded[key] = value
    return loaded


def _fields(board: object, depth: int = 0) -> dict[str, tuple[str, object]]:
    """Our key -> the key as it was given and its value."""
    if isinstance(board, list | tuple):
        if any(isinstance(item, Mapping) for item in board):
            raise BoardError("reading.list_of_boards", number=len(board))
        return {"columns": ("columns", board)}
    if not isinstance(board, Mapping):
        raise BoardError("reading.not_an_object", value=shown_value(board, quote))
    fields: dict[str, tuple[str, object]] = {}
    for given, value in board.items():
        key = _KEYS.get(_plain_key(given))
        if key is None:
            continue
        if key in fields:
            raise _same_key(fields[key][0], str(given), key)
        fields[key] = (str(given), value)
    if "columns" in fields or "rows" in fields or depth == _MAX_DEPTH:
        return fields
    for given, value in board.items():
        if _plain_key(given) in _WRAPPERS and isinstance(value, Mapping | list):
            return {**_fields(value, depth + 1), **fields}
    return fields


def _plain_key(given: object) -> str:
    return plain(str(given)).replace(" ", "").replace("_", "").replace("-", "")


def _num_cells(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_CELLS:
        raise _not_wanted(key, value, "wanted.num_cells")
    return value


def _is_nothing(value: object) -> bool:
    """Whether `value` stands for "no card": null, a blank text or a gap such as `-`."""
    return value is None or (
        isinstance(value, str) and (not value.strip() or is_gap(value.strip()))
    )


def _list(path: str, value: object, wanted: str) -> list[object]:
    if not isinstance(value, list | tuple):
        raise _not_wanted(path, value, wanted)
    return list(value)


def _not_wanted(path: str, value: object, wanted: str) -> BoardError:
    """The error for a value where `wanted`, a key, was expected."""
    shown: Any = shown_value(value, quote)
    return BoardError("reading.not_wanted", wanted=message(wanted), value=shown).at(path)


def _same_key(first: str, second: str, key: str) -> BoardError:
    return BoardError("reading.same_key", first=quote(first), second=quote(second), key=key)
