"""Components and strategies -> functions: Checks, Values, Effects, Sequences, Tables.

In:  Component and StrategySym, checked.
Out: a function each, with what rules add before, after and instead of it; a Sequence keeps its values in
     a frame and can be ended or entered at a later step; a Table has one function for each of its rows.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import FP, UNWIND
from rulewright.ir.sheet import Asked
from rulewright.lower.afterwards import write_last
from rulewright.lower.bearing import bears
from rulewright.lower.builder import Builder, var
from rulewright.lower.conditions import names_of, told
from rulewright.lower.dispatch import block, check, number, thing
from rulewright.lower.facts import Key
from rulewright.lower.getters import modified
from rulewright.lower.lasting import at_moment, expire_at
from rulewright.lower.open_zones import look
from rulewright.lower.rules import fire, hook_function, lay_params, param_slots, take_params
from rulewright.lower.tables import table_function
from rulewright.lower.terms import kept_names, signature
from rulewright.lower.unwind import spared
from rulewright.lower.writer import Writer, absent, call, const, equal, local, present, state


def lower_component(b: Builder, c: t.Component) -> None:
    """A Check, Value, Effect, Table or Sequence."""
    match c.kind:
        case "Sequence":
            _sequence(b, c)
        case "Table":
            table_function(b, c)
        case _:
            _function(b, c)


def _function(b: Builder, c: t.Component) -> None:
    with b.function(b.name_of(c), signature(c), c.definition) as w:
        if c.kind == "Check":
            w.give(n.Pick(check(b, w, c.check), const(1), const(0)))
            b.asked[w.name] = Asked((told(b, c.check, names_of(c)),))
        elif c.value is not None:
            _modified_value(b, w, c)
        else:
            _hooked(b, w, c)


def _modified_value(b: Builder, w: Writer, c: t.Component) -> None:
    value = thing(b, w, c.value) if c.gives != t.NUMBER else number(b, w, c.value)
    modifiers = b.facts.value_modifiers.get(id(c), [])
    if not modifiers:
        w.give(value)
        return
    w.assign("value", value)
    modified(b, w, modifiers)
    w.give(local("value"))


def _hooked(b: Builder, w: Writer, c: t.Component) -> None:
    """Before, instead of, after."""
    keys = {kind: (kind, id(c)) for kind in ("before", "instead", "after")}
    if any(k in b.facts.hooks for k in keys.values()):
        slots = param_slots(b, c)
        for kind in ("before", "instead"):
            if keys[kind] not in b.facts.hooks:
                continue
            lay_params(w, slots, c.params)
            if kind == "instead":
                _instead(b, w, keys[kind])
            else:
                w.run(fire(b, keys[kind]), local("self"))
            take_params(w, slots, c.params)
    if keys["after"] in b.facts.hooks:
        with b.function(w.name + "_body", w.params) as inner:
            inner.site = w.site
            block(b, inner, c.body)
        slots = param_slots(b, c)
        result = w.temp(n.Call(inner.name, tuple(local(p) for p in w.params)), "result")
        w.check()
        lay_params(w, slots, c.params)
        w.run(fire(b, keys["after"]), local("self"))
        w.give(local(result))
    else:
        block(b, w, c.body)


def _instead(b: Builder, w: Writer, key: tuple[Any, ...]) -> None:
    """The first rule that holds replaces the whole component."""
    w.assign("subject", local("self"))
    for rules, hook in b.facts.hooks[key]:
        with w.if_(call(bears(b, rules), local("self"))):
            got = w.temp(call(hook_function(b, rules, hook), local("self")), "got")
            w.check()
            w.give(local(got))


def _sequence(b: Builder, c: t.Component) -> None:
    """Steps in a loop, so that `skip to` can go anywhere; hooks before each, deadlines after."""
    with b.function(b.name_of(c), signature(c), framed=True, keeps=kept_names(b, c)) as w:
        w.site = b.site(c.definition.line.number, c.definition)
        for p in c.keeps:
            if p.type != t.NUMBER:
                w.assign(var(p.name, p.type), -1)
        current, serial = b.layout.current[id(c)], b.layout.serial[id(c)]
        w.assign("outer", state(current))
        w.store(current, state(FP))
        w.store(serial, state(serial) + 1)
        before, instead, after = ("before", id(c)), ("instead", id(c)), ("after", id(c))
        if before in b.facts.hooks or instead in b.facts.hooks:
            _sequence_hooks(b, w, c, before)
        w.assign("step", state(b.layout.start))
        w.store(b.layout.start, 0)
        with w.while_(equal(local("step"), 0)):
            at_moment(b, w, ("start", id(c)), local("self"))
            w.emit(n.Break())
        _take_unwind(b, w, len(c.steps))
        with w.while_(local("step") < len(c.steps)):
            for i, (title, body, _) in enumerate(c.steps):
                line = c.step_lines[i] if i < len(c.step_lines) else c.definition.line.number
                with w.if_(equal(local("step"), i)):
                    with w.while_(const(1)):
                        w.site = b.site(line, c.definition)
                        look(b, w)
                        if len(c.steps) > 1:
                            w.event(ev.STEP, local("self"), b.text(title))
                        at_moment(b, w, ("step", id(c), i), local("self"))
                        block(b, w, body)
                        at_moment(b, w, ("after step", id(c), i), local("self"))
                        w.emit(n.Break())
                    w.assign("step", (i + 1))
                    _take_unwind(b, w, len(c.steps))
                    w.emit(n.Continue())
        _end_moment(b, w, ("end", id(c)))
        write_last(b, w, c)
        w.store(current, local("outer"))
        if after in b.facts.hooks:
            w.call(fire(b, after), local("self"))


def _end_moment(b: Builder, w: Writer, key: Key) -> None:
    """Rules that wait for the end run unless a sequence around this one was ended, and this one cut off with
    it. What lasts until the end is over in any case, but for the end of the match."""
    if key in b.facts.hooks:
        with w.if_(equal(state(UNWIND), 0)):
            w.call(fire(b, key), local("self"))
    if key in b.facts.deadlines:
        with w.if_(present(state(UNWIND))), spared(b, w):
            expire_at(b, w, key, local("self"))
    with w.if_(equal(state(UNWIND), state(FP))):
        w.store(UNWIND, 0)


def _sequence_hooks(b: Builder, w: Writer, c: t.Component, before: Any) -> None:
    slots = param_slots(b, c)
    lay_params(w, slots, c.params)
    if before in b.facts.hooks:
        w.call(fire(b, before), local("self"))
    take_params(w, slots, c.params)


def _take_unwind(b: Builder, w: Writer, steps: int) -> None:
    """If this very sequence was told to end or to skip, do so; if one around it, leave."""
    unwinding = state(UNWIND)
    with w.if_(unwinding):
        with w.nested() as mine:
            w.store(UNWIND, 0)
            w.assign("step", n.Pick(absent(state(b.layout.skip)), const(steps), state(b.layout.skip)))
        w.emit(n.If(equal(unwinding, state(FP)), tuple(mine), (n.Assign("step", const(steps)),), w.site))
