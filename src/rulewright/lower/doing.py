"""Actions, reactions and cards -> listing and execution.

In:  ActionSym.
Out: for an action A: list_A (its options) and do_A (declare the rest, pay, test, do).
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import FP
from rulewright.lower.legality import Legality
from rulewright.lower.writer import Writer, add, both, const, equal, local, state


class Doing(Legality):
    """Lowers how actions are declared and done."""

    def actions(self) -> None:
        """Code for every action."""
        for a in self.all_actions():
            before = self.c.definition
            self.c.definition = a.definition
            self._legal(a)
            self._requires(a)
            self._lister(a)
            if id(a) in self.company_verb:
                self._lister(a, "among_", self.company_verb[id(a)])
            self._doer(a)
            self.c.definition = before
        for a in self.s.face_actions.values():
            before = self.c.definition
            self.c.definition = a.definition
            self._face(a)
            self.c.definition = before

    def deed_begins(self, w: Writer, a: t.ActionSym, target: n.Expr) -> None:
        """Before an action; made in behaviors.py."""

    def deed_ends(self, w: Writer, a: t.ActionSym, target: n.Expr) -> None:
        """After an action; made in behaviors.py."""

    # ------------------------------------------------------------ listing
    def _lister(self, a: t.ActionSym, prefix: str = "list_", said: int | None = None) -> None:
        """list_A(self): offer the action, once for each first thing it can be declared with."""
        w = Writer(prefix + self.action_name[id(a)], ("self",))
        w.site = self.c.site(a.definition.line.number)
        with w.if_(n.Not(n.Call("legal_" + self.action_name[id(a)], (local("self"),)))):
            w.emit(n.Return(const(0)))
        verb = self.action_verb[id(a)] if said is None else said
        names = self.names(a)
        for name in names:
            w.assign(name, const(-1))
        args = (local("self"), *(local(x) for x in names))
        first = a.declares[0] if a.declares else None
        if first is None or first.path is not None:
            with w.if_(n.Call(self.okay(a, 0), args)):
                self.offer(w, verb, -1, local("self"))
        else:
            self._offer_each(w, a, first, 0, verb, args)
        self.c.add(w.function())

    def _offer_each(
        self,
        w: Writer,
        a: t.ActionSym,
        d: t.Declared,
        k: int,
        verb: int,
        args: tuple[n.Expr, ...],
        following: str = "",
    ) -> None:
        name = self.var(d.name)
        ok = n.Call(following or self.okay(a, k + 1), args)
        if d.type == t.NUMBER:
            w.assign(name, self.number(w, d.low))
            stop = w.temp(self.number(w, d.high), "stop")
            with w.while_(n.Binary("<=", local(name), local(stop))):
                with w.if_(ok):
                    self.offer(w, verb, local(name), local("self"))
                w.assign(name, add(local(name), 1))
            return
        assert d.selector is not None

        def body() -> None:
            w.assign(name, local(self.var(d.selector.it)))  # type: ignore[union-attr]
            with w.if_(ok):
                self.offer(w, verb, local(name), local("self"))

        self.loop(w, d.selector, body)
        if d.orelse:
            w.assign(name, const(-1))
            with w.if_(ok):
                self.offer(w, verb, -1, local("self"))

    # ------------------------------------------------------------ doing
    def _doer(self, a: t.ActionSym) -> None:
        """do_A(self, first): declare what is left, pay, test, do."""
        names = self.names(a)
        w = Writer("do_" + self.action_name[id(a)], ("self", *names), True)
        w.site = self.c.site(a.definition.line.number)
        current = self.l.current[id(a)]
        outer = w.temp(state(current), "outer")
        w.store(current, state(FP))
        args = (local("self"), *(local(x) for x in names))
        for k, d in enumerate(a.declares):
            if d.rest:
                self._declare_rest(w, a, k, args)
            elif k > 0 or d.path is not None:
                self._declare(w, a, d, self.okay(a, k + 1), args)
        with w.while_(const(1)):
            target = self._target(w, a)
            w.event(ev.RULE, local("self"), target)
            if a.limit is not None:
                w.store(add(const(self.limit_slot(a)), local("self")), state(self.l.serial[id(a.limit)]))
            self.block(w, a.lets)
            self.deed_begins(w, a, target)
            self.block(w, a.cost)
            self._body(w, a)
            self.block(w, a.then)
            w.emit(n.Break())
        w.store(current, local(outer))
        w.check()
        self.deed_ends(w, a, target)
        self.c.add(w.function())

    def _target(self, w: Writer, a: t.ActionSym) -> n.Expr:
        return next((local(self.var(p.name)) for p in a.params if p.type == t.ACTOR), const(-1))

    def _body(self, w: Writer, a: t.ActionSym) -> None:
        if a.every is not None:
            it = self.var(a.every.it)

            def one() -> None:
                w.assign("v_target", local(it))
                self._tested(w, a)

            self.each(w, a.every, one)
            return
        self._tested(w, a)

    def _tested(self, w: Writer, a: t.ActionSym) -> None:
        if a.test is None:
            self.block(w, a.do)
            return
        test = self.check(w, a.test)
        with w.nested() as then:
            self.block(w, a.do)
        with w.nested() as orelse:
            self.block(w, a.orelse)
        w.emit(n.If(test, tuple(then), tuple(orelse), w.site))
        w.check()

    def _declare(
        self, w: Writer, a: t.ActionSym, d: t.Declared, following: str, args: tuple[n.Expr, ...]
    ) -> None:
        """Ask for one declared thing."""
        name = self.var(d.name)
        if d.path is not None:
            self._declare_path(w, a, d, following, args)
            return
        label = "{0|" + d.orelse + "}" if d.orelse else "{0}"
        verb = self.c.verb(f"{d.name}: {label}", (d.type,), w.site)
        decider = self.decider(w, None)
        self.ask(w, decider, d.name, lambda c: self._offer_each(c, a, d, 0, verb, args, following))
        w.assign(name, n.Pick(equal(self.chosen(), -1), const(-1), self.chosen(1)))

    def _declare_path(
        self, w: Writer, a: t.ActionSym, d: t.Declared, following: str, args: tuple[n.Expr, ...]
    ) -> None:
        """Step by step; each step is offered only if the path can still be completed."""
        assert d.path is not None
        spec = d.path
        way = self._path_ok(a, d, following)
        w.assign("way", const(1))
        w.assign("at", self._here())
        w.assign("steps", const(0))
        with w.while_(n.Binary("<", local("steps"), self.number(w, spec.most))):

            def listing(c: Writer) -> None:
                c.assign("d", const(0))
                with c.while_(n.Binary("<", local("d"), const(self.l.directions))):
                    c.assign("to", self._step_to(c, spec))
                    with c.if_(n.Binary(">=", local("to"), const(0))):
                        further = add(n.Binary("*", local("way"), const(8)), local("d"))
                        with c.if_(n.Call(way, (*args, further, local("to"), add(local("steps"), 1)))):
                            self.offer(c, self.step_verb, local("to"), local("d"))
                    c.assign("d", add(local("d"), self.step_size()))
                with c.if_(
                    both([n.Binary(">=", local("steps"), self.number(c, spec.least)), self._may_end(c, spec)])
                ):
                    c.assign(self.var(d.name), local("way"))
                    with c.if_(n.Call(following, args)):
                        self.offer(c, self.stop_verb)

            self.ask(w, self.decider(w, None), d.name, listing)
            w.emit(n.If(n.Binary("!=", self.chosen(), const(self.step_verb)), (n.Break(),)))
            w.assign("way", add(n.Binary("*", local("way"), const(8)), self.chosen(2)))
            w.assign("at", self.chosen(1))
            w.assign("steps", add(local("steps"), 1))
        w.assign(self.var(d.name), local("way"))

    def _declare_rest(self, w: Writer, a: t.ActionSym, k: int, args: tuple[n.Expr, ...]) -> None:
        printed = w.temp(self.face(local(self.card_of(a))), "face")
        for index, face in self.s.face_actions.items():
            if not face.declares or not self.fits(a, face):
                continue
            with w.if_(equal(local(printed), index)):
                for j, d in enumerate(face.declares):
                    self._declare(w, a, d, self.okay(a, k, face, j + 1), args)

    # ------------------------------------------------------------ cards
    def _face(self, a: t.ActionSym) -> None:
        """The text of a printed card: do_F(self, card, declared...)."""
        w = Writer("do_" + self.action_name[id(a)], ("self", "v_card", *self.names(a)))
        w.site = self.c.site(a.definition.line.number)
        self.block(w, a.cost)
        self._tested(w, a)
        self.block(w, a.then)
        self.c.add(w.function())
