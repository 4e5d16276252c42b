"""Where actions are performed and offered: perform, act, window.

In:  statements of a book that name an action, or let somebody choose one.
Out: calls of do_A, and the loops that list what is legal, ask, and dispatch.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import ANYWAY
from rulewright.lower.builder import Builder, field_of, var
from rulewright.lower.choices import ask, chosen_part, controller, decider_of, offer
from rulewright.lower.declared import declared_names
from rulewright.lower.dispatch import CHECKS, STATEMENTS, check, lowers, number, thing
from rulewright.lower.facts import all_actions, has_strategies
from rulewright.lower.legality import fits, okay
from rulewright.lower.loops import each
from rulewright.lower.selectors import listed, loop
from rulewright.lower.terms import as_space, printed
from rulewright.lower.writer import Writer, absent, both, call, const, equal, local, present, state


def target_index(a: t.ActionSym) -> int:
    if not a.declares or a.declares[0].type == t.NUMBER:
        return -1
    return 0


def possible_action(b: Builder, w: Writer, actor: n.Expr, a: t.ActionSym, target: n.Expr | None) -> n.Expr:
    names = declared_names(a)
    legal = call("legal_" + b.action_name[id(a)], actor)
    if target is None or not a.declares:
        return both([legal, call(okay(b, a, 0), actor, *(const(-1) for _ in names))])
    who = w.temp(actor, "who")
    on = w.temp(target, "on")

    def build(c: Writer) -> None:
        c.assign("self", local(who))
        for name in names:
            c.assign(name, -1)
        d = a.declares[0]
        args = (local("self"), *(local(x) for x in names))
        if d.selector is not None:

            def body() -> None:
                c.assign(var(d.name, d.type), local(var(d.selector.it)))  # type: ignore[union-attr]
                it_is = equal(local(var(d.name, d.type)), local(on))
                with c.if_(it_is):
                    c.give_if(n.Call(okay(b, a, 1), args), 1)

            listed(b, c, d.selector, body)
        c.give(0)

    return both([legal, present(local(on)), b.closure("can", build, w.site)])


def _perform_card(b: Builder, w: Writer, s: t.Perform) -> None:
    card = w.temp(thing(b, w, s.card), "card")
    kind = s.card.type if s.card is not None else t.FACE
    face_now = w.temp(printed(b, kind, local(card), t.FACE), "face")
    owner = {var(p.name, p.type) for p in w.action.params} if w.action is not None else set[str]()
    for index, face in b.symbols.face_actions.items():
        if not fits(b, w.action, face):
            continue
        with w.if_(equal(local(face_now), index)):
            site = b.site(face.definition.line.number, face.definition)
            w.tell(site, ev.RULE, local("self"), -1)
            values = [local(name) if name in owner else const(-1) for name in declared_names(face)]
            w.run("do_" + b.action_name[id(face)], local("self"), local(card), *values)
    w.check()


# ------------------------------------------------------------ offering
@lowers(STATEMENTS, t.Act)
def act(b: Builder, w: Writer, s: t.Act) -> None:
    """Offer actions until the actor passes; a strategy acts on its own."""
    left = w.temp(number(b, w, s.times) if s.times is not None else const(1), "left")
    endless = s.how == "pass"
    offered = (
        [s.only]
        if s.only is not None
        else [a for a in all_actions(b.symbols) if a.kind in ("Action", "Offer")]
    )
    if s.by is None:
        seat = w.temp(decider_of(b, w, None).seat, "seat")
        if has_strategies(b.symbols):
            with w.if_(absent(local(seat))):
                w.run("strategy", local("self"))
                w.assign(left, 0)
    if endless and s.times is None:
        w.assign(left, n.Pick(local(left), const(1), const(0)))
    with w.while_(local(left) > 0):
        if not endless:
            w.assign(left, local(left) - 1)
        if s.while_ is not None:
            w.leave_if(n.Not(check(b, w, s.while_)))

        def listing(c: Writer) -> None:
            if s.by is not None:
                loop(b, c, s.by, lambda: _offer_all(b, c, s, offered, var(s.by.it)))  # type: ignore[union-attr]
            else:
                _offer_all(b, c, s, offered, "self")
            if s.pass_:
                offer(c, b.pass_verb)

        by = t.TSelect(s.by, t.ACTOR) if s.by is not None else None
        ask(b, w, decider_of(b, w, by), "act", listing)
        verb = w.temp(chosen_part(), "verb")
        with w.if_(equal(local(verb), b.pass_verb) | equal(local(verb), -1)):
            w.emit(n.Break(w.site))
        dispatch(b, w, offered, verb)
    w.check()


def _offer_all(b: Builder, c: Writer, s: t.Act, offered: list[t.ActionSym], actor: str) -> None:
    for a in offered:
        several = s.by is not None and id(a) in b.among_verb
        c.call(("among_" if several else "list_") + b.action_name[id(a)], local(actor))


def dispatch(b: Builder, w: Writer, offered: list[t.ActionSym], verb: str) -> None:
    """Run the action that was chosen."""
    thing = w.temp(chosen_part(1), "thing")
    actor = w.temp(chosen_part(2), "actor")
    for a in offered:
        names = declared_names(a)
        chosen = equal(local(verb), b.action_verb[id(a)])
        if id(a) in b.among_verb:
            chosen = chosen | equal(local(verb), b.among_verb[id(a)])
        with w.if_(chosen):
            values: list[n.Expr] = [const(-1)] * len(names)
            if a.declares and a.declares[0].path is None and names:
                values[0] = local(thing)
            w.call("do_" + b.action_name[id(a)], local(actor), *values)
    w.check()


@lowers(STATEMENTS, t.Window)
def window(b: Builder, w: Writer, s: t.Window) -> None:
    """Ask each in turn for reactions, until it declines."""
    offered = [a for a in b.symbols.actions.values() if a.kind == "Reaction" and s.name in a.windows]
    if not offered:
        return
    outer = w.temp(state(b.layout.window), "outer")
    for who in s.who:
        if isinstance(who, t.Selector):
            each(b, w, who, lambda x=who: _open(b, w, s, t.TLocal(x.it, t.ACTOR), offered, outer))
        else:
            _open(b, w, s, who, offered, outer)
    w.check()


def _open(b: Builder, w: Writer, s: t.Window, who: Any, offered: list[t.ActionSym], outer: str) -> None:
    actor = w.temp(thing(b, w, who), "asked")
    with w.if_(both([present(local(actor)), field_of(b, "!in play", local(actor), 0)])):
        with w.while_(const(1)):
            w.store(b.layout.window, b.symbols.windows[s.name])

            def listing(c: Writer) -> None:
                for a in offered:
                    c.call("list_" + b.action_name[id(a)], local(actor))
                with c.if_(const(1) if s.anyway else call("nopt") > 0):
                    offer(c, b.decline_verb)

            if s.anyway:
                w.store(ANYWAY, 1)
            ask(b, w, controller(b, actor), "react", listing)
            if s.anyway:
                w.store(ANYWAY, 0)
            verb = w.temp(chosen_part(), "verb")
            with w.if_(equal(local(verb), b.decline_verb) | equal(local(verb), -1)):
                w.emit(n.Break(w.site))
            # It stays open while the reaction is declared and done: its card may still ask for something.
            dispatch(b, w, offered, verb)
        w.store(b.layout.window, local(outer))
        w.check()


@lowers(STATEMENTS, t.Perform)
def perform(b: Builder, w: Writer, s: t.Perform) -> None:
    """Perform a card's text, or an action if it is legal."""
    if s.card is not None:
        _perform_card(b, w, s)
        return
    assert s.action is not None
    a = s.action
    # The target is picked once: picking it may roll.
    target = w.temp(aimed(b, w, a, s.on) if s.on is not None else const(-1), "target")
    on = local(target) if s.on is not None and a.declares else None
    legal = possible_action(b, w, local("self"), a, on)
    with w.if_(legal):
        count = len(declared_names(a))
        values = [local(target) if i == target_index(a) else const(-1) for i in range(count)]
        w.run("do_" + b.action_name[id(a)], local("self"), *values)


def aimed(b: Builder, w: Writer, a: t.ActionSym, on: t.Thing_) -> n.Expr:
    """Whom or what an action is done on: an actor's space, when it takes a space."""
    if a.declares and a.declares[0].type == t.SPACE and on.type == t.ACTOR:
        return as_space(b, w, on)
    return thing(b, w, on)


def can(b: Builder, w: Writer, s: t.Perform) -> n.Expr:
    """Is the action legal now, on this target if one is named?"""
    if s.action is None:
        return const(1)
    on = aimed(b, w, s.action, s.on) if s.on is not None else None
    return possible_action(b, w, local("self"), s.action, on)


@lowers(CHECKS, t.CanPerform)
def can_perform(b: Builder, w: Writer, e: t.CanPerform) -> n.Expr:
    """`X can perform A on Y`"""
    actor = thing(b, w, e.actor)
    return possible_action(
        b, w, actor, e.action, aimed(b, w, e.action, e.target) if e.target is not None else None
    )
