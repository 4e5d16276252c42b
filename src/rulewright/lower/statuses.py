"""Statements about statuses -> kernel calls, and what a status does when it comes and goes.

In:  statements about statuses; the book's statuses.
Out: for a status S: become_S (unless immune; again by its own rule), lose_S, immune_S.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import StatusSym
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder, identifier
from rulewright.lower.changes import remember
from rulewright.lower.dispatch import STATEMENTS, check, lowers, number, thing
from rulewright.lower.layout import TIMED
from rulewright.lower.rules import fire
from rulewright.lower.terms import changed, status_slot
from rulewright.lower.writer import Writer, absent, call, const, equal, local, mul, state


def _of_status(b: Builder, w: Writer, what: str, status: Any, args: list[n.Expr], into: str = "") -> None:
    """Call the function of a status, perhaps for what it gives; a thing may name the status in play."""

    def call(key: str, values: list[n.Expr]) -> None:
        name = f"{what}_{identifier(key)}"
        if into:
            w.assign(into, n.Call(name, tuple(values)))
        else:
            w.call(name, *values)

    if isinstance(status, str):
        call(status, args)
        return
    which = w.temp(thing(b, w, status), "status")
    values: list[n.Expr] = [local(w.temp(a, "arg")) for a in args]
    for key, symbol in b.symbols.statuses.items():
        with w.if_(equal(local(which), symbol.index)):
            call(key, values)


def status_functions(b: Builder) -> None:
    """become_S and lose_S for every status S."""
    for key, status in b.symbols.statuses.items():
        base = b.layout.status_base + status.index * b.layout.actors * 4
        _become(b, key, status, base)
        _lose(b, key, status, base)


def _become(b: Builder, key: str, status: StatusSym, base: int) -> None:
    """become_S(who, stacks, turns, power, source, site): 1 unless it was refused."""
    with b.function(f"become_{identifier(key)}", ("who", "stacks", "turns", "power", "source", "site")) as w:
        w.give_if(absent(local("who")))
        if status.immune is not None:
            _immune(b, key, status.immune)
            w.give_if(call(f"immune_{identifier(key)}", local("who")))
        at = local("at")
        w.assign("at", base + mul(local("who"), 4))
        w.assign("had", state(at + 1))
        with w.if_(equal(local("had"), 0)):
            changed(b, w)
        if status.again == "refuse":
            w.give_if(local("had"))
        if t.GiveStatus in b.facts.lasting:
            w.call("timed_forget", b.layout.timed, TIMED, at)
        _again(w, status.again, status.stacks)
        w.store(at + 3, local("source"))
        _tell(w, status, state(at + 1), state(at))
        if ("becomes", key) in b.facts.hooks:
            w.run(fire(b, ("becomes", key)), local("who"))
        w.give(1)


def _lose(b: Builder, key: str, status: StatusSym, base: int) -> None:
    """lose_S(who, site)"""
    with b.function(f"lose_{identifier(key)}", ("who", "site")) as w:
        w.give_if(absent(local("who")))
        w.assign("at", base + mul(local("who"), 4))
        w.give_if(equal(state(local("at") + 1), 0))
        for i in range(4):
            w.store(local("at") + i, 0)
        _tell(w, status, const(0), const(0))
        if ("loses", key) in b.facts.hooks:
            w.run(fire(b, ("loses", key)), local("who"))


def _tell(w: Writer, status: StatusSym, stacks: n.Expr, turns: n.Expr) -> None:
    w.tell(local("site"), ev.STATUS, status.index, local("who"), stacks, turns)


def _immune(b: Builder, key: str, condition: t.Cond_) -> None:
    """immune_S(self): can this actor not come to have it?"""
    with b.function(f"immune_{identifier(key)}", ("self",)) as w:
        w.give_if(absent(local("self")), 1)
        w.give(n.Pick(check(b, w, condition), const(1), const(0)))


def _again(w: Writer, again: str, most: int) -> None:
    """What a second application does."""
    at, had = local("at"), local("had")
    turns, stacks, power = state(at), state(at + 1), state(at + 2)
    longer = call("maximum", turns, local("turns"))
    match again:
        case "add":
            w.store(at + 1, call("minimum", stacks + local("stacks"), most))
            w.store(at, longer)
            w.store(at + 2, call("maximum", power, local("power")))
        case "stronger":
            stronger = local("power") > power
            w.store(at, n.Pick(n.Pick(had, n.Not(stronger), const(0)), longer, local("turns")))
            w.store(at + 2, n.Pick(stronger, local("power"), power))
            w.store(at + 1, 1)
        case "replace":
            w.store(at, local("turns"))
            w.store(at + 1, local("stacks"))
            w.store(at + 2, local("power"))
        case _:
            w.store(at, longer)
            w.store(
                at + 1,
                call("minimum", call("maximum", stacks, local("stacks")), max(1, most)),
            )
            w.store(at + 2, call("maximum", power, local("power")))


@lowers(STATEMENTS, t.LoseStatus)
def lose_status(b: Builder, w: Writer, s: t.LoseStatus) -> None:
    _of_status(b, w, "lose", s.status, [thing(b, w, s.who), const(w.site)])
    w.check()


@lowers(STATEMENTS, t.Cleanse)
def cleanse(b: Builder, w: Writer, s: t.Cleanse) -> None:
    who = w.temp(thing(b, w, s.who), "who")
    for key in b.symbols.statuses:
        w.call(f"lose_{identifier(key)}", local(who), w.site)
    w.check()


@lowers(STATEMENTS, t.GiveStatus)
def give_status(b: Builder, w: Writer, s: t.GiveStatus) -> None:
    """For a time: unless it was refused, that time counts and no earlier one."""
    source = thing(b, w, s.by) if s.by is not None else local("self")
    args = [
        thing(b, w, s.who),
        number(b, w, s.stacks),
        number(b, w, s.turns),
        number(b, w, s.power),
        source + 1,
        const(w.site),
    ]
    if s.until is None:
        _of_status(b, w, "become", s.status, args)
        w.check()
        return
    got = w.temp(0, "given")
    _of_status(b, w, "become", s.status, args, got)
    w.check()
    with w.if_(local(got)):
        slot = status_slot(b, w, s.status, s.who)
        remember(b, w, s.until, s.count, slot, const(1), 0, -1, thing(b, w, s.who))
