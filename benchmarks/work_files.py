"""Files in which long commands keep what is done, line by line, so that they go on from there."""

from __future__ import annotations

from pathlib import Path


def whole_lines(path: Path) -> list[str]:
    """The whole lines of such a file; a last one that was cut off is taken away from it.

    What is then added begins a line of its own. Without a file there are none.
    """
    if not path.exists():
        return []
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, "utf-8")
    return whole.splitlines()
