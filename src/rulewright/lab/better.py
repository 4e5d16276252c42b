"""Does a better choice win? Asked at positions, where whole matches of a searching player take too long.

In:  a Setting whose players are the book's own, a level, how many positions, how many trials of each.
Out: `Gain`: what one choice of the level is worth beyond that of the book's strategy, and how sure that is.

At a position the level thinks. Where it would leave the strategy's option, both are tried from the same
made-up states with the same dice, other ones than it thought with, and the strategy plays on to the end. So
luck in choosing does not count as skill; what is told is the worth of a single choice, not of a whole match.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from rulewright.lab import intervals
from rulewright.lab.again import again
from rulewright.lab.simulate import Setting
from rulewright.native.engine import NativeEngine
from rulewright.native.outer import map as at
from rulewright.play.chance import MASK, fnv1a
from rulewright.play.faults import Fault, MatchError
from rulewright.play.setup import option_slots
from rulewright.players.bots import Position, position_of
from rulewright.players.ground import DEEP, prepare, trees_for
from rulewright.players.search import Budget, think
from rulewright.players.values import values_of

A_MATCH = 6
"""Positions that are looked at in one match, spread over it."""
FRESH = 1 << 40
"""How far the dice of trials are from those of thinking."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What came of it. `rows`: for each match its positions, those that the level left the strategy at, and
    the sum of what it gained there, as a share of a win."""

    player: str
    lines: int
    trials: int
    rows: tuple[tuple[int, int, float], ...]

    @property
    def positions(self) -> int:
        """How many positions were looked at."""
        return sum(row[0] for row in self.rows)

    @property
    def left(self) -> int:
        """At how many of them the level takes something else than the strategy."""
        return sum(row[1] for row in self.rows)

    @property
    def mean(self) -> float:
        """What one choice gains."""
        return sum(row[2] for row in self.rows) / max(1, self.positions)

    @property
    def interval(self) -> intervals.Interval:
        """Of that: positions of one match hang together, so a match is one sample."""
        many = len(self.rows)
        if many < 2:
            return -1.0, 1.0
        mean = self.mean
        spread = sum((row[2] - mean * row[0]) ** 2 for row in self.rows) * many / (many - 1)
        half = intervals.USUAL * math.sqrt(spread) / max(1, self.positions)
        return mean - half, mean + half


def gain(
    table: Setting,
    player: str,
    lines: int,
    matches: int,
    trials: int,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Gain:
    """Look at positions of the first matches of a run. The same for any number of jobs."""
    rows: list[tuple[int, int, float]] = []
    with ThreadPoolExecutor(jobs) as pool:
        tasks = [pool.submit(_match, table, match, lines, trials) for match in range(matches)]
        for task in tasks:
            rows.append(task.result())
            if progress is not None:
                progress(len(rows), matches)
    return Gain(player, lines, trials, tuple(row for row in rows if row[0]))


def _match(table: Setting, match: int, lines: int, trials: int) -> tuple[int, int, float]:
    """The positions of one match."""
    seen = left = 0
    total = 0.0
    for now in _positions(table, match):
        thought = think(now, Budget(lines))
        seen += 1
        if thought.plain >= 0 and thought.option != thought.plain:
            left += 1
            total += _ahead(now, thought.option, thought.plain, trials)
    return seen, left, total


def _positions(table: Setting, match: int) -> Iterator[Position]:
    """Decisions with several options, spread over a match as the book's own players play it."""
    engine = NativeEngine(table.program)
    engine.record(False)
    try:
        taken = again(table, match).choices
        wanted = {len(taken) * (2 * k + 1) // (2 * A_MATCH) for k in range(A_MATCH)}
        engine.start(len(table.names), table.seed_of(match), option_slots(table.program, table.options))
        engine.advance()
        for step, choice in enumerate(taken[: max(wanted) + 1]):
            now = position_of(engine, table.seed_of(match))
            if step in wanted and now.options > 1:
                yield now
            engine.choose(choice)
            engine.advance()
    except (Fault, MatchError):  # a match that the rules fail in is told elsewhere
        return


def _ahead(now: Position, option: int, plain: int, trials: int) -> float:
    """By how much an option is better than the strategy's, in the same states and with the same dice."""
    (tree,) = trees_for(now.program, 1)
    seed = fnv1a(now.seed.encode()) + FRESH
    prepare(tree, now, values_of(now.program), DEEP, seed)
    total = done = 0
    for number in range(trials):
        worth: list[int] = []
        for which in (option, plain):
            tree.outer.seed(seed + number & MASK)
            if tree.outer.call("attempt", which):
                worth.append(tree.outer.memory[at.UTILITY + now.seat])
        if len(worth) == 2:
            total += worth[0] - worth[1]
            done += 1
    return total / at.ONE / max(1, done)
