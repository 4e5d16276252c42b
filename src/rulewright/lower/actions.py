"""Where actions are performed and offered: perform, act, window.

In:  statements of a book that name an action, or let somebody choose one.
Out: calls of do_A, and the loops that list what is legal, ask, and dispatch.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.lower.doing import Doing
from rulewright.lower.writer import Writer, both, const, equal, local, state


class Actions(Doing):
    """Lowers the statements about actions."""

    def perform(self, w: Writer, s: t.Perform) -> None:
        """Perform a card's text, or an action if it is legal."""
        if s.card is not None:
            self._perform_card(w, s)
            return
        assert s.action is not None
        legal = self.can(w, s)
        a = s.action
        names = self.names(a)
        on = self.thing(w, s.on) if s.on is not None else const(-1)
        target = w.temp(on, "target")
        with w.if_(legal):
            values = [local(target) if i == self._target_index(a) else const(-1) for i in range(len(names))]
            w.call("do_" + self.action_name[id(a)], local("self"), *values)
            w.check()

    def _target_index(self, a: t.ActionSym) -> int:
        if not a.declares or a.declares[0].type == t.NUMBER:
            return -1
        return 0

    def can(self, w: Writer, s: t.Perform) -> n.Expr:
        """Is the action legal now, on this target if one is named?"""
        if s.action is None:
            return const(1)
        return self._possible(w, local("self"), s.action, self.thing(w, s.on) if s.on is not None else None)

    def can_perform(self, w: Writer, actor: Any, action: t.ActionSym, target: Any) -> n.Expr:
        """`X can perform A on Y`"""
        return self._possible(
            w, self.thing(w, actor), action, self.thing(w, target) if target is not None else None
        )

    def _possible(self, w: Writer, actor: n.Expr, a: t.ActionSym, target: n.Expr | None) -> n.Expr:
        names = self.names(a)
        legal = n.Call("legal_" + self.action_name[id(a)], (actor,))
        if target is None or not a.declares:
            return both([legal, n.Call(self.okay(a, 0), (actor, *(const(-1) for _ in names)))])
        who = w.temp(actor, "who")
        on = w.temp(target, "on")

        def build(c: Writer) -> None:
            c.assign("self", local(who))
            for name in names:
                c.assign(name, const(-1))
            d = a.declares[0]
            args = (local("self"), *(local(x) for x in names))
            if d.selector is not None:

                def body() -> None:
                    c.assign(self.var(d.name), local(self.var(d.selector.it)))  # type: ignore[union-attr]
                    it_is = n.Binary("==", local(self.var(d.name)), local(on))
                    with c.if_(it_is), c.if_(n.Call(self.okay(a, 1), args)):
                        c.emit(n.Return(const(1)))

                self.loop(c, d.selector, body)
            c.emit(n.Return(const(0)))

        return both([legal, n.Binary(">=", local(on), const(0)), self.c.closure("can", build, w.site)])

    def _perform_card(self, w: Writer, s: t.Perform) -> None:
        card = w.temp(self.thing(w, s.card), "card")
        printed = w.temp(
            self.face(local(card)) if s.card is not None and s.card.type == t.CARD else local(card), "face"
        )
        owner = self._running(w)
        action = next((a for a in self.s.actions.values() if w.name == "do_" + self.action_name[id(a)]), None)
        for index, face in self.s.face_actions.items():
            if not self.fits(action, face):
                continue
            with w.if_(equal(local(printed), index)):
                w.emit(
                    n.Do(
                        n.Call(
                            "emit",
                            (
                                const(ev.RULE),
                                const(self.c.site(face.definition.line.number, face.definition)),
                                local("self"),
                                const(-1),
                                const(0),
                                const(0),
                            ),
                        )
                    )
                )
                values = [self._declared_value(owner, name) for name in self.names(face)]
                w.call("do_" + self.action_name[id(face)], local("self"), local(card), *values)
                w.check()
        w.check()

    def _running(self, w: Writer) -> set[str]:
        return {
            self.var(p.name)
            for a in self.s.actions.values()
            for p in a.params
            if w.name == "do_" + self.action_name[id(a)]
        }

    def _declared_value(self, owner: set[str], name: str) -> n.Expr:
        return local(name) if name in owner else const(-1)

    # ------------------------------------------------------------ offering
    def act(self, w: Writer, s: t.Act) -> None:
        """Offer actions until the actor passes; a strategy acts on its own."""
        left = w.temp(self.number(w, s.times) if s.times is not None else const(1), "left")
        endless = s.how == "pass"
        offered = (
            [s.only]
            if s.only is not None
            else [a for a in self.all_actions() if a.kind in ("Action", "Offer")]
        )
        if s.by is None:
            seat = w.temp(self.decider(w, None).seat, "seat")
            strategies = any(x.strategy for x in self.s.templates.values()) or bool(
                self.s.strategies or self.s.frameworks
            )
            if strategies:
                with w.if_(n.Binary("<", local(seat), const(0))):
                    w.call("strategy", local("self"))
                    w.check()
                    w.assign(left, const(0))
        if endless and s.times is None:
            w.assign(left, n.Pick(local(left), const(1), const(0)))
        with w.while_(n.Binary(">", local(left), const(0))):
            if not endless:
                w.assign(left, n.Binary("-", local(left), const(1)))
            if s.while_ is not None:
                w.emit(n.If(n.Not(self.check(w, s.while_)), (n.Break(w.site),), (), w.site))

            def listing(c: Writer) -> None:
                if s.by is not None:
                    self.loop(c, s.by, lambda: self._offer_all(c, s, offered, self.var(s.by.it)))  # type: ignore[union-attr]
                else:
                    self._offer_all(c, s, offered, "self")
                if s.pass_:
                    self.offer(c, self.pass_verb)

            self.ask(w, self.decider(w, self._first_by(s)), "act", listing)
            verb = w.temp(self.chosen(), "verb")
            with w.if_(n.Binary("|", equal(local(verb), self.pass_verb), equal(local(verb), -1))):
                w.emit(n.Break(w.site))
            self.dispatch(w, offered, verb)
        w.check()

    def _first_by(self, s: t.Act) -> Any:
        return t.TSelect(s.by, t.ACTOR) if s.by is not None else None

    def _offer_all(self, c: Writer, s: t.Act, offered: list[t.ActionSym], actor: str) -> None:
        for a in offered:
            several = s.by is not None and id(a) in self.company_verb
            c.call(("among_" if several else "list_") + self.action_name[id(a)], local(actor))

    def dispatch(self, w: Writer, offered: list[t.ActionSym], verb: str) -> None:
        """Run the action that was chosen."""
        thing = w.temp(self.chosen(1), "thing")
        actor = w.temp(self.chosen(2), "actor")
        for a in offered:
            names = self.names(a)
            chosen = equal(local(verb), self.action_verb[id(a)])
            if id(a) in self.company_verb:
                chosen = n.Binary("|", chosen, equal(local(verb), self.company_verb[id(a)]))
            with w.if_(chosen):
                values: list[n.Expr] = [const(-1)] * len(names)
                if a.declares and a.declares[0].path is None and names:
                    values[0] = local(thing)
                w.call("do_" + self.action_name[id(a)], local(actor), *values)
        w.check()

    def window(self, w: Writer, s: t.Window) -> None:
        """Ask each in turn for reactions, until it declines."""
        number = self.s.windows[s.name]
        offered = [a for a in self.s.actions.values() if a.kind == "Reaction" and s.name in a.windows]
        if not offered:
            return
        outer = w.temp(state(self.l.window), "outer")
        for who in s.who:
            if isinstance(who, t.Selector):
                self.each(
                    w, who, lambda x=who: self._open(w, t.TLocal(x.it, t.ACTOR), number, offered, outer)
                )
            else:
                self._open(w, who, number, offered, outer)
        w.check()

    def _open(self, w: Writer, who: Any, number: int, offered: list[t.ActionSym], outer: str) -> None:
        actor = w.temp(self.thing(w, who), "asked")
        with w.if_(
            both(
                [
                    n.Binary(">=", local(actor), const(0)),
                    n.Call("cell", (const(self.l.base["!in play"]), local(actor), const(0))),
                ]
            )
        ):
            with w.while_(const(1)):
                w.store(self.l.window, number)

                def listing(c: Writer) -> None:
                    for a in offered:
                        c.call("list_" + self.action_name[id(a)], local(actor))
                    with c.if_(n.Binary(">", n.Call("nopt"), const(0))):
                        self.offer(c, self.decline_verb)

                self.ask(w, self.controller(actor), "react", listing)
                verb = w.temp(self.chosen(), "verb")
                with w.if_(n.Binary("|", equal(local(verb), self.decline_verb), equal(local(verb), -1))):
                    w.emit(n.Break(w.site))
                # It stays open while the reaction is declared and done: its card may still ask for something.
                self.dispatch(w, offered, verb)
            w.store(self.l.window, local(outer))
            w.check()
