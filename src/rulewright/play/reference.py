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
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat
from operator import length_hint
from types import TracebackType
from typing import Any, NamedTuple, NoReturn, cast

from rulewright.ir.nodes import INTRINSICS
from rulewright.ir.program import (
    CHOSEN,
    DECISION,
    DECISIONS,
    EVENT_LIMIT,
    FAULT,
    FAULT_BOUND,
    FAULT_RANGE,
    FAULT_SCRIPT,
    FAULT_STACK,
    FAULTED,
    OPTION_ROOM,
    PC,
    RESUME,
    RNG_HI,
    RNG_LO,
    RUNNING,
    SEAT,
    SLOT_LIMIT,
    STATUS,
    STEP_LIMIT,
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
from rulewright.play.chance import LARGEST_DIE, draw, draw_keyed, fnv1a, key_of
from rulewright.play.engine import EventRow, OptionRow, opening, unpack
from rulewright.play.faults import ENDLESS, TOO_MANY_OPTIONS, Fault
from rulewright.play.printed import FILE, factory
from rulewright.play.seeking import filler, seekers
from rulewright.play.single import Single


class _Before(NamedTuple):
    """Where the last step began."""

    slots: list[int]
    options: list[OptionRow]
    events: int
    script: list[int] | None


class ReferenceEngine(Single):
    """One match, run by CPython."""

    memory: type[list[int]] = list
    """What its slots are kept in."""

    def __init__(self, program: Program, params: Sequence[int] | None = None) -> None:
        self._program = program
        self._slots = self.memory([0] * program.size)
        self._options: list[OptionRow] = []
        self._listed = False
        self._events: list[EventRow] = []
        self._recording = True
        self._script: list[int] | None = None
        self._key: bytes | None = None
        self._fuel: list[Iterator[int]] = [iter(())]
        self.patience = STEP_LIMIT
        """Units that one call may take; less for whoever only wants to look (see `reading`)."""
        self._paid = 0
        """What was paid besides the rounds that the fuel went through."""
        self._before: _Before | None = None
        self.listener: Callable[[Sequence[int]], None] | None = None
        """Called with the slots as they are right after each event that is recorded."""
        build, self._lines = factory(program)
        given = list(checked_params(program, params))
        self._work = [0] * program.work
        named = {**self._intrinsics(), **self._guards()}
        arrays = (self._slots, given, list(program.consts), self._work)
        self._segments, functions, self._prices = build(
            *arrays, *(named[name] for name in (*INTRINSICS, *GUARDS))
        )
        self.functions = {name: partial(self._guarded, code) for name, code in functions.items()}
        """The Program's functions, to be run on this state. They raise Fault."""

    @property
    def program(self) -> Program:
        """The Program it runs."""
        return self._program

    def _intrinsics(self) -> dict[str, Callable[..., int]]:
        slots, options = self._slots, self._options

        def rnd(n: int) -> int:
            if n <= 1:
                return 0
            if self._script is None:
                return mix(n)
            if not self._script:
                raise Fault(FAULT_SCRIPT, detail=f"a result from 0 to {n - 1} is missing", sides=n)
            result = self._script.pop(0)
            if not 0 <= result < n:
                raise Fault(FAULT_SCRIPT, detail=f"{result} is not from 0 to {n - 1}")
            return result

        def mix(n: int) -> int:
            if n > LARGEST_DIE:
                raise Fault(FAULT_RANGE, detail=f"a die of {n} sides")
            if n <= 1:
                return 0
            return draw(slots, n) if self._key is None else draw_keyed(slots, self._key, n)

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

        def tell(*event: int) -> int:
            if self._recording:
                if len(self._events) >= EVENT_LIMIT:
                    raise Fault(FAULT_BOUND, detail=ENDLESS)
                self._events.append(cast(EventRow, event))
                if self.listener is not None:
                    self.listener(slots)
            return 0

        def emit(*event: int) -> int:
            return tell(*event, -1, 0, 0)

        def fault(code: int) -> NoReturn:
            raise Fault(code)

        def option(index: int, part: int) -> int:
            if index < 0 or part < 0:
                raise IndexError(f"option {index}, part {part}")
            return options[index][part]

        return {
            "rnd": rnd,
            "mix": mix,
            "opt": opt,
            "nopt": nopt,
            "clear_options": clear_options,
            "emit": emit,
            "tell": tell,
            "fault": fault,
            "option": option,
            **seekers(slots),
            "fill": filler(self._work),
        }

    def _guards(self) -> dict[str, Any]:
        """What the limits of native memory are called in the printed text."""
        low, high = self._program.stack_base, self._program.size

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

        def pay(units: int) -> None:
            self._paid += units
            if self._paid > length_hint(self._fuel[0]):
                spent()

        return dict(zip(GUARDS, (wild, wide, pointer, self._fuel, spent, pay), strict=True))

    def start(self, seats: int, seed: int, options: Mapping[int, int]) -> None:
        """Set up a match; see Engine."""
        state = opening(self._program, seats, seed, options)
        self.dice(seed)
        self._set(state)
        self._events.clear()

    def dice(self, seed: int) -> None:
        """Draw from this seed from here on; see Engine."""
        self._key = key_of(checked_seed(seed, wide=True))

    def _set(self, state: Sequence[int]) -> None:
        self._slots[: len(state)] = state
        self._options.clear()
        self._listed = False

    def advance(self) -> None:
        """Run until the status is DECISION or ENDED; see Engine."""
        slots = self._slots
        if slots[STATUS] != RUNNING:
            return
        checked_top(self._program, slots)
        try:
            self._guarded(self._steps)
        except Fault as fault:
            raise self._stop(fault) from None
        self._listed = slots[STATUS] == DECISION

    def _steps(self) -> int:
        slots, segments, prices, fuel = self._slots, self._segments, self._prices, self._fuel[0]
        pc = slots[PC]
        if pc < 0:
            raise IndexError(f"segment {pc}")
        while pc >= 0:
            self._paid += prices[pc]
            pc = segments[pc]()
            if self._paid > length_hint(fuel):
                raise Fault(FAULT_BOUND, detail=ENDLESS)
        if slots[STATUS] == RUNNING:
            raise Fault(0, detail="it stopped without a decision")
        return 0

    def _guarded(self, run: Callable[..., int], *args: int) -> int:
        """Run rules with fresh fuel; whatever goes wrong in them is a Fault that knows its site."""
        self._fuel[0] = repeat(0, self.patience)
        self._paid = 0
        try:
            result = run(*args)
            if self._paid > length_hint(self._fuel[0]):
                raise Fault(FAULT_BOUND, detail=ENDLESS)
            return result
        except Fault as fault:
            raise self._placed(fault, fault.__traceback__) from None
        except RecursionError as error:
            raise self._placed(Fault(FAULT_STACK), error.__traceback__) from None
        except (IndexError, ZeroDivisionError, ValueError) as error:
            broken = Fault(0, detail=f"{type(error).__name__}: {error}")
            raise self._placed(broken, error.__traceback__) from error

    def spent(self) -> int:
        """Units that the last call took."""
        return self.patience - length_hint(self._fuel[0]) + self._paid

    def _placed(self, fault: Fault, trace: TracebackType | None) -> Fault:
        """The fault with its site: that of the innermost line which has one."""
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == FILE.format(self._program.name):
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
            checked_top(self._program, self._slots)
            try:
                self._guarded(self._segments[self._slots[PC]])
            except Fault as fault:
                raise self._stop(fault) from None
            self._listed = True
        return list(self._options)

    def choose(self, index: int) -> None:
        """Take an option; see Engine."""
        options, slots = self.options(), self._slots
        if not is_index(index, len(options)):
            raise IndexError(f"option {told(index)} of {len(options)}")
        slots[CHOSEN : CHOSEN + 4] = options[index]
        slots[DECISIONS] += 1
        slots[PC] = slots[RESUME]
        slots[STATUS] = RUNNING
        self._listed = False
        if slots[DECISIONS] > self._program.bound:
            raise self._stop(Fault(FAULT_BOUND))

    def step(self, index: int) -> bool:
        """Take an option and run on; see Engine."""
        options, slots = self.options(), self._slots
        if not is_index(index, len(options)):
            raise IndexError(f"option {told(index)} of {len(options)}")
        script = None if self._script is None else self._script.copy()
        self._before = _Before(slots[: checked_top(self._program, slots)], options, len(self._events), script)
        try:
            self.choose(index)
            self.advance()
            checked_top(self._program, slots)
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
        self._script = old.script

    def _began(self) -> _Before:
        if self._before is None:
            raise IndexError("no step was taken")
        return self._before

    def policy(self, which: int) -> int:
        """The option that the book's policy number `which` would take; see Engine."""
        known = self._program.policies
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
        top = checked_top(self._program, self._slots)
        return struct.pack(f"<{top}i", *self._slots[:top])

    def load(self, state: bytes) -> None:
        """Go on from a state; see Engine."""
        self._set(unpack(self._program, state))

    def hash(self) -> int:
        """FNV-1a of the state."""
        return fnv1a(self.state())

    def record(self, on: bool) -> None:
        """Keep events or not."""
        self._recording = on

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
        left, self._script = self._script or [], given
        return left

    def peek(self, slot: int) -> int:
        """One slot."""
        return self._slots[checked_slot(self._program, slot)]

    def poke(self, slot: int, value: int) -> None:
        """Change one slot."""
        slot = checked_slot(self._program, slot)
        self._slots[slot] = checked_value(slot, value)
        self._listed = False
