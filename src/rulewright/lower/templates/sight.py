"""Distances and lines over a map: sight on squares, and the spaces that a line runs through.

A space blocks (BLOCKED, of the local IT) what runs through its inside; where two meet at a corner, it takes
both of them.
"""

# ruff: noqa: SIM102, F403, F405, F841 (every name in capitals is a hole)
# pyright: reportReturnType=false, reportUnusedVariable=false, reportConstantRedefinition=false

from __future__ import annotations

from rulewright.ir.kernels_numbers import absolute, maximum, minimum
from rulewright.ir.kernels_space import crosses, hex_line, hex_side, through_corner
from rulewright.lower.templates.holes import *


def near(a: int, d: int) -> int:
    """The next space in a direction."""
    if a < 0 or d < 0:
        return -1
    return NEXT


def distance(a: int, b: int) -> int:
    """How far it is; from or to nowhere, as far as can be."""
    if a < 0 or b < 0:
        return FAR
    dx = space_x(b) - space_x(a)
    dy = space_y(b) - space_y(a)
    return METRIC(dx, dy)


def adjacent(a: int, b: int) -> int:
    """Whether one step leads there."""
    if a < 0 or b < 0:
        return 0
    dx = space_x(b) - space_x(a)
    dy = space_y(b) - space_y(a)
    return BESIDE


def toward(a: int, b: int) -> int:
    """The direction from one space to another."""
    dx = space_x(b) - space_x(a)
    dy = space_y(b) - space_y(a)
    if (dx == 0) & (dy == 0):
        return -1
    return METRIC(dx, dy)


def side(a: int, b: int, facing: int) -> int:
    """The side on which another space lies."""
    dx = space_x(b) - space_x(a)
    dy = space_y(b) - space_y(a)
    return hex_side(dx, dy, facing)


def sees() -> int:
    """Whether nothing between two spaces blocks: every square of the box around both is looked at."""
    ax = space_x(FROM)
    bx = space_x(TO)
    ay = space_y(FROM)
    by = space_y(TO)
    m = MAP
    x1 = maximum(ax, bx)
    y1 = maximum(ay, by)
    x = minimum(ax, bx)
    while x <= x1:
        y = minimum(ay, by)
        while y <= y1:
            IT = space_at(m, x, y)
            if IT != FROM and IT != TO and crosses(ax, ay, bx, by, x, y):
                if BLOCKED:
                    return 0
            CORNER()
            y = y + 1
        x = x + 1
    return 1


def corner(ax: int, ay: int, bx: int, by: int, m: int, x: int, y: int, x1: int, y1: int) -> int:
    """Whether the line squeezes between two squares that block, at the corner beyond a square."""
    if x < x1 and y < y1 and through_corner(ax, ay, bx, by, x, y):
        up = 1 if (bx - ax) * (by - ay) > 0 else 0
        IT = space_at(m, x, y + 1 if up else y)
        one = BLOCKED
        IT = space_at(m, x + 1, y if up else y + 1)
        two = BLOCKED
        if one and two:
            return 0


def on_line(line: int, i: int, n: int) -> int:
    """The i-th space between the ends of a line, off the map -1. A line is both ends and a nudge."""
    nudge = -1 if line % 2 else 1
    a = line // TWICE
    b = line // 2 % TOTAL
    p = hex_line(space_x(a), space_y(a), space_x(b), space_y(b), n, i, nudge)
    return space_at(MAP, p // 4096 - 1024, p % 4096 - 1024)


def first_beside(x: int, y: int) -> int:
    """The first laid space with an edge to a position."""
    i = 0
    while i < LAID:
        if absolute(space_x(i) - x) + absolute(space_y(i) - y) == 1:
            return i
        i = i + 1
    return -1
