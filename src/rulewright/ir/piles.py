"""Walks through piles that nothing changes meanwhile.

In:  functions and segments.
Out: the same; a walk through a pile whose body only looks, or offers options, asks for the pile's size once.

Lowering writes such a walk so that its body may take cards away: `i = minimum(i, S[z])`, and `break` when
nothing is left, in every round. Most walks count or list.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from rulewright.ir import nodes as n
from rulewright.ir.purity import LOOKS
from rulewright.ir.walk import calls, statements, with_blocks

OFFERS = frozenset(("opt",))


def settled(function: n.Function, pure: Set[str]) -> n.Function:
    """Rewrite every such walk of a function."""
    body = _block(function.body, pure)
    return function if body == function.body else replace(function, body=body)


def _block(body: n.Block, pure: Set[str]) -> n.Block:
    return tuple(_stmt(stmt, pure) for stmt in body)


def _stmt(stmt: n.Stmt, pure: Set[str]) -> n.Stmt:
    made = with_blocks(stmt, lambda body: _block(body, pure))
    if isinstance(made, n.While) and _is_walk(made) and only_looks(made.body[2:], pure):
        return replace(made, body=made.body[2:])
    return made


def _is_walk(loop: n.While) -> bool:
    match loop.test, loop.body[:2]:
        case (
            n.Binary(">", n.Local(a), n.Const(0)),
            (
                n.Assign(b, n.Call("minimum", (n.Local(c), n.Load("S", n.Local(z))))),
                n.If(n.Binary("<=", n.Local(d), n.Const(0)), (n.Break(),), ()),
            ),
        ):
            changed = {stmt.local for stmt in statements(loop.body) if isinstance(stmt, n.Assign)}
            return a == b == c == d and z not in changed
        case _:
            return False


def only_looks(body: n.Block, pure: Set[str]) -> bool:
    """Does it change nothing but what is offered?"""
    allowed = pure | LOOKS | OFFERS
    return not any(isinstance(stmt, n.Store) for stmt in statements(body)) and all(
        call.name in allowed for call in calls(body)
    )
