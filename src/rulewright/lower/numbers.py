"""Numbers -> IR expressions: arithmetic, dice, resources, tallies, counts, distances.

In:  Num_ of a checked tree.
Out: an expression; what must happen first (a roll, a choice) is written before it.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import nodes as n
from rulewright.ir.program import SEATS
from rulewright.lower.checks import Checks
from rulewright.lower.writer import Writer, add, const, local, param, state


class Numbers(Checks):
    """Lowers numbers."""

    def mark(self, w: Writer, e: Any) -> n.Expr:
        """A number that is set or compared with: 0 and 1 are no and yes there, nothing to be tuned."""
        return const(e.value) if isinstance(e, t.Num) and e.value in (0, 1) else self.number(w, e)

    def number(self, w: Writer, e: Any) -> n.Expr:
        """A number. What is written out is a parameter, so that tuning it needs no new code."""
        match e:
            case t.Num(value=value, name=name):
                if name or value == 0:
                    return const(value)
                return param(self.l.number(value, f"line {self.c.sites[w.site].line}"))
            case t.Dice(count=count, sides=sides):
                site = const(w.site)
                if isinstance(count, t.Num) and count.value == 1:
                    return n.Call("roll", (self.number(w, sides), site))
                return n.Call("roll_sum", (self.number(w, count), self.number(w, sides), site))
            case t.Arith(op=op, left=left, right=right):
                a, b = self.number(w, left), self.number(w, right)
                if op in ("/", "mod"):
                    return n.Call("div" if op == "/" else "mod", (a, b))
                return add(a, b) if op == "+" else n.Binary(op, a, b)
            case t.Fn(name=name, args=args):
                values = [self.number(w, a) for a in args]
                if name == "abs":
                    return n.Call("absolute", (values[0],))
                made = values[0]
                for value in values[1:]:
                    made = n.Call("maximum" if name == "max" else "minimum", (made, value))
                return made
            case t.IfNum(test=test, yes=yes, no=no):
                return n.Pick(self.check(w, test), self.number(w, yes), self.number(w, no))
            case t.ReadRes():
                return self.read(w, e)
            case t.ReadLocal(name=name):
                return local(self.var(name))
            case t.ReadKept(sequence=sequence, name=name):
                return self.kept(sequence, name)
            case t.ReadColumn(list=kind, column=column, thing=thing):
                return self.column(w, kind, column, thing)
            case t.ReadTable(table=table, column=column):
                return self.table_column(w, table, column)
            case t.Count(selector=selector):
                return self.select(w, selector, "count")
            case t.Aggregate(how=how, value=value, selector=selector):
                return self.select(w, selector, how, value)
            case t.Geometry():
                return self.geometry(w, e)
            case t.StatusNum(what=what, status=status, owner=owner):
                return state(
                    add(self.status_slot(w, status, owner), {"Turns": 0, "Stacks": 1, "Power": 2}[what])
                )
            case t.TallyNum():
                return self.tally(w, e)
            case t.Truth(check=check):
                return n.Pick(self.check(w, check), const(1), const(0))
            case t.Run():
                return self.run_component(w, e)
            case _:
                return self.more_number(w, e)

    def read(self, w: Writer, e: t.ReadRes) -> n.Expr:
        """The value as the rules see it: the store with its modifications."""
        key = self.l.key(e.resource)
        if e.maximum:
            return n.Call(f"max_{self.clean(key)}", (self.owner_index(w, e.resource, e.owners),))
        if not e.stored and key in self.modified:
            return n.Call(f"get_{self.clean(key)}", (self.owner_index(w, e.resource, e.owners),))
        return self.guarded(self.owner_index(w, e.resource, e.owners), e.resource)

    modified: frozenset[str] = frozenset()

    def tally(self, w: Writer, e: t.TallyNum) -> n.Expr:
        """A number read from a tally of dice."""
        names = self.tally_names(e.local, e.die)
        if e.highest is not None:
            args = tuple(local(x) for x in names)
            values = self.face_values(e.die)
            return n.Call(self.highest(len(names), values), (self.number(w, e.highest), *args))
        if e.column:
            die = self.s.dice[e.die]
            at = self.l.columns[(die.name, norm(e.column))]
            made: n.Expr = const(0)
            for i, name in enumerate(names):
                made = add(made, n.Binary("*", local(name), param(at + i)))
            return made
        made = const(0)
        for i in e.faces:
            made = add(made, local(names[i]))
        return made

    def face_values(self, die: str) -> list[int]:
        """What the faces are worth, for `highest`."""
        if die.startswith("d"):
            return list(range(1, int(die[1:]) + 1))
        column = next((c for c in self.s.dice[die].columns.values() if c.type == t.NUMBER), None)
        return list(column.values) if column else [0] * len(self.s.dice[die].words)

    def highest(self, faces: int, values: list[int]) -> str:
        """A function that sums the best dice of a tally."""
        name = f"highest_{faces}_" + "_".join(str(v).replace("-", "m") for v in values)
        if name not in self.c.functions:
            w = Writer(name, ("count", *(f"n{i}" for i in range(faces))))
            w.assign("total", const(0))
            for i in sorted(range(faces), key=lambda k: -values[k]):
                w.assign("took", n.Call("minimum", (local("count"), local(f"n{i}"))))
                w.assign("total", add(local("total"), n.Binary("*", local("took"), const(values[i]))))
                w.assign("count", n.Binary("-", local("count"), local("took")))
            w.emit(n.Return(local("total")))
            self.c.add(w.function())
        return name

    def tally_names(self, name: str, die: str) -> list[str]:
        """One local a face."""
        faces = int(die[1:]) if die.startswith("d") else len(self.s.dice[die].words)
        return [f"{self.var(name)}_f{i}" for i in range(faces)]

    def geometry(self, w: Writer, e: t.Geometry) -> n.Expr:
        """Numbers about space."""
        match e.what:
            case "distance":
                return n.Call("space_distance", (self.as_space(w, e.args[0]), self.as_space(w, e.args[1])))
            case "adjacent":
                return n.Call("space_adjacent", (self.as_space(w, e.args[0]), self.as_space(w, e.args[1])))
            case "side":
                facing = n.Call("cell", (const(self.l.base["!facing"]), self.thing(w, e.args[0]), const(0)))
                return n.Call(
                    "space_side", (self.as_space(w, e.args[0]), self.as_space(w, e.args[1]), facing)
                )
            case "seats":
                return state(SEATS)
            case "steps":
                return n.Call("path_length", (self.thing(w, e.args[0]),))
            case "x" | "y":
                if e.args[0].type == t.PLACE:
                    place = self.thing(w, e.args[0])
                    return self.place_x(place) if e.what == "x" else self.place_y(place)
                return n.Call(f"space_{e.what}", (self.as_space(w, e.args[0]),))
            case "rank":
                return n.Call("order_find", (const(self.l.order_base[e.name]), self.thing(w, e.args[0])))
            case "walk":
                return self.walk(w, e)
            case _:
                return self.more_number(w, e)
