"""The tables of the database, and how they came to be.

In:  nothing.
Out: SQLAlchemy tables, migrations, and the rows that the rest of the server handles.

A match is a book (by digest), a seed, options and an append-only list of choices; an undo is a choice
too (UNDO), so nothing is ever rewritten. Tokens are kept only as hashes: the database opens no seat.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    inspect,
    text,
)
from sqlalchemy.ext.asyncio import AsyncConnection

UNDO = -1

meta = MetaData()
books = Table(
    "books",
    meta,
    Column("digest", String(64), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("program", LargeBinary, nullable=False),
    Column("html", LargeBinary, nullable=False),
)
tables = Table(
    "tables",
    meta,
    Column("id", String(32), primary_key=True),
    Column("digest", String(64), ForeignKey("books.digest"), nullable=False),
    Column("book", String(200), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("options", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("finished", Float, nullable=True),
    Column("ending", String(200), nullable=True),
    Column("secret", String(64), nullable=True),
    Column("chosen", Integer, nullable=True),
    Column("listed", Integer, nullable=True),
)
seats = Table(
    "seats",
    meta,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("bot", String(200), nullable=False),
    Column("name", String(100), nullable=False),
    Column("token_hash", String(64), nullable=True),
)
choices = Table(
    "choices",
    meta,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("choice", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("at", Float, nullable=False),
    Column("mark", Integer, nullable=True),
)
archive = Table(
    "archive",
    meta,
    Column("id", String(32), primary_key=True),
    Column("at", Float, nullable=False),
    Column("running", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
heartbeat = Table("heartbeat", meta, Column("at", Float, nullable=False))
versions = Table("schema_version", meta, Column("version", Integer, primary_key=True))


async def _first(connection: AsyncConnection) -> None:
    await connection.run_sync(meta.create_all)


async def _newest_first(connection: AsyncConnection) -> None:
    """The lobby lists the newest tables; without this it would read them all."""
    await connection.execute(text("CREATE INDEX IF NOT EXISTS tables_created ON tables (created)"))


async def _secrets_and_marks(connection: AsyncConnection) -> None:
    """Wide seeds, private tables, and a mark of the state behind every choice. The first step makes tables as
    they are today, so only older databases lack the columns."""

    def add(plain: Connection) -> None:
        for table, name in (
            ("tables", "secret"),
            ("tables", "chosen"),
            ("tables", "listed"),
            ("choices", "mark"),
        ):
            if name not in {column["name"] for column in inspect(plain).get_columns(table)}:
                kind = "VARCHAR(64)" if name == "secret" else "INTEGER"
                plain.execute(text(f"ALTER TABLE {table} ADD COLUMN {name} {kind}"))

    await connection.run_sync(add)


async def _archive(connection: AsyncConnection) -> None:
    """Where tables are put away."""
    await connection.run_sync(lambda plain: archive.create(plain, checkfirst=True))


async def _heartbeat(connection: AsyncConnection) -> None:
    """What is written to find out whether anything can be."""
    await connection.run_sync(lambda plain: heartbeat.create(plain, checkfirst=True))


Migration = Callable[[AsyncConnection], Coroutine[Any, Any, None]]
MIGRATIONS: tuple[Migration, ...] = (_first, _newest_first, _secrets_and_marks, _archive, _heartbeat)
"""Steps from an empty database to today's schema; a new step is appended, an old one never changed."""


class Damaged(Exception):
    """A row that does not say what it should."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sits where: you, invite, open (nobody yet) or bot."""

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
    chosen: bool = False
    """Whether whoever opened the table chose the seed, and so may know what the dice will be."""
    listed: bool = True


@dataclass(frozen=True, slots=True)
class Listed:
    """What everybody may know of a table."""

    id: str
    book: str
    created: float
    finished: float | None
    ending: str | None
    seats: tuple[SeatRow, ...]


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """Choice `number` of a table, made by a seat."""

    number: int
    choice: int
    seat: int
    mark: int | None = None
    """Of the state after it; rows of older databases have none."""


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
