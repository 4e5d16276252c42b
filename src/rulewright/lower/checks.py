"""Checks -> IR expressions that are 1 or 0.

In:  Cond_ of a checked tree.
Out: expressions; every part is evaluated, left to right, unless chance is in it.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import nodes as n
from rulewright.lower.bearing import holds
from rulewright.lower.builder import Builder, field_of, identifier
from rulewright.lower.dispatch import CHECKS, check, lowers, number, row, thing
from rulewright.lower.numbers import mark
from rulewright.lower.terms import arguments, as_space, status_slot, template_table, zone_number
from rulewright.lower.writer import (
    Writer,
    both,
    call,
    const,
    differ,
    equal,
    local,
    mul,
    present,
    state,
    truth,
)

row(CHECKS, t.Always, lambda b, w, e: const(1 if e.value else 0))
row(CHECKS, t.Both, lambda b, w, e: joined(b, w, e.parts, "&"))
row(CHECKS, t.Either, lambda b, w, e: joined(b, w, e.parts, "|"))
row(CHECKS, t.Never, lambda b, w, e: n.Not(check(b, w, e.part)))
row(CHECKS, t.Same, lambda b, w, e: equal(thing(b, w, e.left), thing(b, w, e.right)))
row(CHECKS, t.OptionIs, lambda b, w, e: equal(state(b.layout.option_slot[e.option]), e.word))
row(CHECKS, t.OnMap, lambda b, w, e: equal(state(b.layout.map_now), e.map))
row(CHECKS, t.InPlay, lambda b, w, e: field_of(b, "!in play", thing(b, w, e.thing), 0))
row(CHECKS, t.HasSeat, lambda b, w, e: present(field_of(b, "!controller", thing(b, w, e.thing))))
row(CHECKS, t.IsLaid, lambda b, w, e: present(thing(b, w, e.thing)))
row(CHECKS, t.OnSide, lambda b, w, e: equal(field_of(b, "!side", thing(b, w, e.thing)), e.side))
row(CHECKS, t.OnTerrain, lambda b, w, e: equal(field_of(b, "!terrain", as_space(b, w, e.thing)), e.terrain))
row(CHECKS, t.Within, lambda b, w, e: within_zone(b, e.zone, as_space(b, w, e.thing)))


@lowers(CHECKS, t.RunCheck)
def run_check(b: Builder, w: Writer, e: t.RunCheck) -> n.Expr:
    return n.Call(b.name_of(e.component), tuple(arguments(b, w, e.component, e.self_, e.args)))


@lowers(CHECKS, t.InZone)
def in_zone(b: Builder, w: Writer, e: t.InZone) -> n.Expr:
    where = field_of(b, "!zone", thing(b, w, e.card), 0)
    return equal(where, zone_number(b, w, e.zone, e.owner) + 1)


@lowers(CHECKS, t.HasStatus)
def has_status(b: Builder, w: Writer, e: t.HasStatus) -> n.Expr:
    base = b.layout.status_base + e.status * b.layout.actors * 4 + 1
    return call("cell", base, mul(thing(b, w, e.thing), 4), 0) > 0


@lowers(CHECKS, t.IsA)
def is_a(b: Builder, w: Writer, e: t.IsA) -> n.Expr:
    who = thing(b, w, e.thing)
    return equal(call("entry_k", template_table(b, e.template), who, 0), 1)


@lowers(CHECKS, t.Compare)
def compare(b: Builder, w: Writer, e: t.Compare) -> n.Expr:
    read = mark if e.op in ("==", "!=") else number
    return n.Binary(e.op, read(b, w, e.left), read(b, w, e.right))


def joined(b: Builder, w: Writer, parts: list[Any], op: str) -> n.Expr:
    """All parts are evaluated: a check with dice must not skip any."""
    made = truth(check(b, w, parts[0]))
    rolls = any(chancy(b, p) for p in parts)
    if not rolls:
        rest = [check(b, w, p) for p in parts[1:]]
        if op == "&":
            return both([made, *rest])
        for value in rest:
            made = n.Pick(made, const(1), value)
        return made
    for part in parts[1:]:
        made = n.Binary(op, made, truth(check(b, w, part)))
    return made


def chancy(b: Builder, e: Any) -> bool:
    """Does evaluating it roll dice?"""
    match e:
        case t.Dice():
            return True
        case t.Run(component=c):
            return c.kind != "Value"
        case t.RunCheck(component=c):
            return c.check is None or chancy(b, c.check)
        case t.Compare(left=a, right=right) | t.Arith(left=a, right=right):
            return chancy(b, a) or chancy(b, right)
        case t.Both(parts=parts) | t.Either(parts=parts):
            return any(chancy(b, p) for p in parts)
        case t.Never(part=part):
            return chancy(b, part)
        case t.Fn(args=args):
            return any(chancy(b, a) for a in args)
        case t.IfNum(test=a, yes=right, no=c):
            return chancy(b, a) or chancy(b, right) or chancy(b, c)
        case t.Truth(check=c):
            return chancy(b, c)
        case t.Final(value=value):
            return chancy(b, value)
        case t.ReadRes(resource=resource):
            return b.layout.key(resource) in b.facts.lazy
        case _:
            return False


def within_zone(b: Builder, zone: str, space: n.Expr) -> n.Expr:
    """1 if the space is in the zone: one look into a table with a cell for each space."""
    spaces = frozenset(b.layout.zone_spaces(zone))
    total = max(1, len(b.symbols.spaces))
    at = b.layout.table(f"in zone {norm(zone)}", [int(place in spaces) for place in range(total)])
    return call("entry_k", at, space, 0)


@lowers(CHECKS, t.CanBecome)
def can_become(b: Builder, w: Writer, e: t.CanBecome) -> n.Expr:
    """In play and not immune."""
    actor, status = e.actor, e.status
    who = thing(b, w, actor)
    keys = [status] if isinstance(status, str) else list(b.symbols.statuses)
    which = const(-1) if isinstance(status, str) else thing(b, w, status)
    immune: n.Expr = const(0)
    for key in keys:
        if b.symbols.statuses[key].immune is not None:
            mine = call(f"immune_{identifier(key)}", who)
            immune = (
                mine
                if isinstance(status, str)
                else n.Pick(equal(which, b.symbols.statuses[key].index), mine, immune)
            )
    return both([field_of(b, "!in play", who, 0), n.Not(immune)])


@lowers(CHECKS, t.IsCopy)
def is_copy(b: Builder, w: Writer, e: t.IsCopy) -> n.Expr:
    at = b.layout.table("copies", [1 if a.copy else 0 for a in b.symbols.actors] or [0])
    return call("entry_k", at, thing(b, w, e.thing), 0)


@lowers(CHECKS, t.HasFeature)
def has_feature(b: Builder, w: Writer, e: t.HasFeature) -> n.Expr:
    """A feature may hold in more ways than by being given; an action carries some for itself."""
    who = thing(b, w, e.thing)
    key, rules = next((k, r) for k, r in b.symbols.features.items() if r.index == e.feature)
    if e.thing.type == "Action":
        flags = [1 if key in a.features else 0 for a in b.symbols.actions.values()] or [0]
        return call("entry_k", b.layout.table(f"carries {key}", flags), who, 0)
    return call(holds(b, rules), who)


@lowers(CHECKS, t.SameSide, t.IsAlly)
def same_side(b: Builder, w: Writer, e: t.SameSide | t.IsAlly) -> n.Expr:
    who, other = thing(b, w, e.thing), thing(b, w, e.other)
    side = const(b.layout.base["!side"])
    same = equal(state(side + who), state(side + other))
    return same if isinstance(e, t.SameSide) else same & differ(who, other)


@lowers(CHECKS, t.BearsStatus)
def bears_status(b: Builder, w: Writer, e: t.BearsStatus) -> n.Expr:
    who = thing(b, w, e.thing)
    slot = status_slot(b, w, e.status, e.thing) + (1 - b.layout.status_base)
    worn = call("cell", b.layout.status_base, slot, 0) > 0
    return both([present(who), worn])


@lowers(CHECKS, t.InArea)
def in_area(b: Builder, w: Writer, e: t.InArea) -> n.Expr:
    table = b.symbols.list_of("Area")
    area = w.temp(thing(b, w, e.area), "area")
    space = w.temp(as_space(b, w, e.thing), "space")

    def build(c: Writer) -> None:
        for index, word in enumerate(table.words if table else ()):
            zone = next((z for m in b.symbols.maps.values() for z in m.zones if norm(z) == norm(word)), None)
            if zone is None:
                continue
            c.give_if(equal(local(area), index), within_zone(b, zone, local(space)))
        c.give(0)

    return b.closure("area", build, w.site)
