"""Play matches under the laws of their book, until one is broken.

In:  the tables of `map`, a state to begin from, numbers of matches; the policies that give the first broken
     law, the same at the end, and a random option (see `lab.laws`).
Out: how many matches kept the laws; W[BROKEN] says what was wrong with the next, and its choices are there.
"""

from __future__ import annotations

from rulewright.ir.program import DECISION, ENDED, SEAT
from rulewright.ir.subset import W
from rulewright.native.outer.map import (
    BROKEN,
    LAST_POLICY,
    LAW_POLICY,
    LONGEST_LOOK,
    MADE,
    MADE_AT,
    POLICY_OF,
    ROTATIONS,
    SEAT_OF,
    SEATS,
    TOSS_POLICY,
)
from rulewright.native.outer.names import advance, choose, forget_events, peek, policy, restart, seed_match
from rulewright.native.outer.play import place_names


def watch_matches(first: int, count: int, seed: int) -> int:
    """Play matches first .. first + count - 1 up to the first breach; how many were played before it."""
    done = 0
    while done < count:
        restart()
        forget_events()
        place_names(first + done)
        seed_match(seed + (first + done) // W[ROTATIONS])
        W[BROKEN] = watch_one()
        if W[BROKEN] != 0:
            return done
        done += 1
    return done


def watch_one() -> int:
    """Play one match: 0 if all was well, the number of a law that was broken, or -1 when the rules failed.
    One that goes on for longer than anybody looks is left alone."""
    W[MADE] = 0
    status = advance()
    while status == DECISION:
        law = policy(W[LAW_POLICY])
        if law != 0:
            return law
        if W[MADE] >= W[LONGEST_LOOK]:
            return 0
        choice = policy(decider(peek(SEAT)))
        if choice < 0:
            return -1
        W[W[MADE_AT] + W[MADE]] = choice
        W[MADE] += 1
        if choose(choice) < 0:
            return -1
        status = advance()
    if status == ENDED:
        return policy(W[LAST_POLICY])
    return -1


def decider(seat: int) -> int:
    """The policy of whoever sits there."""
    name = 0
    while name < W[SEATS]:
        if W[SEAT_OF + name] == seat and W[POLICY_OF + name] > 0:
            return W[POLICY_OF + name]
        name += 1
    return W[TOSS_POLICY]
