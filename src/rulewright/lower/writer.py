"""A function under construction.

In:  calls from lowering, statement by statement.
Out: one ir Function. Free locals of a closure become its parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rulewright.ir import nodes as n
from rulewright.ir.walk import assigned, expressions

CHECK = "check_unwind"
"""Marks where an ended sequence or match may have to be left; unwind.py makes the real test of it."""


def const(value: int) -> n.Const:
    """A literal."""
    return n.Const(value)


def local(name: str) -> n.Local:
    """A variable."""
    return n.Local(name)


def state(index: n.Expr | int) -> n.Load:
    """A cell of the state."""
    return n.Load("S", code(index))


def consts(index: n.Expr | int) -> n.Load:
    """A cell of the constants."""
    return n.Load("K", code(index))


def param(index: n.Expr | int) -> n.Load:
    """A cell of the parameters."""
    return n.Load("P", code(index))


def mul(a: n.Expr, b: int) -> n.Expr:
    """a * b for a known b."""
    if isinstance(a, n.Const):
        return const(a.value * b)
    return a if b == 1 else n.Binary("*", a, const(b))


def code(value: n.Expr | int) -> n.Expr:
    """A whole number stands for itself."""
    return n.Const(value) if isinstance(value, int) else value


def call(name: str, *args: n.Expr | int) -> n.Call:
    """What a function gives."""
    return n.Call(name, tuple(map(code, args)))


def equal(a: n.Expr, b: n.Expr | int) -> n.Expr:
    """a == b"""
    return n.Binary("==", a, code(b))


def differ(a: n.Expr, b: n.Expr | int) -> n.Expr:
    """a != b"""
    return n.Binary("!=", a, code(b))


def present(e: n.Expr) -> n.Expr:
    """Is there such a thing? None is -1."""
    return e >= 0


def absent(e: n.Expr) -> n.Expr:
    """Is there none?"""
    return e < 0


def both(parts: list[n.Expr]) -> n.Expr:
    """All of them, each evaluated only while the ones before hold: for pure tests."""
    if not parts:
        return const(1)
    made = parts[-1]
    for part in reversed(parts[:-1]):
        made = n.Pick(part, made, const(0))
    return made


class Writer:
    """Statements of one function, with nested blocks."""

    def __init__(
        self, name: str, params: tuple[str, ...], framed: bool, keeps: tuple[str, ...], temps: Iterator[int]
    ) -> None:
        self.name = name
        self.params = params
        self.framed = framed
        self.keeps = keeps
        self.secrets: dict[str, tuple[n.Expr, n.Expr, n.Expr, n.Expr]] = {}
        """Locals that got a secret, with what is said of each: see `ir.hiding`."""
        self.temps = temps
        self.blocks: list[list[n.Stmt]] = [[]]
        self.site = 0
        self.action: Any = None
        """The action that this function does, if it is that of one."""
        self.after: Sequence[Any] = ()
        self.kept = False
        """What stands behind the statement being lowered, in its block."""

    def emit(self, statement: n.Stmt) -> None:
        """Append a statement."""
        self.blocks[-1].append(statement)

    def temp(self, value: n.Expr | int | None = None, hint: str = "t") -> str:
        """A fresh local, perhaps with a value."""
        name = f"{hint}_{next(self.temps)}"
        if value is not None:
            self.assign(name, value)
        return name

    def assign(self, name: str, value: n.Expr | int) -> None:
        """name = value"""
        self.emit(n.Assign(name, code(value), self.site))

    def store(self, slot: n.Expr | int, value: n.Expr | int) -> None:
        """S[slot] = value"""
        self.emit(n.Store("S", code(slot), code(value), self.site))

    def work(self, cell: n.Expr | int, value: n.Expr | int) -> None:
        """W[cell] = value"""
        self.emit(n.Store("W", code(cell), code(value), self.site))

    def call(self, name: str, *args: n.Expr | int) -> None:
        """Run a function for its effect."""
        self.emit(n.Do(call(name, *args), self.site))

    def run(self, name: str, *args: n.Expr | int) -> None:
        """Run a function that may end the sequence around."""
        self.call(name, *args)
        self.check()

    def check(self) -> None:
        """Here what was just run may have ended the sequence around it."""
        self.emit(n.Do(n.Call(CHECK), self.site))

    def event(self, kind: int, *args: n.Expr | int) -> None:
        """Record what happened."""
        self.call("emit", kind, self.site, *args, *[0] * (4 - len(args)))

    def tell(self, site: n.Expr | int, kind: int, *args: n.Expr | int) -> None:
        """Record what happened because of another place of the book."""
        self.emit(n.Do(call("emit", kind, site, *args, *[0] * (4 - len(args)))))

    def give(self, value: n.Expr | int) -> None:
        """return value"""
        self.emit(n.Return(code(value)))

    def give_if(self, test: n.Expr, value: n.Expr | int = 0) -> None:
        """if test: return value, which is worked out before and so writes nothing"""
        with self.if_(test):
            self.give(value)

    def leave_if(self, test: n.Expr) -> None:
        """if test: break"""
        self.emit(n.If(test, (n.Break(self.site),), (), self.site))

    @contextmanager
    def counting(self, name: str, end: n.Expr | int) -> Generator[None, None, None]:
        """while name < end: ..., and one more each time"""
        with self.while_(local(name) < end):
            yield
            self.assign(name, local(name) + 1)

    @contextmanager
    def nested(self) -> Generator[list[n.Stmt], None, None]:
        """Collect statements of an inner block."""
        self.blocks.append([])
        try:
            yield self.blocks[-1]
        finally:
            self.blocks.pop()

    @contextmanager
    def if_(self, test: n.Expr) -> Generator[None, None, None]:
        """if test: ..."""
        with self.nested() as block:
            yield
        if block:
            self.emit(n.If(test, tuple(block), (), self.site))

    @contextmanager
    def while_(self, test: n.Expr) -> Generator[None, None, None]:
        """while test: ..."""
        with self.nested() as block:
            yield
        self.emit(n.While(test, tuple(block), self.site))

    def either(self, test: n.Expr, then: Callable[[], None], orelse: Callable[[], None]) -> None:
        """if test: ... else: ..."""
        with self.nested() as first:
            then()
        with self.nested() as second:
            orelse()
        self.emit(n.If(test, tuple(first), tuple(second), self.site))

    @contextmanager
    def stepping(self, end: n.Expr | int, before: int = -1) -> Generator[n.Local, None, None]:
        """Every number after `before` and below the end. Stepping comes first: what goes on with the next one
        does no harm."""
        at = self.temp(before, "i")
        with self.while_(local(at) + 1 < end):
            self.assign(at, local(at) + 1)
            yield local(at)

    def function(self) -> n.Function:
        """The finished function."""
        return n.Function(self.name, self.params, tuple(self.blocks[0]), self.framed, self.keeps, self.site)

    def free(self) -> tuple[str, ...]:
        """Locals that are read but never assigned here: they come from outside."""
        body = tuple(self.blocks[0])
        mine = set(assigned(body))
        found: dict[str, None] = {}
        for expression in expressions(body):
            if isinstance(expression, n.Local) and expression.name not in mine:
                found[expression.name] = None
        return tuple(found)


def truth(e: n.Expr) -> n.Expr:
    """0 or 1."""
    match e:
        case n.Binary(op=op) if op in n.COMPARISONS:
            return e
        case n.Not() | n.Const():
            return e
        case n.Pick(yes=n.Const(), no=n.Const()):
            return e
        case _:
            return n.Pick(e, const(1), const(0))
