"""Things -> IR expressions: locals, what resources hold, cards and spaces the engine knows, selectors.

In:  Thing_ of a checked tree.
Out: an expression that is the thing's index; -1 for none.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.ir.program import SEATS
from rulewright.lower.terms import Terms
from rulewright.lower.writer import Writer, add, const, local, state


class Things(Terms):
    """Lowers things."""

    def thing(self, w: Writer, e: Any, want: str = "") -> n.Expr:
        """A thing as its number; -1 is none."""
        match e:
            case t.TLocal(name=name):
                return local(self.var(name))
            case t.TConst(id=id_):
                return const(id_)
            case t.TBuiltin():
                return self.builtin(w, e)
            case t.THold(resource=resource, owners=owners):
                return self.guarded(self.owner_index(w, resource, owners), resource)
            case t.TKept(sequence=sequence, name=name):
                value = self.kept(sequence, name)
                assert isinstance(value, n.Pick)
                return n.Pick(value.test, value.yes, const(-1))
            case t.TColumn(list=kind, column=column, thing=thing):
                return self.column(w, kind, column, thing)
            case t.TSelect(selector=selector):
                return self.select(w, selector, "the")
            case t.TIf(test=test, yes=yes, no=no):
                return n.Pick(self.check(w, test), self.thing(w, yes), self.thing(w, no))
            case t.Run():
                return self.run_component(w, e)
            case _:
                raise AssertionError(f"no thing: {e}")

    def builtin(self, w: Writer, e: t.TBuiltin) -> n.Expr:
        """Things the language itself knows."""
        args = e.args
        match e.what:
            case "active":
                return self.active()
            case "space":
                return n.Call("cell", (const(self.l.base["!place"]), self.thing(w, args[0]), const(-1)))
            case "seat":
                return n.Binary("%", n.Binary("-", self.number(w, args[0]), const(1)), state(SEATS))
            case "last space":
                return n.Binary("-", state(self.l.laid), const(1))
            case "at":
                place = self.thing(w, args[0])
                return n.Call("space_at", (const(0), self.place_x(place), self.place_y(place)))
            case "facing":
                return n.Call("cell", (const(self.l.base["!facing"]), self.thing(w, args[0]), const(-1)))
            case "side":
                return n.Call("cell", (const(self.l.base["!side"]), self.thing(w, args[0]), const(-1)))
            case "path end":
                return self.path_end(w, args[0], args[1])
            case "owner":
                return n.Call("cell", (const(self.l.base["!owner"]), self.thing(w, args[0]), const(-1)))
            case "terrain":
                return n.Call("cell", (const(self.l.base["!terrain"]), self.thing(w, args[0]), const(-1)))
            case "face":
                return self.face(self.thing(w, args[0]))
            case "source":
                slot = add(self.status_slot(w, args[0], args[1]), 3)
                return n.Binary("-", state(slot), const(1))
            case "top":
                return n.Call("zone_top", (self.zone(w, args[0], args[1]),))
            case "bottom":
                return n.Call("zone_bottom", (self.zone(w, args[0], args[1]),))
            case "orelse":
                return n.Call("or_else", (self.thing(w, args[0]), self.thing(w, args[1])))
            case "neighbour":
                return self.neighbour(self.thing(w, args[1]), self.thing(w, args[0]))
            case "direction":
                return n.Call(self.direction(), (self.thing(w, args[0]), self.thing(w, args[1])))
            case "turned":
                count = self.l.directions
                total = add(self.thing(w, args[0]), self.number(w, args[1]))
                return n.Binary("%", total, const(count))
            case "opposite":
                count = self.l.directions
                return n.Binary("%", add(self.thing(w, args[0]), count // 2), const(count))
            case "next" | "previous":
                count = self.l.count_of(e.type)
                step = 1 if e.what == "next" else count - 1
                return n.Binary("%", add(self.thing(w, args[0]), step), const(count))
            case _:
                return self.more_thing(w, e)
