"""The servers of the load bench, each in a process of its own, on loopback.

In:  a folder for what they write.
Out: our server over the duel with health without end (SQLite, every move on the disk before it is told), and
     a boardgame.io server with the same game, which keeps everything in its own memory.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import boardgame_io

HERE = Path(__file__).resolve().parent
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
