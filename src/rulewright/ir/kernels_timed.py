"""Kernels for timed changes: what is taken back at a moment.

In:  q, the slot where the pool begins; size, how many entries it has; 7 slots an entry: slot changed,
     amount applied, deadline + 1, whose moment + 1 (0: anyone's), moments to wait, lowest value, field + 1.
Out: see each function.
"""

from __future__ import annotations

from rulewright.ir.program import FAULT_TIMED
from rulewright.ir.subset import S, fault


def timed_add(
    q: int, size: int, slot: int, amount: int, deadline: int, who: int, count: int, low: int, field: int
) -> int:
    """Remember that a change is to be taken back; one that already waits for the same is added to."""
    i = 0
    free = -1
    while i < size:
        e = q + 7 * i
        if S[e + 2] == 0:
            if free < 0:
                free = e
        elif (S[e] == slot) & (S[e + 2] == deadline + 1) & (S[e + 3] == who + 1) & (S[e + 4] == count):
            S[e + 1] = S[e + 1] + amount
            return 0
        i += 1
    if free < 0:
        fault(FAULT_TIMED)
    S[free] = slot
    S[free + 1] = amount
    S[free + 2] = deadline + 1
    S[free + 3] = who + 1
    S[free + 4] = count
    S[free + 5] = low
    S[free + 6] = field
    return 0


def timed_forget(q: int, size: int, slot: int) -> int:
    """What waits for this slot waits no more, and stays; 1 if something did."""
    found = 0
    i = 0
    while i < size:
        if (S[q + 7 * i] == slot) & (S[q + 7 * i + 2] > 0):
            timed_clear(q + 7 * i)
            found = 1
        i += 1
    return found


def timed_clear(e: int) -> int:
    """Forget an entry."""
    i = 0
    while i < 7:
        S[e + i] = 0
        i += 1
    return 0


def timed_undo(e: int) -> int:
    """Take back a change that is told to nobody and that no rule waits for."""
    slot = S[e]
    now = S[slot] - S[e + 1]
    if now < S[e + 5]:
        now = S[e + 5]
    S[slot] = now
    timed_clear(e)
    return 0
