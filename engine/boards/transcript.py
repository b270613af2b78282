"""A solver's whole output as a board: its first state.

    -=-=-=-=-=-=-=-=-=-=-=-
    Foundations: H-0 C-0 D-0 S-0
    Freecells:
    : 4C 2C 9C 8C QS 4S 2H
    ...
    ====================
    Move a card from stack 3 to the foundations

What speaks for it: Freecell Solver's rulers, or lines that begin with `Move`.
"""

from __future__ import annotations

import re
from typing import Final

from boulanger.engine.boards.decoding import lines_of
from boulanger.engine.errors import BoardError

_RULER: Final = re.compile(r"\s*(?:(?:-=){4,}-?|={10,})\s*")
_MOVE: Final = re.compile(r"\s*move\b.*(?:\bstack\b|\bfreecell\b|:\s*\w\w)", re.IGNORECASE)
_STATE: Final = re.compile(r"\s*foundations?\s*:", re.IGNORECASE)
_VERDICT: Final = re.compile(
    r"\s*(?:this game is|total number of states|this scan|i could not solve|iterations)",
    re.IGNORECASE,
)


def is_transcript(text: str) -> bool:
    """Whether this is the output of a solver."""
    lines = lines_of(text)
    return any(_MOVE.match(line) for line in lines) or (
        any(_RULER.fullmatch(line) for line in lines[:3])
        and any(_STATE.match(line) or _VERDICT.match(line) for line in lines)
    )


def first_state(text: str) -> tuple[str, int]:
    """The text of the first state, with blank lines before it, and how many states there are.

    Raises:
        BoardError: if there are moves only.
    """
    lines = lines_of(text)
    starts = [i for i, line in enumerate(lines) if _STATE.match(line)]
    if not starts:
        raise BoardError("reading.moves_only")
    start = starts[0]
    end = start
    while end < len(lines) and not _RULER.fullmatch(lines[end]) and not _MOVE.match(lines[end]):
        end += 1
    state = lines[start:end]
    while state and not state[-1].strip():
        state.pop()
    # Blank lines keep the numbers of lines in errors; `#` says that they are no empty columns.
    return "\n".join(["#"] * start + state), len(starts)
