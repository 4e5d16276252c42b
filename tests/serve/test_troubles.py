"""Troubles of the database are one kind: one answer, one line in the log; afterwards all go on."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from fastapi import FastAPI
from sqlalchemy.exc import OperationalError
from websockets.exceptions import ConnectionClosed

from rulewright.serve import store as store_module
from rulewright.serve.appender import Conflict
from rulewright.serve.store import Store
from serve.tables_kit import Seats, awaited, client, make_app, on_loop, problem, sqlite_url, until

STARTING = asyncpg.CannotConnectNowError("the database system is starting up")
AGAINST_BOT = [{"kind": "you"}, {"kind": "bot", "bot": "Greedy"}]
TROUBLES: dict[str, Exception | None] = {
    "starting": STARTING,
    "wrapped": OperationalError("SELECT 1\nFROM tables", {}, STARTING),
    "refused": ConnectionRefusedError(111, "Connection refused"),
    "confused": asyncpg.InternalClientError("got result for unknown protocol state 3"),
    "hung": None,
}


class Broken:
    """An engine whose every connection fails; without a trouble, it hangs."""

    def __init__(self, trouble: Exception | None) -> None:
        self.trouble = trouble

    @asynccontextmanager
    async def connect(self) -> AsyncGenerator[None]:
        await asyncio.sleep(60 if self.trouble is None else 0.02)
        if self.trouble is not None:
            raise self.trouble
        yield

    begin = connect


@contextmanager
def in_trouble(app: FastAPI, trouble: Exception | None) -> Generator[None]:
    """While the database fails, and nothing is known of it."""
    store = app.state.tables.store
    sound, store.engine, store.pinged = store.engine, Broken(trouble), -1.0
    try:
        yield
    finally:
        store.engine = sound


@contextmanager
def complaints(app: FastAPI) -> Generator[list[str]]:
    """What the loop finds that nobody has looked at."""
    loop = app.state.tables.store.appender.task.get_loop()
    said: list[str] = []

    def hear(_: object, context: dict[str, Any]) -> None:
        said.append(str(context))

    loop.call_soon_threadsafe(loop.set_exception_handler, hear)
    yield said
    on_loop(app, gc.collect)
    on_loop(app, lambda: loop.set_exception_handler(None))


@pytest.mark.parametrize("kind", TROUBLES)
def test_whatever_fails_is_told_alike(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = make_app(sqlite_url(tmp_path))
    with client(app) as http:
        table = Seats(http)
        before = table.state()
        tables = app.state.tables
        on_loop(app, lambda: tables.drop(tables.live[table.id]))
        caplog.clear()
        with complaints(app) as said, in_trouble(app, TROUBLES[kind]), monkeypatch.context() as patch:
            if kind == "hung":
                patch.setattr(store_module, "STATEMENT", 0.3)
            answers = [http.get("/healthz"), table.get(), http.post("/api/tables", json=coin())]
            for answer in (*answers, table.choose(0, 0, 0)):
                assert (answer.status_code, problem(answer)) == (503, "store/unavailable")
            with http.live(f"/api/tables/{table.id}/live") as line:
                assert json.loads(line.recv(timeout=30))["error"] == "store/unavailable"
                with pytest.raises(ConnectionClosed):
                    line.recv(timeout=30)
        assert table.state() == before
    assert not said
    lines = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(lines) == 5
    for record in lines:
        assert record.exc_info is None
        assert record.getMessage().startswith("the database fails: ")
        assert "\n" not in record.getMessage()


def coin() -> dict[str, Any]:
    return {"book": "hands", "seats": [{"kind": "you"}, {"kind": "invite"}]}


def test_who_left_is_no_complaint(tmp_path: Path) -> None:
    """A database comes back from a kill: who asked has given up, and reading fails after that."""
    app = make_app(sqlite_url(tmp_path))
    tables = app.state.tables

    may = asyncio.Event()

    async def failing(_: str) -> None:
        await may.wait()
        raise STARTING

    async def leave() -> None:
        asked = asyncio.create_task(tables.get("gone"))
        await asyncio.sleep(0.01)
        asked.cancel()
        await asyncio.wait([asked])
        assert tables.opening  # it is still being read
        may.set()
        while tables.opening:
            await asyncio.sleep(0.01)

    with client(app), complaints(app) as said:
        tables.store.table = failing
        loop = tables.store.appender.task.get_loop()
        asyncio.run_coroutine_threadsafe(leave(), loop).result(30)
    assert not said


def test_a_bot_goes_on_when_the_database_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It was not the first to choose, and what was chosen instead cannot be read: it stops with one line, and
    does not try again at once."""
    app = make_app(sqlite_url(tmp_path))
    store = app.state.tables.store
    append: Callable[..., Any] = store.append
    tried: list[float] = []

    async def taken(id_: str, number: int, choice: int, seat: int, *rest: object) -> None:
        if seat == 0:
            return await append(id_, number, choice, seat, *rest)
        tried.append(time.monotonic())
        raise Conflict(id_)

    with client(app) as http, complaints(app) as said:
        table = Seats(http, seats=AGAINST_BOT)
        with monkeypatch.context() as patch, in_trouble(app, STARTING):
            patch.setattr(store, "append", taken)
            version = table.take("pass")["version"]
            until(lambda: len(tried) >= 2)
            assert tried[1] - tried[0] > 0.5
        until(lambda: table.state()["version"] > version)
    assert not said
    stopped = [record.getMessage() for record in caplog.records if "the bot stops" in record.getMessage()]
    assert len(stopped) == len(tried)
    assert stopped[0].endswith(": the database system is starting up")


def test_a_connection_that_cannot_be_closed_is_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A statement that hangs is given up, and its connection with it: the pool says so in its own way."""
    store = Store(sqlite_url(tmp_path))

    close: Any = store.engine.dialect.do_terminate

    def failing(connection: object) -> None:
        close(connection)
        raise STARTING

    async def work() -> None:
        async with store.engine.connect() as connection:
            monkeypatch.setattr(store.engine.dialect, "do_terminate", failing)
            await connection.invalidate()
        await store.engine.dispose()

    awaited(work())
    (said,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert "starting up" in said.getMessage()
    assert said.exc_info is None
    assert said.exc_text is None
