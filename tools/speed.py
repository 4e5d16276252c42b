"""How quick players and runs are: what docs/players.md and docs/lab.md promise.

In:  names of rows or none for all.
Out: lines with ratios that were measured within this run, and the load of the machine beside them.

cores: lines that two cores play in the time of one; moves: how long `hard` takes at a table; matches: native
matches beside the reference engine with the same strategy, two jobs beside one, and memory.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import time

from rulewright import load, shelf
from rulewright.ir.program import DECISION, STATUS
from rulewright.lab import simulate
from rulewright.native.engine import NativeEngine
from rulewright.play.reference import ReferenceEngine
from rulewright.players.bots import Position, position_of
from rulewright.players.levels import hard
from rulewright.players.search import Budget, think


def positions(name: str, count: int, seed: int = 3) -> list[Position]:
    """Positions of a book, some decisions apart, reached by its strategy."""
    program = load(name)
    engine, chance = NativeEngine(program), random.Random(seed)
    engine.record(False)
    found: list[Position] = []
    match = 0
    while len(found) < count:
        engine.start(program.seats[0], seed + match, {})
        engine.advance()
        match += 1
        while engine.peek(STATUS) == DECISION and len(found) < count:
            many = len(engine.options())
            if many > 1 and chance.random() < 0.2:
                found.append(position_of(engine, seed + match))
            engine.choose(engine.policy(0) if program.sheet.strategies else chance.randrange(many))
            engine.advance()
    return found


def cores() -> None:
    """Lines of two cores beside one, in turns."""
    for name in ("penance-1", "penance-2", "vigil"):
        one = both = 0.0
        for now in positions(name, 10):
            think(now, Budget(50, cores=2))
            for count in (1, 2):
                thought = think(now, Budget(10**7, 300, count, whole=True))
                rate = thought.lines / thought.seconds
                one, both = (one + rate, both) if count == 1 else (one, both + rate)
        print(f"cores: {name} {both / one:.2f} times the lines on two cores", flush=True)


def moves() -> None:
    """How long `hard` takes, with its clock."""
    took: list[float] = []
    for entry in shelf():
        if load(entry.name).rules_only:
            continue
        for now in positions(entry.name, 30):
            began = time.perf_counter()
            hard(now.program).decide(now)
            took.append(time.perf_counter() - began)
    took.sort()
    late = sum(seconds > 0.6 for seconds in took)
    print(
        f"moves: {len(took)} of hard, median {took[len(took) // 2]:.2f} s, {late} over 0.6 s, "
        f"longest {took[-1]:.2f} s"
    )


def matches() -> None:
    """`simulate penance-2 --seats Duelist,Duelist`: a match beside the reference engine, and two jobs."""
    program = load("penance-2")
    simulate(program, 200, ["Duelist"], jobs=2)
    one = simulate(program, 20_000, ["Duelist"], seed=1)
    two = simulate(program, 20_000, ["Duelist"], seed=1, jobs=2)
    engine, count = ReferenceEngine(program), 10
    engine.record(False)
    began = time.perf_counter()
    for seed in range(count):
        engine.start(2, seed, {})
        engine.advance()
        while engine.peek(STATUS) == DECISION:
            engine.choose(engine.policy(0))
            engine.advance()
    plain = (time.perf_counter() - began) / count
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"matches: {1000 * one.seconds / one.matches:.3f} ms natively, {1000 * plain:.1f} ms on the "
        f"reference engine ({plain * one.matches / one.seconds:.0f} times); two jobs "
        f"{one.seconds / two.seconds:.2f} times; {memory:.0f} MB at most"
    )


ROWS = {"matches": matches, "cores": cores, "moves": moves}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="*")
    wish = parser.parse_args()
    for name, row in ROWS.items():
        if not wish.rows or name in wish.rows:
            row()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
