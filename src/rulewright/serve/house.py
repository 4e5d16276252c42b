"""What a server does besides answering: opening and closing, tidying up, putting away, hearing from others.

In:  the parts of a server.
Out: its life, from the first request to the last.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from rulewright.serve.archive import put_away
from rulewright.serve.door import Keeper
from rulewright.serve.errors import EdgeError
from rulewright.serve.peers import Peers
from rulewright.serve.seating import Seating
from rulewright.serve.settings import Settings
from rulewright.serve.tables import Tables
from rulewright.serve.writers import FAILURES

ROUND = 2.0
"""Seconds between two rounds of the housekeeper."""
CLEARING = 900.0
"""Seconds between two looks for tables that can be put away."""


@dataclass(frozen=True, slots=True)
class House:
    """The parts of one server process that have work of their own."""

    tables: Tables
    seating: Seating
    keeper: Keeper
    peers: Peers
    settings: Settings


def furnish(tables: Tables, seating: Seating, keeper: Keeper, settings: Settings) -> House:
    """Let the parts know of each other, and of other processes."""

    async def all_moved() -> None:
        for table in list(tables.live.values()):
            await tables.catch_up(table)

    peers = Peers(tables.store, tables.moved, all_moved)
    seating.mine, peers.reseated = peers.mine, tables.reseated
    return House(tables, seating, keeper, peers, settings)


async def _clear_away(house: House) -> None:
    while True:
        with suppress(EdgeError, *FAILURES):
            while await put_away(house.tables.store, house.settings.keeping, house.tables.live):
                await asyncio.sleep(ROUND)
        await asyncio.sleep(CLEARING)


async def _keep(house: House) -> None:
    tables, peers = house.tables, house.peers
    while True:
        await asyncio.sleep(ROUND)
        tables.tidy()
        for id_ in [id_ for id_ in peers.held if id_ not in tables.live]:
            await peers.release(id_)
        for table in list(tables.live.values()):  # bots whose process has died
            if not table.lock.locked():
                house.seating.start(table)


@asynccontextmanager
async def living(house: House) -> AsyncGenerator[None]:
    """From opening to closing."""
    store, library = house.tables.store, house.tables.library
    await store.open()
    await house.peers.start()
    works = (_keep(house), _clear_away(house), library.warm(), house.keeper.run())
    tasks = [asyncio.create_task(work) for work in works]
    yield
    house.seating.stop()
    library.close()
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await house.peers.stop()
    await store.close()
