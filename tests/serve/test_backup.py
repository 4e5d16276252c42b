"""Backup and restore as docs/hosting.md has them: taken while a match is played, and played on from."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from serve.tables_kit import Seats, client, make_app, sqlite_url
from serve.test_memory import everything

HOSTING = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text("utf-8")


def lines(*beginnings: str) -> list[str]:
    """The lines of the page that begin like this."""
    found = re.findall(r"^```sh\n(.*?)^```$", HOSTING, re.M | re.S)
    return [
        next(line for block in found for line in block.splitlines() if line.startswith(start))
        for start in beginnings
    ]


def run(line: str, folder: Path, *instead: tuple[str, str], **environment: str) -> None:
    for before, after in instead:
        assert before in line
        line = line.replace(before, after)
    given = {**os.environ, **environment}
    done = subprocess.run(
        ["bash", "-ec", line], cwd=folder, capture_output=True, text=True, env=given, timeout=60, check=False
    )
    assert done.returncode == 0, f"{line}\n{done.stderr}"


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="the program sqlite3 is not here")
def test_sqlite(tmp_path: Path) -> None:
    backup, remove, put = lines("sqlite3 ", "rm ", "cp ")
    with client(make_app(sqlite_url(tmp_path))) as http:
        table = Seats(http)
        table.play(most=9)
        before = everything(table)
        run(backup, tmp_path)
        table.play(most=3)  # what comes later is not in it
        assert everything(table) != before
    run(f"{remove}; {put}", tmp_path)
    with client(make_app(sqlite_url(tmp_path))) as http:
        assert everything(table, http) == before
        table.http = http
        assert table.play()["result"] is not None


@pytest.mark.postgres
def test_postgres(tmp_path: Path, postgres: Callable[[str], str], postgres_programs: Path) -> None:
    dump, create, restore = lines("pg_dump ", "createdb ", "pg_restore ")
    url = postgres(f"kept{os.getpid()}")
    server, _, name = url.rpartition("/")
    other = f"{name}_restored"
    tools = {"PATH": f"{postgres_programs}{os.pathsep}{os.environ['PATH']}"}
    with client(make_app(url)) as http:
        table = Seats(http)
        table.play(most=9)
        before = everything(table)
        run(dump, tmp_path, ("postgresql://tables@localhost/tables", url), **tools)
        table.play(most=3)
        assert everything(table) != before
    there = (" restored", f" --maintenance-db={server}/postgres {other}")
    run(create, tmp_path, ("--owner=tables", "--owner=tester"), there, **tools)
    run(restore, tmp_path, ("postgresql://tables@localhost/restored", f"{server}/{other}"), **tools)
    with client(make_app(f"{server}/{other}")) as http:
        assert everything(table, http) == before
        table.http = http
        assert table.play()["result"] is not None
