"""Who may see what: the one place that decides it.

In:  a Program, the slots of a state, a seat (None: a spectator); an event with its audience.
Out: answers about fields and cards; events as a seat may read them. Views, options and logs all ask here.

A seat owns what the actors it controls own, and what the sides of those actors own. It knows a card
that lies in a zone it may see, or that the rules have shown it (its bit in the card's mask).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from math import prod

from rulewright.ir import events as kinds
from rulewright.ir.events import EVERYBODY, KINDS, PUBLIC, Event
from rulewright.ir.program import Program
from rulewright.ir.sheet import ALL, OWNER, Field, Zone

_Index = dict[tuple[str, str], Field]
_indexes: dict[int, tuple[tuple[Field, ...], _Index]] = {}
"""By the identity of a sheet's fields, which are kept here too, so that the identity stays theirs."""


def find_field(program: Program, kind: str, name: str) -> Field | None:
    """The field of this name that things of a kind have, if the book has it."""
    fields = program.sheet.fields
    kept = _indexes.get(id(fields))
    if kept is None:
        if len(_indexes) >= 64:
            _indexes.clear()
        index = {(field.of[0], field.name): field for field in reversed(fields) if len(field.of) == 1}
        kept = _indexes[id(fields)] = (fields, index)
    return kept[1].get((kind, name))


def hides_nothing(program: Program) -> bool:
    """Whether everybody may see everything at any time: every field is open, and there are no cards."""
    sheet = program.sheet
    return not sheet.things.get("Card") and all(f.seen == ALL for f in sheet.fields)


def bit(seat: int | None) -> int:
    """The bit of a seat in a set of readers; None is the public's."""
    return PUBLIC if seat is None else 1 << seat


NOBODY = 0
UNKNOWN_CARD = -1
"""Stands for a card, or a choice, that the reader may not identify."""
_CARD_SLOT = re.compile(r"\{(\d):Card[}|]")


def are_for_all(events: Sequence[tuple[int, ...]], open_book: bool) -> bool:
    """Whether everybody reads all of these events (or their rows) whole. Most are like that. In a book that
    hides nothing everybody can see that a choice was forced."""
    for event in events:
        if event[7] != EVERYBODY or event[8] != EVERYBODY or not (open_book or event[0] != kinds.FORCED):
            return False
    return True


def as_read(program: Program, event: Event, seat: int | None) -> Event | None:
    """The event as a seat may read it (None: a spectator), or None when it is not told of it at all.

    Who else may read it is not told: `knows` is everybody where it is whole, nobody where a card in it is
    kept from the seat. That a choice was forced is nobody's business but the chooser's: to the others it
    reads like any other.
    """
    kind, reader = KINDS.get(event.kind), bit(seat)
    if kind is None:
        return None
    if event.kind == kinds.FORCED and seat != event.by and not hides_nothing(program):
        event = event._replace(kind=kinds.CHOSEN)
    if not event.who & reader:
        if kind.rest != "blank":
            return None
        return _blank(event)
    if not event.knows & reader:
        return _without_cards(program, event)._replace(who=EVERYBODY, knows=NOBODY)
    return event._replace(who=EVERYBODY, knows=EVERYBODY)


def _blank(event: Event) -> Event:
    """That somebody chose, and nothing more."""
    no = UNKNOWN_CARD
    return Event(kinds.CHOSEN, event.site, no, no, no, no, event.by, EVERYBODY, EVERYBODY)


def _without_cards(program: Program, event: Event) -> Event:
    """The event with every card in it unknown."""
    sheet = program.sheet
    match event.kind:
        case kinds.CHANGE:
            return event._replace(c=UNKNOWN_CARD, d=UNKNOWN_CARD)
        case kinds.CHOSEN | kinds.FORCED if 0 <= event.a < len(sheet.verbs):
            hidden = {index for index, arg in enumerate(sheet.verbs[event.a].args) if arg == "Card"}
        case kinds.SAY | kinds.PICK if 0 <= event.a < len(sheet.texts):
            hidden = {int(slot) for slot in _CARD_SLOT.findall(sheet.texts[event.a])}
            if event.kind == kinds.PICK and 0 in hidden:
                hidden.add(2)  # which one of the pile it was would tell as much
        case kinds.CARD | kinds.REVEAL:
            return event._replace(a=UNKNOWN_CARD)
        case _:
            return event._replace(a=UNKNOWN_CARD, b=UNKNOWN_CARD, c=UNKNOWN_CARD, d=UNKNOWN_CARD)
    b, c, d = (UNKNOWN_CARD if i in hidden else value for i, value in enumerate(event[3:6]))
    return event._replace(b=b, c=c, d=d)


