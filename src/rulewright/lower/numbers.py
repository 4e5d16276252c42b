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
from rulewright.lower import checks as m_checks
from rulewright.lower import components as m_components
from rulewright.lower import framework as m_framework
from rulewright.lower import lazy as m_lazy
from rulewright.lower import lots as m_lots
from rulewright.lower import spaces as m_spaces
from rulewright.lower import terms as m_terms
from rulewright.lower import things as m_things
from rulewright.lower.builder import Builder
from rulewright.lower.writer import Writer, add, const, local, param, state


def mark(b: Builder, w: Writer, e: Any) -> n.Expr:
    """A number that is set or compared with: 0 and 1 are no and yes there, nothing to be tuned."""
    return const(e.value) if isinstance(e, t.Num) and e.value in (0, 1) else m_framework.number(b, w, e)


def plain_number(b: Builder, w: Writer, e: Any) -> n.Expr:
    """A number. What is written out is a parameter, so that tuning it needs no new code."""
    match e:
        case t.Num(value=value, name=name):
            if name or value == 0:
                return const(value)
            return param(b.layout.number(value, f"line {b.sites[w.site].line}"))
        case t.Dice(count=count, sides=sides):
            site = const(w.site)
            if isinstance(count, t.Num) and count.value == 1:
                return n.Call("roll", (m_framework.number(b, w, sides), site))
            return n.Call(
                "roll_sum", (m_framework.number(b, w, count), m_framework.number(b, w, sides), site)
            )
        case t.Arith(op=op, left=left, right=right):
            a, other = m_framework.number(b, w, left), m_framework.number(b, w, right)
            if op in ("/", "mod"):
                return n.Call("div" if op == "/" else "mod", (a, other))
            return add(a, other) if op == "+" else n.Binary(op, a, other)
        case t.Fn(name=name, args=args):
            values = [m_framework.number(b, w, a) for a in args]
            if name == "abs":
                return n.Call("absolute", (values[0],))
            made = values[0]
            for value in values[1:]:
                made = n.Call("maximum" if name == "max" else "minimum", (made, value))
            return made
        case t.IfNum(test=test, yes=yes, no=no):
            return n.Pick(
                m_checks.check(b, w, test), m_framework.number(b, w, yes), m_framework.number(b, w, no)
            )
        case t.ReadRes():
            return m_lazy.read(b, w, e)
        case t.ReadLocal(name=name):
            return local(m_terms.var(name))
        case t.ReadKept(sequence=sequence, name=name):
            return m_terms.kept(b, sequence, name)
        case t.ReadColumn(list=kind, column=column, thing=thing):
            return m_terms.column_of(b, w, kind, column, thing)
        case t.ReadTable(table=table, column=column):
            return m_components.table_column(b, w, table, column)
        case t.Count(selector=selector):
            return m_lots.select(b, w, selector, "count")
        case t.Aggregate(how=how, value=value, selector=selector):
            return m_lots.select(b, w, selector, how, value)
        case t.Geometry():
            return geometry(b, w, e)
        case t.StatusNum(what=what, status=status, owner=owner):
            return state(
                add(m_terms.status_slot(b, w, status, owner), {"Turns": 0, "Stacks": 1, "Power": 2}[what])
            )
        case t.TallyNum():
            return tally(b, w, e)
        case t.Truth(check=condition):
            return n.Pick(m_checks.check(b, w, condition), const(1), const(0))
        case t.Run():
            return m_terms.run_component(b, w, e)
        case _:
            return m_framework.more_number(b, w, e)


def plain_read(b: Builder, w: Writer, e: t.ReadRes) -> n.Expr:
    """The value as the rules see it: the store with its modifications."""
    key = b.layout.key(e.resource)
    if e.maximum:
        return n.Call(f"max_{m_terms.clean(key)}", (m_terms.owner_index(b, w, e.resource, e.owners),))
    if not e.stored and key in b.modified:
        return n.Call(f"get_{m_terms.clean(key)}", (m_terms.owner_index(b, w, e.resource, e.owners),))
    return m_terms.guarded(b, m_terms.owner_index(b, w, e.resource, e.owners), e.resource)


