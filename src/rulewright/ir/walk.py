"""Questions every pass asks of a function: what it calls, which locals it uses, what must start at 0.

In:  nodes.
Out: names and rewritten expressions; nothing here knows what a call means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from rulewright.ir.nodes import (
    Ask,
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Const,
    Continue,
    Do,
    Expr,
    Function,
    If,
    Load,
    Local,
    Not,
    Pick,
    Return,
    Stmt,
    Store,
    While,
)


def statements(block: Block) -> list[Stmt]:
    """Every statement of a block and of the blocks inside it, in the order they are printed."""
    found: list[Stmt] = []
    _collect(block, found)
    return found


def _collect(block: Block, found: list[Stmt]) -> None:
    for stmt in block:
        found.append(stmt)
        if isinstance(stmt, If):
            _collect(stmt.then, found)
            if stmt.orelse:
                _collect(stmt.orelse, found)
        elif isinstance(stmt, While):
            _collect(stmt.body, found)
        elif isinstance(stmt, Ask):
            _collect(stmt.listing, found)


def operands(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions a statement evaluates itself, in order; not those of the blocks inside it."""
    match stmt:
        case Assign(value=value) | Return(value=value):
            return (value,)
        case Store(index=index, value=value):
            return (index, value)
        case If(test=test) | While(test=test):
            return (test,)
        case Do(call=call):
            return (call,)
        case Ask(seat=seat, prompt=prompt):
            return (seat, prompt)
        case Break() | Continue():
            return ()


def parts(expr: Expr) -> list[Expr]:
    """An expression and everything inside it, outer before inner and left before right."""
    return _opened([expr])


def _opened(waiting: list[Expr]) -> list[Expr]:
    """The expressions, the last one first, and everything inside them.

    Every pass walks every expression, so this is a plain loop: nested generators took a quarter of
    the time it takes to compile a book.
    """
    found: list[Expr] = []
    while waiting:
        part = waiting.pop()
        found.append(part)
        inside = _INSIDE[type(part)]
        if inside is not None:
            waiting += inside(part)
    return found


_INSIDE: dict[type[Expr], Callable[[Any], tuple[Expr, ...]] | None] = {
    Const: None,
    Local: None,
    Binary: attrgetter("right", "left"),
    Pick: attrgetter("no", "yes", "test"),
    Load: lambda part: (part.index,),
    Call: lambda part: part.args[::-1],
    Not: lambda part: (part.value,),
}
"""What stands inside an expression, the last one first."""


def expressions(block: Block) -> list[Expr]:
    """Every expression in a block, inner ones too."""
    waiting = [operand for stmt in statements(block) for operand in operands(stmt)]
    waiting.reverse()
    return _opened(waiting)


_called: dict[int, tuple[Block, tuple[Call, ...]]] = {}
_ROOM = 5000


def calls(block: Block) -> tuple[Call, ...]:
    """Every call in a block. A dozen passes ask this of the same code, so it is found once; a block never
    changes, and it is kept beside the answer so that no other block can come to stand in its place."""
    found = _called.get(id(block))
    if found is None:
        if len(_called) >= _ROOM:
            _called.clear()
        made = tuple([expr for expr in expressions(block) if isinstance(expr, Call)])
        found = _called[id(block)] = (block, made)
    return found[1]


def called(block: Block) -> frozenset[str]:
    """The names of everything a block calls."""
    return frozenset([call.name for call in calls(block)])


def locals_of(function: Function) -> tuple[str, ...]:
    """Parameters, then the other locals in order of appearance."""
    found = dict.fromkeys(function.params)
    for stmt in statements(function.body):
        for operand in operands(stmt):
            found.update(dict.fromkeys(p.name for p in parts(operand) if isinstance(p, Local)))
        if isinstance(stmt, Assign):
            found[stmt.local] = None
    return tuple(found)


def assigned(block: Block) -> tuple[str, ...]:
    """Locals that a block gives a value, in order of appearance."""
    return tuple(dict.fromkeys(stmt.local for stmt in statements(block) if isinstance(stmt, Assign)))


def exposed(block: Block, given: tuple[str, ...] = ()) -> frozenset[str]:
    """Locals that may be read before the block has given them a value.

    These are the ones that must come from somewhere: from 0 in a plain function, from the frame in
    a segment. A loop's body may not run at all, so what it assigns does not count after it.
    """
    found: set[str] = set()
    _flow(block, frozenset(given), found)
    return frozenset(found)


def _flow(block: Block, have: frozenset[str], found: set[str]) -> frozenset[str] | None:
    """Locals surely assigned after the block, or None if its end is never reached."""
    for stmt in block:
        for operand in operands(stmt):
            found.update(p.name for p in parts(operand) if isinstance(p, Local) and p.name not in have)
        match stmt:
            case Assign(local=local):
                have = have | {local}
            case If(then=then, orelse=orelse):
                ends = [end for branch in (then, orelse) if (end := _flow(branch, have, found)) is not None]
                if not ends:
                    return None
                have = ends[0].intersection(*ends[1:])
            case While(body=body):
                _flow(body, have, found)
            case Ask(listing=listing):
                _flow(listing, have, found)
            case Return() | Break() | Continue():
                return None
            case Store() | Do():
                pass
    return have


def rename(expr: Expr, replace: Callable[[str], Expr]) -> Expr:
    """The expression with every local replaced."""
    match expr:
        case Const():
            return expr
        case Local(name=name):
            return replace(name)
        case Load(array=array, index=index):
            return Load(array, rename(index, replace))
        case Binary(op=op, left=left, right=right):
            return Binary(op, rename(left, replace), rename(right, replace))
        case Not(value=value):
            return Not(rename(value, replace))
        case Pick(test=test, yes=yes, no=no):
            return Pick(rename(test, replace), rename(yes, replace), rename(no, replace))
        case Call(name=name, args=args):
            return Call(name, tuple(rename(arg, replace) for arg in args))


def renamed_calls(block: Block, names: Mapping[str, str]) -> Block:
    """The block with calls of some functions turned into calls of others."""

    def expr(e: Expr) -> Expr:
        match e:
            case Const() | Local():
                return e
            case Load(array=array, index=index):
                return Load(array, expr(index))
            case Binary(op=op, left=left, right=right):
                return Binary(op, expr(left), expr(right))
            case Not(value=value):
                return Not(expr(value))
            case Pick(test=test, yes=yes, no=no):
                return Pick(expr(test), expr(yes), expr(no))
            case Call():
                return call(e)

    def call(e: Call) -> Call:
        return Call(names.get(e.name, e.name), tuple(expr(arg) for arg in e.args))

    def stmt(s: Stmt) -> Stmt:
        match s:
            case Assign(local=local, value=value):
                return Assign(local, expr(value), s.site)
            case Store(array=array, index=index, value=value):
                return Store(array, expr(index), expr(value), s.site)
            case If(test=test, then=then, orelse=orelse):
                return If(expr(test), inner(then), inner(orelse), s.site)
            case While(test=test, body=body):
                return While(expr(test), inner(body), s.site)
            case Return(value=value):
                return Return(expr(value), s.site)
            case Do(call=made):
                return Do(call(made), s.site)
            case Ask(listing=listing, seat=seat, prompt=prompt):
                return Ask(inner(listing), expr(seat), expr(prompt), s.site)
            case Break() | Continue():
                return s

    def inner(stmts: Block) -> Block:
        return tuple(stmt(s) for s in stmts)

    return inner(block)
