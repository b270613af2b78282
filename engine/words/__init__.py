"""Words for people, in five languages: every sentence is a key and facts until it is shown.

The sentences are in `en.json`, `fr.json`, `hr.json`, `hu.json` and `he.json` beside this file. A
key that a language lacks is said in English. An entry is a text, or texts by plural category (those
of the CLDR: one, two, few, many, other) with the name of the fact that counts:

    "cells": {"count": "n", "one": "{n:number} cell", "other": "{n:number} cells"}

A placeholder `{name}` is replaced by the fact of that name. `{name:form}` gives it a form first:

    number    1234567 as 1,234,567        decimal   0.048 as 0.05       percent   0.061 as 6%
    quoted    in quotes, on one line, cut if it is long
    card      "6S" as it is, or as 6 of spades where names are asked for; cards: a list of them
    name      "6S" as 6 of spades, always
    places    a list of places: column 3, cell a

Any other form is the beginning of a key. The value decides which: `{place:from}` of "3" is
`from.column`, of "a" `from.cell`, of "H" (a foundation) `from.foundation`, of "h" `from.home`; an
entry for one value (`from.3`, `suit.H`, `level.hard`) goes before these. A number is counted:
`{num:cells}` is the entry `cells`. In such an entry `{at}` is the value; in a counted one, `{n}`.

Facts are plain JSON values. A fact that is a message, `{"key": ..., "facts": {...}}`, is said in
the same language; a list of messages is joined by semicolons.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

LANGUAGES: Final = ("en", "fr", "hr", "hu", "he")
ENGLISH: Final = "en"

Facts = Mapping[str, Any]
"""Names and plain JSON values."""

_MAX_QUOTED: Final = 60
_PLACEHOLDER: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")
_MAX_SHOWN: Final = 10**9
_CARD: Final = re.compile(r"[A2-9TJQK][SHDC]")
_COLUMN: Final = re.compile(r"[0-9]+")
_CELL: Final = re.compile(r"[a-gi]|#[0-9]+")
# What separates thousands, what comes before decimals, and what before a percent sign.
_NUMBERS: Final = {
    "en": (",", ".", ""),
    "fr": ("\u202f", ",", "\u00a0"),
    "hr": (".", ",", "\u00a0"),
    "hu": ("\u00a0", ",", ""),
    "he": (",", ".", ""),
}


def say(
    key: str, facts: Facts | None = None, language: str = ENGLISH, *, card_names: bool = False
) -> str:
    """The sentence or phrase of `key`, with its facts, in a language.

    Args:
        key: such as `rules.column_empty`.
        facts: for its placeholders, at least.
        language: one of `LANGUAGES`.
        card_names: say cards in words (6 of spades) and not as codes (6S).

    Raises:
        KeyError: if there is no such key, or a fact is missing: a fault of the program.

    >>> say("cells", {"n": 1}), say("cells", {"n": 4}), say("cells", {"n": 2}, "fr")
    ('1 cell', '4 cells', '2 cellules')
    """
    facts = facts or {}
    entry, spoken = _entry(key, language)
    if not isinstance(entry, str):
        category = plural_category(facts[entry["count"]], spoken)
        entry = entry.get(category, entry["other"])

    def fill(found: re.Match[str]) -> str:
        return _formed(facts[found[1]], found[2], spoken, card_names)

    return _PLACEHOLDER.sub(fill, entry)


class Voice(NamedTuple):
    """How an answer is said.

    Attributes:
        language: one of `LANGUAGES`.
        is_plain: for the ear: cards in words, and no drawn boards.

    >>> Voice("fr").say("rules.place_empty", place="3")
    'la colonne 3 est vide'
    """

    language: str = ENGLISH
    is_plain: bool = False

    def say(self, key: str, /, **facts: Any) -> str:
        """As the function `say`."""
        return say(key, facts, self.language, card_names=self.is_plain)

    def say_message(self, message: Facts) -> str:
        """As the function `say_message`."""
        return say_message(message, self.language, card_names=self.is_plain)


ENGLISH_VOICE: Final = Voice()


def say_message(message: Facts, language: str = ENGLISH, *, card_names: bool = False) -> str:
    """A message `{"key": ..., "facts": {...}}` in a language."""
    return say(message["key"], message.get("facts"), language, card_names=card_names)


def message(key: str, /, **facts: Any) -> dict[str, Any]:
    """A key and facts, as a fact of another message."""
    return {"key": key, "facts": facts}


def joined(items: Sequence[Any], key: str) -> Any:
    """Texts or messages as one fact, joined two by two by a key such as `join.or`.

    >>> say("text", {"text": joined(["a", "b", "c"], "join.or")})
    'a or b or c'
    """
    first, *others = items
    for other in others:
        first = message(key, first=first, second=other)
    return first


def shown_value(value: Any, quote: Callable[[str], str] | None = None) -> Any:
    """A JSON value as a fact: short ones as they are written, long ones by their kind.

    Args:
        value: what `json.loads` returned.
        quote: for texts; `quoted` if None.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return (quote or quoted)(value)
    if isinstance(value, Mapping):
        return message("shown.object")
    if isinstance(value, list | tuple):
        return message("shown.list")
    # A huge integer would be slow to print, or refuse to be.
    is_short = isinstance(value, int | float) and abs(value) < _MAX_SHOWN
    return str(value) if is_short else message("shown.other")


def has_words(key: str) -> bool:
    """Whether there is such a key."""
    return key in _catalogue(ENGLISH)


def counted(number: int, form: str) -> dict[str, Any]:
    """A number with its noun as a message, for a fact of another one."""
    return {"key": form, "facts": {"n": number}}


