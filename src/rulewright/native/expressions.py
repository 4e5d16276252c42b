"""Expressions to LLVM text.

In:  ir.nodes expressions and the Writer of the function they stand in.
Out: the name of a 64-bit value (`number`) or of a one-bit value (`truth`).

Two views of every expression, because comparisons and logic are one bit wide in the machine and
mostly end in a branch; widening them only where a number is wanted halves the text LLVM has to
read. Every computed index is checked against the array's length: one comparison and a branch that
is never taken, so that no state, however it was made, can reach outside the arena.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from rulewright.ir.facts import POINTERS, fits_slot, is_plain, is_truth
from rulewright.ir.nodes import (
    COMPARISONS,
    SEEKS,
    Binary,
    Call,
    Const,
    Expr,
    Function,
    Load,
    Local,
    Not,
    Pick,
    Return,
)
from rulewright.ir.program import STACK_END
from rulewright.native import layout as at
from rulewright.native.arithmetic import ARITHMETIC, binary, compared, widened, wrapped
from rulewright.native.seeking import fill, seek
from rulewright.native.writer import (
    BOOK_TAG,
    CONSTANT_TAG,
    CONTROL_TAG,
    CORE_TAG,
    FRAME_TAG,
    STATE_TAG,
    UNLIKELY,
    WORK_TAG,
    Writer,
)

Giver: TypeAlias = Callable[[Writer, Expr], str]


def number(writer: Writer, node: Expr) -> str:
    """The value, 64 bits wide: a name, or digits if it is known already."""
    match node:
        case Const(value):
            return str(wrapped(value))
        case Local(name):
            if name in writer.given:
                return writer.given[name]
            if name in writer.values:
                return writer.values[name]
            return writer.let(f"load i64, ptr {writer.variable(name)}")
        case Load("S", Const(slot)) if slot == STACK_END:
            return str(writer.layout.size)  # by definition, and then LLVM knows that frames fit
        case Load(array, index):
            return _load(writer, array, index)
        case Binary(op, left, right) if op in COMPARISONS:
            return widened(writer, truth(writer, node))
        case Binary(op, left, right):
            if op in "&|" and is_truth(left) and is_truth(right):
                return widened(writer, truth(writer, node))
            return binary(writer, op, number(writer, left), number(writer, right))
        case Not():
            return widened(writer, truth(writer, node))
        case Pick(_, yes, no):
            if is_truth(yes) and is_truth(no):
                return widened(writer, truth(writer, node))
            return _pick(writer, node, "i64", number)
        case Call(name, args):
            return call(writer, name, args)


def truth(writer: Writer, node: Expr) -> str:
    """Whether the value is not 0, one bit wide: a name, `true` or `false`."""
    match node:
        case Const(value):
            return "true" if value else "false"
        case Binary(op, left, right) if op in COMPARISONS:
            return compared(writer, op, number(writer, left), number(writer, right))
        case Binary("&" | "|" as op, left, right) if is_truth(left) and is_truth(right):
            a, b = truth(writer, left), truth(writer, right)
            return writer.let(f"{ARITHMETIC[op]} i1 {a}, {b}")
        case Not(value):
            inner = truth(writer, value)
            if inner in ("true", "false"):
                return "false" if inner == "true" else "true"
            return writer.let(f"xor i1 {inner}, true")
        case Pick():
            return _pick(writer, node, "i1", truth)
        case _:
            value = number(writer, node)
            if value[0] != "%":
                return "true" if int(value) else "false"
            return writer.let(f"icmp ne i64 {value}, 0")


def _pick(writer: Writer, node: Pick, kind: str, give: Giver) -> str:
    """Only the side picked is evaluated; two harmless sides become one conditional move."""
    yes, no = node.yes, node.no
    bit = truth(writer, node.test)
    if bit[0] != "%":
        return give(writer, yes if bit == "true" else no)
    if is_plain(yes) and is_plain(no):
        a, b = give(writer, yes), give(writer, no)
        return writer.let(f"select i1 {bit}, {kind} {a}, {kind} {b}")
    then, other, join = writer.fresh("yes"), writer.fresh("no"), writer.fresh("join")
    writer.test(node, bit, then, other)
    writer.start(then)
    a = give(writer, yes)
    from_then = writer.label
    writer.jump(join)
    writer.start(other)
    b = give(writer, no)
    from_other = writer.label
    writer.jump(join)
    writer.start(join)
    return writer.let(f"phi {kind} [{a}, %{from_then}], [{b}, %{from_other}]")


class Place(NamedTuple):
    """One cell of an array, after the check that it exists."""

    pointer: str
    kind: str
    """The LLVM type of the cell."""
    tag: str
    slot: int | None = None
    """Its number, if it is a slot of the state and the number is known."""


def address(writer: Writer, array: str, index: Expr) -> Place:
    """Find a cell."""
    shape = writer.layout
    if array == "S":
        frame = at.frame_offset(index, writer.pointers if not writer.given else frozenset())
        if frame is not None:
            return _frame_address(writer, *frame)
        return _state_address(writer, index)
    length = {"P": shape.params, "K": shape.consts, "W": shape.work}[array]
    place = _checked(writer, number(writer, index), 0, length)
    if array == "P":
        return Place(_cell(writer, shape.params_at, 8, place), "i64", CONSTANT_TAG)
    if array == "W":
        return Place(_cell(writer, shape.work_at, 8, place), "i64", WORK_TAG)
    base = writer.let(f"getelementptr i8, ptr %A, i64 {at.CONSTS}")
    table = writer.let(f"load ptr, ptr {base}{CONSTANT_TAG}")
    return Place(writer.let(f"getelementptr i64, ptr {table}, i64 {place}"), "i64", CONSTANT_TAG)


def _state_address(writer: Writer, index: Expr) -> Place:
    """A slot: of the header or the book if the index is known, of the book or a frame if not."""
    shape = writer.layout
    known, rest = _sum(writer, index)
    if not rest:
        place = _checked(writer, str(known), 0, shape.size)
        tag = CORE_TAG if int(place) < at.CORE else BOOK_TAG if int(place) < shape.stack_base else FRAME_TAG
        return Place(_cell(writer, at.STATE, 4, place), "i32", tag, int(place))
    of_book = max(at.CORE, shape.frame) <= known < shape.stack_base
    end = shape.stack_base if of_book else shape.size
    place = _checked(writer, binary(writer, "+", rest, str(known)), at.CORE, end)
    return Place(_cell(writer, at.STATE, 4, place), "i32", BOOK_TAG if of_book else STATE_TAG)


def _sum(writer: Writer, index: Expr) -> tuple[int, str]:
    """The index as a known number plus a value, which is empty if all of it is known."""
    match index:
        case Binary("+", left, right):
            (a, x), (b, y) = _sum(writer, left), _sum(writer, right)
            return a + b, binary(writer, "+", x, y) if x and y else x or y
        case _:
            value = number(writer, index)
            return (0, value) if value[0] == "%" else (int(value), "")


def _checked(writer: Writer, place: str, low: int, end: int) -> str:
    """The index, once it is sure to be from low to end - 1."""
    if place[0] != "%":
        if low <= int(place) < end:
            return place
        writer.require("false", at.FAULT_BROKEN)
        return str(low)
    moved = binary(writer, "-", place, str(low))
    writer.require(writer.let(f"icmp ult i64 {moved}, {max(end - low, 0)}"), at.FAULT_BROKEN)
    return place


def _cell(writer: Writer, base: int, width: int, place: str) -> str:
    if place[0] != "%":
        return writer.let(f"getelementptr i8, ptr %A, i64 {base + width * int(place)}")
    if base == at.STATE:
        return writer.let(f"getelementptr i32, ptr %S, i64 {place}")
    start = writer.let(f"getelementptr i8, ptr %A, i64 {base}")
    return writer.let(f"getelementptr i{8 * width}, ptr {start}, i64 {place}")


def _frame_address(writer: Writer, base: Expr, offset: int) -> Place:
    """A cell of a frame; the pointer was checked when it was set."""
    pointer = number(writer, base)
    start = writer.let(f"getelementptr i8, ptr %A, i64 {at.STATE + 4 * offset}")
    return Place(writer.let(f"getelementptr i32, ptr {start}, i64 {pointer}"), "i32", FRAME_TAG)


def check_pointer(writer: Writer, value: str) -> None:
    """Go on only with a pointer that is inside the stack, or at its end."""
    shape = writer.layout
    moved = binary(writer, "-", value, str(shape.stack_base))
    if moved[0] != "%":
        moved = writer.let(f"add i64 {moved}, 0")
    writer.require(writer.let(f"icmp ule i64 {moved}, {shape.size - shape.stack_base}"), at.FAULT_BROKEN)


def check_pointers(writer: Writer) -> None:
    """On the way in: the state may come from anywhere."""
    for slot in POINTERS:
        check_pointer(writer, number(writer, Load("S", Const(slot))))


def _load(writer: Writer, array: str, index: Expr) -> str:
    place = address(writer, array, index)
    value = writer.let(f"load {place.kind}, ptr {place.pointer}{place.tag}")
    return writer.let(f"sext i32 {value} to i64") if place.kind == "i32" else value


def call(writer: Writer, name: str, args: tuple[Expr, ...]) -> str:
    """A function, kernel or intrinsic."""
    if name == "emit":
        return _tell(writer, (*args, Const(-1), Const(0), Const(0)))
    if name == "tell":
        return _tell(writer, args)
    if name in writer.functions:
        return _call_function(writer, writer.functions[name], args)
    values = [number(writer, arg) for arg in args]
    if name in SEEKS:
        return seek(writer, name, values, [fits_slot(arg) for arg in args])
    given = "".join(f", i64 {value}" for value in values)
    match name:
        case "rnd" | "mix" | "option":
            return writer.let(f"call i64 @rw.{name}(ptr %A{given})")
        case "fill":
            fill(writer, *values)
            return "0"
        case "opt":
            writer.do(f"call void @rw.opt(ptr %A{given})")
            return "0"
        case "nopt":
            return control(writer, at.OPTION_COUNT)
        case "clear_options":
            place = writer.let(f"getelementptr i8, ptr %A, i64 {at.OPTION_COUNT}")
            writer.do(f"store i64 0, ptr {place}{CONTROL_TAG}")
            return "0"
        case "fault":
            writer.do(f"call void @rw.fault(ptr %A{given}, i64 {writer.site}) cold")
            writer.do("unreachable")
            writer.start(writer.fresh("dead"))
            return "0"
        case _:
            raise ValueError(f"unknown function '{name}'")


def _call_function(writer: Writer, function: Function, args: tuple[Expr, ...]) -> str:
    """A call; a function of one `return` is written out, so that what is known of its arguments stays
    known. Values for parameters nobody reads are only computed if that could do something."""
    live = writer.live[function.name]
    values: dict[str, str] = {}
    for parameter, arg in zip(function.params, args, strict=True):
        if parameter in live or not is_plain(arg, 8):
            values[parameter] = number(writer, arg)
    if function.name not in writer.simple:
        given = "".join(f", i64 {value}" for parameter, value in values.items() if parameter in live)
        return writer.let(f"call fastcc i64 {writer.callee(function.name)}(ptr %A{given})")
    outer, writer.given = writer.given, values
    match function.body:
        case (Return(value),):
            result = number(writer, value)
        case _:
            raise ValueError(f"'{function.name}' is not simple")
    writer.given = outer
    return result


def control(writer: Writer, offset: int) -> str:
    """A control word of the arena."""
    place = writer.let(f"getelementptr i8, ptr %A, i64 {offset}")
    return writer.let(f"load i64, ptr {place}{CONTROL_TAG}")


def setting(writer: Writer, offset: int) -> str:
    """A control word that only Python changes, between runs: one load serves the whole run."""
    place = writer.let(f"getelementptr i8, ptr %A, i64 {offset}")
    return writer.let(f"load i64, ptr {place}{CONSTANT_TAG}")


def _tell(writer: Writer, args: tuple[Expr, ...]) -> str:
    """One predictable branch while nobody is listening; arguments wait for it if they can.

    Who may read the event always waits: it is worked out by code that changes nothing.
    """
    args, readers = args[:6], args[6:]
    lazy = all(is_plain(arg, 8) for arg in args)
    if writer.quiet and lazy:
        return "0"
    values = [] if lazy else [number(writer, arg) for arg in args]
    if writer.quiet:
        return "0"
    wanted, done = writer.fresh("emit"), writer.fresh("quiet")
    on = writer.let(f"icmp ne i64 {setting(writer, at.RECORDING)}, 0")
    writer.branch(on, wanted, done, UNLIKELY)
    writer.start(wanted)
    if lazy:
        values = [number(writer, arg) for arg in args]
    values += [number(writer, reader) for reader in readers]
    given = "".join(f", i64 {value}" for value in values)
    writer.do(f"call void @rw.emit(ptr %A{given})")
    writer.jump(done)
    writer.start(done)
    return "0"
