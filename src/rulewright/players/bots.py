"""Bots: random, and the book's own strategies for seats.

In:  a position (what a seat has to decide, in a state it cannot tell from the real one) and a bot's name.
Out: the number of an option.

A bot never sees what its seat does not: see `fair`. Its chance comes from a generator seeded by the match
and the number of the decision, so that a match with bots can be played again.
"""

from __future__ import annotations

import random
import struct
import threading
from dataclasses import dataclass

from rulewright.ir.program import DECISIONS, Program
from rulewright.native import NativeEngine
from rulewright.play.arguments import told
from rulewright.play.engine import OptionRow
from rulewright.play.faults import Fault, MatchError, MatchFault
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine
from rulewright.players.fair import imagine

RANDOM = "random"
ENGINES = 8
"""Engines that each thread keeps for the next bot of the same book."""

_kept = threading.local()


@dataclass(frozen=True, slots=True)
class Position:
    """A decision, taken out of its match: it can be thought about in another thread."""

    program: Program
    slots: tuple[int, ...]
    seat: int
    offers: tuple[OptionRow, ...]
    seed: str
    native: bool = False

    @property
    def options(self) -> int:
        """How many options there are."""
        return len(self.offers)


def names(program: Program) -> tuple[str, ...]:
    """The bots this book can seat."""
    return (RANDOM, *program.sheet.strategies)


def position(match: Match) -> Position:
    """Where the match stands. Raises MatchError when it has ended."""
    decision = match.decision
    if decision is None:
        raise MatchError("the match has ended, there is nothing to choose")
    seed = f"{match.seed} {match.engine.peek(DECISIONS)} {decision.seat}"
    native = isinstance(match.engine, NativeEngine)
    return Position(match.program, match.slots(), decision.seat, tuple(match.engine.options()), seed, native)


def think(match: Match, bot: str) -> int:
    """The option this bot takes. Raises MatchError for a bot the book does not have."""
    return decide(position(match), bot)


def decide(now: Position, bot: str) -> int:
    """The option this bot takes. Raises MatchError for a bot the book does not have."""
    chance = random.Random(now.seed)
    if bot == RANDOM:
        return chance.randrange(now.options)
    if bot not in now.program.sheet.strategies:
        raise MatchError(f"the book has no player called {told(bot)}")
    made = imagine(now.program, now.slots, now.seat, chance)
    engine = _engine(now)
    engine.load(struct.pack(f"<{len(made)}i", *made))
    try:
        offers = engine.options()
        choice = engine.policy(now.program.sheet.strategies.index(bot))
    except Fault as fault:
        raise MatchFault(fault, f"{bot} cannot decide: {fault.where(now.program.sheet.sites)}") from None
    taken = offers[choice] if 0 <= choice < len(offers) else None
    # Made-up cards may be offered otherwise than the real ones, so what counts is the option, not its number.
    if taken is not None and choice < now.options and now.offers[choice] == taken:
        return choice
    return now.offers.index(taken) if taken in now.offers else chance.randrange(now.options)


def _engine(now: Position) -> NativeEngine | ReferenceEngine:
    """An engine of this thread's own for the book."""
    engines: dict[tuple[str, bool], NativeEngine | ReferenceEngine] = _kept.__dict__.setdefault("engines", {})
    key = (now.program.digest, now.native)
    engine = engines.pop(key, None)
    if engine is None:
        engine = NativeEngine(now.program) if now.native else ReferenceEngine(now.program)
        engine.record(False)
    engines[key] = engine  # the newest last
    while len(engines) > ENGINES:
        del engines[next(iter(engines))]
    return engine
