"""`prepare`: everything compiled before the first question."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final


def _prepare_verdicts() -> None:
    from boulanger.solver.verdict.classify import prepare as prepare_classify

    prepare_classify()


def _prepare_solutions() -> None:
    from boulanger.solver.optimal.shortest import prepare as prepare_shortest

    prepare_shortest()


def _prepare_ratings() -> None:
    from boulanger.solver.rating.parts import prepare as prepare_parts

    prepare_parts()


STAGES: Final = MappingProxyType[str, Callable[[], None]](
    {"verdicts": _prepare_verdicts, "solutions": _prepare_solutions, "ratings": _prepare_ratings}
)
"""What is compiled, in the order in which a user first needs it."""

# For each stage with those before it: how many kernels Numba compiles, and about how many seconds
# that takes on one quiet core (CPU time, measured with Numba 0.68). A count that is out of date
# only makes the progress that is shown end early or late.
NUM_KERNELS: Final = MappingProxyType({"verdicts": 79, "solutions": 130, "ratings": 150})
SECONDS: Final = MappingProxyType({"verdicts": 13, "solutions": 22, "ratings": 35})


def prepare(*, with_ratings: bool = True) -> None:
    """Compiles what the solver needs, once a machine, or loads it.

    Whoever wants answers in time calls this first: a search that finds its code not compiled
    compiles it, and that is outside `Limits`.

    Args:
        with_ratings: what `rate` needs, too; it takes about as long as all else.

    >>> prepare(with_ratings=False)
    """
    for name, prepare_stage in STAGES.items():
        if with_ratings or name != "ratings":
            prepare_stage()
