"""Play many matches and count what happens in them.

In:  the tables of `map`, a state to begin from, numbers of matches.
Out: sums in W. They only ever grow, so how matches are shared out cannot matter.

Match m is played with seed `seed + m // rotations`; name k sits at seat (k + m) % seats of it. Everything is
counted in half points: 2 for a win, 1 for a draw.
"""

from __future__ import annotations

from rulewright.ir.events import CARD, FORCED, RULE, SAY, STATUS, STEP
from rulewright.ir.program import DECISION, DECISIONS, ENDED, SEAT
from rulewright.ir.subset import W
from rulewright.native.outer.map import (
    ACTORS,
    BANDS,
    CARD_ZONES,
    CONTROL,
    DRAW_FIRST,
    DRAWS,
    ENDING,
    ENDING_FIRST,
    ENDINGS,
    FACE_AT,
    FACE_ITEMS,
    FACES,
    FAULT_MATCH,
    FAULTS,
    FIRST_DRAWS,
    FIRST_MATCHES,
    FIRST_WINS,
    GROUP_POINTS,
    GROUP_SQUARES,
    GROUP_SUM,
    GROUPS,
    ITEM,
    ITEM_AT,
    LENGTHS,
    LISTEN,
    LOAD_COUNT,
    LOADS,
    LONGEST,
    LONGEST_MATCH,
    MARK_AT,
    MATCHES,
    MOVE_SQUARES,
    MOVES,
    NAME_DRAWS,
    NAME_POINTS,
    NAME_WINS,
    OCTAVE,
    OWNER_AT,
    POLICY_OF,
    ROTATIONS,
    ROW_SITES,
    SCORE,
    SEAT_DRAWS,
    SEAT_MATCHES,
    SEAT_OF,
    SEAT_WINS,
    SEATS,
    SHORTEST,
    SITE_ITEMS,
    SQUARES,
    STATUS_ITEMS,
    TOTAL,
    TOUCHED_AT,
    ZONE_OPEN,
)
from rulewright.native.outer.names import (
    advance,
    event,
    events,
    forget_events,
    peek,
    playout,
    restart,
    seed_match,
    sit,
)
from rulewright.native.outer.track import count_over_time, count_standings


