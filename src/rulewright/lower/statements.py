"""Statements -> IR statements.

In:  checked blocks.
Out: code in a Writer. Whatever may end a sequence is followed by a mark (see unwind.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import CHOSEN, SEATS, UNWIND
from rulewright.lower.layout import TIMED
from rulewright.lower.rules import Rules
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, mul, state


class Statements(Rules):
    """Lowers bodies."""

    def block(self, w: Writer, body: t.Block_) -> None:
        """A block, statement by statement."""
        for statement in body:
            before = w.site
            line = getattr(statement, "line", 0)
            if line:
                w.site = self.c.site(line)
            self.statement(w, statement)
            w.site = before

    def statement(self, w: Writer, s: t.Stmt_) -> None:
        """One statement."""
        match s:
            case t.SetNumber():
                self._set_number(w, s)
            case t.SetThing():
                self._set_thing(w, s)
            case t.LetTally():
                self._tally(w, s)
            case t.Give(value=value):
                made = self.thing(w, value) if getattr(value, "type", t.NUMBER) != t.NUMBER else self.number(w, value)
                w.emit(n.Return(made, w.site))
            case t.RunStmt(run=run, each=each):
                if each is not None:
                    self.each(w, each, lambda: self._run(w, run))
                else:
                    self._run(w, run)
            case t.Perform():
                self.perform(w, s)
            case t.IfStmt():
                self._if(w, s)
            case t.Repeat():
                self._repeat(w, s)
            case t.ForEach(selector=selector, body=body):
                self.each(w, selector, lambda: self.block(w, body))
            case t.Stop():
                w.emit(n.Break(w.site))
            case t.Choose():
                self._choose(w, s)
            case t.ChooseMany():
                self._choose_many(w, s)
            case t.LetChoose():
                self._let_choose(w, s)
            case t.Window():
                self.window(w, s)
            case t.Act():
                self.act(w, s)
            case t.Simple():
                getattr(self, "_x_" + s.what.replace(" ", "_"))(w, s)
            case t.SortOrder():
                self._sort(w, s)
            case t.EndSeq():
                self._end(w, s)
            case t.Say():
                args = [self._said(w, a) for a in s.args[:3]]
                w.event(ev.SAY, self.c.text(self._say_text(s)), *args)
            case t.FirstPossible():
                self._first_possible(w, s)
            case t.Inline(body=body):
                self.block(w, body)
            case t.EndMatch():
                self._end_match(w, s)
            case _:
                self.more_statement(w, s)

    def more_statement(self, w: Writer, s: Any) -> None:
        """Statements of frameworks; made in lower/framework.py."""
        raise AssertionError(f"no statement: {s}")

    def _say_text(self, s: t.Say) -> str:
        kinds = [getattr(a, "type", t.NUMBER) if not isinstance(a, t.Run) else a.component.gives for a in s.args]
        text = s.text
        for i, kind in enumerate(kinds):
            text = text.replace("{%d}" % i, "{%d:%s}" % (i, kind))
        return text

    def _said(self, w: Writer, a: Any) -> n.Expr:
        return self.thing(w, a) if getattr(a, "type", t.NUMBER) != t.NUMBER else self.number(w, a)

    def _run(self, w: Writer, run: t.Run) -> None:
        args = self.arguments(w, run.component, run.self_, run.args)
        if run.start:
            w.store(self.l.start, run.start)
        w.call(self.c.name_of(run.component), *args)
        w.check()

    # ------------------------------------------------------------ numbers and things
    def _set_number(self, w: Writer, s: t.SetNumber) -> None:
        target = s.target
        if isinstance(target, t.ReadLocal):
            old: n.Expr = local(self.var(target.name))
            w.assign(self.var(target.name), self._applied(w, s.op, old, s.value))
            return
        if isinstance(target, t.ReadKept):
            frame = state(self.l.current[id(target.sequence)])
            slot = add(frame, self.kept_offset(target.sequence, target.name))
            with w.if_(frame):
                w.store(slot, self._applied(w, s.op, state(slot), s.value))
            return
        if isinstance(target, t.StatusNum):
            slot = add(self.status_slot(w, target.status, target.owner), {"Turns": 0, "Stacks": 1, "Power": 2}[target.what])
            at = w.temp(slot, "slot")
            w.store(local(at), n.Call("maximum", (const(0), self._applied(w, s.op, state(local(at)), s.value))))
            return
        self._set_resource(w, s, target)

    def _applied(self, w: Writer, op: str, old: n.Expr, value: Any) -> n.Expr:
        new = self.number(w, value)
        match op:
            case "=":
                return new
            case "+=":
                return add(old, new)
            case "-=":
                return n.Binary("-", old, new)
            case "*=":
                return n.Binary("*", old, new)
            case _:
                return n.Call("div", (old, new))

    def _set_resource(self, w: Writer, s: t.SetNumber, target: t.ReadRes) -> None:
        r = target.resource
        key = self.l.key(r)
        index = w.temp(self.owner_index(w, r, target.owners), "i") if r.of else ""
        where: n.Expr = local(index) if r.of else const(0)
        old = n.Call("cell", (const(self.l.base[key]), where, const(0))) if r.of else state(self.l.base[key])
        if s.until is not None:
            before = w.temp(old, "was")
            old = local(before)
        value = self._applied(w, s.op, old, s.value)
        w.call(f"set_{self.clean(key)}", where, value, w.site)
        w.check()
        if s.until is not None:
            now = n.Call("cell", (const(self.l.base[key]), where, const(0)))
            change = w.temp(n.Binary("-", now, local(before)), "by")
            with w.if_(n.Binary("!=", local(change), const(0))):
                self._remember(w, s.until, s.count, add(const(self.l.base[key]), where), local(change), r.low or 0, self.field_code(key, where), where if r.of[:1] == (t.ACTOR,) else local("self"))

    def field_code(self, key: str, owner: n.Expr) -> n.Expr:
        """The field and its owner in one number, for the log of what ends."""
        return add(const(self.l.field_index[key] + 1), mul(owner, 4096))

    def _remember(
        self, w: Writer, until: t.Moment, count: Any, slot: n.Expr, amount: n.Expr, low: int, field: n.Expr | int, bearer: n.Expr
    ) -> None:
        """Put a change into the pool of what is taken back later."""
        number = self.deadline(until)
        who: n.Expr = const(-1)
        times: n.Expr = const(1)
        if until.own:
            who = bearer if until.which == "count" else local("self")
        if until.which == "next" and until.sequence is not None and until.kind != "start":
            running = state(self.l.current[id(until.sequence)])
            mine: n.Expr = running
            if until.own:
                mine = n.Pick(running, n.Binary("==", state(add(running, 2)), who), const(0))
            if until.kind in ("step", "after step"):
                # In the running one that moment may be over; then the next one to come is meant.
                still = n.Binary("<" if until.kind == "step" else "<=", self.step_now(until.sequence), const(until.step))
                mine = n.Pick(mine, still, const(0))
            times = n.Pick(mine, const(2), const(1))
        if count is not None:
            times = self.number(w, count)
        w.call("timed_add", self.l.timed, TIMED, slot, amount, number, who, times, low, field)

    def setters(self) -> None:
        """set_R(i, value, site) for every resource: range, maximum, log, hooks."""
        for key, r in self.s.resources.items():
            self._setter(key, r)

    def _setter(self, key: str, r: t.Resource) -> None:
        w = Writer(f"set_{self.clean(key)}", ("i", "value", "site"))
        base = self.l.base[key]
        with w.if_(n.Binary("<", local("i"), const(0))):
            w.emit(n.Return(const(0)))
        slot = add(const(base), local("i"))
        w.assign("old", state(slot))
        before, after = ("before change", key), ("change", key)
        subject: n.Expr = local("i")
        if len(r.of) == 2:
            subject = n.Binary("//", local("i"), const(self.l.count_of(r.of[1])))
        w.assign("subject", subject if r.of[:1] == (t.ACTOR,) else const(-1))
        w.assign("asked", n.Binary("-", local("value"), local("old")))
        if before in self.hooks:
            self._change_hooks(w, before)
            w.assign("value", add(local("old"), local("asked")))
        low = r.low if r.low is not None else -(10**9)
        high = r.high if r.high is not None else 10**9
        w.assign("value", n.Call("clamp", (local("value"), const(low), const(high))))
        if r.maximum is not None:
            w.assign("value", n.Call("minimum", (local("value"), n.Call("maximum", (const(low), n.Call(f"max_{self.clean(key)}", (local("i"),)))))))
        w.store(slot, local("value"))
        with w.if_(n.Binary("!=", local("value"), local("old"))):
            args = (const(ev.CHANGE), local("site"), const(self.l.field_index[key]), local("i"), local("old"), local("value"))
            w.emit(n.Do(n.Call("emit", args)))
            if after in self.hooks:
                self._change_hooks(w, after)
        self.c.add(w.function())

    def _change_hooks(self, w: Writer, key: tuple[str, str]) -> None:
        """Hooks of a change; `[Change]` is how far it goes, and a `before` hook may alter it."""

        def run(rules: t.Rules, hook: t.Hook, owner: n.Expr) -> None:
            m = hook.moment
            down = n.Binary("<", local("asked"), const(0))
            tests: list[n.Expr] = []
            if key[0] == "change":
                actual = n.Binary("-", local("value"), local("old"))
                down = n.Binary("<", actual, const(0))
            else:
                actual = local("asked")
            match m.which:
                case "falls":
                    tests.append(down)
                case "rises":
                    tests.append(n.Not(n.Binary("|", self.truth(down), equal(actual, 0))))
                case "reaches":
                    assert m.level is not None
                    level = w.temp(self.number(w, m.level), "level")
                    fell = n.Binary("&", n.Binary(">", local("old"), local(level)), n.Binary("<=", local("value"), local(level)))
                    rose = n.Binary("&", n.Binary("<", local("old"), local(level)), n.Binary(">=", local("value"), local(level)))
                    tests.append(n.Binary("|", fell, rose))
                case _:
                    pass
            tests.append(n.Call(self.bears(rules), (owner,)))
            with w.if_(both(tests)):
                name = self.hook_function(rules, hook)
                size = n.Call("absolute", (actual,))
                wanted = n.Call("absolute", (local("asked"),))
                got = w.temp(n.Call(name, (owner, size, wanted)), "got")
                w.check()
                if key[0] != "change":
                    w.assign("asked", n.Pick(n.Binary("<", local("asked"), const(0)), n.Binary("-", const(0), local(got)), local(got)))

        self.owners(w, key, run)

    def _set_thing(self, w: Writer, s: t.SetThing) -> None:
        value = self.thing(w, s.value)
        match s.target:
            case t.TLocal(name=name):
                w.assign(self.var(name), value)
            case t.TKept(sequence=sequence, name=name):
                frame = state(self.l.current[id(sequence)])
                made = w.temp(value, "new")
                with w.if_(frame):
                    w.store(add(frame, self.kept_offset(sequence, name)), local(made))
            case t.THold(resource=r, owners=owners):
                index = self.owner_index(w, r, owners)
                w.call(f"set_{self.clean(self.l.key(r))}", index, value, w.site)
                w.check()
            case _:
                raise AssertionError(s.target)

    def _tally(self, w: Writer, s: t.LetTally) -> None:
        """Roll so many dice and count the faces."""
        names = self.tally_names(s.local, s.die)
        sides = len(names)
        die = 0 if s.die.startswith("d") else list(self.s.dice).index(s.die) + 1
        for name in names:
            w.assign(name, const(0))
        left = w.temp(self.number(w, s.count), "dice")
        with w.while_(n.Binary(">", local(left), const(0))):
            face = w.temp(n.Call("rnd", (const(sides),)), "face")
            w.event(ev.ROLL, sides, local(face), die)
            for i, name in enumerate(names):
                with w.if_(equal(local(face), i)):
                    w.assign(name, add(local(name), 1))
            w.assign(left, n.Binary("-", local(left), const(1)))

    # ------------------------------------------------------------ control
    def _if(self, w: Writer, s: t.IfStmt) -> None:
        test = self.check(w, s.test)
        with w.nested() as then:
            self.block(w, s.then)
        with w.nested() as orelse:
            self.block(w, s.orelse)
        w.emit(n.If(test, tuple(then), tuple(orelse), w.site))
        w.check()

    def _repeat(self, w: Writer, s: t.Repeat) -> None:
        if s.times is not None:
            left = w.temp(self.number(w, s.times), "left")
            with w.while_(n.Binary(">", local(left), const(0))):
                w.assign(left, n.Binary("-", local(left), const(1)))
                self.block(w, s.body)
        else:
            with w.while_(const(1)):
                test = self.check(w, s.while_)
                w.emit(n.If(n.Not(test), (n.Break(w.site),), (), w.site))
                self.block(w, s.body)
        w.check()

    def each(self, w: Writer, s: t.Selector, body: Callable[[], None]) -> None:
        """Every candidate once: in written order, or by the preference."""
        if s.domain == "order" and s.quantifier == "each" and not s.prefs:
            self._live(w, s, body)
            return
        if not s.prefs:
            self.loop(w, s, body)
            w.check()
            return
        mask = w.temp(const(0), "done")
        it = self.var(s.it)
        with w.while_(const(1)):
            found = self._next_best(w, s, mask)
            w.assign(it, found)
            w.emit(n.If(n.Binary("<", local(it), const(0)), (n.Break(w.site),), (), w.site))
            w.assign(mask, add(local(mask), consts(add(const(self.l.tables["powers"]), local(it)))))
            body()
        w.check()

    def _next_best(self, w: Writer, s: t.Selector, mask: str) -> n.Expr:
        test = equal(n.Binary("%", n.Binary("//", local(mask), consts(add(const(self.l.tables["powers"]), local(self.var(s.it))))), const(2)), 0)

        def build(c: Writer) -> None:
            c.site = w.site
            original = self._noun

            def noun(cw: Writer, cs: t.Selector, it: str) -> n.Expr:
                return both([original(cw, cs, it), test])

            self._noun = noun  # type: ignore[method-assign]
            try:
                self._best(c, s)
            finally:
                self._noun = original  # type: ignore[method-assign]

        return self.c.closure("s_next", build, w.site)

    def _live(self, w: Writer, s: t.Selector, body: Callable[[], None]) -> None:
        """Walk through an order by its cursor, which joining and leaving keep right."""
        base = self.l.order_base[s.domain_args[0]]
        it = self.var(s.it)
        saved = w.temp(state(base + 1), "cursor")
        w.store(base + 1, -1)
        with w.while_(n.Binary("<", add(state(base + 1), 1), state(base))):
            w.store(base + 1, add(state(base + 1), 1))
            w.assign(it, state(add(const(base + 2), state(base + 1))))
            tests = [self.check(w, x) for x in s.tests]
            if tests:
                with w.if_(both(tests)):
                    body()
            else:
                body()
        w.store(base + 1, local(saved))
        w.check()

    def _first_possible(self, w: Writer, s: t.FirstPossible) -> None:
        with w.while_(const(1)):
            for test, body in s.lines:
                legal = self.check(w, test) if test is not None else self.possible(w, body)
                with w.if_(legal):
                    self.block(w, body)
                    w.emit(n.Break(w.site))
            w.emit(n.Break(w.site))
        w.check()

    def possible(self, w: Writer, body: t.Block_) -> n.Expr:
        """Can every `perform` in these statements be done now?"""
        tests = [self.can(w, s) for s in body if isinstance(s, t.Perform)]
        return both(tests) if tests else const(1)

    def can(self, w: Writer, s: t.Perform) -> n.Expr:
        """Made in actions.py."""
        raise NotImplementedError

    def _end(self, w: Writer, s: t.EndSeq) -> None:
        frame = state(self.l.current[id(s.sequence)])
        with w.if_(frame):
            w.store(self.l.skip, -1 if s.step is None else s.step)
            w.store(UNWIND, frame)
        w.check()

    def _end_match(self, w: Writer, s: t.EndMatch) -> None:
        w.store(self.l.result["ending"], s.ending + 1)
        score = self.l.result["score"]
        w.event(ev.END, s.ending, -1)
        if s.everyone:
            value = {"win": 1, "draw": 2, "loss": 0}[s.everyone]
            for seat in range(8):
                w.store(score + seat, value)
        elif s.winner is not None:
            self._scores(w, s.winner, score)
        w.store(UNWIND, -1)
        w.check()

    def _scores(self, w: Writer, winner: t.Thing_, score: int) -> None:
        """The seats of the winner (an actor's side, or a side) win."""
        value = self.thing(w, winner)
        side = w.temp(value if winner.type == t.SIDE else n.Call("cell", (const(self.l.base["!side"]), value, const(-1))), "side")
        for i in range(len(self.s.actors)):
            seat = state(self.l.base["!controller"] + i)
            mine = n.Binary("==", state(self.l.base["!side"] + i), local(side))
            ok = both([n.Binary(">=", seat, const(0)), n.Binary("<", seat, const(8)), mine])
            with w.if_(ok):
                w.store(add(const(score), seat), 1)

    # ------------------------------------------------------------ choices
    def decider(self, w: Writer, by: Any) -> n.Expr:
        """The seat that decides for an actor; -1 when a strategy does."""
        if isinstance(by, t.TBuiltin) and by.what == "seat":
            return self.thing(w, by)
        who = self.thing(w, by) if by is not None else local("self")
        return n.Call("cell", (const(self.l.base["!controller"]), who, const(-1)))

    def ask(self, w: Writer, seat: n.Expr, prompt: str, listing: Callable[[Writer], None]) -> None:
        """Stop for a decision. The listing is a function of its own, so it changes no local here."""
        call = self.c.closure("list", listing, w.site)
        w.emit(n.Ask((n.Do(call, w.site),), seat, const(self.c.prompt(prompt)), w.site))

    def offer(self, c: Writer, verb: int, a: n.Expr | int = -1, b: n.Expr | int = -1, d: n.Expr | int = -1) -> None:
        """Add an option."""
        values = tuple(const(x) if isinstance(x, int) else x for x in (verb, a, b, d))
        c.emit(n.Do(n.Call("opt", values), c.site))

    def chosen(self, part: int = 0) -> n.Expr:
        """Part of the chosen option: 0 the verb, 1 to 3 its things."""
        return state(CHOSEN + part)

    def option_verb(self, w: Writer, option: t.ChoiceOption) -> int:
        """The verb of a line of a choose."""
        if option.selector is None:
            return self.c.verb(option.label, (), w.site)
        label = (option.label or "{it}").replace("{it}", "{0}")
        return self.c.verb(label, (option.selector.type,), w.site)

    def _choose(self, w: Writer, s: t.Choose) -> None:
        verbs = [self.option_verb(w, o) for o in s.options]
        # Lines that read alike are told apart by their number.
        marks = [k if verbs.count(verb) > 1 else -1 for k, verb in enumerate(verbs)]

        def listing(c: Writer) -> None:
            for option, verb, mark in zip(s.options, verbs, marks, strict=True):
                if option.selector is not None:
                    it = local(self.var(option.selector.it))
                    self.loop(c, option.selector, lambda v=verb, i=it, m=mark: self.offer(c, v, i, -1, m))
                elif option.if_ is not None:
                    with c.if_(self.check(c, option.if_)):
                        self.offer(c, verb, -1, -1, mark)
                else:
                    self.offer(c, verb, -1, -1, mark)

        self.ask(w, self.decider(w, s.by), s.prompt, listing)
        verb_now = w.temp(self.chosen(), "verb")
        thing_now = w.temp(self.chosen(1), "it") if any(o.selector for o in s.options) else ""
        mark_now = w.temp(self.chosen(3), "mark") if max(marks) >= 0 else ""
        for option, verb, mark in zip(s.options, verbs, marks, strict=True):
            with w.if_(both([equal(local(verb_now), verb), *([equal(local(mark_now), mark)] if mark >= 0 else [])])):
                if option.selector is not None:
                    w.assign(self.var(option.selector.it), local(thing_now))
                self.block(w, option.body)
        if len(s.options) == 1 and s.options[0].selector is not None and not s.options[0].body:
            with w.if_(equal(local(verb_now), -1)):
                w.assign(self.var(s.options[0].selector.it), const(-1))
        w.check()

    def _choose_many(self, w: Writer, s: t.ChooseMany) -> None:
        it = self.var(s.selector.it)
        label = (s.label or "{it}").replace("{it}", "{0}")
        verb = self.c.verb(label, (s.selector.type,), w.site)
        done = self.c.verb("done", (), 0)
        count = w.temp(const(0), "count")
        most = w.temp(self.number(w, s.most), "most")
        least = w.temp(self.number(w, s.least), "least") if s.least is not None else ""
        masked = s.selector.type not in (t.CARD, t.SPACE)
        mask = w.temp(const(0), "mask") if masked else ""
        with w.while_(n.Binary("<", local(count), local(most))):

            def listing(c: Writer) -> None:
                self.loop(c, s.selector, lambda: self.offer(c, verb, local(it)), mask)
                with c.if_(n.Binary(">=", local(count), local(least)) if least else const(1)):
                    with c.if_(n.Binary(">", n.Call("nopt"), const(0))):
                        self.offer(c, done)

            self.ask(w, self.decider(w, s.by), "", listing)
            w.emit(n.If(n.Binary("!=", self.chosen(), const(verb)), (n.Break(w.site),), (), w.site))
            w.assign(it, self.chosen(1))
            if masked:
                w.assign(mask, add(local(mask), consts(add(const(self.l.tables["powers"]), local(it)))))
            w.assign(count, add(local(count), 1))
            self.block(w, s.body)
        w.check()

    def _let_choose(self, w: Writer, s: t.LetChoose) -> None:
        name = self.var(s.local)
        if s.selector is None:
            verb = self.c.verb("{0}", ("number",), w.site)
            low, high = w.temp(self.number(w, s.low), "low"), w.temp(self.number(w, s.high), "high")

            def numbers(c: Writer) -> None:
                i = c.temp(local(low), "i")
                with c.while_(n.Binary("<=", local(i), local(high))):
                    self.offer(c, verb, local(i))
                    c.assign(i, add(local(i), 1))

            self.ask(w, self.decider(w, s.by), s.local, numbers)
            w.assign(name, n.Pick(equal(self.chosen(), -1), local(low), self.chosen(1)))
            return
        verb = self.c.verb("{0}", (s.selector.type,), w.site)
        it = self.var(s.selector.it)

        def listing(c: Writer) -> None:
            assert s.selector is not None
            self.loop(c, s.selector, lambda: self.offer(c, verb, local(it)))
            if s.orelse:
                self.offer(c, self.c.verb(s.orelse, (), w.site))

        self.ask(w, self.decider(w, s.by), s.local, listing)
        w.assign(name, n.Pick(equal(self.chosen(), verb), self.chosen(1), const(-1)))

    # ------------------------------------------------------------ simple statements
    def many(self, w: Writer, what: Any, run: Callable[[n.Expr], None]) -> None:
        """Do it for one thing, or for every one of a selector."""
        if isinstance(what, t.Selector):
            self.each(w, what, lambda: run(local(self.var(what.it))))
        else:
            run(local(w.temp(self.thing(w, what), "x")))

    def card_tables(self) -> tuple[int, ...]:
        """Arguments that the card kernels share: zone table, zones, faces, cards."""
        count = len(self.l.consts[self.l.tables["zone base"] : self.l.tables["zone cap"]])
        return (self.l.tables["zone base"], count, self.l.base["!face"], self.l.cards)

    def _card_to(self, w: Writer, s: t.Simple, bottom: int) -> None:
        zones, count, face, cards = self.card_tables()

        def run(card: n.Expr) -> None:
            zone = self.zone_number(w, s.args[1], s.args[2])
            w.call("card_move", card, zone, bottom, zones, count, face, cards, self.l.base["!controller"], w.site)

        self.many(w, s.args[0], run)

    def _x_card(self, w: Writer, s: t.Simple) -> None:
        self._card_to(w, s, 0)

    def _x_bottom(self, w: Writer, s: t.Simple) -> None:
        self._card_to(w, s, 1)

    def _x_create(self, w: Writer, s: t.Simple) -> None:
        zones, count, face, cards = self.card_tables()
        owner = self.thing(w, s.args[2]) if s.args[2] is not None else const(-1)
        card = w.temp(n.Call("card_create", (self.thing(w, s.args[0]), owner, const(face), const(cards))), "card")
        w.call("new_card", local(card))
        zone = self.zone_number(w, s.args[1], s.args[2])
        w.call("card_move", local(card), zone, 0, zones, count, face, cards, self.l.base["!controller"], w.site)

    def new_card_function(self) -> None:
        """new_card(card): its numbers start again, whatever the card was before it went back into the box."""
        w = Writer("new_card", ("self",))
        own = {key: r for key, r in self.s.resources.items() if r.of == (t.CARD,)}
        with w.if_(n.Binary("<", local("self"), const(0))):
            w.emit(n.Return(const(0)))
        for key, r in own.items():
            start: n.Expr = const(-1 if r.holds else 0)
            if r.starts is not None:
                start = self.thing(w, r.starts) if r.holds else self.number(w, r.starts)
            w.store(add(const(self.l.base[key]), local("self")), start)
        self.c.add(w.function())

    def _x_destroy(self, w: Writer, s: t.Simple) -> None:
        zones, _, face, cards = self.card_tables()
        self.many(w, s.args[0], lambda card: w.call("card_destroy", card, zones, face, cards, w.site))

    def _x_shuffle(self, w: Writer, s: t.Simple) -> None:
        zones, count, face, cards = self.card_tables()
        w.call("zone_mix", self.zone_number(w, s.args[0], s.args[1]), zones, count, face, cards, w.site)

    def _x_build(self, w: Writer, s: t.Simple) -> None:
        """Create every card of a deck. Copies are tunable numbers."""
        zones, count, face, cards = self.card_tables()
        deck = s.args[2]
        owner = self.thing(w, s.args[1]) if s.args[1] is not None else const(-1)
        who = w.temp(owner, "owner")
        zone = w.temp(self.zone_number(w, s.args[0], s.args[1]), "zone")
        if isinstance(deck, str):
            self._deck(w, self.s.decks[deck], who, zone, (zones, count, face, cards))
            return
        word = w.temp(self.thing(w, deck), "deck")
        table = self.s.list_of(deck.type)
        for i, name in enumerate(table.words if table else ()):
            for form in (norm(name), norm(name + " Deck")):
                if form in self.s.decks:
                    with w.if_(equal(local(word), i)):
                        self._deck(w, self.s.decks[form], who, zone, (zones, count, face, cards))
                    break

    def _deck(self, w: Writer, deck: list[tuple[int, int]], who: str, zone: str, tables: tuple[int, ...]) -> None:
        zones, count, face, cards = tables
        for printed, copies in deck:
            left = w.temp(n.Load("P", const(self.l.number(copies, f"copies of {self.s.faces.words[printed]}"))), "copies")
            with w.while_(n.Binary(">", local(left), const(0))):
                card = w.temp(n.Call("card_create", (const(printed), local(who), const(face), const(cards))), "card")
                w.call("new_card", local(card))
                w.call("card_move", local(card), local(zone), 0, zones, count, face, cards, self.l.base["!controller"], w.site)
                w.assign(left, n.Binary("-", local(left), const(1)))

    def _x_reveal(self, w: Writer, s: t.Simple) -> None:
        _, _, face, cards = self.card_tables()
        seat = const(-1) if s.args[1] is None else self.decider(w, s.args[1])
        self.many(w, s.args[0], lambda card: w.call("card_reveal", card, seat, face, cards, w.site))

    def _x_place(self, w: Writer, s: t.Simple) -> None:
        self.many(w, s.args[0], lambda who: self.move_to(w, who, self.as_space(w, s.args[1])))

    def move_to(self, w: Writer, who: n.Expr, space: n.Expr) -> None:
        """Put an actor on a space, with what entering it sets off."""
        w.call("enter", who, space, w.site)
        w.check()

    def enter_function(self) -> None:
        """enter(who, to, site)"""
        w = Writer("enter", ("who", "to", "site"))
        with w.if_(n.Binary("<", local("who"), const(0))):
            w.emit(n.Return(const(0)))
        slot = add(const(self.l.base["!place"]), local("who"))
        w.assign("old", state(slot))
        w.store(slot, local("to"))
        w.emit(n.Do(n.Call("emit", (const(ev.PLACE), local("site"), local("who"), local("old"), local("to"), const(0)))))
        if len(self.s.maps) > 1:
            with w.if_(n.Binary(">=", local("to"), const(0))):
                w.store(self.l.map_now, consts(add(const(self.l.tables["map of"]), local("to"))))
        key = ("enters",)
        if key in self.hooks:
            w.assign("subject", local("who"))

            def run(rules: t.Rules, hook: t.Hook, owner: n.Expr) -> None:
                tests = [n.Call(self.bears(rules), (owner,)), n.Binary(">=", local("to"), const(0))]
                if hook.moment.terrain:
                    number = next(i for i, x in enumerate(self.s.terrains.words) if norm(x) == hook.moment.terrain)
                    tests.append(equal(n.Call("cell", (const(self.l.base["!terrain"]), local("to"), const(-1))), number))
                with w.if_(both(tests)):
                    w.call(self.hook_function(rules, hook), owner, local("to"))
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
            self.move_to(w, local(a), local(second))
            self.move_to(w, local(b), local(first))

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
            with w.if_(both([n.Binary(">=", who, const(0)), n.Call("cell", (const(self.l.base["!in play"]), who, const(0)))])):
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

    def _x_status(self, w: Writer, s: t.Simple) -> None:
        who, status, stacks, turns, power, by, until, count = s.args
        source = self.thing(w, by) if by is not None else (local("self"))
        args = [self.thing(w, who), self.number(w, stacks), self.number(w, turns), self.number(w, power), add(source, 1), const(w.site)]
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
            gone = n.Pick(n.Binary("<", local("who"), const(0)), const(1), equal(state(add(const(self.l.base["!in play"]), local("who"))), 0))
            with w.if_(gone):
                w.emit(n.Return(const(0)))
            if status.immune is not None:
                self._immune(key, status.immune)
                with w.if_(n.Call(f"immune_{self.clean(key)}", (local("who"),))):
                    w.emit(n.Return(const(0)))
            w.assign("at", add(const(base), mul(local("who"), 4)))
            w.assign("had", state(add(local("at"), 1)))
            self._again(w, status.again, status.stacks)
            w.store(add(local("at"), 3), local("source"))
            event = (const(ev.STATUS), local("site"), const(status.index), local("who"), state(add(local("at"), 1)), state(local("at")))
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
            w.emit(n.Do(n.Call("emit", (const(ev.STATUS), local("site"), const(status.index), local("who"), const(0), const(0)))))
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
                w.store(add(at, 1), n.Call("minimum", (n.Call("maximum", (stacks, local("stacks"))), const(max(1, most)))))
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

    def _x_control(self, w: Writer, s: t.Simple) -> None:
        """Another actor's controller decides for this one."""
        who, whom, until = s.args
        actor = w.temp(self.thing(w, whom), "whom")
        slot = add(const(self.l.base["!controller"]), local(actor))
        old = w.temp(state(slot), "old")
        w.store(slot, self.decider(w, who))
        if until is not None:
            self._remember(w, until, None, slot, n.Binary("-", state(slot), local(old)), -1, 0, local(actor))

    def _x_append(self, w: Writer, s: t.Simple) -> None:
        base = self.l.order_base[s.args[1]]

        def run(who: n.Expr) -> None:
            with w.if_(both([n.Binary(">=", who, const(0)), n.Not(n.Call("order_has", (const(base), who)))])):
                w.call("order_add", base, self.l.actors * 2, who)

        self.many(w, s.args[0], run)
        w.event(ev.ORDER, list(self.l.order_base).index(s.args[1]))

    def _x_insert(self, w: Writer, s: t.Simple) -> None:
        base = self.l.order_base[s.args[1]]
        w.call("order_insert", base, self.l.actors * 2, self.thing(w, s.args[0]), self.number(w, s.args[2]))
        w.event(ev.ORDER, list(self.l.order_base).index(s.args[1]))

    def _x_leave(self, w: Writer, s: t.Simple) -> None:
        base = self.l.order_base[s.args[1]]
        self.many(w, s.args[0], lambda who: w.call("order_remove", base, who))

    def _x_clear(self, w: Writer, s: t.Simple) -> None:
        w.call("order_clear", self.l.order_base[s.args[0]])

    def _x_join(self, w: Writer, s: t.Simple) -> None:
        """Into the order behind everyone who is at least as good."""
        who, order, it, prefs = s.args
        base = self.l.order_base[order]
        actor = w.temp(self.thing(w, who), "who")
        it_name = self.var(it)

        def build(c: Writer) -> None:
            c.assign(it_name, local(actor))
            for i, pref in enumerate(prefs):
                c.assign(f"mine{i}", self.number(c, pref.value))
            c.assign("at", const(0))
            with c.while_(n.Binary("<", local("at"), state(base))):
                c.assign(it_name, state(add(const(base + 2), local("at"))))
                worse: n.Expr = const(0)
                for i, pref in reversed(list(enumerate(prefs))):
                    value = self.number(c, pref.value)
                    lost = n.Binary(">" if pref.low else "<", value, local(f"mine{i}"))
                    worse = n.Pick(lost, const(1), n.Pick(equal(value, local(f"mine{i}")), worse, const(0)))
                with c.if_(worse):
                    c.emit(n.Return(local("at")))
                c.assign("at", add(local("at"), 1))
            c.emit(n.Return(local("at")))

        place = self.c.closure("join", build, w.site)
        with w.if_(n.Binary(">=", local(actor), const(0))):
            w.call("order_insert", base, self.l.actors * 2, local(actor), place)
        w.event(ev.ORDER, list(self.l.order_base).index(order))

    def _x_lay(self, w: Writer, s: t.Simple) -> None:
        """A new space at a place; it is the last one laid."""
        w.call("lay_space", self.thing(w, s.args[0]), w.site)

    def _x_lay_plan(self, w: Writer, s: t.Simple) -> None:
        """All spaces of a picture, one after the other."""
        codes = [(x + 64) * 128 + y + 64 for x, y in self.s.plans[s.args[0]]]
        at = self.l.table(f"plan {s.args[0]}", codes)
        i = w.temp(const(0), "i")
        with w.while_(n.Binary("<", local(i), const(len(codes)))):
            w.call("lay_space", consts(add(const(at), local(i))), w.site)
            w.assign(i, add(local(i), 1))

    def lay_function(self) -> None:
        """lay_space(place, site): a new space there, as new: its numbers start again."""
        w = Writer("lay_space", ("place", "site"))
        if self.l.laid:
            w.assign("self", state(self.l.laid))
            fits = n.Binary("<", local("self"), const(len(self.s.spaces)))
            with w.if_(both([n.Binary(">=", local("place"), const(0)), fits])):
                w.store(add(const(self.l.base["!x"]), local("self")), self.place_x(local("place")))
                w.store(add(const(self.l.base["!y"]), local("self")), self.place_y(local("place")))
                w.store(add(const(self.l.base["!terrain"]), local("self")), -1)
                for key, r in self.s.resources.items():
                    if r.of == (t.SPACE,):
                        start: n.Expr = const(-1 if r.holds else 0)
                        if r.starts is not None:
                            start = self.thing(w, r.starts) if r.holds else self.number(w, r.starts)
                        w.store(add(const(self.l.base[key]), local("self")), start)
                w.store(self.l.laid, add(local("self"), 1))
                w.emit(n.Do(n.Call("emit", (const(ev.LAY), local("site"), local("self"), const(1), const(0), const(0)))))
        self.c.add(w.function())

    def _x_unlay(self, w: Writer, s: t.Simple) -> None:
        """No space is left, and nobody stands anywhere."""
        w.store(self.l.laid, 0)
        for i in range(self.l.actors):
            w.store(self.l.base["!place"] + i, -1)
        w.event(ev.LAY, -1, 0)

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
                w.store(add(frame, self.kept_offset(sequence, p.name)), const(0 if p.type == t.NUMBER else -1))
            w.store(self.l.skip, 0)
            w.store(UNWIND, frame)
        w.check()

    # ------------------------------------------------------------ orders
    def _sort(self, w: Writer, s: t.SortOrder) -> None:
        """Insertion sort by the preferences, then separate ties by rolling."""
        base = self.l.order_base[s.order]
        it = self.var(s.it)
        size = self.l.actors * 2
        groups = self.c.memory(size)
        call = self.c.closure("sort", lambda c: self._sort_body(c, s, base, it, groups), w.site)
        w.emit(n.Do(call, w.site))
        if s.ties is not None:
            ties = self.c.closure("ties", lambda c: self._ties(c, s, base, it, groups), w.site)
            w.emit(n.Do(ties, w.site))
        w.event(ev.ORDER, list(self.l.order_base).index(s.order))

    def _keys(self, c: Writer, s: t.SortOrder, it: str, prefix: str) -> None:
        for i, pref in enumerate(s.prefs):
            c.assign(f"{prefix}{i}", self.number(c, pref.value))

    def _sort_body(self, c: Writer, s: t.SortOrder, base: int, it: str, groups: int) -> None:
        first = base + 2
        c.assign("i", const(1))
        with c.while_(n.Binary("<", local("i"), state(base))):
            c.assign("moving", state(add(const(first), local("i"))))
            c.assign(it, local("moving"))
            self._keys(c, s, it, "a")
            c.assign("j", local("i"))
            with c.while_(n.Binary(">", local("j"), const(0))):
                c.assign(it, state(add(const(first - 1), local("j"))))
                self._keys(c, s, it, "b")
                better: n.Expr = const(0)
                for i, pref in reversed(list(enumerate(s.prefs))):
                    wins = n.Binary("<" if pref.low else ">", local(f"a{i}"), local(f"b{i}"))
                    better = n.Pick(wins, const(1), n.Pick(equal(local(f"a{i}"), local(f"b{i}")), better, const(0)))
                c.emit(n.If(n.Not(better), (n.Break(),)))
                c.store(add(const(first), local("j")), state(add(const(first - 1), local("j"))))
                c.assign("j", n.Binary("-", local("j"), const(1)))
            c.store(add(const(first), local("j")), local("moving"))
            c.assign("i", add(local("i"), 1))
        # Number the groups of equals, so that ties can be told apart from neighbours.
        c.assign("i", const(0))
        c.assign("group", const(0))
        with c.while_(n.Binary("<", local("i"), state(base))):
            c.assign(it, state(add(const(first), local("i"))))
            self._keys(c, s, it, "a")
            same: n.Expr = n.Binary(">", local("i"), const(0))
            for i in range(len(s.prefs)):
                same = n.Pick(same, equal(local(f"a{i}"), local(f"b{i}")), const(0))
            with c.if_(n.Not(same)):
                c.assign("group", add(local("group"), 1))
            for i in range(len(s.prefs)):
                c.assign(f"b{i}", local(f"a{i}"))
            c.emit(n.Store("W", add(const(groups), local("i")), n.Binary("*", local("group"), const(1000000))))
            c.assign("i", add(local("i"), 1))

    def _ties(self, c: Writer, s: t.SortOrder, base: int, it: str, groups: int) -> None:
        """The first group of equals rolls and is sorted; again, until nobody is equal."""
        first = base + 2
        rolls = self.c.memory(self.l.actors * 2)
        c.assign("i", const(0))
        with c.while_(n.Binary("<", add(local("i"), 1), state(base))):
            c.assign("j", local("i"))
            mark = n.Load("W", add(const(groups), local("i")))
            with c.while_(n.Binary("<", add(local("j"), 1), state(base))):
                c.emit(n.If(n.Binary("!=", n.Load("W", add(const(groups + 1), local("j"))), mark), (n.Break(),)))
                c.assign("j", add(local("j"), 1))
            with c.if_(equal(local("i"), local("j"))):
                c.assign("i", add(local("i"), 1))
                c.emit(n.Continue())
            self._roll_group(c, s, it, first, rolls)
            self._sort_group(c, first, rolls, groups)

    def _roll_group(self, c: Writer, s: t.SortOrder, it: str, first: int, rolls: int) -> None:
        c.assign("k", local("i"))
        with c.while_(n.Binary("<=", local("k"), local("j"))):
            c.assign(it, state(add(const(first), local("k"))))
            c.assign("face", self.number(c, s.ties))
            c.emit(n.Store("W", add(const(rolls), local("k")), local("face")))
            if s.keeping is not None:
                slot = add(const(self.l.base[self.l.key(s.keeping)]), local(it))
                with c.if_(equal(state(slot), 0)):
                    c.store(slot, local("face"))
            c.assign("k", add(local("k"), 1))

    def _sort_group(self, c: Writer, first: int, rolls: int, groups: int) -> None:
        """Stable, highest roll first; new group marks tell different rolls apart."""
        roll = lambda e: n.Load("W", add(const(rolls), e))  # noqa: E731
        c.assign("k", add(local("i"), 1))
        with c.while_(n.Binary("<=", local("k"), local("j"))):
            c.assign("m", local("k"))
            with c.while_(n.Binary(">", local("m"), local("i"))):
                before = n.Binary("-", local("m"), const(1))
                c.emit(n.If(n.Binary(">=", roll(before), roll(local("m"))), (n.Break(),)))
                c.assign("x", roll(local("m")))
                c.emit(n.Store("W", add(const(rolls), local("m")), roll(before)))
                c.emit(n.Store("W", add(const(rolls), before), local("x")))
                c.assign("x", state(add(const(first), local("m"))))
                c.store(add(const(first), local("m")), state(add(const(first), before)))
                c.store(add(const(first), before), local("x"))
                c.assign("m", before)
            c.assign("k", add(local("k"), 1))
        # Places behind the group move up by as many marks as it was split into.
        c.assign("k", local("i"))
        c.assign("mark", n.Load("W", add(const(groups), local("i"))))
        c.assign("last", roll(local("i")))
        with c.while_(n.Binary("<=", local("k"), local("j"))):
            with c.if_(n.Binary("!=", roll(local("k")), local("last"))):
                c.assign("mark", add(local("mark"), 1))
                c.assign("last", roll(local("k")))
            c.emit(n.Store("W", add(const(groups), local("k")), local("mark")))
            c.assign("k", add(local("k"), 1))
        c.assign("mark", n.Binary("-", local("mark"), n.Load("W", add(const(groups), local("i")))))
        with c.while_(n.Binary("<", local("k"), state(first - 2))):
            place = add(const(groups), local("k"))
            c.emit(n.Store("W", place, add(n.Load("W", place), local("mark"))))
            c.assign("k", add(local("k"), 1))

    def window(self, w: Writer, s: t.Window) -> None:
        """Made in actions.py."""
        raise NotImplementedError

    def act(self, w: Writer, s: t.Act) -> None:
        """Made in actions.py."""
        raise NotImplementedError

    def perform(self, w: Writer, s: t.Perform) -> None:
        """Made in actions.py."""
        raise NotImplementedError

    def seat_count(self) -> n.Expr:
        """How many seats this match has."""
        return state(SEATS)
