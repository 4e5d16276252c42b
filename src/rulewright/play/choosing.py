"""Take an option: by the option itself, its number or its text.

In:  a match under way, a choice, perhaps the seat that makes it.
Out: the same match at its next decision or its end. What is refused, or leads the rules into a fault,
leaves it exactly as it was.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from rulewright.ir.program import DECISION, STATUS, TOGETHER
from rulewright.play.arguments import is_index, told, whole
from rulewright.play.course import Before, Course, Decision, Gathered, decision, decision_of
from rulewright.play.faults import ChoiceError, Fault, MatchError, MatchFault
from rulewright.play.together import focus, number_of, seated, unseated
from rulewright.play.words import Option

P = ParamSpec("P")
SHARED = "this match is being used by another thread"

Choice = Option | int | str


def alone(work: Callable[Concatenate[Course, P], None]) -> Callable[Concatenate[Course, P], None]:
    """The same, for one thread at a time from beginning to end; whoever comes meanwhile is refused."""

    @functools.wraps(work)
    def changing(course: Course, *args: P.args, **kwargs: P.kwargs) -> None:
        if not course.busy.acquire(blocking=False):
            raise MatchError(SHARED)
        try:
            work(course, *args, **kwargs)
        finally:
            course.busy.release()

    return changing


@alone
def choose(course: Course, choice: Choice, seat: int | None) -> None:
    """Take an option, and run on to the next decision."""
    engine = course.engine
    if engine.peek(TOGETHER) and engine.peek(STATUS) == DECISION:
        choose_together(course, choice, seat)
        return
    if seat is not None:
        _index(course, choice, seat)
    index = choice if type(choice) is int else _index(course, choice)
    happened = len(course.record)
    try:
        open_ended = engine.step(index)
    except IndexError:
        _index(course, choice)  # says why
        raise
    except Fault as fault:
        raise MatchFault(fault, fault.where(course.program.sheet.sites)) from None
    if open_ended:
        course.undo.append(Before(engine.before(), happened))
    else:
        course.undo.clear()
    course.choices.append(index)
    course.stopped()


def choose_together(course: Course, choice: Choice, seat: int | None) -> None:
    """One of those who choose at the same time has chosen."""
    if type(choice) is int:
        said, choice = unseated(choice)
        seat = said if seat is None else seat
    first = decision(course)
    assert first is not None
    seat = first.seat if seat is None else seat
    index = _index(course, choice, seat)
    engine, happened = course.engine, len(course.record)
    began = course.gathered or Gathered(engine.state(), happened, len(course.choices))
    which = number_of(engine)
    focus(engine, seat)
    try:
        engine.step(index)
    except Fault as fault:
        focus(engine, None)
        raise MatchFault(fault, fault.where(course.program.sheet.sites)) from None
    course.undo.clear()
    course.gathered = began if number_of(engine) == which else None
    course.choices.append(seated(seat, index))
    course.stopped()


def _index(course: Course, choice: Choice, seat: int | None = None) -> int:
    """The number of the option that is meant. Raises ChoiceError where it is none."""
    asked = decision(course)
    if asked is None:
        raise ChoiceError("the match has ended, there is nothing to choose")
    if seat is not None:
        asked = decision_of(course, seat)
        if asked is None:
            raise ChoiceError(f"seat {told(seat)} has nothing to choose now")
    return _offered(asked, choice)


def _offered(asked: Decision, choice: Choice) -> int:
    match choice:
        case Option():
            if choice not in asked.options:
                raise ChoiceError(f"{told(choice.text)} is not on offer now")
            return asked.options.index(choice)
        case str():
            wanted = choice.strip().casefold()
            found = [option.index for option in asked.options if option.text.casefold() == wanted]
            if not found:
                raise ChoiceError(f"{told(choice)} is not on offer now")
            if len(found) > 1:
                raise ChoiceError(f"{len(found)} options read {told(choice)}: choose by number")
            return found[0]
        case _:
            index = whole(choice)
            if index is None or not is_index(index, len(asked.options)):
                offered = f"there are {len(asked.options)}, counted from 0"
                raise ChoiceError(f"there is no option {told(choice)}: {offered}")
            return index