def tally(b: Builder, w: Writer, e: t.TallyNum) -> n.Expr:
    """A number read from a tally of dice."""
    names = tally_names(b, e.local, e.die)
    if e.highest is not None:
        args = tuple(local(x) for x in names)
        values = face_values(b, e.die)
        return n.Call(highest(b, len(names), values), (m_framework.number(b, w, e.highest), *args))
    if e.column:
        die = b.symbols.dice[e.die]
        at = b.layout.columns[(die.name, norm(e.column))]
        made: n.Expr = const(0)
        for i, name in enumerate(names):
            made = add(made, n.Binary("*", local(name), param(at + i)))
        return made
    made = const(0)
    for i in e.faces:
        made = add(made, local(names[i]))
    return made


def face_values(b: Builder, die: str) -> list[int]:
    """What the faces are worth, for `highest`."""
    if die.startswith("d"):
        return list(range(1, int(die[1:]) + 1))
    column = next((c for c in b.symbols.dice[die].columns.values() if c.type == t.NUMBER), None)
    return list(column.values) if column else [0] * len(b.symbols.dice[die].words)


def highest(b: Builder, faces: int, values: list[int]) -> str:
    """A function that sums the best dice of a tally."""
    name = f"highest_{faces}_" + "_".join(str(v).replace("-", "m") for v in values)
    if name not in b.functions:
        w = Writer(name, ("count", *(f"n{i}" for i in range(faces))))
        w.assign("total", const(0))
        for i in sorted(range(faces), key=lambda k: -values[k]):
            w.assign("took", n.Call("minimum", (local("count"), local(f"n{i}"))))
            w.assign("total", add(local("total"), n.Binary("*", local("took"), const(values[i]))))
            w.assign("count", n.Binary("-", local("count"), local("took")))
        w.emit(n.Return(local("total")))
        b.add(w.function())
    return name


def tally_names(b: Builder, name: str, die: str) -> list[str]:
    """One local a face."""
    faces = int(die[1:]) if die.startswith("d") else len(b.symbols.dice[die].words)
    return [f"{m_terms.var(name)}_f{i}" for i in range(faces)]


def geometry(b: Builder, w: Writer, e: t.Geometry) -> n.Expr:
    """Numbers about space."""
    match e.what:
        case "distance":
            return n.Call(
                "space_distance", (m_terms.as_space(b, w, e.args[0]), m_terms.as_space(b, w, e.args[1]))
            )
        case "adjacent":
            return n.Call(
                "space_adjacent", (m_terms.as_space(b, w, e.args[0]), m_terms.as_space(b, w, e.args[1]))
            )
        case "side":
            facing = n.Call(
                "cell", (const(b.layout.base["!facing"]), m_things.thing(b, w, e.args[0]), const(0))
            )
            return n.Call(
                "space_side", (m_terms.as_space(b, w, e.args[0]), m_terms.as_space(b, w, e.args[1]), facing)
            )
        case "seats":
            return state(SEATS)
        case "steps":
            return n.Call("path_length", (m_things.thing(b, w, e.args[0]),))
        case "x" | "y":
            if e.args[0].type == t.PLACE:
                place = m_things.thing(b, w, e.args[0])
                return m_terms.place_x(place) if e.what == "x" else m_terms.place_y(place)
            return n.Call(f"space_{e.what}", (m_terms.as_space(b, w, e.args[0]),))
        case "rank":
            return n.Call("order_find", (const(b.layout.order_base[e.name]), m_things.thing(b, w, e.args[0])))
        case "walk":
            return m_spaces.walk(b, w, e)
        case _:
            return m_framework.more_number(b, w, e)
