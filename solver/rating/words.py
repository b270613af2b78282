"""Words for scores."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

WORDS: Final = (
    ("gentle", 10.0),
    ("easy", 35.0),
    ("medium", 65.0),
    ("hard", 90.0),
    ("fiendish", 100.0),
)
"""Words for scores, each with the percentile up to which it goes."""


def word_for(score: float) -> str:
    """The word for a score, 0 to 100."""
    return WORDS[int(word_places(np.array([score]))[0])][0]


def word_places(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """For each score the place of its word in `WORDS`."""
    ends = np.array([end for _, end in WORDS[:-1]])
    return np.searchsorted(ends, scores, side="right").astype(np.int64)
