"""Options in a race: each is played on from the same sampled states, and meets the same dice.

In:  a position laid out in trees (see `ground`), how many lines at most, until when.
Out: `Race`: what each option was worth in each round, which is taken, what the strategy takes.

Where a line is long and lines are few, a tree has nothing to grow from: what counts is to tell good options
from bad ones with as few lines as can be. In a round all options that are still in the race start from one
state, so luck that they share drops out of the differences, and choices that change nothing are seen to
change nothing after a few rounds. After 2, 4, 8, .. rounds the worse half goes, whoever can hardly be better
than the strategy's own option any more, whoever shows nothing after a few rounds, and of options that came
to the same in every round all but one. What comes of it does not depend on the number of cores.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

from rulewright.native.outer import map as at
from rulewright.play.chance import MASK
from rulewright.players.bots import Position
from rulewright.players.ground import Tree, option_key
from rulewright.players.weighing import GUARD, POOLED, SLACK, SURE, Row, luck

LEAST_ROUNDS = 5
"""Where there are not so many rounds for everybody, nobody could show enough for the guard: none is run."""
LEAST_SPREAD = 4e-5
"""Of two options that have not differed in eight rounds the race is over."""
JUDGED = 0.08
"""What an option must be ahead by where lines are judged before their end: by how much values are wrong does
not become less with more lines, and whoever trusts smaller leads takes what they overrate."""
AHEAD, PART = 8, 6
"""Who is not ahead of the strategy's option after so many rounds is given up, or sooner: who was not better
once in a sixth of what there is to play. Most choices of a long match matter little, and would take all
lines that there are to show it; what a search gains lies in the few that matter much, and show it soon."""

Tried = Callable[[int, Sequence[int]], "list[int] | None"]
"""What some options are worth in the state and with the dice of a round; None when there is no such state."""


class Lead(NamedTuple):
    """How far an option is ahead of the strategy's own, and the standard error of that."""

    mean: float
    error: float


