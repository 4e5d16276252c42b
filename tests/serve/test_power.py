"""A loss of power, for SQLite: whatever part of what was being written has reached the disk, in whatever
order, every choice that was acknowledged is there, and the rest is whole or absent.

What has been flushed stays. So the disk may hold the log as it was at the last flush, and behind that any of
the sectors that were written since; or, while the log is taken over, any of the pages of the file itself.
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
from pathlib import Path

import pytest

from rulewright.serve.store import Store
from serve.tables_kit import Seats, awaited, client, make_app, sqlite_url

MOVES = 6
SECTOR, PAGE = 512, 4096
TABLE = "SELECT count(*) FROM sqlite_master WHERE name = 'choices'"


class Disk:
    """The files of a server after each acknowledged choice, and a place to try what a loss leaves."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "lost"
        self.folder.mkdir()
        self.logs: list[bytes] = []
        with client(make_app(sqlite_url(folder))) as http:
            table = Seats(http)
            for version in range(MOVES + 1):
                self.file = (folder / "tables.db").read_bytes()
                self.logs.append((folder / "tables.db-wal").read_bytes())
                if version < MOVES:
                    seat = table.state(None)["decision"]["seat"]
                    assert table.choose(seat, version, 0).status_code == 200
        self.closed = (folder / "tables.db").read_bytes()  # the log was taken over at the end

    def choices(self, file: bytes, log: bytes) -> int:
        """How many choices there are, once the power is back; none is missing in between."""
        for old in self.folder.iterdir():
            old.unlink()
        (self.folder / "tables.db").write_bytes(file)
        (self.folder / "tables.db-wal").write_bytes(log)
        with contextlib.closing(sqlite3.connect(self.folder / "tables.db")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            if not database.execute(TABLE).fetchone()[0]:
                return 0
            rows = database.execute("SELECT number FROM choices ORDER BY number").fetchall()
        assert [number for (number,) in rows] == list(range(len(rows)))
        return len(rows)


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Disk:
    return Disk(tmp_path_factory.mktemp("power"))


def _cut(disk: Disk, every: int) -> None:
    log, seen = disk.logs[-1], list[int]()
    for cut in (*range(0, len(log), every), len(log)):
        seen.append(disk.choices(disk.file, log[:cut]))
        acknowledged = sum(len(whole) <= cut for whole in disk.logs) - 1
        assert seen[-1] >= acknowledged, f"cut at {cut} of {len(log)}"
    assert seen == sorted(seen)
    assert seen[-1] == MOVES


def test_the_log_is_cut_anywhere(disk: Disk) -> None:
    _cut(disk, 997)


@pytest.mark.long
def test_the_log_is_cut_at_every_byte(disk: Disk) -> None:
    _cut(disk, 1)


def test_what_was_written_last_arrives_in_pieces_and_in_any_order(disk: Disk) -> None:
    chance = random.Random(5)
    seen: set[tuple[int, int]] = set()
    for number, (before, after) in enumerate(zip(disk.logs, disk.logs[1:], strict=False)):
        assert after.startswith(before)
        for part in (0.1, 0.5, 0.9, 0.97, 1.0):
            for _ in range(6):
                log = bytearray(before)
                for at in range(len(before), len(after), SECTOR):
                    lost = chance.choice((bytes(SECTOR), chance.randbytes(SECTOR)))
                    log += after[at : at + SECTOR] if chance.random() < part else lost
                found = disk.choices(disk.file, bytes(log[: len(after)]))
                assert found in (number, number + 1)
                seen.add((number, found))
    assert len(seen) == 2 * MOVES  # both happened, everywhere


def test_the_log_is_taken_over_in_pieces_and_in_any_order(disk: Disk) -> None:
    """The log is there until all of it has arrived in the file."""
    chance = random.Random(6)
    size = max(len(disk.file), len(disk.closed))
    for _ in range(60):
        file = bytearray()
        for at in range(0, size, PAGE):
            file += chance.choice((disk.file, disk.closed))[at : at + PAGE].ljust(PAGE, b"\0")
        assert disk.choices(bytes(file), disk.logs[-1]) == MOVES


def test_control_a_log_that_is_lost_is_noticed(disk: Disk) -> None:
    assert disk.choices(disk.file, b"") < MOVES


def test_nothing_is_acknowledged_before_it_is_flushed(tmp_path: Path) -> None:
    """What the above rests on: SQLite flushes the log at the end of each transaction, for whoever writes."""

    async def settings(store: Store) -> None:
        await store.open()
        assert not hasattr(store.writer, "lane")
        connection = store.writer._connected()  # type: ignore[union-attr]
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        async with store.engine.connect() as other:
            assert (await other.exec_driver_sql("PRAGMA synchronous")).scalar() == 2
        await store.close()

    awaited(settings(Store(sqlite_url(tmp_path))))
