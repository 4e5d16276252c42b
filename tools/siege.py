"""A server under mixed load with faults: what is lost, and how long bystanders wait.

In:  minutes, tables.
Out: figures on the screen; exit status 1 if an acknowledged move was lost or a bystander waited too long.

Two hundred tables are played from as many addresses of this machine, while floods and silent connections come
from another, the server is killed again and again, and its database is locked. A move counts as acknowledged
when the answer says so; after every kill and at the end each of them must be in the database.

Usage: python tools/siege.py [--minutes N] [--tables N] [--every SECONDS]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sqlite3
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from attack.floods import ATTACKS, Bystander, under  # noqa: E402
from rulewright.cli.serve import listen  # noqa: E402
from serve.tables_kit import TWO, Process, sqlite_url  # noqa: E402

LIMIT = 0.25


class Siege:
    """The server, and what is known of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = sqlite_url(folder)
        with listen("127.0.0.1", 0) as free:
            self.port = free.getsockname()[1]
        self.acknowledged: dict[str, dict[int, int]] = {}
        self.refusals: dict[str, int] = {}
        self.times: list[float] = []
        self.memory: list[float] = []
        self.lost: list[str] = []
        self.wrong: list[str] = []
        self.kills = self.locks = self.waits = 0
        self.over = threading.Event()
        self.down = threading.Event()
        self.process: Process
        self.start()

    def start(self) -> None:
        code = "import sys; from serve import tables_kit as k; from rulewright.cli.serve import listen, run\n"
        code += "from rulewright.serve.store import Store\n"
        code += "books = {n: k.BOOKS / f'{n}.md' for n in k.NAMES}\n"
        code += f"run(books, Store(sys.argv[1]), listen('127.0.0.1', {self.port}), "
        code += "lambda a: print(a, flush=True))"
        self.process = Process(self.url, [sys.executable, "-c", code, self.url], RULEWRIGHT_RATE="200")
        self.down.clear()

    def kill(self) -> None:
        """As if the power of the program went; what was acknowledged must be there."""
        self.down.set()
        self.process.kill()
        self.process.close()
        self.kills += 1
        self.check()
        self.start()

    def check(self) -> None:
        with contextlib.closing(sqlite3.connect(self.folder / "tables.db")) as database:
            assert database.execute("PRAGMA quick_check").fetchone() == ("ok",)
            for table, moves in list(self.acknowledged.items()):
                found = dict(
                    database.execute("SELECT number, choice FROM choices WHERE table_id = ?", (table,))
                )
                self.lost += [f"{table} {n}" for n, c in list(moves.items()) if found.get(n) != c]

    def lock(self, seconds: float) -> None:
        """Somebody else has the database."""
        with contextlib.closing(sqlite3.connect(self.folder / "tables.db", isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            time.sleep(seconds)
            database.execute("ROLLBACK")
        self.locks += 1

    def visitor(self) -> httpx.Client:
        """From an address that nothing bad comes from."""
        transport = httpx.HTTPTransport(local_address="127.0.0.2")
        return httpx.Client(transport=transport, base_url=f"http://127.0.0.1:{self.port}", timeout=20)

    def stand_by(self) -> None:
        """Somebody who watches a table of their own all the time."""
        while not self.over.is_set():
            try:
                with self.visitor() as http:
                    made = http.post("/api/tables", json={"book": "hands", "seats": TWO}).json()["table"]
                stander = Bystander(self.port, made)
                while not self.over.is_set() and not self.down.is_set():
                    seen = stander.watch(1)
                    if not self.down.is_set():
                        self.times += seen
            except Exception:  # the server is down for a moment
                if not self.down.is_set():
                    self.waits += 1
                time.sleep(0.5)


async def play(siege: Siege, number: int, every: float) -> None:
    """One table after the other, from an address of its own."""
    chance = random.Random(number)
    transport = httpx.AsyncHTTPTransport(local_address=f"127.0.{1 + number // 200}.{1 + number % 200}")
    base = f"http://127.0.0.1:{siege.port}"
    async with httpx.AsyncClient(transport=transport, base_url=base, timeout=20, trust_env=False) as http:
        table: dict[str, Any] | None = None
        while not siege.over.is_set():
            await asyncio.sleep(chance.uniform(0.5, 1.5) * every)
            try:
                if table is None:
                    answer = await http.post("/api/tables", json={"book": "hands", "seats": TWO})
                    if answer.status_code != 201:
                        _count(siege, answer)
                        continue
                    table = answer.json()
                if await _move(siege, http, table, chance):
                    table = None
            except httpx.HTTPError:
                siege.refusals["no answer"] = siege.refusals.get("no answer", 0) + 1


async def _move(siege: Siege, http: httpx.AsyncClient, table: dict[str, Any], chance: random.Random) -> bool:
    """One move; whether the match is over."""
    path = f"/api/tables/{table['table']}"
    seen = await http.get(path)
    if seen.status_code != 200:
        _count(siege, seen)
        return False
    now = seen.json()
    if now["decision"] is None:
        return True
    if now["decision"]["options"] or now["seat"] is not None:
        siege.wrong.append(f"{path}: a spectator sees options")
    seat = now["decision"]["seat"]
    token = table["seats"][seat]["token"]
    mine = (await http.get(path, params={"token": token})).json()
    other = (await http.get(path, params={"token": table["seats"][1 - seat]["token"]})).json()
    if "decision" not in mine or "decision" not in other:
        return False
    if other["version"] == mine["version"] and other["decision"] and other["decision"]["options"]:
        siege.wrong.append(f"{path}: another seat sees options")
    options = mine["decision"]["options"] if mine["decision"] else []
    if not options:
        return False
    option = chance.randrange(len(options))
    body = {"token": token, "version": mine["version"], "option": option}
    answer = await http.post(f"{path}/choices", json=body)
    if answer.status_code == 200:
        siege.acknowledged.setdefault(table["table"], {})[mine["version"]] = option
    else:
        _count(siege, answer)
    return False


def _count(siege: Siege, answer: httpx.Response) -> None:
    with contextlib.suppress(ValueError, KeyError):
        code = answer.json()["error"]
        siege.refusals[code] = siege.refusals.get(code, 0) + 1


def faults(siege: Siege, end: float) -> None:
    """One attack after the other; a kill and a lock in between."""
    names = list(ATTACKS)
    turn = 0
    while time.monotonic() < end:
        if not siege.acknowledged:
            time.sleep(1)
            continue
        with under(names[turn % len(names)], siege.port, next(iter(siege.acknowledged))):
            time.sleep(15)
        status = Path(f"/proc/{siege.process.popen.pid}/status").read_text()
        siege.memory.append(int(status.split("VmRSS:")[1].split()[0]) / 1024)
        time.sleep(5)
        turn += 1
        if turn % 3 == 0:
            siege.lock(2)
        if turn % 6 == 0:
            siege.kill()
    siege.over.set()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--minutes", type=float, default=30)
    asked.add_argument("--tables", type=int, default=200)
    asked.add_argument("--every", type=float, default=4.0)
    wish = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        siege = Siege(Path(folder))
        threading.Thread(target=siege.stand_by, daemon=True).start()
        trouble = threading.Thread(target=faults, args=(siege, time.monotonic() + 60 * wish.minutes))

        async def all_tables() -> None:
            await asyncio.gather(*(play(siege, number, wish.every) for number in range(wish.tables)))

        threading.Timer(10, trouble.start).start()
        asyncio.run(all_tables())
        siege.process.close()
        siege.check()
    moves = sum(len(moves) for moves in siege.acknowledged.values())
    times = sorted(siege.times)
    p99 = times[int(len(times) * 0.99)] if times else float("inf")
    print(f"{moves} moves acknowledged at {len(siege.acknowledged)} tables, {len(siege.lost)} lost")
    print(f"{siege.kills} kills, {siege.locks} locks, answers that were refusals: {siege.refusals}")
    middle = times[len(times) // 2] if times else p99
    print(f"bystander: p99 {p99 * 1000:.0f} ms, median {middle * 1000:.1f} ms, {len(times)} times")
    print(f"bystander thrown out {siege.waits} times; things seen that should not be: {len(siege.wrong)}")
    print("memory in MB after each attack:", [round(m) for m in siege.memory])
    sys.exit(bool(siege.lost or siege.wrong or p99 > LIMIT))


if __name__ == "__main__":
    main()
