"""The HTTP and WebSocket addresses.

In:  requests.
Out: JSON, always in one of two shapes: what was asked for, or {"error", "message"}.
"""

from __future__ import annotations

import asyncio
from importlib import resources
from typing import Annotated, Any

from fastapi import Body, FastAPI, Path, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from rulewright.ir import events
from rulewright.play.arithmetic import past
from rulewright.players.bots import decide
from rulewright.serve import choosing, shapes
from rulewright.serve.ahead import Ahead
from rulewright.serve.archive import put_away_among
from rulewright.serve.continuing import go_on
from rulewright.serve.door import Keeper
from rulewright.serve.errors import EdgeError, as_edge
from rulewright.serve.guard import ADDRESS, Guard
from rulewright.serve.hints import Hints, ahead, ahead_then
from rulewright.serve.house import furnish, living
from rulewright.serve.invites import seat_of
from rulewright.serve.library import Library, Volume
from rulewright.serve.metrics import Metrics
from rulewright.serve.rates import Rates
from rulewright.serve.replays import UNRECKONED, Replays, reckoned, why, why_not
from rulewright.serve.schema import Listed
from rulewright.serve.seating import Seating, Thinker
from rulewright.serve.settings import Settings
from rulewright.serve.shapes import ERRORS, After, Id, Number, Token
from rulewright.serve.sitting import sitting
from rulewright.serve.socket import Line
from rulewright.serve.store import Store
from rulewright.serve.table import Table
from rulewright.serve.tables import Tables
from rulewright.serve.writers import FAILURES


def build(
    store: Store, library: Library, settings: Settings | None = None, think: Thinker = decide
) -> FastAPI:
    """The application over a store and a shelf."""
    settings = settings or Settings.from_environment()
    metrics = Metrics()
    rates = Rates(settings.rate)
    keeper = Keeper(settings, rates)
    tables = Tables(store, library, metrics, settings.idle)
    seating = Seating(tables, settings.bots, think)

    house = furnish(tables, seating, keeper, settings)

    app = FastAPI(
        title="Rulewright",
        version="1",
        lifespan=lambda _: living(house),
        docs_url=None,
        redoc_url=None,
        responses=ERRORS,
        description="Tables where rulebooks are played. Every error is {error, message}.",
    )
    app.state.tables = tables
    app.state.settings, app.state.keeper = settings, keeper
    app.add_middleware(Guard, settings=settings, metrics=metrics, rates=rates)
    _errors(app, metrics)
    _public(app, tables, keeper)
    _playing(app, tables, settings)
    sitting(app, tables)
    _advising(app, tables)
    _looking_back(app, tables, settings)
    _looking_ahead(app, tables)

    @app.websocket("/api/tables/{id}/live")
    async def _live(socket: WebSocket, id: str, token: str | None = None, changes: str = "") -> None:
        await Line(socket, tables, id, changes == "1").run(token)

    folder = resources.files("rulewright.serve") / "page"
    app.mount("/page", StaticFiles(directory=str(folder)), name="page")
    return app


