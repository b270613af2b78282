"""How forgiving good play is: at each decision on a way to win, which actions keep the win.

Kernels; `solver.rating.parts` calls them. A *decision* is a closed state on the way: foundation
moves never lose a game, so they are no decisions, and the actions counted are all others, two
places of one kind (two free cells, two empty columns) counting once.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boulanger.engine.packed.bits import popcount
from boulanger.engine.packed.jit import bare_kernel
from boulanger.engine.packed.state import column_masks
from boulanger.solver.optimal.digs import ACTIONS
from boulanger.solver.optimal.steps import play_step
from boulanger.solver.rating.outcomes import decide_state
from boulanger.solver.rating.players import list_steps, num_liked
from boulanger.solver.verdict.decide import NO_LIMIT, UNWINNABLE, WINNABLE

# Columns of what `survey` writes for each decision.
NUM_ACTIONS: Final = 0
NUM_KEEPING: Final = 1
NUM_GREEDY: Final = 2  # actions that the greedy player likes best
NUM_GREEDY_LOSING: Final = 3
NUM_FREE: Final = 4  # free spaces: cells and empty columns
NUM_UNDECIDED: Final = 5  # more than the memory at hand would hold; their verdicts are missing
NUM_FIELDS: Final = 6

_MEASURE: Final = np.int64(ACTIONS)
_NO_LIMIT: Final = np.int64(NO_LIMIT)


@bare_kernel(nogil=True)
def survey(layout, num_cells, words, line, steps, bench, decisions):
    """Goes along a line and looks at every action at each of its decisions.

    Args:
        words: the closed state that the line starts from: cells, bottoms and depths, uint64.
        line: int64 (n, 2), the line's actions but for foundation moves: highest card (bit index)
            and kind of destination.
        steps: int64 (MAX_STEPS, 2), scratch; bench: a `Workbench`.
        decisions: int64 (n, NUM_FIELDS), written.
    """
    cells, bottoms, depths = words
    for i in range(line.shape[0]):
        decisions[i] = 0
        _, _, num_emptied = column_masks(layout, depths)
        decisions[i, NUM_FREE] = num_cells - popcount(cells) + num_emptied - popcount(bottoms)
        end_parent, end_column, count = list_steps(layout, num_cells, cells, bottoms, depths, steps)
        decisions[i, NUM_ACTIONS] = count
        num_greedy = num_liked(end_parent, end_column, count)
        decisions[i, NUM_GREEDY] = num_greedy
        for k in range(count):
            after = play_step(layout, _MEASURE, cells, bottoms, depths, steps[k, 0], steps[k, 1])
            outcome = decide_state(
                bench, layout, num_cells, after[0], after[1], after[2], _NO_LIMIT
            )
            if outcome == WINNABLE:
                decisions[i, NUM_KEEPING] += 1
            elif outcome != UNWINNABLE:
                decisions[i, NUM_UNDECIDED] += 1
            elif k < num_greedy:
                decisions[i, NUM_GREEDY_LOSING] += 1
        cells, bottoms, depths = play_step(
            layout, _MEASURE, cells, bottoms, depths, line[i, 0], line[i, 1]
        )
