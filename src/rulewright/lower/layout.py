"""Where everything lies in the state: slots for resources, zones, statuses, orders, bookkeeping.

In:  Symbols.
Out: Layout: base slots, constant tables, start values, and the Sheet's fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.book import tree as t
from rulewright.book.box import built_decks, room_of, things_of
from rulewright.book.declare.maps import HEX, SQUARE
from rulewright.book.forest import Forest
from rulewright.book.symbols import ListSym, Symbols, norm
from rulewright.ir.events import MOST_SEATS
from rulewright.ir.program import HEADER
from rulewright.ir.sheet import Field, MapSheet, OptionSheet, OrderSheet, StatusSheet, Zone
from rulewright.lower.prices import priced

TIMED, ENTRY = 48, 7
"""Timed changes that can run at once, and the slots of one: field + 1, owner, amount, deadline + 1, who + 1,
count, spare."""


def never_negative(s: Symbols) -> bool:
    """Does the book say that no number is below 0?"""
    return str(s.front.get("numbers", "signed")).startswith("never")


@dataclass(slots=True)
class Layout:
    """Slots and tables of one book."""

    symbols: Symbols
    initial: list[int] = field(default_factory=lambda: [0] * HEADER)
    consts: list[int] = field(default_factory=list[int])
    params: list[int] = field(default_factory=list[int])
    param_names: list[str] = field(default_factory=list[str])
    fields: list[Field] = field(default_factory=list[Field])
    base: dict[str, int] = field(default_factory=dict[str, int])
    field_index: dict[str, int] = field(default_factory=dict[str, int])
    zones: list[Zone] = field(default_factory=list[Zone])
    zone_first: dict[str, int] = field(default_factory=dict[str, int])
    zone_base: dict[str, int] = field(default_factory=dict[str, int])
    statuses: list[StatusSheet] = field(default_factory=list[StatusSheet])
    status_base: int = 0
    orders: list[OrderSheet] = field(default_factory=list[OrderSheet])
    order_base: dict[str, int] = field(default_factory=dict[str, int])
    options: list[OptionSheet] = field(default_factory=list[OptionSheet])
    option_slot: dict[str, int] = field(default_factory=dict[str, int])
    columns: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    feature_base: int = 0
    window: int = 0
    asked: int = 0
    timed: int = 0
    skip: int = 0
    start: int = 0
    map_now: int = 0
    laid: int = 0
    things: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The names of all things by kind."""
    prices: dict[int, int] = field(default_factory=dict[int, int])
    """Resources, by identity, that actions take as their price, and which way each goes then."""
    cards: int = 0
    brought: int = -1
    """Slots, one an actor and then one for the match: whether something was brought from an earlier match."""
    result: dict[str, int] = field(default_factory=dict[str, int])
    current: dict[int, int] = field(default_factory=dict[int, int])
    """Slot with the innermost frame of a sequence or action, by id()."""
    last: dict[int, dict[str, int]] = field(default_factory=dict[int, dict[str, int]])
    """Slots of what a sequence or action kept when it was last over, by id() and name; see `afterwards`."""
    serial: dict[int, int] = field(default_factory=dict[int, int])
    tables: dict[str, int] = field(default_factory=dict[str, int])
    """Constant tables by name."""
    maps: list[MapSheet] = field(default_factory=list[MapSheet])

    # ------------------------------------------------------------ allocation
    def slots(self, count: int, value: int = 0) -> int:
        """Reserve slots with a start value."""
        at = len(self.initial)
        self.initial += [value] * count
        return at

    def table(self, name: str, values: list[int]) -> int:
        """A constant table; gives where it begins."""
        if name not in self.tables:
            self.tables[name] = len(self.consts)
            self.consts += values or [0]
        return self.tables[name]

    def number(self, value: int, name: str) -> int:
        """A tunable number; gives its index."""
        self.params.append(value)
        self.param_names.append(name)
        return len(self.params) - 1

    @property
    def actors(self) -> int:
        """How many actors there can be."""
        return max(1, len(self.symbols.actors))

    def count_of(self, kind: str) -> int:
        """How many things of a kind there are."""
        return max(1, len(self.things.get(kind, ())))

    def build(self) -> Layout:
        """Lay everything out, in one fixed order."""
        s = self.symbols
        forest = Forest(s)
        self.things = things_of(s, forest)
        self.cards = len(self.things[t.CARD])
        self.prices = priced(s)
        for key, resource in s.resources.items():
            self._resource(key, resource, 0 if never_negative(s) else -(10**9))
        self._cards(forest)
        self._statuses()
        self.feature_base = self.slots(len(s.features) * self.actors)
        for key, d in s.orders.items():
            base = self.slots(self.actors * 2 + 2)
            self.order_base[key] = base
            seen = d.get("seen by")
            self.orders.append(
                OrderSheet(d.title, base, self.actors * 2, seen is None or seen.text != "nobody")
            )
        for key, option in s.options.items():
            slot = self.slots(1, option.default)
            self.option_slot[key] = slot
            note = option.definition.get("note")
            self.options.append(
                OptionSheet(option.name, slot, tuple(option.words), option.default, note.text if note else "")
            )
        for table in (*s.lists.values(), *s.dice.values(), s.faces, s.terrains, s.status_list):
            for column_key, column in table.columns.items():
                if column.type == "text":
                    continue
                self._column(table, column_key, column)
        self._space()
        self.window = self.slots(1, -1)
        self.asked = self.slots(1, -1)
        self.skip = self.slots(1)
        self.start = self.slots(1)
        self.timed = self.slots(TIMED * ENTRY)
        sequences = [c for c in s.components.values() if c.kind == "Sequence"]
        told = [x.component for x in s.sentences if x.component.kind == "Sequence"]
        for running in (*sequences, *s.actions.values(), *told):
            self.current[id(running)] = self.slots(1)
            self.serial[id(running)] = self.slots(1)
        self.result = {"ending": self.slots(1), "score": self.slots(MOST_SEATS), "asked": self.asked}
        if s.keeps:
            self.brought = self.slots(self.actors + 1)
        if len(s.maps) > 1:
            self.result["map"] = self.map_now
        self.table("powers", [2**i for i in range(31)])
        return self

    def _resource(self, key: str, r: t.Resource, low: int) -> None:
        counts = tuple(self.count_of(k) for k in r.of)
        total = 1
        for c in counts:
            total *= c
        start = -1 if r.holds is not None else 0
        base = self.slots(total, start)
        self.base[key] = base
        self.field_index[key] = len(self.fields)
        if r.low is None:
            r.low = -1 if r.holds else low
        if r.high is None:
            r.high = 10**9
        owners: tuple[int, ...] | None = None
        if r.owners is not None:
            owners = tuple(i for i, a in enumerate(self.symbols.actors) if self.is_a(a.template, r.owners))
        self.fields.append(
            Field(
                r.name, r.of, base, counts, r.holds, r.seen, r.low, r.high, not r.builtin and r.shown, owners,
                f"{r.name} Maximum" if r.maximum is not None else None, not r.builtin and not r.shown,
                self.prices.get(id(r), 0),
            )
        )  # fmt: skip

    def _of_kind(self, name: str, kind: str, base: int, count: int, holds: str | None = None) -> None:
        """A number that the engine keeps of every thing of a kind."""
        self.base["!" + name] = base
        self.field_index["!" + name] = len(self.fields)
        self.fields.append(Field(name, (kind,), base, (count,), holds, shown=False))

    def is_a(self, template: str, wanted: str) -> bool:
        """Does the template descend from the other?"""
        return template == wanted or any(x.parent == wanted for x in self.symbols.lineage(template))

    def _cards(self, forest: Forest) -> None:
        if not self.symbols.zones:
            return
        for name, holds in (("face", t.FACE), ("zone", None), ("known", None), ("owner", t.ACTOR)):
            base = self.slots(self.cards, 0 if name in ("zone", "known") else -1)
            self._of_kind(name, t.CARD, base, self.cards, holds)
        first = 0
        bases: list[int] = []
        caps: list[int] = []
        seen: list[int] = []
        owners: list[int] = []
        decks = built_decks(self.symbols, forest)
        for key, zone in self.symbols.zones.items():
            count = self.actors if zone.of else 1
            capacity = min(room_of(zone, decks), max(1, self.cards))
            stride = capacity + 1
            base = self.slots(count * stride)
            self.zone_first[key] = first
            self.zone_base[key] = base
            flags = self.slots(count) if zone.opens is not None else -1
            self.zones.append(Zone(zone.name, zone.of, base, stride, capacity, zone.seen, open=flags))
            for i in range(count):
                bases.append(base + i * stride)
                caps.append(capacity)
                seen.append({"all": 2, "owner": 1}.get(zone.seen, 0))
                owners.append(i if zone.of else -1)
            first += count
        self.table("zone base", bases)
        self.table("zone cap", caps)
        self.table("zone seen", seen)
        self.table("zone owner", owners)

    def _statuses(self) -> None:
        self.status_base = self.slots(len(self.symbols.statuses) * self.actors * 4)
        for status in self.symbols.statuses.values():
            base = self.status_base + status.index * self.actors * 4
            self.statuses.append(StatusSheet(status.name, base, status.stacks > 1, True))

    def _column(self, table: ListSym, key: str, column: t.Column) -> None:
        size = len(table.words)
        blank = 0 if column.type in (t.NUMBER, "mark") else -1
        values = [column.values[i] if i < len(column.values) else blank for i in range(size)]
        self.columns[(table.name, key)] = len(self.params)
        for word, value in zip(table.words, values, strict=True):
            self.params.append(value)
            self.param_names.append(f"{column.name} of {word}")

    def _space(self) -> None:
        s = self.symbols
        self.map_now = self.slots(1)
        total = len(s.spaces)
        if not total:
            return
        spots = any(m.grid == "spots" for m in s.maps.values())
        self._of_kind("terrain", t.SPACE, len(self.initial), total, "Terrain")
        self.initial += [space.terrain for space in s.spaces]
        if spots:
            self.laid = self.slots(1)
            self.fields.append(Field("laid", (), self.laid, shown=False))
            for name in ("x", "y"):
                self._of_kind(name, t.SPACE, self.slots(total), total)
        self.table("x", [space.x for space in s.spaces])
        self.table("y", [space.y for space in s.spaces])
        self.table("map of", [space.map for space in s.spaces])
        steps = HEX if any(m.grid == "hex" for m in s.maps.values()) else SQUARE
        at = {(space.map, space.x, space.y): i for i, space in enumerate(s.spaces)}
        near: list[int] = []
        for space in s.spaces:
            near += [at.get((space.map, space.x + dx, space.y + dy), -1) for _, dx, dy in steps]
        self.table("near", near)
        self.table("dx", [dx for _, dx, _ in steps])
        self.table("dy", [dy for _, _, dy in steps])
        self.table("map first", [m.first for m in s.maps.values()])
        self.table("map count", [m.count for m in s.maps.values()])
        for m in s.maps.values():
            coords = tuple((s.spaces[i].x, s.spaces[i].y) for i in range(m.first, m.first + m.count))
            words = tuple(
                s.terrains.words[s.spaces[i].terrain] if s.spaces[i].terrain >= 0 else ""
                for i in range(m.first, m.first + m.count)
            )
            zones = {zone: tuple(spaces) for zone, spaces in m.zones.items()}
            self.maps.append(
                MapSheet(m.name, m.grid, m.first, m.count, coords, words, tuple(m.glyphs), m.upward, zones)
            )
            for zone in m.zones:
                self.table(f"zone {m.name} {zone}", self.zone_spaces(zone))

    def zone_spaces(self, zone: str) -> list[int]:
        """The spaces of a map's zone; maps that have a zone of the same name share it."""
        return [
            n
            for m in self.symbols.maps.values()
            for z, spaces in m.zones.items()
            if norm(z) == norm(zone)
            for n in spaces
        ]

    def shared_zone(self, zone: str) -> bool:
        """Do several maps have a zone of this name?"""
        return sum(norm(z) == norm(zone) for m in self.symbols.maps.values() for z in m.zones) > 1

    @property
    def directions(self) -> int:
        """How many directions a step can take."""
        return max(1, len(self.symbols.directions.words))

    def key(self, resource: t.Resource) -> str:
        """The key of a resource in the tables."""
        return resource.key or (f"!{resource.name}" if resource.builtin else norm(resource.name))
