"""Choices on their way into the database, many at a time.

In:  choices of any number of tables, each with somebody to be told what became of it.
Out: rows; who made a choice learns that its row is stored, that the number was taken, or that the database
     failed.

A transaction costs a flush of the disk, whatever is in it. So while one is being written the next
choices gather, and go in together. The number of a choice is part of the primary key: two processes
that append at once cannot both succeed, and the one that lost is told so (Conflict). When a group
fails, each of its rows is tried alone, so that one bad row fails only its own table.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter

from rulewright.serve.lanes import STATEMENT

GROUP = 500
"""Rows in one transaction at most, so that nobody waits for more than a few milliseconds of others."""

GATHER = 0.01
"""Seconds from one transaction to the next. Who is alone never notices; on a busy server it makes groups
large, and flushes, which cost more processor time than the choices themselves, few."""

MANY = 50
"""Where so many wait already the next transaction begins at once: the disk works while others are told."""


class Conflict(Exception):
    """Somebody else appended first."""


class StoreError(Exception):
    """The database did not answer; whether the row was written is not known."""


Told = Callable[[Exception | None], None]
"""Hears once, from the loop, what went wrong with a choice; None: it is on the disk."""


@dataclass(slots=True)
class Entry:
    """A choice to be stored."""

    key: tuple[str, int]
    """The table, and the number of the choice there: what makes it unique."""
    choice: int
    seat: int
    ending: str | None
    mark: int | None
    told: Told
    at: float
    since: float = 0.0
    """When it began to wait, by the clock of the loop."""
    over: bool = False
    """Nobody waits for it any more."""


KEY = attrgetter("key")


Write = Callable[[Sequence[Entry]], Awaitable[set[tuple[str, int]]]]
"""Writes choices in one transaction and gives the keys of those that are new. Raises StoreError."""


class Appender:
    """Writes choices in groups, in the order in which they came."""

    def __init__(self, write: Write) -> None:
        self.write = write
        self.waiting: list[Entry] = []
        self.wanted = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.clock: asyncio.TimerHandle | None = None
        self.ended: list[tuple[Told, Exception | None]] = []
        """Who is to be told next, and of what."""

    def start(self) -> None:
        """Begin to write."""
        self.loop = asyncio.get_running_loop()
        self.task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Write what is waiting, then stop."""
        if self.task is None:
            return
        while self.waiting:
            self.wanted.set()
            await asyncio.sleep(0.01)
        self.task.cancel()
        with suppress(asyncio.CancelledError):
            await self.task
        if self.clock is not None:
            self.clock.cancel()

    def _impatient(self) -> None:
        """Tell those who have waited too long. One clock for all: one for each would cost as much as writing
        the choice."""
        self.clock = None
        now = self.loop.time()
        for entry in self.waiting:
            if entry.since + STATEMENT <= now:
                self._end(entry, StoreError("the database does not answer"))
        left = [entry.since for entry in self.waiting if not entry.over]
        if left:
            self.clock = self.loop.call_at(min(left) + STATEMENT, self._impatient)

    def put(
        self,
        table: str,
        number: int,
        choice: int,
        seat: int,
        ending: str | None,
        mark: int | None,
        told: Told,
    ) -> Entry:
        """Have a choice stored, and say so: Conflict when its number is taken, StoreError when the database
        fails."""
        now = self.loop.time()
        entry = Entry((table, number), choice, seat, ending, mark, told, time.time(), now)
        self.waiting.append(entry)
        if self.clock is None:
            self.clock = self.loop.call_at(now + STATEMENT, self._impatient)
        self.wanted.set()
        return entry

    async def append(
        self, table: str, number: int, choice: int, seat: int, ending: str | None, mark: int | None = None
    ) -> None:
        """The same for a task that waits for it. Raises Conflict, StoreError."""
        stored: asyncio.Future[None] = self.loop.create_future()
        entry = self.put(table, number, choice, seat, ending, mark, functools.partial(_settle, stored))
        try:
            await stored
        finally:
            entry.over = True

    def _end(self, entry: Entry, error: Exception | None = None) -> None:
        """Tell whoever waits, once. From the loop: what they make of it must not hold up the writing."""
        if not entry.over:
            entry.over = True
            if not self.ended:
                self.loop.call_soon(self._tell)
            self.ended.append((entry.told, error))

    def _tell(self) -> None:
        """Those whose choices ended together are told together: a callback for each costs more than some."""
        ended, self.ended = self.ended, []
        for told, error in ended:
            try:
                told(error)
            except Exception as failure:
                self.loop.call_exception_handler({"message": "nobody took the news", "exception": failure})

    async def _run(self) -> None:
        while True:
            await self.wanted.wait()
            self.wanted.clear()
            while self.waiting:
                # Sorted, so that two processes with the same rows wait for each other, never in a circle.
                group = sorted(self.waiting[:GROUP], key=KEY)
                try:
                    await self._write(group)
                finally:
                    del self.waiting[: len(group)]
                    for entry in group:  # whatever happened, nobody waits for ever
                        if not entry.over:
                            self._end(entry, StoreError("the server is stopping"))
                if len(self.waiting) < MANY:
                    await asyncio.sleep(GATHER)

    async def _write(self, group: Sequence[Entry]) -> None:
        try:
            stored = await self.write(group)
        except StoreError as error:
            if len(group) > 1:
                for entry in group:
                    if not entry.over:
                        await self._write([entry])
            else:
                self._end(group[0], error)
            return
        for entry in group:
            if entry.key in stored:
                stored.discard(entry.key)  # a twin in the same group came second
                self._end(entry)
            else:
                self._end(entry, Conflict(entry.key[0]))


def _settle(stored: asyncio.Future[None], error: Exception | None) -> None:
    if stored.done():
        return
    if error is None:
        stored.set_result(None)
    else:
        stored.set_exception(error)
