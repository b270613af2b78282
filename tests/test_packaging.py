"""What is installed is what is in the checkout."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {
        "boulanger." + path.parent.relative_to(ROOT).as_posix().replace("/", ".")
        for room in ("engine", "solver")
        for path in (ROOT / room).rglob("*.py")
    }
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == folders | {"boulanger"}


def test_every_file_that_is_no_module_is_package_data() -> None:
    data = PROJECT["tool"]["setuptools"]["package-data"]
    packed = {
        path.relative_to(ROOT).as_posix()
        for package, patterns in data.items()
        for pattern in patterns
        for path in (ROOT / package.removeprefix("boulanger").strip(".").replace(".", "/")).glob(
            pattern
        )
        if package != "boulanger"
    }
    there = {
        path.relative_to(ROOT).as_posix()
        for room in ("engine", "solver")
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
    }
    for_developers = {"solver/web/tsconfig.json", "solver/web/types.d.ts"}
    assert there - for_developers <= packed


def test_the_version_stands_in_one_place() -> None:
    version = PROJECT["project"]["version"]
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_workflow_names_what_is_supported() -> None:
    """Every Python of the classifiers on each of three systems, what is shipped, and the pages."""
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    prefix = "Programming Language :: Python :: 3."
    minors = [c.removeprefix(prefix) for c in PROJECT["project"]["classifiers"] if prefix in c]
    listed = ", ".join(f'"3.{minor}"' for minor in minors)
    assert f"python: [{listed}]" in workflow
    assert "os: [ubuntu-latest, macos-latest, windows-latest]" in workflow
    for command in ("bash .ci/run", "bash .ci/wheel", "mkdocs build --strict"):
        assert f"- run: {command}\n" in workflow.replace("sudo ", "")
