"""What an engine is: the one interface of everything that runs a Program.

In:  a Program, a seed, choices.
Out: decisions, options, states, events. `opening` is the start of a match, the same for every engine.

An engine holds one match. It never runs on its own: `start`, `load` and `choose` only set the state,
`advance` runs until the status is no longer RUNNING.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Protocol

from rulewright.ir.program import (
    DECISION,
    DECISIONS,
    FAULTED,
    FP,
    PC,
    RNG_HI,
    RNG_LO,
    RUNNING,
    SEATS,
    SP,
    STACK_END,
    STATUS,
    Program,
)
from rulewright.play.arguments import checked_seed, checked_start, told
from rulewright.play.chance import seed_halves
from rulewright.play.integrity import check_stack

OptionRow = tuple[int, int, int, int]
EventRow = tuple[int, int, int, int, int, int, int, int, int]
"""The parts of an `Event`."""


class Engine(Protocol):
    """Runs one match of one Program."""

    @property
    def program(self) -> Program:
        """The Program it runs."""
        ...

    def start(self, seats: int, seed: int, options: Mapping[int, int]) -> None:
        """Set up a match; `options` maps slots of match options to values. Call `advance` next.

        Raises ValueError when a seed, a slot or a value is none.
        """
        ...

    def dice(self, seed: int) -> None:
        """Draw from this seed from here on: for a match that goes on from a state, as `start` does by itself.

        A wide seed is no part of the state, which then holds only how far its dice have been used. One of 64
        bits is all in the state, and this only says so.
        """
        ...

    def advance(self) -> None:
        """Run until the status is DECISION or ENDED.

        Raises Fault; the status is then FAULTED and the code stands in slot FAULT.
        """
        ...

    def options(self) -> list[OptionRow]:
        """The options of the decision: (verb, a, b, c) each; empty when there is no decision.

        After `poke` at a decision, poke(STATUS, RUNNING) and `advance` list them again.
        """
        ...

    def choose(self, index: int) -> None:
        """Take an option: CHOSEN holds its payload, DECISIONS counts up, PC is RESUME, status RUNNING.

        Raises IndexError for a wrong index and changes nothing; raises Fault
        (BOUND) when the match has had more decisions than the book allows. Call `advance` next.
        """
        ...

    def step(self, index: int) -> bool:
        """Take an option and run on, as `choose` and `advance` do; whatever it raises, nothing has changed.

        True while its maker decides again and no chance was used: then it may be that nothing was learned.
        """
        ...

    def before(self) -> bytes:
        """The state before the last `step`."""
        ...

    def step_back(self) -> None:
        """Stand where the last `step` began, without its events."""
        ...

    def policy(self, which: int) -> int:
        """The option that the book's policy number `which` would take; the match is not changed.

        Raises IndexError when there is no such policy or no decision, and Fault.
        """
        ...

    def state(self) -> bytes:
        """The whole state: S[0:SP] as little-endian int32."""
        ...

    def load(self, state: bytes) -> None:
        """Go on from a state. Raises ValueError when it cannot be one of this Program."""
        ...

    def hash(self) -> int:
        """64-bit FNV-1a of the state's bytes."""
        ...

    def record(self, on: bool) -> None:
        """Whether events are kept; on at first."""
        ...

    def events(self) -> list[EventRow]:
        """Events since the last call."""
        ...

    def pending(self) -> int:
        """How many events `events` would give."""
        ...

    def script(self, results: Sequence[int] | None) -> list[int]:
        """Take results of `rnd` (0-based) from here instead of the generator; None goes back to it.

        Returns what was left of the script before. A result that does not fit, or running out, is a
        Fault (SCRIPT). rnd(1) needs no result.
        """
        ...

    def peek(self, slot: int) -> int:
        """One slot of the state."""
        ...

    def poke(self, slot: int, value: int) -> None:
        """Change one slot, to set up a position."""
        ...


def opening(program: Program, seats: int, seed: int, options: Mapping[int, int]) -> list[int]:
    """The state a match starts from, S[0:SP]. The root frame is all 0: it never returns.

    Raises ValueError when it is asked for what no match can start with.
    """
    seed, given = checked_seed(seed, wide=True), checked_start(program, seats, options)
    state = [*program.initial, *([0] * program.frame_size)]
    state[PC] = program.entry
    state[FP] = program.stack_base
    state[SP] = program.stack_base + program.frame_size
    state[RNG_LO], state[RNG_HI] = seed_halves(seed)
    state[SEATS] = seats
    for slot, value in given.items():
        state[slot] = value
    return state


def unpack(program: Program, state: bytes) -> tuple[int, ...]:
    """The slots of a state. Raises ValueError when it cannot be a state of this Program."""
    if not isinstance(state, bytes | bytearray | memoryview):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"a state is bytes, not {told(state)}")
    count, rest = divmod(len(state), 4)
    if rest or not program.stack_base <= count <= program.size:
        raise ValueError("the state has a wrong length")
    slots = struct.unpack(f"<{count}i", state)
    if slots[SP] != count or slots[STACK_END] != program.size:
        raise ValueError("the state's stack does not end where the state does")
    if not program.stack_base <= slots[FP] <= count:
        raise ValueError("the state's frame is not in its stack")
    if not RUNNING <= slots[STATUS] <= FAULTED:
        raise ValueError("the state's status is none")
    if slots[STATUS] in (RUNNING, DECISION) and not 0 <= slots[PC] < len(program.segments):
        raise ValueError("the state stands at no known segment")
    if slots[STATUS] in (RUNNING, DECISION):
        check_stack(program, slots)
    if not 0 <= slots[DECISIONS] <= program.bound + 1:
        raise ValueError("the state counts decisions that there cannot be")
    return slots
