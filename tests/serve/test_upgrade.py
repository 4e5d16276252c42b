"""Databases of earlier versions, copies of databases, and logs that were cut off by a loss of power."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path

from serve.tables_kit import Seats, client, make_app, sqlite_url


def _play(folder: Path, moves: int) -> Seats:
    with client(make_app(sqlite_url(folder))) as http:
        table = Seats(http)
        for version in range(moves):
            seat = table.state(None)["decision"]["seat"]
            assert table.choose(seat, version, 0).status_code == 200
    return table


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


def test_a_log_that_was_cut_anywhere_holds_the_choices_before_the_cut(tmp_path: Path) -> None:
    """A loss of power leaves any part of the log: what can be read is always the first choices, whole."""
    with client(make_app(sqlite_url(tmp_path))) as http:
        table = Seats(http)
        for version in range(6):
            seat = table.state(None)["decision"]["seat"]
            assert table.choose(seat, version, 0).status_code == 200
        files = {name: (tmp_path / name).read_bytes() for name in ("tables.db", "tables.db-wal")}
    log = files["tables.db-wal"]
    seen: set[int] = set()
    for cut in (*range(0, len(log), 997), len(log)):
        folder = tmp_path / "cut"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "tables.db").write_bytes(files["tables.db"])
        (folder / "tables.db-wal").write_bytes(log[:cut])
        with contextlib.closing(sqlite3.connect(folder / "tables.db")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            tables = database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'choices'").fetchone()
            found = "SELECT number FROM choices ORDER BY number" if tables[0] else "SELECT 1 WHERE 0"
            rows = database.execute(found).fetchall()
        assert [number for (number,) in rows] == list(range(len(rows)))
        seen.add(len(rows))
    assert max(seen) == 6
    assert len(seen) > 3
