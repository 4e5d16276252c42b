"""Features that actors are given and lose -> slots.

In:  statements about features.
Out: code that notes who has what, and until when.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder
from rulewright.lower.changes import remember
from rulewright.lower.dispatch import STATEMENTS, lowers, thing
from rulewright.lower.layout import TIMED
from rulewright.lower.terms import changed
from rulewright.lower.writer import Writer, add, const, equal, local, state


@lowers(STATEMENTS, t.GainFeature)
def gain_feature(b: Builder, w: Writer, s: t.GainFeature) -> None:
    """Of features with one name the newest counts, and begins its time anew."""
    if not b.symbols.frameworks:
        _count_up(b, w, s)
        return
    who, feature, until, count = s.who, s.feature, s.until, s.count
    actor = w.temp(thing(b, w, who), "who")
    with w.if_(n.Binary(">=", local(actor), const(0))):
        slot = w.temp(_feature_slot(b, w, feature, actor), "slot")
        had = w.temp(state(local(slot)), "had")
        timed = w.temp(n.Call("timed_forget", (const(b.layout.timed), const(TIMED), local(slot))), "timed")
        with w.if_(equal(local(had), 0)):
            changed(b, w)
        w.store(local(slot), 1)
        if until is not None:
            with w.if_(n.Pick(local(had), local(timed), const(1))):
                remember(b, w, until, count, local(slot), const(1), 0, 0, local(actor))


def _count_up(b: Builder, w: Writer, s: t.GainFeature) -> None:
    who, until, count = s.who, s.until, s.count
    actor = w.temp(thing(b, w, who), "who")
    with w.if_(n.Binary(">=", local(actor), const(0))):
        slot = _feature_slot(b, w, s.feature, actor)
        w.store(slot, add(state(slot), 1))
        if until is not None:
            remember(b, w, until, count, slot, const(1), 0, 0, local(actor))


@lowers(STATEMENTS, t.LoseFeature)
def lose_feature(b: Builder, w: Writer, s: t.LoseFeature) -> None:
    if not b.symbols.frameworks:
        actor = w.temp(thing(b, w, s.who), "who")
        with w.if_(n.Binary(">=", local(actor), const(0))):
            w.store(_feature_slot(b, w, s.feature, actor), 0)
        return
    actor = w.temp(thing(b, w, s.who), "who")
    with w.if_(n.Binary(">=", local(actor), const(0))):
        slot = w.temp(_feature_slot(b, w, s.feature, actor), "slot")
        with w.if_(state(local(slot))):
            changed(b, w)
        w.call("timed_forget", b.layout.timed, TIMED, local(slot))
        w.store(local(slot), 0)


def _feature_slot(b: Builder, w: Writer, feature: Any, actor: str) -> n.Expr:
    if isinstance(feature, str):
        return add(
            const(b.layout.feature_base + b.symbols.features[feature].index * b.layout.actors), local(actor)
        )
    number = n.Binary("*", thing(b, w, feature), const(b.layout.actors))
    return add(add(const(b.layout.feature_base), number), local(actor))
