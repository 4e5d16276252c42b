"""Things -> IR expressions: locals, what resources hold, cards and spaces the engine knows.

In:  Thing_ of a checked tree.
Out: an expression that is the thing's index; -1 for none.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.ir.program import SEATS
from rulewright.lower.builder import Builder, field_of, var
from rulewright.lower.dispatch import THINGS, check, lowers, number, thing
from rulewright.lower.paths import path_end
from rulewright.lower.terms import (
    active,
    column_of,
    guarded,
    kept,
    neighbour,
    owner_index,
    place_x,
    place_y,
    status_slot,
    zone_slot,
)
from rulewright.lower.writer import Writer, call, const, local, state


@lowers(THINGS, t.TLocal)
def local_thing(b: Builder, w: Writer, e: t.TLocal) -> n.Expr:
    return local(var(e.name, e.type))


@lowers(THINGS, t.TConst)
def known(b: Builder, w: Writer, e: t.TConst) -> n.Expr:
    return const(e.id)


@lowers(THINGS, t.THold)
def held(b: Builder, w: Writer, e: t.THold) -> n.Expr:
    return guarded(b, owner_index(b, w, e.resource, e.owners), e.resource)


@lowers(THINGS, t.TKept)
def kept_thing(b: Builder, w: Writer, e: t.TKept) -> n.Expr:
    return kept(b, e.sequence, e.name, -1)


@lowers(THINGS, t.TColumn)
def in_column(b: Builder, w: Writer, e: t.TColumn) -> n.Expr:
    return column_of(b, w, e.list, e.column, e.thing)


@lowers(THINGS, t.TIf)
def either_thing(b: Builder, w: Writer, e: t.TIf) -> n.Expr:
    return n.Pick(check(b, w, e.test), thing(b, w, e.yes), thing(b, w, e.no))


@lowers(THINGS, t.Active)
def whose_turn(b: Builder, w: Writer, e: t.Active) -> n.Expr:
    return active(b)


@lowers(THINGS, t.Aim)
def aim(b: Builder, w: Writer, e: t.Aim) -> n.Expr:
    assert b.facts.aim
    return state(b.facts.aim)


@lowers(THINGS, t.SeatOf)
def seat(b: Builder, w: Writer, e: t.SeatOf) -> n.Expr:
    return (number(b, w, e.number) - 1) % state(SEATS)


@lowers(THINGS, t.LastSpace)
def last_space(b: Builder, w: Writer, e: t.LastSpace) -> n.Expr:
    return state(b.layout.laid) - 1


@lowers(THINGS, t.SpaceAt)
def at_place(b: Builder, w: Writer, e: t.SpaceAt) -> n.Expr:
    place = thing(b, w, e.place)
    return call("space_at", 0, place_x(place), place_y(place))


@lowers(THINGS, t.Spot)
def spot(b: Builder, w: Writer, e: t.Spot) -> n.Expr:
    return call("space_at", state(b.layout.map_now), e.x, e.y)


FIELDS: dict[type, tuple[str, str]] = {
    t.SpaceOf: ("!place", "who"),
    t.FacingOf: ("!facing", "who"),
    t.SideOf: ("!side", "who"),
    t.OwnerOf: ("!owner", "card"),
    t.TerrainOf: ("!terrain", "space"),
    t.FaceOf: ("!face", "card"),
}
"""What the state holds of each thing: in which field, and of which part of the node."""


@lowers(THINGS, *FIELDS)
def in_field(b: Builder, w: Writer, e: t.Thing_) -> n.Expr:
    field, whose = FIELDS[type(e)]
    return field_of(b, field, thing(b, w, getattr(e, whose)))


@lowers(THINGS, t.PathEnd)
def end_of_path(b: Builder, w: Writer, e: t.PathEnd) -> n.Expr:
    return path_end(b, w, e.path, e.walker)


@lowers(THINGS, t.SourceOf)
def source(b: Builder, w: Writer, e: t.SourceOf) -> n.Expr:
    return state(status_slot(b, w, e.status, e.owner) + 3) - 1


@lowers(THINGS, t.EndOfZone)
def end_of_zone(b: Builder, w: Writer, e: t.EndOfZone) -> n.Expr:
    return call("zone_bottom" if e.bottom else "zone_top", zone_slot(b, w, e.zone, e.owner))


@lowers(THINGS, t.OrElse)
def or_else(b: Builder, w: Writer, e: t.OrElse) -> n.Expr:
    return call("or_else", thing(b, w, e.thing), thing(b, w, e.other))


@lowers(THINGS, t.Neighbour)
def next_space(b: Builder, w: Writer, e: t.Neighbour) -> n.Expr:
    return neighbour(thing(b, w, e.space), thing(b, w, e.direction))


@lowers(THINGS, t.DirectionTo)
def direction_to(b: Builder, w: Writer, e: t.DirectionTo) -> n.Expr:
    return call("space_toward", thing(b, w, e.start), thing(b, w, e.goal))


@lowers(THINGS, t.Turned)
def turned(b: Builder, w: Writer, e: t.Turned) -> n.Expr:
    total = thing(b, w, e.direction) + number(b, w, e.steps)
    return total % b.layout.directions


@lowers(THINGS, t.Opposite)
def opposite(b: Builder, w: Writer, e: t.Opposite) -> n.Expr:
    count = b.layout.directions
    return (thing(b, w, e.direction) + (count // 2)) % count


@lowers(THINGS, t.NextWord)
def next_word(b: Builder, w: Writer, e: t.NextWord) -> n.Expr:
    count = b.layout.count_of(e.type)
    step = count - 1 if e.back else 1
    return (thing(b, w, e.thing) + step) % count
