"""Changes of numbers and things: setters with their hooks, timed changes, tallies of dice.

In:  SetNumber, SetThing, LetTally.
Out: code, and one set_R function a resource.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.sheet import UNKNOWN
from rulewright.lower.bearing import bears
from rulewright.lower.builder import Builder, cell_of, field_of, identifier, like, var
from rulewright.lower.dice import draws, harm
from rulewright.lower.dispatch import STATEMENTS, lowers, number, thing
from rulewright.lower.facts import moment_key, owner_count
from rulewright.lower.layout import TIMED
from rulewright.lower.lazy import stored, takes_part
from rulewright.lower.numbers import mark
from rulewright.lower.rules import hook_function, owners
from rulewright.lower.secrets import Into, audience, goes, heard, hide, hide_kept, keep, made_of, taken
from rulewright.lower.terms import (
    STATUS_PARTS,
    bounds,
    changed,
    first_owner,
    keep_in,
    kept_offset,
    owner_index,
    status_slot,
    step_now,
)
from rulewright.lower.writer import (
    Writer,
    absent,
    both,
    call,
    const,
    differ,
    equal,
    local,
    mul,
    state,
)


def applied(b: Builder, w: Writer, op: str, old: n.Expr, value: Any) -> n.Expr:
    """What becomes of a number."""
    new = mark(b, w, value) if op == "=" else number(b, w, value)
    match op:
        case "=":
            return new
        case "+=":
            return old + new
        case "-=":
            return old - new
        case "*=":
            return old * new
        case _:
            return call("div", old, new)


def field_code(b: Builder, key: str, owner: n.Expr) -> n.Expr:
    """The field and its owner in one number, for the log of what ends."""
    return (b.layout.field_index[key] + 1) + mul(owner, 4096)


def remember(
    b: Builder,
    w: Writer,
    until: t.Moment,
    count: Any,
    slot: n.Expr,
    amount: n.Expr,
    low: int,
    field: n.Expr | int,
    bearer: n.Expr,
) -> None:
    """Put a change into the pool of what is taken back later."""
    index = b.facts.deadlines[moment_key(b.layout, until)]
    who: n.Expr = const(-1)
    times: n.Expr = const(1)
    if until.own:
        who = bearer if until.which == "count" else _whose(b, until)
    if until.which == "next" and until.sequence is not None and until.kind != "start":
        mine = _running(b, until, who if until.own else None)
        if until.kind in ("step", "after step"):
            # In the running one that moment may be over; then the next one to come is meant.
            step = step_now(b, until.sequence)
            mine = n.Pick(mine, step < until.step if until.kind == "step" else step <= until.step, const(0))
        times = n.Pick(mine, const(2), const(1))
    if count is not None:
        times = number(b, w, count)
    if until.whose is not None:
        who = bearer if until.whose == "bearer" else thing(b, w, until.whose)
    w.call("timed_add", b.layout.timed, TIMED, slot, amount, index, who, times, low, field)


def _whose(b: Builder, until: t.Moment) -> n.Expr:
    """Whose moment is waited for: self's. One who has left play has none any more; then anybody's counts, for
    otherwise the change would never end."""
    who = local("self")
    if until.sequence is None:
        return who
    here = field_of(b, "!in play", who, 0)
    return n.Pick(n.Pick(here, const(1), _running(b, until, who)), who, const(-1))


def _running(b: Builder, until: t.Moment, who: n.Expr | None) -> n.Expr:
    """Does the sequence of a moment run now, and if need be somebody's own?"""
    running = state(b.layout.current[id(until.sequence)])
    return running if who is None else n.Pick(running, equal(state(running + 2), who), const(0))


def setters(b: Builder) -> None:
    """set_R(i, value, site) for every resource: range, maximum, log, hooks."""
    for key, r in b.symbols.resources.items():
        _setter(b, key, r)
        if ("before reduced", key) in b.facts.hooks or ("reduced", key) in b.facts.hooks:
            _less(b, key, r)


def _less(b: Builder, key: str, r: t.Resource) -> None:
    """less_R(i, amount, site): what `-=` takes away, after rules that wait for exactly that."""
    with b.function(f"less_{identifier(key)}", ("i", "amount", "site")) as w:
        w.give_if(absent(local("i")))
        w.assign("subject", local("i") if r.of[:1] == (t.ACTOR,) else const(-1))

        def run(rules: t.Rules, hook: t.Hook, owner: n.Expr) -> None:
            with w.if_(call(bears(b, rules), owner)):
                w.assign("got", call(hook_function(b, rules, hook), owner, local("amount"), local("amount")))
                w.check()
                if hook.moment.kind.startswith("before"):
                    w.assign("amount", call("maximum", 0, local("got")))

        if ("before reduced", key) in b.facts.hooks:
            owners(b, w, ("before reduced", key), run)
        w.run(
            f"set_{identifier(key)}",
            local("i"),
            stored(b, key, local("i")) - local("amount"),
            local("site"),
        )
        if ("reduced", key) in b.facts.hooks:
            with w.if_(local("amount") > 0):
                owners(b, w, ("reduced", key), run)


