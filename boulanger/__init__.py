"""Baker's Game: exact verdicts, shortest solutions, hints, reviews, ratings and catalogues.

What programs ask for is here by name and loaded when first used, so that importing the package
costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from boulanger.solver.advice.hints import check, hint, mark_actions
    from boulanger.solver.advice.review import review
    from boulanger.solver.catalogue.api import classify_into
    from boulanger.solver.line.solve import solve
    from boulanger.solver.optimal.shortest import find_shortest as shortest
    from boulanger.solver.rating.rate import rate
    from boulanger.solver.verdict.classify import classify, classify_positions

__all__ = [
    "check",
    "classify",
    "classify_into",
    "classify_positions",
    "hint",
    "mark_actions",
    "rate",
    "review",
    "shortest",
    "solve",
]

_PLACES: Final = {
    "check": "boulanger.solver.advice.hints:check",
    "classify": "boulanger.solver.verdict.classify:classify",
    "classify_into": "boulanger.solver.catalogue.api:classify_into",
    "classify_positions": "boulanger.solver.verdict.classify:classify_positions",
    "hint": "boulanger.solver.advice.hints:hint",
    "mark_actions": "boulanger.solver.advice.hints:mark_actions",
    "rate": "boulanger.solver.rating.rate:rate",
    "review": "boulanger.solver.advice.review:review",
    "shortest": "boulanger.solver.optimal.shortest:find_shortest",
    "solve": "boulanger.solver.line.solve:solve",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _PLACES[name].partition(":")
    return getattr(import_module(module), attribute)
