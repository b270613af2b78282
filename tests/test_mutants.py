"""The list of mutants fits the sources, and the command tells caught from uncaught."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.mutants import Mutant, apply, read_mutants, try_mutant

ROOT = Path(__file__).resolve().parent.parent
MUTANTS = read_mutants()


def test_there_are_sixty() -> None:
    assert len(MUTANTS) >= 60


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_each_changes_one_place_and_names_tests_that_exist(mutant: Mutant) -> None:
    assert (ROOT / mutant.file).read_text("utf-8").count(mutant.old) == 1
    assert mutant.old != mutant.new
    assert mutant.tests
    for test in mutant.tests:
        assert (ROOT / test.partition("::")[0]).exists(), test


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "double.py").write_text("def double(x):\n    return 2 * x\n")
    (tmp_path / "tests" / "test_double.py").write_text(
        "from double import double\n\n\ndef test_double():\n    assert double(2) == 4\n"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("new", "is_caught"), [("3 * x", True), ("x * 2", False), ("x * x", False)]
)
def test_a_mutant_is_caught_or_survives(tiny: Path, new: str, is_caught: bool) -> None:
    before = (tiny / "double.py").read_text()
    mutant = Mutant("double-01", "double.py", "2 * x", new, ("tests/test_double.py",))
    outcome = try_mutant(mutant, tiny)
    assert outcome.is_caught == is_caught
    assert ("test_double" in outcome.first_failure) == is_caught
    assert (tiny / "double.py").read_text() == before


def test_text_that_is_not_there_is_refused(tiny: Path) -> None:
    with pytest.raises(ValueError, match="occurs 0 times"):
        apply(Mutant("double-01", "double.py", "4 * x", "x", ("tests",)), tiny)
