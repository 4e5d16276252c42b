"""The names that the outer library uses besides those of kernels.

In:  nothing.
Out: stand-ins only, so that editors and type checkers understand modules that are read as text. What they
     do natively is in `text`; tests give them a meaning on the reference engine.

The outer library is code around a match: it plays many of them, samples states and searches. `W` is its own
memory, `rnd` its own chance; the match it runs, the guest, is reached by the functions below alone.
"""

from __future__ import annotations


def peek(slot: int) -> int:
    """A slot of the guest; 0 outside of it."""
    raise NotImplementedError


def poke(slot: int, value: int) -> int:
    """Change a slot of the guest."""
    raise NotImplementedError


def restart() -> int:
    """Put the guest back into the state that Python has laid ready."""
    raise NotImplementedError


def seed_match(seed: int) -> int:
    """Seed the guest's dice and its players, as a match with this seed has them."""
    raise NotImplementedError


def reseed() -> int:
    """Give the guest's dice and players chance of this library's own."""
    raise NotImplementedError


def advance() -> int:
    """Run the guest to its next stop; its status, or -1 for a fault."""
    raise NotImplementedError


def relist() -> int:
    """List the options of the guest's decision again; how many there are, or -1 for a fault."""
    raise NotImplementedError


def choose(index: int) -> int:
    """Take an option of the guest; -1 for a fault."""
    raise NotImplementedError


def policy(which: int) -> int:
    """What the book's strategy number `which` (from 1) takes; -1 for a fault."""
    raise NotImplementedError


def playout() -> int:
    """Play the guest on to its end, each seat by its `sit`; the status, or -1 for a fault."""
    raise NotImplementedError


def sit(seat: int, which: int) -> int:
    """Who decides for a seat in `playout`: 0 at random, or the book's strategy number `which`."""
    raise NotImplementedError


def answering(on: int) -> int:
    """Whether the guest answers its decisions at random without coming out."""
    raise NotImplementedError


def offers() -> int:
    """How many options the guest offers."""
    raise NotImplementedError


def offer(index: int, part: int) -> int:
    """Part 0 to 3 of an option of the guest."""
    raise NotImplementedError


def events() -> int:
    """How many events the guest has recorded."""
    raise NotImplementedError


def event(index: int, part: int) -> int:
    """Part 0 to 5 of an event."""
    raise NotImplementedError


def forget_events() -> int:
    """Drop what the guest has recorded."""
    raise NotImplementedError


def root(value: int) -> int:
    """The square root, rounded down; of numbers below 2**52."""
    raise NotImplementedError
