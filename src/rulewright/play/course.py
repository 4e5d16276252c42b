"""A match under way: its engine, what was chosen, what happened, and what has to be decided now.

In:  a Program, an engine that stands at a decision or at the end.
Out: `Course`, which `choosing` moves on and `undoing` takes back; decisions of seats.
"""

from __future__ import annotations

import struct
import threading
from dataclasses import dataclass, field
from typing import NamedTuple

from rulewright.ir.program import DECISION, PROMPT, SEAT, STATUS, Program
from rulewright.play.engine import Engine
from rulewright.play.knowledge import Knowledge
from rulewright.play.record import Record
from rulewright.play.together import focus, gathering
from rulewright.play.words import Option, option


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat has to decide now. There are at least two options, but where several choose at the same
    time: there whoever has only one is asked as well."""

    seat: int
    prompt: str
    options: tuple[Option, ...]
    actor: int = -1
    """The actor it is made for; -1 when it is for none in particular."""
    seats: tuple[int, ...] = ()
    """All seats that choose now; several where a rule has them choose at the same time, in any order."""


class Before(NamedTuple):
    """What an undo goes back to."""

    state: bytes
    events: int


class Gathered(NamedTuple):
    """Where those who choose at the same time were asked first."""

    state: bytes
    events: int
    choices: int


@dataclass(slots=True)
class Course:
    """A match under way. `undo`: choices that may be undone as far as seats and dice show; what was seen is
    looked at when somebody asks, and kept in `fair`."""

    program: Program
    engine: Engine
    record: Record
    choices: list[int] = field(default_factory=list[int])
    undo: list[Before] = field(default_factory=list[Before])
    fair: bool | None = None
    gathered: Gathered | None = None
    decision: Decision | None = None
    unpacked: tuple[bytes, tuple[int, ...]] = (b"", ())
    busy: threading.Lock = field(default_factory=threading.Lock)

    def slots(self) -> tuple[int, ...]:
        """The numbers of the state."""
        state = self.engine.state()
        if state != self.unpacked[0]:
            self.unpacked = (state, struct.unpack(f"<{len(state) // 4}i", state))
        return self.unpacked[1]

    def stopped(self) -> None:
        """After the engine ran: the old decision is none any more."""
        self.decision = None
        self.fair = None
        self.record.settle()


def decision(course: Course) -> Decision | None:
    """What has to be decided now, by the first who has to, or None when the match has ended."""
    if course.decision is None and course.engine.peek(STATUS) == DECISION:
        course.decision = _asked(course)
    return course.decision


def decision_of(course: Course, seat: int) -> Decision | None:
    """What this seat has to decide now, or None when it has nothing to decide."""
    first = decision(course)
    if first is None or seat not in first.seats:
        return None
    if first.seat == seat:
        return first
    focus(course.engine, seat)
    try:
        return _asked(course)
    finally:
        focus(course.engine, None)


def _asked(course: Course) -> Decision:
    """What the engine asks."""
    slots, prompts = course.slots(), course.program.sheet.prompts
    seat, prompt = slots[SEAT], slots[PROMPT]
    reader = Knowledge(course.program, slots, seat)
    options = [option(index, payload, reader) for index, payload in enumerate(course.engine.options())]
    words = prompts[prompt] if 0 <= prompt < len(prompts) else ""
    found = gathering(course.program, slots)
    if found is not None:
        return Decision(seat, words, tuple(options), found.asked(seat), found.waiting)
    asked = course.program.sheet.result.get("asked")
    actor = -1 if asked is None else slots[asked]
    return Decision(seat, words, tuple(options), actor, (seat,))
