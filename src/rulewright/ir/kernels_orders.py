"""Kernels for turn orders: living lists of actors with a cursor.

In:  o, the slot of an order's count; the cursor is in the slot after it, then the members.
Out: see each function.

A loop over an order goes to cursor + 1 until it passes the end. The cursor moves along when members
before it come and go, so such a loop never skips or repeats anybody; -1 is before the first.
"""

from __future__ import annotations

from rulewright.ir.program import FAULT_ORDER
from rulewright.ir.subset import S, fault, seek


def order_find(o: int, actor: int) -> int:
    """The actor's place, or -1."""
    i = seek(o + 2, 0, S[o], actor)
    return i if i < S[o] else -1


def order_has(o: int, actor: int) -> int:
    """1 if the actor is in the order."""
    return order_find(o, actor) >= 0


def order_insert(o: int, cap: int, actor: int, i: int) -> int:
    """Put the actor at place i; places beyond the ends mean the ends."""
    n = S[o]
    if n >= cap:
        fault(FAULT_ORDER)
    if i > n:
        i = n
    if i < 0:
        i = 0
    k = n
    while k > i:
        S[o + 2 + k] = S[o + 1 + k]
        k -= 1
    S[o + 2 + i] = actor
    S[o] = n + 1
    if i <= S[o + 1]:
        S[o + 1] = S[o + 1] + 1
    return 0


def order_add(o: int, cap: int, actor: int) -> int:
    """Put the actor last."""
    n = S[o]
    if n >= cap:
        fault(FAULT_ORDER)
    S[o + 2 + n] = actor
    S[o] = n + 1
    return 0


def order_remove(o: int, actor: int) -> int:
    """Take the actor out and close the gap; 1 if it was there."""
    i = order_find(o, actor)
    if i < 0:
        return 0
    if i <= S[o + 1]:
        S[o + 1] = S[o + 1] - 1
    n = S[o] - 1
    while i < n:
        S[o + 2 + i] = S[o + 3 + i]
        i += 1
    S[o + 2 + n] = 0
    S[o] = n
    return 1


def order_clear(o: int) -> int:
    """Nobody is in the order, and the cursor stands before the first."""
    i = S[o] - 1
    while i >= 0:
        S[o + 2 + i] = 0
        i -= 1
    S[o] = 0
    S[o + 1] = -1
    return 0
