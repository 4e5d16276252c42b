"""Servers that others wrote, under the same floods as ours: what each bounds by itself.

In:  which of uvicorn, hypercorn, granian are installed beside the locked environment (see `--python`).
Out: one line for each server and flood: a bystander's p99, memory, connections that stay. Ours comes last.

Each runs the smallest application there can be, so that only the server itself is looked at; ours runs as it
is. They are told their own limits where they have any. Not a test: it says why this project keeps uvicorn and
closes the door itself (serve/door.py), and can be run again when that is in doubt.

Usage: python tests/attack/servers.py [--python FOLDER/bin/python]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from attack.floods import Bystander, under  # noqa: E402
from rulewright.cli.serve import listen  # noqa: E402
from serve.tables_kit import Process, Seats, sqlite_url  # noqa: E402

APP = """
async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return
    if scope["type"] == "http":
        more = True
        while more:
            more = (await receive()).get("more_body", False)
        body = b"x" * (200_000 if scope["path"].startswith("/page") else 500)
        head = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": body})
        return
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": "hello"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": '{"pong": 1}'})
"""
COMMANDS = {
    "uvicorn": "uvicorn small:app --port {port} --log-level error --limit-concurrency 4000 "
    "--timeout-keep-alive 5",
    "hypercorn": "hypercorn small:app -b 127.0.0.1:{port} --log-level ERROR --keep-alive 5 --read-timeout 10",
    "granian": "granian --interface asgi small:app --port {port} --no-log --backpressure 200 "
    "--http1-header-read-timeout 10000",
}
FLOODS = ("messages", "pings", "pipelines", "heads", "silences", "slow_readers")
SECONDS = 5.0


@contextmanager
def small(python: Path, name: str) -> Generator[tuple[int, int]]:
    """(process, port) of a server with the smallest application."""
    with listen("127.0.0.1", 0) as free:
        port = int(free.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "small.py").write_text(APP)
        command = [str(python), "-m", *COMMANDS[name].format(port=port).split()]
        child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                time.sleep(0.1)
                with suppress(OSError):
                    Bystander(port, "x").health()
                    break
            yield child.pid, port
        finally:
            child.terminate()
            with suppress(subprocess.TimeoutExpired):
                child.wait(5)
            child.kill()
            child.wait()


def family(pid: int) -> list[int]:
    """A process and its children."""
    asked = ["pgrep", "-P", str(pid)]
    found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split()
    return [pid, *(one for child in found for one in family(int(child)))]


def memory(pid: int) -> float:
    """Megabytes of all of them."""
    found = 0.0
    for one in family(pid):
        with suppress(OSError, IndexError):
            found += int(Path(f"/proc/{one}/status").read_text().split("VmRSS:")[1].split()[0]) / 1024
    return found


def connections(port: int) -> int:
    """Connections from the attacker that the server still holds."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    ours = [line.split() for line in lines]
    return sum(line[1].endswith(f":{port:04X}") and line[3] == "01" for line in ours)


def look(name: str, pid: int, port: int, table: str) -> None:
    """All floods, one after the other."""
    for flood in FLOODS:
        bystander, times, failed = Bystander(port, table), list[float](), 0
        before = memory(pid)
        with under(flood, port, table):
            time.sleep(1)
            end = time.monotonic() + SECONDS
            most = before
            while time.monotonic() < end:
                try:
                    times += bystander.watch(1)
                except Exception:  # whatever it is: no answer in ten seconds, or none at all
                    failed += 1
                most = max(most, memory(pid))
            stays = 0
            if flood == "silences":
                time.sleep(25)
                stays = connections(port)
        p99 = 1000 * sorted(times)[int(len(times) * 0.99)] if times else float("inf")
        stay = f", {stays} silent connections after 30 s" if flood == "silences" else ""
        print(
            f"{name:10} {flood:13} p99 {p99:6.0f} ms, {failed} times no answer, "
            f"{before:.0f} -> {most:.0f} MB{stay}",
            flush=True,
        )


def main() -> None:
    asked = argparse.ArgumentParser(description="Servers that others wrote, under floods.")
    asked.add_argument("--python", type=Path, default=Path(sys.executable))
    wish = asked.parse_args()
    for name in COMMANDS:
        with small(wish.python, name) as (pid, port):
            look(name, pid, port, "x")
    with (
        tempfile.TemporaryDirectory() as folder,
        Process(sqlite_url(Path(folder)), RULEWRIGHT_RATE="200") as process,
    ):
        look("ours", process.popen.pid, int(process.url.rsplit(":", 1)[1]), Seats(process.http).id)


if __name__ == "__main__":
    main()
