"""Read functions written in the Python subset.

In:  Python text: printed functions, or the source of a kernel module.
Out: Functions.

Printed text uses only the exact forms `ir.text` writes. Kernels, which people write, may also use
annotations, docstrings, `and`, `or`, `+=` and names of module constants; these are turned into the
same few nodes here, so nothing after this file knows about them.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from rulewright.ir import nodes as n

OPERATOR: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
MARK = "  # site "


class ReadError(ValueError):
    """Text that is not in the subset."""


def functions(text: str, constants: Mapping[str, int] | None = None) -> list[tuple[n.Function, bool]]:
    """Every function of a module, each with whether it is marked as a segment."""
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        raise ReadError(f"line {error.lineno}: not Python: {error.msg}") from None
    reader = _Reader(text.splitlines(), constants or {})
    return [reader.function(node) for node in module.body if isinstance(node, ast.FunctionDef)]


class _Reader:
    def __init__(self, lines: list[str], constants: Mapping[str, int]) -> None:
        self.lines = lines
        self.constants = constants
        self.names: set[str] = set()

    def function(self, node: ast.FunctionDef) -> tuple[n.Function, bool]:
        params = tuple(arg.arg for arg in node.args.args)
        self.names = {*params}
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                self.names.add(inner.id)
        framed, segment, keeps = False, False, ()
        for mark in node.decorator_list:
            match mark:
                case ast.Name(id="segment"):
                    segment = True
                case ast.Call(func=ast.Name(id="framed"), args=args):
                    framed = True
                    keeps = tuple(
                        arg.value
                        for arg in args
                        if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                    )
                case _:
                    raise self.wrong(mark)
        return n.Function(node.name, params, self.block(node.body), framed, keeps, self.site(node)), segment

    def site(self, node: ast.stmt) -> int:
        _, found, number = self.lines[node.lineno - 1].rpartition(MARK)
        return int(number) if found and number.isdigit() else 0

    def wrong(self, node: ast.AST) -> ReadError:
        line = getattr(node, "lineno", 0)
        return ReadError(f"line {line}: '{ast.unparse(node)}' is outside the subset")

    def block(self, body: list[ast.stmt]) -> n.Block:
        found: list[n.Stmt] = []
        for node in body:
            match node:
                case ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
                    pass
                case _:
                    found.append(self.statement(node))
        return tuple(found)

    def statement(self, node: ast.stmt) -> n.Stmt:
        site = self.site(node)
        match node:
            case ast.Assign(targets=[target], value=value):
                return self.store(target, self.expression(value), site)
            case ast.AugAssign(target=target, op=op, value=value) if type(op) in OPERATOR:
                old = self.expression(target)
                return self.store(target, n.Binary(OPERATOR[type(op)], old, self.expression(value)), site)
            case ast.If(test=test, body=body, orelse=orelse):
                return n.If(self.expression(test), self.block(body), self.block(orelse), site)
            case ast.While(test=test, body=body, orelse=[]):
                return n.While(self.expression(test), self.block(body), site)
            case ast.Break():
                return n.Break(site)
            case ast.Continue():
                return n.Continue(site)
            case ast.Return(value=value):
                return n.Return(n.Const(0) if value is None else self.expression(value), site)
            case ast.Expr(value=ast.Call() as call):
                made = self.expression(call)
                assert isinstance(made, n.Call)
                return n.Do(made, site)
            case ast.With(
                items=[ast.withitem(context_expr=ast.Call(func=ast.Name(id="ask"), args=[seat, prompt]))],
                body=body,
            ):
                return n.Ask(self.block(body), self.expression(seat), self.expression(prompt), site)
            case _:
                raise self.wrong(node)

    def store(self, target: ast.expr, value: n.Expr, site: int) -> n.Stmt:
        match target:
            case ast.Name(id=name):
                return n.Assign(name, value, site)
            case ast.Subscript(value=ast.Name(id=array), slice=index):
                return n.Store(array, self.expression(index), value, site)
            case _:
                raise self.wrong(target)

    def expression(self, node: ast.expr) -> n.Expr:
        match node:
            case ast.Constant(value=bool()):
                raise self.wrong(node)
            case ast.Constant(value=int(value)):
                return n.Const(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return n.Const(-value)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return n.Binary("-", n.Const(0), self.expression(operand))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return n.Not(self.expression(operand))
            case ast.Name(id=name):
                if name not in self.names and name in self.constants:
                    return n.Const(self.constants[name])
                return n.Local(name)
            case ast.Subscript(value=ast.Name(id=array), slice=index) if array in n.ARRAYS:
                return n.Load(array, self.expression(index))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATOR:
                return n.Binary(OPERATOR[type(op)], self.expression(left), self.expression(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OPERATOR:
                return n.Binary(OPERATOR[type(op)], self.expression(left), self.expression(right))
            case ast.BoolOp(op=ast.And(), values=[*first, last]):
                made = self.expression(last)
                for value in reversed(first):
                    made = n.Pick(self.expression(value), made, n.Const(0))
                return made
            case ast.BoolOp(op=ast.Or(), values=[*first, last]):
                made = self.expression(last)
                for value in reversed(first):
                    made = n.Pick(self.expression(value), n.Const(1), made)
                return made
            case ast.IfExp(test=test, body=yes, orelse=no):
                return n.Pick(self.expression(test), self.expression(yes), self.expression(no))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return n.Call(name, tuple(self.expression(arg) for arg in args))
            case _:
                raise self.wrong(node)
