"""Orders: sorting by values, the groups of those that are equal, and rolls that tell them apart.

An order is a row of slots (FIRST + 0, FIRST + 1, ..) with its count in ORDER. What is compared of the one in
the local IT is worked out by MINE() and THEIRS(); BETTER and SAME compare the two.
"""

# ruff: noqa: F403, F405, F841 (every name in capitals is a hole)
# pyright: reportUnusedVariable=false, reportConstantRedefinition=false

from __future__ import annotations

from rulewright.ir.subset import S, W
from rulewright.lower.templates.holes import *


def join() -> int:
    """The place behind everybody who is at least as good."""
    IT = WHO
    MINE()
    at = 0
    while at < S[ORDER]:
        IT = S[FIRST + at]
        THEIRS()
        if BETTER:
            return at
        at = at + 1
    return at


def sort() -> None:
    """By insertion. Then the groups of equals are numbered, so that ties can be told from neighbours; between
    two numbers there is room for the parts of a group."""
    i = 1
    while i < S[ORDER]:
        moving = S[FIRST + i]
        IT = moving
        MINE()
        j = i
        while j > 0:
            IT = S[BEFORE + j]
            THEIRS()
            if not BETTER:
                break
            S[FIRST + j] = S[BEFORE + j]
            j = j - 1
        S[FIRST + j] = moving
        i = i + 1
    i = 0
    group = 0
    while i < S[ORDER]:
        IT = S[FIRST + i]
        MINE()
        if not SAME:
            group = group + 1
        KEEP()
        W[GROUPS + i] = group * 1000000
        i = i + 1


def ties() -> None:
    """The first group of equals rolls and is sorted; again, until nobody is equal."""
    i = 0
    while i + 1 < S[ORDER]:
        j = i
        while j + 1 < S[ORDER]:
            if W[GROUPS + (j + 1)] != W[GROUPS + i]:
                break
            j = j + 1
        if i == j:
            i = i + 1
            continue
        k = i
        while k <= j:
            IT = S[FIRST + k]
            face = ROLL
            W[ROLLS + k] = face
            KEEP()
            k = k + 1
        # Stable, the highest roll first.
        k = i + 1
        while k <= j:
            m = k
            while m > i:
                if W[ROLLS + (m - 1)] >= W[ROLLS + m]:
                    break
                x = W[ROLLS + m]
                W[ROLLS + m] = W[ROLLS + (m - 1)]
                W[ROLLS + (m - 1)] = x
                x = S[FIRST + m]
                S[FIRST + m] = S[FIRST + (m - 1)]
                S[FIRST + (m - 1)] = x
                m = m - 1
            k = k + 1
        # New marks tell different rolls apart; places behind the group move up by as many.
        k = i
        mark = W[GROUPS + i]
        last = W[ROLLS + i]
        while k <= j:
            if W[ROLLS + k] != last:
                mark = mark + 1
                last = W[ROLLS + k]
            W[GROUPS + k] = mark
            k = k + 1
        mark = mark - W[GROUPS + i]
        while k < S[ORDER]:
            W[GROUPS + k] = W[GROUPS + k] + mark
            k = k + 1


def reverse() -> None:
    """The last comes first. Whoever goes through the order goes on at the same place of it."""
    low = FIRST
    high = FIRST + S[ORDER] - 1
    while low < high:
        x = S[low]
        S[low] = S[high]
        S[high] = x
        low = low + 1
        high = high - 1
