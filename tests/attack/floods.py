"""Attacks on a server of ours, each for a few seconds, on this machine only.

In:  the port of a server, the id of a table anybody may watch.
Out: nothing; each runs until it is told to stop. They come from 127.0.0.1; a bystander comes from 127.0.0.2.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from typing import Any

import httpx
from websockets.sync.client import connect

Attack = Callable[[int, str, threading.Event], None]
MOST = 60.0
"""Seconds after which an attack ends by itself."""


def frame(opcode: int, data: bytes) -> bytes:
    """A masked frame with a mask of zeros."""
    return bytes((0x80 | opcode, 0x80 | len(data))) + bytes(4) + data


def _socket(port: int, table: str) -> socket.socket:
    """A spectator's WebSocket, as a plain socket behind its handshake."""
    sock = socket.create_connection(("127.0.0.1", port), 10)
    sock.sendall(
        f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    sock.recv(200)
    return sock


def _pour(port: int, table: str, stop: threading.Event, load: bytes, opened: Callable[..., Any]) -> None:
    """Send without pause and never read; come back whenever thrown out."""
    while not stop.is_set():
        with suppress(OSError), opened(port, table) as sock:
            sock.settimeout(2)
            while not stop.is_set():
                sock.sendall(load)
        stop.wait(0.01)


def _plain(port: int, _table: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 10)


def messages(port: int, table: str, stop: threading.Event) -> None:
    """The smallest texts, on three sockets."""
    load = frame(1, b"{}") * 8000
    _many(3, lambda: _pour(port, table, stop, load, _socket))


def pings(port: int, table: str, stop: threading.Event) -> None:
    """Pings of the protocol, whose pongs nobody reads."""
    load = frame(9, b"x" * 100) * 1000
    _many(3, lambda: _pour(port, table, stop, load, _socket))


def pipelines(port: int, table: str, stop: threading.Event) -> None:
    """Requests without waiting for an answer."""
    load = f"GET /api/tables/{table} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * 1000
    _many(3, lambda: _pour(port, table, stop, load, _plain))


def heads(port: int, table: str, stop: threading.Event) -> None:
    """A head that never ends."""
    load = b"x" * 60_000

    def begun(port: int, table: str) -> socket.socket:
        sock = _plain(port, table)
        sock.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        return sock

    _many(3, lambda: _pour(port, table, stop, load, begun))


def requests(port: int, table: str, stop: threading.Event) -> None:
    """As many requests as can be, each of some work to the server, on thirty connections."""
    ask = f"GET /api/tables/{table}/whynot?name=Draw HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()

    def one() -> None:
        while not stop.is_set():
            with suppress(OSError), _plain(port, table) as sock:
                sock.settimeout(5)
                while not stop.is_set():
                    sock.sendall(ask)
                    if not sock.recv(65536):
                        break
            stop.wait(0.01)

    _many(30, one)


def openings(port: int, table: str, stop: threading.Event) -> None:
    """Tables of bots, one after the other."""
    body = b'{"book": "hands", "seats": [{"kind": "bot"}, {"kind": "bot"}]}'
    head = f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-length: {len(body)}\r\n"
    ask = head.encode() + b"content-type: application/json\r\n\r\n" + body

    def one() -> None:
        while not stop.is_set():
            with suppress(OSError), _plain(port, table) as sock:
                sock.settimeout(5)
                while not stop.is_set():
                    sock.sendall(ask)
                    if not sock.recv(65536):
                        break
            stop.wait(0.02)

    _many(6, one)


def _asking(port: int, stop: threading.Event, connections: int, paths: list[str]) -> None:
    """The same questions again and again, on as many connections as this."""
    asks = [f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() for path in paths]

    def one() -> None:
        while not stop.is_set():
            with suppress(OSError), _plain(port, "") as sock:
                sock.settimeout(5)
                while not stop.is_set():
                    for ask in asks:
                        sock.sendall(ask)
                        if not sock.recv(1 << 20):
                            raise ConnectionError
            stop.wait(0.01)

    _many(connections, one)


def _own(port: int, stop: threading.Event, tables: int, moves: int) -> list[tuple[str, str]]:
    """Tables that the attacker opens alone and plays at for a while: address and token of each."""
    found: list[tuple[str, str]] = []
    body = {"book": "hands", "seats": [{"kind": "you"}, {"kind": "bot"}]}
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30, trust_env=False) as http:
        for _ in range(tables):
            made = http.post("/api/tables", json=body).json()
            if "table" not in made:
                break
            path, token = f"/api/tables/{made['table']}", made["seats"][0]["token"]
            for _ in range(moves):
                now = http.get(path, params={"token": token}).json()
                if stop.is_set() or now.get("result"):
                    break
                if (now.get("decision") or {}).get("mine"):
                    choice = {"token": token, "version": now["version"], "option": 0}
                    http.post(f"{path}/choices", json=choice)
                time.sleep(0.02)
            found.append((path, f"token={token}"))
    return found


