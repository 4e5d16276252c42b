"""Numbers -> IR expressions: arithmetic, what is written out, kept values, columns, distances.

In:  Num_ of a checked tree.
Out: an expression; what must happen first (a roll, a choice) is written before it.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.walk import nodes
from rulewright.ir import nodes as n
from rulewright.ir.program import SEATS
from rulewright.lower.builder import Builder, field_of, identifier, var
from rulewright.lower.dispatch import NUMBERS, THINGS, check, lowers, number, row, thing
from rulewright.lower.spaces import xy
from rulewright.lower.terms import (
    STATUS_PARTS,
    arguments,
    as_space,
    column_of,
    kept,
    owner_index,
    place_x,
    place_y,
    status_slot,
)
from rulewright.lower.writer import Writer, call, const, local, param, state


def mark(b: Builder, w: Writer, e: t.Num_) -> n.Expr:
    """A number that is set or compared with: 0 and 1 are no and yes there, nothing to be tuned."""
    return const(e.value) if isinstance(e, t.Num) and e.value in (0, 1) else number(b, w, e)


row(NUMBERS, t.IfNum, lambda b, w, e: n.Pick(check(b, w, e.test), number(b, w, e.yes), number(b, w, e.no)))
row(NUMBERS, t.ReadLocal, lambda b, w, e: local(var(e.name)))
row(NUMBERS, t.ReadKept, lambda b, w, e: kept(b, e.sequence, e.name))
row(NUMBERS, t.ReadColumn, lambda b, w, e: column_of(b, w, e.list, e.column, e.thing))
row(NUMBERS, t.StatusNum, lambda b, w, e: state(status_slot(b, w, e.status, e.owner) + STATUS_PARTS[e.what]))
row(NUMBERS, t.Truth, lambda b, w, e: n.Pick(check(b, w, e.check), const(1), const(0)))
row(NUMBERS, t.Final, lambda b, w, e: final(b, w, e.value))
row(NUMBERS, t.Distance, lambda b, w, e: call("space_distance", as_space(b, w, e.a), as_space(b, w, e.b)))
row(NUMBERS, t.Adjacent, lambda b, w, e: call("space_adjacent", as_space(b, w, e.a), as_space(b, w, e.b)))
row(NUMBERS, t.SeatCount, lambda b, w, e: state(SEATS))
row(NUMBERS, t.PathLength, lambda b, w, e: call("path_length", thing(b, w, e.path)))
row(NUMBERS, t.Rank, lambda b, w, e: call("order_find", b.layout.order_base[e.order], thing(b, w, e.who)))


@lowers(NUMBERS, t.Num)
def written(b: Builder, w: Writer, e: t.Num) -> n.Expr:
    """What is written out is a parameter, so that tuning it needs no new code."""
    if e.name or e.value == 0:
        return const(e.value)
    return param(b.layout.number(e.value, f"line {b.sites[w.site].line}"))


@lowers(NUMBERS, t.Arith)
def arithmetic(b: Builder, w: Writer, e: t.Arith) -> n.Expr:
    a, other = number(b, w, e.left), number(b, w, e.right)
    if e.op in ("/", "mod"):
        return call("div" if e.op == "/" else "mod", a, other)
    return a + other if e.op == "+" else n.Binary(e.op, a, other)


@lowers(NUMBERS, t.Fn)
def function_of(b: Builder, w: Writer, e: t.Fn) -> n.Expr:
    """abs, max and min."""
    values = [number(b, w, a) for a in e.args]
    if e.name == "abs":
        return call("absolute", values[0])
    made = values[0]
    for other in values[1:]:
        made = call("maximum" if e.name == "max" else "minimum", made, other)
    return made


@lowers(NUMBERS, t.Run)
@lowers(THINGS, t.Run)
def run_component(b: Builder, w: Writer, e: t.Run) -> n.Expr:
    """Run a component for what it gives. A pure Value stands in place, anything else runs before."""
    call = n.Call(b.name_of(e.component), tuple(arguments(b, w, e.component, e.self_, e.args)))
    if e.component.kind in ("Value", "Check"):
        return call
    site = w.site
    name = w.temp(call, "got")
    w.site = site
    w.check()
    return local(name)


def final(b: Builder, w: Writer, value: t.Num_) -> n.Expr:
    """A whole number: references are looked up before its dice are rolled, and it is never below 0."""
    inner = value.value if isinstance(value, t.Final) else value
    lazy = [x for x in nodes(inner) if isinstance(x, t.ReadRes) and b.layout.key(x.resource) in b.facts.lazy]
    if lazy and any(isinstance(x, t.Dice) for x in nodes(inner)):

        def build(c: Writer) -> None:
            c.site = w.site
            for read in lazy:
                c.call(
                    f"know_{identifier(b.layout.key(read.resource))}",
                    owner_index(b, c, read.resource, read.owners),
                )
            c.give(_floor(b, c, inner))

        return b.closure("final", build, w.site)
    return _floor(b, w, inner)


def _floor(b: Builder, w: Writer, value: t.Num_) -> n.Expr:
    made = number(b, w, value)
    return made if _positive(value) else call("maximum", 0, made)


def _positive(e: t.Num_) -> bool:
    match e:
        case t.Num() | t.Dice():
            return True
        case t.ReadRes(resource=resource):
            return resource.low is not None and resource.low >= 0
        case t.Arith(op=op, left=left, right=right):
            return op != "-" and _positive(left) and _positive(right)
        case _:
            return False


@lowers(NUMBERS, t.FacedSide)
def side(b: Builder, w: Writer, e: t.FacedSide) -> n.Expr:
    facing = field_of(b, "!facing", thing(b, w, e.who), 0)
    return call("space_side", as_space(b, w, e.who), as_space(b, w, e.other), facing)


@lowers(NUMBERS, t.Coordinate)
def coordinate(b: Builder, w: Writer, e: t.Coordinate) -> n.Expr:
    if e.of.type == t.PLACE:
        place = thing(b, w, e.of)
        return place_x(place) if e.axis == "x" else place_y(place)
    return call(f"space_{e.axis}", as_space(b, w, e.of))


@lowers(NUMBERS, t.Course)
def course(b: Builder, w: Writer, e: t.Course) -> n.Expr:
    a, right = w.temp(as_space(b, w, e.start), "a"), w.temp(as_space(b, w, e.goal), "b")
    dx = xy("x", right) - xy("x", a)
    dy = xy("y", right) - xy("y", a)
    return call("bearing", dx, dy)
