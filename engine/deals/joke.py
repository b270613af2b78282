"""The two deals of Microsoft's FreeCell that are jokes: -1 and -2."""

from __future__ import annotations

from boulanger.engine.deals.ms import MS_DECK
from boulanger.engine.position import Position


def joke_deal(number: int) -> Position:
    """The board of the deals -1 and -2 of Microsoft's FreeCell, which nobody was meant to win.

    Deal -1 has aces, threes .. kings in its long columns and queens, tens .. twos in its short
    ones; deal -2 has the aces below kings, queens .. eights, and sevens .. twos. No shuffle made
    them: the game's own source lays them out so, as it was published. The cards of a row are clubs,
    diamonds, hearts, spades in deal -1, and the other way round in deal -2.
    """
    if number == -1:
        long = [MS_DECK[4 * r + s] for r in (0, 2, 4, 6, 8, 10, 12) for s in range(4)]
        short = [MS_DECK[4 * r + s] for r in (11, 9, 7, 5, 3, 1) for s in range(4)]
    else:
        long = [MS_DECK[4 * r + s] for r in (0, 12, 11, 10, 9, 8, 7) for s in (3, 2, 1, 0)]
        short = [MS_DECK[4 * r + s] for r in (6, 5, 4, 3, 2, 1) for s in (3, 2, 1, 0)]
    columns = [tuple(long[c::4]) for c in range(4)] + [tuple(short[c::4]) for c in range(4)]
    return Position(tuple(columns))
