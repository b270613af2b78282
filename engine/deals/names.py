"""Names of deals, read and written: the only place that knows how they are spelled.

    BK1-C4-AAAAA24      a game code: the deal, and how many cells there are
    code:860            the same deal by its number alone
    code:860@app        the same as the learned dealer `app` deals it
    bk1:860             the same as this project's own dealer, bk1, deals it
    ms:17               a Microsoft deal
    random:5@1          deal 5 of the random sample with the seed 1

Who deals stands before the colon and behind the `@`; together they are the dealer's *key*: `bk1`,
`ms`, `random@1`, `code@app`, or `code` alone for whichever dealer is in use. A catalogue's column
`source` holds keys. Where a range of numbers may stand (`ms:1..32000`), it is spelled alike, with
the range for the number; see `split_name` and `spell`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from boulanger.engine.deals.codes import GameCode, looks_like_code, parse_code
from boulanger.engine.deals.dealers import (
    BK1,
    DEALERS,
    RANDOM_PREFIX,
    Numbering,
    get_dealer,
    parse_seed,
    random_dealer,
)
from boulanger.engine.errors import DealError

CODE: Final = "code"
LEARNED_PREFIX: Final = f"{CODE}@"

_RANDOM: Final = RANDOM_PREFIX.removesuffix("@")
_PREFIXES: Final = (CODE, *DEALERS, _RANDOM)
_PREFIX: Final = re.compile(rf"\s*({'|'.join(_PREFIXES)})\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DealName:
    """Which deal is meant.

    Attributes:
        dealer: the key of the dealer; `code` for the one in use.
        number: of the deal.
        num_cells: what a game code says; None for any other name.
    """

    dealer: str
    number: int
    num_cells: int | None = None

    @property
    def text(self) -> str:
        """The name as it is written; reading that gives an equal one."""
        if self.num_cells is not None:
            return GameCode(self.number, self.num_cells).text
        return spell(self.dealer, str(self.number))

    def __str__(self) -> str:
        return self.text

    @property
    def is_coded(self) -> bool:
        """Whether the number is that of a game code, whoever deals it."""
        return deals_codes(self.dealer)

    @property
    def learned_dealer(self) -> str | None:
        """The learned dealer that the name itself asks for."""
        return learned_dealer(self.dealer)


def parse_name(text: str) -> DealName:
    """The deal that `text` names; case, and blanks around its parts, do not matter.

    Raises:
        CodeError: if it has no prefix and is not a game code.
        DealError: quotes the text and says what would be right.
    """
    parts = split_name(text)
    if parts is None:
        code = parse_code(text)
        return DealName(CODE, code.number, code.num_cells)
    dealer, number = parts
    return DealName(dealer, numbering(dealer).parse_number(number, text))


def is_name(text: str) -> bool:
    """Whether someone who typed `text` meant a deal's name, if perhaps a wrong one."""
    return _PREFIX.match(text) is not None or looks_like_code(text)


def split_name(text: str) -> tuple[str, str] | None:
    """The dealer's key and what else a name with a prefix says: a number, or a range of them.

    None if there is no prefix.

    Raises:
        DealError: if what follows `@` is missing, or cannot be right.
    """
    found = _PREFIX.match(text)
    if found is None:
        return None
    prefix, body = found[1].lower(), text[found.end() :]
    if prefix == _RANDOM:
        body, separator, seed = body.partition("@")
        if not separator:
            raise DealError("deal.no_seed", text=text)
        return random_dealer(parse_seed(seed, text)).name, body
    if prefix == CODE and "@" in body:
        body, _, dealer = body.partition("@")
        name = dealer.strip()
        if not name:
            raise DealError("deal.no_dealer_name", text=text)
        return (name if name == BK1.name else LEARNED_PREFIX + name), body
    return prefix, body


def spell(dealer: str, numbers: str) -> str:
    """The name of a deal, or of a range of them, with a prefix.

    Args:
        dealer: its key.
        numbers: the number or range.
    """
    prefix, separator, rest = dealer.partition("@")
    return f"{prefix}:{numbers}{separator}{rest}"


def numbering(dealer: str) -> Numbering:
    """How the deals of the dealer with this key are numbered.

    Raises:
        DealError: if there can be no such dealer.
    """
    return BK1 if deals_codes(dealer) else get_dealer(dealer)


def deals_codes(dealer: str) -> bool:
    """Whether the dealer with this key deals game codes."""
    return dealer in (BK1.name, CODE) or dealer.startswith(LEARNED_PREFIX)


def learned_dealer(dealer: str) -> str | None:
    """The name of the learned dealer with this key; None if it is another one's key."""
    return dealer.removeprefix(LEARNED_PREFIX) if dealer.startswith(LEARNED_PREFIX) else None
