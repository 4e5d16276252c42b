"""A match as one seat may see it.

In:  a Program, the slots of a state, a seat or None for a spectator.
Out: a JSON-able dict, and nothing in it that the seat may not know.

The number of a card instance identifies the card, so a hidden card appears only in a count. A pile
that the seat may not look through lists the cards it happens to know in order of their numbers,
because the order of a hidden pile is hidden too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rulewright.ir.program import DECISION, DECISIONS, ENDED, PROMPT, SEAT, SEATS, STATUS, Program
from rulewright.ir.sheet import ALL, UNKNOWN, Field, Zone
from rulewright.play.knowledge import Knowledge, face_of, find_field, zone_bases
from rulewright.play.reading import Reading
from rulewright.play.results import as_json, result_of
from rulewright.play.words import fixed_names, name_of

STATUS_WORDS = ("running", "decision", "ended", "fault")
# Shown as keys of the thing itself, or by where it is, rather than among its fields.
ACTOR_KEYS = {
    "place": "place",
    "facing": "facing",
    "in play": "in_play",
    "side": "side",
    "controller": "seat",
}
OWN_KEYS = {"Actor": (*ACTOR_KEYS, "in_play"), "Card": ("face", "zone", "known")}
LISTED = ("Actor", "Card", "Space")  # kinds that have a list of their own in the view

Json = dict[str, Any]


def view(program: Program, slots: Sequence[int], seat: int | None) -> Json:
    """Everything the seat may see, ready for JSON."""
    found = seen(Knowledge(program, slots, seat))
    found["spaces"] = _own(found["spaces"])
    found["things"] = {kind: _own(rows) for kind, rows in found["things"].items()}
    return {"seat": seat, **found}


def _own(rows: list[Json]) -> list[Json]:
    """Rows that the caller may change."""
    return [{**row, "fields": dict(row["fields"])} for row in rows]


def seen(know: Knowledge) -> Json:
    """The same without the seat: where nothing is hidden, everybody sees the same. Some of it is shared with
    other views (see `Rows`)."""
    return _View(know).all()


class Rows(list[Json]):
    """Things of which everybody sees every number. Shared by all views in which they are the same, so only to
    be read."""

    __slots__ = ("told",)

    def __init__(self, rows: Iterable[Json]) -> None:
        super().__init__(rows)
        self.told: list[str] | None = None
        """Each as it is written, once somebody has written it."""


class _Plan(NamedTuple):
    """How a field is shown, worked out once for a book: views are made after every choice, for every seat."""

    field: Field
    open: bool
    """Everybody may see it, whoever's it is; of a card, whoever knows the card."""
    names: tuple[str, ...] | None
    """Names of its second owners, where play cannot change them."""
    owners: frozenset[int] | None


class _Plans(NamedTuple):
    """A book."""

    fields: tuple[Field, ...]
    kinds: dict[str | None, list[_Plan]]
    """Fields that are shown, by the kind of their first owner."""
    actors: tuple[Json, ...]
    """What is always said of each actor."""
    keys: tuple[tuple[str, Field, bool], ...]
    """Fields that are keys of an actor, and whether everybody may see them."""
    things: tuple[str, ...]
    """Other kinds of things that have fields to show."""
    orders: tuple[tuple[str, int], ...]
    lines: dict[tuple[str | None, int], tuple[tuple[str, int, _Plan], ...]]
    """For each owner that was shown: its fields, each with its slot where it is an open number, else -1."""
    columns: dict[str, tuple[tuple[str, int], ...]]
    """Kinds of which everybody sees every number: names and first slots of their fields."""
    rows: dict[tuple[str, tuple[str, ...], tuple[tuple[int, ...], ...]], Rows]
    """What was made of such columns: a choice changes few of them, and all seats see the same."""
    laid: Field | None
    """How many spaces have been laid, in books that lay them during play."""


KEPT = 64
"""Books, and columns of each, that are kept."""
_plans: dict[int, _Plans] = {}
"""By the identity of a sheet's fields, which are kept here too, so that the identity stays theirs."""


def _planned(program: Program) -> _Plans:
    """How a book is shown."""
    fields = program.sheet.fields
    kept = _plans.get(id(fields))
    if kept is None:
        if len(_plans) >= KEPT:
            _plans.clear()
        kept = _plans[id(fields)] = _plan(program)
    return kept


