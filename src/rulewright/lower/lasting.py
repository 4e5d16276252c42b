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
from rulewright.lower.writer import Writer, absent, add, both, const, equal, local, state


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
        w.call("undo_all", w.site)
        w.check()


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
    whose, left = state(add(entry, 3)), state(add(entry, 4))
    mine = n.Binary("|", equal(whose, 0), equal(whose, add(local("who"), 1)))
    due = both([n.Binary("==", state(add(entry, 2)), add(local("deadline"), 1)), mine])
    w = b.writer("expire", ("deadline", "who", "site"))
    with _each_entry(b, w, due):
        with w.nested() as later:
            w.store(add(entry, 4), n.Binary("-", left, const(1)))
        with w.nested() as now:
            w.call("undo_one", entry, local("site"))
        w.emit(n.If(n.Binary(">", left, const(1)), tuple(later), tuple(now)))
        w.check()
    b.add(w.function())
    waits = n.Binary(">", state(add(entry, 2)), const(0))
    w = b.writer("undo_all", ("site",))  # the newest first
    with _each_entry(b, w, waits, backwards=True):
        w.call("undo_one", entry, local("site"))
        w.check()
    b.add(w.function())
    # Whoever leaves play has no more moments of its own: what waits for one is taken back.
    w = b.writer("leave_timed", ("who", "site"))
    with _each_entry(b, w, both([waits, equal(whose, add(local("who"), 1))])):
        w.call("undo_one", entry, local("site"))
        w.check()
    b.add(w.function())


@contextmanager
def _each_entry(b: Builder, w: Writer, test: n.Expr, backwards: bool = False) -> Generator[None, None, None]:
    """Every change that waits and passes the test, as `e`."""
    at = n.Binary("*", local("i"), const(SIZE))
    w.assign("i", const(TIMED if backwards else 0))
    more = n.Binary(">", local("i"), const(0)) if backwards else n.Binary("<", local("i"), const(TIMED))
    with w.while_(more):
        if backwards:
            w.assign("i", n.Binary("-", local("i"), const(1)))
        w.assign("e", add(const(b.layout.timed), at))
        if not backwards:
            w.assign("i", add(local("i"), 1))
        with w.if_(test):
            yield


def _undo_one(b: Builder) -> None:
    """undo_one(e, site): take a change back through the rules for changes, which may set off others."""
    w = b.writer("undo_one", ("e", "site"))
    w.assign("field", state(add(local("e"), 6)))
    with w.if_(n.Binary(">", local("field"), const(0))):
        w.assign("slot", state(local("e")))
        w.assign("amount", state(add(local("e"), 1)))
        w.assign("owner", n.Binary("//", local("field"), const(4096)))
        w.assign("which", n.Binary("-", n.Binary("%", local("field"), const(4096)), const(1)))
        w.call("timed_clear", local("e"))
        now = n.Binary("-", state(local("slot")), local("amount"))
        for key in b.facts.timed:
            with w.if_(equal(local("which"), b.layout.field_index[key])):
                w.call(f"set_{identifier(key)}", local("owner"), now, local("site"))
                w.check()
        w.emit(n.Return(const(0)))
    if b.symbols.statuses:
        _lost(b, w)
    w.call("timed_undo", local("e"))
    b.add(w.function())


def _lost(b: Builder, w: Writer) -> None:
    """A status whose time is over is lost like any other: in the log, and to rules that wait for it."""
    with w.if_(absent(local("field"))):
        w.assign("slot", n.Binary("-", state(local("e")), const(b.layout.status_base)))
        w.assign("which", n.Binary("//", local("slot"), const(4 * b.layout.actors)))
        w.assign("owner", n.Binary("%", n.Binary("//", local("slot"), const(4)), const(b.layout.actors)))
        w.call("timed_clear", local("e"))
        for key, status in b.symbols.statuses.items():
            with w.if_(equal(local("which"), status.index)):
                w.call(f"lose_{identifier(key)}", local("owner"), local("site"))
                w.check()
        w.emit(n.Return(const(0)))


def _forget_function(b: Builder) -> None:
    """forget(i): an actor as it was printed."""
    w = b.writer("forget", ("i",))
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
    w.emit(n.Return(const(0)))
    b.add(w.function())


def at_moment(b: Builder, w: Writer, key: Key, subject: n.Expr) -> None:
    """Hooks first, then what lasts until now ends."""
    if key in b.facts.hooks:
        w.call(fire(b, key), subject)
        w.check()
    if key in b.facts.deadlines:
        expire_at(b, w, key, subject)


def expire_at(b: Builder, w: Writer, key: Key, subject: n.Expr) -> None:
    """What lasts until this moment ends."""
    w.call("expire", b.facts.deadlines[key], subject, w.site)
    w.check()
