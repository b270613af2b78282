"""Game codes such as `BK1-C4-AAAAA24`: which deal, and with how many cells.

    BK<version>-C<cells>-<seven letters>

Version 1 is the only one known. The seven letters are RFC 4648 base32 (section 6: `A`..`Z` are
0..25, `2`..`7` are 26..31), most significant first, so a code holds a number of 35 bits; which
cards that number deals is the dealer's business (`engine.deals.dealers`).

Reading ignores case and surrounding blanks and forgives nothing else: a wrong letter would bring
another deal. What can be guessed is suggested in the error instead.
"""

import contextlib
import re
import unicodedata
from dataclasses import dataclass
from operator import index
from typing import Any, Final

from boulanger.engine.errors import CodeError
from boulanger.engine.position import DEFAULT_CELLS, MAX_CELLS
from boulanger.engine.words import joined, message

CODE_VERSION: Final = 1
PAYLOAD_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
NUM_PAYLOAD_LETTERS: Final = 7
_BITS_A_LETTER: Final = 5
NUM_CODES: Final = 1 << (_BITS_A_LETTER * NUM_PAYLOAD_LETTERS)

_EXAMPLE: Final = "BK1-C4-AAAAA24"

_CODE: Final = re.compile(rf"BK1-C([0-{MAX_CELLS}])-([A-Z2-7]{{{NUM_PAYLOAD_LETTERS}}})")

# A code with its separators dropped and its look-alikes still in it.
_LOOSE_CODE: Final = re.compile(
    rf"[B8]K[1IL](?:C([0-{MAX_CELLS}OILZASGB])|([0-{MAX_CELLS}]))"
    rf"([A-Z0-8]{{{NUM_PAYLOAD_LETTERS}}})"
)
_CELLS_LOOK_ALIKES: Final = str.maketrans("OILZASGB", "01124568")
# `1` may be an I or, from a lower-case l, an L: one suggestion for each.
_PAYLOAD_LOOK_ALIKES: Final = (str.maketrans("018", "OIB"), str.maketrans("018", "OLB"))

_CODE_START: Final = re.compile(r"[B8]K(?:[IL]|[^A-Z]|$)")
_FILE_NAME: Final = re.compile(r"[/\\]|\.[A-Z]{1,5}$")

# Characters drawn as a dash that Unicode does not class as one (category Pd).
_OTHER_DASHES: Final = "\u00ad\u02d7\u2043\u2212"


@dataclass(frozen=True, slots=True)
class GameCode:
    """One deal and its number of cells, as a code holds them.

    Attributes:
        number: the deal, 0..2**35 - 1.
        num_cells: 0..8; the app itself offers 4, 2 and 1.
        version: the number after `BK`; 1.

    Raises:
        CodeError: if one of them is outside its range.
    """

    number: int
    num_cells: int = DEFAULT_CELLS
    version: int = CODE_VERSION

    def __post_init__(self) -> None:
        if self.version != CODE_VERSION:
            raise CodeError("code.version", version=repr(self.version))
        # Stored as plain integers, so that codes made from NumPy's are equal and print alike.
        object.__setattr__(self, "number", _checked("code.number", self.number, NUM_CODES - 1))
        object.__setattr__(self, "num_cells", _checked("code.num_cells", self.num_cells, MAX_CELLS))

    @property
    def payload(self) -> str:
        """The seven letters."""
        shifts = range(_BITS_A_LETTER * (NUM_PAYLOAD_LETTERS - 1), -1, -_BITS_A_LETTER)
        mask = len(PAYLOAD_LETTERS) - 1
        return "".join(PAYLOAD_LETTERS[self.number >> shift & mask] for shift in shifts)

    @property
    def text(self) -> str:
        """The code in its canonical form, such as `BK1-C4-AAAAA24`."""
        return f"BK{self.version}-C{self.num_cells}-{self.payload}"

    def __str__(self) -> str:
        return self.text


