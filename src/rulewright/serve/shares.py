"""Places that are shared out fairly: whoever has many things waiting gets no more turns than whoever has one.

In:  a number of places; whoever wants one says on whose behalf.
Out: a place, in turns: one after the other of those who wait, and of each the thing that waited longest.

Bots think at such places on behalf of whoever opened their table. Somebody with 460 tables of bots has one
turn in two beside somebody with one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Hashable
from contextlib import asynccontextmanager


class Shares:
    """A few places."""

    def __init__(self, places: int) -> None:
        self.free = places
        self.waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}
        """Who waits, in the order in which their turns come."""

    @asynccontextmanager
    async def turn(self, whose: Hashable) -> AsyncGenerator[None]:
        """A place, for as long as it is needed."""
        if self.free:
            self.free -= 1
        else:
            await self._wait(whose)
        try:
            yield
        finally:
            self._next()

    async def _wait(self, whose: Hashable) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(whose, deque()).append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():  # the place came together with the word to stop
                self._next()
            raise

    def _next(self) -> None:
        """Hand a place on."""
        while self.waiting:
            whose, line = next(iter(self.waiting.items()))
            del self.waiting[whose]
            waiter = line.popleft()
            if line:
                self.waiting[whose] = line  # behind all others
            if not waiter.done():
                waiter.set_result(None)
                return
        self.free += 1