def _questions(port: int, stop: threading.Event, moves: int, asked: str, tables: int = 3) -> None:
    own: list[tuple[str, str]] = []
    while not own and not stop.wait(0.2):  # an attacker who has just asked too much has to wait
        with suppress(httpx.HTTPError, ValueError):
            own = _own(port, stop, tables, moves)
    _asking(port, stop, 30, [f"{path}/{asked}{'&' if '?' in asked else '?'}{token}" for path, token in own])


def logs(port: int, table: str, stop: threading.Event) -> None:
    """Whole logs."""
    _questions(port, stop, 20, "log?after=0")


def odds(port: int, table: str, stop: threading.Event) -> None:
    """What options may bring, at tables of the attacker's own."""
    _questions(port, stop, 1, "odds")


def hints(port: int, table: str, stop: threading.Event) -> None:
    """What to do, likewise."""
    _questions(port, stop, 1, "hint")


def whys(port: int, table: str, stop: threading.Event) -> None:
    """Why something happened, which plays a match again."""
    _questions(port, stop, 20, "why/5")


def estimates(port: int, table: str, stop: threading.Event) -> None:
    """How a match went that is over, which plays it again."""
    _questions(port, stop, 200, "estimates", 1)


SILENCES = {
    "nothing": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: 127",
    "half a body": b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\ncontent-length: 500\r\n\r\n{",
    "half a chunk": b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
}
"""What connections say before they fall silent."""


def silences(port: int, table: str, stop: threading.Event) -> None:
    """Connections that begin something and then say no more: as many as this process may have."""
    held: list[socket.socket] = []
    try:
        while not stop.is_set() and len(held) < 600:
            for said in SILENCES.values():
                with suppress(OSError):
                    sock = _plain(port, table)
                    held.append(sock)
                    sock.sendall(said)
            stop.wait(0.005)
        stop.wait(MOST)
    finally:
        for sock in held:
            sock.close()


def slow_readers(port: int, table: str, stop: threading.Event) -> None:
    """Who asks for pages and does not read them."""
    held: list[socket.socket] = []
    ask = b"GET /page/table.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 10
    try:
        while not stop.is_set() and len(held) < 150:
            with suppress(OSError):
                sock = socket.socket()
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                sock.connect(("127.0.0.1", port))
                held.append(sock)
                sock.sendall(ask)
            stop.wait(0.01)
        stop.wait(MOST)
    finally:
        for sock in held:
            sock.close()


ATTACKS: dict[str, Attack] = {
    attack.__name__: attack
    for attack in (
        *(messages, pings, pipelines, heads, requests, openings, silences, slow_readers),
        *(logs, odds, hints, whys, estimates),
    )
}


def _many(count: int, work: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@contextmanager
def under(name: str, port: int, table: str) -> Any:
    """While one of the attacks runs, in a process of its own, which has an interpreter lock of its own."""
    child = subprocess.Popen([sys.executable, __file__, name, str(port), table])
    try:
        yield
        assert child.poll() is None, f"{name} has ended by itself"
    finally:
        child.kill()
        child.wait()


class Bystander:
    """Somebody at another address, with a table and a line to it, who just wants to play."""

    def __init__(self, port: int, table: str) -> None:
        self.port = port
        self.table = table
        self.times: list[float] = []

    def health(self) -> float:
        """Seconds for one request on a new connection."""
        began = time.perf_counter()
        with socket.create_connection(("127.0.0.1", self.port), 10, ("127.0.0.2", 0)) as sock:
            sock.sendall(
                f"GET /api/tables/{self.table} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                "Connection: close\r\n\r\n".encode()
            )
            said = b""
            while piece := sock.recv(65536):
                said += piece
        assert said.startswith(b"HTTP/1.1 200"), said[:100]
        return time.perf_counter() - began

    def watch(self, seconds: float) -> list[float]:
        """The times of requests and of pings on a line, taken in turns for so long."""
        end = time.monotonic() + seconds
        times: list[float] = []
        with connect(
            f"ws://127.0.0.1:{self.port}/api/tables/{self.table}/live",
            source_address=("127.0.0.2", 0),
            compression=None,
            open_timeout=10,
        ) as line:
            line.recv(timeout=10)
            while time.monotonic() < end:
                times.append(self.health())
                began = time.perf_counter()
                line.send('{"ping": 1}')
                assert line.recv(timeout=10) == '{"pong": 1}'
                times.append(time.perf_counter() - began)
                time.sleep(0.01)
        return sorted(times)


if __name__ == "__main__":
    os.nice(5)
    threading.Timer(MOST, os._exit, (0,)).start()
    ATTACKS[sys.argv[1]](int(sys.argv[2]), sys.argv[3], threading.Event())
