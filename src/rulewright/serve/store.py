"""The store: which matches there are, and every choice made in them.

In:  a database URL; SQLite with no set-up, PostgreSQL when several processes share it.
Out: rows.

A choice is stored, flushed to the disk, before anybody is told of it (see `appender`); a crash leaves
either the whole row or nothing. What is damaged raises Damaged and is left as it is.
"""

from __future__ import annotations

import json
import os
import secrets
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, cast

from sqlalchemy import event, insert, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from rulewright.serve.appender import Appender
from rulewright.serve.schema import (
    MIGRATIONS,
    ChoiceRow,
    Damaged,
    Listed,
    SeatRow,
    TableRow,
    books,
    choices,
    seats,
    tables,
    versions,
)
from rulewright.serve.writers import PRAGMAS, PostgresWriter, SqliteWriter

MIGRATING = 731502
"""The advisory lock under which a schema is brought up to date."""


class StoreBusy(Exception):
    """Another server uses this SQLite file."""


def async_url(url: str) -> str:
    """`sqlite:///file` and `postgresql://...` with the drivers this server uses."""
    for plain, driver in (
        ("sqlite://", "sqlite+aiosqlite://"),
        ("postgresql://", "postgresql+asyncpg://"),
        ("postgres://", "postgresql+asyncpg://"),
    ):
        if url.startswith(plain):
            with suppress(ValueError, SQLAlchemyError):
                make_url(url)
                return driver + url[len(plain) :]
    raise ValueError("a database is sqlite:///FILE or postgresql://USER@HOST/NAME")


