"""Bots at tables.

In:  tables where a bot is to decide.
Out: choices, made like those of people.

A bot thinks in a thread of its own, on a copy of what its seat can see, so neither a slow bot nor many
of them hold up other tables. Only a few bots are at it at a time, from thinking until their choice is
stored: a person's choice waits behind those few, not behind every table of bots there is, and tables where
only bots sit have fewer places, apart from the others. Places go round among those who opened the tables,
however many each of them has (see `shares`). Of several processes on one database only one plays
the bots of a table; when it dies another takes over.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable

from rulewright.play.faults import Fault, MatchError
from rulewright.players.bots import Position, decide, position
from rulewright.serve import choosing
from rulewright.serve.errors import EdgeError
from rulewright.serve.schema import SeatRow
from rulewright.serve.shares import Shares
from rulewright.serve.table import Table
from rulewright.serve.tables import Tables
from rulewright.serve.threads import aside
from rulewright.serve.writers import FAILURES

logger = logging.getLogger("rulewright.serve")

Thinker = Callable[[Position, str], int]
THINKING = 30.0
"""Seconds that a bot may think; then it takes any option."""
REMEMBERED = 1000
"""Tables of which it is known what the rules failed on."""


async def _always(table: str) -> bool:
    return True


def _bot(table: Table) -> SeatRow | None:
    """A bot that has to choose now."""
    if table.gone or not table.has_bots:
        return None
    return next((row for row in table.to_decide() if row.kind == "bot"), None)


class Seating:
    """Plays the bots of this process."""

    def __init__(self, tables: Tables, threads: int, think: Thinker = decide) -> None:
        self.tables = tables
        self.think = think
        self.mine: Callable[[str], Awaitable[bool]] = _always
        """Whether this process is the one that plays the bots of a table."""
        # Tables with people have places of their own: however many bots play by themselves, these go on.
        alone = max(1, threads // 2)
        self.few, self.alone = Shares(threads), Shares(alone)
        self.failed: dict[str, tuple[int, set[int]]] = {}
        tables.on_change = self.start

    def start(self, table: Table) -> None:
        """If a bot is to decide, let it, in the background."""
        if _bot(table) is not None and (table.bot is None or table.bot.done()):
            table.bot = asyncio.create_task(self._play(table))

    def stop(self) -> None:
        """Stop all bots."""
        for table in self.tables.live.values():
            if table.bot is not None:
                table.bot.cancel()

    async def _play(self, table: Table) -> None:
        try:
            if not await self.mine(table.row.id):
                return
            people = any(seat.kind != "bot" for seat in table.row.seats)
            while (row := await self._next(table)) is not None:
                async with (self.few if people else self.alone).turn(table.opener or table.row.id):
                    if row is await self._next(table) and not await self._step(table, row):
                        return
        except (EdgeError, *FAILURES) as error:  # the housekeeper lets it try again
            logger.warning("table %s: the bot stops: %s", table.row.id, error)
            return
        finally:
            table.bot = None
        self.start(table)

    async def _next(self, table: Table) -> SeatRow | None:
        async with table.lock:
            return _bot(table)

    async def _step(self, table: Table, row: SeatRow) -> bool:
        """One choice; False when there is none to make."""
        version = table.version
        failed = self._failed(table)
        option = await self._option(table, row, failed)
        if option is None:
            return False
        try:
            await choosing.choose(self.tables, table.row.id, row.seat, version, option)
        except EdgeError as error:
            if error.code in ("match/fault", "match/slow"):
                failed.add(option)
            elif error.code != "choice/stale":
                raise
        return True

    def _failed(self, table: Table) -> set[int]:
        """Options of this decision that the rules failed on; known also when the table was read anew."""
        version, failed = self.failed.pop(table.row.id, (-1, set[int]()))
        if version != table.version:
            failed = set[int]()
        self.failed[table.row.id] = (table.version, failed)  # the newest last
        while len(self.failed) > REMEMBERED:
            del self.failed[next(iter(self.failed))]
        return failed

    async def _option(self, table: Table, row: SeatRow, failed: set[int]) -> int | None:
        """What the bot takes; another option when the rules failed on what it took before."""
        async with table.lock:
            if row not in table.to_decide():
                return None
            now = position(table.match, row.seat)
        left = [option for option in range(now.options) if option not in failed]
        if not left:
            logger.warning("table %s: the rules fail on every option of a bot", table.row.id)
            return None
        if failed:
            return random.choice(left)
        try:
            async with asyncio.timeout(THINKING):
                option = await aside(self.think, now, row.bot)
        except (MatchError, Fault, TimeoutError) as error:
            logger.warning("table %s: bot %s fails: %s", table.row.id, row.bot, error)
            return random.choice(left)
        return option if option in left else left[0]
