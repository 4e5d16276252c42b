"""`rulewright serve` that cannot start says why in one line, and does not start."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from rulewright.cli.console import Problem
from rulewright.cli.serve import listen, run, store_at


def refused(db: str, tmp_path: Path) -> str:
    with listen("127.0.0.1", 0) as sock, pytest.raises(Problem) as problem:
        run({}, store_at(db.format(tmp_path)), sock, lambda _: pytest.fail("it started"))
    said = str(problem.value)
    assert "\n" not in said
    return said


@pytest.mark.parametrize(
    ("db", "said"),
    [
        ("mysql://localhost/x", "is no database: a database is sqlite:///FILE"),
        ("postgresql://u@localhost:port/x", "is no database"),
        ("postgresql://u@127.0.0.1:1/x", "cannot be used"),
        ("postgresql://u@127.0.0.1:1/x?colour=red", "cannot be used"),
        ("sqlite:///{}/damaged.db", "file is not a database"),
        ("sqlite:///{}/damaged.db/inside.db", "cannot be used"),
    ],
)
def test_a_database_that_cannot_be_used(tmp_path: Path, db: str, said: str) -> None:
    (tmp_path / "damaged.db").write_bytes(bytes(range(256)) * 80)
    assert said in refused(db, tmp_path)


def test_a_file_that_another_server_uses(tmp_path: Path) -> None:
    holder = store_at(f"sqlite:///{tmp_path}/tables.db")
    holder.claim()
    try:
        assert "in use by another server" in refused("sqlite:///{}/tables.db", tmp_path)
    finally:
        holder.release()


def test_a_port_that_is_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(Problem, match="address already in use"):
            listen("127.0.0.1", other.getsockname()[1])
