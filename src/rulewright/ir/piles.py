"""Walks through piles that nothing changes meanwhile.

In:  functions and segments.
Out: the same; a walk through a pile whose body only looks, or offers options, asks for the pile's size once.

Lowering writes such a walk so that its body may take cards away: `i = minimum(i, S[z])`, and `break` when
nothing is left, in every round. Most walks count or list.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from rulewright.ir.nodes import (
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Const,
    Function,
    If,
    Load,
    Local,
    Stmt,
    Store,
    While,
)
from rulewright.ir.purity import LOOKS
from rulewright.ir.walk import calls, statements

OFFERS = frozenset(("opt",))


def settled(function: Function, pure: Set[str]) -> Function:
    """Rewrite every such walk of a function."""
    body = _block(function.body, pure)
    return function if body == function.body else replace(function, body=body)


def _block(body: Block, pure: Set[str]) -> Block:
    return tuple(_stmt(stmt, pure) for stmt in body)


def _stmt(stmt: Stmt, pure: Set[str]) -> Stmt:
    match stmt:
        case If(test, then, orelse):
            return If(test, _block(then, pure), _block(orelse, pure), stmt.site)
        case While(test, body):
            body = _block(body, pure)
            if _is_walk(stmt) and only_looks(body[2:], pure):
                body = body[2:]
            return While(test, body, stmt.site)
        case _:
            return stmt


def _is_walk(loop: While) -> bool:
    match loop.test, loop.body[:2]:
        case (
            Binary(">", Local(a), Const(0)),
            (
                Assign(b, Call("minimum", (Local(c), Load("S", Local(z))))),
                If(Binary("<=", Local(d), Const(0)), (Break(),), ()),
            ),
        ):
            changed = {stmt.local for stmt in statements(loop.body) if isinstance(stmt, Assign)}
            return a == b == c == d and z not in changed
        case _:
            return False


def only_looks(body: Block, pure: Set[str]) -> bool:
    """Does it change nothing but what is offered?"""
    allowed = pure | LOOKS | OFFERS
    return not any(isinstance(stmt, Store) for stmt in statements(body)) and all(
        call.name in allowed for call in calls(body)
    )
