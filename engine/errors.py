"""What the project says when it is given something it cannot use.

Every error quotes the offending text and says what would be right. All are `ValueError`s, so a
caller who does not care which one it was can catch that. A limit reached is a result, not an error.
"""


class BoulangerError(ValueError):
    """Anything wrong with what the caller gave."""


class CardError(BoulangerError):
    """A text that is not a card."""


class CodeError(BoulangerError):
    """A text that is not a game code, or a number that no code can hold."""


class DealError(BoulangerError):
    """A deal number outside a dealer's range, or an unknown dealer."""


class BoardError(BoulangerError):
    """A board that cannot be read, or that is not a legal position."""


class NotationError(BoulangerError):
    """A text that is not a move in the notation."""


class IllegalMoveError(BoulangerError):
    """A move that the rules do not allow on this board."""


class LimitsError(BoulangerError):
    """A limit that makes no sense, such as a negative number of nodes."""


class CatalogueError(BoulangerError):
    """Deals or a folder that a catalogue cannot be made from."""
