"""What the tests of the server share: small books, an app over them, clients, servers as processes."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI
from websockets.sync.client import ClientConnection, connect

from rulewright.cli.pages import render
from rulewright.cli.serve import listen, run
from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.serve.api import build
from rulewright.serve.library import Library, Volume
from rulewright.serve.settings import Settings
from rulewright.serve.store import Store
from rulewright.serve.wire import configured

BOOKS = Path(__file__).parent / "books"
NAMES = ("hands", "coin")
OPEN = Settings(rate=0)
TWO = [{"kind": "you", "name": "Ada"}, {"kind": "invite", "name": "Bo"}]

_programs: dict[str, Program] = {}


def program(name: str) -> Program:
    if name not in _programs:
        _programs[name] = compile_book(BOOKS / f"{name}.md")
    return _programs[name]


def volume(name: str) -> Volume:
    return Volume(name, program(name), render({f"{name}.md": (BOOKS / f"{name}.md").read_text("utf-8")}))


def library(engine: str = "reference") -> Library:
    return Library(NAMES, volume, equip=lambda _: engine)


def make_app(url: str, settings: Settings = OPEN, **kwargs: Any) -> FastAPI:
    return build(Store(url), library(), settings, **kwargs)


class Web(httpx.Client):
    """Talks to a server of ours, over HTTP and WebSocket."""

    def __init__(self, url: str) -> None:
        super().__init__(base_url=url, timeout=60, trust_env=False)
        self.url = url

    def live(self, path: str, **kwargs: Any) -> ClientConnection:
        """A socket to a table."""
        address = f"{self.url.replace('http', 'ws')}{path}"
        usual: dict[str, Any] = {"open_timeout": 60, "close_timeout": 10, "max_size": 2**24}
        return connect(address, **{**usual, "compression": None, **kwargs})


@contextmanager
def client(app: FastAPI) -> Iterator[Web]:
    """The app, served to this machine from a thread."""
    sock = listen("127.0.0.1", 0)
    server = uvicorn.Server(configured(app))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
    thread.start()
    until(lambda: server.started or not thread.is_alive())
    assert server.started
    try:
        with Web(f"http://127.0.0.1:{sock.getsockname()[1]}") as web:
            yield web
    finally:
        server.should_exit = True
        thread.join(60)
        sock.close()


def on_loop(app: FastAPI, work: Callable[[], object]) -> None:
    """Do something where the server does its own work."""
    done = threading.Event()
    loop = app.state.tables.store.appender.task.get_loop()
    loop.call_soon_threadsafe(lambda: (work(), done.set()))
    assert done.wait(30)


def awaited(work: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine gives. It runs in a thread of its own: in the main thread a browser of other tests may
    keep a loop running, beside which none can start."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'tables.db'}"


class Seats:
    """A table as its players see it, through any client that speaks like httpx."""

    def __init__(self, http: Any, book: str = "hands", seats: Any = TWO, seed: int = 7, **wish: Any) -> None:
        self.http = http
        answer = http.post("/api/tables", json={"book": book, "seats": seats, "seed": seed, **wish})
        assert answer.status_code == 201, answer.text
        self.made = answer.json()
        self.id: str = self.made["table"]
        self.tokens: list[str | None] = [seat.get("token") for seat in self.made["seats"]]

    def get(self, path: str = "", seat: int | None = 0, http: Any = None, **query: Any) -> Any:
        token = None if seat is None else self.tokens[seat]
        params = {**query, **({"token": token} if token else {})}
        return (http or self.http).get(f"/api/tables/{self.id}{path}", params=params)

    def state(self, seat: int | None = 0, http: Any = None) -> dict[str, Any]:
        answer = self.get("", seat, http)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def choose(self, seat: int, version: int, option: int, http: Any = None) -> Any:
        body = {"token": self.tokens[seat], "version": version, "option": option}
        return (http or self.http).post(f"/api/tables/{self.id}/choices", json=body)

    def undo(self, seat: int, version: int, http: Any = None) -> Any:
        body = {"token": self.tokens[seat], "version": version}
        return (http or self.http).post(f"/api/tables/{self.id}/undo", json=body)

    def take(self, text: str) -> dict[str, Any]:
        """The seat that decides takes the first option that begins like this; gives its new state."""
        seat = self.state(None)["decision"]["seat"]
        now = self.state(seat)
        option = next(o for o in now["decision"]["options"] if o["text"].startswith(text))
        answer = self.choose(seat, now["version"], option["index"])
        assert answer.status_code == 200, answer.text
        return self.state(seat)

    def play(self, seed: int = 0, most: int = 1000) -> dict[str, Any]:
        """Play on at random; gives the last state a spectator sees."""
        chance = random.Random(seed)
        for _ in range(most):
            now = self.state(None)
            if now["result"] is not None:
                return now
            seat = now["decision"]["seat"]
            options = self.state(seat)["decision"]["options"]
            answer = self.choose(seat, now["version"], chance.randrange(len(options)))
            assert answer.status_code == 200, answer.text
        return self.state(None)


def problem(answer: Any) -> str:
    """The code of an error, whose shape is checked."""
    body = answer.json()
    assert set(body) == {"error", "message"}, body
    assert body["message"].strip()
    return body["error"]


class Process:
    """A server in a process of its own, at a free port of this machine."""

    def __init__(self, url: str, command: list[str] | None = None, **environment: str) -> None:
        code = "from serve.tables_kit import main; main()"
        root = Path(__file__).resolve().parents[2]
        paths = os.pathsep.join([str(root / "src"), str(root / "tests")])
        given = {**os.environ, "PYTHONPATH": paths, "RULEWRIGHT_RATE": "0", **environment}
        # Not a pipe: who does not read it holds the server up.
        self.said = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self.popen = subprocess.Popen(
            command or [sys.executable, "-c", code, url],
            env=given,
            stdout=subprocess.PIPE,
            stderr=self.said,
            text=True,
        )
        assert self.popen.stdout is not None
        line = self.popen.stdout.readline()
        if not line.startswith("http"):
            self.popen.kill()
            raise AssertionError(f"the server did not start: {line}{self.complaints()}")
        self.url = line.strip().rstrip("/")
        self.http = Web(self.url)

    def complaints(self) -> str:
        """What it has written to its log."""
        self.said.seek(0)
        return self.said.read()

    def kill(self) -> None:
        """As if the power went."""
        self.popen.send_signal(signal.SIGKILL)
        self.popen.wait(30)

    def close(self) -> None:
        self.http.close()
        if self.popen.poll() is None:
            self.popen.terminate()
            try:
                self.popen.wait(30)
            except subprocess.TimeoutExpired:
                self.popen.kill()
                self.popen.wait(30)
        assert self.popen.stdout is not None
        self.popen.stdout.close()
        self.said.close()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def main() -> None:
    """What the process runs: the command line's own server, over the small books."""
    books = {name: BOOKS / f"{name}.md" for name in NAMES}
    run(books, Store(sys.argv[1]), listen("127.0.0.1", 0), lambda address: print(address, flush=True))


def until(test: Any, seconds: float = 240) -> Any:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while not (found := test()):
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)
    return found


def same_but(state: Mapping[str, Any], *keys: str) -> str:
    return json.dumps({key: value for key, value in state.items() if key not in keys}, sort_keys=True)
