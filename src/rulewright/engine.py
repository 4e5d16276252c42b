"""Matches as numbers: the quick way to step, copy and play out a compiled book.

In:  a Program.
Out: `Game` (its compiled code) and `State` (one match in native memory).

This is what search, training and statistics are built on: no words, no events, no objects for options. A
state is slots of 32 bits (see `ir.program` for the first of them), an option is its number and four numbers
of meaning. Everything a player may not know is in there as well: whoever decides for a seat imagines the
rest (see `players.fair`).

    game = Game(program)
    state = game.start(seed=7)
    while state.count:
        state.apply(random.randrange(state.count))
    print(state.slots[STATUS], state.decisions)

`apply` is one call of native code. A refused or faulty choice raises and changes nothing. `copy_from` is one
memory copy; `clone` needs new memory first, so a search keeps some states and copies into them. The memory
of a state (`address`, and where things lie in it: `native.layout`) may be handed to other native code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.ir.program import DECISION, DECISIONS, ENDED, RUNNING, SEAT, STATUS, Program
from rulewright.native import layout as at
from rulewright.native.engine import NativeEngine
from rulewright.native.library import Library, library
from rulewright.native.second import improve
from rulewright.play.arguments import told
from rulewright.play.faults import Fault
from rulewright.play.setup import option_slots, require_playable, resolve_options, resolve_seats, resolve_seed
from rulewright.play.single import Single

__all__ = ["DECISION", "ENDED", "RUNNING", "Fault", "Game", "State"]


class Game(Single):
    """A compiled book, from which matches are started."""

    instead = "make another one from its program, which can be pickled"

    def __init__(self, program: Program, params: Sequence[int] | None = None) -> None:
        """`params`: other numbers for the book than its own. Compiles, unless it was compiled before; of a
        large book what can be played at once, and beside it better code for matches that start later."""
        require_playable(program)
        self.program = program
        self.params = params
        self.code: Library = library(program)
        self.improving = improve(program)
        """The thread that waits for the better code, or None where there is none to come."""

    def start(
        self, seats: int | None = None, seed: int = 0, options: Mapping[str, str | int] | None = None
    ) -> State:
        """A new match at its first decision. Raises MatchError for what the book does not offer."""
        engine = NativeEngine(self.program, self.params, self.code)
        engine.record(False)
        chosen = option_slots(self.program, resolve_options(self.program, options))
        engine.start(len(resolve_seats(self.program, seats)), resolve_seed(seed), chosen)
        engine.advance()
        return State(engine)

    def load(self, data: bytes) -> State:
        """A match that stands where `State.save` was called. Raises ValueError for anything else."""
        engine = NativeEngine(self.program, self.params, self.code)
        engine.record(False)
        engine.load(data)
        return State(engine)


class State(Single):
    """One match. It belongs to one thread at a time."""

    instead = "use clone(), or save() and Game.load()"

    __slots__ = ("_arena", "_step", "address", "count", "engine", "slots")

    def __init__(self, engine: NativeEngine) -> None:
        self.engine = engine
        """The same match as an Engine."""
        self._arena = engine.arena
        self._step = engine.library.step
        self.address = self._arena.address
        """Where its memory begins."""
        self.slots = self._arena.cells
        """Every slot, live. Writing to them is for those who know the layout."""
        self.count = 0
        """How many options there are now; 0 when the match has ended."""
        self.relist()

    def relist(self) -> None:
        """List the options again, after slots were changed from outside."""
        self.count = self.engine.offers()

    @property
    def seat(self) -> int:
        """Who decides."""
        return self.slots[SEAT]

    @property
    def status(self) -> int:
        """DECISION, ENDED, or RUNNING before the first step of a loaded state."""
        return self.slots[STATUS]

    @property
    def decisions(self) -> int:
        """How many there were."""
        return self.slots[DECISIONS]

    def apply(self, index: int) -> None:
        """Take an option and run on to the next decision. Raises IndexError and Fault; nothing is changed
        then."""
        if not 0 <= index < self.count:
            raise IndexError(f"option {told(index)} of {self.count}")
        result = self._arena.call(self._step, index)
        if result < 0:
            raise self.engine.step_failed(index)
        self.count = result >> at.COUNT_SHIFT

    def undo(self) -> None:
        """Stand where the last `apply` began."""
        self.engine.step_back()
        self.relist()

    def option(self, index: int) -> tuple[int, int, int, int]:
        """One option: its verb and what it is done with."""
        if not 0 <= index < self.count:
            raise IndexError(f"option {told(index)} of {self.count}")
        return self._arena.option(index)

    def options(self) -> memoryview:
        """All options, four 32-bit numbers each (a row of `count` times 4), as they are now: a copy."""
        return self._arena.option_rows(self.count)

    def clone(self) -> State:
        """A second match that stands here."""
        return State(self.engine.copy())

    def copy_from(self, other: State) -> None:
        """Stand where another state of the same game stands, options and all."""
        self.engine.copy_from(other.engine)
        self.relist()

    def hash(self) -> int:
        """64 bits that name the state; equal on every engine and machine."""
        return self.engine.hash()

    def save(self) -> bytes:
        """The state, for `Game.load`."""
        return self.engine.state()

    def playout(self, seed: int, policies: Sequence[int] = ()) -> int:
        """Play on to the end and give the status. For each seat 0 (random) or k, the book's policy number
        k - 1. Raises Fault."""
        try:
            return self.engine.playout(seed, policies)
        finally:
            self.count = 0
