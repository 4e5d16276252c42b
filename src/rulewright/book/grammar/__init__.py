"""Tokens -> trees: the language itself.

Whoever imports any part of it has all of it: these modules file the readers that `dispatch` hands out.
"""

from rulewright.book.grammar import (
    checks,
    choosing,
    journeys,
    moving,
    numbers,
    scoped,
    secretly,
    selectors,
    statements,
    things,
)

__all__ = [
    "checks",
    "choosing",
    "journeys",
    "moving",
    "numbers",
    "scoped",
    "secretly",
    "selectors",
    "statements",
    "things",
]
