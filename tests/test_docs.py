"""The documentation is true where that can be run, and complete where that can be counted."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs").glob("*.md"))


def test_examples_of_the_python_page() -> None:
    results = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES], ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)\)", page.read_text("utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), target


def named_benchmarks() -> set[str]:
    """The commands `python -m benchmarks...` that texts, results and CI name."""
    texts = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("results/*.[jm]*")]
    texts += [ROOT / ".ci" / "run", ROOT / "solver" / "rating" / "data" / "model.json"]
    texts += [*ROOT.glob("benchmarks/**/*.py"), *ROOT.glob("solver/**/*.py")]
    found = (re.findall(r"-m (benchmarks(?:\.\w+)+)", text.read_text("utf-8")) for text in texts)
    return {name for names in found for name in names}


def test_each_benchmark_that_is_named_is_there() -> None:
    names = named_benchmarks()
    assert len(names) > 15
    for name in names:
        assert (ROOT / f"{name.replace('.', '/')}.py").exists(), name
