"""Databases of earlier versions, and copies of databases."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from rulewright.serve.api import build
from rulewright.serve.store import Store
from serve.tables_kit import OPEN, Seats, client, library, make_app, sqlite_url


def _play(folder: Path, moves: int) -> Seats:
    with client(make_app(sqlite_url(folder))) as http:
        table = Seats(http)
        for version in range(moves):
            seat = table.state(None)["decision"]["seat"]
            assert table.choose(seat, version, 0).status_code == 200
    return table


FIRST = Path(__file__).parent / "data" / "first.sql"
"""A database as the first server that could be started made it, with its book as it was compiled then: one
match after nine choices, one that is over."""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_database_that_the_first_server_made_is_played_on(tmp_path: Path, engine: str) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as database:
        database.executescript(FIRST.read_text("utf-8"))
    with client(build(Store(sqlite_url(tmp_path)), library(engine), OPEN)) as http:
        over, running = http.get("/api/tables").json()
        assert (over["ending"], running["ending"]) == ("Settled", None)
        table = Seats(http)  # for its ways to ask; the table and its tokens are those of then
        table.id, table.tokens = running["table"], ["4H6amSc7YZFxsafF81ytsg", "J_UKCIl3ibRjl4ejcDVC3w"]
        now = table.state(0)
        assert (now["version"], now["decision"]["seat"]) == (9, 1)
        assert [actor["fields"]["Score"] for actor in now["view"]["actors"]] == [26, 19]
        hands = {zone["owner"]: zone["cards"] for zone in now["view"]["zones"] if zone["name"] == "Hand"}
        assert [card["name"] for card in hands[0]] == ["Five"]
        assert not hands[1]
        before = table.state(1)["version"]
        assert table.play()["result"]["ending"] == "Settled"
        assert table.state(0)["version"] > before
        table.id = over["table"]
        assert table.state(None)["result"] == {"ending": "Settled", "scores": [1, 0], "ranks": [1, 2]}
        assert http.get("/healthz").status_code == 200
    with client(make_app(sqlite_url(tmp_path))) as http:
        table.http, table.id = http, running["table"]
        assert table.state(0)["result"]["ending"] == "Settled"


def test_a_database_of_the_first_version_goes_on(tmp_path: Path) -> None:
    """Without the columns that came later: made by taking them away again."""
    table = _play(tmp_path, 4)
    with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as database:
        for column in ("secret", "chosen", "listed"):
            database.execute(f"ALTER TABLE tables DROP COLUMN {column}")
        database.execute("ALTER TABLE choices DROP COLUMN mark")
        database.execute("DELETE FROM schema_version WHERE version > 1")
        database.execute("DROP INDEX tables_created")
        database.commit()
    with client(make_app(sqlite_url(tmp_path))) as http:
        table.http = http
        assert table.state(0)["version"] == 4
        assert [one["table"] for one in http.get("/api/tables").json()] == [table.id]
        seat = table.state(None)["decision"]["seat"]
        assert table.choose(seat, 4, 0).status_code == 200


def test_a_copy_made_while_the_server_runs_can_be_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    with client(make_app(sqlite_url(tmp_path))) as http:
        table = Seats(http)
        assert table.choose(0, 0, 0).status_code == 200
        with (
            contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as database,
            contextlib.closing(sqlite3.connect(tmp_path / "copy" / "tables.db")) as copy,
        ):
            database.backup(copy)
        before = table.state(0)
    with client(make_app(sqlite_url(tmp_path / "copy"))) as http:
        assert table.state(0, http) == before