def _pragmas(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class Store:
    """All access to the database."""

    def __init__(self, url: str) -> None:
        self.given = url
        self.url = async_url(url)
        self.shared = self.url.startswith("postgresql")
        self.origin = secrets.token_hex(6)
        """Names this process to the others."""
        kwargs: dict[str, Any] = {"pool_pre_ping": True} if self.shared else {}
        self.engine: AsyncEngine = create_async_engine(self.url, **kwargs)
        if not self.shared:
            event.listen(self.engine.sync_engine, "connect", _pragmas)
        self.writer = (
            PostgresWriter(self.engine, self.origin)
            if self.shared
            else SqliteWriter(make_url(self.url).database or ":memory:")
        )
        self.appender = Appender(self.writer.write)
        self.kept: set[str] = set()
        self.lock: IO[str] | None = None

    def claim(self) -> None:
        """Hold a SQLite file for this process. Raises StoreBusy when another server has it."""
        if not self.shared and self.lock is None:
            self.lock = _lock(make_url(self.url).database)

    def release(self) -> None:
        """Let go of the file again."""
        if self.lock is not None:
            self.lock.close()
            self.lock = None

    async def open(self) -> None:
        """Bring the schema up to date. Raises StoreBusy."""
        self.claim()
        async with self.engine.begin() as connection:
            if self.shared:
                # Several processes may start at once on an empty database.
                await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
            await connection.run_sync(lambda c: versions.create(c, checkfirst=True))
            found = (await connection.execute(select(versions.c.version))).scalars().all()
            done = max(found, default=0)
            if done > len(MIGRATIONS):
                raise RuntimeError("the database was made by a newer version of this program")
            for number, step in enumerate(MIGRATIONS[done:], done + 1):
                await step(connection)
                await connection.execute(insert(versions).values(version=number))
        self.appender.start()

    async def close(self) -> None:
        """Let go of the database."""
        await self.appender.stop()
        self.writer.close()
        await self.engine.dispose()
        self.release()

    async def ping(self) -> None:
        """Raises when the database does not answer."""
        async with self.engine.connect() as connection:
            await connection.execute(text("SELECT 1"))

    async def keep_book(self, digest: str, name: str, program: str, html: str) -> None:
        """Keep the exact book a match begins with."""
        into = postgresql.insert(books) if self.shared else sqlite.insert(books)
        packed = {"program": zlib.compress(program.encode()), "html": zlib.compress(html.encode())}
        async with self.engine.begin() as connection:
            await connection.execute(into.values(digest=digest, name=name, **packed).on_conflict_do_nothing())
        self.kept.add(digest)

    async def book(self, digest: str) -> tuple[str, str, str]:
        """(name, program text, html) of a kept book. Raises Damaged when it is gone or broken."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(select(books).where(books.c.digest == digest))).first()
        if row is None:
            raise Damaged("the book of this match is not in the store")
        try:
            return row.name, zlib.decompress(row.program).decode(), zlib.decompress(row.html).decode()
        except (zlib.error, UnicodeDecodeError, TypeError):
            raise Damaged("the book of this match is damaged in the store") from None

    async def add_table(self, row: TableRow) -> None:
        """A new match."""
        async with self.engine.begin() as connection:
            await connection.execute(
                insert(tables).values(
                    id=row.id,
                    digest=row.digest,
                    book=row.book,
                    seed=row.seed,
                    options=json.dumps(row.options),
                    created=row.created,
                    finished=row.finished,
                    ending=row.ending,
                )
            )
            await connection.execute(
                insert(seats),
                [
                    {
                        "table_id": row.id,
                        "seat": s.seat,
                        "kind": s.kind,
                        "bot": s.bot,
                        "name": s.name,
                        "token_hash": s.token_hash,
                    }
                    for s in row.seats
                ],
            )

    async def table(self, id_: str) -> TableRow | None:
        """A match, or None. Raises Damaged."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(select(tables).where(tables.c.id == id_))).first()
            if row is None:
                return None
            people = (
                await connection.execute(select(seats).where(seats.c.table_id == id_).order_by(seats.c.seat))
            ).all()
        found = _people(people)
        if [seat.seat for seat in found] != list(range(len(found))):
            raise Damaged("a seat of this match is missing from the store")
        return TableRow(
            row.id,
            row.digest,
            row.book,
            row.seed,
            _options(row.options),
            row.created,
            row.finished,
            row.ending,
            found,
        )

    async def recent(self, limit: int = 50, among: Sequence[str] | None = None) -> list[Listed]:
        """The newest matches: of all, or among those that are named."""
        wanted = select(tables).order_by(tables.c.created.desc()).limit(limit)
        if among is not None:
            wanted = wanted.where(tables.c.id.in_(among))
        async with self.engine.connect() as connection:
            rows = (await connection.execute(wanted)).all()
            ids = [row.id for row in rows]
            people = (
                await connection.execute(
                    select(seats).where(seats.c.table_id.in_(ids)).order_by(seats.c.seat)
                )
            ).all()
        return [
            Listed(
                row.id,
                row.book,
                row.created,
                row.finished,
                row.ending,
                _people([p for p in people if p.table_id == row.id]),
            )
            for row in rows
        ]

    async def choices(self, id_: str, after: int = 0) -> list[ChoiceRow]:
        """Choices from number `after` on, undos among them. Raises Damaged when one is missing."""
        query = select(choices.c.number, choices.c.choice, choices.c.seat)
        query = query.where(choices.c.table_id == id_, choices.c.number >= after).order_by(choices.c.number)
        async with self.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        for expected, row in enumerate(rows, after):
            if row.number != expected:
                raise Damaged(f"choice {expected} of this match is missing from the store")
        return [ChoiceRow(row.number, row.choice, row.seat) for row in rows]

    async def append(self, id_: str, number: int, choice: int, seat: int, ending: str | None = None) -> None:
        """Choice `number` of a match. Raises Conflict when that number is taken, StoreError."""
        await self.appender.append(id_, number, choice, seat, ending)


def _options(stored: Any) -> dict[str, str]:
    try:
        options: Any = json.loads(stored)
    except (ValueError, TypeError, RecursionError):
        options = None
    if isinstance(options, dict):
        found = cast("dict[str, Any]", options)
        if all(isinstance(word, str) for word in found.values()):
            return found
    raise Damaged("the options of this match are damaged in the store")


def _people(people: Sequence[Any]) -> tuple[SeatRow, ...]:
    return tuple(SeatRow(p.seat, p.kind, p.bot, p.name, p.token_hash) for p in people)


def _lock(database: str | None) -> IO[str] | None:
    """Hold a SQLite file for this process alone: others could not tell us when a table moves on."""
    if not database or database == ":memory:":
        return None
    Path(database).parent.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:  # not on Windows
        return None
    file = open(f"{database}.lock", "w", encoding="utf-8")  # noqa: SIM115
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StoreBusy(f"{os.path.basename(database)} is in use by another server") from None
    with suppress(OSError):
        file.write(str(os.getpid()))
        file.flush()
    return file
