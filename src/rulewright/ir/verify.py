"""Check that code is well formed before anything runs it.

In:  structured functions (before the split pass), or a whole Program (after it).
Out: nothing; ProgramError when it is broken. A broken Program is our mistake, never an author's,
     so the first problem found is raised and there are no diagnostics here.

What is checked is what would make the two engines differ or crash: names, arities, arrays, cells at
a fixed place, impure listings, decisions and suspendable calls where the split pass cannot cut.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import prod

from rulewright.ir import nodes as n
from rulewright.ir.program import FRAME, HEADER, STACK_END, Program
from rulewright.ir.text import GUARDS, HELD
from rulewright.ir.walk import (
    Uses,
    assigned,
    called,
    callers,
    calls,
    locals_of,
    operands,
    parts,
    statements,
    uses,
)

RESERVED = frozenset((*n.ARRAYS, *n.INTRINSICS, *GUARDS, *HELD, "_", "ask", "framed", "segment", "build"))
EFFECTS = ("rnd", "mix", "emit", "tell", "clear_options")


class ProgramError(Exception):
    """A Program that cannot be played: a mistake in the compiler."""


def suspendable(functions: Mapping[str, n.Function], known: Uses | None = None) -> set[str]:
    """Functions that may stop for a decision: framed ones, those that ask, and their callers."""
    found = {
        f.name
        for f in functions.values()
        if f.framed or any(isinstance(s, n.Ask) for s in statements(f.body))
    }
    return callers(uses(functions) if known is None else known, found)


def verify_functions(
    functions: Mapping[str, n.Function], main: str, library: Mapping[str, n.Function]
) -> set[str]:
    """Check structured functions before the split pass; `library` holds what they may call besides.

    Gives the functions that may stop for a decision.
    """
    if main not in functions:
        raise ProgramError(f"there is no function '{main}' to start with")
    known = {**library, **functions}
    inner = uses(known)
    stops = suspendable(functions, inner) | {main}
    impure = _impure(known, inner)
    for function in functions.values():
        if function.name in stops:  # the others stay as they are, and `verify` looks at them
            _Checker(function, known, None).check(inner[function.name])
        waits = not stops.isdisjoint(inner[function.name])
        for stmt in statements(function.body):
            if waits:
                _check_stops(function, stmt, stops)
            if isinstance(stmt, n.Ask):
                _check_listing(function, stmt, impure)
        if main in inner[function.name]:
            raise ProgramError(f"{function.name}: '{main}' is the root and cannot be called")
        if function.name in stops and any(name.startswith("_") for name in locals_of(function)):
            raise ProgramError(f"{function.name}: locals of a function that suspends must not start with '_'")
    return stops


def verify(program: Program) -> None:
    """Check a whole Program, after the split pass."""
    _check_layout(program)
    _check_sheet(program)
    for name, function in program.functions.items():
        if name != function.name:
            raise ProgramError(f"function '{function.name}' is filed under '{name}'")
    inner = uses(program.functions)
    lists = callers(inner, {"opt"}) | {"opt"}
    for function in program.functions.values():
        _check_whole(function, program, inner[function.name])
    for segment in program.segments:
        names = called(segment.body)
        _check_whole(segment, program, names)
        if segment.params:
            raise ProgramError(f"{segment.name}: a segment has no parameters")
        if names & lists and "clear_options" not in names:
            raise ProgramError(f"{segment.name}: options are offered outside a listing")


def _check_whole(function: n.Function, program: Program, names: frozenset[str]) -> None:
    _Checker(function, program.functions, program).check(names)
    if any(isinstance(stmt, n.Ask) for stmt in statements(function.body)):
        raise ProgramError(f"{function.name}: a decision is left after the split pass")


def _check_layout(program: Program) -> None:
    if not HEADER <= program.stack_base <= program.size:
        raise ProgramError(
            f"the stack at {program.stack_base} does not fit between header and size {program.size}"
        )
    if len(program.initial) != program.stack_base:
        raise ProgramError(f"{len(program.initial)} start values for {program.stack_base} slots")
    if program.initial[STACK_END] != program.size:
        raise ProgramError("start values do not hold the end of the stack (use ir.link)")
    if not 0 <= program.entry < len(program.segments):
        raise ProgramError(f"entry {program.entry} is not a segment")
    if program.frame_size < FRAME or program.stack_base + program.frame_size > program.size:
        raise ProgramError("the root frame does not fit the stack")
    if len(program.params) != len(program.param_names):
        raise ProgramError("parameters and their names differ in number")
    if not 0 <= program.seats[0] <= program.seats[1]:
        raise ProgramError(f"seats {program.seats} are not a range")
    if any(not -(1 << 31) <= value < 1 << 31 for value in program.initial):
        raise ProgramError("a start value does not fit its slot")


def _check_sheet(program: Program) -> None:
    """Every table must point into the book's slots; views read them without asking again."""
    sheet, end = program.sheet, program.stack_base
    counts = {kind: len(names) for kind, names in sheet.things.items()}
    spans: list[tuple[str, int, int]] = []
    for field in sheet.fields:
        sizes = field.counts or tuple(counts.get(kind, 0) for kind in field.of)
        if len(sizes) != len(field.of):
            raise ProgramError(
                f"field '{field.name}' has {len(field.of)} owner kinds but {len(sizes)} counts"
            )
        spans.append((f"field '{field.name}'", field.base, prod(sizes)))
    for zone in sheet.zones:
        owners = 1 if zone.of is None else counts.get(zone.of, 0)
        spans.append((f"zone '{zone.name}'", zone.base, (owners - 1) * zone.stride + zone.capacity + 1))
    for status in sheet.statuses:
        spans.append((f"status '{status.name}'", status.base, 4 * counts.get("Actor", 0)))
    spans += [(f"order '{order.name}'", order.base, order.capacity + 2) for order in sheet.orders]
    spans += [(f"option '{option.name}'", option.slot, 1) for option in sheet.options]
    named = (
        *sheet.policies,
        *((sheet.value,) if sheet.value else ()),
        *(check.holds for check in (*sheet.example_checks, *sheet.laws)),
    )
    for name in named:
        if name not in program.functions:
            raise ProgramError(f"the tables name a function '{name}' that is not there")
    scores: dict[str, int] = dict.fromkeys(("score", "rank", "points"), max(1, program.seats[1]))
    spans += [(f"result '{name}'", slot, scores.get(name, 1)) for name, slot in sheet.result.items()]
    for what, base, size in spans:
        if size > 0 and not HEADER <= base <= base + size <= end:
            raise ProgramError(f"{what} is at {base} to {base + size - 1}, outside the book's slots")


