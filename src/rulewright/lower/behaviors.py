"""Strategies made of behaviors, actions as things that happen, and what features offer to do.

In:  t.Behaviors; actions of a book with a framework.
Out: pass_S(self), one pass through a strategy that gives 1 when a behavior was satisfied; strategy(self),
     which repeats passes; the hooks before and after any action; targets of an area, fixed at the start.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.lower.bearing import Key
from rulewright.lower.framework import Framework
from rulewright.lower.writer import Writer, add, both, const, equal, local, state

PATIENCE = 100
"""Satisfied behaviors in one turn; then the actor gives up."""


class Behaviors(Framework):
    """Lowers strategies of frameworks."""

    struck = 0

    # ------------------------------------------------------------ strategies
    def framework_strategies(self) -> None:
        """strategy(self): passes until one satisfies nothing."""
        for s in self.s.strategies.values():
            w = Writer(f"pass_{s.index}", ("self",))
            w.site = self.c.site(s.definition.line.number, s.definition)
            before = self.c.definition
            self.c.definition = s.definition
            self.block(w, s.body)
            self.c.definition = before
            w.emit(n.Return(const(0)))
            self.c.add(w.function())
        w = Writer("strategy", ("self",))
        now = self.s.components.get(norm(str(self.s.front.get("strategy", ""))))
        w.assign("left", const(PATIENCE))
        with w.while_(n.Binary(">", local("left"), const(0))):
            w.assign("left", n.Binary("-", local("left"), const(1)))
            w.assign("which", n.Call(self.c.name_of(now), (local("self"),)) if now is not None else const(-1))
            w.assign("got", const(0))
            for s in self.s.strategies.values():
                with w.if_(equal(local("which"), s.index)):
                    w.assign("got", n.Call(f"pass_{s.index}", (local("self"),)))
                    w.check()
            w.check()
            over = n.Pick(
                equal(local("got"), 0),
                const(1),
                equal(state(add(const(self.l.base["!in play"]), local("self"))), 0),
            )
            w.emit(n.If(over, (n.Return(const(0)),)))
        said = self.c.text("{0:Actor} stops: a hundred behaviors in one turn are enough")
        with w.if_(equal(local("left"), 0)):
            w.event(ev.SAY, said, local("self"))
        self.c.add(w.function())

    def behaviors(self, w: Writer, s: t.Behaviors) -> None:
        """Each behavior: when, possible, if, do or else, then; satisfied when something changed."""
        for row in s.rows:
            w.site = self.c.site(row.line)
            if row.target is not None:
                w.assign("v_target", self.thing(w, row.target))
            when = self.check(w, row.when) if row.when is not None else const(1)
            with w.if_(when):
                possible = self.possible(w, [*row.do, *row.then])
                with w.if_(possible):
                    self._behave(w, row)
            w.check()

    def _behave(self, w: Writer, row: t.Behavior) -> None:
        before = w.temp(state(self.changes), "before")
        w.event(ev.SAY, self.c.text(f"{{0:Actor}}: {row.name}"), local("self"))
        test = w.temp(self.truth(self.check(w, row.test)) if row.test is not None else const(1), "met")
        with w.nested() as then:
            self.block(w, row.do)
        with w.nested() as orelse:
            self.block(w, row.orelse)
        w.emit(n.If(local(test), tuple(then), tuple(orelse), w.site))
        w.check()
        self.block(w, row.then)
        w.check()
        with w.if_(both([local(test), n.Binary("!=", state(self.changes), local(before))])):
            w.emit(n.Return(const(1)))

    def possible(self, w: Writer, body: t.Block_) -> n.Expr:
        """Can everything in these statements that may be impossible be done now? Nothing is rolled."""
        if not self.s.frameworks:
            return super().possible(w, body)
        before, self.quiet = self.quiet, True
        try:
            tests = [self._can(w, s) for s in body]
        finally:
            self.quiet = before
        real = [x for x in tests if x != const(1)]
        return both(real) if real else const(1)

    def _can(self, w: Writer, s: Any) -> n.Expr:
        match s:
            case t.Inline(body=body):
                return self.possible(w, body)
            case t.IfStmt(test=test, then=then, orelse=orelse):
                return n.Pick(self.check(w, test), self.possible(w, then), self.possible(w, orelse))
            case t.Perform():
                return self.can(w, s)
            case t.RunStmt(run=t.Run(component=component, args=args, self_=self_)) if (
                component.possible is not None
            ):
                return n.Call(
                    self._possible_function(component), tuple(self.arguments(w, component, self_, args))
                )
            case _:
                return const(1)

    def _possible_function(self, c: t.Component) -> str:
        name = "can_" + self.c.name_of(c)
        if name not in self.c.functions:
            params = ("self", *(self.var(p.name) for p in c.params))
            self.c.functions[name] = n.Function(name, params, ())
            w = Writer(name, params)
            w.emit(n.Return(self.truth(self.check(w, c.possible))))
            self.c.functions[name] = w.function()
        return name

    # ------------------------------------------------------------ performing
    def aimed(self, w: Writer, a: t.ActionSym, on: Any) -> n.Expr:
        """Whom or what an action is done on: an actor's space, when it takes a space."""
        if a.declares and a.declares[0].type == t.SPACE and on.type == t.ACTOR:
            return self.as_space(w, on)
        return self.thing(w, on)

    def perform(self, w: Writer, s: t.Perform) -> None:
        """The target is picked once: picking it may roll."""
        if not self.s.frameworks or s.card is not None or s.action is None:
            super().perform(w, s)
            return
        a = s.action
        target = w.temp(self.aimed(w, a, s.on) if s.on is not None else const(-1), "target")
        legal = self._possible(
            w, local("self"), a, local(target) if s.on is not None and a.declares else None
        )
        with w.if_(legal):
            values = [
                local(target) if i == self._target_index(a) else const(-1) for i in range(len(self.names(a)))
            ]
            w.call("do_" + self.action_name[id(a)], local("self"), *values)
            w.check()

    def can(self, w: Writer, s: t.Perform) -> n.Expr:
        """Is the action legal now, on this target if one is named?"""
        if not self.s.frameworks or s.action is None:
            return super().can(w, s)
        return self._possible(
            w, local("self"), s.action, self.aimed(w, s.action, s.on) if s.on is not None else None
        )

    def can_perform(self, w: Writer, actor: Any, action: t.ActionSym, target: Any) -> n.Expr:
        """`X can perform A on Y`"""
        if not self.s.frameworks or target is None:
            return super().can_perform(w, actor, action, target)
        return self._possible(w, self.thing(w, actor), action, self.aimed(w, action, target))

    # ------------------------------------------------------------ actions
    def all_actions(self) -> list[t.ActionSym]:
        """Actions, and what features offer."""
        return [*self.s.actions.values(), *self.s.offers]

    def deed_begins(self, w: Writer, a: t.ActionSym, target: n.Expr) -> None:
        """Before anything of an action happens."""
        if not self.s.frameworks:
            return
        w.assign("was_aim", state(self.aim))
        w.store(self.aim, target)
        if a.kind != "Offer":
            self._any(w, "before any", a, target)

    def deed_ends(self, w: Writer, a: t.ActionSym, target: n.Expr) -> None:
        """When an action is over."""
        if not self.s.frameworks:
            return
        w.store(self.aim, local("was_aim"))
        if a.kind != "Offer":
            self._any(w, "after any", a, target)

    def _any(self, w: Writer, kind: str, a: t.ActionSym, target: n.Expr) -> None:
        key = (kind,)
        if key not in self.hooks:
            return
        name = "fire_" + self.clean(kind)
        if name not in self.c.functions:
            params = ("subject", "v_action", "v_target")
            self.c.functions[name] = n.Function(name, params, ())
            made = Writer(name, params)
            extra = (local("v_action"), local("v_target"))

            def run(rules: t.Rules, hook: t.Hook, owner: n.Expr) -> None:
                self._run_hook(made, rules, hook, owner, extra)

            self.owners(made, key, run)
            self.c.functions[name] = made.function()
        w.call(name, local("self"), a.index, target)
        w.check()

    def _body(self, w: Writer, a: t.ActionSym) -> None:
        """An area's targets are fixed before the first is struck, and taken in the order of triggers."""
        if a.every is None or not self.s.frameworks:
            super()._body(w, a)
            return
        if not self.struck:
            self.struck = self.l.slots(self.l.actors)
        it = self.var(a.every.it)
        mark = add(const(self.struck), local(it))
        w.assign("k", const(0))
        with w.while_(n.Binary("<", local("k"), const(self.l.actors))):
            w.store(add(const(self.struck), local("k")), 0)
            w.assign("k", add(local("k"), 1))
        self.loop(w, a.every, lambda: w.store(mark, 1))
        name, prefs = self.s.triggers
        chosen = t.Selector("each", "actor", t.ACTOR, name, prefs=prefs)
        who = self.var(name)

        def one() -> None:
            with w.if_(state(add(const(self.struck), local(who)))):
                w.store(add(const(self.struck), local(who)), 0)
                w.assign("v_target", local(who))
                w.store(self.aim, local(who))
                self._tested(w, a)

        self.each(w, chosen, one)

    def _tested(self, w: Writer, a: t.ActionSym) -> None:
        """A framework may have a last word on a test: `tested:` names the component that has it."""
        last = self.s.components.get(norm(str(self.s.front.get("tested", "")))) if self.s.frameworks else None
        if last is None or a.test is None:
            super()._tested(w, a)
            return
        w.store(self.natural, 0)
        w.store(self.natural + 1, 0)
        met = w.temp(self.truth(self.check(w, a.test)), "met")
        w.assign(met, n.Call(self.c.name_of(last), (local("self"), local(met))))
        with w.nested() as then:
            self.block(w, a.do)
        with w.nested() as orelse:
            self.block(w, a.orelse)
        w.emit(n.If(local(met), tuple(then), tuple(orelse), w.site))
        w.check()

    # ------------------------------------------------------------ order of hooks
    def owners(self, w: Writer, key: Key, run: Any) -> None:
        """Nobody's hooks once; the subject's own; then the others' by the framework's order of triggers."""
        if not self.s.frameworks:
            super().owners(w, key, run)
            return
        found = self.hooks[key]
        for rules, hook in found:
            if rules.bearer == "event" or hook.moment.own:
                run(rules, hook, local("subject"))
        free = [(r, h) for r, h in found if r.bearer != "event" and not h.moment.own]
        if not free:
            return
        name, prefs = self.s.triggers
        active = t.Pref(False, t.Truth(t.Same(t.TLocal(name, t.ACTOR), t.TBuiltin("active", t.ACTOR))))
        everybody = t.Selector("each", "actor", t.ACTOR, name, prefs=[active, *prefs])

        def one() -> None:
            for rules, hook in free:
                run(rules, hook, local(self.var(name)))

        self.each(w, everybody, one)

    def active(self) -> n.Expr:
        """Whom the framework's resource `active:` names, or whose turn it is."""
        name = self.s.front.get("active")
        if not self.s.frameworks or not isinstance(name, str):
            return super().active()
        r = self.s.resources_for(True).get(norm(name))
        return state(self.l.base[self.l.key(r)]) if r is not None else super().active()
