"""Which code runs often, measured, so that LLVM's time is spent there.

In:  a Program and its code, compiled in haste, which counts what it runs.
Out: `Traffic`: the functions and segments that are worth compiling a second time, with care; and how often
     each test held, where that is counted: LLVM then keeps together, and in registers, what mostly happens.

A few matches are played with random players and a few with the book's own policies. Nine tenths of all
the work is done in a twentieth of a book's code, but which twentieth cannot be seen by looking at it.
What is found here only decides how well code is compiled, never what it does.
"""

from __future__ import annotations

import ctypes
import struct
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TypeAlias

from rulewright.ir.nodes import Function, While
from rulewright.ir.program import Program
from rulewright.ir.walk import expressions, statements
from rulewright.native import layout as at
from rulewright.native.arena import Arena
from rulewright.native.machine import Care
from rulewright.native.module import MERGED, Code, Tiers, Traffic
from rulewright.play.engine import opening


@dataclass(frozen=True, slots=True)
class Effort:
    """How much of LLVM's time a book is worth."""

    name: str
    hot: int
    """Expression nodes that are compiled with every care, at most."""
    least: int
    """In a large book there is less time left for care: one node less for every SAVED of the book, but so
    many at least."""
    warm: int
    """Expression nodes that are compiled with some care."""
    inline: int
    """Expression nodes up to which a function is copied into its callers."""
    matches: int
    """Matches that are played in each of two threads."""
    seconds: float
    """Processor time to stop after: not time on the clock, since a busy machine must not come to know a book
    less well."""
    merged: int = MERGED
    """Expression nodes up to which everything is one function; see `module`."""
    care: Care = "much"
    """How well what is hot is compiled."""
    weighs: bool = False
    """Is it counted how every test goes? That takes a second compilation in haste."""


HASTY = Effort("hasty", hot=0, least=0, warm=0, inline=24, matches=0, seconds=0)
"""Nothing is compiled twice: what can be played first, two seconds after a large book was changed."""
QUICK = Effort("quick", hot=7000, least=2500, warm=20_000, inline=24, matches=12, seconds=0.2)
"""LLVM takes two seconds for what is hot and one for what is warm, side by side."""
PATIENT = Effort(
    "patient",
    hot=20_000,
    least=20_000,
    warm=30_000,
    inline=100,
    matches=60,
    seconds=0.6,
    merged=14_000,
    care="utmost",
    weighs=True,
)
"""Runs a third faster, and takes five times as long. (Copies of up to 50 nodes instead of 100 run a tenth
slower and take half as long; of up to 200 they run no faster.)"""

SAVED = 12
LONGEST = 1000
"""Decisions after which a match is left."""

Start: TypeAlias = tuple[int, dict[int, int]]
"""Seats and options of a match."""

_BATCH = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)


def measured(program: Program, tiers: Tiers, batch: int, effort: Effort) -> tuple[Traffic, Sequence[int]]:
    """The code with the most work for its size, and how often each test held and was made, where that is
    counted. `batch`: the address of `rw_batch`."""
    counted, tests = entered_often(program, batch, effort, tiers.layout)
    found: list[tuple[float, int, str | int]] = []
    for name, function in tiers.functions.items():
        size = tiers.sizes[name]
        found.append((density(function, size, *counted[tiers.counters[name]]), size, name))
    for key, segment in enumerate(program.segments):
        size = tiers.sizes[key]
        found.append((density(segment, size, *counted[len(program.functions) + key]), size, key))
    whole = sum(size for _, size, _ in found)
    found = sorted((entry for entry in found if entry[0] > 0), key=lambda entry: -entry[0])
    hot = min(effort.hot, max(effort.least, effort.hot + effort.least - whole // SAVED))
    return Traffic(_taken(found, hot), _taken(found, effort.warm)), tests


def _taken(found: list[tuple[float, int, str | int]], nodes: int) -> Code:
    """Take code off the front, as much as fits."""
    left, kept = nodes, list[tuple[float, int, str | int]]()
    functions: set[str] = set()
    chosen: set[int] = set()
    for entry in found:
        _, size, what = entry
        if size > left:
            kept.append(entry)
            continue
        left -= size
        if isinstance(what, str):
            functions.add(what)
        else:
            chosen.add(what)
    found[:] = kept
    return Code(frozenset(functions), frozenset(chosen))


def density(function: Function, size: int, entered: int, rounds: int) -> float:
    """Work for each node: what stands in a loop is done in every round, the rest once."""
    if not entered or not size:
        return 0
    loops = [node for node in statements(function.body) if isinstance(node, While)]
    inside = sum(len(expressions(node.body)) for node in loops)
    outside = max(0, size - inside)
    return (entered * outside + rounds * inside / max(1, len(loops))) / size


def entered_often(
    program: Program, batch: int, effort: Effort, layout: at.Layout
) -> tuple[list[tuple[int, int]], Sequence[int]]:
    """How often each function and segment was entered, and the rounds of its loops; and the tests."""
    starts = list(enumerate(_starts(program, 2 * effort.matches)))
    with ThreadPoolExecutor() as pool:
        halves = pool.map(
            partial(_counted, program, layout, batch, effort.seconds),
            (starts[: effort.matches], starts[effort.matches :]),
        )
        counts = [a + b for a, b in zip(*halves, strict=True)]
    entered = counts[: layout.counters]
    return list(zip(entered[::2], entered[1::2], strict=True)), counts[layout.counters :]


def _counted(
    program: Program, layout: at.Layout, batch: int, seconds: float, starts: Sequence[tuple[int, Start]]
) -> Sequence[int]:
    """Play from these starts, and give all counters, those of tests last."""
    arena = Arena(program, layout)
    own = len(program.policies)
    play = _BATCH(batch)
    arena.set_word(at.BOUND, min(program.bound, LONGEST))
    began = time.thread_time()
    for seed, (seats, options) in starts:
        state = opening(program, seats, 0, options)
        arena.set_pointer(at.START, struct.pack(f"<{len(state)}i", *state))
        arena.set_word(at.START_BYTES, 4 * len(state))
        for seat in range(at.MAX_SEATS):
            arena.policies[seat] = 1 + seed % own if own and seed % 4 == 3 else 0
        arena.set_word(at.MODE, at.STEPPING if arena.policies[0] else at.ANSWERING)
        arena.set_word(at.SEED, seed)
        arena.set_word(at.MATCHES, 1)
        arena.set_word(at.MATCH, 0)
        arena.set_word(at.STARTED, 0)
        arena.call(play)
        if time.thread_time() - began > seconds:
            break
    return [*arena.counters, *arena.branches]


def _starts(program: Program, count: int) -> Iterator[Start]:
    """As it is by default, and any other in turn."""
    random = Random(0)
    for match in range(count):
        if match % 2 == 0:
            yield program.seats[1], {}
        else:
            options = {option.slot: random.randrange(len(option.words)) for option in program.sheet.options}
            yield random.randint(*program.seats), options
