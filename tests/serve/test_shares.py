"""Bots share their places fairly, and nobody opens tables without end."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import httpx
import pytest

from rulewright.players.bots import Position
from rulewright.serve import ahead, seating
from rulewright.serve.ahead import Ahead
from rulewright.serve.api import build
from rulewright.serve.errors import EdgeError
from rulewright.serve.settings import Settings
from rulewright.serve.shares import Shares
from rulewright.serve.store import Store
from rulewright.serve.table import Table
from serve.tables_kit import Seats, awaited, client, library, make_app, sqlite_url, until

BOTS = [{"kind": "bot"}, {"kind": "bot"}]
FLOOD = 460


def test_turns_go_round_however_many_wait() -> None:
    async def work() -> list[str]:
        shares, order = Shares(1), list[str]()

        async def one(whose: str) -> None:
            async with shares.turn(whose):
                order.append(whose)
                await asyncio.sleep(0)

        async with shares.turn("first"):
            tasks = [asyncio.create_task(one("many")) for _ in range(FLOOD)]
            tasks += [asyncio.create_task(one(whose)) for whose in ("few", "few", "other")]
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        assert shares.free == 1
        return order

    order = awaited(work())
    assert order[:6] == ["many", "few", "other", "many", "few", "many"]
    assert len(order) == FLOOD + 3


def test_who_gives_up_leaves_no_place_behind() -> None:
    async def work() -> None:
        shares = Shares(2)

        async def one(seconds: float) -> None:
            async with shares.turn("me"):
                await asyncio.sleep(seconds)

        tasks = [asyncio.create_task(one(0.001 * (n % 3))) for n in range(60)]
        await asyncio.sleep(0.003)
        for task in tasks[::3]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert shares.free == 2
        assert not shares.waiting

    awaited(work())


def test_hundreds_of_tables_of_bots_do_not_slow_the_bots_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One address opens 460 tables that only bots play; somebody else's bots are not behind. In turns:
    however slow this machine is, none is given before whoever has been served is in line again."""
    monkeypatch.setattr(seating, "THINKING", 600)
    asked: list[str] = []
    go = threading.Semaphore(0)

    def think(now: Position, bot: str) -> int:
        asked.append(now.seed)
        assert go.acquire(timeout=600)
        return 0

    settings = Settings(rate=10_000, bots=2, per_address=0, tables_per_address=0)
    app = build(Store(sqlite_url(tmp_path)), library(), settings, think)
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
    with client(app) as http, httpx.Client(transport=elsewhere, base_url=http.url, timeout=60) as visitor:
        for _ in range(FLOOD):
            Seats(http, seats=BOTS)
        until(lambda: asked)
        Seats(visitor, seats=BOTS, seed=99)
        line = app.state.tables.on_change.__self__.alone.waiting
        for number in range(len(asked) + 1, len(asked) + 13):
            until(lambda: "127.0.0.2" in line or asked[-1].startswith("99 "))
            go.release()
            until(lambda number=number: len(asked) >= number)
        mine = [number for number, seed in enumerate(asked) if seed.startswith("99 ")]
        assert mine[0] <= 2, asked
        assert len(mine) >= 4, asked  # of thirteen; by tables it would be one of 460
        go.release(100_000)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (Settings(tables=3), "too many tables here"),
        (Settings(tables_per_address=3), "You have opened 3 tables"),
    ],
)
def test_tables_have_an_end(tmp_path: Path, settings: Settings, said: str) -> None:
    with client(make_app(sqlite_url(tmp_path), settings)) as http:
        made = [Seats(http) for _ in range(3)]
        wish = {"book": "hands", "seats": [{"kind": "you"}, {"kind": "invite"}]}
        refused = http.post("/api/tables", json=wish)
        assert refused.status_code == 429
        assert said in refused.json()["message"]
        made[0].play()  # whoever finishes what they began may begin again
        assert http.post("/api/tables", json=wish).status_code == 201


def test_odds_go_round_among_openers(tmp_path: Path) -> None:
    """One thread works out odds: who has many questions is refused more, and nobody waits behind them."""
    app = make_app(sqlite_url(tmp_path))
    asked = Ahead()
    order: list[str] = []
    busy = threading.Event()

    def slow(*args: object) -> list[object]:
        busy.wait(20)
        return []

    async def work() -> list[str]:
        tables = [app.state.tables.live[table.id] for table in (many, many, few)]
        tables[0].opener, tables[2].opener = "many", "few"

        async def one(table: Table, option: int) -> None:
            try:
                await asked.odds(table, 0, option)
                order.append(table.opener)
            except EdgeError as error:
                order.append(error.code)

        tasks = [asyncio.create_task(one(tables[0], 0)) for _ in range(12)]
        await asyncio.sleep(0.05)
        tasks.append(asyncio.create_task(one(tables[2], 0)))
        await asyncio.sleep(0.05)
        busy.set()
        await asyncio.gather(*tasks)
        return order

    with client(app) as http, pytest.MonkeyPatch.context() as patch:
        many, few = Seats(http), Seats(http)
        patch.setattr(ahead, "_foretold", slow)
        loop = app.state.tables.store.appender.task.get_loop()
        asyncio.run_coroutine_threadsafe(work(), loop).result(30)
    assert order[:4] == ["request/too-many"] * 4
    assert "few" in order[4:7]  # behind the one that was under way, and at most one more
    assert sorted(order[4:]) == ["few", *["many"] * 8]
    assert not asked.waiting
