"""Which loops cannot run away, as their shape shows.

In:  a loop and the statement before it.
Out: whether it goes round at all (`repeats`), and how often at most if that is plain (`most_rounds`).

Lowering writes two loops over and over: `while 1` with a `break` at the end, as a block one can leave
from inside, and the walk over a known number of things; and frames are cleared with a third. What their
rounds may cost is known beforehand (see `budget`).
"""

from __future__ import annotations

from rulewright.ir import nodes as n
from rulewright.ir.walk import statements


def repeats(body: n.Block) -> bool:
    """Can control reach the loop's test a second time?"""
    return not _leaves(body) or _continues(body)


def _leaves(body: n.Block) -> bool:
    """Does the block never reach its end?"""
    match body:
        case (*_, n.Break() | n.Return() | n.Continue()):
            return True
        case (*_, n.If(_, then, orelse)):
            return _leaves(then) and _leaves(orelse)
        case _:
            return False


def _continues(body: n.Block) -> bool:
    """Is there a Continue for this loop, not for one inside it?"""
    for node in body:
        match node:
            case n.Continue():
                return True
            case n.If(_, then, orelse):
                if _continues(then) or _continues(orelse):
                    return True
            case _:
                pass
    return False


def most_rounds(before: n.Stmt | None, loop: n.While) -> int | None:
    """The rounds of a walk from a number to a number: `i = 0`, then `while i < 9` or `while i + 1 < 9`, in
    which `i` grows once in each round and changes nowhere else."""
    match before:
        case n.Assign(counter, n.Const(first)):
            pass
        case _:
            return None
    match loop.test:
        case n.Binary("<" | "<=", n.Local(name), n.Const(last)) if name == counter:
            pass
        case n.Binary("<" | "<=", n.Binary("+", n.Local(name), n.Const(more)), n.Const(last)) if (
            name == counter
        ):
            last -= more
        case _:
            return None
    changes = [node for node in statements(loop.body) if isinstance(node, n.Assign) and node.local == counter]
    if len(changes) != 1 or not _grows(changes[0].value, counter):
        return None
    # First in the body, or last in a body that cannot skip it.
    steady = loop.body[0] is changes[0] or (loop.body[-1] is changes[0] and not _continues(loop.body))
    return max(0, last - first + 1) if steady else None


def is_sweep(loop: n.While) -> bool:
    """A loop that does nothing but write one cell after the other: the array's end stops it."""
    match loop.test:
        case n.Binary("<" | "<=", n.Local(counter), _):
            pass
        case _:
            return False
    match loop.body:
        case (n.Store(_, n.Local(place), value), n.Assign(local, step)) if place == local == counter:
            return _grows(step, counter) and isinstance(value, n.Const | n.Local)
        case _:
            return False


def _grows(value: n.Expr, counter: str) -> bool:
    match value:
        case n.Binary("+", n.Local(name), n.Const(step)):
            return name == counter and step >= 1
        case n.Call(name, (_, first, *_)) if name in n.SEEKS:
            return _grows(first, counter)
        case _:
            return False