def _plan(program: Program) -> _Plans:
    sheet = program.sheet
    found: dict[str | None, list[_Plan]] = {}
    for field in sheet.fields:
        kind = field.of[0] if field.of else None
        if not field.shown or (len(field.of) == 1 and field.name in OWN_KEYS.get(kind or "", ())):
            continue
        names: tuple[str, ...] | None = None
        if len(field.of) == 2 and field.of[-1] not in ("Card", "Space"):
            names = tuple(name_of(program, field.of[-1], j) for j in range(field.counts[-1]))
        owners = None if field.owners is None else frozenset(field.owners)
        plan = _Plan(field, field.seen == ALL and "Card" not in field.of[1:], names, owners)
        found.setdefault(kind, []).append(plan)
    keys = [
        (key, field, field.seen == ALL)
        for name, key in ACTOR_KEYS.items()
        if (field := find_field(program, "Actor", name)) is not None
    ]
    actors = [
        {
            "id": actor,
            "name": name,
            "template": sheet.templates[actor] if actor < len(sheet.templates) else "",
            "in_play": 1,
            "side": sheet.sides[actor] if actor < len(sheet.sides) else -1,
            "seat": -1,
        }
        for actor, name in enumerate(sheet.things.get("Actor", ()))
    ]
    orders = [(order.name, order.base) for order in sheet.orders if order.shown]
    things = [kind for kind in sheet.things if kind in found and kind not in LISTED]
    columns = {
        kind: tuple((plan.field.name, plan.field.base) for plan in plans)
        for kind, plans in found.items()
        if kind is not None and kind not in ("Actor", "Card") and all(map(_plain, plans))
    }
    if "Space" not in found:
        columns["Space"] = ()
    spots = not fixed_names(program)
    laid = next((field for field in sheet.fields if field.name == "laid" and not field.of and spots), None)
    return _Plans(
        sheet.fields, found, tuple(actors), tuple(keys), tuple(things), tuple(orders), {}, columns, {}, laid
    )


def _plain(plan: _Plan) -> bool:
    """Whether it is one number of each owner, for everybody to see."""
    return plan.open and plan.owners is None and len(plan.field.of) == 1 and plan.field.holds is None


def _line(plans: _Plans, kind: str | None, owner: int) -> tuple[tuple[str, int, _Plan], ...]:
    """The fields of an owner."""
    return tuple(
        (plan.field.name, plan.field.base + owner if _number(plan) else -1, plan)
        for plan in plans.kinds.get(kind, ())
        if plan.owners is None or owner in plan.owners
    )


def _number(plan: _Plan) -> bool:
    """Whether it is one number of an owner, for everybody to see who knows the owner."""
    return plan.open and len(plan.field.of) < 2 and plan.field.holds is None


