"""Take choices back: who may, and where the match then stands.

In:  a match under way.
Out: the same match as it was before a choice, without what happened since.

A seat may take a choice back while it decides again and has learned nothing by it; where several choose at
the same time, until all have chosen. Checkpoints are for callers that take back what should never have been.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from rulewright.ir import events as kinds
from rulewright.ir.program import SEAT
from rulewright.play.choosing import alone, choose_together
from rulewright.play.course import Before, Course, Gathered, decision
from rulewright.play.faults import MatchError
from rulewright.play.knowledge import Knowledge
from rulewright.play.learning import has_learned
from rulewright.play.together import unseated


class Checkpoint(NamedTuple):
    """Where a match stood, for `Match.back`."""

    state: bytes
    events: int
    choices: int
    undo: tuple[Before, ...]
    gathered: Gathered | None = None


def _takes_back(course: Course, last: Before) -> bool:
    """Whether the last choice may be undone: its maker learned nothing by it."""
    old, new = struct.unpack(f"<{len(last.state) // 4}i", last.state), course.slots()
    knew = Knowledge(course.program, old, old[SEAT])
    happened = course.record.since(last.events)
    if not happened or happened[0].kind != kinds.CHOSEN:
        return False  # what was chosen is the first that happens
    for event in happened:
        kind = kinds.KINDS.get(event.kind)
        if kind is None or kind.undo == kinds.NEVER:
            return False
        if kind.undo == kinds.KNOWN and not knew.knows(event.a):
            return False
    if not Knowledge(course.program, new, old[SEAT]).cards <= knew.cards:
        return False
    first = happened[0]
    return not has_learned(course.program, last.state, (first.a, first.b, first.c, first.d), old[SEAT])


def may_undo(course: Course, seat: int) -> bool:
    """Whether this seat may take its last choice back now."""
    if course.gathered is not None:
        return _answer_of(course, seat) is not None
    asked = decision(course)
    return asked is not None and asked.seat == seat and can_undo(course)


def can_undo(course: Course) -> bool:
    """Whether the seat that decides may take its last choice back."""
    if course.gathered is not None:
        asked = decision(course)
        return asked is not None and may_undo(course, asked.seat)
    if course.undo and course.fair is None:
        course.fair = _takes_back(course, course.undo[-1])
        if not course.fair:
            course.undo.clear()
    return bool(course.undo)


def _answer_of(course: Course, seat: int) -> int | None:
    """Which of the choices is the last that a seat made among those who choose at the same time."""
    began = len(course.choices) if course.gathered is None else course.gathered.choices
    made = range(len(course.choices) - 1, began - 1, -1)
    return next((k for k in made if unseated(course.choices[k])[0] == seat), None)


@alone
def undo(course: Course, seat: int | None) -> None:
    """Take the last choice back: the last of the seat that is named, or of whoever chose last."""
    if course.gathered is not None:
        _change_mind(course, course.gathered, seat)
        return
    if not (can_undo(course) if seat is None else may_undo(course, seat)):
        raise MatchError("nothing to take back: it revealed something, or another seat decides now")
    before = course.undo.pop()
    _return(course, before.state, before.events, len(course.choices) - 1)


def _change_mind(course: Course, began: Gathered, seat: int | None) -> None:
    """Ask all anew, and let those choose again as they did who stay with it."""
    chosen = course.choices[began.choices :]
    taken = len(course.choices) - 1 if seat is None else _answer_of(course, seat)
    if taken is None:
        raise MatchError("nothing to take back: this seat has not chosen yet")
    del chosen[taken - began.choices]
    _return(course, began.state, began.events, began.choices)
    course.gathered = None
    for choice in chosen:
        choose_together(course, choice, None)


def checkpoint(course: Course) -> Checkpoint:
    """Where the match stands."""
    undo = tuple(course.undo)
    return Checkpoint(course.engine.state(), len(course.record), len(course.choices), undo, course.gathered)


@alone
def back(course: Course, point: Checkpoint) -> None:
    """Stand there again."""
    _return(course, point.state, point.events, point.choices)
    course.undo, course.gathered = list(point.undo), point.gathered


def _return(course: Course, state: bytes, events: int, choices: int) -> None:
    course.engine.load(state)
    course.record.forget(events)
    del course.choices[choices:]
    course.decision = None
    course.fair = None
