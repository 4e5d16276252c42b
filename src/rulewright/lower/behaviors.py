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
from rulewright.lower.actions import can
from rulewright.lower.builder import Builder, cell_of
from rulewright.lower.dispatch import STATEMENTS, block, check, lowers, thing
from rulewright.lower.facts import has_strategies
from rulewright.lower.terms import arguments, signature
from rulewright.lower.writer import Writer, both, call, const, differ, equal, local, state, truth

PATIENCE = 100
"""Satisfied behaviors in one turn; then the actor gives up."""


# ------------------------------------------------------------ strategies
def strategies(b: Builder) -> None:
    """strategy(self): what an actor without a seat does when it should act.

    A strategy of behaviors is gone through until nothing in it is satisfied any more, and may be another one
    each time; one of statements is done once."""
    if not has_strategies(b.symbols):
        return
    known = list(b.symbols.strategies.values())
    ranked = [s for s in known if any(isinstance(x, t.Behaviors) for x in s.body)]
    for s in known:
        with b.function(f"strategy_{s.index}", ("self",), s.definition) as w:
            block(b, w, s.body)
            if s in ranked:  # 1 when a behavior was satisfied
                w.give(0)
    with b.function("strategy", ("self",)) as w:
        w.assign("left", PATIENCE)
        with w.while_(local("left") > 0):
            w.assign("left", local("left") - 1)
            w.assign("which", _which(b))
            w.assign("got", 0)
            for s in known:
                with w.if_(equal(local("which"), s.index)):
                    call = n.Call(f"strategy_{s.index}", (local("self"),))
                    w.emit(n.Assign("got", call, w.site) if s in ranked else n.Do(call, w.site))
                    w.check()
            w.check()
            gone = equal(cell_of(b, "!in play", local("self")), 0)
            w.emit(n.If(n.Pick(equal(local("got"), 0), const(1), gone), (n.Return(const(0)),)))
        if ranked:
            said = b.text("{0:Actor} stops: a hundred behaviors in one turn are enough")
            # Whoever ends the turn leaves the loop as well, and has nothing to say.
            with w.if_(equal(local("left"), 0)):
                w.event(ev.SAY, said, local("self"))


def _which(b: Builder) -> n.Expr:
    """The strategy of an actor: what the role `strategy` gives, or what its template has."""
    now = b.symbols.roles.strategy
    if now is not None:
        return call(b.name_of(now), local("self"))
    at = b.layout.table("strategy of", [_strategy_of(b, actor.template) for actor in b.symbols.actors])
    return call("entry_k", at, local("self"), -1)


@lowers(STATEMENTS, t.Behaviors)
def behaviors(b: Builder, w: Writer, s: t.Behaviors) -> None:
    """Each behavior: when, possible, if, do or else, then; satisfied when something changed."""
    for row in s.rows:
        w.site = b.site(row.line)
        if row.target is not None:
            w.assign("v_target", thing(b, w, row.target))
        when = check(b, w, row.when) if row.when is not None else const(1)
        with w.if_(when):
            doable = possible(b, w, [*row.do, *row.then])
            with w.if_(doable):
                _behave(b, w, row)
        w.check()


def _behave(b: Builder, w: Writer, row: t.Behavior) -> None:
    before = w.temp(state(b.facts.changes), "before")
    w.event(ev.SAY, b.text(f"{{0:Actor}}: {row.name}"), local("self"))
    test = w.temp(truth(check(b, w, row.test)) if row.test is not None else const(1), "met")
    w.either(local(test), lambda: block(b, w, row.do), lambda: block(b, w, row.orelse))
    w.check()
    block(b, w, row.then)
    w.check()
    w.give_if(both([local(test), differ(state(b.facts.changes), local(before))]), 1)


def possible(b: Builder, w: Writer, body: t.Block_) -> n.Expr:
    """Can everything in these statements that may be impossible be done now? Nothing is rolled."""
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
            return n.Pick(check(b, w, test), possible(b, w, then), possible(b, w, orelse))
        case t.Perform():
            return can(b, w, s)
        case t.RunStmt(run=t.Run(component=component, args=args, self_=self_)) if (
            component.possible is not None
        ):
            test = b.once(
                "can_" + b.name_of(component),
                signature(component),
                lambda c: c.give(truth(check(b, c, component.possible))),
            )
            return n.Call(test, tuple(arguments(b, w, component, self_, args)))
        case _:
            return const(1)


def _strategy_of(b: Builder, template: str) -> int:
    for found in b.symbols.lineage(template):
        if found.strategy:
            named = b.symbols.strategies.get(norm(found.strategy))
            return named.index if named else -1
    return -1


@lowers(STATEMENTS, t.FirstPossible)
def first_possible(b: Builder, w: Writer, s: t.FirstPossible) -> None:
    with w.while_(const(1)):
        for test, body in s.lines:
            legal = check(b, w, test) if test is not None else possible(b, w, body)
            with w.if_(legal):
                block(b, w, body)
                w.emit(n.Break(w.site))
        w.emit(n.Break(w.site))
    w.check()
