"""What is refused, as JSON: `{"error": {"key": ..., "facts": ..., "text": ...}}`."""

from __future__ import annotations

from typing import Any

from boulanger.engine.errors import BoulangerError
from boulanger.engine.words import ENGLISH, LANGUAGES


class RequestError(BoulangerError):
    """A request that does not say what it should."""


class BusyError(BoulangerError):
    """More is asked at once than this machine should take."""


class OwnerError(BoulangerError):
    """A guest asks for what only the owner may do."""


class Cancelled(Exception):
    """Nobody waits for this answer any more."""


def error_json(error: BoulangerError, language: str = ENGLISH) -> dict[str, Any]:
    """The error as every answer has it."""
    return {"error": {"key": error.key, "facts": dict(error.facts), "text": error.text(language)}}


def refusal(key: str, language: str = ENGLISH, /, **facts: Any) -> dict[str, Any]:
    """An error of the server itself, made of its parts."""
    return error_json(RequestError(key, **facts), language)


def language_of(accepted: str) -> str:
    """The language of sentences for a browser that accepts these, the first that there is."""
    for item in accepted.split(","):
        language = item.partition(";")[0].strip().lower().partition("-")[0]
        if language in LANGUAGES:
            return language
    return ENGLISH
