"""Every one of several, in turn.

In:  a selector, or one thing.
Out: a loop that runs a body once for each candidate: as written, by preference, or along a living order.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder, var
from rulewright.lower.dispatch import check, thing
from rulewright.lower.selectors import best, loop
from rulewright.lower.writer import Writer, absent, both, const, consts, equal, local, state


def each(b: Builder, w: Writer, s: t.Selector, body: Callable[[], None]) -> None:
    """Every candidate once: in written order, or by the preference."""
    if s.domain == "order" and s.quantifier == "each" and not s.prefs:
        _live(b, w, s, body)
        return
    if not s.prefs:
        loop(b, w, s, body)
        w.check()
        return
    # One bit a candidate, thirty to a number: a local that outlives a decision has 32 bits.
    count = (b.layout.count_of(s.type) + 29) // 30
    masks = [w.temp(0, "done") for _ in range(count)]
    it = var(s.it)
    with w.while_(const(1)):
        found = _next_best(b, w, s, masks)
        w.assign(it, found)
        w.leave_if(absent(local(it)))
        for k, mask in enumerate(masks):
            bit = consts((b.layout.tables["powers"] - 30 * k) + local(it))
            with w.if_(equal(local(it) // 30, k)) if count > 1 else nullcontext():
                w.assign(mask, local(mask) + bit)
        body()
    w.check()


def _next_best(b: Builder, w: Writer, s: t.Selector, masks: list[str]) -> n.Expr:
    it = local(var(s.it))
    test: n.Expr = const(1)
    for k, mask in reversed(list(enumerate(masks))):
        bit = consts(const(b.layout.tables["powers"] - 30 * k) + it)
        free = equal(local(mask) // bit % 2, 0)
        test = free if len(masks) == 1 else n.Pick(equal(it // 30, k), free, test)

    def build(c: Writer) -> None:
        c.site = w.site
        best(b, c, s, test)

    return b.closure("s_next", build, w.site)


def _live(b: Builder, w: Writer, s: t.Selector, body: Callable[[], None]) -> None:
    """Walk through an order by its cursor, which joining and leaving keep right."""
    base = b.layout.order_base[s.domain_args[0]]
    it = var(s.it)
    saved = w.temp(state(base + 1), "cursor")
    w.store(base + 1, -1)
    with w.while_(state(base + 1) + 1 < state(base)):
        w.store(base + 1, state(base + 1) + 1)
        w.assign(it, state((base + 2) + state(base + 1)))
        tests = [check(b, w, x) for x in s.tests]
        if tests:
            with w.if_(both(tests)):
                body()
        else:
            body()
    w.store(base + 1, local(saved))
    w.check()


def many(b: Builder, w: Writer, what: Any, run: Callable[[n.Expr], None]) -> None:
    """Do it for one thing, or for every one of a selector."""
    if isinstance(what, t.Selector):
        each(b, w, what, lambda: run(local(var(what.it))))
    else:
        run(local(w.temp(thing(b, w, what), "x")))
