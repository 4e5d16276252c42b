"""The reference engine: a Program as plain Python functions.

In:  a Program.
Out: an Engine. Clear and obviously right rather than fast; the native engine is compared with it.

A Program is printed as one Python module with a factory `build`, compiled once and cached by digest.
Each engine calls the factory with its own arrays, so engines share code but never state. Faults need
no bookkeeping in the code: the line of generated text on which one was raised names its site.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, NoReturn, SupportsIndex, cast

from rulewright.ir.events import CHOSEN as CHOSEN_EVENT
from rulewright.ir.nodes import INTRINSICS
from rulewright.ir.program import (
    CHOSEN,
    DECISION,
    DECISIONS,
    FAULT,
    FAULT_BOUND,
    FAULT_RANGE,
    FAULT_SCRIPT,
    FAULT_STACK,
    FAULTED,
    PC,
    RESUME,
    RUNNING,
    SP,
    STATUS,
    Program,
)
from rulewright.ir.reader import MARK
from rulewright.ir.text import source
from rulewright.play.chance import draw, fnv1a
from rulewright.play.engine import EventRow, OptionRow, opening, unpack
from rulewright.play.faults import Fault

STEP_BOUND = 2_000_000
"""Segments between two decisions. A rule that loops for ever is stopped after about a second."""

ARGUMENTS = ("S", "P", "K", "W", *INTRINSICS)
FILE = "<program {}>"

_Built = tuple[tuple[Callable[[], int], ...], dict[str, Callable[..., int]]]
_factories: dict[str, tuple[Callable[..., _Built], list[str]]] = {}


class CheckedArray(list[int]):
    """An array in which a negative index is a mistake, as it is in native memory."""

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and index < 0:
            raise IndexError(f"cell {index}")
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, int) and index < 0:
            raise IndexError(f"cell {index}")
        super().__setitem__(cast(SupportsIndex, index), value)


def module_text(program: Program) -> str:
    """The Python module of a Program: one factory that binds arrays and intrinsics."""
    code = [source(function) for function in (*program.functions.values(), *program.segments)]
    lines = [f"    {line}" if line else line for text in code for line in text.splitlines()]
    segments = "".join(f"{segment.name}, " for segment in program.segments)
    functions = ", ".join(f"'{name}': {name}" for name in program.functions)
    return "\n".join(
        [f"def build({', '.join(ARGUMENTS)}):", *lines, f"    return ({segments}), {{{functions}}}", ""]
    )


def _factory(program: Program) -> tuple[Callable[..., _Built], list[str]]:
    found = _factories.get(program.digest) if program.digest else None
    if found is None:
        text = module_text(program)
        space: dict[str, Any] = {}
        exec(compile(text, FILE.format(program.name), "exec"), space)
        found = (cast("Callable[..., _Built]", space["build"]), text.splitlines())
        if program.digest:
            _factories[program.digest] = found
    return found


class ReferenceEngine:
    """One match, run by CPython. `checked` refuses negative indices, for tests of new code."""

    def __init__(self, program: Program, params: Sequence[int] | None = None, checked: bool = False) -> None:
        self._program = program
        array = CheckedArray if checked else list[int]
        self._slots: list[int] = array([0] * program.size)
        self._options: list[OptionRow] = []
        self._listed = False
        self._events: list[EventRow] = []
        self._recording = True
        self._script: list[int] | None = None
        build, self._lines = _factory(program)
        given = program.params if params is None else params
        intrinsics = self._intrinsics()
        arrays = (self._slots, array(given), array(program.consts), array([0] * program.work))
        self._segments, self.functions = build(*arrays, *(intrinsics[name] for name in INTRINSICS))

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
                return draw(slots, n)
            if not self._script:
                raise Fault(FAULT_SCRIPT, detail=f"a result from 0 to {n - 1} is missing")
            result = self._script.pop(0)
            if not 0 <= result < n:
                raise Fault(FAULT_SCRIPT, detail=f"{result} is not from 0 to {n - 1}")
            return result

        def mix(n: int) -> int:
            return draw(slots, n) if n > 1 else 0

        def opt(verb: int, a: int, b: int, c: int) -> int:
            options.append((verb, a, b, c))
            return 0

        def nopt() -> int:
            return len(options)

        def clear_options() -> int:
            options.clear()
            return 0

        def emit(kind: int, site: int, a: int, b: int, c: int, d: int) -> int:
            if self._recording:
                self._events.append((kind, site, a, b, c, d))
            return 0

        def fault(code: int) -> NoReturn:
            raise Fault(code)

        def option(index: int, part: int) -> int:
            return options[index][part]

        return {
            "rnd": rnd,
            "mix": mix,
            "opt": opt,
            "nopt": nopt,
            "clear_options": clear_options,
            "emit": emit,
            "fault": fault,
            "option": option,
        }

    def start(self, seats: int, seed: int, options: Mapping[int, int]) -> None:
        """Set up a match; see Engine."""
        self._set(opening(self._program, seats, seed, options))
        self._events.clear()

    def _set(self, state: Sequence[int]) -> None:
        self._slots[: len(state)] = state
        self._options.clear()
        self._listed = False

    def advance(self) -> None:
        """Run until the status is DECISION or ENDED; see Engine."""
        slots, segments = self._slots, self._segments
        if slots[STATUS] != RUNNING:
            return
        pc = slots[PC]
        try:
            for _ in range(STEP_BOUND):
                pc = segments[pc]()
                if pc < 0:
                    break
            else:
                raise Fault(FAULT_BOUND, detail="the rules go on for ever without a decision")
        except Fault as fault:
            raise self._stop(fault, fault.__traceback__) from None
        except RecursionError as error:
            raise self._stop(Fault(FAULT_STACK), error.__traceback__) from None
        except (IndexError, ZeroDivisionError) as error:
            raise self._stop(
                Fault(0, detail=f"{type(error).__name__}: {error}"), error.__traceback__
            ) from error
        self._listed = slots[STATUS] == DECISION
        if slots[STATUS] == RUNNING:
            raise self._stop(Fault(0, detail="it stopped without a decision"), None)

    def _stop(self, fault: Fault, trace: TracebackType | None) -> Fault:
        """Mark the state as faulted, and find the site: that of the innermost line which has one."""
        self._slots[STATUS] = FAULTED
        self._slots[FAULT] = fault.code
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == FILE.format(self._program.name):
                _, found, number = self._lines[trace.tb_lineno - 1].rpartition(MARK)
                fault.site = int(number) if found else fault.site
            trace = trace.tb_next
        return fault

    def options(self) -> list[OptionRow]:
        """The options of the decision; see Engine."""
        if self._slots[STATUS] != DECISION:
            return []
        if not self._listed:
            # A listing is pure and `decide` writes the same values again, so this changes nothing.
            self._segments[self._slots[PC]]()
            self._listed = True
        return list(self._options)

    def choose(self, index: int) -> None:
        """Take an option; see Engine."""
        options, slots = self.options(), self._slots
        if not 0 <= index < len(options):
            raise IndexError(f"option {index} of {len(options)}")
        slots[CHOSEN : CHOSEN + 4] = options[index]
        slots[DECISIONS] += 1
        slots[PC] = slots[RESUME]
        slots[STATUS] = RUNNING
        self._listed = False
        if self._recording:
            self._events.append((CHOSEN_EVENT, 0, *options[index]))
        if slots[DECISIONS] > self._program.bound:
            raise self._stop(Fault(FAULT_BOUND), None)

    def state(self) -> bytes:
        """S[0:SP]; see Engine."""
        top = self._slots[SP]
        try:
            return struct.pack(f"<{top}i", *self._slots[:top])
        except struct.error:
            slot = next(i for i, value in enumerate(self._slots) if not -(1 << 31) <= value < 1 << 31)
            raise self._stop(
                Fault(FAULT_RANGE, detail=f"slot {slot} holds {self._slots[slot]}"), None
            ) from None

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

    def script(self, results: Sequence[int] | None) -> list[int]:
        """Take results of `rnd` from here; see Engine."""
        left, self._script = self._script or [], None if results is None else list(results)
        return left

    def peek(self, slot: int) -> int:
        """One slot."""
        return self._slots[slot]

    def poke(self, slot: int, value: int) -> None:
        """Change one slot."""
        self._slots[slot] = value
        self._listed = False
