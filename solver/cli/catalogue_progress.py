"""How far a catalogue is, as a bar on a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boulanger.solver.catalogue.folder import Tally


class CatalogueBar:
    """A bar on standard error with deals a second, time left, and the rate of wins so far.

    Nothing if that is no terminal.
    """

    def __init__(self, cells: tuple[int, ...]) -> None:
        self._cells = cells
        self._bar: Any = None

    def started(self, num_deals: int, num_done: int, tally: Tally) -> None:
        """Shows the bar, which begins with what was done before."""
        from tqdm import tqdm

        self._bar = tqdm(
            total=num_deals,
            initial=num_done,
            unit=" deals",
            unit_scale=True,
            dynamic_ncols=True,
            file=sys.stderr,
            disable=sys.stderr is None or not sys.stderr.isatty(),
        )
        self._show(tally)

    def advanced(self, num_deals: int, tally: Tally) -> None:
        """Moves the bar on."""
        self._show(tally)
        self._bar.update(num_deals)

    def close(self) -> None:
        """Leaves the bar as it is and the cursor below it."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _show(self, tally: Tally) -> None:
        num_deals = int(tally[0].sum())
        if num_deals and not self._bar.disable:
            rates = [
                f"{num_cells}: {100 * counts[1] / num_deals:.2f} %"
                for num_cells, counts in zip(self._cells, tally.tolist(), strict=True)
            ]
            self._bar.set_postfix_str(f"won with cells {', '.join(rates[::-1])}", refresh=False)
