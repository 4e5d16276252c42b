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
from rulewright.lower.writer import Writer, call, const, equal, local, present, state


@lowers(STATEMENTS, t.GainFeature)
def gain_feature(b: Builder, w: Writer, s: t.GainFeature) -> None:
    """Of features with one name the newest counts, and begins its time anew; what is had for good stays."""
    actor = w.temp(thing(b, w, s.who), "who")
    with w.if_(present(local(actor))):
        slot = w.temp(_feature_slot(b, w, s.feature, actor), "slot")
        had = w.temp(state(local(slot)), "had")
        timed = w.temp(_forget(b, slot), "timed")
        with w.if_(equal(local(had), 0)):
            changed(b, w)
        w.store(local(slot), 1)
        if s.until is not None:
            with w.if_(n.Pick(local(had), local(timed), const(1))):
                remember(b, w, s.until, s.count, local(slot), const(1), 0, 0, local(actor))


def _forget(b: Builder, slot: str) -> n.Expr:
    """Was it had for a time? Then that time does not count any more."""
    if t.GainFeature not in b.facts.lasting:
        return const(0)
    return call("timed_forget", b.layout.timed, TIMED, local(slot))


@lowers(STATEMENTS, t.LoseFeature)
def lose_feature(b: Builder, w: Writer, s: t.LoseFeature) -> None:
    actor = w.temp(thing(b, w, s.who), "who")
    with w.if_(present(local(actor))):
        slot = w.temp(_feature_slot(b, w, s.feature, actor), "slot")
        with w.if_(state(local(slot))):
            changed(b, w)
        if t.GainFeature in b.facts.lasting:
            w.call("timed_forget", b.layout.timed, TIMED, local(slot))
        w.store(local(slot), 0)


def _feature_slot(b: Builder, w: Writer, feature: Any, actor: str) -> n.Expr:
    if isinstance(feature, str):
        return (b.layout.feature_base + b.symbols.features[feature].index * b.layout.actors) + local(actor)
    number = thing(b, w, feature) * b.layout.actors
    return const(b.layout.feature_base) + number + local(actor)
