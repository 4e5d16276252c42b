"""Deeds with statuses and features -> kernel calls, and what a status does when it comes and goes.

In:  t.Simple about statuses and features; the book's statuses.
Out: for a status S: become_S (unless immune; again by its own rule), lose_S, immune_S.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.lower.cards import Cards
from rulewright.lower.writer import Writer, add, const, equal, local, mul, state


class Statuses(Cards):
    """Lowers statuses."""

    def _x_status(self, w: Writer, s: t.Simple) -> None:
        who, status, stacks, turns, power, by, until, count = s.args
        source = self.thing(w, by) if by is not None else (local("self"))
        args = [
            self.thing(w, who),
            self.number(w, stacks),
            self.number(w, turns),
            self.number(w, power),
            add(source, 1),
            const(w.site),
        ]
        self._of_status(w, "become", status, args)
        w.check()
        if until is not None:
            bearer = self.thing(w, who)
            slot = self.status_slot(w, status, who)
            self._remember(w, until, count, slot, const(1), 0, -1, bearer)

    def _of_status(self, w: Writer, what: str, status: Any, args: list[n.Expr]) -> None:
        """Call the function of a status; which one is seen in play when a thing names it."""
        if isinstance(status, str):
            w.call(f"{what}_{self.clean(status)}", *args)
            return
        which = w.temp(self.thing(w, status), "status")
        values = [local(w.temp(a, "arg")) for a in args]
        for key, symbol in self.s.statuses.items():
            with w.if_(equal(local(which), symbol.index)):
                w.call(f"{what}_{self.clean(key)}", *values)

    def status_functions(self) -> None:
        """become_S(who, stacks, turns, power, source, site) and lose_S(who, site)."""
        for key, status in self.s.statuses.items():
            base = self.l.status_base + status.index * self.l.actors * 4
            w = Writer(f"become_{self.clean(key)}", ("who", "stacks", "turns", "power", "source", "site"))
            gone: n.Expr = n.Binary("<", local("who"), const(0))
            if not self.s.frameworks:  # those say themselves who can be affected: a story goes on off the map
                absent = equal(state(add(const(self.l.base["!in play"]), local("who"))), 0)
                gone = n.Pick(gone, const(1), absent)
            with w.if_(gone):
                w.emit(n.Return(const(0)))
            if status.immune is not None:
                self._immune(key, status.immune)
                with w.if_(n.Call(f"immune_{self.clean(key)}", (local("who"),))):
                    w.emit(n.Return(const(0)))
            w.assign("at", add(const(base), mul(local("who"), 4)))
            w.assign("had", state(add(local("at"), 1)))
            with w.if_(equal(local("had"), 0)):
                self.changed(w)
            self._again(w, status.again, status.stacks)
            w.store(add(local("at"), 3), local("source"))
            event = (
                const(ev.STATUS),
                local("site"),
                const(status.index),
                local("who"),
                state(add(local("at"), 1)),
                state(local("at")),
            )
            w.emit(n.Do(n.Call("emit", event)))
            if ("becomes", key) in self.hooks:
                w.call(self.fire(("becomes", key)), local("who"))
                w.check()
            self.c.add(w.function())
            w = Writer(f"lose_{self.clean(key)}", ("who", "site"))
            with w.if_(n.Binary("<", local("who"), const(0))):
                w.emit(n.Return(const(0)))
            w.assign("at", add(const(base), mul(local("who"), 4)))
            with w.if_(equal(state(add(local("at"), 1)), 0)):
                w.emit(n.Return(const(0)))
            for i in range(4):
                w.store(add(local("at"), i), 0)
            w.emit(
                n.Do(
                    n.Call(
                        "emit",
                        (
                            const(ev.STATUS),
                            local("site"),
                            const(status.index),
                            local("who"),
                            const(0),
                            const(0),
                        ),
                    )
                )
            )
            if ("loses", key) in self.hooks:
                w.call(self.fire(("loses", key)), local("who"))
                w.check()
            self.c.add(w.function())

    def _immune(self, key: str, check: t.Cond_) -> None:
        """immune_S(self): can this actor not come to have it?"""
        w = Writer(f"immune_{self.clean(key)}", ("self",))
        with w.if_(n.Binary("<", local("self"), const(0))):
            w.emit(n.Return(const(1)))
        w.emit(n.Return(n.Pick(self.check(w, check), const(1), const(0))))
        self.c.add(w.function())

    def _again(self, w: Writer, again: str, most: int) -> None:
        """What a second application does."""
        at, had = local("at"), local("had")
        turns, stacks, power = state(at), state(add(at, 1)), state(add(at, 2))
        if again == "refuse":
            with w.if_(had):
                w.emit(n.Return(const(0)))
        longer = n.Call("maximum", (turns, local("turns")))
        match again:
            case "add":
                w.store(add(at, 1), n.Call("minimum", (add(stacks, local("stacks")), const(most))))
                w.store(at, longer)
                w.store(add(at, 2), n.Call("maximum", (power, local("power"))))
            case "stronger":
                stronger = n.Binary(">", local("power"), power)
                w.store(at, n.Pick(n.Pick(had, n.Not(stronger), const(0)), longer, local("turns")))
                w.store(add(at, 2), n.Pick(stronger, local("power"), power))
                w.store(add(at, 1), const(1))
            case "replace":
                w.store(at, local("turns"))
                w.store(add(at, 1), local("stacks"))
                w.store(add(at, 2), local("power"))
            case _:
                w.store(at, longer)
                w.store(
                    add(at, 1),
                    n.Call("minimum", (n.Call("maximum", (stacks, local("stacks"))), const(max(1, most)))),
                )
                w.store(add(at, 2), n.Call("maximum", (power, local("power"))))

    def _x_unstatus(self, w: Writer, s: t.Simple) -> None:
        self._of_status(w, "lose", s.args[1], [self.thing(w, s.args[0]), const(w.site)])
        w.check()

    def _x_cleanse(self, w: Writer, s: t.Simple) -> None:
        who = w.temp(self.thing(w, s.args[0]), "who")
        for key in self.s.statuses:
            w.call(f"lose_{self.clean(key)}", local(who), w.site)
        w.check()

    def _x_gain(self, w: Writer, s: t.Simple) -> None:
        who, key, until, count = s.args
        base = self.l.feature_base + self.s.features[key].index * self.l.actors
        actor = w.temp(self.thing(w, who), "who")
        with w.if_(n.Binary(">=", local(actor), const(0))):
            slot = add(const(base), local(actor))
            w.store(slot, add(state(slot), 1))
            if until is not None:
                self._remember(w, until, count, slot, const(1), 0, 0, local(actor))

    def _x_lose(self, w: Writer, s: t.Simple) -> None:
        base = self.l.feature_base + self.s.features[s.args[1]].index * self.l.actors
        actor = w.temp(self.thing(w, s.args[0]), "who")
        with w.if_(n.Binary(">=", local(actor), const(0))):
            w.store(add(const(base), local(actor)), 0)
