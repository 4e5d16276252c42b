"""Which code changes nothing.

In:  functions.
Out: the names of those that only look: no slot, no work memory, no chance, no option, no event, no fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from rulewright.ir.nodes import INTRINSICS, SEEKS, Call, Expr, Function, Store
from rulewright.ir.walk import callers, parts, statements, uses

LOOKS = frozenset(("nopt", "option", *SEEKS))
"""Instructions that change nothing."""


def harmless(functions: Mapping[str, Function]) -> frozenset[str]:
    """Functions that only look, and call only such."""
    acts = {
        name
        for name, function in functions.items()
        if any(isinstance(stmt, Store) for stmt in statements(function.body))
    }
    made = uses(functions)
    acts |= {name for name, called in made.items() if any(c in INTRINSICS and c not in LOOKS for c in called)}
    return frozenset(functions) - callers(made, acts)


def is_harmless(expr: Expr, pure: Set[str]) -> bool:
    """Does it only look?"""
    return all(part.name in pure or part.name in LOOKS for part in parts(expr) if isinstance(part, Call))
