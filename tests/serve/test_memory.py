"""Tables come and go in memory; what they are stays: restarts, idling, other editions of a book."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.volumes import make_library
from rulewright.serve.api import build
from rulewright.serve.appender import StoreError
from rulewright.serve.settings import Settings
from rulewright.serve.store import Store
from serve.tables_kit import (
    BOOKS,
    OPEN,
    Seats,
    client,
    library,
    make_app,
    on_loop,
    same_but,
    sqlite_url,
    until,
)

READERS = (0, 1, None)


def everything(table: Seats, http: Any = None) -> list[Any]:
    """What every reader is told, the whole log too."""
    return [(table.state(r, http), table.get("/log", r, http).json()) for r in READERS]


def test_a_restart_changes_nothing(database: str) -> None:
    with client(make_app(database)) as http:
        table = Seats(http)
        table.take("Save")
        assert table.undo(0, 1).status_code == 200
        table.play(most=9)
        before = everything(table)
    with client(make_app(database)) as again:
        assert everything(table, again) == before
        table.http = again
        last = table.play()
        assert last["result"]["ending"] == "Settled"


def test_both_engines_tell_the_same(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    with client(make_app(url)) as http:
        table = Seats(http)
        table.play(most=12)
        before = everything(table)
    native = build(Store(url), library("native"), OPEN)
    with client(native) as http:
        # The first look may come before the engine is there, the second comes after.
        assert everything(table, http) == before
        tables = native.state.tables
        until(lambda: tables.library.volumes[0].engine == "native")
        on_loop(native, lambda: tables.drop(tables.live[table.id]))
        assert everything(table, http) == before
        assert type(tables.live[table.id].match.engine).__name__ == "NativeEngine"
        table.http = http
        table.play()


def test_idle_tables_leave_memory_and_come_back(tmp_path: Path) -> None:
    app = make_app(sqlite_url(tmp_path), Settings(rate=0, idle=0))
    tables = app.state.tables
    with client(app) as http:
        table = Seats(http)
        table.play(most=7)
        before = everything(table)
        until(lambda: not tables.live)
        assert everything(table) == before
        with http.live(f"/api/tables/{table.id}/live") as socket:
            socket.recv(timeout=60)
            on_loop(app, tables.tidy)
            assert list(tables.live) == [table.id]  # somebody watches
        until(lambda: not tables.live)


def test_a_table_dropped_under_a_socket_is_found_again(tmp_path: Path) -> None:
    """After a failure of the database tables are read anew; who is connected stays connected."""
    app = make_app(sqlite_url(tmp_path))
    tables = app.state.tables
    with client(app) as http:
        table = Seats(http)
        with http.live(f"/api/tables/{table.id}/live") as socket:
            socket.recv(timeout=30)
            old = tables.live[table.id]
            on_loop(app, lambda: tables.drop(old))
            socket.recv(timeout=30)
            assert tables.live[table.id] is not old
            table.take("Save")
            assert '"version":1' in socket.recv(timeout=30)


def test_a_match_stays_with_the_edition_it_began_with(tmp_path: Path) -> None:
    path = tmp_path / "hands.md"
    text = (BOOKS / "hands.md").read_text("utf-8")
    path.write_text(text, "utf-8")
    url = sqlite_url(tmp_path)

    def app() -> Any:
        made = make_library({"hands": path})
        made.equip = lambda _: "reference"
        return build(Store(url), made, OPEN)

    with client(app()) as http:
        old = Seats(http)
        old.take("Save")
        before = everything(old)
        # A new edition, while the server runs: what is saved counts double, and a line more above it.
        newer = text.replace("# Hands\n", "# Hands\n\nSecond edition.\n")
        path.write_text(newer.replace("[Purse] += 1", "[Purse] += 2"))
        new = Seats(http)
        assert new.state()["digest"] != old.state()["digest"]
        assert purse(new.take("Save")) == 2
        assert everything(old) == before
        assert purse(old.take("Save")) == 2  # one and one
        assert "Second edition" in new.get("/book").json()["html"]
        assert "Second edition" not in old.get("/book").json()["html"]
        before = everything(old)
    with client(app()) as http:
        assert everything(old, http) == before
        old.http = http
        assert purse(old.take("Save")) == 3
        why = old.get(f"/why/{old.state()['log'][-1]['n']}").json()
        assert why["rule"]
        # A mistake in the newest edition keeps the last sound one on the shelf, and the match.
        path.write_text(text.replace("[Purse] += 1", "[Prse] += 1"))
        assert [book["name"] for book in http.get("/api/books").json()] == ["hands"]
        old.play()
    path.unlink()
    with client(app()) as http:  # no edition at all
        assert http.get("/api/books").json() == []
        assert old.state(None, http)["result"] is not None
        assert old.get("/at/3", None, http).status_code == 200


def purse(state: dict[str, Any]) -> int:
    seat = state["seat"]
    return next(actor["fields"]["Purse"] for actor in state["view"]["actors"] if actor["seat"] == seat)


def test_a_failing_database_is_said_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(sqlite_url(tmp_path))
    tables = app.state.tables
    with client(app) as http:
        table = Seats(http)
        table.take("Save")
        before = everything(table)
        with monkeypatch.context() as patch:
            patch.setattr(tables.store.writer, "_connected", broken)
            answer = table.choose(0, 1, 0)
            assert (answer.status_code, answer.json()["error"]) == (503, "store/unavailable")
            assert everything(table) == before
        assert table.choose(0, 1, 0).status_code == 200
        after = table.state(0)
        assert after["version"] == 2
        assert same_but(after, "version") != same_but(before[0][0], "version")


def test_a_choice_that_is_not_stored_is_told_to_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(sqlite_url(tmp_path))
    tables = app.state.tables
    storing, go = threading.Event(), threading.Event()

    async def failing(*_: object) -> None:
        storing.set()
        await asyncio.to_thread(go.wait, 60)
        raise StoreError("the disk is gone")

    with client(app) as http, ThreadPoolExecutor(2) as pool:
        table = Seats(http)
        before = everything(table)
        on_loop(app, lambda: tables.drop(tables.live[table.id]))  # with the states it had ready
        table.get("/log")
        lock, watchers = tables.live[table.id].lock, tables.live[table.id].watchers
        with monkeypatch.context() as patch:
            patch.setattr(tables.store, "append", failing)
            chosen = pool.submit(table.choose, 0, 0, 0)
            assert storing.wait(60)
            looked = pool.submit(table.state, 0)
            until(lambda: looked.done() or lock._waiters)
            with http.live(f"/api/tables/{table.id}/live") as socket:
                until(lambda: watchers)
                go.set()
                assert chosen.result(60).status_code == 503
                assert looked.result(60) == before[0][0]
                assert json.loads(socket.recv(timeout=60))["state"] == before[2][0]
        assert everything(table) == before


def broken() -> None:
    import sqlite3

    raise sqlite3.OperationalError("disk I/O error")
