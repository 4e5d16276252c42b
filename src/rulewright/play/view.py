"""A match as one seat may see it.

In:  a Program, the slots of a state, a seat or None for a spectator.
Out: a JSON-able dict, and nothing in it that the seat may not know.

The number of a card instance identifies the card, so a hidden card appears only in a count. A pile
that the seat may not look through lists the cards it happens to know in order of their numbers,
because the order of a hidden pile is hidden too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rulewright.ir.program import DECISION, DECISIONS, ENDED, PROMPT, SEAT, SEATS, STATUS, Program
from rulewright.ir.sheet import ALL, UNKNOWN, Field, Zone
from rulewright.play.knowledge import Knowledge, face_of, find_field, zone_bases
from rulewright.play.reading import Reading
from rulewright.play.words import name_of

STATUS_WORDS = ("running", "decision", "ended", "fault")
# Shown as keys of the thing itself, or by where it is, rather than among its fields.
ACTOR_KEYS = ("controller", "place", "facing", "in_play", "side")
OWN_KEYS = {"Actor": ACTOR_KEYS, "Card": ("face", "zone", "known")}
LISTED = ("Actor", "Card", "Space")  # kinds that have a list of their own in the view

Json = dict[str, Any]


def view(program: Program, slots: Sequence[int], seat: int | None) -> Json:
    """Everything the seat may see, ready for JSON."""
    know = Knowledge(program, slots, seat)
    sheet = program.sheet
    decides = slots[STATUS] == DECISION
    prompt = slots[PROMPT]
    return {
        "seat": seat,
        "seats": slots[SEATS],
        "status": STATUS_WORDS[slots[STATUS]],
        "decides": slots[SEAT] if decides else None,
        "prompt": sheet.prompts[prompt] if decides and 0 <= prompt < len(sheet.prompts) else "",
        "decisions": slots[DECISIONS],
        "fields": _fields(know, None, 0),
        "actors": _actors(know),
        "zones": _zones(know),
        "spaces": _owners(know, "Space"),
        "things": {
            kind: rows for kind in sheet.things if kind not in LISTED and (rows := _owners(know, kind))
        },
        "orders": [_order(slots, order.name, order.base) for order in sheet.orders if order.shown],
        "result": _result(program, slots),
    }


def _value(know: Knowledge, field: Field, slot: int) -> Any:
    value = know.slots[slot]
    if field.holds is None:
        return None if value == UNKNOWN else value
    if field.holds == "Card" and value >= 0 and not know.knows(value):
        return {"kind": "Card", "name": name_of(know.program, "Card", -1)}
    if value < 0:
        return None
    return {"kind": field.holds, "id": value, "name": name_of(know.program, field.holds, value, know.slots)}


class _Plan(NamedTuple):
    """How a field is shown, worked out once for a book: views are made after every choice, for every seat."""

    field: Field
    open: bool
    """Everybody may see it, whoever's it is; of a card, whoever knows the card."""
    names: tuple[str, ...] | None
    """Names of its second owners, where play cannot change them."""
    owners: frozenset[int] | None


class _Plans(NamedTuple):
    """The fields of a book."""

    fields: tuple[Field, ...]
    kinds: dict[str | None, list[_Plan]]
    """Those that are shown, by the kind of their first owner."""
    own: dict[str, Field | None]
    """Those behind the keys of an actor."""


_plans: dict[int, _Plans] = {}
"""By the identity of a sheet's fields, which are kept here too, so that the identity stays theirs."""


def _planned(program: Program) -> _Plans:
    """How the fields of a book are shown."""
    fields = program.sheet.fields
    kept = _plans.get(id(fields))
    if kept is None:
        found: dict[str | None, list[_Plan]] = {}
        for field in fields:
            kind = field.of[0] if field.of else None
            if not field.shown or (len(field.of) == 1 and field.name in OWN_KEYS.get(kind or "", ())):
                continue
            names: tuple[str, ...] | None = None
            if len(field.of) == 2 and field.of[-1] not in ("Card", "Space"):
                names = tuple(name_of(program, field.of[-1], j) for j in range(field.counts[-1]))
            owners = None if field.owners is None else frozenset(field.owners)
            plan = _Plan(field, field.seen == ALL and "Card" not in field.of[1:], names, owners)
            found.setdefault(kind, []).append(plan)
        if len(_plans) >= 64:
            _plans.clear()
        own = {key: _own_field(program, key) for key in ACTOR_KEYS}
        kept = _plans[id(fields)] = _Plans(fields, found, own)
    return kept


