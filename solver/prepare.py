"""`prepare`: everything compiled before the first question."""

from __future__ import annotations


def prepare(*, with_ratings: bool = True) -> None:
    """Compiles what the solver needs, once a machine, or loads it.

    Whoever wants answers in time calls this first: a search that finds its code not compiled
    compiles it, and that is outside `Limits`.

    Args:
        with_ratings: what `rate` needs, too; it takes about as long as all else.

    >>> prepare(with_ratings=False)
    """
    from boulanger.solver.optimal.shortest import prepare as prepare_shortest
    from boulanger.solver.verdict.classify import prepare as prepare_classify

    prepare_classify()
    prepare_shortest()
    if with_ratings:
        from boulanger.solver.rating.parts import prepare as prepare_ratings

        prepare_ratings()
