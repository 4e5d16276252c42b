"""What the end of a match is worth to a seat, as players reckon it: what the book says.

In:  a Program, the slots of a state (its seats and settings); for `payoff`, those of an ended match.
Out: `Stakes`: between which numbers the book's own numbers lie; `payoff`, from 0 to 1.

Where the book ranks, that is the share of the others who are behind; where it gives numbers
(`scores [Chips]`), those, between the least and the greatest that were met in matches of the book; else wins
and draws.
`native.outer.search` does the same in whole numbers.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.ir.program import ENDED, SEATS, STATUS, Program
from rulewright.native.engine import NativeEngine
from rulewright.play.faults import Fault
from rulewright.play.results import result_of, worth

MATCHES = 200
"""Matches that are played to see what numbers there are: each strategy of the book, and chance, in turn."""
KEPT = 64


@dataclass(frozen=True, slots=True)
class Stakes:
    """Slots of the numbers and of the mark that there are some, or -1; and between what they lie."""

    points: int = -1
    pointed: int = -1
    low: int = 0
    high: int = 1


_lock = threading.Lock()
_met: OrderedDict[tuple[object, ...], Stakes] = OrderedDict()


def stakes(program: Program, slots: Sequence[int]) -> Stakes:
    """What matches with these seats and settings are played for."""
    table = program.sheet.result
    if "pointed" not in table:
        return Stakes()
    chosen = tuple((option.slot, slots[option.slot]) for option in program.sheet.options)
    key = (program.digest or id(program), slots[SEATS], chosen)
    with _lock:
        found = _met.get(key)
        if found is None:
            numbers = _numbers(program, slots[SEATS], dict(chosen))
            found = Stakes()
            if numbers and min(numbers) < max(numbers):
                found = Stakes(table["points"], table["pointed"], min(numbers), max(numbers))
            _met[key] = found
            while len(_met) > KEPT:
                _met.popitem(last=False)
        return found


def payoff(program: Program, slots: Sequence[int], seat: int) -> float:
    """What the end of a match is worth to a seat."""
    rank, given = program.sheet.result.get("rank"), stakes(program, slots)
    ranked = rank is not None and slots[SEATS] > 1 and slots[rank + seat] > 0
    if ranked or given.pointed < 0 or not slots[given.pointed]:
        return worth(program, slots, seat)
    part = (slots[given.points + seat] - given.low) / (given.high - given.low)
    return min(1.0, max(0.0, part))


def _numbers(program: Program, seats: int, options: dict[int, int]) -> set[int]:
    """Numbers that seats ended with."""
    engine, found = NativeEngine(program), set[int]()
    engine.record(False)
    players = 1 + len(program.sheet.strategies)
    for seed in range(MATCHES):
        try:
            engine.start(seats, seed, options)
            engine.advance()
            engine.playout(seed, [seed % players] * seats)
        except Fault:
            continue
        if engine.peek(STATUS) == ENDED:
            found |= {*(result_of(program, memoryview(engine.state()).cast("i")).points or ())}
    return found
