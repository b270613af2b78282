"""What the project says when it is given something it cannot use.

Every error is a key and facts; its sentence is made from them in any language (`engine.words`). It
quotes the offending text and says what would be right. All are `ValueError`s, so a caller who does
not care which one it was can catch that. A limit reached is a result, not an error.

>>> error = IllegalMoveError("rules.place_empty", place="b")
>>> str(error), error.text("fr")
('cell b is empty', 'la cellule b est vide')
"""

from __future__ import annotations

import re
from typing import Any, Final, Self

from boulanger.engine.words import ENGLISH, Facts, say

_KEY: Final = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)+")


class BoulangerError(ValueError):
    """Anything wrong with what the caller gave.

    Attributes:
        key: of the sentence in `engine.words`; "text" if it was given as a finished sentence.
        facts: plain JSON values for its placeholders.
    """

    def __init__(self, key: str, /, **facts: Any) -> None:
        if not _KEY.fullmatch(key):
            key, facts = "text", {"text": key}
        super().__init__(key, facts)
        self.key = key
        self.facts: Facts = facts

    @property
    def message(self) -> dict[str, Any]:
        """The key and the facts, as a fact of another message or of JSON."""
        return {"key": self.key, "facts": dict(self.facts)}

    def at(self, where: Any) -> Self:
        """The same error with its place before it: a text, or a message (`engine.words`)."""
        return type(self)("error.at", where=where, error=self.message)

    def text(self, language: str = ENGLISH) -> str:
        """The sentence in a language."""
        return say(self.key, self.facts, language)

    def __str__(self) -> str:
        return self.text()

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors come from other processes, too."""
        return _remake, (type(self), self.key, dict(self.facts))


class CardError(BoulangerError):
    """A text that is not a card."""


class CodeError(BoulangerError):
    """A text that is not a game code, or a number that no code can hold."""


class DealError(BoulangerError):
    """A deal number outside a dealer's range, or an unknown dealer."""


class BoardError(BoulangerError):
    """A board that cannot be read, or that is not a legal position."""


class NotationError(BoulangerError):
    """A text that is not a move in the notation."""


class IllegalMoveError(BoulangerError):
    """A move that the rules do not allow on this board."""


class LimitsError(BoulangerError):
    """A limit that makes no sense, such as a negative number of nodes."""


class ArgumentError(BoulangerError, TypeError):
    """A value of the wrong type given to a function."""


class CatalogueError(BoulangerError):
    """Deals or a folder that a catalogue cannot be made from."""


def _remake(kind: type[BoulangerError], key: str, facts: dict[str, Any]) -> BoulangerError:
    if key == "text":
        return kind(facts["text"])
    return kind(key, **facts)
