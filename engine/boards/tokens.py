"""The words of a board, the same in text and in JSON: a card, a gap, a foundation.

Reading is lenient about forms that mean one thing only; whatever else it refuses, quoting it and
saying what would be right. The caller adds where the word stands.
"""

from collections.abc import Iterable
from typing import Final

from boulanger.engine.cards import (
    NUM_SUITS,
    RANK_LETTERS,
    SUIT_LETTERS,
    parse_card,
    parse_rank,
    parse_suit,
)
from boulanger.engine.errors import BoardError, CardError

_GAP_CHARACTERS: Final = "-_.\u2010\u2011\u2012\u2013\u2014\u2212"
_SUIT_RANK_SEPARATORS: Final = "-:=\u2010\u2011\u2012\u2013\u2014\u2212"
_NUMERIC_RANKS: Final = {"0": 0, "11": 11, "12": 12, "13": 13}
_NO_VARIATION_SELECTORS: Final = {0xFE0E: None, 0xFE0F: None}
_MAX_QUOTED: Final = 24  # a word of a board has at most some five characters


def quote(text: str) -> str:
    """`text` in quotes, on one line and cut short if it is long."""
    return repr(text if len(text) <= _MAX_QUOTED else text[: _MAX_QUOTED - 1] + "…")


def is_gap(text: str) -> bool:
    """Whether `text` stands for "no card": `-`, `--`, also in dashes, dots or underscores."""
    return bool(text) and not text.strip(_GAP_CHARACTERS)


def read_card(text: str) -> int:
    """The card that `text` names.

    Raises:
        BoardError: quotes the text and says what a card looks like.
    """
    try:
        return parse_card(text if len(text) <= _MAX_QUOTED else text[: _MAX_QUOTED - 1] + "…")
    except CardError as error:
        raise BoardError(error.key, **error.facts) from None


def read_foundation(text: str) -> tuple[int, int]:
    """Suit and top rank (0: empty) of one foundation.

    `H-4`, also with another separator or none, with any suit symbol and any spelling of the rank;
    or the top card, `4H`.

    Raises:
        BoardError: quotes the text and says how it is written.
    """
    body = text.translate(_NO_VARIATION_SELECTORS)
    first, rest = body[:1], body[1:]
    separated = rest[:1] in _SUIT_RANK_SEPARATORS and len(rest) > 1
    suit, rank = parse_suit(first), read_foundation_rank(rest[1:] if separated else rest)
    if suit is not None and rank is not None:
        return suit, rank
    suit, before = parse_suit(body[-1:]), body[:-1]
    rank = read_foundation_rank(before.rstrip(_SUIT_RANK_SEPARATORS))
    if suit is not None and rank is not None:
        if before[-1:] not in _SUIT_RANK_SEPARATORS:
            return suit, rank
        right = f"{SUIT_LETTERS[suit]}-{_rank_text(rank)}"
        raise BoardError("reading.backwards", word=quote(text), right=right)
    raise BoardError("reading.not_a_foundation", word=quote(text))


def read_foundation_rank(text: str) -> int | None:
    """Rank 0..13 of a letter or a number; None if it is not one."""
    rank = parse_rank(text)
    return rank if rank is not None else _NUMERIC_RANKS.get(text)


def gather_foundations(given: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The four ranks in suit order from pairs (suit, rank); a suit that is not given is empty.

    Raises:
        BoardError: if a suit is given twice.
    """
    ranks: dict[int, int] = {}
    for suit, rank in given:
        if suit in ranks:
            raise BoardError("reading.suit_twice", place=SUIT_LETTERS[suit])
        ranks[suit] = rank
    return tuple(ranks.get(suit, 0) for suit in range(NUM_SUITS))


def _rank_text(rank: int) -> str:
    return RANK_LETTERS[rank - 1] if rank else "0"
