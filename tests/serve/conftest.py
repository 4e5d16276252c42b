"""A database of every kind, real ones: SQLite in a file, PostgreSQL in a cluster of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from serve.tables_kit import Seats, Web, awaited, client, make_app, sqlite_url


@pytest.fixture
def http(tmp_path: Path) -> Iterator[Web]:
    """A server over SQLite, without a network."""
    with client(make_app(sqlite_url(tmp_path))) as made:
        yield made


@pytest.fixture
def table(http: Web) -> Seats:
    return Seats(http)


@pytest.fixture(scope="session")
def postgres(postgres_programs: Path) -> Iterator[Callable[[str], str]]:
    """A PostgreSQL server on this machine only. Call it with a name for a new, empty database."""
    folder = Path(tempfile.mkdtemp(prefix="rulewright-postgres-"))
    as_user: list[str] = []
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        shutil.chown(folder, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    data = folder / "data"

    def call(program: str, *arguments: str) -> None:
        command = [*as_user, str(postgres_programs / program), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    call("initdb", "-D", str(data), "-U", "tester", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
    for tries in range(5, 0, -1):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        settings = ("listen_addresses=127.0.0.1", f"port={port}", f"unix_socket_directories={folder}")
        options = " ".join(f"-c {setting}" for setting in settings)
        try:
            call(
                "pg_ctl", "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "-t", "60", "start"
            )
            break
        except AssertionError:  # somebody else may have taken the port meanwhile
            if tries == 1:
                raise

    def fresh(name: str) -> str:
        server = f"postgresql://tester@127.0.0.1:{port}"

        async def create() -> None:
            connection: Any = await asyncpg.connect(f"{server}/postgres")
            await connection.execute(f'CREATE DATABASE "{name}"')
            await connection.close()

        awaited(create())
        return f"{server}/{name}"

    try:
        yield fresh
    finally:
        call("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    fresh: Callable[[str], str] = request.getfixturevalue("postgres")
    return fresh(f"t{os.getpid()}_{abs(hash(request.node.nodeid)) % 10**9}")
