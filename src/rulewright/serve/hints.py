"""What would you do? A hint for a person at a table.

In:  a table, whoever asks.
Out: what a player would choose in that seat, with its reasons: `players.explain` as JSON.

It thinks in a thread, on what the seat may know. Where other people play there are no hints: they would
play against the machine without knowing it.
"""

from __future__ import annotations

import asyncio
from typing import Any

from rulewright.play.faults import Fault, MatchError
from rulewright.players.bots import position
from rulewright.players.explain import advice
from rulewright.serve.errors import EdgeError
from rulewright.serve.lines import Reader
from rulewright.serve.table import Table
from rulewright.serve.threads import aside

AT_A_TIME = 2
"""Hints that are thought about at the same time; others wait."""


class Hints:
    """The hints of this process."""

    def __init__(self) -> None:
        self.few = asyncio.Semaphore(AT_A_TIME)

    async def ask(self, table: Table, reader: Reader) -> dict[str, Any]:
        """What to do now, for the seat that decides."""
        async with table.lock:
            decision = table.match.decision
            if decision is None:
                raise EdgeError("choice/over")
            if decision.seat != reader:
                raise EdgeError("choice/foreign")
            if any(seat.kind == "invite" for seat in table.row.seats):
                raise EdgeError("hint/refused")
            now, version = position(table.match), table.version
        async with self.few:
            try:
                found = await aside(advice, now)
            except (MatchError, Fault) as error:
                raise EdgeError("match/fault", f"Nobody knows: {error}") from None
        return {"version": version, **found.to_json()}
