"""The names of cards in the languages of players: `7H`, `♥7`, `Herz 7`, `V♦`, "7 of hearts".

A `Deck` is one language: which words are ranks and which are suits. A card is a rank and a suit in
either order, in one word or in two. Only a whole board tells which language it is in: a deck is
right if the board has each of the 52 cards once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from boulanger.engine.cards import NUM_RANKS, NUM_SUITS, make_card

_SYMBOLS: Final = ("♠♤", "♥♡❤", "♦♢", "♣♧")
_NUMBERS: Final = {str(n): n for n in range(2, NUM_RANKS + 1)} | {f"0{n}": n for n in range(1, 10)}
# Zero and what a hand or an eye makes of 10; a board of 52 cards vouches for it.
_TENS: Final = ("0", "1o", "io", "lo", "i0", "l0")
_JOINTS: Final = ("of", "de", "du", "von", "od", "-", "/")
_SEPARATORS: Final = "-_/:."
_DROPPED: Final = "\ufe0e\ufe0f\u200d"
_LONGEST_NAME: Final = 20

# The playing cards of Unicode: U+1F0A1 is the ace of spades, each suit has sixteen places.
_FIRST_GLYPH: Final = 0x1F0A0
_GLYPH_SUIT_STEP: Final = 16
_GLYPH_KNIGHT: Final = 12
CARD_BACK: Final = "\U0001f0a0"


class Deck:
    """The names of the cards in one language.

    >>> GERMAN.cards("h10"), GERMAN.cards("kr", "k")
    """

    def __init__(self, language: str, ranks: Mapping[int, str], suits: tuple[str, ...]) -> None:
        self.language = language
        self.ranks = {
            "a": 1, "1": 1, **_NUMBERS, **dict.fromkeys(_TENS, 10),
            **{word: rank for rank, words in ranks.items() for word in words.split()},
        }  # fmt: skip
        self.suits = {
            plain(word): suit
            for suit, words in enumerate(suits)
            for word in (*words.split(), *_SYMBOLS[suit])
        }
        self._cache: dict[str, int | None] = {}

    def card(self, word: str) -> int | None:
        """The card that one word names, in either order; None if it names none, or two."""
        if word not in self._cache:
            self._cache[word] = self._find(plain(word)) if len(word) <= _LONGEST_NAME else None
        return self._cache[word]

    def card_of(self, first: str, second: str) -> int | None:
        """The card that two words name, such as `10 D`, `h 7` or `Herz König`."""
        found = self._pair(plain(first), plain(second))
        return found.pop() if len(found) == 1 else None

    def is_joint(self, word: str) -> bool:
        """Whether `word` may stand between a rank and a suit: the `of` in "7 of hearts"."""
        return plain(word) in _JOINTS

    def suit(self, word: str) -> int | None:
        """The suit that `word` names; None if it names none."""
        return self.suits.get(plain(word))

    def rank(self, word: str) -> int | None:
        """The rank that `word` names; None if it names none."""
        return self.ranks.get(plain(word))

    def _find(self, text: str) -> int | None:
        found: set[int] = set()
        for i in range(1, len(text)):
            found |= self._pair(text[:i].rstrip(_SEPARATORS), text[i:].lstrip(_SEPARATORS))
            for joint in ("of", "de"):
                if text[i:].startswith(joint):
                    found |= self._pair(text[:i], text[i + len(joint) :])
        return found.pop() if len(found) == 1 else None

    def _pair(self, first: str, second: str) -> set[int]:
        found = set()
        for rank_word, suit_word in ((first, second), (second, first)):
            rank, suit = self.ranks.get(rank_word), self.suits.get(suit_word)
            if rank is not None and suit is not None:
                found.add(make_card(suit, rank))
        return found


@cache
def plain(word: str) -> str:
    """`word` in small letters, without accents and what chooses between text and emoji."""
    decomposed = unicodedata.normalize("NFKD", word.casefold().replace("œ", "oe"))
    return "".join(c for c in decomposed if not unicodedata.combining(c) and c not in _DROPPED)


def glyph_card(character: str) -> int | None:
    """The card of one of Unicode's playing-card characters; None for any other."""
    suit, place = divmod(ord(character) - _FIRST_GLYPH, _GLYPH_SUIT_STEP)
    if not 0 <= suit < NUM_SUITS or not 1 <= place <= NUM_RANKS + 1 or place == _GLYPH_KNIGHT:
        return None
    return make_card(suit, place - (place > _GLYPH_KNIGHT))


ENGLISH: Final = Deck(
    "English",
    {
        1: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight",
        9: "nine", 10: "t ten", 11: "j jack", 12: "q queen", 13: "k king",
    },
    ("s spade spades", "h heart hearts", "d diamond diamonds", "c club clubs"),
)  # fmt: skip
FRENCH: Final = Deck(
    "French",
    {
        1: "as", 2: "deux", 3: "trois", 4: "quatre", 5: "cinq", 6: "six", 7: "sept", 8: "huit",
        9: "neuf", 10: "dix", 11: "v valet j", 12: "d dame q", 13: "r roi",
    },
    ("p pi pique piques", "c co coeur coeurs", "k ca carreau carreaux", "t tr trefle trefles"),
)  # fmt: skip
_GERMAN_RANKS: Final = {1: "as ass", 11: "b bube j", 12: "d dame q", 13: "k konig koenig"}
GERMAN: Final = Deck(
    "German",
    _GERMAN_RANKS,
    ("p pi pik s", "h he herz", "k ka karo", "kr kreuz x t treff"),
)
GERMAN_CROSS: Final = Deck(
    "German",
    _GERMAN_RANKS,
    ("p pi pik s", "h he herz", "ka karo r", "k kr kreuz"),
)
HUNGARIAN: Final = Deck(
    "Hungarian",
    {1: "asz", 11: "b bubi bubo j", 12: "d dama q", 13: "k kiraly"},
    ("p pikk", "ko kor", "ka karo r", "t tr treff"),
)
HUNGARIAN_K: Final = Deck(
    "Hungarian",
    {1: "asz", 11: "b bubi bubo j", 12: "d dama q", 13: "k kiraly"},
    ("p pikk", "k ko kor", "ka karo r", "t tr treff"),
)
CROATIAN: Final = Deck(
    "Croatian",
    {1: "as", 11: "j b decko", 12: "d dama q", 13: "k kralj"},
    ("p pi pik", "s srce h herc", "k ka karo", "t tr tref"),
)
HEBREW: Final = Deck(
    "Hebrew",
    {1: "אס", 11: "נסיך", 12: "מלכה", 13: "מלך"},
    ("עלה עלים", "לב לבבות", "יהלום יהלומים", "תלתן תלתנים"),
)
DECKS: Final = (
    ENGLISH, FRENCH, GERMAN, GERMAN_CROSS, HUNGARIAN, HUNGARIAN_K, CROATIAN, HEBREW,
)  # fmt: skip
