"""Words: plural rules against the CLDR's own samples, and no key or fact that is missing."""

from __future__ import annotations

import ast
import doctest
import json
import pickle
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import boulanger.engine
import boulanger.solver
from boulanger.engine import errors, words
from boulanger.engine.cards import card_text
from boulanger.engine.errors import BoardError, BoulangerError, IllegalMoveError
from boulanger.engine.moves import cell_place, column_place, foundation_place
from boulanger.engine.words import (
    LANGUAGES,
    card_name,
    count,
    language_of,
    language_of_environment,
    place_name,
    plural_category,
    quoted,
    say,
)
from tests.plurals import CATEGORIES

FOLDER = Path(words.__file__).parent
SOURCES = [
    path
    for package in (boulanger.engine, boulanger.solver)
    for path in sorted(Path(package.__path__[0]).rglob("*.py"))
]
PLACEHOLDER = re.compile(r"\{(\w+)(?::(\w+))?\}")
# Errors and notes on what a player gives are keys with facts, so that they can be said in any
# language. Those about catalogues, clusters and files of learned dealers are English sentences.
FOR_RESEARCHERS = {
    *("catalogue", "catalogue.py", "dealer_file.py"),
    "check_proof.py",  # runs alone
}
ERROR_NAMES = {
    "Note",
    *(name for name, kind in vars(errors).items() if isinstance(kind, type)),
}
OWN_ERRORS = {"RequestError", "BusyError", "OwnerError", "ServeError", "ConditionError"}
READERS = [path for path in SOURCES if not FOR_RESEARCHERS & {path.parent.name, path.name}]


def catalogue(language: str) -> dict[str, Any]:
    entries: dict[str, Any] = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    return entries


def texts(entry: str | Mapping[str, str]) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    return [text for category, text in entry.items() if category != "count"]


def placeholders(entry: str | Mapping[str, str]) -> set[str]:
    names = {name for text in texts(entry) for name, _ in PLACEHOLDER.findall(text)}
    return names if isinstance(entry, str) else names | {entry["count"]}


# The samples that the CLDR gives for each category of whole numbers.
@pytest.mark.parametrize(
    ("language", "category", "numbers"),
    [
        ("en", "one", [1]),
        ("en", "other", [0, 2, 3, 16, 100, 1000, 1_000_000]),
        ("fr", "one", [0, 1]),
        ("fr", "many", [1_000_000, 2_000_000]),
        ("fr", "other", [2, 3, 17, 100, 1000, 100_000]),
        ("hr", "one", [1, 21, 31, 41, 101, 1001]),
        ("hr", "few", [2, 3, 4, 22, 23, 24, 32, 102, 1002]),
        ("hr", "other", [0, 5, 11, 12, 13, 14, 15, 19, 100, 111, 112, 1000]),
        ("hu", "one", [1]),
        ("hu", "other", [0, 2, 21, 100]),
        ("he", "one", [1]),
        ("he", "two", [2]),
        ("he", "other", [0, 3, 12, 21, 22, 100]),
    ],
)
def test_plural_categories_are_those_of_the_cldr(
    language: str, category: str, numbers: list[int]
) -> None:
    assert [plural_category(n, language) for n in numbers] == [category] * len(numbers)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["1 free cell", "2 free cells", "5 free cells"]),
        ("fr", ["1 cellule libre", "2 cellules libres", "5 cellules libres"]),
        ("hr", ["1 slobodna ćelija", "2 slobodne ćelije", "5 slobodnih ćelija"]),
        ("hu", ["1 szabad cella", "2 szabad cella", "5 szabad cella"]),
        ("he", ["תא פנוי אחד", "שני תאים פנויים", "5 תאים פנויים"]),
    ],
)
def test_things_are_counted(language: str, said: list[str]) -> None:
    assert [count(n, "free_cells", language) for n in (1, 2, 5)] == said


def test_large_numbers_are_grouped_as_the_language_does() -> None:
    assert count(1_234_567, "nodes") == "1,234,567 nodes"
    assert count(1_234_567, "nodes", "fr") == "1\u202f234\u202f567 nœuds"
    assert count(1_234_567, "nodes", "hr") == "1.234.567 čvorova"
    assert count(1_234_567, "nodes", "hu") == "1\u00a0234\u00a0567 csomópont"


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["ace of spades", "10 of hearts", "queen of diamonds", "7 of clubs"]),
        ("fr", ["as de pique", "10 de cœur", "dame de carreau", "7 de trèfle"]),
        ("hr", ["as pika", "desetka srca", "dama kara", "sedmica trefa"]),
        ("hu", ["pikk ász", "kőr 10-es", "káró dáma", "treff 7-es"]),
        ("he", ["אס עלה", "10 לב", "מלכה יהלום", "7 תלתן"]),
    ],
)
def test_cards_have_names(language: str, names: list[str]) -> None:
    assert [card_name(card, language) for card in ("AS", "TH", "QD", "7C")] == names


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["column 3", "cell i", "the hearts foundation"]),
        ("fr", ["la colonne 3", "la cellule i", "la fondation de cœur"]),
        ("hr", ["stupac 3", "ćelija i", "temelj srca"]),
        ("hu", ["a 3. oszlop", "az i cella", "a kőr alap"]),
        ("he", ["עמודה 3", "תא i", "קרן לב"]),
    ],
)
def test_places_have_names(language: str, names: list[str]) -> None:
    places = [column_place(2), cell_place(7), foundation_place(1)]
    assert [place_name(place.code, language) for place in places] == names


def test_all_cards_have_different_names_in_each_language() -> None:
    for language in LANGUAGES:
        assert len({card_name(card_text(card), language) for card in range(52)}) == 52