def _setter(b: Builder, key: str, r: t.Resource) -> None:
    with b.function(f"set_{identifier(key)}", ("i", "value", "site")) as w:
        base = b.layout.base[key]
        w.give_if(absent(local("i")))
        slot = base + local("i")
        if key in b.facts.lazy:
            w.call(f"know_{identifier(key)}", local("i"))
        w.assign("old", state(slot))
        before, after = ("before change", key), ("change", key)
        w.assign("subject", first_owner(b, r, local("i")) if r.of[:1] == (t.ACTOR,) else const(-1))
        w.assign("asked", local("value") - local("old"))
        if before in b.facts.hooks:
            _change_hooks(b, w, before)
            w.assign("value", local("old") + local("asked"))
        low, high = bounds(r)
        w.assign("value", call("clamp", local("value"), low, high))
        if r.maximum is not None or key in b.facts.limited:
            most = call("maximum", low, call(f"max_{identifier(key)}", local("i")))
            w.assign("value", call("minimum", local("value"), most))
        w.store(slot, local("value"))
        with w.if_(differ(local("value"), local("old"))):
            if not r.private:
                field = b.layout.field_index[key]
                w.tell(local("site"), ev.CHANGE, field, local("i"), local("old"), local("value"))
            if not r.private or r.holds == "Strategy":
                changed(b, w)
            drop_dependents(b, w, key)
            if after in b.facts.hooks:
                _change_hooks(b, w, after)


def _change_hooks(b: Builder, w: Writer, key: tuple[str, str]) -> None:
    """Hooks of a change; `[Change]` is how far it goes, and a `before` hook may alter it."""

    def run(rules: t.Rules, hook: t.Hook, owner: n.Expr) -> None:
        m = hook.moment
        tests: list[n.Expr] = []
        actual = local("value") - local("old") if key[0] == "change" else local("asked")
        match m.which:
            case "falls":
                tests.append(absent(actual))
            case "rises":
                tests.append(n.Not(absent(actual) | equal(actual, 0)))
            case "reaches":
                assert m.level is not None
                level = w.temp(number(b, w, m.level), "level")
                fell = (local("old") > local(level)) & (local("value") <= local(level))
                rose = (local("old") < local(level)) & (local("value") >= local(level))
                tests.append(fell | rose)
            case _:
                pass
        tests.append(call(bears(b, rules), owner))
        with w.if_(both(tests)):
            name = hook_function(b, rules, hook)
            size = call("absolute", actual)
            wanted = call("absolute", local("asked"))
            got = w.temp(call(name, owner, size, wanted), "got")
            w.check()
            if key[0] != "change":
                w.assign("asked", n.Pick(absent(local("asked")), 0 - local(got), local(got)))

    owners(b, w, key, run)


@lowers(STATEMENTS, t.SetThing)
def set_thing(b: Builder, w: Writer, s: t.SetThing) -> None:
    if isinstance(s.target, t.THold) and s.target.resource.seen != "all":
        _set_hidden(b, w, s.target, s.value)
        return
    into = goes(w, s)
    if isinstance(s.target, t.TLocal | t.TKept):
        s = replace(s, value=taken(b, w, s.value))
    value = heard(b, w, into, lambda: thing(b, w, s.value))
    match s.target:
        case t.TLocal(name=name, type=kind):
            w.assign(var(name, kind), value)
            if into is None:
                made_of(w, var(name, kind), s.value, True)
            else:
                hide(w, var(name, kind), audience(b, w, into))
        case t.TKept(sequence=sequence, name=name):
            frame = state(b.layout.current[id(sequence)])
            made = w.temp(value, like(s.value.type, "new"))
            with w.if_(frame):
                keep_in(b, w, frame, sequence, name, local(made))
                hide_kept(b, w, s, s.target, frame)
        case t.THold(resource=r, owners=owners):
            index = owner_index(b, w, r, owners)
            w.run(f"set_{identifier(b.layout.key(r))}", index, value, w.site)
        case _:
            raise AssertionError(s.target)


