"""How much one server process holds: tables and moves a second with the 99th percentile under 100 ms.

In:  the duel, with health without end, on our server (SQLite, every move on the disk before it is told) and
     on a boardgame.io server (its own memory as its store), each in a process of its own, on loopback.
Out: a table on the screen, and build/load.json.

Every table has two players with a WebSocket each. A move's time is from when it was due until both know.
The number of tables is raised until moves take too long; a step that fails is tried twice more, because a
shared machine is only ever slower than it could be. The servers are measured in turns, step by step, until
the time is up. Last, each has as many tables as keep it busy, in turns, and the processor time that a move
costs it is told too: that changes least with whatever else runs here.

Usage: python bench/load.py [--seconds N] [--rate N] [--most N] [--budget N] [--no-boardgame] [--steps]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build"
sys.path[:0] = [str(ROOT / "src"), str(HERE)]

import boardgame_io  # noqa: E402
from load_client import Kind, Ours, Table, Theirs, open_tables  # noqa: E402

LIMIT = 0.1
STEPS = (25, 50, 100, 200, 300, 400, 500, 550, 600, 650, 700, 750, 800, 900, 1000, 1200, 1400, 1600, 2000)
BUSY = 500
ROUNDS = 3
HEALTH = 10**6


class Server:
    """A server process, and what it costs."""

    def __init__(self, name: str, command: list[str], port: int, folder: Path, **environment: str) -> None:
        self.name = name
        self.url = f"http://127.0.0.1:{port}"
        self.log = (folder / f"{name}.log").open("w")
        given = {**os.environ, **environment}
        self.process = subprocess.Popen(command, cwd=folder, env=given, stdout=self.log, stderr=self.log)

    def processor(self) -> float:
        """Seconds of processor time so far; 0 where the system does not say."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wait(self, path: str, text: str) -> None:
        """Until the server answers with this text."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        end = time.monotonic() + 120
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            try:
                with opener.open(self.url + path, timeout=10) as answer:
                    if text in answer.read().decode():
                        return
            except OSError:
                pass
            time.sleep(0.2)
        self.log.flush()
        raise RuntimeError(f"{self.name} does not start: {Path(self.log.name).read_text()[-500:]}")

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def ours(folder: Path) -> Server:
    text = (HERE / "duel.md").read_text("utf-8")
    endless = text.replace("range: 0 to 30; starts: 30", f"range: 0 to {HEALTH}; starts: {HEALTH}")
    assert endless != text
    endless = endless.replace("bound: 5000", "bound: 1000000")
    (folder / "duel.md").write_text(endless, "utf-8")
    port = free_port()
    command = [sys.executable, str(HERE / "load.py"), "--serve", str(folder), str(port)]
    server = Server("rulewright", command, port, folder, RULEWRIGHT_RATE="0")
    server.wait("/metrics", "rulewright_books_native 1")
    return server


def serve(folder: Path, port: int) -> None:
    """Our server over the one book, as the command line runs it."""
    from rulewright.cli.serve import listen, run
    from rulewright.serve.store import Store

    store = Store(f"sqlite:///{folder / 'tables.db'}")
    run({"duel": folder / "duel.md"}, store, listen("127.0.0.1", port), lambda address: None, "duel")


def theirs(folder: Path) -> Server:
    port = free_port()
    command = ["node", str(boardgame_io.PLACE / "server.cjs"), str(port), str(HEALTH)]
    server = Server("boardgame.io", command, port, folder, NODE_ENV="production")
    server.wait("/games", "duel")
    return server


class Trial:
    """One server, step by step."""

    def __init__(self, server: Server, kind: Kind) -> None:
        self.server, self.kind = server, kind
        self.tables: list[Table] = []
        self.best: dict[str, float] | None = None
        self.cost = 0.0
        """Seconds of processor time for a move, when there is always one to make."""
        self.over = False
        self.loud = False

    async def step(self, count: int, rate: float, seconds: float, until: float) -> None:
        """Whether it holds this many tables."""
        for _ in range(3):
            if time.monotonic() > until:
                return
            found = await self.measure(count, rate, seconds)
            if self.loud:
                print(self.server.name, {key: round(value, 4) for key, value in found.items()}, flush=True)
            if found["p99"] <= LIMIT and found["done"] >= 0.99:
                self.best = found
                return
        self.over = True

    async def measure(self, count: int, rate: float, seconds: float) -> dict[str, float]:
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
        for _ in range(200):  # what is late is not counted, but must not run into the next step
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


async def contest(
    servers: list[tuple[Server, type]], rate: float, seconds: float, most: int, until: float, loud: bool
) -> list[Trial]:
    trials = [Trial(server, kind(server.url)) for server, kind in servers]
    for trial in trials:  # the first moves after a start are not typical
        trial.loud = loud
        await trial.measure(10, rate, 1.0)
    for count in STEPS:
        for trial in trials:
            if not trial.over and count <= most:
                await trial.step(count, rate, seconds, until)
    costs: list[list[float]] = [[] for _ in trials]
    for _ in range(ROUNDS):
        for trial, found in zip(trials, costs, strict=True):
            found.append((await trial.measure(min(BUSY, most), rate, seconds))["processor"])
    for trial, found in zip(trials, costs, strict=True):
        trial.cost = statistics.median(found)
    return trials


def show(trials: list[Trial], rate: float) -> dict[str, Any]:
    limit = f"{LIMIT * 1000:.0f} ms"
    print(f"\nServers: one process, {rate:g} moves a second at each table, 99 of 100 within {limit}")
    print(f"{'':22}{'tables':>8}{'moves/s':>10}{'p50 ms':>9}{'p99 ms':>9}{'cpu ms/move':>13}")
    report: dict[str, Any] = {}
    for trial in trials:
        best = trial.best
        report[trial.server.name] = {**(best or {}), "processor": trial.cost}
        if best is None:
            about = f"holds not even {STEPS[0]} tables here and now"
            print(f"{trial.server.name:22}  {about:34}{trial.cost * 1e3:>13.2f}")
            continue
        print(
            f"{trial.server.name:22}{best['tables']:>8.0f}{best['moves']:>10.0f}{best['p50'] * 1e3:>9.1f}"
            f"{best['p99'] * 1e3:>9.1f}{trial.cost * 1e3:>13.2f}"
            + ("" if trial.over else "  (and more)")
            + ("  (the client was the limit)" if best["client"] > 0.9 else "")
        )
    own = trials[0]
    for other in trials[1:]:
        ratios = report[f"ratio to {other.server.name}"] = {"processor": other.cost / own.cost}
        if own.best is not None and other.best is not None:
            ratios["moves"] = own.best["moves"] / other.best["moves"]
        told = ", ".join(f"{name} {ratio:.2f}x" for name, ratio in sorted(ratios.items()))
        print(f"ratio to {other.server.name}: {told}")
    return report


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    reader.add_argument("--seconds", type=float, default=3.0, help="length of one step")
    reader.add_argument("--rate", type=float, default=4.0, help="moves a second at each table")
    reader.add_argument("--most", type=int, default=2000, help="tables to try at most")
    reader.add_argument("--budget", type=float, default=120.0, help="seconds for all steps together")
    reader.add_argument("--no-boardgame", action="store_true", help="only our own server")
    reader.add_argument("--steps", action="store_true", help="print every step")
    reader.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    wanted = reader.parse_args()
    if wanted.serve:
        serve(Path(wanted.serve[0]), int(wanted.serve[1]))
        return
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
                until = time.monotonic() + wanted.budget
                trials = runner.run(
                    contest(servers, wanted.rate, wanted.seconds, wanted.most, until, wanted.steps)
                )
        finally:
            for server, _ in servers:
                server.close()
    report = show(trials, wanted.rate)
    (BUILD / "load.json").write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
