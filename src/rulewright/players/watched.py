"""What people can see change when an option is taken: which slots, and whose number each of them is.

In:  a Program, the slots of a state, a seat.
Out: `Watched` rows: numbers, statuses, piles, who is in play and where, how it ends.

Only what the seat may see before it decides is watched, so a row is never about something secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.ir.program import STATUS, Program
from rulewright.play.knowledge import Knowledge, find_field, zone_bases
from rulewright.play.words import name_of

NUMBER, THING, STATE, PILE = "number", "thing", "status", "pile"
PLAY, PLACE, SCORE, END = "play", "place", "score", "end"
"""Sorts of rows: what a change of the slot means."""
OWN_KEYS = ("controller", "side", "facing", "place", "in play")
"""Fields of actors that have a sort of their own here, or say nothing."""
MANY = ("Card", "Space")
"""Kinds with too many things for anybody to follow each of them."""


@dataclass(frozen=True, slots=True)
class Watched:
    """One slot: its sort, whose it is (a kind and a number, or "" and -1), what it is called."""

    slot: int
    sort: str
    kind: str
    id: int
    who: str
    name: str
    holds: str = ""
    """The kind of thing that it holds, for THING and PLACE."""
    field: str = ""
    """What the sheet calls it: Kit, where its name says of what."""


def watched(program: Program, slots: Sequence[int], seat: int | None) -> tuple[Watched, ...]:
    """Everything the seat can see change."""
    know = Knowledge(program, slots, seat)
    return (*_fields(know), *_statuses(know), *_piles(know), *_actors(know), *_result(know))


def _name(know: Knowledge, kind: str, number: int) -> str:
    return name_of(know.program, kind, number, know.slots)


def _fields(know: Knowledge) -> Iterator[Watched]:
    for field in know.program.sheet.fields:
        if not field.shown or field.quiet or any(kind in MANY for kind in field.of):
            continue
        if field.of[:1] == ("Actor",) and field.name in OWN_KEYS:
            continue
        if field.holds == "Card":
            continue
        width = field.counts[1] if len(field.of) > 1 else 1
        many = (field.counts[0] if field.of else 1) * width
        sort = NUMBER if field.holds is None else THING
        for index in range(many):
            first, second = divmod(index, width)
            if field.owners is not None and first not in field.owners:
                continue
            if not know.sees_field(field, index):
                continue
            kind = field.of[0] if field.of else ""
            name = field.name
            if len(field.of) > 1:
                name = f"{field.name} ({_name(know, field.of[1], second)})"
            who = _name(know, kind, first) if kind else ""
            yield Watched(field.base + index, sort, kind, first, who, name, field.holds or "", field.name)


def _statuses(know: Knowledge) -> Iterator[Watched]:
    actors = know.program.sheet.things.get("Actor", ())
    for status in know.program.sheet.statuses:
        for actor, who in enumerate(actors):
            yield Watched(status.base + 4 * actor + 1, STATE, "Actor", actor, who, status.name)


def _piles(know: Knowledge) -> Iterator[Watched]:
    for zone in know.program.sheet.zones:
        if zone.shown and zone.of not in MANY:
            for owner, base in zone_bases(know.program, zone):
                who = _name(know, zone.of, owner) if zone.of else ""
                yield Watched(base, PILE, zone.of or "", owner, who, zone.name)


def _actors(know: Knowledge) -> Iterator[Watched]:
    actors = know.program.sheet.things.get("Actor", ())
    for sort, name, holds in ((PLAY, "in play", ""), (PLACE, "place", "Space")):
        field = find_field(know.program, "Actor", name)
        if field is not None:
            for actor, who in enumerate(actors):
                if know.sees_field(field, actor):
                    yield Watched(field.base + actor, sort, "Actor", actor, who, name, holds)


def _result(know: Knowledge) -> Iterator[Watched]:
    result = know.program.sheet.result
    yield Watched(STATUS, END, "", -1, "", "")
    if know.seat is not None and "score" in result:
        yield Watched(result["score"] + know.seat, SCORE, "", -1, "", "")
