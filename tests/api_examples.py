"""The examples in `docs/api.md`: made by asking, and made again by this, run as a program.

python -m tests.api_examples
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boulanger.engine.errors import BoulangerError
from boulanger.solver.answers.play import json_text, with_words
from boulanger.solver.web.errors import error_json
from boulanger.solver.web.handlers import QUESTIONS
from boulanger.solver.web.lanes import Job
from boulanger.solver.web.questions import Shared
from boulanger.solver.web.warm import Warmth

PAGE = Path(__file__).parents[1] / "docs" / "api.md"

_EXAMPLE = re.compile(
    r"```json\nPOST /api/(?P<name>\w+)\n(?P<body>.*?)\n```\n\n```json\n(?P<answer>.*?)\n```\n",
    re.DOTALL,
)
_MORE = "..."
_SHOWN = 2


def examples() -> Iterator[tuple[str, Any, Any]]:
    """The name of each question on the page, what it says, and the answer that the page has."""
    for found in _EXAMPLE.finditer(PAGE.read_text("utf-8")):
        yield found["name"], json.loads(found["body"]), json.loads(found["answer"])


def ask(name: str, body: Any) -> Any:
    """The answer as it is today."""
    question = QUESTIONS[name]
    try:
        return with_words(question.answer(Shared(), question.read(body), Job()))
    except BoulangerError as error:
        return error_json(error)


def shortened(value: Any, key: str = "") -> Any:
    """An answer with most of its long lists left out."""
    if isinstance(value, dict):
        return {name: shortened(item, name) for name, item in value.items()}
    if key == "html":
        return f"{value[:15]}{_MORE}"
    if not isinstance(value, list) or key in ("columns", "cells"):
        return value
    has_parts = any(isinstance(item, dict | list) for item in value)
    shown = _SHOWN if has_parts else 4
    if len(value) <= (_SHOWN + 1 if has_parts else 12):
        return [shortened(item) for item in value]
    return [*(shortened(item) for item in value[:shown]), _MORE]


def shape(value: Any) -> Any:
    """The keys of an answer, and of the first item of its lists."""
    if isinstance(value, dict):
        return {name: shape(item) for name, item in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value else None


def main() -> None:
    """Makes all answers on the page anew."""
    Warmth().run()

    def renewed(found: re.Match[str]) -> str:
        answer = json_text(shortened(ask(found["name"], json.loads(found["body"]))))
        return (
            f"```json\nPOST /api/{found['name']}\n{found['body']}\n```\n\n```json\n{answer}\n```\n"
        )

    PAGE.write_text(_EXAMPLE.sub(renewed, PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
