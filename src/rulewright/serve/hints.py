"""What would you do? A hint for a person at a table; and who is ahead, for everybody.

In:  a table, whoever asks.
Out: what a player would choose in that seat, with its reasons: `players.explain` as JSON. Each seat's chance
     to win, from what everybody sees; when all is over, after each choice.

It thinks in a thread, on what the seat may know. Where other people play there are no hints: they would
play against the machine without knowing it.
"""

from __future__ import annotations

from typing import Any

from rulewright.play.arithmetic import Past
from rulewright.play.faults import Fault, MatchError
from rulewright.play.match import Match
from rulewright.players.bots import position
from rulewright.players.estimate import estimate
from rulewright.players.explain import advice
from rulewright.serve.errors import EdgeError
from rulewright.serve.lines import Reader
from rulewright.serve.shares import Shares
from rulewright.serve.table import Table
from rulewright.serve.threads import aside

AT_A_TIME = 2
"""Hints that are thought about at the same time; others wait, and get their turns as in `shares`."""


class Hints:
    """The hints of this process."""

    def __init__(self) -> None:
        self.few = Shares(AT_A_TIME)

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
        async with self.few.turn(table.opener or table.row.id):
            try:
                found = await aside(advice, now)
            except (MatchError, Fault) as error:
                raise EdgeError("match/fault", f"Nobody knows: {error}") from None
        return {"version": version, **found.to_json()}


def ahead(table: Table) -> dict[str, Any]:
    """Each seat's chance to win now; none where nobody can tell. Look while the table is locked."""
    found = estimate(table.match.program, table.match.slots())
    return {"version": table.version, "seats": [round(chance, 4) for chance in found]}


def ahead_then(before: Past) -> list[list[float]]:
    """The same before the first choice and after each, of a match that is over. It takes a while: call it in
    a thread, which leaves the match itself alone."""
    replay, program = before.replay, before.program
    match = Match(program, list(replay.players), replay.seed, dict(replay.options), engine="native")
    rows = [estimate(program, match.slots())]
    for choice in replay.choices:
        match.choose(choice)
        rows.append(estimate(program, match.slots()))
    return [[round(chance, 4) for chance in row] for row in rows]
