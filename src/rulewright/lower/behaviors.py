"""Strategies made of behaviors, actions as things that happen, and what features offer to do.

In:  t.Behaviors; actions of a book with a framework.
Out: pass_S(self), one pass through a strategy that gives 1 when a behavior was satisfied; strategy(self),
     which repeats passes; the hooks before and after any action; targets of an area, fixed at the start.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.lower import actions as m_actions
from rulewright.lower import checks as m_checks
from rulewright.lower import doing as m_doing
from rulewright.lower import legality as m_legality
from rulewright.lower import rules as m_rules
from rulewright.lower import selectors as m_selectors
from rulewright.lower import statements as m_statements
from rulewright.lower import terms as m_terms
from rulewright.lower import things as m_things
from rulewright.lower.builder import Builder, Key
from rulewright.lower.writer import Writer, add, both, const, equal, local, state

PATIENCE = 100
"""Satisfied behaviors in one turn; then the actor gives up."""


# ------------------------------------------------------------ strategies
def framework_strategies(b: Builder) -> None:
    """strategy(self): passes until one satisfies nothing."""
    for s in b.symbols.strategies.values():
        w = Writer(f"pass_{s.index}", ("self",))
        w.site = b.site(s.definition.line.number, s.definition)
        before = b.definition
        b.definition = s.definition
        m_statements.block(b, w, s.body)
        b.definition = before
        w.emit(n.Return(const(0)))
        b.add(w.function())
    w = Writer("strategy", ("self",))
    now = b.symbols.components.get(norm(str(b.symbols.front.get("strategy", ""))))
    w.assign("left", const(PATIENCE))
    with w.while_(n.Binary(">", local("left"), const(0))):
        w.assign("left", n.Binary("-", local("left"), const(1)))
        w.assign("which", n.Call(b.name_of(now), (local("self"),)) if now is not None else const(-1))
        w.assign("got", const(0))
        for s in b.symbols.strategies.values():
            with w.if_(equal(local("which"), s.index)):
                w.assign("got", n.Call(f"pass_{s.index}", (local("self"),)))
                w.check()
        w.check()
        over = n.Pick(
            equal(local("got"), 0),
            const(1),
            equal(state(add(const(b.layout.base["!in play"]), local("self"))), 0),
        )
        w.emit(n.If(over, (n.Return(const(0)),)))
    said = b.text("{0:Actor} stops: a hundred behaviors in one turn are enough")
    with w.if_(equal(local("left"), 0)):
        w.event(ev.SAY, said, local("self"))
    b.add(w.function())


def behaviors(b: Builder, w: Writer, s: t.Behaviors) -> None:
    """Each behavior: when, possible, if, do or else, then; satisfied when something changed."""
    for row in s.rows:
        w.site = b.site(row.line)
        if row.target is not None:
            w.assign("v_target", m_things.thing(b, w, row.target))
        when = m_checks.check(b, w, row.when) if row.when is not None else const(1)
        with w.if_(when):
            doable = possible(b, w, [*row.do, *row.then])
            with w.if_(doable):
                _behave(b, w, row)
        w.check()


def _behave(b: Builder, w: Writer, row: t.Behavior) -> None:
    before = w.temp(state(b.changes), "before")
    w.event(ev.SAY, b.text(f"{{0:Actor}}: {row.name}"), local("self"))
    test = w.temp(m_checks.truth(m_checks.check(b, w, row.test)) if row.test is not None else const(1), "met")
    with w.nested() as then:
        m_statements.block(b, w, row.do)
    with w.nested() as orelse:
        m_statements.block(b, w, row.orelse)
    w.emit(n.If(local(test), tuple(then), tuple(orelse), w.site))
    w.check()
    m_statements.block(b, w, row.then)
    w.check()
    with w.if_(both([local(test), n.Binary("!=", state(b.changes), local(before))])):
        w.emit(n.Return(const(1)))


def possible(b: Builder, w: Writer, body: t.Block_) -> n.Expr:
    """Can everything in these statements that may be impossible be done now? Nothing is rolled."""
    if not b.symbols.frameworks:
        return m_statements.plain_possible(b, w, body)
    before, b.quiet = b.quiet, True
    try:
        tests = [_can(b, w, s) for s in body]
    finally:
        b.quiet = before
    real = [x for x in tests if x != const(1)]
    return both(real) if real else const(1)


def _can(b: Builder, w: Writer, s: Any) -> n.Expr:
    match s:
        case t.Inline(body=body):
            return possible(b, w, body)
        case t.IfStmt(test=test, then=then, orelse=orelse):
            return n.Pick(m_checks.check(b, w, test), possible(b, w, then), possible(b, w, orelse))
        case t.Perform():
            return can(b, w, s)
        case t.RunStmt(run=t.Run(component=component, args=args, self_=self_)) if (
            component.possible is not None
        ):
            return n.Call(
                _possible_function(b, component), tuple(m_terms.arguments(b, w, component, self_, args))
            )
        case _:
            return const(1)


def _possible_function(b: Builder, c: t.Component) -> str:
    name = "can_" + b.name_of(c)
    if name not in b.functions:
        params = ("self", *(m_terms.var(p.name) for p in c.params))
        b.functions[name] = n.Function(name, params, ())
        w = Writer(name, params)
        w.emit(n.Return(m_checks.truth(m_checks.check(b, w, c.possible))))
        b.functions[name] = w.function()
    return name


# ------------------------------------------------------------ performing
def aimed(b: Builder, w: Writer, a: t.ActionSym, on: Any) -> n.Expr:
    """Whom or what an action is done on: an actor's space, when it takes a space."""
    if a.declares and a.declares[0].type == t.SPACE and on.type == t.ACTOR:
        return m_terms.as_space(b, w, on)
    return m_things.thing(b, w, on)


