"""Changing places while a match goes on: open seats, people for bots, bots for people.

In:  whoever asks, a seat, who is to have it.
Out: the addresses for it, and what a list of tables shows: whose turn it is, and since when.

The match does not mind: what was chosen stays chosen, whoever chose it. Places are changed by the first seat
that a person has, the host's, or by whoever has the seat; one that is open goes to whoever comes first.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Body, FastAPI

from rulewright.serve import shapes
from rulewright.serve.errors import EdgeError
from rulewright.serve.invites import seat_of, seated
from rulewright.serve.schema import SeatRow, token_hash
from rulewright.serve.shapes import Id, Number
from rulewright.serve.table import Table
from rulewright.serve.tables import Tables


async def place(
    tables: Tables, id_: str, token: str, seat: int, wish: Mapping[str, str]
) -> tuple[SeatRow, str | None]:
    """Somebody else, or nobody yet, has the seat from now on. Gives its token, if a person is to have it."""
    made: list[tuple[SeatRow, str | None]] = []

    def change(table: Table) -> SeatRow:
        _may_change(table, token, seat)
        made.append(seated(table.volume, seat, wish))
        return made[-1][0]

    await tables.reseat(id_, seat, change)
    return made[-1]


async def take(tables: Tables, id_: str, seat: int, name: str | None) -> str:
    """An open seat is taken; its token."""
    token = secrets.token_urlsafe(16)

    def change(table: Table) -> SeatRow:
        row = table.row.seats[seat]
        if row.kind != "open":
            raise EdgeError("seats/wrong", "That seat is not free.")
        if table.match.result is not None:
            raise EdgeError("choice/over")
        return SeatRow(seat, "invite", "", name or row.name, token_hash(token))

    await tables.reseat(id_, seat, change)
    return token


async def renew(tables: Tables, id_: str, token: str, seat: int) -> str:
    """Another token for a seat; the old one opens nothing any more."""
    made = secrets.token_urlsafe(16)

    def change(table: Table) -> SeatRow:
        row = table.row.seats[seat]
        if row.token_hash is None:
            raise EdgeError("seats/wrong", "Nobody can be given that seat.")
        _may_change(table, token, seat, over=True)
        return replace(row, token_hash=token_hash(made))

    await tables.reseat(id_, seat, change)
    return made


def _may_change(table: Table, token: str, seat: int, over: bool = False) -> None:
    by = seat_of(table.row, token)
    host = next((row.seat for row in table.row.seats if row.token_hash is not None), None)
    if by is None or by not in (seat, host):
        raise EdgeError("token/unknown", "Only its holder and the first seat can do that.")
    if not over and table.match.result is not None:
        raise EdgeError("choice/over")


def sitting(app: FastAPI, tables: Tables) -> None:
    """The addresses."""

    @app.post("/api/tables/{id}/seats/{seat}", response_model=shapes.Placed, response_model_exclude_none=True)
    async def _place(id: Id, seat: Number, wish: Annotated[shapes.Place, Body()]) -> dict[str, Any]:
        """Give a seat to a bot, to somebody with a link, or to whoever comes."""
        wanted = wish.model_dump(exclude_none=True, exclude={"token"})
        row, token = await place(tables, id, wish.token, seat, wanted)
        return {"seat": seat, "kind": row.kind, "name": row.name, **_secret(id, token)}

    @app.post("/api/tables/{id}/seats/{seat}/take", response_model=shapes.Reseated)
    async def _take(id: Id, seat: Number, wish: Annotated[shapes.Take, Body()]) -> dict[str, Any]:
        """Take a seat that is open."""
        return {"seat": seat, **_secret(id, await take(tables, id, seat, wish.name))}

    @app.post("/api/tables/{id}/seats/{seat}/token", response_model=shapes.Reseated)
    async def _renew(id: Id, seat: Number, wish: Annotated[shapes.Reseat, Body()]) -> dict[str, Any]:
        """A new token for a seat: the old one opens nothing any more."""
        return {"seat": seat, **_secret(id, await renew(tables, id, wish.token, seat))}

    @app.get("/api/tables/{id}/turn", response_model=shapes.Turn)
    async def _turn(id: Id) -> dict[str, Any]:
        """Whose turn it is, and since when: for whoever plays over days."""
        table = await tables.get(id)
        async with table.lock:
            waiting = [row.seat for row in table.to_decide()]
        since = await tables.store.last_choice(id)
        return {"version": table.version, "waiting": waiting, "since": since or table.row.created}


def _secret(id_: str, token: str | None) -> dict[str, str]:
    return {"token": token, "link": f"/#/table/{id_}?token={token}"} if token else {}
