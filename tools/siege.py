"""Servers under mixed load with faults: what is lost, and how long bystanders wait.

In:  minutes, tables.
Out: figures on the screen; exit status 1 if an acknowledged move was lost, something hidden was seen, or a
     bystander waited too long although the machine had time.

Tables are played from as many addresses of this machine, half of them at a server over SQLite and half at one
over PostgreSQL, while floods, silent connections and slow readers come from another. The servers are killed
again and again, and so is PostgreSQL; it hangs, the file of SQLite is locked, its disk is full. A move counts
as acknowledged when the answer says so; after every kill and at the end each of them must be in the database.
A server that does nothing is asked beside ours: its times say how busy the machine itself was.

Usage: python tools/siege.py [--minutes N] [--tables N] [--every SECONDS]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
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
                    castle.refusals["no answer"] = castle.refusals.get("no answer", 0) + 1


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
    return found


def _count(castle: Castle, answer: httpx.Response) -> None:
    with contextlib.suppress(ValueError, KeyError):
        code = answer.json()["error"]
        castle.refusals[code] = castle.refusals.get(code, 0) + 1


def faults(castles: list[Castle], end: float) -> None:
    """One attack after the other, on one server and the other; trouble and kills in between."""
    names = list(ATTACKS)
    turn = 0
    while time.monotonic() < end:
        castle = castles[turn % len(castles)]
        if not castle.acknowledged and not castle.made:
            time.sleep(1)
            continue
        name = names[turn // len(castles) % len(names)]
        with under(name, castle.port, next(iter(castle.acknowledged), "none")):
            time.sleep(12)
        castle.weigh()
        time.sleep(3)
        turn += 1
        if turn % 3 == 0:
            castle.trouble(turn // 3)
        if turn % 5 == 0:
            castle.kill()
    for castle in castles:
        castle.over.set()


class Echo:
    """A server that does nothing, asked as ours is."""

    def __init__(self) -> None:
        self.child = subprocess.Popen([sys.executable, "-c", ECHO], stdout=subprocess.PIPE, text=True)
        assert self.child.stdout is not None
        self.port = int(self.child.stdout.readline())
        self.times: list[float] = []

    def ask(self) -> None:
        for _ in range(10):
            began = time.perf_counter()
            with socket.create_connection(("127.0.0.1", self.port), 10) as sock:
                sock.sendall(b"GET / HTTP/1.1\r\n\r\n")
                while sock.recv(1000):
                    pass
            self.times.append(time.perf_counter() - began)


def quantile(times: list[float], part: float) -> float:
    """Milliseconds."""
    return 1000 * sorted(times)[int(len(times) * part)] if times else float("inf")


def report(castle: Castle) -> bool:
    """Print what is known; whether it is well."""
    print(f"== {castle.database.name}")
    print(f"{castle.made} moves acknowledged, {len(castle.lost)} lost {castle.lost[:5]}")
    print(f"{castle.kills} kills, {castle.database.faults} troubles; refused: {castle.refusals}")
    p99 = quantile(castle.times, 0.99)
    middle = quantile(castle.times, 0.5)
    print(f"bystander: p99 {p99:.0f} ms, median {middle:.1f} ms, {len(castle.times)} times")
    print(f"bystander thrown out {castle.waits} times; seen that should not be: {castle.wrong[:5]}")
    print("memory in MB after each attack:", [round(m) for m in castle.memory])
    print("".join(castle.complaints[:2]))
    return not (castle.lost or castle.wrong or castle.complaints)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--minutes", type=float, default=30)
    asked.add_argument("--tables", type=int, default=200)
    asked.add_argument("--every", type=float, default=4.0)
    wish = asked.parse_args()
    programs, echo = find_postgres(), Echo()
    with tempfile.TemporaryDirectory() as folder:
        databases = [Sqlite(Path(folder)), *([Postgres(programs)] if programs else [])]
        castles = [Castle(database) for database in databases]
        for castle in castles:
            threading.Thread(target=castle.stand_by, args=(echo.ask,), daemon=True).start()
        trouble = threading.Thread(target=faults, args=(castles, time.monotonic() + 60 * wish.minutes))

        async def all_tables() -> None:
            seats = [(castles[n % len(castles)], n) for n in range(wish.tables)]
            await asyncio.gather(*(play(castle, n, wish.every) for castle, n in seats))

        threading.Timer(10, trouble.start).start()
        asyncio.run(all_tables())
        for castle in castles:
            castle.finish()
            castle.database.close()
    echo.child.kill()
    judged = [report(castle) for castle in castles]
    idle = quantile(echo.times, 0.99)
    print(f"a server that does nothing: p99 {idle:.0f} ms, median {quantile(echo.times, 0.5):.1f} ms")
    slow = max(quantile(castle.times, 0.99) for castle in castles) > 1000 * LIMIT
    sys.exit(not all(judged) or (slow and idle < 1000 * LIMIT / 4))


if __name__ == "__main__":
    main()
