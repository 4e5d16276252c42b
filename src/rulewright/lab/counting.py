"""What is counted in a run: the tables that native code adds to, and their names.

In:  a Program, the number of seats, the policies of the names.
Out: `Counting`: fills an Outer's memory, takes sums out of it, adds and names them.

Sums are whole numbers, and those of several workers are added up at the end, so the result does not depend on
who played which match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.ir.events import RULE, STEP
from rulewright.ir.nodes import Const
from rulewright.ir.program import Program
from rulewright.ir.sheet import ALL
from rulewright.ir.walk import calls
from rulewright.native.outer import Outer
from rulewright.native.outer import map as at
from rulewright.play.knowledge import find_field

FIXED = at.LENGTHS + at.BANDS
"""Cells at the start of the memory that hold sums, or what they are sums of."""
LEAST = {at.SHORTEST}
GREATEST = {at.LONGEST}
FIRSTS = {at.FAULT_MATCH, *range(at.ENDING_FIRST, at.ENDING_FIRST + 64)}
"""Numbers of matches: of several, the lowest that is not 0 counts."""
SUMS = (
    {at.MATCHES, at.FAULTS, at.TOTAL, at.SQUARES, at.GROUPS, at.GROUP_SUM, at.GROUP_SQUARES, at.DRAWS}
    | {at.MOVES, at.MOVE_SQUARES}
    | set(range(at.NAME_POINTS, at.ENDING_FIRST))
    | set(range(at.LENGTHS, FIXED))
)
NEVER = 2**62


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be used: a rule, a card, a status, what a seat plays with."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Counting:
    """The tables of one book at a number of seats."""

    program: Program
    seats: int
    items: tuple[Item, ...]
    starts: tuple[int, int, int]
    """The first items of sites, faces and statuses."""
    loads: tuple[tuple[int, int, int], ...]
    """What seats play with: slot of actor 0, first item, values."""

    def fill(self, outer: Outer, policies: Sequence[int], rotations: int, listen: bool) -> None:
        """Make ready to count from 0."""
        program, memory = self.program, outer.memory
        outer.clear(0, at.TABLES)
        result = program.sheet.result
        memory[at.SEATS] = self.seats
        memory[at.SCORE] = result.get("score", -1)
        memory[at.ENDING] = result.get("ending", -1)
        memory[at.ROTATIONS] = rotations
        memory[at.SHORTEST] = NEVER
        memory[at.LISTEN] = int(listen)
        for name, policy in enumerate(policies):
            memory[at.POLICY_OF + name] = policy
        memory[at.CONTROL] = _base(program, "Actor", "controller")
        memory[at.ACTORS] = len(program.sheet.things.get("Actor", ()))
        memory[at.FACE_AT], memory[at.OWNER_AT] = (
            _base(program, "Card", "face"),
            _base(program, "Card", "owner"),
        )
        memory[at.FACES] = len(program.sheet.things.get("Face", ()))
        memory[at.SITE_ITEMS], memory[at.FACE_ITEMS], memory[at.STATUS_ITEMS] = self.starts
        opens = _open_piles(program)
        memory[at.CARD_ZONES] = len(opens)
        place = memory[at.ZONE_OPEN] = at.TABLES
        place = memory[at.LOADS] = outer.fill(place, opens)
        memory[at.LOAD_COUNT] = len(self.loads)
        place = memory[at.ITEM_AT] = outer.fill(place, [cell for row in self.loads for cell in row])
        place = memory[at.MARK_AT] = place + at.ITEM * len(self.items)
        marks = len(self.items) * (self.seats + 1)
        memory[at.TOUCHED_AT] = place + marks
        if place + 2 * marks > at.ROOM:
            raise MemoryError(f"{program.title} has more to count than fits")
        outer.clear(memory[at.ITEM_AT], at.ITEM * len(self.items) + marks)
        outer.listen(listen)

    def take(self, outer: Outer) -> list[int]:
        """All sums so far: the fixed cells, then those of the items."""
        items = outer.memory[at.ITEM_AT]
        return [*outer.read(0, FIXED), *outer.read(items, at.ITEM * len(self.items))]

    def empty(self) -> list[int]:
        """The sums of no match."""
        cells = [0] * (FIXED + at.ITEM * len(self.items))
        cells[at.SHORTEST] = NEVER
        return cells

    def add(self, sums: list[int], more: Sequence[int]) -> None:
        """Add the sums of other matches."""
        if more[at.LONGEST] > sums[at.LONGEST] or (
            more[at.LONGEST] == sums[at.LONGEST]
            and 0 < more[at.LONGEST_MATCH] < (sums[at.LONGEST_MATCH] or NEVER)
        ):
            sums[at.LONGEST_MATCH] = more[at.LONGEST_MATCH]
        for place in SUMS:
            sums[place] += more[place]
        for place in LEAST:
            sums[place] = min(sums[place], more[place])
        for place in GREATEST:
            sums[place] = max(sums[place], more[place])
        for place in FIRSTS:
            sums[place] = min(sums[place] or NEVER, more[place] or NEVER) % NEVER
        for place in range(FIXED, len(sums)):
            if (place - FIXED) % at.ITEM == at.ITEM - 1:
                sums[place] = min(sums[place] or NEVER, more[place] or NEVER) % NEVER
            else:
                sums[place] += more[place]


def counting(program: Program, seats: int) -> Counting:
    """What a run of this book counts."""
    sheet = program.sheet
    items = [Item("rule", site.title) for site in sheet.sites]
    faces = len(items)
    items += [Item("card", name) for name in sheet.things.get("Face", ())]
    statuses = len(items)
    items += [Item("status", status.name) for status in sheet.statuses]
    loads: list[tuple[int, int, int]] = []
    for field in sheet.fields:
        words = sheet.things.get(field.holds or "", ())
        if field.of == ("Actor",) and field.seen == ALL and field.shown and 1 < len(words) <= 12:
            loads.append((field.base, len(items), len(words)))
            items += [Item(field.name, word) for word in words]
    return Counting(program, seats, tuple(items), (0, faces, statuses), tuple(loads))


def rule_sites(program: Program) -> set[int]:
    """Sites of rules that say when they run."""
    found: set[int] = set()
    for function in (*program.functions.values(), *program.segments):
        for call in calls(function.body):
            match call.args:
                case (Const(kind), Const(site), *_) if call.name in ("emit", "tell") and kind in (RULE, STEP):
                    found.add(site)
                case _:
                    pass
    return found


def _base(program: Program, kind: str, name: str) -> int:
    field = find_field(program, kind, name)
    return -1 if field is None else field.base


def _open_piles(program: Program) -> list[int]:
    """For each pile, in the order of their numbers, whether everybody sees it."""
    found: list[int] = []
    for zone in program.sheet.zones:
        piles = len(program.sheet.things.get(zone.of, ())) if zone.of is not None else 1
        found += [int(zone.seen == ALL)] * piles
    return found
