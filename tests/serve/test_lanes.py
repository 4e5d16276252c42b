"""What is asked of PostgreSQL all the time takes few trips; a lost or hung connection fails once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from rulewright.serve import lanes
from rulewright.serve.lanes import Lane, Latest
from rulewright.serve.schema import ChoiceRow
from rulewright.serve.store import Store
from rulewright.serve.writers import FAILURES
from serve.tables_kit import awaited
from serve.test_store import row, with_store


class Slow(Lane):
    """Counts; answers what is in its rows, once it may."""

    def __init__(self) -> None:
        super().__init__("")
        self.trips = 0
        self.stored: dict[str, int] = {}
        self.may = asyncio.Event()

    async def fetch(self, statement: str, *values: object) -> list[Any]:
        self.trips += 1
        ids, afters = values
        found = [
            (place, number, 0, 0, None)
            for place, (id_, after) in enumerate(zip(ids, afters, strict=True), 1)  # type: ignore[arg-type]
            for number in range(after, self.stored.get(id_, 0))
        ]
        await self.may.wait()
        return found


def test_all_who_wait_are_answered_together() -> None:
    async def work() -> None:
        lane = Slow()
        latest = Latest(lane)
        lane.stored = {"a": 1, "b": 5}
        first = asyncio.create_task(latest.since("a", 0))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        lane.stored["a"] = 2  # stored while the first is on its way: whoever asks from now on must hear of it
        others = [asyncio.create_task(latest.since("ab"[n % 2], n % 2 * 3)) for n in range(40)]
        gone = asyncio.create_task(latest.since("b", 0))
        await asyncio.sleep(0)
        gone.cancel()
        lane.may.set()
        assert [number for number, *_ in await first] == [0]
        for n, other in enumerate(others):
            assert [number for number, *_ in await other] == ([3, 4] if n % 2 else [0, 1])
        assert lane.trips == 2
        await latest.close()

    awaited(work())


def test_who_asks_when_it_fails_is_told_and_the_next_is_answered() -> None:
    async def work() -> None:
        lane = Slow()
        lane.may.set()
        latest = Latest(lane)
        real, lane.fetch = lane.fetch, _broken  # type: ignore[method-assign]
        answers = await asyncio.gather(*(latest.since("a", 0) for _ in range(3)), return_exceptions=True)
        assert [type(answer) for answer in answers] == [OSError] * 3
        lane.fetch = real  # type: ignore[method-assign]
        assert await latest.since("a", 0) == []

    awaited(work())


async def _broken(*_: object) -> list[Any]:
    raise OSError("the line is cut")


def _counted(lane: Lane) -> list[str]:
    trips: list[str] = []
    real = lane.fetch

    async def fetch(statement: str, *values: object) -> list[Any]:
        trips.append(statement)
        return await real(statement, *values)

    lane.fetch = fetch  # type: ignore[method-assign]
    return trips


@pytest.mark.postgres
def test_a_move_is_one_trip_and_so_are_the_looks_of_many(postgres: Callable[[str], str]) -> None:
    async def work(store: Store) -> None:
        assert store.latest is not None
        names = [f"t{n}" for n in range(30)]
        for name in names:
            await store.add_table(row(name))
        written, asked = _counted(store.writer.lane), _counted(store.latest.lane)  # type: ignore[union-attr]
        await store.append("t0", 0, 7, 1, "Won", -5)
        assert len(written) == 1
        await asyncio.gather(*(store.append(name, 0, 3, 0) for name in names[1:]))
        assert len(written) <= 3
        found = await asyncio.gather(*(store.news(name, 0) for name in names))
        assert len(asked) <= 2
        assert found[0] == [ChoiceRow(0, 7, 1, -5)]
        assert found[1:] == [[ChoiceRow(0, 3, 0)]] * 29
        assert await store.news("t0", 1) == []
        ended = {one.id: one.ending for one in await store.recent()}
        assert ended == {**dict.fromkeys(names), "t0": "Won"}
        # What is asked for again and again is found by its key, not by reading all that was ever stored.
        async with store.engine.connect() as connection:
            await connection.execute(text("SET enable_seqscan = off"))
            asking = lanes.SINCE.replace("$1", "ARRAY['t1']").replace("$2", "ARRAY[0]")
            plan = "\n".join((await connection.execute(text(f"EXPLAIN {asking}"))).scalars().all())
        assert "choices_pkey" in plan, plan

    with_store(postgres("lanes_trips"), work)


@pytest.mark.postgres
def test_a_cut_or_hung_connection_fails_once(
    postgres: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(store: Store) -> None:
        await store.add_table(row())
        await store.append("one", 0, 0, 0)
        assert len(await store.news("one", 0)) == 1
        async with store.engine.connect() as connection:
            await connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE pid <> pg_backend_pid() AND datname = current_database()"
                )
            )
        await asyncio.sleep(0.3)  # word of it has come
        await store.append("one", 1, 0, 0)
        assert len(await store.news("one", 0)) == 2
        monkeypatch.setattr(lanes, "STATEMENT", 0.5)
        assert store.latest is not None
        store.latest.lane.close()
        async with store.engine.begin() as connection:
            await connection.execute(text("LOCK TABLE choices IN ACCESS EXCLUSIVE MODE"))
            with pytest.raises(FAILURES):
                await store.news("one", 0)
        assert len(await store.news("one", 0)) == 2

    with_store(postgres("lanes_cut"), work)