def _fields(know: Knowledge, kind: str | None, owner: int) -> Json:
    """Visible fields of an owner; those with two owners become a table by the second one's name."""
    found: Json = {}
    slots = know.slots
    known = kind != "Card" or know.knows(owner)
    for field, is_open, names, owners in _planned(know.program).kinds.get(kind, ()):
        everybody = is_open and known
        if owners is not None and owner not in owners:
            continue
        if len(field.of) < 2:
            if everybody or know.sees_field(field, owner):
                found[field.name] = _value(know, field, field.base + owner)
            continue
        width, second = field.counts[1], field.of[1]
        first = field.base + owner * width
        if everybody and names is not None and field.holds is None:
            values = slots[first : first + width]
            told = values if UNKNOWN not in values else [None if v == UNKNOWN else v for v in values]
            rows: Json = dict(zip(names, told, strict=False))
        else:
            rows = {
                names[j] if names is not None else name_of(know.program, second, j, slots): _value(
                    know, field, first + j
                )
                for j in range(width)
                if know.sees_field(field, owner * width + j)
            }
        if rows:
            found[field.name] = rows
    return found


def _owners(know: Knowledge, kind: str) -> list[Json]:
    """Things of a kind that have visible fields; spaces are always listed."""
    rows: list[Json] = []
    if kind != "Space" and kind not in _planned(know.program).kinds:
        return rows
    for number, name in enumerate(know.program.sheet.things.get(kind, ())):
        fields = _fields(know, kind, number)
        if fields or kind == "Space":
            rows.append({"id": number, "name": name, "fields": fields})
    return rows


def _own_field(program: Program, key: str) -> Field | None:
    """The field behind a key of an actor; in the language it is called `in play`."""
    return find_field(program, "Actor", key) or find_field(program, "Actor", key.replace("_", " "))


def _actors(know: Knowledge) -> list[Json]:
    own = _planned(know.program).own
    reading = Reading(know)
    everyone = range(len(know.program.sheet.things.get("Actor", ())))
    return [_actor(know, actor, own, reading) for actor in everyone]


def _actor(know: Knowledge, actor: int, own: dict[str, Field | None], reading: Reading) -> Json:
    sheet = know.program.sheet
    row: Json = {
        "id": actor,
        "name": sheet.things["Actor"][actor],
        "template": sheet.templates[actor] if actor < len(sheet.templates) else "",
    }
    for key, field in own.items():
        if field is not None and know.sees_field(field, actor):
            row[key] = know.slots[field.base + actor]
    if own["side"] is None:
        row["side"] = know.side_of(actor)
    if own["in_play"] is None:
        row["in_play"] = 1
    row["seat"] = row.pop("controller", -1)
    row["own"] = actor in know.actors
    row["fields"] = _fields(know, "Actor", actor)
    if row["in_play"]:
        row["read"], row["most"] = reading.actor(actor)
    row["statuses"] = [
        {"name": status.name, "stacks": stacks, "turns": turns, "power": power, "source": source - 1}
        for status in sheet.statuses
        for turns, stacks, power, source in [
            know.slots[status.base + 4 * actor : status.base + 4 * actor + 4]
        ]
        if stacks > 0
    ]
    return row


def _zones(know: Knowledge) -> list[Json]:
    zones = [(index, zone) for index, zone in enumerate(know.program.sheet.zones) if zone.shown]
    return [
        _pile(know, i, owner, base) for i, zone in zones for owner, base in zone_bases(know.program, zone)
    ]


def _pile(know: Knowledge, index: int, owner: int, base: int) -> Json:
    zone: Zone = know.program.sheet.zones[index]
    count = know.slots[base]
    cards = list(know.slots[base + 1 : base + 1 + count])
    ordered = know.sees_zone(zone, owner)
    if not ordered:
        cards = sorted(card for card in cards if know.knows(card))
    return {
        "zone": index,
        "name": zone.name,
        "kind": zone.of,
        "owner": owner,
        "count": count,
        "ordered": ordered,
        "cards": [_card(know, card) for card in cards],
        "unknown": count - len(cards),
    }


def _card(know: Knowledge, card: int) -> Json:
    face = face_of(know.program, know.slots, card)
    name = name_of(know.program, "Card", card, know.slots)
    return {"id": card, "face": face, "name": name, "fields": _fields(know, "Card", card)}


def _order(slots: Sequence[int], name: str, base: int) -> Json:
    members = list(slots[base + 2 : base + 2 + slots[base]])
    cursor = slots[base + 1]
    now = members[cursor] if 0 <= cursor < len(members) else None
    return {"name": name, "members": members, "cursor": cursor, "now": now}


def _result(program: Program, slots: Sequence[int]) -> Json | None:
    if slots[STATUS] != ENDED:
        return None
    ending, scores = result(program, slots)
    return {"ending": ending, "scores": list(scores)}


def result(program: Program, slots: Sequence[int]) -> tuple[str, tuple[int, ...]]:
    """The ending's name and each seat's score (1 win, 0 loss, 2 draw), of a match that has ended."""
    table, endings = program.sheet.result, program.sheet.endings
    ending = slots[table["ending"]] - 1 if "ending" in table else -1
    scores = tuple(slots[table["score"] : table["score"] + slots[SEATS]]) if "score" in table else ()
    return endings[ending] if 0 <= ending < len(endings) else "", scores
