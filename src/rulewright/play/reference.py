"""The reference engine: a Program as plain Python functions.

In:  a Program.
Out: an Engine. Clear and obviously right rather than fast; the native engine is compared with it.

A Program is printed as one Python module (see `printed`), from which each engine has its functions made.
Faults need no bookkeeping in the code: the line of generated text on which one was raised names its site.
Where Python has no limit and native memory has one, the printed text has a guard (see `ir.text`), so that a
state from anywhere, and rules that run away, end in the same faults on both.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import NamedTuple

from rulewright.ir.nodes import INTRINSICS
from rulewright.ir.program import (
    CHOSEN,
    DECISION,
    DECISIONS,
    FAULT,
    FAULT_BOUND,
    FAULT_STACK,
    FAULTED,
    PC,
    RESUME,
    RNG_HI,
    RNG_LO,
    RUNNING,
    SEAT,
    STATUS,
    Program,
)
from rulewright.ir.reader import MARK
from rulewright.ir.text import GUARDS
from rulewright.play.arguments import (
    checked_params,
    checked_script,
    checked_seed,
    checked_slot,
    checked_top,
    checked_value,
    is_index,
    told,
)
from rulewright.play.chance import fnv1a, key_of
from rulewright.play.engine import EventRow, OptionRow, opening, unpack
from rulewright.play.faults import ENDLESS, Fault
from rulewright.play.instructions import Fuel, Surroundings, guards, instructions
from rulewright.play.printed import FILE, factory
from rulewright.play.single import Single


class _Before(NamedTuple):
    """Where the last step began."""

    slots: list[int]
    options: list[OptionRow]
    events: int
    script: list[int] | None


def take(slots: list[int], option: OptionRow) -> None:
    """What becomes of a state when an option is taken, before the rules run on."""
    slots[CHOSEN : CHOSEN + 4] = option
    slots[DECISIONS] += 1
    slots[PC] = slots[RESUME]
    slots[STATUS] = RUNNING


class ReferenceEngine(Single):
    """One match, run by CPython. `slots` is what its state is kept in, if it is to be a list of one's own."""

    def __init__(
        self,
        program: Program,
        params: Sequence[int] | None = None,
        slots: list[int] | None = None,
        shuffles_scripted: bool = False,
    ) -> None:
        self.program = program
        self._slots = [0] * program.size if slots is None else slots
        self.around = Surroundings(self._slots, shuffles_scripted=shuffles_scripted)
        self.fuel = Fuel()
        self._options = self.around.options
        self._events = self.around.events
        self._listed = False
        self._before: _Before | None = None
        build, self._lines = factory(program)
        given, work = list(checked_params(program, params)), [0] * program.work
        named = {**instructions(self.around, work), **guards(program, self.fuel)}
        arrays = (self._slots, given, list(program.consts), work)
        self._segments, functions, self._prices = build(
            *arrays, *(named[name] for name in (*INTRINSICS, *GUARDS))
        )
        self.functions = {name: partial(self._guarded, code) for name, code in functions.items()}
        """The Program's functions, to be run on this state. They raise Fault."""

    def start(self, seats: int, seed: int, options: Mapping[int, int]) -> None:
        """Set up a match; see Engine."""
        state = opening(self.program, seats, seed, options)
        self.dice(seed)
        self._set(state)
        self._events.clear()

    def dice(self, seed: int) -> None:
        """Draw from this seed from here on; see Engine."""
        self.around.key = key_of(checked_seed(seed, wide=True))

    def _set(self, state: Sequence[int]) -> None:
        self._slots[: len(state)] = state
        self._options.clear()
        self._listed = False

    def advance(self) -> None:
        """Run until the status is DECISION or ENDED; see Engine."""
        slots = self._slots
        if slots[STATUS] != RUNNING:
            return
        checked_top(self.program, slots)
        try:
            self._guarded(self._steps)
        except Fault as fault:
            raise self._stop(fault) from None
        self._listed = slots[STATUS] == DECISION

    def _steps(self) -> int:
        slots, segments, prices, fuel = self._slots, self._segments, self._prices, self.fuel
        pc = slots[PC]
        if pc < 0:
            raise IndexError(f"segment {pc}")
        while pc >= 0:
            fuel.paid += prices[pc]
            pc = segments[pc]()
            if fuel.empty():
                raise Fault(FAULT_BOUND, detail=ENDLESS)
        if slots[STATUS] == RUNNING:
            raise Fault(0, detail="it stopped without a decision")
        return 0

    def _guarded(self, run: Callable[..., int], *args: int) -> int:
        """Run rules with fresh fuel; whatever goes wrong in them is a Fault that knows its site."""
        self.fuel.fill()
        try:
            result = run(*args)
            self.fuel.pay(0)
            return result
        except Fault as fault:
            raise self._placed(fault, fault.__traceback__) from None
        except RecursionError as error:
            raise self._placed(Fault(FAULT_STACK), error.__traceback__) from None
        except (IndexError, ZeroDivisionError, ValueError) as error:
            broken = Fault(0, detail=f"{type(error).__name__}: {error}")
            raise self._placed(broken, error.__traceback__) from error

    def _placed(self, fault: Fault, trace: TracebackType | None) -> Fault:
        """The fault with its site: that of the innermost line which has one."""
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == FILE.format(self.program.name):
                _, found, number = self._lines[trace.tb_lineno - 1].rpartition(MARK)
                fault.site = int(number) if found else fault.site
            trace = trace.tb_next
        return fault

    def _stop(self, fault: Fault) -> Fault:
        """Mark the state as faulted."""
        self._slots[STATUS] = FAULTED
        self._slots[FAULT] = fault.code
        return fault

    def options(self) -> list[OptionRow]:
        """The options of the decision; see Engine."""
        if self._slots[STATUS] != DECISION:
            return []
        if not self._listed:
            # A listing is pure and `decide` writes the same values again, so this changes nothing.
            checked_top(self.program, self._slots)
            try:
                self._guarded(self._segments[self._slots[PC]])
            except Fault as fault:
                raise self._stop(fault) from None
            self._listed = True
        return list(self._options)

    def choose(self, index: int) -> None:
        """Take an option; see Engine."""
        options = self.options()
        if not is_index(index, len(options)):
            raise IndexError(f"option {told(index)} of {len(options)}")
        take(self._slots, options[index])
        self._listed = False
        if self._slots[DECISIONS] > self.program.bound:
            raise self._stop(Fault(FAULT_BOUND))

    def step(self, index: int) -> bool:
        """Take an option and run on; see Engine."""
        options, slots = self.options(), self._slots
        if not is_index(index, len(options)):
            raise IndexError(f"option {told(index)} of {len(options)}")
        script = None if self.around.script is None else self.around.script.copy()
        self._before = _Before(slots[: checked_top(self.program, slots)], options, len(self._events), script)
        try:
            self.choose(index)
            self.advance()
            checked_top(self.program, slots)
        except BaseException:  # an interruption too: there are no half steps
            self.step_back()
            raise
        old = self._before.slots
        return slots[STATUS] == DECISION and all(slots[part] == old[part] for part in (SEAT, RNG_LO, RNG_HI))

    def before(self) -> bytes:
        """The state before the last step; see Engine."""
        old = self._began().slots
        return struct.pack(f"<{len(old)}i", *old)

    def step_back(self) -> None:
        """Stand where the last step began; see Engine."""
        old = self._began()
        self._set(old.slots)
        self._options[:] = old.options
        self._listed = True
        del self._events[old.events :]
        self.around.script = old.script

    def _began(self) -> _Before:
        if self._before is None:
            raise IndexError("no step was taken")
        return self._before

    def policy(self, which: int) -> int:
        """The option that the book's policy number `which` would take; see Engine."""
        known = self.program.policies
        if not is_index(which, len(known)):
            raise IndexError(f"policy {told(which)} of {len(known)}")
        offers = self.options()
        if self._slots[STATUS] != DECISION:
            raise IndexError("there is no decision")
        before = self._slots.copy()
        try:
            return self.functions[known[which]]()
        finally:
            self._slots[:] = before
            self._options[:] = offers

    def state(self) -> bytes:
        """S[0:SP]; see Engine."""
        top = checked_top(self.program, self._slots)
        return struct.pack(f"<{top}i", *self._slots[:top])

    def load(self, state: bytes) -> None:
        """Go on from a state; see Engine."""
        self._set(unpack(self.program, state))

    def hash(self) -> int:
        """FNV-1a of the state."""
        return fnv1a(self.state())

    def record(self, on: bool) -> None:
        """Keep events or not."""
        self.around.recording = on

    def events(self) -> list[EventRow]:
        """Events since the last call."""
        found = self._events.copy()
        self._events.clear()
        return found

    def pending(self) -> int:
        """How many events `events` would give."""
        return len(self._events)

    def script(self, results: Sequence[int] | None) -> list[int]:
        """Take results of `rnd` from here; see Engine."""
        given = None if results is None else checked_script(results)
        left, self.around.script = self.around.script or [], given
        return left

    def peek(self, slot: int) -> int:
        """One slot."""
        return self._slots[checked_slot(self.program, slot)]

    def poke(self, slot: int, value: int) -> None:
        """Change one slot."""
        slot = checked_slot(self.program, slot)
        self._slots[slot] = checked_value(slot, value)
        self._listed = False
