"""What rules reach besides their slots: dice, options, events, and the work they may still do.

In:  the slots and the work memory of one match.
Out: the instructions (`INTRINSICS`) and limits (`GUARDS`) of the Program's text, as Python functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from operator import length_hint
from typing import Any, NoReturn, cast

from rulewright.ir.program import (
    EVENT_LIMIT,
    FAULT_BOUND,
    FAULT_RANGE,
    FAULT_SCRIPT,
    OPTION_ROOM,
    SLOT_LIMIT,
    STEP_LIMIT,
    Program,
)
from rulewright.ir.text import GUARDS
from rulewright.play.chance import LARGEST_DIE, draw, draw_keyed
from rulewright.play.engine import EventRow, OptionRow
from rulewright.play.faults import ENDLESS, TOO_MANY_OPTIONS, Fault
from rulewright.play.seeking import filler, seekers

Instruction = Callable[..., int]


@dataclass(slots=True)
class Fuel:
    """How much the rules may still do in one call. Rounds of loops go through an iterator, which is quick to
    count down; what is dearer is paid besides."""

    patience: int = field(default_factory=lambda: STEP_LIMIT)
    paid: int = 0
    left: list[Iterator[int]] = field(default_factory=lambda: [iter(())])

    def fill(self) -> None:
        """Begin a call."""
        self.left[0] = repeat(0, self.patience)
        self.paid = 0

    def empty(self) -> bool:
        """Whether more was used than there was."""
        return self.paid > length_hint(self.left[0])

    def spent(self) -> int:
        """Units that the call took so far."""
        return self.patience - length_hint(self.left[0]) + self.paid

    def pay(self, units: int) -> None:
        """Use so much. Raises Fault."""
        self.paid += units
        if self.empty():
            raise Fault(FAULT_BOUND, detail=ENDLESS)


@dataclass(slots=True)
class Surroundings:
    """Where results of chance come from, and where options and events go."""

    slots: list[int]
    options: list[OptionRow] = field(default_factory=list[OptionRow])
    events: list[EventRow] = field(default_factory=list[EventRow])
    recording: bool = True
    listener: Callable[[Sequence[int]], None] | None = None
    """Called with the slots as they are right after each event that is recorded."""
    script: list[int] | None = None
    key: bytes | None = None
    shuffles_scripted: bool = False
    """Whether shuffles take their results from the script as well, and not only dice."""


def _chance(of: Surroundings) -> dict[str, Instruction]:
    def rnd(n: int) -> int:
        if n <= 1:
            return 0
        if of.script is None:
            return mix(n)
        if not of.script:
            raise Fault(FAULT_SCRIPT, detail=f"a result from 0 to {n - 1} is missing", sides=n)
        result = of.script.pop(0)
        if not 0 <= result < n:
            raise Fault(FAULT_SCRIPT, detail=f"{result} is not from 0 to {n - 1}")
        return result

    def mix(n: int) -> int:
        if n > LARGEST_DIE:
            raise Fault(FAULT_RANGE, detail=f"a die of {n} sides")
        if n <= 1:
            return 0
        return draw(of.slots, n) if of.key is None else draw_keyed(of.slots, of.key, n)

    return {"rnd": rnd, "mix": rnd if of.shuffles_scripted else mix}


def _offers(options: list[OptionRow]) -> dict[str, Instruction]:
    def opt(*payload: int) -> int:
        if len(options) >= OPTION_ROOM:
            raise Fault(FAULT_BOUND, detail=TOO_MANY_OPTIONS)
        for value in payload:
            if not -SLOT_LIMIT <= value < SLOT_LIMIT:
                raise Fault(FAULT_RANGE, detail=f"{value}")
        options.append(cast(OptionRow, payload))
        return 0

    def nopt() -> int:
        return len(options)

    def clear_options() -> int:
        options.clear()
        return 0

    def option(index: int, part: int) -> int:
        if index < 0 or part < 0:
            raise IndexError(f"option {index}, part {part}")
        return options[index][part]

    return {"opt": opt, "nopt": nopt, "clear_options": clear_options, "option": option}


def instructions(of: Surroundings, work: list[int]) -> dict[str, Instruction]:
    """Each by its name; see `ir.subset`."""

    def tell(*event: int) -> int:
        if of.recording:
            if len(of.events) >= EVENT_LIMIT:
                raise Fault(FAULT_BOUND, detail=ENDLESS)
            of.events.append(cast(EventRow, event))
            if of.listener is not None:
                of.listener(of.slots)
        return 0

    def emit(*event: int) -> int:
        return tell(*event, -1, 0, 0)

    def fault(code: int) -> NoReturn:
        raise Fault(code)

    told: dict[str, Instruction] = {"emit": emit, "tell": tell, "fault": fault, "fill": filler(work)}
    return {**_chance(of), **_offers(of.options), **seekers(of.slots), **told}


def guards(program: Program, fuel: Fuel) -> dict[str, Any]:
    """What the limits of native memory are called in the printed text."""
    low, high = program.stack_base, program.size

    def wild(index: int) -> NoReturn:
        raise IndexError(f"cell {index}")

    def wide(value: int) -> NoReturn:
        raise Fault(FAULT_RANGE, detail=f"{value}")

    def pointer(place: int) -> int:
        if not low <= place <= high:
            raise IndexError(f"a frame at {place}")
        return place

    def spent() -> NoReturn:
        raise Fault(FAULT_BOUND, detail=ENDLESS)

    return dict(zip(GUARDS, (wild, wide, pointer, fuel.left, spent, fuel.pay), strict=True))
