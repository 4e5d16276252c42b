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
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from rulewright.serve.appender import Entry, StoreError
from rulewright.serve.lanes import Lane

CHANNEL = "rulewright_tables"
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=3500")
COLUMNS = ("table_id", "number", "choice", "seat", "at", "mark")
TAKEN = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE)

FAILURES = (
    *(StoreError, SQLAlchemyError, sqlite3.Error, OSError),
    *(asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError),
)
"""What a database that is down, or going down, or coming back makes of a request. OSError is also what a time
limit raises."""

Keys = set[tuple[str, int]]


def trouble(error: BaseException) -> StoreError:
    """All of these are one kind, and said in one line: drivers tell of statements and where to read more."""
    if isinstance(error, StoreError):
        return error
    if isinstance(error, DBAPIError) and error.orig is not None:
        error = error.orig.__cause__ or error.orig
    lines = str(error).splitlines()
    return StoreError(lines[0] if lines else "the database does not answer")


def _values(entry: Entry) -> tuple[str | int | float | None, ...]:
    return *entry.key, entry.choice, entry.seat, entry.at, entry.mark


class PostgresWriter:
    """Appends, and tells the other processes, in one statement, which is its own transaction."""

    APPEND = f"""WITH stored AS (
    INSERT INTO choices ({", ".join(COLUMNS)})
    SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::float8[], $6::int[])
    ON CONFLICT DO NOTHING RETURNING table_id, number
), ended AS (
    UPDATE tables SET finished = over.at, ending = over.ending
    FROM unnest($1::text[], $2::int[], $5::float8[], $7::text[]) AS over (id, number, at, ending)
    JOIN stored ON stored.table_id = over.id AND stored.number = over.number
    WHERE tables.id = over.id AND over.ending IS NOT NULL
)
SELECT table_id, number, pg_notify('{CHANNEL}', $8 || ' ' || table_id || ' ' || number + 1) FROM stored"""

    def __init__(self, lane: Lane, origin: str) -> None:
        self.lane = lane
        self.origin = origin

    async def write(self, group: Sequence[Entry]) -> Keys:
        """One transaction."""
        columns = [list(column) for column in zip(*map(_values, group), strict=True)]
        try:
            rows = await self.lane.fetch(self.APPEND, *columns, [e.ending for e in group], self.origin)
        except FAILURES as error:
            raise trouble(error) from None
        return {(str(table), int(number)) for table, number, _ in rows}

    def close(self) -> None:
        """Let go of the connection."""
        self.lane.close()


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
        endings = [(e.at, e.ending, e.key[0]) for e in group if e.ending is not None]
        try:
            connection = self._connected()
            try:
                if endings:
                    connection.execute("BEGIN IMMEDIATE")
                connection.execute(f"INSERT INTO choices ({', '.join(COLUMNS)}) VALUES {values}", row)
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
