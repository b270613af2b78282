"""Boards as this project writes them, as text and for JSON.

    Foundations: H-4 C-A D-A S-A
    Freecells: 6S 8H - -
    : 4C 2C 9C 8C QS JD
    :
    ...

with eight column lines, each from the buried card to the exposed one, and an entry for each cell;
where no `-` shows how many cells there are and there are not four, `# 2 cells` says so. A last
line, `# columns`, says what the lines are, where no game leads to them and `judge` could think that
they are rows.

No reader is imported here: whoever only shows a board need not wait for them.
"""

from __future__ import annotations

from typing import Final

from boulanger.engine.boards.parsed import DECISIVE, num_unplayable_columns
from boulanger.engine.cards import RANK_LETTERS, SUIT_LETTERS, card_text
from boulanger.engine.position import DEFAULT_CELLS, Position

_WRITTEN_SUIT_ORDER: Final = "HCDS"  # Freecell Solver's


def format_board(position: Position) -> str:
    """The written form above, every line with a newline at its end; read back as it was."""
    ranks = dict(zip(SUIT_LETTERS, position.foundations, strict=True))
    foundations = (
        f"{s}-{RANK_LETTERS[ranks[s] - 1] if ranks[s] else 0}" for s in _WRITTEN_SUIT_ORDER
    )
    told = [("# columns",)] if num_unplayable_columns(position) >= DECISIVE else []
    cells = ["-" if card is None else card_text(card) for card in position.cells]
    if None not in position.cells and position.num_cells != DEFAULT_CELLS:
        noun = "cell" if position.num_cells == 1 else "cells"
        cells.append(f"# {position.num_cells} {noun}")
    lines = [
        ("Foundations:", *foundations),
        ("Freecells:", *cells),
        *((":", *map(card_text, column)) for column in position.columns),
        *told,
    ]
    return "".join(" ".join(line) + "\n" for line in lines)


def position_to_json(position: Position) -> dict[str, object]:
    """The form that `engine.boards.json_board` shows, for `json.dumps`."""
    return {
        "num_cells": position.num_cells,
        "foundations": dict(zip(SUIT_LETTERS, position.foundations, strict=True)),
        "cells": [None if card is None else card_text(card) for card in position.cells],
        "columns": [[card_text(card) for card in column] for column in position.columns],
    }
