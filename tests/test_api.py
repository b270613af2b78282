"""`import boulanger`: what it offers, that the examples are true, and that wrong types are told."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pydoc
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boulanger
from boulanger import BoulangerError, Game, Limits, Measure, Position, Verdict
from boulanger.engine.deals.dealers import MS
from boulanger.solver.advice.hints import check, hint
from tests import oracle
from tests.bridge import to_board

ROOT = Path(__file__).resolve().parent.parent
NAMES = {
    *("BoulangerError", "Game", "Limits", "Measure", "Position", "Verdict"),
    *(
        "check",
        "classify",
        "classify_into",
        "hint",
        "mark_actions",
        "prepare",
        "rate",
        "review",
        "shortest",
    ),
    "solve",
}
DOCTESTED = [
    "boulanger",
    "boulanger.engine.descriptions",
    "boulanger.engine.game",
    "boulanger.engine.position",
    "boulanger.solver.advice.hints",
    "boulanger.solver.advice.review",
    "boulanger.solver.catalogue.api",
    "boulanger.solver.limits",
    "boulanger.solver.optimal.solve",
    "boulanger.solver.optimal.shortest",
    "boulanger.solver.prepare",
    "boulanger.solver.rating.model",
    "boulanger.solver.rating.rate",
    "boulanger.solver.result",
    "boulanger.solver.verdict.classify",
]


def test_dir_and_help_list_every_name() -> None:
    assert set(boulanger.__all__) == NAMES
    assert set(dir(boulanger)) >= NAMES
    text = pydoc.plain(pydoc.render_doc(boulanger))
    for name in NAMES:
        assert re.search(rf"\b{name}\b", text), name


def test_importing_loads_nothing_that_takes_time() -> None:
    code = (
        "import sys, boulanger; dir(boulanger); "
        "sys.exit(any(name in sys.modules for name in ('numba', 'numpy', 'pyarrow', 'click')))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'solv'"):
        boulanger.solv  # noqa: B018


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_public_name_has_an_example(name: str) -> None:
    value = getattr(boulanger, name)
    if name == "BoulangerError":
        value = importlib.import_module("boulanger.engine.errors")
    assert ">>> " in (inspect.getdoc(value) or ""), name


@pytest.mark.parametrize("name", DOCTESTED)
def test_the_examples_are_true(name: str) -> None:
    module = importlib.import_module(name)
    names = {"Position": Position, "Game": Game, "Limits": Limits}
    result = doctest.testmod(module, extraglobs=names)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: boulanger.solve("BK1-C4-AAAAA24"), "a Position or a Game expected, not 'BK1-C4-A"),
        (lambda: boulanger.shortest(17), "a Position or a Game expected, not 'int'"),
        (lambda: boulanger.rate(None), "a Position or a Game expected, not 'NoneType'"),
        (lambda: boulanger.check([]), "a Position or a Game expected, not 'list'"),
        (lambda: boulanger.hint({}), "a Position or a Game expected, not 'dict'"),
        (lambda: boulanger.mark_actions(1.5), "a Position or a Game expected, not 'float'"),
        (lambda: boulanger.review(Position.from_ms(1)), "a Game expected, not 'Position'"),
        (
            lambda: boulanger.shortest(Position.from_ms(1), measure="moves"),
            "plies or actions expected, not 'moves'",
        ),
        (lambda: boulanger.hint(Position.from_ms(1), 0), "num_actions 0: must be at least 1"),
        (lambda: Position.from_code(17), "a text expected, not int"),
        (lambda: Position.from_ms("17"), "a whole number expected, not str"),
        (lambda: boulanger.classify(np.zeros((1, 52)) + 0.5, 4), "deals of type float64: whole"),
        (
            lambda: boulanger.classify([MS.deal(1)], 4, max_nodes=0),
            "max_nodes 0: must be at least 1",
        ),
    ],
)
def test_a_wrong_type_is_told_in_one_sentence(call: Any, sentence: str) -> None:
    with pytest.raises(BoulangerError) as caught:
        call()
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_functions_count_actions_unless_told() -> None:
    for function in (boulanger.shortest, boulanger.hint, boulanger.review, boulanger.mark_actions):
        default = inspect.signature(function).parameters["measure"].default
        assert default == Measure.ACTIONS, function


def test_positions_come_from_names_and_texts() -> None:
    assert to_board(Position.from_ms(617)) == oracle.ms_deal(617)
    code = Position.from_code("BK1-C2-AAAAA24")
    assert (code.num_cells, Position.from_code("BK1-C2-AAAAA24", 4).num_cells) == (2, 4)
    assert Position.from_code("BK1-C2-AAAAA24", dealer=MS) == Position.from_ms(26 * 32 + 28, 2)
    assert Position.from_text(Position.from_ms(5).to_text()) == Position.from_ms(5)
    assert Position.from_json(Position.from_ms(5, 2).to_json()) == Position.from_ms(5, 2)


def test_a_repr_shows_the_board_or_the_answer() -> None:
    position = Position.from_ms(1, 2)
    assert repr(position).splitlines()[:3] == [
        "<Position, 2 cells>", "Foundations: H-0 C-0 D-0 S-0", "Freecells: - -",
    ]  # fmt: skip
    game = Game(Position.from_ms(1))
    game.apply("72")
    assert repr(game).startswith("<Game, 1 action, score 0>\n<Position, 4 cells>\n")
    result = boulanger.solve(Position.from_ms(1))
    assert repr(result).startswith("<winnable with 4 cells, ")
    assert repr(result.solution).startswith("<Solution, ")
    assert repr(boulanger.shortest(Position.from_ms(1))).startswith("<shortest: 83 actions, proven")
    assert repr(boulanger.rate(Position.from_ms(10))) == "<Rating with 4 cells: unwinnable>"


def test_notebooks_show_pictures() -> None:
    import xml.etree.ElementTree as ElementTree

    position = Position.from_ms(1)
    root = ElementTree.fromstring(position._repr_svg_())
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert texts.count("10♣") == 1
    assert sum(text is not None and text[-1] in "♠♥♦♣" and len(text) > 1 for text in texts) == 52
    result = boulanger.solve(position)
    assert result.solution is not None
    assert result.solution._repr_html_().count("<li>") == len(result.solution.steps)
    assert "<td>plies</td>" in boulanger.rate(position)._repr_html_()


def test_a_game_may_be_given_for_a_position() -> None:
    game = Game(Position.from_ms(1))
    assert boulanger.solve(game).verdict == Verdict.WINNABLE
    assert check(game).position == hint(game).position == game.position
