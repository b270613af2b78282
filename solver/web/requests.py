"""What a question may say: its keys, what each may hold, and the game that it is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from boulanger.engine.boards.json_board import board_from_json
from boulanger.engine.boards.text import parse_board
from boulanger.engine.deals.names import is_name
from boulanger.engine.game import MAX_UNDO
from boulanger.engine.notes import Note
from boulanger.engine.position import MAX_CELLS, Position
from boulanger.engine.words import ENGLISH, LANGUAGES, message, shown_value
from boulanger.solver.deals.source import DealKind, DealSource, read_name
from boulanger.solver.limits import Limits
from boulanger.solver.result import Measure
from boulanger.solver.web.errors import RequestError

MAX_MOVES: Final = 5_000
"""A long game has some hundreds."""

MAX_SECONDS: Final = 60.0
MAX_MEMORY: Final = 1 << 30
BOARD_NAME: Final = "board"
_MAX_NAME: Final = 80
_MAX_TEXT: Final = 64 * 1024

Schema = dict[str, Any]


@dataclass(frozen=True)
class Key:
    """One key of a question.

    Attributes:
        schema: what it may hold, as JSON Schema has it; `description` says what it means.
        read: makes of it what the question needs; raises BoulangerError if it is no such thing.
    """

    schema: Schema
    read: Callable[[str, Any], Any]


def _text(name: str, value: Any, most: int = _MAX_TEXT) -> str:
    if not isinstance(value, str):
        raise wrong_value(name, value, message("wanted.text"))
    if len(value) > most:
        raise RequestError("web.long_text", name=name, length=len(value), most=most)
    return value


def _short_text(name: str, value: Any) -> str:
    return _text(name, value, _MAX_NAME)


def _bool(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise wrong_value(name, value, message("wanted.truth"))
    return value


def _integer(least: int, most: int) -> Callable[[str, Any], int]:
    def read(name: str, value: Any) -> int:
        if type(value) is not int or not least <= value <= most:
            raise wrong_value(name, value, whole_number(least, most))
        return value

    return read


def _seconds(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
        raise wrong_value(name, value, message("wanted.seconds"))
    return min(float(value), MAX_SECONDS)


def _measure(name: str, value: Any) -> Measure:
    if value not in list(Measure):
        raise wrong_value(name, value, message("wanted.measure"))
    return Measure(value)


def _language(name: str, value: Any) -> str:
    if value not in LANGUAGES:
        raise wrong_value(name, value, ", ".join(LANGUAGES))
    return str(value)


def _moves(name: str, value: Any) -> tuple[str, ...] | str:
    if isinstance(value, str):
        return _text(name, value)
    if not isinstance(value, list) or not all(isinstance(move, str) for move in value):
        raise wrong_value(name, value, message("wanted.moves"))
    if len(value) > MAX_MOVES:
        raise RequestError("web.long_list", name=name, length=len(value), most=MAX_MOVES)
    return tuple(value)


def _start(name: str, value: Any) -> str | dict[str, Any] | list[Any]:
    if isinstance(value, str):
        return _text(name, value)
    if not isinstance(value, dict | list):
        raise wrong_value(name, value, message("wanted.start"))
    return value


def _move(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return _short_text(name, value)
    keys = {"from", "to", "count"}
    if not isinstance(value, dict) or not {"from", "to"} <= set(value) <= keys:
        raise wrong_value(name, value, message("wanted.move"))
    return value


def _list_of_texts(name: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise wrong_value(name, value, message("wanted.texts"))
    if len(value) > 16:
        raise RequestError("web.long_list", name=name, length=len(value), most=16)
    return value


_PAIR_KEYS: Final = {"code", "board"}


def _pairs(name: str, value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(
        isinstance(pair, dict)
        and set(pair) == _PAIR_KEYS
        and isinstance(pair["code"], str)
        and isinstance(pair["board"], str | dict | list)
        for pair in value
    ):
        raise wrong_value(name, value, message("wanted.pairs"))
    return value


def _place_in_catalogue(name: str, value: Any) -> tuple[int, int]:
    is_pair = isinstance(value, list) and len(value) == 2
    if not is_pair or not all(type(n) is int and 0 <= n < 1 << 60 for n in value):
        raise wrong_value(name, value, message("wanted.page"))
    return value[0], value[1]


def _layout(name: str, value: Any) -> str:
    if value not in ("rows", "columns"):
        raise wrong_value(name, value, message("wanted.layout"))
    return str(value)


def _level(name: str, value: Any) -> str:
    if value not in _LEVELS:
        raise wrong_value(name, value, message("wanted.level", levels=", ".join(_LEVELS)))
    return str(value)


_BOARD_FORMS: Final = [{"type": "string"}, {"type": "object"}, {"type": "array"}]
_LEVELS: Final = ("gentle", "easy", "medium", "hard", "fiendish")
_PLACE: Final = {"type": "string", "pattern": "^[1-8a-gi]$"}

KEYS: Final[Mapping[str, Key]] = {
    "start": Key(
        {
            "description": "The deal: a game code, ms:NUMBER, random:NUMBER@SEED, or a board as "
            "text or as JSON, in any form that the command reads.",
            "oneOf": _BOARD_FORMS,
        },
        _start,
    ),
    "board": Key(
        {"description": "Instead of start: a board as text, in any form.", "type": "string"}, _text
    ),
    "layout": Key(
        {
            "description": "How a board as text is to be read, where it could be both.",
            "type": "string",
            "enum": ["rows", "columns"],
        },
        _layout,
    ),
    "cells": Key(
        {
            "description": "Cells in play, instead of those of the code or the board.",
            "type": "integer",
            "minimum": 0,
            "maximum": MAX_CELLS,
        },
        _integer(0, MAX_CELLS),
    ),
    "dealer": Key(
        {"description": "What deals game codes; the dealer in use if absent.", "type": "string"},
        _short_text,
    ),
    "moves": Key(
        {
            "description": "What was played since the start, in notation; or a text with moves, "
            "in any style that the command reads.",
            "oneOf": [
                {"type": "array", "items": {"type": "string"}, "maxItems": MAX_MOVES},
                {"type": "string"},
            ],
        },
        _moves,
    ),
    "undoable": Key(
        {
            "description": "How many of the moves the app could still take back; if absent, the "
            "last hundred.",
            "type": "integer",
            "minimum": 0,
            "maximum": MAX_UNDO,
        },
        _integer(0, MAX_UNDO),
    ),
    "move": Key(
        {
            "description": "Play this: a move in notation, or {from, to, count}.",
            "oneOf": [
                {"type": "string"},
                {
                    "type": "object",
                    "required": ["from", "to"],
                    "properties": {
                        "from": {"type": "string"},
                        "to": {"type": "string"},
                        "count": {"type": "integer"},
                    },
                },
            ],
        },
        _move,
    ),
    "tap": Key({**_PLACE, "description": "Tap the card exposed there."}, _short_text),
    "double_tap": Key({**_PLACE, "description": "Double tap the card exposed there."}, _short_text),
    "undo": Key(
        {
            "description": "Take this many actions back.",
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_UNDO,
        },
        _integer(1, MAX_UNDO),
    ),
    "client": Key(
        {
            "description": "Any text that names the asker (a tab): of its questions of one kind "
            "only the latest is answered, older ones get the error `web.superseded`.",
            "type": "string",
            "maxLength": _MAX_NAME,
        },
        _short_text,
    ),
    "max_seconds": Key(
        {
            "description": f"Stop, undecided, after this many seconds; {MAX_SECONDS:.0f} at most.",
            "type": "number",
            "exclusiveMinimum": 0,
        },
        _seconds,
    ),
    "max_nodes": Key(
        {
            "description": "Stop, undecided, after this many positions.",
            "type": "integer",
            "minimum": 1,
        },
        _integer(1, 10**15),
    ),
    "measure": Key(
        {
            "description": "What distances count.",
            "type": "string",
            "enum": [measure.value for measure in Measure],
            "default": "actions",
        },
        _measure,
    ),
    "count": Key(
        {"description": "How many.", "type": "integer", "minimum": 1, "maximum": 1000},
        _integer(1, 1000),
    ),
    "all": Key({"description": "Mark every legal action too.", "type": "boolean"}, _bool),
    "distance": Key(
        {"description": "Find how far each outcome is from the win, too.", "type": "boolean"}, _bool
    ),
    "shortest": Key(
        {
            "description": "Find a proven shortest solution, in plies or in actions.",
            "type": "string",
            "enum": [measure.value for measure in Measure],
        },
        _measure,
    ),
    "seed": Key(
        {
            "description": "Of what is drawn at random.",
            "type": "integer",
            "minimum": 0,
            "maximum": (1 << 64) - 1,
        },
        _integer(0, (1 << 64) - 1),
    ),
    "where": Key(
        {
            "description": "Conditions that are to hold, such as 4=winnable and 2=unwinnable.",
            "type": "array",
            "items": {"type": "string"},
            "maxItems": 16,
        },
        _list_of_texts,
    ),
    "language": Key(
        {
            "description": "Of the words in the file.",
            "type": "string",
            "enum": list(LANGUAGES),
            "default": ENGLISH,
        },
        _language,
    ),
    "reviewed": Key({"description": "Review the moves, too.", "type": "boolean"}, _bool),
    "rated": Key({"description": "Rate the board, too.", "type": "boolean"}, _bool),
    "difficulty": Key(
        {
            "description": "Deals with this word for their score.",
            "type": "string",
            "enum": list(_LEVELS),
        },
        _level,
    ),
    "catalogue": Key(
        {
            "description": "The place of a catalogue in the list of them, from 0.",
            "type": "integer",
            "minimum": 0,
            "maximum": 1000,
        },
        _integer(0, 1000),
    ),
    "summary": Key({"description": "The counts of the catalogue.", "type": "boolean"}, _bool),
    "sort": Key(
        {
            "description": "score, plies, actions or nodes; with a - before it for the highest "
            "first. Only the first thousand can be looked through.",
            "type": "string",
        },
        _short_text,
    ),
    "after": Key(
        {
            "description": "Where the page begins: `next` of the one before.",
            "type": "array",
            "items": {"type": "integer", "minimum": 0},
            "minItems": 2,
            "maxItems": 2,
        },
        _place_in_catalogue,
    ),
    "pairs": Key(
        {
            "description": "Game codes with the boards that the app deals for them.",
            "type": "array",
            "items": {
                "type": "object",
                "required": ["code", "board"],
                "additionalProperties": False,
                "properties": {"code": {"type": "string"}, "board": {"oneOf": _BOARD_FORMS}},
            },
            "minItems": 1,
            "maxItems": 8,
        },
        _pairs,
    ),
    "save": Key(
        {"description": "Keep the rule under this name; only the owner may.", "type": "string"},
        _short_text,
    ),
    "pick": Key(
        {"description": "Which of several groups to keep, from 1.", "type": "integer"},
        _integer(1, 1000),
    ),
    "use": Key(
        {"description": "Let game codes be dealt by what is saved.", "type": "boolean"}, _bool
    ),
}

GAME_KEYS: Final = ("start", "board", "layout", "cells", "dealer", "moves", "undoable", "client")
LIMIT_KEYS: Final = ("max_seconds", "max_nodes")


def read_request(body: Any, keys: tuple[str, ...]) -> dict[str, Any]:
    """The values of a question that may have these keys; null counts as absent.

    Raises:
        RequestError: says which key is unknown, or what it should hold.
    """
    if not isinstance(body, dict):
        raise RequestError("web.not_an_object", value=shown_value(body))
    unknown = [key for key in body if key not in keys]
    if unknown:
        raise RequestError("web.unknown_key", name=str(unknown[0]), known=", ".join(keys))
    return {key: KEYS[key].read(key, value) for key, value in body.items() if value is not None}


def read_start(values: Mapping[str, Any]) -> DealSource:
    """The deal or board that a question is about.

    Raises:
        BoulangerError: says what is wrong with it.
    """
    start, board, num_cells = values.get("start"), values.get("board"), values.get("cells")
    if (start is None) == (board is None):
        raise RequestError("web.start_or_board")
    if isinstance(start, str) and len(start) <= _MAX_NAME and is_name(start.strip()):
        return read_name(start.strip(), num_cells, values.get("dealer"))
    given = start if board is None else board
    position, notes = read_board(given, num_cells, values.get("layout"))
    return DealSource(DealKind.BOARD, BOARD_NAME, position, notes)


def read_board(
    board: Any, num_cells: int | None, layout: str | None = None
) -> tuple[Position, tuple[Note, ...]]:
    """The position of a board as text or as JSON, and how it was read.

    Raises:
        BoardError: says what is wrong with it.
    """
    if not isinstance(board, str):
        parsed = board_from_json(board, num_cells)
    else:
        parsed = parse_board(board, num_cells, layout)
    return parsed.position, parsed.notes


def read_limits(
    values: Mapping[str, Any], on_look: Callable[[], object], max_seconds: float = 10.0
) -> Limits:
    """The limits of a question; time and memory are always limited.

    Args:
        values: of the question.
        on_look: ends the search by an exception, see `Limits`.
        max_seconds: if the question does not say.
    """
    seconds = values.get("max_seconds", max_seconds)
    return Limits(values.get("max_nodes"), seconds, MAX_MEMORY, on_look)


def wrong_value(name: str, value: Any, expected: Any) -> RequestError:
    """The error for a key with a value of the wrong kind; `expected` is a fact."""
    return RequestError("web.wrong_value", name=name, expected=expected, value=shown_value(value))


def whole_number(least: int, most: int) -> dict[str, Any]:
    """What is expected, as a fact: a whole number in this range."""
    return message("wanted.whole_number", least=str(least), most=str(most))
