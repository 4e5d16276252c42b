"""Paths over a map: how costs spread from space to space, and how a path is read off them.

Spaces that wait stand in a ring, each at most once: a row of places (WAITING), a mark for each space that is
in it (MARKS), and the locals head and tail. A path is coded three bits a step under a
leading 1: the empty one is 1.
"""

# ruff: noqa: SIM102, F403, F405 (every name in capitals is a hole)
# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from rulewright.ir.kernels_numbers import maximum
from rulewright.ir.kernels_space import path_before, path_length, path_step
from rulewright.ir.subset import W
from rulewright.lower.templates.holes import *


def field_at(costs: int, a: int) -> int:
    """The cost of a space, however far it is when it is none."""
    return FAR if a < 0 else W[costs + a]


def push(tail: int) -> None:
    """Let a space wait, unless it does."""
    if W[MARKS + IT] == 0:
        W[MARKS + IT] = 1
        W[WAITING + tail] = IT
        tail = 0 if tail == LAST else tail + 1


def spread(head: int, tail: int) -> None:
    """Costs outwards from the spaces that wait: whoever gets nearer by a step from u to v waits as well."""
    while head != tail:
        u = W[WAITING + head]
        head = 0 if head == LAST else head + 1
        W[MARKS + u] = 0
        if ENOUGH:
            continue
        ENTER()
        if SHUT:
            continue
        d = 0
        while d < DIRECTIONS:
            v = space_near(u, d)
            d = d + STEP
            if v < 0:
                continue
            if W[COSTS + v] <= W[COSTS + u]:  # already as near as this step could bring it
                continue
            LEAVE()
            if BARRED:
                continue
            c = PRICE
            if TOO_DEAR:
                continue
            total = W[COSTS + u] + c
            if total < W[COSTS + v]:
                W[COSTS + v] = total
                if W[MARKS + v] == 0:
                    W[MARKS + v] = 1
                    W[WAITING + tail] = v
                    tail = 0 if tail == LAST else tail + 1


def follow(self: int, start: int) -> int:
    """Along the costs, as far as the allowance goes, back to the last space on which one may end."""
    if W[COSTS + start] >= FAR:
        return 1
    path = 1
    best = 1
    spent = 0
    steps = 0
    last = -1
    at = start
    while W[COSTS + at] > 0 and steps < STEPS:
        d = 0
        next = -1
        while d < DIRECTIONS:
            to = space_near(at, d)
            if to >= 0:
                if W[COSTS + to] < W[COSTS + at]:
                    c = STEP_COST(self, at, to)
                    if c >= 0 and W[COSTS + to] + c == W[COSTS + at]:
                        next = to
                        break
            d = d + STEP
        if next < 0:
            break
        spent = spent + c
        if spent > MOST or (LINE and last >= 0 and last != d):
            break
        last = d
        path = path * 8 + d
        at = next
        steps = steps + 1
        if MAY_END(self, at):
            best = path
    return best


def within(self: int, head: int, tail: int) -> None:
    """The cheapest path to every space within the allowance; of equally cheap ones the first."""
    while head != tail:
        u = W[WAITING + head]
        head = 0 if head == LAST else head + 1
        W[MARKS + u] = 0
        p = W[PATHS + u]
        if path_length(p) >= STEPS:
            continue
        d = 0
        while d < DIRECTIONS:
            v = space_near(u, d)
            q = p * 8 + d
            d = d + STEP
            if v < 0 or (LINE and p > 1 and p % 8 != q % 8):
                continue
            c = STEP_COST(self, u, v)
            total = W[COSTS + u] + c
            if c < 0 or total > MOST:
                continue
            if total < W[COSTS + v] or (path_before(q, W[PATHS + v]) if total == W[COSTS + v] else 0):
                W[COSTS + v] = total
                W[PATHS + v] = q
                if W[MARKS + v] == 0:
                    W[MARKS + v] = 1
                    W[WAITING + tail] = v
                    tail = 0 if tail == LAST else tail + 1


