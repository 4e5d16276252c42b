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
from rulewright.lower.bearing import Key
from rulewright.lower.layout import TIMED
from rulewright.lower.lots import Lots
from rulewright.lower.writer import Writer, add, both, const, equal, local, state


class Lasting(Lots):
    """Lowers what ends by itself."""

    changes = 0

    def _x_expire(self, w: Writer, s: t.Simple) -> None:
        """Bring a moment about for somebody: what lasts until then ends."""
        moment, who = s.args
        key = self.moment_key(moment)
        if key in self.deadlines:
            self.expire_at(w, key, self.thing(w, who))

    def _x_undo(self, w: Writer, s: t.Simple) -> None:
        w.call("undo_all", w.site)
        w.check()

    def _x_forget(self, w: Writer, s: t.Simple) -> None:
        """The actor is as it was printed: numbers, statuses, features."""
        w.call("forget", self.thing(w, s.args[0]))

    def _x_gain(self, w: Writer, s: t.Simple) -> None:
        """Of features with one name the newest counts, and begins its time anew."""
        if not self.s.frameworks:
            super()._x_gain(w, s)
            return
        who, feature, until, count = s.args
        actor = w.temp(self.thing(w, who), "who")
        with w.if_(n.Binary(">=", local(actor), const(0))):
            slot = w.temp(self._feature_slot(w, feature, actor), "slot")
            had = w.temp(state(local(slot)), "had")
            timed = w.temp(n.Call("timed_forget", (const(self.l.timed), const(TIMED), local(slot))), "timed")
            with w.if_(equal(local(had), 0)):
                self.changed(w)
            w.store(local(slot), 1)
            if until is not None:
                with w.if_(n.Pick(local(had), local(timed), const(1))):
                    self._remember(w, until, count, local(slot), const(1), 0, 0, local(actor))

    def _feature_slot(self, w: Writer, feature: Any, actor: str) -> n.Expr:
        if isinstance(feature, str):
            return add(
                const(self.l.feature_base + self.s.features[feature].index * self.l.actors), local(actor)
            )
        number = n.Binary("*", self.thing(w, feature), const(self.l.actors))
        return add(add(const(self.l.feature_base), number), local(actor))

    def _x_lose(self, w: Writer, s: t.Simple) -> None:
        if not self.s.frameworks:
            super()._x_lose(w, s)
            return
        actor = w.temp(self.thing(w, s.args[0]), "who")
        with w.if_(n.Binary(">=", local(actor), const(0))):
            slot = w.temp(self._feature_slot(w, s.args[1], actor), "slot")
            with w.if_(state(local(slot))):
                self.changed(w)
            w.call("timed_forget", self.l.timed, TIMED, local(slot))
            w.store(local(slot), 0)

    def _x_status(self, w: Writer, s: t.Simple) -> None:
        """Given again, a status only changes how long it lasts."""
        if self.s.frameworks and isinstance(s.args[1], str):
            who = w.temp(self.thing(w, s.args[0]), "who")
            base = self.l.status_base + self.s.statuses[s.args[1]].index * self.l.actors * 4
            with w.if_(n.Binary(">=", local(who), const(0))):
                w.call(
                    "timed_forget", self.l.timed, TIMED, add(const(base), n.Binary("*", local(who), const(4)))
                )
        super()._x_status(w, s)

    # ------------------------------------------------------------ what ends
    def expire_at(self, w: Writer, key: Key, subject: n.Expr) -> None:
        """What lasts until this moment ends, through the rules for changing numbers."""
        if not self.s.frameworks:
            super().expire_at(w, key, subject)
            return
        w.call("expire", self.deadlines[key], subject, w.site)
        w.check()

    def timed_functions(self) -> None:
        """expire(deadline, who, site) and undo_all(site)."""
        if not self.s.frameworks:
            return
        timed = sorted({
            self.l.key(x.target.resource) for tree in self.trees() for x in nodes(tree)
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
                with w.if_(equal(local("which"), self.l.field_index[key])):
                    w.call(
                        f"set_{self.clean(key)}",
                        local("owner"),
                        n.Binary("-", state(local("slot")), local("amount")),
                        local("site"),
                    )
                    w.check()
            w.emit(n.Return(const(0)))
        w.call("timed_undo", local("e"), local("site"))
        self.c.add(w.function())
        size = 7
        w = Writer("expire", ("deadline", "who", "site"))
        w.assign("i", const(0))
        with w.while_(n.Binary("<", local("i"), const(TIMED))):
            w.assign("e", add(const(self.l.timed), n.Binary("*", local("i"), const(size))))
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
        self.c.add(w.function())
        w = Writer("undo_all", ("site",))
        w.assign("i", const(TIMED))
        with w.while_(n.Binary(">", local("i"), const(0))):
            w.assign("i", n.Binary("-", local("i"), const(1)))
            w.assign("e", add(const(self.l.timed), n.Binary("*", local("i"), const(size))))
            with w.if_(n.Binary(">", state(add(local("e"), 2)), const(0))):
                w.call("undo_one", local("e"), local("site"))
                w.check()
        self.c.add(w.function())

    def forget_function(self) -> None:
        """forget(i): an actor as it was printed."""
        if not self.s.frameworks:
            return
        w = Writer("forget", ("i",))
        for i, actor in enumerate(self.s.actors):
            if not actor.copy:
                continue
            with w.if_(equal(local("i"), i)):
                for key, r in self.s.resources.items():
                    if not (r.builtin or r.holds or r.private) and r.of == (t.ACTOR,):
                        self.reset_number(w, key, r, i)
                given = {
                    self.s.features[norm(f)].index
                    for f in self.s.features_of(actor.template)
                    if norm(f) in self.s.features
                }
                for rules in self.s.features.values():
                    w.store(
                        self.l.feature_base + rules.index * self.l.actors + i,
                        1 if rules.index in given else 0,
                    )
                for status in self.s.statuses.values():
                    for k in range(4):
                        w.store(self.l.status_base + (status.index * self.l.actors + i) * 4 + k, 0)
        w.emit(n.Return(const(0)))
        self.c.add(w.function())

    def changed(self, w: Writer) -> None:
        """Count a change that a strategy may be satisfied by."""
        if self.changes:
            w.store(self.changes, n.Binary("%", add(state(self.changes), 1), const(1 << 30)))

    def drop_dependents(self, w: Writer, key: str) -> None:
        """A maximum that was worked out from this number may have fallen: what is above it drops at once."""
        for other, own in self.dependents.get(key, ()):
            r = self.s.resources[other]
            if own and r.of:
                self._set_anew(w, other, local("i"))
                continue
            k = w.temp(const(0), "k")
            with w.while_(n.Binary("<", local(k), const(self.count(r)))):
                self._set_anew(w, other, local(k))
                w.assign(k, add(local(k), 1))

    def _set_anew(self, w: Writer, key: str, i: n.Expr) -> None:
        """A known number is set to what it is, which its maximum may now be below."""
        now = state(add(const(self.l.base[key]), i))
        with w.if_(n.Binary("!=", now, const(UNKNOWN))):
            w.call(f"set_{self.clean(key)}", i, now, local("site"))
