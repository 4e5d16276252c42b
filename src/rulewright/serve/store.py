"""The store: which matches there are, and every choice made in them.

In:  a database URL; SQLite with no set-up, PostgreSQL when several processes share it.
Out: rows.

A choice is stored, flushed to the disk, before anybody is told of it (see `appender`); a crash leaves
either the whole row or nothing. What is damaged raises Damaged and is left as it is.
"""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import os
import secrets
import time
import zlib
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, ParamSpec, TypeVar, cast

from sqlalchemy import delete, event, func, insert, or_, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from rulewright.play.chance import WIDEST, is_wide
from rulewright.serve.appender import Appender, Told
from rulewright.serve.lanes import STATEMENT, Lane, Latest, connected
from rulewright.serve.schema import (
    MIGRATIONS,
    ChoiceRow,
    Damaged,
    Listed,
    SeatRow,
    TableRow,
    books,
    choices,
    heartbeat,
    seats,
    tables,
    versions,
)
from rulewright.serve.writers import CHANNEL, FAILURES, PRAGMAS, PostgresWriter, SqliteWriter, trouble

MIGRATING = 731502
"""The advisory lock under which a schema is brought up to date."""


P = ParamSpec("P")
T = TypeVar("T")


def bounded(work: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """The same, but a database that does not answer fails like one that is down: its troubles are one kind,
    StoreError."""

    @functools.wraps(work)
    async def within(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            async with asyncio.timeout(STATEMENT):
                return await work(*args, **kwargs)
        except FAILURES as error:
            raise trouble(error) from None

    return within


def _in_a_line(record: logging.LogRecord) -> bool:
    """What the pool says of a connection that it could not close, in one line: the database is down."""
    if record.exc_info:
        record.msg, record.args = f"{record.getMessage()}: {record.exc_info[1]!r}", ()
        record.exc_info = None
    return True


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
        kwargs: dict[str, Any] = {}
        self.address = address = self.url.replace("postgresql+asyncpg://", "postgresql://")
        """As the database's own driver understands it."""
        if self.shared:
            made = functools.partial(connected, address)
            kwargs = {"pool_pre_ping": True, "pool_timeout": STATEMENT, "async_creator": made}
        self.pinged = -1.0
        self.engine: AsyncEngine = create_async_engine(self.url, **kwargs)
        pool: Any = self.engine.pool
        pool.logger.addFilter(_in_a_line)
        if not self.shared:
            event.listen(self.engine.sync_engine, "connect", _pragmas)
        self.writer = (
            PostgresWriter(Lane(address), self.origin)
            if self.shared
            else SqliteWriter(make_url(self.url).database or ":memory:")
        )
        self.appender = Appender(self.writer.write)
        self.latest = Latest(Lane(address)) if self.shared else None
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
        if self.latest is not None:
            await self.latest.close()
        await self.engine.dispose()
        self.release()

    @bounded
    async def ping(self) -> None:
        """Raises when the database does not answer, or takes nothing. Asked often, it asks once a second."""
        now = time.monotonic()
        if now - self.pinged < 1:
            return
        async with self.engine.begin() as connection:
            # Something new each time: a transaction that changes nothing writes nothing.
            await connection.execute(delete(heartbeat))
            await connection.execute(insert(heartbeat).values(at=time.time()))
        self.pinged = now

    @bounded
    async def keep_book(self, digest: str, name: str, program: str, html: str) -> None:
        """Keep the exact book a match begins with."""
        into = postgresql.insert(books) if self.shared else sqlite.insert(books)
        packed = {"program": zlib.compress(program.encode()), "html": zlib.compress(html.encode())}
        async with self.engine.begin() as connection:
            await connection.execute(into.values(digest=digest, name=name, **packed).on_conflict_do_nothing())
        self.kept.add(digest)

    @bounded
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

    @bounded
    async def add_table(self, row: TableRow) -> None:
        """A new match."""
        async with self.engine.begin() as connection:
            await connection.execute(
                insert(tables).values(
                    id=row.id,
                    digest=row.digest,
                    book=row.book,
                    seed=0 if is_wide(row.seed) else row.seed,
                    secret=f"{row.seed:064x}" if is_wide(row.seed) else None,
                    chosen=int(row.chosen),
                    listed=int(row.listed),
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

    @bounded
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
            _seed(row.seed, row.secret),
            _options(row.options),
            row.created,
            row.finished,
            row.ending,
            found,
            bool(row.chosen),
            row.listed != 0,
        )

    @bounded
    async def recent(self, limit: int = 50, among: Sequence[str] | None = None) -> list[Listed]:
        """The newest matches: of all that are not private, or among those that are named. A row that makes no
        sense is left out."""
        wanted = select(tables).order_by(tables.c.created.desc()).limit(limit)
        if among is not None:
            wanted = wanted.where(tables.c.id.in_(among))
        else:
            wanted = wanted.where(or_(tables.c.listed.is_(None), tables.c.listed != 0))
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
            if isinstance(row.book, str) and isinstance(row.created, float | int)
        ]

    @bounded
    async def choices(self, id_: str, after: int = 0) -> list[ChoiceRow]:
        """Choices from number `after` on, undos among them. Raises Damaged when one is missing."""
        query = select(choices.c.number, choices.c.choice, choices.c.seat, choices.c.mark)
        query = query.where(choices.c.table_id == id_, choices.c.number >= after).order_by(choices.c.number)
        async with self.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        return _in_order(rows, after)

    @bounded
    async def news(self, id_: str, after: int) -> list[ChoiceRow]:
        """The same for a match that is known, where there are hardly any: many ask at once."""
        if self.latest is None:
            return await self.choices(id_, after)
        return _in_order(await self.latest.since(id_, after), after)

    @bounded
    async def reseat(self, id_: str, before: SeatRow, after: SeatRow) -> bool:
        """Somebody else has the seat from now on; False when it changed hands meanwhile."""
        where = (seats.c.table_id == id_) & (seats.c.seat == before.seat) & (seats.c.kind == before.kind)
        where &= seats.c.token_hash.is_not_distinct_from(before.token_hash)
        now = {
            "kind": after.kind,
            "bot": after.bot,
            "name": after.name,
            "token_hash": after.token_hash,
        }
        async with self.engine.begin() as connection:
            done = await connection.execute(update(seats).where(where).values(**now))
            if done.rowcount and self.shared:
                said = {"channel": CHANNEL, "news": f"{self.origin} {id_} seats"}
                await connection.execute(text("SELECT pg_notify(:channel, :news)"), said)
        return bool(done.rowcount)

    @bounded
    async def last_choice(self, id_: str) -> float | None:
        """When the last choice was made, in seconds since 1970; None before the first."""
        query = select(func.max(choices.c.at)).where(choices.c.table_id == id_)
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).scalar()

    async def append(
        self,
        id_: str,
        number: int,
        choice: int,
        seat: int,
        ending: str | None = None,
        mark: int | None = None,
    ) -> None:
        """Choice `number` of a match. Raises Conflict when that number is taken, StoreError."""
        await self.appender.append(id_, number, choice, seat, ending, mark)

    def put(
        self,
        id_: str,
        number: int,
        choice: int,
        seat: int,
        ending: str | None,
        mark: int | None,
        told: Told,
    ) -> None:
        """The same, and say when it is done or what went wrong."""
        self.appender.put(id_, number, choice, seat, ending, mark, told)


def _in_order(rows: Iterable[Any], after: int) -> list[ChoiceRow]:
    """Each a choice with its number, choice, seat and mark. Raises Damaged when one is missing."""
    found = [ChoiceRow(*row) for row in rows]
    for expected, row in enumerate(found, after):
        if row.number != expected:
            raise Damaged(f"choice {expected} of this match is missing from the store")
    return found


def _seed(narrow: int, secret: Any) -> int:
    if secret is None:
        return narrow
    try:
        seed = int(secret, 16)
    except (ValueError, TypeError):
        seed = -1
    if not is_wide(seed) or seed >> WIDEST:
        raise Damaged("the seed of this match is damaged in the store")
    return seed


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
