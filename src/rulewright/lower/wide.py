"""Values that are too large for one slot, in functions that stop.

In:  functions in which the locals of paths are marked (WIDE).
Out: the same functions. Where one may stop for a decision, such a local is two: its low half keeps the name,
     its upper half stands beside it, and behind all parameters if it is one. Elsewhere it stays one number.

Arithmetic has 64 bits and slots have 32, so only what can come to lie in a frame is cut in two, and a path
costs nothing more where most of them are looked at, in the listings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rulewright.ir import nodes as n
from rulewright.ir.program import SLOT_LIMIT
from rulewright.ir.verify import suspendable
from rulewright.ir.walk import calls, locals_of, rebuilt, rename

WIDE = "w_"
"""How the locals begin that hold a path; no other does."""
UPPER = "_up"
WHOLE = WIDE + "all" + UPPER
"""A value before it is cut; forgotten at once."""


def is_wide(local: str) -> bool:
    """Whether a local holds more than a slot does."""
    return local.startswith(WIDE) and not local.endswith(UPPER)


def joined(low: n.Expr, upper: n.Expr) -> n.Expr:
    """The value of both halves."""
    return n.Binary("+", low, n.Binary("*", upper, n.Const(SLOT_LIMIT)))


def halves(value: n.Expr) -> tuple[n.Expr, n.Expr]:
    """A value that can be worked out twice, cut in two: a small one is its own low half, beside 0."""
    if isinstance(value, n.Const):
        return n.Const(value.value % SLOT_LIMIT), n.Const(value.value // SLOT_LIMIT)
    return n.Binary("%", value, n.Const(SLOT_LIMIT)), n.Binary("//", value, n.Const(SLOT_LIMIT))


def widened(functions: Mapping[str, n.Function]) -> dict[str, n.Function]:
    """Cut the wide locals of functions that stop in two."""
    stops = suspendable(functions)
    taken = {
        name: tuple(k for k, param in enumerate(functions[name].params) if is_wide(param)) for name in stops
    }
    return {
        name: _cut(function, taken) if name in stops and _concerns(function, taken) else function
        for name, function in functions.items()
    }


def _concerns(function: n.Function, taken: Mapping[str, tuple[int, ...]]) -> bool:
    return any(map(is_wide, locals_of(function))) or any(taken.get(c.name) for c in calls(function.body))


def _cut(function: n.Function, taken: Mapping[str, tuple[int, ...]]) -> n.Function:
    return n.Function(
        function.name,
        with_upper(function.params),
        tuple(_block(function.body, taken)),
        function.framed,
        with_upper(function.keeps),
        function.site,
    )


def with_upper(names: tuple[str, ...]) -> tuple[str, ...]:
    """Locals in the order of a frame: upper halves come last."""
    return (*names, *(name + UPPER for name in names if is_wide(name)))


def _read(e: n.Expr) -> n.Expr:
    def value(name: str) -> n.Expr:
        return joined(n.Local(name), n.Local(name + UPPER)) if is_wide(name) else n.Local(name)

    return rename(e, value)


def _parts(e: n.Expr, site: int, out: list[n.Stmt], whole: str = WHOLE) -> tuple[n.Expr, n.Expr]:
    """Both halves of a value, worked out once."""
    match e:
        case n.Local(name) if is_wide(name):
            return e, n.Local(name + UPPER)
        case n.Const():
            return halves(e)
        case _:
            out.append(n.Assign(whole, _read(e), site))
            return halves(n.Local(whole))


def _block(block: n.Block, taken: Mapping[str, tuple[int, ...]]) -> Iterator[n.Stmt]:
    for stmt in block:
        yield from _statement(stmt, taken)


def _statement(stmt: n.Stmt, taken: Mapping[str, tuple[int, ...]]) -> Iterator[n.Stmt]:
    def inner(block: n.Block) -> n.Block:
        return tuple(_block(block, taken))

    match stmt:
        case n.Assign(local, value, site) if is_wide(local):
            before: list[n.Stmt] = []
            low, upper = _parts(value, site, before)
            yield from before
            yield n.Assign(local, low, site)
            yield n.Assign(local + UPPER, upper, site)
        case n.Assign(local, n.Call(name) as call, site) if taken.get(name):
            yield from _handed(call, taken[name], site, lambda made: n.Assign(local, made, site))
        case n.Do(n.Call(name) as call, site) if taken.get(name):
            yield from _handed(call, taken[name], site, lambda made: n.Do(made, site))
        case _:
            yield rebuilt(stmt, _read, inner)


def _handed(
    call: n.Call, places: tuple[int, ...], site: int, made: Callable[[n.Call], n.Stmt]
) -> Iterator[n.Stmt]:
    """A call of a function that stops: upper halves of paths follow the other arguments."""
    before: list[n.Stmt] = []
    args = [_read(arg) for arg in call.args]
    upper: list[n.Expr] = []
    for k in places:
        args[k], more = _parts(call.args[k], site, before, f"{WIDE}{k}{UPPER}")
        upper.append(more)
    yield from before
    yield made(n.Call(call.name, (*args, *upper)))