def _check_stops(function: n.Function, stmt: n.Stmt, stops: set[str]) -> None:
    """A call that may suspend must be a whole statement: nothing half computed survives a decision."""
    whole: n.Expr | None = None
    match stmt:
        case n.Assign(value=value):
            whole = value
        case n.Do(call=call):
            whole = call
        case _:
            pass
    for operand in operands(stmt):
        for part in parts(operand):
            if isinstance(part, n.Call) and part.name in stops and part is not whole:
                raise ProgramError(
                    f"{function.name}: '{part.name}' may suspend, so it cannot stand inside an expression"
                )
    if isinstance(stmt, n.Ask):
        for call in calls(stmt.listing):
            if call.name in stops:
                raise ProgramError(f"{function.name}: '{call.name}' may suspend, so it cannot list options")


def _impure(functions: Mapping[str, n.Function], known: Uses) -> set[str]:
    """Names whose call could change the state: these cannot be used to list options."""
    found = {f.name for f in functions.values() if any(_writes(stmt) for stmt in statements(f.body))}
    return callers(known, found | set(EFFECTS))


def _writes(stmt: n.Stmt) -> bool:
    return isinstance(stmt, n.Store) and stmt.array == n.STATE


def _check_listing(function: n.Function, ask: n.Ask, impure: set[str]) -> None:
    for stmt in statements(ask.listing):
        if isinstance(stmt, n.Ask | n.Return) or _writes(stmt):
            raise ProgramError(
                f"{function.name}: a listing only offers options, but holds {type(stmt).__name__}"
            )
    # Seat and prompt are read again whenever the options are listed again.
    for call in (*calls(ask.listing), *calls((replace(ask, listing=()),))):
        if call.name in impure:
            raise ProgramError(f"{function.name}: '{call.name}' changes the state, so it cannot list options")


