"""The tables of this process, kept equal to the store.

In:  requests to open and look; word from other processes that a table moved on.
Out: states for each seat, and a wake-up for everybody who watches.

The store decides: a choice counts when its row is written (choosing.py). A table that nobody has used for
a while is dropped; the next visitor has it read again from the store.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ParamSpec, TypeVar

from rulewright.ir.text import read, show
from rulewright.play.chance import WIDEST
from rulewright.play.faults import MatchError
from rulewright.serve.archive import bring_back
from rulewright.serve.errors import EdgeError
from rulewright.serve.invites import seats_of
from rulewright.serve.library import Library, Volume
from rulewright.serve.lines import Reader
from rulewright.serve.metrics import Metrics
from rulewright.serve.moves import standing
from rulewright.serve.schema import ChoiceRow, Damaged, SeatRow, TableRow
from rulewright.serve.store import Store
from rulewright.serve.table import Table
from rulewright.serve.workers import Workers

P = ParamSpec("P")
T = TypeVar("T")
MOVING = 50
"""Rows that are followed at once; a longer way is gone in a thread, so that others need not wait."""

OPENING = 20.0
"""Seconds that a visitor waits for a table to be read from the store; it is read all the same."""


class Tables:
    """Every table in the memory of this process."""

    def __init__(self, store: Store, library: Library, metrics: Metrics, idle: float) -> None:
        self.store = store
        self.library = library
        self.metrics = metrics
        self.idle = idle
        self.live: dict[str, Table] = {}
        self.pinned: dict[str, Volume] = {}
        self.opening: dict[str, asyncio.Task[Table]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.workers = Workers()
        self.on_change: Callable[[Table], None] = lambda table: None
        """Called after every change; the bots listen here."""

    # ------------------------------------------------------------ opening
    async def create(
        self,
        book: str,
        wanted: Sequence[Mapping[str, str]],
        options: dict[str, str],
        seed: int | None,
        listed: bool = True,
        opener: str = "",
    ) -> tuple[Table, list[str | None]]:
        """A new table; gives it and the seats' tokens."""
        volume = await self.library.get(book)
        program = volume.program
        if program.rules_only:
            raise EdgeError("book/rules-only")
        _equip(self, volume)
        people, tokens = seats_of(volume, wanted)
        row = TableRow(
            secrets.token_urlsafe(9),
            program.digest,
            book,
            seed if seed is not None else secrets.randbits(WIDEST) | 1 << (WIDEST - 1),
            options,
            time.time(),
            None,
            None,
            people,
            seed is not None,
            listed,
        )
        table = await self.workers.begin(volume, Table, row, volume)
        result = table.match.result
        if result is not None:  # over before anybody decided anything
            table.row = row = replace(row, finished=time.time(), ending=result.ending)
        if program.digest not in self.store.kept:
            text = await asyncio.to_thread(show, program)
            await self.store.keep_book(program.digest, book, text, volume.html)
        await self.store.add_table(row)
        table.opener = opener
        self.live[row.id] = table
        self.metrics.opened += 1
        self.on_change(table)
        return table, tokens

    def require_room(self, opener: str, most: int, each: int) -> None:
        """Refuse a new table where there are too many, in all or of one opener. Raises EdgeError."""
        going = [table for table in self.live.values() if table.match.result is None]
        if len(going) >= most:
            raise EdgeError("request/too-many", "There are too many tables here now; come back later.")
        if opener and each and sum(table.opener == opener for table in going) >= each:
            raise EdgeError("request/too-many", f"You have opened {each} tables that still go on.")

    async def get(self, id_: str) -> Table:
        """The table, from memory or from the store."""
        table = self.live.get(id_)
        if table is None:
            if id_ not in self.opening:
                task = asyncio.create_task(self._read(id_))
                self.opening[id_] = task
                task.add_done_callback(lambda done: _opened(self.opening, id_, done))
            try:
                async with asyncio.timeout(OPENING):
                    table = await asyncio.shield(self.opening[id_])
            except TimeoutError:
                raise EdgeError("match/slow", "The match is being read; look again in a while.") from None
        table.touched = time.monotonic()
        return table

    async def _read(self, id_: str) -> Table:
        try:
            row = await self.store.table(id_)
            if row is None and await bring_back(self.store, id_):
                row = await self.store.table(id_)
            if row is None:
                raise EdgeError("table/unknown")
            volume = await self._edition(row)
            rows = await self.store.choices(id_)
        except Damaged as error:
            raise EdgeError("table/broken", f"{str(error).capitalize()}.") from None
        try:
            table = await self.workers.patient(volume, Table, row, volume)
        except EdgeError as error:
            raise EdgeError("table/broken", error.message) from None
        await self._follow(table, rows)
        self.live[id_] = table
        self.on_change(table)
        return table

    async def _edition(self, row: TableRow) -> Volume:
        """The exact book a match began with, even if the shelf has a newer one."""
        try:
            on_shelf = await self.library.get(row.book)
            if on_shelf.program.digest == row.digest:
                _equip(self, on_shelf)
                return on_shelf
        except EdgeError:
            pass
        if row.digest not in self.pinned:
            name, text, html = await self.store.book(row.digest)

            def opened() -> Volume:
                program = read(text)
                if program.digest != row.digest:
                    raise ValueError("it is another book than it says")
                return Volume(name, program, html)

            try:
                self.pinned[row.digest] = await asyncio.to_thread(opened)
            except (ValueError, RecursionError, SyntaxError) as error:
                raise Damaged(f"the stored book cannot be read: {error}") from None
        _equip(self, self.pinned[row.digest])
        return self.pinned[row.digest]

    async def _follow(self, table: Table, rows: Sequence[ChoiceRow]) -> None:
        """Play what is stored, but for what was taken back again, however long it takes: it was accepted."""
        kept = standing(rows)
        version = table.version + len(rows)

        def play() -> None:
            for row in kept:
                try:
                    table.play(row)
                except MatchError as error:
                    raise EdgeError(
                        "table/broken", f"Choice {row.number} of the stored match does not fit: {error}"
                    ) from None
                if row.mark is not None and row.mark != table.mark():
                    broken = f"After choice {row.number} the match is not where it was when it was stored."
                    raise EdgeError("table/broken", broken)

        if len(kept) > MOVING or not table.quick:
            await self.workers.patient(table.volume, play)
        else:
            play()
        if table.version != version:
            table.version = table.gathered = version

    async def run(self, table: Table, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Let the rules work on a table that is locked. What they are too slow with stays with them: the
        table is read again from the store."""
        if table.quick:
            return table.timed(work, *args, **kwargs)
        try:
            return await self.workers.run(table, work, *args, **kwargs)
        except EdgeError as error:
            self._left(table, error)
            raise

    async def ask(self, table: Table, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for questions that the reference engine answers."""
        try:
            return await self.workers.aside(table, work, *args, **kwargs)
        except EdgeError as error:
            self._left(table, error)
            raise

    def _left(self, table: Table, error: EdgeError) -> None:
        if error.code == "match/slow":
            self.drop(table)

    # ------------------------------------------------------------ other processes
    async def moved(self, id_: str, version: int) -> None:
        """Another process says that a table has moved on."""
        table = self.live.get(id_)
        if table is not None and table.version < version:
            await self.catch_up(table)

    async def catch_up(self, table: Table) -> None:
        """Play what others stored meanwhile."""
        async with table.lock:
            if not table.gone:
                await self.follow_news(table)

    async def follow_news(self, table: Table) -> None:
        """The same under the table's lock, which is held already."""
        try:
            rows = await self.store.news(table.row.id, table.version)
            await self._follow(table, rows)
        except Damaged as error:
            self.drop(table)
            raise EdgeError("table/broken", f"{str(error).capitalize()}.") from None
        except EdgeError:
            self.drop(table)
            raise
        if rows:
            table.wake()
            self.on_change(table)

    # ------------------------------------------------------------ seats
    async def reseat(self, id_: str, seat: int, change: Callable[[Table], SeatRow]) -> None:
        """Give a seat to somebody: to whom, says `change`, which looks at the table and may refuse."""
        table = await self.get(id_)
        async with table.lock:
            if not 0 <= seat < len(table.row.seats):
                raise EdgeError("seats/wrong", "There is no such seat at this table.")
            if not await self.store.reseat(id_, table.row.seats[seat], change(table)):
                raise EdgeError("choice/stale", "Somebody else has just taken that seat.")
        self.drop(table)  # whoever listens is told who sits there now, or asked for the new token

    def reseated(self, id_: str) -> None:
        """Another process has changed who may sit at a table."""
        table = self.live.get(id_)
        if table is not None:
            self.drop(table)

    # ------------------------------------------------------------ looking
    async def look(self, table: Table, reader: Reader) -> str:
        """The state as JSON, never of a choice that is not stored yet."""
        while True:
            async with table.lock:
                if not table.gone:
                    return await self.run(table, table.state, reader)
            table = await self.get(table.row.id)  # while we waited, storing a choice failed

    # ------------------------------------------------------------ memory
    def drop(self, table: Table) -> None:
        """Forget what is in memory; the store has it."""
        table.gone = True
        if self.live.get(table.row.id) is table:
            del self.live[table.row.id]
        if table.bot is not None:
            table.bot.cancel()
        table.wake()

    def tidy(self) -> None:
        """Drop tables that nobody has used for a while, and books that only they needed."""
        before = time.monotonic() - self.idle
        for table in list(self.live.values()):
            busy = table.watchers or table.lock.locked() or (table.bot is not None and not table.bot.done())
            if not busy and table.touched < before:
                self.drop(table)
        used = {table.row.digest for table in self.live.values()}
        for digest in [digest for digest in self.pinned if digest not in used]:
            del self.pinned[digest]


def _opened(opening: dict[str, asyncio.Task[Table]], id_: str, done: asyncio.Task[Table]) -> None:
    del opening[id_]
    if not done.cancelled():
        # Looked at: once all who asked have gone `shield` forgets the task, and nobody else looks.
        done.exception()


def _equip(tables: Tables, volume: Volume) -> None:
    """Have native code made for a book that is played, for the matches after this one."""
    if not volume.equipped:
        task = asyncio.create_task(tables.library.ready(volume))
        tables.tasks.add(task)
        task.add_done_callback(tables.tasks.discard)
