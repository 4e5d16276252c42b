"""Decisions that several seats make at the same time: who still has to choose, and whom to ask.

In:  a Program, the slots of a state, or an engine that stands at such a decision.
Out: `Gathering`, an engine that asks another of those seats, choices that say whose they are.

An engine asks one seat, the first that has not chosen. Whoever wants to ask another says so with `focus`; the
options come from the same listing. The state is told by who chose what, so it does not matter who was first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.ir.kernels_together import DONE, PARTS, ROW, ROWS
from rulewright.ir.program import DECISION, FOCUS, OPTION_ROOM, RUNNING, SEAT, STATUS, TOGETHER, Program
from rulewright.play.engine import Engine
from rulewright.play.knowledge import find_field


@dataclass(frozen=True, slots=True)
class Gathering:
    """Those who choose at the same time, in the order in which they are asked."""

    actors: tuple[int, ...]
    seats: tuple[int, ...]
    """The seat of each, -1 where there is none."""
    done: tuple[bool, ...]

    @property
    def waiting(self) -> tuple[int, ...]:
        """Seats that still have to choose."""
        left = [s for s, done in zip(self.seats, self.done, strict=True) if not done and s >= 0]
        return tuple(dict.fromkeys(left))

    def asked(self, seat: int) -> int:
        """The actor that a seat chooses for next, or -1."""
        rows = zip(self.actors, self.seats, self.done, strict=True)
        return next((actor for actor, of, done in rows if of == seat and not done), -1)


def gathering(program: Program, slots: Sequence[int]) -> Gathering | None:
    """Who chooses at the same time now; None when one seat decides, or nobody."""
    at = slots[TOGETHER]
    if slots[STATUS] != DECISION or not at:
        return None
    controller = find_field(program, "Actor", "controller")
    assert controller is not None
    rows = [at + ROWS + ROW * k for k in range(slots[at])]
    actors = tuple([slots[row] for row in rows])
    seats = tuple([slots[controller.base + actor] for actor in actors])
    return Gathering(actors, seats, tuple([slots[row + DONE] != 0 for row in rows]))


def waiting(program: Program, slots: Sequence[int]) -> tuple[int, ...]:
    """The seats that have to choose now: mostly one."""
    if slots[STATUS] != DECISION:
        return ()
    found = gathering(program, slots)
    return (slots[SEAT],) if found is None else found.waiting


def focus(engine: Engine, seat: int | None) -> None:
    """Let the engine ask this seat, one of those that wait; None: the first of them, as it does by itself."""
    wanted = 0 if seat is None else seat + 1
    if engine.peek(FOCUS) != wanted:
        engine.poke(FOCUS, wanted)
        engine.poke(STATUS, RUNNING)
        engine.advance()


NOBODY = (0, 0)


def number_of(engine: Engine) -> tuple[int, int]:
    """Tells the present gathering from the one before and the next."""
    at = engine.peek(TOGETHER)
    return (at, engine.peek(at + 1)) if at else NOBODY


def without_answers(program: Program, slots: Sequence[int], seat: int) -> list[int]:
    """The state as a seat may think of it that is asked now: nobody else has chosen yet."""
    made, found = list(slots), gathering(program, slots)
    if found is not None:
        made[FOCUS] = seat + 1
        for k, of in enumerate(found.seats):
            if of != seat:
                row = slots[TOGETHER] + ROWS + ROW * k
                made[row + DONE : row + PARTS + 4] = [0] * (PARTS + 4 - DONE)
    return made


def seated(seat: int, option: int) -> int:
    """A choice that says whose it is, as replays keep those that are made at the same time."""
    return option + OPTION_ROOM * (seat + 1)


def unseated(choice: int) -> tuple[int | None, int]:
    """The seat that a choice says, or None, and the option."""
    if choice < OPTION_ROOM:
        return None, choice
    return choice // OPTION_ROOM - 1, choice % OPTION_ROOM