def count(number: int, form: str, language: str = ENGLISH) -> str:
    """A number with its noun.

    >>> count(1, "cells"), count(12000, "actions"), count(3, "cells", "hr")
    ('1 cell', '12,000 actions', '3 ćelije')
    """
    return say(form, {"n": number}, language)


def card_name(card: str, language: str = ENGLISH) -> str:
    """A card in words.

    >>> card_name("TH"), card_name("7H", "fr"), card_name("7H", "hr"), card_name("7H", "hu")
    ('10 of hearts', '7 de cœur', 'sedmica srca', 'kőr 7-es')
    """
    return say("card_name", {"rank": card[0], "suit": card[1]}, language)


def place_name(place: str, language: str = ENGLISH) -> str:
    """A place in words, from its code (see `engine.moves.Place.code`).

    >>> place_name("3"), place_name("a"), place_name("H"), place_name("3", "hu")
    ('column 3', 'cell a', 'the hearts foundation', 'a 3. oszlop')
    """
    return _formed(place, "place", language, False)


def quoted(text: str) -> str:
    """`text` between quotes for a sentence: on one line, and cut if it is long.

    >>> quoted("2-6"), quoted("x" * 100)[-8:]
    ("'2-6'", "xxxx'...")
    """
    return repr(text) if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]!r}..."


def plural_category(number: int, language: str) -> str:
    """The plural category of a whole number, as the CLDR has it.

    >>> [plural_category(n, "hr") for n in (1, 3, 5, 11, 21, 22)]
    ['one', 'few', 'other', 'other', 'one', 'few']
    """
    n = abs(number)
    if language == "fr":
        if n in (0, 1):
            return "one"
        return "many" if n % 1_000_000 == 0 else "other"
    if language == "hr":
        if n % 10 == 1 and n % 100 != 11:
            return "one"
        return "few" if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else "other"
    if language == "he" and n == 2:
        return "two"
    return "one" if n == 1 else "other"


def language_of(locale: str | None) -> str:
    """The language of a locale such as `fr_FR.UTF-8`; English if there is none of ours.

    >>> language_of("fr_FR.UTF-8"), language_of("hu"), language_of("de_DE"), language_of(None)
    ('fr', 'hu', 'en', 'en')
    """
    name = re.split(r"[_.@-]", locale or "")[0].lower()
    name = "he" if name == "iw" else name
    return name if name in LANGUAGES else ENGLISH


def language_of_environment(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment's locale asks for."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(variable):
            return language_of(environment[variable])
    return ENGLISH


def _entry(key: str, language: str) -> tuple[Any, str]:
    """The entry of a key, and the language that it is in."""
    words = _catalogue(language)
    return (words[key], language) if key in words else (_catalogue(ENGLISH)[key], ENGLISH)


@cache
def _catalogue(language: str) -> dict[str, Any]:
    if language not in LANGUAGES:
        raise KeyError(f"no words in {language!r}; there are {', '.join(LANGUAGES)}")
    path = os.path.join(os.path.dirname(__file__), f"{language}.json")
    with open(path, encoding="utf-8") as file:
        catalogue: dict[str, Any] = json.load(file)
    return catalogue


def _formed(value: Any, form: str | None, language: str, card_names: bool) -> str:
    """A fact in a form; see the head of this file."""
    if form in _FORMS:
        return _FORMS[form](value, language)
    if form in ("card", "cards"):
        cards = [value] if form == "card" else value
        return _cards_text(cards, language, card_names)
    if form is not None:
        if isinstance(value, int):
            return say(form, {"n": value}, language, card_names=card_names)
        key = _key_for(str(value), form, language)
        return say(key, {"at": str(value).removeprefix("#")}, language, card_names=card_names)
    if isinstance(value, Mapping):
        return say_message(value, language, card_names=card_names)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "; ".join(_formed(item, None, language, card_names) for item in value)
    return str(value)


def _key_for(value: str, form: str, language: str) -> str:
    """The key that a value stands for: one for it alone, else one for its kind of place."""
    key = f"{form}.{value}"
    if key in _catalogue(language) or key in _catalogue(ENGLISH):
        return key
    if _COLUMN.fullmatch(value):
        return f"{form}.column"
    if _CELL.fullmatch(value):
        return f"{form}.cell" if value[0] != "#" else f"{form}.cell_number"
    if value in ("S", "H", "D", "C"):
        return f"{form}.foundation"
    return f"{form}.home" if value == "h" else key


def _cards_text(cards: Sequence[str], language: str, card_names: bool) -> str:
    if card_names:
        return ", ".join(card_name(card, language) for card in cards)
    return " ".join(cards)


def _number(value: float, language: str) -> str:
    thousands, _, _ = _NUMBERS[language]
    return f"{value:,.0f}".replace(",", thousands)


def _decimal(value: float, language: str) -> str:
    thousands, point, _ = _NUMBERS[language]
    whole, _, decimals = f"{value:,.2f}".partition(".")
    return f"{whole.replace(',', thousands)}{point}{decimals}"


def _percent(value: float, language: str) -> str:
    return f"{value:.0%}".replace("%", f"{_NUMBERS[language][2]}%")


_FORMS: Final[dict[str | None, Callable[[Any, str], str]]] = {
    "number": _number,
    "decimal": _decimal,
    "percent": _percent,
    "quoted": lambda value, language: quoted(value) if isinstance(value, str) else repr(value),
    "name": lambda value, language: card_name(value, language),
    "places": lambda value, language: ", ".join(place_name(place, language) for place in value),
}
