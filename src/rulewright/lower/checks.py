"""Checks -> IR expressions that are 1 or 0.

In:  Cond_ of a checked tree.
Out: expressions; every part is evaluated, left to right, unless chance is in it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.lower import behaviors as m_behaviors
from rulewright.lower import framework as m_framework
from rulewright.lower import lots as m_lots
from rulewright.lower import numbers as m_numbers
from rulewright.lower import spaces as m_spaces
from rulewright.lower import terms as m_terms
from rulewright.lower import things as m_things
from rulewright.lower.builder import Builder
from rulewright.lower.writer import Writer, add, both, const, equal, mul, state


def check(b: Builder, w: Writer, e: Any) -> n.Expr:
    """A check as 1 or 0. Every part is evaluated, left to right."""
    match e:
        case t.Compare(op=op, left=left, right=right):
            read = partial(m_numbers.mark, b) if op in ("==", "!=") else partial(m_framework.number, b)
            return n.Binary(op, read(w, left), read(w, right))
        case t.Both(parts=parts):
            return joined(b, w, parts, "&")
        case t.Either(parts=parts):
            return joined(b, w, parts, "|")
        case t.Never(part=part):
            return n.Not(check(b, w, part))
        case t.Same(left=left, right=right):
            return n.Binary("==", m_things.thing(b, w, left), m_things.thing(b, w, right))
        case t.Has():
            return m_framework.has(b, w, e)
        case t.Related():
            return m_framework.related(b, w, e)
        case t.Within():
            return within(b, w, e)
        case t.Exists(selector=selector):
            return m_lots.select(b, w, selector, "some")
        case t.RunCheck(component=component, self_=self_, args=args):
            return n.Call(b.name_of(component), tuple(m_terms.arguments(b, w, component, self_, args)))
        case t.CanPerform(actor=actor, action=action, target=target):
            return m_behaviors.can_perform(b, w, actor, action, target)
        case t.CanBecome(actor=actor, status=status):
            return can_become(b, w, actor, status)
        case t.InZone(card=card, zone=zone, owner=owner):
            where = n.Call("cell", (const(b.layout.base["!zone"]), m_things.thing(b, w, card), const(0)))
            return n.Binary("==", where, add(m_terms.zone_number(b, w, zone, owner), 1))
        case t.OptionIs(option=option, word=word):
            return equal(state(b.layout.option_slot[option]), word)
        case t.Always(value=value):
            return const(1 if value else 0)
        case t.Sees():
            return m_spaces.sees(b, w, e)
        case _:
            return m_framework.more_check(b, w, e)


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
            return b.layout.key(resource) in b.lazy
        case _:
            return False


def truth(e: n.Expr) -> n.Expr:
    """0 or 1."""
    match e:
        case n.Binary(op=op) if op in n.COMPARISONS:
            return e
        case n.Not() | n.Const():
            return e
        case n.Pick(yes=n.Const(), no=n.Const()):
            return e
        case _:
            return n.Pick(e, const(1), const(0))


def can_become(b: Builder, w: Writer, actor: Any, status: Any) -> n.Expr:
    """In play and not immune."""
    who = m_things.thing(b, w, actor)
    keys = [status] if isinstance(status, str) else list(b.symbols.statuses)
    which = const(-1) if isinstance(status, str) else m_things.thing(b, w, status)
    immune: n.Expr = const(0)
    for key in keys:
        if b.symbols.statuses[key].immune is not None:
            mine = n.Call(f"immune_{m_terms.clean(key)}", (who,))
            immune = (
                mine
                if isinstance(status, str)
                else n.Pick(equal(which, b.symbols.statuses[key].index), mine, immune)
            )
    return both([n.Call("cell", (const(b.layout.base["!in play"]), who, const(0))), n.Not(immune)])


def plain_has(b: Builder, w: Writer, e: t.Has) -> n.Expr:
    """A property."""
    who = m_things.thing(b, w, e.thing)
    match e.what:
        case "status":
            base = b.layout.status_base + e.value * b.layout.actors * 4 + 1
            return n.Binary(">", n.Call("cell", (const(base), mul(who, 4), const(0))), const(0))
        case "template":
            return equal(n.Call("entry_k", (const(template_table(b, e.value)), who, const(0))), 1)
        case "play":
            return n.Call("cell", (const(b.layout.base["!in play"]), who, const(0)))
        case "seat":
            return n.Binary(
                ">=", n.Call("cell", (const(b.layout.base["!controller"]), who, const(-1))), const(0)
            )
        case "terrain":
            return equal(
                n.Call(
                    "cell", (const(b.layout.base["!terrain"]), m_terms.as_space(b, w, e.thing), const(-1))
                ),
                e.value,
            )
        case "side":
            return equal(n.Call("cell", (const(b.layout.base["!side"]), who, const(-1))), e.value)
        case "feature":
            base = b.layout.feature_base + e.value * b.layout.actors
            return n.Binary(">", n.Call("cell", (const(base), who, const(0))), const(0))
        case "laid":
            return n.Binary(">=", who, const(0))
        case _:
            raise AssertionError(e.what)


def plain_related(b: Builder, w: Writer, e: t.Related) -> n.Expr:
    """What a thing is to another."""
    if e.what == "bears":
        who = m_things.thing(b, w, e.thing)
        slot = add(m_terms.status_slot(b, w, e.other, e.thing), 1 - b.layout.status_base)
        worn = n.Binary(">", n.Call("cell", (const(b.layout.status_base), slot, const(0))), const(0))
        return both([n.Binary(">=", who, const(0)), worn])
    who, other = m_things.thing(b, w, e.thing), m_things.thing(b, w, e.other)
    side = const(b.layout.base["!side"])
    same = n.Binary("==", state(add(side, who)), state(add(side, other)))
    return same if e.what == "same side" else n.Binary("&", same, n.Binary("!=", who, other))


def within(b: Builder, w: Writer, e: t.Within) -> n.Expr:
    """Is it in this zone of a map?"""
    at, count = b.layout.tables[f"zone {e.map} {e.zone}"], len(b.layout.zone_spaces(e.zone))
    return n.Call("within_table", (const(at), const(count), m_terms.as_space(b, w, e.thing)))


def template_table(b: Builder, index: int) -> int:
    """For each actor: does it descend from this template?"""
    template = next(k for k, v in b.symbols.templates.items() if v.index == index)
    values = [1 if b.layout.is_a(a.template, template) else 0 for a in b.symbols.actors]
    return b.layout.table(f"is {template}", values)
