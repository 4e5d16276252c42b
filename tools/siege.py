"""Servers under mixed load with faults: what is lost, and how long bystanders wait.

In:  minutes, tables.
Out: a verdict with its figures, line by line; exit status 1 unless all of it holds. What a short run, or a
     machine that is busy by itself, cannot show is said to be so.

Tables are played from as many addresses of this machine, at a server over SQLite or over PostgreSQL (or half
of them at each), while floods, silent connections and slow readers come from another. The servers are killed
again and again, and so is PostgreSQL; it hangs, the file of SQLite is locked, its disk is full. A move counts
as acknowledged when the answer says so; after every kill and at the end each of them must be in the database.
A server that does nothing is asked beside ours (`standby`): its times say how busy the machine itself was.
How often each fault came, and how many requests felt it, is told: one that nobody feels proves nothing.

Usage: python tools/siege.py [--minutes N] [--tables N] [--every SECONDS] [--on sqlite|postgres|both]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import math
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests"), str(ROOT / "tools")]

from besieged import ECHO, Castle, Postgres, Sqlite  # noqa: E402

from attack.floods import ATTACKS, under  # noqa: E402
from conftest import find_postgres  # noqa: E402
from serve.tables_kit import TWO  # noqa: E402

LIMIT = 0.25
LEVEL = 0.4
"""The part of the siege after which no server is killed any more."""
GROWTH, LEAST = 0.1, 8.0
"""By how much memory may be more in the second half of the time that it is watched, and minutes that this
must last to mean anything: as long as a round of all attacks, and half of another."""


async def play(castle: Castle, number: int, every: float) -> None:
    """One table after the other, from an address of its own."""
    chance = random.Random(number)
    here = f"127.0.{1 + number // 200}.{1 + number % 200}"
    base = f"http://127.0.0.1:{castle.port}"
    while not castle.over.is_set():
        transport = httpx.AsyncHTTPTransport(local_address=here)
        async with httpx.AsyncClient(transport=transport, base_url=base, timeout=20, trust_env=False) as http:
            table: dict[str, Any] | None = None
            while not castle.over.is_set():
                await asyncio.sleep(chance.uniform(0.5, 1.5) * every)
                try:
                    if table is None:
                        answer = await http.post("/api/tables", json={"book": "hands", "seats": TWO})
                        if answer.status_code != 201:
                            _count(castle, answer)
                            continue
                        table = answer.json()
                    if await _move(castle, http, table, chance):
                        table = None
                except httpx.HTTPError:
                    castle.refusals["no answer"] += 1


async def _move(
    castle: Castle, http: httpx.AsyncClient, table: dict[str, Any], chance: random.Random
) -> bool:
    """One move; whether the match is over."""
    path = f"/api/tables/{table['table']}"
    seen = await http.get(path)
    if seen.status_code != 200:
        _count(castle, seen)
        return False
    now = seen.json()
    if now["decision"] is None:
        return True
    seat = now["decision"]["seat"]
    tokens = [place["token"] for place in table["seats"]]
    mine = (await http.get(path, headers={"authorization": f"Bearer {tokens[seat]}"})).json()
    other = (await http.get(path, headers={"authorization": f"Bearer {tokens[1 - seat]}"})).json()
    if "decision" not in mine or "decision" not in other:
        return False
    for state, reader in ((now, None), (mine, seat), (other, 1 - seat)):
        castle.wrong += [f"{path}: {reader} sees {what}" for what in foreign(state, reader)]
    options = mine["decision"]["options"] if mine["decision"] else []
    if not options:
        return False
    option = chance.randrange(len(options))
    body = {"token": tokens[seat], "version": mine["version"], "option": option}
    answer = await http.post(f"{path}/choices", json=body)
    if answer.status_code == 200:
        castle.acknowledged.setdefault(table["table"], {})[mine["version"]] = option
    else:
        _count(castle, answer)
    return False


def foreign(state: dict[str, Any], reader: int | None) -> list[str]:
    """What a reader is told and must not know: options of others, cards in hands, the purse, who saved."""
    found: list[str] = []
    decision = state["decision"]
    if decision and decision["seat"] != reader and decision["options"]:
        found.append("options of another seat")
    if state["seat"] != reader:
        found.append(f"the table as seat {state['seat']}")
    for zone in state["view"]["zones"]:
        secret = zone["name"] == "Deck" or (zone["name"] == "Hand" and zone["owner"] != reader)
        if secret and zone["cards"]:
            found.append(f"{zone['name']} of {zone['owner']}")
    for actor in state["view"]["actors"]:
        if actor["seat"] != reader and "Purse" in actor["fields"]:
            found.append("a purse")
    return found + [line["text"] for line in state["log"] if _secret(line["text"], reader)]


def _secret(line: str, reader: int | None) -> bool:
    """Whether a line of the log tells what its reader must not know."""
    own = f"Player {(-1 if reader is None else reader) + 1}"
    if ": Purse" in line:
        return not line.startswith(f"{own}: ")
    drawn = "moves to Deck" in line or ("from Deck to" in line and f"to {own}'s" not in line)
    return drawn and not line.startswith("a hidden card")


def _count(castle: Castle, answer: httpx.Response) -> None:
    with contextlib.suppress(ValueError, KeyError):
        code = str(answer.json()["error"])
        castle.refusals[code] += 1


def besiege(castles: list[Castle], began: float, seconds: float, settled: list[float]) -> None:
    """All of it; and however it ends, the players stop."""
    try:
        faults(castles, began, seconds, settled)
    except BaseException as error:
        for castle in castles:
            castle.complaints.append(f"the siege itself failed: {error!r}")
        raise
    finally:
        for castle in castles:
            castle.over.set()


def faults(castles: list[Castle], began: float, seconds: float, settled: list[float]) -> None:
    """One attack after the other, on one server and the other; trouble and kills in between. In the last part
    nobody is killed: once each attack has been there, memory has to be level. When that is goes into
    `settled`."""
    names = list(ATTACKS)
    lasting = max(3.0, min(12.0, seconds / 30))
    turn, spared = 0, 0
    while time.monotonic() < began + seconds:
        castle = castles[turn % len(castles)]
        if not castle.acknowledged and not castle.made:
            time.sleep(1)
            continue
        name = names[turn // len(castles) % len(names)]
        flood = time.monotonic()
        with under(name, castle.port, next(iter(castle.acknowledged), "none")):
            time.sleep(lasting)
        castle.floods.setdefault(name, []).append((flood, time.monotonic()))
        time.sleep(lasting / 4)
        turn += 1
        if turn % 3 == 0:
            castle.disturb()
        spare = time.monotonic() > began + LEVEL * seconds
        if turn % 3 == 1 and (not spare or not castle.faults["server killed"]):
            castle.kill()
        elif spare:
            spared += 1
            if spared == len(castles) * len(names):
                settled.append(time.monotonic())


class Echo:
    """A server that does nothing."""

    def __init__(self) -> None:
        self.child = subprocess.Popen([sys.executable, "-c", ECHO], stdout=subprocess.PIPE, text=True)
        assert self.child.stdout is not None
        self.port = int(self.child.stdout.readline())


def quantile(times: list[float], part: float) -> float:
    """Milliseconds."""
    return 1000 * sorted(times)[int(len(times) * part)] if times else float("inf")


def halves(castle: Castle, since: float) -> tuple[float, float, float]:
    """Megabytes in the middle of the first half and of the second, and minutes that this took: of the process
    that lived at the end."""
    last = castle.memory[-1][1] if castle.memory else 0
    points = [(at, mb) for at, pid, mb in castle.memory if pid == last and at >= since]
    if len(points) < 4:
        return 0.0, 0.0, 0.0
    middle = len(points) // 2
    first, second = (statistics.median(mb for _, mb in part) for part in (points[:middle], points[middle:]))
    return first, second, (points[-1][0] - points[0][0]) / 60


def judged(castle: Castle, since: float) -> list[tuple[str, bool | None]]:
    """Each thing that must hold, in words with its figure, and whether it does; None where this run cannot
    say."""
    calm = castle.calm()
    times = [took for second in calm for took in second["times"]]
    idle = [took for second in calm for took in second["idle"]]
    failed = Counter(second["failed"] for second in calm if second["failed"])
    p99, none = quantile(times, 0.99), quantile(idle, 0.99)
    first, second, minutes = halves(castle, since)
    quick: bool | None = p99 < 1000 * LIMIT
    if not quick and none > 1000 * LIMIT / 4:
        quick = None
    level: bool | None = second < first * (1 + GROWTH)
    if minutes < LEAST:
        level = None
    return [
        (f"{castle.made} moves acknowledged, {len(castle.lost)} lost {castle.lost[:3]}", not castle.lost),
        (f"{len(castle.wrong)} foreign things seen {castle.wrong[:3]}", not castle.wrong),
        (
            f"bystander p99 {p99:.0f} ms, median {quantile(times, 0.5):.1f} ms, {len(times)} times; "
            f"beside it a server that does nothing: p99 {none:.0f} ms, median {quantile(idle, 0.5):.1f} ms",
            quick,
        ),
        (f"bystander refused or cut off {failed.total()} times {dict(failed.most_common(2))}", not failed),
        (f"memory {first:.0f} MB, then {second:.0f} MB: halves of the last {minutes:.1f} minutes", level),
        (f"{len(castle.complaints)} tracebacks or failures {castle.complaints[:1]}", not castle.complaints),
    ]


def _meets(second: dict[str, Any], times: list[tuple[float, float]]) -> bool:
    """Whether a second of the bystander is one of these times."""
    return any(began < second["ended"] and second["began"] < ended for began, ended in times)


def report(castle: Castle, since: float) -> bool:
    """Print what is known; whether all of it is well."""
    print(f"== {castle.database.name}")
    for name, times in castle.floods.items():
        took = [t for at in castle.calm() if _meets(at, times) for t in at["times"]]
        p99 = f"bystander p99 {quantile(took, 0.99):.0f} ms, {len(took)} times"
        print(f"   {len(times)} floods of {name}: {p99}")
    print(f"   refused: {dict(castle.refusals)}")
    said = judged(castle, since)
    for name in ("server killed", *castle.database.kinds):
        count, felt = castle.faults[name], castle.felt[name]
        said.append((f"{name} {count} times, which {felt} requests of players felt", count > 0 and felt > 0))
    kinds = len(castle.floods)
    said.append((f"{kinds} of {len(ATTACKS)} kinds of floods", kinds == len(ATTACKS)))
    for words, well in said:
        print(f"   {'cannot say' if well is None else 'holds' if well else 'DOES NOT HOLD'}: {words}")
    return all(well for _, well in said)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--minutes", type=float, default=30)
    asked.add_argument("--tables", type=int, default=200)
    asked.add_argument("--every", type=float, default=4.0)
    asked.add_argument("--on", choices=("sqlite", "postgres", "both"), default="both")
    wish = asked.parse_args()
    programs, echo = (None if wish.on == "sqlite" else find_postgres()), Echo()
    if wish.on == "postgres" and not programs:
        sys.exit("there is no PostgreSQL here")
    seconds = 60 * wish.minutes
    with tempfile.TemporaryDirectory() as folder:
        sqlite = [Sqlite(Path(folder))] if wish.on != "postgres" else []
        databases = [*sqlite, *([Postgres(programs)] if programs else [])]
        castles = [Castle(database, echo.port) for database in databases]
        began = time.monotonic()
        settled: list[float] = []
        trouble = threading.Thread(target=besiege, args=(castles, began, seconds, settled))

        async def all_tables() -> None:
            seats = [(castles[n % len(castles)], n) for n in range(wish.tables)]
            await asyncio.gather(*(play(castle, n, wish.every) for castle, n in seats))

        threading.Timer(10, trouble.start).start()
        asyncio.run(all_tables())
        trouble.join()
        for castle in castles:
            castle.close()
    echo.child.kill()
    well = [report(castle, settled[0] if settled else math.inf) for castle in castles]
    print("the siege holds" if all(well) else "the siege does not hold, or cannot say")
    sys.exit(not all(well))


if __name__ == "__main__":
    main()
