"""What is refused, as JSON: `{"error": {"key": ..., "facts": ..., "text": ...}}`."""

from __future__ import annotations

from typing import Any

from boulanger.engine.errors import BoulangerError


class RequestError(BoulangerError):
    """A request that does not say what it should."""


class BusyError(BoulangerError):
    """More is asked at once than this machine should take."""


class Cancelled(Exception):
    """Nobody waits for this answer any more."""


def error_json(error: BoulangerError, language: str = "en") -> dict[str, Any]:
    """The error as every answer has it."""
    key = getattr(error, "key", None) or "error"
    facts = getattr(error, "facts", None) or {}
    return refusal(key, dict(facts), str(error))


def refusal(key: str, facts: dict[str, Any], text: str) -> dict[str, Any]:
    """An error made of its parts."""
    return {"error": {"key": key, "facts": facts, "text": text}}