class _Checker:
    """Names, arities, arrays and loops of one function."""

    def __init__(
        self, function: n.Function, known: Mapping[str, n.Function], program: Program | None
    ) -> None:
        self.function = function
        self.known = known
        self.sizes: dict[str, int] = {}
        if program is not None:
            sizes = (program.size, len(program.params), len(program.consts), program.work)
            self.sizes = dict(zip(n.ARRAYS, sizes, strict=True))
        self.locals = {*function.params, *function.keeps, *assigned(function.body)}

    def wrong(self, problem: str) -> ProgramError:
        return ProgramError(f"{self.function.name}: {problem}")

    def check(self, names: frozenset[str]) -> None:
        """`names`: what the function calls."""
        params = self.function.params
        self.names((self.function.name, *params, *self.locals))
        if len(set(params)) != len(params):
            raise self.wrong("a parameter is named twice")
        hidden = self.locals & names
        if hidden:
            raise self.wrong(f"'{min(hidden)}' is both a local and a function it calls")
        self.block(self.function.body, loop=False)

    def names(self, names: Iterable[str]) -> None:
        for name in names:
            if not name.isidentifier() or keyword.iskeyword(name) or name in RESERVED:
                raise self.wrong(f"'{name}' cannot be a name")

    def block(self, block: n.Block, loop: bool) -> None:
        for stmt in block:
            match stmt:
                case n.Store(array=array) if array not in n.WRITABLE:
                    raise self.wrong(f"'{array}' cannot be written")
                case n.Store(array=array, index=index):
                    self.cell(array, index)
                case n.If(then=then, orelse=orelse):
                    self.block(then, loop)
                    self.block(orelse, loop)
                case n.While(body=body):
                    self.block(body, loop=True)
                case n.Ask(listing=listing):
                    self.block(listing, loop=False)
                case n.Break() | n.Continue() if not loop:
                    raise self.wrong(f"{type(stmt).__name__} outside a loop")
                case _:
                    pass
            for operand in operands(stmt):
                for part in parts(operand):
                    self.expression(part)

    def expression(self, expr: n.Expr) -> None:
        match expr:
            case n.Local(name=name) if name not in self.locals:
                raise self.wrong(f"unknown local '{name}'")
            case n.Load(array=array, index=index):
                self.cell(array, index)
            case n.Binary(op=op) if op not in n.OPERATORS:
                raise self.wrong(f"unknown operator '{op}'")
            case n.Binary(op="//" | "%", right=n.Const(value=0)):
                raise self.wrong("division by 0")
            case n.Call(name=name, args=args):
                if name in n.INTRINSICS:
                    wanted = n.INTRINSICS[name]
                elif name in self.known:
                    wanted = len(self.known[name].params)
                else:
                    raise self.wrong(f"unknown function '{name}'")
                if len(args) != wanted:
                    raise self.wrong(f"'{name}' takes {wanted} values, not {len(args)}")
            case _:
                pass

    def cell(self, array: str, index: n.Expr) -> None:
        if array not in n.ARRAYS:
            raise self.wrong(f"unknown array '{array}'")
        if isinstance(index, n.Const) and self.sizes and not 0 <= index.value < self.sizes[array]:
            raise self.wrong(f"{array}[{index.value}] is outside its {self.sizes[array]} cells")
