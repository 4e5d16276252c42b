"""Tables that nobody has touched for a long time, put away: one packed row each, and back again when somebody
comes.

In:  a store, how many days things are kept.
Out: fewer rows; nothing is lost by it. Whoever has the link of a table that was put away finds it as it was.

Put away are matches that are over, those that only bots play, and those in which nobody ever chose anything.
A match of people that is still going on stays, unless whoever runs the server has set a time for that, too.
Forgotten for good, again only if that was set, is what was put away long ago; a running match of people
never.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import and_, delete, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from rulewright.serve.schema import Damaged, Listed, SeatRow, archive, choices, seats, tables
from rulewright.serve.store import Store, bounded

DAY = 86400.0
BATCH = 50
"""Tables that are put away at a time, so that nobody waits for it."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """Days; 0 is for ever."""

    over: float = 90
    """After the last move of a match that is over, that only bots play, or in which nobody chose anything."""
    running: float = 0
    """After the last move of a match of people that goes on."""
    forgotten: float = 0
    """In the archive, before it is forgotten for good; a running match of people never is."""


@bounded
async def put_away(store: Store, keeping: Keeping, used: Collection[str], now: float | None = None) -> int:
    """Put some tables away that are not in use here; how many."""
    now = time.time() if now is None else now
    due: list[str] = []
    async with store.engine.connect() as connection:
        for days, going_on in ((keeping.over, False), (keeping.running, True)):
            if days > 0:
                found = await connection.execute(_due(now - days * DAY, going_on))
                due += [str(id_) for id_ in found.scalars().all()]
    moved = 0
    for id_ in due:
        if id_ not in used:
            async with store.engine.begin() as connection:
                moved += await _move(connection, store, id_, now)
    if keeping.forgotten > 0:
        old = and_(archive.c.at < now - keeping.forgotten * DAY, archive.c.running == 0)
        async with store.engine.begin() as connection:
            await connection.execute(delete(archive).where(old))
    return moved


def _due(before: float, going_on: bool) -> Any:
    """Tables whose last move is so long ago."""
    last = select(choices.c.at).where(choices.c.table_id == tables.c.id)
    last_at = last.order_by(choices.c.number.desc()).limit(1).scalar_subquery()
    people = select(seats.c.seat).where(seats.c.table_id == tables.c.id, seats.c.kind != "bot").exists()
    chose = select(choices.c.number).where(choices.c.table_id == tables.c.id).exists()
    running = and_(tables.c.finished.is_(None), people, chose)
    wanted = select(tables.c.id).where(tables.c.created < before)
    wanted = wanted.where(func.coalesce(last_at, tables.c.created) < before)
    return wanted.where(running if going_on else ~running).order_by(tables.c.created).limit(BATCH)


async def _move(connection: AsyncConnection, store: Store, id_: str, now: float) -> int:
    locked = select(tables).where(tables.c.id == id_)
    found = await connection.execute(locked.with_for_update() if store.shared else locked)
    table = found.mappings().first()
    if table is None:
        return 0
    parts: dict[str, Any] = {"table": dict(table)}
    for name, rows in (("seats", seats), ("choices", choices)):
        order = rows.c.seat if name == "seats" else rows.c.number
        found = await connection.execute(select(rows).where(rows.c.table_id == id_).order_by(order))
        parts[name] = [dict(row) for row in found.mappings()]
    people = any(seat["kind"] != "bot" for seat in parts["seats"])
    running = int(table["finished"] is None and people and bool(parts["choices"]))
    packed = zlib.compress(json.dumps(parts).encode())
    await connection.execute(insert(archive).values(id=id_, at=now, running=running, data=packed))
    for rows in (choices, seats):
        await connection.execute(delete(rows).where(rows.c.table_id == id_))
    await connection.execute(delete(tables).where(tables.c.id == id_))
    return 1


@bounded
async def bring_back(store: Store, id_: str) -> bool:
    """Put a table back where it was; whether there is one of that name now. Raises Damaged."""
    async with store.engine.connect() as connection:
        row = (await connection.execute(select(archive).where(archive.c.id == id_))).first()
    if row is None:
        return False
    parts = _unpacked(row.data)
    try:
        async with store.engine.begin() as connection:
            await connection.execute(insert(tables).values(**parts["table"]))
            for name, rows in (("seats", seats), ("choices", choices)):
                if parts[name]:
                    await connection.execute(insert(rows), parts[name])
            await connection.execute(delete(archive).where(archive.c.id == id_))
    except IntegrityError:  # another process was quicker
        pass
    return True


@bounded
async def put_away_among(store: Store, ids: Sequence[str]) -> list[Listed]:
    """What everybody may know of the tables of these names that were put away."""
    if not ids:
        return []
    async with store.engine.connect() as connection:
        rows = (await connection.execute(select(archive).where(archive.c.id.in_(ids)))).all()
    found: list[Listed] = []
    for row in rows:
        try:
            parts = _unpacked(row.data)
        except Damaged:
            continue
        table = parts["table"]
        people = tuple(SeatRow(s["seat"], s["kind"], s["bot"], s["name"], None) for s in parts["seats"])
        found.append(
            Listed(row.id, table["book"], table["created"], table["finished"], table["ending"], people)
        )
    return found


def _unpacked(data: bytes) -> dict[str, Any]:
    try:
        return cast("dict[str, Any]", json.loads(zlib.decompress(data)))
    except (zlib.error, ValueError, TypeError):
        raise Damaged("the archived match is damaged in the store") from None
