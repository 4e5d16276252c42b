"""The store: which matches there are, and every choice made in them.

In:  a database URL; SQLite with no set-up, PostgreSQL when several processes share it.
Out: rows. A match is a book (by digest), a seed, options and an append-only list of choices.

A choice is inserted with its number as part of the primary key, in a transaction, before anybody is
told of it. Two processes that append at once cannot both succeed: the second sees Conflict, reads
what is new and answers that the table has moved on. An undo is a row too (UNDO), so nothing is ever
rewritten, and a crash leaves either the row or nothing.
"""

from __future__ import annotations

import hashlib
import json
import time
import zlib
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger, Column, Float, ForeignKey, Integer, LargeBinary, MetaData, String, Table, Text, insert, select, text, update,
)  # fmt: skip
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

UNDO = -1
CHANNEL = "rulewright_tables"

meta = MetaData()
books = Table(
    "books", meta,
    Column("digest", String(64), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("program", LargeBinary, nullable=False),
    Column("html", LargeBinary, nullable=False),
)  # fmt: skip
tables = Table(
    "tables", meta,
    Column("id", String(32), primary_key=True),
    Column("digest", String(64), ForeignKey("books.digest"), nullable=False),
    Column("book", String(200), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("options", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("finished", Float, nullable=True),
    Column("ending", String(200), nullable=True),
)  # fmt: skip
seats = Table(
    "seats", meta,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("bot", String(200), nullable=False),
    Column("name", String(100), nullable=False),
    Column("token_hash", String(64), nullable=True),
)  # fmt: skip
choices = Table(
    "choices", meta,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("choice", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("at", Float, nullable=False),
)  # fmt: skip
versions = Table("schema_version", meta, Column("version", Integer, primary_key=True))


async def _first(connection: AsyncConnection) -> None:
    await connection.run_sync(meta.create_all)


MIGRATIONS: tuple[Callable[[AsyncConnection], Coroutine[Any, Any, None]], ...] = (_first,)
"""Steps from an empty database to today's schema; a new step is appended, an old one never changed."""


class Conflict(Exception):
    """Somebody else appended first."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sits where: you, invite or bot."""

    seat: int
    kind: str
    bot: str
    name: str
    token_hash: str | None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A match as it is stored, without its choices."""

    id: str
    digest: str
    book: str
    seed: int
    options: dict[str, str]
    created: float
    finished: float | None
    ending: str | None
    seats: tuple[SeatRow, ...]


def token_hash(token: str) -> str:
    """Tokens are kept only as hashes: the database does not open a seat."""
    return hashlib.sha256(token.encode()).hexdigest()


def async_url(url: str) -> str:
    """`sqlite:///file` and `postgresql://...` with the drivers this server uses."""
    for plain, driver in (("sqlite://", "sqlite+aiosqlite://"), ("postgresql://", "postgresql+asyncpg://"), ("postgres://", "postgresql+asyncpg://")):
        if url.startswith(plain):
            return driver + url[len(plain) :]
    return url


class Store:
    """All access to the database."""

    def __init__(self, url: str) -> None:
        self.url = async_url(url)
        self.shared = self.url.startswith("postgresql")
        kwargs: dict[str, Any] = {"pool_pre_ping": True} if self.shared else {}
        self.engine: AsyncEngine = create_async_engine(self.url, **kwargs)

    async def open(self) -> None:
        """Bring the schema up to date."""
        async with self.engine.begin() as connection:
            if self.shared:
                # Several processes may start at once on an empty database.
                await connection.execute(text("SELECT pg_advisory_xact_lock(731502)"))
            else:
                await connection.execute(text("PRAGMA journal_mode=WAL"))
                await connection.execute(text("PRAGMA synchronous=FULL"))
            await connection.run_sync(lambda c: versions.create(c, checkfirst=True))
            found = (await connection.execute(select(versions.c.version))).scalars().all()
            done = max(found, default=0)
            if done > len(MIGRATIONS):
                raise RuntimeError("the database was made by a newer version of this program")
            for number, step in enumerate(MIGRATIONS[done:], done + 1):
                await step(connection)
                await connection.execute(insert(versions).values(version=number))

    async def close(self) -> None:
        """Let go of the database."""
        await self.engine.dispose()

    async def keep_book(self, digest: str, name: str, program: str, html: str) -> None:
        """Keep the exact book a match begins with."""
        async with self.engine.begin() as connection:
            known = (await connection.execute(select(books.c.digest).where(books.c.digest == digest))).first()
            if known is None:
                try:
                    await connection.execute(
                        insert(books).values(
                            digest=digest, name=name, program=zlib.compress(program.encode()), html=zlib.compress(html.encode())
                        )
                    )
                except IntegrityError:
                    return

    async def book(self, digest: str) -> tuple[str, str, str] | None:
        """(name, program text, html) of a kept book."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(select(books).where(books.c.digest == digest))).first()
        if row is None:
            return None
        return row.name, zlib.decompress(row.program).decode(), zlib.decompress(row.html).decode()

    async def add_table(self, row: TableRow) -> None:
        """A new match."""
        async with self.engine.begin() as connection:
            await connection.execute(
                insert(tables).values(
                    id=row.id, digest=row.digest, book=row.book, seed=row.seed, options=json.dumps(row.options), created=row.created
                )
            )
            await connection.execute(
                insert(seats),
                [
                    {"table_id": row.id, "seat": s.seat, "kind": s.kind, "bot": s.bot, "name": s.name, "token_hash": s.token_hash}
                    for s in row.seats
                ],
            )

    async def table(self, id_: str) -> TableRow | None:
        """A match, or None."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(select(tables).where(tables.c.id == id_))).first()
            if row is None:
                return None
            people = (await connection.execute(select(seats).where(seats.c.table_id == id_).order_by(seats.c.seat))).all()
        return _row(row, people)

    async def recent(self, limit: int = 50) -> list[TableRow]:
        """The newest matches."""
        async with self.engine.connect() as connection:
            rows = (await connection.execute(select(tables).order_by(tables.c.created.desc()).limit(limit))).all()
            ids = [row.id for row in rows]
            people = (await connection.execute(select(seats).where(seats.c.table_id.in_(ids)).order_by(seats.c.seat))).all()
        return [_row(row, [p for p in people if p.table_id == row.id]) for row in rows]

    async def choices(self, id_: str, after: int = 0) -> list[int]:
        """Choices from number `after` on, undos among them."""
        query = select(choices.c.choice).where(choices.c.table_id == id_, choices.c.number >= after).order_by(choices.c.number)
        async with self.engine.connect() as connection:
            return list((await connection.execute(query)).scalars().all())

    async def append(self, id_: str, number: int, choice: int, seat: int, ending: str | None = None) -> None:
        """Choice `number` of a match. Raises Conflict when that number is taken."""
        try:
            async with self.engine.begin() as connection:
                await connection.execute(
                    insert(choices).values(table_id=id_, number=number, choice=choice, seat=seat, at=time.time())
                )
                if ending is not None:
                    await connection.execute(
                        update(tables).where(tables.c.id == id_).values(finished=time.time(), ending=ending)
                    )
                if self.shared:
                    await connection.execute(text("SELECT pg_notify(:channel, :id)"), {"channel": CHANNEL, "id": id_})
        except IntegrityError:
            raise Conflict(id_) from None


def _row(row: Any, people: Sequence[Any]) -> TableRow:
    try:
        options = json.loads(row.options)
    except ValueError:
        options = {}
    return TableRow(
        row.id, row.digest, row.book, row.seed, options, row.created, row.finished, row.ending,
        tuple(SeatRow(p.seat, p.kind, p.bot, p.name, p.token_hash) for p in people),
    )  # fmt: skip
