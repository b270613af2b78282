"""Cards as numbers 0..51 and as text.

    card = 13 * suit + rank - 1        suit 0..3: spades, hearts, diamonds, clubs; rank 1..13

Text is rank then suit, ten as `T`: `AS`, `TH`, `KC`. Reading is lenient (`10h`, `T♥`, `th`),
writing is not.
"""

from typing import Final

from boulanger.engine.errors import CardError

NUM_SUITS: Final = 4
NUM_RANKS: Final = 13
NUM_CARDS: Final = NUM_SUITS * NUM_RANKS

SUIT_LETTERS: Final = "SHDC"
SUIT_NAMES: Final = ("spades", "hearts", "diamonds", "clubs")
SUIT_SYMBOLS: Final = "♠♥♦♣"
_OUTLINE_SYMBOLS: Final = "♤♡♢♧"
RANK_LETTERS: Final = "A23456789TJQK"
RANK_NAMES: Final = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")

# What players' tools print after a suit symbol to ask for its emoji or its text form.
_VARIATION_SELECTORS: Final = "\ufe0e\ufe0f"


def make_card(suit: int, rank: int) -> int:
    """The card number of `suit` (0..3) and `rank` (1..13)."""
    return NUM_RANKS * suit + rank - 1


def suit_of(card: int) -> int:
    """The suit of `card`, 0..3: spades, hearts, diamonds, clubs."""
    return card // NUM_RANKS


def rank_of(card: int) -> int:
    """The rank of `card`, 1 (ace) to 13 (king)."""
    return card % NUM_RANKS + 1


def card_text(card: int) -> str:
    """Two letters, such as `TH`."""
    return RANK_LETTERS[rank_of(card) - 1] + SUIT_LETTERS[suit_of(card)]


def card_name(card: int) -> str:
    """In words, such as `10 of hearts` or `queen of spades`."""
    return f"{RANK_NAMES[rank_of(card) - 1]} of {SUIT_NAMES[suit_of(card)]}"


def parse_rank(text: str) -> int | None:
    """Rank 1..13 of `A` or `1`, `2`..`10`, `T`, `J`, `Q`, `K` in any case; None for all else."""
    upper = text.upper()
    if upper == "10":
        return 10
    if upper == "1":
        return 1
    if len(upper) == 1 and upper in RANK_LETTERS:
        return RANK_LETTERS.index(upper) + 1
    return None


def parse_suit(text: str) -> int | None:
    """Suit 0..3 of a letter in any case or of a suit symbol; None if it is not one."""
    stripped = text.strip(_VARIATION_SELECTORS)
    if len(stripped) != 1:
        return None
    for alphabet in (SUIT_LETTERS, SUIT_SYMBOLS, _OUTLINE_SYMBOLS):
        if stripped.upper() in alphabet:
            return alphabet.index(stripped.upper())
    return None


def parse_card(text: str) -> int:
    """The card that `text` names, rank first.

    Raises:
        CardError: quotes the text and says what is missing or what a card looks like.
    """
    body = text.strip().strip(_VARIATION_SELECTORS)
    suit = parse_suit(body[-1:])
    rank = parse_rank(body[:-1].strip(_VARIATION_SELECTORS)) if suit is not None else None
    if suit is not None and rank is not None and body[:-1] != "1":
        return make_card(suit, rank)
    if parse_rank(body) is not None:
        raise CardError("card.no_suit", text=repr(text))
    if body[:1] and parse_suit(body[0]) is not None and parse_rank(body[1:]) is not None:
        rank_text = body[1:].upper().replace("10", "T")
        swapped = rank_text + SUIT_LETTERS[parse_suit(body[0]) or 0]
        raise CardError("card.suit_first", text=repr(text), right=swapped)
    raise CardError("card.not_a_card", text=repr(text))
