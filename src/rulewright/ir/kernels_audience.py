"""Kernels for audiences: which seats may know what.

In:  slot bases of controllers (c), sides (s), what is known of cards (k) and the zones they lie in (z, or
     -1), and t, where the constant table of zones begins: for each of n zones who sees it (0 nobody, 1 its
     owner, 2 all), then its owner.
Out: sets of seats, a bit each; the bit after the last seat is the public's. They run only while events are
     recorded.
"""

from __future__ import annotations

from rulewright.ir.events import EVERYBODY, MOST_SEATS
from rulewright.ir.program import SECRET
from rulewright.ir.subset import K, S


def seat_bit(seat: int) -> int:
    """The set that has only this seat; empty for none."""
    if (seat < 0) | (seat >= MOST_SEATS):
        return 0
    bit = 1
    while seat > 0:
        bit = bit * 2
        seat -= 1
    return bit


def listeners() -> int:
    """Who is let into what happens now."""
    if S[SECRET] > 0:
        return S[SECRET] - 1
    return EVERYBODY


def side_seats(side: int, s: int, c: int, n: int) -> int:
    """The seats that control one of the n actors on a side."""
    found = 0
    i = 0
    while i < n:
        if S[s + i] == side:
            found = found | seat_bit(S[c + i])
        i += 1
    return found


def zone_seats(zone: int, t: int, n: int, c: int) -> int:
    """Who may look at every card of a zone."""
    if zone < 0:
        return 0
    seen = K[t + zone]
    if seen == 2:
        return EVERYBODY
    owner = K[t + n + zone]
    if (seen == 1) & (owner >= 0):
        return seat_bit(S[c + owner])
    return 0


def card_seats(card: int, k: int, z: int, t: int, n: int, c: int) -> int:
    """Who knows a card: whoever was shown it, or sees where it lies. No card is no secret."""
    if card < 0:
        return EVERYBODY
    known = S[k + card]
    if z >= 0:
        known = known | zone_seats(S[z + card] - 1, t, n, c)
    return known


def moved_seats(card: int, left: int, reached: int, k: int, t: int, n: int, c: int) -> int:
    """Who knows a card that moves: whoever was shown it, or sees where it was or where it comes to."""
    if card < 0:
        return EVERYBODY
    return S[k + card] | zone_seats(left - 1, t, n, c) | zone_seats(reached - 1, t, n, c)


def thing_seats(cards: int, x: int, y: int, w: int, k: int, z: int, t: int, n: int, c: int) -> int:
    """Who knows all cards among three things; cards: 1, 2 and 4 say which of them are cards."""
    known = EVERYBODY
    if cards % 2 == 1:
        known = known & card_seats(x, k, z, t, n, c)
    if cards // 2 % 2 == 1:
        known = known & card_seats(y, k, z, t, n, c)
    if cards // 4 % 2 == 1:
        known = known & card_seats(w, k, z, t, n, c)
    return known
