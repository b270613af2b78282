"""What a player waits for: `python -m benchmarks.hints [--last N]`.

For the first positions of Microsoft deals 1..N with 4 cells, and for positions along random play
from them that keeps the win if there is one: the time of `check`, of `hint`, and of `hint` with
every legal action marked.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

import numpy as np

from boulanger.engine.deals.dealers import MS
from boulanger.engine.position import Position
from boulanger.engine.rules import apply_action
from boulanger.solver.advice.hints import check, hint, mark_actions
from boulanger.solver.optimal.shortest import prepare
from boulanger.solver.result import Verdict

_DEFAULT_LAST = 100
_NUM_CELLS = 4
_MAX_PLAYED = 60


def main() -> None:
    """Prints a line for each question."""
    parser = argparse.ArgumentParser(description="What a player waits for.")
    parser.add_argument("--last", type=int, default=_DEFAULT_LAST, help="last deal (%(default)s)")
    last = parser.parse_args().last
    prepare()
    deals = [Position.from_deal(MS.deal(number), _NUM_CELLS) for number in range(1, last + 1)]
    begun = [_play_at_random(deal, random.Random(seed)) for seed, deal in enumerate(deals)]
    for name, positions in (("first positions", deals), ("positions in play", begun)):
        _report(f"check, {name}", check, positions)
        _report(f"hint, {name}", hint, positions)
        _report(f"hint --all, {name}", _hint_with_marks, positions)


def _hint_with_marks(position: Position) -> None:
    hint(position)
    mark_actions(position, with_distance=True)


def _play_at_random(position: Position, rng: random.Random) -> Position:
    for _ in range(rng.randint(1, _MAX_PLAYED)):
        marked = mark_actions(position)
        if not marked:
            break
        winning = [mark for mark in marked if mark.verdict == Verdict.WINNABLE]
        position = apply_action(position, rng.choice(winning or list(marked)).action)
    return position


def _report(name: str, ask: Callable[[Position], object], positions: list[Position]) -> None:
    seconds = []
    for position in positions:
        started = time.perf_counter()
        ask(position)
        seconds.append(time.perf_counter() - started)
    times = np.array(seconds) * 1000
    print(
        f"{name}: ms: median {np.median(times):.2f}, mean {times.mean():.2f}, "
        f"99 % {np.percentile(times, 99):.1f}, max {times.max():.1f}"
    )


if __name__ == "__main__":
    main()
