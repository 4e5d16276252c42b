"""The best of several candidates: the first preference that tells two apart decides."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.ir.link import blank, link
from rulewright.lower.dispatch import NUMBERS
from rulewright.lower.keys import decided, first_better, if_better
from rulewright.lower.writer import Writer, const, local
from rulewright.play.reference import ReferenceEngine

ROWS = [(3, 5), (2, 9), (3, 7), (3, 7)]


def chosen(lows: tuple[bool, bool], monkeypatch: pytest.MonkeyPatch) -> int:
    """Which of the rows is the best, by code that is run."""
    rows = iter([const(value) for row in ROWS for value in row])
    monkeypatch.setitem(NUMBERS, t.Num, lambda b, w, e: next(rows))
    prefs = [t.Pref(low, t.Num(0)) for low in lows]
    w = Writer("main", (), False, (), count())
    w.assign("best", -1)
    builder: Any = SimpleNamespace()
    for i in range(len(ROWS)):
        if_better(builder, w, prefs, lambda i=i: w.assign("best", i))
    w.store(24, local("best"))
    engine = ReferenceEngine(link(blank("keys", (0,)), {"main": w.function()}))
    engine.start(1, 0, {})
    engine.advance()
    return engine.peek(24)


@pytest.mark.parametrize(
    ("lows", "best"), [((False, False), 2), ((False, True), 0), ((True, False), 1), ((True, True), 1)]
)
def test_the_best_is_found_and_of_equals_the_first(
    lows: tuple[bool, bool], best: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert chosen(lows, monkeypatch) == best


def test_equals_are_not_better() -> None:
    assert first_better([]) == const(0)
    a, b = local("p0"), local("b0")
    assert first_better([True]) == decided([(True, a, b)])
    assert isinstance(first_better([True]), n.Pick)
