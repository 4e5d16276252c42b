"""Calls into rules, with a limit of time: what takes too long is left behind, and everybody else goes on.

In:  work on a table.
Out: what it gives, or EdgeError `match/slow` when the time is over; the thread is then abandoned.

Rules are bounded in steps, alike on both engines (see `ir.budget`), so whatever is abandoned ends by itself:
native code within a fraction of a second, the reference within seconds. Threads are enough for that. Native
code runs without the interpreter lock, the reference gives it up every millisecond, and neither can take
memory without end. A process for each table could be killed at once, but would cost every move two trips
between processes and every table an interpreter. The threads are daemons: a server that is told to stop waits
for none.

A trip to another thread costs more than a move of most books. So a book whose native code has shown to be
quick is run where we are, and never again once a call of it took long; each book has a few threads only, so
that a slow one waits for itself.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from rulewright.serve.errors import EdgeError
from rulewright.serve.library import Volume
from rulewright.serve.table import Table
from rulewright.serve.threads import aside, yielding

BUDGET = 5.0
"""Seconds that anybody waits for rules."""
BEGINNING = 60.0
"""The same for a new match: its engine may have to be made first, which takes seconds for a large book."""
PLACES, FEW = 4, 1
"""Threads that work for one book at a time, and for one that is known to be slow."""

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """Runs what rules do."""

    def __init__(self, budget: float = BUDGET) -> None:
        self.budget = budget
        self.places: dict[tuple[str, bool], asyncio.Semaphore] = {}
        self.abandoned = 0
        """Calls that nobody waited for any longer."""

    async def run(self, table: Table, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """In a thread, within the budget. Raises EdgeError: then the table is left to the thread, and must be
        dropped."""

        def timed() -> T:
            return table.timed(work, *args, **kwargs)

        return await self._within(self.budget, table.volume, timed)

    async def begin(self, volume: Volume, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Work at no table yet."""
        return await self._within(BEGINNING, volume, work, *args, **kwargs)

    async def aside(self, table: Table, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Work that asks the reference engine, and says nothing about how quick the book is. It holds the
        interpreter lock, so of each book there is one at a time, behind everything else."""
        return await self._within(self.budget, table.volume, work, *args, behind=True, **kwargs)

    async def if_in_time(
        self, table: Table, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T | None:
        """The same for what is a help and no more: None where it takes too long."""
        try:
            return await self.aside(table, work, *args, **kwargs)
        except EdgeError as error:
            if error.code != "match/slow":
                raise
            return None

    async def _within(
        self,
        seconds: float,
        volume: Volume,
        work: Callable[..., T],
        *args: Any,
        behind: bool = False,
        **kw: Any,
    ) -> T:
        try:
            async with asyncio.timeout(seconds):
                return await self._placed(volume, behind or volume.pace.slow, work, *args, **kw)
        except TimeoutError:
            self.abandoned += 1
            raise EdgeError("match/slow") from None

    async def patient(self, volume: Volume, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """However long it takes: for what was accepted before."""
        return await self._placed(volume, volume.pace.slow, work, *args, **kwargs)

    async def _placed(
        self, volume: Volume, slow: bool, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        places = self.places.setdefault(
            (volume.program.digest, slow), asyncio.Semaphore(FEW if slow else PLACES)
        )
        await places.acquire()
        # What needs no interpreter lock may do without haste; what holds it, others wait for.
        task = aside(yielding, work, *args, **kwargs) if slow else aside(work, *args, **kwargs)
        # Whoever gives up leaves the work alone; its place is free when it has really ended.
        task.add_done_callback(functools.partial(_ended, places))
        return await asyncio.shield(task)


def _ended(places: asyncio.Semaphore, task: asyncio.Future[Any]) -> None:
    places.release()
    if not task.cancelled():
        task.exception()  # looked at, so that nobody complains about it
