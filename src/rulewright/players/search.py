"""A player that searches: many lines are played from states its seat cannot tell from the real one.

In:  a position, how many lines and how long at most.
Out: `Thought`: the option, what each option is worth and how sure that is, the lines it expects.

The tree is grown in native code (`native.outer.search`), one tree a thread, each outside the interpreter
lock; what they found is added up at the root, and `weighing` says which option is taken. Each tree stops as
soon as more lines could not change that.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from rulewright.ir.program import SEATS, Program
from rulewright.native.outer import Outer
from rulewright.native.outer import map as at
from rulewright.play.chance import fnv1a
from rulewright.play.knowledge import face_of, find_field
from rulewright.players.ahead import expected
from rulewright.players.bots import Position
from rulewright.players.guess import guess, has_secrets
from rulewright.players.stakes import stakes
from rulewright.players.values import Values, squash_cells, value_cells, values_of
from rulewright.players.weighing import GUARD, Row, Worth, looks, settled, taken, weighed

EXPLORE, BIAS, LENGTHEN, STRAY = 0.45, 0.25, 2000, 0
DOUBT = 500
"""Of a thousand choices of others in the tree, those that must not know what the seat has in hand."""
TOLD = 5
"""Options whose lines are told."""
TRIES, WIDE, DEEP = 40, 512, 400
PIECE_MS = 8
"""About how long native code runs before the clock is looked at."""
KEPT = 4

_kept = threading.local()


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


@dataclass(slots=True)
class Tree:
    """One thread's tree: an Outer and where its tables begin."""

    outer: Outer
    free: int


def plant(program: Program) -> Tree:
    """Memory for a tree, with the tables that never change."""
    outer = Outer(program)
    memory = outer.memory
    memory[at.LOGS_AT] = at.TABLES
    logs = [0, *(round(at.ONE * math.log(n)) for n in range(1, at.LOGS))]
    place = memory[at.SQUASH_AT] = outer.fill(at.TABLES, logs)
    place = memory[at.VERB_AT] = outer.fill(place, squash_cells())
    verbs = program.sheet.verbs
    memory[at.VERBS] = len(verbs)
    masks = [sum(1 << k for k, kind in enumerate(verb.args[:3]) if kind == "Card") for verb in verbs]
    place = memory[at.PATH_AT] = outer.fill(place, masks)
    memory[at.FOUND_AT] = place + 2 * DEEP
    memory[at.WIDE] = WIDE
    face = find_field(program, "Card", "face")
    memory[at.FACE_AT] = -1 if face is None else face.base
    outer.listen(False)
    return Tree(outer, memory[at.FOUND_AT] + 2 * WIDE)


def _trees(program: Program, count: int) -> list[Tree]:
    """Trees of this thread's own."""
    kept: dict[str, list[Tree]] = _kept.__dict__.setdefault("trees", {})
    found = kept.pop(program.digest, [])
    while len(found) < count:
        found.append(plant(program))
    kept[program.digest] = found
    while len(kept) > KEPT:
        del kept[next(iter(kept))]
    return found[:count]


