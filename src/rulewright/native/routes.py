"""Where control can go when a segment ends in a call: so that most computed jumps become known ones.

In:  a Program.
Out: `Routes`: for each segment, the segments its `return pop()` may lead to; for a call, the numbers it
     may give; for all decisions, where they may go on.

A frame is opened with a return address that is a constant at every place of call, so the places a
function can return to are known; the kernel that ends a listing gives -1 or a constant of its caller.
What is found here is only ever compared with, never relied upon: a number that is not among the
candidates takes the computed jump.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulewright.ir.nodes import (
    Binary,
    Block,
    Call,
    Const,
    Do,
    Expr,
    Function,
    If,
    Load,
    Local,
    Return,
    Store,
    While,
)
from rulewright.ir.program import Program
from rulewright.ir.split import FRAME_POINTER
from rulewright.ir.walk import assigned, expressions, parts, statements

CLOSE, OPEN, DECIDE = "pop", "push", "decide"
FEW = 4
"""Candidates worth comparing with one by one; with more, the computed jump is quicker."""
SHORT = 150
"""Expression nodes of a segment that is worth a copy: long ones would double a large book."""


@dataclass(frozen=True, slots=True)
class Routes:
    """Known targets of computed jumps."""

    functions: dict[str, Function]
    returns: dict[int, tuple[int, ...]]
    """Per segment, where a frame it closes may go on."""
    resumes: tuple[int, ...]
    """Where decisions may go on."""
    inner: dict[int, set[int]]
    """Per segment, the segments of the same function that it leads to."""

    def candidates(self, here: int, call: Call) -> tuple[int, ...]:
        """Numbers the call may give, if they are few."""
        if call.name == CLOSE:
            found = self.returns.get(here, ())
        else:
            found = _results(self.functions.get(call.name), call)
        return found if len(found) <= FEW else ()


def routes(program: Program) -> Routes:
    """Find the targets of every computed jump."""
    inner: dict[int, set[int]] = {}
    called: dict[int, set[int]] = {}
    for here, segment in enumerate(program.segments):
        targets: set[int] = set()
        for block in _blocks(segment.body):
            opened: int | None = None
            for node in block:
                match node:
                    case Do(Call(name, (_, Const(back)))) if name == OPEN:
                        opened = back
                    case Return(Const(target)) if opened is not None:
                        called.setdefault(target, set()).add(opened)
                        targets.add(opened)
                    case Return(Const(target)):
                        targets.add(target)
                    case Return(Call(name, (_, Const(resume), _, _))) if name == DECIDE:
                        targets.add(resume)
                    case _:
                        pass
        inner[here] = targets
    returns: dict[int, set[int]] = {}
    for entry, backs in called.items():
        for segment in _reach(inner, entry):
            returns.setdefault(segment, set()).update(backs)
    ordered = {segment: tuple(sorted(backs)) for segment, backs in returns.items()}
    return Routes(program.functions, ordered, tuple(sorted(_resumes(program))), inner)


def settles(before: Function, after: Function) -> bool:
    """Does one segment put a number into a cell of the frame that another, short one asks about first?"""
    if len(expressions(after.body)) > SHORT:
        return False
    put = {
        stmt.index
        for stmt in statements(before.body)
        if isinstance(stmt, Store) and isinstance(stmt.value, Const) and _is_own(stmt.index)
    }
    first = next((stmt.test for stmt in after.body if isinstance(stmt, If)), Const(0))
    return any(isinstance(part, Load) and part.index in put for part in parts(first))


def _is_own(index: Expr) -> bool:
    """A cell of the frame, by its place in it."""
    return isinstance(index, Binary) and index.left == Local(FRAME_POINTER)


def groups(routes: Routes, sizes: Mapping[int, int], limit: int) -> list[list[int]]:
    """Some segments (the keys of `sizes`) in groups: those of a function that lead to each other stay
    together, and small functions share a group until it is full."""
    heads = {segment: segment for segment in sizes}

    def head(segment: int) -> int:
        while heads[segment] != segment:
            heads[segment] = heads[heads[segment]]
            segment = heads[segment]
        return segment

    for segment in sizes:
        for target in routes.inner[segment]:
            if target in sizes:
                low, high = sorted((head(segment), head(target)))
                heads[high] = low
    members: dict[int, list[int]] = {}
    for segment in sizes:
        members.setdefault(head(segment), []).append(segment)
    found: list[list[int]] = [[]]
    filled = 0
    for together in members.values():
        size = sum(sizes[part] for part in together)
        if filled and filled + size > limit:
            found.append([])
            filled = 0
        filled += size
        found[-1] += together
    return [sorted(group) for group in found if group]


def _blocks(body: Block) -> Iterator[Block]:
    yield body
    for node in statements(body):
        match node:
            case If(_, then, orelse):
                yield then
                yield orelse
            case While(_, inner):
                yield inner
            case _:
                pass


def _reach(inner: dict[int, set[int]], entry: int) -> set[int]:
    found, waiting = {entry}, [entry]
    while waiting:
        for target in inner.get(waiting.pop(), ()):
            if target >= 0 and target not in found:
                found.add(target)
                waiting.append(target)
    return found


def _resumes(program: Program) -> set[int]:
    found: set[int] = set()
    for segment in program.segments:
        for node in statements(segment.body):
            match node:
                case Return(Call(name, (_, Const(resume), _, _))) if name == DECIDE:
                    found.add(resume)
                case _:
                    pass
    return found


def _results(function: Function | None, call: Call) -> tuple[int, ...]:
    """The numbers a call may give, if each is a constant or a constant argument handed through."""
    if function is None:
        return ()
    given = dict(zip(function.params, call.args, strict=True))
    changed = set(assigned(function.body))
    found: set[int] = set()
    for node in statements(function.body):
        if not isinstance(node, Return):
            continue
        value = node.value
        if isinstance(value, Local) and value.name in given and value.name not in changed:
            value = given[value.name]
        if not isinstance(value, Const):
            return ()
        found.add(value.value)
    return tuple(sorted(found))
