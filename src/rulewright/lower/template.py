"""Algorithms in the Python subset, with holes -> statements of a function.

In:  a function of `lower.templates`, and what goes into its holes.
Out: its statements, written where the writer stands.

A hole is a name in capitals. As a name it is a number, an expression or another local; as a function the
name of one; as a statement of its own (`KEEP()`) whatever a Python function writes there. An expression may
be made when its place is reached, so that what it needs is written before it. `if HOLE:` goes when the hole
is 0. Names in small letters are locals of the function that is being written.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from types import ModuleType

from rulewright.ir import nodes as n
from rulewright.ir import reader
from rulewright.ir.walk import inside, rebuilt
from rulewright.lower.builder import Builder
from rulewright.lower.writer import Writer, const, local

Hole = int | str | n.Expr | Callable[[], n.Expr | None]


@cache
def _bodies(module: ModuleType) -> dict[str, n.Block]:
    return {made.name: made.body for made, _ in reader.functions(inspect.getsource(module))}


def fill(w: Writer, template: Callable[..., object], holes: dict[str, Hole]) -> None:
    """Write the template's statements."""
    module = inspect.getmodule(template)
    assert module is not None
    _Filling(w, holes).block(_bodies(module)[template.__name__])


def define(b: Builder, name: str, template: Callable[..., object], holes: dict[str, Hole]) -> None:
    """A function of its own, with the template's parameters."""
    with b.function(name, tuple(inspect.signature(template).parameters)) as w:
        fill(w, template, holes)


class _Filling:
    def __init__(self, w: Writer, holes: dict[str, Hole]) -> None:
        self.w, self.holes = w, holes

    def block(self, body: n.Block) -> None:
        for statement in body:
            self.statement(statement)

    def nested(self, body: n.Block) -> n.Block:
        with self.w.nested() as made:
            self.block(body)
        return tuple(made)

    def statement(self, statement: n.Stmt) -> None:
        w = self.w
        match statement:
            case n.Assign(name, value):
                w.assign(self.name(name), self.value(value))
            case n.If(test, then, orelse):
                made = self.value(test)
                if made != const(0) or orelse:
                    w.emit(n.If(made, self.nested(then), self.nested(orelse), w.site))
            case n.Do(n.Call(name, ())) if callable(write := self.holes.get(name)):
                write()
            case _:
                w.emit(replace(rebuilt(statement, self.value, self.nested), site=w.site))

    def name(self, name: str) -> str:
        found = self.holes.get(name, name)
        assert isinstance(found, str), f"{name} is no local"
        return found

    def local(self, name: str) -> n.Expr:
        found = self.holes.get(name, name)
        assert found is not name or not name.isupper(), f"{name} is not filled"
        if callable(found):
            found = found()
            assert found is not None, f"{name} gives nothing"
        return const(found) if isinstance(found, int) else local(found) if isinstance(found, str) else found

    def value(self, node: n.Expr) -> n.Expr:
        match node:
            case n.Local(name):
                return self.local(name)
            case n.Binary("+", left, right):
                return self.value(left) + self.value(right)
            case n.Call(name, args):
                return n.Call(self.name(name), tuple(map(self.value, args)))
            case _:
                return inside(node, self.value)
