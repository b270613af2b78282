"""One HTML file with a board, its solution or a game with its review, and the rating.

It opens anywhere, without a server: it holds the parts of the page that draw (`solver/web/static`),
the words of one language, and the facts as JSON. It knows no rule either: each step says which
cards go where.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from boulanger.engine.boards.writing import position_to_json
from boulanger.engine.cards import card_text
from boulanger.engine.notation import format_action, parse_action
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action, moving_cards
from boulanger.engine.words import ENGLISH

STATIC: Final = Path(__file__).resolve().parent.parent / "web" / "static"

# What draws, each after what it uses.
_MODULES: Final = ("dom", "words", "board", "curve", "bars", "viewer")
_IMPORT: Final = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ", re.MULTILINE)
_COMMENT: Final = re.compile(r"^\s*(?:/\*\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)\n", re.MULTILINE)
_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def one_file(
    name: str,
    start: Position,
    moves: Sequence[str],
    parts: Mapping[str, Any],
    language: str = ENGLISH,
) -> str:
    """The file's text.

    Args:
        name: of the deal.
        start: the board that the moves begin with.
        moves: of the solution or the game, in notation; none are fine.
        parts: `verdict` of `start` as `check` has it, and where there are such the answers
            `review` and `rating`, as `--json` has them.
        language: of the words.

    Raises:
        NotationError, IllegalMoveError: if a move cannot be played.
    """
    words = json.loads((STATIC / "words" / f"{language}.json").read_text(encoding="utf-8"))
    facts = {
        "language": language,
        "words": words,
        "deal": words["deal.board"] if name == "board" else name,
        "board": position_to_json(start),
        "steps": steps_json(start, moves),
        "review": None,
        "rating": None,
        "score": 0,
        **parts,
    }
    return _TEMPLATE.format(
        language=language,
        direction="rtl" if language == "he" else "ltr",
        policy=_POLICY,
        style=_stripped((STATIC / "page.css").read_text(encoding="utf-8")),
        sprite=_sprite(),
        facts=_script_json(facts),
        script=_bundle(),
    )


def steps_json(start: Position, moves: Sequence[str]) -> list[dict[str, Any]]:
    """{notation, from, to, cards} of each move: enough to play them without the rules."""
    steps = []
    position = start
    for move in moves:
        action = parse_action(position, move)
        notation = format_action(position, action)
        steps.append(
            {
                "notation": notation,
                "from": notation[0],
                "to": notation[1],
                "cards": [card_text(card) for card in moving_cards(position, action)],
            }
        )
        position = apply_action(position, action)
    return steps


def _bundle() -> str:
    """The modules as one script: without imports and exports, as their names do not clash."""
    sources = [(STATIC / f"{name}.js").read_text(encoding="utf-8") for name in _MODULES]
    return "\n".join(
        _EXPORT.sub("", _IMPORT.sub("", _COMMENT.sub("", source))) for source in sources
    )


def _sprite() -> str:
    sprite = (STATIC / "cards.svg").read_text(encoding="utf-8")
    return sprite.replace("<svg ", '<svg id="sprite" hidden aria-hidden="true" ', 1)


def _stripped(style: str) -> str:
    return re.sub(r"/\*.*?\*/\n?", "", style, flags=re.DOTALL)


def _script_json(facts: Mapping[str, Any]) -> str:
    """JSON that nothing in it can end: no `<` is left."""
    text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


_TEMPLATE: Final = """<!doctype html>
<html lang="{language}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Boulanger</title>
<style>
{style}</style>
</head>
<body class="file">
{sprite}
<header class="bar"><h1><svg class="icon" aria-hidden="true"><use href="#i-loaf"/></svg>
<span>Boulanger</span></h1><p id="deal"></p></header>
<main>
<div class="play"><div id="strip"></div><div id="board" class="board" role="group"></div>
<div id="tools" class="tools" role="toolbar"></div></div>
<aside id="panel" class="panel"></aside>
</main>
<script type="application/json" id="facts">{facts}</script>
<script>
(() => {{
{script}
const main = () => view(JSON.parse(byId("facts").textContent ?? ""));
main();
}})();
</script>
</body>
</html>
"""
