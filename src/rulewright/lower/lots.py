"""Drawing lots among those that are equal after every preference.

In:  selectors of books with a framework.
Out: code that finds the best, and rolls for one of them only where something happens.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder, var
from rulewright.lower.dispatch import CHECKS, NUMBERS, THINGS, check, number, row, thing
from rulewright.lower.keys import if_better
from rulewright.lower.selectors import loop, plain_select
from rulewright.lower.writer import Writer, both, call, const, equal, local


def select(b: Builder, w: Writer, s: t.Selector, how: str, value: Any = None) -> n.Expr:
    """A selector; whoever is equal after the preferences may draw lots."""
    if how != "the" or not s.lots:
        return plain_select(b, w, s, how, value)
    orelse = thing(b, w, s.orelse) if s.orelse is not None else None
    quiet = b.quiet
    call = b.closure("s_lots", lambda c: _lots(b, c, s, quiet), w.site)
    if not quiet:
        call = local(w.temp(call, "lot"))
    return call if orelse is None else n.Call("or_else", (call, orelse))


def _lots(b: Builder, c: Writer, s: t.Selector, quiet: bool) -> None:
    it = var(s.it)
    c.assign("any", 0)
    for i in range(len(s.prefs)):
        c.assign(f"b{i}", 0)

    def best() -> None:
        some = local("any")
        if_better(b, c, s.prefs, lambda: c.assign("any", 1), lambda better: n.Pick(some, better, const(1)))

    loop(b, c, s, best)
    c.give_if(equal(local("any"), 0), -1)
    order = s.lots_order
    width = 1 + len(order)
    size = b.layout.count_of(s.type)
    memory = b.memory(size * width)
    c.assign("count", 0)

    def tied() -> None:
        same = [equal(number(b, c, pref.value), local(f"b{i}")) for i, pref in enumerate(s.prefs)]
        with c.if_(both(same)):
            at = memory + local("count") * width
            c.emit(n.Store("W", at, local(it)))
            for k, pref in enumerate(order):
                key = number(b, c, pref.value)
                c.emit(n.Store("W", at + (1 + k), key if pref.low else const(0) - key))
            c.assign("count", local("count") + 1)

    loop(b, c, s, tied)
    if s.lots_for is not None:
        _only(b, c, s, memory, width, it, always=quiet)
    c.give_if(equal(local("count"), 0), -1)
    c.assign("pick", 0)
    if not quiet:
        with c.if_(local("count") > 1):
            c.assign("pick", call("roll", local("count"), c.site) - 1)
    _ranked(c, memory, width)


def _only(b: Builder, c: Writer, s: t.Selector, memory: int, width: int, it: str, always: bool) -> None:
    """Drop those who take no part. A single one needs no look, unless the question is whether it can."""
    with c.if_(const(1) if always else local("count") > 1):
        c.assign("i", 0)
        c.assign("kept", 0)
        with c.counting("i", local("count")):
            row = memory + local("i") * width
            c.assign(it, n.Load("W", row))
            with c.if_(check(b, c, s.lots_for)):
                into = memory + local("kept") * width
                for k in range(width):
                    c.emit(n.Store("W", into + k, n.Load("W", row + k)))
                c.assign("kept", local("kept") + 1)
        c.assign("count", local("kept"))


def _ranked(c: Writer, memory: int, width: int) -> None:
    """The one that has exactly `pick` others before it."""
    c.assign("i", 0)
    with c.counting("i", local("count")):
        c.assign("before", 0)
        c.assign("j", 0)
        with c.counting("j", local("count")):
            sooner: n.Expr = local("j") < local("i")
            for k in reversed(range(1, width)):
                a = n.Load("W", memory + local("j") * width + k)
                b = n.Load("W", memory + local("i") * width + k)
                sooner = n.Pick(a < b, const(1), n.Pick(equal(a, b), sooner, const(0)))
            with c.if_(sooner):
                c.assign("before", local("before") + 1)
        c.give_if(
            equal(local("before"), local("pick")),
            n.Load("W", memory + local("i") * width),
        )
    c.give(-1)


row(CHECKS, t.Exists, lambda b, w, e: select(b, w, e.selector, "some"))
row(NUMBERS, t.Count, lambda b, w, e: select(b, w, e.selector, "count"))
row(NUMBERS, t.Aggregate, lambda b, w, e: select(b, w, e.selector, e.how, e.value))
row(THINGS, t.TSelect, lambda b, w, e: select(b, w, e.selector, "the"))
