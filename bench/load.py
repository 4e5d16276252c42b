"""How much one server process holds: tables and moves a second with the 99th percentile under 100 ms.

In:  the duel, with health without end, on our server and on a boardgame.io server (see `load_servers`).
Out: a table on the screen, and build/load.json.

Every table has two players with a WebSocket each, told the whole state. A move's time is from when it
was due until both know. Each round looks for the most tables that each server holds, the servers strictly in
turns, each up to its own limit (see `load_limit`); the median of the rounds counts. Last, each has as many
tables as both hold, in turns, and the processor time that a move costs it is told too: that changes least
with whatever else runs here. How busy the machine was stands beside every round.

Usage: python bench/load.py [--seconds N] [--rate N] [--most N] [--rounds N] [--budget N]
                            [--no-boardgame] [--steps]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build"
sys.path[:0] = [str(ROOT / "src"), str(HERE)]

import boardgame_io  # noqa: E402
from load_client import Kind, Ours, Table, Theirs, open_tables  # noqa: E402
from load_limit import Limit, in_turns, scale  # noqa: E402
from load_servers import Server, ours, serve, theirs  # noqa: E402

LIMIT = 0.1
DONE = 0.99
"""The share of the moves that were due that must have been made when a step is over."""
COSTS = 3
"""Measurements of what a move costs."""

Figures = dict[str, float]


class Trial:
    """One server under load."""

    def __init__(self, server: Server, kind: Kind) -> None:
        self.server, self.kind = server, kind
        self.tables: list[Table] = []

    async def measure(self, count: int, rate: float, seconds: float) -> Figures:
        """So many tables for so long."""
        await open_tables(self.kind, count, self.tables)
        gc.collect()
        gc.disable()
        loop = asyncio.get_running_loop()
        start, chance = loop.time() + 0.1, random.Random(count)
        before, own = self.server.processor(), time.process_time()
        for table in self.tables[:count]:
            table.run(start + chance.random() / rate, seconds, rate)
        await asyncio.sleep(start + seconds + 1 / rate + LIMIT - loop.time())
        times = sorted(one for table in self.tables[:count] for one in table.times) or [9.9]
        spent = self.server.processor() - before
        own = time.process_time() - own
        gc.enable()
        for table in self.tables:
            table.stop = 0.0
        for _ in range(100):  # what is late is not counted, but must not run into the next step
            if not any(table.moving for table in self.tables):
                break
            await asyncio.sleep(0.05)
        return {
            "tables": count,
            "moves": count * rate,
            "done": len(times) / (count * int(rate * seconds)),
            "p50": times[len(times) // 2],
            "p99": times[int(len(times) * 0.99)],
            "processor": spent / len(times),
            "client": own / seconds,
        }


@dataclass
class Found:
    """What one server held in each round, and what a move cost it."""

    name: str
    best: list[Figures] = field(default_factory=list[Figures])
    """For each round in which it held anything, the most it held."""
    costs: list[float] = field(default_factory=list[float])
    loads: list[float] = field(default_factory=list[float])

    @property
    def usual(self) -> Figures | None:
        """The round in the middle."""
        ranked = sorted(self.best, key=lambda found: found["tables"])
        return ranked[(len(ranked) - 1) // 2] if ranked else None


@dataclass(frozen=True)
class Wish:
    """How to measure."""

    rate: float
    seconds: float
    numbers: list[int]
    rounds: int
    budget: float
    loud: bool


async def contest(servers: list[tuple[Server, type]], wish: Wish) -> list[Found]:
    """All rounds, and the costs."""
    trials = [Trial(server, kind(server.url)) for server, kind in servers]
    found = [Found(trial.server.name) for trial in trials]
    for trial in trials:  # the first moves after a start are not typical
        for _ in range(2):
            await trial.measure(wish.numbers[0], wish.rate, 1.0)
    began = time.monotonic()
    before: list[int | None] = [None for _ in trials]
    for number in range(wish.rounds):
        until = began + wish.budget * (number + 1) / wish.rounds
        limits = [Limit(wish.numbers, count) for count in before]
        best: dict[int, Figures] = {}
        for which, count in in_turns(limits):
            if time.monotonic() > until:
                break
            figures = await trials[which].measure(count, wish.rate, wish.seconds)
            held = figures["p99"] <= LIMIT and figures["done"] >= DONE
            limits[which].tell(held)
            if held:
                best[which] = figures
            if wish.loud:
                shown = {key: round(value, 4) for key, value in figures.items()}
                print(trials[which].server.name, "holds" if held else "fails", shown, flush=True)
        before = [limit.found for limit in limits]
        for which, figures in best.items():
            found[which].best.append(figures)
        for one in found:
            one.loads.append(os.getloadavg()[0])
    least = min((count for count in before if count is not None), default=wish.numbers[0])
    for _ in range(COSTS):
        for trial, one in zip(trials, found, strict=True):
            one.costs.append((await trial.measure(least, wish.rate, wish.seconds))["processor"])
    return found


def show(found: list[Found], rate: float) -> dict[str, Any]:
    """Print what was found, and give it as JSON."""
    limit = f"{LIMIT * 1000:.0f} ms"
    print(f"\nServers: one process, {rate:g} moves a second at each table, 99 of 100 within {limit}")
    print(f"{'':16}{'tables':>8}{'of rounds':>20}{'moves/s':>9}{'p50 ms':>8}{'p99 ms':>8}{'cpu ms/move':>13}")
    report: dict[str, Any] = {"load average": found[0].loads, "rounds": {}}
    for one in found:
        cost, best = median(one.costs), one.usual
        rounds = [round(figures["tables"]) for figures in one.best]
        report["rounds"][one.name] = rounds
        report[one.name] = {**(best or {}), "processor": cost}
        if best is None:
            print(f"{one.name:16}  holds not even the fewest tables here and now{cost * 1e3:>30.2f}")
            continue
        print(
            f"{one.name:16}{best['tables']:>8.0f}{', '.join(map(str, rounds)):>20}{best['moves']:>9.0f}"
            f"{best['p50'] * 1e3:>8.1f}{best['p99'] * 1e3:>8.1f}{cost * 1e3:>13.2f}"
            + ("  (the client was the limit)" if best["client"] > 0.9 else "")
        )
    own = found[0]
    for other in found[1:]:
        ratios = report[f"ratio to {other.name}"] = {"processor": median(other.costs) / median(own.costs)}
        if own.usual is not None and other.usual is not None:
            ratios["tables"] = own.usual["tables"] / other.usual["tables"]
        told = ", ".join(f"{name} {ratio:.2f}x" for name, ratio in sorted(ratios.items()))
        print(f"ratio to {other.name}: {told}")
    print("load average after each round:", ", ".join(f"{load:.1f}" for load in own.loads))
    return report


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    reader.add_argument("--seconds", type=float, default=1.5, help="length of one step")
    reader.add_argument("--rate", type=float, default=4.0, help="moves a second at each table")
    reader.add_argument("--most", type=int, default=3000, help="tables to try at most")
    reader.add_argument("--rounds", type=int, default=3, help="rounds; their median counts")
    reader.add_argument("--budget", type=float, default=140.0, help="seconds for all rounds together")
    reader.add_argument("--no-boardgame", action="store_true", help="only our own server")
    reader.add_argument("--steps", action="store_true", help="print every step")
    reader.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    wanted = reader.parse_args()
    if wanted.serve:
        serve(Path(wanted.serve[0]), int(wanted.serve[1]))
        return
    wish = Wish(wanted.rate, wanted.seconds, scale(wanted.most), wanted.rounds, wanted.budget, wanted.steps)
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as name:
        folder = Path(name)
        servers: list[tuple[Server, type]] = []
        try:
            servers.append((ours(folder), Ours))
            if not wanted.no_boardgame and boardgame_io.installed(lambda why: print(f"note: {why}")):
                servers.append((theirs(folder), Theirs))
            import uvloop

            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                found = runner.run(contest(servers, wish))
        finally:
            for server, _ in servers:
                server.close()
    report = show(found, wanted.rate)
    (BUILD / "load.json").write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
