"""How quick players and runs are: what docs/players.md and docs/lab.md promise.

In:  names of rows or none for all.
Out: lines with ratios that were measured within this run, and the load of the machine beside them.

cores: lines that two cores play in the time of one; moves: how long `hard` takes at a table; matches: native
matches beside the reference engine with the same strategy, two jobs beside one, and memory. Time that a
thread waits for a core that somebody else has is not counted, so a busy machine can be used (Linux only).
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulewright import load, shelf
from rulewright.ir.program import DECISION, STATUS
from rulewright.lab import simulate
from rulewright.lab.simulate import Worker
from rulewright.native.engine import NativeEngine
from rulewright.play.reference import ReferenceEngine
from rulewright.players import race, search
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


def waited() -> float:
    """Seconds that this thread was ready to run and had no core, since it began."""
    return int(Path("/proc/thread-self/schedstat").read_text("ascii").split()[1]) / 1e9


@contextmanager
def quietly(owner: Any, name: str) -> Generator[dict[int, float]]:
    """How long each thread is in a function while this lasts, without the time it waits for a core: what the
    clock would show if nobody else used the machine."""
    spent: dict[int, float] = {}
    plain = getattr(owner, name)

    def timed(*args: Any) -> Any:
        began, before = time.perf_counter(), waited()
        try:
            return plain(*args)
        finally:
            took = time.perf_counter() - began - (waited() - before)
            me = threading.get_ident()
            spent[me] = spent.get(me, 0.0) + took

    setattr(owner, name, timed)
    try:
        yield spent
    finally:
        setattr(owner, name, plain)


def cores() -> None:
    """Lines of two cores beside one, in turns: as many for each core, and the time of the slower one."""
    for name in ("penance-1", "penance-2", "vigil"):
        took = [0.0, 0.0]
        for now in positions(name, 10):
            think(now, Budget(50, cores=2))
            for count in (1, 2):
                with quietly(search, "_grow") as spent:
                    think(now, Budget(2000 * count, cores=count, whole=True))
                took[count - 1] += max(spent.values())
        print(f"cores: {name} {2 * took[0] / took[1]:.2f} times the lines on two cores", flush=True)


def moves() -> None:
    """How long `hard` takes: by the clock, and as it would be on a quiet machine."""
    clock: list[float] = []
    quiet: list[float] = []
    for entry in shelf():
        if load(entry.name).rules_only:
            continue
        for now in positions(entry.name, 30):
            player = hard(now.program)
            began = time.perf_counter()
            player.decide(now)
            clock.append(time.perf_counter() - began)
            began, before = time.perf_counter(), waited()
            with quietly(search, "_grow") as grown, quietly(race, "_rounds") as raced:
                thought = player.unhurried().thought(now)
            all_in_all = time.perf_counter() - began - (waited() - before)
            # What is not the growing of trees, or a race, is this thread's own: it waits for those meanwhile.
            spent = max([*grown.values(), *raced.values()], default=0.0)
            quiet.append(spent + max(0.0, all_in_all - thought.seconds))
    for name, took in (("by the clock", sorted(clock)), ("without waiting for a core", sorted(quiet))):
        late = sum(seconds > 0.6 for seconds in took)
        print(
            f"moves: {len(took)} of hard {name}: median {took[len(took) // 2]:.2f} s, {late} over 0.6 s, "
            f"longest {took[-1]:.2f} s",
            flush=True,
        )


def matches() -> None:
    """`simulate penance-2 --seats Duelist,Duelist`: a match beside the reference engine, and two jobs."""
    program = load("penance-2")
    simulate(program, 200, ["Duelist"], jobs=2)
    took: list[float] = []
    for jobs in (1, 2):
        with quietly(Worker, "play") as spent:
            simulate(program, 20_000, ["Duelist"], seed=1, jobs=jobs)
        took.append(max(spent.values()))
    engine, count = ReferenceEngine(program), 10
    engine.record(False)
    began, before = time.perf_counter(), waited()
    for seed in range(count):
        engine.start(2, seed, {})
        engine.advance()
        while engine.peek(STATUS) == DECISION:
            engine.choose(engine.policy(0))
            engine.advance()
    plain = (time.perf_counter() - began - (waited() - before)) / count
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"matches: {1000 * took[0] / 20_000:.3f} ms natively, {1000 * plain:.1f} ms on the "
        f"reference engine ({plain * 20_000 / took[0]:.0f} times); two jobs "
        f"{took[0] / took[1]:.2f} times; {memory:.0f} MB at most"
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