def better_end(self: int, best: int) -> None:
    """One space on which a path may end, against the best so far."""
    p = W[PATHS + IT]
    if p > 1 and MAY_END(self, IT):
        KEYS()
        if best < 0 or BETTER:
            best = IT
            KEEP()


def best_path(best: int) -> int:
    """The path to the best space, or the empty one."""
    if best < 0:
        return 1
    return W[PATHS + best]


def steps_on_offer(self: int) -> None:
    """Every step from which a path can still end well; and to stop, where one may."""
    d = 0
    while d < DIRECTIONS:
        to = space_near(AT, d)
        if to >= 0:
            c = STEP_COST(self, AT, to)
            if c >= 0 and SPENT + c <= MOST and CAN_END(self, to, SPENT + c, MOST, TAKEN + 1):
                OFFER()
        d = d + STEP
    if MAY_END(self, AT) if TAKEN else MAY_STAY:
        STOP()


def can_end(self: int, at: int, spent: int, most: int, steps: int) -> int:
    """Whether a path that has come this far can still end well: step by step, each space as cheaply as it can
    be reached with so many. PAID stands beside WAITING, for a space may become cheaper while it waits."""
    if MAY_END(self, at):
        return 1
    CLEAR()
    W[COSTS + at] = spent
    W[WAITING] = at
    W[PAID] = spent
    head = 0
    tail = 1
    while head != tail and steps < STEPS:
        end = tail
        steps = steps + 1
        while head != end:
            at = W[WAITING + head]
            spent = W[PAID + head]
            head = 0 if head == LAST else head + 1
            d = 0
            while d < DIRECTIONS:
                to = space_near(at, d)
                d = d + STEP
                if to < 0:
                    continue
                c = STEP_COST(self, at, to)
                if c < 0 or spent + c > most or spent + c >= W[COSTS + to]:
                    continue
                if MAY_END(self, to):
                    return 1
                W[COSTS + to] = spent + c
                W[WAITING + tail] = to
                W[PAID + tail] = spent + c
                tail = 0 if tail == LAST else tail + 1
    return 0


def some_end(at: int, steps: int) -> int:
    """Whether a path can end well in so many steps, however it goes: all spaces of one step, then
    those of the next. One that was reached when the path was long enough need not be tried again."""
    CLEAR()
    W[WAITING] = at
    head = 0
    tail = 1
    while head != tail and steps < MOST:
        end = tail
        steps = steps + 1
        while head != end:
            at = W[WAITING + head]
            head = 0 if head == LAST else head + 1
            d = 0
            while d < DIRECTIONS:
                to = NEXT
                d = d + STEP
                if to < 0:
                    continue
                if W[MARKS + to] == steps or W[MARKS + to] >= maximum(1, LEAST):
                    continue
                if steps >= LEAST:
                    if ENDS:
                        return 1
                W[MARKS + to] = steps
                W[WAITING + tail] = to
                tail = 0 if tail == LAST else tail + 1
    return 0


def straight(self: int) -> int:
    """As far as it goes in one direction, to the last space on which one may end."""
    at = HERE
    spent = 0
    path = 1
    best = 1
    steps = 0
    while not (DIRECTION < 0 or at < 0) and steps < STEPS:
        to = space_near(at, DIRECTION)
        if to < 0:
            break
        c = STEP_COST(self, at, to)
        if c < 0:
            break
        spent = spent + c
        if spent > MOST:
            break
        path = path * 8 + DIRECTION
        at = to
        steps = steps + 1
        if MAY_END(self, at):
            best = path
    return best


def cost(self: int) -> int:
    """What all steps of a path cost."""
    at = HERE
    total = 0
    i = 0
    while i < path_length(PATH):
        to = space_near(at, path_step(PATH, i))
        if to < 0:
            break
        total = total + maximum(0, STEP_COST(self, at, to))
        at = to
        i = i + 1
    return total


def end() -> int:
    """The space to which a path leads."""
    at = HERE
    i = 0
    while i < path_length(PATH):
        at = space_near(at, path_step(PATH, i))
        i = i + 1
    return at
