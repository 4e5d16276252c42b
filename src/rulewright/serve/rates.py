"""How much one address may ask for: tokens that come back with time, and a few requests at a time.

In:  the address behind each request, connection or message.
Out: whether it may go on, now or when its turn comes.

Everybody behind one address shares what it has. For the newer addresses, of which anybody is given many, the
first half counts: what a household or a company has.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

CLIENTS = 10_000
BURST = 10
"""Seconds' worth of requests that may come at once."""
TURNS = 8
"""Requests of one address that are worked on at the same time; the others wait for their turn."""


def household(client: object) -> str:
    """What an address is counted as, from what a server is told of the other side."""
    host = str(client[0]) if isinstance(client, tuple | list) and client else "?"  # pyright: ignore[reportUnknownArgumentType]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)))
    return host


class Bucket:
    """Tokens that come back with time; whatever is done takes some."""

    __slots__ = ("level", "most", "rate", "then")

    def __init__(self, rate: float, most: float | None = None) -> None:
        self.rate = rate
        self.most = rate * BURST if most is None else most
        self.level = self.most
        self.then = time.monotonic()

    def _fill(self) -> None:
        now = time.monotonic()
        self.level = min(self.most, self.level + (now - self.then) * self.rate)
        self.then = now

    @property
    def dry(self) -> bool:
        """Whether nothing is left."""
        if self.rate <= 0:
            return False
        self._fill()
        return self.level < 1

    def take(self, tokens: float = 1) -> bool:
        """Whether something was left. Who takes much may run into debt, but not without end."""
        if self.rate <= 0:
            return True
        self._fill()
        if self.level < 1:
            return False
        self.level = max(self.level - tokens, -self.most)
        return True


class Rates:
    """A bucket for every address; the one that was quiet for longest is forgotten first."""

    def __init__(self, rate: float, most: float | None = None) -> None:
        self.rate = rate
        self.most = most
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def bucket(self, address: str) -> Bucket:
        """The one of this address."""
        bucket = self.buckets.pop(address, None) or Bucket(self.rate, self.most)
        self.buckets[address] = bucket
        if len(self.buckets) > CLIENTS:
            self.buckets.popitem(last=False)
        return bucket


class Turns:
    """Lets a few requests of each address in at a time, in the order in which they came."""

    def __init__(self, most: int = TURNS) -> None:
        self.most = most
        self.working: dict[str, int] = {}
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncGenerator[None]:
        """Wait for a turn, and give it back."""
        if self.working.get(address, 0) >= self.most:
            mine = asyncio.get_running_loop().create_future()
            self.waiting.setdefault(address, deque()).append(mine)
            try:
                await mine  # whoever goes hands its turn over
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._done(address)
                raise
        else:
            self.working[address] = self.working.get(address, 0) + 1
        try:
            yield
        finally:
            self._done(address)

    def _done(self, address: str) -> None:
        line = self.waiting.get(address)
        while line:
            mine = line.popleft()
            if not line:
                del self.waiting[address]
            if not mine.done():
                mine.set_result(None)
                return
        self.working[address] -= 1
        if not self.working[address]:
            del self.working[address]
