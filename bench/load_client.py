"""Players for the load bench: sockets with as little around them as can be.

In:  tables of one kind of server (Ours, Theirs).
Out: how long every move took, from when it was due until both players knew.

Moves are due at fixed times, whether or not the one before was slow, so a server that stalls is charged for
every move it kept waiting.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any, Protocol
from urllib.parse import urlsplit


class Socket(asyncio.Protocol):
    """A WebSocket client. Its mask is all zeros, which is a mask like any other and costs nothing."""

    def __init__(self, host: str, path: str) -> None:
        self.host, self.path = host, path
        self.buffer = bytearray()
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.texts: asyncio.Queue[bytes] = asyncio.Queue()
        self.table: Table | None = None
        self.seat = 0
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        key = "dGhlIHNhbXBsZSBub25jZQ=="
        self.transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {self.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        if self.table is not None:
            self.table.lost = True

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.open.done():
            head, found, rest = bytes(self.buffer).partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.open.set_exception(ConnectionError(head.decode("latin-1")))
                return
            self.buffer = bytearray(rest)
            self.open.set_result(None)
        self._frames()

    def _frames(self) -> None:
        buffer, at = self.buffer, 0
        while len(buffer) - at >= 2:
            kind, size, start = buffer[at] & 15, buffer[at + 1] & 127, at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if len(buffer) < start + size:
                break
            payload = bytes(buffer[start : start + size])
            at = start + size
            if kind == 9:
                self._frame(10, payload)
            elif kind == 1 and self.table is None:
                self.texts.put_nowait(payload)
            elif kind == 1:
                self.table.heard(self.seat, payload)  # type: ignore[union-attr]
        del buffer[:at]

    def _frame(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        length = bytes([128 | size]) if size < 126 else bytes([128 | 126]) + size.to_bytes(2, "big")
        self.transport.write(bytes([128 | kind]) + length + b"\0\0\0\0" + payload)

    def send(self, text: str) -> None:
        self._frame(1, text.encode())


async def connect(url: str, path: str) -> Socket:
    place = urlsplit(url)
    loop = asyncio.get_running_loop()
    _, made = await loop.create_connection(lambda: Socket(place.netloc, path), place.hostname, place.port)
    await asyncio.wait_for(made.open, 30)
    return made


async def post(url: str, path: str, body: Any) -> Any:
    place = urlsplit(url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode() + data)
    answer = await asyncio.wait_for(reader.read(), 30)
    writer.close()
    head_, _, rest = answer.partition(b"\r\n\r\n")
    if head_.split()[1][:1] != b"2":
        raise ConnectionError(answer[:300].decode("utf-8", "replace"))
    return json.loads(rest[rest.index(b"{") : rest.rindex(b"}") + 1])


class Kind(Protocol):
    """What differs between servers."""

    async def seats(self) -> tuple[list[Socket], list[str]]: ...
    def read(self, text: bytes) -> tuple[int, int] | None: ...
    def move(self, table: Table, seat: int) -> str: ...


class Ours:
    """`rulewright serve`."""

    STATE = re.compile(rb'"version":(\d+),"waiting":\[(\d+)')

    def __init__(self, url: str) -> None:
        self.url = url

    async def seats(self) -> tuple[list[Socket], list[str]]:
        wish = {"book": "duel", "seats": [{"kind": "you"}, {"kind": "invite"}]}
        made = await post(self.url, "/api/tables", wish)
        place = f"/api/tables/{made['table']}/live?token="
        return [await connect(self.url, place + seat["token"]) for seat in made["seats"]], [made["table"]]

    def read(self, text: bytes) -> tuple[int, int] | None:
        found = self.STATE.search(text, 0, 400)
        return (int(found[1]), int(found[2])) if found else None

    def move(self, table: Table, seat: int) -> str:
        return f'{{"choose":0,"version":{table.version}}}'


class Theirs:
    """A boardgame.io server: socket.io on a WebSocket, written out."""

    VERSION = re.compile(rb'"_stateID":(\d+)')
    WHO = re.compile(rb'"currentPlayer":"(\d)"')

    def __init__(self, url: str) -> None:
        self.url = url

    async def seats(self) -> tuple[list[Socket], list[str]]:
        id_ = (await post(self.url, "/games/duel/create", {"numPlayers": 2}))["matchID"]
        sockets, keys = [], [id_]
        for seat in "01":
            wish = {"playerID": seat, "playerName": seat}
            keys.append((await post(self.url, f"/games/duel/{id_}/join", wish))["playerCredentials"])
            socket = await connect(self.url, "/socket.io/?EIO=4&transport=websocket")
            await asyncio.wait_for(socket.texts.get(), 30)
            socket.send("40/duel,")
            await asyncio.wait_for(socket.texts.get(), 30)
            socket.send("42/duel," + json.dumps(["sync", id_, seat, keys[-1], 2]))
            sockets.append(socket)
        return sockets, keys

    def read(self, text: bytes) -> tuple[int, int] | None:
        if not text.startswith((b'42/duel,["update"', b'42/duel,["sync"')):
            return None
        version, who = self.VERSION.search(text), self.WHO.search(text)
        return (int(version[1]), int(who[1])) if version and who else None

    def move(self, table: Table, seat: int) -> str:
        id_, *keys = table.keys
        payload = {"type": "attack", "args": [], "playerID": str(seat), "credentials": keys[seat]}
        action = {"type": "MAKE_MOVE", "payload": payload}
        return "42/duel," + json.dumps(["update", action, table.version, id_, str(seat)])


class Table:
    """Two players who move at fixed times and wait for each other."""

    def __init__(self, kind: Kind, sockets: list[Socket], keys: list[str]) -> None:
        self.kind, self.sockets, self.keys = kind, sockets, keys
        self.version, self.who = -1, 0
        self.known = [-1, -1]
        self.moving = False
        self.lost = False
        self.due = self.stop = self.period = 0.0
        self.times: list[float] = []
        self.loop = asyncio.get_running_loop()

    async def ready(self) -> None:
        """Read what came before the table was there, until both know where it stands."""
        for seat, socket in enumerate(self.sockets):
            while self.known[seat] < 0:
                self.heard(seat, await asyncio.wait_for(socket.texts.get(), 30))
            socket.table, socket.seat = self, seat

    def run(self, start: float, seconds: float, rate: float) -> None:
        self.period, self.due, self.stop = 1 / rate, start, start + seconds
        self.times = []
        self.loop.call_at(self.due, self._move)

    def _move(self) -> None:
        if not self.lost:
            self.moving = True
            self.sockets[self.who].send(self.kind.move(self, self.who))

    def heard(self, seat: int, text: bytes) -> None:
        if text == b"2":
            self.sockets[seat].send("3")
            return
        found = self.kind.read(text)
        if found is None:
            return
        self.known[seat] = max(self.known[seat], found[0])
        before, self.version = self.version, min(self.known)
        if found[0] >= self.version:
            self.who = found[1] if found[0] == self.version else self.who
        if self.moving and self.version > before:
            now = self.loop.time()
            self.moving = False
            self.times.append(now - self.due)
            self.due += self.period
            if self.due < self.stop:
                self.loop.call_at(max(self.due, now), self._move)


async def open_tables(kind: Kind, count: int, tables: list[Table]) -> None:
    """Have this many tables, opened a few at a time."""

    async def one() -> None:
        table = Table(kind, *await kind.seats())
        await table.ready()
        tables.append(table)

    while len(tables) < count:
        await asyncio.gather(*(one() for _ in range(min(20, count - len(tables)))))
