"""Plain deeds -> kernel calls: places, spaces, walking, control.

In:  t.Simple.
Out: kernel calls; enter, which puts an actor on a space with all that this sets off.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import UNWIND
from rulewright.lower.layout import TIMED
from rulewright.lower.statuses import Statuses
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, state


class Deeds(Statuses):
    """Lowers plain deeds."""

    def _x_place(self, w: Writer, s: t.Simple) -> None:
        self.many(w, s.args[0], lambda who: self.move_to(w, who, self.as_space(w, s.args[1])))

    def move_to(self, w: Writer, who: n.Expr, space: n.Expr, old: n.Expr | None = None) -> None:
        """Put an actor on a space, with what entering it sets off; `old` is whence, if not from here."""
        actor = w.temp(who, "who")
        here = n.Call("cell", (const(self.l.base["!place"]), local(actor), const(-1)))
        w.call("enter", local(actor), space, here if old is None else old, w.site)
        w.check()

    def enter_function(self) -> None:
        """enter(who, to, old, site)"""
        w = Writer("enter", ("who", "to", "old", "site"))
        with w.if_(n.Binary("<", local("who"), const(0))):
            w.emit(n.Return(const(0)))
        w.store(add(const(self.l.base["!place"]), local("who")), local("to"))
        self.changed(w)
        w.emit(
            n.Do(
                n.Call(
                    "emit",
                    (const(ev.PLACE), local("site"), local("who"), local("old"), local("to"), const(0)),
                )
            )
        )
        if len(self.s.maps) > 1:
            with w.if_(n.Binary(">=", local("to"), const(0))):
                w.store(self.l.map_now, consts(add(const(self.l.tables["map of"]), local("to"))))
        key = ("enters",)
        if key in self.hooks:
            w.assign("subject", local("who"))

            def run(rules: t.Rules, hook: t.Hook, owner: n.Expr) -> None:
                tests: list[n.Expr] = [
                    n.Call(self.bears(rules), (owner,)),
                    n.Binary(">=", local("to"), const(0)),
                ]
                if hook.moment.terrain:
                    number = self.s.terrains.numbers[hook.moment.terrain]
                    tests.append(
                        equal(
                            n.Call("cell", (const(self.l.base["!terrain"]), local("to"), const(-1))), number
                        )
                    )
                with w.if_(both(tests)):
                    w.call(self.hook_function(rules, hook), owner, local("to"), local("old"))
                    w.check()

            self.owners(w, key, run)
        self.c.add(w.function())

    def _x_swap(self, w: Writer, s: t.Simple) -> None:
        a, b = w.temp(self.thing(w, s.args[0]), "a"), w.temp(self.thing(w, s.args[1]), "b")
        place = self.l.base["!place"]
        first = w.temp(n.Call("cell", (const(place), local(a), const(-1))), "first")
        second = w.temp(n.Call("cell", (const(place), local(b), const(-1))), "second")
        with w.if_(both([n.Binary(">=", local(a), const(0)), n.Binary(">=", local(b), const(0))])):
            w.store(add(const(place), local(b)), local(first))
            self.move_to(w, local(a), local(second), local(first))
            self.move_to(w, local(b), local(first), local(second))

    def _x_set_facing(self, w: Writer, s: t.Simple) -> None:
        who = w.temp(self.thing(w, s.args[0]), "who")
        direction = w.temp(self.thing(w, s.args[1]), "dir")
        with w.if_(both([n.Binary(">=", local(who), const(0)), n.Binary(">=", local(direction), const(0))])):
            w.store(add(const(self.l.base["!facing"]), local(who)), local(direction))
            w.event(ev.FACE, local(who), local(direction))

    def _x_set_terrain(self, w: Writer, s: t.Simple) -> None:
        self._x_terrain(w, s)

    def _x_terrain(self, w: Writer, s: t.Simple) -> None:
        space = w.temp(self.thing(w, s.args[0]), "space")
        with w.if_(n.Binary(">=", local(space), const(0))):
            slot = add(const(self.l.base["!terrain"]), local(space))
            old = w.temp(state(slot), "old")
            w.store(slot, self.thing(w, s.args[1]))
            w.event(ev.CHANGE, self.l.field_index["!terrain"], local(space), local(old), state(slot))

    def _x_map(self, w: Writer, s: t.Simple) -> None:
        w.store(self.l.map_now, s.args[0])

    def _x_set_side(self, w: Writer, s: t.Simple) -> None:
        w.store(add(const(self.l.base["!side"]), self.thing(w, s.args[0])), self.thing(w, s.args[1]))

    def _x_walk(self, w: Writer, s: t.Simple) -> None:
        """Step by step: what entering sets off happens before the next step."""
        path = w.temp(self.thing(w, s.args[0]), "path")
        length = w.temp(n.Call("path_length", (local(path),)), "n")
        i = w.temp(const(0), "i")
        with w.while_(n.Binary("<", local(i), local(length))):
            here = n.Call("cell", (const(self.l.base["!place"]), local("self"), const(-1)))
            to = w.temp(self.neighbour(here, n.Call("path_step", (local(path), local(i)))), "to")
            w.assign(i, add(local(i), 1))
            with w.if_(n.Binary("<", local(to), const(0))):
                w.emit(n.Break(w.site))
            if s.args[2] is not None:
                w.assign(self.var(s.args[1]), local(to))
                with w.if_(n.Not(self.check(w, s.args[2]))):
                    w.emit(n.Break(w.site))
            self.move_to(w, local("self"), local(to))
        w.check()

    def _x_put(self, w: Writer, s: t.Simple) -> None:
        def run(who: n.Expr) -> None:
            with w.if_(n.Binary(">=", who, const(0))):
                w.store(add(const(self.l.base["!in play"]), who), 1)
                if s.args[1] is not None:
                    slot = add(const(self.l.base["!place"]), who)
                    w.store(slot, self.as_space(w, s.args[1]))
                    if len(self.s.maps) > 1:
                        with w.if_(n.Binary(">=", state(slot), const(0))):
                            w.store(self.l.map_now, consts(add(const(self.l.tables["map of"]), state(slot))))
                    w.event(ev.PLACE, who, -1, state(slot))
                w.event(ev.PLAY, who, 1)

        self.many(w, s.args[0], run)

    def _x_take(self, w: Writer, s: t.Simple) -> None:
        def run(who: n.Expr) -> None:
            with w.if_(
                both(
                    [
                        n.Binary(">=", who, const(0)),
                        n.Call("cell", (const(self.l.base["!in play"]), who, const(0))),
                    ]
                )
            ):
                w.store(add(const(self.l.base["!in play"]), who), 0)
                w.event(ev.PLAY, who, 0)
                for order in self.l.order_base.values():
                    w.call("order_remove", order, who)
                if self.deadlines:
                    w.call("timed_leave", self.l.timed, TIMED, who, w.site)
                if ("leaves play",) in self.hooks:
                    w.call(self.fire(("leaves play",)), who)
                    w.check()

        self.many(w, s.args[0], run)
        w.check()

    def _x_control(self, w: Writer, s: t.Simple) -> None:
        """Another actor's controller decides for this one."""
        who, whom, until = s.args
        actor = w.temp(self.thing(w, whom), "whom")
        slot = add(const(self.l.base["!controller"]), local(actor))
        old = w.temp(state(slot), "old")
        w.store(slot, self.decider(w, who).seat)
        if until is not None:
            self._remember(w, until, None, slot, n.Binary("-", state(slot), local(old)), -1, 0, local(actor))

    def _x_nothing(self, w: Writer, s: t.Simple) -> None:
        return

    def _x_restart(self, w: Writer, s: t.Simple) -> None:
        """Run the innermost sequence again from its first step with other arguments."""
        sequence, args = s.args
        frame = state(self.l.current[id(sequence)])
        values = [
            w.temp(self.number(w, a) if p.type == t.NUMBER else self.thing(w, a), "arg")
            for p, a in zip(sequence.params, args, strict=False)
        ]
        with w.if_(frame):
            for p, value in zip(sequence.params, values, strict=False):
                w.store(add(frame, self.kept_offset(sequence, p.name)), local(value))
            for p in sequence.keeps:
                w.store(
                    add(frame, self.kept_offset(sequence, p.name)), const(0 if p.type == t.NUMBER else -1)
                )
            w.store(self.l.skip, 0)
            w.store(UNWIND, frame)
        w.check()
