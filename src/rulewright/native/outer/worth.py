"""What a line was worth, and a position where no line is played on.

In:  the guest where a line has ended or was cut; the tables of `map`.
Out: W[UTILITY]: a number for each seat, whole ones, ONE a win: the same on every machine.
"""

from __future__ import annotations

from rulewright.ir.program import DECISION, DECISIONS, ENDED, SEAT
from rulewright.ir.subset import W
from rulewright.native.outer.map import (
    BEGUN,
    DECLARED,
    FAULTY,
    LEAST,
    LENGTHEN,
    ONE,
    POINTED,
    POINTS,
    RANK,
    SCORE,
    SEATS,
    SQUASH_AT,
    SQUASHED,
    UTILITY,
    VALUE_AT,
    WHOLE,
    WIDTH,
)
from rulewright.native.outer.names import peek, poke, policy

MISSING = -(1 << 29)
"""Below this a slot holds no number yet."""


def judge(status: int) -> int:
    """What the line was worth to each seat. A line that the rules fail on is worth nothing to anybody."""
    seat = 0
    while seat < W[SEATS]:
        worth = 0
        if status == ENDED:
            worth = result(seat)
        elif status == DECISION:
            worth = value(seat)
        else:
            W[FAULTY] += 1
        if status >= 0:
            # A win is worth a little less the later it comes, so that nobody dawdles.
            later = peek(DECISIONS) - W[BEGUN]
            worth = ONE // 2 + (worth - ONE // 2) * W[LENGTHEN] // (W[LENGTHEN] + later)
        W[UTILITY + seat] = worth
        seat += 1
    return 0


def result(seat: int) -> int:
    """What an ended match is worth: as `players.stakes` has it, ranks before numbers before wins."""
    if W[RANK] >= 0 and W[SEATS] > 1 and peek(W[RANK] + seat) > 0:
        mine = peek(W[RANK] + seat)
        halves = -1
        other = 0
        while other < W[SEATS]:
            rank = peek(W[RANK] + other)
            halves += (rank > mine) + (rank >= mine)
            other += 1
        return halves * ONE // (2 * (W[SEATS] - 1))
    if W[POINTED] >= 0 and peek(W[POINTED]) > 0:
        part = (peek(W[POINTS] + seat) - W[LEAST]) * ONE // W[WIDTH]
        if part < 0:
            part = 0
        if part > ONE:
            part = ONE
        return part
    score = peek(W[SCORE] + seat)
    if score == 1:
        return ONE
    if score == 2:
        return ONE // 2
    return 0


def value(seat: int) -> int:
    """What a position is worth to a seat: as the book says, or its chance to win as the numbers of the
    state tell it: a weighted sum, squashed."""
    if W[DECLARED] > 0:
        return declared(seat)
    at = W[VALUE_AT]
    if at == 0:
        return ONE // 2
    while seat > 0:
        at += 2 + 2 * W[at]
        seat -= 1
    many = W[at]
    total = W[at + 1]
    at += 2
    end = at + 2 * many
    while at < end:
        held = peek(W[at])
        if held > MISSING:
            total += held * W[at + 1]
        at += 2
    # 128 entries to one unit of the sum, from -8 to 8.
    place = total * 128 // (ONE * 16) + SQUASHED // 2
    if place < 0:
        place = 0
    if place >= SQUASHED:
        place = SQUASHED - 1
    return W[W[SQUASH_AT] + place]


def declared(seat: int) -> int:
    """The book's own value, which is asked for whoever is about to decide. Where it fails, a half."""
    asked = peek(SEAT)
    poke(SEAT, seat)
    told = policy(W[DECLARED])
    poke(SEAT, asked)
    if told < 0:
        W[FAULTY] += 1
        return ONE // 2
    return told * ONE // W[WHOLE]


def measure() -> int:
    """What the guest's present state is worth to each seat, into W[UTILITY]; 1 when it could be told."""
    W[BEGUN] = peek(DECISIONS)
    seat = 0
    while seat < W[SEATS]:
        W[UTILITY + seat] = value(seat)
        seat += 1
    return W[VALUE_AT] + W[DECLARED] > 0
