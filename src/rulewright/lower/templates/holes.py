"""The names that templates use for what is filled in, so that editors and type checkers understand them.

In:  nothing.
Out: stand-ins only; see `lower.template`.
"""

from __future__ import annotations

COSTS = MARKS = WAITING = PAID = PATHS = LAST = STEP = STEPS = DIRECTIONS = FAR = 0
"""Rows of work memory with a cell for each space, the last place of the ring, and sizes of the map."""
MOST = LEAST = NEXT = LINE = PATH = DIRECTION = HERE = AT = SPENT = TAKEN = MAY_STAY = IT = BETTER = 0
ENOUGH = SHUT = BARRED = PRICE = TOO_DEAR = ENDS = 0
"""Of paths: locals and expressions."""
FROM = TO = MAP = BLOCKED = TWICE = TOTAL = LAID = BESIDE = 0
"""Of lines."""
ORDER = FIRST = BEFORE = GROUPS = ROLLS = WHO = SAME = ROLL = 0
"""Of orders."""


def METRIC(dx: int, dy: int) -> int:
    """How a map measures."""
    raise NotImplementedError


def STEP_COST(self: int, at: int, to: int) -> int:
    """What a step costs, -1 when it is not allowed."""
    raise NotImplementedError


def MAY_END(self: int, to: int) -> int:
    """Whether one may end there."""
    raise NotImplementedError


def CAN_END(self: int, at: int, spent: int, most: int, steps: int) -> int:
    """Whether a path that has come this far can still end well."""
    raise NotImplementedError


def space_near(a: int, d: int) -> int:
    """The next space in a direction, or -1; see `lower.spaces`."""
    raise NotImplementedError


def space_x(a: int) -> int:
    """A coordinate of a space; see `lower.spaces`."""
    raise NotImplementedError


def space_y(a: int) -> int:
    """The other one."""
    raise NotImplementedError


def space_at(m: int, x: int, y: int) -> int:
    """The space of a map at coordinates, or -1."""
    raise NotImplementedError


def _statements() -> int:
    raise NotImplementedError


MINE = THEIRS = CORNER = CLEAR = ENTER = LEAVE = KEYS = KEEP = OFFER = STOP = _statements
