"""Checks -> IR expressions that are 1 or 0.

In:  Cond_ of a checked tree.
Out: expressions; every part is evaluated, left to right, unless chance is in it.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.lower.things import Things
from rulewright.lower.writer import Writer, add, both, const, equal, mul, state


class Checks(Things):
    """Lowers checks."""

    def check(self, w: Writer, e: Any) -> n.Expr:
        """A check as 1 or 0. Every part is evaluated, left to right."""
        match e:
            case t.Compare(op=op, left=left, right=right):
                read = self.mark if op in ("==", "!=") else self.number
                return n.Binary(op, read(w, left), read(w, right))
            case t.Both(parts=parts):
                return self.joined(w, parts, "&")
            case t.Either(parts=parts):
                return self.joined(w, parts, "|")
            case t.Never(part=part):
                return n.Not(self.check(w, part))
            case t.Same(left=left, right=right):
                return n.Binary("==", self.thing(w, left), self.thing(w, right))
            case t.Has():
                return self.has(w, e)
            case t.Related():
                return self.related(w, e)
            case t.Within():
                return self.within(w, e)
            case t.Exists(selector=selector):
                return self.select(w, selector, "some")
            case t.RunCheck(component=component, self_=self_, args=args):
                return n.Call(self.c.name_of(component), tuple(self.arguments(w, component, self_, args)))
            case t.CanPerform(actor=actor, action=action, target=target):
                return self.can_perform(w, actor, action, target)
            case t.CanBecome(actor=actor, status=status):
                return self.can_become(w, actor, status)
            case t.InZone(card=card, zone=zone, owner=owner):
                where = n.Call("cell", (const(self.l.base["!zone"]), self.thing(w, card), const(0)))
                return n.Binary("==", where, add(self.zone_number(w, zone, owner), 1))
            case t.OptionIs(option=option, word=word):
                return equal(state(self.l.option_slot[option]), word)
            case t.Always(value=value):
                return const(1 if value else 0)
            case t.Sees():
                return self.sees(w, e)
            case _:
                return self.more_check(w, e)

    def joined(self, w: Writer, parts: list[Any], op: str) -> n.Expr:
        """All parts are evaluated: a check with dice must not skip any."""
        made = self.truth(self.check(w, parts[0]))
        rolls = any(self.chancy(p) for p in parts)
        if not rolls:
            rest = [self.check(w, p) for p in parts[1:]]
            if op == "&":
                return both([made, *rest])
            for value in rest:
                made = n.Pick(made, const(1), value)
            return made
        for part in parts[1:]:
            made = n.Binary(op, made, self.truth(self.check(w, part)))
        return made

    def chancy(self, e: Any) -> bool:
        """Does evaluating it roll dice?"""
        match e:
            case t.Dice():
                return True
            case t.Run(component=c):
                return c.kind != "Value"
            case t.RunCheck(component=c):
                return c.check is None or self.chancy(c.check)
            case t.Compare(left=a, right=b) | t.Arith(left=a, right=b):
                return self.chancy(a) or self.chancy(b)
            case t.Both(parts=parts) | t.Either(parts=parts):
                return any(self.chancy(p) for p in parts)
            case t.Never(part=part):
                return self.chancy(part)
            case t.Fn(args=args):
                return any(self.chancy(a) for a in args)
            case t.IfNum(test=a, yes=b, no=c):
                return self.chancy(a) or self.chancy(b) or self.chancy(c)
            case t.Truth(check=c):
                return self.chancy(c)
            case t.Final(value=value):
                return self.chancy(value)
            case t.ReadRes(resource=resource):
                return self.l.key(resource) in self.lazy
            case _:
                return False

    def truth(self, e: n.Expr) -> n.Expr:
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

    def can_become(self, w: Writer, actor: Any, status: Any) -> n.Expr:
        """In play and not immune."""
        who = self.thing(w, actor)
        keys = [status] if isinstance(status, str) else list(self.s.statuses)
        which = const(-1) if isinstance(status, str) else self.thing(w, status)
        immune: n.Expr = const(0)
        for key in keys:
            if self.s.statuses[key].immune is not None:
                mine = n.Call(f"immune_{self.clean(key)}", (who,))
                immune = (
                    mine
                    if isinstance(status, str)
                    else n.Pick(equal(which, self.s.statuses[key].index), mine, immune)
                )
        return both([n.Call("cell", (const(self.l.base["!in play"]), who, const(0))), n.Not(immune)])

    def has(self, w: Writer, e: t.Has) -> n.Expr:
        """A property."""
        who = self.thing(w, e.thing)
        match e.what:
            case "status":
                base = self.l.status_base + e.value * self.l.actors * 4 + 1
                return n.Binary(">", n.Call("cell", (const(base), mul(who, 4), const(0))), const(0))
            case "template":
                return equal(n.Call("entry_k", (const(self.template_table(e.value)), who, const(0))), 1)
            case "play":
                return n.Call("cell", (const(self.l.base["!in play"]), who, const(0)))
            case "seat":
                return n.Binary(
                    ">=", n.Call("cell", (const(self.l.base["!controller"]), who, const(-1))), const(0)
                )
            case "terrain":
                return equal(
                    n.Call("cell", (const(self.l.base["!terrain"]), self.as_space(w, e.thing), const(-1))),
                    e.value,
                )
            case "side":
                return equal(n.Call("cell", (const(self.l.base["!side"]), who, const(-1))), e.value)
            case "feature":
                base = self.l.feature_base + e.value * self.l.actors
                return n.Binary(">", n.Call("cell", (const(base), who, const(0))), const(0))
            case "laid":
                return n.Binary(">=", who, const(0))
            case _:
                raise AssertionError(e.what)

    def related(self, w: Writer, e: t.Related) -> n.Expr:
        """What a thing is to another."""
        if e.what == "bears":
            who = self.thing(w, e.thing)
            slot = add(self.status_slot(w, e.other, e.thing), 1 - self.l.status_base)
            worn = n.Binary(">", n.Call("cell", (const(self.l.status_base), slot, const(0))), const(0))
            return both([n.Binary(">=", who, const(0)), worn])
        who, other = self.thing(w, e.thing), self.thing(w, e.other)
        side = const(self.l.base["!side"])
        same = n.Binary("==", state(add(side, who)), state(add(side, other)))
        return same if e.what == "same side" else n.Binary("&", same, n.Binary("!=", who, other))

    def within(self, w: Writer, e: t.Within) -> n.Expr:
        """Is it in this zone of a map?"""
        at, count = self.l.tables[f"zone {e.map} {e.zone}"], len(self.l.zone_spaces(e.zone))
        return n.Call("within_table", (const(at), const(count), self.as_space(w, e.thing)))

    def template_table(self, index: int) -> int:
        """For each actor: does it descend from this template?"""
        template = next(k for k, v in self.s.templates.items() if v.index == index)
        values = [1 if self.l.is_a(a.template, template) else 0 for a in self.s.actors]
        return self.l.table(f"is {template}", values)
