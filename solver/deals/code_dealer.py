"""Which dealer deals game codes: the project's own, or one that was learned from boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from boulanger.engine.deals.codes import GameCode
from boulanger.engine.deals.dealers import BK1
from boulanger.engine.deals.names import LEARNED_PREFIX, deals_codes, learned_dealer
from boulanger.engine.errors import DealError
from boulanger.engine.notes import Note

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from boulanger.solver.identify.family.rule import Rule

BK1_NOTE: Final = Note("note.bk1")


@dataclass(frozen=True, slots=True)
class CodeDealer:
    """A dealer for game codes.

    Attributes:
        name: as `--dealer` takes it.
        note: what the reader should know about it, in sentences.
        rule: the one that was learned; None for the project's own dealer.
    """

    name: str
    note: Note
    rule: Rule | None = None

    @property
    def key(self) -> str:
        """As `engine.deals.names` and a catalogue's column `source` have it."""
        return self.name if self.rule is None else LEARNED_PREFIX + self.name

    @property
    def description(self) -> str:
        """A line on what it does, without a full stop."""
        return BK1.description if self.rule is None else self.rule.description

    @property
    def rule_document(self) -> dict[str, Any] | None:
        """A learned dealer's rule as its file has it; None for the project's own dealer."""
        if self.rule is None:
            return None
        from boulanger.solver.identify.dealer_file import rule_document

        return rule_document(self.rule)

    @property
    def reads_all(self) -> bool:
        """Whether it deals every game code."""
        return self.rule is None or self.rule.seed.reads_all

    @property
    def heeds_cells(self) -> bool:
        """Whether codes that differ only in their number of cells have different boards."""
        return self.rule is not None and self.rule.seed.heeds_cells

    def check_reads(self, number: int | None) -> None:
        """Makes sure that it deals the code with this number; None stands for all codes.

        Raises:
            DealError: if it cannot read the code.
        """
        if self.rule is None or self.reads_all:
            return
        if number is None:
            raise DealError("deal.no_ranges", dealer=self.name, reads=self.rule.seed.description)
        self.rule.check_reads(GameCode(number))

    def deal(self, code: GameCode) -> tuple[int, ...]:
        """The 52 cards of a code, in deal order.

        Raises:
            DealError: if a learned dealer cannot read the code.
        """
        return BK1.deal(code.number) if self.rule is None else self.rule.deal(code)

    def deal_many(self, numbers: npt.NDArray[np.uint64], num_cells: int) -> npt.NDArray[np.uint8]:
        """The cards of the codes with these numbers and this many cells, uint8 (N, 52).

        A row is 255 throughout if a learned dealer cannot read the code.
        """
        if self.rule is None:
            from boulanger.engine.deals.kernels import deal_many

            return deal_many(BK1.name, numbers)
        from boulanger.solver.identify.groups import deal_numbers

        return deal_numbers(self.rule, numbers, num_cells)


def code_dealer(name: str | None = None, *, is_told: bool = True) -> CodeDealer:
    """The dealer of that name; if None, the one that game codes use.

    Args:
        name: as `--dealer` takes it.
        is_told: whether whoever gave that name knows what it means: bk1 then comes without the
            caveat that it is not the app's.

    Raises:
        DealError: if there is none, or its file is wrong.
    """
    from boulanger.solver.identify.saved import dealer_in_use, load

    wanted = dealer_in_use() if name is None else name
    if wanted == BK1.name:
        return CodeDealer(BK1.name, _bk1_note(is_asked_for=name is not None and is_told))
    try:
        saved = load(wanted)
    except DealError as error:
        if name is not None:
            raise
        raise DealError("deal.dealer_in_use", error=error.message) from None
    codes = ", ".join(pair.code.text for pair in saved.pairs)
    note = Note("note.learned_dealer", name=saved.name, number=len(saved.pairs), codes=codes)
    return CodeDealer(saved.name, note, saved.rule)


class CodeDealers:
    """The dealers of the game codes in one job, each read once.

    Args:
        name: of the dealer for codes that do not name one; if None, the one in use.
    """

    def __init__(self, name: str | None = None) -> None:
        self._name: Final = name
        self._found: Final[dict[str, CodeDealer]] = {}

    def settled(self, key: str, number: int | None = None) -> str:
        """The key of whoever deals for `key`: `code` becomes that of a certain dealer.

        Args:
            key: of any dealer (`engine.deals.names`).
            number: the deal that is wanted; None for a range of them.

        Raises:
            DealError: if there is no such dealer, its file is wrong, or it cannot read the code.
        """
        if not deals_codes(key):
            return key
        dealer = self._dealer(key)
        if not dealer.reads_all:
            dealer.check_reads(number)
        return dealer.key

    @property
    def asked(self) -> list[CodeDealer]:
        """Those that were asked for; each once."""
        return list({dealer.key: dealer for dealer in self._found.values()}.values())

    @property
    def learned(self) -> tuple[CodeDealer, ...]:
        """Those of them that were learned."""
        return tuple(dealer for dealer in self.asked if dealer.rule is not None)

    def _dealer(self, key: str) -> CodeDealer:
        if key not in self._found:
            name = BK1.name if key == BK1.name else learned_dealer(key)
            is_told = self._name is not None and name in (None, self._name)
            self._found[key] = code_dealer(name or self._name, is_told=is_told)
        return self._found[key]


def _bk1_note(is_asked_for: bool) -> Note:
    """What is said of bk1: a caveat until it was asked for by name, or another one was learned."""
    from boulanger.solver.identify.saved import saved_names

    if is_asked_for:
        return Note("note.bk1_asked_for")
    try:
        learned = saved_names()
    except DealError:
        learned = []  # told where dealers are listed
    if not learned:
        return BK1_NOTE
    return Note("note.bk1_not_learned", names=", ".join(learned), first=learned[0])
