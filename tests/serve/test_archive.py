"""Tables that nobody has touched for long are put away, and come back as they were."""

from __future__ import annotations

import time
from typing import Any

import pytest

from rulewright.players.bots import Position
from rulewright.serve.archive import DAY, Keeping, put_away
from rulewright.serve.store import Store
from serve.tables_kit import Seats, awaited, client, make_app

BOTS = [{"kind": "bot"}, {"kind": "bot"}]


def put(url: str, keeping: Keeping, days: float, used: tuple[str, ...] = ()) -> int:
    """Look after so many days."""

    async def work() -> int:
        store = Store(url)
        await store.open()
        try:
            return await put_away(store, keeping, used, time.time() + days * DAY)
        finally:
            await store.close()

    return awaited(work())


@pytest.fixture
def played(database: str) -> dict[str, Any]:
    """A match that is over, one that goes on, one that nobody began; with what they looked like."""
    with client(make_app(database)) as http:
        over, running, untouched = Seats(http), Seats(http), Seats(http)
        over.play()
        running.choose(running.state()["decision"]["seat"], 0, 0)
        made = {"over": over, "running": running, "untouched": untouched}
        return {"url": database, **made, "states": {name: seats.state() for name, seats in made.items()}}


def test_what_is_put_away_comes_back_as_it_was(played: dict[str, Any]) -> None:
    assert put(played["url"], Keeping(), 89) == 0
    assert put(played["url"], Keeping(), 91, (played["over"].id,)) == 1  # somebody is at the other
    assert put(played["url"], Keeping(), 91) == 1
    assert put(played["url"], Keeping(), 91) == 0  # the match of people that goes on stays
    with client(make_app(played["url"])) as http:
        ids = [played[name].id for name in ("over", "running", "untouched")]
        assert [row["table"] for row in http.get("/api/tables").json()] == [played["running"].id]
        known = http.post("/api/tables/known", json={"tables": ids}).json()
        assert {row["table"] for row in known} == set(ids)
        for name, before in played["states"].items():
            played[name].http = http
            assert played[name].state() == before
        assert len(http.get("/api/tables").json()) == 3
        first = played["states"]["untouched"]["decision"]["seat"]
        assert played["untouched"].choose(first, 0, 0).status_code == 200


def test_a_running_match_of_people_is_never_forgotten(played: dict[str, Any]) -> None:
    keeping = Keeping(over=10, running=20, forgotten=30)
    assert put(played["url"], keeping, 21) == 3
    assert put(played["url"], keeping, 60) == 0
    with client(make_app(played["url"])) as http:
        for name, status in (("over", 404), ("untouched", 404), ("running", 200)):
            played[name].http = http
            assert played[name].get().status_code == status
        assert played["running"].state() == played["states"]["running"]


def test_a_table_of_bots_is_put_away_in_the_middle_and_goes_on(database: str) -> None:
    def slowly(now: Position, bot: str) -> int:
        time.sleep(60)
        return 0

    with client(make_app(database, think=slowly)) as http:
        table = Seats(http, seats=BOTS)
    assert put(database, Keeping(), 91) == 1
    with client(make_app(database)) as http:
        table.http = http
        assert table.get(seat=None).status_code == 200


def test_an_archive_that_was_damaged_says_so(played: dict[str, Any]) -> None:
    from sqlalchemy import update

    from rulewright.serve.schema import archive

    async def spoil() -> None:
        store = Store(played["url"])
        await store.open()
        async with store.engine.begin() as connection:
            await connection.execute(update(archive).values(data=b"nonsense"))
        await store.close()

    put(played["url"], Keeping(), 91)
    awaited(spoil())
    with client(make_app(played["url"])) as http:
        played["over"].http = http
        assert played["over"].get().json()["error"] == "table/broken"
