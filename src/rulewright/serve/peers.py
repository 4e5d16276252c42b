"""Word between processes that share a PostgreSQL database.

In:  notifications, each `process table version`.
Out: a call for each table that moved on in another process, and whether the bots of a table are ours.

One connection does both. A lock of PostgreSQL's own says who plays the bots of a table: it goes when the
connection does, so a process that dies leaves nothing behind. With SQLite there is one process only.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from rulewright.serve.errors import EdgeError
from rulewright.serve.lanes import connected
from rulewright.serve.store import Store
from rulewright.serve.writers import CHANNEL, FAILURES

logger = logging.getLogger("rulewright.serve")

AGAIN = 0.5
"""Seconds until a lost connection is tried again."""


class Peers:
    """Listens as long as the server runs; a lost connection is made anew."""

    def __init__(
        self,
        store: Store,
        moved: Callable[[str, int], Awaitable[None]],
        all_moved: Callable[[], Awaitable[None]],
    ) -> None:
        self.store = store
        self.moved = moved
        self.all_moved = all_moved
        """Called after a gap in which we may have missed something."""
        self.reseated: Callable[[str], None] = lambda table: None
        """Called when another process has changed who may sit at a table."""
        self.task: asyncio.Task[None] | None = None
        self.calls: set[asyncio.Task[None]] = set()
        self.connection: Any = None
        self.talking = asyncio.Lock()
        self.held: set[str] = set()

    async def start(self) -> None:
        """Begin to listen, if there can be others."""
        if self.store.shared:
            self.task = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        """Stop listening."""
        for task in [*self.calls, *([self.task] if self.task else [])]:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _listen(self) -> None:
        while True:
            try:
                connection: Any = await connected(self.store.address)
                try:
                    lost = asyncio.Event()
                    connection.add_termination_listener(partial(_set, lost))
                    await connection.add_listener(CHANNEL, self._heard)
                    self.connection = connection
                    await self.all_moved()
                    await lost.wait()
                finally:
                    self.connection = None
                    self.held.clear()
                    with suppress(Exception):
                        await connection.close(timeout=1)
            except (*FAILURES, EdgeError) as error:
                logger.warning("the line to the database is lost, trying again: %s", error)
            await asyncio.sleep(AGAIN)

    def _heard(self, _connection: Any, _pid: int, _channel: str, said: object) -> None:
        origin, _, rest = str(said).partition(" ")
        table, _, version = rest.partition(" ")
        if origin != self.store.origin and version == "seats":
            self.reseated(table)
        elif origin != self.store.origin and version.isdecimal():
            task = asyncio.get_running_loop().create_task(self._tell(table, int(version)))
            self.calls.add(task)
            task.add_done_callback(self.calls.discard)

    async def _tell(self, table: str, version: int) -> None:
        try:
            await self.moved(table, version)
        except (*FAILURES, EdgeError) as error:
            logger.warning("table %s: %s", table, error)

    async def mine(self, table: str) -> bool:
        """Whether this process plays the bots of a table: the first that asks, while it lives."""
        if not self.store.shared or table in self.held:
            return True
        async with self.talking:
            connection = self.connection
            if connection is None:
                return True  # nobody can say; two bots that choose at once do no harm
            try:
                got = bool(await connection.fetchval("SELECT pg_try_advisory_lock($1)", _key(table)))
            except FAILURES:
                return True
        if got:
            self.held.add(table)
        return got

    async def release(self, table: str) -> None:
        """This process has no more to do with a table."""
        if table not in self.held:
            return
        self.held.discard(table)
        async with self.talking:
            if self.connection is not None:
                with suppress(*FAILURES):
                    await self.connection.fetchval("SELECT pg_advisory_unlock($1)", _key(table))


def _set(lost: asyncio.Event, _connection: Any) -> None:
    lost.set()


def _key(table: str) -> int:
    return int.from_bytes(hashlib.sha256(table.encode()).digest()[:8], "big", signed=True)
