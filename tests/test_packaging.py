"""What is installed is what is in the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
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


def test_a_checkout_without_links_is_whole(tmp_path: Path) -> None:
    """As an sdist is unpacked, and as systems without links show a checkout."""
    (tmp_path / "boulanger").mkdir()
    for module in (ROOT / "boulanger").glob("*.py"):
        shutil.copy(module, tmp_path / "boulanger")
    for room in ("engine", "solver"):
        (tmp_path / room).symlink_to(ROOT / room)
    code = (
        "import boulanger.engine as engine, boulanger.solver as solver\n"
        "print(*engine.__path__, *solver.__path__)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.split() == [str(tmp_path / "engine"), str(tmp_path / "solver")]
