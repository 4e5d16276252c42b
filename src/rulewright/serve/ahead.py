"""Looking ahead: what the options of a decision may bring, for the seat that decides.

In:  a table, the seat, perhaps the number of one option.
Out: JSON for the page.

One thread of its own works on it, so that nobody's curiosity keeps a table waiting; what was worked out for
a decision is kept until the next one. It goes round among those who opened the tables, however much each of
them asks (see `shares`); whoever has many questions waiting is told to come back.
"""

from __future__ import annotations

import asyncio
import weakref
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any

from rulewright.play.faults import Fault, MatchError
from rulewright.play.match import Decision
from rulewright.players.bots import Position, position
from rulewright.players.foretell import Foretold, anyway, foretell
from rulewright.players.odds import RESTING, Effect, odds_of
from rulewright.serve.errors import EdgeError
from rulewright.serve.lines import Reader
from rulewright.serve.shares import Shares
from rulewright.serve.table import Table

WAITING = 8
"""Questions that may wait for their turn, about tables of one opener."""
OVERVIEW, CLOSE = 200.0, 200.0
"""Milliseconds for all options together, and for one that somebody looks at."""


@dataclass
class Known:
    """What was worked out about the decision of a version: by option, and what happens whatever is chosen."""

    version: int
    told: dict[int | None, list[Foretold]] = field(default_factory=dict[int | None, list[Foretold]])
    anyway: dict[int, Effect] = field(default_factory=dict[int, Effect])


class Ahead:
    """Works out odds, one question after the other."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1, "odds")
        self.turns = Shares(1)
        self.waiting: Counter[str] = Counter()
        """Questions on whose behalf."""
        self.known: weakref.WeakKeyDictionary[Table, Known] = weakref.WeakKeyDictionary()

    async def odds(
        self, table: Table, reader: Reader, option: int | None, asked: int | None = None
    ) -> dict[str, Any]:
        """What one option may bring, or each of them, at the version asked about. Raises EdgeError."""
        async with table.lock:
            version, decision = table.version, table.match.decision
            if decision is None or decision.seat != reader or asked not in (None, version):
                # Nothing to tell, and no mistake: the page asks a moment after it saw a decision, and the
                # number of an option means another one, or none, in the next.
                return {"version": version, "options": []}
            if option is not None and option >= len(decision.options):
                raise EdgeError("choice/unknown")
            kept = self.known.get(table)
            if kept is None or kept.version != version:
                kept = self.known[table] = Known(version)
            found = kept.told.get(option)
            now = position(table.match) if found is None else None
        if now is not None:
            found = kept.told[option] = await self._in_turn(table, now, option, decision, kept)
        return {"version": version, "options": [asdict(one) for one in found or ()]}

    async def _in_turn(
        self, table: Table, now: Position, option: int | None, decision: Decision, kept: Known
    ) -> list[Foretold]:
        whose = table.opener or table.row.id
        if self.waiting[whose] >= WAITING:
            raise EdgeError("request/too-many")
        self.waiting[whose] += 1
        try:
            async with self.turns.turn(whose):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self.pool, _foretold, now, option, decision, kept)
        finally:
            self.waiting[whose] -= 1
            if not self.waiting[whose]:
                del self.waiting[whose]


def _foretold(now: Position, option: int | None, decision: Decision, kept: Known) -> list[Foretold]:
    wanted = None if option is None else [option]
    try:
        found = odds_of(now, wanted, OVERVIEW if option is None else CLOSE)
    except (Fault, MatchError, MemoryError):
        return []  # rules that fail on an option say so when it is taken
    resting = [one.index for one in decision.options if one.verb in RESTING]
    if option is None:
        kept.anyway = anyway(found, resting, decision.actor)
    told: list[Foretold] = []
    for odds in found:
        one = decision.options[odds.option]
        left_out = None if one.index in resting else kept.anyway
        told.append(foretell(now.program, odds, one.things, one.text, left_out, now.slots))
    return told
