"""The questions and who answers them; the HTTP API and `boulanger engine` share these.

Every answer is a plain dict, with the keys that the command's `--json` has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from boulanger.solver.web import catalogue_answers, game_answers, search_answers
from boulanger.solver.web.questions import Question
from boulanger.solver.web.requests import GAME_KEYS, LIMIT_KEYS

_COMMON: Final = (*GAME_KEYS, *LIMIT_KEYS)

QUESTIONS: Final[Mapping[str, Question]] = {
    question.name: question
    for question in (
        Question(
            "deal",
            game_answers.deal,
            GAME_KEYS,
            None,
            "A board to play on, or a new deal.",
        ),
        Question(
            "play",
            game_answers.play,
            (*GAME_KEYS, "move", "tap", "double_tap", "undo"),
            None,
            "The board after the moves, and after one more gesture.",
        ),
        Question("check", game_answers.check, _COMMON, "check", "Can the game still be won?"),
        Question(
            "marks",
            game_answers.marks,
            (*_COMMON, "distance", "measure"),
            "check",
            "For every legal action whether it keeps the win.",
            lambda values: bool(values.get("distance")),
        ),
        Question(
            "hint",
            game_answers.hint,
            (*_COMMON, "count", "measure", "all"),
            "hint",
            "What to play next; in a lost game, where it was lost.",
            lambda values: bool(values.get("all")),
        ),
        Question(
            "solve",
            game_answers.solve,
            (*_COMMON, "shortest"),
            "hint",
            "Whether the board can be won, and how.",
            lambda values: "shortest" in values,
        ),
        Question(
            "review",
            game_answers.review,
            (*_COMMON, "measure"),
            "hint",
            "What became of the game with each of its moves.",
            lambda values: True,
        ),
        Question(
            "rate",
            game_answers.rate,
            (*GAME_KEYS, "seed"),
            "rate",
            "How hard the board is, and why.",
            lambda values: True,
        ),
        Question(
            "export",
            game_answers.export,
            (*_COMMON, "language", "reviewed", "rated"),
            "hint",
            "One HTML file with the game and its review, or with the board and its solution.",
            lambda values: True,
        ),
        Question(
            "find",
            search_answers.find,
            ("cells", "dealer", "where", "difficulty", "count", "seed", "client", "max_seconds"),
            "check",
            "Deals of a kind, drawn at random; winnable ones unless told otherwise.",
            lambda values: True,
        ),
        Question(
            "identify",
            search_answers.identify,
            ("pairs", "save", "pick", "use", "client"),
            None,
            "The rule by which the app deals, from codes and their boards.",
            lambda values: True,
        ),
        Question(
            "catalogue",
            catalogue_answers.catalogue,
            (
                "catalogue",
                "summary",
                "where",
                "sort",
                "cells",
                "dealer",
                "count",
                "after",
                "client",
                "max_seconds",
            ),
            None,
            "Which catalogues there are; the counts of one; or some of its deals.",
            lambda values: bool(values.get("summary")) or "sort" in values,
        ),
    )
}
