"""Confidence intervals for rates."""

from __future__ import annotations

import math
from typing import Final

# The normal distribution has 95 % of its mass between minus and plus this.
Z_95: Final = 1.959963984540054


def wilson_interval(num_hits: int, num_trials: int, z: float = Z_95) -> tuple[float, float] | None:
    """The Wilson score interval of a rate, without a correction for continuity.

    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927),
    209-212: the rates from which the one seen is at most `z` standard deviations away.

    Args:
        num_hits: 0..num_trials.
        num_trials: independent ones, of one unknown rate.
        z: standard deviations; 95 % unless told otherwise.

    Returns:
        The lower and the upper end, both 0..1; None if there were no trials.

    Raises:
        ValueError: if there are more hits than trials, or fewer than none.
    """
    if not 0 <= num_hits <= num_trials:
        raise ValueError(f"{num_hits} hits in {num_trials} trials; 0 to {num_trials} expected")
    if num_trials == 0:
        return None
    rate = num_hits / num_trials
    spread = z * z / num_trials
    centre = rate + spread / 2
    half = z * math.sqrt(rate * (1 - rate) / num_trials + spread / (4 * num_trials))
    # The ends are exact where rounding would leave a trace.
    low = 0.0 if num_hits == 0 else (centre - half) / (1 + spread)
    high = 1.0 if num_hits == num_trials else (centre + half) / (1 + spread)
    return low, high
