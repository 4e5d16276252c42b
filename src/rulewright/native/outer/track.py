"""What is counted of a match besides who won: ranks and numbers at its end, and numbers over time.

In:  the tables of `map`, a match that has been played, its events.
Out: sums in W.

Nobody looks at a match while it is played. What there was at an earlier time is found by going back from its
end through the events: each change says what was before it. The clock ticks where a book's rounds (or turns)
begin; it is read at ticks 1, 2, 3, 4, 6, 8, 12, .. so that short and long matches need the same room.
"""

from __future__ import annotations

from rulewright.ir.events import CHANGE, PLAY, RULE, STEP
from rulewright.ir.sheet import UNKNOWN
from rulewright.ir.subset import W
from rulewright.native.outer.map import (
    ACTORS,
    CLOCK,
    CONTROL,
    FIELD_TRACK,
    FIELDS,
    IN_PLAY,
    MOMENT,
    MOMENTS,
    NOW_AT,
    OF_ACTOR,
    OF_SEAT,
    POINTED,
    POINTS,
    RANK,
    SCORE,
    SEAT_OF,
    SEATS,
    STAND,
    STAND_AT,
    TRACK_AT,
    TRACK_ROW,
    TRACK_ROWS,
    TRACKS,
)
from rulewright.native.outer.names import event, events, peek


def count_standings() -> int:
    """Ranks and numbers of each name, and of each seat behind them."""
    name = 0
    while name < W[SEATS]:
        seat = W[SEAT_OF + name]
        add_standing(name, seat)
        add_standing(W[SEATS] + seat, seat)
        name += 1
    return 0


def add_standing(row: int, seat: int) -> int:
    """What a seat came to, to the sums of a row."""
    at = W[STAND_AT] + STAND * row
    rank = rank_of(seat)
    W[at] += rank
    W[at + 1] += rank * rank
    if W[POINTED] >= 0 and peek(W[POINTED]) != 0:
        number = peek(W[POINTS] + seat)
        W[at + 2] += number
        W[at + 3] += number * number
        W[at + 4] += 1
    return 0


def rank_of(seat: int) -> int:
    """As the book says, or winners and drawn before the others: see `play.results`."""
    ahead = 0
    said = 0
    other = 0
    while other < W[SEATS]:
        if W[RANK] >= 0 and peek(W[RANK] + other) != 0:
            said = 1
        if W[SCORE] >= 0 and peek(W[SCORE] + other) != 0:
            ahead += 1
        other += 1
    if said:
        return peek(W[RANK] + seat)
    if W[SCORE] < 0 or peek(W[SCORE] + seat) != 0:
        return 1
    return 1 + ahead


def count_over_time() -> int:
    """Go back through the match, and look at each moment what everybody had."""
    if W[TRACKS] == 0:
        return 0
    read_end()
    look(MOMENTS - 1)
    tick = ticks()
    i = events() - 1
    while i >= 0 and tick > 0:
        kind = event(i, 0)
        if kind == CHANGE:
            undo_change(event(i, 2), event(i, 3), event(i, 4))
        elif kind == PLAY:
            W[W[NOW_AT] + event(i, 2)] = 1 - event(i, 3)
        elif ((kind == STEP) | (kind == RULE)) and event(i, 1) == W[CLOCK]:
            if moment(tick) >= 0:
                look(moment(tick))
            tick = tick - 1
        i = i - 1
    return 0


def read_end() -> int:
    """Who is in play, then what each has of each number, as it is now."""
    at = W[NOW_AT]
    actor = 0
    while actor < W[ACTORS]:
        W[at + actor] = 1
        if W[IN_PLAY] >= 0:
            W[at + actor] = peek(W[IN_PLAY] + actor)
        actor += 1
    at = at + W[ACTORS]
    track = 0
    while track < W[TRACKS]:
        row = W[TRACK_ROWS] + TRACK_ROW * track
        owner = 0
        while owner < W[row + 1]:
            W[at] = peek(W[row] + owner)
            at += 1
            owner += 1
        track += 1
    return 0


def ticks() -> int:
    """How often the clock has ticked."""
    found = 0
    many = events()
    i = 0
    while i < many:
        kind = event(i, 0)
        if ((kind == STEP) | (kind == RULE)) and event(i, 1) == W[CLOCK]:
            found += 1
        i += 1
    return found


def moment(tick: int) -> int:
    """The number of the moment at a tick, or -1: 1, 2, 3, 4, 6, 8, 12, .."""
    found = 0
    while tick > 3 and tick % 2 == 0:
        tick = tick // 2
        found += 2
    if tick > 3:
        return -1
    found = found + tick - 1
    return found if found < MOMENTS - 1 else -1


def undo_change(field: int, owner: int, old: int) -> int:
    """What an owner had before it changed."""
    if field < 0 or field >= W[FIELDS]:
        return 0
    track = W[W[FIELD_TRACK] + field]
    if track < 0:
        return 0
    at = W[NOW_AT] + W[ACTORS]
    before = 0
    while before < track:
        at += W[W[TRACK_ROWS] + TRACK_ROW * before + 1]
        before += 1
    if owner < 0:
        owner = 0
    if owner < W[W[TRACK_ROWS] + TRACK_ROW * track + 1]:
        W[at + owner] = old
    return 0


def look(when: int) -> int:
    """Add what everybody has at a moment."""
    at = W[NOW_AT] + W[ACTORS]
    track = 0
    while track < W[TRACKS]:
        row = W[TRACK_ROWS] + TRACK_ROW * track
        many = 0
        total = 0
        owner = 0
        while owner < W[row + 1]:
            if W[at] != UNKNOWN and W[W[row + 3] + owner] and counts_for(W[row + 2], owner):
                many += 1
                total += W[at]
            at += 1
            owner += 1
        if many > 0:
            add_seen(W[TRACK_AT] + MOMENT * (MOMENTS * track + when), many, total)
        track += 1
    return 0


def add_seen(at: int, many: int, total: int) -> int:
    """Add so many, which come to so much. What is seen in one match hangs together, so it is one sample."""
    W[at] += 1
    W[at + 1] += many
    W[at + 2] += total
    W[at + 3] += many * many
    W[at + 4] += many * total
    W[at + 5] += total * total
    return 0


def counts_for(kind: int, owner: int) -> int:
    """Whether somebody at the table has it: a seat, or an actor in play that a seat leads."""
    if kind == OF_SEAT:
        return 1 if owner < W[SEATS] else 0
    if kind != OF_ACTOR:
        return 1
    if W[W[NOW_AT] + owner] == 0 or W[CONTROL] < 0:
        return 0
    leads = peek(W[CONTROL] + owner)
    return 1 if leads >= 0 and leads < W[SEATS] else 0
