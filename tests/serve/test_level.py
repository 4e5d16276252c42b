"""Memory is level: with the same number of tables, moves and visitors leave nothing behind."""

from __future__ import annotations

import asyncio
import gc
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from rulewright.serve import appender, store
from rulewright.serve.api import build
from rulewright.serve.settings import Settings
from rulewright.serve.store import Store
from rulewright.serve.table import Table
from serve.tables_kit import TWO, awaited, library, sqlite_url

TABLES = 20
LOOKS = 10
"""Of so many moves one is looked at from outside, too."""
NAMES = [{"kind": seat["kind"], "name": seat["name"]} for seat in TWO]


class Evening:
    """So many tables, played at random; who has finished begins anew."""

    def __init__(self, app: FastAPI) -> None:
        self.tables = app.state.tables
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")
        self.moves = 0

    async def play(self, number: int, until: int, table: Table | None) -> Table:
        chance = random.Random(number)
        while self.moves < until:
            if table is None or table.match.result is not None:
                if table is not None:
                    self.tables.drop(table)
                table, _ = await self.tables.create("hands", NAMES, {}, None)
            decision = table.match.decision
            if decision is None:
                continue
            option = chance.randrange(len(decision.options))
            await self.tables.choose(table.row.id, decision.seat, table.version, option)
            self.moves += 1
            if chance.randrange(LOOKS) == 0:
                for path in ("", "/log"):
                    answer = await self.http.get(f"/api/tables/{table.row.id}{path}")
                    assert answer.status_code == 200
        assert table is not None
        return table


def weighed(folder: Path, marks: Sequence[int]) -> list[tuple[int, float]]:
    """Blocks of memory that are in use, and megabytes of the process, after so many moves each."""

    async def work() -> list[tuple[int, float]]:
        app = build(Store(sqlite_url(folder)), library("native"), Settings(rate=0))
        found: list[tuple[int, float]] = []
        async with app.router.lifespan_context(app):
            evening, seated = Evening(app), list[Table | None]([None] * TABLES)
            for mark in marks:
                one = [evening.play(mark + n, mark, table) for n, table in enumerate(seated)]
                seated = list(await asyncio.gather(*one))
                for table in seated:  # at the same place of a match each time: at its beginning
                    evening.tables.drop(table)
                made = [evening.tables.create("hands", NAMES, {}, None) for _ in seated]
                seated = [table for table, _ in await asyncio.gather(*made)]
                gc.collect()
                rss = int(Path("/proc/self/statm").read_text().split()[1]) / 256
                found.append((sys.getallocatedblocks(), rss))
            await evening.http.aclose()
        return found

    return awaited(work())


def test_memory_is_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a block for each move would be enough to fail."""
    for module in (appender, store):  # a busy machine is no failure here
        monkeypatch.setattr(module, "STATEMENT", 600)
    (before, _), (after, _) = weighed(tmp_path, (1000, 3000))
    assert after - before < 1000, (before, after)
