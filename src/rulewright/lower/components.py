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
from rulewright.lower import bearing as m_bearing
from rulewright.lower import behaviors as m_behaviors
from rulewright.lower import checks as m_checks
from rulewright.lower import framework as m_framework
from rulewright.lower import rules as m_rules
from rulewright.lower import statements as m_statements
from rulewright.lower import terms as m_terms
from rulewright.lower import things as m_things
from rulewright.lower.builder import Builder
from rulewright.lower.writer import Writer, add, const, equal, local, state


def lower_component(b: Builder, c: t.Component) -> None:
    """A Check, Value, Effect, Table or Sequence."""
    match c.kind:
        case "Sequence":
            _sequence(b, c)
        case "Table":
            _table(b, c)
        case _:
            _function(b, c)


def _signature(c: t.Component) -> tuple[str, ...]:
    return ("self", *(m_terms.var(p.name) for p in c.params))


def _function(b: Builder, c: t.Component) -> None:
    w = Writer(b.name_of(c), _signature(c))
    w.site = b.site(c.definition.line.number, c.definition)
    if c.kind == "Check":
        w.emit(n.Return(n.Pick(m_checks.check(b, w, c.check), const(1), const(0))))
    elif c.value is not None:
        _modified_value(b, w, c)
    else:
        _hooked(b, w, c)
    b.add(w.function())


def _modified_value(b: Builder, w: Writer, c: t.Component) -> None:
    value = m_things.thing(b, w, c.value) if c.gives != t.NUMBER else m_framework.number(b, w, c.value)
    modifiers = b.value_modifiers.get(id(c), [])
    if not modifiers:
        w.emit(n.Return(value))
        return
    w.assign("value", value)
    for how in ("=", "+", "x"):
        for rules, modify in modifiers:
            if modify.how == how:
                m_bearing.modified(b, w, rules, modify)
    w.emit(n.Return(local("value")))


def _hooked(b: Builder, w: Writer, c: t.Component) -> None:
    """Before, instead of, after."""
    keys = {kind: (kind, id(c)) for kind in ("before", "instead", "after")}
    if any(k in b.hooks for k in keys.values()):
        slots = m_rules.param_slots(b, c)
        for kind in ("before", "instead"):
            if keys[kind] not in b.hooks:
                continue
            for i, p in enumerate(c.params):
                w.store(slots + i, local(m_terms.var(p.name)))
            if kind == "instead":
                _instead(b, w, keys[kind])
            else:
                w.call(m_rules.fire(b, keys[kind]), local("self"))
                w.check()
            for i, p in enumerate(c.params):
                w.assign(m_terms.var(p.name), state(slots + i))
    if keys["after"] in b.hooks:
        inner = Writer(w.name + "_body", w.params)
        inner.site = w.site
        m_statements.block(b, inner, c.body)
        b.add(inner.function())
        slots = m_rules.param_slots(b, c)
        result = w.temp(n.Call(inner.name, tuple(local(p) for p in w.params)), "result")
        w.check()
        for i, p in enumerate(c.params):
            w.store(slots + i, local(m_terms.var(p.name)))
        w.call(m_rules.fire(b, keys["after"]), local("self"))
        w.check()
        w.emit(n.Return(local(result)))
    else:
        m_statements.block(b, w, c.body)


def _instead(b: Builder, w: Writer, key: tuple[Any, ...]) -> None:
    """The first rule that holds replaces the whole component."""
    w.assign("subject", local("self"))
    for rules, hook in b.hooks[key]:
        if hook.moment.own or rules.bearer != "feature" or rules.attached or rules.while_ is not None:
            pass
        with w.if_(n.Call(m_framework.bears(b, rules), (local("self"),))):
            got = w.temp(n.Call(m_rules.hook_function(b, rules, hook), (local("self"),)), "got")
            w.check()
            w.emit(n.Return(local(got)))


