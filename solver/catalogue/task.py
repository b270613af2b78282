"""What is asked of workers, and what must be the same on all of them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from boulanger.engine.errors import CatalogueError
from boulanger.solver.deals.code_dealer import CodeDealer


class WorkersError(RuntimeError):
    """Workers cannot be reached, keep dying, or are not of this version."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of each deal.

    Attributes:
        cells: numbers of cells, rising.
        max_nodes: for each deal and number of cells; None for no limit.
        rated: the numbers of cells with which winnable deals are rated, rising; each one of `cells`
            and with a model (`solver.rating.model`).
        learned: the learned dealers of the deals; workers need not have their files.

    Raises:
        CatalogueError: if a dealer deals other boards for each number of cells, and there are
            several: no verdict would follow from another.
    """

    cells: tuple[int, ...]
    max_nodes: int | None = None
    rated: tuple[int, ...] = ()
    learned: tuple[CodeDealer, ...] = ()

    def __post_init__(self) -> None:
        if len(self.cells) > 1:
            for dealer in self.learned:
                if dealer.heeds_cells:
                    raise CatalogueError(
                        f"the dealer {dealer.name} deals another board for each number of cells; "
                        f"--cells with one number expected, such as {self.cells[-1]}"
                    )


@dataclass(frozen=True, slots=True)
class Stamp:
    """What must be the same on all workers, for their parts to be the same.

    Attributes:
        boulanger: its version.
        pyarrow: its version, which Parquet files bear.
        search: nodes of some deals; whatever changes the search changes them.
        rating: the rating of a deal; whatever changes ratings changes that. None if none is asked.
    """

    boulanger: str
    pyarrow: str
    search: int
    rating: float | None = None


def own_version() -> str:
    """The version of this program; of a checkout that is not installed, that it is one."""
    try:
        return version("boulanger")
    except PackageNotFoundError:
        return "checkout"


def check_stamp(stamp: Stamp, own: Stamp, worker: str = "a worker") -> None:
    """Makes sure that a worker is of this version.

    Raises:
        WorkersError: names it and says what differs.
    """
    if stamp != own:
        raise WorkersError(
            f"{worker} is of another version than this program: {stamp} there, {own} here"
        )