def parse_code(text: str) -> GameCode:
    """The game code that `text` is, whatever its case and the blanks around it.

    Raises:
        CodeError: quotes the text, names its first fault, and suggests the code it may have been.
    """
    body = text.strip()
    match = _CODE.fullmatch(body.upper()) if body.isascii() else None
    if match is None:
        codes = _suggestions(body)
        advice = message("code.looks_like", code=_EXAMPLE)
        if codes:
            advice = message("code.did_you_mean", codes=joined(codes, "join.or"))
        raise CodeError("code.not_a_code", text=text, fault=_fault(body), advice=advice)
    number = 0
    for letter in match[2]:
        number = number << _BITS_A_LETTER | PAYLOAD_LETTERS.index(letter)
    return GameCode(number, int(match[1]))


def format_code(number: int, num_cells: int = DEFAULT_CELLS) -> str:
    """The code of deal `number` (0..2**35 - 1) with `num_cells` cells (0..8).

    Raises:
        CodeError: if one of them does not fit into a code.
    """
    return GameCode(number, num_cells).text


def looks_like_code(text: str) -> bool:
    """Whether someone who typed `text` meant a code, if perhaps a wrong one, and not a file.

    A path (`./BK1-C4-AAAAA24`) or a name with an extension (`bk1.txt`) is a file.
    """
    body = unicodedata.normalize("NFKC", text.strip()).upper()
    if _FILE_NAME.search(body):
        return False
    return _CODE_START.match(body) is not None or bool(_suggestions(body))


def _checked(key: str, value: int, maximum: int) -> int:
    """`value` as an int if it is a whole number from 0 to `maximum`; else `CodeError` of `key`."""
    with contextlib.suppress(TypeError):
        if 0 <= index(value) <= maximum:
            return index(value)
    raise CodeError(key, value=repr(value), maximum=str(maximum))


def _suggestions(body: str) -> list[str]:
    """The codes that `body` may stand for: other separators or none, look-alikes put right."""
    compatible = unicodedata.normalize("NFKC", body).upper()
    match = _LOOSE_CODE.fullmatch("".join(letter for letter in compatible if letter.isalnum()))
    if match is None:
        return []
    cells = match[2] or match[1].translate(_CELLS_LOOK_ALIKES)
    payloads = dict.fromkeys(match[3].translate(table) for table in _PAYLOAD_LOOK_ALIKES)
    return [f"BK{CODE_VERSION}-C{cells}-{payload}" for payload in payloads]


def _fault(body: str) -> dict[str, Any]:
    """What is wrong with `body`, which is no code, and what would be right; a verb phrase."""
    if not body:
        return message("code.empty")
    for character in body:
        if not character.isascii():
            return _foreign_character_fault(character)
    if any(character.isspace() for character in body):
        return message("code.blank")
    parts = body.upper().split("-")
    if len(parts) != 3:
        return message("code.parts", number=len(parts))
    head, cells, payload = parts
    return _head_fault(head) or _cells_fault(cells) or _payload_fault(payload)


def _foreign_character_fault(character: str) -> dict[str, Any]:
    name = unicodedata.name(character, f"U+{ord(character):04X}").lower()
    if unicodedata.category(character) == "Pd" or character in _OTHER_DASHES:
        return message("code.dash", character=repr(character), name=name)
    return message("code.foreign", character=repr(character), name=name)


def _head_fault(head: str) -> dict[str, Any] | None:
    if head == f"BK{CODE_VERSION}":
        return None
    if re.fullmatch(r"BK[0-9]+", head):
        return message("code.unknown_version", head=head, known=f"BK{CODE_VERSION}")
    return message("code.head", head=head, known=f"BK{CODE_VERSION}")


def _cells_fault(cells: str) -> dict[str, Any] | None:
    if re.fullmatch(rf"C[0-{MAX_CELLS}]", cells):
        return None
    if re.fullmatch(r"C[1-9][0-9]{0,2}", cells):
        return message("code.too_many_cells", number=int(cells[1:]), most=f"C{MAX_CELLS}")
    return message("code.cells", text=cells, most=f"C{MAX_CELLS}")


def _payload_fault(payload: str) -> dict[str, Any]:
    if len(payload) != NUM_PAYLOAD_LETTERS:
        return message("code.length", number=len(payload), wanted=NUM_PAYLOAD_LETTERS)
    wrong = dict.fromkeys(letter for letter in payload if letter not in PAYLOAD_LETTERS)
    return message("code.letters", letters=joined([repr(letter) for letter in wrong], "join.and"))
