"""Players for any book, by names for people: greedy, easy, medium, hard.

In:  a Program.
Out: players that `bots` seats by name.

How much a level thinks is told in lines, so that it plays a match again as it did before; with a clock beside
it, which only cuts in on a machine that is slower than it should be. Lines a millisecond are measured book by
book (`make values`); of another book a usual number is taken.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from rulewright.ir.program import Program
from rulewright.players.bots import Decider, Position, decide, decider, offer_family, offer_player
from rulewright.players.ground import playout
from rulewright.players.search import Budget, Thought, races, think
from rulewright.players.solve import solution
from rulewright.players.values import Setting, Values, settings, values_of

USUAL_LINES = 20
"""Lines a millisecond of a book that nobody has measured."""
PART = 0.1
"""How much of its time a level plans to use. The rest is for slower machines, and for people: `medium` would
win nearly everything with ten times the lines, so that nothing was left for `hard` to be better at."""
LEAST, LEAST_RACE, LEAST_HARD = 10, 24, 100
"""Lines that are thought in any case, also in books whose matches take long to play on; a race needs more."""
MOST_RACE = 200
"""More lines of a race are not worth their time: see docs/players.md."""
CAREFUL = 0.5
"""How often the easy player thinks at all."""


@dataclass(frozen=True, slots=True)
class Level:
    """A player that thinks so much. `careless`: how often it takes just anything; `hasty`: how often it takes
    what the book's strategy does."""

    name: str
    budget: Budget
    careless: float = 0.0
    hasty: float = 0.0
    solves: bool = False
    """Whether it plays a game that is small enough as it was solved."""
    special: Mapping[Setting, Level] = field(default_factory=dict[Setting, "Level"])
    """What it is in matches with a setting that has learned values of its own."""

    def at(self, settings: Iterable[Setting]) -> Level:
        """What it is in matches with these settings."""
        return next((self.special[word] for word in settings if word in self.special), self)

    def unhurried(self) -> Level:
        """The same without its clock."""
        special = {setting: level.unhurried() for setting, level in self.special.items()}
        return replace(self, budget=replace(self.budget, milliseconds=math.inf), special=special)

    def decide(self, now: Position) -> int:
        """The option it takes."""
        if now.options == 1:
            return 0
        return self.at(settings(now.program, now.slots)).decided(now)

    def decided(self, now: Position) -> int:
        """The same by this level's own numbers, whatever the setting."""
        chance = random.Random(now.seed)
        if self.careless and chance.random() < self.careless:
            return chance.randrange(now.options)
        chances = solution(now) if self.solves else None
        if chances is not None:
            return chance.choices(range(now.options), chances)[0]
        strategies = now.program.sheet.strategies
        if self.careless and strategies:
            return decide(now, strategies[0])
        if self.hasty and strategies and chance.random() < self.hasty:
            return decide(now, strategies[playout(now.program) - 1])
        return self.thought(now).option

    def thought(self, now: Position) -> Thought:
        """The same with its reasons."""
        return think(now, self.at(settings(now.program, now.slots)).budget)


def cores() -> int:
    """How many cores hard thinking uses."""
    return min(2, os.cpu_count() or 1)


def greedy(program: Program) -> Level:
    """One step, and what positions are worth then."""
    return Level("greedy", Budget(400, 50, deep=1))


def easy(program: Program) -> Level:
    """For a first evening: every other choice is thoughtless."""
    return Level("easy", Budget(100, 50), careless=1 - CAREFUL)


def medium(program: Program) -> Level:
    """What fits into 50 ms on one core."""

    def made(known: Values) -> Level:
        least = LEAST_RACE if races(program, known) else LEAST
        budget = Budget(max(least, round(PART * 50 * (known.lines or USUAL_LINES))), 150)
        return Level("medium", budget, hasty=known.hasty)

    return _at_settings(made, values_of(program))


def hard(program: Program) -> Level:
    """What fits into half a second on two cores."""

    def made(known: Values) -> Level:
        lines = max(LEAST_HARD, round(PART * 1000 * (known.lines or USUAL_LINES)))
        lines = min(lines, MOST_RACE) if races(program, known) else lines
        return Level("hard", Budget(lines, 550, cores()), solves=True)

    return _at_settings(made, values_of(program))


def _at_settings(made: Callable[[Values], Level], known: Values) -> Level:
    return replace(made(known), special={setting: made(some) for setting, some in known.special.items()})


def searching(program: Program, lines: int) -> Level:
    """A search of so many lines on one core, however long it takes."""
    return Level(f"search-{lines}", Budget(lines, whole=True))


def unhurried(program: Program, name: str) -> Decider:
    """The player of a name without its clock: a run gives the same bytes on a busy machine, too."""
    player = decider(program, name)
    return player.unhurried() if isinstance(player, Level) else player


offer_family("search", searching)

# The last is who sits down unasked where a book brings no bot of its own.
for _maker in (greedy, hard, medium, easy):
    offer_player(_maker.__name__, _maker)
