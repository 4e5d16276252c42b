"""Numbers as the rules read them: with everything that modifies them, and the most they can be.

In:  what one seat knows of a state.
Out: for each actor, the numbers that read differently from what is stored, and the maximums.

The rules may look at hidden things when they work a number out. A view must not, so the functions run on
a copy of the state in which whatever the seat does not know is blank. Numbers that need a roll are left out.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from typing import NamedTuple

from rulewright.ir.program import ENDED, RNG_HI, RNG_LO, SP, STATUS, Program, code_of
from rulewright.ir.sheet import ALL, UNKNOWN, Field
from rulewright.ir.walk import calls
from rulewright.play.faults import Fault
from rulewright.play.knowledge import Knowledge, zone_bases
from rulewright.play.reference import ReferenceEngine

PLACED = ("zone", "owner")
"""What is known of a card by where it lies."""


LOOKED = 2**20
"""Units of work (see `ir.budget`) that are spent on the numbers of one view: a tenth of a second. What is not
worked out by then is told as it is stored. No view of a book that ships needs a hundredth."""


class Numbers(NamedTuple):
    """Of one actor, by the names of the numbers."""

    read: dict[str, int]
    """Those that are not what is stored."""
    most: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What there is to work out in a book, and a small engine that can do it."""

    engine: ReferenceEngine
    getters: tuple[tuple[Field, Callable[..., int]], ...]
    limits: tuple[tuple[Field, Callable[..., int]], ...]
    hidden: tuple[Field, ...]
    """Fields that somebody may not see."""
    cards: tuple[Field, ...]
    """Fields of cards, blank for those whose face is not known."""


class _Plans(threading.local):
    """An engine has one state, so each thread has engines of its own."""

    def __init__(self) -> None:
        self.made: dict[str, _Plan | None] = {}


_plans = _Plans()


def _planned(program: Program) -> _Plan | None:
    """The plan of a book; None where there is nothing to work out."""
    if not program.digest:
        return _plan(program)
    made = _plans.made
    if program.digest not in made:
        if len(made) >= 16:
            made.clear()
        made[program.digest] = _plan(program)
    return made[program.digest]


WHATS = ("get", "max")
"""What is computed of a number, in the order of FieldCode."""


def _plan(program: Program) -> _Plan | None:
    fields = program.sheet.fields
    own = [f for f in fields if f.of == ("Actor",) and f.holds is None and f.shown]
    codes = [(field, code_of(program, field)) for field in own]
    named = [
        (what, field, name) for field, code in codes for what, name in zip(WHATS, astuple(code), strict=True)
    ]
    names = {name: (what, field) for what, field, name in named if name in program.functions}
    if not names:
        return None
    # A whole book takes seconds to build; these few functions take none that anybody would notice.
    needed: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in needed or name not in program.functions:
            continue
        needed[name] = None
        waiting += [call.name for call in calls(program.functions[name].body)]
    few = {name: function for name, function in program.functions.items() if name in needed}
    engine = ReferenceEngine(replace(program, functions=few, segments=(), digest=""))
    engine.record(False)
    found = {
        what: tuple((field, engine.functions[name]) for name, (is_, field) in names.items() if is_ == what)
        for what in WHATS
    }
    return _Plan(
        engine,
        found["get"],
        found["max"],
        tuple(f for f in fields if f.seen != ALL and "Card" not in f.of),
        tuple(f for f in fields if "Card" in f.of and f.name not in PLACED),
    )


def _blank(know: Knowledge, plan: _Plan) -> list[int]:
    """The state with nothing in it that the seat does not know."""
    made, initial = list(know.slots), know.program.initial
    for field in plan.hidden:
        for part in know.unseen(field):
            hidden = slice(field.base + part.start, field.base + part.stop)
            made[hidden] = initial[hidden]
    if plan.cards:
        count = plan.cards[0].counts[plan.cards[0].of.index("Card")]
        unknown = [card for card in range(count) if card not in know.cards]
        for field in plan.cards:
            if len(field.of) == 1:
                value = -1 if field.holds else 0
                for card in unknown:
                    made[field.base + card] = value
                continue
            for index in range(field.counts[0] * field.counts[1]):
                if divmod(index, field.counts[1])[field.of.index("Card")] not in know.cards:
                    made[field.base + index] = -1 if field.holds else 0
    for zone in know.program.sheet.zones:
        for owner, base in zone_bases(know.program, zone):
            if not know.sees_zone(zone, owner):
                top = base + 1 + made[base]
                made[base + 1 : top] = sorted(made[base + 1 : top])
    made[RNG_LO] = made[RNG_HI] = 0
    made[STATUS] = ENDED
    return made


class Reading:
    """Works out the numbers of one state, for one seat."""

    def __init__(self, know: Knowledge) -> None:
        self.know = know
        self.plan = _planned(know.program)
        if self.plan is not None:
            self.slots = _blank(know, self.plan)
            self.state = struct.pack(f"<{self.slots[SP]}i", *self.slots[: self.slots[SP]])
            self.plan.engine.load(self.state)
        self.left = LOOKED

    def actor(self, actor: int) -> Numbers:
        """The numbers of an actor."""
        read: dict[str, int] = {}
        most: dict[str, int] = {}
        if self.plan is not None:
            for field, getter in self.plan.getters:
                stored = self.know.slots[field.base + actor]
                value = self._value(field, getter, actor)
                if value is not None and value != stored:
                    read[field.name] = value
            for field, limit in self.plan.limits:
                value = self._value(field, limit, actor)
                if value is not None:
                    most[field.name] = value
        return Numbers(read, most)

    def _value(self, field: Field, function: Callable[..., int], actor: int) -> int | None:
        """What a function gives, unless the seat may not know, or nobody does yet."""
        if field.owners is not None and actor not in field.owners:
            return None
        if self.know.slots[field.base + actor] == UNKNOWN or not self.know.sees_field(field, actor):
            return None
        assert self.plan is not None
        engine = self.plan.engine
        if self.left <= 0:
            return None
        engine.fuel.patience = self.left
        try:
            value = function(actor)
        except Fault:
            self.left -= engine.fuel.spent()
            engine.load(self.state)
            return None
        self.left -= engine.fuel.spent()
        if engine.peek(RNG_LO) or engine.peek(RNG_HI):
            engine.load(self.state)
            return None
        return value
