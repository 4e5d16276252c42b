"""Whether an option only spends: nothing comes of it but that its own side has less of some numbers, or more
of those that count what was spent.

In:  a bench at a position, the number of an option.
Out: the names of those numbers; None where something comes of it. What is less may be a price or a relief:
     whoever reads it knows which numbers the book takes as prices.

Everything that a state has is compared, not only what people see change: fields that a book keeps for itself,
spaces, piles, orders. What an option asks for afterwards (a target, a place) is gone through, as far as there
are few of them. Some tries with dice of their own are enough: what dice may bring is seen soon.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from rulewright.ir.program import PROMPT, SEAT, STATUS, Program
from rulewright.play.knowledge import find_field, zone_bases
from rulewright.players.trial import Bench
from rulewright.players.watched import NUMBER

ACT = "act"
"""The prompt of a decision between actions: what was done before is over."""
TRIES, FEW, DEEP = 12, 12, 2
"""Tries of each way; things of a declaration that are gone through, and declarations behind each other."""
MOST = 1500
"""Runs of the rules for all options of a decision: some hundredths of a second."""


class Spending:
    """Asks about the options of one position."""

    def __init__(self, bench: Bench, program: Program, seat: int) -> None:
        self.bench, self.program, self.seat = bench, program, seat
        self.runs = 0
        self.less: set[int] = set()

    @cached_property
    def own(self) -> NDArray[np.intp]:
        """Slots of the numbers of whoever the seat leads."""
        control = find_field(self.program, "Actor", "controller")
        peek, rows = self.bench.base.peek, self.bench.rows
        led = {
            row.slot
            for row in rows
            if row.sort == NUMBER
            and row.kind == "Actor"
            and control is not None
            and peek(control.base + row.id) == self.seat
        }
        return np.array(sorted(led), np.intp)

    @cached_property
    def counting(self) -> NDArray[np.bool_]:
        """Which of these numbers count what was spent: there more is less."""
        names = counters(self.program)
        slots = {row.slot for row in self.bench.rows if row.field in names}
        return np.array([slot in slots for slot in self.own.tolist()], np.bool_)

    @cached_property
    def rest(self) -> NDArray[np.intp]:
        """All other slots that mean anything: the machine's own bookkeeping does not."""
        found: set[int] = set()
        for run in _runs(self.program):
            found.update(run)
        return np.array(sorted(found.difference(self.own.tolist())), np.intp)

    def of(self, option: int) -> tuple[str, ...] | None:
        """The sheet's names of what an option takes of one's own, where it brings nothing; else None."""
        self.less = set()
        if not self._only((option,)):
            return None
        if not self.less and self.program.sheet.prompts[self.bench.base.peek(PROMPT)] != ACT:
            return None  # it costs nothing and leads on to actions: "go" begins a turn
        return tuple(dict.fromkeys(row.field for row in self.bench.rows if row.slot in self.less))

    def _only(self, way: tuple[int, ...]) -> bool:
        """Whether these options bring nobody anything, whatever else is declared for the last of them."""
        now, asked = self.bench.live, 0
        for number in range(TRIES):
            self.runs += 1
            before = self.bench.tried(way, number) if self.runs < MOST else None
            if before is None or self._differ(before, now):
                return False
            self.less.update(self.own[self._gains(before, now) < 0].tolist())
            if self.program.sheet.prompts[int(now[PROMPT])] != ACT:
                if now[PROMPT] != before[PROMPT]:
                    asked = len(self.bench.engine.options())
                    break
                # A step on a way, of which nothing is written down before it ends, is no dead end.
                if not self.bench.asks_again():
                    return False
        if not asked:
            return True
        return len(way) <= DEEP and asked <= FEW and all(self._only((*way, more)) for more in range(asked))

    def _differ(self, before: NDArray[np.int32], now: NDArray[np.int32]) -> bool:
        """Whether anything changed but that own numbers are less, or somebody else is asked."""
        if now[STATUS] != before[STATUS] or now[SEAT] != before[SEAT]:
            return True
        return bool((now[self.rest] != before[self.rest]).any() or (self._gains(before, now) > 0).any())

    def _gains(self, before: NDArray[np.int32], now: NDArray[np.int32]) -> NDArray[np.int64]:
        """By how much each of one's own numbers is better than before."""
        change = now[self.own].astype(np.int64) - before[self.own]
        return np.where(self.counting, -change, change)


def counters(program: Program) -> frozenset[str]:
    """Names of numbers that count what was spent."""
    return frozenset(field.name for field in program.sheet.fields if field.price > 0)


def _runs(program: Program) -> Iterator[Sequence[int]]:
    sheet = program.sheet
    for field in sheet.fields:
        yield range(field.base, field.base + prod(field.counts))
    for status in sheet.statuses:
        yield range(status.base, status.base + 4 * len(sheet.things.get("Actor", ())))
    for zone in sheet.zones:
        for _, base in zone_bases(program, zone):
            yield range(base, base + 1 + zone.capacity)
    for order in sheet.orders:
        yield range(order.base, order.base + 2 + order.capacity)