class _View:
    """One view in the making."""

    def __init__(self, know: Knowledge) -> None:
        self.know = know
        self.program = know.program
        self.slots = know.slots
        self.plans = _planned(know.program)

    def all(self) -> Json:
        slots, sheet = self.slots, self.program.sheet
        decides = slots[STATUS] == DECISION
        prompt = slots[PROMPT]
        reading = Reading(self.know)
        return {
            "seats": slots[SEATS],
            "status": STATUS_WORDS[slots[STATUS]],
            "decides": slots[SEAT] if decides else None,
            "prompt": sheet.prompts[prompt] if decides and 0 <= prompt < len(sheet.prompts) else "",
            "decisions": slots[DECISIONS],
            "fields": self.fields(None, 0),
            "actors": [self.actor(always, reading) for always in self.plans.actors],
            "zones": self.zones(),
            "spaces": self.owners("Space"),
            "things": {kind: rows for kind in self.plans.things if (rows := self.owners(kind))},
            "orders": [_order(slots, name, base) for name, base in self.plans.orders],
            "result": _result(self.program, slots),
        }

    def value(self, field: Field, slot: int) -> Any:
        value = self.slots[slot]
        if field.holds is None:
            return None if value == UNKNOWN else value
        if field.holds == "Card" and value >= 0 and not self.know.knows(value):
            return {"kind": "Card", "name": name_of(self.program, "Card", -1)}
        if value < 0:
            return None
        return {
            "kind": field.holds,
            "id": value,
            "name": name_of(self.program, field.holds, value, self.slots),
        }

    def fields(self, kind: str | None, owner: int) -> Json:
        """Visible fields of an owner; those with two owners become a table by the second one's name."""
        found: Json = {}
        know, slots = self.know, self.slots
        if kind == "Card" and not know.knows(owner):
            return found
        line = self.plans.lines.get((kind, owner))
        if line is None:
            line = self.plans.lines[kind, owner] = _line(self.plans, kind, owner)
        for name, slot, plan in line:
            if slot >= 0:
                value = slots[slot]
                found[name] = None if value == UNKNOWN else value
            elif len(plan.field.of) < 2:
                if plan.open or know.sees_field(plan.field, owner):
                    found[name] = self.value(plan.field, plan.field.base + owner)
            elif rows := self.table(plan, owner):
                found[name] = rows
        return found

    def table(self, plan: _Plan, owner: int) -> Json:
        """A field with two owners, of one of them."""
        field, names = plan.field, plan.names
        width, second = field.counts[1], field.of[1]
        first = field.base + owner * width
        if plan.open and names is not None and field.holds is None:
            values = self.slots[first : first + width]
            told = values if UNKNOWN not in values else [None if v == UNKNOWN else v for v in values]
            return dict(zip(names, told, strict=False))
        return {
            names[j] if names is not None else name_of(self.program, second, j, self.slots): self.value(
                field, first + j
            )
            for j in range(width)
            if self.know.sees_field(field, owner * width + j)
        }

    def owners(self, kind: str) -> list[Json]:
        """Things of a kind that have visible fields; spaces are always listed."""
        names = tuple(self.program.sheet.things.get(kind, ()))
        if kind == "Space" and (laid := self.plans.laid) is not None and self.know.sees_field(laid, 0):
            names = self.spots(names, self.slots[laid.base])
        columns = self.plans.columns.get(kind)
        if columns is not None:
            return self.rows(kind, names, columns)
        rows: list[Json] = []
        for number, name in enumerate(names):
            fields = self.fields(kind, number)
            if fields or kind == "Space":
                rows.append({"id": number, "name": name, "fields": fields})
        return rows

    def spots(self, names: tuple[str, ...], laid: int) -> tuple[str, ...]:
        """What spaces are called that are laid during play: where they lie, as in options and events."""
        there = tuple(name_of(self.program, "Space", number, self.slots) for number in range(laid))
        return (*there, *names[laid:])

    def rows(self, kind: str, names: tuple[str, ...], columns: Sequence[tuple[str, int]]) -> Rows:
        """Things of which everybody sees every number, as they were listed the last time if none changed."""
        values = tuple([tuple(self.slots[base : base + len(names)]) for _, base in columns])
        kept = self.plans.rows
        rows = kept.get((kind, names, values))
        if rows is None:
            if len(kept) >= KEPT:
                kept.clear()
            rows = kept[kind, names, values] = _rows(names, [name for name, _ in columns], values)
        return rows

    def actor(self, always: Json, reading: Reading) -> Json:
        know, slots, actor = self.know, self.slots, always["id"]
        row = dict(always)
        for key, field, is_open in self.plans.keys:
            if is_open or know.sees_field(field, actor):
                row[key] = slots[field.base + actor]
        row["fields"] = self.fields("Actor", actor)
        if row["in_play"]:
            row["read"], row["most"] = reading.actor(actor)
        row["statuses"] = [
            {"name": status.name, "stacks": stacks, "turns": turns, "power": power, "source": source - 1}
            for status in self.program.sheet.statuses
            if slots[status.base + 4 * actor + 1] > 0
            for turns, stacks, power, source in [slots[status.base + 4 * actor : status.base + 4 * actor + 4]]
        ]
        return row

    def zones(self) -> list[Json]:
        return [
            self.pile(index, owner, base)
            for index, zone in enumerate(self.program.sheet.zones)
            if zone.shown
            for owner, base in zone_bases(self.program, zone)
        ]

    def pile(self, index: int, owner: int, base: int) -> Json:
        know = self.know
        zone: Zone = self.program.sheet.zones[index]
        count = self.slots[base]
        cards = list(self.slots[base + 1 : base + 1 + count])
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
            "cards": [self.card(card) for card in cards],
            "unknown": count - len(cards),
        }

    def card(self, card: int) -> Json:
        face = face_of(self.program, self.slots, card)
        name = name_of(self.program, "Card", card, self.slots)
        return {"id": card, "face": face, "name": name, "fields": self.fields("Card", card)}


def _rows(names: Sequence[str], fields: Sequence[str], columns: Sequence[Sequence[int]]) -> Rows:
    """Things with open numbers."""
    told = [
        column if UNKNOWN not in column else [None if value == UNKNOWN else value for value in column]
        for column in columns
    ]
    return Rows(
        {"id": number, "name": name, "fields": dict(zip(fields, values, strict=True))}
        for number, (name, *values) in enumerate(zip(names, *told, strict=True))
    )


def _order(slots: Sequence[int], name: str, base: int) -> Json:
    members = list(slots[base + 2 : base + 2 + slots[base]])
    cursor = slots[base + 1]
    now = members[cursor] if 0 <= cursor < len(members) else None
    return {"name": name, "members": members, "cursor": cursor, "now": now}


def _result(program: Program, slots: Sequence[int]) -> Json | None:
    if slots[STATUS] != ENDED:
        return None
    return as_json(result_of(program, slots))
