"""What an action would do or cost, told by its text.

In:  checks of strategies: does it run this, does it lower that, can it be paid?
Out: tables over all actions, and a test of the sure costs.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.walk import nodes
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder
from rulewright.lower.dispatch import CHECKS, lowers, number, thing
from rulewright.lower.prices import expanded, taken
from rulewright.lower.writer import Writer, call, const, equal, local


@lowers(CHECKS, t.Runs)
def runs(b: Builder, w: Writer, e: t.Runs) -> n.Expr:
    """Does an action, when it is done, run this component or lower this number of its target?"""
    flags = [1 if _does(a, e) else 0 for a in b.symbols.actions.values()]
    what: Any = -1
    if e.component is not None:
        what = id(e.component)
    elif e.lowers is not None:
        what = b.layout.key(e.lowers)
    at = b.layout.table(f"runs {what} {''.join(map(str, flags))}", flags)
    return call("entry_k", at, thing(b, w, e.action), 0)


def _does(a: t.ActionSym, e: t.Runs) -> bool:
    if e.component is None and e.lowers is None:
        return bool(a.declares)
    for x in expanded([a.do, a.orelse]):
        if e.component is not None and isinstance(x, t.Run) and x.component is e.component:
            return True
        if (
            e.lowers is not None
            and isinstance(x, t.SetNumber)
            and x.op == "-="
            and isinstance(x.target, t.ReadRes)
        ) and (
            x.target.resource is e.lowers
            and x.target.owners
            and isinstance(x.target.owners[0], t.TLocal)
            and x.target.owners[0].name == "target"
        ):
            return True
    return False


@lowers(CHECKS, t.CanPay)
def can_pay(b: Builder, w: Writer, e: t.CanPay) -> n.Expr:
    """Sure costs in `then`, resource by resource, are no more than there is."""
    who, which = w.temp(thing(b, w, e.actor), "who"), w.temp(thing(b, w, e.action), "which")

    def build(c: Writer) -> None:
        c.assign("self", local(who))
        for a in b.symbols.actions.values():
            prices: dict[str, list[t.SetNumber]] = {}
            for x, target in taken(a.then):
                if not any(isinstance(y, t.Dice) for y in nodes(x.value)):
                    prices.setdefault(b.layout.key(target.resource), []).append(x)
            if not prices:
                continue
            with c.if_(equal(local(which), a.index)):
                for rows in prices.values():
                    total: n.Expr = const(0)
                    for x in rows:
                        total = total + number(b, c, x.value)
                    c.give_if(total > number(b, c, rows[0].target))
        c.give(1)

    return b.closure("pays", build, w.site)