def perform(b: Builder, w: Writer, s: t.Perform) -> None:
    """The target is picked once: picking it may roll."""
    if not b.symbols.frameworks or s.card is not None or s.action is None:
        m_actions.plain_perform(b, w, s)
        return
    a = s.action
    target = w.temp(aimed(b, w, a, s.on) if s.on is not None else const(-1), "target")
    legal = m_actions.possible_action(
        b, w, local("self"), a, local(target) if s.on is not None and a.declares else None
    )
    with w.if_(legal):
        values = [
            local(target) if i == m_actions.target_index(a) else const(-1)
            for i in range(len(m_legality.declared_names(a)))
        ]
        w.call("do_" + b.action_name[id(a)], local("self"), *values)
        w.check()


def can(b: Builder, w: Writer, s: t.Perform) -> n.Expr:
    """Is the action legal now, on this target if one is named?"""
    if not b.symbols.frameworks or s.action is None:
        return m_actions.plain_can(b, w, s)
    return m_actions.possible_action(
        b, w, local("self"), s.action, aimed(b, w, s.action, s.on) if s.on is not None else None
    )


def can_perform(b: Builder, w: Writer, actor: Any, action: t.ActionSym, target: Any) -> n.Expr:
    """`X can perform A on Y`"""
    if not b.symbols.frameworks or target is None:
        return m_actions.plain_can_perform(b, w, actor, action, target)
    return m_actions.possible_action(b, w, m_things.thing(b, w, actor), action, aimed(b, w, action, target))


# ------------------------------------------------------------ actions
def all_actions(b: Builder) -> list[t.ActionSym]:
    """Actions, and what features offer."""
    return [*b.symbols.actions.values(), *b.symbols.offers]


def deed_begins(b: Builder, w: Writer, a: t.ActionSym, target: n.Expr) -> None:
    """Before anything of an action happens."""
    if not b.symbols.frameworks:
        return
    w.assign("was_aim", state(b.aim))
    w.store(b.aim, target)
    if a.kind != "Offer":
        _any(b, w, "before any", a, target)


def deed_ends(b: Builder, w: Writer, a: t.ActionSym, target: n.Expr) -> None:
    """When an action is over."""
    if not b.symbols.frameworks:
        return
    w.store(b.aim, local("was_aim"))
    if a.kind != "Offer":
        _any(b, w, "after any", a, target)


