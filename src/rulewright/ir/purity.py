"""Which code changes nothing.

In:  functions.
Out: the names of those that only look: no slot, no work memory, no chance, no option, no event, no fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from rulewright.ir.nodes import INTRINSICS, SEEKS, Call, Expr, Function, Store
from rulewright.ir.walk import calls, parts, statements

LOOKS = frozenset(("nopt", "option", *SEEKS))
"""Instructions that change nothing."""


def harmless(functions: Mapping[str, Function]) -> frozenset[str]:
    """Functions that only look, and call only such."""
    acts = {
        name
        for name, function in functions.items()
        if any(isinstance(stmt, Store) for stmt in statements(function.body))
    }
    made = {name: {call.name for call in calls(function.body)} for name, function in functions.items()}
    acts |= {name for name, called in made.items() if any(c in INTRINSICS and c not in LOOKS for c in called)}
    callers: dict[str, list[str]] = {}
    for name, called in made.items():
        for other in called:
            callers.setdefault(other, []).append(name)
    waiting = list(acts)
    while waiting:
        for caller in callers.get(waiting.pop(), ()):
            if caller not in acts:
                acts.add(caller)
                waiting.append(caller)
    return frozenset(functions) - acts


def is_harmless(expr: Expr, pure: Set[str]) -> bool:
    """Does it only look?"""
    return all(part.name in pure or part.name in LOOKS for part in parts(expr) if isinstance(part, Call))
