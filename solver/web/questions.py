"""What questions are made of, and what they share; the questions are in `solver.web.handlers`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from boulanger.solver.deals.source import DealSource
from boulanger.solver.web.catalogue_answers import OpenCatalogues
from boulanger.solver.web.games import Games, PlayedGame, read_moves_text
from boulanger.solver.web.lanes import QUICK, SLOW, Job
from boulanger.solver.web.lines import Lines
from boulanger.solver.web.requests import read_request, read_start

Values = Mapping[str, Any]
Answer = dict[str, Any]


@dataclass
class Shared:
    """What the questions share: games that were asked about before, ways to win that were shown,
    and catalogues."""

    games: Games = field(default_factory=Games)
    lines: Lines = field(default_factory=Lines)
    catalogues: OpenCatalogues = field(default_factory=OpenCatalogues)

    def read_game(self, values: Values) -> tuple[DealSource, PlayedGame]:
        """The deal of a question, and the game that is played on it."""
        source = read_start(values)
        moves = values.get("moves", ())
        if isinstance(moves, str):
            moves, notes = read_moves_text(source.position, moves)
            source = replace(source, notes=(*source.notes, *notes))
        return source, self.games.play(source.position, moves, values.get("undoable"))


@dataclass(frozen=True)
class Question:
    """One kind of question.

    Attributes:
        name: the last part of its address.
        answer: makes the answer.
        keys: what it may say.
        needs: what must be compiled before: "check", "hint", "rate", or None for nothing.
        lane: a function of the values, since some keys make it long.
        summary: what it is good for, in a sentence.
    """

    name: str
    answer: Callable[[Shared, Values, Job], Answer]
    keys: tuple[str, ...]
    needs: str | None
    summary: str
    is_slow: Callable[[Values], bool] = lambda values: False

    def read(self, body: Any) -> Values:
        """The values of a question; raises RequestError if they will not do."""
        return read_request(body, self.keys)

    def step(self, values: Values) -> str | None:
        """What must be ready before it can be answered."""
        return "rate" if "difficulty" in values else self.needs

    def lane(self, values: Values) -> str:
        """Where it is worked on."""
        return SLOW if self.is_slow(values) else QUICK
