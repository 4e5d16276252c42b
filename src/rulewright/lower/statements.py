"""Statements -> IR statements.

In:  checked blocks.
Out: code in a Writer. Whatever may end a sequence is followed by a mark (see unwind.py).
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import FAULT_BOUND, UNWIND
from rulewright.lower.builder import Builder
from rulewright.lower.dispatch import STATEMENTS, block, check, lowers, number, row, thing, value
from rulewright.lower.loops import each
from rulewright.lower.secrets import taken
from rulewright.lower.terms import arguments
from rulewright.lower.writer import Writer, const, local, state

CIRCLES = 100_000
"""How often one `repeat while` may go round before it counts as endless."""


row(STATEMENTS, t.Give, lambda b, w, s: w.emit(n.Return(value(b, w, s.value), w.site)))
row(STATEMENTS, t.Stop, lambda b, w, s: w.emit(n.Break(w.site)))
row(STATEMENTS, t.Inline, lambda b, w, s: block(b, w, s.body))
row(STATEMENTS, t.ForEach, lambda b, w, s: each(b, w, s.selector, lambda: block(b, w, s.body)))


@lowers(STATEMENTS, t.RunStmt)
def run(b: Builder, w: Writer, s: t.RunStmt) -> None:
    if s.each is not None:
        each(b, w, s.each, lambda: _run(b, w, s.run))
    else:
        _run(b, w, s.run)


@lowers(STATEMENTS, t.Say)
def say(b: Builder, w: Writer, s: t.Say) -> None:
    args = [value(b, w, a) for a in s.args[:3]]
    w.event(ev.SAY, b.text(_say_text(s)), *args)


def _say_text(s: t.Say) -> str:
    kinds = [getattr(a, "type", t.NUMBER) if not isinstance(a, t.Run) else a.component.gives for a in s.args]
    text = s.text
    for i, kind in enumerate(kinds):
        text = text.replace(f"{{{i}}}", f"{{{i}:{kind}}}")
    return text


def _run(b: Builder, w: Writer, run: t.Run) -> None:
    args = arguments(b, w, run.component, run.self_, [taken(b, w, arg) for arg in run.args])
    if run.start:
        w.store(b.layout.start, run.start)
    w.run(b.name_of(run.component), *args)


# ------------------------------------------------------------ control
@lowers(STATEMENTS, t.IfStmt)
def if_(b: Builder, w: Writer, s: t.IfStmt) -> None:
    w.either(check(b, w, s.test), lambda: block(b, w, s.then), lambda: block(b, w, s.orelse))
    w.check()


@lowers(STATEMENTS, t.Repeat)
def repeat(b: Builder, w: Writer, s: t.Repeat) -> None:
    if s.times is not None:
        left = w.temp(number(b, w, s.times), "left")
        with w.while_(local(left) > 0):
            w.assign(left, local(left) - 1)
            block(b, w, s.body)
    else:
        # Rules that run in a circle without a decision would never come back: nothing else counts here.
        turns = w.temp(0, "turns")
        with w.while_(const(1)):
            test = check(b, w, s.while_)
            w.leave_if(n.Not(test))
            w.assign(turns, local(turns) + 1)
            with w.if_(local(turns) > CIRCLES):
                w.call("fault", FAULT_BOUND)
            block(b, w, s.body)
    w.check()


@lowers(STATEMENTS, t.EndSeq)
def end_sequence(b: Builder, w: Writer, s: t.EndSeq) -> None:
    frame = state(b.layout.current[id(s.sequence)])
    with w.if_(frame):
        w.store(b.layout.skip, -1 if s.step is None else s.step)
        w.store(UNWIND, frame)
    w.check()


@lowers(STATEMENTS, t.AsSelf)
def as_self(b: Builder, w: Writer, s: t.AsSelf) -> None:
    """A function of its own, so that self is never left changed."""
    who = w.temp(thing(b, w, s.who), "who")
    w.check()
    with b.function(b.fresh("as")) as inner:
        inner.site = w.site
        block(b, inner, s.body)
        inner.params = inner.free()
    args = tuple(local(who) if p == "self" else local(p) for p in inner.params)
    w.emit(n.Do(n.Call(inner.name, args), w.site))
    w.check()
