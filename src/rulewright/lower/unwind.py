"""Leave what has been ended.

In:  functions with CHECK marks after whatever might end a sequence or the match.
Out: functions in which only the marks that can matter are left, as `if S[UNWIND]: break` or `return`.

`end Turn` deep inside an effect cannot jump: frames lie between. It notes the frame that is to end
and returns; every caller that sees the note returns as well, until the sequence itself takes it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

from rulewright.ir import nodes as n
from rulewright.ir.program import UNWIND
from rulewright.ir.walk import callers, statements, uses
from rulewright.lower.builder import Builder
from rulewright.lower.writer import CHECK, Writer, both, const, local, state


def ending(functions: dict[str, n.Function]) -> set[str]:
    """Functions after which a sequence may have been ended."""
    return callers(
        uses(functions),
        [name for name, function in functions.items() if any(map(_ends, statements(function.body)))],
    )


def _ends(statement: n.Stmt) -> bool:
    """Does it end something? What is in a local was there before, and is put back."""
    match statement:
        case n.Store(_, n.Const(slot), value):
            return slot == UNWIND and value != n.Const(0) and not isinstance(value, n.Local)
        case _:
            return False


def resolve(functions: dict[str, n.Function]) -> dict[str, n.Function]:
    """Turn marks into tests, or drop them."""
    live = ending(functions)
    return {name: replace(f, body=_block(f.body, live, False)[0]) for name, f in functions.items()}


def _block(block: n.Block, live: set[str], in_loop: bool) -> tuple[n.Block, bool]:
    made: list[n.Stmt] = []
    danger = False
    ever = False
    for statement in block:
        match statement:
            case n.Do(call=n.Call(name=name)) if name == CHECK:
                if danger:
                    leave: n.Stmt = n.Break() if in_loop else n.Return()
                    made.append(n.If(n.Load("S", n.Const(UNWIND)), (leave,), (), statement.site))
                    danger = False
            case n.If():
                then, a = _block(statement.then, live, in_loop)
                orelse, b = _block(statement.orelse, live, in_loop)
                made.append(n.If(statement.test, then, orelse, statement.site))
                danger = danger or a or b
            case n.While():
                body, a = _block(statement.body, live, True)
                made.append(n.While(statement.test, body, statement.site))
                danger = danger or a
            case n.Store() if statement.index == n.Const(UNWIND):
                made.append(statement)
                danger = statement.value != n.Const(0)
            case n.Do() | n.Assign():
                made.append(statement)
                named = statement.call if isinstance(statement, n.Do) else statement.value
                if isinstance(named, n.Call) and named.name in live:
                    danger = True
            case _:
                made.append(statement)
        ever = ever or danger
    return tuple(made), ever


@contextmanager
def spared(b: Builder, w: Writer) -> Generator[None, None, None]:
    """What is written in here runs whole though a sequence around it is being left. Of two that are to end
    then, the outer one ends."""
    left, skip = w.temp(state(UNWIND), "left"), w.temp(state(b.layout.skip), "skip")
    w.store(UNWIND, 0)
    with w.while_(const(1)):
        yield
        w.emit(n.Break())
    outer = n.Pick(state(UNWIND), n.Binary("<=", local(left), state(UNWIND)), const(1))
    with w.if_(both([local(left), outer])):
        w.store(b.layout.skip, local(skip))
        w.store(UNWIND, local(left))
