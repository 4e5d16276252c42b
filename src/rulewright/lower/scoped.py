"""Values that hold while a block runs -> code that puts them back however the block is left.

In:  With.
Out: what was there before in locals, which outlive decisions as all locals do; the block in a loop of its
     own, so that what ends a sequence around it leaves the loop and no more; what puts the values back,
     after the loop and before each `give`; then whatever was to be left is left.

Nobody is asked whether the values may be put back, but rules that wait for the change run, and run whole: a
sequence that is being ended waits for them. When the match has ended, the store alone is put right.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.ir.program import UNWIND
from rulewright.lower.builder import Builder, field_of, identifier, like, var
from rulewright.lower.changes import applied
from rulewright.lower.dispatch import STATEMENTS, block, lowers, thing
from rulewright.lower.lazy import takes_part
from rulewright.lower.secrets import keep
from rulewright.lower.terms import keep_in, kept, kept_offset, owner_index
from rulewright.lower.unwind import spared
from rulewright.lower.writer import Writer, const, equal, local, present, state

Undo = Callable[[], None]


@lowers(STATEMENTS, t.With)
def scoped(b: Builder, w: Writer, s: t.With) -> None:
    """Set, run, put back in reverse order."""
    undos: list[Undo] = []
    with w.nested() as setting:
        for change in s.sets:
            undos.append(_set(b, w, change))
        w.check()
    with w.nested() as body:
        block(b, w, s.body)

    def put_back() -> None:
        for undo in reversed(undos):
            undo()

    stopped = ""
    if _stops(tuple(body)):
        stopped = w.temp(0, "stopped")
    inner = _leaving(w, tuple(body), stopped, put_back)
    w.emit(n.While(const(1), (*setting, *inner, n.Break()), w.site))
    put_back()
    w.check()
    if stopped:
        w.leave_if(local(stopped))


def _stops(block: n.Block) -> bool:
    """Whether it leaves the loop around it: breaks within its own loops are no business of others."""
    return any(
        isinstance(part, n.Break) or (isinstance(part, n.If) and _stops((*part.then, *part.orelse)))
        for part in block
    )


def _leaving(w: Writer, block: n.Block, stopped: str, put_back: Undo, inside: bool = False) -> n.Block:
    """`stop` leaves the loop around the whole; `give` puts the values back first."""
    made: list[n.Stmt] = []
    for part in block:
        match part:
            case n.Break() if not inside:
                made += [n.Assign(stopped, const(1), part.site), part]
            case n.Return():
                with w.nested() as before:
                    given = w.temp(part.value, "given")
                    put_back()
                made += [*before, n.Return(local(given), part.site)]
            case n.If():
                then = _leaving(w, part.then, stopped, put_back, inside)
                orelse = _leaving(w, part.orelse, stopped, put_back, inside)
                made.append(n.If(part.test, then, orelse, part.site))
            case n.While():
                within = _leaving(w, part.body, stopped, put_back, True)
                made.append(n.While(part.test, within, part.site))
            case _:
                made.append(part)
    return tuple(made)


def _set(b: Builder, w: Writer, s: t.SetNumber | t.SetThing) -> Undo:
    """Set a value; gives what puts it back."""
    match s.target:
        case t.ReadRes(resource=r, owners=owners) | t.THold(resource=r, owners=owners):
            return _resource(b, w, s, r, owners)
        case t.ReadKept(sequence=sequence, name=name) | t.TKept(sequence=sequence, name=name):
            frame = w.temp(state(b.layout.current[id(sequence)]), "frame")
            if isinstance(s, t.SetThing):
                return _kept_thing(b, w, s, frame, sequence, name)
            return _kept(b, w, s, frame, kept_offset(b, sequence, name))
        case _:
            return _local(b, w, s, var(s.target.name, s.target.type))


def _value(b: Builder, w: Writer, s: t.SetNumber | t.SetThing, old: n.Expr) -> n.Expr:
    if isinstance(s, t.SetThing):
        return thing(b, w, s.value)
    return applied(b, w, s.op, old, s.value)


def _before(s: t.SetNumber | t.SetThing, was: str, by: str, now: n.Expr) -> n.Expr:
    """What `=` found; for `+=` and `-=` what is there now without what was really added."""
    return local(was) if isinstance(s, t.SetThing) or s.op == "=" else now - local(by)


def _local(b: Builder, w: Writer, s: t.SetNumber | t.SetThing, name: str) -> Undo:
    was = w.temp(local(name), like(s.target.type if isinstance(s, t.SetThing) else t.NUMBER, "was"))
    w.assign(name, _value(b, w, s, local(was)))
    if isinstance(s, t.SetThing):
        return lambda: w.assign(name, local(was))
    by = w.temp(local(name) - local(was), "by")
    return lambda: w.assign(name, _before(s, was, by, local(name)))


def _kept_thing(
    b: Builder, w: Writer, s: t.SetThing, frame: str, sequence: t.Component | t.ActionSym, name: str
) -> Undo:
    was = w.temp(kept(b, sequence, name), like(s.value.type, "was"))
    new = w.temp(thing(b, w, s.value), like(s.value.type, "new"))
    with w.if_(local(frame)):
        keep_in(b, w, local(frame), sequence, name, local(new))

    def undo() -> None:
        with w.if_(local(frame)):
            keep_in(b, w, local(frame), sequence, name, local(was))

    return undo


def _kept(b: Builder, w: Writer, s: t.SetNumber, frame: str, offset: int) -> Undo:
    """A value of a running sequence, which outlives whatever it runs."""
    slot = local(frame) + offset
    was, by = w.temp(0, "was"), w.temp(0, "by")
    with w.if_(local(frame)):
        w.assign(was, state(slot))
        w.store(slot, _value(b, w, s, local(was)))
        w.assign(by, state(slot) - local(was))

    def undo() -> None:
        with w.if_(local(frame)):
            w.store(slot, _before(s, was, by, state(slot)))

    return undo


def _resource(
    b: Builder, w: Writer, s: t.SetNumber | t.SetThing, r: t.Resource, owners: list[t.Thing_]
) -> Undo:
    key = b.layout.key(r)
    index = owner_index(b, w, r, owners)
    there = takes_part(b, r, owners)
    who = w.temp(index if there is None else n.Pick(there, index, const(-1)), "i")
    if key in b.facts.lazy:
        w.call(f"know_{identifier(key)}", local(who))
    now = field_of(b, key, local(who), 0)
    was = w.temp(now, "was")
    new = keep(b, w, r, local(who), s.value, lambda: _value(b, w, s, local(was)))
    setter = f"set_{identifier(key)}"
    w.call(setter, local(who), new, w.site)
    by = w.temp(now - local(was), "by")

    def undo() -> None:
        before = w.temp(_before(s, was, by, now), "back")
        with w.nested() as silently, w.if_(present(local(who))):
            w.store(b.layout.base[key] + local(who), local(before))
        with w.nested() as openly, spared(b, w):
            w.run(setter, local(who), local(before), w.site)
        w.emit(n.If(equal(state(UNWIND), -1), tuple(silently), tuple(openly), w.site))

    return undo