def test_cards_in_a_sentence_are_codes_or_names() -> None:
    facts = {"card": "6C", "on": "JH", "place": "2", "taker": "7C"}
    sentence = say("rules.wrong_card", facts)
    assert sentence == "6C cannot go on JH (column 2): only 7C takes it"
    assert say("rules.wrong_card", facts, card_names=True) == (
        "6 of clubs cannot go on jack of hearts (column 2): only 7 of clubs takes it"
    )


def test_an_error_is_a_key_and_facts_in_any_language() -> None:
    error = IllegalMoveError("rules.wrong_card", card="6C", on="JH", place="2", taker="7C")
    assert (error.key, error.facts["taker"]) == ("rules.wrong_card", "7C")
    assert str(error) == "6C cannot go on JH (column 2): only 7C takes it"
    assert error.text("hu") == ("6C nem tehető erre: JH (a 2. oszlop); csak 7C fogadja")
    assert str(BoulangerError("error.at", where="x.txt", error=error.message)) == f"x.txt: {error}"


def test_an_error_survives_the_way_to_another_process() -> None:
    for error in (
        IllegalMoveError("rules.place_empty", place="b"),
        BoardError("position.num_columns", found=7),
        BoardError("reading.not_a_card", word="'1X'").at("columns[0][1]"),
    ):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), copy.key, copy.facts) == (type(error), error.key, error.facts)
        assert str(copy) == str(error)


def test_a_key_that_a_language_lacks_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = {key: text for key, text in catalogue("hr").items() if key != "cells"}
    monkeypatch.setattr(
        words, "_catalogue", lambda language: lacking if language == "hr" else catalogue(language)
    )
    assert count(2, "cells", "hr") == "2 cells"


def test_languages_come_from_the_locale() -> None:
    assert [language_of(name) for name in ("hr_HR.UTF-8", "he", "iw_IL", "C", "", None)] == [
        *("hr", "he", "he", "en", "en", "en")
    ]
    assert language_of_environment({"LANG": "fr_FR.UTF-8"}) == "fr"
    assert language_of_environment({"LC_ALL": "hu_HU", "LANG": "fr_FR.UTF-8"}) == "hu"
    assert language_of_environment({"LC_ALL": "", "LC_MESSAGES": "hr", "LANG": "fr"}) == "hr"
    assert language_of_environment({}) == "en"


def test_long_or_odd_texts_are_quoted_on_one_line() -> None:
    assert quoted("a\nb") == "'a\\nb'"
    assert quoted("x" * 61) == f"'{'x' * 60}'..."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_can_be_said(language: str) -> None:
    """Counted entries have the categories that the language needs, and every form exists."""
    english = catalogue("en")
    for key, entry in catalogue(language).items():
        if not isinstance(entry, str):
            # The rare ones may be left to "other" where they are said alike.
            needed = CATEGORIES[language] - {"many", "two"}
            assert needed <= set(entry) <= CATEGORIES[language] | {"count"}, key
        for text in texts(entry):
            for _, form in PLACEHOLDER.findall(text):
                known = form in ("", "card", "cards", *words._FORMS) or any(
                    other == form or other.startswith(f"{form}.")
                    for other in (*english, *catalogue(language))
                )
                assert known, f"{key}: there is no form {form!r}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_all_keys_with_the_same_facts(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert set(english) - set(other) == set()
    for key in english:
        assert placeholders(other[key]) == placeholders(english[key]), key


@pytest.mark.parametrize("path", READERS, ids=lambda path: path.stem)
def test_what_a_reader_refuses_or_notes_is_a_key_with_facts(path: Path) -> None:
    """No error and no note is a finished sentence: its first argument is a key, or a name for one.

    A name stands for a constant or a parameter that is a key; the other tests make sure of these.
    """
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", "")
        if not (name in ERROR_NAMES or name in OWN_ERRORS):
            continue
        given = node.args[0]
        is_finished = isinstance(given, ast.JoinedStr | ast.BinOp | ast.Call)
        if isinstance(given, ast.Constant):
            is_finished = str(given.value) not in catalogue("en")
        assert not is_finished, f"{path.name}:{node.lineno}: a key expected"


def test_each_key_in_the_sources_has_words_and_gets_its_facts() -> None:
    """What is raised or said by a literal key: the key exists, and the facts are those it takes."""
    english = catalogue("en")
    num_found = 0
    for where, key, facts in keys_in_sources():
        num_found += 1
        assert key in english, f"{where}: {key} has no words"
        if facts is not None:
            missing = placeholders(english[key]) - facts
            assert not missing, f"{where}: {key} lacks {sorted(missing)}"
    assert num_found > 30


def keys_in_sources() -> Iterator[tuple[str, str, set[str] | None]]:
    """Where, the key, and the names of the facts; None if they are not written out."""
    is_key = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)+").fullmatch
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if not (name.endswith("Error") or name in ("say", "_message", "message", "Note")):
                continue
            keys = [
                value.value
                for value in ast.walk(node.args[0])
                if isinstance(value, ast.Constant)
                and isinstance(value.value, str)
                and is_key(value.value)
            ]
            names: set[str] | None = {str(keyword.arg) for keyword in node.keywords}
            if name == "say":
                names = None
                if len(node.args) > 1 and isinstance(node.args[1], ast.Dict):
                    names = {getattr(fact, "value", None) for fact in node.args[1].keys}  # type: ignore[misc]
            if names is not None and "None" in names:  # **facts
                names = None
            for key in keys:
                yield f"{path.name}:{node.lineno}", key, names


@pytest.mark.parametrize("module", [words, errors])
def test_the_examples_in_the_docstrings_are_true(module: Any) -> None:
    assert doctest.testmod(module).failed == 0
