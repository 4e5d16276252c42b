"""One transaction of choices, for each kind of database.

In:  a group of choices, sorted by table and number.
Out: the keys of those that are new; StoreError when nothing is known.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import asyncpg
from sqlalchemy import text, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from rulewright.serve.appender import Entry, StoreError
from rulewright.serve.schema import choices, tables

CHANNEL = "rulewright_tables"
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=3500")
COLUMNS = ("table_id", "number", "choice", "seat", "at", "mark")
TAKEN = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE)

FAILURES = (SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, sqlite3.Error, OSError)
"""What a database that is down, or going down, makes of a request."""

Keys = set[tuple[str, int]]


def _values(entry: Entry) -> tuple[str | int | float | None, ...]:
    return entry.table, entry.number, entry.choice, entry.seat, entry.at, entry.mark


class PostgresWriter:
    """Appends, and tells the other processes in the same transaction."""

    def __init__(self, engine: AsyncEngine, origin: str) -> None:
        self.engine = engine
        self.origin = origin
        insert = postgresql.insert(choices).on_conflict_do_nothing()
        self.insert = insert.returning(choices.c.table_id, choices.c.number)

    async def write(self, group: Sequence[Entry]) -> Keys:
        """One transaction."""
        rows: list[dict[str, object]] = [dict(zip(COLUMNS, _values(e), strict=True)) for e in group]
        try:
            async with self.engine.begin() as connection:
                result = await connection.execute(self.insert, rows)
                stored = {(str(row[0]), int(row[1])) for row in result}
                for entry in group:
                    if entry.ending is not None and entry.key in stored:
                        ended = update(tables).where(tables.c.id == entry.table)
                        await connection.execute(ended.values(finished=entry.at, ending=entry.ending))
                news = [f"{self.origin} {table} {number + 1}" for table, number in sorted(stored)]
                said = text("SELECT pg_notify(:channel, said) FROM unnest(CAST(:news AS text[])) AS said")
                await connection.execute(said, {"channel": CHANNEL, "news": news})
        except FAILURES as error:
            raise StoreError(str(error)) from None
        return stored

    def close(self) -> None:
        """Nothing to let go of."""


class SqliteWriter:
    """Appends in a thread of its own, in as few steps as can be.

    Each call into SQLite gives the interpreter lock away and has to get it back from a busy server, so
    a group is one statement, which is its own transaction. (Through SQLAlchemy a group took nine trips
    between threads and, on a busy server, forty milliseconds.)
    """

    def __init__(self, database: str) -> None:
        self.database = database
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self.connection: sqlite3.Connection | None = None

    async def write(self, group: Sequence[Entry]) -> Keys:
        """One transaction."""
        return await asyncio.get_running_loop().run_in_executor(self.thread, self._write, group)

    def _write(self, group: Sequence[Entry]) -> Keys:
        values = ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(group))
        row = [value for e in group for value in _values(e)]
        endings = [(e.at, e.ending, e.table) for e in group if e.ending is not None]
        try:
            connection = self._connected()
            try:
                if endings:
                    connection.execute("BEGIN IMMEDIATE")
                connection.execute(
                    f"INSERT INTO choices ({', '.join(COLUMNS)}) VALUES {values}", row
                )
                if endings:
                    connection.executemany("UPDATE tables SET finished = ?, ending = ? WHERE id = ?", endings)
                    connection.execute("COMMIT")
            except sqlite3.Error:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.IntegrityError as error:
            if len(group) == 1 and error.sqlite_errorcode in TAKEN:
                return set()
            raise StoreError(str(error)) from None  # the group is tried again, one by one
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None
        return {entry.key for entry in group}

    def _connected(self) -> sqlite3.Connection:
        if self.connection is None:
            self.connection = sqlite3.connect(self.database, isolation_level=None, check_same_thread=False)
            for pragma in PRAGMAS:
                self.connection.execute(f"PRAGMA {pragma}")
        return self.connection

    def close(self) -> None:
        """Let go of the file."""
        self.thread.shutdown()
        if self.connection is not None:
            self.connection.close()
