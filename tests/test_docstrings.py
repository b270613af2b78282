"""The drawn boards in docstrings say what the functions say."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from boulanger.engine.packed import layout, state
from boulanger.solver import spaces
from boulanger.solver.optimal import digs
from boulanger.solver.verdict import classes, lattice

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("module", (layout, state, spaces, lattice, classes, digs))
def test_examples_in_docstrings(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted >= 2
    assert results.failed == 0
