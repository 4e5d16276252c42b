"""Which condition says no: rules that are asked once more, with what each of their tests looks at.

In:  a state, a seat, a function of the Program that says yes or no, what it is asked about.
Out: an Answer: what it says, each condition that failed on the way, and whether the seat may know all that
     was looked at. Of what it may not know, nothing may be told that depends on it.

The sheet knows how the book puts what a function asks (`ir.sheet.Condition`), statement by statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from rulewright.ir import nodes as n
from rulewright.ir.program import Program
from rulewright.ir.sheet import Condition
from rulewright.play.faults import Fault
from rulewright.play.frames import words
from rulewright.play.knowledge import bit
from rulewright.play.learning import Noting, hidden_slots
from rulewright.play.terms import Term, Test, truth
from rulewright.play.tracing import Frame, Left, Tracer

Refusing = Callable[[n.Expr | None, int, Condition | None], NoReturn]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A condition that failed, what its names stand for, and the comparison that decided it, if one did."""

    condition: Condition
    values: tuple[int, ...]
    function: str
    """Which asked it."""
    test: Test | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a function says, and the conditions that failed, in the order in which they were asked."""

    holds: bool
    refusals: tuple[Refusal, ...]
    open: bool


def ask(
    program: Program, slots: Sequence[int], seat: int | None, asked: n.Function, *args: int
) -> Answer | None:
    """Ask a function; None where it cannot be asked."""
    asking = _Asking(program, slots)
    try:
        holds = asking.run(asked, args)
    except (Fault, KeyError, ValueError, IndexError):
        return None
    hidden = hidden_slots(program, slots, seat)
    hidden.update(s for word in words(program, slots) if not word.who & bit(seat) for s in word.slots)
    return Answer(bool(holds), tuple(asking.refusals), hidden.isdisjoint(asking.noting.read))


class _Asking(Tracer):
    """A tracer that writes down which conditions fail."""

    def __init__(self, program: Program, slots: Sequence[int]) -> None:
        self.noting = Noting([*slots, *[0] * (program.size - len(slots))])
        super().__init__(program, slots, memory=self.noting)
        self.noting.read.clear()
        self.refusals: list[Refusal] = []
        """Of actions."""
        self.within: list[Refusal] = []
        """Of checks; they count where somebody asks for nothing but that check."""

    def body(self, function: n.Function, frame: Frame) -> None:
        """Ask one statement after the other, those that may say no with what the book says of them."""
        asked = self.program.sheet.asked.get(function.name)
        if asked is None:
            super().body(function, frame)
            return
        told, start = list(asked.tests), len(self.refusals)

        def refused(one: n.Expr | None, met: int, condition: Condition | None) -> NoReturn:
            if len(self.refusals) == start:
                found = self._refusal(one, met, condition, function, frame)
                (self.refusals if asked.action else self.within).extend(found)
            raise Left(truth(0, met))

        for statement in function.body:
            match statement:
                case n.If(n.Not(test), (n.Return(n.Const(0)),), ()):
                    self._every(test, told.pop(0) if told else (), frame, refused)
                case n.If(test, (n.Return(n.Const(0)),), ()):
                    said = told.pop(0) if told else ()
                    if met := self.value(test, frame, frame.site):
                        refused(None, met, said[0] if said else None)
                case n.Return(value) if statement is function.body[-1]:
                    raise Left(self._every(value, told.pop() if told else (), frame, refused))
                case _:
                    self.statement(statement, frame)

    def picked(self, found: int, met: int, sure: bool) -> int:
        """What holds is no reason for what does not."""
        return truth(found, met) if sure or bool(found) == bool(met) else found

    def _every(self, test: n.Expr, said: tuple[Condition, ...], frame: Frame, refused: Refusing) -> int:
        """One test after the other, up to the first that says no; what the last of them gives."""
        met = 1
        for one, condition in zip(chain(test, len(said)), said or (None,), strict=True):
            self.within.clear()
            met = self.value(one, frame, frame.site)
            if not met:
                refused(one, met, condition)
        return met

    def _refusal(
        self, one: n.Expr | None, met: int, condition: Condition | None, function: n.Function, frame: Frame
    ) -> Iterator[Refusal]:
        """What failed: what the check that was asked says itself, or the words for it here."""
        last = self.within[-1] if self.within else None
        if last is not None and isinstance(one, n.Call) and one.name == last.function:
            yield replace(last, function=function.name)
        elif condition is not None:
            values = tuple(frame.locals.get(name, -1) for name in condition.names)
            yield Refusal(condition, values, function.name, met.test if isinstance(met, Term) else None)


def chain(test: n.Expr, count: int) -> list[n.Expr]:
    """The tests of which the code makes one, as many as there are words for."""
    found: list[n.Expr] = []
    rest = _plain(test)
    while len(found) + 1 < count:
        match rest:
            case n.Pick(first, more, n.Const(0)):
                found.append(_plain(first))
                rest = more
            case _:
                raise ValueError(f"{count} conditions are asked here")
    return [*found, _plain(rest)]


def _plain(test: n.Expr) -> n.Expr:
    """Without making 1 or 0 of it, which a test is already."""
    while isinstance(test, n.Pick) and (test.yes, test.no) == (n.Const(1), n.Const(0)):
        test = test.test
    return test
