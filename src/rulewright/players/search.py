"""A player that searches: many lines are played from states its seat cannot tell from the real one.

In:  a position, how many lines and how long at most.
Out: `Thought`: the option, what each option is worth and how sure that is, the lines it expects.

The tree is grown in native code (`native.outer.search`), one tree a thread, each outside the interpreter
lock; what they found is added up at the root, and `weighing` says which option is taken. Each tree stops as
soon as more lines could not change that. Where lines are few and long, options `race` instead.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from rulewright.ir.program import Program
from rulewright.native.outer import map as at
from rulewright.play.chance import fnv1a
from rulewright.players.ahead import expected
from rulewright.players.bots import Position
from rulewright.players.ground import DEEP, Tree, cut, option_key, playout, prepare, trees_for
from rulewright.players.race import Race, raced
from rulewright.players.values import Values, values_at
from rulewright.players.weighing import GUARD, Row, Worth, looks, settled, taken, weighed

TOLD = 5
"""Options whose lines are told."""
PIECE_MS = 8
"""About how long native code runs before the clock is looked at."""
FEW = 400
"""So many lines that are long are better spent in a race than in a tree."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much to think: so many lines at most, but no longer than so many milliseconds; on so many cores."""

    lines: int
    milliseconds: float = math.inf
    cores: int = 1
    deep: int = DEEP
    whole: bool = False
    """Whether all lines are played, also when the choice is clear before."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of thinking. `worths`: options that were tried, the most tried first."""

    option: int
    estimate: float
    lines: int
    worths: tuple[Worth, ...]
    seconds: float
    plain: int = -1
    """What the book's strategy would take, if it has one."""


def think(now: Position, budget: Budget, values: Values | None = None, guard: float = GUARD) -> Thought:
    """Search from a position. What it takes depends on the position, its seed and the number of lines alone,
    as long as the clock does not cut it short."""
    began = time.perf_counter()
    known = values_at(now.program, now.slots) if values is None else values
    trees = trees_for(now.program, max(1, budget.cores))
    seed = fnv1a(now.seed.encode())
    for number, tree in enumerate(trees):
        prepare(tree, now, known, budget.deep, seed + number)
    end = began + budget.milliseconds / 1000
    if budget.lines <= FEW and races(now.program, known):
        race = raced(now, trees, seed, budget.lines, end, guard)
        return _told(race, time.perf_counter() - began)
    share = -(-budget.lines // len(trees))
    many = 0 if budget.whole else len({option_key(now, index) for index in range(now.options)})
    if len(trees) == 1:
        _grow(trees[0], share, end, many, guard)
    else:
        with ThreadPoolExecutor(len(trees)) as pool:
            for task in [pool.submit(_grow, tree, share, end, many, guard) for tree in trees]:
                task.result()
    return _gathered(now, trees, guard, time.perf_counter() - began)


def races(program: Program, values: Values) -> bool:
    """Whether lines are played on by a strategy of the book, to the end of the match or nearly."""
    return playout(program, values) > 0 and (values.race or not cut(program, values))


def _told(race: Race | None, seconds: float) -> Thought:
    """What came of a race."""
    if race is None:
        return Thought(0, 0.5, 0, (), seconds)
    worths = weighed(race.rows())
    estimate = next((worth.mean for worth in worths if worth.option == race.best), 0.5)
    return Thought(race.best, estimate, race.lines, worths, seconds, race.plain)


def _grow(tree: Tree, lines: int, end: float, many: int, guard: float) -> None:
    """Grow a tree until all is clear about `many` options (0: never looked at), or to the end."""
    done, piece = 0, 32
    for stop in looks(lines):
        while done < stop and (done == 0 or time.perf_counter() < end):
            began = time.perf_counter()
            count = min(piece, stop - done) if end < math.inf else stop - done
            if tree.outer.call("search", count) < count:
                return  # no state was found that offers the same: nothing can be said
            done += count
            spent = max(1e-6, time.perf_counter() - began)
            piece = max(1, min(2 * piece, int(count * PIECE_MS / 1000 / spent)))
        if done < stop or (many and _clear(tree, many, guard)):
            return


def _clear(tree: Tree, many: int, guard: float) -> bool:
    """Whether a tree by itself is sure enough."""
    rows = [row for _, row in _below(tree)]
    if len(rows) < many:
        return False
    plain = tree.outer.memory[tree.outer.memory[at.NODES_AT] + at.PRIOR] - 1
    return settled(weighed(rows, _certain(tree)), plain, guard)


def _below(tree: Tree) -> Iterator[tuple[int, Row]]:
    """The nodes below the root of a tree, each with its key and numbers."""
    memory = tree.outer.memory
    child = memory[memory[at.NODES_AT] + at.CHILD]
    while child:
        some = (
            memory[child + at.KEY],
            memory[child + at.VISITS],
            memory[child + at.SUM],
            memory[child + at.SQUARE],
        )
        yield child, some
        child = memory[child + at.NEXT]


def _certain(tree: Tree) -> dict[int, float]:
    """What is known for sure below the root of a tree, by key."""
    memory = tree.outer.memory
    return {
        key: memory[child + at.CERTAIN + memory[child + at.PLACE] % 32] / at.ONE
        for child, (key, *_) in _below(tree)
        if memory[child + at.DECIDED]
    }


def _gathered(now: Position, trees: list[Tree], guard: float, seconds: float) -> Thought:
    """What all trees say about the options."""
    sums: dict[int, tuple[int, int, int]] = {}
    nodes: dict[int, int] = {}
    """The first tree's nodes of the options."""
    plain_key, lines = 0, 0
    known: dict[int, float] = {}
    for tree in trees:
        memory = tree.outer.memory
        top = memory[at.NODES_AT]
        lines += memory[at.ITERATIONS]
        plain_key = plain_key or memory[top + at.PRIOR]
        known |= _certain(tree)
        for child, (key, *more) in _below(tree):
            row = sums.get(key, (0, 0, 0))
            sums[key] = (row[0] + more[0], row[1] + more[1], row[2] + more[2])
            if tree is trees[0]:
                nodes[key] = child
    keys = [option_key(now, index) for index in range(now.options)]
    rows = [(index, sums.pop(key, (0, 0, 0))) for index, key in enumerate(keys)]  # equals: the first of them
    sure = {index: known[key] for index, key in enumerate(keys) if key in known}
    worths = weighed([(index, *row) for index, row in rows if row[0]], sure)
    plain = keys.index(plain_key - 1) if plain_key - 1 in keys else -1
    if not worths:
        return Thought(max(plain, 0), 0.5, lines, (), seconds, plain)
    best = taken(worths, plain, guard)
    memory = trees[0].outer.memory
    worths = (
        tuple(
            replace(worth, then=expected(memory, nodes[keys[worth.option]]))
            if keys[worth.option] in nodes
            else worth
            for worth in worths[:TOLD]
        )
        + worths[TOLD:]
    )
    return Thought(best.option, best.mean, lines, worths, seconds, plain)
