"""Word between processes that share a database.

In:  notifications of PostgreSQL.
Out: a call for each table that moved on in another process. With SQLite there is one process only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from rulewright.serve.store import CHANNEL, Store


class Peers:
    """Listens as long as the server runs; a lost connection is made anew."""

    def __init__(self, store: Store, moved: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        self.store = store
        self.moved = moved
        self.task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to listen, if there can be others."""
        if self.store.shared:
            self.task = asyncio.create_task(self._listen())

    async def stop(self) -> None:
        """Stop listening."""
        if self.task is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task

    async def _listen(self) -> None:
        import asyncpg

        address = self.store.url.replace("postgresql+asyncpg://", "postgresql://")
        while True:
            try:
                connection = await asyncpg.connect(address)
                try:
                    await connection.add_listener(CHANNEL, self._heard)
                    while not connection.is_closed():
                        await asyncio.sleep(1)
                finally:
                    with suppress(Exception):
                        await connection.close()
            except (OSError, asyncpg.PostgresError):
                await asyncio.sleep(0.5)

    def _heard(self, _connection: Any, _pid: int, _channel: str, table: object) -> None:
        asyncio.get_running_loop().create_task(self.moved(str(table)))
