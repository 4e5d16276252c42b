"""The store on real SQLite and real PostgreSQL: order, conflicts, migrations, damage."""

from __future__ import annotations

import asyncio
import functools
import json
import time
import zlib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from rulewright.ir.text import show
from rulewright.serve import appender as appender_module
from rulewright.serve.appender import Appender, Conflict, Entry, StoreError
from rulewright.serve.schema import MIGRATIONS, ChoiceRow, Damaged, SeatRow, TableRow, token_hash
from rulewright.serve.store import Store, StoreBusy
from serve.tables_kit import Seats, awaited, client, make_app, problem, program, sqlite_url

DIGEST = "d" * 64


def row(id_: str = "one") -> TableRow:
    seats = (SeatRow(0, "you", "", "Ada", token_hash("secret")), SeatRow(1, "bot", "random", "Bo", None))
    return TableRow(id_, DIGEST, "hands", 7, {"Speed": "fast"}, time.time(), None, None, seats)


def with_store(url: str, work: Callable[[Store], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        store = Store(url)
        try:
            await store.open()
            await store.keep_book(DIGEST, "hands", "program", "<p>html</p>")
            return await work(store)
        finally:
            await store.close()

    return awaited(run())


async def execute(store: Store, sql: str, **values: Any) -> None:
    async with store.engine.begin() as connection:
        await connection.execute(text(sql), values)


def test_what_is_stored_comes_back(database: str) -> None:
    async def work(store: Store) -> None:
        await store.add_table(row())
        found = await store.table("one")
        assert found is not None
        assert replace(found, created=0) == replace(row(), created=0)
        assert await store.table("two") is None
        assert await store.book(DIGEST) == ("hands", "program", "<p>html</p>")
        await store.keep_book(DIGEST, "other", "other", "other")  # the first one stays
        assert (await store.book(DIGEST))[0] == "hands"
        for number in range(5):
            await store.append("one", number, number * 2, number % 2, "Won" if number == 4 else None)
        assert await store.choices("one", 3) == [ChoiceRow(3, 6, 1), ChoiceRow(4, 8, 0)]
        assert [c.choice for c in await store.choices("one")] == [0, 2, 4, 6, 8]
        finished = (await store.recent())[0]
        assert (finished.id, finished.ending) == ("one", "Won")
        assert finished.finished is not None

    with_store(database, work)


def test_a_number_is_given_once(database: str) -> None:
    async def work(store: Store) -> None:
        await store.add_table(row())
        await store.append("one", 0, 5, 0)
        with pytest.raises(Conflict):
            await store.append("one", 0, 6, 0)
        asked = [store.append("one", 1, choice, 0) for choice in range(20)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert sum(answer is None for answer in answers) == 1
        assert all(answer is None or isinstance(answer, Conflict) for answer in answers)
        assert len(await store.choices("one")) == 2

    with_store(database, work)


def test_two_stores_on_one_database_cannot_both_append(database: str) -> None:
    if database.startswith("sqlite"):
        return

    async def work(store: Store) -> None:
        other = Store(database)
        await other.open()
        try:
            await store.add_table(row())
            taken = 0
            for number in range(30):
                pair = (store.append("one", number, 0, 0), other.append("one", number, 1, 0))
                answers = await asyncio.gather(*pair, return_exceptions=True)
                taken += answers.count(None)
                assert sum(isinstance(answer, Conflict) for answer in answers) == 1
            assert taken == 30
            assert len(await store.choices("one")) == 30
        finally:
            await other.close()

    with_store(database, work)


def test_many_tables_go_in_together_and_a_bad_one_fails_alone(database: str) -> None:
    async def work(store: Store) -> None:
        for number in range(40):
            await store.add_table(row(f"t{number}"))
        asked = [store.append(f"t{number}", 0, number, 0) for number in range(40)]
        asked.insert(20, store.append("nowhere", 0, 0, 0))
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert isinstance(answers.pop(20), StoreError)
        assert answers == [None] * 40
        assert [(await store.choices(f"t{n}"))[0].choice for n in range(40)] == list(range(40))

    with_store(database, work)


def test_a_group_is_one_transaction() -> None:
    written: list[int] = []

    async def write(group: Any) -> set[tuple[str, int]]:
        written.append(len(group))
        await asyncio.sleep(0.01)
        return {entry.key for entry in group}

    async def work() -> None:
        appender = Appender(write)
        appender.start()
        await asyncio.gather(*(appender.append(f"t{n}", 0, 0, 0, None) for n in range(100)))
        await appender.stop()

    awaited(work())
    assert sum(written) == 100
    assert len(written) <= 3


def test_nobody_is_told_before_it_is_written() -> None:
    async def work() -> None:
        writing, go = asyncio.Event(), asyncio.Event()

        async def write(group: Any) -> set[tuple[str, int]]:
            writing.set()
            await go.wait()
            return {entry.key for entry in group}

        appender = Appender(write)
        appender.start()
        first = asyncio.create_task(appender.append("t", 0, 0, 0, None))
        await writing.wait()
        second = asyncio.create_task(appender.append("u", 0, 0, 0, None))
        for _ in range(10):  # whoever could go on would
            await asyncio.sleep(0)
        assert not first.done()
        assert not second.done()
        go.set()
        await asyncio.gather(first, second)
        await appender.stop()

    awaited(work())


@pytest.mark.parametrize("many", [appender_module.MANY, appender_module.MANY - 1])
def test_where_many_wait_the_disk_is_kept_busy(monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    """They go in before those of the group before are told; a few gather first."""
    monkeypatch.setattr(appender_module, "GATHER", 3600.0)

    async def work() -> None:
        happened: list[str] = []
        may = asyncio.Event()

        async def write(group: Sequence[Entry]) -> set[tuple[str, int]]:
            happened.append(f"write {len(group)}")
            await may.wait()
            return {entry.key for entry in group}

        made = Appender(write)
        made.start()
        made.put("first", 0, 0, 0, None, None, lambda error: happened.append(f"told {error}"))
        while not happened:
            await asyncio.sleep(0)
        for number in range(many):
            made.put("many", number, 0, 0, None, None, lambda error: None)
        may.set()
        while len(happened) < 2:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        more = [f"write {many}"] if many >= appender_module.MANY else []
        assert happened == ["write 1", *more, "told None"]
        assert made.task is not None
        made.task.cancel()
        with suppress(asyncio.CancelledError):
            await made.task

    awaited(work())


def test_who_fails_to_take_the_news_keeps_them_from_nobody() -> None:
    async def work() -> None:
        failed: list[object] = []
        heard: list[int] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda loop, about: failed.append(about["exception"])
        )

        async def write(group: Sequence[Entry]) -> set[tuple[str, int]]:
            return {entry.key for entry in group}

        made = Appender(write)
        made.start()

        def told(number: int, error: Exception | None) -> None:
            assert error is None
            assert number != 1
            heard.append(number)

        for number in range(3):
            made.put("one", number, 0, 0, None, None, functools.partial(told, number))
        for _ in range(100):
            await asyncio.sleep(0)
        assert heard == [0, 2]
        assert [type(failure) for failure in failed] == [AssertionError]
        await made.stop()

    awaited(work())


def test_what_nobody_waits_for_any_more_is_not_tried_again() -> None:
    """A group that failed is tried row by row: who gave up meanwhile does not hold the others up."""

    async def work() -> None:
        tried: list[list[int]] = []
        may = asyncio.Event()

        async def write(group: Sequence[Entry]) -> set[tuple[str, int]]:
            tried.append([entry.key[1] for entry in group])
            if len(group) > 1:
                await may.wait()
                raise StoreError("the database hangs")
            return {entry.key for entry in group}

        appender = Appender(write)
        appender.start()
        asked = [asyncio.create_task(appender.append("one", n, 0, 0, None)) for n in range(4)]
        await asyncio.sleep(0.05)
        for one in asked[:3]:
            one.cancel()
        await asyncio.sleep(0)
        may.set()
        await asked[3]
        assert tried[-1] == [3]
        assert len(tried) == 2
        await appender.stop()

    awaited(work())


def test_who_waits_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """One clock for all who wait: those behind the group that hangs are told in their time, too."""
    monkeypatch.setattr(appender_module, "STATEMENT", 0.2)

    async def write(group: Any) -> set[tuple[str, int]]:
        await asyncio.sleep(60)
        return set()

    async def work() -> None:
        appender = Appender(write)
        appender.start()
        began = asyncio.get_running_loop().time()
        first = asyncio.create_task(appender.append("one", 0, 0, 0, None))
        await asyncio.sleep(0.1)
        second = asyncio.create_task(appender.append("two", 0, 0, 0, None))
        for one, due in ((first, 0.2), (second, 0.3)):
            with pytest.raises(StoreError, match="does not answer"):
                await one
            assert asyncio.get_running_loop().time() - began >= due - 0.01
        assert appender.clock is None
        assert appender.task is not None
        appender.task.cancel()

    awaited(work())


def test_nobody_waits_for_ever_when_writing_stops() -> None:
    async def write(group: Any) -> set[tuple[str, int]]:
        await asyncio.sleep(60)
        return set()

    async def work() -> None:
        appender = Appender(write)
        appender.start()
        waiting = asyncio.create_task(appender.append("t", 0, 0, 0, None))
        await asyncio.sleep(0.05)
        assert appender.task is not None
        appender.task.cancel()
        with pytest.raises(StoreError):
            await waiting

    awaited(work())


def test_the_schema_is_brought_up_to_date(database: str) -> None:
    """A database of the first version gets the later steps, and keeps its rows."""

    async def work(store: Store) -> None:
        await store.add_table(row())
        await execute(store, "DROP INDEX tables_created")
        await execute(store, "DELETE FROM schema_version WHERE version > 1")

    async def later(store: Store) -> None:
        assert (await store.table("one")) is not None
        async with store.engine.connect() as connection:
            rows = await connection.execute(text("SELECT version FROM schema_version ORDER BY 1"))
        assert [version for (version,) in rows] == list(range(1, len(MIGRATIONS) + 1))

    with_store(database, work)
    with_store(database, later)


def test_asking_how_it_is_writes(database: str) -> None:
    """A database that can only be read is not well."""

    async def work(store: Store) -> None:
        written: list[float] = []
        for _ in range(2):
            store.pinged = -1
            await store.ping()
            async with store.engine.connect() as connection:
                rows = (await connection.execute(text("SELECT at FROM heartbeat"))).scalars().all()
            written += rows
        assert len(written) == 2
        assert written[0] < written[1]

    with_store(database, work)


def test_a_newer_schema_is_left_alone(database: str) -> None:
    async def work(store: Store) -> None:
        await execute(store, "INSERT INTO schema_version (version) VALUES (99)")

    with_store(database, work)
    with pytest.raises(RuntimeError, match="newer version"):
        with_store(database, work)


def test_a_file_serves_one_server_at_a_time(tmp_path: Path) -> None:
    one, other = Store(sqlite_url(tmp_path)), Store(sqlite_url(tmp_path))
    one.claim()
    with pytest.raises(StoreBusy, match="in use by another server"):
        other.claim()
    one.release()
    other.claim()
    other.release()


@pytest.mark.parametrize("url", ["mysql://localhost/x", "", "postgresql://u@localhost:port/x", "tables.db"])
def test_only_known_databases(url: str) -> None:
    with pytest.raises(ValueError, match="sqlite:///FILE or postgresql"):
        Store(url)


# damage

DAMAGE = {
    "options are no JSON": "UPDATE tables SET options = '{'",
    "options are no object": "UPDATE tables SET options = '[1]'",
    "options hold numbers": """UPDATE tables SET options = '{"a": 1}'""",
    "unknown options": """UPDATE tables SET options = '{"Weather": "foul"}'""",
    "a choice is missing": "DELETE FROM choices WHERE number = 2",
    "the first choice is missing": "DELETE FROM choices WHERE number = 0",
    "a choice does not fit": "UPDATE choices SET choice = 77 WHERE number = 3",
    "a choice is nonsense": "UPDATE choices SET choice = -9 WHERE number = 3",
    "an undo that cannot be": "UPDATE choices SET choice = -1 WHERE number = 0",
    "a seat is missing": "DELETE FROM seats WHERE seat = 0",
    "a seat too many": "INSERT INTO seats SELECT table_id, 2, kind, bot, 'x', NULL FROM seats WHERE seat = 1",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_match_is_refused_and_left_as_it_is(tmp_path: Path, damage: str) -> None:
    url = sqlite_url(tmp_path)
    with client(make_app(url)) as http:
        table, sound = Seats(http), Seats(http, seed=3)
        for _ in range(6):
            table.take("")
            sound.take("")
        states = [sound.state(seat) for seat in (0, 1, None)]
    condition = f"table_id = '{table.id}'" if "tables SET" not in DAMAGE[damage] else f"id = '{table.id}'"
    sql = DAMAGE[damage] + (f" AND {condition}" if "WHERE" in DAMAGE[damage] else f" WHERE {condition}")

    async def hurt(store: Store) -> list[Any]:
        await execute(store, sql)
        return await dump(store)

    async def dump(store: Store) -> list[Any]:
        async with store.engine.connect() as connection:
            sql = [text(f"SELECT * FROM {name} ORDER BY 1, 2") for name in ("tables", "seats", "choices")]
            return [(await connection.execute(one)).all() for one in sql]

    after = with_store(url, hurt)
    with client(make_app(url)) as http:
        table.http = sound.http = http
        asked = [table.get(path, seat) for path in ("", "/log", "/replay", "/book") for seat in (0, None)]
        for answer in (*asked, table.choose(0, 6, 0), table.undo(0, 6)):
            assert problem(answer) == "table/broken"
        with http.live(f"/api/tables/{table.id}/live") as socket:
            assert json.loads(socket.recv(timeout=30))["error"] == "table/broken"
        assert {one["table"] for one in http.get("/api/tables").json()} == {table.id, sound.id}
        assert [sound.state(seat) for seat in (0, 1, None)] == states
    assert with_store(url, dump) == after


@pytest.mark.parametrize("damage", ["gone", "cut", "not packed", "another book", "not a book", "no tables"])
def test_a_damaged_book_is_refused(tmp_path: Path, damage: str) -> None:
    """When the shelf has another edition, the kept one is needed; if that is damaged, the match is too."""
    url = sqlite_url(tmp_path)
    with client(make_app(url)) as http:
        table = Seats(http)
        table.take("")
    whole = show(program("hands")).encode()
    program_data = {
        "cut": zlib.compress(whole)[:-20],
        "not packed": whole,
        "another book": zlib.compress(show(program("coin")).encode()),
        "not a book": zlib.compress(b"nothing of the kind"),
        "no tables": zlib.compress(whole[: len(whole) // 2]),
    }.get(damage)

    async def hurt(store: Store) -> None:
        async with store.engine.connect() as connection:
            await connection.execute(text("PRAGMA foreign_keys=OFF"))
            await connection.commit()
            await connection.execute(text("UPDATE tables SET digest = :other"), {"other": "e" * 64})
            await connection.commit()
        if program_data is not None:
            sql = "INSERT INTO books SELECT :other, name, :data, html FROM books WHERE digest <> :own LIMIT 1"
            await execute(store, sql, other="e" * 64, data=program_data, own=DIGEST)

    with_store(url, hurt)
    with client(make_app(url)) as http:
        assert problem(table.get("", None, http)) == "table/broken"
        assert http.get("/healthz").json() == {"ok": True}


def test_damage_is_told_apart(database: str) -> None:
    async def work(store: Store) -> None:
        with pytest.raises(Damaged, match="not in the store"):
            await store.book("f" * 64)
        await store.add_table(row())
        await store.append("one", 0, 0, 0)
        await store.append("one", 2, 0, 0)
        with pytest.raises(Damaged, match="choice 1"):
            await store.choices("one")

    with_store(database, work)
