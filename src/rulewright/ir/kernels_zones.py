"""Kernels for zones: ordered piles of cards.

In:  z, the slot of a zone's count; the cards stand in the slots after it, the last one on top.
Out: see each function. Slots beyond the count are always 0, so equal piles are equal bytes.
"""

from __future__ import annotations

from rulewright.ir.program import FAULT_ZONE
from rulewright.ir.subset import S, fault, mix, seek


def zone_find(z: int, card: int) -> int:
    """Where the card is, counted from the bottom, or -1."""
    i = seek(z + 1, 0, S[z], card)
    return i if i < S[z] else -1


def zone_top(z: int) -> int:
    """The top card, or -1."""
    return S[z + S[z]] if S[z] > 0 else -1


def zone_bottom(z: int) -> int:
    """The bottom card, or -1."""
    return S[z + 1] if S[z] > 0 else -1


def zone_put_at(z: int, cap: int, card: int, i: int) -> int:
    """Put the card in so that it is at place i from the bottom; places beyond the ends mean the ends."""
    n = S[z]
    if n >= cap:
        fault(FAULT_ZONE)
    if i > n:
        i = n
    if i < 0:
        i = 0
    k = n
    while k > i:
        S[z + 1 + k] = S[z + k]
        k -= 1
    S[z + 1 + i] = card
    S[z] = n + 1
    return 0


def zone_put(z: int, cap: int, card: int) -> int:
    """Put the card on top."""
    n = S[z]
    if n >= cap:
        fault(FAULT_ZONE)
    S[z + 1 + n] = card
    S[z] = n + 1
    return 0


def zone_put_bottom(z: int, cap: int, card: int) -> int:
    """Put the card under all others."""
    return zone_put_at(z, cap, card, 0)


def zone_remove(z: int, card: int) -> int:
    """Take the card out and close the gap; 1 if it was there."""
    i = zone_find(z, card)
    if i < 0:
        return 0
    n = S[z] - 1
    while i < n:
        S[z + 1 + i] = S[z + 2 + i]
        i += 1
    S[z + 1 + n] = 0
    S[z] = n
    return 1


def zone_shuffle(z: int) -> int:
    """Fisher and Yates, from the top down."""
    i = S[z] - 1
    while i > 0:
        j = mix(i + 1)
        card = S[z + 1 + i]
        S[z + 1 + i] = S[z + 1 + j]
        S[z + 1 + j] = card
        i -= 1
    return 0
