"""Questions every pass asks of a function: what it calls, which locals it uses, what must start at 0.

In:  nodes.
Out: names and rewritten expressions; nothing here knows what a call means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, TypeAlias

from rulewright.ir import nodes as n


def statements(block: n.Block) -> list[n.Stmt]:
    """Every statement of a block and of the blocks inside it, in the order they are printed."""
    found: list[n.Stmt] = []
    _collect(block, found)
    return found


def _collect(block: n.Block, found: list[n.Stmt]) -> None:
    for stmt in block:
        found.append(stmt)
        if isinstance(stmt, n.If):
            _collect(stmt.then, found)
            if stmt.orelse:
                _collect(stmt.orelse, found)
        elif isinstance(stmt, n.While):
            _collect(stmt.body, found)
        elif isinstance(stmt, n.Ask):
            _collect(stmt.listing, found)


def operands(stmt: n.Stmt) -> tuple[n.Expr, ...]:
    """The expressions a statement evaluates itself, in order; not those of the blocks inside it."""
    match stmt:
        case n.Assign(value=value) | n.Return(value=value):
            return (value,)
        case n.Store(index=index, value=value):
            return (index, value)
        case n.If(test=test) | n.While(test=test):
            return (test,)
        case n.Do(call=call):
            return (call,)
        case n.Ask(seat=seat, prompt=prompt):
            return (seat, prompt)
        case n.Break() | n.Continue():
            return ()


def parts(expr: n.Expr) -> list[n.Expr]:
    """An expression and everything inside it, outer before inner and left before right."""
    return _opened([expr])


def _opened(waiting: list[n.Expr]) -> list[n.Expr]:
    """The expressions, the last one first, and everything inside them.

    Every pass walks every expression, so this is a plain loop: nested generators took a quarter of
    the time it takes to compile a book.
    """
    found: list[n.Expr] = []
    while waiting:
        part = waiting.pop()
        found.append(part)
        inside = _INSIDE[type(part)]
        if inside is not None:
            waiting += inside(part)
    return found


_INSIDE: dict[type[n.Expr], Callable[[Any], tuple[n.Expr, ...]] | None] = {
    n.Const: None,
    n.Local: None,
    n.Binary: attrgetter("right", "left"),
    n.Pick: attrgetter("no", "yes", "test"),
    n.Load: lambda part: (part.index,),
    n.Call: lambda part: part.args[::-1],
    n.Not: lambda part: (part.value,),
}
"""What stands inside an expression, the last one first."""


def expressions(block: n.Block) -> list[n.Expr]:
    """Every expression in a block, inner ones too."""
    waiting = [operand for stmt in statements(block) for operand in operands(stmt)]
    waiting.reverse()
    return _opened(waiting)


_called: dict[int, tuple[n.Block, tuple[n.Call, ...]]] = {}
_ROOM = 5000


def calls(block: n.Block) -> tuple[n.Call, ...]:
    """Every call in a block. A dozen passes ask this of the same code, so it is found once; a block never
    changes, and it is kept beside the answer so that no other block can come to stand in its place."""
    found = _called.get(id(block))
    if found is None:
        if len(_called) >= _ROOM:
            _called.clear()
        made = tuple([expr for expr in expressions(block) if isinstance(expr, n.Call)])
        found = _called[id(block)] = (block, made)
    return found[1]


def called(block: n.Block) -> frozenset[str]:
    """The names of everything a block calls."""
    return frozenset([call.name for call in calls(block)])


Uses: TypeAlias = Mapping[str, frozenset[str]]
"""What each function calls."""


def uses(functions: Mapping[str, n.Function]) -> Uses:
    """Found once for all that is asked of it: it means walking all the code."""
    return {name: called(function.body) for name, function in functions.items()}


def callers(known: Uses, found: Iterable[str]) -> set[str]:
    """The names given, and every function that calls one of them, directly or through others."""
    by: dict[str, list[str]] = {}
    for name, made in known.items():
        for other in made:
            by.setdefault(other, []).append(name)
    reached = set(found)
    waiting = [*reached]
    while waiting:
        more = [name for name in by.get(waiting.pop(), ()) if name not in reached]
        reached.update(more)
        waiting += more
    return reached


def locals_of(function: n.Function) -> tuple[str, ...]:
    """Parameters, then the other locals in order of appearance."""
    found = dict.fromkeys(function.params)
    for stmt in statements(function.body):
        for operand in operands(stmt):
            found.update(dict.fromkeys(p.name for p in parts(operand) if isinstance(p, n.Local)))
        if isinstance(stmt, n.Assign):
            found[stmt.local] = None
    return tuple(found)


def assigned(block: n.Block) -> tuple[str, ...]:
    """Locals that a block gives a value, in order of appearance."""
    return tuple(dict.fromkeys(stmt.local for stmt in statements(block) if isinstance(stmt, n.Assign)))


def exposed(block: n.Block, given: tuple[str, ...] = ()) -> frozenset[str]:
    """Locals that may be read before the block has given them a value.

    These are the ones that must come from somewhere: from 0 in a plain function, from the frame in
    a segment. A loop's body may not run at all, so what it assigns does not count after it.
    """
    found: set[str] = set()
    _flow(block, frozenset(given), found)
    return frozenset(found)


def _flow(block: n.Block, have: frozenset[str], found: set[str]) -> frozenset[str] | None:
    """Locals surely assigned after the block, or None if its end is never reached."""
    for stmt in block:
        for operand in operands(stmt):
            found.update(p.name for p in parts(operand) if isinstance(p, n.Local) and p.name not in have)
        match stmt:
            case n.Assign(local=local):
                have = have | {local}
            case n.If(then=then, orelse=orelse):
                ends = [end for branch in (then, orelse) if (end := _flow(branch, have, found)) is not None]
                if not ends:
                    return None
                have = ends[0].intersection(*ends[1:])
            case n.While(body=body):
                _flow(body, have, found)
            case n.Ask(listing=listing):
                _flow(listing, have, found)
            case n.Return() | n.Break() | n.Continue():
                return None
            case n.Store() | n.Do():
                pass
    return have


def inside(expr: n.Expr, change: Callable[[n.Expr], n.Expr]) -> n.Expr:
    """The expression with what stands directly in it changed, left before right."""
    match expr:
        case n.Const() | n.Local():
            return expr
        case n.Load(array, index):
            return n.Load(array, change(index))
        case n.Binary(op, left, right):
            return n.Binary(op, change(left), change(right))
        case n.Not(value):
            return n.Not(change(value))
        case n.Pick(test, yes, no):
            return n.Pick(change(test), change(yes), change(no))
        case n.Call(name, args):
            return n.Call(name, tuple([change(arg) for arg in args]))


def rebuilt(stmt: n.Stmt, expr: Callable[[n.Expr], n.Expr], block: Callable[[n.Block], n.Block]) -> n.Stmt:
    """The statement with its expressions and the blocks inside it changed, in the order they stand in."""
    match stmt:
        case n.Assign(local, value, site):
            return n.Assign(local, expr(value), site)
        case n.Store(array, index, value, site):
            return n.Store(array, expr(index), expr(value), site)
        case n.If(test, then, orelse, site):
            return n.If(expr(test), block(then), block(orelse), site)
        case n.While(test, body, site):
            return n.While(expr(test), block(body), site)
        case n.Return(value, site):
            return n.Return(expr(value), site)
        case n.Do(call, site):
            made = expr(call)
            assert isinstance(made, n.Call)
            return n.Do(made, site)
        case n.Ask(listing, seat, prompt, site):
            return n.Ask(block(listing), expr(seat), expr(prompt), site)
        case n.Break() | n.Continue():
            return stmt


def with_blocks(stmt: n.Stmt, block: Callable[[n.Block], n.Block]) -> n.Stmt:
    """The statement with the blocks inside it changed."""
    return rebuilt(stmt, _same, block) if isinstance(stmt, n.If | n.While | n.Ask) else stmt


def _same(expr: n.Expr) -> n.Expr:
    return expr


def rename(expr: n.Expr, replace: Callable[[str], n.Expr]) -> n.Expr:
    """The expression with every local replaced."""

    def change(part: n.Expr) -> n.Expr:
        return replace(part.name) if isinstance(part, n.Local) else inside(part, change)

    return change(expr)


def renamed_calls(block: n.Block, names: Mapping[str, str]) -> n.Block:
    """The block with calls of some functions turned into calls of others."""

    def expr(part: n.Expr) -> n.Expr:
        made = inside(part, expr)
        return n.Call(names.get(made.name, made.name), made.args) if isinstance(made, n.Call) else made

    def body(stmts: n.Block) -> n.Block:
        return tuple([rebuilt(stmt, expr, body) for stmt in stmts])

    return body(block)