def _sequence(b: Builder, c: t.Component) -> None:
    """Steps in a loop, so that `skip to` can go anywhere; hooks before each, deadlines after."""
    # The step stands behind the kept values, where durations look it up: see step_now().
    keeps = (*(m_terms.var(p.name) for p in c.keeps), "step")
    w = Writer(b.name_of(c), _signature(c), True, keeps)
    w.site = b.site(c.definition.line.number, c.definition)
    for p in c.keeps:
        if p.type != t.NUMBER:
            w.assign(m_terms.var(p.name), const(-1))
    current, serial = b.layout.current[id(c)], b.layout.serial[id(c)]
    w.assign("outer", state(current))
    w.store(current, state(FP))
    w.store(serial, add(state(serial), 1))
    before, instead, after = ("before", id(c)), ("instead", id(c)), ("after", id(c))
    if before in b.hooks or instead in b.hooks:
        _sequence_hooks(b, w, c, before, instead)
    w.assign("step", state(b.layout.start))
    w.store(b.layout.start, 0)
    with w.while_(equal(local("step"), 0)):
        m_rules.at_moment(b, w, ("start", id(c)), local("self"))
        w.emit(n.Break())
    _take_unwind(b, w, len(c.steps))
    with w.while_(n.Binary("<", local("step"), const(len(c.steps)))):
        for i, (title, body, _) in enumerate(c.steps):
            line = c.step_lines[i] if i < len(c.step_lines) else c.definition.line.number
            with w.if_(equal(local("step"), i)):
                with w.while_(const(1)):
                    w.site = b.site(line, c.definition)
                    if len(c.steps) > 1:
                        w.event(ev.STEP, local("self"), b.text(title))
                    m_rules.at_moment(b, w, ("step", id(c), i), local("self"))
                    m_statements.block(b, w, body)
                    m_rules.at_moment(b, w, ("after step", id(c), i), local("self"))
                    w.emit(n.Break())
                w.assign("step", const(i + 1))
                _take_unwind(b, w, len(c.steps))
                w.emit(n.Continue())
    with w.while_(const(1)):
        with w.if_(equal(state(UNWIND), 0)):
            m_rules.at_moment(b, w, ("end", id(c)), local("self"))
        w.emit(n.Break())
    with w.if_(n.Binary("==", state(UNWIND), state(FP))):
        w.store(UNWIND, 0)
    w.store(current, local("outer"))
    if after in b.hooks:
        w.call(m_rules.fire(b, after), local("self"))
    b.add(w.function())


def _sequence_hooks(b: Builder, w: Writer, c: t.Component, before: Any, instead: Any) -> None:
    slots = m_rules.param_slots(b, c)
    for i, p in enumerate(c.params):
        w.store(slots + i, local(m_terms.var(p.name)))
    if before in b.hooks:
        w.call(m_rules.fire(b, before), local("self"))
    for i, p in enumerate(c.params):
        w.assign(m_terms.var(p.name), state(slots + i))


def _take_unwind(b: Builder, w: Writer, steps: int) -> None:
    """If this very sequence was told to end or to skip, do so; if one around it, leave."""
    unwinding = state(UNWIND)
    with w.if_(unwinding):
        with w.nested() as mine:
            w.store(UNWIND, 0)
            w.assign(
                "step",
                n.Pick(n.Binary("<", state(b.layout.skip), const(0)), const(steps), state(b.layout.skip)),
            )
        w.emit(
            n.If(
                n.Binary("==", unwinding, state(FP)),
                tuple(mine),
                (n.Assign("step", const(steps)),),
                w.site,
            )
        )


def _table(b: Builder, c: t.Component) -> None:
    """Pick a row, log its name, run its effect."""
    assert c.table is not None
    w = Writer(b.name_of(c), _signature(c))
    w.site = b.site(c.definition.line.number, c.definition)
    w.assign("row", _row(b, w, c))
    for i, row in enumerate(c.table.rows):
        with w.if_(equal(local("row"), i)):
            w.site = b.site(row.line, c.definition)
            if row.name:
                w.event(ev.SAY, b.text(row.name))
            m_statements.block(b, w, row.effect)
    w.emit(n.Return(const(0)))
    b.add(w.function())