def prepare(tree: Tree, now: Position, values: Values, deep: int, seed: int) -> None:
    """Lay out everything that a search from this position needs."""
    outer, program = tree.outer, now.program
    memory = outer.memory
    outer.prepare(memoryview(bytearray(b"".join(x.to_bytes(4, "little", signed=True) for x in now.slots))))
    outer.seed(seed)
    open_ = guess(program, now.slots, now.seat, native=True)
    memory[at.SEATS] = now.slots[SEATS]
    memory[at.SCORE] = program.sheet.result.get("score", 0)
    memory[at.RANK] = program.sheet.result.get("rank", -1)
    given = stakes(program, now.slots)
    memory[at.POINTS], memory[at.POINTED] = given.points, given.pointed
    memory[at.LEAST], memory[at.WIDTH] = given.low, given.high - given.low
    memory[at.TRIES] = TRIES
    memory[at.CLASSES], memory[at.SECRETS] = len(open_.classes), len(open_.secrets)
    memory[at.SAMPLED] = memory[at.REJECTED] = memory[at.ITERATIONS] = memory[at.FAULTY] = 0
    memory[at.DEPTHS] = memory[at.DEEPEST] = 0
    memory[at.ROOT_COUNT] = len(now.offers)
    place = memory[at.ROOT_OFFERS] = tree.free
    place = memory[at.SAMPLE] = outer.fill(place, [part for offer in now.offers for part in offer])
    place = outer.fill(place, open_.cells())
    memory[at.VALUE_AT] = place if values.holds else 0
    if values.holds:
        place = outer.fill(place, value_cells(program, now.slots, values))
    which = playout(program, values)
    for seat in range(32):
        memory[at.SEAT_POLICY + seat] = which
        outer.guest.policies[seat] = which
    memory[at.CUT] = values.cut if values.holds else 0
    memory[at.EXPLORE], memory[at.BIAS] = round(EXPLORE * at.ONE), round(BIAS * at.ONE)
    memory[at.STRAY], memory[at.LENGTHEN] = STRAY, LENGTHEN
    # Where the book has a strategy, what is measured in docs/players.md was played without doubt.
    doubt = has_secrets(program) and which == 0
    memory[at.DOUBT], memory[at.ROOT_SEAT] = DOUBT if doubt else 0, now.seat
    memory[at.FAST] = int(which == 0)
    memory[at.PATH_ROOM] = deep
    memory[at.NODES_AT] = place
    memory[at.NODES] = 1
    memory[at.NODE_ROOM] = (at.ROOM - place) // at.NODE
    outer.clear(place, at.NODE)


def playout(program: Program, values: Values | None = None) -> int:
    """Which strategy of the book plays on, counted from 1; 0 where there is none."""
    known, values = program.sheet.strategies, values_of(program) if values is None else values
    if not known:
        return 0
    return 1 + (known.index(values.playout) if values.playout in known else 0)


def think(now: Position, budget: Budget, values: Values | None = None, guard: float = GUARD) -> Thought:
    """Search from a position. What it takes depends on the position, its seed and the number of lines alone,
    as long as the clock does not cut it short."""
    began = time.perf_counter()
    known = values_of(now.program) if values is None else values
    trees = _trees(now.program, max(1, budget.cores))
    seed = fnv1a(now.seed.encode())
    for number, tree in enumerate(trees):
        prepare(tree, now, known, budget.deep, seed + number)
    share = -(-budget.lines // len(trees))
    end = began + budget.milliseconds / 1000
    many = 0 if budget.whole else len({option_key(now, index) for index in range(now.options)})
    if len(trees) == 1:
        _grow(trees[0], share, end, many, guard)
    else:
        with ThreadPoolExecutor(len(trees)) as pool:
            for task in [pool.submit(_grow, tree, share, end, many, guard) for tree in trees]:
                task.result()
    return _gathered(now, trees, guard, time.perf_counter() - began)


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
    return settled(weighed(rows), tree.outer.memory[tree.outer.memory[at.NODES_AT] + at.PRIOR] - 1, guard)


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


def _gathered(now: Position, trees: list[Tree], guard: float, seconds: float) -> Thought:
    """What all trees say about the options."""
    sums: dict[int, tuple[int, int, int]] = {}
    nodes: dict[int, int] = {}
    """The first tree's nodes of the options."""
    plain_key, lines = 0, 0
    for tree in trees:
        memory = tree.outer.memory
        top = memory[at.NODES_AT]
        lines += memory[at.ITERATIONS]
        plain_key = plain_key or memory[top + at.PRIOR]
        for child, (key, *more) in _below(tree):
            row = sums.get(key, (0, 0, 0))
            sums[key] = (row[0] + more[0], row[1] + more[1], row[2] + more[2])
            if tree is trees[0]:
                nodes[key] = child
    keys = [option_key(now, index) for index in range(now.options)]
    rows = [(index, sums.pop(key, (0, 0, 0))) for index, key in enumerate(keys)]  # equals: the first of them
    worths = weighed([(index, *row) for index, row in rows if row[0]])
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


def option_key(now: Position, index: int) -> int:
    """As `native.outer.search.option_key` has it."""
    verb, *things = now.offers[index]
    verbs = now.program.sheet.verbs
    kinds = verbs[verb].args if 0 <= verb < len(verbs) else ()
    key, place = verb & 4095, 4096
    for number, thing in enumerate(things):
        if number < len(kinds) and kinds[number] == "Card" and thing >= 0:
            thing = 32768 + face_of(now.program, now.slots, thing)
        key += (thing & 65535) * place
        place *= 65536
    return key
