"""The search: verdicts and solutions for Baker's Game, and the `boulanger` command.

What programs ask for is here by name and loaded when first used, so that importing the package
costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from solver.advice.hints import check, hint, mark_actions
    from solver.advice.review import review
    from solver.optimal.shortest import find_shortest as shortest
    from solver.rating.rate import rate
    from solver.solution import solve
    from solver.verdict.decide import classify, classify_positions

__all__ = [
    "check",
    "classify",
    "classify_positions",
    "hint",
    "mark_actions",
    "rate",
    "review",
    "shortest",
    "solve",
]

_PLACES: Final = {
    "check": "solver.advice.hints:check",
    "classify": "solver.verdict.decide:classify",
    "classify_positions": "solver.verdict.decide:classify_positions",
    "hint": "solver.advice.hints:hint",
    "mark_actions": "solver.advice.hints:mark_actions",
    "rate": "solver.rating.rate:rate",
    "review": "solver.advice.review:review",
    "shortest": "solver.optimal.shortest:find_shortest",
    "solve": "solver.solution:solve",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _PLACES[name].partition(":")
    return getattr(import_module(module), attribute)
