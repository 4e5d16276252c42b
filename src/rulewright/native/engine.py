"""The native engine: one match, run by compiled code.

In:  a Program.
Out: an Engine, the same step by step and byte by byte as the reference, only faster.

Faults are found by native code and explained by the reference (see `explaining`): the state before is
replayed there, so the error that reaches the caller has its words and its line of the book.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from rulewright.ir.program import (
    DECISION,
    DECISIONS,
    FAULT,
    FAULTED,
    OPTION_ROOM,
    RNG_HI,
    RNG_LO,
    RUNNING,
    STATUS,
    Program,
)
from rulewright.native import layout as at
from rulewright.native.arena import Arena
from rulewright.native.entries import player_seed
from rulewright.native.explaining import Again, explained, refused, stepping
from rulewright.native.library import Library, checked_policies, library
from rulewright.play.arguments import (
    checked_script,
    checked_seed,
    checked_slot,
    checked_value,
    is_index,
    told,
)
from rulewright.play.chance import key_of
from rulewright.play.engine import EventRow, OptionRow, opening
from rulewright.play.faults import Fault
from rulewright.play.reference import ReferenceEngine, unpack
from rulewright.play.single import Single


class NativeEngine(Single):
    """One match, run by compiled code."""

    def __init__(
        self, program: Program, params: Sequence[int] | None = None, code: Library | None = None
    ) -> None:
        self.program = program
        self.library = code or library(program)
        self.arena = Arena(program, self.library.layout, params)
        self.arena.set_word(at.RECORDING, 1)
        self._listed = False
        self._script: list[int] | None = None
        self._seed = 0

    def start(self, seats: int, seed: int, options: Mapping[int, int]) -> None:
        """Set up a match; see Engine."""
        state = opening(self.program, seats, seed, options)
        self.dice(seed)
        self.arena.set_state(struct.pack(f"<{len(state)}i", *state))
        self._listed = False
        self.arena.set_word(at.EVENT_COUNT, 0)

    def dice(self, seed: int) -> None:
        """Draw from this seed from here on; see Engine."""
        self._seed = checked_seed(seed, wide=True)
        self.arena.set_key(key_of(self._seed))

    def advance(self) -> None:
        """Run until the status is DECISION or ENDED; see Engine."""
        arena = self.arena
        if arena.cells[STATUS] != RUNNING:
            return
        before = arena.state()
        used = arena.word(at.SCRIPT_USED)
        if arena.call(self.library.advance) < 0:
            raise self._explained(before, used, ReferenceEngine.advance)
        self._listed = arena.cells[STATUS] == DECISION

    def _explained(self, before: bytes, used: int, again: Again) -> Fault:
        script = None if self._script is None else self._script[used:]
        return explained(self.program, self.arena, self._seed, script, before, again)

    def options(self) -> list[OptionRow]:
        """The options of the decision; see Engine."""
        return self.arena.options() if self.offers() else []

    def choose(self, index: int) -> None:
        """Take an option; see Engine."""
        arena = self.arena
        count = self.offers()
        if not is_index(index, count):
            raise IndexError(f"option {told(index)} of {count}")
        self._listed = False
        if arena.call(self.library.choose, index) < 0 and arena.cells[STATUS] == FAULTED:
            raise Fault(arena.cells[FAULT])

    def step(self, index: int) -> bool:
        """Take an option and run on, in one call of native code; see Engine."""
        arena = self.arena
        if not self._listed:
            self.offers()
        if not is_index(index, OPTION_ROOM):  # native code would see only its last 64 bits
            raise refused(self.arena, index)
        past = arena.cells[DECISIONS]
        try:
            result = arena.call(self.library.step, index)
        except BaseException:  # an interruption: there are no half steps
            if arena.cells[DECISIONS] != past:
                self.step_back()
            raise
        if result < 0:
            raise refused(self.arena, index) if result == at.STEP_REFUSED else self.step_failed(index)
        return not result & at.LEARNED_BIT

    def step_failed(self, index: int) -> Fault:
        """Why a step failed; the match stands where it began."""
        arena = self.arena
        if not arena.word(at.BEFORE_BYTES):  # a poked stack pointer: nothing was done
            arena.cells[STATUS] = DECISION
            arena.top()
        if arena.cells[DECISIONS] > self.program.bound:
            fault = Fault(arena.cells[FAULT])
        else:
            fault = self._explained(self.before(), arena.word(at.BEFORE_USED), stepping(index))
        self.step_back()
        self.offers()
        return fault

    def offers(self) -> int:
        """How many options there are."""
        arena = self.arena
        if arena.cells[STATUS] != DECISION:
            return 0
        if not self._listed:
            before, used = arena.state(), arena.word(at.SCRIPT_USED)
            result = arena.call(self.library.list_options)
            arena.set_word(at.MODE, at.STEPPING)
            if result < 0:
                raise self._explained(before, used, ReferenceEngine.options)
            self._listed = True
        return arena.word(at.OPTION_COUNT)

    def before(self) -> bytes:
        """The state before the last step; see Engine."""
        length = self.arena.word(at.BEFORE_BYTES)
        if not length:
            raise IndexError("no step was taken")
        return bytes(self.arena.before[:length])

    def step_back(self) -> None:
        """Stand where the last step began; see Engine."""
        arena = self.arena
        arena.set_state(self.before())
        arena.set_word(at.EVENT_COUNT, arena.word(at.BEFORE_EVENTS))
        arena.set_word(at.SCRIPT_USED, arena.word(at.BEFORE_USED))
        self._listed = False

    def state(self) -> bytes:
        """S[0:SP]; see Engine."""
        return self.arena.state()

    def load(self, state: bytes) -> None:
        """Go on from a state; see Engine."""
        unpack(self.program, state)
        self.arena.set_state(state)
        self._listed = False

    def copy_from(self, other: NativeEngine) -> None:
        """Stand where another engine of the same Program stands. Quick: for search."""
        if other.library is not self.library:
            raise ValueError("only an engine of the same program can be copied")
        top = 4 * other.arena.top()
        self.arena.bytes[:top] = other.arena.bytes[:top]
        self._listed = other._listed
        self.arena.set_options(other.arena if other._listed else None)
        if self._seed != other._seed:
            self.dice(other._seed)

    def hash(self) -> int:
        """FNV-1a of the state."""
        self.arena.top()
        return self.arena.call(self.library.hash)

    def record(self, on: bool) -> None:
        """Keep events or not."""
        self.arena.set_word(at.RECORDING, int(on))

    def events(self) -> list[EventRow]:
        """Events since the last call."""
        return self.arena.take_events()

    def pending(self) -> int:
        """How many events `events` would give."""
        return self.arena.word(at.EVENT_COUNT)

    def script(self, results: Sequence[int] | None) -> list[int]:
        """Take results of `rnd` from here; see Engine."""
        arena = self.arena
        given = None if results is None else checked_script(results)
        left = [] if self._script is None else self._script[arena.word(at.SCRIPT_USED) :]
        self._script = given
        # An empty script still needs an address: no address means the generator.
        data = None if self._script is None else struct.pack(f"<{len(self._script) + 1}q", *self._script, 0)
        arena.set_pointer(at.SCRIPT, data)
        arena.set_word(at.SCRIPT_LENGTH, len(self._script or ()))
        arena.set_word(at.SCRIPT_USED, 0)
        return left

    def peek(self, slot: int) -> int:
        """One slot."""
        return self.arena.cells[checked_slot(self.program, slot)]

    def poke(self, slot: int, value: int) -> None:
        """Change one slot."""
        slot = checked_slot(self.program, slot)
        self.arena.cells[slot] = checked_value(slot, value)
        self._listed = False

    def copy(self) -> NativeEngine:
        """A second match that stands where this one does; it keeps no events and has no script."""
        twin = NativeEngine(self.program, self.arena.params(), self.library)
        twin.copy_from(self)
        twin.record(bool(self.arena.word(at.RECORDING)))
        return twin

    def policy(self, which: int) -> int:
        """The option that the book's policy number `which` would take. The match is not changed: the
        policy draws from a copy of its dice, as it does in the reference."""
        if not is_index(which, self.library.policies):
            raise IndexError(f"policy {told(which)} of {self.library.policies}")
        if self.arena.cells[STATUS] != DECISION:
            raise IndexError("there is no decision")
        self.offers()
        before = self.arena.state()
        self.arena.set_word(at.POLICY_RNG, int.from_bytes(before[4 * RNG_LO : 4 * RNG_HI + 4], "little"))
        result = self.arena.call(self.library.policy, which + 1)
        used = self.arena.word(at.SCRIPT_USED)
        fault = self._explained(before, used, lambda twin: twin.policy(which)) if result < 0 else None
        self.arena.bytes[: len(before)] = before
        if fault is not None:
            raise fault
        return result

    def playout(self, seed: int, policies: Sequence[int] = ()) -> int:
        """Play on to the end and return the status. For each seat 0 (random) or k, the book's policy
        number k - 1; `seed` seeds the players only. Events are kept if they are recorded."""
        policies, seed = checked_policies(self.library, policies), checked_seed(seed)
        arena = self.arena
        if arena.cells[STATUS] not in (RUNNING, DECISION):
            return arena.cells[STATUS]
        for seat in range(at.MAX_SEATS):
            arena.policies[seat] = policies[seat] if seat < len(policies) else 0
        arena.set_word(at.POLICY_RNG, player_seed(seed))
        arena.set_word(at.MODE, at.STEPPING if any(policies) else at.ANSWERING)
        self._listed = False
        try:
            if arena.call(self.library.playout) < 0:
                raise Fault(arena.cells[FAULT], arena.word(at.FAULT_SITE))
        finally:
            arena.set_word(at.MODE, at.STEPPING)
        return arena.cells[STATUS]