def _errors(app: FastAPI, metrics: Metrics) -> None:
    def answer(error: EdgeError, headers: dict[str, str] | None = None) -> JSONResponse:
        metrics.errors[error.code] += 1
        return JSONResponse(error.body, error.status, headers)

    async def edge(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, EdgeError)
        return answer(error)

    async def invalid(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        first = next(iter(error.errors()), dict[str, Any]())
        where = ".".join(str(part) for part in first.get("loc", ())[1:])
        message = f"{where}: {first.get('msg', '')}" if where else str(first.get("msg", ""))
        return answer(EdgeError("request/invalid", message.encode("ascii", "backslashreplace").decode()))

    async def http(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        headers = dict(error.headers) if error.headers else None
        codes = {404: "request/unknown", 405: "request/method"}
        return answer(EdgeError(codes.get(error.status_code, "request/invalid")), headers)

    async def store(_: Request, error: Exception) -> JSONResponse:
        return answer(as_edge(error))

    async def fault(_: Request, error: Exception) -> JSONResponse:
        return answer(EdgeError("server/fault"))

    app.add_exception_handler(EdgeError, edge)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
    for failure in FAILURES:
        app.add_exception_handler(failure, store)
    app.add_exception_handler(Exception, fault)


def _public(app: FastAPI, tables: Tables, keeper: Keeper) -> None:
    page = (resources.files("rulewright.serve") / "page" / "index.html").read_text

    @app.get("/", response_class=HTMLResponse, include_in_schema=False)
    async def _page() -> HTMLResponse:
        return HTMLResponse(page(encoding="utf-8"))

    @app.get("/healthz", response_model=shapes.Health)
    async def _health() -> dict[str, bool]:
        """Is the server up, with its database?"""
        await tables.store.ping()
        return {"ok": True}

    @app.get("/metrics", response_class=PlainTextResponse)
    async def _metrics() -> PlainTextResponse:
        """Counters for Prometheus."""
        running = sum(1 for table in tables.live.values() if table.match.result is None)
        native = sum(volume.engine == "native" for volume in tables.library.volumes)
        gauges = {
            "tables_live": len(tables.live),
            "tables_running": running,
            "books_native": native,
            "connections": len(keeper.held),
            "connections_refused": keeper.refused,
            "connections_dropped": keeper.dropped,
            "calls_abandoned": tables.workers.abandoned,
        }
        return PlainTextResponse(tables.metrics.text(gauges), media_type="text/plain; version=0.0.4")

    @app.get("/api/books", response_model=list[shapes.BookCard])
    async def _books(wait: Annotated[float | None, Query(ge=0, le=60)] = None) -> list[dict[str, Any]]:
        """The shelf; with `wait`, after so many seconds, however many books are still being read."""
        return await tables.library.shelf(wait)

    @app.get("/api/books/{name}", response_model=shapes.BookPages)
    async def _book(name: Annotated[str, Path(max_length=200)], request: Request) -> Response:
        """One book: its rules, and the names behind its numbers."""
        return await _pages(await tables.library.get(name), request)

    @app.get("/api/events", response_model=list[shapes.EventKind])
    async def _events() -> list[dict[str, Any]]:
        """What the kinds of log lines are called, and what their arguments mean."""
        return events.table()

    @app.get("/api/tables", response_model=list[shapes.TableSeen])
    async def _tables() -> list[dict[str, Any]]:
        """The newest tables; nothing secret."""
        return [_listed(row) for row in await tables.store.recent()]

    @app.post("/api/tables/known", response_model=list[shapes.TableSeen])
    async def _known(wish: shapes.Known) -> list[dict[str, Any]]:
        """Of the tables that somebody remembers, those that there are; nothing secret."""
        found = await tables.store.recent(len(wish.tables), wish.tables)
        away = await put_away_among(tables.store, sorted({*wish.tables} - {row.id for row in found}))
        return [_listed(row) for row in sorted([*found, *away], key=lambda row: -row.created)]


def _listed(row: Listed) -> dict[str, Any]:
    return {
        "table": row.id,
        "book": row.book,
        "created": row.created,
        "finished": row.finished,
        "ending": row.ending,
        "seats": [{"seat": s.seat, "kind": s.kind, "name": s.name} for s in row.seats],
    }


def _opened(table: Table, tokens: list[str | None]) -> dict[str, Any]:
    """A new table with its secrets, told once."""
    id_ = table.row.id
    seats: list[dict[str, Any]] = []
    for row, token in zip(table.row.seats, tokens, strict=True):
        secret = {"token": token, "link": f"/#/table/{id_}?token={token}"} if token else {}
        seats.append({"seat": row.seat, "kind": row.kind, "name": row.name, **secret})
    promise = table.dice()["commitment"]
    return {
        "table": id_,
        "book": table.row.book,
        "seats": seats,
        "watch": f"/#/watch/{id_}",
        "commitment": promise,
    }


async def _pages(volume: Volume, request: Request) -> Response:
    """The pages of a book, unless the browser has this edition already."""
    headers = {"etag": f'"{volume.edition}"', "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        body = await asyncio.to_thread(lambda: volume.packed)
        headers["content-encoding"] = "gzip"
    else:
        body = await asyncio.to_thread(lambda: volume.pages)
    return Response(body, media_type="application/json", headers=headers)


def _json(text: str) -> Response:
    return Response(text, media_type="application/json")


async def _newest(tables: Tables, id_: str) -> Table:
    """The table, with what other processes have stored."""
    table = await tables.get(id_)
    if tables.store.shared:
        await tables.catch_up(table)
    return table


def _playing(app: FastAPI, tables: Tables, settings: Settings) -> None:
    @app.post("/api/tables", status_code=201, response_model=shapes.Opened, response_model_exclude_none=True)
    async def _open(wish: shapes.TableWish, request: Request) -> dict[str, Any]:
        """Open a table. Tokens are told here and never again."""
        wanted = [seat.model_dump(exclude_none=True) for seat in wish.seats]
        opener = _opener(tables, settings, request)
        table, tokens = await tables.create(
            wish.book, wanted, wish.options, wish.seed, not wish.private, opener
        )
        return _opened(table, tokens)

    @app.get("/api/tables/{id}", response_model=shapes.State)
    async def _state(id: Id, token: Token) -> Response:
        """The table as the holder of the token sees it; without one, as a spectator."""
        table = await _newest(tables, id)
        return _json(await tables.look(table, seat_of(table.row, token)))

    @app.post("/api/tables/{id}/choices", response_model=shapes.Moved)
    async def _choose(id: Id, choice: Annotated[shapes.Choice, Body()]) -> dict[str, int]:
        """Make a choice."""
        seat = await _seat(tables, id, choice.token)
        return {"version": await choosing.choose(tables, id, seat, choice.version, choice.option)}

    @app.post("/api/tables/{id}/undo", response_model=shapes.Moved)
    async def _undo(id: Id, wish: Annotated[shapes.Undo, Body()]) -> dict[str, int]:
        """Take the last choice back."""
        seat = await _seat(tables, id, wish.token)
        return {"version": await choosing.undo(tables, id, seat, wish.version)}


def _opener(tables: Tables, settings: Settings, request: Request) -> str:
    """On whose account a new table goes. Raises EdgeError when there is no room for one more."""
    opener = request.scope[ADDRESS] if settings.rate > 0 else ""
    tables.require_room(opener, settings.tables, settings.tables_per_address)
    return opener


async def _seat(tables: Tables, id_: str, token: str) -> int:
    seat = seat_of((await tables.get(id_)).row, token)
    if seat is None:
        raise EdgeError("token/unknown")
    return seat


def _advising(app: FastAPI, tables: Tables) -> None:
    hints = Hints()

    @app.get("/api/tables/{id}/hint", response_model=shapes.Hint)
    async def _hint(id: Id, token: Token) -> dict[str, Any]:
        """What a player would choose for the seat that decides, and why."""
        table = await _newest(tables, id)
        return await hints.ask(table, seat_of(table.row, token))

    @app.get("/api/tables/{id}/estimate", response_model=shapes.Estimate)
    async def _estimate(id: Id) -> dict[str, Any]:
        """Each seat's chance to win, from what everybody sees."""
        table = await _newest(tables, id)
        async with table.lock:
            return ahead(table)

    @app.get("/api/tables/{id}/estimates", response_model=list[list[float]])
    async def _estimates(id: Id) -> list[list[float]]:
        """The same before the first choice and after each, once the match is over."""
        table = await _newest(tables, id)
        if table.match.result is None:
            raise EdgeError("replay/hidden")
        async with table.lock:
            before = past(table.match)
        return await tables.workers.if_in_time(table, ahead_then, before) or []


def _looking_back(app: FastAPI, tables: Tables, settings: Settings) -> None:
    replays = Replays()

    @app.get("/api/tables/{id}/log", response_model=list[shapes.LogLine])
    async def _log(id: Id, token: Token, after: After = 0) -> Response:
        """Log lines from a number on, a thousand at most."""
        table = await _newest(tables, id)
        async with table.lock:
            return _json(table.lines.after(seat_of(table.row, token), after))

    @app.get("/api/tables/{id}/why/{n}", response_model=shapes.Why)
    async def _why(id: Id, n: Number, token: Token) -> dict[str, Any]:
        """Which rule caused a line of the log."""
        table = await tables.get(id)
        seat = seat_of(table.row, token)
        async with table.lock:
            told, before, event = why(table, seat, n)
        sums = await tables.workers.if_in_time(table, reckoned, before, event, seat)
        return {**told, **(sums or UNRECKONED)}

    @app.get("/api/tables/{id}/whynot", response_model=shapes.WhyNot)
    async def _whynot(
        id: Id, token: Token, name: Annotated[str, Query(max_length=200)] = ""
    ) -> dict[str, Any]:
        """Why an action or card is not offered now."""
        table = await tables.get(id)
        async with table.lock:
            reader = seat_of(table.row, token)
            return await tables.ask(table, why_not, table, reader, name)

    @app.get("/api/tables/{id}/book", response_model=shapes.BookPages)
    async def _edition(id: Id, request: Request) -> Response:
        """The exact book the match began with; the shelf may have a newer one."""
        return await _pages((await tables.get(id)).volume, request)

    @app.get("/api/tables/{id}/replay")
    async def _replay(id: Id) -> Response:
        """The whole match as a file, once it is over."""
        table = await _newest(tables, id)
        if table.match.result is None:
            raise EdgeError("replay/hidden")
        return _json(table.match.replay.to_json())

    @app.post(
        "/api/tables/{id}/continue",
        status_code=201,
        response_model=shapes.Opened,
        response_model_exclude_none=True,
    )
    async def _go_on(id: Id, wish: shapes.GoOn, request: Request) -> dict[str, Any]:
        """Go on with a finished match from one of its choices, at a new table."""
        table, tokens = await go_on(tables, id, wish.at, _opener(tables, settings, request))
        return _opened(table, tokens)

    @app.get("/api/tables/{id}/at/{n}", response_model=shapes.State)
    async def _at(id: Id, n: Number, token: Token) -> Response:
        """A finished match after n choices."""
        table = await _newest(tables, id)
        reader = seat_of(table.row, token)
        return _json(await tables.workers.aside(table, replays.at, table, reader, n))


def _looking_ahead(app: FastAPI, tables: Tables) -> None:
    ahead = Ahead()

    @app.get("/api/tables/{id}/odds", response_model=shapes.OddsSeen)
    async def _odds(
        id: Id,
        token: Token,
        option: Annotated[int | None, Query(ge=0, le=2**31)] = None,
        version: Annotated[int | None, Query(ge=0, le=2**31)] = None,
    ) -> dict[str, Any]:
        """What the options of the seat that decides may bring, or one of them more closely."""
        table = await _newest(tables, id)
        return await ahead.odds(table, seat_of(table.row, token), option, version)
