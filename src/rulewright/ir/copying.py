"""Which functions may be copied into their callers, so that the copies stay within a budget.

In:  functions, how large each is, and which of them call themselves.
Out: the names of those that are copied.

A small function that calls another small one twice is small, and its copy is not: twelve such in a row are
four thousand copies. So what counts is how large a function is once everything copied into it has been.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rulewright.ir.nodes import Function
from rulewright.ir.walk import calls

GROWTH = 12
"""How many times the limit a copy may be large, with all copies in it. Of the 1,566 small functions of six
large books one is beyond it; at 4 it would be sixteen."""


def copied(
    functions: Mapping[str, Function], sizes: Mapping[str, int], recursive: Collection[str], limit: int
) -> set[str]:
    """Functions of at most `limit` nodes by themselves, and of at most GROWTH times that as copies."""
    made = {name: [c.name for c in calls(f.body) if c.name in functions] for name, f in functions.items()}
    whole: dict[str, int] = {}
    found: set[str] = set()
    for name in called_first(made):
        whole[name] = sizes[name] + sum(whole[other] for other in made[name] if other in found)
        if sizes[name] <= limit and whole[name] <= GROWTH * limit and name not in recursive:
            found.add(name)
    return found


def grown(
    functions: Mapping[str, Function], sizes: Mapping[str, int], small: Collection[str]
) -> dict[str, int]:
    """How large each function is with everything that is copied into it."""
    made = {name: [c.name for c in calls(f.body) if c.name in small] for name, f in functions.items()}
    whole: dict[str, int] = {}
    for name in called_first({name: made.get(name, []) for name in functions}):
        whole[name] = sizes[name] + sum(whole[other] for other in made[name])
    return whole


def called_first(made: Mapping[str, list[str]]) -> list[str]:
    """Every function after those that it calls, circles aside."""
    order: dict[str, None] = {}
    entered: set[str] = set()
    for root in made:
        waiting = [root]
        while waiting:
            name = waiting[-1]
            ahead = [other for other in made[name] if other not in entered] if name not in entered else []
            entered.add(name)
            if ahead:
                waiting += dict.fromkeys(reversed(ahead))
            else:
                order.setdefault(waiting.pop())
    return list(order)
