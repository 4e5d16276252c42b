"""How sure a number is: 95 % intervals, and what many comparisons cost.

In:  counts and sums.
Out: (low, high) of each. Shares by Wilson, means by the normal law; `many` widens for many comparisons.
"""

from __future__ import annotations

import math
from statistics import NormalDist

Interval = tuple[float, float]

USUAL = 1.959964


def share(hits: float, total: float, z: float = USUAL) -> Interval:
    """Wilson's interval of a share."""
    if total <= 0:
        return 0.0, 1.0
    p = hits / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(max(0.0, p * (1 - p)) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    # Written out where it touches an end: a rounding error there would set a share apart from itself.
    return (max(0.0, middle - half) if hits > 0 else 0.0), (min(1.0, middle + half) if hits < total else 1.0)


def mean(total: float, squares: float, count: int, z: float = USUAL) -> Interval:
    """The interval of a mean, from a sum and a sum of squares."""
    if count < 2:
        return -math.inf, math.inf
    middle = total / count
    spread = max(0.0, squares / count - middle * middle) * count / (count - 1)
    half = z * math.sqrt(spread / count)
    return middle - half, middle + half


def corrected(comparisons: int) -> float:
    """How many standard errors 95 % are when so many comparisons are made at once (Bonferroni)."""
    return NormalDist().inv_cdf(1 - 0.025 / max(1, comparisons))


def elo(part: float) -> float:
    """A share of points as a difference of ratings; at most 800 either way."""
    part = min(max(part, 0.01), 0.99)
    return -400 * math.log10(1 / part - 1)