def _set_hidden(b: Builder, w: Writer, target: t.THold, value: t.Thing_) -> None:
    """Whatever chance picks for a hidden place is told to those who may see it."""
    r = target.resource
    index = local(w.temp(owner_index(b, w, r, target.owners), "i")) if r.of else const(0)
    made = keep(b, w, r, index, value, lambda: thing(b, w, value))
    w.run(f"set_{identifier(b.layout.key(r))}", index, made, w.site)


def drop_dependents(b: Builder, w: Writer, key: str) -> None:
    """A maximum that was worked out from this number may have fallen: what is above it drops at once."""
    for other, own in b.facts.dependents.get(key, ()):
        r = b.symbols.resources[other]
        if own and r.of:
            _set_anew(b, w, other, local("i"))
            continue
        k = w.temp(0, "k")
        with w.counting(k, const(owner_count(b.layout, r))):
            _set_anew(b, w, other, local(k))


def _set_anew(b: Builder, w: Writer, key: str, i: n.Expr) -> None:
    """A known number is set to what it is, which its maximum may now be below."""
    now = cell_of(b, key, i)
    with w.if_(differ(now, UNKNOWN)):
        w.call(f"set_{identifier(key)}", i, now, local("site"))


def set_resource(b: Builder, w: Writer, s: t.SetNumber, target: t.ReadRes, into: Into = None) -> None:
    """Nothing changes for a copy that takes no part."""
    there = takes_part(b, target.resource, target.owners)
    with w.if_(there) if there is not None else nullcontext():
        _set_resource(b, w, s, target, into)


def _set_resource(b: Builder, w: Writer, s: t.SetNumber, target: t.ReadRes, into: Into) -> None:
    r = target.resource
    key = b.layout.key(r)
    index = w.temp(owner_index(b, w, r, target.owners), "i") if r.of else ""
    where: n.Expr = local(index) if r.of else const(0)
    old = stored(b, key, where) if r.of or key in b.facts.lazy else state(b.layout.base[key])
    if key in b.facts.lazy:
        w.call(f"know_{identifier(key)}", where)
        old = local(w.temp(old, "old"))
    before = ""
    if s.until is not None:
        before = w.temp(old, "was")
        old = local(before)
    if s.op == "-=" and (("before reduced", key) in b.facts.hooks or ("reduced", key) in b.facts.hooks):
        w.call(f"less_{identifier(key)}", where, heard(b, w, into, lambda: harm(b, w, s)), w.site)
    else:
        new = heard(
            b, w, into, lambda: keep(b, w, r, where, s.value, lambda: applied(b, w, s.op, old, s.value))
        )
        w.call(f"set_{identifier(key)}", where, new, w.site)
    w.check()
    if s.until is not None:
        now = field_of(b, key, where, 0)
        change = w.temp(now - local(before), "by")
        with w.if_(differ(local(change), 0)):
            remember(
                b,
                w,
                s.until,
                s.count,
                const(b.layout.base[key]) + where,
                local(change),
                r.low or 0,
                field_code(b, key, where),
                where if r.of[:1] == (t.ACTOR,) else local("self"),
            )


@lowers(STATEMENTS, t.SetNumber)
def set_number(b: Builder, w: Writer, s: t.SetNumber) -> None:
    """What comes out of a roll may go straight into something hidden."""
    into = goes(w, s)
    if isinstance(s.target, t.ReadLocal | t.ReadKept):
        s = replace(s, value=taken(b, w, s.value))

    def value(old: n.Expr) -> n.Expr:
        return heard(b, w, into, lambda: applied(b, w, s.op, old, s.value))

    target = s.target
    if isinstance(target, t.ReadLocal):
        w.assign(var(target.name), value(local(var(target.name))))
        if into is None:
            made_of(w, var(target.name), s.value, s.op == "=")
        else:
            hide(w, var(target.name), audience(b, w, into), draws(b, w, s.value) if s.op == "=" else None)
        return
    if isinstance(target, t.ReadKept):
        frame = state(b.layout.current[id(target.sequence)])
        slot = frame + kept_offset(b, target.sequence, target.name)
        with w.if_(frame):
            w.store(slot, value(state(slot)))
            hide_kept(b, w, s, target, frame)
        return
    if isinstance(target, t.StatusNum):
        slot = status_slot(b, w, target.status, target.owner) + STATUS_PARTS[target.what]
        at = w.temp(slot, "slot")
        w.store(local(at), call("maximum", 0, value(state(local(at)))))
        return
    set_resource(b, w, s, target, into)
