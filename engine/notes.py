"""`Note`: what the reader of an answer should be told, such as how a board was read."""

from __future__ import annotations

from typing import Any

from boulanger.engine.words import ENGLISH, Facts, say


class Note(str):
    """A sentence without a full stop, from a key and facts: a text in English, and in any language.

    >>> note = Note("note.moves_read_as", style="words")
    >>> note, note.text("fr")
    ('the moves read as moves in words', 'les coups sont lus comme des coups en toutes lettres')

    Attributes:
        key: of the sentence in `engine.words`.
        facts: plain JSON values for its placeholders.
    """

    __slots__ = ("facts", "key")
    key: str
    facts: Facts

    def __new__(cls, key: str, /, **facts: Any) -> Note:
        note = super().__new__(cls, say(key, facts))
        note.key = key
        note.facts = facts
        return note

    @property
    def message(self) -> dict[str, Any]:
        """The key and the facts, as a fact of another message."""
        return {"key": self.key, "facts": dict(self.facts)}

    def text(self, language: str = ENGLISH) -> str:
        """The sentence in a language."""
        return say(self.key, self.facts, language)

    def __reduce__(self) -> tuple[Any, ...]:
        """Notes come from other processes, too."""
        return _remake, (self.key, dict(self.facts))


def _remake(key: str, facts: dict[str, Any]) -> Note:
    return Note(key, **facts)
