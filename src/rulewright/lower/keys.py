"""Candidates by preferences: is this one better than the best so far?

In:  for each preference, whether less is better; its value in p0, p1, .., that of the best in b0, b1, ..
Out: the test. The first preference that tells two apart decides; equal ones are not better.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ir import nodes as n
from rulewright.lower.writer import const, equal, local


def first_better(lows: Sequence[bool], mine: str = "p", theirs: str = "b") -> n.Expr:
    """Whether the values in p0, p1, .. come before those in b0, b1, .."""
    pairs = [(low, local(f"{mine}{i}"), local(f"{theirs}{i}")) for i, low in enumerate(lows)]
    return decided(pairs)


def decided(pairs: Sequence[tuple[bool, n.Expr, n.Expr]]) -> n.Expr:
    """The same for values that stand anywhere."""
    better: n.Expr = const(0)
    for low, a, b in reversed(pairs):
        wins = n.Binary("<" if low else ">", a, b)
        better = n.Pick(wins, const(1), n.Pick(equal(a, b), better, const(0)))
    return better
