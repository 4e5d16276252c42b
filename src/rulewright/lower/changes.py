"""Changes of numbers and things: setters with their hooks, timed changes, tallies of dice.

In:  SetNumber, SetThing, LetTally.
Out: code, and one set_R function a resource.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.lower.layout import TIMED
from rulewright.lower.rules import Rules
from rulewright.lower.writer import Writer, add, both, const, equal, local, mul, state


class Changes(Rules):
    """Lowers changes."""

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
            slot = add(
                self.status_slot(w, target.status, target.owner),
                {"Turns": 0, "Stacks": 1, "Power": 2}[target.what],
            )
            at = w.temp(slot, "slot")
            w.store(
                local(at), n.Call("maximum", (const(0), self._applied(w, s.op, state(local(at)), s.value)))
            )
            return
        self._set_resource(w, s, target)

    def _applied(self, w: Writer, op: str, old: n.Expr, value: Any) -> n.Expr:
        new = self.mark(w, value) if op == "=" else self.number(w, value)
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
        old = self.stored(key, where) if r.of or key in self.lazy else state(self.l.base[key])
        if key in self.lazy:
            w.call(f"know_{self.clean(key)}", where)
            old = local(w.temp(old, "old"))
        before = ""
        if s.until is not None:
            before = w.temp(old, "was")
            old = local(before)
        if s.op == "-=" and (("before reduced", key) in self.hooks or ("reduced", key) in self.hooks):
            w.call(f"less_{self.clean(key)}", where, self.harm(w, s), w.site)
        else:
            w.call(f"set_{self.clean(key)}", where, self._applied(w, s.op, old, s.value), w.site)
        w.check()
        if s.until is not None:
            now = n.Call("cell", (const(self.l.base[key]), where, const(0)))
            change = w.temp(n.Binary("-", now, local(before)), "by")
            with w.if_(n.Binary("!=", local(change), const(0))):
                self._remember(
                    w,
                    s.until,
                    s.count,
                    add(const(self.l.base[key]), where),
                    local(change),
                    r.low or 0,
                    self.field_code(key, where),
                    where if r.of[:1] == (t.ACTOR,) else local("self"),
                )

    def field_code(self, key: str, owner: n.Expr) -> n.Expr:
        """The field and its owner in one number, for the log of what ends."""
        return add(const(self.l.field_index[key] + 1), mul(owner, 4096))

    def _remember(
        self,
        w: Writer,
        until: t.Moment,
        count: Any,
        slot: n.Expr,
        amount: n.Expr,
        low: int,
        field: n.Expr | int,
        bearer: n.Expr,
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
                still = n.Binary(
                    "<" if until.kind == "step" else "<=", self.step_now(until.sequence), const(until.step)
                )
                mine = n.Pick(mine, still, const(0))
            times = n.Pick(mine, const(2), const(1))
        if count is not None:
            times = self.number(w, count)
        if until.whose is not None:
            who = bearer if until.whose == "bearer" else self.thing(w, until.whose)
        w.call("timed_add", self.l.timed, TIMED, slot, amount, number, who, times, low, field)

    def harm(self, w: Writer, s: t.SetNumber) -> n.Expr:
        """What a loss that rules wait for takes away; a framework may roll its dice more often."""
        return self.number(w, s.value)

    def setters(self) -> None:
        """set_R(i, value, site) for every resource: range, maximum, log, hooks."""
        for key, r in self.s.resources.items():
            self._setter(key, r)
            if ("before reduced", key) in self.hooks or ("reduced", key) in self.hooks:
                self._less(key, r)

    def _less(self, key: str, r: t.Resource) -> None:
        """less_R(i, amount, site): what `-=` takes away, after rules that wait for exactly that."""
        w = Writer(f"less_{self.clean(key)}", ("i", "amount", "site"))
        with w.if_(n.Binary("<", local("i"), const(0))):
            w.emit(n.Return(const(0)))
        w.assign("subject", local("i") if r.of[:1] == (t.ACTOR,) else const(-1))

        def run(rules: t.Rules, hook: t.Hook, owner: n.Expr) -> None:
            with w.if_(n.Call(self.bears(rules), (owner,))):
                w.assign(
                    "got", n.Call(self.hook_function(rules, hook), (owner, local("amount"), local("amount")))
                )
                w.check()
                if hook.moment.kind.startswith("before"):
                    w.assign("amount", n.Call("maximum", (const(0), local("got"))))

        if ("before reduced", key) in self.hooks:
            self.owners(w, ("before reduced", key), run)
        w.call(
            f"set_{self.clean(key)}",
            local("i"),
            n.Binary("-", self.stored(key, local("i")), local("amount")),
            local("site"),
        )
        w.check()
        if ("reduced", key) in self.hooks:
            with w.if_(n.Binary(">", local("amount"), const(0))):
                self.owners(w, ("reduced", key), run)
        self.c.add(w.function())

    def _setter(self, key: str, r: t.Resource) -> None:
        w = Writer(f"set_{self.clean(key)}", ("i", "value", "site"))
        base = self.l.base[key]
        with w.if_(n.Binary("<", local("i"), const(0))):
            w.emit(n.Return(const(0)))
        slot = add(const(base), local("i"))
        if key in self.lazy:
            w.call(f"know_{self.clean(key)}", local("i"))
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
        if r.maximum is not None or key in self.limited:
            w.assign(
                "value",
                n.Call(
                    "minimum",
                    (
                        local("value"),
                        n.Call("maximum", (const(low), n.Call(f"max_{self.clean(key)}", (local("i"),)))),
                    ),
                ),
            )
        w.store(slot, local("value"))
        with w.if_(n.Binary("!=", local("value"), local("old"))):
            args = (
                const(ev.CHANGE),
                local("site"),
                const(self.l.field_index[key]),
                local("i"),
                local("old"),
                local("value"),
            )
            if not r.private:
                w.emit(n.Do(n.Call("emit", args)))
            if not r.private or r.holds == "Strategy":
                self.changed(w)
            self.drop_dependents(w, key)
            if after in self.hooks:
                self._change_hooks(w, after)
        self.c.add(w.function())

    limited: set[str]
    """Keys of resources that have a maximum for some owner."""

    def changed(self, w: Writer) -> None:
        """Something that strategies can see has changed; made in framework.py."""

    def drop_dependents(self, w: Writer, key: str) -> None:
        """Numbers whose maximum may just have fallen; made in framework.py."""

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
                    fell = n.Binary(
                        "&",
                        n.Binary(">", local("old"), local(level)),
                        n.Binary("<=", local("value"), local(level)),
                    )
                    rose = n.Binary(
                        "&",
                        n.Binary("<", local("old"), local(level)),
                        n.Binary(">=", local("value"), local(level)),
                    )
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
                    w.assign(
                        "asked",
                        n.Pick(
                            n.Binary("<", local("asked"), const(0)),
                            n.Binary("-", const(0), local(got)),
                            local(got),
                        ),
                    )

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
