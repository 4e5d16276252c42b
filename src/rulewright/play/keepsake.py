"""Keepsakes: what players take from one match into a later one, as a file.

In:  the Program, which says what is kept, and the slots of a state.
Out: a Keepsake, its JSON with a checksum, and the slots that a later match starts with.

Everything is by name, so that a file still fits when the book was printed anew with other words in it.
Carried values are part of a match's set-up like its options: every engine starts from the same slots.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from rulewright.ir import tables
from rulewright.ir.program import Program
from rulewright.ir.sheet import ALL, OWNER, Field, Keeps, Zone
from rulewright.play.faults import MatchError
from rulewright.play.knowledge import find_field

FORMAT = "rulewright keepsake 1"

Value = int | str | None
Values = dict[str, Value | dict[str, Value]]


class KeepsakeError(MatchError):
    """A keepsake that cannot be used; `code` says which way, for programs."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(f"{message} [{code}]")


@dataclass(frozen=True, slots=True)
class KeptCard:
    """A card: its face, and the numbers on it that are not 0."""

    face: str
    values: dict[str, Value] = field(default_factory=dict[str, Value])


@dataclass(frozen=True, slots=True)
class Kept:
    """What one actor, or the match itself, takes along. Zones are from the bottom to the top."""

    values: Values = field(default_factory=Values)
    cards: dict[str, tuple[KeptCard, ...]] = field(default_factory=dict[str, tuple[KeptCard, ...]])


@dataclass(frozen=True, slots=True)
class Keepsake:
    """What is carried over: `actors` by name, `match` for what belongs to everybody."""

    title: str
    players: tuple[str, ...] = ()
    actors: dict[str, Kept] = field(default_factory=dict[str, Kept])
    match: Kept = field(default_factory=Kept)

    def to_json(self) -> str:
        """One JSON object, the same text for the same keepsake, with a checksum."""
        table = {"format": FORMAT, **tables.encode(self)}
        return json.dumps({**table, "check": _checksum(table)}, ensure_ascii=False, indent=1)

    @staticmethod
    def from_json(text: str | bytes) -> Keepsake:
        """Read a file. Raises KeepsakeError when it is none, or is not as it was written."""
        try:
            table: Any = json.loads(text)
            if not isinstance(table, dict):
                raise ValueError("not an object")
            given = cast("dict[str, Any]", table)
            if given.get("format") != FORMAT:
                raise ValueError("not marked as a keepsake")
            check = given.pop("check", None)
            if check != _checksum(given):
                raise ValueError("it was changed after it was saved")
            del given["format"]
            return tables.decode(Keepsake, given)
        except (ValueError, TypeError, RecursionError) as error:
            raise KeepsakeError(
                "keepsake/damaged", f"this is not a keepsake, or it is damaged: {error}"
            ) from None


