"""The live line to a table: states as they change, choices as they are made.

In:  `{"choose": option, "version": n}`, `{"undo": true, "version": n}`, `{"ping": anything}`.
Out: `{"state": ...}` at once and after every change, `{"error", "message"}`, `{"pong": ...}`.

A state tells everything, so a client that was away misses nothing, and one that is slow gets only the newest.
Only the log is told piece by piece: every state has the lines that are new since the one before.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from typing import Any, cast

from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.serve.errors import EdgeError
from rulewright.serve.guard import Bucket
from rulewright.serve.lines import Mark, Reader
from rulewright.serve.settings import Settings
from rulewright.serve.tables import Tables
from rulewright.serve.writers import FAILURES

logger = logging.getLogger("rulewright.serve")

LONGEST = 4096
AGAIN = 1013
"""Close code that means: come back later."""


class Line:
    """One connection of one reader to one table."""

    def __init__(self, socket: WebSocket, tables: Tables, id_: str, settings: Settings) -> None:
        self.socket = socket
        self.tables = tables
        self.id = id_
        self.reader: Reader = None
        self.bucket = Bucket(settings.rate)
        self.news = asyncio.Event()

    async def run(self, token: str | None) -> None:
        """Until either side has enough."""
        await self.socket.accept()
        try:
            table = await self.tables.get(self.id)
            self.reader = self.tables.seat(table, token)
        except EdgeError as error:
            await self._close(error)
            return
        except FAILURES:
            await self._close(EdgeError("store/unavailable"))
            return
        self.tables.metrics.sockets += 1
        sender = asyncio.create_task(self._send())
        try:
            while (message := await self.socket.receive())["type"] == "websocket.receive":
                await self._hear(message.get("text") or "")
        except (WebSocketDisconnect, RuntimeError):  # gone while we were answering
            pass
        finally:
            self.tables.metrics.sockets -= 1
            sender.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await sender
            with suppress(RuntimeError, WebSocketDisconnect):
                await self.socket.close()

    async def _close(self, error: EdgeError) -> None:
        self.tables.metrics.errors[error.code] += 1
        with suppress(RuntimeError, WebSocketDisconnect):
            await self._say(error.body)
            await self.socket.close(AGAIN if error.status in (429, 503) else 4000 + error.status)

    async def _say(self, message: dict[str, Any]) -> None:
        await self.socket.send_text(json.dumps(message))

    async def _send(self) -> None:
        """The state at once and after every change, with what is new of the log."""
        known: Mark | None = None
        try:
            while True:
                table = await self.tables.get(self.id)
                table.watchers.add(self.news)
                try:
                    while not table.gone:
                        self.news.clear()
                        state, known = await self.tables.look(table, self.reader, known)
                        await self.socket.send_text(f'{{"state":{state}}}')
                        await self.news.wait()
                finally:
                    table.watchers.discard(self.news)
        except EdgeError as error:
            await self._close(error)
        except FAILURES:
            await self._close(EdgeError("store/unavailable"))
        except (RuntimeError, WebSocketDisconnect):  # gone while we were sending
            pass

    async def _hear(self, text: str) -> None:
        try:
            await self._do(text)
        except EdgeError as error:
            self.tables.metrics.errors[error.code] += 1
            await self._say(error.body)
        except FAILURES:
            await self._say(EdgeError("store/unavailable").body)

    async def _do(self, text: str) -> None:
        if not self.bucket.take():
            raise EdgeError("request/too-many")
        if len(text) > LONGEST:
            raise EdgeError("request/too-large")
        try:
            said: Any = json.loads(text)
        except (ValueError, RecursionError):
            raise EdgeError("request/invalid", "A message is JSON.") from None
        if not isinstance(said, dict):
            raise EdgeError("request/invalid", "A message is a JSON object.")
        wish = cast("dict[str, Any]", said)
        version, option = _number(wish.get("version")), _number(wish.get("choose"))
        if "ping" in wish:
            await self._say({"pong": wish["ping"]})
        elif version is None or (option is None and wish.get("undo") is not True):
            raise EdgeError("request/invalid", "A message has a choice or an undo, and a version.")
        elif self.reader is None:
            raise EdgeError("token/unknown", "Spectators only watch.")
        elif option is not None:
            await self.tables.choose(self.id, self.reader, version, option)
        else:
            await self.tables.undo(self.id, self.reader, version)


def _number(value: Any) -> int | None:
    fits = isinstance(value, int) and not isinstance(value, bool) and -(2**31) <= value < 2**31
    return cast("int", value) if fits else None
