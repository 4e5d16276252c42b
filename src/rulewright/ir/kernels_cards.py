"""Kernels for cards: moving them between zones, and who may know their faces.

In:  t, where the constant table of this book's zones begins: base slots, then (n apart, n the number
     of zones) capacities, who sees them (0 nobody, 1 owner, 2 all), owners; and the slot bases of the
     card fields: f the face, then (m apart, m the number of cards) zone + 1, known, owner.
Out: see each function.
"""

from __future__ import annotations

from rulewright.ir.events import CARD, EVERYBODY, REVEAL, SHUFFLE
from rulewright.ir.kernels_audience import seat_bit
from rulewright.ir.kernels_zones import zone_put, zone_put_bottom, zone_remove, zone_shuffle
from rulewright.ir.program import FAULT_SCRIPT
from rulewright.ir.subset import K, S, emit, fault, seek

RIGS, RIG = 4, 14
"""How many shuffles an example can script, and the slots of one: zone + 1, number of faces, faces."""


def card_leave(card: int, t: int, f: int, m: int) -> int:
    """Take the card out of its zone; gives that zone + 1, or 0."""
    zone = S[f + m + card]
    if zone > 0:
        zone_remove(K[t + zone - 1], card)
        S[f + m + card] = 0
    return zone


def card_move(card: int, zone: int, bottom: int, t: int, n: int, f: int, m: int, c: int, site: int) -> int:
    """Put the card into a zone, on top or at the bottom. c: slot base of the controllers of actors."""
    if card < 0:
        return 0
    old = card_leave(card, t, f, m)
    if bottom:
        zone_put_bottom(K[t + zone], K[t + n + zone], card)
    else:
        zone_put(K[t + zone], K[t + n + zone], card)
    S[f + m + card] = zone + 1
    sees = K[t + 2 * n + zone]
    owner = K[t + 3 * n + zone]
    if sees == 2:
        S[f + 2 * m + card] = EVERYBODY
    elif (sees == 1) & (owner >= 0):
        card_show(card, S[c + owner], f, m)
    emit(CARD, site, card, old, zone + 1, owner)
    return 0


def card_show(card: int, seat: int, f: int, m: int) -> int:
    """From now on the seat knows the face."""
    S[f + 2 * m + card] = S[f + 2 * m + card] | seat_bit(seat)
    return 0


def card_reveal(card: int, seat: int, f: int, m: int, site: int) -> int:
    """Show the face to one seat, or with -1 to all."""
    if card < 0:
        return 0
    if seat < 0:
        S[f + 2 * m + card] = EVERYBODY
    else:
        card_show(card, seat, f, m)
    emit(REVEAL, site, card, seat, 0, 0)
    return 0


def card_create(face: int, owner: int, f: int, m: int) -> int:
    """A card from the box with this face, or -1 when the box is empty."""
    if face < 0:
        return -1
    i = seek(f, 0, m, -1)
    if i >= m:
        return -1
    S[f + i] = face
    S[f + 2 * m + i] = 0
    S[f + 3 * m + i] = owner
    return i


def card_destroy(card: int, t: int, f: int, m: int, site: int) -> int:
    """Back into the box."""
    if card < 0:
        return 0
    old = card_leave(card, t, f, m)
    emit(CARD, site, card, old, 0, -1)
    S[f + card] = -1
    S[f + 2 * m + card] = 0
    S[f + 3 * m + card] = -1
    return 0


def zone_mix(zone: int, t: int, n: int, f: int, m: int, site: int) -> int:
    """Shuffle: what was known of the order is forgotten, unless everybody sees the pile."""
    z = K[t + zone]
    if K[t + 2 * n + zone] == 0:
        i = 0
        while i < S[z]:
            S[f + 2 * m + S[z + 1 + i]] = 0
            i += 1
    zone_shuffle(z)
    emit(SHUFFLE, site, zone, K[t + 3 * n + zone], 0, 0)
    return 0


def zone_rig(zone: int, r: int, t: int, f: int) -> int:
    """A worked example says how this shuffle falls: the faces it names come on top, the first one topmost.

    r: RIGS entries of RIG slots: zone + 1 or 0, how many faces, the faces. The entry is used up. A face
    that is not in the pile is a mistake in the script.
    """
    e = r
    while (e < r + RIGS * RIG) & (S[e] != zone + 1):
        e += RIG
    if e >= r + RIGS * RIG:
        return 0
    z = K[t + zone]
    k = S[e + 1]
    placed = 0
    while k > 0:
        k -= 1
        i = S[z] - 1 - placed
        while i >= 0:
            if S[f + S[z + 1 + i]] == S[e + 2 + k]:
                break
            i -= 1
        if i < 0:
            fault(FAULT_SCRIPT)
        card = S[z + 1 + i]
        while i < S[z] - 1:
            S[z + 1 + i] = S[z + 2 + i]
            i += 1
        S[z + S[z]] = card
        placed += 1
    S[e] = 0
    return 0


def zone_faces(z: int, face: int, f: int) -> int:
    """How many cards in the zone have this face."""
    found = 0
    i = 0
    while i < S[z]:
        if S[f + S[z + 1 + i]] == face:
            found += 1
        i += 1
    return found