def _checksum(table: dict[str, Any]) -> str:
    text = json.dumps(table, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def keeps_of(program: Program) -> Keeps:
    """What the book keeps. Raises KeepsakeError when that is nothing."""
    if program.sheet.keeps is None:
        raise KeepsakeError("keepsake/none", f"{program.title} does not carry anything over to another match")
    return program.sheet.keeps


# ------------------------------------------------------------ out of a match
def take(program: Program, slots: Sequence[int], players: Sequence[str]) -> Keepsake:
    """What the seats' actors and the match have now."""
    keeps, sheet = keeps_of(program), program.sheet
    control = find_field(program, "Actor", "controller")
    led = [actor for actor in keeps.actors if control is None or slots[control.base + actor] >= 0]
    return Keepsake(
        program.title,
        tuple(players),
        {sheet.things["Actor"][actor]: _kept(program, keeps, slots, actor) for actor in led},
        _kept(program, keeps, slots, None),
    )


def _kept(program: Program, keeps: Keeps, slots: Sequence[int], actor: int | None) -> Kept:
    sheet, values = program.sheet, Values()
    for at in _fields(program, keeps, actor):
        if len(at.of) == 2:
            first = at.base + (actor or 0) * at.counts[1]
            row = {
                word: _word(program, at, slots[first + i])
                for i, word in enumerate(sheet.things[at.of[1]])
                if slots[first + i] != _blank(at)
            }
            values[at.name] = row
        else:
            values[at.name] = _word(program, at, slots[at.base + (actor or 0)])
    cards: dict[str, tuple[KeptCard, ...]] = {}
    for zone in _zones(program, keeps, actor):
        base = zone.base + (actor or 0) * zone.stride
        cards[zone.name] = tuple(
            _card(program, keeps, slots, slots[base + 1 + i]) for i in range(slots[base])
        )
    return Kept(values, cards)


def _card(program: Program, keeps: Keeps, slots: Sequence[int], card: int) -> KeptCard:
    faces = find_field(program, "Card", "face")
    assert faces is not None
    own = [at for at in (program.sheet.fields[i] for i in keeps.fields) if at.of[:1] == ("Card",)]
    values = {
        at.name: _word(program, at, slots[at.base + card])
        for at in own
        if len(at.of) == 1 and slots[at.base + card] != _blank(at)
    }
    return KeptCard(program.sheet.things["Face"][slots[faces.base + card]], values)


def _fields(program: Program, keeps: Keeps, actor: int | None) -> list[Field]:
    """The kept fields of an actor, or of the match."""
    kind = () if actor is None else ("Actor",)
    found = [program.sheet.fields[i] for i in keeps.fields]
    return [at for at in found if at.of[:1] == kind and (at.owners is None or actor in at.owners)]


def _zones(program: Program, keeps: Keeps, actor: int | None) -> list[Zone]:
    found = [program.sheet.zones[i] for i in keeps.zones]
    return [zone for zone in found if (zone.of is None) == (actor is None)]


def _blank(at: Field) -> int:
    return -1 if at.holds is not None else 0


def _word(program: Program, at: Field, value: int) -> Value:
    if at.holds is None:
        return value
    return program.sheet.things[at.holds][value] if value >= 0 else None


# ------------------------------------------------------------ into a match
def carried_slots(program: Program, seats: int, keepsake: Keepsake) -> dict[int, int]:
    """The slots that a match starts with. Raises KeepsakeError when they do not fit the book or the table."""
    try:
        found = tables.decode(Keepsake, tables.encode(keepsake))
    except (ValueError, RecursionError) as error:
        raise KeepsakeError("keepsake/damaged", f"this is no keepsake: {error}") from None
    return _Arrival(program, seats, found).slots


class _Arrival:
    """Slots as they fill up; cards take the first places in the box."""

    def __init__(self, program: Program, seats: int, keepsake: Keepsake) -> None:
        self.program, self.sheet = program, program.sheet
        self.keeps = keeps_of(program)
        self.slots: dict[int, int] = {}
        self.cards = 0
        if keepsake.title != program.title:
            raise KeepsakeError(
                "keepsake/foreign",
                f"the keepsake is from {keepsake.title or 'no book'}, not from {program.title}",
            )
        names = {name: i for i, name in enumerate(self.sheet.things["Actor"])}
        for name, kept in keepsake.actors.items():
            actor = names.get(name, -1)
            if actor not in self.keeps.actors:
                raise self.misfit(f"nobody who carries something over is called '{name}'")
            if self.seat(actor) >= seats:
                wanted = 1 + max(self.seat(names.get(other, actor)) for other in keepsake.actors)
                raise KeepsakeError(
                    "keepsake/seats", f"the keepsake is for {wanted} seats, the table has {seats}"
                )
            self.bring(kept, actor)
        self.bring(keepsake.match, None)

    def seat(self, actor: int) -> int:
        """Who leads the actor; somebody nobody leads gets no seat at all."""
        keeps = self.keeps
        return keeps.seats[keeps.actors.index(actor)] if actor in keeps.actors else 0

    def misfit(self, message: str) -> KeepsakeError:
        """The file is whole, but this edition of the book has other names or limits."""
        return KeepsakeError(
            "keepsake/misfit", f"the keepsake does not fit this {self.program.title}: {message}"
        )

    def bring(self, kept: Kept, actor: int | None) -> None:
        """What one actor, or the match, brings along."""
        everyone = len(self.sheet.things["Actor"])
        self.slots[self.keeps.brought + (everyone if actor is None else actor)] = 1
        fields = {at.name: at for at in _fields(self.program, self.keeps, actor)}
        for name, value in kept.values.items():
            at = fields.get(name)
            if at is None or (len(at.of) == 2) != isinstance(value, dict):
                raise self.misfit(f"'{name}' is not carried over")
            base = at.base + (actor or 0) * (at.counts[1] if len(at.of) == 2 else 1)
            if isinstance(value, dict):
                words = self.sheet.things[at.of[1]]
                for word, one in value.items():
                    if word not in words:
                        raise self.misfit(f"there is no '{word}' for '{name}'")
                    self.slots[base + words.index(word)] = self.number(at, one)
            else:
                self.slots[base] = self.number(at, value)
        zones = {zone.name: zone for zone in _zones(self.program, self.keeps, actor)}
        for name, cards in kept.cards.items():
            zone = zones.get(name)
            if zone is None:
                raise self.misfit(f"'{name}' is not carried over")
            self.fill(zone, actor, cards)

    def number(self, at: Field, value: Value) -> int:
        """A value as the state has it."""
        if at.holds is not None:
            words = self.sheet.things[at.holds]
            if value is None:
                return -1
            if value not in words:
                raise self.misfit(f"'{at.name}' cannot be '{value}'")
            return words.index(str(value))
        if not isinstance(value, int) or not max(at.low, -(2**31)) <= value <= min(at.high, 2**31 - 1):
            raise self.misfit(f"'{at.name}' cannot be {value}")
        return value

    def fill(self, zone: Zone, actor: int | None, cards: Sequence[KeptCard]) -> None:
        """Cards into a zone, the first one at the bottom."""
        if len(cards) > zone.capacity:
            raise self.misfit(f"'{zone.name}' holds {zone.capacity} cards, not {len(cards)}")
        base = zone.base + (actor or 0) * zone.stride
        self.slots[base] = len(cards)
        number = self.zone_number(zone, actor)
        for i, card in enumerate(cards):
            self.slots[base + 1 + i] = self.place(card, number, zone, actor)

    def zone_number(self, zone: Zone, actor: int | None) -> int:
        """Zones are counted owner by owner."""
        everyone = len(self.sheet.things["Actor"])
        before = self.sheet.zones[: self.sheet.zones.index(zone)]
        return sum(everyone if other.of else 1 for other in before) + (actor or 0)

    def place(self, card: KeptCard, zone_number: int, zone: Zone, actor: int | None) -> int:
        """One card from the box, with its numbers; its place among the cards."""
        faces = self.sheet.things["Face"]
        made: Mapping[str, Field | None] = {
            name: find_field(self.program, "Card", name) for name in ("face", "zone", "known", "owner")
        }
        number = self.cards
        self.cards += 1
        if card.face not in faces:
            raise self.misfit(f"there is no card '{card.face}'")
        if number >= len(self.sheet.things["Card"]):
            raise self.misfit("it has more cards than the box")
        known = 255 if zone.seen == ALL else 0
        if zone.seen == OWNER and actor is not None:
            known = 1 << self.seat(actor)
        start = {"face": faces.index(card.face), "zone": zone_number + 1, "known": known}
        start["owner"] = -1 if actor is None else actor
        for name, value in start.items():
            at = made[name]
            assert at is not None
            self.slots[at.base + number] = value
        fields = {
            at.name: at for at in (self.sheet.fields[i] for i in self.keeps.fields) if at.of == ("Card",)
        }
        for name, value in card.values.items():
            if name not in fields:
                raise self.misfit(f"'{name}' of a card is not carried over")
            self.slots[fields[name].base + number] = self.number(fields[name], value)
        return number
