"""What is counted in a run: the tables that native code adds to, and their names.

In:  a Program, the number of seats, the policies of the names.
Out: `Counting`: fills an Outer's memory, takes sums out of it, adds and names them.

Sums are whole numbers, and those of several workers are added up at the end, so the result does not depend on
who played which match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.ir.program import Program
from rulewright.ir.sheet import ALL
from rulewright.lab.followed import Followed, action_sites, clock, followed, row_sites
from rulewright.native.outer import Outer
from rulewright.native.outer import map as at
from rulewright.play.knowledge import find_field

FIXED = at.LENGTHS + at.BANDS
"""Cells at the start of the memory that hold sums, or what they are sums of."""
LEAST = {at.SHORTEST}
GREATEST = {at.LONGEST}
FIRSTS = {at.FAULT_MATCH, at.DRAW_FIRST, *range(at.ENDING_FIRST, at.ENDING_FIRST + 64)}
"""Numbers of matches: of several, the lowest that is not 0 counts."""
SUMS = (
    {at.MATCHES, at.FAULTS, at.TOTAL, at.SQUARES, at.GROUPS, at.GROUP_SUM, at.GROUP_SQUARES, at.DRAWS}
    | {at.MOVES, at.MOVE_SQUARES}
    | set(range(at.NAME_POINTS, at.ENDING_FIRST))
    | set(range(at.LENGTHS, FIXED))
)
COUNTED = ((at.MATCHES, at.DRAW_FIRST + 1), (at.NAME_POINTS, FIXED))
"""Where sums lie among the fixed cells."""
NEVER = 2**62
SIDE = "side"
"""Which of the sides an actor is on: not drawn, but what a seat plays with."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be used: an action, a rule, a row of a table, a card, a status, what a seat plays
    with."""

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
    rows: dict[int, int]
    """Sites of rows of tables, with the text of their names."""
    follows: tuple[Followed, ...]
    """Numbers that are looked at over time."""
    clock: int
    """The site at which time goes on, or -1."""

    @property
    def standings(self) -> int:
        """The first cell of ranks and numbers among the sums."""
        return FIXED + at.ITEM * len(self.items)

    @property
    def tracks(self) -> int:
        """The first cell of numbers over time."""
        return self.standings + 2 * at.STAND * self.seats

    @property
    def cells(self) -> int:
        """How many sums there are."""
        return self.tracks + at.MOMENT * at.MOMENTS * len(self.follows)

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
        place = outer.fill(place, [cell for row in self.loads for cell in row])
        place = self._follow(outer, place)
        # All sums that are not at fixed cells lie behind each other, as `take` gives them.
        memory[at.ITEM_AT] = place
        memory[at.STAND_AT] = place + self.standings - FIXED
        memory[at.TRACK_AT] = place + self.tracks - FIXED
        memory[at.MARK_AT] = place + self.cells - FIXED
        marks = len(self.items) * (self.seats + 1)
        memory[at.TOUCHED_AT] = memory[at.MARK_AT] + marks
        if memory[at.TOUCHED_AT] + marks > at.ROOM:
            raise MemoryError(f"{program.title} has more to count than fits")
        outer.clear(place, self.cells - FIXED + marks)
        outer.listen(listen)

    def _follow(self, outer: Outer, place: int) -> int:
        """Tables for `track`: rows of tables, numbers over time; the cell after them."""
        program, memory = self.program, outer.memory
        result, fields = program.sheet.result, program.sheet.fields
        memory[at.RANK], memory[at.POINTS] = result.get("rank", -1), result.get("points", -1)
        memory[at.POINTED] = result.get("pointed", -1)
        memory[at.CLOCK], memory[at.IN_PLAY] = self.clock, _base(program, "Actor", "in play")
        memory[at.ROW_SITES] = place
        place = outer.fill(place, [self.rows.get(site, -1) + 1 for site in range(len(program.sheet.sites))])
        memory[at.FIELDS], memory[at.FIELD_TRACK] = len(fields), place
        tracks = {row.field: number for number, row in enumerate(self.follows)}
        place = outer.fill(place, [tracks.get(number, -1) for number in range(len(fields))])
        table: list[int] = []
        for row in self.follows:
            table += (row.base, len(row.has), row.kind, place)
            place = outer.fill(place, row.has)
        memory[at.TRACKS], memory[at.TRACK_ROWS] = len(self.follows), place
        memory[at.NOW_AT] = outer.fill(place, table)
        return memory[at.NOW_AT] + memory[at.ACTORS] + sum(len(row.has) for row in self.follows)

    def take(self, outer: Outer) -> list[int]:
        """All sums since they were last taken: the fixed cells, then those of items, standings and numbers
        over time."""
        rest = outer.memory[at.ITEM_AT]
        sums = [*outer.read(0, FIXED), *outer.read(rest, self.cells - FIXED)]
        for first, last in COUNTED:
            outer.clear(first, last - first)
        outer.memory[at.SHORTEST] = NEVER
        outer.clear(rest, self.cells - FIXED)
        return sums

    def empty(self) -> list[int]:
        """The sums of no match."""
        cells = [0] * self.cells
        cells[at.SHORTEST] = NEVER
        return cells

    def added(self, sums: Sequence[int], more: Sequence[int]) -> list[int]:
        """The sums of some matches and of others."""
        made = list(sums)
        if more[at.LONGEST] > made[at.LONGEST] or (
            more[at.LONGEST] == made[at.LONGEST]
            and 0 < more[at.LONGEST_MATCH] < (made[at.LONGEST_MATCH] or NEVER)
        ):
            made[at.LONGEST_MATCH] = more[at.LONGEST_MATCH]
        for place in SUMS:
            made[place] += more[place]
        for place in LEAST:
            made[place] = min(made[place], more[place])
        for place in GREATEST:
            made[place] = max(made[place], more[place])
        for place in FIRSTS:
            made[place] = min(made[place] or NEVER, more[place] or NEVER) % NEVER
        for place in range(FIXED, len(made)):
            if place < self.standings and (place - FIXED) % at.ITEM == at.ITEM - 1:
                made[place] = min(made[place] or NEVER, more[place] or NEVER) % NEVER
            else:
                made[place] += more[place]
        return made


def counting(program: Program, seats: int) -> Counting:
    """What a run of this book counts."""
    sheet = program.sheet
    rows, actions = row_sites(program), action_sites(program)
    items = [
        Item("row", f"{site.title}: {sheet.texts[rows[number]]}")
        if number in rows
        else Item("action" if number in actions else "rule", site.title)
        for number, site in enumerate(sheet.sites)
    ]
    faces = len(items)
    items += [Item("card", name) for name in sheet.things.get("Face", ())]
    statuses = len(items)
    items += [Item("status", status.name) for status in sheet.statuses]
    loads: list[tuple[int, int, int]] = []
    for field in sheet.fields:
        words = sheet.things.get(field.holds or "", ())
        told = field.shown or field.name == SIDE
        if field.of == ("Actor",) and field.seen == ALL and told and 1 < len(words) <= 12:
            loads.append((field.base, len(items), len(words)))
            items += [Item(field.name, word) for word in words]
    found = followed(program)
    starts = (0, faces, statuses)
    return Counting(program, seats, tuple(items), starts, tuple(loads), rows, found, clock(program))


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
