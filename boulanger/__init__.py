"""Baker's Game: exact verdicts, shortest solutions, hints, reviews, ratings and catalogues.

What programs ask for is here by name and loaded when first used, so that importing the package
costs nothing. `docs/python.md` is the guide; every name has an example in its own help.

>>> import boulanger
>>> position = boulanger.Position.from_ms(1)
>>> boulanger.solve(position).verdict.word
'winnable'
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from boulanger.engine.errors import BoulangerError
    from boulanger.engine.game import Game
    from boulanger.engine.position import Position
    from boulanger.solver.advice.hints import check, hint, mark_actions
    from boulanger.solver.advice.review import review
    from boulanger.solver.catalogue.api import classify_into
    from boulanger.solver.limits import Limits
    from boulanger.solver.optimal.shortest import find_shortest as shortest
    from boulanger.solver.optimal.solve import solve
    from boulanger.solver.prepare import prepare
    from boulanger.solver.rating.rate import rate
    from boulanger.solver.result import Measure, Verdict
    from boulanger.solver.verdict.classify import classify

# A checkout has links to its two folders here; an sdist has none, nor has a system without links.
_HERE: Final = os.path.dirname(__file__)
if not os.path.isdir(os.path.join(_HERE, "engine")):
    __path__.append(os.path.dirname(_HERE))

__all__ = [
    "BoulangerError",
    "Game",
    "Limits",
    "Measure",
    "Position",
    "Verdict",
    "check",
    "classify",
    "classify_into",
    "hint",
    "mark_actions",
    "prepare",
    "rate",
    "review",
    "shortest",
    "solve",
]

_PLACES: Final = {
    "BoulangerError": "boulanger.engine.errors:BoulangerError",
    "Game": "boulanger.engine.game:Game",
    "Limits": "boulanger.solver.limits:Limits",
    "Measure": "boulanger.solver.result:Measure",
    "Position": "boulanger.engine.position:Position",
    "Verdict": "boulanger.solver.result:Verdict",
    "check": "boulanger.solver.advice.hints:check",
    "classify": "boulanger.solver.verdict.classify:classify",
    "classify_into": "boulanger.solver.catalogue.api:classify_into",
    "hint": "boulanger.solver.advice.hints:hint",
    "mark_actions": "boulanger.solver.advice.hints:mark_actions",
    "prepare": "boulanger.solver.prepare:prepare",
    "rate": "boulanger.solver.rating.rate:rate",
    "review": "boulanger.solver.advice.review:review",
    "shortest": "boulanger.solver.optimal.shortest:find_shortest",
    "solve": "boulanger.solver.optimal.solve:solve",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("boulanger")
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _PLACES[name].partition(":")
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    """What completion and `help` list: the public names, before they are loaded."""
    return sorted([*__all__, "__doc__", "__file__", "__name__", "__path__", "__version__"])
