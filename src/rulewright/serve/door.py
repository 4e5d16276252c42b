"""Connections: who may come in, and how long they may take.

In:  connections of strangers.
Out: requests for the application; everything that is too much, too slow or never ends is closed.

uvicorn bounds neither the number of connections, nor how long a head or a body may take, nor what one
connection may send ahead. A proxy in front could, but is not there when somebody just runs the program, so
the few lines that are missing are here. hypercorn and granian were tried with the same floods
(tests/attack/servers.py; figures in docs/hosting.md): neither counts by address, the one takes eight times
the processor time for a request, the other two gigabytes under pings. Time is kept by one round a second over
all connections.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections import Counter
from functools import partial
from typing import Any, Protocol, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from rulewright.serve.errors import EdgeError
from rulewright.serve.rates import Rates, household
from rulewright.serve.settings import Settings

HEAD, BODY, ANSWER, QUIET, LINGER = 10.0, 20.0, 30.0, 10.0, 10.0
"""Seconds for a head, for a body, for reading an answer, between two requests, and for going away."""
ROUND = 1.0
LONGEST = 32 * 1024
"""Bytes of a head."""
AHEAD = 16
"""Requests that a connection may send ahead of their answers."""
SPARE = 64
"""File descriptors that are kept for the database, books and the like."""


class Held(Protocol):
    """A connection that is watched."""

    transport: asyncio.Transport
    due: float
    """When it must have come further, or it is dropped."""
    keeper: Any


def descriptors() -> int:
    """How many files this process may have open."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 512
    return min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 1 << 20)


class Keeper:
    """Counts who is in, and shows those out who take too long."""

    def __init__(self, settings: Settings, rates: Rates) -> None:
        self.rates = rates
        self.proxies = frozenset(settings.proxies)
        self.most = max(8, min(settings.connections, descriptors() - SPARE))
        limited = settings.rate > 0 and settings.per_address > 0
        self.share = max(4, min(settings.per_address, self.most // 2)) if limited else self.most
        self.inside: Counter[str] = Counter()
        self.held: dict[Held, str] = {}
        self.refused = 0
        self.dropped = 0

    def come(self, one: Held, client: object) -> bool:
        """Whether there is room for one more connection of this address."""
        address = household(client)
        proxy = address in self.proxies
        full = len(self.held) >= self.most
        if full or (not proxy and (self.inside[address] >= self.share or self.rates.bucket(address).dry)):
            self.refused += 1
            return False
        self.inside[address] += 1
        self.held[one] = address
        return True

    def hand_over(self, before: Held, after: Held) -> None:
        """The same connection, in other hands."""
        if before in self.held:
            self.held[after] = self.held.pop(before)

    def leave(self, one: Held) -> None:
        """A connection has ended."""
        address = self.held.pop(one, None)
        if address is not None:
            self.inside[address] -= 1
            if not self.inside[address]:
                del self.inside[address]

    def sweep(self) -> None:
        """Drop what is overdue; also what was closed and does not read what it was sent last."""
        now = time.monotonic()
        for one in list(self.held):
            if one.due < now:
                self.dropped += 1
                one.transport.abort()
            elif one.transport.is_closing() and one.due > now + LINGER:
                one.due = now + LINGER

    async def run(self) -> None:
        """As long as the server does."""
        while True:
            await asyncio.sleep(ROUND)
            self.sweep()


class Door(HttpToolsProtocol):
    """uvicorn's HTTP, with limits."""

    def __init__(self, keeper: Keeper, **given: Any) -> None:
        super().__init__(**given)
        self.keeper = keeper
        self.due = math.inf
        self.heading = True
        self.head = 0
        self.working: RequestResponseCycle | None = None
        """The request that is being answered; `cycle` is the newest, which may have to wait."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Let it in, or not."""
        super().connection_made(transport)
        self.due = time.monotonic() + HEAD
        if not self.keeper.come(self, self.client):
            self._refuse(EdgeError("request/too-many"))

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        self.keeper.leave(self)
        self._abandon()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes of some requests."""
        if self.transport.is_closing() or self.parser is None:
            return
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
            else:
                self._refuse(EdgeError("request/invalid", "There is nothing to upgrade to."))
            return
        except httptools.HttpParserError:
            many = len(self.pipeline) >= AHEAD
            self._refuse(
                EdgeError("request/too-many") if many else EdgeError("request/invalid", "This is no HTTP.")
            )
            return
        if self.heading:
            self.head += len(data)
        if self.heading and self.head > LONGEST:
            self._refuse(EdgeError("request/too-large"))

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection to the one who speaks WebSocket."""
        super().handle_websocket_upgrade()
        wire = cast("Held", self.transport.get_protocol())
        wire.keeper = self.keeper
        self.keeper.hand_over(self, wire)

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self.heading, self.head = True, 0
        self.due = time.monotonic() + HEAD

    def on_header(self, name: bytes, value: bytes) -> None:
        """A line of a head, or one behind a body."""
        self.head += len(name) + len(value)
        if self.head > 2 * LONGEST:  # counted twice: as it came, and line by line
            raise ValueError("the head is too long")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """A request is known."""
        if len(self.pipeline) >= AHEAD:
            raise ValueError("too many requests at once")
        self.heading = False
        self.due = time.monotonic() + BODY
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """A request is whole: now it is up to us."""
        super().on_message_complete()
        self.due = math.inf

    def on_response_complete(self) -> None:
        """An answer has been given to the network."""
        super().on_response_complete()
        if not self.pipeline:
            self.due = time.monotonic() + QUIET

    def pause_writing(self) -> None:
        """The other side does not read what it asked for."""
        super().pause_writing()
        self.due = time.monotonic() + ANSWER

    def resume_writing(self) -> None:
        """It does read."""
        super().resume_writing()
        self.due = math.inf if self.cycle and not self.cycle.response_complete else time.monotonic() + QUIET

    def _refuse(self, error: EdgeError) -> None:
        if not self.cycle or self.cycle.response_complete:  # else this would be taken for another answer
            body = json.dumps(error.body).encode()
            head = f"HTTP/1.1 {error.status} Refused\r\ncontent-type: application/json\r\n"
            head += f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            self.transport.write(head.encode() + body)
        self._abandon()
        self.transport.close()

    def _abandon(self) -> None:
        """Nobody waits for answers any more: uvicorn tells that only to the newest request, and the one that
        is being answered would fail on the closed connection, with a traceback in the log each time."""
        self.pipeline.clear()
        if self.working is not None and not self.working.response_complete:
            self.working.disconnected = True
            self.working.message_event.set()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self.working = cycle
        super()._start_asgi_task(cycle, app)


def door(keeper: Keeper) -> type[asyncio.Protocol]:
    """What uvicorn makes a connection with."""
    return cast("type[asyncio.Protocol]", partial(Door, keeper))
