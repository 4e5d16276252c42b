"""Choices at the tables of this process: one made or taken back, stored first and then told.

In:  a table's id, a seat, the version that it was about, and which option.
Out: the table moved on, or an EdgeError and nothing changed.

Under the table's lock the match goes ahead in memory while the row is written. A choice that the store
refuses, or of which nobody knows whether it was written, was never made: the match goes back, and reads
what there is.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NoReturn

from rulewright.play.match import Checkpoint
from rulewright.serve.appender import Conflict, StoreError
from rulewright.serve.errors import EdgeError
from rulewright.serve.moves import chosen
from rulewright.serve.schema import UNDO
from rulewright.serve.table import Table
from rulewright.serve.tables import Tables
from rulewright.serve.writers import FAILURES

UNDOS = 200
"""Choices that may be taken back at a table, besides as many as were made and stand: a match can be turned
back and forth without end, and every turn is stored."""
Over = Callable[[Exception | None], None]
"""Hears what went wrong with a choice; None: it was made."""


async def choose(tables: Tables, id_: str, seat: int, version: int, option: int) -> int:
    """Make a choice: stored first, then told. Gives the new version."""
    return await _change(tables, id_, seat, version, lambda table: _choose(tables, table, seat, option))


async def undo(tables: Tables, id_: str, seat: int, version: int) -> int:
    """Take the seat's last choice back where nothing was revealed. Gives the new version."""
    return await _change(tables, id_, seat, version, lambda table: _undo(tables, table, seat))


async def _change(
    tables: Tables, id_: str, seat: int, version: int, step: Callable[[Table], Awaitable[None]]
) -> int:
    began = time.perf_counter()
    while True:
        table = tables.live.get(id_) or await tables.get(id_)
        table.touched = time.monotonic()
        async with table.lock:
            if table.gone:
                continue
            # The caller may have seen more than we have, through another process.
            if tables.store.shared and version > table.version:
                await tables.follow_news(table)
            if not table.is_now(seat, version):
                raise EdgeError("choice/stale")
            was = table.version
            await step(table)
        break
    _moved(tables, table, began)
    return was + 1


def _moved(tables: Tables, table: Table, began: float) -> None:
    """A table has moved on, and nobody holds its lock."""
    tables.metrics.moved(time.perf_counter() - began)
    table.wake()
    tables.on_change(table)


def choose_now(tables: Tables, table: Table, seat: int, version: int, option: int, over: Over) -> bool:
    """The same for a table at which nothing is waited for but the disk, without a task of its own; `over`
    hears what came of it. False, and nothing done, where there is more to wait for. Raises EdgeError."""
    ahead = tables.store.shared and version > table.version
    if table.gone or ahead or not table.quick or not table.lock.take():
        return False
    began = time.perf_counter()
    table.touched = time.monotonic()
    try:
        if not table.is_now(seat, version):
            raise EdgeError("choice/stale")
        before, ending = table.timed(chosen, table, seat, option)
        told = functools.partial(_made, tables, table, seat, before, began, over)
        tables.store.put(table.row.id, table.version, option, seat, ending, table.mark(), told)
    except BaseException:
        table.lock.release()
        raise
    return True


def _made(
    tables: Tables,
    table: Table,
    seat: int,
    before: Checkpoint,
    began: float,
    over: Over,
    error: Exception | None,
) -> None:
    if error is not None:
        task = asyncio.create_task(_unmade(tables, table, before, over, error))
        tables.tasks.add(task)
        task.add_done_callback(tables.tasks.discard)
        return
    try:
        with suppress(EdgeError):
            table.timed(table.played, seat)
    finally:
        table.lock.release()
    _moved(tables, table, began)
    over(None)


async def _unmade(tables: Tables, table: Table, before: Checkpoint, over: Over, error: Exception) -> None:
    try:
        try:
            await _refused(tables, table, before, _failure(tables, table, error))
        finally:
            table.lock.release()
    except (EdgeError, *FAILURES) as failure:
        over(failure)


async def _choose(tables: Tables, table: Table, seat: int, option: int) -> None:
    before, ending = await tables.run(table, chosen, table, seat, option)
    try:
        await _store(tables, table, option, seat, ending)
    except EdgeError as failure:
        await _refused(tables, table, before, failure)
    await _stored(tables, table, seat)


async def _refused(tables: Tables, table: Table, before: Checkpoint, failure: EdgeError) -> NoReturn:
    """The choice is not in the store, so it was never made."""
    if not table.gone:
        table.match.back(before)
        await tables.follow_news(table)
    raise failure


async def _undo(tables: Tables, table: Table, seat: int) -> None:
    if not table.match.may_undo(seat):
        raise EdgeError("undo/refused")
    made = len(table.match.replay.choices) if table.version > UNDOS else table.version
    if table.version - made > 2 * (UNDOS + made):
        raise EdgeError("undo/refused", "Too much was taken back at this table.")
    await _store(tables, table, UNDO, seat, None)
    table.match.undo(seat)
    await _stored(tables, table, seat)


async def _stored(tables: Tables, table: Table, seat: int) -> None:
    """It is in the store, so it counts, even if telling it takes too long here."""
    with suppress(EdgeError):
        await tables.run(table, table.played, seat)


async def _store(tables: Tables, table: Table, choice: int, seat: int, ending: str | None) -> None:
    try:
        mark = table.mark() if choice != UNDO else None
        await tables.store.append(table.row.id, table.version, choice, seat, ending, mark)
    except (Conflict, StoreError) as error:
        raise _failure(tables, table, error) from None
    except BaseException:
        tables.drop(table)
        raise


def _failure(tables: Tables, table: Table, error: Exception) -> EdgeError:
    """What is said of a choice that the store has not taken."""
    if isinstance(error, Conflict):
        return EdgeError("choice/stale")
    tables.drop(table)  # it may be written all the same: whoever comes next reads the store
    return EdgeError("store/unavailable")
