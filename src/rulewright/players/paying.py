"""What an option takes that asks something before it is paid: where to, at whom, with what.

In:  a bench at a position, the number of an option.
Out: for each number that the book takes as a price, the least and the most that it may come to.

The questions in between are answered in some ways, until something is paid or the deed is over. States and
dice are those that the seat can think of, never the real ones.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from rulewright.ir.program import PROMPT, SEAT, STATUS, Program
from rulewright.players.spending import ACT
from rulewright.players.trial import Bench

WAYS, DEEP = 12, 10
"""Ways that are gone, and questions on each of them."""
RUNS = 1200
"""Runs of the rules for all options of a decision."""
STRIDE = 7
"""So that one way differs from the next at every question."""

Price = tuple[str, int, int]
"""A number by its name, the least and the most that is taken of it."""


class Paying:
    """Asks about the options of one position; `own` are the slots of numbers that the seat's actors have."""

    def __init__(self, bench: Bench, program: Program, own: Container[int]) -> None:
        self.bench, self.prompts = bench, program.sheet.prompts
        self.runs = 0
        self.ways: Mapping[str, int] = {f.name: f.price for f in program.sheet.fields if f.price}
        self.slots = {row.slot: row.field for row in bench.rows if row.slot in own and row.field in self.ways}
        self.asked = self.prompts[bench.base.peek(PROMPT)] == ACT and bool(self.slots)

    def of(self, option: int) -> tuple[Price, ...]:
        """The prices; none where the option asks nothing first, for then its odds tell them."""
        found: dict[str, list[int]] = {}
        for number in range(WAYS if self.asked else 0):
            paid = self._way(option, number)
            if paid is None:
                return ()
            for name, amount in paid.items():
                found.setdefault(name, []).append(amount)
        return tuple((name, min(amounts), max(amounts)) for name, amounts in sorted(found.items()))

    def _way(self, option: int, number: int) -> dict[str, int] | None:
        """What is taken on one way; None where nothing is asked first, or there is no time."""
        before = self.bench.tried((option,), number) if self.runs < RUNS else None
        if before is None:
            return None
        now, arena, step = self.bench.live, self.bench.engine.arena, self.bench.engine.library.step
        for depth in range(DEEP):
            self.runs += 1
            paid: dict[str, int] = {}
            for slot, name in self.slots.items():
                amount = (int(now[slot]) - int(before[slot])) * self.ways[name]
                if amount > 0:
                    paid[name] = paid.get(name, 0) + amount
            over = now[STATUS] != before[STATUS] or now[SEAT] != before[SEAT]
            over = over or self.prompts[int(now[PROMPT])] == ACT
            if paid or over:
                return paid if depth else None
            if arena.call(step, (number + depth * STRIDE) % len(self.bench.engine.options())) < 0:
                return None
        return {}
