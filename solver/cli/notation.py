"""The command `notation`: how moves are written, shown on a drawn board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boulanger.solver.cli.commands import command
from boulanger.solver.cli.terminal import EXIT_YES, write

if TYPE_CHECKING:
    from boulanger.engine.position import Position

EXAMPLE_BOARD: Final = """\
Foundations: H-4 C-A D-0 S-6
Freecells: 5H - QC -
: KS QD JH 8C 9H 8H 7H
: 4C 2C 9C KD TH
: 5C QH 6D KC
: 9D TC 6H AD 2D JD
: KH JC 4D 3D 8D 7D
: 7S 3C 6C TS 9S 8S
: JS QS 7C 5D TD
:
"""
EXAMPLE_MOVES: Final = ("ah", "12", "28v1", "4d", "a8", "1b", "18v2", "78")
_WORDS: Final = (
    "6S to cell        to the first free cell; `6S to cell b` to that one",
    "5C onto 6C        onto the card at the end of a column",
    "AH home           to its foundation",
    "run of 3 from 2 to 5, 9H to empty column, 6D from column 8 to cell a",
)


@command()
def notation() -> int:
    """Explain how moves are written, on a drawn board."""
    from boulanger.engine.boards.text import parse_board

    write(notation_text(parse_board(EXAMPLE_BOARD).position))
    return EXIT_YES


def notation_text(position: Position) -> str:
    """The explanation, with the board and a few moves on it."""
    from boulanger.engine.notation import describe_action, parse_action

    examples = []
    for move in EXAMPLE_MOVES:
        action = parse_action(position, move)
        examples.append(f"  {move:5} {describe_action(position, action)}")
    words = "\n".join(f"  {line}" for line in _WORDS)
    return (
        "A move is two places, from and to: columns 1 to 8, cells a to d (up to g\n"
        "and i, if there are more), h for home.\n\n"
        f"{_drawn(position)}\n"
        "On this board, for example:\n\n" + "\n".join(examples) + "\n\n"
        "Onto a card, how many cards move follows from the card. Into an empty\n"
        "column, v and a number say how many (a to d for 10 to 13); without v it is\n"
        "the longest run that may go.\n\n"
        "--played, verify and review also take moves in words, one a line or between\n"
        f"commas:\n\n{words}\n\n"
        "and the lists of Freecell Solver (where no v into an empty column means one\n"
        "card), its whole output, and those of other programs. A list is read in one\n"
        "way as a whole; if that is not our notation, a note says so. A card's name\n"
        "alone, such as 6D, is refused: it can be a move, too.\n"
        "`solve --style words|fcs|pysol` writes moves in other styles.\n"
    )


def _drawn(position: Position) -> str:
    """The board as it looks from above, with the names of the places."""
    from boulanger.engine.cards import card_text, make_card
    from boulanger.engine.position import CELL_LETTERS

    names = [f"{letter}" for letter in CELL_LETTERS[: position.num_cells]]
    cells = ["--" if card is None else card_text(card) for card in position.cells]
    homes = [
        card_text(make_card(suit, rank)) if rank else "--"
        for suit, rank in enumerate(position.foundations)
    ]
    lines = [_row([*names, "h", "h", "h", "h"]), _row([*cells, *homes]), ""]
    lines.append(_row([str(number) for number in range(1, 9)]))
    height = max(len(column) for column in position.columns)
    for i in range(height):
        lines.append(_row([card_text(c[i]) if i < len(c) else "" for c in position.columns]))
    return "".join(line.rstrip() + "\n" for line in lines)


def _row(words: list[str]) -> str:
    return "  " + "".join(f"{word:4}" for word in words)
