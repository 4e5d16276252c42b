"""Bots: random, and the book's own strategies for seats.

In:  a match that stands at a decision, and the name of a bot.
Out: the number of an option.

A bot gets the options that its seat is offered and what its seat can see; chance of its own comes
from a generator seeded by the match and the number of the decision, so that a match with bots can be
played again.
"""

from __future__ import annotations

import random

from rulewright.ir.program import DECISIONS, RNG_HI, RNG_LO
from rulewright.play.faults import MatchError
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine

RANDOM = "random"


def names(match: Match) -> tuple[str, ...]:
    """The bots this book can seat."""
    return (RANDOM, *match.program.sheet.strategies)


def think(match: Match, bot: str) -> int:
    """The option this bot takes. Raises MatchError for a bot the book does not have."""
    decision = match.decision
    if decision is None:
        raise MatchError("the match has ended, there is nothing to choose")
    chance = random.Random(f"{match.seed} {match.engine.peek(DECISIONS)} {decision.seat}")
    if bot == RANDOM:
        return chance.randrange(len(decision.options))
    if bot not in match.program.sheet.strategies:
        raise MatchError(f"the book has no player called '{bot}'")
    choice = _policy(match, match.program.sheet.strategies.index(bot), chance)
    return choice if 0 <= choice < len(decision.options) else 0


def _policy(match: Match, which: int, chance: random.Random) -> int:
    """Ask the book's policy on a copy of the match whose dice are the bot's own."""
    engine = ReferenceEngine(match.program)
    engine.load(match.engine.state())
    engine.record(False)
    engine.poke(RNG_LO, chance.getrandbits(31))
    engine.poke(RNG_HI, chance.getrandbits(31))
    engine.options()
    return engine.functions[f"policy_{which}"]()
