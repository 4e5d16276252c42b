"""Actions, reactions and cards -> listing and execution.

In:  ActionSym.
Out: for an action A: list_A (its options) and do_A (declare the rest, pay, test, do).
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import FP
from rulewright.lower.afterwards import write_last
from rulewright.lower.builder import Builder, var
from rulewright.lower.choices import ask, chosen_part, decider_of, offer
from rulewright.lower.declared import declare_path, declared_names
from rulewright.lower.dispatch import block, check
from rulewright.lower.facts import all_actions
from rulewright.lower.legality import (
    card_of,
    each_value,
    fits,
    legal,
    limit_slot,
    okay,
    requires,
)
from rulewright.lower.loops import each
from rulewright.lower.rules import fire
from rulewright.lower.selectors import loop
from rulewright.lower.terms import face_of
from rulewright.lower.writer import Writer, call, const, equal, local, state, truth


def lower_actions(b: Builder) -> None:
    """Code for every action."""
    for a in all_actions(b.symbols):
        with b.within(a.definition):
            legal(b, a)
            requires(b, a)
            okay(b, a, 0)  # whoever asks why not begins there
            _lister(b, a)
            if id(a) in b.among_verb:
                _lister(b, a, "among_", b.among_verb[id(a)])
            _doer(b, a)
    for a in b.symbols.face_actions.values():
        with b.within(a.definition):
            _face(b, a)


# ------------------------------------------------------------ listing
def _lister(b: Builder, a: t.ActionSym, prefix: str = "list_", said: int | None = None) -> None:
    """list_A(self): offer the action, once for each first thing it can be declared with."""
    with b.function(prefix + b.action_name[id(a)], ("self",), a.definition) as w:
        w.give_if(n.Not(call("legal_" + b.action_name[id(a)], local("self"))))
        verb = b.action_verb[id(a)] if said is None else said
        names = declared_names(a)
        for name in names:
            w.assign(name, -1)
        args = (local("self"), *(local(x) for x in names))
        first = a.declares[0] if a.declares else None
        if first is None or first.path is not None:
            with w.if_(n.Call(okay(b, a, 0), args)):
                offer(w, verb, -1, local("self"))
        else:
            _offer_each(b, w, first, verb, n.Call(okay(b, a, 1), args))


def _offer_each(b: Builder, w: Writer, d: t.Declared, verb: int, ok: n.Expr) -> None:
    """Offer everything that can be declared so."""

    def one(value: n.Expr) -> None:
        with w.if_(ok):
            offer(w, verb, value, local("self"))

    each_value(b, w, d, one)


# ------------------------------------------------------------ doing
def _doer(b: Builder, a: t.ActionSym) -> None:
    """do_A(self, first): declare what is left, pay, test, do."""
    names = declared_names(a)
    with b.function("do_" + b.action_name[id(a)], ("self", *names), framed=True) as w:
        w.action = a if a.kind != "Offer" else None
        w.site = b.site(a.definition.line.number)
        current = b.layout.current[id(a)]
        outer = w.temp(state(current), "outer")
        w.store(current, state(FP))
        args = (local("self"), *(local(x) for x in names))
        for k, d in enumerate(a.declares):
            if d.rest:
                _declare_rest(b, w, a, k, args)
            elif k > 0 or d.path is not None:
                _declare(b, w, a, d, okay(b, a, k + 1), args)
        with w.while_(const(1)):
            target = next((local(var(p.name)) for p in a.params if p.type == t.ACTOR), const(-1))
            w.event(ev.RULE, local("self"), target)
            if a.limit is not None:
                w.store(limit_slot(b, a) + local("self"), state(b.layout.serial[id(a.limit)]))
            block(b, w, a.lets)
            action_begins(b, w, a, target)
            block(b, w, a.cost)
            if a.every is None:
                _tested(b, w, a)
            else:
                _area(b, w, a, a.every)
            block(b, w, a.then)
            w.emit(n.Break())
        write_last(b, w, a)
        w.store(current, local(outer))
        w.check()
        action_ends(b, w, a, target)


def _declare(
    b: Builder, w: Writer, a: t.ActionSym, d: t.Declared, following: str, args: tuple[n.Expr, ...]
) -> None:
    """Ask for one declared thing."""
    name = var(d.name, d.type)
    if d.path is not None:
        declare_path(b, w, a, d, following, args)
        return
    label = "{0|" + d.orelse + "}" if d.orelse else "{0}"
    verb = b.verb(f"{d.name}: {label}", (d.type,), w.site)
    decider = decider_of(b, w, None)
    ask(b, w, decider, d.name, lambda c: _offer_each(b, c, d, verb, n.Call(following, args)))
    w.assign(name, n.Pick(equal(chosen_part(), -1), const(-1), chosen_part(1)))


def _declare_rest(b: Builder, w: Writer, a: t.ActionSym, k: int, args: tuple[n.Expr, ...]) -> None:
    printed = w.temp(face_of(b, local(card_of(a))), "face")
    for index, face in b.symbols.face_actions.items():
        if not face.declares or not fits(b, a, face):
            continue
        with w.if_(equal(local(printed), index)):
            for j, d in enumerate(face.declares):
                _declare(b, w, a, d, okay(b, a, k, face, j + 1), args)


# ------------------------------------------------------------ cards
def _face(b: Builder, a: t.ActionSym) -> None:
    """The text of a printed card: do_F(self, card, declared...)."""
    with b.function("do_" + b.action_name[id(a)], ("self", "v_card", *declared_names(a)), a.definition) as w:
        block(b, w, a.cost)
        _tested(b, w, a)
        block(b, w, a.then)


def action_begins(b: Builder, w: Writer, a: t.ActionSym, target: n.Expr) -> None:
    """Before anything of an action happens."""
    if b.facts.aim:
        w.assign("was_aim", state(b.facts.aim))
        w.store(b.facts.aim, target)
    if a.kind != "Offer":
        _any(b, w, "before any", a, target)


def action_ends(b: Builder, w: Writer, a: t.ActionSym, target: n.Expr) -> None:
    """When an action is over."""
    if b.facts.aim:
        w.store(b.facts.aim, local("was_aim"))
    if a.kind != "Offer":
        _any(b, w, "after any", a, target)


def _any(b: Builder, w: Writer, kind: str, a: t.ActionSym, target: n.Expr) -> None:
    if (kind,) in b.facts.hooks:
        w.run(fire(b, (kind,), ("v_action", "v_target")), local("self"), a.index, target)


def _area(b: Builder, w: Writer, a: t.ActionSym, targets: t.Selector) -> None:
    """An area's targets are fixed before the first is struck, and taken in the order of triggers."""
    if not b.struck:
        b.struck = b.layout.slots(b.layout.actors)
    it = var(targets.it)
    mark = b.struck + local(it)
    w.assign("k", 0)
    with w.counting("k", const(b.layout.actors)):
        w.store(b.struck + local("k"), 0)
    loop(b, w, targets, lambda: w.store(mark, 1))
    name, prefs = b.symbols.triggers
    chosen = t.Selector("each", "actor", t.ACTOR, name, prefs=prefs)
    who = var(name)

    def one() -> None:
        with w.if_(state(b.struck + local(who))):
            w.store(b.struck + local(who), 0)
            w.assign("v_target", local(who))
            if b.facts.aim:
                w.store(b.facts.aim, local(who))
            _tested(b, w, a)

    each(b, w, chosen, one)


def _tested(b: Builder, w: Writer, a: t.ActionSym) -> None:
    """if, do, else. The role `test` has the last word on a test."""
    if a.test is None:
        block(b, w, a.do)
        return
    last = b.symbols.roles.test
    if last is None:
        test = check(b, w, a.test)
    else:
        if b.facts.natural:
            w.store(b.facts.natural, 0)
            w.store(b.facts.natural + 1, 0)
        met = w.temp(truth(check(b, w, a.test)), "met")
        w.assign(met, call(b.name_of(last), local("self"), local(met)))
        test = local(met)
    w.either(test, lambda: block(b, w, a.do), lambda: block(b, w, a.orelse))
    w.check()
