"""What a search found below its root -> what each option promises, which is taken, whether to go on.

In:  lines, sum and squares of each option; which of them the book's strategy takes.
Out: `Worth`s, the one that is taken, and whether the search may stop.

The strategy's own option is left only for one that is better by more than chance explains: among equals the
book's strategy knows best. By the same measure a search stops early: when no other option can still turn out
to be noticeably better than the one that would be taken now, more lines would only cost time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulewright.native.outer.map import ONE
from rulewright.players.ahead import Step

GUARD = 1.0
"""How sure it must be that an option is better than what the strategy takes: 1 allows for the luckiest of
all options that were tried looking better by chance alone."""
SURE = 2.0
"""The same for stopping early: surer, because it is asked again and again."""
SLACK = 0.004
"""What another option may be better by and not be worth looking for."""
POOLED = 8
"""So many lines with the spread of all options are added to each: three wins of three are no certainty."""
FIRST_LOOK, LOOK_AGAIN = 64, 4
"""When it is looked whether a search may stop: after so many lines, then after a fourth more each time."""

Row = tuple[int, int, int, int]
"""An option with its lines, the sum of what they were worth, and of the squares."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What an option promises the one who decides: from 0 to 1, with its standard error."""

    option: int
    lines: int
    mean: float
    error: float
    then: tuple[Step, ...] = ()
    """What is expected to follow."""


def weighed(rows: Sequence[Row], certain: Mapping[int, float] | None = None) -> tuple[Worth, ...]:
    """What the options promise: the most tried first. `certain`: what is known of some for sure."""
    certain = certain or {}
    lines = sum(row[1] for row in rows)
    middle = sum(row[2] for row in rows) / max(1, lines) / ONE
    common = max(1e-4, sum(row[3] for row in rows) / max(1, lines) / ONE - middle * middle)
    found: list[Worth] = []
    for option, visits, total, square in rows:
        mean = total / visits / ONE
        spread = max(0.0, square / visits / ONE - mean * mean)
        spread = (spread * visits + common * POOLED) / (visits + POOLED)
        if option in certain:
            mean, spread = certain[option], 0.0
        found.append(Worth(option, visits, mean, math.sqrt(spread / visits)))
    return tuple(sorted(found, key=lambda worth: (-worth.lines, worth.option)))


def taken(worths: Sequence[Worth], plain: int, guard: float = GUARD) -> Worth:
    """What promises most for sure; but the strategy's own, unless another is surely better than it.

    The most tried is not it: in the last lines another may have turned out to be far better.
    """
    held = next((worth for worth in worths if worth.option == plain), None)
    sure = guard * luck(len(worths))
    if held is None:
        return max(worths, key=lambda worth: worth.mean - sure * worth.error)

    def gain(worth: Worth) -> float:
        return worth.mean - held.mean - sure * math.hypot(worth.error, held.error)

    best = max((worth for worth in worths if worth is not held), key=gain, default=held)
    return best if best is not held and gain(best) > 0 else held


def settled(worths: Sequence[Worth], plain: int, guard: float = GUARD) -> bool:
    """Whether no option can still turn out to be better, by more than SLACK, than the one taken now."""
    best, sure = taken(worths, plain, guard), SURE * luck(len(worths))
    return all(
        worth is best or worth.mean + sure * math.hypot(worth.error, best.error) < best.mean + SLACK
        for worth in worths
    )


def looks(lines: int) -> Iterator[int]:
    """After how many lines to look whether a search of so many may stop; the last is their number."""
    at = FIRST_LOOK
    while at < lines:
        yield at
        at += at // LOOK_AGAIN
    yield lines


def luck(options: int) -> float:
    """How many standard errors the luckiest of so many options is ahead by chance alone."""
    return math.sqrt(2 * math.log(max(2, options)))