def play_matches(first: int, count: int, seed: int) -> int:
    """Play matches first .. first + count - 1, which are whole groups; how many were played."""
    done = 0
    while done < count:
        match = first + done
        place_names(match)
        name = 0
        while name < W[SEATS]:
            sit(W[SEAT_OF + name], W[POLICY_OF + name])
            name += 1
        restart()
        forget_events()
        seed_match(seed + match // W[ROTATIONS])
        status = advance()
        opener = -1
        if status == DECISION:
            opener = peek(SEAT)
            status = playout()
        count_one(match, status, opener)
        done += 1
    return done


def count_one(match: int, status: int, opener: int) -> int:
    """Add a match that has been played; those of one group come one after the other."""
    place_names(match)
    count_match(match, status, opener)
    if match % W[ROTATIONS] == 0:
        W[GROUP_POINTS] = 0
    W[GROUP_POINTS] += half_points(W[SEAT_OF])
    if (match + 1) % W[ROTATIONS] == 0:
        W[GROUPS] += 1
        W[GROUP_SUM] += W[GROUP_POINTS]
        W[GROUP_SQUARES] += W[GROUP_POINTS] * W[GROUP_POINTS]
    return 0


def place_names(match: int) -> int:
    """Who sits where in a match."""
    shift = match % W[ROTATIONS]
    name = 0
    while name < W[SEATS]:
        W[SEAT_OF + name] = (name + shift) % W[SEATS]
        name += 1
    return shift


def half_points(seat: int) -> int:
    """What a seat has won."""
    if W[SCORE] < 0:
        return 0
    score = peek(W[SCORE] + seat)
    if score == 1:
        return 2
    if score == 2:
        return 1
    return 0


def count_match(match: int, status: int, opener: int) -> int:
    """Add a match that has been played."""
    W[MATCHES] += 1
    decisions = peek(DECISIONS)
    if status != ENDED:
        W[FAULTS] += 1
        if W[FAULT_MATCH] == 0 or match + 1 < W[FAULT_MATCH]:
            W[FAULT_MATCH] = match + 1
        return 0
    W[TOTAL] += decisions
    W[SQUARES] += decisions * decisions
    if decisions > W[LONGEST] or (decisions == W[LONGEST] and match + 1 < W[LONGEST_MATCH]):
        W[LONGEST] = decisions
        W[LONGEST_MATCH] = match + 1
    if decisions < W[SHORTEST]:
        W[SHORTEST] = decisions
    W[LENGTHS + band(decisions)] += 1
    ending = 0
    if W[ENDING] >= 0:
        ending = peek(W[ENDING])
    if ending < 0 or ending > 63:
        ending = 0
    W[ENDINGS + ending] += 1
    if W[ENDING_FIRST + ending] == 0 or match + 1 < W[ENDING_FIRST + ending]:
        W[ENDING_FIRST + ending] = match + 1
    if drawn():
        W[DRAWS] += 1
        if W[DRAW_FIRST] == 0 or match + 1 < W[DRAW_FIRST]:
            W[DRAW_FIRST] = match + 1
    count_results(opener)
    count_standings()
    if W[LISTEN]:
        count_items(match)
        count_over_time()
    return 0


def drawn() -> int:
    """Whether anybody shares the match with another."""
    seat = 0
    while seat < W[SEATS]:
        if half_points(seat) == 1:
            return 1
        seat += 1
    return 0


def count_results(opener: int) -> int:
    """Who won, by name, by seat and by who began."""
    name = 0
    while name < W[SEATS]:
        seat = W[SEAT_OF + name]
        points = half_points(seat)
        W[NAME_POINTS + name] += points
        W[SEAT_MATCHES + seat] += 1
        if points == 2:
            W[NAME_WINS + name] += 1
            W[SEAT_WINS + seat] += 1
        if points == 1:
            W[NAME_DRAWS + name] += 1
            W[SEAT_DRAWS + seat] += 1
        if seat == opener:
            W[FIRST_MATCHES + seat] += 1
            if points == 2:
                W[FIRST_WINS + seat] += 1
            if points == 1:
                W[FIRST_DRAWS + seat] += 1
        name += 1
    return 0


def band(length: int) -> int:
    """The band of a length: OCTAVE of them to a doubling, so that all have about the same share of it."""
    low = 0
    octave = 1
    while length >= 2 * octave:
        octave = octave * 2
        low += OCTAVE
    found = low + (length - octave) * OCTAVE // octave
    if length < 1:
        return 0
    return found if found < BANDS else BANDS - 1


def count_items(match: int) -> int:
    """What was used, and what became of those who used it: a row of a table by whoever did the action, or the
    step, that it came up in."""
    touched = 0
    doer = -1
    moves = peek(DECISIONS)
    many = events()
    i = 0
    while i < many:
        kind = event(i, 0)
        item = -1
        seat = -1
        if (kind == RULE) | (kind == STEP):
            item = W[SITE_ITEMS] + event(i, 1)
            seat = leader(event(i, 2))
            doer = seat
        elif kind == FORCED:
            moves += 1
        elif kind == SAY and W[W[ROW_SITES] + event(i, 1)] == event(i, 2) + 1:
            item = W[SITE_ITEMS] + event(i, 1)
            seat = doer
        elif kind == STATUS:
            if event(i, 4) > 0:
                item = W[STATUS_ITEMS] + event(i, 2)
                seat = leader(event(i, 3))
        elif kind == CARD and is_open(event(i, 4)) and not is_open(event(i, 3)):
            item = face_item(event(i, 2))
            seat = holder(event(i, 2))
        if item >= 0:
            touched = touch(item, seat, match, touched)
            W[W[ITEM_AT] + ITEM * item + 3] += 1
        i += 1
    W[MOVES] += moves
    W[MOVE_SQUARES] += moves * moves
    touched = count_loads(match, touched)
    settle(touched, match)
    return 0


def leader(actor: int) -> int:
    """The seat that leads an actor, or -1."""
    if W[CONTROL] < 0 or actor < 0 or actor >= W[ACTORS]:
        return -1
    seat = peek(W[CONTROL] + actor)
    return seat if seat < W[SEATS] else -1


def holder(card: int) -> int:
    """The seat whose card it is, or -1."""
    if W[OWNER_AT] < 0:
        return -1
    return leader(peek(W[OWNER_AT] + card))


def face_item(card: int) -> int:
    """The item of a card's face, or -1."""
    if W[FACE_AT] < 0 or card < 0:
        return -1
    face = peek(W[FACE_AT] + card)
    if face < 0 or face >= W[FACES]:
        return -1
    return W[FACE_ITEMS] + face


def is_open(zone: int) -> int:
    """Whether everybody sees the pile with this number + 1."""
    if zone < 1 or zone > W[CARD_ZONES]:
        return 0
    return W[W[ZONE_OPEN] + zone - 1]


def touch(item: int, seat: int, match: int, touched: int) -> int:
    """Remember once a match that a seat (or nobody in particular) used an item."""
    place = item * (W[SEATS] + 1) + seat + 1
    if W[W[MARK_AT] + place] != match + 1:
        W[W[MARK_AT] + place] = match + 1
        W[W[TOUCHED_AT] + touched] = place
        touched += 1
    return touched


def count_loads(match: int, touched: int) -> int:
    """What each seat played with, as its actors hold it at the end."""
    load = 0
    while load < W[LOAD_COUNT]:
        row = W[LOADS] + 3 * load
        actor = 0
        while actor < W[ACTORS]:
            seat = leader(actor)
            value = peek(W[row] + actor)
            if seat >= 0 and value >= 0 and value < W[row + 2]:
                touched = touch(W[row + 1] + value, seat, match, touched)
            actor += 1
        load += 1
    return touched


def settle(touched: int, match: int) -> int:
    """Add what became of everyone who used something."""
    width = W[SEATS] + 1
    i = 0
    while i < touched:
        place = W[W[TOUCHED_AT] + i]
        item = W[ITEM_AT] + ITEM * (place // width)
        seat = place % width - 1
        if seat >= 0:
            W[item] += 1
            W[item + 1] += half_points(seat)
        if W[item + 4] == 0 or match + 1 < W[item + 4]:
            W[item + 4] = match + 1
        if first_touch(place, width, match):
            W[item + 2] += 1
        i += 1
    return 0


def first_touch(place: int, width: int, match: int) -> int:
    """Whether no lower seat has used the same item in this match."""
    at = place - place % width
    while at < place:
        if W[W[MARK_AT] + at] == match + 1:
            return 0
        at += 1
    return 1
