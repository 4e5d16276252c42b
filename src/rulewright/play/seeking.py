"""Many cells at once, in Python.

In:  the slots of a state, the cells of work memory.
Out: the instructions `seek` and its kin, and `fill`, as the reference engine runs them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import eq, gt, ne

from rulewright.ir.program import HEADER


def filler(work: list[int]) -> Callable[[int, int, int], int]:
    """`fill`; see `ir.subset`."""

    def fill(start: int, count: int, value: int) -> int:
        if count > 0:
            if start < 0 or start + count > len(work):
                raise IndexError(f"cells {start} to {start + count - 1}")
            work[start : start + count] = [value] * count
        return 0

    return fill


def seekers(slots: Sequence[int]) -> dict[str, Callable[..., int]]:
    """Each by its name; see `ir.subset`."""

    def row(base: int, first: int, end: int) -> range:
        """The places to look at, after the whole row was checked to be one."""
        if end > 0 and (base < HEADER or base + end > len(slots)):
            raise IndexError(f"cells {base} to {base + end - 1}")
        return range(first, end) if first >= 0 else range(0)

    asked = (eq, ne, gt)

    def seeker(holds: Callable[[int, int], bool]) -> Callable[[int, int, int, int], int]:
        def found(base: int, first: int, end: int, value: int) -> int:
            return next((i for i in row(base, first, end) if holds(slots[base + i], value)), end)

        return found

    def seek(base: int, first: int, end: int, value: int) -> int:
        places = row(base, first, end)
        try:
            return slots.index(value, base + places.start, base + places.stop) - base
        except ValueError:
            return end

    def seek_either(base: int, first: int, end: int, value: int, other: int) -> int:
        return next((i for i in row(base, first, end) if slots[base + i] in (value, other)), end)

    def seek_both(base: int, first: int, end: int, value: int, second: int, other: int, kinds: int) -> int:
        row(second, first, end)
        one, two = asked[kinds // 3], asked[kinds % 3]
        places = row(base, first, end)
        return next((i for i in places if one(slots[base + i], value) and two(slots[second + i], other)), end)

    return {
        "seek": seek,
        "seek_not": seeker(ne),
        "seek_over": seeker(gt),
        "seek_either": seek_either,
        "seek_both": seek_both,
    }
