"""Actors that move, turn, come and go -> kernel calls: places, spaces, walking, control.

In:  statements about actors and spaces.
Out: kernel calls; enter, which puts an actor on a space with all that this sets off.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import UNWIND
from rulewright.lower.bearing import bears
from rulewright.lower.builder import Builder, field_of, like, var
from rulewright.lower.changes import remember
from rulewright.lower.choices import decider_of
from rulewright.lower.dispatch import STATEMENTS, check, lowers, number, row, thing
from rulewright.lower.loops import many
from rulewright.lower.rules import fire, hook_function, owners
from rulewright.lower.terms import as_space, changed, keep_in, neighbour
from rulewright.lower.writer import (
    Writer,
    absent,
    both,
    call,
    const,
    consts,
    equal,
    local,
    present,
    state,
)

row(STATEMENTS, t.UseMap, lambda b, w, s: w.store(b.layout.map_now, s.map))


@lowers(STATEMENTS, t.MoveActor)
def move_actor(b: Builder, w: Writer, s: t.MoveActor) -> None:
    many(b, w, s.who, lambda who: move_to(b, w, who, as_space(b, w, s.space)))


@lowers(STATEMENTS, t.SetSide)
def set_side(b: Builder, w: Writer, s: t.SetSide) -> None:
    w.store(const(b.layout.base["!side"]) + thing(b, w, s.who), thing(b, w, s.side))


def move_to(b: Builder, w: Writer, who: n.Expr, space: n.Expr, old: n.Expr | None = None) -> None:
    """Put an actor on a space, with what entering it sets off; `old` is whence, if not from here."""
    actor = w.temp(who, "who")
    here = field_of(b, "!place", local(actor))
    w.run("enter", local(actor), space, here if old is None else old, w.site)


def enter_function(b: Builder) -> None:
    """enter(who, to, old, site)"""
    with b.function("enter", ("who", "to", "old", "site")) as w:
        w.give_if(absent(local("who")))
        w.store(b.layout.base["!place"] + local("who"), local("to"))
        changed(b, w)
        w.tell(local("site"), ev.PLACE, local("who"), local("old"), local("to"))
        _map_follows(b, w, local("to"))
        key = ("enters",)
        if key in b.facts.hooks:
            w.assign("subject", local("who"))

            def run(rules: t.Rules, hook: t.Hook, owner: n.Expr) -> None:
                tests: list[n.Expr] = [call(bears(b, rules), owner), present(local("to"))]
                if hook.moment.terrain:
                    number = b.symbols.terrains.numbers[hook.moment.terrain]
                    tests.append(equal(field_of(b, "!terrain", local("to")), number))
                with w.if_(both(tests)):
                    w.run(hook_function(b, rules, hook), owner, local("to"), local("old"))

            owners(b, w, key, run)


def _map_follows(b: Builder, w: Writer, space: n.Expr) -> None:
    """The map in play is that of the space that somebody has come to."""
    if len(b.symbols.maps) > 1:
        with w.if_(present(space)):
            w.store(b.layout.map_now, consts(b.layout.tables["map of"] + space))


@lowers(STATEMENTS, t.Swap)
def swap(b: Builder, w: Writer, s: t.Swap) -> None:
    a, right = w.temp(thing(b, w, s.a), "a"), w.temp(thing(b, w, s.b), "b")
    place = b.layout.base["!place"]
    first = w.temp(call("cell", place, local(a), -1), "first")
    second = w.temp(call("cell", place, local(right), -1), "second")
    with w.if_(both([present(local(a)), present(local(right))])):
        w.store(place + local(right), local(first))
        move_to(b, w, local(a), local(second), local(first))
        move_to(b, w, local(right), local(first), local(second))


@lowers(STATEMENTS, t.SetFacing)
def set_facing(b: Builder, w: Writer, s: t.SetFacing) -> None:
    who = w.temp(thing(b, w, s.who), "who")
    direction = w.temp(thing(b, w, s.direction), "dir")
    with w.if_(both([present(local(who)), present(local(direction))])):
        w.store(b.layout.base["!facing"] + local(who), local(direction))
        w.event(ev.FACE, local(who), local(direction))


@lowers(STATEMENTS, t.SetTerrain)
def set_terrain(b: Builder, w: Writer, s: t.SetTerrain) -> None:
    space = w.temp(thing(b, w, s.space), "space")
    with w.if_(present(local(space))):
        slot = b.layout.base["!terrain"] + local(space)
        old = w.temp(state(slot), "old")
        w.store(slot, thing(b, w, s.terrain))
        w.event(ev.CHANGE, b.layout.field_index["!terrain"], local(space), local(old), state(slot))


@lowers(STATEMENTS, t.Walk)
def walk_path(b: Builder, w: Writer, s: t.Walk) -> None:
    """Step by step: what entering sets off happens before the next step."""
    path = w.temp(thing(b, w, s.path), like(t.PATH, "path"))
    length = w.temp(call("path_length", local(path)), "n")
    i = w.temp(0, "i")
    with w.while_(local(i) < local(length)):
        here = field_of(b, "!place", local("self"))
        to = w.temp(neighbour(here, call("path_step", local(path), local(i))), "to")
        w.assign(i, local(i) + 1)
        with w.if_(absent(local(to))):
            w.emit(n.Break(w.site))
        if s.past is not None:
            w.assign(var(s.it), local(to))
            with w.if_(n.Not(check(b, w, s.past))):
                w.emit(n.Break(w.site))
        move_to(b, w, local("self"), local(to))
    w.check()


@lowers(STATEMENTS, t.PutInPlay)
def put_in_play(b: Builder, w: Writer, s: t.PutInPlay) -> None:
    def run(who: n.Expr) -> None:
        with w.if_(present(who)):
            w.store(const(b.layout.base["!in play"]) + who, 1)
            if s.space is not None:
                slot = const(b.layout.base["!place"]) + who
                w.store(slot, as_space(b, w, s.space))
                _map_follows(b, w, state(slot))
                w.event(ev.PLACE, who, -1, state(slot))
            w.event(ev.PLAY, who, 1)

    many(b, w, s.who, run)


@lowers(STATEMENTS, t.TakeFromPlay)
def take_from_play(b: Builder, w: Writer, s: t.TakeFromPlay) -> None:
    def run(who: n.Expr) -> None:
        with w.if_(both([present(who), field_of(b, "!in play", who, 0)])):
            w.store(const(b.layout.base["!in play"]) + who, 0)
            w.event(ev.PLAY, who, 0)
            for order in b.layout.order_base.values():
                w.call("order_remove", order, who)
            if b.facts.deadlines:
                w.run("leave_timed", who, w.site)
            if ("leaves play",) in b.facts.hooks:
                w.run(fire(b, ("leaves play",)), who)

    many(b, w, s.who, run)
    w.check()


@lowers(STATEMENTS, t.TakeControl)
def take_control(b: Builder, w: Writer, s: t.TakeControl) -> None:
    """Another actor's controller decides for this one."""
    who, whom, until = s.who, s.whom, s.until
    actor = w.temp(thing(b, w, whom), "whom")
    slot = b.layout.base["!controller"] + local(actor)
    seat = w.temp(decider_of(b, w, who).seat, "seat")
    with w.if_(present(local(actor))):
        old = w.temp(state(slot), "old")
        w.store(slot, local(seat))
        if until is not None:
            remember(b, w, until, None, slot, state(slot) - local(old), -1, 0, local(actor))


@lowers(STATEMENTS, t.Restart)
def restart(b: Builder, w: Writer, s: t.Restart) -> None:
    """Run the innermost sequence again from its first step with other arguments."""
    sequence, args = s.sequence, s.args
    frame = state(b.layout.current[id(sequence)])
    values = [
        w.temp(number(b, w, a) if p.type == t.NUMBER else thing(b, w, a), like(p.type, "arg"))
        for p, a in zip(sequence.params, args, strict=False)
    ]
    with w.if_(frame):
        for p, value in zip(sequence.params, values, strict=False):
            keep_in(b, w, frame, sequence, p.name, local(value))
        for p in sequence.keeps:
            keep_in(b, w, frame, sequence, p.name, const(0 if p.type == t.NUMBER else -1))
        w.store(b.layout.skip, 0)
        w.store(UNWIND, frame)
    w.check()
