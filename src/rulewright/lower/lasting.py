"""What lasts for a time, ends, is undone or forgotten.

In:  features, statuses and numbers that are given until a moment; moments as they come.
Out: code that notes what was given, and the functions `expire`, `undo_all` and `forget`.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.book.walk import nodes
from rulewright.ir import nodes as n
from rulewright.ir.sheet import UNKNOWN
from rulewright.lower import bearing as m_bearing
from rulewright.lower import beginning as m_beginning
from rulewright.lower import changes as m_changes
from rulewright.lower import lazy as m_lazy
from rulewright.lower import rules as m_rules
from rulewright.lower import statuses as m_statuses
from rulewright.lower import terms as m_terms
from rulewright.lower import things as m_things
from rulewright.lower.builder import Builder, Key
from rulewright.lower.layout import TIMED
from rulewright.lower.writer import Writer, add, both, const, equal, local, state


def x_expire(b: Builder, w: Writer, s: t.Simple) -> None:
    """Bring a moment about for somebody: what lasts until then ends."""
    moment, who = s.args
    key = m_bearing.moment_key(b, moment)
    if key in b.deadlines:
        expire_at(b, w, key, m_things.thing(b, w, who))


def x_undo(b: Builder, w: Writer, s: t.Simple) -> None:
    w.call("undo_all", w.site)
    w.check()


def x_forget(b: Builder, w: Writer, s: t.Simple) -> None:
    """The actor is as it was printed: numbers, statuses, features."""
    w.call("forget", m_things.thing(b, w, s.args[0]))


def x_gain(b: Builder, w: Writer, s: t.Simple) -> None:
    """Of features with one name the newest counts, and begins its time anew."""
    if not b.symbols.frameworks:
        m_statuses.plain_x_gain(b, w, s)
        return
    who, feature, until, count = s.args
    actor = w.temp(m_things.thing(b, w, who), "who")
    with w.if_(n.Binary(">=", local(actor), const(0))):
        slot = w.temp(_feature_slot(b, w, feature, actor), "slot")
        had = w.temp(state(local(slot)), "had")
        timed = w.temp(n.Call("timed_forget", (const(b.layout.timed), const(TIMED), local(slot))), "timed")
        with w.if_(equal(local(had), 0)):
            changed(b, w)
        w.store(local(slot), 1)
        if until is not None:
            with w.if_(n.Pick(local(had), local(timed), const(1))):
                m_changes.remember(b, w, until, count, local(slot), const(1), 0, 0, local(actor))


def _feature_slot(b: Builder, w: Writer, feature: Any, actor: str) -> n.Expr:
    if isinstance(feature, str):
        return add(
            const(b.layout.feature_base + b.symbols.features[feature].index * b.layout.actors), local(actor)
        )
    number = n.Binary("*", m_things.thing(b, w, feature), const(b.layout.actors))
    return add(add(const(b.layout.feature_base), number), local(actor))


def x_lose(b: Builder, w: Writer, s: t.Simple) -> None:
    if not b.symbols.frameworks:
        m_statuses.plain_x_lose(b, w, s)
        return
    actor = w.temp(m_things.thing(b, w, s.args[0]), "who")
    with w.if_(n.Binary(">=", local(actor), const(0))):
        slot = w.temp(_feature_slot(b, w, s.args[1], actor), "slot")
        with w.if_(state(local(slot))):
            changed(b, w)
        w.call("timed_forget", b.layout.timed, TIMED, local(slot))
        w.store(local(slot), 0)


def x_status(b: Builder, w: Writer, s: t.Simple) -> None:
    """Given again, a status only changes how long it lasts."""
    if b.symbols.frameworks and isinstance(s.args[1], str):
        who = w.temp(m_things.thing(b, w, s.args[0]), "who")
        base = b.layout.status_base + b.symbols.statuses[s.args[1]].index * b.layout.actors * 4
        with w.if_(n.Binary(">=", local(who), const(0))):
            w.call(
                "timed_forget", b.layout.timed, TIMED, add(const(base), n.Binary("*", local(who), const(4)))
            )
    m_statuses.plain_x_status(b, w, s)


# ------------------------------------------------------------ what ends
def expire_at(b: Builder, w: Writer, key: Key, subject: n.Expr) -> None:
    """What lasts until this moment ends, through the rules for changing numbers."""
    if not b.symbols.frameworks:
        m_rules.plain_expire_at(b, w, key, subject)
        return
    w.call("expire", b.deadlines[key], subject, w.site)
    w.check()


def timed_functions(b: Builder) -> None:
    """expire(deadline, who, site) and undo_all(site)."""
    if not b.symbols.frameworks:
        return
    timed = sorted({
        b.layout.key(x.target.resource) for tree in m_beginning.trees(b) for x in nodes(tree)
        if isinstance(x, t.SetNumber) and x.until is not None and isinstance(x.target, t.ReadRes)
    })  # fmt: skip
    w = Writer("undo_one", ("e", "site"))
    w.assign("field", state(add(local("e"), 6)))
    with w.if_(n.Binary(">", local("field"), const(0))):
        w.assign("slot", state(local("e")))
        w.assign("amount", state(add(local("e"), 1)))
        w.assign("owner", n.Binary("//", local("field"), const(4096)))
        w.assign("which", n.Binary("-", n.Binary("%", local("field"), const(4096)), const(1)))
        w.call("timed_clear", local("e"))
        for key in timed:
            with w.if_(equal(local("which"), b.layout.field_index[key])):
                w.call(
                    f"set_{m_terms.clean(key)}",
                    local("owner"),
                    n.Binary("-", state(local("slot")), local("amount")),
                    local("site"),
                )
                w.check()
        w.emit(n.Return(const(0)))
    w.call("timed_undo", local("e"), local("site"))
    b.add(w.function())
    size = 7
    w = Writer("expire", ("deadline", "who", "site"))
    w.assign("i", const(0))
    with w.while_(n.Binary("<", local("i"), const(TIMED))):
        w.assign("e", add(const(b.layout.timed), n.Binary("*", local("i"), const(size))))
        w.assign("i", add(local("i"), 1))
        mine = n.Binary(
            "|",
            equal(state(add(local("e"), 3)), 0),
            equal(state(add(local("e"), 3)), add(local("who"), 1)),
        )
        due = both([n.Binary("==", state(add(local("e"), 2)), add(local("deadline"), 1)), mine])
        with w.if_(due):
            left = state(add(local("e"), 4))
            with w.nested() as later:
                w.store(add(local("e"), 4), n.Binary("-", left, const(1)))
            with w.nested() as now:
                w.call("undo_one", local("e"), local("site"))
            w.emit(n.If(n.Binary(">", left, const(1)), tuple(later), tuple(now)))
            w.check()
    b.add(w.function())
    w = Writer("undo_all", ("site",))
    w.assign("i", const(TIMED))
    with w.while_(n.Binary(">", local("i"), const(0))):
        w.assign("i", n.Binary("-", local("i"), const(1)))
        w.assign("e", add(const(b.layout.timed), n.Binary("*", local("i"), const(size))))
        with w.if_(n.Binary(">", state(add(local("e"), 2)), const(0))):
            w.call("undo_one", local("e"), local("site"))
            w.check()
    b.add(w.function())


def forget_function(b: Builder) -> None:
    """forget(i): an actor as it was printed."""
    if not b.symbols.frameworks:
        return
    w = Writer("forget", ("i",))
    for i, actor in enumerate(b.symbols.actors):
        if not actor.copy:
            continue
        with w.if_(equal(local("i"), i)):
            for key, r in b.symbols.resources.items():
                if not (r.builtin or r.holds or r.private) and r.of == (t.ACTOR,):
                    m_lazy.reset_number(b, w, key, r, i)
            given = {
                b.symbols.features[norm(f)].index
                for f in b.symbols.features_of(actor.template)
                if norm(f) in b.symbols.features
            }
            for rules in b.symbols.features.values():
                w.store(
                    b.layout.feature_base + rules.index * b.layout.actors + i,
                    1 if rules.index in given else 0,
                )
            for status in b.symbols.statuses.values():
                for k in range(4):
                    w.store(b.layout.status_base + (status.index * b.layout.actors + i) * 4 + k, 0)
    w.emit(n.Return(const(0)))
    b.add(w.function())


def changed(b: Builder, w: Writer) -> None:
    """Count a change that a strategy may be satisfied by."""
    if b.changes:
        w.store(b.changes, n.Binary("%", add(state(b.changes), 1), const(1 << 30)))


def drop_dependents(b: Builder, w: Writer, key: str) -> None:
    """A maximum that was worked out from this number may have fallen: what is above it drops at once."""
    for other, own in b.dependents.get(key, ()):
        r = b.symbols.resources[other]
        if own and r.of:
            _set_anew(b, w, other, local("i"))
            continue
        k = w.temp(const(0), "k")
        with w.while_(n.Binary("<", local(k), const(m_lazy.count(b, r)))):
            _set_anew(b, w, other, local(k))
            w.assign(k, add(local(k), 1))


def _set_anew(b: Builder, w: Writer, key: str, i: n.Expr) -> None:
    """A known number is set to what it is, which its maximum may now be below."""
    now = state(add(const(b.layout.base[key]), i))
    with w.if_(n.Binary("!=", now, const(UNKNOWN))):
        w.call(f"set_{m_terms.clean(key)}", i, now, local("site"))
