"""The HTTP and WebSocket addresses.

In:  requests.
Out: JSON, always in one of two shapes: what was asked for, or {"error", "message"}.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from importlib import resources
from typing import Annotated, Any, AsyncIterator

from fastapi import Body, FastAPI, Path, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from rulewright.players.bots import think
from rulewright.serve.errors import CODES, EdgeError
from rulewright.serve.guard import Guard
from rulewright.serve.library import Library, card, pages
from rulewright.serve.live import Live, Tables
from rulewright.serve.peers import Peers
from rulewright.serve.replays import at, why, why_not
from rulewright.serve.store import Store

PING = 25.0


class SeatWish(BaseModel):
    """Who is to sit somewhere."""

    model_config = ConfigDict(extra="forbid")
    kind: str = Field("you", max_length=16, description="you, invite or bot")
    bot: str | None = Field(None, max_length=200)
    name: str | None = Field(None, max_length=60)


class TableWish(BaseModel):
    """A table to open."""

    model_config = ConfigDict(extra="forbid")
    book: str = Field(max_length=200)
    seats: list[SeatWish] = Field(min_length=1, max_length=8)
    options: dict[str, str] = Field(default_factory=dict[str, str], max_length=40)
    seed: int | None = Field(None, ge=0, lt=2**63)


class Choice(BaseModel):
    """A choice, made by the holder of a seat's token who has seen that version of the table."""

    model_config = ConfigDict(extra="forbid")
    token: str = Field(max_length=100)
    version: int = Field(ge=0, lt=2**31)
    option: int = Field(ge=0, lt=2**31)


class Undo(BaseModel):
    """A wish to take the last choice back."""

    model_config = ConfigDict(extra="forbid")
    token: str = Field(max_length=100)
    version: int = Field(ge=0, lt=2**31)


class Problem(BaseModel):
    """Every error."""

    error: str
    message: str


Id = Annotated[str, Path(max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Token = Annotated[str | None, Query(max_length=100)]
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in sorted({status for status, _ in CODES.values()})
}


def build(store: Store, library: Library, engine: Any = "reference") -> FastAPI:
    """The application over a store and a shelf."""
    tables = Tables(store, library, think, engine)
    peers = Peers(store, tables.moved)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await store.open()
        await peers.start()
        yield
        for live in tables.live.values():
            if live.bot is not None:
                live.bot.cancel()
        await peers.stop()
        await store.close()

    app = FastAPI(title="Rulewright", version="1", lifespan=lifespan, docs_url=None, redoc_url=None, responses=ERRORS)
    app.state.tables = tables
    app.add_middleware(Guard)
    _errors(app)
    _public(app, tables)
    _playing(app, tables)
    _live(app, tables)
    folder = resources.files("rulewright.serve") / "page"
    app.mount("/page", StaticFiles(directory=str(folder)), name="page")
    return app


def _errors(app: FastAPI) -> None:
    @app.exception_handler(EdgeError)
    async def _edge(_: Request, error: EdgeError) -> JSONResponse:
        return JSONResponse(error.body, error.status)

    @app.exception_handler(RequestValidationError)
    async def _invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0] if error.errors() else {}
        where = ".".join(str(part) for part in first.get("loc", ())[1:])
        message = f"{where}: {first.get('msg', '')}" if where else str(first.get("msg", ""))
        return JSONResponse({"error": "request/invalid", "message": message}, 422)

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> JSONResponse:
        body = {"error": "request/invalid", "message": str(error.detail)}
        return JSONResponse(body, error.status_code, headers=error.headers)


def _public(app: FastAPI, tables: Tables) -> None:
    page = (resources.files("rulewright.serve") / "page" / "index.html").read_text

    @app.get("/", response_class=HTMLResponse, include_in_schema=False)
    async def _page() -> HTMLResponse:
        return HTMLResponse(page(encoding="utf-8"))

    @app.get("/healthz")
    async def _health() -> dict[str, bool]:
        """Is the server up, with its database?"""
        await tables.store.recent(1)
        return {"ok": True}

    @app.get("/metrics", response_class=PlainTextResponse)
    async def _metrics() -> PlainTextResponse:
        """Counters for Prometheus."""
        watching = sum(1 for live in tables.live.values() if live.match.decision is not None)
        lines = [
            "# TYPE rulewright_moves_total counter", f"rulewright_moves_total {tables.moves}",
            "# TYPE rulewright_tables_live gauge", f"rulewright_tables_live {len(tables.live)}",
            "# TYPE rulewright_tables_running gauge", f"rulewright_tables_running {watching}",
        ]  # fmt: skip
        return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")

    @app.get("/api/books")
    async def _books() -> list[dict[str, Any]]:
        """The shelf."""
        found = await asyncio.to_thread(lambda: [tables.library.get(name) for name in tables.library.names])
        return [card(volume) for volume in found if volume is not None]

    @app.get("/api/books/{name}")
    async def _book(name: Annotated[str, Path(max_length=200)]) -> dict[str, Any]:
        """One book: its rules, and the names behind its numbers."""
        volume = await asyncio.to_thread(tables.library.get, name)
        if volume is None:
            raise EdgeError("book/unknown")
        return pages(volume)

    @app.get("/api/tables")
    async def _tables() -> list[dict[str, Any]]:
        """The newest tables; nothing secret."""
        return [
            {
                "table": row.id, "book": row.book, "created": row.created, "finished": row.finished, "ending": row.ending,
                "seats": [{"seat": s.seat, "kind": s.kind, "name": s.name} for s in row.seats],
            }
            for row in await tables.store.recent()
        ]  # fmt: skip


