"""Print a Program as text and read it back.

In:  a Program, or one Function.
Out: text in the Python subset with a JSON trailer; `read(show(p)) == p`, byte for byte when shown again.

`source` prints one function. With `executable=True` it is the Python that the reference engine runs:
there a comparison is a bool, so one that reaches the state, a local, a call or a result is turned
into 0 or 1; inside tests and arithmetic it may stay a bool, which is faster and means the same.

Executable text also holds the limits that native memory has and Python has not, as calls of GUARDS: a
computed index is never negative nor in the header, a slot holds 32 bits, frame and stack pointer stay in
the stack, and what `budget` says costs fuel. What surely keeps to a limit is printed without its guard.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, cast

from rulewright.ir import nodes as n
from rulewright.ir import reader, tables
from rulewright.ir.budget import Costs
from rulewright.ir.facts import POINTERS, fits_slot, is_pointer
from rulewright.ir.program import HEADER, SLOT_LIMIT, Program
from rulewright.ir.walk import exposed

TRAILER = "\n#: tables\n"
CODE = ("functions", "segments", "digest", "code_digest")
INDENT = "    "

WILD, WIDE, POINTER, FUEL, SPENT, PAY = GUARDS = ("_wild", "_wide", "_pointer", "_fuel", "_spent", "_pay")
"""Functions of a wrong index, of a number too large for a slot, and of a pointer, which is given back; the
fuel, a list of one iterator, which loops of one unit a round go through; a function for when that has come to
its end; and one to pay more at once. What costs how much is in `budget`."""
HELD = ("_place", "_number")
"""Locals in which guards hold what they look at."""

# What the surroundings do with a value: print it, only test it, compute with it, or keep it.
Use = Literal["show", "test", "number", "keep"]


def show(program: Program) -> str:
    """The whole Program as text. The digest is not part of it, since it is the digest of this text."""
    return _code(program) + TRAILER + _tables(program)


def _code(program: Program) -> str:
    code = [source(function, executable=False) for function in program.functions.values()]
    code += ["@segment\n" + source(segment, executable=False) for segment in program.segments]
    return "\n".join(code)


def _tables(program: Program) -> str:
    table = tables.encode(replace(program, functions={}, segments=()))
    lines = [
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in table.items()
        if key not in CODE
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read(text: str) -> Program:
    """The Program that was shown as this text. Raises ReadError when it is damaged."""
    code, found, trailer = text.partition(TRAILER)
    if not found:
        raise reader.ReadError("the tables are missing")
    made = reader.functions(code)
    try:
        table = cast("dict[str, Any]", json.loads(trailer))
        program = tables.decode(Program, {**table, "functions": {}, "segments": []})
    except ValueError as error:
        raise reader.ReadError(f"damaged tables: {error}") from None
    return replace(
        program,
        functions={function.name: function for function, segment in made if not segment},
        segments=tuple(function for function, segment in made if segment),
        digest=digest(text),
        code_digest=digest(code),
    )


def digest(text: str) -> str:
    """The name of a Program, or of its code: hex sha256 of its text."""
    return hashlib.sha256(text.encode()).hexdigest()


def seal(program: Program) -> Program:
    """The same Program with its digests filled in."""
    code = _code(program)
    return replace(program, digest=digest(code + TRAILER + _tables(program)), code_digest=digest(code))


def source(function: n.Function, executable: bool = True, costs: Costs | None = None) -> str:
    """One function as text, ending in a newline. `costs`: what it pays when it is run."""
    lines: list[str] = []
    if function.framed and not executable:
        lines.append(f"@framed({', '.join(repr(name) for name in function.keeps)})")
    lines.append(f"def {function.name}({', '.join(function.params)}):{_site(function.site)}")
    if executable:
        unset = sorted(exposed(function.body, function.params))
        if unset:
            lines.append(f"{INDENT}{' = '.join(unset)} = 0")
        if costs is not None and function.name in costs.entry:
            lines.append(f"{INDENT}{PAY}({costs.entry[function.name]})")
    run = (costs or Costs()) if executable else None
    body = list(_block(function.body, 1, run))
    lines += body
    if executable and not (function.body and isinstance(function.body[-1], n.Return)):
        lines.append(f"{INDENT}return 0")
    elif not body:
        lines.append(f"{INDENT}pass")
    return "\n".join(lines) + "\n"


def _site(site: int) -> str:
    return f"{reader.MARK}{site}" if site else ""


def _block(block: n.Block, depth: int, run: Costs | None) -> Iterator[str]:
    for stmt in block:
        yield from _statement(stmt, depth, run)


def _body(block: n.Block, depth: int, run: Costs | None) -> Iterator[str]:
    if not block:
        yield INDENT * depth + "pass"
    yield from _block(block, depth, run)


def _statement(stmt: n.Stmt, depth: int, run: Costs | None, keyword: str = "if") -> Iterator[str]:
    pad, mark = INDENT * depth, _site(stmt.site)
    shown = run is None
    keep: Use = "show" if shown else "keep"
    test: Use = "show" if shown else "test"
    number: Use = "show" if shown else "number"
    match stmt:
        case n.Assign(local=local, value=value):
            yield f"{pad}{local} = {_bare(value, keep)}{mark}"
        case n.Store(array=array, index=index, value=value):
            if not shown:
                yield f"{pad}{array}[{_place(array, index)}] = {_fitting(array, index, value)}{mark}"
            else:
                yield f"{pad}{array}[{_bare(index, number)}] = {_bare(value, keep)}{mark}"
        case n.If(test=condition, then=then, orelse=orelse):
            yield f"{pad}{keyword} {_bare(condition, test)}:{mark}"
            yield from _body(then, depth + 1, run)
            match orelse:
                case (n.If() as only,):
                    yield from _statement(only, depth, run, "elif")
                case ():
                    pass
                case _:
                    yield f"{pad}else:"
                    yield from _block(orelse, depth + 1, run)
        case n.While(test=condition, body=body):
            yield from _while(stmt, condition, body, depth, run)
        case n.Break():
            yield f"{pad}break{mark}"
        case n.Continue():
            yield f"{pad}continue{mark}"
        case n.Return(value=value):
            yield f"{pad}return {_bare(value, keep)}{mark}"
        case n.Do(call=call):
            yield f"{pad}{_bare(call, keep)}{mark}"
        case n.Ask(listing=listing, seat=seat, prompt=prompt):
            yield f"{pad}with ask({_bare(seat, keep)}, {_bare(prompt, keep)}):{mark}"
            yield from _body(listing, depth + 1, run)


def _while(loop: n.While, condition: n.Expr, body: n.Block, depth: int, run: Costs | None) -> Iterator[str]:
    """A loop; the round that is not run any more costs nothing."""
    pad, mark = INDENT * depth, _site(loop.site)
    cost = run.rounds.get(id(loop), 0) if run is not None else 0
    if cost == 1:
        yield f"{pad}for _ in {FUEL}[0]:{mark}"
        if condition != n.Const(1):
            yield f"{pad}{INDENT}if not {expression(condition, 'test')}: break{mark}"
        yield from _block(body, depth + 1, run)
        yield f"{pad}else: {SPENT}(){mark}"
        return
    yield f"{pad}while {_bare(condition, 'show' if run is None else 'test')}:{mark}"
    if cost:
        yield f"{pad}{INDENT}{PAY}({cost}){mark}"
    yield from _body(body, depth + 1, run)


def _bare(expr: n.Expr, use: Use) -> str:
    """An expression that stands alone, without the outer brackets."""
    text = expression(expr, use)
    match expr:
        case n.Binary() | n.Not() | n.Pick() if text.startswith("("):
            return text[1:-1]
        case _:
            return text


def expression(expr: n.Expr, use: Use = "show") -> str:
    """One expression; operators are always in brackets, so no precedence needs remembering."""
    inner: Use = "show" if use == "show" else "number"
    keep: Use = "show" if use == "show" else "keep"
    match expr:
        case n.Const(value=value):
            return str(value)
        case n.Local(name=name):
            return name
        case n.Load(array=array, index=index):
            return f"{array}[{_bare(index, inner) if use == 'show' else _place(array, index)}]"
        case n.Binary(op=op, left=left, right=right):
            text = f"({expression(left, inner)} {op} {expression(right, inner)})"
            if use == "keep" and op in n.COMPARISONS:
                return f"(1 if {text} else 0)"
            # Unary plus turns a bool into an int and leaves an int alone.
            return f"(+{text})" if use == "keep" and _boolean(expr) else text
        case n.Not(value=value):
            if use == "keep":
                return f"(0 if {expression(value, 'test')} else 1)"
            return f"(not {expression(value, 'show' if use == 'show' else 'test')})"
        case n.Pick(test=test, yes=yes, no=no):
            condition = expression(test, "show" if use == "show" else "test")
            return f"({expression(yes, use)} if {condition} else {expression(no, use)})"
        case n.Call(name=name, args=args):
            return f"{name}({', '.join(_bare(arg, keep) for arg in args)})"


def _place(array: str, index: n.Expr) -> str:
    """An index to run with: in native memory there is nothing before the first cell, and the header is
    reached by name only."""
    text = _bare(index, "number")
    match index:
        case n.Const() | n.Binary("+", n.Const(), n.Const()):
            return text
        case n.Binary("+", base, n.Const(offset)) if is_pointer(base) and offset >= 0:
            return text  # the pointer was looked at when it was set
        case _ if is_pointer(index):
            return text
        case _:
            low = HEADER if array == "S" else 0
            return f"{HELD[0]} if ({HELD[0]} := {text}) >= {low} else {WILD}({HELD[0]})"


def _fitting(array: str, index: n.Expr, value: n.Expr) -> str:
    """A value to store: slots of the state hold 32 bits, and two of them only places in the stack."""
    text = _bare(value, "keep")
    match index:
        case n.Const(slot) if array == "S" and slot in POINTERS:
            return f"{POINTER}({text})"
        case _ if array != "S" or fits_slot(value):
            return text
        case _:
            return (
                f"{HELD[1]} if {-SLOT_LIMIT} <= ({HELD[1]} := {text}) < {SLOT_LIMIT} else {WIDE}({HELD[1]})"
            )


def _boolean(expr: n.Expr) -> bool:
    """Whether Python may give a bool for it when it is printed as a number."""
    match expr:
        case n.Binary(op=op, left=left, right=right):
            return op in n.COMPARISONS or (op in "&|" and _boolean(left) and _boolean(right))
        case n.Not():
            return True
        case n.Pick(yes=yes, no=no):
            return _boolean(yes) or _boolean(no)
        case n.Const() | n.Local() | n.Load() | n.Call():
            return False
