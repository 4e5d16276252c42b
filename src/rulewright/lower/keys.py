"""Candidates by preferences: is this one better than the best so far?

In:  for each preference, whether less is better; its value in p0, p1, .., that of the best in b0, b1, ..
     (and what each is divided by, if it is, in q0, q1, .. and c0, c1, ..).
Out: the test, and code that keeps the values of whoever passes it. The first preference that tells two apart
     decides; equal ones are not better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder
from rulewright.lower.dispatch import number
from rulewright.lower.writer import Writer, absent, const, equal, local


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


def no_best_yet(better: n.Expr) -> n.Expr:
    """The first candidate is the best so far, whatever its values are."""
    return n.Pick(absent(local("best")), const(1), better)


def if_better(
    b: Builder,
    w: Writer,
    prefs: Sequence[t.Pref],
    then: Callable[[], None],
    test: Callable[[n.Expr], n.Expr] = no_best_yet,
) -> None:
    """If the candidate at hand is better than the best so far, its values are kept."""
    rows = [(i, pref, pref.per is not None) for i, pref in enumerate(prefs)]
    for i, pref, divided in rows:
        w.assign(f"p{i}", number(b, w, pref.value))
        if divided:
            w.assign(f"q{i}", number(b, w, pref.per))
    pairs: list[tuple[bool, n.Expr, n.Expr]] = []
    for i, pref, divided in rows:
        mine: n.Expr = local(f"p{i}")
        theirs: n.Expr = local(f"b{i}")
        if divided:
            mine, theirs = mine * local(f"c{i}"), theirs * local(f"q{i}")
        pairs.append((pref.low, mine, theirs))
    with w.if_(test(decided(pairs))):
        then()
        for i, _, divided in rows:
            w.assign(f"b{i}", local(f"p{i}"))
            if divided:
                w.assign(f"c{i}", local(f"q{i}"))
