"""Things -> IR expressions: locals, what resources hold, cards and spaces the engine knows.

In:  Thing_ of a checked tree.
Out: an expression that is the thing's index; -1 for none.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.ir.program import SEATS
from rulewright.lower.builder import Builder, var
from rulewright.lower.dispatch import BUILTINS, THINGS, check, lowers, number, thing
from rulewright.lower.terms import (
    active,
    column_of,
    direction,
    face_of,
    guarded,
    kept,
    neighbour,
    owner_index,
    path_end,
    place_x,
    place_y,
    status_slot,
    zone_slot,
)
from rulewright.lower.writer import Writer, add, const, local, state


@lowers(THINGS, t.TLocal)
def local_thing(b: Builder, w: Writer, e: t.TLocal) -> n.Expr:
    return local(var(e.name))


@lowers(THINGS, t.TConst)
def known(b: Builder, w: Writer, e: t.TConst) -> n.Expr:
    return const(e.id)


@lowers(THINGS, t.THold)
def held(b: Builder, w: Writer, e: t.THold) -> n.Expr:
    return guarded(b, owner_index(b, w, e.resource, e.owners), e.resource)


@lowers(THINGS, t.TKept)
def kept_thing(b: Builder, w: Writer, e: t.TKept) -> n.Expr:
    value = kept(b, e.sequence, e.name)
    assert isinstance(value, n.Pick)
    return n.Pick(value.test, value.yes, const(-1))


@lowers(THINGS, t.TColumn)
def in_column(b: Builder, w: Writer, e: t.TColumn) -> n.Expr:
    return column_of(b, w, e.list, e.column, e.thing)


@lowers(THINGS, t.TIf)
def either_thing(b: Builder, w: Writer, e: t.TIf) -> n.Expr:
    return n.Pick(check(b, w, e.test), thing(b, w, e.yes), thing(b, w, e.no))


@lowers(THINGS, t.TBuiltin)
def builtin(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    """Things the language itself knows."""
    return BUILTINS[e.what](b, w, e)


def _cell(b: Builder, w: Writer, table: str, whose: t.Thing_) -> n.Expr:
    return n.Call("cell", (const(b.layout.base[table]), thing(b, w, whose), const(-1)))


@lowers(BUILTINS, "active")
def whose_turn(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return active(b)


@lowers(BUILTINS, "aim")
def aim(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return state(b.aim)


@lowers(BUILTINS, "seat")
def seat(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return n.Binary("%", n.Binary("-", number(b, w, e.args[0]), const(1)), state(SEATS))


@lowers(BUILTINS, "last space")
def last_space(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return n.Binary("-", state(b.layout.laid), const(1))


@lowers(BUILTINS, "at")
def at_place(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    place = thing(b, w, e.args[0])
    return n.Call("space_at", (const(0), place_x(place), place_y(place)))


@lowers(BUILTINS, "spot")
def spot(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return n.Call("space_at", (state(b.layout.map_now), const(e.args[0]), const(e.args[1])))


@lowers(BUILTINS, "space")
def space(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return _cell(b, w, "!place", e.args[0])


@lowers(BUILTINS, "facing", "side", "owner", "terrain")
def attribute(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return _cell(b, w, "!" + e.what, e.args[0])


@lowers(BUILTINS, "face")
def face(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return face_of(b, thing(b, w, e.args[0]))


@lowers(BUILTINS, "path end")
def end_of_path(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return path_end(b, w, e.args[0], e.args[1])


@lowers(BUILTINS, "source")
def source(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return n.Binary("-", state(add(status_slot(b, w, e.args[0], e.args[1]), 3)), const(1))


@lowers(BUILTINS, "top", "bottom")
def end_of_zone(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return n.Call(f"zone_{e.what}", (zone_slot(b, w, e.args[0], e.args[1]),))


@lowers(BUILTINS, "orelse")
def or_else(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return n.Call("or_else", (thing(b, w, e.args[0]), thing(b, w, e.args[1])))


@lowers(BUILTINS, "neighbour")
def next_space(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return neighbour(thing(b, w, e.args[1]), thing(b, w, e.args[0]))


@lowers(BUILTINS, "direction")
def direction_to(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    return n.Call(direction(), (thing(b, w, e.args[0]), thing(b, w, e.args[1])))


@lowers(BUILTINS, "turned")
def turned(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    total = add(thing(b, w, e.args[0]), number(b, w, e.args[1]))
    return n.Binary("%", total, const(b.layout.directions))


@lowers(BUILTINS, "opposite")
def opposite(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    count = b.layout.directions
    return n.Binary("%", add(thing(b, w, e.args[0]), count // 2), const(count))


@lowers(BUILTINS, "next", "previous")
def next_word(b: Builder, w: Writer, e: t.TBuiltin) -> n.Expr:
    count = b.layout.count_of(e.type)
    step = 1 if e.what == "next" else count - 1
    return n.Binary("%", add(thing(b, w, e.args[0]), step), const(count))
