"""What `siege` attacks: a server in a process of its own over a real database, and what it has acknowledged.

In:  which kind of database.
Out: kills, locks and full disks on demand; after each, what was acknowledged and is not there.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg

from rulewright.cli.serve import listen
from serve.tables_kit import Process, sqlite_url

Moves = dict[str, dict[int, int]]
LOCKED = 6.0
"""Seconds that a database hangs or is locked: longer than a server waits for it."""
IDLE = 60
"""Seconds that the servers keep a table in memory which nobody uses: less than usual, so that memory is level
after minutes."""

ECHO = """import asyncio, sys
async def answer(reader, writer):
    await reader.readuntil(b"\\r\\n\\r\\n")
    writer.write(b"HTTP/1.1 200 OK\\r\\n\\r\\n")
    await writer.drain()
    writer.close()
async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())"""
"""A server that does nothing: how long it takes says how busy the machine is."""


def free_port() -> int:
    with listen("127.0.0.1", 0) as free:
        return int(free.getsockname()[1])


class Sqlite:
    """A file."""

    name, kinds = "sqlite", ("locked", "disk full")

    def __init__(self, folder: Path) -> None:
        self.file = folder / "tables.db"
        self.url = sqlite_url(folder)

    def missing(self, moves: Moves) -> list[str]:
        with contextlib.closing(sqlite3.connect(self.file)) as database:
            assert database.execute("PRAGMA quick_check").fetchone() == ("ok",)
            lost: list[str] = []
            for table, made in moves.items():
                rows = database.execute("SELECT number, choice FROM choices WHERE table_id = ?", (table,))
                found = dict(rows.fetchall())
                lost += [f"{table} {n}" for n, c in made.items() if found.get(n) != c]
        return lost

    def trouble(self, turn: int, server: Process) -> str:
        """Somebody else has the file; or the disk is full. Says which."""
        if turn % 2:
            with contextlib.closing(sqlite3.connect(self.file, isolation_level=None)) as database:
                database.execute("BEGIN IMMEDIATE")
                time.sleep(LOCKED)
                database.execute("ROLLBACK")
            return "locked"
        # As if the disk were full: no file of the server may grow any more.
        sizes = [f.stat().st_size for f in self.file.parent.glob("tables.db*")]
        pid, before = server.popen.pid, resource.prlimit(server.popen.pid, resource.RLIMIT_FSIZE)
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (min(sizes), before[1]))
            time.sleep(4)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
        return "disk full"

    def close(self) -> None:
        """Nothing to do."""


class Postgres:
    """A cluster of its own."""

    name, kinds = "postgres", ("database killed", "database hung")

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="rulewright-siege-"))
        self.data = self.folder / "data"
        self.as_user: list[str] = []
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self.folder, "postgres")
            self.as_user = ["runuser", "-u", "postgres", "--"]
        self.port = free_port()
        self._call("initdb", "-D", str(self.data), "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C")
        self._start()
        self.url = f"postgresql://tester@127.0.0.1:{self.port}/postgres"

    def _call(self, program: str, *arguments: str) -> None:
        command = [*self.as_user, str(self.programs / program), *arguments]
        subprocess.run(command, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, timeout=120)

    def _start(self) -> None:
        where = f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories={self.folder}"
        log = str(self.folder / "log")
        self._call("pg_ctl", "-D", str(self.data), "-o", where, "-l", log, "-w", "-t", "90", "start")

    def missing(self, moves: Moves) -> list[str]:
        async def look() -> list[str]:
            connection: Any = await asyncpg.connect(self.url)
            lost: list[str] = []
            for table, made in moves.items():
                asked = "SELECT number, choice FROM choices WHERE table_id = $1"
                found = {row[0]: row[1] for row in await connection.fetch(asked, table)}
                lost += [f"{table} {n}" for n, c in made.items() if found.get(n) != c]
            await connection.close()
            return lost

        return asyncio.run(look())

    def trouble(self, turn: int, server: Process) -> str:
        """The database dies and comes back; or hangs for a while. Says which."""
        main = int((self.data / "postmaster.pid").read_text().split()[0])
        if turn % 2:
            os.kill(main, signal.SIGKILL)
            time.sleep(2)
            for tries in range(20):  # its children may take a moment to notice
                try:
                    self._start()
                    return "database killed"
                except subprocess.CalledProcessError:
                    time.sleep(1 + tries)
            raise RuntimeError("PostgreSQL did not come back")
        asked = ["pgrep", "-P", str(main)]
        found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split()
        children = [int(pid) for pid in found]
        for sign in (signal.SIGSTOP, signal.SIGCONT):
            for pid in children:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, sign)
            if sign is signal.SIGSTOP:
                time.sleep(LOCKED)
        return "database hung"

    def close(self) -> None:
        self._call("pg_ctl", "-D", str(self.data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)


class Castle:
    """The server over one of them, and what is known of it."""

    def __init__(self, database: Sqlite | Postgres, idle_port: int) -> None:
        self.database = database
        self.port = free_port()
        self.acknowledged: Moves = {}
        self.refusals: Counter[str] = Counter()
        self.memory: list[tuple[float, int, float]] = []
        """When, which process, megabytes."""
        self.lost: list[str] = []
        self.wrong: list[str] = []
        self.complaints: list[str] = []
        self.made = 0
        self.faults: Counter[str] = Counter()
        """What was done to it."""
        self.felt: Counter[str] = Counter()
        """How many requests of players were refused, or had no answer, while that lasted."""
        self.floods: dict[str, list[tuple[float, float]]] = {}
        """When each kind of flood came."""
        self.over = threading.Event()
        self.downs: list[tuple[float, float]] = []
        """From when to when it, or its database, was in trouble: nobody is promised quick answers then."""
        self.process: Process
        self.start()
        command = [sys.executable, str(Path(__file__).parent / "standby.py"), str(self.port), str(idle_port)]
        self.standby = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.seconds: list[dict[str, Any]] = []
        threading.Thread(target=self._hear, daemon=True).start()
        threading.Thread(target=self._weigh, daemon=True).start()

    def _hear(self) -> None:
        assert self.standby.stdout is not None
        for line in self.standby.stdout:
            self.seconds.append(json.loads(line))

    def start(self) -> None:
        code = "import sys; from serve import tables_kit as k; from rulewright.cli.serve import listen, run\n"
        code += "from rulewright.serve.store import Store\n"
        code += "books = {n: k.BOOKS / f'{n}.md' for n in k.NAMES}\n"
        code += f"run(books, Store(sys.argv[1]), listen('127.0.0.1', {self.port}), "
        code += "lambda a: print(a, flush=True))"
        url = self.database.url
        given = {"RULEWRIGHT_RATE": "200", "RULEWRIGHT_IDLE": str(IDLE)}
        self.process = Process(url, [sys.executable, "-c", code, url], **given)

    def trouble(self, work: Callable[[], str]) -> None:
        """While it lasts, and until those who were cut off have come back."""
        began, before = time.monotonic(), self._refused()
        self.downs.append((began, math.inf))
        try:
            name = work()
        finally:
            time.sleep(5)
            self.downs[-1] = (began, time.monotonic())
        self.faults[name] += 1
        self.felt[name] += self._refused() - before

    def _refused(self) -> int:
        return self.refusals["store/unavailable"] + self.refusals["no answer"]

    def kill(self) -> None:
        """As if the power of the program went; what was acknowledged must be there."""

        def work() -> str:
            self.process.kill()
            self.finish()
            self.start()
            return "server killed"

        self.trouble(work)

    def disturb(self) -> None:
        """The database is in trouble: of one kind and of the other in turns."""
        turn = sum(self.faults[kind] for kind in self.database.kinds)
        self.trouble(lambda: self.database.trouble(turn, self.process))

    def finish(self) -> None:
        """Look at what is there, and at what the server had to say."""
        if "Traceback" in (said := self.process.complaints()):
            first = said[said.index("Traceback") :]
            self.complaints.append(f"{first[:800]} .. {first[800:][-1200:]}")
        self.process.close()
        # Players go on meanwhile, in another thread; nobody takes rows back, so each is looked at once.
        noted, self.acknowledged = self.acknowledged, {}
        moves = {table: dict(made) for table, made in list(noted.items())}
        self.lost += self.database.missing(moves)
        self.made += sum(map(len, moves.values()))

    def close(self) -> None:
        """The end."""
        self.standby.kill()
        self.standby.wait()
        self.finish()
        self.database.close()

    def _weigh(self) -> None:
        while not self.over.wait(5):
            with contextlib.suppress(OSError, IndexError):
                pid = self.process.popen.pid
                status = Path(f"/proc/{pid}/status").read_text()
                self.memory.append((time.monotonic(), pid, int(status.split("VmRSS:")[1].split()[0]) / 1024))

    def calm(self) -> list[dict[str, Any]]:
        """The seconds of the bystander in which neither the server nor its database was in trouble."""
        return [
            second
            for second in list(self.seconds)
            if not any(began < second["ended"] and second["began"] < ended for began, ended in self.downs)
        ]
