"""Ways to PostgreSQL that are kept open for what is asked of it all the time.

In:  an address; statements.
Out: rows, each statement in one trip.

A pool lends connections out: a check that one still lives, the begin of a transaction, the statement and the
end are four or five trips, and each waits until the system lets another process run. On a busy machine that,
not the statement, was most of what people waited for. What every move and every look needs has a connection
of its own instead, which does one statement after the other, each a transaction by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import asyncpg

postgres: Any = asyncpg  # it has no types

STATEMENT = 4.0
"""Seconds after which the database counts as not answering."""
MOST = 500
"""Tables that are asked about in one statement."""

SINCE = """SELECT asked.place, c.number, c.choice, c.seat, c.mark
FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS asked (id, after, place)
JOIN choices AS c ON c.table_id = asked.id AND c.number >= asked.after
ORDER BY asked.place, c.number"""

News = list[tuple[int, int, int, int | None]]
"""Number, choice, seat and mark of stored choices."""


async def connected(address: str) -> Any:
    """A new connection. The address may have whatever PostgreSQL's own programs understand, such as
    `?sslmode=verify-full`."""
    return await postgres.connect(address, timeout=STATEMENT, command_timeout=STATEMENT)


class Lane:
    """One connection, made when it is needed and again when it was lost. One statement at a time."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.connection: Any = None

    async def fetch(self, statement: str, *values: object) -> list[Any]:
        """The rows. Raises what the database or the network does; the next statement begins afresh."""
        if self.connection is None or self.connection.is_closed():
            self.connection = await connected(self.address)
        try:
            return await self.connection.fetch(statement, *values)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of it, without a word: it may not answer."""
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None


class Latest:
    """What was stored of tables since, for all who ask at the same time in one statement.

    While one is under way the next questions gather, so an answer is never older than its question.
    """

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.asked: list[tuple[str, int, asyncio.Future[News]]] = []
        self.task: asyncio.Task[None] | None = None

    async def since(self, table: str, after: int) -> News:
        """Choices of a table from a number on."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[News] = loop.create_future()
        self.asked.append((table, after, answer))
        if self.task is None:
            self.task = loop.create_task(self._run())
        return await answer

    async def _run(self) -> None:
        try:
            while self.asked:
                some, self.asked = self.asked[:MOST], self.asked[MOST:]
                answers = [answer for _, _, answer in some]
                try:
                    found = await self._fetch([id_ for id_, _, _ in some], [after for _, after, _ in some])
                except BaseException as error:
                    _settle(answers, error)
                    if not isinstance(error, Exception):
                        raise
                else:
                    _settle(answers, found)
        finally:
            self.task = None

    async def _fetch(self, ids: Sequence[str], afters: Sequence[int]) -> list[News]:
        found: list[News] = [[] for _ in ids]
        for row in await self.lane.fetch(SINCE, ids, afters):
            place, number, choice, seat, mark = row
            found[int(place) - 1].append((number, choice, seat, mark))
        return found

    async def close(self) -> None:
        """Nobody asks any more."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.wait([self.task])
        self.lane.close()


def _settle(answers: Sequence[asyncio.Future[News]], found: list[News] | BaseException) -> None:
    for place, answer in enumerate(answers):
        if answer.done():
            continue  # who asked has given up
        if isinstance(found, Exception):
            answer.set_exception(found)
        elif isinstance(found, BaseException):
            answer.cancel()
        else:
            answer.set_result(found[place])
