"""The live line to a table: states as they change, choices as they are made.

In:  `{"choose": option, "version": n}`, `{"undo": true, "version": n}`, `{"ping": ...}`, `{"talk": words}`.
Out: `{"state": ...}` at once and after every change, `{"error", "message"}`, `{"pong": ...}`.

A state tells everything, so a client that was away misses nothing, and one that is slow gets only the newest.
Only the log is told piece by piece: every state has the lines that are new since the one before. A client
that asks for `changes` gets `{"change": ...}` after its first state: what is different from the one before.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import deque
from contextlib import suppress
from typing import Any, cast

from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.serve import choosing
from rulewright.serve.differences import Known, difference, known_of
from rulewright.serve.errors import EdgeError, as_edge
from rulewright.serve.guard import BUCKET
from rulewright.serve.invites import seat_of
from rulewright.serve.lines import Mark, Reader
from rulewright.serve.table import Table
from rulewright.serve.tables import Tables
from rulewright.serve.wire import wire_of
from rulewright.serve.writers import FAILURES

LONGEST = 4096
WAITING = 16
"""Messages that may wait for the one before; then no more are read."""
NAMED = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What a table may be called."""
CHOICE = re.compile(r'\{"choose": ?(0|[1-9][0-9]{0,8}), ?"version": ?(0|[1-9][0-9]{0,8})\}')
"""A choice as JSON, in the order in which pages put it; all others are read as what they are."""
SPOKEN, SHOWN = "rulewright", "token."
"""What a page asks for to keep its token out of the address: `rulewright`, and `token.` with the token."""
AGAIN = 1013
"""Close code that means: come back later."""


