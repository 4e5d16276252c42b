"""Actions, reactions and cards -> listing and execution.

In:  ActionSym.
Out: for an action A: list_A (its options) and do_A (declare the rest, pay, test, do).
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import FP
from rulewright.lower import behaviors as m_behaviors
from rulewright.lower import checks as m_checks
from rulewright.lower import choices as m_choices
from rulewright.lower import framework as m_framework
from rulewright.lower import legality as m_legality
from rulewright.lower import selectors as m_selectors
from rulewright.lower import statements as m_statements
from rulewright.lower import terms as m_terms
from rulewright.lower.builder import Builder
from rulewright.lower.writer import Writer, add, both, const, equal, local, state


def lower_actions(b: Builder) -> None:
    """Code for every action."""
    for a in m_behaviors.all_actions(b):
        before = b.definition
        b.definition = a.definition
        m_legality.legal(b, a)
        m_legality.requires(b, a)
        _lister(b, a)
        if id(a) in b.company_verb:
            _lister(b, a, "among_", b.company_verb[id(a)])
        _doer(b, a)
        b.definition = before
    for a in b.symbols.face_actions.values():
        before = b.definition
        b.definition = a.definition
        _face(b, a)
        b.definition = before


# ------------------------------------------------------------ listing
def _lister(b: Builder, a: t.ActionSym, prefix: str = "list_", said: int | None = None) -> None:
    """list_A(self): offer the action, once for each first thing it can be declared with."""
    w = Writer(prefix + b.action_name[id(a)], ("self",))
    w.site = b.site(a.definition.line.number)
    with w.if_(n.Not(n.Call("legal_" + b.action_name[id(a)], (local("self"),)))):
        w.emit(n.Return(const(0)))
    verb = b.action_verb[id(a)] if said is None else said
    names = m_legality.declared_names(a)
    for name in names:
        w.assign(name, const(-1))
    args = (local("self"), *(local(x) for x in names))
    first = a.declares[0] if a.declares else None
    if first is None or first.path is not None:
        with w.if_(n.Call(m_legality.okay(b, a, 0), args)):
            m_choices.offer(w, verb, -1, local("self"))
    else:
        _offer_each(b, w, a, first, 0, verb, args)
    b.add(w.function())


def _offer_each(
    b: Builder,
    w: Writer,
    a: t.ActionSym,
    d: t.Declared,
    k: int,
    verb: int,
    args: tuple[n.Expr, ...],
    following: str = "",
) -> None:
    name = m_terms.var(d.name)
    ok = n.Call(following or m_legality.okay(b, a, k + 1), args)
    if d.type == t.NUMBER:
        w.assign(name, m_framework.number(b, w, d.low))
        stop = w.temp(m_framework.number(b, w, d.high), "stop")
        with w.while_(n.Binary("<=", local(name), local(stop))):
            with w.if_(ok):
                m_choices.offer(w, verb, local(name), local("self"))
            w.assign(name, add(local(name), 1))
        return
    assert d.selector is not None

    def body() -> None:
        w.assign(name, local(m_terms.var(d.selector.it)))  # type: ignore[union-attr]
        with w.if_(ok):
            m_choices.offer(w, verb, local(name), local("self"))

    m_selectors.loop(b, w, d.selector, body)
    if d.orelse:
        w.assign(name, const(-1))
        with w.if_(ok):
            m_choices.offer(w, verb, -1, local("self"))


# ------------------------------------------------------------ doing
def _doer(b: Builder, a: t.ActionSym) -> None:
    """do_A(self, first): declare what is left, pay, test, do."""
    names = m_legality.declared_names(a)
    w = Writer("do_" + b.action_name[id(a)], ("self", *names), True)
    w.site = b.site(a.definition.line.number)
    current = b.layout.current[id(a)]
    outer = w.temp(state(current), "outer")
    w.store(current, state(FP))
    args = (local("self"), *(local(x) for x in names))
    for k, d in enumerate(a.declares):
        if d.rest:
            _declare_rest(b, w, a, k, args)
        elif k > 0 or d.path is not None:
            _declare(b, w, a, d, m_legality.okay(b, a, k + 1), args)
    with w.while_(const(1)):
        target = _target(w, a)
        w.event(ev.RULE, local("self"), target)
        if a.limit is not None:
            w.store(
                add(const(m_legality.limit_slot(b, a)), local("self")), state(b.layout.serial[id(a.limit)])
            )
        m_statements.block(b, w, a.lets)
        m_behaviors.deed_begins(b, w, a, target)
        m_statements.block(b, w, a.cost)
        m_behaviors.body(b, w, a)
        m_statements.block(b, w, a.then)
        w.emit(n.Break())
    w.store(current, local(outer))
    w.check()
    m_behaviors.deed_ends(b, w, a, target)
    b.add(w.function())


def _target(w: Writer, a: t.ActionSym) -> n.Expr:
    return next((local(m_terms.var(p.name)) for p in a.params if p.type == t.ACTOR), const(-1))


def plain_body(b: Builder, w: Writer, a: t.ActionSym) -> None:
    if a.every is not None:
        it = m_terms.var(a.every.it)

        def one() -> None:
            w.assign("v_target", local(it))
            m_behaviors.tested(b, w, a)

        m_statements.each(b, w, a.every, one)
        return
    m_behaviors.tested(b, w, a)


def plain_tested(b: Builder, w: Writer, a: t.ActionSym) -> None:
    if a.test is None:
        m_statements.block(b, w, a.do)
        return
    test = m_checks.check(b, w, a.test)
    with w.nested() as then:
        m_statements.block(b, w, a.do)
    with w.nested() as orelse:
        m_statements.block(b, w, a.orelse)
    w.emit(n.If(test, tuple(then), tuple(orelse), w.site))
    w.check()


def _declare(
    b: Builder, w: Writer, a: t.ActionSym, d: t.Declared, following: str, args: tuple[n.Expr, ...]
) -> None:
    """Ask for one declared thing."""
    name = m_terms.var(d.name)
    if d.path is not None:
        _declare_path(b, w, a, d, following, args)
        return
    label = "{0|" + d.orelse + "}" if d.orelse else "{0}"
    verb = b.verb(f"{d.name}: {label}", (d.type,), w.site)
    decider = m_choices.decider_of(b, w, None)
    m_choices.ask(b, w, decider, d.name, lambda c: _offer_each(b, c, a, d, 0, verb, args, following))
    w.assign(name, n.Pick(equal(m_choices.chosen_part(), -1), const(-1), m_choices.chosen_part(1)))


def _declare_path(
    b: Builder, w: Writer, a: t.ActionSym, d: t.Declared, following: str, args: tuple[n.Expr, ...]
) -> None:
    """Step by step; each step is offered only if the path can still be completed."""
    assert d.path is not None
    spec = d.path
    way = m_legality.path_ok(b, a, d, following)
    w.assign("way", const(1))
    w.assign("at", m_legality.here(b))
    w.assign("steps", const(0))
    with w.while_(n.Binary("<", local("steps"), m_framework.number(b, w, spec.most))):

        def listing(c: Writer) -> None:
            c.assign("d", const(0))
            with c.while_(n.Binary("<", local("d"), const(b.layout.directions))):
                c.assign("to", m_legality.step_to(b, c, spec))
                with c.if_(n.Binary(">=", local("to"), const(0))):
                    further = add(n.Binary("*", local("way"), const(8)), local("d"))
                    with c.if_(n.Call(way, (*args, further, local("to"), add(local("steps"), 1)))):
                        m_choices.offer(c, b.step_verb, local("to"), local("d"))
                c.assign("d", add(local("d"), m_selectors.step_size(b)))
            with c.if_(
                both(
                    [
                        n.Binary(">=", local("steps"), m_framework.number(b, c, spec.least)),
                        m_legality.may_end(b, c, spec),
                    ]
                )
            ):
                c.assign(m_terms.var(d.name), local("way"))
                with c.if_(n.Call(following, args)):
                    m_choices.offer(c, b.stop_verb)

        m_choices.ask(b, w, m_choices.decider_of(b, w, None), d.name, listing)
        w.emit(n.If(n.Binary("!=", m_choices.chosen_part(), const(b.step_verb)), (n.Break(),)))
        w.assign("way", add(n.Binary("*", local("way"), const(8)), m_choices.chosen_part(2)))
        w.assign("at", m_choices.chosen_part(1))
        w.assign("steps", add(local("steps"), 1))
    w.assign(m_terms.var(d.name), local("way"))


def _declare_rest(b: Builder, w: Writer, a: t.ActionSym, k: int, args: tuple[n.Expr, ...]) -> None:
    printed = w.temp(m_terms.face_of(b, local(m_legality.card_of(a))), "face")
    for index, face in b.symbols.face_actions.items():
        if not face.declares or not m_legality.fits(b, a, face):
            continue
        with w.if_(equal(local(printed), index)):
            for j, d in enumerate(face.declares):
                _declare(b, w, a, d, m_legality.okay(b, a, k, face, j + 1), args)


# ------------------------------------------------------------ cards
def _face(b: Builder, a: t.ActionSym) -> None:
    """The text of a printed card: do_F(self, card, declared...)."""
    w = Writer("do_" + b.action_name[id(a)], ("self", "v_card", *m_legality.declared_names(a)))
    w.site = b.site(a.definition.line.number)
    m_statements.block(b, w, a.cost)
    m_behaviors.tested(b, w, a)
    m_statements.block(b, w, a.then)
    b.add(w.function())
