"""What else the reader should know, on standard error and in the language of the command."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from boulanger.solver.cli.arguments import voice
from boulanger.solver.cli.terminal import complain

if TYPE_CHECKING:
    from boulanger.engine.notes import Note
    from boulanger.solver.deals.source import DealSource


def remark_notes(source: DealSource) -> None:
    """How the deal was read, for answers that say themselves who dealt it."""
    remark_all(source.notes)


def remark_origin(source: DealSource) -> None:
    """How the deal was read and who dealt it, for answers that do not show the board."""
    remark_all(source.all_notes)


def remark_all(notes: Iterable[Note]) -> None:
    """A line for each note."""
    for note in notes:
        complain(voice().say("answer.note", note=note.message))
