"""What is refused, as JSON: `{"error": {"key": ..., "facts": ..., "text": ...}}`."""

from __future__ import annotations

from typing import Any

from boulanger.engine.errors import BoulangerError


class RequestError(BoulangerError):
    """A request that does not say what it should."""


class BusyError(BoulangerError):
    """More is asked at once than this machine should take."""


class OwnerError(BoulangerError):
    """A guest asks for what the owner alone may do."""


class Cancelled(Exception):
    """Nobody waits for this answer any more."""


def error_json(error: BoulangerError, language: str = "en") -> dict[str, Any]:
    """The error as every answer has it."""
    return {"error": {"key": error.key, "facts": dict(error.facts), "text": error.text(language)}}


def refusal(key: str, **facts: Any) -> dict[str, Any]:
    """An error of the server itself, made of its parts."""
    return error_json(RequestError(key, **facts))
