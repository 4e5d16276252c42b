"""Actions, reactions and cards -> legality, listing, execution.

In:  ActionSym.
Out: for an action A: ok_A_k (can the declaration be completed from here?), list_A (its options),
     do_A (declare the rest, pay, test, do), and the loops that offer actions: act and window.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.book.walk import mentions, nodes
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import FP
from rulewright.lower.statements import Statements
from rulewright.lower.writer import Writer, add, both, const, equal, local, state


class Actions(Statements):
    """Lowers actions."""

    def prepare_actions(self) -> None:
        """Names and verbs of all actions."""
        self.action_name: dict[int, str] = {}
        self.action_verb: dict[int, int] = {}
        for a in (*self.all_actions(), *self.s.face_actions.values()):
            self.action_name[id(a)] = self.c.fresh("a_" + self.clean(norm(a.name)))
        self.pass_verb = self.c.verb("pass")
        self.decline_verb = self.c.verb("decline")
        self.step_verb = self.c.verb("step to {0}", (t.SPACE,))
        self.stop_verb = self.c.verb("stop here")
        for a in self.all_actions():
            first = a.declares[0] if a.declares else None
            site = self.c.site(a.definition.line.number, a.definition)
            if first is None or first.path is not None:
                self.action_verb[id(a)] = self.c.verb(a.name, (), site)
            elif first.orelse:
                self.action_verb[id(a)] = self.c.verb(f"{a.name}: {{0|{first.orelse}}}", (first.type,), site)
            else:
                self.action_verb[id(a)] = self.c.verb(f"{a.name}: {{0}}", (first.type,), site)

    def prepare_company(self) -> None:
        """Verbs that name the actor, if somewhere several actors choose together."""
        self.company_verb = {}
        together = any(
            isinstance(x, t.Act) and x.by is not None for tree in self.trees() for x in nodes(tree)
        )
        for a in self.all_actions() if together and self.s.frameworks else ():
            first = a.declares[0] if a.declares and a.declares[0].path is None else None
            site = self.c.site(a.definition.line.number, a.definition)
            text = f"{{1}}: {a.name}" + (": {0}" if first is not None else "")
            self.company_verb[id(a)] = self.c.verb(
                text, (first.type if first is not None else t.ACTOR, t.ACTOR), site
            )

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

    def all_actions(self) -> list[t.ActionSym]:
        """Every action; a framework adds what features offer."""
        return list(self.s.actions.values())

    def deed_begins(self, w: Writer, a: t.ActionSym, target: n.Expr) -> None:
        """Before an action; made in behaviors.py."""

    def deed_ends(self, w: Writer, a: t.ActionSym, target: n.Expr) -> None:
        """After an action; made in behaviors.py."""

    # ------------------------------------------------------------ names
    def names(self, a: t.ActionSym) -> list[str]:
        """The locals of what an action declares."""
        return [self.var(p.name) for p in a.params]

    # ------------------------------------------------------------ legality
    def _legal(self, a: t.ActionSym) -> None:
        """legal_A(self): may this actor think of it at all? Ownership, limit, window, bans."""
        w = Writer("legal_" + self.action_name[id(a)], ("self",))
        w.site = self.c.site(a.definition.line.number)
        owned = [
            k for k, tpl in self.s.templates.items() if any(norm(x) == norm(a.name) for x in tpl.actions)
        ]
        if a.offered is not None:
            with w.if_(n.Not(n.Call(self.bears(a.offered), (local("self"),)))):
                w.emit(n.Return(const(0)))
        elif (owned or self.s.owned) and norm(a.name) not in self.common | self.s.common:
            values = [
                1 if any(self.l.is_a(actor.template, k) for k in owned) else 0 for actor in self.s.actors
            ]
            at = self.l.table(f"owns {norm(a.name)}", values)
            with w.if_(equal(n.Load("K", add(const(at), local("self"))), 0)):
                w.emit(n.Return(const(0)))
        if a.limit is not None:
            used = self.limit_slot(a)
            now = state(self.l.serial[id(a.limit)])
            with w.if_(
                n.Binary(
                    "&",
                    n.Binary("==", state(add(const(used), local("self"))), now),
                    n.Binary(">", now, const(0)),
                )
            ):
                w.emit(n.Return(const(0)))
        for rules, forbid in self.bans(a):
            if forbid.where is None:
                with w.if_(n.Call(self.bears(rules), (local("self"),))):
                    w.emit(n.Return(const(0)))
        if a.windows and a.kind == "Reaction":
            with w.if_(n.Not(self._window_open(a))):
                w.emit(n.Return(const(0)))
        if a.trigger is not None and not self._speaks_of(a, a.trigger):
            with w.if_(n.Not(self.check(w, a.trigger))):
                w.emit(n.Return(const(0)))
        w.emit(n.Return(const(1)))
        self.c.add(w.function())

    def _window_open(self, a: t.ActionSym) -> n.Expr:
        """Is one of the windows open that it waits for?"""
        made: n.Expr = const(0)
        for name in a.windows:
            made = n.Pick(equal(state(self.l.window), self.s.windows.get(name, -2)), const(1), made)
        return made

    def fits(self, a: t.ActionSym | None, face: t.ActionSym) -> bool:
        """Can the action be taken with this printed card? One with a Trigger waits for a window."""
        if a is None or not any(f.windows for f in self.s.face_actions.values()):
            return True
        return bool({*face.windows} & {*a.windows}) if a.kind == "Reaction" else not face.windows

    common: frozenset[str] = frozenset()

    def _speaks_of(self, a: t.ActionSym, check: Any) -> bool:
        return any(mentions(check, norm(p.name).lower()) for p in a.params)

    def limit_slot(self, a: t.ActionSym) -> int:
        """Where the serial number of the last use is kept, one an actor."""
        key = id(a)
        if key not in self.limits:
            self.limits[key] = self.l.slots(self.l.actors)
        return self.limits[key]

    limits: dict[int, int]

    def bans(self, a: t.ActionSym) -> list[tuple[t.Rules, t.Forbid]]:
        """What forbids the action."""
        key = norm(a.name)
        return [(r, f) for r in self.s.rules for f in r.forbids if f.action in ("*", key)]

    def _requires(self, a: t.ActionSym) -> None:
        """req_A(self, declared...): the whole declaration is legal and payable."""
        w = Writer("req_" + self.action_name[id(a)], ("self", *self.names(a)))
        w.site = self.c.site(a.definition.line.number)
        self.block(w, a.lets)
        tests: list[n.Expr] = []
        if a.requires is not None:
            tests.append(self.check(w, a.requires))
        if a.trigger is not None and self._speaks_of(a, a.trigger):
            tests.append(self.check(w, a.trigger))
        if self.s.frameworks:
            w.assign("v_action", const(a.index))
        for rules, forbid in self.bans(a):
            if forbid.where is not None:
                tests.append(
                    n.Not(both([n.Call(self.bears(rules), (local("self"),)), self.check(w, forbid.where)]))
                )
        w.emit(n.Return(n.Pick(both(tests), const(1), const(0))))
        self.c.add(w.function())

    def okay(self, a: t.ActionSym, k: int, face: t.ActionSym | None = None, j: int = 0) -> str:
        """ok function: the first k declarations (and j of the card's own) are made; can the rest be?"""
        tail = f"_{k}" if face is None else f"_{k}_{self.action_name[id(face)]}_{j}"
        name = "ok_" + self.action_name[id(a)] + tail
        if name in self.c.functions:
            return name
        names = self.names(a)
        params = ("self", *names)
        self.c.functions[name] = n.Function(name, params, ())
        w = Writer(name, params)
        w.site = self.c.site(a.definition.line.number)
        args = tuple(local(p) for p in params)
        declared = face.declares if face is not None else a.declares
        at = j if face is not None else k
        if at >= len(declared):
            if face is not None:
                before = self.c.definition
                self.c.definition = face.definition
                for test in (face.requires, face.trigger):
                    if test is not None:
                        with w.if_(n.Not(self.check(w, test))):
                            w.emit(n.Return(const(0)))
                if face.windows:
                    with w.if_(n.Not(self._window_open(face))):
                        w.emit(n.Return(const(0)))
                self.c.definition = before
                w.emit(n.Return(n.Call(self.okay(a, k + 1), args)))
            else:
                w.emit(n.Return(n.Call("req_" + self.action_name[id(a)], args)))
        elif declared[at].rest:
            self._rest(w, a, k, args)
        else:
            following = self.okay(a, k + 1) if face is None else self.okay(a, k, face, j + 1)
            self._some(w, a, declared[at], following, args)
        self.c.functions[name] = w.function()
        return name

    def _rest(self, w: Writer, a: t.ActionSym, k: int, args: tuple[n.Expr, ...]) -> None:
        """The chosen card's own declarations come here."""
        printed = w.temp(self.face(local(self.card_of(a))), "face")
        for index, face in self.s.face_actions.items():
            with w.if_(equal(local(printed), index)):
                w.emit(n.Return(n.Call(self.okay(a, k, face, 0), args) if self.fits(a, face) else const(0)))
        w.emit(n.Return(n.Call(self.okay(a, k + 1), args)))

    def card_of(self, a: t.ActionSym) -> str:
        """The declared card of an action."""
        return next((self.var(p.name) for p in a.params if p.type == t.CARD), "v_card")

    def _some(
        self, w: Writer, a: t.ActionSym, d: t.Declared, following: str, args: tuple[n.Expr, ...]
    ) -> None:
        """Is there a value for this declaration with which the rest can be completed?"""
        name = self.var(d.name)
        call = n.Call(following, args)
        if d.path is not None:
            w.emit(
                n.Return(n.Call(self._path_ok(a, d, following), (*args, const(1), self._here(), const(0))))
            )
            return
        if d.type == t.NUMBER:
            w.assign(name, self.number(w, d.low))
            stop = w.temp(self.number(w, d.high), "stop")
            with w.while_(n.Binary("<=", local(name), local(stop))):
                with w.if_(call):
                    w.emit(n.Return(const(1)))
                w.assign(name, add(local(name), 1))
            w.emit(n.Return(const(0)))
            return
        assert d.selector is not None

        def body() -> None:
            w.assign(name, local(self.var(d.selector.it)))  # type: ignore[union-attr]
            with w.if_(call):
                w.emit(n.Return(const(1)))

        self.loop(w, d.selector, body)
        if d.orelse:
            w.assign(name, const(-1))
            with w.if_(call):
                w.emit(n.Return(const(1)))
        w.emit(n.Return(const(0)))

    def _here(self) -> n.Expr:
        return n.Call("cell", (const(self.l.base["!place"]), local("self"), const(-1)))

    def _path_ok(self, a: t.ActionSym, d: t.Declared, following: str) -> str:
        """Can the path be completed from here? Looks ahead step by step."""
        assert d.path is not None
        name = f"way_{following}"
        if name in self.c.functions:
            return name
        names = self.names(a)
        params = ("self", *names, "way", "at", "steps")
        self.c.functions[name] = n.Function(name, params, ())
        w = Writer(name, params)
        w.site = self.c.site(a.definition.line.number)
        args = tuple(local(p) for p in params[:-3])
        with w.if_(
            both([n.Binary(">=", local("steps"), self.number(w, d.path.least)), self._may_end(w, d.path)])
        ):
            w.assign(self.var(d.name), local("way"))
            with w.if_(n.Call(following, args)):
                w.emit(n.Return(const(1)))
        with w.if_(n.Binary(">=", local("steps"), self.number(w, d.path.most))):
            w.emit(n.Return(const(0)))
        w.assign("d", const(0))
        with w.while_(n.Binary("<", local("d"), const(self.l.directions))):
            w.assign("to", self._step_to(w, d.path))
            with w.if_(n.Binary(">=", local("to"), const(0))):
                further = add(n.Binary("*", local("way"), const(8)), local("d"))
                with w.if_(n.Call(name, (*args, further, local("to"), add(local("steps"), 1)))):
                    w.emit(n.Return(const(1)))
            w.assign("d", add(local("d"), self.step_size()))
        w.emit(n.Return(const(0)))
        self.c.functions[name] = w.function()
        return name

    def _may_end(self, w: Writer, path: t.PathSpec) -> n.Expr:
        if path.ending is None:
            return const(1)
        w.assign(self.var(path.it), local("at"))
        return self.check(w, path.ending)

    def _step_to(self, w: Writer, path: t.PathSpec) -> n.Expr:
        """The space one step on in direction d, or -1 when that step is not allowed."""

        def build(c: Writer) -> None:
            c.assign(self.var(path.it), self.neighbour(local("at"), local("d")))
            c.assign("v_from", local("at"))
            bad = n.Binary("<", local(self.var(path.it)), const(0))
            if path.straight:
                turned = n.Pick(
                    n.Binary(">", local("way"), const(1)),
                    n.Binary("!=", n.Binary("%", local("way"), const(8)), local("d")),
                    const(0),
                )
                bad = n.Pick(bad, const(1), turned)
            with c.if_(bad):
                c.emit(n.Return(const(-1)))
            if path.through is not None:
                with c.if_(n.Not(self.check(c, path.through))):
                    c.emit(n.Return(const(-1)))
            c.emit(n.Return(local(self.var(path.it))))

        return self.c.closure("step", build, w.site)

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
        seat = self.decider(w, None)
        if d.path is not None:
            self._declare_path(w, a, d, following, args)
            return
        label = "{0|" + d.orelse + "}" if d.orelse else "{0}"
        verb = self.c.verb(f"{d.name}: {label}", (d.type,), w.site)
        self.ask(w, seat, d.name, lambda c: self._offer_each(c, a, d, 0, verb, args, following))
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
            seat = w.temp(self.decider(w, None), "seat")
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

    company_verb: dict[int, int]
    """Where several actors choose together: verbs that say whose action it is."""

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

                self.ask(
                    w,
                    n.Call("cell", (const(self.l.base["!controller"]), local(actor), const(-1))),
                    "react",
                    listing,
                )
                verb = w.temp(self.chosen(), "verb")
                with w.if_(n.Binary("|", equal(local(verb), self.decline_verb), equal(local(verb), -1))):
                    w.emit(n.Break(w.site))
                # It stays open while the reaction is declared and done: its card may still ask for something.
                self.dispatch(w, offered, verb)
            w.store(self.l.window, local(outer))
            w.check()
