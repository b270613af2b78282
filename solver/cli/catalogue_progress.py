"""How far a catalogue is, as a bar on a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boulanger.solver.catalogue.folder import Counts


_SILENT_SECONDS = 0.5  # before a bar for reading is shown


def _bar(**options: Any) -> Any:
    """A bar on standard error; nothing if that is no terminal."""
    from tqdm import tqdm

    is_shown = sys.stderr is not None and sys.stderr.isatty()
    return tqdm(
        unit_scale=True, dynamic_ncols=True, file=sys.stderr, disable=not is_shown, **options
    )


class ReadingBar:
    """A bar on standard error while long lists of deals are read."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._num_bytes = sum(os.path.getsize(text) for text in texts if os.path.isfile(text))
        self._started = time.monotonic()
        self._num_read = 0
        self._bar: Any = None

    def advanced(self, num_bytes: int) -> None:
        """Moves the bar on."""
        self._num_read += num_bytes
        if self._bar is not None:
            self._bar.update(num_bytes)
        elif time.monotonic() - self._started > _SILENT_SECONDS:
            total = self._num_bytes or None
            self._bar = _bar(
                total=total, initial=self._num_read, unit="B", desc="reading", leave=False
            )

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()


class CatalogueBar:
    """A bar on standard error with deals a second, time left, and the rate of wins so far.

    Nothing if that is no terminal.
    """

    def __init__(self, cells: tuple[int, ...]) -> None:
        self._cells = cells
        self._bar: Any = None

    def started(self, num_deals: int, num_done: int, counts: Counts) -> None:
        """Shows the bar, which begins with what was done before."""
        self._bar = _bar(total=num_deals, initial=num_done, unit=" deals")
        self._show(counts)

    def advanced(self, num_deals: int, counts: Counts) -> None:
        """Moves the bar on."""
        self._show(counts)
        self._bar.update(num_deals)

    def close(self) -> None:
        """Leaves the bar as it is and the cursor below it."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _show(self, counts: Counts) -> None:
        num_deals = int(counts[0].sum())
        if num_deals and not self._bar.disable:
            rates = [
                f"{num_cells}: {100 * row[1] / num_deals:.2f} %"
                for num_cells, row in zip(self._cells, counts.tolist(), strict=True)
            ]
            self._bar.set_postfix_str(f"won with cells {', '.join(rates[::-1])}", refresh=False)
