"""Which room may import which: no circles, no import upwards."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# From the ground up. A room imports from its own and from lower lines; rooms on one line stand
# side by side and know nothing of one another. Paths are modules or folders of the checkout.
FLOORS = (
    ("engine/words",),
    ("engine/errors",),
    ("engine/cards",),
    ("engine/position",),
    ("engine/notes",),
    ("engine/moves",),
    ("engine/rules",),
    ("engine/descriptions",),
    ("engine/supermoves",),
    ("engine/notation",),
    ("engine/packed",),
    ("engine/deals",),
    ("engine/boards",),
    ("engine/movelists",),
    ("engine/game",),
    ("solver/commit", "solver/files", "solver/limits"),
    ("solver/result",),
    ("solver/spaces",),
    ("solver/verdict",),
    ("solver/line",),
    ("solver/optimal",),
    ("solver/proof", "solver/rating", "solver/advice"),
    ("solver/prepare",),
    ("solver/ship",),
    ("solver/identify",),
    ("solver/deals",),
    ("solver/catalogue",),
    ("solver/find",),
    ("solver/answers",),
    ("solver/web",),
    ("solver/cli",),  # `serve` and `engine` start what is in web
)


# `Position.from_text` and its like are doors for programs: they load what they need when they are
# called, and nothing of it is needed to make or to use a position.
DOORS = ("engine/position",)


def floor_of(path: str) -> int:
    """The floor of a module, by the longest path that holds it."""
    found = [
        (len(room), floor)
        for floor, rooms in enumerate(FLOORS)
        for room in rooms
        if path == room or path.startswith(room + "/")
    ]
    assert found, f"{path} stands on no floor: add it to FLOORS"
    return max(found)[1]


def room_of(path: str) -> str:
    return max((r for rooms in FLOORS for r in rooms if (path + "/").startswith(r + "/")), key=len)


def imports_of(source: Path) -> Iterator[str]:
    """The modules of this project that a file imports anywhere in it; of doors, when loaded."""
    tree = ast.parse(source.read_text())
    is_door = source.relative_to(ROOT).with_suffix("").as_posix() in DOORS
    # What only annotations need is not imported.
    tree.body = [node for node in tree.body if not _is_for_type_checkers(node)]
    for node in tree.body if is_door else ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("boulanger."):
            base = (node.module or "").removeprefix("boulanger.").replace(".", "/")
            for alias in node.names:
                inner = f"{base}/{alias.name}"
                is_module = (ROOT / f"{inner}.py").exists() or (ROOT / inner).is_dir()
                yield inner if is_module else base
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("boulanger."):
                    yield alias.name.removeprefix("boulanger.").replace(".", "/")


def _is_for_type_checkers(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


SOURCES = [
    path.relative_to(ROOT).with_suffix("").as_posix()
    for room in ("engine", "solver")
    for path in sorted((ROOT / room).rglob("*.py"))
    if path.name != "__init__.py"
]


@pytest.mark.parametrize("source", SOURCES)
def test_a_room_imports_only_from_below(source: str) -> None:
    floor, room = floor_of(source), room_of(source)
    for imported in imports_of(ROOT / f"{source}.py"):
        if room_of(imported) != room:
            assert floor_of(imported) < floor, f"{source} imports {imported}"


def test_no_two_modules_import_each_other() -> None:
    """No circle anywhere: modules can be put in an order in which each imports earlier ones."""
    left = {source: set(imports_of(ROOT / f"{source}.py")) & set(SOURCES) for source in SOURCES}
    while left:
        free = {source for source, needed in left.items() if not needed & left.keys()}
        assert free, f"a circle among {sorted(left)}"
        left = {source: needed for source, needed in left.items() if source not in free}
