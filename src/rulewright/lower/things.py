"""Things -> IR expressions: locals, what resources hold, cards and spaces the engine knows.

In:  Thing_ of a checked tree.
Out: an expression that is the thing's index; -1 for none.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.ir.program import SEATS
from rulewright.lower.builder import Builder, field_of, var
from rulewright.lower.dispatch import THINGS, check, lowers, number, row, thing
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

row(THINGS, t.TLocal, lambda b, w, e: local(var(e.name, e.type)))
row(THINGS, t.TConst, lambda b, w, e: const(e.id))
row(THINGS, t.THold, lambda b, w, e: guarded(b, owner_index(b, w, e.resource, e.owners), e.resource))
row(THINGS, t.TKept, lambda b, w, e: kept(b, e.sequence, e.name, -1))
row(THINGS, t.TColumn, lambda b, w, e: column_of(b, w, e.list, e.column, e.thing))
row(THINGS, t.TIf, lambda b, w, e: n.Pick(check(b, w, e.test), thing(b, w, e.yes), thing(b, w, e.no)))
row(THINGS, t.OrElse, lambda b, w, e: call("or_else", thing(b, w, e.thing), thing(b, w, e.other)))
row(THINGS, t.SpaceOf, lambda b, w, e: field_of(b, "!place", thing(b, w, e.who)))
row(THINGS, t.FacingOf, lambda b, w, e: field_of(b, "!facing", thing(b, w, e.who)))
row(THINGS, t.SideOf, lambda b, w, e: field_of(b, "!side", thing(b, w, e.who)))
row(THINGS, t.OwnerOf, lambda b, w, e: field_of(b, "!owner", thing(b, w, e.card)))
row(THINGS, t.TerrainOf, lambda b, w, e: field_of(b, "!terrain", thing(b, w, e.space)))
row(THINGS, t.FaceOf, lambda b, w, e: field_of(b, "!face", thing(b, w, e.card)))
row(THINGS, t.Active, lambda b, w, e: active(b))
row(THINGS, t.SeatOf, lambda b, w, e: (number(b, w, e.number) - 1) % state(SEATS))
row(THINGS, t.SourceOf, lambda b, w, e: state(status_slot(b, w, e.status, e.owner) + 3) - 1)
row(THINGS, t.LastSpace, lambda b, w, e: state(b.layout.laid) - 1)
row(THINGS, t.Spot, lambda b, w, e: call("space_at", state(b.layout.map_now), e.x, e.y))
row(THINGS, t.PathEnd, lambda b, w, e: path_end(b, w, e.path, e.walker))
row(THINGS, t.Neighbour, lambda b, w, e: neighbour(thing(b, w, e.space), thing(b, w, e.direction)))
row(
    THINGS, t.Turned, lambda b, w, e: (thing(b, w, e.direction) + number(b, w, e.steps)) % b.layout.directions
)
row(THINGS, t.DirectionTo, lambda b, w, e: call("space_toward", thing(b, w, e.start), thing(b, w, e.goal)))


@lowers(THINGS, t.Aim)
def aim(b: Builder, w: Writer, e: t.Aim) -> n.Expr:
    assert b.facts.aim
    return state(b.facts.aim)


@lowers(THINGS, t.SpaceAt)
def at_place(b: Builder, w: Writer, e: t.SpaceAt) -> n.Expr:
    place = thing(b, w, e.place)
    return call("space_at", 0, place_x(place), place_y(place))


@lowers(THINGS, t.EndOfZone)
def end_of_zone(b: Builder, w: Writer, e: t.EndOfZone) -> n.Expr:
    return call("zone_bottom" if e.bottom else "zone_top", zone_slot(b, w, e.zone, e.owner))


@lowers(THINGS, t.Opposite)
def opposite(b: Builder, w: Writer, e: t.Opposite) -> n.Expr:
    count = b.layout.directions
    return (thing(b, w, e.direction) + (count // 2)) % count


@lowers(THINGS, t.NextWord)
def next_word(b: Builder, w: Writer, e: t.NextWord) -> n.Expr:
    count = b.layout.count_of(e.type)
    step = count - 1 if e.back else 1
    return (thing(b, w, e.thing) + step) % count