@dataclass(slots=True)
class Race:
    """How a race stands. `worth`: of each option the rounds it was in, from the first on; `least`: what an
    option must be ahead by in any case."""

    plain: int
    worth: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    best: int = -1
    least: float = 0.0

    @property
    def lines(self) -> int:
        """How many lines were played."""
        return sum(map(len, self.worth.values()))

    def rows(self) -> list[Row]:
        """The options with the sums of what they were worth."""
        return [(o, len(w), sum(w), sum(x * x // at.ONE for x in w)) for o, w in self.worth.items() if w]


def leads(race: Race) -> dict[int, Lead]:
    """Who is ahead of the strategy's option by how much. To each spread some rounds of the common one are
    added, so that three equal rounds are no certainty."""
    own = race.worth[race.plain]
    apart = {
        option: [(x - y) / at.ONE for x, y in zip(worth, own, strict=False)]
        for option, worth in race.worth.items()
        if option != race.plain and worth
    }
    squares = [x * x for some in apart.values() for x in some]
    common = max(LEAST_SPREAD, sum(squares) / max(1, len(squares)))
    found: dict[int, Lead] = {}
    for option, some in apart.items():
        mean = sum(some) / len(some)
        spread = sum((x - mean) ** 2 for x in some)
        spread = (spread + common * POOLED) / (len(some) + POOLED)
        found[option] = Lead(mean, math.sqrt(spread / len(some)))
    return found


def winner(race: Race, guard: float) -> int:
    """The strategy's option, unless another is surely better."""
    gains = {
        option: lead.mean - guard * luck(len(race.worth)) * doubt(len(race.worth[option])) * lead.error
        for option, lead in leads(race).items()
    }
    best = max(gains, key=lambda option: gains[option], default=race.plain)
    return best if best != race.plain and gains[best] > race.least else race.plain


def doubt(rounds: int) -> float:
    """By how much surer one must be after few rounds. A match has hundreds of choices, and most of them
    matter little: whoever believed in what five rounds show would leave the strategy at every eighth by
    chance alone (with ten lines a choice 4 of 20 quests were won, where the strategy wins 8)."""
    return 1 + POOLED / rounds


def promising(race: Race, runners: Sequence[int], lines: int) -> list[int]:
    """Without those who show nothing, and those who were always worth what another was."""
    own, told = race.worth[race.plain], set[tuple[int, ...]]()
    found: list[int] = []
    for option in runners:
        worth = tuple(race.worth[option])
        gains = [x - y for x, y in zip(worth, own, strict=False)]
        once = max(gains) > SLACK * at.ONE or len(worth) < min(AHEAD, lines // PART)
        ahead = sum(gains) > 0 or len(worth) < AHEAD
        if once and ahead and worth not in told:
            found.append(option)
        told.add(worth)
    return found


def still_in(race: Race, runners: Sequence[int], lines: int) -> list[int]:
    """Who stays: the better half of the promising, without those who can hardly be better than the
    strategy's option. Nobody, where the last one is better for sure: more rounds would change nothing."""
    found, sure, slack = leads(race), SURE * luck(len(race.worth)), max(SLACK, race.least)
    ranked = sorted(promising(race, runners, lines), key=lambda option: (-found[option].mean, option))
    half = ranked[: max(1, len(ranked) // 2)]
    left = [option for option in half if found[option].mean + sure * found[option].error > slack]
    if len(left) == 1:
        ahead, error = found[left[0]]
        if ahead - sure * doubt(len(race.worth[left[0]])) * error > race.least:
            return []
    return left


def run(
    tried: Iterable[Tried],
    plain: int,
    options: Sequence[int],
    lines: int,
    end: float,
    least: float = 0.0,
) -> Race:
    """Race options against the strategy's, `plain`. `tried`: one a core; `least`: see Race."""
    cores = list(tried)
    runners = [option for option in options if option != plain]
    race = Race(plain, {plain: [], **{option: [] for option in runners}}, least=least)
    if lines < LEAST_ROUNDS * (1 + len(runners)):
        return race
    done, look = 0, 2
    with ThreadPoolExecutor(len(cores)) as pool:
        while runners and (done == 0 or time.perf_counter() < end):
            left = max(0, lines - race.lines) // (1 + len(runners))
            if done == look or not left:
                fewer = still_in(race, runners, lines)
                if not left and len(fewer) == len(runners):
                    break
                runners, look = fewer, max(look, 2 * done)
                continue
            some = range(done, min(look, done + left))
            tasks = [
                pool.submit(_rounds, core, some[number :: len(cores)], race.plain, runners, end)
                for number, core in enumerate(cores)
            ]
            found = {number: row for task in tasks for number, row in task.result().items()}
            for number in some:
                if number not in found:
                    return race  # the clock, or no such state
                _note(race, runners, found[number])
            done = some.stop
    return race


def _rounds(core: Tried, some: range, plain: int, runners: Sequence[int], end: float) -> dict[int, list[int]]:
    """What the strategy's option and the others were worth in some rounds."""
    found: dict[int, list[int]] = {}
    for number in some:
        row = core(number, (plain, *runners))
        if row is None:
            break
        found[number] = row
        if time.perf_counter() >= end:
            break
    return found


def _note(race: Race, runners: Sequence[int], row: Sequence[int]) -> None:
    for option, worth in zip((race.plain, *runners), row, strict=True):
        race.worth[option].append(worth)


def raced(
    now: Position, trees: Sequence[Tree], seed: int, lines: int, end: float, guard: float = GUARD
) -> Race | None:
    """A race at a position that trees were prepared for."""
    firsts: dict[int, int] = {}
    for index in range(now.options):
        firsts.setdefault(option_key(now, index), index)

    def on(tree: Tree) -> Tried:
        def tried(number: int, options: Sequence[int]) -> list[int] | None:
            found: list[int] = []
            for option in options:
                tree.outer.seed(seed + number & MASK)
                if not tree.outer.call("attempt", option):
                    return None
                found.append(tree.outer.memory[at.UTILITY + now.seat])
            return found

        return tried

    trees[0].outer.seed(seed & MASK)
    if not trees[0].outer.call("pick"):
        return None  # no state offers the same
    plain = firsts[option_key(now, trees[0].outer.memory[at.PICKED])]
    least = JUDGED if trees[0].outer.memory[at.CUT] else 0.0
    race = run([on(tree) for tree in trees], plain, [*firsts.values()], lines, end, least)
    race.best = winner(race, guard)
    return race