def _any(b: Builder, w: Writer, kind: str, a: t.ActionSym, target: n.Expr) -> None:
    key = (kind,)
    if key not in b.hooks:
        return
    name = "fire_" + m_terms.clean(kind)
    if name not in b.functions:
        params = ("subject", "v_action", "v_target")
        b.functions[name] = n.Function(name, params, ())
        made = Writer(name, params)
        extra = (local("v_action"), local("v_target"))

        def run(rules: t.Rules, hook: t.Hook, owner: n.Expr) -> None:
            m_rules.run_hook(b, made, rules, hook, owner, extra)

        owners(b, made, key, run)
        b.functions[name] = made.function()
    w.call(name, local("self"), a.index, target)
    w.check()


def body(b: Builder, w: Writer, a: t.ActionSym) -> None:
    """An area's targets are fixed before the first is struck, and taken in the order of triggers."""
    if a.every is None or not b.symbols.frameworks:
        m_doing.plain_body(b, w, a)
        return
    if not b.struck:
        b.struck = b.layout.slots(b.layout.actors)
    it = m_terms.var(a.every.it)
    mark = add(const(b.struck), local(it))
    w.assign("k", const(0))
    with w.while_(n.Binary("<", local("k"), const(b.layout.actors))):
        w.store(add(const(b.struck), local("k")), 0)
        w.assign("k", add(local("k"), 1))
    m_selectors.loop(b, w, a.every, lambda: w.store(mark, 1))
    name, prefs = b.symbols.triggers
    chosen = t.Selector("each", "actor", t.ACTOR, name, prefs=prefs)
    who = m_terms.var(name)

    def one() -> None:
        with w.if_(state(add(const(b.struck), local(who)))):
            w.store(add(const(b.struck), local(who)), 0)
            w.assign("v_target", local(who))
            w.store(b.aim, local(who))
            tested(b, w, a)

    m_statements.each(b, w, chosen, one)


def tested(b: Builder, w: Writer, a: t.ActionSym) -> None:
    """A framework may have a last word on a test: `tested:` names the component that has it."""
    last = (
        b.symbols.components.get(norm(str(b.symbols.front.get("tested", ""))))
        if b.symbols.frameworks
        else None
    )
    if last is None or a.test is None:
        m_doing.plain_tested(b, w, a)
        return
    w.store(b.natural, 0)
    w.store(b.natural + 1, 0)
    met = w.temp(m_checks.truth(m_checks.check(b, w, a.test)), "met")
    w.assign(met, n.Call(b.name_of(last), (local("self"), local(met))))
    with w.nested() as then:
        m_statements.block(b, w, a.do)
    with w.nested() as orelse:
        m_statements.block(b, w, a.orelse)
    w.emit(n.If(local(met), tuple(then), tuple(orelse), w.site))
    w.check()


# ------------------------------------------------------------ order of hooks
def owners(b: Builder, w: Writer, key: Key, run: Any) -> None:
    """Nobody's hooks once; the subject's own; then the others' by the framework's order of triggers."""
    if not b.symbols.frameworks:
        m_rules.plain_owners(b, w, key, run)
        return
    found = b.hooks[key]
    for rules, hook in found:
        if rules.bearer == "event" or hook.moment.own:
            run(rules, hook, local("subject"))
    free = [(r, h) for r, h in found if r.bearer != "event" and not h.moment.own]
    if not free:
        return
    name, prefs = b.symbols.triggers
    active = t.Pref(False, t.Truth(t.Same(t.TLocal(name, t.ACTOR), t.TBuiltin("active", t.ACTOR))))
    everybody = t.Selector("each", "actor", t.ACTOR, name, prefs=[active, *prefs])

    def one() -> None:
        for rules, hook in free:
            run(rules, hook, local(m_terms.var(name)))

    m_statements.each(b, w, everybody, one)


def active(b: Builder) -> n.Expr:
    """Whom the framework's resource `active:` names, or whose turn it is."""
    name = b.symbols.front.get("active")
    if not b.symbols.frameworks or not isinstance(name, str):
        return m_terms.plain_active(b)
    r = b.symbols.resources_for(True).get(norm(name))
    return state(b.layout.base[b.layout.key(r)]) if r is not None else m_terms.plain_active(b)
