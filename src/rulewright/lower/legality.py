"""Which actions are legal: names and verbs of all actions, and whether a declaration can be completed.

In:  ActionSym.
Out: for an action A: legal_A (may it be begun at all?), req_A (do its requirements hold for what is
     declared?) and ok_A_k (can the declaration be completed from its part k on?).
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.book.walk import mentions, nodes
from rulewright.ir import nodes as n
from rulewright.lower.statements import Statements
from rulewright.lower.writer import Writer, add, both, const, equal, local, state


class Legality(Statements):
    """Lowers what makes an action legal."""

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

    def all_actions(self) -> list[t.ActionSym]:
        """Every action; a framework adds what features offer."""
        return list(self.s.actions.values())

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
    company_verb: dict[int, int]
    """Where several actors choose together: verbs that say whose action it is."""

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
