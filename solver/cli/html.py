"""One HTML file of an answer, for those who have no Boulanger: `solve --html`, `review --html`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boulanger.solver.deals.source import DealSource
    from boulanger.solver.result import Verdict


def write_html(
    path: str,
    source: DealSource,
    moves: Sequence[str],
    verdict: Verdict,
    review: dict[str, Any] | None = None,
) -> None:
    """Writes the file: moves that win, or a game with its review; and the rating of the deal."""
    from boulanger.solver.answers.one_file import one_file
    from boulanger.solver.answers.play import with_words
    from boulanger.solver.answers.rating import rating_json
    from boulanger.solver.cli.arguments import voice
    from boulanger.solver.cli.terminal import compile_first
    from boulanger.solver.files import write_whole
    from boulanger.solver.rating.parts import is_ready, prepare
    from boulanger.solver.rating.rate import rate

    spoken = voice()
    compile_first(is_ready, "ratings")
    prepare()
    parts = {
        "verdict": verdict.word,
        "review": with_words(review, spoken),
        "rating": rating_json(source, rate(source.position)),
    }
    text = one_file(source.name, source.position, moves, parts, spoken.language)
    write_whole(path, text.encode())