def _row(b: Builder, w: Writer, c: t.Component) -> n.Expr:
    """The row now; rolling if the table rolls."""
    table = c.table
    assert table is not None
    picked = table.rolls if table.rolls is not None else table.reads
    value = w.temp(m_framework.number(b, w, picked), "roll") if picked is not None else ""
    key = w.temp(m_things.thing(b, w, table.keyed), "key") if table.keyed is not None else ""
    w.assign("found", const(-1))
    for i, row in enumerate(table.rows):
        tests: list[n.Expr] = []
        if value:
            if row.low > -(10**6):
                tests.append(n.Binary(">=", local(value), _bound(b, row.low, c, row)))
            if row.high < 10**6:
                tests.append(n.Binary("<=", local(value), _bound(b, row.high, c, row)))
        if key:
            tests.append(equal(local(key), row.key if row.key is not None else -1))
        tests.append(n.Binary("<", local("found"), const(0)))
        from rulewright.lower.writer import both

        with w.if_(both(tests)):
            w.assign("found", const(i))
    return local("found")


def _bound(b: Builder, value: int, c: t.Component, row: t.TableRow) -> n.Expr:
    return n.Load("P", const(b.layout.number(value, f"{c.name} line {row.line}")))


def row_function(b: Builder, component: t.Component) -> str:
    """row_T(self): the row that a reading table has now."""
    name = "row_" + b.name_of(component)
    if name not in b.functions:
        b.functions[name] = n.Function(name, ("self",), ())
        w = Writer(name, ("self",))
        w.emit(n.Return(_row(b, w, component)))
        b.functions[name] = w.function()
    return name


def table_column(b: Builder, w: Writer, table: t.Component, column: str) -> n.Expr:
    """`[Outcome Damage]`: the column of the current row."""
    assert table.table is not None
    key = (f"table {id(table)}", column)
    if key not in b.layout.columns:
        b.layout.columns[key] = len(b.layout.params)
        for value in table.table.columns[column].values:
            b.layout.number(value, f"{column} of {table.name}")

    def build(c: Writer) -> None:
        c.emit(n.Return(_row(b, c, table)))

    row = b.closure("row", build, w.site)
    return n.Call("entry", (const(b.layout.columns[key]), row, const(0)))


# ------------------------------------------------------------ strategies
def strategies(b: Builder) -> None:
    """strategy(self): what an actor without a seat does when it should act."""
    if b.symbols.frameworks:
        m_behaviors.framework_strategies(b)
        return
    if not b.symbols.strategies and not any(x.strategy for x in b.symbols.templates.values()):
        return
    for s in b.symbols.strategies.values():
        w = Writer(f"strategy_{s.index}", ("self",))
        w.site = b.site(s.definition.line.number, s.definition)
        before = b.definition
        b.definition = s.definition
        m_statements.block(b, w, s.body)
        b.definition = before
        b.add(w.function())
    w = Writer("strategy", ("self",))
    slot = b.layout.base.get("!strategy")
    which = [_strategy_of(b, actor.template) for actor in b.symbols.actors]
    if slot is None:
        at = b.layout.table("strategy of", which)
        w.assign("which", n.Call("entry_k", (const(at), local("self"), const(-1))))
    for s in b.symbols.strategies.values():
        with w.if_(equal(local("which"), s.index)):
            w.call(f"strategy_{s.index}", local("self"))
    w.check()
    b.add(w.function())


def _strategy_of(b: Builder, template: str) -> int:
    for found in b.symbols.lineage(template):
        if found.strategy:
            named = b.symbols.strategies.get(norm(found.strategy))
            return named.index if named else -1
    return -1
