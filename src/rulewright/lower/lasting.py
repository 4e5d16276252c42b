"""What lasts for a time, ends, is undone or forgotten.

In:  features, statuses and numbers that are given until a moment; moments as they come.
Out: code that notes what was given, and the functions `expire`, `undo_all` and `forget`.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.book.walk import nodes
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder, Key, identifier
from rulewright.lower.dispatch import SIMPLE, lowers, thing
from rulewright.lower.facts import moment_key, trees
from rulewright.lower.layout import TIMED
from rulewright.lower.lazy import reset_number
from rulewright.lower.rules import fire
from rulewright.lower.writer import Writer, add, both, const, equal, local, state


@lowers(SIMPLE, "expire")
def x_expire(b: Builder, w: Writer, s: t.Simple) -> None:
    """Bring a moment about for somebody: what lasts until then ends."""
    moment, who = s.args
    key = moment_key(b, moment)
    if key in b.deadlines:
        expire_at(b, w, key, thing(b, w, who))


@lowers(SIMPLE, "undo")
def x_undo(b: Builder, w: Writer, s: t.Simple) -> None:
    w.call("undo_all", w.site)
    w.check()


@lowers(SIMPLE, "forget")
def x_forget(b: Builder, w: Writer, s: t.Simple) -> None:
    """The actor is as it was printed: numbers, statuses, features."""
    w.call("forget", thing(b, w, s.args[0]))


# ------------------------------------------------------------ what ends
def timed_functions(b: Builder) -> None:
    """expire(deadline, who, site) and undo_all(site)."""
    if not b.symbols.frameworks:
        return
    timed = sorted({
        b.layout.key(x.target.resource) for tree in trees(b) for x in nodes(tree)
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
                    f"set_{identifier(key)}",
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
    if key in b.hooks:
        w.call(fire(b, key), subject)
        w.check()
    if key in b.deadlines:
        expire_at(b, w, key, subject)


def expire_at(b: Builder, w: Writer, key: Key, subject: n.Expr) -> None:
    """What lasts until this moment ends."""
    if not b.symbols.frameworks:
        w.call("timed_expire", b.layout.timed, TIMED, b.deadlines[key], subject, 0, w.site)
        return
    # Through the rules for changing numbers, which may set off others.
    w.call("expire", b.deadlines[key], subject, w.site)
    w.check()
