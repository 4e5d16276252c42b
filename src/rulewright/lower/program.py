"""Symbols -> Program: the order in which everything is lowered.

In:  the checked Symbols of a book.
Out: a Program, linked and verified.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from rulewright.book import tree as t
from rulewright.book.examples import ExampleCode
from rulewright.book.symbols import Symbols, norm
from rulewright.diagnostics import Diagnostic
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.kernels_cards import RIG, RIGS
from rulewright.ir.link import link
from rulewright.ir.program import FP, HEADER, SEATS, UNWIND, Program
from rulewright.ir.sheet import Keeps, Sheet
from rulewright.lower.behaviors import Behaviors
from rulewright.lower.context import Context
from rulewright.lower.layout import Layout
from rulewright.lower.lazy import settled
from rulewright.lower.unwind import resolve
from rulewright.lower.writer import CHECK, Writer, add, const, equal, local, state

STACK = 1536


class Lowerer(Behaviors):
    """Lowers a whole book."""

    def run(self, name: str) -> Program:
        """Everything, in order."""
        Writer.temps = 0
        self.hook_names = {}
        self.limits = {}
        self.prepare_rules()
        self.prepare_framework()
        if self.examples and self.s.zones:
            self.l.result["shuffles"] = self.l.slots(RIGS * RIG)
        self.prepare_actions()
        self.prepare_company()
        self.space_functions()
        self.roll_function()
        self.getters()
        self.setters()
        self.status_functions()
        self.enter_function()
        self.lay_function()
        self.new_card_function()
        for component in [*self.s.components.values(), *[x.component for x in self.s.sentences]]:
            before = self.c.definition
            self.c.definition = component.definition
            self.component(component)
            self.c.definition = before
        self.actions()
        self.strategies()
        self.main()
        self.timed_functions()
        self.forget_function()
        self.bots = self.policies()
        functions = resolve(settled(self.c.functions))
        functions.pop(CHECK, None)
        return self.finish(name, functions)

    # ------------------------------------------------------------ components
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

    # ------------------------------------------------------------ the match
    def main(self) -> None:
        """Start values, then the sequence called Match."""
        w = Writer("main", (), True)
        w.assign("self", const(-1))
        self._control(w)
        self._start_values(w)
        match = self.s.components.get("Match")
        if self.examples:
            self._examples(w)
        if match is not None:
            w.call(self.c.name_of(match), const(-1), *[const(-1) for _ in match.params])
        self.c.add(w.function())

    examples: tuple[ExampleCode, ...] = ()
    """What the worked examples of the book run. One without stages runs the whole match."""

    def trees(self) -> Iterator[Any]:
        """Every body of the book, and of its examples."""
        yield from super().trees()
        for code in self.examples:
            yield code.stages

    def _examples(self, w: Writer) -> None:
        """In a test: stop so that the example can set up its position, then run its statements."""
        slot = self.l.slots(1)
        self.l.result["example"] = slot
        with w.if_(state(slot)):
            self._stop_for_example(w)
        for k, code in enumerate(self.examples, 1):
            self.c.definition = code.definition
            for line, check in code.checks:
                test = Writer(f"example_{k}_that_{line}", ("self",))
                test.site = self.c.site(line)
                test.emit(n.Return(n.Pick(self.check(test, check), const(1), const(0))))
                self.c.add(test.function())
            if code.stages:
                self._stages(w, slot, k, code)
        self.c.definition = None

    def _stages(self, w: Writer, slot: int, k: int, code: ExampleCode) -> None:
        """One stage a `do` line, with a stop before each."""
        inner = Writer(f"example_{k}", ("self",))
        for i, block in enumerate(code.stages):
            if i:
                self._stop_for_example(inner)
            self.block(inner, block)
        self.c.add(inner.function())
        with w.if_(equal(state(slot), k)):
            w.call(inner.name, const(-1))
            w.check()
            w.emit(n.Return(const(0)))

    def _stop_for_example(self, w: Writer) -> None:
        begin = self.c.verb("begin")

        def listing(c: Writer) -> None:
            self.offer(c, begin)
            self.offer(c, begin)

        self.ask(w, const(0), "example", listing)

    def _control(self, w: Writer) -> None:
        for i, actor in enumerate(self.s.actors):
            seat, side = self._inherited(actor.template, "seat"), self._inherited(actor.template, "side")
            place = self.l.base["!controller"] + i
            match seat:
                case "each":
                    number = n.Pick(
                        n.Binary("<", const(actor.number), state(SEATS)), const(actor.number), const(-1)
                    )
                    w.store(place, number)
                case "any":
                    w.store(place, 0)
                case "none" | "":
                    w.store(place, -1)
                case _:
                    digits = "".join(ch for ch in seat if ch.isdigit())
                    number = const(int(digits) - 1 if digits else -1)
                    w.store(place, n.Pick(n.Binary("<", number, state(SEATS)), number, const(-1)))
            word = next((k for k, name in enumerate(self.s.sides.words) if norm(name) == norm(side)), None)
            w.store(self.l.base["!side"] + i, word if word is not None else 100 + i)

    def _inherited(self, template: str, attribute: Literal["seat", "side"]) -> str:
        said = (getattr(found, attribute) for found in self.s.lineage(template))
        return next((value for value in said if value and value != "none"), "")

    def _start_values(self, w: Writer) -> None:
        """Printed values first, then what `starts:` computes from them, in book order."""
        printed = [self.s.values_of(a.template) for a in self.s.actors]
        for key, r in self.s.resources.items():
            if r.builtin or self.starts_by_itself(w, key, r):
                continue
            for i, values in enumerate(printed):
                if key in values and r.of == (t.ACTOR,):
                    w.assign("self", const(i))
                    value = self.thing(w, values[key]) if r.holds else self.number(w, values[key])
                    with w.if_(self._starts_here(key, r, const(i))):
                        w.store(self.l.base[key] + i, value)
        for key, r in self.s.resources.items():
            if r.starts is None or (
                self.s.frameworks and not r.private and not r.holds and r.of in ((), (t.ACTOR,))
            ):
                continue
            skip = [i for i, values in enumerate(printed) if key in values] if r.of == (t.ACTOR,) else []
            if r.definition is not None:
                w.site = self.c.site(r.definition.line.number, r.definition)
            self._starts(w, key, r, skip)
        w.assign("self", const(-1))
        for i, a in enumerate(self.s.actors):
            for feature in self.s.features_of(a.template):
                found = self.s.features.get(norm(feature))
                if found is not None:
                    w.store(self.l.feature_base + found.index * self.l.actors + i, 1)

    def _starts(self, w: Writer, key: str, r: t.Resource, skip: list[int]) -> None:
        total = 1
        for kind in r.of:
            total *= self.l.count_of(kind)
        w.assign("i", const(0))
        with w.while_(n.Binary("<", local("i"), const(total))):
            first: n.Expr = local("i")
            if len(r.of) == 2:
                first = n.Binary("//", local("i"), const(self.l.count_of(r.of[1])))
            w.assign("self", first)
            value = self.thing(w, r.starts) if r.holds else self.number(w, r.starts)
            test = self._starts_here(key, r, first)
            for i in skip:
                test = n.Pick(test, n.Binary("!=", local("i"), const(i)), const(0))
            with w.if_(test):
                w.store(add(const(self.l.base[key]), local("i")), value)
            w.assign("i", add(local("i"), 1))

    def _starts_here(self, key: str, r: t.Resource, owner: n.Expr) -> n.Expr:
        """Does this owner's value start anew? Not if it was brought along from an earlier match."""
        if key not in self.s.keeps:
            return const(1)
        if r.of[:1] == (t.CARD,):
            return n.Binary("<", state(add(const(self.l.base["!face"]), owner)), const(0))
        owner = owner if r.of else const(self.l.actors)
        return equal(state(add(const(self.l.brought), owner)), 0)

    def _keeps(self) -> Keeps | None:
        """What can be carried over into a later match, and by whom."""
        s, at = self.s, self.l
        if not s.keeps:
            return None
        led: dict[int, int] = {}
        for i, actor in enumerate(s.actors):
            seat = self._inherited(actor.template, "seat")
            digits = "".join(ch for ch in seat if ch.isdigit())
            if seat not in ("", "none"):
                led[i] = actor.number if seat == "each" else int(digits) - 1 if digits else 0
        zones = list(s.zones)
        return Keeps(
            tuple(at.field_index[key] for key in s.keeps if key in s.resources),
            tuple(zones.index(key) for key in s.keeps if key in s.zones),
            tuple(led),
            tuple(led.values()),
            at.brought,
        )

    # ------------------------------------------------------------ the Program
    def finish(self, name: str, functions: dict[str, n.Function]) -> Program:
        """Tables and code together."""
        s, at = self.s, self.l
        things: dict[str, tuple[str, ...]] = {
            t.ACTOR: tuple(a.name for a in s.actors),
            t.CARD: tuple(f"card {i + 1}" for i in range(at.cards)),
            t.SPACE: tuple(p.name for p in s.spaces),
            t.FACE: tuple(s.faces.words),
            t.SIDE: tuple(s.sides.words),
            t.DIRECTION: tuple(s.directions.words),
            "Terrain": tuple(s.terrains.words),
            t.STATUS: tuple(s.status_list.words),
        }
        for table in (*s.lists.values(), *s.dice.values()):
            things[table.name] = tuple(table.words)
        columns: dict[str, dict[str, tuple[int | str, ...]]] = {}
        for table in (*s.lists.values(), s.faces, s.terrains, s.status_list):
            columns[table.name] = {
                c.name: tuple(c.texts[i] if i < len(c.texts) else "" for i in range(len(table.words)))
                for c in table.columns.values()
            }
        front = {k: str(v) for k, v in s.front.items()}
        sheet = Sheet(
            things=things, fields=tuple(at.fields), zones=tuple(at.zones), columns=columns,
            statuses=tuple(at.statuses),
            templates=tuple(s.templates[a.template].name for a in s.actors), maps=tuple(at.maps),
            orders=tuple(at.orders),
            dice=tuple(x.name for x in s.dice.values()), options=tuple(at.options),
            verbs=tuple(self.c.verbs), prompts=tuple(self.c.prompts) or ("",),
            sites=tuple(self.c.sites), texts=tuple(self.c.texts), endings=tuple(s.endings),
            strategies=self.bots, front=front, keeps=self._keeps(), result=at.result,
        )  # fmt: skip
        bound = s.front.get("bound", 100_000)
        tables = Program(
            name=name,
            title=str(s.front.get("title", name)),
            functions={},
            segments=(),
            entry=0,
            size=len(at.initial) + STACK,
            stack_base=len(at.initial),
            work=self.c.work,
            initial=tuple(at.initial),
            params=tuple(at.params) or (0,),
            param_names=tuple(at.param_names) or ("",),
            consts=tuple(at.consts) or (0,),
            bound=int(bound) if isinstance(bound, int) else 100_000,
            seats=self._seats(),
            sheet=sheet,
        )
        assert len(at.initial) >= HEADER
        return link(tables, functions)

    def _seats(self) -> tuple[int, int]:
        text = str(self.s.front.get("seats", "1"))
        parts = [int(p) for p in text.replace("to", "-").split("-") if p.strip().isdigit()]
        return (parts[0], parts[-1]) if parts else (1, 1)


def lower(
    name: str, symbols: Symbols, problems: list[Diagnostic], examples: tuple[ExampleCode, ...] = ()
) -> Program:
    """The Program of a checked book; with examples, one that can also run those."""
    layout = Layout(symbols).build()
    lowerer = Lowerer(Context(symbols, layout, problems))
    lowerer.examples = examples
    return lowerer.run(name)
