"""Whether a player is fair: what its seat cannot know must not move it.

In:  a Program, a player, how many positions.
Out: `Fairness`: positions that were tried, and those in which the player chose otherwise when only what its
     seat cannot see was exchanged, and the dice to come.

Positions come from matches played at random. Each is asked about twice: as it is, and with hidden cards and
secret numbers dealt anew and another generator. Both look the same to the seat (its view and its options are
compared), and the player is given the same seed, so it must choose the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from rulewright.ir.program import DECISION, STATUS, Program
from rulewright.native.engine import NativeEngine
from rulewright.play.faults import Fault
from rulewright.play.view import view
from rulewright.players.bots import Decider, Position, position_of
from rulewright.players.fair import filled
from rulewright.players.guess import guess

LONGEST = 400


@dataclass(frozen=True, slots=True)
class Leak:
    """A player that was moved: in which match, at which decision, and what it took then."""

    match: int
    decision: int
    taken: int
    otherwise: int


@dataclass(frozen=True, slots=True)
class Fairness:
    """How many positions were tried, in how many of them cards or numbers were hidden, and what was found."""

    positions: int
    hidden: int
    leaks: tuple[Leak, ...]


def fairness(
    program: Program, player: Decider, positions: int = 12, seed: int = 0, seats: int | None = None
) -> Fairness:
    """Try a player at so many positions of a book."""
    engine, chance = NativeEngine(program), random.Random(seed)
    engine.record(False)
    tried = hidden = 0
    leaks: list[Leak] = []
    match = 0
    while tried < positions and match < 4 * positions:
        engine.start(seats or program.seats[0], seed + match, {})
        stop = chance.randrange(1 << chance.randrange(7))  # also in books whose matches are short
        try:
            engine.advance()
            for step in range(LONGEST):
                if engine.peek(STATUS) != DECISION:
                    break
                if step >= stop and len(engine.options()) > 1:
                    now = position_of(engine, seed + match)
                    other = exchanged(now, chance)
                    if other is not None:
                        tried += 1
                        hidden += any(a != b for a, b in zip(now.slots[16:], other.slots[16:], strict=True))
                        first, second = player.decide(now), player.decide(other)
                        if first != second:
                            leaks.append(Leak(match, step, first, second))
                    break
                engine.choose(chance.randrange(len(engine.options())))
                engine.advance()
        except Fault:
            pass
        match += 1
    return Fairness(tried, hidden, tuple(leaks))


def exchanged(now: Position, chance: random.Random) -> Position | None:
    """The same position to its seat, with everything else dealt anew; None when none was found."""
    open_ = guess(now.program, now.slots, now.seat, now.native)
    seen = view(now.program, now.slots, now.seat)
    engine = NativeEngine(now.program)
    for _ in range(20):
        slots = filled(open_, now.slots, chance)
        engine.load(b"".join(slot.to_bytes(4, "little", signed=True) for slot in slots))
        if view(now.program, slots, now.seat) == seen and tuple(engine.options()) == now.offers:
            return replace(now, slots=tuple(slots))
    return None
