"""The words of the page, and its sources: no browser is needed."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from boulanger.engine.position import Position
from boulanger.solver.answers.one_file import one_file
from tests.page.browser import ROOT, STATIC, node_module
from tests.plurals import CATEGORIES

LANGUAGES = ("en", "fr", "hr", "hu", "he")
WORDS = {
    name: json.loads((STATIC / "words" / f"{name}.json").read_text("utf-8")) for name in LANGUAGES
}
SOURCES = {path.name: path.read_text("utf-8") for path in sorted(STATIC.glob("*.js"))}


def texts(word: str | dict[str, str]) -> list[str]:
    return [word] if isinstance(word, str) else [word[c] for c in word if c != "count"]


def placeholders(word: str | dict[str, str]) -> set[str]:
    return {name for text in texts(word) for name in re.findall(r"\{(\w+)\}", text)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_say_the_same(language: str) -> None:
    words = WORDS[language]
    assert list(words) == list(WORDS["en"])
    for key, word in words.items():
        assert isinstance(word, str) == isinstance(WORDS["en"][key], str), key
        assert placeholders(word) == placeholders(WORDS["en"][key]), key
        if isinstance(word, dict):
            assert set(word) == CATEGORIES[language] | {"count"}, key
        for text in texts(word):
            assert text.strip() == text and text and "<" not in text and "&" not in text, key


def test_every_key_is_used_and_every_used_key_is_there() -> None:
    code = "\n".join([*SOURCES.values(), (STATIC / "index.html").read_text("utf-8")])
    code += (ROOT / "solver" / "answers" / "one_file.py").read_text("utf-8")
    used = set(re.findall(r'say\(\s*"([\w.]+)"', code))
    used |= set(re.findall(r'data-say(?:-label)?="([\w.]+)"', code))
    assert used <= set(WORDS["en"])
    made = tuple(re.findall(r"`([\w.]+)\$\{", code))  # such as `card.${card}`
    for key in WORDS["en"]:
        assert f'"{key}"' in code or key.startswith((*made, "key.", "help.rules")), key


def test_no_markup_is_made_from_text() -> None:
    for name, source in SOURCES.items():
        for danger in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert danger not in source, name
    page = (STATIC / "index.html").read_text("utf-8")
    assert "style=" not in page and "<style" not in page
    assert re.findall(r"<script(?! type=\"module\" src=)", page) == []


def test_the_page_knows_no_rule() -> None:
    """Ranks are never compared, added or subtracted, and suits never compared for equality."""
    for name, source in SOURCES.items():
        for rule in (r"RANKS\.indexOf", r"rank\w*\s*[-+<>]=?\s*\d", r"can_?[sS]tack", r"supermove"):
            assert re.search(rule, source) is None, (name, rule)


def test_directions_are_logical() -> None:
    style = (STATIC / "page.css").read_text("utf-8")
    for line in style.splitlines():
        if re.search(
            r"(?<![-\w])(left|right|margin-left|margin-right|padding-left|text-align: left)\s*:",
            line,
        ):
            assert re.match(r"\.(pile|slot|face|badge|mini|large \.still)|\[data-big\]", line), line


def test_types_hold() -> None:
    """`tsc --checkJs --strict`."""
    compiler = node_module("typescript/bin/tsc")
    run = subprocess.run(
        ["node", compiler, "-p", ROOT / "solver" / "web"], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_file_is_small_and_needs_nothing(language: str) -> None:
    start = Position.from_text(
        "\n".join([": KS QS", ": JS TS", *[":"] * 6]) + "\n"
        "Foundations: S-9 H-K D-K C-K\nFreecells: - - - -\n"
    )
    text = one_file(
        "</script><b>", start, ["2h", "2h", "1h", "1h"], {"verdict": "winnable"}, language
    )
    assert len(text.encode()) < 150_000
    assert "</script><b>" not in text
    assert re.findall(r"(?:src|href)=\"(?!#)", text) == []
    assert "http" not in text.replace("http://www.w3.org", "").replace("http-equiv", "")
