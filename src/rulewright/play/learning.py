"""Whether a choice has told its maker something: did the rules look at anything that is hidden from it?

In:  a Program, the state before a choice, the option that was taken, the seat that took it.
Out: yes or no. Whoever was told something by a choice cannot take it back.

The step is run once more by a reference engine whose memory notes what is read. Whatever the rules do after
looking at a hidden number or at the face of a hidden card may depend on it, also when nothing is shown: that
an effect went one way and not the other, that somebody was asked, that something is offered. So any look
counts. Where cards lie, who was shown them and whose they are is looked at all the time and hides nothing
that a view does not show.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple, SupportsIndex, cast

from rulewright.ir.program import Program
from rulewright.ir.sheet import ALL
from rulewright.play.engine import OptionRow, unpack
from rulewright.play.faults import Fault
from rulewright.play.knowledge import Knowledge, hides_nothing
from rulewright.play.reference import ReferenceEngine, take

PLACED = ("zone", "known", "owner")
"""What belongs to a card's place rather than to its face."""
KEPT = 8

_kept = threading.local()


class Noting(list[int]):
    """Slots that note which of them were read one by one, as rules read them."""

    __slots__ = ("read",)

    def __init__(self, slots: Sequence[int]) -> None:
        super().__init__(slots)
        self.read: set[int] = set()

    def __getitem__(self, index: Any) -> Any:
        if index.__class__ is int:
            self.read.add(index)
        return cast("Any", super().__getitem__(index))

    def index(self, value: int, start: SupportsIndex = 0, stop: SupportsIndex = 2**31) -> int:
        """As a list's, noting all that was looked through."""
        self.read.update(range(int(start), min(int(stop), len(self))))
        return super().index(value, start, stop)


class _Watched(NamedTuple):
    """A reference engine, and the memory that notes what its rules read."""

    engine: ReferenceEngine
    slots: Noting


def _reads(watched: _Watched, state: bytes, option: OptionRow) -> set[int]:
    """The slots that are read when an option is taken and the rules run on. Raises Fault."""
    engine, slots = watched
    engine.load(state)
    take(slots, option)
    slots.read.clear()
    engine.advance()
    return slots.read


def hidden_slots(program: Program, slots: Sequence[int], seat: int | None) -> set[int]:
    """The slots that hold what a seat cannot know."""
    know = Knowledge(program, slots, seat)
    found: set[int] = set()
    for field in program.sheet.fields:
        of_card = "Card" in field.of
        if (field.seen == ALL and not of_card) or (field.of[:1] == ("Card",) and field.name in PLACED):
            continue
        for part in know.unseen(field):
            found.update(range(field.base + part.start, field.base + part.stop))
    return found


def has_learned(program: Program, state: bytes, option: OptionRow, seat: int | None) -> bool:
    """Whether the rules looked at something hidden from the seat when it took an option in this state. What
    they looked at to offer it does not count, so nothing is listed again."""
    if hides_nothing(program):
        return False
    hidden = hidden_slots(program, unpack(program, state), seat)
    if not hidden:
        return False
    try:
        return not hidden.isdisjoint(_reads(_watched(program), state, option))
    except Fault:
        return True


def _watched(program: Program) -> _Watched:
    """An engine of this thread's own."""
    engines: OrderedDict[str, _Watched] = _kept.__dict__.setdefault("engines", OrderedDict())
    made = engines.pop(program.digest, None) if program.digest else None
    if made is None:
        slots = Noting([0] * program.size)
        made = _Watched(ReferenceEngine(program, slots=slots), slots)
        made.engine.record(False)
    if program.digest:
        engines[program.digest] = made
        while len(engines) > KEPT:
            engines.popitem(last=False)
    return made