def _playing(app: FastAPI, tables: Tables) -> None:
    @app.post("/api/tables", status_code=201)
    async def _open(wish: TableWish) -> dict[str, Any]:
        """Open a table. Tokens are told here and never again."""
        wanted = [{k: v for k, v in seat.model_dump().items() if v is not None} for seat in wish.seats]
        await asyncio.to_thread(tables.library.get, wish.book)
        live, tokens = await tables.create(wish.book, wanted, wish.options, wish.seed)
        return {
            "table": live.row.id,
            "book": live.row.book,
            "seats": [
                {
                    "seat": row.seat, "kind": row.kind, "name": row.name,
                    **({"token": token, "link": f"/#/table/{live.row.id}?token={token}"} if token else {}),
                }
                for row, token in zip(live.row.seats, tokens, strict=True)
            ],
            "watch": f"/#/table/{live.row.id}",
        }  # fmt: skip

    @app.get("/api/tables/{id}")
    async def _state(id: Id, token: Token = None) -> dict[str, Any]:
        """The table as the holder of the token sees it; without one, as a spectator."""
        live = await tables.get(id)
        return await tables.look(live, tables.seat(live, token))

    @app.get("/api/tables/{id}/log")
    async def _log(id: Id, after: Annotated[int, Query(ge=0, lt=2**31)] = 0, token: Token = None) -> list[dict[str, Any]]:
        """Log lines from a number on."""
        live = await tables.get(id)
        return tables.log(live, tables.seat(live, token), after)

    @app.get("/api/tables/{id}/why/{n}")
    async def _why(id: Id, n: Annotated[int, Path(ge=0, lt=2**31)], token: Token = None) -> dict[str, Any]:
        """Which rule caused a line of the log."""
        live = await tables.get(id)
        return why(live, tables.seat(live, token), n)

    @app.get("/api/tables/{id}/whynot")
    async def _whynot(id: Id, token: Token = None, name: Annotated[str, Query(max_length=200)] = "") -> dict[str, Any]:
        """Why an action or card is not offered now."""
        live = await tables.get(id)
        return why_not(live, tables.seat(live, token), name)

    @app.post("/api/tables/{id}/choices")
    async def _choose(id: Id, choice: Annotated[Choice, Body()]) -> dict[str, int]:
        """Make a choice."""
        live = await tables.get(id)
        seat = tables.seat(live, choice.token)
        if seat is None:
            raise EdgeError("token/unknown")
        return {"version": await tables.choose(live, seat, choice.version, choice.option)}

    @app.post("/api/tables/{id}/undo")
    async def _undo(id: Id, wish: Annotated[Undo, Body()]) -> dict[str, int]:
        """Take the last choice back."""
        live = await tables.get(id)
        seat = tables.seat(live, wish.token)
        if seat is None:
            raise EdgeError("token/unknown")
        return {"version": await tables.undo(live, seat, wish.version)}

    @app.get("/api/tables/{id}/replay")
    async def _replay(id: Id) -> Response:
        """The whole match as a file, once it is over."""
        live = await tables.get(id)
        if live.match.result is None:
            raise EdgeError("replay/hidden")
        return Response(live.match.replay.to_json(), media_type="application/json")

    @app.get("/api/tables/{id}/at/{n}")
    async def _at(id: Id, n: Annotated[int, Path(ge=0, lt=2**31)]) -> dict[str, Any]:
        """A finished match after n choices, with nothing hidden."""
        live = await tables.get(id)
        return await asyncio.to_thread(at, tables, live, n)


def _live(app: FastAPI, tables: Tables) -> None:
    @app.websocket("/api/tables/{id}/live")
    async def _socket(socket: WebSocket, id: str, token: str | None = None) -> None:
        await socket.accept()
        try:
            live = await tables.get(id)
            seat = tables.seat(live, token)
        except EdgeError as error:
            await socket.send_json(error.body)
            await socket.close(4000 + error.status % 1000)
            return
        sender = asyncio.create_task(_send(socket, tables, live, seat))
        try:
            while True:
                await _message(socket, tables, live, seat, await socket.receive_text())
        except WebSocketDisconnect:
            pass
        finally:
            sender.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await sender


async def _send(socket: WebSocket, tables: Tables, live: Live, seat: int | None) -> None:
    """Send the state at once and after every change; never more than the newest."""
    while True:
        waiting = live.changed
        await socket.send_json({"state": await tables.look(live, seat)})
        with suppress(TimeoutError):
            await asyncio.wait_for(waiting.wait(), PING)


async def _message(socket: WebSocket, tables: Tables, live: Live, seat: int | None, text: str) -> None:
    try:
        if len(text) > 4096:
            raise EdgeError("request/too-large")
        try:
            said = json.loads(text)
        except ValueError:
            raise EdgeError("request/invalid", "A message is JSON.") from None
        if not isinstance(said, dict):
            raise EdgeError("request/invalid", "A message is a JSON object.")
        version, option = said.get("version"), said.get("choose")
        if "ping" in said:
            await socket.send_json({"pong": said["ping"]})
        elif seat is None:
            raise EdgeError("token/unknown", "Spectators only watch.")
        elif isinstance(version, int) and isinstance(option, int) and not isinstance(option, bool):
            await tables.choose(live, seat, version, option)
        elif isinstance(version, int) and said.get("undo") is True:
            await tables.undo(live, seat, version)
        else:
            raise EdgeError("request/invalid")
    except EdgeError as error:
        await socket.send_json(error.body)
