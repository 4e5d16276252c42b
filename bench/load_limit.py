"""How many is the most that holds, found in few tries.

In:  for one number after the other, whether it held.
Out: the largest that did, on a scale in steps of five in a hundred.

First in strides that double, from where it was the last time, then by halving. A shared machine is only ever
slower than it could be: what fails is tried once more before it counts as failed.
"""

from __future__ import annotations

from collections.abc import Iterator

LEAST, STEP = 20, 1.05
STRIDE = 14
"""Steps of the first stride of all: twice as many."""
AGAIN = 3
"""Steps of the first stride from a limit that was found before."""


def scale(most: int) -> list[int]:
    """The numbers that are tried."""
    found, value = list[int](), float(LEAST)
    while value <= most:
        found.append(round(value))
        value *= STEP
    return found


class Limit:
    """The search for one limit."""

    def __init__(self, numbers: list[int], before: int | None = None) -> None:
        """`before`: what was found the last time, to begin with."""
        self.numbers = numbers
        self.low, self.high = -1, len(numbers)
        self.at = min(2 * STRIDE, len(numbers) - 1) if before is None else numbers.index(before)
        self.stride = STRIDE if before is None else AGAIN
        self.failures = 0

    @property
    def over(self) -> bool:
        """Whether it is known."""
        return self.high - self.low == 1

    @property
    def found(self) -> int | None:
        """The largest that held so far."""
        return None if self.low < 0 else self.numbers[self.low]

    @property
    def next(self) -> int:
        """What to try now."""
        return self.numbers[self.at]

    def tell(self, held: bool) -> None:
        """What came of it."""
        if not held:
            self.failures += 1
            if self.failures < 2:
                return
        self.failures = 0
        if held:
            self.low = self.at
        else:
            self.high = self.at
        self.at = self._further()
        self.stride *= 2

    def _further(self) -> int:
        if self.low >= 0 and self.high < len(self.numbers):
            return (self.low + self.high) // 2
        if self.low >= 0:
            return min(self.low + self.stride, len(self.numbers) - 1)
        return max(self.high - self.stride, 0)


def in_turns(limits: list[Limit]) -> Iterator[tuple[int, int]]:
    """Which is to try what, round and round, until all are known."""
    while not all(limit.over for limit in limits):
        for which, limit in enumerate(limits):
            if not limit.over:
                yield which, limit.next