class Line:
    """One connection of one reader to one table."""

    def __init__(self, socket: WebSocket, tables: Tables, id_: str, changes: bool = False) -> None:
        self.socket = socket
        self.wire = wire_of(socket.scope)
        self.wire.bucket = socket.scope[BUCKET]
        self.tables = tables
        self.id = id_
        self.token: str | None = None
        self.reader: Reader = None
        self.table: Table | None = None
        self.said: deque[str] = deque()
        self.answering: asyncio.Task[None] | None = None
        self.choosing = False
        """Whether a choice is on its way to the disk, without a task."""
        self.returning: asyncio.Task[None] | None = None
        self.waiting: asyncio.Task[None] | None = None
        self.told = -1
        """The version that was told last."""
        self.known: Mark | None = None
        self.changes = changes
        self.entered = False
        self.spoken: deque[float] = deque()
        self.has: Known | None = None
        """What the client knows, where it wants differences."""

    async def run(self, token: str | None) -> None:
        """Until either side has enough."""
        offered: list[str] = self.socket.scope.get("subprotocols") or []
        self.token = next((word[len(SHOWN) :] for word in offered if word.startswith(SHOWN)), token)
        await self.socket.accept(subprotocol=SPOKEN if SPOKEN in offered else None)
        try:
            if not NAMED.fullmatch(self.id):
                raise EdgeError("table/unknown")
            table = await self.tables.get(self.id)
            self.reader = seat_of(table.row, self.token)
        except (EdgeError, *FAILURES) as error:
            await self._close(error)
            return
        self.tables.metrics.sockets += 1
        self.wire.listener = self
        self._watch(table)
        try:
            # Only what was said before we listened comes this way, and word that the other side is gone.
            while (message := await self.socket.receive())["type"] == "websocket.receive":
                self.hear(message.get("text") or "")
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            self.tables.metrics.sockets -= 1
            self.wire.listener = None
            self._leave()
            self.said.clear()
            for task in (self.returning, self.waiting):
                if task is not None:
                    task.cancel()
            if self.answering is not None:  # a choice on its way is made all the same
                await asyncio.wait([self.answering])

    async def _close(self, failure: BaseException) -> None:
        error = as_edge(failure)
        self.tables.metrics.errors[error.code] += 1
        with suppress(RuntimeError, WebSocketDisconnect):
            await self.socket.send_text(json.dumps(error.body))
            await self.socket.close(AGAIN if error.status in (429, 503) else 4000 + error.status)

    # ------------------------------------------------------------ telling
    def _watch(self, table: Table) -> None:
        self._leave()
        self.table, self.told = table, -1
        table.watchers.add(self)
        self.entered = False
        self.tell()

    def _leave(self) -> None:
        if self.table is not None:
            self.table.watchers.discard(self)
            self.table.room.leave(self)
            self.table = None

    def tell(self) -> None:
        """Say how the table stands, unless that is known. Who is slow to read gets only the newest state."""
        table = self.table
        if table is None:
            return
        if table.gone:
            self._leave()
            self.returning = asyncio.create_task(self._return())
        elif table.lock.locked():  # by somebody who changes it, perhaps to what will not be stored
            if self.waiting is None:
                self.waiting = asyncio.create_task(self._when_free(table))
        elif table.version == self.told or self.wire.full:
            return
        elif not (table.quick or table.has_ready(self.reader, self.changes)):
            if self.waiting is None:
                self.waiting = asyncio.create_task(self._when_ready(table))
        else:
            if self.has is None:
                said = f'{{"state":{table.state(self.reader, self.known)}}}'
                if self.changes:
                    self.has = known_of(table.pieces(self.reader))
            else:
                log = table.lines.tail(self.reader, self.known)
                change, self.has = difference(self.has, table.pieces(self.reader), log)
                said = f'{{"change":{change}}}'
            self.told, self.known = table.version, table.lines.mark(self.reader)
            self.wire.say(said)
            if self.changes and not self.entered:  # the state comes first
                self.entered = True
                table.room.enter(self)

    def pass_on(self, text: str) -> None:
        """Words, and who is here: nothing that a slow reader would miss."""
        if not self.wire.full:
            self.wire.say(text)

    async def _when_free(self, table: Table) -> None:
        async with table.lock:
            self.waiting = None
        self.tell()

    async def _when_ready(self, table: Table) -> None:
        """What the table looks like takes its rules some time."""
        try:
            async with table.lock:
                self.waiting = None
                if not table.gone:
                    await self.tables.run(table, table.make_ready, self.reader, self.changes)
        except EdgeError as error:
            await self._close(error)
            return
        self.tell()

    async def _return(self) -> None:
        """To a table that was dropped from memory."""
        try:
            table = await self.tables.get(self.id)
            self.reader = seat_of(table.row, self.token)  # it may have been given to somebody else
            self.has = None  # and others may sit there now, which no difference tells
            self._watch(table)
        except (EdgeError, *FAILURES) as error:
            await self._close(error)

    # ------------------------------------------------------------ hearing
    def hear(self, text: str) -> None:
        """One message after the other, in order."""
        busy = self.choosing or self.answering is not None
        if not busy and self._at_once(text):
            return
        self.said.append(text)
        if not busy:
            self._go_on()
        elif len(self.said) >= WAITING:
            self.wire.hold()

    def _go_on(self) -> None:
        self.answering = self.wire.loop.create_task(self._answer())

    def _at_once(self, text: str) -> bool:
        """A choice, as a page puts it, at a table where it waits for nothing but the disk: on a busy server a
        task of its own would cost as much as playing it. False: it is a message like any other."""
        wish = CHOICE.fullmatch(text)
        if wish is None or self.table is None or self.reader is None:
            return False
        option, version = int(wish[1]), int(wish[2])
        try:
            self.choosing = choosing.choose_now(
                self.tables, self.table, self.reader, version, option, self._chosen
            )
        except EdgeError as failure:
            self._complain(failure)
            return True
        return self.choosing

    def _chosen(self, failure: Exception | None) -> None:
        self.choosing = False
        if failure is not None:
            self._complain(failure)
        if self.said:
            self._go_on()

    def flooded(self) -> None:
        """Who says more than anybody may is not listened to any longer."""
        error = EdgeError("request/too-many")
        self.tables.metrics.errors[error.code] += 1
        self.said.clear()
        self._say(error.body)
        self.wire.shut(AGAIN)

    async def _answer(self) -> None:
        try:
            while self.said:
                await self.answer(self.said.popleft())
                if self.said:
                    await asyncio.sleep(0)  # others have their turn between two messages
        finally:
            self.answering = None
            self.wire.release()

    async def answer(self, text: str) -> None:
        """One message, in its turn."""
        try:
            await self._do(text)
        except (EdgeError, *FAILURES) as failure:
            self._complain(failure)

    def _complain(self, failure: Exception) -> None:
        error = as_edge(failure)
        self.tables.metrics.errors[error.code] += 1
        self._say(error.body)

    def _say(self, message: dict[str, Any]) -> None:
        self.wire.say(json.dumps(message))

    async def _do(self, text: str) -> None:
        if len(text) > LONGEST:
            raise EdgeError("request/too-large")
        try:
            said: Any = READ(text)
        except (ValueError, RecursionError):
            raise EdgeError("request/invalid", "A message is JSON.") from None
        if not isinstance(said, dict):
            raise EdgeError("request/invalid", "A message is a JSON object.")
        wish = cast("dict[str, Any]", said)
        version, option = _number(wish.get("version")), _number(wish.get("choose"))
        if "ping" in wish:
            self._say({"pong": wish["ping"]})
        elif "talk" in wish:
            (await self.tables.get(self.id)).room.say(self, wish["talk"], self.spoken)
        elif version is None or (option is None and wish.get("undo") is not True):
            raise EdgeError("request/invalid", "A message has a choice or an undo, and a version.")
        elif self.reader is None:
            raise EdgeError("token/unknown", "Spectators only watch.")
        elif option is not None:
            await choosing.choose(self.tables, self.id, self.reader, version, option)
        else:
            await choosing.undo(self.tables, self.id, self.reader, version)


def _number(value: Any) -> int | None:
    fits = isinstance(value, int) and not isinstance(value, bool) and -(2**31) <= value < 2**31
    return cast("int", value) if fits else None


def _no_number(word: str) -> None:
    """NaN and Infinity are no JSON."""
    raise ValueError(word)


READ = json.JSONDecoder(parse_constant=_no_number).decode
"""A decoder takes longer to make than to read a message with."""
