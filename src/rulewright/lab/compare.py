"""Two runs beside each other: what is different, and surely so.

In:  two runs as their JSON has them, of one book or of two versions of it.
Out: `Difference`s: what, how much it was before and is now, and how many standard errors lie between.

Everything that both runs counted is compared at once: points by seat, length, endings, in how many matches
each rule, card and status was met. The limit is set for all of these comparisons together, so that of a
hundred pairs of runs that differ in nothing but their seeds, one may be called different.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

from rulewright.lab.report import Json
from rulewright.native.outer import map as at

FALSE_ALARMS = 0.01
"""How often runs that differ only in their seeds may be called different."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as it was. `share`: whether the numbers are shares of matches."""

    what: str
    before: float
    now: float
    errors: float
    share: bool

    def __str__(self) -> str:
        told = [f"{100 * x:.1f} %" if self.share else f"{x:.2f}" for x in (self.before, self.now)]
        return f"{self.what}: {told[0]} before, {told[1]} now ({self.errors:.1f} standard errors)"


def compare(before: Json, now: Json) -> list[Difference]:
    """What is surely different, the surest first. Raises ValueError for what is not the JSON of a run."""
    try:
        rows = list(_rows(before, now))
    except (KeyError, TypeError, IndexError):
        raise ValueError("these are not two runs") from None
    limit = NormalDist().inv_cdf(1 - FALSE_ALARMS / 2 / max(1, len(rows)))
    found = [row for row in rows if row.errors > limit]
    return sorted(found, key=lambda row: (-row.errors, row.what))


def _rows(before: Json, now: Json) -> Iterator[Difference]:
    """Everything that can be compared."""
    yield _mean("decisions in a match", _length(before), _length(now))
    for old, new in zip(before["by_seat"], now["by_seat"], strict=False):
        pairs = [(row["wins"], max(1, row["matches"])) for row in (old, new)]
        yield _share(f"matches won by seat {new['seat'] + 1}", pairs[0], pairs[1])
    one, other = _counts(before), _counts(now)
    for what in sorted(one.keys() | other.keys()):
        yield _share(what, (one.get(what, 0), _played(before)), (other.get(what, 0), _played(now)))


def _played(run: Json) -> int:
    return max(1, run["matches"] - run["faults"])


def _length(run: Json) -> tuple[float, float, int]:
    return run["decisions"], run["sums"][at.SQUARES], _played(run)


def _counts(run: Json) -> dict[str, int]:
    """In how many matches each thing was met, and how many ended in which way."""
    found = {
        f"matches with {row['kind']} {row['name']}": row["matches"] for row in run["used"] if row["name"]
    }
    found["matches that were drawn"] = run["draws"]
    for row in run["endings"]:
        found[f"matches that ended with {row['ending']}"] = row["matches"]
    return found


def _share(what: str, before: tuple[float, int], now: tuple[float, int]) -> Difference:
    """Two shares, by their pooled standard error."""
    a, b = before[0] / before[1], now[0] / now[1]
    middle = (before[0] + now[0]) / (before[1] + now[1])
    # Half a match is given away on each side: where hardly anything is met the normal law is too sure.
    error = math.sqrt(max(middle * (1 - middle), 1e-9) * (1 / before[1] + 1 / now[1]))
    gap = max(0.0, abs(a - b) - 0.5 / before[1] - 0.5 / now[1])
    return Difference(what, a, b, gap / error, True)


def _mean(what: str, before: tuple[float, float, int], now: tuple[float, float, int]) -> Difference:
    """Two means, by their sums and sums of squares."""
    means: list[float] = []
    error = 0.0
    for total, squares, count in (before, now):
        mean = total / count
        means.append(mean)
        error += max(1e-9, squares / count - mean * mean) / max(1, count - 1)
    return Difference(what, means[0], means[1], abs(means[0] - means[1]) / math.sqrt(error), False)
