"""What lasts for a time, ends, is undone or forgotten.

In:  features, statuses and numbers that are given until a moment; moments as they come.
Out: code that notes what was given, and the functions `expire`, `undo_all`, `leave_timed` and `forget`.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder, identifier
from rulewright.lower.dispatch import STATEMENTS, lowers, thing
from rulewright.lower.facts import Key, moment_key
from rulewright.lower.layout import TIMED
from rulewright.lower.lazy import reset_number
from rulewright.lower.rules import fire
from rulewright.lower.writer import Writer, absent, both, const, equal, local, state


@lowers(STATEMENTS, t.Expire)
def expire(b: Builder, w: Writer, s: t.Expire) -> None:
    """Bring a moment about for somebody: what lasts until then ends."""
    moment, who = s.moment, s.who
    key = moment_key(b.layout, moment)
    if key in b.facts.deadlines:
        expire_at(b, w, key, thing(b, w, who))


@lowers(STATEMENTS, t.UndoAll)
def undo_all(b: Builder, w: Writer, s: t.UndoAll) -> None:
    if b.facts.deadlines:
        w.run("undo_all", w.site)


@lowers(STATEMENTS, t.Forget)
def forget(b: Builder, w: Writer, s: t.Forget) -> None:
    """The actor is as it was printed: numbers, statuses, features."""
    if "forget" not in b.functions:
        _forget_function(b)
    w.call("forget", thing(b, w, s.who))


# ------------------------------------------------------------ what ends
SIZE = 7
"""Slots of one change that waits; see kernels_timed."""


def timed_functions(b: Builder) -> None:
    """expire(deadline, who, site), undo_all(site) and leave_timed(who, site)."""
    if not b.facts.deadlines:
        return
    _undo_one(b)
    entry = local("e")
    whose, left = state(entry + 3), state(entry + 4)
    mine = equal(whose, 0) | equal(whose, local("who") + 1)
    due = both([equal(state(entry + 2), local("deadline") + 1), mine])
    with b.function("expire", ("deadline", "who", "site")) as w, _each_entry(b, w, due):
        w.either(
            left > 1,
            lambda: w.store(entry + 4, left - 1),
            lambda: w.call("undo_one", entry, local("site")),
        )
        w.check()
    waits = state(entry + 2) > 0
    with b.function("undo_all", ("site",)) as w, _each_entry(b, w, waits, backwards=True):
        w.run("undo_one", entry, local("site"))
    # Whoever leaves play has no more moments of its own: what waits for one is taken back.
    mine = both([waits, equal(whose, local("who") + 1)])
    with b.function("leave_timed", ("who", "site")) as w, _each_entry(b, w, mine):
        w.run("undo_one", entry, local("site"))


@contextmanager
def _each_entry(b: Builder, w: Writer, test: n.Expr, backwards: bool = False) -> Generator[None, None, None]:
    """Every change that waits and passes the test, as `e`."""
    at = local("i") * SIZE
    w.assign("i", (TIMED if backwards else 0))
    more = local("i") > 0 if backwards else local("i") < TIMED
    with w.while_(more):
        if backwards:
            w.assign("i", local("i") - 1)
        w.assign("e", const(b.layout.timed) + at)
        if not backwards:
            w.assign("i", local("i") + 1)
        with w.if_(test):
            yield


def _undo_one(b: Builder) -> None:
    """undo_one(e, site): take a change back through the rules for changes, which may set off others."""
    with b.function("undo_one", ("e", "site")) as w:
        w.assign("field", state(local("e") + 6))
        with w.if_(local("field") > 0):
            w.assign("slot", state(local("e")))
            w.assign("amount", state(local("e") + 1))
            w.assign("owner", local("field") // 4096)
            w.assign("which", local("field") % 4096 - 1)
            w.call("timed_clear", local("e"))
            now = state(local("slot")) - local("amount")
            for key in b.facts.timed:
                with w.if_(equal(local("which"), b.layout.field_index[key])):
                    w.run(f"set_{identifier(key)}", local("owner"), now, local("site"))
            w.give(0)
        if b.symbols.statuses:
            _lost(b, w)
        w.call("timed_undo", local("e"))


def _lost(b: Builder, w: Writer) -> None:
    """A status whose time is over is lost like any other: in the log, and to rules that wait for it."""
    with w.if_(absent(local("field"))):
        w.assign("slot", state(local("e")) - b.layout.status_base)
        w.assign("which", local("slot") // (4 * b.layout.actors))
        w.assign("owner", local("slot") // 4 % b.layout.actors)
        w.call("timed_clear", local("e"))
        for key, status in b.symbols.statuses.items():
            with w.if_(equal(local("which"), status.index)):
                w.run(f"lose_{identifier(key)}", local("owner"), local("site"))
        w.give(0)


def _forget_function(b: Builder) -> None:
    """forget(i): an actor as it was printed."""
    with b.function("forget", ("i",)) as w:
        for i, actor in enumerate(b.symbols.actors):
            if not actor.copy:
                continue
            with w.if_(equal(local("i"), i)):
                for key, r in b.symbols.resources.items():
                    if not (r.builtin or r.holds or r.private) and r.of == (t.ACTOR,):
                        reset_number(b, w, key, r, i)
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
        w.give(0)


def at_moment(b: Builder, w: Writer, key: Key, subject: n.Expr) -> None:
    """Hooks first, then what lasts until now ends."""
    if key in b.facts.hooks:
        w.run(fire(b, key), subject)
    if key in b.facts.deadlines:
        expire_at(b, w, key, subject)


def expire_at(b: Builder, w: Writer, key: Key, subject: n.Expr) -> None:
    """What lasts until this moment ends."""
    w.run("expire", b.facts.deadlines[key], subject, w.site)
