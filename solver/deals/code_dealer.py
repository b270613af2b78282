"""Which dealer deals game codes: the project's own, or one that was learned from boards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from boulanger.engine.deals.codes import GameCode
from boulanger.engine.deals.dealers import BK1
from boulanger.engine.errors import DealError

if TYPE_CHECKING:
    from boulanger.solver.identify.family.rule import Rule

BK1_NOTE: Final = (
    "The app's dealer is not published; this is the project's own (bk1). Compare the board with "
    "your app: if it differs, paste the app's board, and see `boulanger identify --help`."
)


@dataclass(frozen=True, slots=True)
class CodeDealer:
    """A dealer for game codes.

    Attributes:
        name: as `--dealer` takes it.
        note: what the reader should know about it, in sentences.
        deal: the 52 cards of a code, in deal order.
        rule: the one that was learned; None for the project's own dealer.
    """

    name: str
    note: str
    deal: Callable[[GameCode], tuple[int, ...]]
    rule: Rule | None = None


def code_dealer(name: str | None = None) -> CodeDealer:
    """The dealer of that name; if None, the one that game codes use.

    Raises:
        DealError: if there is none, or its file is wrong.
    """
    from boulanger.solver.identify.saved import dealer_in_use, load

    wanted = dealer_in_use() if name is None else name
    if wanted == BK1.name:
        return CodeDealer(BK1.name, BK1_NOTE, lambda code: BK1.deal(code.number))
    try:
        saved = load(wanted)
    except DealError as error:
        if name is not None:
            raise
        raise DealError(
            f"{error} (game codes use this dealer; `boulanger dealers --use bk1` changes that)"
        ) from None
    codes = ", ".join(pair.code.text for pair in saved.pairs)
    boards = "board" if len(saved.pairs) == 1 else "boards"
    note = (
        f"Dealt by the dealer {saved.name}, learned from the {boards} of {codes}. Compare the "
        "board with your app all the same."
    )
    return CodeDealer(saved.name, note, saved.rule.deal, saved.rule)
