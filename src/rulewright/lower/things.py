"""Things -> IR expressions: locals, what resources hold, cards and spaces the engine knows, selectors.

In:  Thing_ of a checked tree.
Out: an expression that is the thing's index; -1 for none.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.ir.program import SEATS
from rulewright.lower import behaviors as m_behaviors
from rulewright.lower import checks as m_checks
from rulewright.lower import framework as m_framework
from rulewright.lower import lots as m_lots
from rulewright.lower import terms as m_terms
from rulewright.lower.builder import Builder
from rulewright.lower.writer import Writer, add, const, local, state


def thing(b: Builder, w: Writer, e: Any, want: str = "") -> n.Expr:
    """A thing as its number; -1 is none."""
    match e:
        case t.TLocal(name=name):
            return local(m_terms.var(name))
        case t.TConst(id=id_):
            return const(id_)
        case t.TBuiltin():
            return builtin(b, w, e)
        case t.THold(resource=resource, owners=owners):
            return m_terms.guarded(b, m_terms.owner_index(b, w, resource, owners), resource)
        case t.TKept(sequence=sequence, name=name):
            value = m_terms.kept(b, sequence, name)
            assert isinstance(value, n.Pick)
            return n.Pick(value.test, value.yes, const(-1))
        case t.TColumn(list=kind, column=column, thing=whose):
            return m_terms.column_of(b, w, kind, column, whose)
        case t.TSelect(selector=selector):
            return m_lots.select(b, w, selector, "the")
        case t.TIf(test=test, yes=yes, no=no):
            return n.Pick(m_checks.check(b, w, test), thing(b, w, yes), thing(b, w, no))
        case t.Run():
            return m_terms.run_component(b, w, e)
        case _:
            raise AssertionError(f"no thing: {e}")


def builtin(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    """Things the language itself knows."""
    args = e.args
    match e.what:
        case "active":
            return m_behaviors.active(b)
        case "space":
            return n.Call("cell", (const(b.layout.base["!place"]), thing(b, w, args[0]), const(-1)))
        case "seat":
            return n.Binary("%", n.Binary("-", m_framework.number(b, w, args[0]), const(1)), state(SEATS))
        case "last space":
            return n.Binary("-", state(b.layout.laid), const(1))
        case "at":
            place = thing(b, w, args[0])
            return n.Call("space_at", (const(0), m_terms.place_x(place), m_terms.place_y(place)))
        case "facing":
            return n.Call("cell", (const(b.layout.base["!facing"]), thing(b, w, args[0]), const(-1)))
        case "side":
            return n.Call("cell", (const(b.layout.base["!side"]), thing(b, w, args[0]), const(-1)))
        case "path end":
            return m_terms.path_end(b, w, args[0], args[1])
        case "owner":
            return n.Call("cell", (const(b.layout.base["!owner"]), thing(b, w, args[0]), const(-1)))
        case "terrain":
            return n.Call("cell", (const(b.layout.base["!terrain"]), thing(b, w, args[0]), const(-1)))
        case "face":
            return m_terms.face_of(b, thing(b, w, args[0]))
        case "source":
            slot = add(m_terms.status_slot(b, w, args[0], args[1]), 3)
            return n.Binary("-", state(slot), const(1))
        case "top":
            return n.Call("zone_top", (m_terms.zone_slot(b, w, args[0], args[1]),))
        case "bottom":
            return n.Call("zone_bottom", (m_terms.zone_slot(b, w, args[0], args[1]),))
        case "orelse":
            return n.Call("or_else", (thing(b, w, args[0]), thing(b, w, args[1])))
        case "neighbour":
            return m_terms.neighbour(thing(b, w, args[1]), thing(b, w, args[0]))
        case "direction":
            return n.Call(m_terms.direction(), (thing(b, w, args[0]), thing(b, w, args[1])))
        case "turned":
            count = b.layout.directions
            total = add(thing(b, w, args[0]), m_framework.number(b, w, args[1]))
            return n.Binary("%", total, const(count))
        case "opposite":
            count = b.layout.directions
            return n.Binary("%", add(thing(b, w, args[0]), count // 2), const(count))
        case "next" | "previous":
            count = b.layout.count_of(e.type)
            step = 1 if e.what == "next" else count - 1
            return n.Binary("%", add(thing(b, w, args[0]), step), const(count))
        case _:
            return m_framework.more_thing(b, w, e)
