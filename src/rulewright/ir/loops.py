"""Which loops cannot run away, as their shape shows.

In:  a loop and the statement before it.
Out: whether it goes round at all (`repeats`), and how often at most if that is plain (`most_rounds`).

Lowering writes two loops over and over: `while 1` with a `break` at the end, as a block one can leave
from inside, and the walk over a known number of things; and frames are cleared with a third. What their
rounds may cost is known beforehand (see `budget`).
"""

from __future__ import annotations

from rulewright.ir.nodes import (
    SEEKS,
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Const,
    Continue,
    Expr,
    If,
    Local,
    Return,
    Stmt,
    Store,
    While,
)
from rulewright.ir.walk import statements


def repeats(body: Block) -> bool:
    """Can control reach the loop's test a second time?"""
    return not _leaves(body) or _continues(body)


def _leaves(body: Block) -> bool:
    """Does the block never reach its end?"""
    match body:
        case (*_, Break() | Return() | Continue()):
            return True
        case (*_, If(_, then, orelse)):
            return _leaves(then) and _leaves(orelse)
        case _:
            return False


def _continues(body: Block) -> bool:
    """Is there a Continue for this loop, not for one inside it?"""
    for node in body:
        match node:
            case Continue():
                return True
            case If(_, then, orelse):
                if _continues(then) or _continues(orelse):
                    return True
            case _:
                pass
    return False


def most_rounds(before: Stmt | None, loop: While) -> int | None:
    """The rounds of a walk from a number to a number: `i = 0`, then `while i < 9` or `while i + 1 < 9`, in
    which `i` grows once in each round and changes nowhere else."""
    match before:
        case Assign(counter, Const(first)):
            pass
        case _:
            return None
    match loop.test:
        case Binary("<" | "<=", Local(name), Const(last)) if name == counter:
            pass
        case Binary("<" | "<=", Binary("+", Local(name), Const(more)), Const(last)) if name == counter:
            last -= more
        case _:
            return None
    changes = [node for node in statements(loop.body) if isinstance(node, Assign) and node.local == counter]
    if len(changes) != 1 or not _grows(changes[0].value, counter):
        return None
    # First in the body, or last in a body that cannot skip it.
    steady = loop.body[0] is changes[0] or (loop.body[-1] is changes[0] and not _continues(loop.body))
    return max(0, last - first + 1) if steady else None


def is_sweep(loop: While) -> bool:
    """A loop that does nothing but write one cell after the other: the array's end stops it."""
    match loop.test:
        case Binary("<" | "<=", Local(counter), _):
            pass
        case _:
            return False
    match loop.body:
        case (Store(_, Local(place), value), Assign(local, step)) if place == local == counter:
            return _grows(step, counter) and isinstance(value, Const | Local)
        case _:
            return False


def _grows(value: Expr, counter: str) -> bool:
    match value:
        case Binary("+", Local(name), Const(step)):
            return name == counter and step >= 1
        case Call(name, (_, first, *_)) if name in SEEKS:
            return _grows(first, counter)
        case _:
            return False