def face_of(program: Program, slots: Sequence[int], card: int) -> int:
    """The face printed on a card, or -1. Cards that rules create get theirs during play."""
    faces = find_field(program, "Card", "face")
    if faces is not None:
        return slots[faces.base + card] if 0 <= card < faces.counts[0] else -1
    return program.sheet.faces[card] if 0 <= card < len(program.sheet.faces) else -1


class Knowledge:
    """What one seat may know in one state."""

    def __init__(self, program: Program, slots: Sequence[int], seat: int | None) -> None:
        self.program = program
        self.slots = slots
        self.seat = seat

    def actor_value(self, name: str, actor: int, missing: int = -1) -> int:
        """An actor's value of a field, or `missing` when the book has no such field."""
        found = find_field(self.program, "Actor", name)
        return missing if found is None else self.slots[found.base + actor]

    def side_of(self, actor: int) -> int:
        """The side an actor is on, or -1."""
        sides = self.program.sheet.sides
        return self.actor_value("side", actor, sides[actor] if actor < len(sides) else -1)

    @cached_property
    def actors(self) -> frozenset[int]:
        """Actors that the seat controls."""
        if self.seat is None:
            return frozenset()
        controller = find_field(self.program, "Actor", "controller")
        if controller is None:
            return frozenset()
        count = len(self.program.sheet.things.get("Actor", ()))
        controllers = self.slots[controller.base : controller.base + count]
        return frozenset([actor for actor, seat in enumerate(controllers) if seat == self.seat])

    def owns(self, kind: str | None, owner: int) -> bool:
        """Whether something of this owner is the seat's own."""
        match kind:
            case "Actor":
                return owner in self.actors
            case "Side":
                return any(self.side_of(actor) == owner for actor in self.actors)
            case "Card":
                return self.knows(owner)
            case "Seat":
                return owner == self.seat
            case _:
                return False

    def _allowed(self, seen: str, kind: str | None, owner: int) -> bool:
        return seen == ALL or (seen == OWNER and self.owns(kind, owner))

    def sees_zone(self, zone: Zone, owner: int) -> bool:
        """Whether the seat may look at every card of a zone."""
        if zone.open >= 0 and self.slots[zone.open + max(0, owner)]:
            return True
        return self._allowed(zone.seen, zone.of, owner)

    def sees_field(self, field: Field, index: int) -> bool:
        """Whether the seat may see a field; index as in CHANGE events: i * counts[1] + j."""
        if field.seen == ALL and "Card" not in field.of:
            return True
        owners = (index,) if len(field.of) < 2 else divmod(index, field.counts[1])
        for kind, owner in zip(field.of, owners, strict=False):
            if kind == "Card" and not self.knows(owner):
                return False
        return self._allowed(field.seen, field.of[0] if field.of else None, owners[0])

    def unseen(self, field: Field) -> list[range]:
        """Which of a field's numbers the seat may not see, as `sees_field` says of each."""
        many = prod(field.counts)
        if "Card" in field.of[1:]:
            return [range(i, i + 1) for i in range(many) if not self.sees_field(field, i)]
        if field.of[:1] == ("Card",):
            told = self.cards if field.seen in (ALL, OWNER) else frozenset[int]()
            each = many // field.counts[0]
            return [range(c * each, (c + 1) * each) for c in range(field.counts[0]) if c not in told]
        if field.seen == ALL:
            return []
        if not field.of:
            return [range(many)]
        each = many // field.counts[0]
        kind, owners = field.of[0], range(field.counts[0])
        return [range(o * each, (o + 1) * each) for o in owners if not self._allowed(field.seen, kind, o)]

    @cached_property
    def cards(self) -> frozenset[int]:
        """Cards whose face the seat knows."""
        known = find_field(self.program, "Card", "known")
        base = self.program.sheet.known_base if known is None else known.base
        found: set[int] = set()
        if base >= 0:
            count = len(self.program.sheet.things.get("Card", self.program.sheet.faces))
            reader = bit(self.seat)
            found = {card for card, shown in enumerate(self.slots[base : base + count]) if shown & reader}
        for zone in self.program.sheet.zones:
            for owner, pile in zone_bases(self.program, zone):
                # A pile on a card would ask whether that card is known, which is what we are finding out.
                if zone.of != "Card" and self.sees_zone(zone, owner):
                    found.update(self.slots[pile + 1 : pile + 1 + self.slots[pile]])
        return frozenset(found)

    def knows(self, card: int) -> bool:
        """Whether the seat knows this card's face."""
        return card in self.cards


def zone_bases(program: Program, zone: Zone) -> list[tuple[int, int]]:
    """(owner, slot of the count) of each pile of a zone; owner -1 when nobody owns it."""
    if zone.of is None:
        return [(-1, zone.base)]
    return [
        (owner, zone.base + owner * zone.stride)
        for owner in range(len(program.sheet.things.get(zone.of, ())))
    ]
