"""Who is ahead? An estimate from what everybody sees.

In:  a Program, the slots of a state.
Out: for each seat its chance to win, as the learned values of the book tell it; nothing where there are none.

Values weigh numbers that everybody sees, so the estimate tells spectators nothing that is hidden. Where not
all seats win together the chances are made to add up to one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rulewright.ir.program import ENDED, SEATS, STATUS, Program
from rulewright.play.knowledge import Knowledge
from rulewright.players.values import Values, feature_slots, option_features, values_at

MISSING = -(1 << 29)
STEEP = 30.0


def estimate(program: Program, slots: Sequence[int], values: Values | None = None) -> tuple[float, ...]:
    """Each seat's chance to win; empty where nobody can tell."""
    seats = slots[SEATS]
    if slots[STATUS] == ENDED:
        score = program.sheet.result.get("score", -1)
        return tuple({1: 1.0, 2: 0.5}.get(slots[score + seat], 0.0) for seat in range(seats))
    known = values_at(program, slots) if values is None else values
    if not known.holds:
        return ()
    bias = known.bias + sum(known.weights.get(word, 0.0) for word in option_features(program, slots))
    found = [_chance(bias + _weighed(program, slots, seat, known)) for seat in range(seats)]
    if seats > 1 and _apart(program, slots):
        total = sum(found) or 1.0
        found = [chance / total for chance in found]
    return tuple(found)


def _weighed(program: Program, slots: Sequence[int], seat: int, values: Values) -> float:
    total = 0.0
    for feature, places in feature_slots(program, slots, seat).items():
        weight = values.weights.get(feature, 0.0)
        if weight:
            total += weight * sum(slots[place] for place in places if slots[place] > MISSING)
    return total


def _chance(weight: float) -> float:
    return 1 / (1 + math.exp(-min(STEEP, max(-STEEP, weight))))


def _apart(program: Program, slots: Sequence[int]) -> bool:
    """Whether seats lead actors of different sides."""
    sides: set[tuple[int, ...]] = set()
    for seat in range(slots[SEATS]):
        know = Knowledge(program, slots, seat)
        sides.add(tuple(sorted({know.side_of(actor) for actor in know.actors})))
    return len(sides) > 1
