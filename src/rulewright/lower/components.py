"""Components and strategies -> functions: Checks, Values, Effects, Sequences, Tables.

In:  Component and StrategySym, checked.
Out: a function each, with what rules add before, after and instead of it; a Sequence keeps its values in
     a frame and can be ended or entered at a later step; a Table has one function for each of its rows.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import FP, UNWIND
from rulewright.lower.behaviors import Behaviors
from rulewright.lower.writer import Writer, add, const, equal, local, state


class Components(Behaviors):
    """Lowers components and strategies."""

    def component(self, c: t.Component) -> None:
        """A Check, Value, Effect, Table or Sequence."""
        match c.kind:
            case "Sequence":
                self._sequence(c)
            case "Table":
                self._table(c)
            case _:
                self._function(c)

    def _signature(self, c: t.Component) -> tuple[str, ...]:
        return ("self", *(self.var(p.name) for p in c.params))

    def _function(self, c: t.Component) -> None:
        w = Writer(self.c.name_of(c), self._signature(c))
        w.site = self.c.site(c.definition.line.number, c.definition)
        if c.kind == "Check":
            w.emit(n.Return(n.Pick(self.check(w, c.check), const(1), const(0))))
        elif c.value is not None:
            self._modified_value(w, c)
        else:
            self._hooked(w, c)
        self.c.add(w.function())

    def _modified_value(self, w: Writer, c: t.Component) -> None:
        value = self.thing(w, c.value) if c.gives != t.NUMBER else self.number(w, c.value)
        modifiers = self.value_modifiers.get(id(c), [])
        if not modifiers:
            w.emit(n.Return(value))
            return
        w.assign("value", value)
        for how in ("=", "+", "x"):
            for rules, modify in modifiers:
                if modify.how == how:
                    self._modify(w, rules, modify)
        w.emit(n.Return(local("value")))

    def _hooked(self, w: Writer, c: t.Component) -> None:
        """Before, instead of, after."""
        keys = {kind: (kind, id(c)) for kind in ("before", "instead", "after")}
        if any(k in self.hooks for k in keys.values()):
            slots = self.param_slots(c)
            for kind in ("before", "instead"):
                if keys[kind] not in self.hooks:
                    continue
                for i, p in enumerate(c.params):
                    w.store(slots + i, local(self.var(p.name)))
                if kind == "instead":
                    self._instead(w, keys[kind])
                else:
                    w.call(self.fire(keys[kind]), local("self"))
                    w.check()
                for i, p in enumerate(c.params):
                    w.assign(self.var(p.name), state(slots + i))
        if keys["after"] in self.hooks:
            inner = Writer(w.name + "_body", w.params)
            inner.site = w.site
            self.block(inner, c.body)
            self.c.add(inner.function())
            slots = self.param_slots(c)
            result = w.temp(n.Call(inner.name, tuple(local(p) for p in w.params)), "result")
            w.check()
            for i, p in enumerate(c.params):
                w.store(slots + i, local(self.var(p.name)))
            w.call(self.fire(keys["after"]), local("self"))
            w.check()
            w.emit(n.Return(local(result)))
        else:
            self.block(w, c.body)

    def _instead(self, w: Writer, key: tuple[Any, ...]) -> None:
        """The first rule that holds replaces the whole component."""
        w.assign("subject", local("self"))
        for rules, hook in self.hooks[key]:
            if hook.moment.own or rules.bearer != "feature" or rules.attached or rules.while_ is not None:
                pass
            with w.if_(n.Call(self.bears(rules), (local("self"),))):
                got = w.temp(n.Call(self.hook_function(rules, hook), (local("self"),)), "got")
                w.check()
                w.emit(n.Return(local(got)))

    def _sequence(self, c: t.Component) -> None:
        """Steps in a loop, so that `skip to` can go anywhere; hooks before each, deadlines after."""
        # The step stands behind the kept values, where durations look it up: see step_now().
        keeps = (*(self.var(p.name) for p in c.keeps), "step")
        w = Writer(self.c.name_of(c), self._signature(c), True, keeps)
        w.site = self.c.site(c.definition.line.number, c.definition)
        for p in c.keeps:
            if p.type != t.NUMBER:
                w.assign(self.var(p.name), const(-1))
        current, serial = self.l.current[id(c)], self.l.serial[id(c)]
        w.assign("outer", state(current))
        w.store(current, state(FP))
        w.store(serial, add(state(serial), 1))
        before, instead, after = ("before", id(c)), ("instead", id(c)), ("after", id(c))
        if before in self.hooks or instead in self.hooks:
            self._sequence_hooks(w, c, before, instead)
        w.assign("step", state(self.l.start))
        w.store(self.l.start, 0)
        with w.while_(equal(local("step"), 0)):
            self.at_moment(w, ("start", id(c)), local("self"))
            w.emit(n.Break())
        self._take_unwind(w, len(c.steps))
        with w.while_(n.Binary("<", local("step"), const(len(c.steps)))):
            for i, (title, body, _) in enumerate(c.steps):
                line = c.step_lines[i] if i < len(c.step_lines) else c.definition.line.number
                with w.if_(equal(local("step"), i)):
                    with w.while_(const(1)):
                        w.site = self.c.site(line, c.definition)
                        if len(c.steps) > 1:
                            w.event(ev.STEP, local("self"), self.c.text(title))
                        self.at_moment(w, ("step", id(c), i), local("self"))
                        self.block(w, body)
                        self.at_moment(w, ("after step", id(c), i), local("self"))
                        w.emit(n.Break())
                    w.assign("step", const(i + 1))
                    self._take_unwind(w, len(c.steps))
                    w.emit(n.Continue())
        with w.while_(const(1)):
            with w.if_(equal(state(UNWIND), 0)):
                self.at_moment(w, ("end", id(c)), local("self"))
            w.emit(n.Break())
        with w.if_(n.Binary("==", state(UNWIND), state(FP))):
            w.store(UNWIND, 0)
        w.store(current, local("outer"))
        if after in self.hooks:
            w.call(self.fire(after), local("self"))
        self.c.add(w.function())

    def _sequence_hooks(self, w: Writer, c: t.Component, before: Any, instead: Any) -> None:
        slots = self.param_slots(c)
        for i, p in enumerate(c.params):
            w.store(slots + i, local(self.var(p.name)))
        if before in self.hooks:
            w.call(self.fire(before), local("self"))
        for i, p in enumerate(c.params):
            w.assign(self.var(p.name), state(slots + i))

    def _take_unwind(self, w: Writer, steps: int) -> None:
        """If this very sequence was told to end or to skip, do so; if one around it, leave."""
        unwinding = state(UNWIND)
        with w.if_(unwinding):
            with w.nested() as mine:
                w.store(UNWIND, 0)
                w.assign(
                    "step",
                    n.Pick(n.Binary("<", state(self.l.skip), const(0)), const(steps), state(self.l.skip)),
                )
            w.emit(
                n.If(
                    n.Binary("==", unwinding, state(FP)),
                    tuple(mine),
                    (n.Assign("step", const(steps)),),
                    w.site,
                )
            )

    def _table(self, c: t.Component) -> None:
        """Pick a row, log its name, run its effect."""
        assert c.table is not None
        w = Writer(self.c.name_of(c), self._signature(c))
        w.site = self.c.site(c.definition.line.number, c.definition)
        w.assign("row", self._row(w, c))
        for i, row in enumerate(c.table.rows):
            with w.if_(equal(local("row"), i)):
                w.site = self.c.site(row.line, c.definition)
                if row.name:
                    w.event(ev.SAY, self.c.text(row.name))
                self.block(w, row.effect)
        w.emit(n.Return(const(0)))
        self.c.add(w.function())

    def _row(self, w: Writer, c: t.Component) -> n.Expr:
        """The row now; rolling if the table rolls."""
        table = c.table
        assert table is not None
        number = table.rolls if table.rolls is not None else table.reads
        value = w.temp(self.number(w, number), "roll") if number is not None else ""
        key = w.temp(self.thing(w, table.keyed), "key") if table.keyed is not None else ""
        w.assign("found", const(-1))
        for i, row in enumerate(table.rows):
            tests: list[n.Expr] = []
            if value:
                if row.low > -(10**6):
                    tests.append(n.Binary(">=", local(value), self._bound(row.low, c, row)))
                if row.high < 10**6:
                    tests.append(n.Binary("<=", local(value), self._bound(row.high, c, row)))
            if key:
                tests.append(equal(local(key), row.key if row.key is not None else -1))
            tests.append(n.Binary("<", local("found"), const(0)))
            from rulewright.lower.writer import both

            with w.if_(both(tests)):
                w.assign("found", const(i))
        return local("found")

    def _bound(self, value: int, c: t.Component, row: t.TableRow) -> n.Expr:
        return n.Load("P", const(self.l.number(value, f"{c.name} line {row.line}")))

    def row_function(self, component: t.Component) -> str:
        """row_T(self): the row that a reading table has now."""
        name = "row_" + self.c.name_of(component)
        if name not in self.c.functions:
            self.c.functions[name] = n.Function(name, ("self",), ())
            w = Writer(name, ("self",))
            w.emit(n.Return(self._row(w, component)))
            self.c.functions[name] = w.function()
        return name

    def table_column(self, w: Writer, table: t.Component, column: str) -> n.Expr:
        """`[Outcome Damage]`: the column of the current row."""
        assert table.table is not None
        key = (f"table {id(table)}", column)
        if key not in self.l.columns:
            self.l.columns[key] = len(self.l.params)
            for value in table.table.columns[column].values:
                self.l.number(value, f"{column} of {table.name}")

        def build(c: Writer) -> None:
            c.emit(n.Return(self._row(c, table)))

        row = self.c.closure("row", build, w.site)
        return n.Call("entry", (const(self.l.columns[key]), row, const(0)))

    # ------------------------------------------------------------ strategies
    def strategies(self) -> None:
        """strategy(self): what an actor without a seat does when it should act."""
        if self.s.frameworks:
            self.framework_strategies()
            return
        if not self.s.strategies and not any(x.strategy for x in self.s.templates.values()):
            return
        for s in self.s.strategies.values():
            w = Writer(f"strategy_{s.index}", ("self",))
            w.site = self.c.site(s.definition.line.number, s.definition)
            before = self.c.definition
            self.c.definition = s.definition
            self.block(w, s.body)
            self.c.definition = before
            self.c.add(w.function())
        w = Writer("strategy", ("self",))
        slot = self.l.base.get("!strategy")
        which = [self._strategy_of(actor.template) for actor in self.s.actors]
        if slot is None:
            at = self.l.table("strategy of", which)
            w.assign("which", n.Call("entry_k", (const(at), local("self"), const(-1))))
        for s in self.s.strategies.values():
            with w.if_(equal(local("which"), s.index)):
                w.call(f"strategy_{s.index}", local("self"))
        w.check()
        self.c.add(w.function())

    def _strategy_of(self, template: str) -> int:
        for found in self.s.lineage(template):
            if found.strategy:
                named = self.s.strategies.get(norm(found.strategy))
                return named.index if named else -1
        return -1
