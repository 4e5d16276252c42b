"""Kernels for space: distances, directions, sides and lines on integer lattices.

In:  coordinates. Hexes are axial, with steps N (0,-1), NE (1,0), SE (1,1), S (0,1), SW (-1,0), NW (-1,-1).
Out: see each function. No map is known here: lowering passes coordinates in and looks spaces up.
"""

from __future__ import annotations

from rulewright.ir.kernels_numbers import absolute, maximum, minimum


def hex_steps(dx: int, dy: int) -> int:
    """Steps between two hexes."""
    return maximum(maximum(absolute(dx), absolute(dy)), absolute(dx - dy))


def square_steps(dx: int, dy: int) -> int:
    """Steps between two squares when diagonal steps count one."""
    return maximum(absolute(dx), absolute(dy))


def square_rows(dx: int, dy: int) -> int:
    """Rows and columns between two squares."""
    return absolute(dx) + absolute(dy)


def square_halves(dx: int, dy: int) -> int:
    """Diagonals count three halves, rounded up once; a neighbour is at 1."""
    low = minimum(absolute(dx), absolute(dy))
    high = maximum(absolute(dx), absolute(dy))
    if high <= 1:
        return high
    return high - low + (3 * low + 1) // 2


def hex_score(dx: int, dy: int, direction: int) -> int:
    """How much a vector points in a direction (a scaled dot product)."""
    if direction == 0:
        return dx - 2 * dy
    if direction == 1:
        return 2 * dx - dy
    if direction == 2:
        return dx + dy
    if direction == 3:
        return 2 * dy - dx
    if direction == 4:
        return dy - 2 * dx
    return 0 - dx - dy


def hex_direction(dx: int, dy: int) -> int:
    """The direction a vector points in most; on a border the one that comes first clockwise from N."""
    best = 0
    i = 1
    while i < 6:
        if hex_score(dx, dy, i) > hex_score(dx, dy, best):
            best = i
        i += 1
    return best


def hex_side(dx: int, dy: int, facing: int) -> int:
    """The side (1 front, clockwise to 6) on which a vector leaves; borders go to the front."""
    best = -1
    found = 0
    rank = 9
    i = 0
    while i < 6:
        score = hex_score(dx, dy, i)
        side = (i - facing) % 6
        front = minimum(side, 6 - side)
        if (best < 0) | (score > found) | ((score == found) & (front < rank)):
            best = side
            found = score
            rank = front
        i += 1
    return best + 1


def square_direction(dx: int, dy: int) -> int:
    """Diagonal when both differ equally, else along the larger difference; N, NE, E .. NW."""
    a = absolute(dx)
    b = absolute(dy)
    if a == b:
        if dx > 0:
            return 1 if dy > 0 else 3
        return 7 if dy > 0 else 5
    if b > a:
        return 0 if dy > 0 else 4
    return 2 if dx > 0 else 6


def rounded(value: int, unit: int) -> int:
    """value / unit to the nearest whole number (the nudge keeps it off the middle)."""
    return (2 * value + unit) // (2 * unit)


def hex_line(ax: int, ay: int, bx: int, by: int, count: int, i: int, nudge: int) -> int:
    """Both, packed. Cube coordinates (x, -y, y - x) are interpolated exactly, in units of 1/(count*1000)."""
    unit = count * 1000
    u = (ax * (count - i) + bx * i) * 1000 + nudge
    v = (0 - ay * (count - i) - by * i) * 1000 + 2 * nudge
    w = 0 - u - v
    p = rounded(u, unit)
    q = rounded(v, unit)
    r = rounded(w, unit)
    du = absolute(p * unit - u)
    dv = absolute(q * unit - v)
    dw = absolute(r * unit - w)
    if (du > dv) & (du > dw):
        p = 0 - q - r
    elif dv > dw:
        q = 0 - p - r
    return (p + 1024) * 4096 + 1024 - q


def crosses(ax: int, ay: int, bx: int, by: int, x: int, y: int) -> int:
    """Does the segment between two centres run through the inside of the square at (x, y)?"""
    dx = bx - ax
    dy = by - ay
    base = 2 * (dx * (y - ay) - dy * (x - ax))
    low = base - absolute(dx) - absolute(dy)
    high = base + absolute(dx) + absolute(dy)
    return (low < 0) & (high > 0)


def through_corner(ax: int, ay: int, bx: int, by: int, x: int, y: int) -> int:
    """Does it pass exactly through the corner at (x + 1/2, y + 1/2)?"""
    return (bx - ax) * (2 * (y - ay) + 1) == (by - ay) * (2 * (x - ax) + 1)


def path_length(path: int) -> int:
    """Steps of a path: 3 bits a step under a leading 1, so that 64 bits hold twenty."""
    n = 0
    while path > 1:
        path = path // 8
        n += 1
    return n


def path_step(path: int, i: int) -> int:
    """The direction of the i-th step."""
    n = path_length(path) - 1
    while n > i:
        path = path // 8
        n -= 1
    return path % 8


def path_rank(path: int) -> int:
    """A number that orders paths step by step; of equal ones the shorter comes first."""
    n = path_length(path)
    while n < 20:
        path = path * 8
        n += 1
    return path


def path_before(path: int, other: int) -> int:
    """Does a path come before another? Step by step, a path before those that go on from it."""
    a = path_rank(path)
    b = path_rank(other)
    if a == b:
        return path < other
    return a < b


def bearing(dx: int, dy: int) -> int:
    """Orders directions clockwise from north, finer than eight of them."""
    a = absolute(dx)
    b = absolute(dy)
    if (a == 0) & (b == 0):
        return 0
    if (dx >= 0) & (dy > 0):
        return a * 10000 // (a + b)
    if (dx > 0) & (dy <= 0):
        return 10000 + b * 10000 // (a + b)
    if (dx <= 0) & (dy < 0):
        return 20000 + a * 10000 // (a + b)
    return 30000 + b * 10000 // (a + b)
